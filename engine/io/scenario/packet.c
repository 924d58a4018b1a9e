/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster.packet": a topology by its sizes, or servers, switches and links. */
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"

static const char *const topology_words[] = {"leaf_spine", "fat_tree", "torus", "links",
                                             NULL};                     /* as LpTopology */
static const char *const route_words[] = {"destination", "hash", NULL}; /* as LpEcmp */
const char *const lp_collective_words[] = {"ring", "tree", "halving_doubling", "hierarchical",
                                           NULL};                          /* as LpAlgorithm */
const char *const lp_ring_words[] = {"aware", "given", NULL};              /* as LpRingOrder */
const char *const lp_sharing_words[] = {"always_on", "interleaved", NULL}; /* as LpSharingMode */

/* ---- a torus's dimensions ---- */

static LpErr read_size(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpNetworkSpec *spec = &((LpPacketParams *)target)->spec;
    uint32_t d = 0;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    if (lp_json_count(value) < 1 || lp_json_count(value) > LP_TORUS_DIMENSIONS)
        return lp_json_fail(value, diag, LP_EINVAL, "\"size\" has %zu entries, expected 1 to %d",
                            lp_json_count(value), (int)LP_TORUS_DIMENSIONS);
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v), d++) {
        uint64_t size;
        LP_TRY(lp_json_u64(v, 2, LP_NETWORK_SERVERS_MAX, &size, diag));
        spec->size[d] = (uint32_t)size;
    }
    spec->dimensions = d;
    return LP_OK;
}

/* ---- links ---- */

/* One entry of "links"; from may be a run of servers, one cable each. */
typedef struct Entry {
    uint32_t from, from_last, to, to_last; /* nodes */
    double bandwidth, delay;
} Entry;

static const char *read_number(const char *text, uint32_t *out) {
    uint64_t value = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9' && digits < 8; text++, digits++)
        value = 10 * value + (uint64_t)(*text - '0');
    *out = (uint32_t)value;
    return digits > 0 ? text : NULL;
}

/* "server 3", "server 0..15", "switch 1". */
static bool read_nodes(const char *text, const LpNetworkSpec *spec, uint32_t *first,
                       uint32_t *last) {
    static const char *const kinds[] = {"server ", "switch "};
    int kind = strncmp(text, kinds[0], strlen(kinds[0])) == 0 ? 0 : 1;
    if (strncmp(text, kinds[kind], strlen(kinds[kind])) != 0)
        return false;
    const char *end = read_number(text + strlen(kinds[kind]), first);
    if (end == NULL)
        return false;
    *last = *first;
    if (strncmp(end, "..", 2) == 0)
        end = read_number(end + 2, last);
    uint32_t count = kind == 0 ? spec->servers : spec->switches;
    if (end == NULL || *end != '\0' || *first > *last || *last >= count)
        return false;
    *first += kind == 0 ? 0 : spec->servers;
    *last += kind == 0 ? 0 : spec->servers;
    return true;
}

static LpErr read_end(LpJsonValue value, const LpNetworkSpec *spec, bool run, uint32_t *first,
                      uint32_t *last, LpDiag *diag) {
    char found[80];
    const char *text = lp_json_text(value);
    if (text != NULL && read_nodes(text, spec, first, last) && (run || *first == *last))
        return LP_OK;
    return lp_json_fail(value, diag, LP_EINVAL,
                        "\"%s\" is %s, expected \"server N\"%s or \"switch N\" of %u servers and "
                        "%u switches",
                        lp_json_key(value), lp_json_found(value, found, sizeof found),
                        run ? ", \"server A..B\"" : "", spec->servers, spec->switches);
}

static LpErr read_from(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Entry *e = target;
    return read_end(value, context, true, &e->from, &e->from_last, diag);
}

static LpErr read_to(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Entry *e = target;
    return read_end(value, context, false, &e->to, &e->to_last, diag);
}

