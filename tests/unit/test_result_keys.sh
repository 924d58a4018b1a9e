#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every key of every result is a word of a manual. Needs $LIGHTPATH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test keys.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
# every word of the manuals, without the escapes of mdoc
cat "$root"/docs/*.1 "$root"/docs/*.5 "$root"/docs/*.7 "$root"/docs/{env,pac-ml,semantics}.md | sed 's/\\-/-/g' |
    grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >words
keys() { # keys NAME FILE: those of JSON
    sed 's/"blocked_by":{[^}]*}//g' "$2" | grep -oE '"[A-Za-z_][A-Za-z0-9_]*":' | tr -d '":' | sort -u >found
    check "$1"
}
columns() { # columns NAME FILE: the head of a CSV
    head -n 1 "$2" | tr ',' '\n' | grep -E '^[A-Za-z_]' | sort -u >found
    check "$1"
}
check() {
    comm -23 found words >missing
    if [ -s found ] && [ ! -s missing ]; then
        echo "ok the keys of $1 ($(wc -l <found | tr -d ' ')) are in a manual"
    else
        sed 's/^/  in no manual: /' missing
        echo "not ok the keys of $1 are in a manual"
        failed=1
    fi
}
few=(--set generator.count=20)
run() { "$lightpath" "$@" 2>err; }

run run pac-ml-32 "${few[@]}" --json --explain --blame --trace trace --series series >out
keys run out
keys "run --trace" trace
columns "run --series" series
run run pac-ml-32 "${few[@]}" --curves curves >out
columns "run --curves" curves
run run pac-ml-32 "${few[@]}" --csv >out
columns "run --csv" out
run run pac-ml-32 "${few[@]}" --json --set semantics=published >out
keys "run, published" out
run run pac-ml-32 "${few[@]}" --json --set measure.from=1 >out
keys "run, measured" out
run run pac-ml-32 "${few[@]}" --policy pac_ml.lua --values values >out
columns "run --values" values
two=(--policy max_parallelism.lua --policy no_parallelism.lua --seeds 1..2 "${few[@]}")
run compare pac-ml-32 "${two[@]}" --curves curves >out
columns "compare --curves" curves
run compare pac-ml-32 "${two[@]}" --json >out
keys compare out
run compare pac-ml-32 "${two[@]}" --csv >out
columns "compare --csv" out
run sweep pac-ml-32 --vary generator.load=0.2,0.4 "${two[@]}" --json >out
keys sweep out
mkdir entries && cp "$root"/scripts/{no,max}_parallelism.lua entries
run tournament pac-ml-32 --policies entries --seeds 1..2 "${few[@]}" --json >out
keys tournament out
run tournament pac-ml-32 --policies entries --seeds 1..2 "${few[@]}" --csv >out
columns "tournament --csv" out
run predict zoo:alexnet --json >out
keys predict out
run predict zoo:decoder --model "hidden=64 heads=4 layers=8" --parallel "tensor=2 batch=8" --json >out
keys "predict zoo:decoder" out
run predict zoo:decoder --model "hidden=64 heads=4 layers=8" --parallel "tensor=2 batch=8" --rails delay=1ms --json >out
keys "predict zoo:decoder --rails" out
run turns --iteration qwen_moe --json >out
keys "turns --iteration" out
run predict slice:4x4x8 --dead switch:32 --json >out
keys "predict slice" out
for topic in capacity blocking checkpoints mix; do
    run pods $topic --json >out
    keys "pods $topic" out
done
run devices --step --json >out
keys "devices --step" out
run whatif pac-ml-32 "${few[@]}" --to-end --best 2 --json >out
keys whatif out
run whatif pac-ml-32 "${few[@]}" --policy pac_ml.lua --json >out
keys "whatif, with a network" out
run explain pac-ml-32 "${few[@]}" --job 3 --json >out
keys explain out
printf '%s\n' '{"cmd":"spec"}' '{"cmd":"graphs"}' '{"cmd":"reset","seed":1}' '{"cmd":"predict"}' '{"cmd":"step","action":1}' \
    '{"cmd":"observe"}' '{"cmd":"mask"}' '{"cmd":"summary"}' '{"cmd":"nonsense"}' '{"cmd":"close"}' |
    run env pac-ml-32 "${few[@]}" >out
keys env out
printf ':write s.lps\n' >script
run pac-ml-32 "${few[@]}" --no-autosave --keys script --save-screen /dev/null
run replay s.lps --json >out
keys replay out
run experiment pac-ml --zoo --agents max --betas A --seeds 1 --until '20000 s' --json >out
keys experiment out
run turns "stages=2 forward=1 backward=2 bucket=1" --each --json >out
keys turns out
run turns --region "demand=0,6/4,0 ports=1 rate=1" --json >out
keys "turns --region" out
run collective "algorithm=halving servers=4 bytes=1MB rate=1GB/s" --each --json >out
keys collective out
run collective "demand=0,6MB/4MB,0 rate=50GB/s packet_ports=1" --json >out
keys "collective demand=" out
run collective "combs=100ms/1GB,100ms/1GB rate=10GB/s" --json >out
keys "collective combs=" out
for command in presets devices paths "policy list"; do
    # shellcheck disable=SC2086  # words are words
    run $command --json >out
    keys "$command" out
done
run train pac-ml-32 "${few[@]}" --steps 64 --param envs=2 --param rollout=16 --threads 1 --out w.json >out
keys train out
exit $failed
