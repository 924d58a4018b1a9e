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

/* --- which rack a server is in --- */

/* One, several. */
static const char *const *rack_words(const LpFabric *f) {
    static const char *const words[LP_TOPOLOGY_COUNT][2] = {
        [LP_TOPOLOGY_LEAF_SPINE] = {"leaf", "leaves"}, [LP_TOPOLOGY_FAT_TREE] = {"edge", "edges"},
        [LP_TOPOLOGY_TORUS] = {"row", "rows"},         [LP_TOPOLOGY_LINKS] = {"switch", "switches"},
        [LP_TOPOLOGY_ZONES] = {"site", "sites"},
    };
    static const char *const aggregator[2] = {"aggregator", "aggregators"};
    static const char *const rack[2] = {"rack", "racks"}, *const none[2] = {NULL, NULL};
    if (f->cluster->fabric == LP_FABRIC_OCS)
        return aggregator;
    if (f->network)
        return words[f->network->spec.topology];
    return f->groups > 1 || f->racks > 1 ? rack : none;
}

/* Racks of a group that is one step further out; 0: there are no groups. */
static uint32_t racks_of_group(const LpFabric *f) {
    if (f->network == NULL)
        return f->groups > 1 ? f->racks : 0;
    bool pods =
        f->network->spec.topology == LP_TOPOLOGY_FAT_TREE && f->cluster->fabric == LP_FABRIC_PACKET;
    return pods ? f->network->spec.k / 2 : 0;
}

static uint32_t count_racks(const LpContext *context) {
    const LpFabric *f = &context->fabric;
    if (f->cluster->fabric == LP_FABRIC_OCS)
        return f->cluster->ocs.aggregators + 1; /* the last: joined to none */
    return f->network ? lp_zone_count(f) : f->groups * f->racks;
}

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
    if (f->cluster->fabric == LP_FABRIC_OCS) {
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

/* --- making it --- */

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
    uint32_t *rack_of, per_group = racks_of_group(f);
    if (fleet->server && context->circuits == NULL)
        return LP_OK;
    lp_fleet_fini(fleet);
    fleet->servers = f->servers;
    fleet->rack_word = rack_words(f)[0];
    fleet->rack_words = rack_words(f)[1];
    fleet->loose = f->cluster->fabric == LP_FABRIC_OCS;
    fleet->racks = fleet->rack_word ? count_racks(context) : 1;
    fleet->groups = per_group ? fleet->racks / per_group : 1;
    fleet->group_word = per_group == 0 ? NULL : f->network ? "pod" : "group";
    LP_TRY(allocate(fleet, &rack_of, diag));
    if (fleet->rack_word)
        find_racks(context, world, rack_of);
    sort_servers(fleet, rack_of);
    for (uint32_t g = 0; g <= fleet->groups; g++)
        fleet->group[g] = per_group ? g * per_group : g * fleet->racks;
    lp_free(rack_of);
    return LP_OK;
}

/* --- asking --- */

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
    else if (f->cluster->fabric == LP_FABRIC_ZONES)
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
