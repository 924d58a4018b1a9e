#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the steps of jobs on one link change where one of them begins a billionth of a step later: docs/combs.md.

    python3 tests/bench/unstable.py [PROGRAM]

Two leaves and a spine, all links 10 GB/s, "sharing": "interleaved"; each job has two servers across the leaves, computes and
sends in turn. Random times and bytes, the same for each row: what is drawn does not depend on the number of steps."""
import json, os, random, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/lightpath")
CASES, RATE = 40, 1e10
ACROSS = """local policy = { name = "across", api = 1, doc = "job i on server i of both leaves", params = {} }
function policy:partition() return 2 end
function policy:place(job, cluster) return { servers = { job.id, job.id + cluster.servers // 2 } } end
return policy
"""

def scenario(combs, arrivals, steps):
    packet = {"topology": "leaf_spine", "leaves": 2, "spines": 1, "servers_per_leaf": len(combs), "server_bandwidth": RATE,
              "uplink_bandwidth": RATE, "server_delay": 0, "uplink_delay": 0, "io_latency": 0, "sharing": "interleaved"}
    return {"lightpath": 1, "cluster": {"fabric": "packet", "packet": packet, "server": {"device": "fast"}},
            "devices": [{"name": "fast", "fp32": 1e30, "bandwidth": 1e30, "memory": 1e12}],
            "partition": {"kind": "data", "max_degree": 2, "min_op_time": 1e-6}, "policy": {"script": "across.lua"},
            "graphs": [{"id": str(i), "file": "%d.json" % i, "format": "lightpath"} for i in range(len(combs))],
            "jobs": [{"graph": str(i), "arrival": arrival, "steps": steps} for i, arrival in enumerate(arrivals)]}

def mean_steps(combs, arrivals, steps):
    for i, (compute, sent) in enumerate(combs):
        op = {"id": 1, "forward": compute, "backward": compute, "activation": 0, "parameters": sent}
        with open("%d.json" % i, "w") as out:
            json.dump({"lightpath_profile": 1, "ops": [op], "edges": []}, out)
    with open("scenario.json", "w") as out:
        json.dump(scenario(combs, arrivals, steps), out)
    ran = subprocess.run([program, "run", "scenario.json", "--json"], capture_output=True, text=True, check=True)
    return [(job["end"] - job["start"]) / steps for job in json.loads(ran.stdout)["jobs"]]

def change(draw, jobs, steps):
    combs = [(draw.randint(1, 40) * .01, draw.randint(1, 20) * 1e8) for _ in range(jobs)]
    arrivals = [0] + [draw.randint(0, 300) * 1e-3 for _ in range(jobs - 1)]
    alone = combs[-1][0] + combs[-1][1] / RATE
    before = mean_steps(combs, arrivals, steps)
    after = mean_steps(combs, arrivals[:-1] + [arrivals[-1] + 1e-9 * alone], steps)
    return max(abs(a - b) / a for a, b in zip(before, after))

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("across.lua", "w") as out:
        out.write(ACROSS)
    print("| jobs | steps of each | changed by more than a millionth | worst |\n|---|---|---|---|")
    for jobs in 2, 3, 4:
        for steps in 100, 1000, 10000:
            draw = random.Random(7)
            changes = [change(draw, jobs, steps) for _ in range(CASES)]
            print("| %d | %d | %d of %d | %.2g %% |" % (jobs, steps, sum(c > 1e-6 for c in changes), CASES, 100 * max(changes)), flush=True)
