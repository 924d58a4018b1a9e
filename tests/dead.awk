# SPDX-License-Identifier: GPL-3.0-or-later
# Reads all sources of the program and prints which functions main does not reach; tests/dead.sh
# says by which rules. -v allowed='NAME ...': functions that may be so, and must.
#
# A unit is a definition: text[id], file[id], kind[id] (extern, static or other, which is no
# function). The id of what the whole program sees is its name, of what one file sees "file:name".

function unit(id, what, words,   name) {
    if (!(id in text)) {
        file[id] = FILENAME
        kind[id] = what
        name = id
        sub(/.*:/, "", name)
        units[name] = units[name] " " id
    }
    text[id] = text[id] "\n" words
}
function of_file(name) { return FILENAME ~ /\.h$/ ? name : FILENAME ":" name }

# What stands by itself in column 0 and is made by a macro: reached, whatever it is
function made_by_macro() {
    if (!(FILENAME in made)) {
        made[FILENAME] = FILENAME ":"
        unit(made[FILENAME], "other", "")
    }
    return made[FILENAME]
}

# Comments and strings go; `inside` says that a comment is still open.
function stripped(line,   open) {
    if (inside) {
        if (!index(line, "*/")) return ""
        sub(/^.*\*\//, "", line)
        inside = 0
    }
    if (line ~ /["'\/]/) {
        gsub(/"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\/.*|\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
        open = index(line, "/*")
        if (open) {
            line = substr(line, 1, open - 1)
            inside = 1
        }
    }
    return line
}

# #if and its like: left[depth] is 1 where the lines are left out, taken[depth] where no later
# branch of the same #if can be compiled.
function condition(line,   yes, no) {
    sub(/ +$/, "", line)
    if (line ~ /^#endif/) {
        depth--
        return
    }
    yes = line ~ /^#ifndef LP_CHECKED$|^#(el)?if !defined\(LP_CHECKED\)$/
    no = line ~ /^#ifdef LP_CHECKED$|^#(el)?if defined\(LP_CHECKED\)$/
    if (line ~ /^#if/) taken[++depth] = 0
    left[depth] = left[depth - 1] || taken[depth] || no
    taken[depth] = taken[depth] || yes
}

# A head is complete with its { at the end of a line: the function's lines follow, to a } in column 0
function begin_function(   name) {
    gsub(/LP_[A-Z_]+\([^)]*\)/, "", head)
    current = made_by_macro()
    if (match(head, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
        name = substr(head, RSTART, RLENGTH - 1)
        if (name !~ /^[A-Z_0-9]+$/) current = head ~ /^ *static / ? of_file(name) : name
    }
    unit(current, head ~ /^ *static / ? "static" : "extern", current in made ? head : "")
    body = ""
    state = "function"
}

# A definition that is no function, all of it: a variable with its initialiser, or of no interest
function end_other(   name) {
    state = ""
    if (head ~ /^LIGHTPATH_API / && match(head, /[a-z_0-9]+\(/)) # who links the library calls it
        outside[substr(head, RSTART, RLENGTH - 1)] = 1
    if (head ~ /^(typedef|enum|extern) / || !index(head, "=")) return
    # static const struct { ... } NAME[N] = ...   int (*const NAME[])(void) = ...   Row NAME = ...
    name = head
    if (match(name, /\n\} [^=\n]*=/)) name = substr(name, RSTART + 1)
    sub(/ *=.*/, "", name)
    if (match(name, /\(\*(const )?[A-Za-z_0-9]+/)) name = substr(name, RSTART, RLENGTH)
    gsub(/\[[^\]]*\]/, "", name)
    sub(/[^A-Za-z_0-9]+$/, "", name)
    sub(/.*[^A-Za-z_0-9]/, "", name)
    unit(head ~ /^static / ? of_file(name) : name, "other", head)
}

FNR == 1 {
    depth = inside = left[0] = 0
    state = head = ""
}
/^#(if|el|end)/ { condition(stripped($0)); next }
left[depth] || /^ *$/ { next }
{ line = stripped($0) }
state != "macro" && line ~ /^ *$/ { next }

# macros, within a function too
state == "macro" || line ~ /^#define / {
    if (state != "macro") {
        match(line, /^#define +[A-Za-z_0-9]+/)
        define = substr(line, 9, RLENGTH - 8)
        gsub(/ /, "", define)
        define = of_file(define)
        line = substr(line, RLENGTH + 1)
        unit(define, "other", "")
        outer = state
        state = "macro"
    }
    text[define] = text[define] "\n" line
    if (line !~ /\\$/) state = outer
    next
}
line ~ /^#/ { next }
state == "function" {
    if (line !~ /^\}/) {
        body = body "\n" line
        next
    }
    text[current] = text[current] body
    state = ""
    next
}
state == "" {
    if (line !~ /^[A-Za-z_]/) next
    if (line ~ /^[A-Z][A-Z_0-9]*\(([^()]|\([^()]*\))*\);? *$/) {
        unit(made_by_macro(), "other", line)
        next
    }
    head = ""
    braces = 0
    state = "head"
}
state == "head" {
    sub(/ +$/, "", line)
    head = head == "" ? line : head "\n" line
    if (braces == 0 && line ~ /\{$/ && index(head, "(") && !index(head, "=")) {
        begin_function()
        next
    }
    if (line ~ /[{}]/) {
        braces += gsub(/\{/, "{", line)
        braces -= gsub(/\}/, "}", line)
    }
    if (braces <= 0 && line ~ /;$/) end_other()
}

# Marks a unit, with the one that named it first; follow() then goes on with what that names.
function reach(id, by) {
    if (id in reached) return
    reached[id] = by
    todo[++last] = id
}

# The names that head##x, x##tail or head##x##tail may become
function pasted(from,   part, side, n, i, name, found) {
    while (match(from, /[A-Za-z_0-9]*##[A-Za-z_0-9]*/)) {
        part = substr(from, RSTART, RLENGTH)
        from = substr(from, RSTART + RLENGTH)
        n = split(part, side, /##/)
        for (name in units)
            if ((length(side[1]) > 2 && index(name, side[1]) == 1) ||
                (n > 1 && length(side[2]) > 2 && name ~ (side[2] "$")))
                found = found " " name
    }
    return found
}
function follow(   id, words, word, n, i, name, own, m, ids, j) {
    while (done < last) {
        id = todo[++done]
        words = text[id]
        if (index(words, "##")) words = words " " pasted(words)
        gsub(/(\.|->)[A-Za-z_][A-Za-z_0-9]*/, " ", words)
        n = split(words, word, /[^A-Za-z_0-9]+/)
        for (i = 1; i <= n; i++) {
            name = word[i]
            if (!(name in units)) continue
            own = file[id] ":" name
            if (own in text) reach(own, id)
            else if (name in text) reach(name, id)
            else if (file[id] ~ /\.h$/) {
                m = split(units[name], ids, " ")
                for (j = 1; j <= m; j++) reach(ids[j], id)
            }
        }
    }
}

END {
    n = split(allowed, word, /[ \n]+/)
    for (i = 1; i <= n; i++) if (word[i] != "") listed[word[i]] = 1
    if (!("main" in text)) print "no function main was found"
    else reach("main", "main")
    for (f in made) reach(made[f], "main")
    for (f in outside) reach(f, "main")
    follow()
    for (f in listed) {
        if (!(f in text)) print "tests/dead.sh: " f " is listed, and there is no such function"
        else if (f in reached) print "tests/dead.sh: " f " is listed, and " file[reached[f]] " calls it"
    }
    for (id in text)
        if (kind[id] == "extern" && !(id in reached) && !(id in listed))
            print file[id] ": " id " is called by nothing in the program: delete it"
    # what a listed function alone calls is wanted as it is
    for (f in listed) if (f in text) reach(f, f)
    follow()
    for (id in text)
        if (kind[id] == "static" && !(id in reached)) {
            name = id
            sub(/.*:/, "", name)
            print file[id] ": " name " is called by nothing in the program: delete it"
        }
}
