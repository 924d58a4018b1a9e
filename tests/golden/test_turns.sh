#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath turns` from outside: docs/turning-light.md says what it prints, the bytes of its JSON, and what it
# refuses. Needs $LIGHTPATH.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
[ -x "$program" ] || { echo "skip turns: there is no program $program" && exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/turns.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
page=docs/turning-light.md
failed=0

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        echo "ok turns: $1"
    else
        sed 's/^/  /' "$work/out" "$work/err" | head -n 20
        echo "not ok turns: $1"
        failed=1
    fi
}
turns() {
    "$program" turns "$@" >"$work/out" 2>"$work/err" </dev/null
}
# Columns of the table: delay, orders, time, exposed time, exposed, turns, wait, each with its unit.
times() { # the times of both kinds of orders, delay by delay, as a row of the page has them
    awk '$3 == "on-demand" { d = $4; e = $8 } $3 == "provisioned" { print d, e, $4, $8 }' "$work/out"
}

step="stages=4 replicas=2 forward=100ms backward=200ms send=10ms layers=2 bucket=20ms"
grep -qF "\"$step\"" $page
verdict "the page has the command" $?
turns "$step" --delays 0,60ms,150ms,400ms --ascii
verdict "the worked example" $?
while read -r d e p f; do
    grep -qE "^\| .* \| $d s \| ($e)? ?\| $p s \| ($f)? ?\|$" $page || echo "$page: no row with $d s, $e, $p s, $f" >>"$work/err"
done < <(times)
[ "$(times | wc -l)" -eq 4 ] && [ ! -s "$work/err" ]
verdict "... is what the page says" $?
grep -qxF 'provisioned  slope 3, from 100 ms 9, from 200 ms 10' "$work/out"
verdict "... with the corners of the curve" $?
LC_ALL=C awk '/[^ -~]/ { bad = 1 } END { exit bad }' "$work/out"
verdict "... in ASCII" $?

for stages in 4 8; do
    turns preset=opus_pp$stages --delays 0,10ms,100ms,500ms,1s
    times >"$work/times$stages"
done
paste -d ' ' "$work/times4" "$work/times8" >"$work/err"
while read -r d _ p _ D _ P _; do
    grep -qE "^\| .* \| $d [0-9.]+ \| $p [0-9.]+ \| $D [0-9.]+ \| $P [0-9.]+ \|$" $page || echo "$page: no row with $d, $p, $D, $P"
done <"$work/err" >"$work/out"
[ "$(wc -l <"$work/err")" -eq 5 ] && [ ! -s "$work/out" ]
verdict "the published steps are what the page says" $?

turns "stages=4 replicas=2 micro_batches=1 forward=100ms backward=200ms send=10 ms layers=2 bucket=20ms ports=1 serial=false \
reduce=bucket overlap=none schedule=1f1b steps=1" --delays 0.06 --json
cat >"$work/want" <<'END'
{"lightpath":1,"rows":[
{"delay":0.06,"orders":"on-demand","time":2.02,"step_time":2.02,"exposed_turns":10,"turns":10,"waiting_turns":10},
{"delay":0.06,"orders":"provisioned","time":1.6,"step_time":1.6,"exposed_turns":3,"turns":10,"waiting_turns":3}],"curve":[
{"orders":"on-demand","delay":0,"time":1.42,"exposed_turns":10},
{"orders":"provisioned","delay":0,"time":1.42,"exposed_turns":3}]}
END
cmp -s "$work/out" "$work/want"
verdict "JSON, byte for byte" $?
turns "$step" --each --delays 60ms
[ "$(grep -c '  waits$' "$work/out")" -eq 13 ] && grep -qE '^ +0  link 2 +grad +0 +670 ms +670 ms +730 ms +730 ms +740 ms  waits$' "$work/out"
verdict "every transfer" $?
turns "$step" --delays mixnet_testbed,mems --json
grep -q '"delay":5.7168,' "$work/out" && grep -q '"delay":0.025,' "$work/out"
verdict "delays by name" $?
grep -q '46.8 ms' $page && "$program" presets --json | grep -q '"name":"mixnet_testbed".*"switch":0.0468,"lock":5.67,'
verdict "... as the page says" $?

