/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a spec of zones may say, and which of their servers are alike. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "model/network/network_impl.h"

enum { KEY = 96 };

static LpErr fail_value(const char *where, const char *key, double value, const char *expected,
                        LpDiag *diag) {
    char text[LP_NUM_TEXT];
    return lp_fail(diag, LP_EINVAL, "%s%s is %s: expected %s", where, key,
                   isfinite(value) ? lp_num_print(value, text) : "not finite", expected);
}

static LpErr check_reach(const char *where, const LpReach *reach, LpDiag *diag) {
    if (!(reach->bandwidth > 0) || !isfinite(reach->bandwidth))
        return fail_value(where, "bandwidth", reach->bandwidth, "more than 0 bytes/s", diag);
    if (!(reach->delay >= 0) || !isfinite(reach->delay))
        return fail_value(where, "delay", reach->delay, "0 s or more", diag);
    if (!(reach->loss >= 0 && reach->loss < 1))
        return fail_value(where, "loss", reach->loss, "0 or more and less than 1", diag);
    return LP_OK;
}

static LpErr check_own(const LpZone *zone, uint32_t z, LpDiag *diag) {
    char where[KEY];
    uint32_t free = 0;
    for (uint32_t i = 0; i < zone->owns; i++) {
        const LpOwnLinks *own = &zone->own[i];
        snprintf(where, sizeof where, "zones[%" PRIu32 "].own_links[%" PRIu32 "].", z, i);
        if (own->first < free || own->first >= zone->servers || own->count < 1 ||
            own->count > zone->servers - own->first)
            return lp_fail(diag, LP_EINVAL,
                           "%sfirst is %" PRIu32 " and count %" PRIu32
                           ": expected servers from %" PRIu32 " to %" PRIu32,
                           where, own->first, own->count, free, zone->servers - 1);
        LP_TRY(check_reach(where, &own->cable, diag));
        if (!(own->taken >= 0 && own->taken < 1))
            return fail_value(where, "taken", own->taken, "0 or more and less than 1", diag);
        free = own->first + own->count;
    }
    return LP_OK;
}

static LpErr check_sizes(const LpNetworkSpec *spec, LpDiag *diag) {
    char where[KEY];
    if (spec->zones < 1 || spec->zones > LP_ZONES_MAX)
        return lp_fail(diag, LP_EINVAL, "zones has %" PRIu32 " entries: expected 1 to %d",
                       spec->zones, (int)LP_ZONES_MAX);
    for (uint32_t z = 0; z < spec->zones; z++) {
        if (spec->zone[z].servers < 1)
            return lp_fail(diag, LP_EINVAL, "zones[%" PRIu32 "].servers is 0: expected at least 1",
                           z);
        snprintf(where, sizeof where, "zones[%" PRIu32 "].inside.", z);
        LP_TRY(check_reach(where, &spec->zone[z].inside, diag));
        LP_TRY(check_own(&spec->zone[z], z, diag));
    }
    return LP_OK;
}

LpErr lp_network_check_zones(const LpNetworkSpec *spec, LpDiag *diag) {
    char where[KEY];
    LP_TRY(check_sizes(spec, diag));
    for (uint32_t a = 0; a < spec->zones; a++)
        for (uint32_t b = a + 1; b < spec->zones; b++) {
            const LpReach *reach = &spec->between[lp_zone_pair(spec->zones, a, b)];
            snprintf(where, sizeof where, "links from %.31s to %.31s: ", spec->zone[a].name,
                     spec->zone[b].name);
            LP_TRY(check_reach(where, reach, diag));
        }
    if (!(spec->tcp.segment > 0) || !isfinite(spec->tcp.segment))
        return fail_value("tcp.", "segment", spec->tcp.segment, "more than 0 bytes", diag);
    if (!(spec->tcp.window >= 0))
        return fail_value("tcp.", "window", spec->tcp.window, "0 bytes or more", diag);
    if (!(spec->tcp.timeout >= 0) || !isfinite(spec->tcp.timeout))
        return fail_value("tcp.", "timeout", spec->tcp.timeout, "0 s or more", diag);
    if (!(spec->tcp.acked >= 1) || !isfinite(spec->tcp.acked))
        return fail_value("tcp.", "acked", spec->tcp.acked, "1 segment or more", diag);
    if (!(spec->tcp.connections >= 1) || !isfinite(spec->tcp.connections))
        return fail_value("tcp.", "connections", spec->tcp.connections, "1 or more", diag);
    return LP_OK;
}

/* ---- servers that differ ---- */

/* A server's cable has its number. */
bool lp_network_same_cable(const LpNetwork *n, uint32_t a, uint32_t b) {
    size_t x = 2 * (size_t)a, y = 2 * (size_t)b;
    return n->capacity[x] == n->capacity[y] && n->delay[x] == n->delay[y] &&
           n->loss[x] == n->loss[y];
}

static bool is_usual(const LpNetwork *n, uint32_t zone, uint32_t server) {
    const LpReach *inside = &n->spec.zone[zone].inside;
    size_t link = 2 * (size_t)server;
    return n->capacity[link] == inside->bandwidth && n->delay[link] == inside->delay / 2 &&
           n->loss[link] == inside->loss / 2;
}

LpErr lp_network_compare_cables(LpNetwork *n, LpArena *arena) {
    uint32_t *alike = lp_arena_raw(arena, n->servers, sizeof *alike);
    uint32_t *usual = lp_arena_raw(arena, n->localities, sizeof *usual);
    uint32_t *others = lp_arena_alloc(arena, n->localities, sizeof *others);
    if (alike == NULL || usual == NULL || others == NULL)
        return LP_ENOMEM;
    for (uint32_t z = 0; z < n->localities; z++) {
        uint32_t begin = n->locality_begin[z], end = n->locality_begin[z + 1], s = begin;
        while (s < end && !is_usual(n, z, s))
            s++;
        usual[z] = s < end ? s : begin;
        for (s = begin; s < end; s++) {
            alike[s] = s > begin && lp_network_same_cable(n, s - 1, s) ? alike[s - 1] : s;
            others[z] += !lp_network_same_cable(n, usual[z], s);
        }
    }
    n->alike = alike;
    n->usual = usual;
    n->others = others;
    return LP_OK;
}
