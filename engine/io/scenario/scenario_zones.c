/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster.zones": sites, the ways inside and between them, TCP, measurement. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"

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

static const LpJsonKey reach_keys[] = {
    LP_QUANTITY("delay", LpReach, delay, TIME),
    LP_QUANTITY("loss", LpReach, loss, LOSS),
    LP_QUANTITY("bandwidth", LpReach, bandwidth, BANDWIDTH),
};
static const LpJsonShape reach_shape = LP_OBJECT_SHAPE(reach_keys);

static LpErr read_reach(LpJsonValue value, LpReach *reach, LpDiag *diag) {
    return lp_json_read(value, reach_keys, LP_COUNTOF(reach_keys), reach, NULL, NULL, diag);
}

static LpErr read_inside(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target;
    return read_reach(value, &((Defaults *)context)->inside, diag);
}

static LpErr read_between(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target;
    return read_reach(value, &((Defaults *)context)->between, diag);
}

/* ---- servers with cables of their own ---- */

static const LpJsonKey own_keys[] = {
    {LP_FIELD("first", LP_KEY_COUNT, LpOwnLinks, first),
     .range = {.max = LP_NETWORK_SERVERS_MAX - 1}, .required = true},
    LP_COUNTED("count", LpOwnLinks, count, 1, LP_NETWORK_SERVERS_MAX),
    LP_QUANTITY("delay", LpOwnLinks, cable.delay, TIME),
    LP_QUANTITY("loss", LpOwnLinks, cable.loss, LOSS),
    LP_QUANTITY("bandwidth", LpOwnLinks, cable.bandwidth, BANDWIDTH),
    LP_QUANTITY("taken", LpOwnLinks, taken, LOSS),
};
static const LpJsonShape own_shape = LP_OBJECT_SHAPE(own_keys);
static const LpJsonShape *const of_own[] = {&own_shape, NULL};
static const LpJsonShape own_list_shape = {.form = LP_FORM_LIST, .of = of_own};

/* Missing keys are as for the zone's other servers: half of a way inside. */
static LpErr read_own_link(LpJsonValue value, const LpZone *zone, uint32_t free, LpOwnLinks *out,
                           LpDiag *diag) {
    LpOwnLinks own = {.count = 1, .cable = zone->inside};
    own.cable.delay /= 2;
    own.cable.loss /= 2;
    LP_TRY(lp_json_read(value, own_keys, LP_COUNTOF(own_keys), &own, NULL, NULL, diag));
    LpJsonValue first = lp_json_member(value, "first");
    if (free >= zone->servers)
        return lp_json_fail(first, diag, LP_EINVAL,
                            "\"first\" is %" PRIu32 ", but the entries before it already reach the "
                            "last of the %" PRIu32 " servers of zone \"%s\"",
                            own.first, zone->servers, zone->name);
    if (own.first < free || own.first >= zone->servers)
        return lp_json_fail(first, diag, LP_EINVAL,
                            "\"first\" is %" PRIu32 ", expected a server of zone \"%s\" that no "
                            "entry before it has: %" PRIu32 " to %" PRIu32,
                            own.first, zone->name, free, zone->servers - 1);
    if (own.count > zone->servers - own.first)
        return lp_json_fail(lp_json_member(value, "count"), diag, LP_EINVAL,
                            "\"count\" is %" PRIu32 ", expected at most %" PRIu32
                            ": zone \"%s\" has %" PRIu32 " servers and this begins with %" PRIu32,
                            own.count, zone->servers - own.first, zone->name, zone->servers,
                            own.first);
    *out = own;
    return LP_OK;
}

static LpErr read_own_links(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpZone *zone = target;
    LpArena *arena = ((Defaults *)context)->scenario->arena;
    uint32_t free = 0;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    LpOwnLinks *own = lp_arena_alloc(arena, lp_json_count(value) + 1, sizeof *own);
    if (own == NULL)
        return lp_fail_memory(diag, "the links of servers");
    zone->own = own;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v), own++) {
        LP_TRY(read_own_link(v, zone, free, own, diag));
        free = own->first + own->count;
        zone->owns++;
    }
    return LP_OK;
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

static const LpJsonKey zone_keys[] = {
    {LP_FIELD("name", LP_KEY_TEXT, LpZone, name), .required = true},
    {LP_FIELD("servers", LP_KEY_COUNT, LpZone, servers),
     .range = {.min = 1, .max = LP_NETWORK_SERVERS_MAX}, .required = true},
    {.name = "inside", .type = LP_KEY_CUSTOM, .read = read_own_inside, .shape = &reach_shape},
    /* after servers and inside, on which it depends */
    {.name = "own_links", .type = LP_KEY_CUSTOM, .read = read_own_links, .shape = &own_list_shape},
};
static const LpJsonShape zone_shape = LP_OBJECT_SHAPE(zone_keys);
static const LpJsonShape *const of_zone[] = {&zone_shape, NULL};
static const LpJsonShape zone_list_shape = {.form = LP_FORM_LIST, .of = of_zone};

