/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster.ocs": servers, aggregators and circuit switches by their numbers, or
 * what is plugged where; circuits at the start; the delay of reconfiguring. */
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"
#include "model/fabric/fabric.h"

static const char *const collective_words[] = {"ring", "tree", "halving_doubling", "hierarchical",
                                               NULL};             /* as LpAlgorithm */
static const char *const ring_words[] = {"aware", "given", NULL}; /* as LpRingOrder */

#define TIME .dim = LP_DIM_TIME
#define BANDWIDTH .dim = LP_DIM_BANDWIDTH, .above = true

/* ---- "server 3", "server 0..5", "aggregator 1", "port 7" ---- */

typedef struct Run {
    uint32_t first, last; /* nodes; or ports */
    bool ports;
} Run;

static const char *read_number(const char *text, uint32_t *out) {
    uint64_t value = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9' && digits < 8; text++, digits++)
        value = 10 * value + (uint64_t)(*text - '0');
    *out = (uint32_t)value;
    return digits > 0 ? text : NULL;
}

static bool parse_run(const char *text, const LpOcsParams *o, bool ports, Run *out) {
    const char *const kinds[] = {"server ", "aggregator ", ports ? "port " : NULL};
    const uint32_t counts[] = {o->servers, o->aggregators, LP_CIRCUIT_PORTS_MAX};
    for (int k = 0; k < 3; k++) {
        size_t len = kinds[k] != NULL ? strlen(kinds[k]) : 0;
        if (kinds[k] == NULL || strncmp(text, kinds[k], len) != 0)
            continue;
        const char *end = read_number(text + len, &out->first);
        out->last = out->first;
        if (end != NULL && strncmp(end, "..", 2) == 0)
            end = read_number(end + 2, &out->last);
        if (end == NULL || *end != '\0' || out->first > out->last || out->last >= counts[k])
            return false;
        out->ports = k == 2;
        out->first += k == 1 ? o->servers : 0;
        out->last += k == 1 ? o->servers : 0;
        return true;
    }
    return false;
}

static LpErr read_run(LpJsonValue value, const LpOcsParams *o, bool ports, Run *out, LpDiag *diag) {
    char found[80];
    const char *text = lp_json_text(value);
    if (text != NULL && parse_run(text, o, ports, out))
        return LP_OK;
    return lp_json_fail(value, diag, LP_EINVAL,
                        "\"%s\" is %s, expected \"server N\", \"server A..B\"%s or \"aggregator "
                        "N\" of %u servers and %u aggregators",
                        lp_json_key(value), lp_json_found(value, found, sizeof found),
                        ports ? ", \"port N\"" : "", o->servers, o->aggregators);
}

/* An entry of "plugs", "circuits" or "links". */
typedef struct Entry {
    const LpOcsParams *ocs;
    Run from, to;
    uint32_t device;
    double bandwidth, delay;
} Entry;

static LpErr read_from(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Entry *e = target;
    return read_run(value, e->ocs, context != NULL, &e->from, diag);
}

static LpErr read_to(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Entry *e = target;
    return read_run(value, e->ocs, context != NULL, &e->to, diag);
}

/* ---- plugs ---- */

static LpErr read_plug(LpJsonValue value, const LpOcsParams *o, Entry *e, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "node", .type = LP_KEY_CUSTOM, .read = read_from, .required = true},
        LP_COUNTED("switch", Entry, device, 0, LP_CIRCUIT_PORTS_MAX),
        {LP_FIELD("bandwidth", LP_KEY_QUANTITY, Entry, bandwidth), .range = {BANDWIDTH},
         .required = true},
        LP_QUANTITY("delay", Entry, delay, TIME),
    };
    *e = (Entry){.ocs = o};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), e, NULL, NULL, diag));
    if (e->device < o->switches)
        return LP_OK;
    return lp_json_fail(value, diag, LP_EINVAL, "\"switch\" is %u, expected less than %u switches",
                        e->device, o->switches);
}

