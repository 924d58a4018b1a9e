#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to start the program: processor time (user and system) of commands that need no scenario.

    tests/bench/start.py [PROGRAM...]       several are measured in turns; $LIGHTPATH is the default
"""
import os
import resource
import sys

RUNS = 200
COMMANDS = (["--version"], ["--help"], ["completions", "bash"])


def seconds(program, words):
    null = os.open(os.devnull, os.O_WRONLY)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(RUNS):
        # not fork: that would copy the interpreter's tables for each
        child = os.posix_spawn(program, [program, *words], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"start.py: {program} {' '.join(words)} failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.close(null)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    programs = sys.argv[1:] or [os.environ.get("LIGHTPATH", "./lightpath")]
    for words in COMMANDS:
        best = dict.fromkeys(programs, float("inf"))
        for _ in range(3):
            for program in programs:
                best[program] = min(best[program], seconds(program, words))
        for program in programs:
            print(f"{' '.join(words):20} {1e3 * best[program] / RUNS:6.2f} ms  {program}")


if __name__ == "__main__":
    main()
