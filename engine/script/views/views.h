/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The door of the room: what the host of policies needs of views beside the views themselves
 * (script/views/proxy.h), and of what scripts hand back about them. */
#ifndef LP_SCRIPT_VIEWS_H
#define LP_SCRIPT_VIEWS_H

#include "script/policy/policy_impl.h"
#include "script/views/proxy.h"

/* ---- classes.c ---- */

/* Makes the metatables of all views; inside a protected call. */
void lp_views_open(lua_State *L);

/* ---- network.c ---- */

/* Replaces the name of a network's file on top of the stack by the network. Raises; `given`: the
 * name is not the default; param is kept. */
void lp_network_push(lua_State *L, const char *param, const LpPolicyParam *given);

/* ---- actions.c ---- */

/* Appends the action at index to p->read; `what` names it in messages ("action 2"). */
void lp_action_read(lua_State *L, int index, const char *what);
/* Forgets the actions read. */
void lp_action_reset(LpPolicy *p);
/* Action i of those read; its servers are valid until another one is read. */
LpAction lp_action_get(const LpPolicy *p, uint32_t i);
/* Results of order_queue into p->queue, of review into p->read. */
void lp_hook_read_queue(lua_State *L, int index);
void lp_hook_read_review(lua_State *L, int index);

/* ---- optics.c ---- */

/* Pushes the table that configure and cluster:optics() show; the fabric has circuit switches. */
void lp_optics_push(lua_State *L);
/* Push the turn inside a step that the hook `phase` is asked about, and the light it belongs to. */
void lp_phase_push(lua_State *L, LpPolicy *p);
void lp_phase_push_light(lua_State *L, LpPolicy *p);
/* Appends the links in the list on top of the stack to p->link; returns how many. */
uint32_t lp_optics_read_links(lua_State *L, const char *what);

#endif
