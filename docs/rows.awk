# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f rows.awk ENTRIES PAGE: the manual PAGE with every list after a line `.\" rows: GROUP` as the
# table of the policy interface has it (ENTRIES: lightpath policy api --format man). The page sets
# the methods of cluster apart from its fields, as the group "cluster method".
function keep() {
    if (item != "") list[part] = list[part] item
    item = ""
}
FNR == NR {
    if ($1 == ".Ss") { keep(); group = part = substr($0, 5); next }
    if ($1 == ".Bl" || $1 == ".El") next
    if ($1 == ".It") { keep(); part = group }
    else if ($0 ~ /^cluster:/ && group == "cluster") part = "cluster method"
    item = item $0 "\n"
    next
}
FNR == 1 { keep() }
skipping { if ($0 == ".El") skipping = 0; next }
{ print }
/^\.\\" rows: / {
    group = substr($0, 11)
    if (list[group] == "") { print "no rows of " group > "/dev/stderr"; exit 1 }
    printf ".Bl -tag -width Ds\n%s.El\n", list[group]
    skipping = 1
}