static LpErr read_plugs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpOcsParams *o = target;
    uint64_t ports = 0;
    Entry e;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(read_plug(v, o, &e, diag));
        ports += (uint64_t)e.from.last - e.from.first + 1;
    }
    if (ports > LP_CIRCUIT_PORTS_MAX)
        return lp_json_fail(value, diag, LP_ELIMIT,
                            "\"plugs\" are more than %d, the most there "
                            "may be",
                            (int)LP_CIRCUIT_PORTS_MAX);
    LpPlug *plug = lp_arena_alloc(loader->scenario->arena, (size_t)ports, sizeof *plug);
    if (plug == NULL)
        return lp_fail_memory(diag, "the ports of circuit switches");
    o->plug = plug;
    o->ports = (uint32_t)ports;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(read_plug(v, o, &e, diag));
        for (uint32_t n = e.from.first; n <= e.from.last; n++)
            *plug++ = (LpPlug){n, e.device, e.bandwidth, e.delay};
    }
    return LP_OK;
}

/* ---- fixed links ---- */

static LpErr read_link(LpJsonValue value, const LpOcsParams *o, Entry *e, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "from", .type = LP_KEY_CUSTOM, .read = read_from, .required = true},
        {.name = "to", .type = LP_KEY_CUSTOM, .read = read_to, .required = true},
        {LP_FIELD("bandwidth", LP_KEY_QUANTITY, Entry, bandwidth), .range = {BANDWIDTH},
         .required = true},
        LP_QUANTITY("delay", Entry, delay, TIME),
    };
    *e = (Entry){.ocs = o};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), e, NULL, NULL, diag));
    if (e->to.first == e->to.last)
        return LP_OK;
    return lp_json_fail(value, diag, LP_EINVAL, "\"to\" is a run, expected one node");
}

static LpErr read_links(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpOcsParams *o = target;
    uint64_t cables = 0;
    Entry e;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(read_link(v, o, &e, diag));
        cables += (uint64_t)e.from.last - e.from.first + 1;
    }
    LpCable *cable = lp_arena_alloc(loader->scenario->arena, (size_t)cables, sizeof *cable);
    if (cable == NULL)
        return lp_fail_memory(diag, "the links of a network");
    o->cable = cable;
    o->cables = (uint32_t)cables;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(read_link(v, o, &e, diag));
        for (uint32_t n = e.from.first; n <= e.from.last; n++)
            *cable++ = (LpCable){n, e.to.first, e.bandwidth, e.delay};
    }
    return LP_OK;
}

/* ---- circuits at the start ---- */

typedef struct Joining {
    LpOcsParams *ocs;
    uint32_t *to; /* as LpOcsParams.initial */
} Joining;

/* The lowest port of a run's member from `first` on that is dark, on the device; LP_DARK as device:
 * any. */
static uint32_t free_port(const Joining *j, const Run *run, uint32_t n, uint32_t first,
                          uint32_t device) {
    const LpOcsParams *o = j->ocs;
    for (uint32_t p = first; p < o->ports; p++) {
        bool mine = run->ports ? p == n : o->plug[p].node == n;
        if (mine && j->to[p] == LP_DARK && (device == LP_DARK || o->plug[p].device == device))
            return p;
    }
    return LP_DARK;
}

/* The lowest dark port of a with its lowest partner of b on the same switch. */
static bool join(Joining *j, const Run *from, uint32_t a, const Run *to, uint32_t b) {
    for (uint32_t p = free_port(j, from, a, 0, LP_DARK); p != LP_DARK;
         p = free_port(j, from, a, p + 1, LP_DARK)) {
        uint32_t q = free_port(j, to, b, 0, j->ocs->plug[p].device);
        q = q == p ? free_port(j, to, b, p + 1, j->ocs->plug[p].device) : q;
        if (q == LP_DARK)
            continue;
        j->to[p] = q;
        j->to[q] = p;
        return true;
    }
    return false;
}

