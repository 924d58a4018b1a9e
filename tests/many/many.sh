# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced: many small runs of the program by tests/many/many.c, which does them in one process.

# many PROGRAM [--reverse] FOLDER <CASES
# A case is a line: a name, and the words after "lightpath", with tabs between them. FOLDER/NAME gets
# what it prints on standard output; where it fails, "exit status N" and its messages follow there.
# Without the driver beside the program, or with one that is older than it, each case is a process, as
# with MANY_EACH=1. MANY_JOBS=N: so many processes share the cases.
many() {
    local program=$1 driver
    driver=$(dirname "$1")/tests/many/many
    shift
    if [ "${MANY_EACH:-0}" = 0 ] && [ "$driver" -nt "$program" ]; then
        "$driver" --jobs "${MANY_JOBS:-1}" "$@"
        return
    fi
    [ "$1" != --reverse ] || shift
    local folder=$1 name code
    local -a words
    while IFS=$'\t' read -r -a words; do
        name=${words[0]}
        "$program" "${words[@]:1}" >"$folder/$name" 2>"$folder/.messages" </dev/null && continue
        code=$?
        { echo "exit status $code" && cat "$folder/.messages"; } >>"$folder/$name"
    done
    rm -f "$folder/.messages"
}

# one_case NAME WORD...: a line of CASES
one_case() {
    local IFS=$'\t'
    printf '%s\n' "$*"
}
