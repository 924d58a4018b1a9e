#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every allocation, write, sync, thread and descriptor of small runs of every command fails once,
# and once with all that come after it: the program ends with an error that names the cause, or
# prints and writes the same bytes. In `make test` a sample of them: each site (kind and innermost calls)
# fails in one of the two ways, and of all ways to it some (FAULT_SEED); all of them take minutes, and a site
# seldom goes wrong from one caller alone. LP_FAULT=all (make nightly): every call. Needs $LIGHTPATH, the program, and $FAULT_LIBRARY. What takes
# longest is in test_fault_long.sh: two scripts can run beside each other.
#
#   test_fault.sh [WORD]     only the cases whose name holds WORD, with a full report of each
set -u
cases=cases_short.sh
. "$(dirname "$0")/faults.sh"
