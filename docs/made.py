#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of the pages that a recorded command makes, and whether they are what it prints now.

    docs/made.py --write [PAGE...]          runs every command and writes what it prints
    docs/made.py --check [--quick] [PAGE...]  compares instead; --quick: those marked so
    docs/made.py --list                     says what there is, without running anything

In a page stand, each on lines of their own,

    <!-- made NAME: COMMAND -->             what COMMAND prints stands between this and
    <!-- end -->                            this; `made NAME quick:` is compared by `make test`, too
    <!-- measured NAME: COMMAND -->         the same for times, which differ by machine: written where the page is
    <!-- end -->                            named, as `make docs PAGES=docs/performance.md` does, and never compared
    <!-- says NAME: COMMAND -->             each line that COMMAND prints stands in the text below, in the
                                            rest of its section
    <!-- by hand: KIND ... -->              the table below is no command's: words, tested (by which
                                            test), measured (on a machine), trained, long (by which
                                            command, which takes hours); `all by hand`: nor is any of the
                                            page that says nothing else
    <!-- made here -->, <!-- end -->        what the page says of its own tables, which this writes

COMMAND may go on for several lines. It is run by bash at the root of the sources, with `lightpath` the
program and `cells` docs/cells.py. What reads the published profiles says $LP_PROFILES; where that is not
set such tables are skipped. NAMES=a,b runs these only.
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = {"words": "words", "tested": "compared by a test of its own", "measured": "measured on a machine",
         "trained": "of long trainings", "long": "of commands that take hours"}
HEAD = re.compile(r"^( *)<!-- (made|measured|says) ([a-z0-9-]+)( quick)?:")
TABLE = re.compile(r"^ *\|[ :|-]*-[ :|-]*\|? *$")
NOTE = ("<!-- made here -->", "<!-- end -->")


def tables(count):
    return "%d table%s" % (count, "" if count == 1 else "s")


class Entry:
    """One recorded command; lines first to last (not included) are what it makes, or what it is about."""

    def __init__(self, page, indent, kind, name, quick, command, first):
        self.page, self.indent, self.kind, self.name = page, indent, kind, name
        self.quick, self.command, self.first, self.last = quick, command, first, first

    def encloses(self):
        """Does it write what stands between its lines?"""
        return self.kind in ("made", "measured")

    def title(self):
        return "%s: %s" % (self.page, self.name)


