/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as scripts write and read them: { tensor = 8, pipeline = 4, ... }. */
#include <string.h>

#include "model/split/split.h"
#include "script/policy/api_table.h"
#include "script/policy/internal.h"

bool lp_hook_is_plan(lua_State *L, int index) {
    static const char *const ways[] = {"tensor", "pipeline", "data"};
    index = lua_absindex(L, index);
    for (size_t i = 0; i < LP_COUNTOF(ways); i++) {
        lua_pushstring(L, ways[i]);
        bool there = lua_rawget(L, index) != LUA_TNIL;
        lua_pop(L, 1);
        if (there)
            return true;
    }
    return false;
}

/* What is on top of the stack, as a switch. */
static bool read_switch(lua_State *L, const char *what, const char *key) {
    if (!lua_isboolean(L, -1))
        luaL_error(L, "%s: %s is %s; expected true or false", what, key, lp_hook_describe(L, -1));
    return lua_toboolean(L, -1);
}

static LpRecompute read_recompute(lua_State *L, const char *what) {
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++)
        if (strcmp(word, lp_recompute_name((LpRecompute)i)) == 0)
            return (LpRecompute)i;
    luaL_error(L, "%s: recompute is %s; expected \"none\", \"selective\" or \"full\"", what,
               lp_hook_describe(L, -1));
    return LP_RECOMPUTE_NONE;
}

static uint32_t *number_of(LpParallel *plan, const char *key) {
    const struct {
        const char *key;
        uint32_t *number;
    } numbers[] = {
        {"tensor", &plan->tensor},          {"pipeline", &plan->pipeline}, {"data", &plan->data},
        {"expert", &plan->expert},          {"chunks", &plan->chunks},     {"batch", &plan->batch},
        {"micro_batch", &plan->micro_batch}};
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        if (strcmp(key, numbers[i].key) == 0)
            return numbers[i].number;
    return NULL;
}

/* What cluster:plans says of a plan besides, which may be answered with it. */
static bool is_figure(const char *key) {
    static const char *const figures[] = {"servers", "step_time", "memory", "bubble", "free"};
    for (size_t i = 0; i < LP_COUNTOF(figures); i++)
        if (strcmp(key, figures[i]) == 0)
            return true;
    return false;
}

/* One key, its value on top of the stack. */
static void read_key(lua_State *L, const char *what, const char *key, LpParallel *plan) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_PLAN_FIELDS(NAME)};
#undef NAME
    uint32_t *number = number_of(plan, key);
    if (number != NULL) {
        *number = (uint32_t)lp_hook_whole(L, -1, key, 1, LP_PARALLEL_SIZE);
    } else if (strcmp(key, "recompute") == 0) {
        plan->recompute = read_recompute(L, what);
    } else if (strcmp(key, "sequence") == 0) {
        plan->sequence = read_switch(L, what, key);
    } else if (strcmp(key, "wait") == 0) {
        plan->wait = read_switch(L, what, key);
    } else if (!is_figure(key)) {
        lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
        luaL_error(L, "%s: a plan has no \"%s\"%s", what, key, lua_tostring(L, -1));
    }
}

void lp_hook_read_plan(lua_State *L, int index, const char *what, const LpGraph *graph,
                       LpParallel *out) {
    luaL_checkstack(L, 8, what);
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        luaL_error(L, "%s is %s; expected { tensor =, pipeline =, data = }", what,
                   lp_hook_describe(L, index));
    if (graph == NULL || graph->split == NULL)
        luaL_error(L, "%s is a plan, but graph '%s' has none; expected a degree or ways", what,
                   graph != NULL ? graph->id : "");
    *out = (LpParallel){.tensor = 1,
                        .pipeline = 1,
                        .data = 1,
                        .expert = 1,
                        .chunks = 1,
                        .micro_batch = 1,
                        .batch = graph->split->plan[0].batch,
                        .wait = true};
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int top = lua_gettop(L);
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "%s: a plan has an entry for %s; expected names such as tensor", what,
                       lp_hook_describe(L, -2));
        read_key(L, what, lua_tostring(L, -2), out);
        lua_settop(L, top);
    }
}

void lp_hook_push_plan(lua_State *L, const LpParallel *plan) {
    LpParallel copy = *plan;
    static const char *const numbers[] = {"tensor", "pipeline", "data",       "expert",
                                          "chunks", "batch",    "micro_batch"};
    lua_createtable(L, 0, 15);
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++) {
        lua_pushinteger(L, *number_of(&copy, numbers[i]));
        lua_setfield(L, -2, numbers[i]);
    }
    lua_pushstring(L, lp_recompute_name(plan->recompute));
    lua_setfield(L, -2, "recompute");
    lua_pushboolean(L, plan->sequence);
    lua_setfield(L, -2, "sequence");
    lua_pushboolean(L, plan->wait);
    lua_setfield(L, -2, "wait");
    lua_pushinteger(L, lp_parallel_devices(plan));
    lua_setfield(L, -2, "servers");
}
