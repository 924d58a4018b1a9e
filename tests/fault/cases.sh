# SPDX-License-Identifier: GPL-3.0-or-later
# The cases of test_fault.sh: small runs of every command.
two=$root/scenarios/two-servers.json
profile=$root/scenarios/graphs/two-ops.txt
every='memory write short sync thread open'
files='write short sync open'
before </dev/null

try 'run' "$every" run "$two"
try 'files of run' "$files" run "$two" --csv --trace trace --series series
try 'predict' "$every" predict "$profile" --fabric ramp:2x1x1 --degree 1,2
try 'check' "$files" check "$two"
try 'import' "$every" import pipedream "$profile" -o out.json
try 'policy new' "$every" policy new mine
try 'policy list' 'write short sync thread' policy list
try 'explain' "$every" explain "$two"
try 'whatif' "$every" whatif "$two" --threads 1
try 'keys' "$every" keys
try 'presets' "$every" presets
try 'paths' "$every" paths
try 'completions' "$every" completions bash
try 'schema' "$every" schema scenario
try 'compare' "$every" compare "$two" --policy hinted.lua --policy edf.lua --seeds 1 --threads 1
try 'sweep' "$files" sweep "$two" --vary seed=1,2 --seeds 1 --threads 1 --csv
printf '%s\n' '{"cmd":"reset"}' '{"cmd":"step","action":1}' '{"cmd":"mask"}' '{"cmd":"summary"}' >in/stdin
try 'env' "$every" env "$two"
: >in/stdin
printf '%s\n' ':write mine.lps' 'n' ':record keys.txt' 'n' ':record' 'q' >in/keys
try 'explorer' "$every" "$two" --keys "$tmp/in/keys" --size 100x30 --save-screen screen.txt --no-autosave
