#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `predict zoo:decoder` from outside: keys, figures, every refusal with its numbers, hostile words, and the
# constants that it takes. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-parallel.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-400 | head -n 20
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}
gpt3="hidden=12288 heads=96 layers=96 ff=49152 sequence=2048 vocabulary=51200 tied=true"
plan="tensor=8 pipeline=8 data=1 chunks=3 micro_batch=1 batch=64 recompute=selective sequence=true wait=true"
lp() {
    "$lightpath" "$@" >out 2>err </dev/null
    status=$?
}
predict() { # predict MODEL PLAN ARGS...
    local model=$1 parallel=$2
    shift 2
    lp predict zoo:decoder --model "$model" --parallel "$parallel" "$@"
}
good() { # good NAME MODEL PLAN ARGS...: exit 0 and nothing on stderr
    local name=$1
    shift
    predict "$@"
    [ $status -eq 0 ] && [ ! -s err ]
    result $? "$name"
}
refused() { # refused NAME MESSAGE
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(cat err)" = "lightpath: $2" ]
    result $? "$1"
}
bad() { # bad NAME MESSAGE MODEL PLAN ARGS...: exit 2, nothing on stdout, exactly this line on stderr
    local name=$1 message=$2
    shift 2
    predict "$@"
    refused "$name" "$message"
}
figure() { # figure KEY VALUE: to as many digits as VALUE has
    grep -qE "[{,]\"$1\":$2" out
    result $? "... $1 $2"
}

# --- figures ------------------------------------------------------------------------------------------
good "175B, selective recomputation" "$gpt3" "$plan" --device a100-80g --json
cp out first
keys=$(grep -oE '"[a-z_]+":' out | tr -d '":' | tr '\n' ' ')
[ "$keys" = "lightpath rows step_time pipeline_time data_time embedding_time optimiser_time wire_time \
gather_time bubble parameters activation_bytes activation_peak state_bytes flops parameter_bytes gradient_bytes \
optimiser_bytes held_bytes forward recompute backward \
model_parameters active_parameters tail_time hidden_time data_bytes context_bytes " ]
result $? "... has these keys: $keys"
[ "$(wc -l <out)" -eq 1 ]
result $? "... is one line"
figure step_time 13\\.2975
figure optimiser_time 0\\.0912426
figure parameters 2822731776,
figure activation_peak 13564379136,
figure forward 0\\.0055415
predict "hidden=12288,heads=96	layers=96" "tensor=8, pipeline=8, chunks=3, batch=64, recompute=selective,sequence=true" --json
cmp -s out first
result $? "what is left out has the usual value, and commas and tabs are blanks"
good "as text" "$gpt3" "$plan"
grep -q '^step  *13\.3 s ' out && grep -q 'it fits$' out
result $? "... says the step and that it fits"
good "too much memory" "$gpt3" "tensor=8 pipeline=8 batch=64" --machine "memory=64GB"
grep -q '64 GB it has: it does not fit$' out
result $? "... is said"
good "other constants" "$gpt3" "$plan" --machine "matrix_efficiency=0.869 network_rate=25GB/s" --json
[ "$(grep -o '"step_time":[0-9]*' out)" = '"step_time":12' ]
result $? "... make another step"
for device in "A100 40G" h100 H200 b200; do
    good "on $device" "$gpt3" "$plan" --device "$device" --json
done

# --- plans that do not fit -------------------------------------------------------------------------------
small="hidden=64 heads=4 layers=8"
bad "tensor and width" "hidden is 64: expected a multiple of tensor, 7" "$small" "tensor=7 batch=8"
bad "tensor and feed-forward" "ff is 100: expected a multiple of tensor, 8" "$small ff=100" "tensor=8 batch=8"
bad "tensor and heads" "heads is 4: expected a multiple of tensor, 8" "$small" "tensor=8 batch=8"
bad "heads and width" "hidden is 64: expected a multiple of heads, 5" "hidden=64 heads=5 layers=8" "batch=8"
bad "batch" "batch is 8: expected a multiple of micro_batch x data, 3 x 2 = 6" "$small" "batch=8 micro_batch=3 data=2"
bad "sequence" "sequence parallelism cuts the 9 x 3 = 27 tokens of a micro-batch: expected a multiple of tensor, 4" \
    "$small sequence=9" "tensor=4 micro_batch=3 batch=6 sequence=true"
