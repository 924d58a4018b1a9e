/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A turn of circuits inside a step, and the light it belongs to, as the hook `phase` is told. */
#include "sim/turns/turns.h"
#include "script/views/views.h"

#define PHASE(name)                                                                                \
    static void phase_##name(lua_State *L, const LpHookPhases *of, const LpTurnTransfer *t)

PHASE(number) {
    lua_pushinteger(L, (lua_Integer)(t - of->turn) + 1);
}

PHASE(kind) {
    (void)of;
    lua_pushstring(L, lp_turn_kind_name(t->kind));
}

PHASE(stage) {
    (void)of;
    lua_pushinteger(L, (lua_Integer)t->place + 1);
}

PHASE(ring) {
    (void)of;
    lua_pushboolean(L, t->ring);
}

PHASE(item) {
    (void)of;
    lua_pushinteger(L, (lua_Integer)t->number + 1);
}

PHASE(ready) {
    (void)of;
    lua_pushnumber(L, t->ready);
}

PHASE(start) {
    (void)of;
    lua_pushnumber(L, t->start);
}

PHASE(waits) {
    (void)of;
    lua_pushboolean(L, t->waits);
}

PHASE(exposed) {
    (void)of;
    lua_pushboolean(L, t->exposed);
}

#define SET(name, type, doc)                                                                       \
    phase_##name(L, of, &of->turn[of->at]);                                                        \
    lua_setfield(L, -2, #name);

void lp_phase_push(lua_State *L, LpPolicy *p) {
    const LpHookPhases *of = &p->phases;
    lua_createtable(L, 0, 9);
    LP_API_PHASE_FIELDS(SET)
}

#undef SET

#define LIGHT(name) static void light_##name(lua_State *L, const LpPolicy *p)

LIGHT(form) {
    bool rails = p->context->scenario->turning.form == LP_TURNING_RAILS;
    lua_pushstring(L, rails ? "rails" : "region");
}

LIGHT(delay) {
    lua_pushnumber(L, p->phases.delay);
}

LIGHT(orders) {
    lua_pushstring(L, lp_turn_orders_name(p->phases.orders));
}

LIGHT(turns) {
    lua_pushinteger(L, (lua_Integer)p->phases.count);
}

LIGHT(step_time) {
    lua_pushnumber(L, p->phases.step_time);
}

#define SET(name, type, doc)                                                                       \
    light_##name(L, p);                                                                            \
    lua_setfield(L, -2, #name);

void lp_phase_push_light(lua_State *L, LpPolicy *p) {
    lua_createtable(L, 0, 5);
    LP_API_LIGHT_FIELDS(SET)
}

#undef SET
