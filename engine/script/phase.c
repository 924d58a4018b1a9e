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

/* Does the step of an answer in the world that is looked at turn circuits? Notes its turns where
 * the hook is to be asked. */
static bool note_step(lua_State *L, LpPolicy *p, uint32_t job, const LpAnswer *answer) {
    LpDiag diag;
    LpStepOf of;
    uint32_t nodes = 0;
    if (answer->kind != LP_ANSWER_RUN || p->context->scenario->turning.form == LP_TURNING_NONE)
        return false;
    fail(L,
         lp_world_outline(p->world, p->context, job, answer, &of.partition, &of.placement, &diag),
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

bool lp_phase_begin(lua_State *L, LpPolicy *p) {
    return note_step(L, p, p->job, &p->answer);
}

/* ---- asking ---- */

/* The orders at index; nil: the usual ones. */
static LpTurnOrders read_orders(lua_State *L, int index, LpPolicy *p) {
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    for (int o = 0; o < LP_TURN_ORDERS_COUNT; o++)
        if (strcmp(word, lp_turn_orders_name((LpTurnOrders)o)) == 0) {
            p->phases.said++;
            return (LpTurnOrders)o;
        }
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

/* One answer of `each` for each turn, into room and from there into the answer. */
static void ask_all(lua_State *L, LpPolicy *p, LpPriorities *room, LpAnswer *answer,
                    double (*each)(lua_State *L, LpPolicy *p)) {
    void *items = room->item;
    LpDiag diag;
    uint32_t turns = p->phases.count;
    if (turns == 0)
        return;
    if (lp_grow(&items, &room->cap, turns, sizeof *room->item) != LP_OK)
        fail(L, lp_fail_memory(&diag, "the turns of a step"), &diag);
    room->item = items;
    room->count = turns;
    p->phases.asking = true;
    p->phases.said = 0;
    for (p->phases.at = 0; p->phases.at < turns; p->phases.at++)
        room->item[p->phases.at] = each(L, p);
    p->phases.asking = false;
    if (p->phases.said == 0) /* as the scenario says is no choice of its own */
        return;
    answer->flow_priority = room->item;
    answer->flow_priorities = turns;
}

void lp_phase_ask(lua_State *L, LpPolicy *p) {
    ask_all(L, p, &p->flow_order, &p->answer, ask);
}

/* ---- asking for a forecast ---- */

/* Within a call of another hook, whose budget pays. */
static double ask_within(lua_State *L, LpPolicy *p) {
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->hook[LP_HOOK_phase]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->self);
    lua_call(L, lp_hook_push_arguments(L, p, LP_HOOK_phase) + 1, 1);
    LpTurnOrders orders = read_orders(L, top + 1, p);
    lua_settop(L, top);
    return orders == LP_TURN_PROVISIONED;
}

static int foresee_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpAnswer *answer = lua_touserdata(L, 1);
    luaL_checkstack(L, 40, "a forecast");
    ask_all(L, p, &p->try_flow_order, answer, ask_within);
    return 0;
}

/* What the hook remembers of a forecast is forgotten: nothing has happened. */
static void restore_mem(lua_State *L, LpPolicy *p, LpBuf *before) {
    lp_mem_write(L);
    bool same = p->mem_next.len == before->len &&
                (before->len == 0 ||
                 memcmp(lp_buf_text(&p->mem_next), lp_buf_text(before), before->len) == 0);
    if (same)
        return;
    LpBuf kept = p->mem_bytes;
    p->mem_bytes = *before;
    lp_mem_restore(L);
    *before = p->mem_bytes;
    p->mem_bytes = kept;
}

void lp_phase_foresee(lua_State *L, LpPolicy *p, uint32_t job, LpAnswer *answer) {
    if (!p->has_hook[LP_HOOK_phase] || p->phases.asking || answer->flow_priority != NULL ||
        !note_step(L, p, job, answer) || p->phases.count == 0)
        return;
    uint32_t own_job = p->job, pending = p->pending, world_at = p->world_at;
    LpPlace returned = p->sandbox.returned;
    LpRng rng = p->rng != NULL ? *p->rng : (LpRng){0};
    lp_mem_write(L);
    lp_buf_clear(&p->mem_before);
    lp_buf_add_bytes(&p->mem_before, lp_buf_text(&p->mem_next), p->mem_next.len);
    p->job = job;
    p->pending = answer->degree;
    lua_pushcfunction(L, foresee_body);
    lua_pushlightuserdata(L, answer);
    int status = lua_pcall(L, 1, 0, 0);
    p->phases.asking = false;
    p->job = own_job;
    p->pending = pending;
    if (p->rng != NULL)
        *p->rng = rng;
    p->sandbox.returned = returned;
    lp_policy_enter(p, world_at);
    if (status != LUA_OK)
        lua_error(L);
    restore_mem(L, p, &p->mem_before);
}