bad "chunks without a pipeline" "chunks is 2 with pipeline 1: expected 1" "$small" "chunks=2 batch=8"
bad "chunks and micro-batches" "a step has 6 micro-batches: with chunks above 1, expected a multiple of pipeline, 4" \
    "$small" "pipeline=4 chunks=2 batch=6"
bad "layers" "layers is 8: expected at least pipeline x chunks, 4 x 3 = 12" "$small" "pipeline=4 chunks=3 batch=4"
bad "devices" "tensor x pipeline x data are 33554432 devices: expected at most 16777216" \
    "hidden=64 heads=4 layers=8" "data=8388608 tensor=4 batch=8388608"
bad "entries" "pipeline x chunks x micro-batches are 8388608 forward passes of chunks: expected at most 4194304" \
    "$small" "batch=8388608"

# --- words -------------------------------------------------------------------------------------------------
one="a whole number from 1 to 16777216"
for value in 0 -1 1.5 1e3 16777217 99999999999999999999999 "" x 0x10 +1; do
    bad "batch=$value" "--parallel: batch is $value: expected $one" "$small" "batch=$value"
done
bad "a key that is near" "--parallel: unknown key tensr, did you mean tensor" "$small" "tensr=8 batch=8"
bad "a key that is not" "--model: unknown key x, expected hidden, heads, layers, ff, sequence, vocabulary, tied, gated, \
unbiased, rotary, kv_heads, head_width, q_rank, kv_rank, rope, experts, active, shared, dense, dense_ff" \
    "$small x=1" "batch=8"
bad "a way that there is not" "--parallel: unknown key replicas, expected tensor, pipeline, data, chunks, micro_batch, batch, \
recompute, sequence, wait, expert, overlap, zero, context, attention" "$small" "batch=8 replicas=2"
bad "context and tokens" "a sample has 2048 tokens (sequence): expected a multiple of 2 x context, 2 x 3 = 6" "$small" \
    "batch=8 context=3"
bad "context and sequence parallelism" "sequence parallelism cuts the 2 x 1 = 2 tokens of a micro-batch: expected a multiple of \
tensor, 4" "$small sequence=8" "batch=8 context=4 tensor=4 sequence=true"
bad "context and devices" "tensor x context x pipeline x data are 33554432 devices: expected at most 16777216" "$small" \
    "data=8388608 context=4 batch=8388608"
bad "a level of ZeRO" "zero is 4: expected 0 (nothing is sharded), 1 (optimiser), 2 (and gradients) or 3 (and parameters)" \
    "$small" "batch=8 data=2 zero=4"
bad "a way of attention" "--parallel: attention is flash: expected unfused, fused or causal" "$small" "batch=8 attention=flash"
bad "overlap" "--parallel: overlap is full: expected true or false" "$small" "batch=8 overlap=full"
bad "ZeRO 2 on rails" "--rails: zero is 2: expected 0, 1 or 3, since rails reduce the gradients of the last micro-batch alone or, with \
weights that are gathered, of all" "$small" "batch=8 data=2 zero=2" --rails delay=1ms
bad "context on rails" "--rails: context is 2: expected 1, since the keys and values of other tokens go over no rail" "$small" \
    "batch=8 context=2" --rails delay=1ms