static LpErr read_entry(LpJsonValue value, const LpNetworkSpec *spec, Entry *e, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "from", .type = LP_KEY_CUSTOM, .read = read_from, .required = true},
        {.name = "to", .type = LP_KEY_CUSTOM, .read = read_to, .required = true},
        {LP_FIELD("bandwidth", LP_KEY_QUANTITY, Entry, bandwidth),
         .range = {.dim = LP_DIM_BANDWIDTH, .above = true}, .required = true},
        LP_QUANTITY("delay", Entry, delay, .dim = LP_DIM_TIME),
    };
    LpNetworkSpec copy = *spec; /* readers take their context without const */
    *e = (Entry){0};
    return lp_json_read(value, keys, LP_COUNTOF(keys), e, NULL, &copy, diag);
}

static LpErr count_cables(LpJsonValue list, const LpNetworkSpec *spec, uint64_t *cables,
                          LpDiag *diag) {
    *cables = 0;
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        Entry e;
        LP_TRY(read_entry(v, spec, &e, diag));
        *cables += (uint64_t)e.from_last - e.from + 1;
    }
    if (*cables <= LP_NETWORK_CABLES_MAX)
        return LP_OK;
    return lp_json_fail(list, diag, LP_ELIMIT, "\"links\" are more than %d, the most there may be",
                        (int)LP_NETWORK_CABLES_MAX);
}

static LpErr read_links(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpNetworkSpec *spec = &((LpPacketParams *)target)->spec;
    uint64_t cables;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    LP_TRY(count_cables(value, spec, &cables, diag));
    LpCable *cable = lp_arena_alloc(loader->scenario->arena, (size_t)cables, sizeof *cable);
    if (cable == NULL)
        return lp_fail_memory(diag, "the links of a network");
    spec->cable = cable;
    spec->cables = (uint32_t)cables;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        Entry e;
        LP_TRY(read_entry(v, spec, &e, diag));
        for (uint32_t from = e.from; from <= e.from_last; from++)
            *cable++ = (LpCable){from, e.to, e.bandwidth, e.delay};
    }
    return LP_OK;
}

/* ---- the object ---- */

#define TIME .dim = LP_DIM_TIME
#define BANDWIDTH .dim = LP_DIM_BANDWIDTH, .above = true
#define COUNT(key, field) LP_COUNTED(key, LpPacketParams, spec.field, 1, LP_NETWORK_SERVERS_MAX)

static const LpJsonKey packet_keys[] = {
    {LP_FIELD("topology", LP_KEY_WORD, LpPacketParams, spec.topology), .words = topology_words},
    COUNT("leaves", leaves),
    COUNT("spines", spines),
    COUNT("servers_per_leaf", servers_per_leaf),
    LP_COUNTED("k", LpPacketParams, spec.k, 2, 128),
    LP_CUSTOM("size", read_size),
    LP_QUANTITY("server_bandwidth", LpPacketParams, spec.server_bandwidth, BANDWIDTH),
    LP_QUANTITY("uplink_bandwidth", LpPacketParams, spec.uplink_bandwidth, BANDWIDTH),
    LP_QUANTITY("server_delay", LpPacketParams, spec.server_delay, TIME),
    LP_QUANTITY("uplink_delay", LpPacketParams, spec.uplink_delay, TIME),
    COUNT("servers", servers), /* before the links, which name them */
    LP_COUNTED("switches", LpPacketParams, spec.switches, 0, LP_NETWORK_SERVERS_MAX),
    {LP_FIELD("servers_forward", LP_KEY_FLAG, LpPacketParams, spec.servers_forward)},
    LP_CUSTOM("links", read_links),
    {LP_FIELD("routes", LP_KEY_WORD, LpPacketParams, spec.ecmp), .words = route_words},
    {LP_FIELD("route_seed", LP_KEY_COUNT64, LpPacketParams, spec.seed)},
    {LP_FIELD("collective", LP_KEY_WORD, LpPacketParams, collective), .words = lp_collective_words},
    {LP_FIELD("ring", LP_KEY_WORD, LpPacketParams, ring), .words = lp_ring_words},
    LP_QUANTITY("io_latency", LpPacketParams, io_latency, TIME),
    {LP_FIELD("sharing", LP_KEY_WORD, LpPacketParams, sharing), .words = lp_sharing_words},
};

const LpJsonShape lp_shape_packet = LP_OBJECT_SHAPE(packet_keys);

LpErr lp_load_packet(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpCluster *cluster = target;
    return lp_json_read(value, packet_keys, LP_COUNTOF(packet_keys), &cluster->packet, NULL,
                        context, diag);
}
