#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath policy` from outside: list, new, check, api, and that what is generated is what is
# committed. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-tools.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0

result() { # result WHETHER NAME
    if [ "$1" -eq 0 ]; then
        echo "ok $2"
    else
        sed 's/^/  out: /' out | cut -c1-300 | head -n 30
        sed 's/^/  err: /' err | head -n 20
        echo "not ok $2"
        failed=1
    fi
}
: >out >err
# lp STATUS NAME ARGS...: runs lightpath policy ARGS, expects the exit status
lp() {
    local expected=$1 name=$2
    shift 2
    "$lightpath" policy "$@" >out 2>err </dev/null
    [ $? -eq "$expected" ]
    result $? "$name"
}
has() { # has TEXT: a line of the output holds it
    grep -qF -- "$1" out
    result $? "... says: $1"
}
says() { # says TEXT: standard error is this line, standard output empty
    [ ! -s out ] && [ "$(cat err)" = "$1" ]
    result $? "... says: $1"
}

# --- one table, four outputs -----------------------------------------------------------------------
lp 0 "annotations for editors" api --format luacats
cmp -s out "$root/scripts/meta/lightpath.lua"
result $? "scripts/meta/lightpath.lua is up to date (make docs)"
hooks=$(grep -c '^---@field [a-z_]*? fun(self: lightpath.Policy' out)
[ "$hooks" -ge 7 ]
result $? "every hook is annotated"
# Lua itself must be able to read it: as the text of a policy that returns something else
{ cat out && echo 'return 1'; } >meta.lua
lp 1 "the annotations are Lua" check meta.lua
grep -q "does not load" out && ! grep -qE "near|expected \(to close" out
result $? "... without a syntax error"
lp 0 "manual entries" api --format man
grep -vE '^\.(Ss|Bl|El)' out | grep -vxFf "$root/docs/lightpath-lua.7" | sed 's/^/  not in the manual: /' >err
[ -s out ] && [ ! -s err ]
result $? "the manual has every entry"
lp 0 "as text" api
has "cluster:predict(job,"
lp 2 "unknown format" api --format x
says "lightpath: there is no format x: expected luacats, man or text"
grep -q '"workspace.library": *\["scripts/meta"\]' "$root/.luarc.json"
result $? ".luarc.json shows editors the annotations"

# --- list ------------------------------------------------------------------------------------------
mkdir -p work/scripts
printf 'local p = { name = "mine", api = 1, doc = "my\\27[31m own" , params = { x = { default = 2.5, doc = "how" } } }\nfunction p:partition() return 1 end\nreturn p\n' >work/own.lua
echo 'return {' >work/scripts/broken.lua
printf 'return { name = "hidden", api = 1, partition = function() return 1 end }\n' >work/random.lua
cd work || exit 1
lp 0 "list" list
has "own (mine)"
has 'my\x1b[31m own'
has "--param x=2.5  number, how"
has "does not load: scripts/broken.lua:2:"
has "random (hidden)"
[ "$(grep -cE '^random( |$)' out)" = 1 ]
result $? "... each name once"
for file in "$root"/scripts/*.lua; do
    name=$(basename "$file" .lua)
    grep -qE "^$name( |$)" out || { echo "  $name is missing" && false; } || result 1 "list has $name"
done
has "--param max_degree=(the scenario's)"
if command -v python3 >/dev/null; then
    lp 0 "list as JSON" list --json
    python3 - <<'P' 2>>err
import json
policies = json.load(open("out"))["policies"]
by = {p["file"]: p for p in policies}
assert "error" in by["scripts/broken.lua"]
own = by["own.lua"]
assert own["name"] == "mine" and own["params"] == [{"name": "x", "type": "number", "doc": "how", "default": 2.5}]
inherited = [p for q in policies for p in q.get("params", []) if p["default"] is None]
assert inherited and all(p["name"] == "max_degree" for p in inherited)
P
    result $? "... with types"
else
    echo "skip list as JSON: there is no python3"
fi
cd ..
lp 2 "unknown command" lst
says 'lightpath: there is no command "policy lst", did you mean list (see lightpath policy --help)'
lp 2 "no command"
says "lightpath: lightpath policy expects COMMAND (see lightpath policy --help)"
undocumented=0
for command in list new check api; do
    lp 0 "help of $command" $command --help
    awk 'length > 80 { exit 1 }' out
    result $? "... fits 80 columns"
    for option in $(grep -oE -- '--[a-z]+' out | sort -u); do
        [ "$option" = --help ] || grep -qE -- "Fl (o , Fl )?-${option#--}( |$)" "$root/docs/lightpath.1" ||
            { echo "  $option" && undocumented=1; }
    done
done
result $undocumented "the manual has every option"

# --- new -------------------------------------------------------------------------------------------
lp 0 "new" new sample
lp 0 "what new writes passes the check" check sample.lua
echo mine >keep.lua
lp 2 "an existing file is left alone" new keep
says "lightpath: keep.lua exists already: expected the name of a new file"
[ "$(cat keep.lua)" = mine ]
result $? "... truly"
lp 2 "a name with a slash" new ../x
says 'lightpath: "../x" is no name for a policy: expected letters, digits, - and _'
lp 0 "to standard output" new sample -o -
cmp -s out sample.lua
result $? "... the same"
sed -E 's/^--([a-z]|  )/\1/' sample.lua >all.lua
[ "$(grep -c '^function policy:' all.lua)" -ge 7 ]
result $? "every hook is an example"
"$lightpath" policy api --format luacats | # a line per hook, with its arguments: as the examples have them
    sed -nE 's/^---@field ([a-z_]+)\? fun\(self: lightpath.Policy(, )?([^)]*)\).*/\1(\3)/p' | sed -E 's/: [^,)]*//g' | sort >rows