bad "twice" "--parallel: batch is given twice" "$small" "batch=8 batch=8"
bad "no value" "--parallel: batch: expected KEY=VALUE" "$small" "batch"
bad "nothing" "--parallel: batch is missing, expected batch=NUMBER" "$small" ""
bad "no model" "--model: hidden is missing, expected hidden=NUMBER" "" "batch=8"
bad "a switch" "--parallel: wait is yes: expected true or false" "$small" "batch=8 wait=yes"
bad "recomputation" "--parallel: recompute is some: expected none, selective or full" "$small" "batch=8 recompute=some"
bad "what acts on a terminal" "--parallel: batch is 1\\x1b[2J: expected $one" "$small" $'batch=1\x1b[2J'
predict "$small" "$(printf 'x%.0s' $(seq 5000))=1"
[ $status -eq 2 ] && [ "$(wc -c <err)" -lt 400 ]
result $? "a long word is cut"
bad "constants" "--machine: node is 0: expected a whole number from 1" "$small" "batch=8" --machine node=0
bad "more than all" "--machine: matrix_efficiency is 1.1: expected a number from 0 to 1" "$small" "batch=8" \
    --machine matrix_efficiency=1.1
bad "a device without links" "device M40: its units, links and network are not known, expected A100, A100 40G, H100, \
H200 or B200" "$small" "batch=8" --device M40
predict "$small" "batch=8" --device nope
[ $status -eq 2 ] && grep -q '^lightpath: --device nope: expected A100, V100' err
result $? "an unknown device"
for other in "--degree 8" "--fabric ideal:8" "--quantum 1" "--steps 3" "--set a=b" "--trace x" "--semantics published"; do
    # shellcheck disable=SC2086  # words are words
    bad "$other" "${other%% *} says nothing of a plan of zoo:decoder, expected it without" "$small" "batch=8" $other
done
# --- models with names ------------------------------------------------------------------------------------
bad "experts of a model without" "expert is 2 and the model has no experts" "$small" "batch=8 data=2 expert=2"
bad "experts and ways" "experts is 6: expected a multiple of expert, 4" "$small experts=6 active=2" "batch=8 data=4 expert=4"
bad "expert ways and data" "data is 2: expected a multiple of expert, 4" "$small experts=8 active=2" "batch=8 data=2 expert=4"
bad "groups of heads" "heads is 4: expected a multiple of kv_heads, 3" "$small kv_heads=3" "batch=8"
bad "tensors and groups of heads" "kv_heads is 2: expected a multiple of tensor, 4" "$small kv_heads=2" "tensor=4 batch=8"
bad "more experts than there are" "experts is 4, active 5 and shared 0: expected no more of those than experts" \
    "$small experts=4 active=5" "batch=8"
bad "experts that nobody meets" "active is 0: expected a whole number from 1 to 16777216" "$small experts=4" "batch=8"
bad "no experts" "experts is 0: expected active, shared, dense and dense_ff only with experts" "$small active=2" "batch=8"
bad "dense layers" "dense is 9 and dense_ff 64: expected at most the 8 layers, and their width with them" \
    "$small experts=4 active=1 dense=9 dense_ff=64" "batch=8"
bad "latent attention" "q_rank, kv_rank and rope are 8, 0 and 0: expected all three or none" "$small q_rank=8" "batch=8"
named() { # named NAME MODEL PLAN ARGS...
    local name=$1 model=$2 parallel=$3
    shift 3
    lp predict "zoo:$model" --parallel "$parallel" "$@"
    [ $status -eq 0 ] && [ ! -s err ]
    result $? "$name"
}
named "a model with a name" llama-3-405b "tensor=8 pipeline=16 data=16 batch=2048 recompute=selective sequence=true" --device h100 --json
figure model_parameters 405853388800,
cp out named
predict "hidden=16384 heads=128 kv_heads=8 layers=126 ff=53248 sequence=8192 vocabulary=128256 tied=false gated=true unbiased=true \
rotary=true" "tensor=8 pipeline=16 data=16 batch=2048 recompute=selective sequence=true" --device h100 --json
cmp -s out named
result $? "... is those sizes"
named "... with another sequence" llama-3-405b "tensor=8 pipeline=16 data=16 batch=2048" --model "sequence=4096" --json
figure model_parameters 405853388800,
named "... is said" llama-3-405b "tensor=8 pipeline=16 data=16 batch=2048" --model "sequence=4096"
grep -q '^  *Llama 3 405B with sizes of --model, 405\.853 G parameters, 8 heads' out
result $? "... in words"
named "experts" mixtral-8x22b "pipeline=8 data=8 expert=8 batch=64 micro_batch=1" --device h100
grep -q 'Mixtral 8x22B, 140\.621 G parameters, 39\.15 G for a token: 2 of 8 experts a layer, 8 heads of keys and values, gated$' out &&
    grep -q '; expert ways 8$' out
