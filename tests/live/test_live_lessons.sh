#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The live program: every step of every lesson, with right and wrong answers, at one size of the terminal, by turns
# (LIVE_SEED); every third also on without answers, and back. LP_LIVE=all: all of that at all four sizes, and the
# longest lesson, which takes a third of the time by the same code with more jobs.
set -u
. "$(dirname "$0")/live.sh"
walk lessons
