# SPDX-License-Identifier: GPL-3.0-or-later
# The cases of test_fault.sh: small runs of every command.
two=$root/scenarios/two-servers.json
profile=$root/scenarios/graphs/two-ops.txt
every='memory write short sync thread open'
before </dev/null

try 'run' "$every" run "$two"
try 'run to files' "$every" run "$two" --csv --trace trace --series series
try 'run --blame' 'memory' run "$two" --json --blame
try 'predict' "$every" predict "$profile" --fabric ramp:2x1x1 --degree 1,2
try 'check' "$every" check "$two"
try 'import' "$every" import pipedream "$profile" -o out.json
try 'policy new' "$every" policy new mine
try 'explain' 'memory write open' explain "$two"
try 'whatif' "$every" whatif "$two" --threads 1
try 'keys' "$every" keys
try 'presets' 'memory write short' presets
try 'paths' "$every" paths
try 'completions' "$every" completions bash
try 'schema' "$every" schema scenario
