#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that nothing calls: the linker joins all objects of the program (each function is a
# section of its own) and says which it would leave out, starting from main. What only a test calls
# is dead for the program, unless it is listed here with its reason.
#
#   tests/dead.sh
#
# from the root of a tree, usually by `make dead`. Environment: LAYERS_O (folder of the objects),
# LAYERS_MODE, LAYERS_NM, DEAD_LD, DEAD_ALLOWED (instead of the list below). Prints what is dead, or listed and not dead, then `ok dead`,
# `not ok dead` or `skip dead: why`.
set -u
export LC_ALL=C

O=${LAYERS_O:-build/release}
MODE=${LAYERS_MODE:-release}
NM=${LAYERS_NM:-nm}
LD=${DEAD_LD:-ld}

# Called by tests alone, and wanted:
#   lp_minibatch_*             the gradient of a whole network by one thread, held against differences
#   lp_session_twin, _log      a second session that carries out the log, held against the time line
#   lp_session_timeline_stats, _set_budget   memory of a time line, for tests and the benchmark
#   lp_session_policy_path     the file that a test of reloading writes anew
#   lp_world_link_rates, _failed_circuits    held against the capacity of links, and what is broken
#   lp_prediction_row          the numbers behind a printed forecast
#   lp_world_validate          is a world in order? Checked builds ask its parts after every event
ALLOWED=${DEAD_ALLOWED-'lp_minibatch_new lp_minibatch_free lp_minibatch_forward lp_minibatch_out
lp_minibatch_slope lp_minibatch_backward lp_minibatch_feature_slope lp_minibatch_node_slope
lp_session_twin lp_session_log lp_session_timeline_stats lp_session_set_budget
lp_session_policy_path lp_world_link_rates lp_world_failed_circuits
lp_prediction_row'}
if [ -z "${DEAD_ALLOWED+set}" ] && [ "$MODE" != debug ]; then
    ALLOWED="$ALLOWED lp_world_validate lp_validate_now lp_validate_past lp_timer_stale"
fi

case $MODE in
asan | tsan | coverage | fuzz)
    echo "skip dead: objects of MODE=$MODE are instrumented"
    exit 0
    ;;
esac

tmp=$(mktemp -d "${TMPDIR:-/tmp}/dead.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
mapfile -t objects < <(find engine ui -name '*.c' | sort | sed "s,^,$O/,; s,c\$,o,")

if ! "$LD" -r --gc-sections -e main --print-gc-sections -o "$tmp/joined" "${objects[@]}" 2>"$tmp/said"; then
    head -5 "$tmp/said"
    echo "not ok dead: the objects of $O cannot be joined"
    exit 1
fi
"$NM" -A "${objects[@]}" | awk -v prefix="$O/" -v allowed="$ALLOWED" -v said="$tmp/said" '
function source(object) { sub(/:.*/, "", object); object = substr(object, length(prefix) + 1); sub(/o$/, "c", object); return object }
BEGIN {
    n = split(allowed, word, /[ \n]+/)
    for (i = 1; i <= n; i++) if (word[i] != "") listed[word[i]] = 1
    while ((getline line < said) > 0)
        if (match(line, /\.text\.[A-Za-z_0-9]+/)) dropped[substr(line, RSTART + 6, RLENGTH - 6)] = 1
}
$(NF - 1) == "T" { home[$NF] = source($1); functions++ }
$(NF - 1) == "U" { used[$NF] = source($1) }
END {
    for (f in home) if (f in dropped && !(f in listed))
        print home[f] ": " f " is called by nothing in the program outside its file: delete it, or make it static"
    for (f in listed) {
        if (!(f in home)) print "tests/dead.sh: " f " is listed, and there is no such function"
        else if (f in used && !(f in dropped)) print "tests/dead.sh: " f " is listed, and " used[f] " calls it"
    }
    if (functions < 1) print "no function was found"
    if (n > 1 && length(dropped) == 0) print "no function has a section of its own: the objects need -ffunction-sections"
}' | sort >"$tmp/bad"
if [ -s "$tmp/bad" ]; then
    cat "$tmp/bad"
    echo "not ok dead"
    exit 1
fi
echo "ok dead"
