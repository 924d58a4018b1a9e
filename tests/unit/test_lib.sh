#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shared library from outside: what it shows to a linker, its header by itself in C and C++, the
# examples of docs/env.md in C and Python, and the binding for Python against `lightpath env`. Needs
# $LIGHTPATH, the program; the library is beside it. The interface in C: test_lib_env.c.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
export LIGHTPATH=${LIGHTPATH:-$root/build/release/lightpath} PYTHONDONTWRITEBYTECODE=1
folder=$(dirname "$(readlink -f "$LIGHTPATH")")
export LIGHTPATH_LIBRARY=$folder/liblightpath.so PYTHONPATH=$root/scripts/python
[ -e "$LIGHTPATH_LIBRARY" ] || { echo "not ok there is no library $LIGHTPATH_LIBRARY (make lib)" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-lib.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
compiler=${LAYERS_CC:-${CC:-gcc}}
failed=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@" >out 2>&1; then
        echo "ok library: $name"
    else
        tail -n 15 out
        echo "not ok library: $name"
        failed=1
    fi
}

# --- what is seen ------------------------------------------------------------------------------------
shown() { ${LAYERS_NM:-nm} -D --defined-only "$LIGHTPATH_LIBRARY" | awk '{ print $3 }' | grep '^[a-z]' | grep -v '^__' | sort; }
declared() { sed -nE 's/^LIGHTPATH_API .*\b(lightpath_[a-z_]+)\(.*/\1/p' "$root/engine/lib/lightpath.h" | sort; }
only_the_interface() { diff <(declared) <(shown | grep -v '^_') && [ "$(declared | wc -l)" -ge 9 ]; }
case ${MODE:-release} in
release | dev | debug) check "it shows its interface and nothing else" only_the_interface ;;
*) echo "skip library: what it shows: MODE=${MODE:-} adds symbols" ;;
esac
echo '#include "lightpath.h"
int main(void) { return lightpath_api_version() == LIGHTPATH_API_VERSION ? 0 : 1; }' >alone.c
alone() { "$@" -Wall -Wextra -Wpedantic -Werror -I"$root/engine/lib" -fsyntax-only alone.c; }
check "its header stands by itself in C11" alone $compiler -std=c11 -x c
if ${CXX:-g++} --version >/dev/null 2>&1; then
    check "and in C++" alone "${CXX:-g++}" -std=c++11 -x c++
else
    echo "skip library: its header in C++: there is no C++ compiler"
fi
if grep -aq __asan_init "$LIGHTPATH_LIBRARY" || grep -aq __tsan_init "$LIGHTPATH_LIBRARY" || grep -aq __gcov_init "$LIGHTPATH_LIBRARY"; then
    echo "skip library: programs that load it: it is instrumented"
    exit $failed
fi

# docs/env.md has the examples as they are run here
quoted() {
    sed -n '/^```'"$1"'$/,/^```$/p' "$root/docs/env.md" | grep -v '^```' >quoted
    sed -n "/^$2/,\$p" "$root/docs/examples/$3" >file && diff file <(grep -A 999 -x "$(head -n 1 file)" quoted | head -n "$(wc -l <file)")
}
check "docs/env.md has the example in C as it is" quoted c '#include <lightpath' library.c
check "and the one in Python" quoted python 'import sys' library_env.py

# --- the examples ----------------------------------------------------------------------------------------
example() {
    $compiler -std=c11 -Wall -Wextra -Werror -I"$root/engine/lib" "$root/docs/examples/library.c" -o example \
        -L"$folder" -llightpath -Wl,-rpath,"$folder" &&
        ./example "$root/scenarios/pac-ml-32.json" >said && cat said && [ "$(grep -c '^seed 10[1-8]: return -*[0-9]*, blocked 0\.' said)" -eq 8 ]
}
check "the example in C" example
says_why() { ! ./example nothing.json && ./example nothing.json 2>&1 | grep -q 'nothing.json'; }
check "which says why a scenario cannot be read" says_why
if ! command -v python3 >/dev/null; then
    echo "skip library: the binding for Python: there is no python3"
    exit $failed
fi
python_example() { python3 -W error "$root/docs/examples/library_env.py" "$root/scenarios/pac-ml-32.json" >said2 && diff said said2; }
check "the example in Python comes to the same" python_example
# the policy that answers the largest degree
policy() {
    local blocked
    blocked=$("$LIGHTPATH" run "$root/scenarios/pac-ml-32.json" --policy max_parallelism.lua --seed 101 --json | sed -n 's/.*"blocked":\([0-9]*\),.*/\1/p' | tail -n 1)
    awk -v blocked="$blocked" '/^seed 101:/ { found = sprintf("%.4f", blocked / 300) == $NF } END { exit !found }' said
}
check "and the policy that decides so" policy

# --- the binding -----------------------------------------------------------------------------------------
check "the binding with $(command -v python3)" python3 -W error "$root/tests/unit/python_library.py"
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null || continue
    check "the binding with NumPy" "$python" -W error "$root/tests/unit/python_library.py"
    exit $failed
done
echo "skip library: the binding with NumPy: no python3 has it"
exit $failed