result $? "... are said"
named "latent attention" deepseek-v3 "pipeline=16 data=128 expert=64 batch=15360" --device h100
grep -q 'DeepSeek-V3, 671\.026 G parameters, 37\.55 G for a token: 8 of 256 experts a layer and 1 for all, latent attention, gated$' out
result $? "... is said"
named "rails" llama-3-405b "tensor=8 pipeline=16 data=16 batch=2048" --rails "delay=10ms ports=2" --json
figure turns 46, # 3 pipeline - 2
lp predict zoo:llama-3-405b
refused "no plan" "zoo:llama-3-405b needs --parallel (see lightpath predict --help)"
lp predict zoo:llama-3-405 --parallel batch=8
refused "no such model" "--parallel is of zoo:decoder, expected that in place of the graph, or did you mean zoo:llama-3-405b"
lp predict zoo:gpt-2 --parallel batch=8 --degree 4
refused "another option" "--degree says nothing of a plan of zoo:gpt-2, expected it without"

lp predict zoo:decoder
refused "zoo:decoder alone" "zoo:decoder needs both --model and --parallel (see lightpath predict --help)"
transformers="gpt-2, gpt-2-medium, gpt-2-large, gpt-2-xl, gpt-3-125m, gpt-3-350m, gpt-3-760m, \
gpt-3-1.3b, gpt-3-2.7b, gpt-3-6.7b, gpt-3-13b, gpt-3-175b, llama-2-7b, llama-2-13b, \
llama-2-70b, llama-3-8b, llama-3-70b, llama-3-405b, mixtral-8x7b, mixtral-8x22b, deepseek-v3"
lp predict zoo:vgg16 --parallel "batch=8"
refused "another graph" "--parallel is of zoo:decoder, expected that in place of the graph, or zoo: with one of $transformers"
# the largest of everything is still a number
good "the largest model" "hidden=16777216 heads=1 layers=16777216 ff=16777216 sequence=16777216 vocabulary=16777216" \
    "micro_batch=16777216 batch=16777216" --json
! grep -q null out
result $? "... has figures only"

# --- on rails -----------------------------------------------------------------------------------------------
on="delay=50ms provisioned=true ports=2 serial=true"
rails() { # rails NAME PLAN RAILS ARGS...: JSON in out
    local name=$1 parallel=$2 circuits=$3
    shift 3
    good "$name" "$gpt3" "$parallel" --rails "$circuits" --json "$@"
}
rails "rails" "$plan" "$on"
keys=$(grep -oE '"[a-z_]+":' out | tr -d '":' | tr '\n' ' ')
[ "${keys##*context_bytes }" = "rails_time exposed_time turns waiting_turns exposed_turns " ] && cut -d, -f1-27 out | cmp -s - <(sed 's/}]}$//' first)
result $? "... add these keys, and change no other"
wide="tensor=8 pipeline=8 data=4 batch=256 recompute=selective sequence=true wait=false"
rails "on demand" "$wide" "delay=50ms ports=2"
figure turns 22, # 3 pipeline - 2
figure waiting_turns 22,
figure exposed_turns 22}
figure exposed_time 1\\.1[0-9]*, # 22 times the delay
rails "provisioned" "$wide" "delay=1ms provisioned=true ports=2"
figure turns 22,
figure exposed_turns 7} # pipeline - 1
rails "... with a longer delay" "$wide" "delay=50ms provisioned=true ports=2"
figure exposed_turns 14} # 2 (pipeline - 1)
rails "without replicas" "tensor=8 pipeline=8 batch=64" "delay=50ms ports=2"
figure turns 7,
rails "without stages" "tensor=8 data=8 batch=64" "delay=50ms"
figure turns 1,
rails "... ordered ahead" "tensor=8 data=8 batch=64" "delay=50ms provisioned=true"
figure exposed_turns 0}
rails "one device" "tensor=8 batch=8" "delay=1s"
figure turns 0,
rails "no delay" "$wide" "delay=0 ports=2"
figure exposed_time 0,
cp out none
rails "a preset of the delay" "$wide" "delay=mixnet_testbed ports=2"
figure exposed_time 125\\.769 # 22 x 5.7168 s
# Gradients after the last backward pass are what the step without rails has, but for messages that meet on a link.
rails "reduced afterwards" "$wide" "delay=0 ports=2 reduce=flush"
figure step_time 14\\.82126
figure rails_time 14\\.82199
rails "a faster rail" "$wide" "delay=0 ports=2 rate=100GB/s"
! cmp -s out none
result $? "... is another step"
rails "both ways" "$wide" "delay=0 ports=2 both_ways=true"
! cmp -s out none
result $? "... is another step"
for key in overlap=full parts=2 reduce=zero3 "notice=1ms order_cost=2ms" ports=1; do
    rails "$key" "$wide" "delay=20ms $key"
