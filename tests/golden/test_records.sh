#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What results say of a record is what its table of facts says that they say: no key beside the schema,
# every value of the type, and between them the commands below print every key; the manual names each,
# and every table of facts is one of a record.
# Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip records: python3 is missing" && exit 0; }
cd "$root" || exit 1
python3 - "$lightpath" <<'PY'
import glob, json, re, subprocess, sys

lightpath = sys.argv[1]
ask = lambda *words: subprocess.run([lightpath, *words], check=True, stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True).stdout
of = {"number": (int, float), "integer": (int,), "string": (str,), "boolean": (bool,), "array": (list,), "object": (dict,), "null": (type(None),)}
failed, seen = 0, {}


def result(wrong, name):
    global failed
    for line in wrong[:8]:
        print("  " + line)
    print(("not ok" if wrong else "ok") + " records: " + name)
    failed |= bool(wrong)


def wrongs(value, rule, path, seen):
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if not isinstance(value, sum((of[one] for one in types), ())) or isinstance(value, bool) and "boolean" not in types:
        yield "%s is %r, expected %s" % (path, value, " or ".join(types))
    elif isinstance(value, dict):
        for key in value:
            seen.add((path + "." + key).lstrip("."))
            if "properties" in rule and key not in rule["properties"]:
                if not rule.get("additionalProperties"):
                    yield "%s.%s is not in the schema" % (path, key)
            elif "properties" in rule:
                yield from wrongs(value[key], rule["properties"][key], path + "." + key, seen)
        for key in rule.get("required", []):
            if key not in value:
                yield "%s.%s is missing" % (path, key)
    elif isinstance(value, list) and "items" in rule:
        for item in value:
            yield from wrongs(item, rule["items"], path, seen)


RUNS = [["scenarios/two-servers.json"], ["scenarios/rigid.json"], ["scenarios/leaf-spine.json"],
        ["scenarios/pac-ml-32.json"], ["scenarios/zones.json", "--explain"],
        ["scenarios/published-32.json"], ["scenarios/ocs-failures.json"],
        ["scenarios/pod-64.json"], ["scenarios/pod-failures.json"], ["scenarios/mixtral-regional.json"],
        ["scenarios/my-queue.json"]]
# record: where its rows stand, and what prints them
ASKED = {
    "job": ("jobs", [["run", *run, *([] if "jobs" in json.load(open(run[0])) else ["--set", "generator.count=60"])]
                     for run in RUNS]),
    "summary": ("summary", [["run", "scenarios/two-servers.json"]]),
    "step": ("rows", [["predict", "zoo:alexnet", "--semantics", "published"], ["predict", "zoo:gnmt", "--degree", "1,64"]]),
    "plan": ("rows", [["predict", "zoo:gpt-3-175b", "--parallel", "tensor=8 pipeline=8 batch=64", *more]
                      for more in ([], ["--rails", "delay=1ms"])]),
    "way": ("rows", [["whatif", "scenarios/pac-ml-32.json", "--to-end", "--best", "1", "--set", "generator.count=20"],
                     ["whatif", "scenarios/transformers.json"], ["whatif", "scenarios/rigid.json"]]),
    "device": ("devices", [["devices"]]),
    "machine": ("devices", [["devices", "--step"]]),
    "blame": ("blame", [["run", "pac-ml-32", "--set", "generator.count=80", "--set", "generator.load=0.5", "--blame",
                         "--policy", "random_servers.lua"],
                        ["run", "tests/property/scenarios/blame-stages.json", "--set", "partition.max_degree=1", "--blame"]]),
    "slice": ("rows", [["predict", "slice:4x4x8 twisted", "--dead", "switch:32"], ["predict", "slice:2x2x4"]]),
    "capacity": ("rows", [["pods", "capacity"]]),
}
words = set(open("docs/lightpath.1").read().replace(",", " ").replace("\\-", "-").split())
tables = open("engine/say/records.c").read()
result([file + ": " + name + " is not in engine/say/records.c" for file in glob.glob("engine/**/*.c", recursive=True)
        # the first column of jobs and the others, between which a scenario's own stand, are parts of a table
        for name in re.findall(r"^const LpFacts (?!lp_job_(?:number|rest)_)(\w+)", open(file).read(), re.M) if not re.search(r"&%s\b" % name, tables)],
       "each table is one of them")
records = re.findall(r"^\.Ss (\w+)", ask("schema", "--man"), re.M)
result([one + " is no record, or no command here prints it" for one in set(records) ^ set(ASKED)], "each is tried")
for record in records:
    rows, commands = ASKED.get(record, ("", []))
    schema, seen = json.loads(ask("schema", record)), set()
    for command in commands:
        found = json.loads(ask(*command, "--json"))[rows]
        result([w for row in (found if isinstance(found, list) else [found]) for w in wrongs(row, schema, "", seen)],
               " ".join([record, "of", *command]))
    result(["no command has " + key for key in schema["properties"] if key not in seen], record + ": each key is told")
    result([key + " is not in docs/lightpath.1" for key in schema["properties"] if key not in words],
           record + ": the manual names each key")
sys.exit(failed)
PY
