#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The live program: the tour, and random keys, at four sizes of the terminal. LIVE_SEED chooses the keys; LP_LIVE=all:
# five times as many.
set -u
. "$(dirname "$0")/live.sh"
walk tour random
