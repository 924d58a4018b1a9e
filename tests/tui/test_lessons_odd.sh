#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of every other lesson (1, 3, 5, ...) computed again, and its solutions marked; the rest
# is in test_lessons.sh. Runs of lessons take long, and two scripts can run beside each other.
# The longest wait for LP_LESSONS=all (tests/tui/lessons.sh).
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip lessons: there is no program $program"
    exit 0
fi
. tests/many/many.sh
. tests/tui/lessons.sh
verifies odd
exit $failed
