/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How servers lie together: servers in racks, racks in groups, by what the fabric calls so (leaves,
 * edge switches and pods, rows of a torus, sites, aggregators). */
#ifndef LP_UI_BOARD_FLEET_H
#define LP_UI_BOARD_FLEET_H

#include "base/err.h"
#include "base/str.h"
#include "model/fabric/board.h"
#include "sim/context.h"
#include "sim/state/state.h"

typedef enum LpFleetLevel {
    LP_FLEET_SERVERS,
    LP_FLEET_RACKS,
    LP_FLEET_GROUPS,
    LP_FLEET_LEVELS
} LpFleetLevel;

/* Servers have places 0, 1, 2 ...: those of a rack stand together, and so do the racks of a group.
 * Zero-initialise. */
typedef struct LpFleet {
    LpBoardPlan plan;
    uint32_t servers, racks, groups; /* racks, groups: 1 where there are none */
    uint32_t *server;                /* at each place */
    uint32_t *place;                 /* of each server */
    uint32_t *rack;                  /* racks + 1: its first place */
    uint32_t *group;                 /* groups + 1: its first rack */
} LpFleet;

/* Makes it anew where circuit switches may have moved servers, else only once. Errors: LP_ENOMEM,
 * the fleet is empty then. O(servers). */
LpErr lp_fleet_update(LpFleet *fleet, const LpContext *context, const LpWorld *world,
                      LpDiag *diag) LP_MUST_USE;
void lp_fleet_fini(LpFleet *fleet);

bool lp_fleet_has(const LpFleet *fleet, LpFleetLevel level);
/* Units of a level, the first place of one (unit <= units), and the unit of a place. O(log). */
uint32_t lp_fleet_units(const LpFleet *fleet, LpFleetLevel level);
uint32_t lp_fleet_begin(const LpFleet *fleet, LpFleetLevel level, uint32_t unit);
uint32_t lp_fleet_unit(const LpFleet *fleet, LpFleetLevel level, uint32_t place);
/* "server 17", "g2r1", "leaf 3", "north". */
void lp_fleet_name(const LpFleet *fleet, const LpContext *context, LpFleetLevel level,
                   uint32_t unit, LpBuf *out);

#endif
