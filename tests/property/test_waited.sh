#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What jobs waited for, over scenarios that are drawn, on every fabric: recomputed from the events of a run
# alone. WAITED_SEEDS: how many scenarios each (default 4). Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
LIGHTPATH=$(realpath "${LIGHTPATH:-$root/lightpath}")
SCENARIOS=$root/scenarios
export LIGHTPATH SCENARIOS
[ -x "$LIGHTPATH" ] || { echo "not ok there is no program $LIGHTPATH" && exit 1; }
command -v python3 >/dev/null || { echo "skip waited: there is no python3" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/waited.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
exec python3 - <<'PY'
import json, os, random, subprocess, sys

PROGRAM, SCENARIOS = os.environ["LIGHTPATH"], os.environ["SCENARIOS"]
SEEDS = int(os.environ.get("WAITED_SEEDS", "4"))
WAITS = ("wait", "preempted", "requeued")
failed = 0


def results(*words):
    """The run's results and its events."""
    if os.path.exists("events"):
        os.remove("events")
    done = subprocess.run([PROGRAM, "run", *words, "--json", "--trace", "events"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("not ok waited: lightpath run %s: %d, %s" % (" ".join(words), done.returncode, done.stderr))
    with open("events", encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    return json.loads(done.stdout), [e for e in events if e["op"] is None and e["dep"] is None and e["kind"] != "end"]


def near(a, b, length):
    return abs(a - b) <= 1e-9 * max(1, length)


class Log:
    """Who waits, and what is free, from event to event."""

    def __init__(self, events, end, servers, on_failure="requeue"):
        self.on_failure = on_failure
        self.free, self.down, self.holds = set(range(servers)), set(), {}
        self.waiting, self.spells, self.held, self.stretches = {}, {}, 0, []
        self.now = 0
        for event in events:
            self.passes(event["t"])
            self.take(event)
        self.passes(end)
        for job in list(self.waiting):
            self.leave(job)

    def passes(self, time):
        if time > self.now:
            taken = set().union(*self.holds.values()) if self.holds else set()
            free = len(self.free - self.down - taken)
            self.stretches.append((self.now, time, free, len((self.down & self.free) - taken), frozenset(self.waiting)))
            self.held += (time - self.now) * sum(len(s) for s in self.holds.values())
            self.now = time

    def leave(self, job):
        begin = self.waiting.pop(job, self.now)
        if self.now > begin:
            self.spells.setdefault(job, []).append(self.now - begin)

    def take(self, event):
        kind, job = event["kind"], event["job"]
        if kind in ("start", "resume", "move"):
            self.leave(job)
            self.holds[job] = set(event["server"])
        elif kind in ("completion", "block", "abort", "kill", "expiry"):
            self.leave(job)
            self.holds.pop(job, None)
        elif kind in ("wait", "preempt", "stop"):
            self.holds.pop(job, None)
            self.waiting.setdefault(job, self.now)
        elif kind in ("failure", "repair"):
            what, _, number = (event.get("component") or "").partition(" ")
            if what == "server":
                (self.down.add if kind == "failure" else self.down.discard)(int(number))
            if kind == "failure" and job is not None and self.on_failure != "hold": # it lost its servers
                self.holds.pop(job, None)
                if self.on_failure == "requeue":
                    self.waiting.setdefault(job, self.now)


def sums(got, log, where, wrong):
    """Parts sum to the length, none is negative, and waits are those of the log."""
    held = 0
    for job in got["jobs"]:
        parts, waited = job["account"], job["waited"]
        spells = sum(log.spells.get(job["id"], []))
        end = job["end"] if job["end"] is not None else log.now
        length, wait = end - job["arrival"], sum(parts.get(key, 0) for key in WAITS)
        held += (sum(parts.values()) - wait) * len(job["servers"] or []) if job["outcome"] == "completed" else 0
        if job["outcome"] != "blocked" and not near(sum(parts.values()), length, length):
            wrong.append("%s, job %d: the account sums to %r of %r" % (where, job["id"], sum(parts.values()), length))
        if min(waited.values()) < 0 or min(parts.values()) < -1e-9 * max(1, length):
            wrong.append("%s, job %d: below 0, %r, %r" % (where, job["id"], waited, parts))
        if not near(sum(waited.values()), spells, length) or not near(wait, spells, length):
            wrong.append("%s, job %d: waited %r, account %r, by its events %r" % (where, job["id"], waited, wait, spells))
    if all(job["outcome"] == "completed" and job["moves"] == 0 for job in got["jobs"]) and not near(held, log.held, held):
        wrong.append("%s: servers were held %r, by events %r" % (where, held, log.held))


def causes(got, log, any_block, where, wrong):
    """Of rigid jobs: what is told by how many servers are free; where any servers do, all of it."""
    for job in got["jobs"]:
        n, waited, length = need[job["id"]], job["waited"], log.now
        is_ = dict.fromkeys(("few", "broken", "behind", "policy"), 0)
        for begin, end, free, down, waiting in log.stretches:
            if job["id"] in waiting:
                cause = "policy" if min(waiting) == job["id"] else "behind"
                if free < n:
                    cause = "broken" if any_block and free + down >= n else "few"
                is_[cause] += end - begin
        fits = sum(waited.get(key, 0) for key in ("shape", "behind", "policy"))
        same = near(waited["resource"] + waited.get("broken", 0), is_["few"] + is_["broken"], length) if any_block else \
            waited["resource"] <= is_["few"] + 1e-6 and fits <= is_["behind"] + is_["policy"] + 1e-6
        if any_block:
            same = same and all(near(waited.get(key, 0), is_[key], length) for key in ("broken", "behind", "policy"))
        if not same:
            wrong.append("%s, job %d of %d servers: %r, by its events %r" % (where, job["id"], n, waited, is_))


def verdict(name, wrong, compared):
    global failed
    for line in wrong[:5]:
        print("  " + line)
    good = not wrong and compared
    failed |= not good
    print("%s waited: %s (%d compared)" % ("ok" if good else "not ok", name, compared))


def cluster_of(file):
    with open(os.path.join(SCENARIOS, file), encoding="utf-8") as text:
        return json.load(text)["cluster"]


def drawn(draw, servers, cluster, preempting):
    at, jobs = 0, []
    for _ in range(draw.randrange(15, 30)):
        at += draw.choice([0, 1, 3, 8.5])
        jobs.append({"servers": draw.choice([1, 1, 2, 4, 8, servers]), "duration": draw.choice([4, 9, 30.25, 60]), "arrival": at})
        if draw.random() < 0.2:
            jobs[-1]["max_jct_fraction"] = 4
    policies = ["srpt", "las_preempt"] if preempting else ["fit_first", "strict_fifo", "easy_backfill", "easy_classic", "sjf"]
    scenario = {"lightpath": 1, "cluster": cluster, "queue_capacity": draw.choice([6, 1000]), "jobs": jobs,
                "policy": {"script": draw.choice(policies) + ".lua"}}
    if draw.random() < 0.5:
        scenario["failures"] = {"trace": "".join("%g,server,%d,%g\n" % (draw.uniform(0, 150), s, draw.uniform(5, 80))
                                                 for s in draw.sample(range(servers), 5))}
        scenario["on_failure"] = draw.choice(["requeue", "hold", "abort"])
    if draw.random() < 0.3:
        scenario["horizon"] = draw.uniform(40, 150)
    return scenario


FABRICS = [("ideal", {"fabric": "ideal", "ideal": {"servers": 12}}, 12), ("packet", cluster_of("leaf-spine.json"), 0),
           ("ramp", cluster_of("pac-ml-32.json"), 32), ("zones", cluster_of("zones.json"), 0), ("ocs", cluster_of("ocs-failures.json"), 0)]
total = 0
for fabric, cluster, servers in FABRICS:
    wrong, compared = [], 0
    for seed in range(SEEDS * (5 if fabric == "ideal" else 2)):
        draw = random.Random(100 * seed + len(fabric))
        if servers == 0: # as many as its policies see
            probe = {"lightpath": 1, "cluster": cluster, "jobs": []}
            with open("probe.json", "w") as file:
                json.dump({**probe, "too_large": "block", "jobs": [{"servers": 10 ** 6, "duration": 1}]}, file)
            why = results("probe.json")[0]["jobs"][0]["why"]
            servers = int(why.rsplit(" ", 1)[1])
        scenario = drawn(draw, servers, cluster, seed % 3 == 2)
        with open("drawn.json", "w") as file:
            json.dump(scenario, file)
        got, events = results("drawn.json")
        log = Log(events, got["summary"]["end"], servers, scenario.get("on_failure"))
        need = {i: job["servers"] for i, job in enumerate(scenario["jobs"])}
        where = "%s, seed %d, %s" % (fabric, seed, scenario["policy"]["script"])
        compared += sum(job["wait"] is not None and job["wait"] > 0 for job in got["jobs"])
        sums(got, log, where, wrong)
        causes(got, log, fabric == "ideal", where, wrong)
    verdict("rigid jobs on %s: sums, and what free servers say" % fabric, wrong, compared)

# ---- jobs that a policy splits, and slices: the sums
wrong, compared = [], 0
for file, count, policies in (("pac-ml-32.json", 40, ("fit_first", "easy_backfill", "srpt")), ("leaf-spine.json", 30, ("sjf", "las_preempt")),
                              ("transformers.json", 30, ("leanest_plan",)), ("ocs-failures.json", 20, ("fit_first",))):
    for policy in policies:
        words = [os.path.join(SCENARIOS, file), "--policy", policy, "--set", "generator.count=%d" % count, "--set", "queue_capacity=50"]
        got, events = results(*words)
        log = Log(events, got["summary"]["end"], 0)
        compared += sum(job["wait"] is not None and job["wait"] > 0 for job in got["jobs"])
        if "failures" not in file: # links break there, too, and stop jobs in other ways
            sums(got, log, "%s, %s" % (file, policy), wrong)
        for job in got["jobs"]:
            if not near(sum(job["waited"].values()), job["wait"] or 0, log.now):
                wrong.append("%s, %s, job %d: %r is not %r" % (file, policy, job["id"], job["waited"], job["wait"]))
verdict("jobs that a policy splits", wrong, compared)

wrong, compared = [], 0
for file in ("pod-64.json", "pod-failures.json"):
    got = results(os.path.join(SCENARIOS, file), "--set", "generator.count=40")[0]
    for job in got["jobs"]:
        compared += job["wait"] is not None and job["wait"] > 0
        if not near(sum(job["waited"].values()), job["wait"] or 0, got["summary"]["end"]):
            wrong.append("%s, job %d: %r is not %r" % (file, job["id"], job["waited"], job["wait"]))
verdict("slices", wrong, compared)

# ---- as time passes no cause takes anything back
wrong, compared = [], 0
for seed in range(SEEDS):
    draw = random.Random(7000 + seed)
    with open("drawn.json", "w") as file:
        json.dump(drawn(draw, 12, FABRICS[0][1], seed % 2 == 1), file)
    before = {}
    for until in (20, 45, 80, 300):
        for job in results("drawn.json", "--until", str(until))[0]["jobs"]:
            for cause, time in before.get(job["id"], {}).items():
                compared += 1
                if job["waited"].get(cause, 0) < time - 1e-9:
                    wrong.append("seed %d, job %d until %g: %s was %r, is %r" % (seed, job["id"], until, cause, time, job["waited"]))
            before[job["id"]] = job["waited"]
verdict("no cause takes time back", wrong, compared)
sys.exit(failed)
PY
