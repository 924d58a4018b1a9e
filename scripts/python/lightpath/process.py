# SPDX-License-Identifier: GPL-3.0-or-later
"""One `lightpath env` process: lines of JSON, and frames of bytes for many episodes at once."""
import json
import os
import struct
import subprocess
import sys
import tempfile

from .api import array_of, numpy

PLACEMENTS = ("engine", "first_fit", "best_fit", "least_fragmenting")
STAY = (1 << 64) - 1  # instead of a seed: this lane goes on as it is
DONE, TRUNCATED, BLOCKED, MASKED, IDLE = 1, 2, 4, 8, 16


class LightpathError(Exception):
    """A request that lightpath refused (nothing has changed then), or that found no lightpath."""


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
    """A process and what it said of itself: `spec` and `graphs` as docs/env.md has them."""

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
        except LightpathError:
            self.close()
            raise
        self.actions, self.features = self.spec["actions"], self.spec["features"]

    # ---- lines ----

    def request(self, cmd, **keys):
        """Sends one request, returns its answer as a dict."""
        self._send((json.dumps({"cmd": cmd, **keys}) + "\n").encode())
        line = self.process.stdout.readline()
        if not line:
            self._ended()
        answer = json.loads(line)
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
        self._send(b"LPFr" + struct.pack("<I%dQ" % self.lanes, self.lanes, *seeds))

    def send_step(self, actions):
        """A degree for each lane, plus 65536 times a number of `spec["placements"]`."""
        if numpy is not None:
            block = numpy.ascontiguousarray(actions, dtype="<u4").tobytes()
        else:
            block = struct.pack("<%dI" % len(actions), *actions)
        self._send(b"LPFs" + struct.pack("<I", self.lanes) + block)

    def read(self):
        """The answer to a frame."""
        head = self._take(8)
        data = self._take(struct.unpack("<I", head[4:])[0])
        if head[:4] != b"LPFa":
            raise LightpathError(data.decode("utf-8", "replace"))
        return Answer(data, self.lanes, self.features, self.actions)

    # ---- bytes ----

    def _take_said(self):
        if self.said.closed:
            return ""
        self.said.seek(0)
        text = self.said.read().decode("utf-8", "replace").strip()
        self.said.close()
        return text

    def _ended(self):
        code, said = self.process.wait(), self._take_said()
        said = said[len("lightpath: "):] if said.startswith("lightpath: ") else said
        raise LightpathError(said or "lightpath has ended (exit code %s)" % code)

    def _send(self, data):
        if self.process.stdin.closed:
            raise LightpathError("the environment is closed")
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            self._ended()

    def _take(self, count):
        data = self.process.stdout.read(count)
        if len(data) < count:
            self._ended()
        return data

    def close(self):
        """Ends the process: so does the end of its input. May be called again."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait()
        said = self._take_said()
        if said:
            print(said, file=sys.stderr)
