/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Basic functions and math of the sandbox: Lua's own where they are harmless, ours where they would
 * show addresses, write to the terminal, or never end. */
#include <string.h>

#include <lualib.h>

#include "base/num.h"
#include "script/sandbox.h"

enum { REMAINDER_UNITS = 64 };

/* Copies fields of the table at `from` to the table on top. */
static void copy_fields(lua_State *L, int from, const char *const *names, size_t count) {
    from = lua_absindex(L, from);
    for (size_t i = 0; i < count; i++) {
        lua_getfield(L, from, names[i]);
        lua_setfield(L, -2, names[i]);
    }
}

/* ---- texts ---- */

const char *lp_sandbox_tostring(lua_State *L, int index, size_t *len) {
    index = lua_absindex(L, index);
    int type = lua_type(L, index);
    lp_sandbox_charge(L, 16 + lp_price_number_text(L, index));
    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "'__tostring' must return a string");
    } else if (type == LUA_TNUMBER && !lua_isinteger(L, index) &&
               lua_tonumber(L, index) != lua_tonumber(L, index)) {
        lua_pushliteral(L, "nan"); /* C libraries disagree about its sign */
    } else if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN ||
               type == LUA_TNIL) {
        luaL_tolstring(L, index, NULL);
    } else {
        lua_pushstring(L, lua_typename(L, type)); /* Lua's own text would show an address */
    }
    return lua_tolstring(L, -1, len);
}

static int base_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    lp_sandbox_tostring(L, 1, NULL);
    return 1;
}

/* Upvalue: Lua's tonumber. */
static int base_tonumber(lua_State *L) {
    lp_sandbox_charge(L, 16 + (lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) : 0));
    luaL_checkany(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/* Escapes all but line ends and tabs: the text will meet a terminal. */
static void add_output(LpSandbox *s, const char *text, size_t len) {
    if (s->output.len + len > LP_SANDBOX_OUTPUT) {
        if (!s->output_cut)
            lp_buf_add(&s->output, "[the rest is cut]\n");
        s->output_cut = true;
        return;
    }
    while (len > 0) {
        size_t run = 0;
        while (run < len && text[run] != '\n' && text[run] != '\t')
            run++;
        lp_str_escape(&s->output, text, run);
        if (run < len)
            lp_buf_add_bytes(&s->output, text + run++, 1);
        text += run;
        len -= run;
    }
}

static int base_print(lua_State *L) {
    LpSandbox *s = lp_sandbox_of(L);
    int count = lua_gettop(L);
    lp_sandbox_charge(L, 16);
    for (int i = 1; i <= count && !s->output_cut; i++) {
        size_t len;
        const char *text = lp_sandbox_tostring(L, i, &len);
        lp_sandbox_charge(L, len / 4 + 4);
        if (i > 1)
            add_output(s, "\t", 1);
        add_output(s, text, len);
        lua_pop(L, 1);
    }
    if (!s->output_cut)
        add_output(s, "\n", 1);
    return 0;
}

/* ---- tables ---- */

/* What a metatable may hold: nothing that runs outside the budget (__gc), depends on the collector
 * (__mode), or hides a table from our own pairs. */
static const char *const METHODS[] = {
    "__add",      "__band", "__bnot",  "__bor", "__bxor", "__call",     "__concat", "__div",
    "__eq",       "__idiv", "__index", "__le",  "__len",  "__lt",       "__mod",    "__mul",
    "__newindex", "__pow",  "__shl",   "__shr", "__sub",  "__tostring", "__unm",
};

static bool known_method(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(METHODS); i++)
        if (strcmp(name, METHODS[i]) == 0)
            return true;
    return false;
}

static void check_metatable(lua_State *L, int index) {
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)) + 16);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lp_sandbox_charge(L, 2);
        if (lua_type(L, -2) != LUA_TSTRING)
            continue;
        const char *name = lua_tostring(L, -2);
        if (strncmp(name, "__", 2) != 0 || known_method(name))
            continue;
        lp_env_push_nearest_of(L, name, METHODS, LP_COUNTOF(METHODS));
        luaL_error(L, "setmetatable: '%s' is not available to policies%s", name,
                   lua_tostring(L, -1));
    }
}

static int base_setmetatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "setmetatable: this table is read-only");
    if (lp_env_unlock(L, 2))
        return luaL_error(L, "setmetatable: a read-only table cannot be a metatable");
    if (lua_istable(L, 2))
        check_metatable(L, 2);
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

static int base_rawset(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    if (lp_env_unlock(L, 1))
        return luaL_error(L, "rawset: this table is read-only");
    lua_settop(L, 3);
    lp_sandbox_charge(L, lp_price_key(L, 2));
    lua_rawset(L, 1);
    return 1;
}

static int base_rawget(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    lp_sandbox_charge(L, lp_price_key(L, 2));
    lua_rawget(L, 1);
    return 1;
}

void lp_env_add_base(lua_State *L) {
    static const char *const OWN_OF_LUA[] = {"assert",   "error",  "getmetatable", "ipairs",
                                             "rawequal", "select", "type",         "_VERSION"};
    static const luaL_Reg OURS[] = {{"next", lp_sorted_next},
                                    {"pairs", lp_sorted_pairs},
                                    {"pcall", lp_sandbox_pcall},
                                    {"print", base_print},
                                    {"rawget", base_rawget},
                                    {"rawset", base_rawset},
                                    {"setmetatable", base_setmetatable},
                                    {"tostring", base_tostring},
                                    {NULL, NULL}};
    lua_pushcfunction(L, luaopen_base);
    lua_call(L, 0, 1);
    lua_insert(L, -2);
    copy_fields(L, -2, OWN_OF_LUA, LP_COUNTOF(OWN_OF_LUA));
    lua_getfield(L, -2, "tonumber");
    lua_pushcclosure(L, base_tonumber, 1);
    lua_setfield(L, -2, "tonumber");
    lua_remove(L, -2);
    luaL_setfuncs(L, OURS, 0);
}

/* ---- math ---- */

static int math_log(lua_State *L) {
    double x = lp_num_log(luaL_checknumber(L, 1));
    if (!lua_isnoneornil(L, 2))
        x /= lp_num_log(luaL_checknumber(L, 2));
    lua_pushnumber(L, x);
    return 1;
}

/* Upvalue: Lua's fmod, which takes time with the ratio of its arguments. */
static int math_fmod(lua_State *L) {
    if (!lua_isinteger(L, 1) || !lua_isinteger(L, 2))
        lp_sandbox_charge(L, REMAINDER_UNITS);
    else
        luaL_argcheck(L, lua_tointeger(L, 2) != 0, 2, "zero");
    int count = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    return 1;
}

void lp_env_push_math(lua_State *L) {
    static const char *const EXACT[] = {"abs",  "ceil",       "floor", "huge", "maxinteger",
                                        "max",  "mininteger", "min",   "modf", "pi",
                                        "sqrt", "tointeger",  "type",  "ult"};
    lua_pushcfunction(L, luaopen_math);
    lua_call(L, 0, 1);
    lua_createtable(L, 0, (int)LP_COUNTOF(EXACT) + 1);
    copy_fields(L, -2, EXACT, LP_COUNTOF(EXACT));
    lua_pushcfunction(L, math_log); /* own arithmetic: the same on every machine */
    lua_setfield(L, -2, "log");
    lua_getfield(L, -2, "fmod");
    lua_pushcclosure(L, math_fmod, 1);
    lua_setfield(L, -2, "fmod");
    lua_remove(L, -2);
}
