#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Eight episodes side by side in this process, by liblightpath: the largest degree that the mask allows,
until each lane has ended an episode. Prints what docs/examples/library.c prints.

    python3 docs/examples/library_env.py [SCENARIO]
"""
import sys

import lightpath

LANES = 8


def main():
    """Without a stride a lane whose episode is over idles until a reset."""
    scenario = sys.argv[1] if len(sys.argv) > 1 else "pac-ml-32"
    with lightpath.LightpathLibraryEnv(scenario, LANES, stride=0) as env:
        _, info = env.reset(seed=101)
        ended = 0
        while ended < LANES:
            actions = [max((a for a, open_ in enumerate(mask) if open_), default=0) for mask in info["action_mask"]]
            _, _, terminated, truncated, info = env.step(actions)
            for i in range(LANES):
                if terminated[i] or truncated[i]:
                    end = info["episode"]
                    print("seed %d: return %g, blocked %.4f" % (101 + i, end["r"][i], end["blocking_rate"][i]))
                    ended += 1


if __name__ == "__main__":
    main()
