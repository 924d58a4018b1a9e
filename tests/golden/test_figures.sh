#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The figures of docs/*.md that recorded commands make are what the program prints now: the quick ones,
# with LP_FIGURES=all every one (`make nightly`). Those of the published profiles need LP_PROFILES, the
# folder, and are skipped without it. Every table says how it is made, and docs/made.py notices when not.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
export LIGHTPATH=${LIGHTPATH:-build/release/lightpath}
command -v python3 >/dev/null || { echo "skip figures: there is no python3" && exit 0; }
[ -n "${LP_PROFILES:-}" ] || [ ! -d ../shared/graphs ] || LP_PROFILES=$root/../shared/graphs
export LP_PROFILES=${LP_PROFILES:-}
quick=--quick
[ "${LP_FIGURES:-}" != all ] || quick=
failed=0
docs/made.py --check $quick || failed=1

# --- what the tool notices ---------------------------------------------------------------------------------
work=$(mktemp -d "${TMPDIR:-/tmp}/figures.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# notices NAME STATUS WORDS: docs/made.py --check on the page on stdin ends so, and says so
notices() {
    cat >"$work/page.md"
    docs/made.py --check "$work/page.md" >"$work/out" 2>&1
    if [ $? -eq "$2" ] && grep -qF -- "$3" "$work/out"; then
        echo "ok figures: $1"
    else
        sed 's/^/  | /' "$work/out"
        echo "not ok figures: $1"
        failed=1
    fi
}
made='| a |
|---|
| 1 |'
block() { # block NAME COMMAND TABLE
    printf '<!-- made %s: %s -->\n\n%s\n\n<!-- end -->\n' "$1" "$2" "$3"
}
page() { # page TABLE...: with what it says of its tables
    printf '# A page\n\n<!-- made here -->\n<!-- end -->\n\n%s\n' "$1" >"$work/source.md"
    docs/made.py --write "$work/source.md" >/dev/null
    cat "$work/source.md"
}
command="printf '| a |\n|---|\n| 1 |\n'"
notices 'a page as it is made' 0 'page.md: one' < <(page "$(block one "$command" "$made")")
notices 'a digit that differs' 1 '-| 2 |' < <(page "$(block one "$command" "$made")" | sed "s/^| 1 |/| 2 |/")
notices 'a table that says nothing' 1 'neither how it is made nor why not' <<<"$made"
notices 'a table of words' 0 'every table says how' <<<"<!-- by hand: words -->

$made"
notices 'a reason that is none' 1 'expected words' <<<"<!-- by hand: because -->

$made"
notices 'a command that fails' 1 'ends with 3' < <(page "$(block one 'exit 3' "$made")")
notices 'a command that prints nothing' 1 'ends with 0' < <(page "$(block one true "$made")")
notices 'a page that does not tell of its tables' 1 'made here' < <(block one "$command" "$made")
notices 'a sentence beside the figure' 1 'does not say: .2630' <<<'# A page

<!-- made here -->
*Made by recorded commands, which stand in the source of this page (`make docs`). `make nightly` compares: rate.*
<!-- end -->

<!-- says rate: echo .2630 -->
The rate is .2629.'
measured() { # measured TABLE: one whose times are not compared
    printf '<!-- measured times: %s -->\n\n%s\n\n<!-- end -->\n' "$command" "$1"
}
notices 'what is measured is not compared' 0 'every table says how' < <(page "$(measured "$made")" | sed 's/^| 1 |/| 2 |/')
page "$(measured '| 2 |')" | sed 's/^/  | /' >"$work/written"
if grep -qxF '  | | 1 |' "$work/written" && grep -qF 'and not compared: times.' "$work/written"; then
    echo 'ok figures: what is measured is written where its page is named'
else
    cat "$work/written"
    echo 'not ok figures: what is measured is written where its page is named'
    failed=1
fi
LP_PROFILES='' notices 'tables of profiles are skipped aloud' 0 'skip ' < <(LP_PROFILES=/ page "$(block one "test -n \"\$LP_PROFILES\" && $command" "$made")")
exit $failed
