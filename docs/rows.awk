# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f rows.awk ENTRIES PAGE: the manual PAGE with every list after a line `.\" rows: GROUP` as the
# table of the policy interface has it (ENTRIES: lightpath policy api --format man).
FNR == NR {
    if ($1 == ".Ss") group = substr($0, 5)
    else list[group] = list[group] $0 "\n"
    next
}
skipping { if ($0 == ".El") skipping = 0; next }
{ print }
/^\.\\" rows: / {
    group = substr($0, 11)
    printf "%s", list[group]
    skipping = 1
}
