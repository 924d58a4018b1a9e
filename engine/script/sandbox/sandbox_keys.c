/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a table's keys: Lua's own differs from process to process (its hash seed comes from
 * addresses and the clock), so pairs and next go through keys sorted by value. */
#include <stdlib.h>
#include <string.h>

#include "script/sandbox/sandbox.h"

typedef struct Key {
    int type; /* LUA_TNUMBER < LUA_TSTRING < LUA_TBOOLEAN by rank() */
    bool whole;
    lua_Integer integer; /* whole numbers, booleans, position in the table for strings */
    lua_Number number;
    const char *text; /* kept alive by the table */
    size_t len;
    lua_Integer position; /* among the keys as Lua lists them */
} Key;

static int rank(int type) {
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

static int compare_numbers(const Key *a, const Key *b) {
    if (a->whole && b->whole)
        return (a->integer > b->integer) - (a->integer < b->integer);
    lua_Number x = a->whole ? (lua_Number)a->integer : a->number;
    lua_Number y = b->whole ? (lua_Number)b->integer : b->number;
    if (x < y || x > y)
        return x < y ? -1 : 1;
    return (int)b->whole - (int)a->whole; /* 2^63 - 1 rounds to 2^63, which is a float */
}

static int compare_keys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    if (rank(a->type) != rank(b->type))
        return rank(a->type) - rank(b->type);
    if (a->type == LUA_TNUMBER)
        return compare_numbers(a, b);
    if (a->type == LUA_TBOOLEAN)
        return (int)(a->integer - b->integer);
    size_t common = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->text, b->text, common);
    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Reads the key at index; raises for what has no order. */
static Key read_key(lua_State *L, int index) {
    Key key = {.type = lua_type(L, index), .text = ""};
    switch (key.type) {
    case LUA_TNUMBER:
        key.whole = lua_isinteger(L, index);
        key.integer = key.whole ? lua_tointeger(L, index) : 0;
        key.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        key.text = lua_tolstring(L, index, &key.len);
        break;
    case LUA_TBOOLEAN:
        key.integer = lua_toboolean(L, index);
        break;
    default:
        luaL_error(L,
                   "keys of type %s have no order that is the same in every run: use an id or a "
                   "name as the key",
                   luaL_typename(L, index));
    }
    return key;
}

/* Of finding the key again, and of comparing it with others. */
static uint64_t key_price(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TSTRING)
        return lua_rawlen(L, index) / 16;
    return 2 * lp_chains_price(lp_sandbox_of(L));
}

static lua_Integer count_keys(lua_State *L, int index) {
    lua_Integer count = 0;
    lua_Integer listed = (lua_Integer)lua_rawlen(L, index);
    lp_sandbox_charge(L, 2 * lp_price_walk(lp_sandbox_of(L)));
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        count++;
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) > listed)
            lp_sandbox_charge(L, key_price(L, -1));
    }
    return count;
}

/* Fills keys and pushes the list of keys as Lua lists them; returns whether they are in order. */
static bool gather(lua_State *L, int index, Key *keys, lua_Integer count) {
    bool sorted = true;
    lua_Integer i = 0;
    lua_createtable(L, count < 1 << 24 ? (int)count : 0, 0);
    int list = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        keys[i] = read_key(L, -1);
        keys[i].position = i + 1;
        if (i > 0 && compare_keys(&keys[i - 1], &keys[i]) > 0)
            sorted = false;
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, ++i);
    }
    return sorted;
}

lua_Integer lp_sorted_push(lua_State *L, int index) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, "keys");
    lua_Integer count = count_keys(L, index);
    lp_sandbox_charge(L, 14 * (uint64_t)count + 16);
    Key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys + 1, 0);
    if (gather(L, index, keys, count)) {
        lua_remove(L, -2);
        return count;
    }
    lp_sandbox_charge(L, 24 * (uint64_t)count);
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    lua_createtable(L, count < 1 << 24 ? (int)count : 0, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, -2, keys[i].position);
        lua_rawseti(L, -2, i + 1);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    return count;
}

/* Upvalues: table, list of keys, last position. */
static int pairs_step(lua_State *L) {
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(2), ++at) == LUA_TNIL)
            return 1;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
            break;
        lua_pop(L, 2); /* removed while the loop ran */
    }
    lua_pushinteger(L, at);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_pop(L, 1);
    return 2;
}

static void check_table(lua_State *L, const char *function) {
    if (lp_env_unlock(L, 1))
        lua_replace(L, 1);
    if (lua_istable(L, 1))
        return;
    if (lua_isuserdata(L, 1))
        luaL_error(L, "%s cannot walk this: use ipairs for a list, or ask for fields by name",
                   function);
    luaL_checktype(L, 1, LUA_TTABLE);
}

int lp_sorted_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    check_table(L, "pairs");
    lua_settop(L, 1);
    lp_sorted_push(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_step, 3);
    return 1;
}

/* The smallest key above `after` (all keys without it), with its value, or nil. */
int lp_sorted_next(lua_State *L) {
    luaL_checkany(L, 1);
    check_table(L, "next");
    lua_settop(L, 2);
    Key after = {.text = ""}, best = {.text = ""};
    bool from_start = lua_isnil(L, 2), found = false;
    if (!from_start)
        after = read_key(L, 2);
    uint64_t count = 0;
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    lua_pushnil(L); /* slot 3: best key */
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        count++;
        lp_sandbox_charge(L, key_price(L, -1));
        Key key = read_key(L, -1);
        if ((!from_start && compare_keys(&key, &after) <= 0) ||
            (found && compare_keys(&key, &best) >= 0))
            continue;
        best = key;
        found = true;
        lua_copy(L, -1, 3);
    }
    lp_sandbox_charge(L, 10 * count);
    lua_settop(L, 3);
    if (!found)
        return 1;
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    return 2;
}
