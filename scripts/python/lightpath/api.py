# SPDX-License-Identifier: GPL-3.0-or-later
"""Gymnasium and NumPy where they are installed; else as much of their interface as is needed."""
import random

try:
    import numpy
except ImportError:
    numpy = None
try:
    import gymnasium
    from gymnasium import spaces
    HAS_GYMNASIUM = True
except ImportError:
    gymnasium = None
    HAS_GYMNASIUM = False


def array_of(kind, data, width=None):
    """Numbers of little-endian bytes: an array (a matrix of `width` columns), else a list (of
    lists)."""
    if numpy is not None:
        out = numpy.frombuffer(data, dtype="<" + kind)
        return out if width is None else out.reshape(-1, width)
    formats = {"f8": "d", "f4": "f", "u8": "Q", "u4": "I", "i4": "i", "u1": "B", "i1": "b"}
    import struct
    count = len(data) // int(kind[1])
    out = list(struct.unpack("<%d%s" % (count, formats[kind]), data))
    if width is None:
        return out
    return [out[i:i + width] for i in range(0, count, width)] if width else [[]]


class _Space:
    """Sampling is by a stream of its own, as with Gymnasium."""

    def __init__(self, shape=None, dtype=None):
        self.shape, self.dtype, self._random = shape, dtype, random.Random()

    def seed(self, seed=None):
        """Begins the stream of samples anew."""
        self._random = random.Random(seed)
        return [seed]

    def __contains__(self, value):
        return self.contains(value)


class _Discrete(_Space):
    """Whole numbers from `start` to start + n - 1."""

    def __init__(self, n, start=0):
        super().__init__((), "int64")
        self.n, self.start = n, start

    def sample(self, mask=None):
        """One of them; with a mask (a 1 for each that may be), `start` where none may be."""
        allowed = [i for i in range(self.n) if mask is None or mask[i]]
        return self.start + (self._random.choice(allowed) if allowed else 0)

    def contains(self, value):
        """Is it one of them?"""
        try:
            return int(value) == value and self.start <= value < self.start + self.n
        except (TypeError, ValueError, OverflowError):
            return False


class _Box(_Space):
    """Lists of numbers in a range."""

    def __init__(self, low, high, shape, dtype="float32"):
        super().__init__(tuple(shape), dtype)
        self.low, self.high = low, high

    def sample(self):
        """Numbers drawn from the range."""
        return [self._random.uniform(self.low, self.high) for _ in range(self.shape[0])]

    def contains(self, value):
        """Are they as many, and in the range?"""
        return len(value) == self.shape[0] and all(self.low <= v <= self.high for v in value)


class _MultiBinary(_Space):
    """Lists of zeros and ones."""

    def __init__(self, n):
        super().__init__((n,), "int8")
        self.n = n

    def sample(self):
        """A list of them."""
        return [self._random.randrange(2) for _ in range(self.n)]

    def contains(self, value):
        """Is it such a list?"""
        return len(value) == self.n and all(v in (0, 1) for v in value)


class _Dict(_Space):
    """Spaces by name."""

    def __init__(self, parts):
        super().__init__()
        self.spaces = dict(parts)

    def __getitem__(self, key):
        return self.spaces[key]

    def sample(self):
        """A sample of each."""
        return {key: space.sample() for key, space in self.spaces.items()}

    def contains(self, value):
        """Has it exactly these keys, each with something of its space?"""
        return set(value) == set(self.spaces) and all(value[k] in s for k, s in self.spaces.items())


class _Spaces:
    """Stands in for gymnasium.spaces."""
    Box, Dict, Discrete, MultiBinary = _Box, _Dict, _Discrete, _MultiBinary


class _Env:
    """Stands in for gymnasium.Env and gymnasium.vector.VectorEnv."""
    metadata = {"render_modes": []}
    render_mode = spec = None

    def reset(self, *, seed=None, options=None):
        """Nothing to do."""

    @property
    def unwrapped(self):
        """There is no wrapper."""
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
        return False

    def close(self):
        """To be overridden."""


if HAS_GYMNASIUM:
    Env, VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
else:
    Env = VectorEnv = _Env
    spaces = _Spaces


def box(features):
    """The space of so many features."""
    if HAS_GYMNASIUM:
        return spaces.Box(0.0, 1.0, (features,), numpy.float32)
    return spaces.Box(0.0, 1.0, (features,))
