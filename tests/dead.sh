#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that nothing calls, by the sources as they are written: whatever a compiler makes of them,
# and without an object. What only a test calls is dead for the program, unless it is listed here
# with its reason.
#
#   tests/dead.sh
#
# from the root of a tree, usually by `make dead`. Environment: DEAD_ALLOWED (instead of the list
# below). Prints what is dead, or listed and not dead, then `ok dead` or `not ok dead`.
#
# A function, a table (any variable of a file with its initialiser) and a macro each reach the names
# in their text; what neither main nor the
# library's interface (LIGHTPATH_API) reaches is dead. Comments, strings and members (`a.name`,
# `a->name`, `.name =`) name nothing. A name is first one of its own file, then one of the whole
# program; in the text of a header it may be one of any file, since a macro is carried out elsewhere.
# `head_##x` names all that begins so. What a macro makes in column 0 (`ROW(now) {`) is taken as
# reached. Of `#if`, what is there only with LP_CHECKED is left out, and all else is read. All this
# leans on clang-format: what begins a definition stands in column 0, and so does the } of a function.
set -u
export LC_ALL=C

# Called by tests alone, and wanted:
#   lp_minibatch_*             the gradient of a whole network by one thread, held against differences
#   lp_session_twin, _log      a second session that carries out the log, held against the time line
#   lp_session_timeline_stats, _set_budget   memory of a time line, for tests and the benchmark
#   lp_world_link_rates        held against the capacity of links
#   lp_prediction_row          the numbers behind a printed forecast
#   lp_world_validate          is a world in order? Checked builds ask its parts, the two after it,
#                              after every event
#   lp_server_mark             has a server changed? Checked builds ask after every event
ALLOWED=${DEAD_ALLOWED-'lp_minibatch_new lp_minibatch_free lp_minibatch_forward lp_minibatch_out
lp_minibatch_slope lp_minibatch_backward lp_minibatch_feature_slope lp_minibatch_node_slope
lp_session_twin lp_session_log lp_session_timeline_stats lp_session_set_budget
lp_world_link_rates lp_prediction_row
lp_world_validate lp_validate_now lp_validate_past
lp_server_mark'}

tmp=$(mktemp -d "${TMPDIR:-/tmp}/dead.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

mapfile -t sources < <(find engine ui -name '*.[ch]' | sort)
awk -v allowed="$ALLOWED" -f "$(dirname "$0")/dead.awk" "${sources[@]}" </dev/null >"$tmp/found" ||
    echo "awk could not read the sources" >>"$tmp/found"
sort "$tmp/found" >"$tmp/bad"
if [ -s "$tmp/bad" ]; then
    cat "$tmp/bad"
    echo "not ok dead"
    exit 1
fi
echo "ok dead"
