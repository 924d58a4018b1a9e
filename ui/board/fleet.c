/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the servers of each fabric into racks and groups. */
#include "board/fleet.h"

#include <string.h>

#include "base/mem.h"
#include "sim/light/circuits.h"

void lp_fleet_fini(LpFleet *fleet) {
    lp_free(fleet->server);
    lp_free(fleet->place);
    lp_free(fleet->rack);
    lp_free(fleet->group);
    *fleet = (LpFleet){0};
}

/* Which rack each server is in: where circuits lead, they decide. */
static LpErr find_racks(const LpContext *context, const LpWorld *world, uint32_t *rack,
                        LpDiag *diag) {
    uint32_t ports = context->circuits != NULL ? lp_world_ports(world) : 0, *joined = NULL;
    if (ports > 0 && (joined = lp_alloc(ports, sizeof *joined)) == NULL)
        return lp_fail_memory(diag, "the board of servers");
    for (uint32_t p = 0; p < ports; p++) {
        LpPortView view = lp_world_port(world, context, p);
        joined[p] = view.state == LP_LIGHT_DARK ? LP_NO_PORT : view.out;
    }
    lp_board_racks(&context->fabric, joined, rack);
    lp_free(joined);
    return LP_OK;
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
    LpBoardPlan board = lp_board_plan(&context->fabric);
    uint32_t *rack_of, per_group = board.per_group ? board.per_group : board.count;
    if (fleet->server && context->circuits == NULL)
        return LP_OK;
    lp_fleet_fini(fleet);
    *fleet = (LpFleet){board, .servers = board.servers, .racks = board.count};
    fleet->groups = board.count / per_group;
    LP_TRY(allocate(fleet, &rack_of, diag));
    LpErr err = fleet->plan.rack ? find_racks(context, world, rack_of, diag) : LP_OK;
    if (err == LP_OK)
        sort_servers(fleet, rack_of);
    else
        lp_fleet_fini(fleet);
    for (uint32_t g = 0; err == LP_OK && g <= fleet->groups; g++)
        fleet->group[g] = g * per_group;
    lp_free(rack_of);
    return err;
}

/* ---- asking ---- */

bool lp_fleet_has(const LpFleet *fleet, LpFleetLevel level) {
    return level == LP_FLEET_SERVERS || (level == LP_FLEET_RACKS && fleet->plan.rack) ||
           (level == LP_FLEET_GROUPS && fleet->plan.group);
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

void lp_fleet_name(const LpFleet *fleet, const LpContext *context, LpFleetLevel level,
                   uint32_t unit, LpBuf *out) {
    char name[LP_SERVER_TEXT];
    if (level == LP_FLEET_SERVERS)
        lp_buf_addf(out, "server %s",
                    lp_cluster_server(context->fabric.cluster, fleet->server[unit], name));
    else if (level == LP_FLEET_RACKS)
        lp_board_rack_name(&context->fabric, unit, out);
    else
        lp_buf_addf(out, "%s %u", fleet->plan.group, (unsigned)unit);
}
