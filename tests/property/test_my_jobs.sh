#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What users say of their own jobs, over scenarios that are drawn: whose a job is comes out of every
# output as it went in. MY_JOBS_SEEDS: how many scenarios each (default 5).
# Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
LIGHTPATH=$(realpath "${LIGHTPATH:-$root/lightpath}")
export LIGHTPATH
[ -x "$LIGHTPATH" ] || { echo "not ok there is no program $LIGHTPATH" && exit 1; }
command -v python3 >/dev/null || { echo "skip my jobs: there is no python3" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/my-jobs.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
exec python3 - <<'PY'
import csv, io, json, os, random, subprocess, sys

PROGRAM = os.environ["LIGHTPATH"]
SEEDS = int(os.environ.get("MY_JOBS_SEEDS", "5"))
failed = 0


def call(*words, code=0):
    done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != code:
        sys.exit("not ok lightpath %s: %d, %s" % (" ".join(words), done.returncode, done.stderr))
    return done.stdout if code == 0 else done.stderr


def verdict(name, wrong, compared):
    """Passes if nothing is wrong, and something was compared."""
    global failed
    for line in wrong[:5]:
        print("  " + line)
    if wrong or not compared:
        failed = 1
        print("not ok my jobs: %s (%d compared, %d wrong)" % (name, compared, len(wrong)))
    else:
        print("ok my jobs: %s (%d compared)" % (name, compared))


def write(name, scenario):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(scenario, file, ensure_ascii=False)
    return name


def results(name, *words):
    got = json.loads(call("run", name, "--json", *words))
    del got["provenance"]  # which file and options it is of
    return got


def rigid(draw, jobs, servers=8):
    """Jobs that have to queue."""
    at = 0
    for _ in range(jobs):
        at += draw.choice([0, 1, 7, 20.5])
        yield {"servers": draw.choice([1, 1, 2, 4, servers]), "duration": draw.choice([5, 30, 62.25, 100]), "arrival": at}


def scenario_of(jobs, policy="easy_backfill", servers=8, **others):
    return {"lightpath": 1, "cluster": {"fabric": "ideal", "ideal": {"servers": servers}}, "queue_capacity": 1000,
            "policy": {"script": policy + ".lua"}, "jobs": jobs, **others}


# ---- whose a job is
PIECES = ["llama", '"', ",", "'", "-70b", " ", "日本語", "é", "Ω", "\\", ";", "{}", "x=1", "ß", "name:", "<&>"]
WHO = ["key", "name", "user", "group"]


def text_of(draw):
    return "j" + "".join(draw.choice(PIECES) for _ in range(draw.randrange(1, 7)))


def named(seed):
    draw = random.Random(seed)
    jobs = list(rigid(draw, 12))
    draw.shuffle(jobs)
    for i, job in enumerate(jobs):
        if draw.random() < 0.8:
            job["id"] = draw.choice([1000 + i, str(2000 + i), "%d_%s" % (i, text_of(draw)), 2**53 - i])
        for key in WHO[1:]:
            if draw.random() < 0.7:
                job[key] = text_of(draw)
    return jobs


def as_given(job):
    return {key: job.get("id" if key == "key" else key) for key in WHO}


with open("who.lua", "w") as file:
    file.write("""
local policy = { name = "who", api = 1 }
function policy:place(job)
  local who = { tostring(job.key), tostring(job.name), tostring(job.user), tostring(job.group), math.type(job.key) }
  return nil, table.concat(who, "|")
end
return policy
""")
wrong, compared = [], 0


def compare(where, seed, row, job, cell=lambda value: value):
    global compared
    for key, value in as_given(job).items():
        compared += 1
        if row.get(key) != cell(value):
            wrong.append("seed %d, %s, %s: %r, expected %r" % (seed, where, key, row.get(key), value))


for seed in range(SEEDS):
    jobs = named(seed)
    file = write("named.json", scenario_of(jobs))
    order = sorted(jobs, key=lambda job: job["arrival"])
    got = results(file, "--trace", "trace")
    for row, job in zip(got["jobs"], order):
        compare("JSON", seed, row, job)
        wrong += ["JSON has a key without a value"] if any(key in row and row[key] is None for key in WHO) else []
    for row, job in zip(csv.DictReader(io.StringIO(call("run", file, "--csv"))), order):
        compare("CSV", seed, row, job, lambda value: "" if value is None else str(value))
    with open("trace", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if line["job"] is not None and line["kind"] in ("arrival", "start", "completion"):
                compare("trace", seed, line, order[line["job"]])
    with open("keys", "w") as keys:
        keys.write(":write named.session\n")
    call(file, "--keys", "keys", "--size", "80x24")
    with open("named.session", encoding="utf-8") as lines:
        kept = next(line["scenario"] for line in map(json.loads, lines) if line.get("is") == "scenario")
    for row, job in zip(kept["jobs"], jobs):
        compare("session", seed, as_given(row), job)
    call("replay", "named.session", "--verify")
    os.remove("named.session")
    seen = results(file, "--policy", "who.lua")["jobs"]
    for row, job in zip(seen, order):
        *who, kind = row["why"].split("|") if isinstance(job.get("id"), int) else [*row["why"].split("|"), None]
        compare("Lua", seed, dict(zip(WHO, who)), job, lambda value: "nil" if value is None else str(value))
        wrong += ["a key that is a number is none in Lua"] if kind not in (None, "integer") else []
    # without them: the same run, and not a byte of them
    bare = write("bare.json", scenario_of([{k: job[k] for k in ("servers", "duration", "arrival")} for job in jobs]))
    plain = results(bare)
    strip = lambda rows: [{k: v for k, v in row.items() if k not in WHO} for row in rows]
    compared += 1
    if strip(got["jobs"]) != plain["jobs"] or got["hash"] != plain["hash"]:
        wrong.append("seed %d: names change the run" % seed)
    if set(call("run", bare, "--csv").split("\n")[0].split(",")) & set(WHO):
        wrong.append("columns without names")
verdict("key, name, user and group come out as they went in", wrong, compared)

# ---- one job by what it is called
jobs = [{"servers": 1, "duration": 10, "arrival": 3, "id": "b,1", "name": "same"}, {"servers": 1, "duration": 10, "id": 7, "name": "same"},
        {"servers": 1, "duration": 10, "arrival": 5, "name": "same"}]
file = write("called.json", scenario_of(jobs))
wrong, compared = [], 0
for asked, number in (("key:b,1", 1), ("key:7", 0), ("name:same", 0), ("2", 2)):
    compared += 1
    if json.loads(call("explain", file, "--json", "--job", asked))["job"] != number:
        wrong.append("--job %s" % asked)
done = subprocess.run([PROGRAM, "explain", file, "--job", "name:same"], capture_output=True, text=True)
for said, where in (("job 0 is the first of 3 called same; the others are 1, 2", done.stderr), ("same (7): rigid", done.stdout),
                    ("no job that has arrived has the id 8", call("explain", file, "--job", "key:8", code=2))):
    compared += 1
    if said not in where:
        wrong.append("%r is not in %r" % (said, where))
verdict("--job takes a key or a name", wrong, compared)

# ---- on the screen
wide = [{"servers": 8, "duration": 10, "name": "wide-日本\u202e", "user": "u"}, {"servers": 8, "duration": 10, "arrival": 1}]
screen = call(write("screen.json", scenario_of(wide)), "--at", "d1", "--size", "120x40", "--save-screen", "-")
wrong = [said for said in ("A wide-日本\\u202e starts", "DECISION B = job 1 rigid") if said not in screen]
verdict("a name stands for a job on the screen, as it is written", wrong, 2)
# ---- dates
TIMES = ["arrival", "start", "end"]


def shown(file, date):
    """The explorer and the story of job 3, and the dates in them."""
    screen = call(file, "--at", "d3", "--size", "160x50", "--save-screen", "-")
    return screen + call("explain", file, "--job", "3") + "\n".join(call("run", file).split("\n")[:4])


wrong, compared = [], 0
for seed in range(SEEDS):
    draw = random.Random(1000 + seed)
    jobs = list(rigid(draw, 15))
    zero, by = 1772323200 + draw.randrange(10**6), draw.choice([86400 * 7, 86400 * 28, 3600 * 24 * 364])
    plain = results(write("plain.json", scenario_of(jobs)))
    runs = []
    for at in (zero, zero + by):
        file = write("dated.json", scenario_of(jobs, epoch=at))
        got = results(file)
        epoch = got.pop("epoch")
        compared += 1
        if got["jobs"] != plain["jobs"] or got["summary"] != plain["summary"]:
            wrong.append("seed %d: an epoch changes a number" % seed)
        runs.append(shown(file, at))
        table = list(csv.DictReader(io.StringIO(call("run", file, "--csv"))))
        if [row["epoch"] for row in table] != [epoch] + [""] * (len(table) - 1):
            wrong.append("seed %d: the epoch does not stand once in CSV" % seed)
    import datetime, re
    moved = re.sub(r"\w\w\w (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", lambda m: (datetime.datetime.strptime(m[1], "%Y-%m-%d %H:%M:%S")
                   + datetime.timedelta(seconds=by)).strftime("%a %Y-%m-%d %H:%M:%S"), runs[0])
    strip = lambda text: re.sub(r"#[0-9a-f]{8}|[0-9a-f]{16}", "", text)
    compared += 1
    if strip(moved) != strip(runs[1]) or runs[0] == runs[1]:
        differs = [pair for pair in zip(strip(moved).split("\n"), strip(runs[1]).split("\n")) if pair[0] != pair[1]]
        wrong.append("seed %d: %r" % (seed, differs[:1]))
verdict("an epoch that is shifted shifts every date and changes no number", wrong, compared)

# ---- a clock that begins far away
wrong, compared = [], 0
for seed in range(SEEDS):
    draw = random.Random(2000 + seed)
    jobs = list(rigid(draw, 15))
    first = jobs[0]["arrival"]
    for job in jobs:
        job["duration"] = draw.choice([1e-6, 2.5e-6, 1.1e-5, 30.0000001])
        job["arrival"] = float(int(job["arrival"] - first))
    near = results(write("near.json", scenario_of(jobs)))
    for offset in (10**9, 1772366400):
        far = results(write("far.json", scenario_of([{**job, "arrival": job["arrival"] + offset} for job in jobs])))
        for a, b in zip(near["jobs"], far["jobs"]):
            for key, value in a.items():
                compared += 1
                if key in TIMES:
                    if abs(b[key] - offset - value) > 1e-6:
                        wrong.append("seed %d, job %d: %s is %r, expected %r" % (seed, a["id"], key, b[key], value + offset))
                elif value != b[key]:
                    wrong.append("seed %d, job %d: %s is %r, expected %r" % (seed, a["id"], key, b[key], value))
verdict("arrivals in seconds since 1970: the same results to the last bit, but times", wrong, compared)
# ---- requested times
POLICIES = ["easy_backfill", "strict_fifo", "fit_first", "sjf", "srpt", "las_preempt"]


def asked(draw, least):
    """Jobs whose users ask for a time, at least `least` times what they take; some do not."""
    for job in rigid(draw, 20):
        if draw.random() < 0.9:
            job["requested"] = job["duration"] * draw.choice([f for f in (0.3, 0.5, 1, 1.25, 3) if f >= least])
        yield job


wrong, compared = [], 0
for seed in range(SEEDS):
    for policy in POLICIES:
        draw = random.Random(3000 + seed)
        jobs = list(asked(draw, 1))
        one, other = (results(write("kill.json", scenario_of(jobs, policy, kill_at_requested=kill))) for kill in (False, True))
        compared += 1
        if one != other:
            wrong.append("seed %d, %s: kill_at_requested changes a run in which nobody asked for too little" % (seed, policy))
        if one["summary"]["killed"] != 0:
            wrong.append("seed %d, %s: somebody was killed" % (seed, policy))
verdict("kill_at_requested changes nothing where all asked for enough", wrong, compared)

wrong, compared, killed = [], 0, 0
for seed in range(SEEDS):
    for policy in POLICIES:
        draw = random.Random(4000 + seed)
        jobs = list(asked(draw, 0))
        got = results(write("kill.json", scenario_of(jobs, policy, kill_at_requested=True)))
        for row, job in zip(got["jobs"], sorted(jobs, key=lambda job: job["arrival"])):
            early = job.get("requested", 1e9) < job["duration"]
            held = min(job["duration"], job.get("requested", 1e9))
            parts = row["account"]
            has = row["end"] - row["arrival"] - sum(parts.get(key, 0) for key in ("wait", "preempted"))
            compared += 1
            killed += early
            if row["outcome"] != ("killed" if early else "completed"):
                wrong.append("seed %d, %s, job %d: %s" % (seed, policy, row["id"], row["outcome"]))
            elif abs(has - held) > 1e-6 or abs(parts.get("lost" if early else "computing", 0) - held) > 1e-6 or parts["computing" if early else "lost"] != 0:
                wrong.append("seed %d, %s, job %d: held %r, %r, expected %r" % (seed, policy, row["id"], has, parts, held))
        if got["summary"]["killed"] != sum(row["outcome"] == "killed" for row in got["jobs"]):
            wrong.append("seed %d, %s: the summary counts others" % (seed, policy))
verdict("a job is killed when it has held its servers as long as was requested (%d were)" % killed, wrong, compared * (killed > 0))

# ---- what policies see of a time that was requested
with open("looks.lua", "w") as file:
    file.write("""
local policy = { name = "looks", api = 1 }
local function seen(job)
  return ("%d:%s"):format(job.id, table.concat({ tostring(job.duration), tostring(job.requested), tostring(job.remaining),
    tostring(job.finish), tostring(job.steps_done), tostring(job.sequential_jct), tostring(job.max_jct), tostring(job.deadline) }, ","))
end
function policy:place(job, cluster)
  local said = { tostring(cluster.now), seen(job) }
  for _, other in ipairs(cluster.running) do said[#said + 1] = seen(other) end
  for _, other in ipairs(cluster.waiting) do said[#said + 1] = seen(other) end
  for n = 1, 8 do said[#said + 1] = tostring(cluster:free_at(n)) end
  for _, other in ipairs(cluster:waiting_upto(8, 50)) do said[#said + 1] = "upto " .. other.id end
  local forecast = cluster:predict(job)
  said[#said + 1] = tostring(forecast.jct) .. " " .. tostring(forecast.finish) .. " " .. tostring(forecast.cause) .. " " .. tostring(forecast.compute)
  local sum = 7
  local text = table.concat(said, ";")
  for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1000000007 end
  if not cluster:fits(job.rigid) then return "wait", "no room" end
  return true, tostring(sum)
end
return policy
""")


def seen_until(jobs, until, **others):
    got = results(write("looks.json", scenario_of(jobs, **others)), "--policy", "looks.lua")
    if "policy_errors" in got:
        sys.exit("not ok looks.lua: %s" % got["policy_errors"])
    return [(row["id"], row["start"], row["why"]) for row in got["jobs"] if row["start"] is not None and row["start"] < until], got


wrong, compared, told = [], 0, 0
for seed in range(4 * SEEDS):
    draw = random.Random(5000 + seed)
    jobs = [{**job, "requested": job["duration"] * draw.choice([0.5, 1, 2])} for job in rigid(draw, 20)]
    which = draw.randrange(10)
    other = [dict(job) for job in jobs]
    other[which]["duration"] *= draw.choice([0.5, 3])
    for reveal in (False, True):
        ends = [seen_until(list_, 0, reveal=reveal)[1]["jobs"][which]["end"] for list_ in (jobs, other)]
        one, two = (seen_until(list_, min(ends), reveal=reveal)[0] for list_ in (jobs, other))
        if reveal:
            told += one != two
            continue
        compared += len(one)
        if one != two:
            wrong.append("seed %d: %r" % (seed, [pair for pair in zip(one, two) if pair[0] != pair[1]][:1]))
verdict("policies cannot tell durations apart before they show, unless the scenario reveals them", wrong, compared * (told > 0))
# ---- rows of a trace, and jobs that are too wide
jobs = [{"servers": 2, "duration": 5}, {"servers": 9, "duration": 5, "arrival": 1}, {"servers": 8, "duration": 5, "arrival": 2}]
rows = {"rows": 10, "taken": 3, "left_out": {"step": 5, "no_gpus": 2, "no_end": 0}}
wrong = []
for policy in ("fit_first", "strict_fifo", "easy_backfill"):
    file = write("wide.json", scenario_of(jobs, policy, too_large="block", **{"import": rows}))
    got = results(file)
    if [(row["outcome"], row["cause"], row["end"]) for row in got["jobs"]] != [("completed", None, 5), ("blocked", "too_large", None), ("completed", None, 10)]:
        wrong.append("%s: %r" % (policy, [(row["outcome"], row["cause"], row["end"]) for row in got["jobs"]]))
    if got["jobs"][1]["why"] != "needs 9 servers, the cluster has 8" or got["summary"]["import"] != rows:
        wrong.append("%s: %r, %r" % (policy, got["jobs"][1]["why"], got["summary"].get("import")))
if "left out    on import: 5 step, 2 no_gpus of 10 rows" not in call("run", file):
    wrong.append("run does not tell what was left out")
for said, others in (("jobs[1].servers is 9: expected 1 to 8", {}), ('"rows" is 11, expected 10', {"import": {**rows, "rows": 11}}),
                     ('"taken" is 4, expected 3', {"import": {"rows": 4, "taken": 4}}), ("expected", {"too_large": "drop"})):
    others = {"too_large": "block", **others} if others else {}
    error = call("check", write("wrong.json", scenario_of(jobs, **others)), code=2)
    if said not in error or "wrong.json:1:" not in error:
        wrong.append("%r is not in %r" % (said, error))
verdict("rows of a trace add up, and jobs that are too wide are blocked where the scenario says so", wrong, 11)
sys.exit(failed)
PY
