# SPDX-License-Identifier: GPL-3.0-or-later
"""Many episodes in this process: the shared library by ctypes, without another program in between.

The library (`make lib`, liblightpath.so) writes into arrays that belong to Python; nothing is
copied, so what step and reset return is overwritten by the next call."""
import array
import ctypes
import ctypes.util
import json
import os
import threading

from .api import VectorEnv, box, numpy, spaces
from .checks import LightpathError, WrongType, WrongValue, actions_of, seeds_of, whole_within
from .seeds import SeedStream

API_VERSION = 1  # LIGHTPATH_API_VERSION of the header that this file follows
STAY = (1 << 64) - 1  # instead of a seed: this lane goes on as it is
DONE, TRUNCATED, BLOCKED, MASKED, IDLE = 1, 2, 4, 8, 16
MOST_LANES = 4096

# The arrays: name in LightpathArrays, format, entries of a lane (a name of the shape, or one)
COLUMNS = (("features", "f", "features"), ("mask", "B", "actions"), ("reward", "d", None),
           ("flags", "B", None), ("sum", "d", None), ("blocking", "d", None),
           ("length", "I", None), ("job", "I", None), ("graph", "i", None), ("seed", "Q", None),
           ("terminated", "B", None), ("truncated", "B", None))
ALIKE = {"B": "Bb?", "I": "IL", "i": "il", "Q": "QL"}  # formats of the same numbers, by their size
OF_NUMPY = {"f": "float32", "B": "uint8", "d": "float64", "I": "uint32", "i": "int32",
            "Q": "uint64"}


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("text", ctypes.c_char * 512)]


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("scenario", ctypes.c_char_p),
                ("lanes", ctypes.c_uint32), ("sets", ctypes.c_uint32),
                ("set", ctypes.POINTER(ctypes.c_char_p)), ("until", ctypes.c_double),
                ("stride", ctypes.c_uint64), ("reward", ctypes.c_char_p),
                ("encoding", ctypes.c_char_p), ("places", ctypes.c_uint32),
                ("place", ctypes.POINTER(ctypes.c_char_p)), ("queue", ctypes.c_char_p),
                ("max_input", ctypes.c_size_t), ("max_memory", ctypes.c_size_t)]


class _Shape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32)
                for name in ("lanes", "actions", "features", "wait", "servers", "graphs")]


class _Arrays(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_void_p) for name, _, _ in COLUMNS]


def _found():
    """Where the library may lie: $LIGHTPATH_LIBRARY, the tree that this file is in, the system."""
    tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    return [path for path in (os.environ.get("LIGHTPATH_LIBRARY"),
                              os.path.join(tree, "build", "release", "liblightpath.so"),
                              os.path.join(tree, "..", "..", "lib", "liblightpath.so.1"),
                              ctypes.util.find_library("lightpath"), "liblightpath.so.1") if path]


def _load(path):
    why = None
    for candidate in [path] if path else _found():
        try:
            library = ctypes.CDLL(candidate)
            library.lightpath_api_version.restype = ctypes.c_uint32
        except (OSError, AttributeError) as error:
            why = why or error
            continue
        if library.lightpath_api_version() < API_VERSION:
            raise LightpathError("the library %s is older than this package" % candidate)
        pointer = ctypes.c_void_p
        library.lightpath_close.argtypes, library.lightpath_close.restype = [pointer], None
        for name, arguments in (("open", [pointer] * 3), ("shape", [pointer] * 3),
                                ("reset", [pointer, pointer, ctypes.c_uint32, pointer, pointer]),
                                ("step", [pointer, pointer, ctypes.c_uint32, pointer, pointer]),
                                ("ask", [pointer, ctypes.c_char_p, ctypes.c_size_t, pointer,
                                         pointer, pointer])):
            function = getattr(library, "lightpath_" + name)
            function.argtypes, function.restype = arguments, ctypes.c_int
        return library
    raise LightpathError("there is no liblightpath.so (%s): expected `make lib`, and its path in "
                         "library= or $LIGHTPATH_LIBRARY" % why)


def _texts(values):
    return (ctypes.c_char_p * len(values))(*[os.fsencode(value) for value in values])


