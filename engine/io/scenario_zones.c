/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster.zones": sites, the ways inside and between them, TCP, measurement. */
#include <stdio.h>
#include <string.h>

#include "io/loader.h"

static const char *const tcp_words[] = {"mathis", "padhye", NULL}; /* as LpTcpModel */

#define TIME .dim = LP_DIM_TIME
#define BANDWIDTH .dim = LP_DIM_BANDWIDTH, .above = true
#define LOSS .max = 0x1.fffffffffffffp-1
#define ERROR .max = 1

/* What is read before the network's lists can be made. */
typedef struct Defaults {
    LpReach inside, between;
    LpZone *zone;
    LpReach *pair;
    uint32_t zones;
    LpScenario *scenario;
} Defaults;

static LpErr read_reach(LpJsonValue value, LpReach *reach, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        LP_QUANTITY("delay", LpReach, delay, TIME),
        LP_QUANTITY("loss", LpReach, loss, LOSS),
        LP_QUANTITY("bandwidth", LpReach, bandwidth, BANDWIDTH),
    };
    return lp_json_read(value, keys, LP_COUNTOF(keys), reach, NULL, NULL, diag);
}

static LpErr read_inside(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target;
    return read_reach(value, &((Defaults *)context)->inside, diag);
}

static LpErr read_between(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target;
    return read_reach(value, &((Defaults *)context)->between, diag);
}

/* ---- zones ---- */

static LpErr read_own_inside(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return read_reach(value, &((LpZone *)target)->inside, diag);
}

static int find_zone(const Defaults *d, const char *name) {
    for (uint32_t z = 0; name != NULL && z < d->zones; z++)
        if (strcmp(d->zone[z].name, name) == 0)
            return (int)z;
    return -1;
}

static LpErr read_zone(LpJsonValue value, Defaults *d, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {LP_FIELD("name", LP_KEY_TEXT, LpZone, name), .required = true},
        {LP_FIELD("servers", LP_KEY_COUNT, LpZone, servers),
         .range = {.min = 1, .max = LP_NETWORK_SERVERS_MAX}, .required = true},
        LP_CUSTOM("inside", read_own_inside),
    };
    LpZone zone = {.inside = d->inside};
    char shown[64];
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), &zone, d->scenario->arena, NULL, diag));
    if (zone.name[0] == '\0' || strlen(zone.name) > 31 || find_zone(d, zone.name) >= 0)
        return lp_json_fail(lp_json_member(value, "name"), diag, LP_EINVAL,
                            "\"name\" is \"%s\", expected 1 to 31 bytes that no other zone has",
                            lp_str_show(shown, sizeof shown, zone.name));
    d->zone[d->zones++] = zone;
    return LP_OK;
}

/* Every pair as "between" says; "links" change some. */
static LpErr read_zones(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Defaults *d = context;
    (void)target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value), pairs = count * (count > 0 ? count - 1 : 0) / 2;
    if (count < 1 || count > LP_ZONES_MAX)
        return lp_json_fail(value, diag, LP_EINVAL, "\"zones\" has %zu entries, expected 1 to %d",
                            count, (int)LP_ZONES_MAX);
    d->zone = lp_arena_alloc(d->scenario->arena, count, sizeof *d->zone);
    d->pair = lp_arena_alloc(d->scenario->arena, pairs + 1, sizeof *d->pair);
    if (d->zone == NULL || d->pair == NULL)
        return lp_fail_memory(diag, "the zones of a network");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_zone(v, d, diag));
    for (size_t i = 0; i < pairs; i++)
        d->pair[i] = d->between;
    return LP_OK;
}

/* ---- links ---- */

typedef struct Link {
    uint32_t from, to;
    LpReach reach; /* delay and loss below 0: not said */
    double length;
} Link;

static LpErr read_end(LpJsonValue value, const Defaults *d, uint32_t *out, LpDiag *diag) {
    char found[80], names[160] = "";
    int zone = find_zone(d, lp_json_text(value));
    if (zone >= 0) {
        *out = (uint32_t)zone;
        return LP_OK;
    }
    for (uint32_t z = 0; z < d->zones && strlen(names) < 100; z++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s\"%s\"", z > 0 ? ", " : "",
                 d->zone[z].name);
    return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" is %s, expected a zone such as %s",
                        lp_json_key(value), lp_json_found(value, found, sizeof found), names);
}

static LpErr read_from(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_end(value, context, &((Link *)target)->from, diag);
}

static LpErr read_to(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_end(value, context, &((Link *)target)->to, diag);
}