static LpErr no_port(LpJsonValue value, const Joining *j, const Run *run, uint32_t n, uint32_t i,
                     const char *end, LpDiag *diag) {
    if (run->ports && n >= j->ocs->ports)
        return lp_json_fail(value, diag, LP_EINVAL, "there is no port %u, expected 0 to %u", n,
                            j->ocs->ports - 1);
    return lp_json_fail(value, diag, LP_EINVAL,
                        "circuit %u of this entry finds no dark port at its \"%s\" end, expected "
                        "one that is plugged into the same switch (rule one_circuit_per_port)",
                        i, end);
}

static LpErr join_runs(LpJsonValue value, Joining *j, const Entry *e, LpDiag *diag) {
    uint32_t many = e->to.last - e->to.first + 1, count = e->from.last - e->from.first + 1;
    if (many != 1 && many != count)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a circuit joins %u with %u, expected as many, or one", count, many);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = e->from.first + i, b = e->to.first + (many == 1 ? 0 : i);
        if (free_port(j, &e->from, a, 0, LP_DARK) == LP_DARK)
            return no_port(value, j, &e->from, a, i, "from", diag);
        if (!join(j, &e->from, a, &e->to, b))
            return no_port(value, j, &e->to, b, i, "to", diag);
    }
    return LP_OK;
}

static LpErr read_circuit(LpJsonValue value, Joining *j, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "from", .type = LP_KEY_CUSTOM, .read = read_from, .required = true},
        {.name = "to", .type = LP_KEY_CUSTOM, .read = read_to, .required = true},
    };
    Entry e = {.ocs = j->ocs};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), &e, NULL, j, diag));
    return join_runs(value, j, &e, diag);
}

/* After all else is known. */
static LpErr read_circuits(LpJsonValue value, LpOcsParams *o, LpArena *arena, LpDiag *diag) {
    LpDiag inner = {0};
    if (lp_ocs_finish(o, arena, &inner) != LP_OK)
        return inner.code == LP_ENOMEM ? lp_fail_memory(diag, "the ports of circuit switches")
                                       : lp_json_fail(value, diag, inner.code, "%s", inner.text);
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    Joining j = {o, lp_arena_raw(arena, o->ports, sizeof *j.to)};
    if (j.to == NULL)
        return lp_fail_memory(diag, "the circuits of a network");
    memcpy(j.to, o->initial, o->ports * sizeof *j.to);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_circuit(v, &j, diag));
    o->initial = j.to;
    return LP_OK;
}

/* ---- reconfiguration ---- */

static LpErr take_preset(LpJsonValue value, LpOcsParams *o, LpDiag *diag) {
    enum { NAMES = 64 };
    const char *names[NAMES];
    size_t count;
    char found[80];
    const LpPreset *table = lp_preset_table(&count), *preset = lp_preset_find(lp_json_text(value));
    for (size_t i = 0; i < count && i < NAMES; i++)
        names[i] = table[i].name;
    if (preset != NULL) {
        o->preset = preset->name;
        o->delay = preset->delay;
        return LP_OK;
    }
    const char *text = lp_json_text(value);
    int near = text != NULL ? lp_str_nearest(text, names, count < NAMES ? count : NAMES) : -1;
    return lp_json_fail(value, diag, LP_EINVAL,
                        "\"%s\" is %s, expected %s%s%s (lightpath presets lists them)",
                        lp_json_key(value), lp_json_found(value, found, sizeof found),
                        near >= 0 ? "\"" : "the name of a preset such as \"",
                        near >= 0 ? names[near] : "mems", "\"");
}

static LpErr read_preset(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return take_preset(value, target, diag);
}