done
good "rails as text" "$gpt3" "$wide" --rails "$on"
grep -q '^on rails    50 ms a turn, two ports a device, one turn at a time; gradients reduced part by part' out &&
    grep -qE '^  provisioned .* 627 ms exposed: of 22 turns 14 wait, 14 are exposed, as --rails says$' out &&
    grep -qE '^  on-demand .* 1\.1 s exposed: of 22 turns 22 wait, 22 are exposed$' out
result $? "... says both kinds of orders"
off() { # off NAME MESSAGE RAILS [PLAN ARGS...]
    local name=$1 message=$2 circuits=$3 parallel=${4:-pipeline=2 data=2 batch=8}
    shift $(($# > 4 ? 4 : $#))
    bad "$name" "$message" "$small" "$parallel" --rails "$circuits" "$@"
}
off "no delay given" "--rails: delay is missing, expected delay=NUMBER" "ports=2"
off "ports" "--rails: ports is 3: expected 1 or 2" "delay=0 ports=3"
off "no port" "--rails: ports is 0: expected $one" "delay=0 ports=0"
off "parts" "--rails: parts is 16777216: expected at most 1000000" "delay=0 parts=16777216"
off "a rate" "--rails: rate is 0 B/s: expected more than 0" "delay=0 rate=0"
off "before time" "--rails: delay is -1: expected 0 or more, and at most 1e+09 s" "delay=-1"
off "a delay" "--rails: delay is mixnett: \"mixnett\" is not a number: expected a time such as \"50 ns\" (ps, ns, us, ms, s, \
min, h, d; bare: s), or a name of lightpath presets" \
    "delay=mixnett"
off "orders" "--rails: provisioned is early: expected true or false" "delay=0 provisioned=early"
off "gradients" "--rails: reduce is all: expected none, bucket, flush or zero3" "delay=0 reduce=all"
off "beside" "--rails: overlap is true: expected none or full" "delay=0 overlap=true"
off "a key of rails" "--rails: unknown key port, did you mean ports" "delay=0 port=2"
off "wide tensors" "--rails: tensor is 4 and a node has 2 devices: expected at most that, since tensor parallelism never uses a rail" \
    "delay=0" "tensor=4 batch=8" --machine node=2
off "too much" "--rails: 2 stages, 1000000 micro-batches, 4 layers and 1 steps make up to 8000018 tasks and transfers: expected at \
most 1000000" "delay=0" "pipeline=2 data=2 batch=2000000"
lp predict zoo:vgg16 --rails "delay=0"
refused "rails of another graph" "--rails is of zoo:decoder, expected that in place of the graph, or zoo: with one of $transformers"

# --- constants ----------------------------------------------------------------------------------------------
lp devices --step
[ $status -eq 0 ] && grep -q '^A100: 108 multiprocessors' out && grep -q '^  matrix_efficiency  *0\.8  published' out
result $? "constants, with their sources"
lp devices --step --json
[ $status -eq 0 ] && grep -q '{"name":"A100","peak":312000000000000,"vector_peak":19500000000000,' out
result $? "... as JSON"
exit $failed
