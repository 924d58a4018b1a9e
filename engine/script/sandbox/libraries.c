/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment of scripts, put together from its libraries. */
#include "script/sandbox/sandbox.h"

/* Methods of strings: s:format(...). The metatable was made by Lua's string library; its
 * arithmetic ("10" + 1) would read long texts as numbers at the price of one instruction. */
static void set_string_methods(lua_State *L) {
    static const char *const ARITHMETIC[] = {"__add", "__sub", "__mul",  "__mod",
                                             "__pow", "__div", "__idiv", "__unm"};
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    for (size_t i = 0; i < LP_COUNTOF(ARITHMETIC); i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, ARITHMETIC[i]);
    }
    lua_pop(L, 2);
}

void lp_env_open(lua_State *L) {
    lua_createtable(L, 0, 32);
    lp_env_add_base(L);
    lp_env_push_string(L);
    set_string_methods(L);
    lp_env_add_library(L, "string");
    lp_env_push_table(L);
    lp_env_add_library(L, "table");
    lp_env_push_math(L);
    lp_env_add_library(L, "math");
    lp_env_set(L);
    /* what the standard libraries left behind is for nobody */
    lua_createtable(L, 0, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}