class Page:
    def __init__(self, path):
        self.path = path
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.entries, self.hand, self.wrong, self.note = [], [], [], None
        self.read()

    def bad(self, line, what):
        self.wrong.append("%s:%d: %s" % (self.path, line + 1, what))

    def read_command(self, i, start):
        """The command from line i on, and the line after its comment."""
        text = []
        part = self.lines[i][start:]
        while "-->" not in part:
            text.append(part.strip())
            i += 1
            if i == len(self.lines):
                return None, i
            part = self.lines[i]
        text.append(part[:part.index("-->")].strip())
        return "\n".join(line for line in text if line), i + 1

    def read_entry(self, i, head):
        command, first = self.read_command(i, head.end())
        if not command:
            self.bad(i, "a recorded command without an end or without words")
            return first
        entry = Entry(self.path, head.group(1), head.group(2), head.group(3), bool(head.group(4)), command, first)
        stop = first
        while stop < len(self.lines) and not (self.lines[stop].strip() == "<!-- end -->" if entry.encloses()
                                              else self.lines[stop].startswith("#")):
            stop += 1
        if stop == len(self.lines) and entry.encloses():
            self.bad(i, "%s has no <!-- end -->" % entry.name)
            return first
        if any(e.name == entry.name for e in self.entries):
            self.bad(i, "a second %s" % entry.name)
        entry.last = stop
        self.entries.append(entry)
        return stop if entry.encloses() else first

    def read(self):
        i, fence, excused, usual = 0, False, None, None
        while i < len(self.lines):
            line = self.lines[i]
            head = HEAD.match(line)
            if line.startswith("```"):
                fence = not fence
            if fence:
                i += 1
            elif head:
                i = self.read_entry(i, head)
            elif line == NOTE[0]:
                self.note = (i + 1, i + 1 + self.lines[i + 1:].index(NOTE[1]))
                i = self.note[1]
            elif line.startswith("<!-- table -->"):  # written by `make docs` itself (docs/table.awk)
                self.hand.append("tested")
                i += self.lines[i:].index("<!-- end of table -->")
            elif re.match(" *<!-- (all )?by hand: ", line):
                kind = line.split("by hand: ")[1].split()[0].strip(",:")
                if kind not in KINDS:
                    self.bad(i, "by hand: expected %s" % ", ".join(KINDS))
                if "all by hand" in line:
                    usual = kind
                else:
                    excused = kind
                i += 1
            elif TABLE.match(line) and i > 0 and "|" in self.lines[i - 1]:
                if (excused or usual) is None:
                    self.bad(i - 1, "a table that says neither how it is made nor why not: " + self.lines[i - 1].strip()[:60])
                else:
                    self.hand.append(excused or usual)
                excused = None
                i += 1
            else:
                i += 1

    def save(self):
        with open(os.path.join(ROOT, self.path), "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines))

    def telling(self):
        """What the page says of its tables."""
        compared = [e for e in self.entries if e.kind != "measured"]
        quick = [e.name for e in compared if e.quick]
        slow = [e.name for e in compared if not e.quick]
        times = [e.name for e in self.entries if e.kind == "measured"]
        said = []
        if quick:
            said.append("`make test` and `make nightly` compare: %s." % ", ".join(quick))
        if slow:
            said.append("`make nightly` compares: %s." % ", ".join(slow))
        if self.hand.count("tested"):
            said.append("Compared by tests of their own: %s." % tables(self.hand.count("tested")))
        rest = ["%s %s" % (tables(self.hand.count(kind)), KINDS[kind])
                for kind in ("measured", "trained", "long") if self.hand.count(kind)]
        if rest:
            said.append("Not compared: %s." % ", ".join(rest))
        if times:
            said.append("Measured by recorded commands (`make docs` with this page as PAGES) and not compared: %s." % ", ".join(times))
        if compared:
            said.insert(0, "Made by recorded commands, which stand in the source of this page (`make docs`).")
        return ["*" + " ".join(said) + "*"] if said else []

    def check_note(self):
        if not self.telling():
            return
        if self.note is None:
            self.bad(0, "no line <!-- made here --> at the top, where the page tells of its tables")
        elif self.lines[self.note[0]:self.note[1]] != self.telling():
            self.bad(self.note[0], "what it says of its tables is not so: make docs")


def shell(entry, tools):
    env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    env.pop("LIGHTPATH_PROFILES", None)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", entry.command], cwd=ROOT, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def tidy(out):
    """Lines of what was printed; an empty cell is one blank wide."""
    return [re.sub(r"\|(?: +(?=\|))+", lambda m: m.group().replace("  ", " "), line) for line in out.rstrip("\n").split("\n")]


def made_lines(entry, out):
    """As they stand in the page: with its indent, tables with an empty line round them."""
    lines = [(entry.indent + line).rstrip() for line in tidy(out)]
    return [""] + lines + [""]


def compare(entry, page, out):
    """What is wrong, as lines."""
    if entry.kind == "made":
        now, then = made_lines(entry, out), page.lines[entry.first:entry.last]
        return [] if now == then else list(difflib.unified_diff(then, now, "the page", "the program", lineterm="", n=0))
    text = re.sub("<!--.*?-->", "", " ".join(line.strip() for line in page.lines[entry.first:entry.last]))
    return ["the text below does not say: " + line for line in tidy(out) if line.strip() not in text]


def wanted(entry, quick, measuring):
    names = os.environ.get("NAMES")
    return (measuring or entry.kind != "measured") and (entry.quick or not quick) and (not names or entry.name in names.split(","))


def save(page):
    page = Page(page.path)
    if page.note is not None:
        page.lines[page.note[0]:page.note[1]] = page.telling()
        page.save()


def put(entry, out):
    """Into the page as it is now: somebody may have gone on writing it while the command ran."""
    page = Page(entry.page)
    for now in page.entries:
        if now.name == entry.name and now.encloses():
            page.lines[now.first:now.last] = made_lines(now, out)
            page.save()


def run_page(page, quick, writing, measuring, tools):
    """Returns how many failed."""
    failed = 0
    for entry in page.entries:
        if not wanted(entry, quick, measuring):
            continue
        if "LP_PROFILES" in entry.command and not os.environ.get("LP_PROFILES"):
            print("skip %s: LP_PROFILES names no folder of the published profiles" % entry.title())
            continue
        began = time.time()
        code, out, err = shell(entry, tools)
        wrong = ["the command ends with %d: %s" % (code, err.strip()[-300:])] if code or not out.strip() else []
        if not wrong and writing and entry.encloses():
            put(entry, out)
        elif not wrong:
            wrong = compare(entry, page, out)
        for line in wrong:
            print("  " + line)
        failed += bool(wrong)
        print("%s %s (%.1f s)" % ("not ok" if wrong else "ok", entry.title(), time.time() - began), flush=True)
    if writing:
        save(page)
    return failed


def main(words):
    options = [w for w in words if w.startswith("--")]
    named = [w for w in words if not w.startswith("--")]
    paths = named or \
        sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "docs", "*.md")))
    mode = [o for o in options if o in ("--write", "--check", "--list")]
    if len(mode) != 1 or set(options) - {"--write", "--check", "--list", "--quick"}:
        sys.exit(__doc__)
    pages, failed = [Page(p) for p in paths], 0
    for page in pages:
        if mode[0] == "--check":
            page.check_note()
        for line in page.wrong:
            print("  " + line)
        if page.wrong:
            print("not ok %s: its tables say how they are made" % page.path)
            failed += 1
        for entry in page.entries if mode[0] == "--list" else []:
            print("%s%s\n    %s" % (entry.title(), ", quick" if entry.quick else "", entry.command.replace("\n", "\n    ")))
    if mode[0] == "--list":
        return 1 if failed else 0
    if not failed:
        print("ok docs: every table says how it is made")
    program = os.path.abspath(os.environ.get("LIGHTPATH", os.path.join(ROOT, "lightpath")))
    if not os.access(program, os.X_OK):
        print("skip docs: tables: there is no program %s" % program)
        return 1 if failed else 0
    with tempfile.TemporaryDirectory(prefix="made.") as tools:
        os.symlink(program, os.path.join(tools, "lightpath"))
        os.symlink(os.path.join(ROOT, "docs", "cells.py"), os.path.join(tools, "cells"))
        for page in pages:
            if not page.wrong or mode[0] == "--write":
                writing = mode[0] == "--write"
                failed += run_page(page, "--quick" in options, writing, writing and bool(named), tools)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
