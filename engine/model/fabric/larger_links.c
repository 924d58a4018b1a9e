/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A listed network with copies of servers: each has the cables that the one has whose copy it is. A
 * node of its own also has copies of the switches that nobody else's servers hang on. */
#include <inttypes.h>
#include <stdio.h>

#include "model/fabric/fabric_impl.h"

enum { DIGITS = 17 }; /* that give a double back */

typedef struct Links {
    const LpNetworkSpec *spec;
    const LpGrowth *growth;
    uint32_t *copy;   /* by switch: number of its copy among the switches, LP_NO_NODE: none */
    uint32_t *copied; /* by server: 1 + the last of its copies among the new ones, 0: none */
    uint32_t switches;
} Links;

static bool is_server(const Links *l, uint32_t node) {
    return node < l->spec->servers;
}

/* Switches that servers hang on, all of which are copied. */
static void find_switches(Links *l) {
    enum { MINE = 1, OTHERS = 2 };
    const LpNetworkSpec *spec = l->spec;
    for (uint32_t s = 0; s < spec->switches; s++)
        l->copy[s] = 0;
    for (uint32_t c = 0; c < spec->cables; c++) {
        uint32_t end[] = {spec->cable[c].a, spec->cable[c].b};
        for (int e = 0; e < 2; e++)
            if (is_server(l, end[e]) && !is_server(l, end[1 - e]))
                l->copy[end[1 - e] - spec->servers] |= l->copied[end[e]] > 0 ? MINE : OTHERS;
    }
    l->switches = spec->switches;
    for (uint32_t s = 0; s < spec->switches; s++)
        l->copy[s] =
            l->growth->node != LP_NO_NODE && l->copy[s] == MINE ? l->switches++ : LP_NO_NODE;
}

static void put_end(LpJsonOut *json, const char *key, const char *kind, uint32_t number) {
    char text[40];
    snprintf(text, sizeof text, "%s %" PRIu32, kind, number);
    lp_json_put_text(json, key, text);
}

/* A node that there is, or, of a switch that is copied, its copy. */
static void put_node(const Links *l, LpJsonOut *json, const char *key, uint32_t node, bool copy) {
    uint32_t s = node - l->spec->servers;
    if (is_server(l, node))
        put_end(json, key, "server", node);
    else
        put_end(json, key, "switch", copy && l->copy[s] != LP_NO_NODE ? l->copy[s] : s);
}

static void put_rest(LpJsonOut *json, const LpCable *cable) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", DIGITS, cable->capacity);
    lp_json_put_raw(json, "bandwidth", text);
    snprintf(text, sizeof text, "%.*g", DIGITS, cable->delay);
    lp_json_put_raw(json, "delay", text);
    lp_json_close(json, '}');
}

/* The cable that a new server has for one of the server that it is a copy of. Cables inside a node
 * that is copied join the copies, once. */
static void put_of_server(const Links *l, const LpCable *cable, uint32_t number, LpJsonOut *json) {
    const uint32_t servers = l->spec->servers, own = l->growth->of[number];
    uint32_t other = cable->a == own ? cable->b : cable->a;
    bool inside = l->growth->node != LP_NO_NODE && is_server(l, other) && l->copied[other] > 0;
    if (inside && cable->b == own)
        return;
    lp_json_open(json, NULL, '{');
    put_end(json, "from", "server", servers + number);
    if (inside)
        put_end(json, "to", "server", servers + l->copied[other] - 1);
    else
        put_node(l, json, "to", other, true);
    put_rest(json, cable);
}

static void put_copies(const Links *l, LpJsonOut *json) {
    const LpNetworkSpec *spec = l->spec;
    for (uint32_t i = 0; i < l->growth->count; i++)
        for (uint32_t c = 0; c < spec->cables; c++)
            if (spec->cable[c].a == l->growth->of[i] || spec->cable[c].b == l->growth->of[i])
                put_of_server(l, &spec->cable[c], i, json);
    for (uint32_t c = 0; c < spec->cables; c++) {
        const LpCable *cable = &spec->cable[c];
        bool switches = !is_server(l, cable->a) && !is_server(l, cable->b);
        if (!switches || (l->copy[cable->a - spec->servers] == LP_NO_NODE &&
                          l->copy[cable->b - spec->servers] == LP_NO_NODE))
            continue;
        lp_json_open(json, NULL, '{');
        put_node(l, json, "from", cable->a, true);
        put_node(l, json, "to", cable->b, true);
        put_rest(json, cable);
    }
}

static void put_links(const Links *l, LpBuf *out) {
    const LpNetworkSpec *spec = l->spec;
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '[');
    for (uint32_t c = 0; c < spec->cables; c++) {
        lp_json_open(&json, NULL, '{');
        put_node(l, &json, "from", spec->cable[c].a, false);
        put_node(l, &json, "to", spec->cable[c].b, false);
        put_rest(&json, &spec->cable[c]);
    }
    put_copies(l, &json);
    lp_json_close(&json, ']');
}

uint32_t lp_links_larger(const LpNetworkSpec *spec, const LpGrowth *growth, LpBuf *out) {
    uint32_t *memory = lp_alloc((size_t)spec->servers + spec->switches, sizeof *memory);
    Links l = {.spec = spec, .growth = growth, .copied = memory};
    if (memory == NULL) {
        out->failed = true;
        return growth->count;
    }
    l.copy = memory + spec->servers;
    for (uint32_t i = 0; i < growth->count; i++)
        l.copied[growth->of[i]] = i + 1;
    find_switches(&l);
    lp_buf_addf(out, "cluster.packet.servers=%" PRIu32 "\n", spec->servers + growth->count);
    if (l.switches > spec->switches)
        lp_buf_addf(out, "cluster.packet.switches=%" PRIu32 "\n", l.switches);
    lp_buf_add(out, "cluster.packet.links=");
    put_links(&l, out);
    lp_free(memory);
    return growth->count;
}
