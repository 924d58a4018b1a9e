# SPDX-License-Identifier: GPL-3.0-or-later
"""One `lightpath env` process: lines of JSON, and frames of bytes for many episodes at once."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading

from .api import array_of, numpy
from .checks import LAST_SEED, LightpathError, WrongType, WrongValue

PLACEMENTS = ("engine", "first_fit", "best_fit", "least_fragmenting")
STAY = LAST_SEED + 1  # instead of a seed: this lane goes on as it is
DONE, TRUNCATED, BLOCKED, MASKED, IDLE = 1, 2, 4, 8, 16

BROKEN_OFF = "a request was broken off"
AT_WORK = ("another request is at work, perhaps of another thread: expected its answer to be read "
           "first")


class Answer:
    """Columns of a frame: reward, return_, blocking, seed, length, job, graph, features, mask,
    flags; one entry per lane. They are views of one block of bytes, new with each frame."""
    __slots__ = ("reward", "return_", "blocking", "seed", "length", "job", "graph", "features",
                 "mask", "flags")

    def __init__(self, data, lanes, features, actions):
        at = 0
        for name, kind, width in (("reward", "f8", None), ("return_", "f8", None),
                                  ("blocking", "f8", None), ("seed", "u8", None),
                                  ("length", "u4", None), ("job", "u4", None),
                                  ("graph", "i4", None), ("features", "f4", features),
                                  ("mask", "i1", actions), ("flags", "u1", None)):
            end = at + int(kind[1]) * lanes * (1 if width is None else width)
            setattr(self, name, array_of(kind, data[at:end], width))
            at = end


class LightpathProcess:
    """A process and what it said of itself: `spec` and `graphs` as docs/env.md has them.

    Each request has one answer, and they must never get out of step: a request is refused while the
    answer of another one is due, after one that was broken off (Ctrl-C), and in a process that was
    forked off, whose answers the parent would miss."""

    def __init__(self, scenario, program=None, sets=(), reward=None, encoding=None, wait=False,
                 placements=()):
        for rule in placements:
            if rule not in PLACEMENTS:
                raise ValueError("there is no placement %r: expected of %s" % (rule, PLACEMENTS))
        command = [program or os.environ.get("LIGHTPATH") or "lightpath", "env", str(scenario)]
        for assignment in sets:
            command += ["--set", assignment]
        command += ["--reward", reward] if reward is not None else []
        command += ["--encoding", encoding] if encoding is not None else []
        for rule in placements:
            command += ["--place", rule]
        if wait:
            command += ["--wait", "--queue", "arrival" if wait is True else wait]
        self.owner = os.getpid()
        self.broken = None  # why nothing can be asked any more
        self._due = threading.Lock()  # held from a request until its answer has been read
        self.said = tempfile.TemporaryFile()  # what the process says on its standard error
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=self.said)
        except OSError as error:
            self.said.close()
            raise LightpathError("cannot run %s: %s" % (command[0], error)) from None
        self.lanes = 0
        try:
            self.spec = self.request("spec")
            self.graphs = self.request("graphs")["graphs"]
        except BaseException:
            self.close()
            raise
        self.actions, self.features = self.spec["actions"], self.spec["features"]

    # ---- lines ----

    def request(self, cmd, **keys):
        """Sends one request, returns its answer as a dict."""
        try:
            text = json.dumps({"cmd": cmd, **keys}, allow_nan=False)
        except (TypeError, RecursionError) as error:
            raise WrongType("a request to %s: %s" % (cmd, error)) from None
        except ValueError as error:
            raise WrongValue("a request to %s: %s" % (cmd, error)) from None
        self._send((text + "\n").encode())
        answer = json.loads(self._receive(self._line))
        if not answer["ok"]:
            raise LightpathError(answer["error"])
        return answer

    # ---- frames ----

    def open_lanes(self, lanes, stride=0):
        """So many episodes side by side from now on. One that ends is followed at once by the one
        whose seed is `stride` more; 0: by none."""
        self.request("frames", lanes=lanes, stride=stride)
        self.lanes = lanes

    def send_reset(self, seeds):
        """A seed for each lane, or STAY; read() has the answer."""
        self._send(b"LPFr" + self._column("seeds", "Q", seeds))

    def send_step(self, actions):
        """A degree for each lane, plus 65536 times a number of `spec["placements"]`."""
        self._send(b"LPFs" + self._column("actions", "I", actions))

    def read(self):
        """The answer to a frame."""
        if not self._due.locked():
            raise LightpathError("nothing was sent: there is no answer to read")
        magic, data = self._receive(self._frame)
        if magic != b"LPFa":
            raise LightpathError(data.decode("utf-8", "replace"))
        return Answer(data, self.lanes, self.features, self.actions)

    def _column(self, what, kind, values):
        """A number of lanes, and a number for each of them."""
        if len(values) != self.lanes:
            raise WrongValue("%d %s for %d lanes" % (len(values), what, self.lanes))
        if numpy is not None and isinstance(values, numpy.ndarray) and values.dtype == "<u4":
            return struct.pack("<I", self.lanes) + numpy.ascontiguousarray(values).tobytes()
        try:
            return struct.pack("<I%d%s" % (self.lanes, kind), self.lanes, *values)
        except struct.error as error:
            raise WrongValue("%s: %s" % (what, error)) from None

    # ---- bytes ----

    def _take_said(self):
        if self.said.closed:
            return ""
        self.said.seek(0)
        text = self.said.read().decode("utf-8", "replace").strip()
        self.said.close()
        return text

    def check(self):
        """Raises unless a request can be sent now."""
        if os.getpid() != self.owner:
            raise LightpathError("this environment belongs to the process %d that made it, of which "
                                 "this one (%d) was forked off: expected an environment that is "
                                 "made after the fork" % (self.owner, os.getpid()))
        if self.process.stdin.closed:
            raise LightpathError("the environment is closed")
        if self.broken is not None:
            raise LightpathError("this environment cannot go on: %s; expected a new one"
                                 % self.broken)
        if self._due.locked():
            raise LightpathError(AT_WORK)

    def check_runs(self):
        """Raises if the program has ended."""
        if self.process.poll() is not None:
            self._ended()

    def _ended(self):
        code, said = self.process.wait(), self._take_said()
        said = said[len("lightpath: "):] if said.startswith("lightpath: ") else said
        self.broken = said or "lightpath has ended (exit code %s)" % code
        raise LightpathError(self.broken)

    def _send(self, data):
        self.check()
        if not self._due.acquire(blocking=False):
            raise LightpathError(AT_WORK)
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            self._ended()
        except BaseException:
            self.broken = BROKEN_OFF
            raise

    def _receive(self, take):
        """The answer that is due, by a function that takes it from the pipe."""
        try:
            answer = take()
        except BaseException:
            self.broken = self.broken or BROKEN_OFF
            raise
        self._due.release()
        return answer

    def _line(self):
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            self._ended()
        return line

    def _frame(self):
        head = self._take(8)
        return head[:4], self._take(struct.unpack("<I", head[4:])[0])

    def _take(self, count):
        data = self.process.stdout.read(count)
        if len(data) < count:
            self._ended()
        return data

    def close(self):
        """Ends the process. May be called again; in a process that was forked off it only lets go
        of the parent's."""
        if os.getpid() != self.owner:
            self.process.returncode = 0  # it is not this one's to wait for
        elif self.process.poll() is None and not self.process.stdin.closed:
            if self.broken is not None or self._due.locked():
                self.process.terminate()
            else:  # the end of the input alone would not do: a fork may hold the pipe, too
                self._say_close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        if os.getpid() != self.owner:
            self.said.close()
            return
        self.process.wait()
        said = self._take_said()
        if said:
            print(said, file=sys.stderr)

    def _say_close(self):
        try:
            self.process.stdin.write(b'{"cmd":"close"}\n')
            self.process.stdin.flush()
            self.process.stdout.read()
        except BrokenPipeError:
            pass


def exchange(pairs):
    """A frame to each process, by pairs of its send_reset or send_step and what that takes; then
    all their answers. All are read also where one tells of an error, which is raised then: those
    that are left would be taken for the answers of the next frame."""
    processes = [send.__self__ for send, _ in pairs]
    for process in processes:
        process.check()
        if len(pairs) > 1:  # none plays where another one has ended
            process.check_runs()
    sent, answers, error = [], [], None
    try:
        for send, values in pairs:
            send(values)
            sent.append(send.__self__)
    except LightpathError as refusal:
        error = refusal
    except BaseException:
        _break_off(processes)
        raise
    try:
        for process in sent:
            try:
                answers.append(process.read())
            except LightpathError as refusal:
                error = error or refusal
    except BaseException:
        _break_off(processes)
        raise
    if error is not None:
        error.halfway = len(sent) > 0
        raise error
    return answers


def _break_off(processes):
    """Ctrl-C came: nobody knows what was sent and read."""
    for process in processes:
        process.broken = process.broken or BROKEN_OFF