static LpErr read_zone(LpJsonValue value, Defaults *d, LpDiag *diag) {
    LpZone zone = {.inside = d->inside};
    char shown[64];
    LP_TRY(
        lp_json_read(value, zone_keys, LP_COUNTOF(zone_keys), &zone, d->scenario->arena, d, diag));
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

static const LpJsonKey link_keys[] = {
    {.name = "from",
     .type = LP_KEY_CUSTOM,
     .read = read_from,
     .shape = &lp_shape_text,
     .required = true},
    {.name = "to",
     .type = LP_KEY_CUSTOM,
     .read = read_to,
     .shape = &lp_shape_text,
     .required = true},
    LP_QUANTITY("length", Link, length, .max = 1e9),
    LP_QUANTITY("delay", Link, reach.delay, TIME),
    LP_QUANTITY("loss", Link, reach.loss, LOSS),
    LP_QUANTITY("bandwidth", Link, reach.bandwidth, BANDWIDTH),
};
static const LpJsonShape link_shape = LP_OBJECT_SHAPE(link_keys);
static const LpJsonShape *const of_link[] = {&link_shape, NULL};
static const LpJsonShape link_list_shape = {.form = LP_FORM_LIST, .of = of_link};

static LpErr read_link(LpJsonValue value, Defaults *d, LpDiag *diag) {
    Link link = {.reach = {d->between.bandwidth, -1, -1}, .length = 1};
    LP_TRY(lp_json_read(value, link_keys, LP_COUNTOF(link_keys), &link, NULL, d, diag));
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

static const LpJsonKey tcp_keys[] = {
    {LP_FIELD("model", LP_KEY_WORD, LpTcpUse, model), .words = tcp_words},
    LP_QUANTITY("segment", LpTcpUse, segment, .dim = LP_DIM_BYTES, .above = true),
    LP_QUANTITY("window", LpTcpUse, window, .dim = LP_DIM_BYTES),
    LP_QUANTITY("timeout", LpTcpUse, timeout, TIME),
    LP_QUANTITY("acked", LpTcpUse, acked, .min = 1, .max = 1e6),
    LP_QUANTITY("connections", LpTcpUse, connections, .min = 1, .max = 1e6, .whole = true),
};
static const LpJsonShape tcp_shape = LP_OBJECT_SHAPE(tcp_keys);

static LpErr read_tcp(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return lp_json_read(value, tcp_keys, LP_COUNTOF(tcp_keys),
                        &((LpZonesParams *)target)->net.spec.tcp, NULL, NULL, diag);
}

static const LpJsonKey measured_keys[] = {
    LP_QUANTITY("interval", LpMeasureParams, interval, TIME),
    LP_QUANTITY("delay_error", LpMeasureParams, delay_error, ERROR),
    LP_QUANTITY("loss_error", LpMeasureParams, loss_error, ERROR),
    LP_QUANTITY("throughput_error", LpMeasureParams, throughput_error, ERROR),
    {LP_FIELD("seed", LP_KEY_COUNT64, LpMeasureParams, seed)},
};
static const LpJsonShape measured_shape = LP_OBJECT_SHAPE(measured_keys);

static LpErr read_measured(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return lp_json_read(value, measured_keys, LP_COUNTOF(measured_keys),
                        &((LpZonesParams *)target)->measured, NULL, NULL, diag);
}

static const LpJsonKey zones_keys[] = {
    {.name = "inside", .type = LP_KEY_CUSTOM, .read = read_inside, .shape = &reach_shape},
    {.name = "between", .type = LP_KEY_CUSTOM, .read = read_between, .shape = &reach_shape},
    {.name = "zones",
     .type = LP_KEY_CUSTOM,
     .read = read_zones,
     .shape = &zone_list_shape,
     .required = true},
    /* after the zones, which they name */
    {.name = "links", .type = LP_KEY_CUSTOM, .read = read_links, .shape = &link_list_shape},
    {.name = "tcp", .type = LP_KEY_CUSTOM, .read = read_tcp, .shape = &tcp_shape},
    {.name = "measured", .type = LP_KEY_CUSTOM, .read = read_measured, .shape = &measured_shape},
    {LP_FIELD("collective", LP_KEY_WORD, LpZonesParams, net.collective),
     .words = lp_collective_words},
    {LP_FIELD("ring", LP_KEY_WORD, LpZonesParams, net.ring), .words = lp_ring_words},
    {LP_FIELD("sharing", LP_KEY_WORD, LpZonesParams, net.sharing), .words = lp_sharing_words},
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
