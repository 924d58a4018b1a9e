/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the servers of each fabric into racks and groups. */
#include "views/servers/fleet.h"

#include <string.h>

#include "base/mem.h"
#include "model/measure.h"
#include "sim/light/circuits.h"

void lp_fleet_fini(LpFleet *fleet) {
    lp_free(fleet->server);
    lp_free(fleet->place);
    lp_free(fleet->rack);
    lp_free(fleet->group);
    *fleet = (LpFleet){0};
}

/* ---- which rack a server is in ---- */

/* The aggregator that a server's first circuit leads to, as ordered. */
static void find_aggregators(const LpContext *context, const LpWorld *world, uint32_t *rack) {
    const LpOcsParams *o = &context->fabric.cluster->ocs;
    uint32_t ports = lp_world_ports(world);
    for (uint32_t s = 0; s < o->servers; s++)
        rack[s] = o->aggregators;
    for (uint32_t p = ports; p-- > 0;) {
        LpPortView view = lp_world_port(world, context, p);
        uint32_t node = o->plug[p].node;
        if (view.state == LP_LIGHT_DARK || view.out >= ports || node >= o->servers)
            continue;
        if (o->plug[view.out].node >= o->servers)
            rack[node] = o->plug[view.out].node - o->servers;
    }
}

static void find_racks(const LpContext *context, const LpWorld *world, uint32_t *rack) {
    const LpFabric *f = &context->fabric;
    const LpNetwork *n = f->network;
    if (f->ops->circuits) {
        find_aggregators(context, world, rack);
    } else if (n && n->locality_member) {
        for (uint32_t w = 0; w < n->localities; w++)
            for (uint32_t i = n->locality_begin[w]; i < n->locality_begin[w + 1]; i++)
                rack[n->locality_member[i]] = w;
    } else {
        for (uint32_t s = 0; s < f->servers; s++)
            rack[s] = n ? lp_zone_of(f, s) : s / f->per_rack;
    }
}

/* ---- making it ---- */

/* Servers by rack, then by number: counting sort. */
static void sort_servers(LpFleet *fleet, const uint32_t *rack_of) {
    memset(fleet->rack, 0, ((size_t)fleet->racks + 1) * sizeof *fleet->rack);
    for (uint32_t s = 0; s < fleet->servers; s++)
        fleet->rack[rack_of[s] + 1]++;
    for (uint32_t r = 0; r < fleet->racks; r++)
        fleet->rack[r + 1] += fleet->rack[r];
    for (uint32_t s = 0; s < fleet->servers; s++)
        fleet->server[fleet->place[s] = fleet->rack[rack_of[s]]++] = s;
    for (uint32_t r = fleet->racks; r > 0; r--)
        fleet->rack[r] = fleet->rack[r - 1];
    fleet->rack[0] = 0;
}

static LpErr allocate(LpFleet *fleet, uint32_t **rack_of, LpDiag *diag) {
    fleet->server = lp_alloc(fleet->servers, sizeof *fleet->server);
    fleet->place = lp_alloc(fleet->servers, sizeof *fleet->place);
    fleet->rack = lp_alloc((size_t)fleet->racks + 1, sizeof *fleet->rack);
    fleet->group = lp_alloc((size_t)fleet->groups + 1, sizeof *fleet->group);
    *rack_of = lp_alloc(fleet->servers, sizeof **rack_of);
    if (fleet->server && fleet->place && fleet->rack && fleet->group && *rack_of)
        return LP_OK;
    lp_free(*rack_of);
    lp_fleet_fini(fleet);
    return lp_fail_memory(diag, "the board of servers");
}

LpErr lp_fleet_update(LpFleet *fleet, const LpContext *context, const LpWorld *world,
                      LpDiag *diag) {
    const LpFabric *f = &context->fabric;
    LpFabricBoard board;
    uint32_t *rack_of;
    if (fleet->server && context->circuits == NULL)
        return LP_OK;
    f->ops->board(f, &board);
    lp_fleet_fini(fleet);
    fleet->servers = f->servers;
    fleet->rack_word = board.rack;
    fleet->rack_words = board.racks;
    fleet->loose = f->ops->circuits;
    fleet->racks = board.count;
    fleet->row = board.row;
    fleet->layer = board.layer;
    fleet->groups = board.per_group ? fleet->racks / board.per_group : 1;
    fleet->group_word = board.group;
    LP_TRY(allocate(fleet, &rack_of, diag));
    if (fleet->rack_word)
        find_racks(context, world, rack_of);
    sort_servers(fleet, rack_of);
    for (uint32_t g = 0; g <= fleet->groups; g++)
        fleet->group[g] = board.per_group ? g * board.per_group : g * fleet->racks;
    lp_free(rack_of);
    return LP_OK;
}

/* ---- asking ---- */

bool lp_fleet_has(const LpFleet *fleet, LpFleetLevel level) {
    return level == LP_FLEET_SERVERS || (level == LP_FLEET_RACKS && fleet->rack_word) ||
           (level == LP_FLEET_GROUPS && fleet->group_word);
}

uint32_t lp_fleet_units(const LpFleet *fleet, LpFleetLevel level) {
    return level == LP_FLEET_SERVERS ? fleet->servers
           : level == LP_FLEET_RACKS ? fleet->racks
                                     : fleet->groups;
}

uint32_t lp_fleet_begin(const LpFleet *fleet, LpFleetLevel level, uint32_t unit) {
    return level == LP_FLEET_SERVERS ? unit
           : level == LP_FLEET_RACKS ? fleet->rack[unit]
                                     : fleet->rack[fleet->group[unit]];
}

uint32_t lp_fleet_unit(const LpFleet *fleet, LpFleetLevel level, uint32_t place) {
    uint32_t low = 0, high = lp_fleet_units(fleet, level);
    if (level == LP_FLEET_SERVERS)
        return place;
    while (high - low > 1) { /* begin(low) <= place < begin(high) */
        uint32_t middle = low + (high - low) / 2;
        if (lp_fleet_begin(fleet, level, middle) <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void name_rack(const LpFleet *fleet, const LpContext *context, uint32_t rack, LpBuf *out) {
    const LpFabric *f = &context->fabric;
    char name[LP_ZONE_NAME];
    if (fleet->loose && rack + 1 == fleet->racks)
        lp_buf_add(out, "not joined");
    else if (f->ops->sites)
        lp_buf_add(out, lp_zone_name(f, rack, name));
    else if (f->network == NULL && fleet->group_word)
        lp_buf_addf(out, "g%ur%u", (unsigned)(rack / f->racks), (unsigned)(rack % f->racks));
    else
        lp_buf_addf(out, "%s %u", fleet->rack_word, (unsigned)rack);
}

void lp_fleet_name(const LpFleet *fleet, const LpContext *context, LpFleetLevel level,
                   uint32_t unit, LpBuf *out) {
    if (level == LP_FLEET_SERVERS)
        lp_buf_addf(out, "server %u", (unsigned)fleet->server[unit]);
    else if (level == LP_FLEET_RACKS)
        name_rack(fleet, context, unit, out);
    else
        lp_buf_addf(out, "%s %u", fleet->group_word, (unsigned)unit);
}