static LpErr read_delay(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        LP_CUSTOM("preset", read_preset),
        LP_QUANTITY("program", LpOcsParams, delay.program, TIME),
        LP_QUANTITY("switch", LpOcsParams, delay.turn, TIME),
        LP_QUANTITY("lock", LpOcsParams, delay.lock, TIME),
    };
    LpOcsParams *o = target;
    LpJsonRange range = {TIME};
    double number;
    LpDiag ignored;
    if (lp_json_kind(value) == LP_JSON_OBJECT)
        return lp_json_read(value, keys, LP_COUNTOF(keys), o, NULL, context, diag);
    if (lp_preset_find(lp_json_text(value)) == NULL &&
        lp_json_quantity(value, &range, &number, &ignored) == LP_OK) {
        o->delay = (LpReconfiguration){.turn = number};
        return LP_OK;
    }
    if (lp_json_kind(value) == LP_JSON_TEXT &&
        strchr("+-.0123456789", *lp_json_text(value)) == NULL)
        return take_preset(value, o, diag);
    return lp_json_quantity(value, &range, &number, diag);
}

/* ---- the object ---- */

#define COUNT(key, field, least) LP_COUNTED(key, LpOcsParams, field, least, LP_CIRCUIT_PORTS_MAX)

static const LpJsonKey ocs_keys[] = {
    COUNT("servers", servers, 1),
    COUNT("aggregators", aggregators, 0),
    COUNT("switches", switches, 1),
    COUNT("nics", nics, 1),
    COUNT("ports_per_aggregator", ports_per_aggregator, 0),
    LP_QUANTITY("server_bandwidth", LpOcsParams, server_bandwidth, BANDWIDTH),
    LP_QUANTITY("uplink_bandwidth", LpOcsParams, uplink_bandwidth, BANDWIDTH),
    LP_QUANTITY("server_delay", LpOcsParams, server_delay, TIME),
    LP_QUANTITY("uplink_delay", LpOcsParams, uplink_delay, TIME),
    {LP_FIELD("servers_forward", LP_KEY_FLAG, LpOcsParams, servers_forward)},
    LP_CUSTOM("plugs", read_plugs), /* after the numbers, which it names */
    LP_CUSTOM("links", read_links),
    {.name = "circuits", .type = LP_KEY_SKIP},
    LP_CUSTOM("reconfiguration", read_delay),
    LP_QUANTITY("interval", LpOcsParams, interval, TIME),
    {.name = "collective", .type = LP_KEY_SKIP},
    {.name = "ring", .type = LP_KEY_SKIP},
    {.name = "io_latency", .type = LP_KEY_SKIP},
};

const LpJsonShape lp_shape_ocs = LP_OBJECT_SHAPE(ocs_keys);

/* What it shares with the fabric packet. */
static LpErr read_packet_keys(LpJsonValue value, LpPacketParams *packet, LpDiag *diag) {
    static const LpJsonKey collective = {
        LP_FIELD("collective", LP_KEY_WORD, LpPacketParams, collective), .words = collective_words};
    static const LpJsonKey ring = {LP_FIELD("ring", LP_KEY_WORD, LpPacketParams, ring),
                                   .words = ring_words};
    static const LpJsonRange time = {TIME};
    LpJsonValue v = lp_json_member(value, collective.name);
    int word;
    if (v.item != NULL) {
        LP_TRY(lp_json_word(v, collective.words, &word, diag));
        packet->collective = (LpAlgorithm)word;
    }
    v = lp_json_member(value, ring.name);
    if (v.item != NULL) {
        LP_TRY(lp_json_word(v, ring.words, &word, diag));
        packet->ring = (LpRingOrder)word;
    }
    v = lp_json_member(value, "io_latency");
    return v.item != NULL ? lp_json_quantity(v, &time, &packet->io_latency, diag) : LP_OK;
}

LpErr lp_load_ocs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpCluster *cluster = target;
    LpOcsParams *o = &cluster->ocs;
    LP_TRY(lp_json_read(value, ocs_keys, LP_COUNTOF(ocs_keys), o, loader->scenario->arena, context,
                        diag));
    LP_TRY(read_packet_keys(value, &cluster->packet, diag));
    LpJsonValue circuits = lp_json_member(value, "circuits");
    if (circuits.item == NULL || !lp_fabric_ops(cluster->fabric)->circuits)
        return LP_OK;
    return read_circuits(circuits, o, loader->scenario->arena, diag);
}