class _Column:
    """One array: `view` is what callers see of it, a matrix where a lane has several entries
    (without NumPy a list of rows, each a view), `address` where the library writes."""

    def __init__(self, name, kind, lanes, width, given):
        count = lanes * (1 if width is None else width)
        if given is None and numpy is not None:
            given = numpy.zeros(lanes if width is None else (lanes, width), OF_NUMPY[kind])
        elif given is None:
            given = array.array(kind, bytes(count * array.array(kind).itemsize))
        try:
            seen = memoryview(given)
            flat = seen.cast("B") if seen.c_contiguous else None
        except (TypeError, ValueError):
            raise WrongType("arrays: %s is no buffer of numbers" % name) from None
        fits = flat is not None and not seen.readonly and (
            seen.format.lstrip("<@=") in ALIKE.get(kind, kind) and
            seen.itemsize == array.array(kind).itemsize)
        if not fits or seen.nbytes != count * array.array(kind).itemsize:
            raise WrongValue("arrays: %s is not writable, contiguous, of the type %s, and of %d "
                             "numbers" % (name, OF_NUMPY[kind], count))
        self.view = given
        if width is not None and (numpy is None or not isinstance(given, numpy.ndarray)):
            numbers = flat.cast(kind)
            self.view = [numbers[i * width:(i + 1) * width] for i in range(lanes)]
        self.kept = (ctypes.c_char * seen.nbytes).from_buffer(given) if seen.nbytes else None
        self.address = ctypes.addressof(self.kept) if seen.nbytes else None


