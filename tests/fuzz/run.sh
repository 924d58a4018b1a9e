#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs one libFuzzer target: tests/fuzz/run.sh TARGET CORPUS FOLDER SECONDS
# CORPUS is read, never written; FOLDER takes new inputs (corpus/) and what breaks the target.
# Inputs grow up to 1 MB. Some targets leave the working folder, hence whole paths.
set -eu
target=$(realpath "$1") corpus=$(realpath -m "$2") folder=$(realpath -m "$3") seconds=$4
mkdir -p "$folder/corpus"
dictionary=$PWD/tests/fuzz/$(basename "$target").dict
inputs=("$folder/corpus")
[ -d "$corpus" ] && inputs+=("$corpus")
[ -e "$dictionary" ] && inputs=(-dict="$dictionary" "${inputs[@]}")
if "$target" -max_total_time="$seconds" -max_len=1048576 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$folder/" "${inputs[@]}" >"$folder/log" 2>&1; then
    echo "ok $(basename "$target"): $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/log") inputs, $(sed -n 's/^stat::average_exec_per_sec: *//p' "$folder/log") a second"
else
    tail -n 40 "$folder/log"
    echo "not ok $(basename "$target"): see $folder"
    exit 1
fi
