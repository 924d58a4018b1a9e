#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The live program: demos, and motion that stops at decisions. Each demo at one size of the terminal, by turns
# (LIVE_SEED); LP_LIVE=all: at all four.
set -u
. "$(dirname "$0")/live.sh"
export LIVE_CLOCK=${LIVE_CLOCK:-4} # demos go at their own pace, up to a minute
walk demos motion
