#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One name, one definition: what `experiment`, `compare`, `sweep`, `tournament` and `whatif` say of a
# run under a name that `run --json` has too is what `run` says, to the last bit, for several studies,
# distributions, agents and seeds. ONE_NAME_SEEDS: how many seeds (unset: two of the first study, for the
# means, and one of each other).
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
export LIGHTPATH=${LIGHTPATH:-$root/lightpath}
[ -x "$LIGHTPATH" ] || { echo "not ok there is no program $LIGHTPATH" && exit 1; }
command -v python3 >/dev/null || { echo "skip one name: there is no python3" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/one-name.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
unset LIGHTPATH_PROFILES
exec python3 - <<'PY'
import csv, io, json, os, random, subprocess, sys

PROGRAM = os.environ["LIGHTPATH"]
SEEDS = int(os.environ.get("ONE_NAME_SEEDS", "0"))
draw = random.Random(29)
failed = 0


def call(*words):
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("not ok lightpath %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def verdict(name, wrong, compared):
    """Passes if nothing is wrong, and something was compared."""
    global failed
    for line in wrong[:5]:
        print("  " + line)
    if wrong or not compared:
        failed = 1
        print("not ok %s (%d compared, %d differ)" % (name, compared, len(wrong)))
    else:
        print("ok %s" % name)


def names(run):
    """What `run --json` says under a name: the summary, and what the run itself is called."""
    return dict(run["summary"], hash=run["hash"], seed=run["seed"])


def differ(where, row, run, wrong):
    """Every name that both have; returns how many."""
    theirs = names(run)
    both = [k for k in row if k in theirs and not isinstance(row[k], dict)]
    for key in both:
        if row[key] != theirs[key]:
            wrong.append("%s: %s is %r, run has %r" % (where, key, row[key], theirs[key]))
    if "blocked_by" in row and row["blocked_by"] != theirs["blocked_by"]:
        wrong.append("%s: blocked_by is %r, run has %r" % (where, row["blocked_by"], theirs["blocked_by"]))
    return len(both)


def lost(run):
    """Not served by the true deadline, of the jobs alone."""
    late = [j for j in run["jobs"] if j["outcome"] == "completed" and j["max_jct"] is not None and j["jct"] > j["max_jct"] * (1 + 1e-9)]
    return run["summary"]["unserved_rate"] + len(late) / run["summary"]["arrived"]


# an agent of `experiment`, and the policy with parameters that `run` calls it
AGENTS = [("max", ["max_parallelism"]), ("random", ["random"]), ("min", ["acceptable_jct"]),
          ("k4", ["sip_ml", "--param", "max_degree=4"]), ("prefer8", ["least_fragmenting", "--param", "prefer=8"]),
          ("edf", ["edf"]), ("srpt", ["srpt"]), ("fewest-late", ["fewest_late"]), ("pac_ml.lua", ["pac_ml"]),
          ("pac_ml_queue.lua", ["pac_ml_queue"])]
# a study, a distribution (None: of none), what else is said, how long
CASES = [("table", "A", ["--set", "horizon=40"], "1e5"), ("table", "B", ["--set", "semantics=corrected"], "1e5"),
         ("ideal", "C", ["--set", "horizon=40"], "1e5"),
         ("table", "D", ["--set", "options.deadline=corrected", "--set", "horizon=30"], "1e5"),
         ("load", "A", [], "2e3"), ("metric", None, ["--set", "horizon=1"], "2e3")]

wrong, wrong_csv, wrong_mean, compared, rows_csv, means = [], [], [], 0, 0, 0
ends = 0  # of runs where a job neither ended nor was blocked: there the two rates differ
for study, beta, more, until in CASES:
    seeds = [str(s) for s in draw.sample(range(1, 10000), SEEDS or (2 if study == "table" and beta == "A" else 1))]
    chosen = draw.sample(AGENTS[:-2], 2) + [draw.choice(AGENTS[-2:])]
    words = ["experiment", "pac-ml", "--zoo", "--study", study, "--until", until, *more]
    words += ["--betas", beta] if beta else []
    for name, _ in chosen:
        words += ["--agents", name]
    scenario = "%s.json" % study
    with open(scenario, "w") as out:
        out.write(call(*words, "--print"))
    words += ["--seeds", ",".join(seeds)]
    result = json.loads(call(*words, "--json"))
    table = list(csv.DictReader(io.StringIO(call(*words, "--csv"))))
    first = result["runs"][0]["interarrival"]
    for name, policy in chosen:
        sums = {}
        for seed in seeds:
            where = "%s %s %s seed %s" % (study, beta, name, seed)
            run = json.loads(call("run", scenario, "--until", until, "--seed", seed, "--policy", *policy, "--json"))
            ends += run["summary"]["unfinished"] > 0
            one = [r for r in result["runs"]
                   if r["agent"] == name and str(r["seed"]) == seed and r["interarrival"] == first]
            line = [r for r in table
                    if r["agent"] == name and r["seed"] == seed and float(r["interarrival"]) == first]
            if len(one) != 1 or len(line) != 1:
                wrong.append("%s: %d rows of JSON, %d of CSV" % (where, len(one), len(line)))
                continue
            compared += differ(where, one[0], run, wrong)
            s = run["summary"]
            made = {"offered_throughput": s["demand_throughput"], "lost_rate": lost(run),
                    "cluster_throughput": s["compute_throughput"] + s["dep_throughput"]}
            for key, value in made.items():
                if one[0][key] is None or abs(one[0][key] - value) > 1e-12 * abs(value):
                    wrong.append("%s: %s is %r, of run's it is %r" % (where, key, one[0][key], value))
            for key in ("blocking_rate", "unserved_rate", "mean_jct", "lost_rate"):
                value = made.get(key, s.get(key))
                sums.setdefault(key, []).append(value)
                cell = float(line[0][key]) if line[0][key] != "" else None
                rows_csv += 1
                if (cell is None) != (value is None) or (cell is not None and abs(cell - value) > 1e-12 * abs(value)):
                    wrong_csv.append("%s: %s is %r, run has %r" % (where, key, line[0][key], value))
        mean = [m for m in result["means"] if m["agent"] == name and m["interarrival"] == first][0]
        for key, values in sums.items():
            if None in values:
                continue
            means += 1
            value = sum(values) / len(values)
            if abs(mean[key]["mean"] - value) > 1e-12 * max(1, abs(value)):
                wrong_mean.append("%s %s: mean %s is %r, of the runs %r" % (study, name, key, mean[key]["mean"], value))
verdict("experiment --json says what run says", wrong, compared)
verdict("experiment --csv says what run says", wrong_csv, rows_csv)
verdict("the means are those of the runs", wrong_mean, means)
verdict("jobs were unfinished, so that blocked and not served are told apart", [], ends)

# the others, on a scenario with a queue, deadlines and jobs that are late
wrong, compared = [], 0
for scenario in ("published-32", "pac-ml-32"):
    seeds = [str(s) for s in draw.sample(range(1, 10000), 2)]
    said = ["--until", "100"]
    one = {}

    def run_of(policy, seed, *more):
        key = (policy, seed, more)
        if key not in one:
            words = ["run", scenario, *said, "--seed", str(seed), *more, "--json"]
            one[key] = json.loads(call(*words, *(["--policy", policy] if policy else [])))
        return one[key]

    done = json.loads(call("compare", scenario, *said, "--seeds", ",".join(seeds), "--policy", "max_parallelism",
                           "--policy", "edf", "--policy", "fewest_late", "--json"))
    for row in done["rows"]:
        run = run_of(row["policy"], row["seed"])
        compared += differ("compare %s %s" % (scenario, row["policy"]), row, run, wrong)
        if abs(row["lost_rate"] - lost(run)) > 1e-12:
            wrong.append("compare %s: lost_rate is %r, of run's it is %r" % (row["policy"], row["lost_rate"], lost(run)))
    done = json.loads(call("sweep", scenario, *said, "--seeds", seeds[0], "--vary", "queue_capacity=1,4", "--json"))
    for row in done["rows"]:
        run = run_of(None, row["seed"], "--set", "queue_capacity=" + row["values"][0])
        compared += differ("sweep %s %s" % (scenario, row["values"]), row, run, wrong)
    done = json.loads(call("whatif", scenario, *said, "--seed", seeds[0], "--to-end", "--json"))
    taken = [r["end"] for r in done["rows"] if r["chosen"] and r["end"]]
    for end in taken:
        compared += differ("whatif " + scenario, end, run_of(None, seeds[0]), wrong)
verdict("compare, sweep and whatif say what run says", wrong, compared)

# what a what-if table says of the answer that is taken is what becomes of the job, where nobody else can
# change its pace; a job that is not cut has no step in either
wrong, compared = [], 0
for scenario in ("published-32", "pac-ml-32", "transformers", "mixtral-regional", "rigid", "pod-64"):
    seed = str(draw.randrange(1, 10000))
    table = json.loads(call("whatif", scenario, "--seed", seed, "--until", "3e5", "--json"))
    job = json.loads(call("run", scenario, "--seed", seed, "--until", "3e5", "--json"))["jobs"][table["job"]]
    for row in [r for r in table["rows"] if r["chosen"]]:
        for key in ("degree", "step_time", "communication_time", "exposed_communication_time", "circuits", "servers",
                    "turns", "waiting_turns", "exposed_turns"):
            if key in row and key in job and job["outcome"] == "completed":
                compared += 1
                if row[key] != job[key]:
                    wrong.append("whatif %s: %s is %r, run has %r" % (scenario, key, row[key], job[key]))
verdict("whatif says of the answer taken what run says of the job", wrong, compared)

# the two tables of where a job's time went agree where they use the same word
wrong, compared = [], 0
WORDS = {"checkpoint": "checkpoint", "lost": "lost", "restart": "restart", "settle": "settling"}
for scenario, until in (("pod-failures", "1e6"), ("ocs-failures", "1000"), ("pod-64", "1e6")):
    for job in json.loads(call("run", scenario, "--until", until, "--json"))["jobs"]:
        for word, other in WORDS.items():
            spent = (job.get("accounts") or {}).get(word, 0)
            told = (job.get("account") or {}).get(other, 0)
            compared += spent > 0
            if abs(spent - told) > 1e-9 * max(1, abs(spent)):
                wrong.append("%s job %d: accounts.%s is %r, account.%s %r" % (scenario, job["id"], word, spent, other, told))
verdict("account and accounts of a job agree", wrong, compared)
sys.exit(failed)
PY
