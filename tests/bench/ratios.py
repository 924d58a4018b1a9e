#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What costs more as something grows, as ratios within one run: tables for docs/performance.md.

    tests/bench/ratios.py [--quick] [-r REPEATS] [-p PROGRAM] [TABLE...]

    queues      a job that completes, by how many wait, for policies that declare their order
    load        jobs on a crowded cluster beside the same jobs on an idle one
    running     a job that completes, by how many run
    many        a job of a long list, by how long the list is
    kept        what the explorer keeps of a crowded run and of an idle one
    same        runs with a long queue come to the same bytes on any number of threads
    ports       a run on a circuit switch beside leaves and spines, by ports
    schedules   each shipped schedule of circuits, by ports
    decisions   a decision in Lua beside one in C
    traces      a trace of a real cluster's form: reading it, opening it at the worst moment, a key in its tree

--quick has shorter runs and leaves the largest sizes out. Times are of a processor, user and system; where a run
is repeated (-r, three times, quick: once) the least counts. Only ratios can be compared between machines. It judges nothing:
bars stand in the headings.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
IN_ORDER = ("fit_first", "strict_fifo", "sjf", "edf", "easy_backfill", "srpt", "las_preempt")
SCHEDULES = ("given", "first_fit", "eclipse", "max_weight", "bvn", "solstice", "hold", "queue")
SERVER = {"device": "A100", "memory": "80 GB"}


class Bench:
    def __init__(self, options, folder):
        self.quick, self.program, self.folder = options.quick, options.program, folder
        self.repeats = options.repeats or (1 if options.quick else 3)

    def file(self, name, value):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            if isinstance(value, str):
                out.write(value)
            else:
                json.dump(value, out)
        return path

    def spend(self, words):
        """Processor time in s, peak in MiB, what is printed, and the status, of `lightpath WORDS`."""
        with open(os.path.join(self.folder, "out"), "w+", encoding="utf-8") as out, \
                open(os.path.join(self.folder, "err"), "w+", encoding="utf-8") as err:
            child = subprocess.Popen([self.program] + words, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read() + err.read(), child.returncode

    def time(self, words):
        """The least processor time, s, its peak and what was printed."""
        best = None
        for _ in range(self.repeats):
            spent, peak, said, status = self.spend(words)
            if status != 0:
                sys.exit("ratios.py: lightpath %s: %s" % (" ".join(words), said[-300:]))
            best = min(best or (spent, peak, said), (spent, peak, said))
        return best


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells))


def seconds(value):
    """Two digits: .012, 1.2, 120"""
    return "%.3g" % float("%.2g" % value) if value < 100 else "%d" % round(value)


# ---- scenarios ----

def job(r, width, arrival, duration):
    return {"servers": width, "duration": round(duration, 3), "arrival": round(arrival, 3)}


def rigid(servers, jobs):
    return {"lightpath": 1, "cluster": {"fabric": "ideal", "ideal": {"servers": servers}},
            "queue_capacity": 1000000, "jobs": jobs}


