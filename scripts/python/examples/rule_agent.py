#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A rule of one line as an agent: split as far as is open, but not beyond so many ways."""
from random_agent import options, report


def rule(most):
    """The largest open degree up to `most`; the smallest one where all are larger; else refuse."""
    def agent(observation, mask, info):
        del observation, info
        degrees = [a for a, is_open in enumerate(mask) if is_open and a > 0]
        return max([d for d in degrees if d <= most], default=min(degrees, default=0))
    return agent


def main():
    """Compares a few of them on the test's episodes."""
    parser = options(__doc__)
    parser.add_argument("--most", type=int, nargs="*", default=[4, 8, 16])
    args = parser.parse_args()
    for most in args.most:
        report("at most %d ways" % most, rule(most), args)


if __name__ == "__main__":
    main()