static LpErr read_link(LpJsonValue value, Defaults *d, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "from", .type = LP_KEY_CUSTOM, .read = read_from, .required = true},
        {.name = "to", .type = LP_KEY_CUSTOM, .read = read_to, .required = true},
        LP_QUANTITY("length", Link, length, .max = 1e9),
        LP_QUANTITY("delay", Link, reach.delay, TIME),
        LP_QUANTITY("loss", Link, reach.loss, LOSS),
        LP_QUANTITY("bandwidth", Link, reach.bandwidth, BANDWIDTH),
    };
    Link link = {.reach = {d->between.bandwidth, -1, -1}, .length = 1};
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), &link, NULL, d, diag));
    if (link.from == link.to)
        return lp_json_fail(lp_json_member(value, "to"), diag, LP_EINVAL,
                            "\"to\" is the zone where the link begins, expected another one");
    uint32_t a = link.from < link.to ? link.from : link.to;
    uint32_t b = link.from < link.to ? link.to : link.from;
    if (link.reach.delay < 0)
        link.reach.delay = d->between.delay * link.length;
    if (link.reach.loss < 0)
        link.reach.loss = d->between.loss * link.length;
    if (!(link.reach.loss < 1))
        return lp_json_fail(lp_json_member(value, "length"), diag, LP_EINVAL,
                            "\"length\" makes the loss of \"between\" 1 or more, expected less");
    d->pair[lp_zone_pair(d->zones, a, b)] = link.reach;
    return LP_OK;
}

static LpErr read_links(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_link(v, context, diag));
    return LP_OK;
}

/* ---- TCP and measurement ---- */

static LpErr read_tcp(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {LP_FIELD("model", LP_KEY_WORD, LpTcpUse, model), .words = tcp_words},
        LP_QUANTITY("segment", LpTcpUse, segment, .dim = LP_DIM_BYTES, .above = true),
        LP_QUANTITY("window", LpTcpUse, window, .dim = LP_DIM_BYTES),
        LP_QUANTITY("timeout", LpTcpUse, timeout, TIME),
        LP_QUANTITY("acked", LpTcpUse, acked, .min = 1, .max = 1e6),
        LP_QUANTITY("connections", LpTcpUse, connections, .min = 1, .max = 1e6, .whole = true),
    };
    (void)context;
    return lp_json_read(value, keys, LP_COUNTOF(keys), &((LpZonesParams *)target)->net.spec.tcp,
                        NULL, NULL, diag);
}

static LpErr read_measured(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        LP_QUANTITY("interval", LpMeasureParams, interval, TIME),
        LP_QUANTITY("delay_error", LpMeasureParams, delay_error, ERROR),
        LP_QUANTITY("loss_error", LpMeasureParams, loss_error, ERROR),
        LP_QUANTITY("throughput_error", LpMeasureParams, throughput_error, ERROR),
        {LP_FIELD("seed", LP_KEY_COUNT64, LpMeasureParams, seed)},
    };
    (void)context;
    return lp_json_read(value, keys, LP_COUNTOF(keys), &((LpZonesParams *)target)->measured, NULL,
                        NULL, diag);
}

static const LpJsonKey zones_keys[] = {
    LP_CUSTOM("inside", read_inside),
    LP_CUSTOM("between", read_between),
    {.name = "zones", .type = LP_KEY_CUSTOM, .read = read_zones, .required = true},
    LP_CUSTOM("links", read_links), /* after the zones, which they name */
    LP_CUSTOM("tcp", read_tcp),
    LP_CUSTOM("measured", read_measured),
    {LP_FIELD("collective", LP_KEY_WORD, LpZonesParams, net.collective),
     .words = lp_collective_words},
    {LP_FIELD("ring", LP_KEY_WORD, LpZonesParams, net.ring), .words = lp_ring_words},
    LP_QUANTITY("io_latency", LpZonesParams, net.io_latency, TIME),
};

const LpJsonShape lp_shape_zones = LP_OBJECT_SHAPE(zones_keys);

/* ---- the object ---- */
LpErr lp_load_zones(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLoader *loader = context;
    LpZonesParams *zones = &((LpCluster *)target)->zones;
    Defaults d = {.inside = {1.25e9, 50e-6, 0},
                  .between = {1.25e9, 5e-3, 1e-5},
                  .scenario = loader->scenario};
    LP_TRY(lp_json_read(value, zones_keys, LP_COUNTOF(zones_keys), zones, loader->scenario->arena,
                        &d, diag));
    zones->net.spec.zones = d.zones;
    zones->net.spec.zone = d.zone;
    zones->net.spec.between = d.pair;
    return LP_OK;
}
