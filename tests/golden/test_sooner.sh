#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What explain says would have let a job start sooner: each is what `run` of the same scenario with the printed --set
# comes to, for clusters of each kind that can be made larger, several policies, and jobs drawn at random; and states
# that are worked out by hand. Needs $LIGHTPATH and python3; without python3: skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=${LIGHTPATH:-$root/lightpath}
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip python3 is missing" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-sooner.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
exec python3 - "$lightpath" "${SOONER_RUNS:-3}" <<'PY'
import json, random, subprocess, sys

lightpath, rounds = sys.argv[1], int(sys.argv[2])
draw = random.Random(20261128)
failed = False

def result(good, name, why=""):
    global failed
    print(("ok " if good else "not ok ") + name + ("" if good else ": " + why))
    failed |= not good

def call(*words):
    p = subprocess.run([lightpath, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if p.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(words), p.stderr.strip()))
    return p.stdout

def run(*words):
    return json.loads(call("run", "s.json", "--json", *words))["jobs"]

def explain(job):
    return json.loads(call("explain", "s.json", "--job", str(job), "--json"))

def sets(knob):
    return [w for s in knob["set"] for w in ("--set", s)]

def write(cluster, jobs, policy, **more):
    json.dump({"lightpath": 1, "cluster": cluster, "policy": policy, "queue_capacity": 1000,
               "graphs": [{"id": "alexnet", "zoo": "alexnet", "batch": 64}], "jobs": jobs, **more}, open("s.json", "w"))

# ---- clusters ----

def link(a, b, rate=12.5e9):
    return {"from": a, "to": b, "bandwidth": rate, "delay": 5e-7}

def tree(sizes, up=12.5e9): # a leaf of each size under one spine, the leaves in two rows
    links, nodes, n = [], [], 0
    for i, k in enumerate(sizes):
        nodes.append({"name": "s%d" % (i + 1), "servers": "%d..%d" % (n, n + k - 1)})
        links += [link("server %d..%d" % (n, n + k - 1), "switch %d" % i), link("switch %d" % i, "switch %d" % len(sizes), up)]
        n += k
    half = len(sizes) // 2
    rows = [{"name": "r%d" % r, "of": [x["name"] for x in part]} for r, part in enumerate((nodes[:half], nodes[half:]))]
    return {"fabric": "packet", "packet": {"topology": "links", "servers": n, "switches": len(sizes) + 1, "links": links},
            "levels": [{"name": "leaf", "nodes": nodes}, {"name": "row", "nodes": rows}],
            "names": "n[00-%02d]" % (n - 1)}

CLUSTERS = {
    "ideal": {"fabric": "ideal", "ideal": {"servers": 18}},
    "leaf-spine": {"fabric": "packet", "packet": {"topology": "leaf_spine", "leaves": 3, "spines": 2, "servers_per_leaf": 6}},
    "links": tree([4, 6, 8]),
    "ramp": {"fabric": "ramp", "ramp": {"communication_groups": 2, "racks_per_group": 2, "servers_per_rack": 4}},
}
LARGER = {"ideal": {"more_servers"}, "leaf-spine": {"more_servers", "one_more_leaf"},
          "links": {"more_servers", "one_more_leaf"}, "ramp": set()}
POLICIES = [{"script": "tree_fit.lua", "params": {"order": o, "degree": 4}} for o in ("fifo", "any", "backfill")] + \
           [{"script": "easy_backfill.lua"}, {"script": "sjf.lua"}]

def draw_jobs(leaf, count=24):
    jobs, at = [], 0
    for i in range(count):
        at += draw.choice([0, 1, 20, 90, 300])
        job = {"arrival": at, "id": "k%d" % i}
        if draw.random() < .15:
            job.update(graph="alexnet", steps=draw.randrange(100, 20000))
        else:
            job.update(servers=draw.randrange(1, 9), duration=draw.randrange(10, 3000))
            if draw.random() < .5:
                job["requested"] = job["duration"] * draw.choice([1, 2, 5])
        if leaf and draw.random() < .5 and job.get("servers", 4) <= 6:
            job["required"] = "leaf"
            if job.get("servers", 1) % 2 == 0:
                job["segment"] = 2
        jobs.append(job)
    return jobs