sed -nE 's/^function policy:(.*)/\1/p' all.lua | sort >examples
[ -s rows ] && diff rows examples
result $? "... with the arguments that it is given"
# a policy has one of the two, queue_key and order_queue
sed '/^function policy:queue_key/,/^end/d' all.lua >most.lua
lp 0 "all examples together pass the check" check most.lua
has "configure is never called on ramp and ideal"
grep -q "^  ocs  " out
result $? "... and is tried where it is"
! grep -q allocate all.lua
result $? "new has no hook that nothing calls"
gone="the policy defines 'allocate', which is no hook any more: between two servers every fabric has one way at a time; order_flows says which flow takes it first"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition() return 1 end\nfunction policy:allocate() end\nreturn policy\n' >gone.lua
lp 1 "a hook that is gone" check gone.lua
has "$gone"
printf 'return { name = "x", api = 1 }\n' >none.lua
lp 1 "no hook at all" check none.lua
has "the policy decides nothing; expected at least one of the methods partition, place, order_ops, order_flows, phase, order_queue, queue_key, configure, failure, review"

# --- check -----------------------------------------------------------------------------------------
lp 0 "the policies of the program pass" check "$root"/scripts/*.lua
[ "$(grep -c ': ok$' out)" = "$(ls "$root"/scripts/*.lua | wc -l)" ]
result $? "... all of them"
cat >names.lua <<'L'
local policy = { name = "names", api = 1 }
local function helper(n)
  return maths.floor(n)
end
function policy:partition(job, cluster)
  if job.id > 1e9 then
    total = string.gsub("a", "b", "c")
  end
  for _, d in ipairs({ first = 1, 2 }) do
    local x <const> = d
    repeat local done = x until done
  end
  goto out
  ::out::
  return 1, [[pears]] .. "apples" -- plums
end
return policy
L
lp 1 "unknown names" check names.lua
has "names.lua:3: unknown global 'maths' (did you mean 'math'?)"
has "names.lua:7: cannot set the global 'total'"
has "names.lua:7: 'string.gsub' is not available to policies"
has "names.lua: 3 problems"
has ">    3 |   return maths.floor(n)"
has "     1 | local policy"
has "     5 | function policy:partition"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(\nreturn policy\n' >syntax.lua
lp 1 "syntax" check syntax.lua
has "syntax.lua:3: does not load: "
! grep -q "  names " out
result $? "... and says nothing of names"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  return job.nme\nend\nreturn policy\n' >contract.lua
lp 1 "contract" check contract.lua
has 'contract.lua:3: failed 24 times on the scenario "published", '
has '24 times on the scenario "ideal", first: partition(job 0): a job has no field'
has "contract.lua: 1 problem"
has "comparison  when the problems are solved"
has "contract    broken"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  while true do end\nend\nreturn policy\n' >endless.lua
lp 1 "an endless loop ends" check endless.lua
has "used up its budget"
cat >hasty.lua <<'EOF'
local policy = { name = "hasty", api = 1 }
function policy:partition(job, cluster)
  return "wait", "in a moment", { retry = 1e-9 }
end
return policy
EOF
lp 1 "retries without end end" check hasty.lua
has "10000 events and no end in sight"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  return 7\nend\nreturn policy\n' >refused.lua
lp 1 "answers of which all are refused are one" check refused.lua
has "all 24 answers were refused on the scenario \"published\", first for job 0"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  return job.id == 0 and 7 or 1\nend\nreturn policy\n' >refused.lua
lp 0 "a refused answer is no failure" check refused.lua
has "1 answer refused on \"published\", first for job 0"
printf 'local policy = { name = "x", api = 1 }\nlocal n = 0\nfunction policy:partition(job)\n  n = n + 1\n  return n %% 2 + 1\nend\nreturn policy\n' >hidden.lua
lp 1 "what is changed outside of self.mem" check hidden.lua
has "hidden.lua: a hook changes something outside of self.mem, which is forgotten"
has "hidden.lua: 1 problem"
sed 's/^local n = 0//; s/n = n + 1/local n = (self.mem.n or 0) + 1; self.mem.n = n/' hidden.lua >mem.lua
lp 0 "what lasts in self.mem" check mem.lua
sed 's/^local n = 0/local own = { n = 0, id = 1 }/; s/n = n + 1/own.n = own.n + 1 local n = own.n/' hidden.lua >table.lua
lp 1 "a table is changed outside of self.mem" check table.lua
cat >keys.lua <<'LUA'
local policy = { name = "keys", api = 1 }
function policy:partition(job, cluster)
  local t, sum, kept = {}, 0, {}
  for i = 1, 60 do
    kept[i] = { i }
    t[kept[i]] = i
    t[i + i // 4] = i
    if i % 3 == 0 then t[kept[i // 2]], t[i] = nil, nil end
    sum = sum + #t
  end
  local degrees = cluster:degrees(job)
  if #degrees == 0 then return nil, "none" end
  return degrees[sum % #degrees + 1], "sum " .. sum
end
return policy
LUA
lp 0 "objects as keys, whose addresses decide, are no variables" check keys.lua
printf 'local policy = { name = "x", api = 1 }\nfunction policy:configure(optics)\n  return 5\nend\nreturn policy\n' >switch.lua
lp 1 "configure is called" check switch.lua
has 'switch.lua:3: failed 5 times on the scenario "ocs", first: configure: returned 5'
mini() { # mini LUA: policy.lua
    printf 'local policy = { name = "x", api = 1 }\n%s\nreturn policy\n' "$1" >policy.lua
}
mini 'function policy:phase() return "sideways" end'
lp 1 "phase is called" check policy.lua
has 'policy.lua:2: failed 2 times on the scenario "turns", first: phase(job 0, turn 1): phase is "sideways"'
mini 'function policy:failure() return "dance" end'
lp 1 "failure is called" check policy.lua
has 'failed 5 times on the scenario "pod", 2 times on the scenario "failing", first: failure(job 0): failure is "dance"'
mini 'function policy:failure() return { "shrink", degree = -5 } end'
lp 1 "a key of another fabric" check policy.lua
has 'failure: degree has no use here; expected slice, or none'
has 'failure: degree is -5; expected a whole number from 1 to 1048576'
mini 'function policy:failure() return { "requeue", cubes = { [0] = 1 } } end'
lp 1 "a key of another answer" check policy.lua
has 'failure: cubes has no use here; expected the word alone'
mini 'function policy:place(job, cluster) return cluster:slices(job)[1] end
function policy:failure(job, what) return #what.cubes > 1 and "requeue" or { "spare" } end'
lp 0 "a policy for pods need not run elsewhere" check policy.lua
has 'note        fails on "queueing", where there are no slices: place(job 0): cluster:slices: job 0 asks for no slice'
mini 'function policy:place(job, cluster) return cluster:slices(job).first end'
lp 1 "but on a pod" check policy.lua
has 'on the scenario "pod", first: place(job 0)'
printf 'local part = {}\nfunction part.pick(job)\n  return job.nme\nend\nreturn part\n' >part.lua
printf 'local part = require("part")\nlocal policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  return part.pick(job)\nend\nreturn policy\n' >whole.lua
lp 1 "a required file is shown as well" check whole.lua
has 'part.lua:3: failed'
has ">    3 |   return job.nme"
printf 'local policy = { name = "x", api = 1 }\nfunction policy:partition(job)\n  return 1\nend\nfunction policy:review(event)\n  return { { "wake", at = event.time } }\nend\nreturn policy\n' >wake.lua
lp 0 "a refused action is no failure" check wake.lua
has 'refused on "queueing", first: review: wake: at must be a time after now'
printf 'return require("compose")({ name = "made", doc = "of parts", place = function() return nil end })\n' >made.lua
lp 0 "the library of the program is found" check made.lua
printf 'return require("compose")({ name = "mix", partition = require("meets_deadline"), place = require("best_fit") })\n' >mix.lua
lp 0 "policies of the program are found from anywhere" check mix.lua
lp 0 "a parameter" check "$root"/scripts/edf.lua --param degree=2
lp 0 "a bare name" check edf
has "scripts/edf.lua: ok"
lp 1 "an unknown parameter" check "$root"/scripts/edf.lua --param degre=2
has "the policy has no parameter 'degre' (did you mean 'degree'?)"
lp 1 "a parameter of another type" check "$root"/scripts/edf.lua --param degree=x
has 'parameter '"'degree'"' is "x"; expected a whole number'
lp 1 "a parameter without a value" check "$root"/scripts/edf.lua --param degree
has "expected NAME=VALUE"
lp 2 "no such file" check nope.lua
says "nope.lua: No such file or directory"
lp 2 "a bad file does not keep the others from being checked" check nope.lua sample.lua
has "sample.lua: ok"
lp 0 "twice the same" check sample.lua
cp out first
lp 0 "... again" check sample.lua
cmp -s out first
result $? "... byte for byte"
has "acceptable_jct"
has "mean JCT"

exit $failed
