# SPDX-License-Identifier: GPL-3.0-or-later
"""Printers for gdb: what is in the image of a world, whose pools are found by offsets.

    gdb -x scripts/gdb/lightpath.py --args build/debug/lightpath run pac-ml-32
    (gdb) break lp_world_decide
    (gdb) run
    (gdb) print *world        time, jobs, servers, timers, and how full each pool is
    (gdb) lp-jobs world       a line for each job of the image
    (gdb) lp-job world 5      all that is known of a job
    (gdb) lp-events world     what is due, and the timers in the order in which they come

Which pools there are is read from LP_IMAGE_POOLS in engine/sim/state/image.h. Nothing of the
program is called, so the commands work on a core file, too.
"""
import os
import re

import gdb

NO_INDEX = 0xFFFFFFFF
SHOWN = 16  # numbers of a list

HEADER = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "engine", "sim", "state", "image.h"
)


def read_pools():
    """name: (type, member that counts the items, are they items or bytes) of every pool."""
    pools = {}
    try:
        with open(HEADER, encoding="utf-8") as header:
            text = header.read()
    except OSError:
        return pools
    table = text[text.index("#define LP_IMAGE_POOLS(X)"):].split("\n\n")[0]
    for name, kind, size, used in re.findall(r"X\((\w+), ([\w ]+), ([^,]+), (\w+), \w+\)", table):
        pools[name] = (kind, used, size != "1")
    return pools


POOLS = read_pools()


def type_of(name):
    return gdb.lookup_type(name.replace("uint32_t", "unsigned int").replace("uint16_t", "unsigned short"))


def image_of(value):
    """The image of a world, or of a pointer to one."""
    world = value
    while world.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        world = world.dereference()
    return world["image"].dereference()


def items(image, pool):
    """The items of a pool that are in use."""
    kind, used, _ = POOLS[pool]
    at = int(image.address) + int(image["at_" + pool])
    first = gdb.Value(at).cast(type_of(kind).pointer())
    return [(first + i).dereference() for i in range(int(image[used]))]


def enum_word(enum, number, prefix):
    """LP_JOB_RUNNING: running."""
    for field in gdb.lookup_type(enum).strip_typedefs().fields():
        if field.enumval == number:
            return field.name[len(prefix):].lower()
    return str(number)


def jobs(image):
    return {int(job["id"]): job for job in items(image, "window")}


def chain(image, first, following):
    """Numbers along a list that ends in LP_NO_INDEX."""
    number, found = int(first), []
    while number != NO_INDEX and len(found) <= 1 << 20:
        found.append(number)
        number = following(number)
    return found


def listed(image, member):
    """Jobs of the list of running or waiting ones, in its order."""
    window = jobs(image)
    return chain(image, image[member], lambda job: int(window[job]["queue"]["next"]))


def servers_of(image, job):
    """A job's servers in block order."""
    servers = items(image, "server")
    return chain(image, job["placed"]["first_server"], lambda server: int(servers[server]["next"]))


def shorten(numbers):
    text = " ".join(str(number) for number in numbers[:SHOWN])
    more = len(numbers) - SHOWN
    return "%s and %d more" % (text, more) if more > 0 else text or "none"


def outcome(job):
    return enum_word("LpOutcome", int(job["outcome"]), "LP_JOB_")


def word(number):
    return "none" if number == NO_INDEX else str(number)


