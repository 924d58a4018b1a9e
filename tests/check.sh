#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is worth knowing soon after a change: the unit and golden tests in C of what depends on
# the files that have changed, in a development build (MODE=dev), the layers and the format. Says what
# it leaves out; `make test` runs everything.
#
#   tests/check.sh          usually by `make check`, from the root of a tree
#
# Changed is what differs from the last commit, or from $SINCE (a commit); where nothing does, what the
# last commit changed. What depends on a folder follows from the arrows of tests/layers.sh.
# Environment: CHECK_MAKE (make with the options that it was called with), CHECK_O (the build folder),
# CHECK_SLOW (seconds: a test that took longer in the last run here is left out, 8 by default).
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.." || exit 1

make=${CHECK_MAKE:-make}
O=${CHECK_O:-build/dev}
slow=${CHECK_SLOW:-8}

# --- what has changed ------------------------------------------------------------------------------
since=${SINCE:-HEAD}
if ! git rev-parse -q --verify "$since^{commit}" >/dev/null 2>&1; then
    echo "make check: SINCE=$since is no commit here (is this a clone of the repository?)" >&2
    exit 2
fi
changed_since() { git diff --name-only --no-renames "$1" --; git ls-files --others --exclude-standard; }
changed=$(changed_since "$since")
if [ -z "$changed" ] && [ -z "${SINCE+set}" ]; then
    echo "nothing differs from the last commit: checking what that commit changed"
    changed=$(git diff --name-only --no-renames 'HEAD^' HEAD -- 2>/dev/null || git ls-files)
fi
if [ -z "$changed" ]; then
    echo "nothing has changed since $since"
    echo "1 passed, 0 failed, 0 skipped"
    exit 0
fi

# --- what depends on it ------------------------------------------------------------------------------
arrows=$(sed -n "/^ARROWS='/,/'\$/p" tests/layers.sh | sed "s/^ARROWS='//; s/'\$//")
# The folders whose code is another one with these files, from the lowest to the highest.
folders=$(awk -v changed="$changed" '
    BEGIN {
        n = split(changed, file, "\n")
        for (i = 1; i <= n; i++) {
            if (file[i] ~ /^engine\//) { split(file[i], part, "/"); hit[part[2]] = 1 }
            else if (file[i] ~ /^ui\//) hit["ui"] = 1
            else if (file[i] ~ /^(scripts|scenarios|themes)\//) hit["script"] = hit["run"] = hit["ui"] = 1
            else if (file[i] ~ /^(Makefile|\.ci\/units|tests\/[^\/]*\.[ch])$/) all = 1
        }
    }
    {
        folder = $1
        sub(/:.*/, "", folder)
        reached = all || folder in hit
        for (i = 2; i <= NF; i++) if ($i in hit) reached = 1
        if (reached) { printf "%s ", folder; hit[folder] = 1 }
    }' <<<"$arrows")

# word PATTERN: the tests in C that it names, as words of T
word() { compgen -G "$1" | sed 's/\.c$//'; }
tests=$({
    for folder in $folders; do
        word "tests/unit/test_${folder}_*.c"
        [ "$folder" != script ] || word 'tests/script/test_*.c'
    done
    [ -z "$folders" ] || word 'tests/golden/test_*.c'
    # changed tests, and all of a folder whose shared files have changed
    for file in $changed; do
        case $file in
        tests/*/test_*.c | tests/*/test_*.sh) [ ! -e "$file" ] || echo "${file%.c}" ;;
        tests/*/*.[ch]) word "$(dirname "$file")/test_*.c" ;;
        esac
    done
} | sort -u)
# those that took long here are named and left to `make test`
late=$(awk -v slow="$slow" '$1 + 0 > slow { print $2 }' "$O/times" 2>/dev/null | grep -Fx "$tests" || true)
[ -z "$late" ] || tests=$(grep -Fxv "$late" <<<"$tests")

echo "changed: $(wc -l <<<"$changed") files; what depends on them: ${folders:-tests alone}"
passed=0 failed=0 skipped=0
add() { passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3)); }

# --- build and run -------------------------------------------------------------------------------------
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if [ -n "$tests" ]; then
    scripts=$(grep '\.sh$' <<<"$tests" || true)
    only() { $make MODE=dev "TEST_SCRIPTS=$(tr '\n' ' ' <<<"$scripts")" T="$(tr '\n' ' ' <<<"$tests")" "$@"; }
    if only -j"$(nproc 2>/dev/null || echo 2)" _tests; then
        only _test | tee "$log"
        read -r p _ f _ s _ <<<"$(tail -n 1 "$log")"
        add "$p" "$f" "$s"
    else
        echo "not ok check: the build"
        add 0 1 0
    fi
fi

# --- layers and format -----------------------------------------------------------------------------------
headers=$(grep -E '^(engine|ui)/.*\.h$' <<<"$changed" | while read -r file; do [ ! -e "$file" ] || echo "$file"; done)
LAYERS_ONLY=$(tr '\n' ' ' <<<"${headers:-none}") $make MODE=dev layers | tee "$log"
add "$(grep -c '^ok ' "$log")" "$(grep -c '^not ok ' "$log")" "$(grep -c '^skip ' "$log")"
sources=$(grep -E '^(engine|ui|tests)/.*\.[ch]$' <<<"$changed" | while read -r file; do [ ! -e "$file" ] || echo "$file"; done)
if [ -n "$sources" ]; then
    if ! command -v clang-format >/dev/null; then
        echo "skip format: clang-format is not installed"
        add 0 0 1
    elif clang-format --dry-run -Werror $sources; then
        echo "ok format"
        add 1 0 0
    else
        echo "not ok format: make format"
        add 0 1 0
    fi
fi

echo "left out: scripts, screens, property and live tests; rules of layers that need a build of each file$(
    [ -z "$late" ] || printf '; slow here: %s' $late)"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
