#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make docs` writes from the program's tables is what is in the tree.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${LIGHTPATH:-build/release/lightpath}
if [ ! -x "$program" ]; then
    echo "skip made: there is no program $program"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/made.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# same NAME FILE MADE
same() {
    if diff -u "$2" "$3" >"$work/diff"; then
        echo "ok made: $1"
    else
        head -n 20 "$work/diff"
        echo "$2 is not what \`make docs\` writes"
        echo "not ok made: $1"
        failed=1
    fi
}

# page NAME PAGE COMMAND...: the lists of a manual page, of several commands with + between them
page() {
    local name=$1 page=$2 commands=("${@:3}") one=()
    : >"$work/rows"
    for word in "${commands[@]}" +; do
        [ "$word" = + ] || { one+=("$word"); continue; }
        "$program" "${one[@]}" >>"$work/rows" || return
        one=()
    done
    awk -f docs/rows.awk "$work/rows" "$page" >"$work/page"
    same "$name" "$page" "$work/page"
}
if command -v python3 >/dev/null; then
    tests/golden/powers_of_ten.py >"$work/powers" && same "powers of ten" engine/base/powers.h "$work/powers"
    tests/unit/widths.py --check engine/base/widths.h || failed=1
fi
page "keys of records" docs/lightpath.1 schema --man + import --formats --man
page "the keys" docs/lightpath-keys.5 keys --man
"$program" env --features >"$work/rows" && awk -f docs/table.awk "$work/rows" docs/env.md >"$work/page"
same "the features" docs/env.md "$work/page"
page "the devices" docs/lightpath-scenario.5 devices --man
"$program" devices --markdown >"$work/rows" && awk -f docs/table.awk "$work/rows" docs/semantics.md >"$work/page"
same "the table of devices" docs/semantics.md "$work/page"
for schema in docs/schema/*.json; do
    "$program" schema "$(basename "$schema" .json)" >"$work/schema"
    same "$schema" "$schema" "$work/schema"
done
# what ships conforms, also to somebody else's reader (tests/unit/test_io_schema.c is our own)
if command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - >"$work/diff" 2>&1 <<'END'
import glob, json, jsonschema
for kind, files in (("scenario", "scenarios/*.json"), ("theme", "themes/*.json")):
    schema = json.load(open(f"docs/schema/{kind}.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for file in sorted(glob.glob(files)):
        jsonschema.Draft202012Validator(schema).validate(json.load(open(file)))
for kind in ("lesson", "keys"):
    jsonschema.Draft202012Validator.check_schema(json.load(open(f"docs/schema/{kind}.json")))
END
    if [ $? -eq 0 ]; then
        echo "ok made: scenarios and themes conform to their schemas"
    else
        tail -n 20 "$work/diff"
        echo "not ok made: scenarios and themes conform to their schemas"
        failed=1
    fi
else
    echo "skip made: there is no jsonschema for python3"
fi

exit $failed
