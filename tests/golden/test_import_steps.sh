#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Traces of a training step from outside: the doctor's report of files whose contents are known, as JSON
# and in words, and every file that has to be refused with its place. Files and what is expected of
# them lie beside the sources, at STEP_TRACES. Needs $LIGHTPATH, the program, and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip steps: python3 is missing" && exit 0; }
traces=${STEP_TRACES:-$root/../shared/goldens/formats}
[ -d "$traces/chakra" ] || { echo "skip steps: no traces in $traces" && exit 0; }
cd "$traces" || exit 1
exec python3 - "$lightpath" <<'PY'
import json, subprocess, sys

failed = False
def result(fine, name, shown=""):
    global failed
    if not fine:
        failed = True
        print("  " + shown.strip()[:600])
    print(("ok" if fine else "not ok") + " steps: " + name)

def doctor(*words):
    return subprocess.run([sys.argv[1], "doctor", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)

def report(name, want, *words):
    out = doctor(*words, "--json", "--all")
    got = json.loads(out.stdout) if out.returncode == 0 else None
    if isinstance(want, str):
        want = json.load(open(want))
    result(got == want, name, out.stderr or out.stdout)

four = [f"chakra/all_gather/all_gather.{r}.et" for r in range(4)]
two = [f"chakra/step/step.{r}.et" for r in range(2)]
report("four files of Chakra", "chakra/all_gather.json", "chakra", *four)
report("... told from their contents, in any order", "chakra/all_gather.json", *reversed(four))
report("... as a folder", "chakra/all_gather.json", "chakra", "chakra/all_gather")
report("a step, its communicators named", "chakra/step.json", "chakra", *two, "--groups", "chakra/step/comm_group.json")
report("... and found in the folder", "chakra/step.json", "chakra", "chakra/step/")
report("a schedule of GOAL", "goal/small.json", "goal/small.goal")
report("... and its binary", dict(json.load(open("goal/small.json")), format="goal binary"), "goal/small.bin")
report("a workload of SimAI", "simai/small.json", "simai/small.txt")
out = doctor("chakra", "chakra/every-attribute.et")
result(out.returncode == 0 and "1 metadata" in out.stdout, "attributes of every kind", out.stderr)

for format, folder, mark in (("chakra", "chakra/bad", ": byte "), ("goal", "goal/bad", ":"),
                             ("goal", "goal/binary/bad", ": byte "), ("simai", "simai/bad", ":")):
    for name, want in json.load(open(folder + "/expected.json")).items():
        out = doctor(format, f"{folder}/{name}")
        place = f"{folder}/{name}{mark}"
        fine = out.returncode == 2 and out.stdout == "" and want["must_tell"] in out.stderr
        result(fine and out.stderr[out.stderr.find(place):][len(place):len(place) + 1].isdigit(), f"{folder}/{name}", out.stderr)
sys.exit(failed)
PY
