#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for the first free block of RAMP in plain Python: shape by shape, place by place, server by
server. bench_room asks it for the same blocks of the same clusters as the engine.

    python3 tests/bench/plain_fit.py FILE

FILE has two lines for each search: groups, racks, servers of a rack, then the shapes to try as
GROUPSxRACKSxSERVERS; and the servers, 1 free, 0 busy. For each it prints the microseconds that the
search took and the first server of the block (-1: there is none).
"""
import sys
import time


def first_fit(groups, racks, depth, shapes, free):
    """The servers of the first free block, or None."""
    for a, b, c in shapes:
        for i in range(groups - a + 1):
            for j in range(racks - b + 1):
                for k in range(depth - c + 1):
                    block = [((i + x) * racks + j + y) * depth + k + z
                             for x in range(a) for y in range(b) for z in range(c)]
                    if all(free[s] for s in block):
                        return block
    return None


def main(path):
    """Answers every search of the file."""
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    for head, servers in zip(lines[::2], lines[1::2]):
        fields = head.split()
        groups, racks, depth = (int(f) for f in fields[:3])
        shapes = [tuple(int(x) for x in f.split("x")) for f in fields[3:]]
        free = [s == "1" for s in servers]
        start = time.process_time()
        block = first_fit(groups, racks, depth, shapes, free)
        print(1e6 * (time.process_time() - start), block[0] if block else -1)


main(sys.argv[1])
