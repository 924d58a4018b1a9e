#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of runs that nobody looks back in, and the bytes of each job beyond the first runs'.

    tests/bench/memory.py [PROGRAM...]      $LIGHTPATH is the default
"""
import os
import subprocess
import sys

FEW, MANY = 100_000, 400_000
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCENARIOS = ("pac-ml-32", "pod-64", "pod-failures")


def peak(program, scenario, jobs):
    """KiB"""
    words = [program, "run", os.path.join(ROOT, "scenarios", scenario + ".json"), "--set", f"generator.count={jobs}", "--hash"]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"memory.py: {' '.join(words)} failed")
    return usage.ru_maxrss


def main():
    for scenario in SCENARIOS:
        for program in sys.argv[1:] or [os.environ.get("LIGHTPATH", "./lightpath")]:
            few, many = peak(program, scenario, FEW), peak(program, scenario, MANY)
            each = 1024 * (many - few) / (MANY - FEW)
            print(f"{scenario:14} {FEW} jobs {few / 1024:6.1f} MiB, {MANY} jobs {many / 1024:6.1f} MiB, {each:5.0f} B a job  {program}")


if __name__ == "__main__":
    main()
