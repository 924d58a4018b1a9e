#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Environment steps per second from Python: one episode by lines of JSON, many by frames of bytes.

Random actions, the published encoding, scenario published-32. Times are of the clock and of all
processors together (client and programs). NumPy is used where it is there."""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "python"))
import lightpath  # noqa: E402


def measure(name, steps, run, close):
    """Prints steps a second; close() ends the programs, so that their times are known."""
    before, clock = os.times(), time.monotonic()
    run()
    clock = time.monotonic() - clock
    close()
    after = os.times()
    used = sum(after[:4]) - sum(before[:4])
    print(f"{name:34} {steps / clock:10.0f} steps/s {1e6 * used / steps:8.2f} us of processor time a step", flush=True)


def one(steps):
    env = lightpath.LightpathEnv("published-32", reward="job_acceptance")

    def run():
        _, info = env.reset(seed=1)
        for _ in range(steps):
            action = random.choice([a for a, open_ in enumerate(info["action_mask"]) if open_])
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()

    measure("lines of JSON, one episode", steps, run, env.close)


def many(lanes, rounds, processes):
    env = lightpath.LightpathVectorEnv("published-32", lanes, processes=processes)
    env.reset(seed=1)
    try:
        import numpy
        actions = [numpy.random.randint(0, 17, lanes) for _ in range(16)]
    except ImportError:
        actions = [[random.randrange(17) for _ in range(lanes)] for _ in range(16)]

    def run():
        for i in range(rounds):
            env.step(actions[i % 16])

    measure(f"frames, {lanes} lanes, {processes} process{'es' if processes > 1 else ''}", lanes * rounds, run, env.close)


if __name__ == "__main__":
    random.seed(1)
    one(20000)
    for processes in (1, 2):
        many(256, 1600, processes)
        many(1024, 400, processes)
