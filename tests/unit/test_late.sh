#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Libraries that are loaded when something of them is needed (engine/late): most commands start
# without them, and one that needs a library which cannot be used says which and where it is had.
# Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-late.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  /' err | tail -n 12
        echo "not ok $2"
        failed=1
    fi
}

# Under the names that the program knows them by.
late=$(grep -aoE 'lib(igraph|glpk|[a-z]*blas)[a-z0-9-]*\.so\.[0-9.]+' "$lightpath" | sort -u)
igraph=$(grep igraph <<<"$late") glpk=$(grep glpk <<<"$late") blas=$(grep blas <<<"$late")
[ "$(wc -w <<<"$igraph $glpk $blas")" = 3 ]
result $? "the program names three libraries: $(echo $late)"

# ---- who loads what ----
# loads COMMAND...: which of them the loader went to for it
loads() {
    LD_DEBUG=files LD_DEBUG_OUTPUT="$tmp/loader" "$lightpath" "$@" >out 2>err </dev/null
    cat loader.* >told
    rm -f loader.*
    for library in $late; do ! grep -q "file=$library " told || printf '%s ' "$library"; done
}
settings=("$root/scenarios/pac-ml-32.json" --set generator.count=20)
for command in --version --help 'help run' 'completions bash' 'completions zsh' 'completions fish' devices 'policy list'; do
    found=$(loads $command)
    echo "$command loads $found" >>err
    [ -s out ] && grep -q 'file=liblua' told && [ -z "$found" ]
    result $? "$command loads none of them"
done
found=$(loads run "${settings[@]}")
[ -s out ] && [ -z "$found" ]
result $? 'nor does a run'
[[ $(loads predict slice:4x4x8) == *"$igraph "* ]] && [ -s out ] # which brings others
result $? "loads of a slice take $igraph"
[ "$(loads bound "${settings[@]}")" = "$glpk " ] && [ -s out ]
result $? "a bound takes $glpk and no other"

# ---- one that cannot be used ----
mkdir broken other
for library in $late; do
    echo 'no library' >"broken/$library"
    ln -s "$(ldd "$lightpath" | awk '$1 ~ /^libm\.so/ { print $3 }')" "other/$library"
done
# refuses FOLDER LIBRARY WHY COMMAND...: an error in one line that names the library and its package
refuses() {
    local folder=$1 library=$2 why=$3
    shift 3
    LD_LIBRARY_PATH="$tmp/$folder" "$lightpath" "$@" >out 2>err </dev/null
    local status=$?
    [ $status -gt 0 ] && [ $status -lt 100 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
        grep -q "^lightpath: the library $library, needed for .*, cannot be used: .*$why.*; Debian has it in the package ${library/.so./}\$" err
    result $? "$1 without $library ($folder)"
}
for way in 'broken:too short' 'other:undefined symbol'; do
    refuses "${way%%:*}" "$igraph" "${way#*:}" predict slice:4x4x8
    refuses "${way%%:*}" "$glpk" "${way#*:}" bound "${settings[@]}"
    refuses "${way%%:*}" "$blas" "${way#*:}" train "$root/scenarios/pac-ml-32.json" --steps 64 --out net.json
done
[ ! -e net.json ]
result $? 'and nothing was written'
"$lightpath" run "${settings[@]}" --hash >expected 2>err
LD_LIBRARY_PATH="$tmp/broken" "$lightpath" run "${settings[@]}" --hash >out 2>err && [ -s out ] && cmp -s out expected
result $? 'a run goes on without any of them'
exit $failed
