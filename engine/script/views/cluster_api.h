/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods of the cluster view, spread over files. */
#ifndef LP_SCRIPT_VIEWS_CLUSTER_API_H
#define LP_SCRIPT_VIEWS_CLUSTER_API_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "script/policy/policy_impl.h"

int lp_api_fits(lua_State *L);    /* cluster_blocks.c */
int lp_api_free_at(lua_State *L); /* cluster_blocks.c */
int lp_api_blocks(lua_State *L);  /* cluster_blocks.c */
int lp_api_count_blocks(lua_State *L);
int lp_api_each_block(lua_State *L);
int lp_api_best_block(lua_State *L);
int lp_api_predict(lua_State *L); /* cluster_predict.c */
int lp_api_cost(lua_State *L);    /* cluster_try.c */
int lp_api_after(lua_State *L);   /* cluster_try.c */
int lp_api_stops(lua_State *L);   /* cluster_stops.c */
int lp_api_passes_at(lua_State *L);
int lp_api_plans(lua_State *L);  /* cluster_plans.c */
int lp_api_slices(lua_State *L); /* slices.c */
int lp_api_cube(lua_State *L);   /* cluster_cube.c */
int lp_api_levels(lua_State *L); /* cluster_tree.c */
int lp_api_nodes(lua_State *L);
int lp_api_free_in(lua_State *L);
int lp_api_fits_place(lua_State *L);
int lp_api_tree_place(lua_State *L);
int lp_api_why(lua_State *L);
int lp_api_link(lua_State *L); /* cluster_link.c */
int lp_api_zones(lua_State *L);
int lp_api_free_server(lua_State *L);
int lp_api_optics(lua_State *L);  /* optics.c */
int lp_api_observe(lua_State *L); /* network.c; of the job view */

/* Servers of the block that a job with a graph would take at this degree, 0: as partition answered;
 * 0 where it cannot be split so. Costs what cluster:predict does. */
uint32_t lp_api_block_size(lua_State *L, uint32_t job, uint32_t degree);
/* Makes `room`, of lp_room_bytes bytes, what is free now. */
void lp_api_reset_room(lua_State *L, const LpPolicy *p, LpRoom *room);
/* Frees in it the servers in service of a running job; returns how many. O(servers of the job). */
uint32_t lp_api_free_job(lua_State *L, const LpPolicy *p, LpRoom *room, uint32_t job);
/* Is there a block of n servers in that room? */
bool lp_api_any_block(lua_State *L, uint32_t n, const LpRoom *room);
/* cluster:free_at of a job: the time from which there is a place for it. */
int lp_api_place_at(lua_State *L);
/* Fills the policy's list `degrees`; returns how many. */
uint32_t lp_api_degrees(lua_State *L, uint32_t job, uint32_t max);

#endif
