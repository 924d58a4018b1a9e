#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of the tables in docs/, of what the program prints (docs/made.py runs it as `cells`).

    cells rows [--plain] [--digits N] [--columns A,B] [--head WORDS] [--best "KEY KEY"] SPEC...
        Of the Markdown tables on stdin: their rows in the order of SPEC. SPEC is
        KEY => LABEL   the row whose first cell is `KEY`, called LABEL, of the first table that has it and the
                       column; 2:KEY that of the second table
        | ... |        printed as it is: a row of somebody else's numbers
        --plain leaves half widths out, --digits rounds, --columns chooses, --best sets the least of these
        rows in each column in bold, --head names the first column.
    cells say EXPRESSION...
        A line each: a Python expression of `d`, the JSON on stdin (d.summary.mean_jct), or of `docs`, all of
        several one after another; a list is a line each. share(.263) is ".2630"; time(seconds); mean(list);
        agents(d), of(d, agent, point), all_of(d, agent), versus(d), apart(d, point), does(docs, agent) read
        experiments.
"""
import json
import math
import re
import sys


class Object(dict):
    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError:
            raise AttributeError("there is no \"%s\" among %s" % (key, ", ".join(self))) from None


def share(value, digits=4):
    """As the pages write shares: without the nought before the point."""
    text = "%.*f" % (digits, value)
    return text[1:] if text.startswith("0.") else text.replace("-0.", "-.", 1)


def fraction(value):
    """A load as a fraction of small numbers, where it is one."""
    for below in (1, 3):
        if abs(value * below - round(value * below)) < 1e-6:
            return "%d" % round(value) if below == 1 else "%d/%d" % (round(value * below), below)
    return "%.4f" % value


def spread(v):
    """"67.8 s ± 1.4 s" of what `compare --json` has of a time; half the interval with two digits."""
    half, middle = (v.high - v.low) / 2, v.difference if "difference" in v else v.mean
    n = 0 if half >= 9.95 or half == 0 else 1
    return "%.*f s ± %.*f s" % (n, middle + 0.0, n, half)


def ratio(a, b):
    """Of two times: "1.16", "9.7", "76"; near 1 with three digits."""
    r = a / b
    return "%.*f" % (3 if abs(r - 1) < .01 else 2 if r < 5 else 1 if r < 20 else 0, r)


def digits(value):
    """Three digits, no exponent."""
    return "%.*f" % (2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0, value)


def mean(values):
    values = [v for v in values if v is not None]
    return math.fsum(values) / len(values)


def time(seconds):
    """With a unit that suits it."""
    for least, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (0, "ns")):
        if abs(seconds) >= least:
            return "%.4g %s" % (seconds / {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit], unit)
    return "0 s"


def turns_rows(d, before="", none=""):
    """Of `turns --json`: a row for each delay, on demand and provisioned; nothing is exposed at 0."""
    rows = []
    for a, b in zip(d.rows[::2], d.rows[1::2]):
        cells = [x for r in (a, b) for x in (time(r.step_time), r.exposed_turns if r.delay else none)]
        rows.append("%s| %s | %s |" % (before, time(a.delay) if a.delay else 0, " | ".join(str(c) for c in cells)))
    return rows


# --- what `lightpath experiment --json` printed ---------------------------------------------------------


def point_of(m):
    return m.beta or "%g s" % m.interarrival


def points(d):
    return list(dict.fromkeys(point_of(m) for m in d.means))


def agents(d):
    return list(dict.fromkeys(m.agent for m in d.means))


def of(d, agent, point):
    """The means of an agent at a point ("A", "1000 s")."""
    return [m for m in d.means if m.agent == agent and point_of(m) == point][0]


def all_of(d, agent, metric="lost_rate"):
    """At every point, as shares; ! where jobs were late and blocking alone would not say so."""
    late = any(of(d, agent, p).late_jobs_count_as_served for p in points(d))
    return " ".join(share(of(d, agent, p)[metric].mean) for p in points(d)) + (" !" if late else "")


def does(docs, agent):
    """What it did in any of these."""
    acts = ["refuse", "degree", "place", "queue", "preempt"]
    return ", ".join(a for a in acts if any(a in m.does for d in docs for m in d.means if m.agent == agent))


def versus(d, metric="lost_rate", digits=3):
    """At every point the agents beside each other, the least in bold: ".208 / **.119**"."""
    cells = []
    for p in points(d):
        values = [of(d, a, p)[metric].mean for a in agents(d)]
        n = 4 if max(values) < .01 else digits
        cells.append(" / ".join(("**%s**" if v == min(values) else "%s") % share(v, n) for v in values))
    return " | ".join(cells)


# Student's t, two sided, 95 %, by degrees of freedom: for as many seeds as the pages have, less one.
T95 = {4: 2.776, 9: 2.262}


def apart(d, point, metric="lost_rate"):
    """What the first agent has more than the second, seed by seed: the mean, half of its 95 % interval."""
    first, second = ({r.seed: r[metric] for r in d.runs if r.agent == a and point_of(r) == point} for a in agents(d))
    more = [first[seed] - second[seed] for seed in first]
    middle = mean(more)
    variance = math.fsum((m - middle) ** 2 for m in more) / (len(more) - 1)
    return middle, T95[len(more) - 1] * math.sqrt(variance / len(more))


def say(words):
    text, docs, decoder = sys.stdin.read(), [], json.JSONDecoder(object_hook=Object)
    while text.strip():
        doc, end = decoder.raw_decode(text.lstrip())
        docs.append(doc)
        text = text.lstrip()[end:]
    names = {"d": docs[0] if docs else None, "docs": docs, "share": share, "time": time, "mean": mean, "math": math, "fraction": fraction, "turns_rows": turns_rows, "digits": digits, "spread": spread, "ratio": ratio,
             "agents": agents, "of": of, "all_of": all_of, "does": does, "versus": versus, "apart": apart, "points": points}
    for word in words:
        value = eval(word, names)  # the pages' own commands
        for line in value if isinstance(value, (list, tuple)) else [value]:
            print(line)


def tables(lines):
    """Each table as its columns and its rows by name."""
    found, last = [], ""
    for line in lines:
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells and all(re.fullmatch(r":?-+:?", c) for c in cells):
            found.append((last[1:], {}))
        elif cells and found and last is not None:
            found[-1][1][cells[0].strip("`")] = cells[1:]
        last = cells
        if cells and found and not found[-1][1] and len(cells) != len(found[-1][0]) + 1:
            sys.exit("cells: rows of unlike lengths")
    return found


def unite(found):
    """The columns of all tables, in the order in which they come."""
    return list(dict.fromkeys(column for head, _ in found for column in head))


def number(cell):
    found = re.match(r"-?\d*\.?\d+", cell)
    return float(found.group()) if found else math.nan


def shorten(cell, plain, digits):
    if plain:
        cell = cell.split(" ±")[0] + (" !" if cell.endswith("!") else "")
    if digits is None:
        return cell
    return re.sub(r"(?<![\d.])\.\d+", lambda m: share(float("0" + m.group()), digits), cell)


def options(words):
    given = {"--plain": False, "--digits": None, "--columns": None, "--head": "agent", "--best": ""}
    while words and words[0].startswith("--"):
        name = words.pop(0)
        if name not in given:
            sys.exit(__doc__)
        given[name] = True if name == "--plain" else words.pop(0)
    return given


def pick(found, key, columns):
    """The cells of a row, each of the first table that has it, or of the one that the key names."""
    of, name = re.fullmatch(r"(?:(\d+):)?(.*)", key).groups()
    cells, name = [], name.strip("`")
    for column in columns:
        have = [(head, rows) for i, (head, rows) in enumerate(found)
                if (of is None or i + 1 == int(of)) and name in rows and column in head]
        if not have:
            sys.exit("cells: there is no row %s with a column %s" % (name, column))
        cells.append(have[0][1][name][have[0][0].index(column)])
    return cells


def rows(words):
    given = options(words)
    found = tables(sys.stdin)
    if not found:
        sys.exit("cells: there is no table")
    columns = given["--columns"].split(",") if given["--columns"] else unite(found)
    digits = int(given["--digits"]) if given["--digits"] else None
    best = given["--best"].split()
    least = [min((number(pick(found, k, columns)[i]) for k in best), default=math.nan) for i in range(len(columns))]
    wide = len(given["--head"].split(" | ")) + len(columns)
    print("| %s | %s |" % (given["--head"].strip(), " | ".join(columns)))
    print("|%s" % ("---|" * wide))
    for word in words:
        if word.startswith("|"):
            print(word)
            continue
        key, _, label = word.partition(" => ")
        cells = pick(found, key, columns)
        marked = [("**%s**" if key in best and number(c) == least[i] else "%s") % shorten(c, given["--plain"], digits)
                  for i, c in enumerate(cells)]
        print("| %s | %s |" % (label or "`%s`" % key, " | ".join(marked)))


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("rows", "say"):
        sys.exit(__doc__)
    (rows if sys.argv[1] == "rows" else say)(sys.argv[2:])
