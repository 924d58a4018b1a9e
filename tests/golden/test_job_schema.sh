#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What run --json says of a job is what `schema job` says that it says: no key beside it, every value
# of the type, and between them the shipped scenarios have every key; and the manual names each.
# Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip job schema: python3 is missing" && exit 0; }
cd "$root" || exit 1
python3 - "$lightpath" <<'PY'
import json, subprocess, sys

lightpath = sys.argv[1]
ask = lambda *words: subprocess.run([lightpath, *words], check=True, stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True).stdout
schema = json.loads(ask("schema", "job"))
of = {"number": (int, float), "integer": (int,), "string": (str,), "array": (list,), "object": (dict,), "null": (type(None),)}
failed, seen = 0, set()


def result(wrong, name):
    global failed
    for line in wrong[:8]:
        print("  " + line)
    print(("not ok" if wrong else "ok") + " job schema: " + name)
    failed |= bool(wrong)


def wrongs(value, rule, path):
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if isinstance(value, bool) or not isinstance(value, sum((of[one] for one in types), ())):
        yield "%s is %r, expected %s" % (path, value, " or ".join(types))
    elif isinstance(value, dict):
        for key in value:
            seen.add((path + "." + key).lstrip("."))
            if "properties" in rule and key not in rule["properties"]:
                yield "%s.%s is not in the schema" % (path, key)
            elif "properties" in rule:
                yield from wrongs(value[key], rule["properties"][key], path + "." + key)
        for key in rule.get("required", []):
            if key not in value:
                yield "%s.%s is missing" % (path, key)
    elif isinstance(value, list) and "items" in rule:
        for item in value:
            yield from wrongs(item, rule["items"], path)


RUNS = [["scenarios/two-servers.json"], ["scenarios/rigid.json"], ["scenarios/leaf-spine.json"],
        ["scenarios/pac-ml-32.json"], ["scenarios/zones.json", "--explain"],
        ["scenarios/published-32.json"], ["scenarios/ocs-failures.json"],
        ["scenarios/pod-64.json"], ["scenarios/pod-failures.json"], ["scenarios/mixtral-regional.json"]]
for run in RUNS:
    count = [] if "jobs" in json.load(open(run[0])) else ["--set", "generator.count=60"]
    jobs = json.loads(ask("run", *run, *count, "--json"))["jobs"]
    result([w for job in jobs for w in wrongs(job, schema, "")], run[0])
result(["no run has " + key for key in schema["properties"] if key not in seen], "each key is in some run")
manual = open("docs/lightpath.1").read()
words = set(manual.replace(",", " ").replace("\\-", "-").split())
result([key + " is not in docs/lightpath.1" for key in schema["properties"] if key not in words],
       "the manual names each key")
sys.exit(failed)
PY