def backlog(waiting, servers=64, until=40000):
    """A queue that keeps its length for `until` s: jobs of 4 servers for about a minute, of which there are `waiting`
    more at the beginning than run at once, and one more whenever one ends."""
    first, later = random.Random(1), random.Random(2)
    gap = 4 * 60 / servers
    jobs = [job(first, 4, 0, first.uniform(55, 65)) for _ in range(waiting + servers // 4)]
    jobs += [job(later, 4, (k + 1) * gap, later.uniform(55, 65)) for k in range(int(until / gap))]
    return rigid(servers, jobs)


def drawn(count, servers, load):
    """Jobs of 1 to 64 servers, most of them small, for an hour on average, with an offered load."""
    r, now, jobs = random.Random(3), 0, []
    widths, weights = (1, 2, 4, 8, 16, 32, 64), (20, 15, 15, 20, 15, 10, 5)
    mean = sum(a * b for a, b in zip(widths, weights)) / sum(weights)
    for _ in range(count):
        now += r.expovariate(load * servers / (mean * 3600))
        jobs.append(job(r, r.choices(widths, weights)[0], now, max(1, r.expovariate(1 / 3600))))
    return rigid(servers, jobs)


def models(cluster, count, script):
    with open(os.path.join(ROOT, "scenarios", "pac-ml-32.json"), encoding="utf-8") as file:
        scenario = json.load(file)
    scenario["generator"]["count"] = count
    scenario["cluster"] = cluster or scenario["cluster"]
    del scenario["policy"]
    if script:
        scenario["policy"] = {"script": script}
    return scenario


def circuits(ports):
    return {"fabric": "ocs", "server": SERVER,
            "ocs": {"servers": ports, "switches": 1, "server_bandwidth": "100 GB/s", "server_delay": "1 us",
                    "io_latency": "1 us", "reconfiguration": "10 ms", "interval": "1 s"}}


def leaves(servers):
    return {"fabric": "packet", "server": SERVER,
            "packet": {"topology": "leaf_spine", "leaves": servers // 8, "servers_per_leaf": 8, "spines": 4,
                       "server_bandwidth": "100 GB/s", "uplink_bandwidth": "100 GB/s"}}


# ---- tables ----

def each_completed(bench, path, policy, until):
    """us for each job that completes, without the filling of the queue."""
    words = ["run", path, "--policy", policy + ".lua", "--json", "--set"]
    filled = bench.time(words + ["horizon=0.001"])[0]
    spent, _, said = bench.time(words + ["horizon=%d" % until])
    return 1e6 * (spent - filled) / json.loads(said)["summary"]["completed"]


def queues(bench):
    until = 10000 if bench.quick else 30000
    path = {n: bench.file("backlog-%d.json" % n, backlog(n)) for n in (50, 5000)}
    head("rule", "50 wait: us a job", "5 000 wait: us a job", "ratio (bar 3)", "asked for each job, 5 000 at once (bar 4; the last two 8)")
    at_once = bench.file("at-once.json", rigid(16, [job(None, w, 0, d) for w, d in widths_at_once(5000)]))
    for policy in IN_ORDER:
        few, many = (each_completed(bench, path[n], policy, until) for n in (50, 5000))
        asked = json.loads(bench.spend(["run", at_once, "--policy", policy + ".lua", "--json"])[2])["asked"]
        row("`%s`" % policy, "%.1f" % few, "%.1f" % many, "%.1f" % (many / few), "%.1f" % (asked["calls"] / 5000))


def widths_at_once(count):
    r = random.Random(4)
    return [(r.choice((1, 2, 4, 8)), r.uniform(10, 100)) for _ in range(count)]


def load(bench):
    count = 3000 if bench.quick else 10000
    idle = bench.file("idle.json", drawn(count, 512, .61))
    crowded = bench.file("crowded.json", drawn(count, 512, 1.2))
    base = bench.time(["run", idle, "--policy", "fit_first.lua", "--hash"])[0]
    head("rule", "jobs", "load", "s", "ratio (bar 6)")
    row("`fit_first`", count, ".61", seconds(base), 1)
    for policy in IN_ORDER:
        if policy != "edf":
            spent = bench.time(["run", crowded, "--policy", policy + ".lua", "--hash"])[0]
            row("`%s`" % policy, count, "1.2", seconds(spent), "%.1f" % (spent / base))


def running(bench):
    until = {64: 5000, 1024: 150} if bench.quick else {64: 10000, 1024: 200}
    head("rule", "64 run: us a job", "1 024 run: us a job", "ratio (bar 24)")
    path = {n: bench.file("running-%d.json" % n, backlog(500, 4 * n, until[n])) for n in (64, 1024)}
    for policy in ("srpt", "las_preempt"):
        few, many = (each_completed(bench, path[n], policy, until[n]) for n in (64, 1024))
        row("`%s`" % policy, "%.1f" % few, "%.1f" % many, "%.1f" % (many / few))


def many(bench):
    few, most = (3000, 30000) if bench.quick else (10000, 100000)
    head("rule", "jobs", "us a job", "jobs", "us a job", "ratio", "bytes a job beyond")
    path = {n: bench.file("list-%d.json" % n, drawn(n, 512, .62)) for n in (few, most)}
    for policy in ("fit_first", "easy_backfill"):
        spent = {n: bench.time(["run", path[n], "--policy", policy + ".lua", "--hash"]) for n in (few, most)}
        each = {n: 1e6 * spent[n][0] / n for n in spent}
        row("`%s`" % policy, few, "%.1f" % each[few], most, "%.1f" % each[most], "%.2f" % (each[most] / each[few]),
            "%d" % (1024 * 1024 * (spent[most][1] - spent[few][1]) / (most - few)))


def kept(bench):
    count = 10000 if bench.quick else 100000
    keys = bench.file("end.keys", "seek d%d\n" % count)
    peak = {}
    head("load", "jobs", "MiB", "ratio (bar 1.3)")
    for offered in (.62, 1.05):
        path = bench.file("kept.json", dict(drawn(count, 512, offered), policy={"script": "fit_first.lua"}))
        words = [path, "--keys", keys, "--size", "100x30", "--no-autosave", "--no-tour"]
        _, peak[offered], said, status = bench.spend(words)
        if status != 0:
            sys.exit("ratios.py: %s: %s" % (words, said[-300:]))
        row(("%g" % offered).lstrip("0"), count, round(peak[offered]), "%.2f" % (peak[offered] / peak[.62]))


def same(bench):
    path = bench.file("same.json", backlog(200))
    head("rule", "runs", "1 thread, 2, 4")
    for policy in IN_ORDER:
        words = ["sweep", path, "--policy", policy + ".lua", "--vary", "horizon=500,1000,1500", "--seeds", "1,2", "--json"]
        ran = [bench.spend(words + ["--threads", str(n)]) for n in (1, 2, 4)]
        if any(status for _, _, _, status in ran):
            sys.exit("ratios.py: lightpath %s: %s" % (" ".join(words), ran[0][2][-300:]))
        row("`%s`" % policy, 6, "the same bytes" if len({said for _, _, said, _ in ran}) == 1 else "DIFFERENT")


def ports(bench):
    count = 2000 if bench.quick else 8000
    head("ports", "jobs", "`ocs`: s", "MiB", "`packet`: s", "MiB", "ratio (bar 3)")
    for size in (32, 128, 512) if bench.quick else (32, 128, 512, 1024):
        spent = {}
        for name, cluster in (("ocs", circuits(size)), ("packet", leaves(size))):
            path = bench.file("%s-%d.json" % (name, size), models(cluster, count, "meets_deadline.lua"))
            spent[name] = bench.time(["run", path, "--hash"])
        row(size, count, seconds(spent["ocs"][0]), round(spent["ocs"][1]), seconds(spent["packet"][0]),
            round(spent["packet"][1]), "%.1f" % (spent["ocs"][0] / spent["packet"][0]))


def schedules(bench):
    sizes = (32, 128) if bench.quick else (32, 128, 512)
    head("schedule", *("%d ports: ms each" % size for size in sizes), "instructions of Lua each")
    for schedule in SCHEDULES:
        cells, prices = [], []
        for size in sizes:
            path = bench.file("schedule-%d.json" % size, models(circuits(size), 60, "ocs_%s.lua" % schedule))
            told = bench.spend(["run", path, "--hash", "--log", "policy:2"])[2]
            costs = [int(n) for n in re.findall(r"ask configure\n.*?policy cost (\d+) instructions", told)]
            spent = bench.time(["run", path, "--hash"])[0]
            failed = re.search(r"the policy failed (\d+) times", told)
            cells.append(seconds(1e3 * spent / max(1, len(costs))) + (", fails %s of %d" % (failed.group(1), len(costs)) if failed else ""))
            prices.append("%d k" % (sum(costs) / max(1, len(costs)) / 1e3))
        row("`ocs_%s`" % schedule, *cells, ", ".join(prices))


def instructions(bench, path):
    """Of the whole run, by valgrind; None without it."""
    if not shutil.which("valgrind"):
        return None
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench.program, "run", path, "--hash"]
    said = subprocess.run(words, capture_output=True, text=True, check=False).stderr
    found = re.search(r"Collected : (\d+)", said)
    return int(found.group(1)) if found else None


def decisions(bench):
    few, most = (2000, 20000) if bench.quick else (10000, 100000)
    probe = (500, 1500) if bench.quick else (1000, 5000)
    head("decides", "us", "ratio (bar 1.4)", "instructions", "ratio")
    base = None
    for script in (None, "max_parallelism.lua", "first_fit.lua", "acceptable_jct.lua", "meets_deadline.lua"):
        def path(count):
            return bench.file("decisions-%d.json" % count, models(None, count, script))
        each = 1e6 * (bench.time(["run", path(most), "--hash"])[0] - bench.time(["run", path(few), "--hash"])[0]) / (most - few)
        counted = [instructions(bench, path(n)) for n in probe]
        price = None if None in counted else (counted[1] - counted[0]) / (probe[1] - probe[0])
        base = base or (each, price)
        row("`%s`" % script if script else "the engine, in C", "%.2f" % each, "%.2f" % (each / base[0]),
            "-" if price is None else "%d" % price, "-" if price is None else "%.2f" % (price / base[1]))


def sacct(count, leaves, hosts, load):
    """Accounting of `count` jobs and as many steps, by leaves of `hosts` hosts; and that tree as topology.conf."""
    r, now, rows = random.Random(4), 0, ["JobIDRaw|JobName|User|Submit|Start|End|ElapsedRaw|State|AllocTRES"]
    widths, weights = (1, 2, 4, hosts), (50, 25, 15, 10)
    mean = sum(a * b for a, b in zip(widths, weights)) / sum(weights)
    for k in range(count):
        now += r.expovariate(load * leaves * hosts / (mean * 3600))
        width, last = r.choices(widths, weights)[0], max(1, int(r.expovariate(1 / 3600)))
        at = [time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1772323200 + t)) for t in (now, now, now + last)]
        line = "|".join(at + [str(last), "COMPLETED", "gres/gpu=%d,node=%d" % (8 * width, width)])
        rows += ["%d|j%d|u%d|%s" % (k, k, k % 60, line), "%d.0|step|u%d|%s" % (k, k % 60, line)]
    names = ["SwitchName=s%d Nodes=n[%d-%d]" % (i, i * hosts, i * hosts + hosts - 1) for i in range(leaves)]
    return "\n".join(rows) + "\n", "\n".join(names + ["SwitchName=top Switches=s[0-%d]" % (leaves - 1)]) + "\n"


