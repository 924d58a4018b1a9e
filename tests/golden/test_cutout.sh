#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What explain says would help: the job cut out of its run takes the time there that it took in it, and
# each knob is what `run` on the cut-out with the printed --set comes to, on every fabric, for seeds
# and jobs drawn at random. CUTOUT_RUNS: seeds of each scenario, two jobs each (unset: one seed and one job, each knob
# of which is run again all the same; make nightly has 40). Needs $LIGHTPATH and python3;
# without python3: skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-cutout.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
exec python3 - "$lightpath" "${CUTOUT_RUNS:-1}" "${CUTOUT_RUNS:+2}" <<'PY'
import json, random, subprocess, sys

lightpath, runs, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3] or 1)
draw = random.Random(20261127)
failed = False

def result(good, name, why=""):
    global failed
    print(("ok " if good else "not ok ") + name + ("" if good else ": " + why))
    failed |= not good

def call(*words, code=0):
    p = subprocess.run([lightpath, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if p.returncode != code:
        raise RuntimeError("%s: %s" % (" ".join(words), p.stderr.strip()))
    return p.stdout, p.stderr

WAITS = ("wait", "preempted", "requeued")
def held(job):
    total = 0.0 # one after another, as the program adds: sum() of Python 3.12 rounds otherwise
    for key, value in job["account"].items():
        total += value if key not in WAITS else 0
    return total
def near(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))

def number(path): # of the job, in the cut-out that says so in its notes
    notes = json.load(open(path))["notes"]
    return int(notes.split("(here ")[1].split(")")[0]) if "(here " in notes else 0

def check(scenario, extra, job):
    """How many knobs were run again; None where the job cannot be cut out, and explain says why."""
    told = json.loads(call("explain", scenario, "--job", str(job), "--json", *extra)[0])
    words = ["explain", scenario, "--job", str(job), "--cut", "cut.json", *extra]
    if told["no_knobs"] is not None:
        if told["knobs"] is not None:
            raise RuntimeError("knobs beside a reason why there are none")
        if told["no_knobs"] not in call(*words, code=1)[1]:
            raise RuntimeError("--cut does not say why not")
        return None
    call(*words)
    run = json.loads(call("run", scenario, "--json", *extra)[0])["jobs"][job]
    at = number("cut.json")
    base = json.loads(call("run", "cut.json", "--json")[0])["jobs"][at]
    if not (near(held(run), held(base)) and near(held(base), told["held"])):
        raise RuntimeError("held: %r in the run, %r in the cut-out, %r told" % (held(run), held(base), told["held"]))
    for name, knob in (told["knobs"] or {}).items():
        sets = [w for s in knob["set"] for w in ("--set", s)]
        jobs = json.loads(call("run", "cut.json", "--json", *sets)[0])["jobs"]
        other = held(jobs[0 if name == "alone" else at])
        if other != knob["held"] or not near(knob["gain"], told["held"] / other):
            raise RuntimeError("%s: %r told, %r by run %s" % (name, knob["held"], other, " ".join(sets)))
    if run["graph"] is None:
        return 0
    best = max(told["knobs"], key=lambda k: told["knobs"][k]["gain"])
    if told["helps"] != (best if told["knobs"][best]["gain"] > 1 else None):
        raise RuntimeError("helps %s, best is %s" % (told["helps"], best))
    return len(told["knobs"])

few = ["--set", "generator.count=30"]
CASES = [
    ("pac-ml-32", few), ("pac-ml-32", few + ["--policy", "srpt.lua"]), ("published-32", few),
    ("leaf-spine", few), ("leaf-spine", few + ["--policy", "srpt.lua"]), ("optics-vs-packets", few),
    ("ocs-failures", few), ("zones", few), ("zones-servers", few), ("transformers", few),
    ("pod-failures", few), ("llama-405b-rails", []), ("mixtral-regional", []), ("ideal-loss", few),
]
for scenario, extra in CASES:
    knobs = cut = 0
    name = scenario + (" with srpt" if "srpt.lua" in extra else "")
    try:
        for i in range(runs):
            seed = ["--seed", str(draw.randrange(1, 10**6))] if i > 0 else []
            arrived = json.loads(call("run", scenario, "--json", *extra, *seed)[0])["jobs"]
            done = [k for k, j in enumerate(arrived) if j["outcome"] == "completed"]
            for job in draw.sample(done, min(most, len(done))):
                found = check(scenario, extra + seed, job)
                knobs += found or 0
                cut += found is not None
        result(True, "%s: %d jobs cut out, %d knobs as run says" % (name, cut, knobs))
    except Exception as e:
        result(False, name, str(e))

# One job with a ring, nothing in parallel: its time is a + b / bandwidth + c / speed.
json.dump({"lightpath": 1, "cluster": {"fabric": "ideal", "ideal": {"servers": 4, "node_bandwidth": 1e9, "latency": 0, "io_latency": 0}},
           "scale": {"compute": 1}, "graphs": [{"id": "alexnet", "zoo": "alexnet", "batch": 64}],
           "partition": {"kind": "data", "overlap": False},
           "jobs": [{"graph": "alexnet", "steps": 10, "hint": {"degree": 2}}],
           "policy": {"script": "hinted.lua"}}, open("ideal.json", "w"))
told = json.loads(call("explain", "ideal.json", "--json")[0])
halved = told["knobs"]["bandwidth"]["held"]
quarter = held(json.loads(call("run", "ideal.json", "--json", "--set", "scale.bandwidth=4")[0])["jobs"][0])
result(near(told["held"] - halved, 2 * (halved - quarter)) and halved < told["held"],
       "what is sent takes half, a quarter of the time, all else the same", "%r, %r, %r" % (told["held"], halved, quarter))
twice = told["knobs"]["compute"]["held"]
result(near(twice, told["held"] - told["account"]["computing"] / 2), "servers twice as fast halve the computing",
       "%r, %r" % (told["held"], twice))
sys.exit(failed)
PY