class LightpathLibraryEnv(VectorEnv):
    """num_envs episodes side by side in this process and thread; else as LightpathVectorEnv: the
    same episodes for the same seeds, to the last bit.

        env = lightpath.LightpathLibraryEnv("pac-ml-32", 256)
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(actions)

    Arrays are written in place: what was returned changes with the next reset or step (copy what is
    to be kept). arrays: a dict of the caller's own, by the names of COLUMNS, such as
    {"features": numpy.empty((256, 108), "float32")}: anything that is a buffer, of a size that
    `shape_of` tells before. library: path of liblightpath.so."""
    metadata = {"render_modes": []}

    def __init__(self, scenario="published-32", num_envs=64, *, library=None, sets=(), reward=None,
                 encoding=None, placements=("engine",), split="train", wait=False, until=0.0,
                 stride=None, arrays=None):
        self._handle = ctypes.c_void_p()
        self._library = _load(library)
        self._work = threading.Lock()
        self.num_envs = whole_within(num_envs, 1, MOST_LANES, "the number of environments")
        self.seeds = SeedStream(split)
        queue = None if not wait else "arrival" if wait is True else wait
        self._error = _Error()
        options = _Options(
            size=ctypes.sizeof(_Options), scenario=os.fsencode(scenario), lanes=self.num_envs,
            sets=len(sets), set=_texts(sets), until=until,
            stride=self.num_envs if stride is None else stride,
            reward=reward.encode() if reward else None,
            encoding=encoding.encode() if encoding else None, places=len(placements),
            place=_texts(placements), queue=queue.encode() if queue else None)
        self._check(self._library.lightpath_open(ctypes.byref(options), ctypes.byref(self._handle),
                                                 ctypes.byref(self._error)))
        self.closed = False
        try:
            self._make(arrays or {})
        except BaseException:
            self.close()
            raise

    def _make(self, given):
        shape = _Shape()
        self._check(self._library.lightpath_shape(self._handle, ctypes.byref(shape),
                                                  ctypes.byref(self._error)))
        self.shape = {name: getattr(shape, name) for name, _ in _Shape._fields_}
        self.wait_code = shape.wait if shape.wait != 0xffffffff else None
        for name in given:
            if name not in [column for column, _, _ in COLUMNS]:
                raise WrongValue("arrays: there is no %r" % name)
        self.columns = {}
        self._arrays = _Arrays(size=ctypes.sizeof(_Arrays))
        for name, kind, width in COLUMNS:
            column = _Column(name, kind, self.num_envs, width and self.shape[width],
                             given.get(name))
            self.columns[name] = column
            setattr(self._arrays, name, column.address)
        self.spec = self.ask("spec")
        self.single_action_space = spaces.Discrete(shape.actions)
        self.single_observation_space = box(shape.features)
        self._began = False

    @property
    def graphs(self):
        """The graphs of the scenario's jobs: docs/env.md, "Requests"."""
        return self.ask("graphs")["graphs"]

    def _check(self, code):
        if code != 0:
            text = self._error.text.decode("utf-8", "replace")
            raise (WrongValue if code in (2, 3) else LightpathError)(text)

    def _call(self, name, *arguments):
        if self.closed:
            raise LightpathError("the environment is closed")
        if not self._work.acquire(blocking=False):
            raise LightpathError("another thread is at work with this environment")
        try:
            self._check(getattr(self._library, "lightpath_" + name)(
                self._handle, *arguments, ctypes.byref(self._error)))
        finally:
            self._work.release()

    def reset(self, *, seed=None, options=None):
        """New episodes: of `seed`, seed + 1 ... or of a list of seeds; None: of the split. options:
        {"split": ...} goes over to another split."""
        if options and "split" in options:
            self.seeds = SeedStream(options["split"])
        seeds = seeds_of(self.seeds.next() if seed is None else seed, self.num_envs)
        return self.reset_lanes(seeds)

    def reset_lanes(self, seeds):
        """A seed for each lane, or STAY: that lane goes on as it is."""
        given = (ctypes.c_uint64 * self.num_envs)(*seeds)
        self._call("reset", given, len(seeds), ctypes.byref(self._arrays))
        self._began = True
        return self.columns["features"].view, self._info()

    def step(self, actions):
        """A degree for each, plus 65536 times the number of a rule of placement."""
        address, kept = self._actions(actions)
        self._call("step", address, self.num_envs, ctypes.byref(self._arrays))
        del kept
        info = self._info()
        view = {name: column.view for name, column in self.columns.items()}
        ended = [bool(flag & DONE) for flag in view["flags"]] if numpy is None else (
            numpy.asarray(view["flags"]) & DONE != 0)
        if any(ended) if numpy is None else ended.any():
            info["episode"] = {"r": view["sum"], "l": view["length"],
                               "blocking_rate": view["blocking"]}
            info["_episode"] = ended
        return view["features"], view["reward"], view["terminated"], view["truncated"], info

    def _actions(self, actions):
        """Where the actions lie, and what keeps them there."""
        if (numpy is not None and isinstance(actions, numpy.ndarray) and
                actions.dtype == "uint32" and actions.shape == (self.num_envs,) and
                actions.flags.c_contiguous):
            return actions.ctypes.data, actions
        if isinstance(actions, array.array) and actions.typecode == "I" and (
                len(actions) == self.num_envs):
            return actions.buffer_info()[0], actions
        kept = array.array("I", actions_of(actions, self.num_envs, 1 << 32))
        return kept.buffer_info()[0], kept

    def _info(self):
        return {"action_mask": self.columns["mask"].view, "graph": self.columns["graph"].view,
                "seed": self.columns["seed"].view, "flags": self.columns["flags"].view,
                "job": self.columns["job"].view}

    def action_masks(self):
        """A row per environment with a 1 for every action that may be answered now."""
        return self.columns["mask"].view if self._began else None

    def ask(self, cmd, **keys):
        """Any request of docs/env.md but `frames`, about lane 0; its answer as a dict."""
        text = json.dumps({"cmd": cmd, **keys}).encode()
        answer, length = ctypes.c_char_p(), ctypes.c_size_t()
        self._call("ask", text, len(text), ctypes.byref(answer), ctypes.byref(length))
        said = json.loads(answer.value)
        if not said["ok"]:
            raise LightpathError(said["error"])
        return said

    def close(self, **kwargs):
        """Frees it; may be called again. The arrays stay."""
        del kwargs
        if not self._work.acquire(blocking=False):
            raise LightpathError("another thread is at work with this environment")
        self._work.release()
        self.closed = True
        if self._handle:
            self._library.lightpath_close(self._handle)
            self._handle = ctypes.c_void_p()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()
