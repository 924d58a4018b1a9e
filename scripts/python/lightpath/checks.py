# SPDX-License-Identifier: GPL-3.0-or-later
"""What callers hand over, looked at before anything of it is sent: what is refused here has changed
nothing."""
import operator

from .api import numpy

LAST_SEED = (1 << 64) - 2  # the last number of 64 bits says in a frame that a lane stays as it is


class LightpathError(Exception):
    """A request that lightpath refused (nothing has changed then), or that found no lightpath."""
    halfway = False  # some lanes have played nevertheless


class WrongType(LightpathError, TypeError):
    """What was handed over is not of the kind that was expected."""


class WrongValue(LightpathError, ValueError):
    """It is of the right kind, but out of range, or of the wrong length."""


def shown(value):
    """The value as a sentence shows it: cut, and whatever its own repr does."""
    try:
        text = repr(value)
    except Exception:  # pylint: disable=broad-except  # the caller's object may raise anything
        text = object.__repr__(value)
    return text if len(text) <= 60 else text[:57] + "..."


def is_truth(value):
    """Is it True or False, Python's or NumPy's? These are whole numbers to Python, but whoever
    hands over one has mixed up a mask and an action."""
    if isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_)):
        return True
    return getattr(getattr(value, "dtype", None), "kind", None) == "b"


def whole(value, what):
    """The whole number (of Python, NumPy or whatever has __index__) as an int; `what` begins the
    sentence if it is none."""
    try:
        if not is_truth(value):
            return operator.index(value)
    except Exception:  # pylint: disable=broad-except  # the caller's object may raise anything
        pass
    raise WrongType("%s is %s: expected a whole number" % (what, shown(value)))


def whole_within(value, least, most, what):
    """The same within a range."""
    number = whole(value, what)
    if not least <= number <= most:
        raise WrongValue("%s is %s: expected %d..%d" % (what, shown(number), least, most))
    return number


def as_list(values, count, what):
    """The values of something that has an order and a length, `count` of them."""
    if not isinstance(values, (str, bytes, bytearray, dict, set, frozenset)):
        try:
            length = len(values)
        except Exception:  # pylint: disable=broad-except  # the caller's object may raise anything
            length = None
        if length is not None:
            if length != count:
                raise WrongValue("%d %s for %d environments" % (length, what, count))
            try:
                out = [values[i] for i in range(count)]
            except Exception:  # pylint: disable=broad-except
                out = None
            if out is not None:
                return out
    raise WrongType("%s are %s: expected a sequence of %d whole numbers"
                    % (what, shown(values), count))


def seed_of(value, last=LAST_SEED, what="the seed"):
    """A seed as an int."""
    return whole_within(value, 0, last, what)


def action_of(value, count, where=""):
    """An action as an int from 0 to count - 1."""
    number = value if type(value) is int else whole(value, where + "the action")
    if not 0 <= number < count:
        raise WrongValue("%saction %s does not exist: expected 0..%d"
                         % (where, shown(number), count - 1))
    return number


def actions_of(values, lanes, count):
    """An action for each lane: a list of ints, or NumPy's array of them."""
    if numpy is not None and isinstance(values, numpy.ndarray) and values.dtype.kind in "iu":
        if values.shape != (lanes,):
            if values.ndim == 1:
                raise WrongValue("%d actions for %d environments" % (len(values), lanes))
            raise WrongValue("the actions have the shape %s: expected (%d,)"
                             % (values.shape, lanes))
        values = numpy.array(values, subok=False)  # nobody changes it meanwhile
        if values.min() >= 0 and values.max() < count:
            return values.astype("<u4")
    values = values if type(values) is list and len(values) == lanes else (
        as_list(values, lanes, "actions"))
    if set(map(type, values)) == {int} and min(values) >= 0 and max(values) < count:
        return values
    return [action_of(value, count, "lane %d: " % i) for i, value in enumerate(values)]


def seeds_of(value, lanes):
    """A seed for each lane, of one (the following lanes take the following ones) or of a list."""
    try:
        single = not hasattr(value, "__len__") or getattr(value, "ndim", 1) == 0
    except Exception:  # pylint: disable=broad-except  # the caller's object may raise anything
        single = True
    if single:
        first = seed_of(value, LAST_SEED - (lanes - 1))
        return [first + i for i in range(lanes)]
    return [seed_of(seed, what="lane %d: the seed" % i)
            for i, seed in enumerate(as_list(value, lanes, "seeds"))]
