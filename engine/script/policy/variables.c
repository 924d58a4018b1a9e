/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy keeps outside of self.mem: whatever its hooks reach, as one number. Objects count
 * by their address, so the number is comparable within one state only, and only while nothing is
 * copied back into it. */
#include <string.h>

#include "base/hash.h"
#include "script/policy/policy_impl.h"

typedef struct Walk {
    LpPolicy *policy;
    int seen, queue; /* tables on the stack: objects met, and those in order */
    lua_Integer met;
    uint64_t sum; /* of what each object holds, in whatever order */
} Walk;

/* Only what belongs to the script: tables, and functions that hold variables. */
static void meet(lua_State *L, Walk *walk, int index) {
    index = lua_absindex(L, index);
    bool holds = lua_istable(L, index) || (lua_isfunction(L, index) && !lua_iscfunction(L, index));
    if (!holds)
        return;
    lua_pushvalue(L, index);
    bool known = lua_rawget(L, walk->seen) != LUA_TNIL;
    lua_pop(L, 1);
    if (known)
        return;
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, walk->seen);
    lua_pushvalue(L, index);
    lua_rawseti(L, walk->queue, ++walk->met);
}

static uint64_t hash_value(lua_State *L, int index) {
    uint64_t hash = lp_hash_u64(LP_HASH_INIT, (uint64_t)lua_type(L, index));
    size_t len;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        return lp_hash_u64(hash, (uint64_t)lua_toboolean(L, index));
    case LUA_TNUMBER:
        if (lua_isinteger(L, index))
            return lp_hash_u64(hash, (uint64_t)lua_tointeger(L, index));
        return lp_hash_f64(hash, lua_tonumber(L, index));
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &len);
        return lp_hash_bytes(hash, text, len);
    default:
        return lp_hash_u64(hash, (uint64_t)(uintptr_t)lua_topointer(L, index));
    }
}

static void walk_table(lua_State *L, Walk *walk, int index) {
    uint64_t place = hash_value(L, index);
    if (lua_getmetatable(L, index)) {
        meet(L, walk, -1);
        walk->sum += lp_hash_u64(place, hash_value(L, -1));
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    while (lua_next(L, index)) {
        walk->sum += lp_hash_u64(lp_hash_u64(place, hash_value(L, -2)), hash_value(L, -1));
        meet(L, walk, -2);
        meet(L, walk, -1);
        lua_pop(L, 1);
    }
}

static void walk_function(lua_State *L, Walk *walk, int index) {
    uint64_t place = hash_value(L, index);
    for (int i = 1; lua_getupvalue(L, index, i); i++) {
        walk->sum += lp_hash_u64(lp_hash_u64(place, (uint64_t)i), hash_value(L, -1));
        meet(L, walk, -1);
        lua_pop(L, 1);
    }
}

static int walk_body(lua_State *L) {
    Walk *walk = lua_touserdata(L, 1);
    lua_createtable(L, 0, 0);
    walk->seen = lua_gettop(L);
    lua_createtable(L, 0, 0);
    walk->queue = lua_gettop(L);
    /* Leaves out the environment and self.mem: neither is a variable of the file. */
    lp_env_push(L);
    lua_pushboolean(L, 1);
    lua_rawset(L, walk->seen);
    lua_rawgeti(L, LUA_REGISTRYINDEX, walk->policy->mem);
    lua_pushboolean(L, 1);
    lua_rawset(L, walk->seen);
    /* The policy's own table is where self looks for what is not the program's. */
    for (int hook = 0; hook < LP_HOOK_COUNT; hook++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, walk->policy->hook[hook]);
        meet(L, walk, -1);
        lua_pop(L, 1);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, walk->policy->self);
    if (lp_env_unlock(L, -1) && lua_getmetatable(L, -1) &&
        lua_getfield(L, -1, "__index") == LUA_TFUNCTION && lua_getupvalue(L, -1, 1))
        meet(L, walk, -1);
    for (lua_Integer i = 1; i <= walk->met; i++) {
        lua_settop(L, walk->queue);
        lua_rawgeti(L, walk->queue, i);
        if (lua_istable(L, -1))
            walk_table(L, walk, lua_gettop(L));
        else
            walk_function(L, walk, lua_gettop(L));
    }
    return 0;
}

bool lp_policy_variables(LpPolicy *policy, uint64_t *hash) {
    lua_State *L = policy->sandbox.L;
    Walk walk = {.policy = policy};
    lua_pushcfunction(L, walk_body);
    lua_pushlightuserdata(L, &walk);
    bool known = lua_pcall(L, 1, 0, 0) == LUA_OK;
    lua_settop(L, 0);
    *hash = walk.sum;
    return known;
}
