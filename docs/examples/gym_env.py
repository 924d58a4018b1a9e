#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lightpath scenario as a Gymnasium-style environment, with the standard library only.

    env = LightpathEnv("scenarios/published-32.json")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(4)

An action is a degree (0 refuses the job), or a pair (degree, placement). `info["mask"]` has a 1 for
every degree that may be answered now. An observation is what docs/env.md says, as a dict; the
graphs of the jobs, which never change, are in `env.graphs`. To use it with a library that wants
gymnasium.Env, derive from both and turn observation["features"] into the array that it wants.

Run as a program it plays episodes with a simple agent and prints one line for each:

    python3 docs/examples/gym_env.py scenarios/published-32.json --agent random --episodes 3
"""
import argparse
import json
import operator
import random
import subprocess
import sys


class LightpathError(Exception):
    """A request that lightpath refused (nothing has changed then), or that found no lightpath."""


class LightpathEnv:
    """One `lightpath env` process. The episodes depend on the seeds only."""

    def __init__(self, scenario, program="lightpath", sets=(), reward=None, encoding=None):
        command = [program, "env", scenario]
        for assignment in sets:
            command += ["--set", assignment]
        if reward is not None:
            command += ["--reward", reward]
        if encoding is not None:
            command += ["--encoding", encoding]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        encoding="utf-8")
        try:
            self.spec = self.request("spec")
            self.graphs = self.request("graphs")["graphs"]
        except LightpathError:
            self.close()
            raise
        self.actions = self.spec["actions"]
        self.placements = self.spec["placements"]

    def request(self, cmd, **keys):
        """Sends one request, returns its answer."""
        if self.process.stdin.closed:
            raise LightpathError("the environment is closed")
        try:
            self.process.stdin.write(json.dumps({"cmd": cmd, **keys}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise LightpathError("lightpath has ended (exit code %s)" % self.process.wait())
        answer = json.loads(line)
        if not answer["ok"]:
            raise LightpathError(answer["error"])
        return answer

    def reset(self, seed=None, options=None):
        """A new episode: its first observation, and info with the mask."""
        del options
        answer = self.request("reset") if seed is None else self.request("reset", seed=seed)
        return answer["observation"], {"mask": answer["mask"], "seed": answer["seed"],
                                       "done": answer["done"]}

    def step(self, action):
        """Decides the job that is due: a degree, or (degree, placement by name or number)."""
        keys = {}
        try:
            degree = operator.index(action)
        except TypeError:  # no whole number: a pair
            degree, place = action
            keys["place"] = place if isinstance(place, str) else self.placements[place]
        answer = self.request("step", action=int(degree), **keys)
        info = dict(answer["info"], mask=answer["mask"])
        truncated = answer["truncated"]
        terminated = answer["done"] and not truncated
        return answer["observation"], answer["reward"], terminated, truncated, info

    def summary(self):
        """Counts and means of the episode so far."""
        return self.request("summary")

    def close(self):
        """Ends the process: so does the end of its input. May be called again."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


def choose(agent, mask, rng):
    """A degree that the mask allows, 0 where it allows no other."""
    allowed = [degree for degree, open_ in enumerate(mask) if open_ and degree > 0] or [0]
    return {"random": rng.choice(allowed), "smallest": allowed[0], "largest": allowed[-1]}[agent]


def play(env, agent, seed):
    """One episode; returns its summary."""
    rng = random.Random(seed)
    _, info = env.reset(seed=seed)
    done = info["done"]
    while not done:
        _, _, terminated, truncated, info = env.step(choose(agent, info["mask"], rng))
        done = terminated or truncated
    return env.summary()


def main():
    """Plays episodes and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scenario")
    parser.add_argument("--program", default="lightpath")
    parser.add_argument("--agent", choices=["random", "smallest", "largest"], default="random")
    parser.add_argument("--episodes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE")
    args = parser.parse_args()
    try:
        with LightpathEnv(args.scenario, args.program, args.set) as env:
            for seed in range(args.seed, args.seed + args.episodes):
                end = play(env, args.agent, seed)
                print("seed %d: %d jobs, %d blocked, return %g" %
                      (seed, end["arrived"], end["blocked"], end["return"]))
    except LightpathError as error:
        sys.exit("gym_env.py: %s" % error)


if __name__ == "__main__":
    main()
