# SPDX-License-Identifier: GPL-3.0-or-later
# The cases of test_fault_long.sh: training, lessons, networks, environments and the explorer.
train=(train "$two" -o net.json --curve learning.curve --steps 8 --threads 1 --param envs=1 --param rollout=8
    --param hidden=2 --param branch=2 --param minibatch=8 --param epochs=1 --param eval_episodes=1)
try 'train' 'write short sync thread open' "${train[@]}"
# thousands of calls, most of them from the same places; alone each costs a whole list or training
modes=rest places=1 try 'memory of train' 'memory' "${train[@]}"
modes=rest places=1 try 'lesson' 'memory write' lesson --handout 1
places=1 try 'values of a network' "$every" run "$root/scenarios/zones.json" --until '10 s' --policy pac_ml --values values
modes=rest places=1 try 'list of policies' 'memory' policy list
printf '%s\n' '{"cmd":"reset"}' '{"cmd":"step","action":1}' '{"cmd":"mask"}' '{"cmd":"summary"}' >in/stdin
try 'env' "$every" env "$two"
: >in/stdin
printf '%s\n' n n ':write mine.lps' n q >in/keys
try 'explorer' "$every" "$two" --keys "$tmp/in/keys" --size 100x30 \
    --save-screen screen.txt --no-autosave
printf '%s\n' 'n*2' ':graph 0' ':expect "GRAPH of job 0"' q >in/graph
inline=1 try 'layout of the graph' 'memory open thread' "$two" --keys "$tmp/in/graph" --size 80x24 \
    --save-screen screen.txt --no-autosave
# light of a slice breaks by hand, which then goes on more slowly
cat >in/light.json <<'EOF'
{ "lightpath": 1, "cluster": { "fabric": "pod", "pod": { "cubes": 2, "cube": 2, "fault_tolerant": true } },
  "jobs": [ { "slice": "2x2x4", "duration": 100 }, { "slice": "2x2x2", "duration": 1, "arrival": 200 } ] }
EOF
printf '%s\n' n ':change fail=switch 1' ':change fail=cable 3' ':change repair=switch 1' n q >in/light
places=1 try 'light breaks' 'memory' "$tmp/in/light.json" --keys "$tmp/in/light" --size 80x24 --no-autosave
try 'results of slices' 'memory' run "$tmp/in/light.json" --json
printf '%s\n' ':record mine.keys' n ':graph 0' o ':record off' q >in/record
places=1 inline=1 try 'record' "$every" "$two" --keys "$tmp/in/record" --size 80x24 --cast mine.cast --no-autosave
before <<EOF
"$lightpath" "$two" --keys "$tmp/in/keys" --no-autosave
EOF
places=1 try 'replay' "$every" replay --verify mine.lps
