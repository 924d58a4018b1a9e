/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hook configure: which ports the circuit switches join. Ports count from 1. */
#include <math.h>
#include <string.h>

#include "script/script_impl.h"
#include "sim/light/circuits.h"

enum { PORT_UNITS = 8 };

static void no_memory(lua_State *L) {
    LpDiag diag;
    (void)lp_fail_memory(&diag, "circuits");
    lp_sandbox_fail_engine(L, &diag);
}

/* The matching on top of the stack: { [in] = out }, false or absent: dark. */
static void read_match(lua_State *L, const char *what, uint32_t ports, uint32_t *to) {
    int index = lua_gettop(L);
    if (lp_env_unlock(L, index))
        index++;
    if (!lua_istable(L, index))
        luaL_error(L, "%s: match is %s; expected { [port] = port }", what,
                   lp_hook_describe(L, index));
    for (uint32_t i = 0; i < ports; i++)
        to[i] = LP_DARK;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_Integer in = 0;
        int whole = 0;
        if (lua_type(L, -2) == LUA_TNUMBER)
            in = lua_tointegerx(L, -2, &whole);
        if (!whole || in < 1 || in > (lua_Integer)ports)
            luaL_error(L, "%s: match joins port %s; ports are 1 to %d", what,
                       lp_hook_describe(L, -2), (int)ports);
        if (lua_type(L, -1) != LUA_TBOOLEAN || lua_toboolean(L, -1))
            to[in - 1] = (uint32_t)lp_hook_whole(L, -1, what, 1, (lua_Integer)ports) - 1;
        lua_pop(L, 1);
    }
}

static void read_entry(lua_State *L, LpPolicy *p, uint32_t e, bool only) {
    uint32_t ports = p->context->scenario->cluster.ocs.ports;
    char what[48];
    int top = lua_gettop(L);
    lua_pushfstring(L, "matching %d", (int)e + 1);
    lp_str_copy(what, sizeof what, lua_tostring(L, -1));
    lua_pop(L, 1);
    if (lp_env_unlock(L, top))
        lua_replace(L, top);
    if (!lua_istable(L, top))
        luaL_error(L, "%s is %s; expected { match = { [port] = port }, hold = seconds }", what,
                   lp_hook_describe(L, top));
    lua_getfield(L, top, "hold");
    bool given = lua_type(L, -1) == LUA_TNUMBER;
    p->hold[e] = given ? lua_tonumber(L, -1) : 1;
    if ((!given && !(only && lua_isnil(L, -1))) || !(p->hold[e] > 0) || isinf(p->hold[e]))
        luaL_error(L, "%s: hold is %s; expected seconds above 0", what, lp_hook_describe(L, -1));
    lua_getfield(L, top, "match");
    read_match(L, what, ports, p->circuit + (size_t)e * ports);
    lua_settop(L, top);
}

static void read_schedule(lua_State *L, LpPolicy *p, int index) {
    uint32_t ports = p->context->scenario->cluster.ocs.ports;
    p->entries = 0;
    lp_hook_read_why(L, index + 1);
    if (lua_isnil(L, index))
        return;
    if (!lua_istable(L, index))
        luaL_error(L,
                   "returned %s; expected { { match = { [port] = port }, hold = seconds }, ... }",
                   lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    if (count > LP_SCHEDULE_ENTRIES_MAX || count * ports > p->result)
        luaL_error(L, "%I matchings of %d ports; at most %d, and %I ports in all",
                   (LUAI_UACINT)count, (int)ports, (int)LP_SCHEDULE_ENTRIES_MAX,
                   (LUAI_UACINT)p->result);
    if (count == 0)
        luaL_error(L, "returned no matching; expected { { match =, hold = }, ... } or nil");
    lp_sandbox_charge(L, PORT_UNITS * (uint64_t)count * ports);
    if (lp_grow((void **)&p->circuit, &p->circuit_cap, count * ports + 1, sizeof *p->circuit) !=
            LP_OK ||
        lp_grow((void **)&p->hold, &p->hold_cap, count + 1, sizeof *p->hold) != LP_OK)
        no_memory(L);
    for (uint32_t e = 0; e < count; e++) {
        lua_rawgeti(L, index, (lua_Integer)e + 1);
        read_entry(L, p, e, count == 1);
        lua_pop(L, 1);
    }
    p->entries = (uint32_t)count;
}

static int configure_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    int first = lp_hook_call(L, p, LP_HOOK_configure, "configure");
    read_schedule(L, p, first);
    lp_hook_note_where(p, true);
    return 0;
}

LpErr lp_policy_configure(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                          LpRng *rng, LpSchedule *out, bool *failed, LpDiag *diag) {
    *failed = false;
    *out = (LpSchedule){0};
    if (!policy->has_hook[LP_HOOK_configure] || context->circuits == NULL)
        return LP_OK;
    policy->job = LP_NO_INDEX;
    LP_TRY(lp_policy_run(policy, context, world, rng, configure_body, failed, diag));
    if (!*failed && policy->entries > 0)
        *out = (LpSchedule){lp_world_ports(world), policy->entries, policy->circuit, policy->hold};
    return LP_OK;
}
