#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of engine/base/widths.h and the Unicode data of this Python.

widths.py prints the tables; widths.py --check FILE compares those that stand in FILE: whatever they call a mark
or wide is so, and with the Unicode version that they are of nothing else is."""
import re
import sys
import unicodedata as u

OF = "14.0.0"
LAST = 0x110000


def is_mark(cp):
    """Shown with the character before: combining, vowels and ends of Hangul, variants, tones of skin."""
    return (u.category(chr(cp)) in ("Mn", "Me") or 0x1160 <= cp <= 0x11FF or 0xD7B0 <= cp <= 0xD7FB
            or 0x1F3FB <= cp <= 0x1F3FF)


def is_wide(cp):
    """Two columns: also what planes 2 and 3 will hold."""
    if 0x20000 <= cp <= 0x2FFFD or 0x30000 <= cp <= 0x3FFFD:
        return True
    return u.category(chr(cp)) != "Cn" and not is_mark(cp) and u.east_asian_width(chr(cp)) in "WF"


def ranges(holds):
    found = []
    for cp in range(0x80, LAST):
        if not holds(cp):
            continue
        if found and found[-1][1] == cp - 1:
            found[-1][1] = cp
        else:
            found.append([cp, cp])
    return found


def table(name, holds):
    print("static const Range %s[] = {" % name)
    row = "   "
    for first, last in ranges(holds):
        item = " {0x%X, 0x%X}," % (first, last)
        if len(row) + len(item) > 100:
            print(row)
            row = "   "
        row += item
    print(row + "\n};\n")


def check(file):
    text = open(file, encoding="utf-8").read()
    wrong = 0
    for name, holds in (("marks", is_mark), ("wide", is_wide)):
        body = re.search(r"Range %s\[\] = \{(.*?)\n\};" % name, text, re.S).group(1)
        has = set()
        for first, last in re.findall(r"\{(0x[0-9A-F]+), (0x[0-9A-F]+)\}", body):
            has.update(range(int(first, 16), int(last, 16) + 1))
        for cp in range(0x80, LAST):
            if (cp in has) != holds(cp) and (cp in has or u.unidata_version == OF):
                wrong += 1
                print("  U+%04X %s: %s" % (cp, name, "in the table" if cp in has else "missing"))
    print("%s %s tables of widths, Unicode %s beside %s" % ("not ok" if wrong else "ok", file, OF, u.unidata_version))
    return wrong == 0


if sys.argv[1:2] == ["--check"]:
    sys.exit(not check(sys.argv[2]))
table("marks", is_mark)
table("wide", is_wide)
