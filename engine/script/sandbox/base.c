/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Basic functions and math of the sandbox: Lua's own where they are harmless, ours where they would
 * show addresses, write to the terminal, or never end. */
#include <string.h>

#include <lualib.h>

#include "base/num.h"
#include "script/sandbox/sandbox.h"

enum { REMAINDER_UNITS = 64, TEXT_UNITS = 16 };

/* ---- numbers that may be given as texts ---- */

/* Where Lua wants a number it takes a text, too, and a long one takes long to read. */
static uint64_t reading_units(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? TEXT_UNITS + lua_rawlen(L, index) : 0;
}

lua_Integer lp_arg_integer(lua_State *L, int index) {
    lp_sandbox_charge_some(L, reading_units(L, index));
    return luaL_checkinteger(L, index);
}

lua_Integer lp_arg_opt_integer(lua_State *L, int index, lua_Integer otherwise) {
    lp_sandbox_charge_some(L, reading_units(L, index));
    return luaL_optinteger(L, index, otherwise);
}

lua_Number lp_arg_number(lua_State *L, int index) {
    lp_sandbox_charge_some(L, reading_units(L, index));
    return luaL_checknumber(L, index);
}

/* ---- Lua's own functions ---- */

/* Upvalue: a function of Lua's that has no upvalues of its own; it is called in this very frame. */
static int call_own(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* As call_own, for a function whose arguments are numbers: it charges for reading them. */
static int call_counting(lua_State *L) {
    uint64_t units = 0;
    for (int i = lua_gettop(L); i > 0; i--)
        units += reading_units(L, i);
    lp_sandbox_charge_some(L, units);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static void copy_fields(lua_State *L, int from, const char *const *names, size_t count,
                        lua_CFunction caller) {
    from = lua_absindex(L, from);
    for (size_t i = 0; i < count; i++) {
        if (lua_getfield(L, from, names[i]) == LUA_TFUNCTION)
            lua_pushcclosure(L, caller, 1);
        lua_setfield(L, -2, names[i]);
    }
}

void lp_env_copy_counting(lua_State *L, int from, const char *const *names, size_t count) {
    copy_fields(L, from, names, count, call_counting);
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
        lp_push_text(L, lua_typename(L, type)); /* Lua's own text would show an address */
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
        if (strcmp(name, "__call") == 0 && !lua_isfunction(L, -1))
            luaL_error(L, "setmetatable: '__call' is a %s; expected a function",
                       luaL_typename(L, -1));
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
    lp_sandbox_charge_some(L, lp_chains_price(lp_sandbox_of(L)));
    lua_rawset(L, 1);
    return 1;
}

static int base_rawget(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    lp_sandbox_charge_some(L, lp_chains_price(lp_sandbox_of(L)));
    lua_rawget(L, 1);
    return 1;
}

static int ipairs_step(lua_State *L) {
    lua_Integer i = (lua_Integer)((lua_Unsigned)lp_arg_integer(L, 2) + 1);
    lua_settop(L, 1);
    lua_pushinteger(L, i);
    return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

/* Upvalue: the step. */
static int base_ipairs(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

void lp_env_add_base(lua_State *L) {
    static const char *const OWN_OF_LUA[] = {"assert",   "error", "getmetatable",
                                             "rawequal", "type",  "_VERSION"};
    static const char *const COUNTING[] = {"select"};
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
    copy_fields(L, -2, OWN_OF_LUA, LP_COUNTOF(OWN_OF_LUA), call_own);
    copy_fields(L, -2, COUNTING, LP_COUNTOF(COUNTING), call_counting);
    lua_getfield(L, -2, "tonumber");
    lua_pushcclosure(L, base_tonumber, 1);
    lua_setfield(L, -2, "tonumber");
    lua_remove(L, -2);
    lp_env_set_functions(L, OURS);
    lp_env_push_function(L, ipairs_step);
    lua_pushcclosure(L, base_ipairs, 1);
    lua_setfield(L, -2, "ipairs");
}

/* ---- math ---- */

static int math_log(lua_State *L) {
    double x = lp_num_log(lp_arg_number(L, 1));
    if (!lua_isnoneornil(L, 2))
        x /= lp_num_log(lp_arg_number(L, 2));
    lua_pushnumber(L, x);
    return 1;
}

/* Upvalue: Lua's fmod, which takes time with the ratio of its arguments. */
static int math_fmod(lua_State *L) {
    if (!lua_isinteger(L, 1) || !lua_isinteger(L, 2))
        lp_sandbox_charge(L, REMAINDER_UNITS + reading_units(L, 1) + reading_units(L, 2));
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
    copy_fields(L, -2, EXACT, LP_COUNTOF(EXACT), call_counting);
    lp_env_push_function(L, math_log); /* own arithmetic: the same on every machine */
    lua_setfield(L, -2, "log");
    lua_getfield(L, -2, "fmod");
    lua_pushcclosure(L, math_fmod, 1);
    lua_setfield(L, -2, "fmod");
    lua_remove(L, -2);
}
