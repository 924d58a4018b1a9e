#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent that draws one of the allowed ways to split: what any other should beat."""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lightpath  # noqa: E402


def options(description):
    """What all examples take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scenario", default="published-32")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--seeds", type=int, default=30, help="how many of the test's seeds")
    return parser


def report(name, agent, args):
    """Plays the test's episodes and says what was lost."""
    episodes = lightpath.evaluate(agent, args.scenario, lightpath.TEST_SEEDS[:args.seeds],
                                  sets=args.set)
    mean, error = lightpath.mean_and_error(episodes)
    print("%s: lost %.4f of the jobs (standard error %.4f, %d test episodes)"
          % (name, mean, error, len(episodes)))


def main():
    """Draws, and plays."""
    rng = random.Random(1)

    def agent(observation, mask, info):
        del observation, info
        return rng.choice([a for a, is_open in enumerate(mask) if is_open and a > 0] or [0])

    report("random", agent, options(__doc__).parse_args())


if __name__ == "__main__":
    main()