def check(name, seen):
    """Compares every change of the jobs of s.json that mostly waited with a run of it."""
    base = run()
    for job in draw.sample(range(len(base)), 4):
        told, first = explain(job), base[job]
        account = told["account"]
        waits = account.get("wait", 0) > 0 and account["wait"] == max(account.values())
        if ("sooner" in told) != waits:
            raise RuntimeError("job %d: %s, and it %s" % (job, account, "is told" if "sooner" in told else "is not told"))
        if not waits:
            continue
        if told["no_sooner"] is not None:
            raise RuntimeError("job %d: %s" % (job, told["no_sooner"]))
        if told["sooner"]["start"] != first["start"]:
            raise RuntimeError("job %d starts at %r, told %r" % (job, first["start"], told["sooner"]["start"]))
        for knob, r in told["sooner"]["runs"].items():
            other = run(*sets(r))
            there = other[r["job"]] if r["job"] < len(other) else None
            if there is None or there["key"] != first["key"]:
                raise RuntimeError("job %d, %s: it is another job there" % (job, knob))
            if there["start"] != r["start"] or there["end"] != r["end"]:
                raise RuntimeError("job %d, %s: %r to %r told, %r to %r run" %
                                   (job, knob, r["start"], r["end"], there["start"], there["end"]))
            if None not in (r["start"], first["start"]) and r["sooner"] != first["start"] - r["start"]:
                raise RuntimeError("job %d, %s: %r sooner" % (job, knob, r["sooner"]))
            seen[knob] = seen.get(knob, 0) + 1

for name, cluster in CLUSTERS.items():
    seen = {}
    try:
        for i in range(rounds):
            for policy in POLICIES:
                write(cluster, draw_jobs(name in ("leaf-spine", "links")), policy)
                check(name, seen)
        want = LARGER[name] | {"alone_first", "without_job"} | ({"any_place"} if len(LARGER[name]) == 2 else set())
        result(set(seen) == want, "%s: %s as run says" % (name, ", ".join("%d %s" % (n, k) for k, n in sorted(seen.items()))),
               "only these")
    except RuntimeError as e:
        result(False, name, str(e))

# ---- by hand ----

def starts(job):
    return {k: r["start"] for k, r in explain(job)["sooner"]["runs"].items()}

# Leaves of 4, 6 and 8. Job 0 holds the 8 until 7800, jobs 1 and 2 three of each of the others, where 1 and 3 are left.
hold = [{"servers": 8, "duration": 7800, "required": "leaf"}] + [{"servers": 3, "duration": 90000, "required": "leaf", "arrival": i} for i in (1, 2)]
fifo = {"script": "tree_fit.lua", "params": {"order": "fifo", "degree": 4}}
try:
    write(tree([4, 6, 8]), hold + [{"name": "me", "servers": 4, "duration": 60, "arrival": 10, "required": "leaf"}], fifo)
    found = starts(3)
    # with 5, 7 and 8 servers 2 and 4 are left
    result(found == {"any_place": 10, "one_more_leaf": 10, "more_servers": 10, "without_job": 10},
           "whoever lacks a leaf starts at once without its leaf, with another one, without who holds it", repr(found))
    text = call("explain", "s.json", "--job", "3")
    result(all(w + ": 2 h 10 min sooner\n" in text for w in ("without its leaf", "one more leaf of 8", "without job 0", "2 servers more")),
           "and says so", text)

    # 8 of 18 servers are free; job 2 needs 12 and blocks the queue until 7800, job 3 needs 1 for a day.
    write(CLUSTERS["ideal"], [{"servers": 10, "duration": 7800}, {"servers": 12, "duration": 60, "arrival": 5},
                              {"servers": 1, "duration": 60, "arrival": 10}], {"script": "strict_fifo.lua"})
    found = starts(2)
    result(found == {"alone_first": 10, "more_servers": 7800},
           "whoever stands behind another one starts at once before him; nobody's end is waited for", repr(found))

    # A graph: across leaves its steps are slower, so it is done less sooner than it starts.
    write(tree([4, 6, 8], 5e9), hold + [{"graph": "alexnet", "steps": 100000, "arrival": 10, "required": "leaf"}], fifo)
    told = explain(3)["sooner"]
    there = told["runs"]["any_place"]
    gain = told["end"] - there["end"]
    text = call("explain", "s.json", "--job", "3")
    result(there["ratio"] > 1.01 and there["sooner"] == 7790 and 0 < gain < 7790 and
           "without its leaf: 2 h 10 min sooner, %.2f times slower: done " % there["ratio"] in text,
           "a job that is slower there says by how much, and when it is done", "%r, %s" % (there, text))

    # Not told: who waits little, who did not wait.
    write(CLUSTERS["ideal"], [{"servers": 10, "duration": 100}, {"servers": 10, "duration": 6000, "arrival": 5}], {"script": "strict_fifo.lua"})
    result("sooner" not in explain(0) and "sooner" not in explain(1), "nothing of jobs whose largest part is another one")
    # One that waits still when the run ends; a trace that counts its rows.
    write(CLUSTERS["ideal"], [{"servers": 10, "duration": 7800}, {"servers": 10, "duration": 60, "arrival": 5}], {"script": "strict_fifo.lua"},
          horizon=500, **{"import": {"rows": 2, "taken": 2, "left_out": {}}})
    told = explain(1)["sooner"]
    result(told["start"] is None and told["runs"]["without_job"]["start"] == 5 and told["runs"]["without_job"]["job"] == 0
           and run(*sets(told["runs"]["without_job"]))[0]["start"] == 5, "of one that never starts as well", repr(told))
except RuntimeError as e:
    result(False, "by hand", str(e))
sys.exit(failed)
PY
