/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the sandbox: raw access, charged for their length, and a stable sort (Lua's own draws
 * pivots from the clock). */
#include "script/sandbox/sandbox.h"

/* The list at argument 1, unlocked if it is only read. */
static lua_Integer check_list(lua_State *L, bool write) {
    if (lp_env_unlock(L, 1)) {
        if (write)
            luaL_error(L, "this table is read-only");
        lua_replace(L, 1);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lp_sandbox_charge_some(L, lp_chains_length(lp_sandbox_of(L)));
    return (lua_Integer)lua_rawlen(L, 1);
}

static int table_insert(lua_State *L) {
    lua_Integer n = check_list(L, true);
    int arguments = lua_gettop(L);
    if (arguments == 2) {
        lua_rawseti(L, 1, n + 1);
        return 0;
    }
    if (arguments != 3)
        return luaL_error(L, "table.insert takes (list, value) or (list, position, value)");
    lua_Integer at = lp_arg_integer(L, 2);
    luaL_argcheck(L, at >= 1 && at <= n + 1, 2, "position out of bounds");
    lp_sandbox_charge(L, (uint64_t)(n - at + 1) + 1);
    for (lua_Integer i = n; i >= at; i--) {
        lua_rawgeti(L, 1, i);
        lua_rawseti(L, 1, i + 1);
    }
    lua_rawseti(L, 1, at);
    return 0;
}

static int table_remove(lua_State *L) {
    lua_Integer n = check_list(L, true);
    lua_Integer at = lp_arg_opt_integer(L, 2, n);
    if (n == 0 && (at == 0 || at == n)) {
        lua_pushnil(L);
        return 1;
    }
    luaL_argcheck(L, at >= 1 && at <= n + 1, 2, "position out of bounds");
    lua_rawgeti(L, 1, at);
    lp_sandbox_charge(L, (uint64_t)(n - at + 1) + 1);
    for (lua_Integer i = at; i < n; i++) {
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    if (at <= n) {
        lua_pushnil(L);
        lua_rawseti(L, 1, n);
    }
    return 1;
}

static int table_concat(lua_State *L) {
    lua_Integer n = check_list(L, false);
    size_t gap;
    const char *separator = luaL_optlstring(L, 2, "", &gap);
    lua_Integer from = lp_arg_opt_integer(L, 3, 1), to = lp_arg_opt_integer(L, 4, n);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    size_t total = 0;
    for (lua_Integer i = from; i <= to; i++) {
        size_t len;
        lua_rawgeti(L, 1, i);
        if (!lua_isstring(L, -1))
            return luaL_error(L, "table.concat: entry %d is a %s, expected a string or a number",
                              (int)i, luaL_typename(L, -1));
        uint64_t price = lp_price_number_text(L, -1);
        (void)lua_tolstring(L, -1, &len);
        total += len + gap;
        lp_sandbox_charge(L, 2 + price + (len + gap) / 16);
        if (total > LP_SANDBOX_STRING)
            return luaL_error(L, "table.concat: the result would be longer than %d KiB",
                              LP_SANDBOX_STRING / 1024);
        luaL_addvalue(&buffer);
        if (i == to)
            break; /* to + 1 may not exist */
        luaL_addlstring(&buffer, separator, gap);
    }
    luaL_pushresult(&buffer);
    return 1;
}

static int table_unpack(lua_State *L) {
    lua_Integer n = check_list(L, false);
    lua_Integer from = lp_arg_opt_integer(L, 2, 1), to = lp_arg_opt_integer(L, 3, n);
    if (from > to)
        return 0;
    if ((lua_Unsigned)to - (lua_Unsigned)from >= LP_SANDBOX_UNPACK)
        return luaL_error(L, "table.unpack: at most %d values at once", LP_SANDBOX_UNPACK);
    int count = (int)(to - from) + 1;
    luaL_checkstack(L, count, "table.unpack");
    lp_sandbox_charge(L, (uint64_t)count);
    for (int i = 0; i < count; i++)
        lua_rawgeti(L, 1, from + i);
    return count;
}

static int table_pack(lua_State *L) {
    int n = lua_gettop(L);
    lua_createtable(L, n, 1);
    lua_insert(L, 1);
    for (int i = n; i >= 1; i--)
        lua_rawseti(L, 1, i);
    lua_pushinteger(L, n);
    lua_setfield(L, 1, "n");
    return 1;
}

static int table_move(lua_State *L) {
    (void)check_list(L, false);
    lua_Integer from = lp_arg_integer(L, 2), to = lp_arg_integer(L, 3), at = lp_arg_integer(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, target, LUA_TTABLE);
    if (lp_env_unlock(L, target))
        return luaL_error(L, "this table is read-only");
    if (to >= from) {
        luaL_argcheck(L, from > 0 || to < LUA_MAXINTEGER + from, 3, "too many elements");
        lua_Integer n = to - from + 1;
        luaL_argcheck(L, at <= LUA_MAXINTEGER - n + 1, 4, "destination wraps around");
        lp_sandbox_charge(L, (uint64_t)n);
        bool forwards = at > to || at <= from || target != 1;
        for (lua_Integer k = 0; k < n; k++) {
            lua_Integer i = forwards ? k : n - 1 - k;
            lua_rawgeti(L, 1, from + i);
            lua_rawseti(L, target, at + i);
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

/* ---- sort ---- */

enum { LIST = 1, LESS = 2, FROM = 3, TO = 4 }; /* stack of table_sort */
enum { COMPARATOR_UNITS = 4 };                 /* of calling it, beside what it does */

/* Is the value at stack index a less than the one at b? */
static bool less(lua_State *L, int a, int b) {
    if (lua_isnil(L, LESS)) {
        if (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING)
            lp_sandbox_charge(L, lp_price_text(lua_tostring(L, a), lua_rawlen(L, a)) +
                                     lp_price_text(lua_tostring(L, b), lua_rawlen(L, b)));
        return lua_compare(L, a, b, LUA_OPLT);
    }
    lp_sandbox_charge(L, COMPARATOR_UNITS);
    lua_pushvalue(L, LESS);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool result = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return result;
}

/* Merges source[low, middle) and source[middle, high) into target; equal values keep their order.
 */
static void merge(lua_State *L, int source, int target, lua_Integer low, lua_Integer middle,
                  lua_Integer high) {
    lua_Integer i = low, j = middle;
    for (lua_Integer out = low; out < high; out++) {
        bool right = i >= middle;
        if (!right && j < high) {
            lua_rawgeti(L, source, i);
            lua_rawgeti(L, source, j);
            right = less(L, lua_gettop(L), lua_gettop(L) - 1);
            lua_pop(L, 2);
        }
        lua_rawgeti(L, source, right ? j++ : i++);
        lua_rawseti(L, target, out);
    }
}

/* A bottom-up merge sort in a copy: a comparison that raises or contradicts itself does no harm. */
static int table_sort(lua_State *L) {
    lua_Integer n = check_list(L, true);
    if (!lua_isnoneornil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    luaL_argcheck(L, n < 1 << 24, 1, "list too long");
    lua_createtable(L, (int)n, 0);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, LIST, i);
        lua_rawseti(L, FROM, i);
    }
    int source = FROM, target = TO;
    for (lua_Integer width = 1; width < n; width *= 2) {
        for (lua_Integer low = 1; low <= n; low += 2 * width) {
            lua_Integer middle = low + width < n + 1 ? low + width : n + 1;
            lua_Integer high = middle + width < n + 1 ? middle + width : n + 1;
            lp_sandbox_charge(L, 6 * (uint64_t)(high - low));
            merge(L, source, target, low, middle, high);
        }
        int other = source;
        source = target;
        target = other;
    }
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, source, i);
        lua_rawseti(L, LIST, i);
    }
    return 0;
}

void lp_env_push_table(lua_State *L) {
    static const luaL_Reg OURS[] = {{"concat", table_concat}, {"insert", table_insert},
                                    {"move", table_move},     {"pack", table_pack},
                                    {"remove", table_remove}, {"sort", table_sort},
                                    {"unpack", table_unpack}, {NULL, NULL}};
    lua_createtable(L, 0, (int)LP_COUNTOF(OURS));
    lp_env_set_functions(L, OURS);
}
