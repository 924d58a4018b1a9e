/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hook `phase`: when is each circuit ordered that turns inside the step of a job with a plan?
 * The turns are those of the answer so far, as a run under the usual orders has them. */
#include <stdio.h>
#include <string.h>

#include "script/script_impl.h"
#include "sim/forecast.h"
#include "sim/parallel/rail_light.h"
#include "sim/store/store.h"
#include "sim/world.h"

enum { NODE_UNITS = 8 };

static void fail(lua_State *L, LpErr err, const LpDiag *diag) {
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, diag);
}

/* ---- the turns of the step that was answered ---- */

/* Copies them, so that nothing is held while scripts run. */
static LpErr copy_turns(LpPolicy *p, const LpRailLight *light, LpDiag *diag) {
    LpHookPhases *of = &p->phases;
    void *items = of->turn;
    uint32_t nodes = lp_turn_nodes(light->plan);
    of->count = 0;
    if (lp_grow(&items, &of->cap, lp_light_turns(light) + 1, sizeof *of->turn) != LP_OK)
        return lp_fail_memory(diag, "the turns of a step");
    of->turn = items;
    for (uint32_t i = 0; i < nodes; i++) {
        LpTurnTransfer t = lp_turn_transfer(light->plan, lp_turn_at(light->plan, i));
        if (t.turned)
            of->turn[of->count++] = t;
    }
    return LP_OK;
}

static LpErr note_turns(LpPolicy *p, const LpPartition *partition, uint32_t placement,
                        uint32_t *nodes, LpDiag *diag) {
    LpRailLight light;
    const LpStore *store = p->context->store;
    LP_TRY(lp_store_plan_light(p->context, partition, lp_store_placement(store, placement),
                               (LpOrders){LP_ORDER_SRPT, LP_ORDER_SRPT}, &light, diag));
    p->phases.step_time = lp_light_run(&light).with.time;
    p->phases.delay = light.delay;
    p->phases.orders = light.orders;
    *nodes = lp_turn_nodes(light.plan);
    LpErr err = copy_turns(p, &light, diag);
    lp_light_fini(&light);
    return err;
}

bool lp_phase_begin(lua_State *L, LpPolicy *p) {
    LpDiag diag;
    LpStepOf of;
    uint32_t nodes = 0;
    if (p->answer.kind != LP_ANSWER_RUN || p->context->scenario->turning.form == LP_TURNING_NONE)
        return false;
    fail(L,
         lp_world_outline(p->real, p->context, p->job, &p->answer, &of.partition, &of.placement,
                          &diag),
         &diag);
    if (of.partition == LP_NO_INDEX || of.placement == LP_NO_INDEX)
        return false;
    const LpPartition *partition = lp_store_partition(p->context->store, of.partition);
    if (!lp_store_turns(partition))
        return false;
    p->phases.count = 0;
    if (!p->has_hook[LP_HOOK_phase])
        return true;
    LpErr err = note_turns(p, partition, of.placement, &nodes, &diag);
    if (err != LP_EREFUSED) /* the world says what stands in the way */
        fail(L, err, &diag);
    lp_sandbox_charge(L, NODE_UNITS * (uint64_t)nodes);
    return true;
}

/* ---- asking ---- */

/* The orders at index; nil: the usual ones. */
static LpTurnOrders read_orders(lua_State *L, int index, const LpPolicy *p) {
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    for (int o = 0; o < LP_TURN_ORDERS_COUNT; o++)
        if (strcmp(word, lp_turn_orders_name((LpTurnOrders)o)) == 0)
            return (LpTurnOrders)o;
    if (!lua_isnil(L, index))
        luaL_error(L, "phase is %s; expected \"on-demand\", \"provisioned\" or nil",
                   lp_hook_describe(L, index));
    return p->phases.orders;
}

static double ask(lua_State *L, LpPolicy *p) {
    char doing[80];
    bool reason = p->answer.why != NULL;
    snprintf(doing, sizeof doing, "phase(job %u, turn %u)", (unsigned)p->job,
             (unsigned)p->phases.at + 1);
    int first = lp_hook_call(L, p, LP_HOOK_phase, doing);
    LpTurnOrders orders = read_orders(L, first, p);
    if (!reason) {
        lp_hook_read_why(L, first + 1);
        lp_hook_note_where(p, p->answer.why != NULL);
    }
    lua_settop(L, first - 1);
    return orders == LP_TURN_PROVISIONED;
}

void lp_phase_ask(lua_State *L, LpPolicy *p) {
    LpPriorities *room = &p->flow_order;
    void *items = room->item;
    LpDiag diag;
    uint32_t turns = p->phases.count;
    if (turns == 0)
        return;
    if (lp_grow(&items, &room->cap, turns, sizeof *room->item) != LP_OK)
        fail(L, lp_fail_memory(&diag, "the turns of a step"), &diag);
    room->item = items;
    room->count = turns;
    for (p->phases.at = 0; p->phases.at < turns; p->phases.at++)
        room->item[p->phases.at] = ask(L, p);
    p->answer.flow_priority = room->item;
    p->answer.flow_priorities = turns;
}
