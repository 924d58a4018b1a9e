#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `lightpath collective` from outside: command lines whose results are known, words and counts exactly,
# numbers to nine digits, and lines that have to be refused. They lie beside the sources, at
# COLLECTIVES. Needs $LIGHTPATH and python3.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lightpath=$(realpath "${LIGHTPATH:-$root/lightpath}")
[ -x "$lightpath" ] || { echo "not ok there is no program $lightpath" && exit 1; }
command -v python3 >/dev/null || { echo "skip collective: python3 is missing" && exit 0; }
goldens=${COLLECTIVES:-$root/../shared/goldens/collective}
[ -f "$goldens/index.json" ] || { echo "skip collective: no command lines in $goldens" && exit 0; }
cd "$goldens" || exit 1
exec python3 - "$lightpath" <<'PY'
import json, shlex, subprocess, sys

KINDS = ["algorithm"]  # calculators that there are

def differ(got, want, place, near):
    """What stands elsewhere than wanted, as lines. `near`: a time beside which 1e-9 is nothing."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return [f"{place}: {got}, not an object"]
        return [line for k in want for line in differ(got.get(k, "missing"), want[k], f"{place}.{k}", near)]
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return [f"{place}: {got}, not {len(want)} items"]
        return [line for i, w in enumerate(want) for line in differ(got[i], w, f"{place}[{i}]", near)]
    if isinstance(want, float):
        room = 1e-9 * abs(want) + (1e-9 * near if place.endswith(".delay") else 0)
        if isinstance(got, (int, float)) and not isinstance(got, bool) and abs(got - want) <= room:
            return []
    elif got == want and type(got) is type(want):
        return []
    return [f"{place}: {got}, not {want}"]

failed = False
tried = 0
for name in json.load(open("index.json")):
    case = json.load(open(name))
    words = shlex.split(case["command"])[1:]
    known = [k for k in KINDS if k + "=" in words[1]]
    if not known and "no-kind" not in name:
        continue
    tried += 1
    out = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if out.returncode != case["exit"]:
        wrong = [f"exit {out.returncode}: {out.stderr}"]
    elif case["exit"] == 0:
        want = case["expect"]
        near = want["curve"][0]["time"] if want.get("curve") else 0
        wrong = differ(json.loads(out.stdout), want, "", near)
    else:
        wrong = [f"says {out.stderr}, not {text}" for text in case["says"] if text not in out.stderr]
        wrong += ["prints something"] if out.stdout else []
    for line in wrong[:5]:
        print("  " + line)
    failed = failed or bool(wrong)
    print(("not ok" if wrong else "ok") + " collective: " + name)
if tried < 50:
    print(f"not ok collective: {tried} command lines alone")
sys.exit(failed or tried < 50)
PY