def spent(bench, words):
    times = []
    for _ in range(bench.repeats):
        time_spent, _, said, status = bench.spend(words)
        if status != 0:
            sys.exit("ratios.py: lightpath %s: %s" % (" ".join(words), said[-300:]))
        times.append(time_spent)
    return min(times)


def each_key(bench, path, first, key):
    """s that a key takes in the explorer, with the picture after it: of 210 keys less 10, behind the commands `first`."""
    least, most = (spent(bench, [path, "--keys", bench.file("k.keys", first + "view tree\n" + (key + "\n") * n),
                                 "--size", "100x30", "--no-autosave", "--no-tour"]) for n in (10, 210))
    return (most - least) / 200


def traces(bench):
    count, leaves = (5000, 103) if bench.quick else (50000, 1023)
    rows, tree = sacct(count, leaves, 8, .8)
    jobs, net = bench.file("jobs.psv", rows), bench.file("topology.conf", tree)
    path = os.path.join(bench.folder, "my.json")
    keys = bench.file("none.keys", "")
    head("what", "time", "bar")
    row("`import`, %d rows and a tree of %d nodes" % (2 * count, leaves + 1), seconds(spent(
        bench, ["import", "sacct", jobs, "--cluster", net, "--required", "leaf", "-o", path])) + " s", "3 s")
    row("opening it at the worst moment, %d jobs" % count, seconds(spent(
        bench, [path, "--keys", keys, "--size", "100x30", "--no-autosave", "--no-tour"])) + " s", "3 s")
    row("a key in its tree, %d leaves" % leaves, seconds(1000 * each_key(bench, path, "", "v")) + " ms", "10 ms")
    waiting = 500 if bench.quick else 5000
    queue = backlog(waiting, until=100)
    queue["policy"] = {"script": "easy_backfill.lua"}
    queue["cluster"]["levels"] = [{"name": "leaf", "nodes": [
        {"name": "s%d" % i, "servers": "%d..%d" % (8 * i, 8 * i + 7)} for i in range(8)]}]
    row("why, of a key in the tree, %d waiting" % waiting, seconds(1000 * each_key(
        bench, bench.file("queue.json", queue), "seek 50 s\n", "Down")) + " ms", "")


TABLES = {f.__name__: f for f in (queues, load, running, many, kept, same, ports, schedules, decisions, traces)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-r", "--repeats", type=int)
    parser.add_argument("-p", "--program", default=os.environ.get("LIGHTPATH", os.path.join(ROOT, "build", "release", "lightpath")))
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    options = parser.parse_args()
    for name in options.tables:
        if name not in TABLES:
            parser.error("no table %s: expected %s" % (name, ", ".join(TABLES)))
    options.program = os.path.abspath(shutil.which(options.program) or options.program)
    with tempfile.TemporaryDirectory(prefix="ratios.") as folder:
        for name in options.tables or TABLES:
            if len(options.tables) != 1:
                print("\n%s: %s\n" % (name, re.search(r"^    %s +(.*)$" % name, __doc__, re.M).group(1)))
            TABLES[name](Bench(options, folder))


if __name__ == "__main__":
    main()
