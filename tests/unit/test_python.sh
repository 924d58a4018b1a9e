#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package scripts/python: with the first python3, and with one that has NumPy; installed by
# pip without a network; Gymnasium's check_env where Gymnasium is. Needs $LIGHTPATH, the program.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
export LIGHTPATH=${LIGHTPATH:-$root/lightpath} PYTHONDONTWRITEBYTECODE=1
[ -x "$LIGHTPATH" ] || { echo "not ok there is no program $LIGHTPATH" && exit 1; }
command -v python3 >/dev/null || { echo "skip the Python package: there is no python3" && exit 0; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/test-python.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@" >out 2>&1; then
        echo "ok $name"
    else
        tail -n 15 out
        echo "not ok $name"
        failed=1
    fi
}
# which MODULE: a python3 that has it
which() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && echo "$python" && return
    done
    return 1
}
example() { # example PYTHON FILE WORDS...: ends well and says something about lost jobs
    local python=$1 file=$2
    shift 2
    "$python" "$root/scripts/python/examples/$file" "$@" >said && cat said && grep -q 'lost' said
}

export PYTHONPATH=$root/scripts/python
check "the package with $(command -v python3)" python3 -W error "$root/tests/unit/python_package.py"
check "calls with faults" python3 -W error "$root/tests/unit/python_faults.py"
small=(--scenario "$root/scenarios/published-32.json" --set generator.count=30 --seeds 2)
check "example: random" example python3 random_agent.py "${small[@]}"
check "example: a rule" example python3 rule_agent.py "${small[@]}"
if python=$(which numpy); then
    check "the package with NumPy" "$python" -W error "$root/tests/unit/python_package.py"
    check "calls with faults, with NumPy" "$python" -W error "$root/tests/unit/python_faults.py"
    check "example: policy gradient" example "$python" policy_gradient.py "${small[@]}" --updates 3 --envs 8
else
    echo "skip the package with NumPy: no python3 has it"
fi
if python=$(which torch); then
    check "example: PPO with torch" example "$python" cleanrl_ppo.py "${small[@]}" --updates 2 --envs 8
else
    echo "skip example: PPO with torch: no python3 has it"
fi
if python=$(which gymnasium); then
    check "Gymnasium's check_env" "$python" "$root/tests/unit/python_package.py" check_env
else
    echo "skip Gymnasium's check_env: no python3 has gymnasium"
fi
unset PYTHONPATH
if python3 -m pip --version >/dev/null 2>&1; then
    installs() {
        python3 -m pip install --quiet --no-index --no-input --disable-pip-version-check --target site "$root/scripts/python" &&
            PYTHONPATH=site python3 -c 'import lightpath; assert "site" in lightpath.__file__; lightpath.LightpathEnv("published-32").close()'
    }
    check "pip installs it without a network" installs
    check "and leaves nothing in the folder" test -z "$(find "$root/scripts/python" -name build -o -name '*.egg-info')"
    check "its version is lightpath's" grep -q "^version = \"$(sed -nE 's/^VERSION *:= *//p' "$root/Makefile")\"" "$root/scripts/python/pyproject.toml"
else
    echo "skip pip: python3 has none"
fi
exit $failed
