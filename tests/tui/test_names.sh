#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of other scripts on every board at many sizes: however short a name is cut, what is left of it are whole
# characters, and nothing stands on a screen as the bytes of half of one. Needs $LIGHTPATH, the program.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${LIGHTPATH:-build/release/lightpath}")
[ -x "$program" ] || { echo "skip names: there is no program $program" && exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/test-names.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

jobs=
for name in 模型训练-七十亿参数的语言模型 'llama 🦙 семьдесят миллиардов' 'שלום רב לכולם' "e\\u0301clair e\\u0301ve\\u0301" '👨‍👩‍👧‍👦 family 🇩🇪' 'नमस्ते दुनिया' 'ไทยแลนด์ สวัสดี' '한국어 이름'; do
    jobs+="${jobs:+, }{\"name\": \"$name\", \"user\": \"用户-$name\", \"servers\": 4, \"duration\": 10, \"required\": \"叶\"}"
done
cat >"$work/rigid.json" <<END
{ "lightpath": 1, "name": "光路", "title": "模型训练的光路", "queue_capacity": 20, "policy": {"script": "tree_fit.lua"},
  "cluster": {"fabric": "ideal", "ideal": {"servers": 8}, "names": ["节点-一", "节点-二", "узел-3", "узел-4", "צומת-5", "צומת-6", "n👍7", "n8"],
              "levels": [{"name": "叶", "nodes": [{"name": "叶子交换机-零", "servers": "0..3"}, {"name": "叶子交换机-一", "servers": "4..7"}]}]},
  "jobs": [$jobs] }
END
cat >"$work/graphs.json" <<'END'
{ "lightpath": 1, "name": "光路", "cluster": {"fabric": "ramp", "ramp": {"communication_groups": 2, "racks_per_group": 2, "servers_per_rack": 2, "node_bandwidth": 1e10}},
  "policy": {"script": "max_parallelism.lua"},
  "graphs": [{"id": "模型-七十亿参数的语言模型-训练", "zoo": "alexnet", "batch": 32}, {"id": "сеть-глубокого-обучения", "zoo": "vgg16", "batch": 32}],
  "jobs": [{"graph": "模型-七十亿参数的语言模型-训练", "arrival": 0, "steps": 5}, {"graph": "сеть-глубокого-обучения", "arrival": 0.1, "steps": 5},
           {"graph": "模型-七十亿参数的语言模型-训练", "arrival": 0.2, "steps": 5}] }
END

boards="servers circuits decision jobs curves events tree graph step policy summary branches compare what-if traffic"
for scenario in rigid graphs; do
    for size in 40x12 60x20 80x24 100x30 200x60; do
        : >"$work/all"
        for board in all $boards; do
            for steps in 3 7 14; do
                { for ((i = 0; i < steps; i++)); do echo next; done
                  [ "$board" = all ] || echo "view $board"; } >"$work/keys"
                "$program" "$work/$scenario.json" --keys "$work/keys" --size "$size" --save-screen - >"$work/out" 2>>"$work/err" </dev/null ||
                    { failed=1 && echo "not ok names: $scenario, $board at $size ends with $?"; }
                sed "s/^/$board: /" "$work/out" >>"$work/all"
            done
        done
        if grep -nE '\\x[89a-f][0-9a-f]|�' "$work/all" >"$work/bad" || [ "$(wc -l <"$work/all")" -lt 300 ]; then
            head -n 5 "$work/bad"
            echo "not ok names: whole characters on every board of $scenario at $size"
            failed=1
        else
            echo "ok names: whole characters on every board of $scenario at $size"
        fi
    done
done
exit $failed
