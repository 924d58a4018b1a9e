#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published environment restated in plain Python, as small as it can be and still do the work of
every decision: cut the graph, place every part, give every dependency its channel, simulate one step
(remembered per model and degree), judge the deadline. Placement takes the first free servers, not
blocks of RAMP; so its blocking rates are not those of lightpath, its cost is what is measured.

    python3 tests/bench/plain_env.py DIR [STEPS]      prints steps per second
"""
import heapq
import math
import random
import sys
import time

MODELS = ["alexnet", "gnmt", "resnet18", "squeezenet1_0", "vgg16"]
SERVERS, RATE, LATENCY, QUANTUM, STEPS_A_JOB = 32, 1.6e12 / 4, 250e-9, 0.01, 50


def number(text):
    """A number, or the sum of a list such as [1; 2]."""
    return sum(float(x) for x in text.strip("[]").split(";"))


def read_graph(path):
    """Mirrored graph: op -> (time, memory), and edges."""
    forward, edges = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = [f.split("\t")[-1].strip() for f in line.rstrip("\n").split(" -- ")]
            if len(fields) >= 3:
                values = [number(v.split("=")[1]) for v in fields[2].split(", ")[:4]]
                forward[int(fields[0][4:])] = values
            else:
                edges.append((int(fields[0][4:]), int(fields[1][4:])))
    n = len(forward)
    ops = {i: (v[0], v[2] + v[3]) for i, v in forward.items()}
    ops.update({2 * n - i + 1: (v[1], v[2] + v[3]) for i, v in forward.items()})
    back = [(2 * n - v + 1, 2 * n - u + 1) for u, v in edges]
    return n, ops, edges + back + [(n, n + 1)]


class Job:
    """A model cut so many ways."""

    def __init__(self, graph, degree):
        n, ops, edges = graph
        self.ways = {}
        for op in range(1, n + 1):
            need = 2 * math.ceil(math.ceil(ops[op][0] / QUANTUM) / 2)
            self.ways[op] = self.ways[2 * n - op + 1] = max(1, min(need, degree))
        self.time = {op: ops[op][0] / s for op, s in self.ways.items()}
        self.parts = [(op, k) for op, s in self.ways.items() for k in range(s)]
        self.deps = {}
        for u, v in edges:
            size = ops[u][1] / (self.ways[u] * self.ways[v])
            for a in range(self.ways[u]):
                for b in range(self.ways[v]):
                    self.deps[(u, a), (v, b)] = size
        for op, s in self.ways.items():
            if op > n:
                self.deps.update({((op, a), (op, b)): ops[op][1] / s
                                  for a in range(s) for b in range(s) if a != b})
        self.degree = max(self.ways.values())

    def step_time(self, place):
        """One training step: parts one after the other on their servers, data in between."""
        waits, followers = dict.fromkeys(self.parts, 0), {p: [] for p in self.parts}
        for (u, v), size in self.deps.items():
            if u[0] != v[0]:
                waits[v] += 1
                delay = 0 if place[u] == place[v] else LATENCY + size / RATE
                followers[u].append((v, delay))
        events = [(0.0, p) for p in self.parts if waits[p] == 0]
        heapq.heapify(events)
        free, ready, end = [0.0] * SERVERS, dict.fromkeys(self.parts, 0.0), 0.0
        while events:
            at, part = heapq.heappop(events)
            done = max(at, free[place[part]]) + self.time[part[0]]
            free[place[part]] = done
            end = max(end, done)
            for to, delay in followers[part]:
                ready[to] = max(ready[to], done + delay)
                waits[to] -= 1
                if waits[to] == 0:
                    heapq.heappush(events, (ready[to], to))
        return end


class Env:
    """reset is the constructor."""

    def __init__(self, folder, seed):
        self.graphs = [read_graph("%s/%s.txt" % (folder, m)) for m in MODELS]
        self.rng, self.now, self.jobs, self.steps = random.Random(seed), 0.0, {}, {}
        self.free, self.running, self.channels = set(range(SERVERS)), [], {}
        self.blocked = 0

    def mask(self):
        """Degrees that may be answered."""
        return [d for d in (1, 2, 4, 6, 8, 16) if d <= len(self.free)]

    def decide(self, degree):
        """One arrival; returns the reward."""
        model, beta = self.rng.randrange(5), self.rng.randint(10, 100) / 100
        reward = self.start(model, beta, degree) if degree > 0 else -1
        self.blocked += reward < 0
        self.now += 1000
        while self.running and self.running[0][0] <= self.now:
            _, _, servers, channels = heapq.heappop(self.running)
            self.free |= servers
            for channel in channels:
                del self.channels[channel]
        return reward

    def start(self, model, beta, degree):
        """Places, gives channels, judges."""
        key = model, degree
        if key not in self.jobs:
            self.jobs[key] = Job(self.graphs[model], degree)
        job = self.jobs[key]
        servers = sorted(self.free)[:job.degree]
        if len(servers) < job.degree:
            return -1
        place = {part: servers[part[1]] for part in job.parts}
        mounted = {}
        for (u, v), size in job.deps.items():
            if place[u] != place[v]:
                mounted.setdefault((place[u], place[v]), []).append((u, v, size))
        if key not in self.steps:
            self.steps[key] = job.step_time(place)
        jct = self.steps[key] * STEPS_A_JOB
        unsplit = sum(t for t, _ in self.graphs[model][1].values()) * STEPS_A_JOB
        if jct > beta * unsplit:
            return -1
        self.free -= set(servers)
        self.channels.update(mounted)
        heapq.heappush(self.running, (self.now + jct, self.rng.random(), set(servers), mounted))
        return 1


def main():
    """Random actions that the mask allows."""
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    env, rng = Env(sys.argv[1], 1), random.Random(2)
    began = time.perf_counter()
    for _ in range(steps):
        env.decide(rng.choice(env.mask() or [0]))
    print("%.1f" % (steps / (time.perf_counter() - began)))


if __name__ == "__main__":
    main()
