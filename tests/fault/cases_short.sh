# SPDX-License-Identifier: GPL-3.0-or-later
# The cases of test_fault.sh: small runs of the commands that are soon done.

try 'run' "$every" run "$two"
try 'files of run' "$files" run "$two" --csv --trace trace --series series --curves curves
try 'predict' "$every" predict "$profile" --fabric ramp:2x1x1 --degree 1,2
try 'check' "$every" check "$two"
try 'import' "$every" import pipedream "$profile" -o out.json
try 'policy new' "$every" policy new mine
try 'policy list' 'write short sync thread open' policy list
try 'explain' "$every" explain "$two"
places=1 try 'whatif' "$every" whatif "$two" --threads 1
# every algorithm that another library does, which must not end the program
cat >in/algorithms.lua <<'EOF'
local policy = { name = "algorithms", api = 1 }
function policy:partition(job, cluster)
  local m = match.max_weight({ { 1, 5 }, { 4, 2 } })
  local a = match.assignment({ { 1, 5 }, { 4, 2 } })
  local parts = match.bvn({ { 2, 1 }, { 1, 2 } })
  local flow = graph.max_flow(3, { { 1, 2, 5 }, { 2, 3, 4 } }, 1, 3)
  local far = graph.shortest(3, { { 1, 2, 5 }, { 2, 3, 4 } }, 1)
  return 1, ("%g %g %g %g"):format(m[1] + a[1], #parts, flow, far[3])
end
return policy
EOF
try 'algorithms' 'memory' run "$two" --policy "$tmp/in/algorithms.lua" --until '0.001 s'
try 'keys' "$every" keys
try 'presets' "$every" presets
try 'turns' "$every" turns "stages=2 forward=1 backward=2 bucket=1 serial=true" --each
try 'a slice' "$every" predict slice:2x2x4 --set cluster.pod.cube=2 --dead switch:1
try 'a slice without a cable' 'memory' predict slice:2x2x4 --set cluster.pod.cube=2 --dead cable:1
try 'capacity' "$every" pods capacity --cubes 4 --of 2
try 'blocking' "$every" pods blocking --cubes 4
try 'a region' "$every" turns --region "demand=0,6/4,0 ports=1 rate=1"
try 'paths' "$every" paths
try 'completions' "$every" completions bash
try 'schema' "$every" schema scenario
try 'schema of a job' "$every" schema job
places=1 try 'compare' "$every" compare "$two" --policy hinted.lua --policy edf.lua --seeds 1 --threads 1
places=1 try 'sweep' "$every" sweep "$two" --vary "jobs[0].steps=1,2" --seeds 1 --threads 1 --csv
# threads: which call comes n-th varies, and so n is spread over all of them
starts=12 try 'two threads' 'memory thread open' compare "$two" --policy hinted.lua --policy edf.lua --seeds 1,2 --threads 2
mkdir in/policies && cp "$root"/scripts/{hinted,edf}.lua in/policies
places=1 try 'tournament' "$every" tournament "$two" --policies "$tmp/in/policies" --seeds 1 --threads 1
places=1 try 'experiment' "$every" experiment pac-ml --zoo --study ideal --agents max --betas A --seeds 1 --until '1 s' --threads 1
before <<EOF
for i in 1 2; do
    "$lightpath" compare "$two" --policy hinted.lua --policy edf.lua --seeds 1,2 --threads 1 --shard \$i/2 >part\$i
done
EOF
places=1 try 'merge' "$every" merge part1 part2
before </dev/null
# --max-memory: the same hash, or an error that names it, on every fabric
limits() {
    local name=$1 hash want limit wrong=0
    shift
    case "limits of $name" in *"$only"*) ;; *) return ;; esac
    want=$("$lightpath" run "$root/scenarios/$name.json" --hash "$@") || wrong=1
    for limit in 65kB 70kB 80kB 90kB 100kB 200kB 1MB; do
        hash=$("$lightpath" run "$root/scenarios/$name.json" --hash --max-memory $limit "$@" 2>err)
        case $?,$hash in
        0,"$want") ;;
        [12],) grep -q -e '--max-memory' err || wrong=1 ;;
        *) echo "  $name, $limit: hash $hash, expected $want" && wrong=1 ;;
        esac
    done
    [ $wrong -eq 0 ] && echo "ok --max-memory on $name" || { echo "not ok --max-memory on $name" && failed=1; }
}
limits zones --until '1000 s'
limits two-servers
limits ideal-loss --until '100 s'
limits leaf-spine --until '200 s'
limits rigid
limits optics-vs-packets --until '1 s'