refuse() { # WHY ARGS...: exit 2, nothing on stdout, one line on stderr with WHY
    local why=$1
    shift
    turns "$@"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$why" "$work/err"
    verdict "refused: $why" $?
}
refuse "there is no key stage, did you mean stages" "stage=4"
refuse "stages=0: expected a whole number from 1 to 1000000" "stages=0 forward=1 backward=1"
refuse "expected at most 1000000" "stages=1000 micro_batches=1000 forward=1 backward=1"
refuse "micro_batches=18446744073709551616: expected" "stages=1 micro_batches=18446744073709551616"
refuse "--delays -1: expected 0 or more" "$step" --delays -1
refuse "--delays x: " "$step" --delays x
refuse "--delays : " "$step" --delays 0,,1
refuse "lightpath turns expects STEP"

# --- a transformer on rails --------------------------------------------------------------------------
model="hidden=12288 heads=96 layers=96"
plan="tensor=8 pipeline=8 data=4 batch=256 recompute=selective sequence=true wait=false"
rails() {
    "$program" predict zoo:decoder --model "$model" --parallel "$plan" --rails "$1" >"$work/out" 2>"$work/err" </dev/null
}
grep -qF "\"$plan\"" $page
verdict "the page has the plan on rails" $?
while read -r delay shown; do
    rails "delay=$delay provisioned=true ports=2 serial=true"
    row=$(awk -v d="$shown" '/^  no delay/ && d == "0" { print "| 0 | " $3 " s | | " $3 " s | |" }
        /^  on-demand/ { time = $2 " s | " $(NF - 2) } /^  provisioned/ { early = $2 " s | " $(NF - 5) }
        END { if (d != "0") print "| " d " | " time " | " early " |" }' "$work/out")
    grep -qxF "$row" $page || echo "$page has no row $row" >>"$work/err"
    [ ! -s "$work/err" ]
    verdict "rails with $shown are what the page says" $?
done <<'END'
0 0
1ms 1 ms
50ms 50 ms
1s 1 s
0 0
1ms 1 ms
50ms 50 ms
1s 1 s
END
rails "delay=50ms ports=2 reduce=flush"
grep -qE '^  on-demand .* of 15 turns [0-9]+ wait, 8 are exposed' "$work/out" && grep -qE '^  provisioned .*, 0 are exposed' "$work/out" &&
    grep -qE '^  no delay +14\.822 s$' "$work/out"
verdict "gradients after the last backward are what the page says" $?

# --- regions -----------------------------------------------------------------------------------------
demand="demand=0,6,0,1/4,0,2,0/0,2,0,5/1,0,3,0"
grep -qF "\"$demand ports=3 packet_ports=1 rate=1\"" $page
verdict "the page has the command of a region" $?
both() { # PORTS RULE: "3 s, 2 s"
    turns --region "$demand packet_ports=1 rate=1 ports=$1 rule=$2"
    awk '$1 == "direct" { d = $2 " " $3 } $1 == "split" { print d ", " $2 " " $3 }' "$work/out"
}
for ports in 3 3,3,3,2 3,3,3,1 3,3,3,0; do
    row="| $ports | $(both $ports stop) | $(both $ports skip) |"
    grep -qxF "$row" $page || echo "$page has no row $row" >>"$work/err"
    [ ! -s "$work/err" ]
    verdict "a region with $ports ports is what the page says" $?
done
turns --region "$demand packet_ports=1 rate=1 ports=3" --json
cat >"$work/want" <<'END'
{"lightpath":1,"direct":3,"split":2,"packets":8,"rounds":[
{"from":0,"to":1,"demand":10,"time":null,"given":true},
{"from":2,"to":3,"demand":8,"time":null,"given":true},
{"from":1,"to":2,"demand":4,"time":null,"given":true},
{"from":0,"to":3,"demand":2,"time":null,"given":true},
{"from":0,"to":1,"demand":10,"time":10,"given":true},
{"from":2,"to":3,"demand":8,"time":8,"given":true},
{"from":0,"to":1,"demand":10,"time":5,"given":false}],"circuits":[[0,2,0,1],[2,0,1,0],[0,1,0,2],[1,0,2,0]]}
END
cmp -s "$work/out" "$work/want"
verdict "the rounds of a region, byte for byte" $?
turns --region "$demand packet_ports=4 rate=1" --json
grep -q '"packets":2,' "$work/out"
verdict "packets alone" $?
turns --region "$demand rate=1"
grep -qx 'direct    never: bytes without a circuit, and no port for packets' "$work/out"
verdict "nothing to send over" $?
turns --region "demand=0,6GB/4e9,0 rate=50GB/s ports=1" --json
grep -q '"direct":0.12,' "$work/out"
verdict "units" $?
turns --region "$demand packet_ports=1 rate=1 ports=3 nodes=2" --json
tail -n 1 "$work/out" | grep -qF '"ends":[{"from":0,"from_node":0,"to":1,"to_node":0},{"from":0,"from_node":1,"to":1,"to_node":1},{"from":0,"from_node":0,"to":3,"to_node":0},{"from":1,"from_node":0,"to":2,"to_node":0},{"from":2,"from_node":1,"to":3,"to_node":1},{"from":2,"from_node":0,"to":3,"to_node":0}]}'
verdict "parallel circuits are spread over nodes" $?
turns --region "$demand packet_ports=1 rate=1 ports=3 nodes=2"
grep -qxF '  0 1     2  0-0  1-1' "$work/out" && grep -qxF '  2 3     2  1-1  0-0' "$work/out"
verdict "... as text" $?
refuse "nodes is 65: expected at most 64" --region "$demand rate=1 nodes=65"
refuse "demand is missing" --region "rate=1"
refuse "rate is missing" --region "$demand"
refuse "demand is no square: expected 2 rows of 2" --region "demand=0,1/2 rate=1"
refuse "demand is no square" --region "demand=0,1/2,0/3,4 rate=1"
refuse "demand has 1 columns: expected 2 to 256" --region "demand=0 rate=1"
refuse "demand is -1: expected" --region "demand=0,-1/2,0 rate=1"
refuse "rate is 0: expected" --region "demand=0,1/2,0 rate=0"
refuse "ports=1,2,3: more numbers than servers" --region "demand=0,1/2,0 rate=1 ports=1,2,3"
refuse "ports=4000000000: expected a whole number from 0 to 1024" --region "demand=0,1/2,0 rate=1 ports=4000000000"
refuse "there is no key port of a region" --region "demand=0,1/2,0 rate=1 port=1"
refuse "rule=maybe: expected stop or skip" --region "demand=0,1/2,0 rate=1 rule=maybe"
refuse "--region: expected it without --delays" --region "$demand rate=1" --delays 1
# --- layers with experts ------------------------------------------------------------------------------
# 4 layers: T(0) = 4 (20 + 110 + 40 + 220 + 4 x 10) = 1720 ms. (x)+ stands for max(0, x).
moe="layers=4 attention=20ms experts=110ms attention_backward=40ms experts_backward=220ms all_to_all=10ms"
grep -qF "\"$moe\"" $page
verdict "the page has the command of layers with experts" $?
same() { # NAME KEYS DELAY "demand exposed provisioned exposed turns", times in s
    turns --experts "$moe $2" --delays "$3" --json
    got=$(grep -o '"orders":"[a-z-]*","time":[^}]*' "$work/out" | head -n 2 | tr -d '"' | awk -F '[:,]' '{ printf "%g %d ", $4, $8; n = $10 } END { print n }')
    [ "$got" = "$4" ] || echo "got $got" >>"$work/err"
    [ "$got" = "$4" ]
    verdict "$1" $?
}
same "no delay" "" 0 "1.72 7 1.72 4 7"
# Demand from the gate: a layer's forward turn cannot hide, its backward one behind 40 ms of attention. 4 x 25.
same "25 ms: the forward turns are exposed" "" 25ms "1.895 7 1.82 4 7"
# 4 x 60 + 3 (60 - 40)
same "60 ms: and what attention does not hide" "" 60ms "2.14 7 2.02 7 7"
# With the demand of the step before 4 (25 - 20)+ forward, nothing backward.
same "the demand of the step before" demand=last 25ms "1.895 7 1.74 4 7"
same "... with a longer delay" demand=last 60ms "2.14 7 1.94 7 7"
# A turn for each of 16: dispatch 4 x 25, the first one back 25, all others behind experts (110, 220) or attention (40).
same "a turn for every all-to-all" turn=all_to_all 25ms "2.12 16 1.845 5 16"
# dispatch 4 x 150, combine 4 (150 - 110), back: combine (150 - 0) once, 3 (150 - 40), experts (150 - 220)+
same "... with a longer delay than experts" turn=all_to_all 150ms "4.12 16 2.96 12 16"
same "a chain" steps=2 25ms "3.79 14 3.64 8 14"
refuse "there is no key expert, did you mean experts" --experts "layers=2 expert=1"
refuse "layers is missing: expected layers=N" --experts ""
refuse "attention is 0 s: expected more than 0" --experts "layers=2 experts=1"
refuse "200000 layers and 1 steps make 1600000 tasks and transfers: expected 8 to 1000000" --experts "${moe/layers=4/layers=200000}"
refuse "layers is given twice" --experts "$moe layers=2"
refuse "demand=now: expected gate or last" --experts "$moe demand=now"
refuse "--region: expected it without --delays, --experts and --each" --experts --region "$demand"

# --- published iterations ----------------------------------------------------------------------------
# The greatest error of a ratio, in percent.
worst() { # MODEL KEY
    turns --iteration "$1" --json
    grep -o "\"$2\":{[^}]*}" "$work/out" | awk -F '[:,}]' '{ e = 100 * ($3 / $5 - 1); e = e < 0 ? -e : e; if (e > w) w = e }
        END { printf "%.1f", w }'
}
for model in mixtral_8x22b mixtral_8x7b qwen_moe llama_moe; do
    turns --iteration $model
    row=$(awk -v m=$model '/^V/ { v = $3 } /^TopoOpt/ { x = substr($3, 1, length($3) - 1) }
        $1 ~ /^[1248]00$/ { a = a " " $2 " (" $3 ")"; b = b " " $6 " (" $7 ")" }
        END { print "| `" m "` | " v " | " x " |" a " |" b " |" }' "$work/out")
    grep -qxF "$row" $page || echo "$page has no row $row" >>"$work/err"
    [ ! -s "$work/err" ]
    verdict "iterations of $model are what the page says" $?
done
for model in mixtral_8x22b mixtral_8x7b; do
    awk -v a="$(worst $model mixnet_over_fat_tree)" -v b="$(worst $model topoopt_over_mixnet)" 'BEGIN { exit !(a > 0 && a < 3 && b > 0 && b < 10) }'
    verdict "$model: MixNet over fat tree within 3 %, TopoOpt over MixNet within 10 %" $?
    grep -q '"reproduced":true,"missing":null' "$work/out"
    verdict "... is called reproduced" $?
done
for model in qwen_moe llama_moe; do
    awk -v a="$(worst $model topoopt_over_mixnet)" 'BEGIN { exit !(a > 20) }'
    verdict "$model is not reproduced" $?
    grep -q '"reproduced":false,"missing":"published ratios rise' "$work/out"
    verdict "... and says what is missing" $?
done
grep -q '"mixnet_x":1.1428571428571428,' "$work/out"
verdict "x of MixNet is 8/7" $?
turns --iteration mixtral_8x7b
grep -q 'TopoOpt   x 5.43, a fit' "$work/out" && grep -q '^Published: arXiv 2501.03905' "$work/out"
verdict "a fit is called one, and the source stands there" $?
refuse "no iteration of gpt is published: expected mixtral_8x22b, mixtral_8x7b, qwen_moe or llama_moe" --iteration gpt
refuse "--iteration: expected it without --delays and --each" --iteration llama_moe --each
refuse "--region: expected it without --delays, --iteration and --each" --iteration --region llama_moe

# --- the outlier of Opus, and delays by name ---------------------------------------------------------
turns preset=opus_pp4 --delays 0,10ms --json
awk -F '[:,]' '/provisioned/ { t[++n] = $6; e[n] = $10 }
    END { zero = 22.7505 - e[2] * 0.01 # published at 10 ms, less the turns that are exposed there
          exit !(e[2] == 3 && zero / 22.6257 - 1 > .004 && zero / 22.6257 - 1 < .0043 && (t[1] / zero - 1) ^ 2 < 1e-8) }' "$work/out"
verdict "PP 4 provisioned at delay 0 is .42 % below what its own slope continues to" $?
while read -r name least most; do
    "$program" presets --json | tr '{' '\n' | grep -q "\"name\":\"$name\".*\"least\":$least,\"most\":$most,.*\"source\":\"[^\"]" || echo "$name" >>"$work/err"
    grep -q "\`$name\`" $page || echo "$page has no $name" >>"$work/err"
    [ ! -s "$work/err" ]
    verdict "delay $name, with its source" $?
done <<'END'
opus_sweep 0 1
mixnet 0.025 0.025
mixnet_testbed 5.7114 6.3768
piezo 0.01 0.025
mems3d 0.01 0.015
rotor 1e-05 1e-05
silicon 7e-06 7e-06
plzt 1e-08 1e-08
END
exit $failed
