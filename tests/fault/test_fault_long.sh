#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# As test_fault.sh: the cases that take longest.
#
#   test_fault_long.sh [WORD]     only the cases whose name holds WORD, with a full report of each
set -u
cases=cases_long.sh
. "$(dirname "$0")/faults.sh"