class WorldPrinter:
    """print *world"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "LpWorld"

    def children(self):
        image = image_of(self.value)
        servers = items(image, "server")
        busy = sum(int(s["job"]) != NO_INDEX for s in servers)
        broken = sum(int(s["state"]) != 0 for s in servers)
        kept, all_jobs = int(image["kept"]), int(image["jobs"])
        yield "now", image["now"]
        yield "phase", enum_word("LpPhase", int(image["phase"]), "LP_PHASE_")
        yield "events", image["tally"]["events"]
        yield "due", word(int(image["due"]))
        yield "jobs", "%d, of which %d in the image" % (all_jobs, kept)
        yield "running", shorten(listed(image, "first_running"))
        yield "waiting", shorten(listed(image, "first_waiting"))
        yield "servers", "%d: %d busy, %d broken, %d free" % (
            len(servers), busy, broken, int(image["free_servers"]))
        yield "timers", "%d, first at %s s" % (
            int(image["timers"]), min([float(t["time"]) for t in items(image, "timer")], default=None))
        for pool, (_, used, several) in POOLS.items():
            what = "items" if several else "bytes"
            yield pool, "%d %s at %d" % (int(image[used]), what, int(image["at_" + pool]))


def find_printer(value):
    kind = value.type.strip_typedefs()
    return WorldPrinter(value) if kind.code == gdb.TYPE_CODE_STRUCT and kind.tag == "LpWorld" else None


class WorldCommand(gdb.Command):
    """What the commands share: their arguments, of which the first is a world."""

    def __init__(self, name, takes):
        super().__init__(name, gdb.COMMAND_DATA)
        self.name, self.takes = name, takes

    def invoke(self, argument, from_tty):
        del from_tty
        words = gdb.string_to_argv(argument)
        if len(words) != 1 + len(self.takes):
            raise gdb.GdbError("expected: %s %s" % (self.name, " ".join(["WORLD"] + self.takes)))
        if not POOLS:
            raise gdb.GdbError("%s is not there: the pools are not known without it" % HEADER)
        self.show(image_of(gdb.parse_and_eval(words[0])), words[1:])


class Jobs(WorldCommand):
    """lp-jobs WORLD: a line for each job that is in the image."""

    def show(self, image, words):
        del words
        past = int(image["jobs"]) - int(image["kept"])
        if past > 0:
            print("jobs 0 to %d have left the image" % (past - 1))
        print("%6s %-10s %5s %6s %14s %14s %14s" % (
            "job", "outcome", "graph", "degree", "arrival", "start", "end"))
        for number, job in sorted(jobs(image).items()):
            print("%6d %-10s %5d %6d %14.9g %14.9g %14.9g" % (
                number, outcome(job), int(job["graph"]), int(job["placed"]["degree"]),
                float(job["asked"]["arrival"]), float(job["times"]["start"]), float(job["times"]["end"])))


class OneJob(WorldCommand):
    """lp-job WORLD ID: all members of a job, and its servers."""

    def show(self, image, words):
        number = int(words[0])
        if number >= int(image["jobs"]):
            raise gdb.GdbError("there is no job %d" % number)
        job = jobs(image).get(number)
        if job is None:
            raise gdb.GdbError("job %d has ended and left the image" % number)
        print("job %d %s" % (number, outcome(job)))
        print("servers %s" % shorten(servers_of(image, job)))
        for field in job.type.strip_typedefs().fields():
            part = field.type.strip_typedefs()
            inner = part.fields() if part.code == gdb.TYPE_CODE_STRUCT else []
            for member in inner:  # of a part: its concern in front
                name = field.name + "." + member.name
                print("  %-26s %s" % (name, job[field.name][member.name].format_string()))
            if not inner:
                print("  %-26s %s" % (field.name, job[field.name].format_string()))


class Events(WorldCommand):
    """lp-events WORLD: what is due, and the timers in the order in which they come."""

    def show(self, image, words):
        del words
        print("now %.9g s, phase %s, %d events so far" % (
            float(image["now"]), enum_word("LpPhase", int(image["phase"]), "LP_PHASE_"),
            int(image["tally"]["events"])))
        print("decision due: job %s" % word(int(image["due"])))
        for member in ("next_arrival", "light_at", "interval_at", "horizon"):
            print("%-12s %.9g s" % (member, float(image[member])))
        coming = [("timer", t) for t in items(image, "timer")]
        coming += [("ending", t) for t in items(image, "ending")]
        for pool, timer in sorted(coming, key=lambda pair: float(pair[1]["time"])):
            kind = enum_word("LpTimerKind", int(timer["kind"]), "LP_TIMER_") if pool == "timer" else "end"
            print("%-8s %14.9g s %-9s job %s" % (
                pool, float(timer["time"]), kind, word(int(timer["job"]))))


gdb.pretty_printers.append(find_printer)
Jobs("lp-jobs", [])
OneJob("lp-job", ["ID"])
Events("lp-events", [])
