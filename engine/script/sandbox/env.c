/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment of scripts: an allow-list, read-only, where an unknown name is an error that
 * says what to use instead. */
#include <stdlib.h>
#include <string.h>

#include "script/sandbox/sandbox.h"

/* Names that people expect and that are missing on purpose, with the reason or the way round. */
static const struct {
    const char *name, *text;
} MISSING[] = {
    {"collectgarbage", "memory is managed by the program"},
    {"coroutine", "a decision is made in one go"},
    {"debug", "it would undo the sandbox"},
    {"dofile", "use require"},
    {"io", "a policy sees the job and the cluster, no files"},
    {"load", "use require"},
    {"loadfile", "use require"},
    {"loadstring", "use require"},
    {"os", "a policy sees the job and the cluster, neither clock nor files"},
    {"package", "use require"},
    {"rawlen", "use #"},
    {"utf8", "texts are bytes here"},
    {"warn", "use print"},
    {"xpcall", "use pcall"},
    {"_G", "globals are declared nowhere; use local names"},
    {"math.exp", "its last digit differs between machines"},
    {"math.sin", "its last digit differs between machines"},
    {"math.cos", "its last digit differs between machines"},
    {"math.tan", "its last digit differs between machines"},
    {"math.random", "use self:rand(), which is the same in every run"},
    {"math.randomseed", "use self:rand(), which is seeded by the scenario"},
    {"string.gmatch", "patterns can run for ever; use string.find with plain text"},
    {"string.gsub", "patterns can run for ever; use string.find and string.sub"},
    {"string.match", "patterns can run for ever; use string.find with plain text"},
    {"string.dump", "code is text here"},
    {"string.pack", "a policy has no binary data"},
    {"string.unpack", "a policy has no binary data"},
};

enum { NEAREST_UNITS = 64 }; /* of comparing two names letter by letter */

/* Keys of the registry and of metatables, which no script can name: addresses within the state,
 * since others differ from run to run. */
static void *env_key(lua_State *L) {
    return lua_getextraspace(L);
}

static void *contents_key(lua_State *L) {
    return (char *)lua_getextraspace(L) + 1;
}

static const char *missing_text(const char *library, const char *name) {
    char full[64];
    size_t at = strlen(library), len = strlen(name);
    if (at + len + 2 > sizeof full)
        return NULL;
    memcpy(full, library, at);
    if (at > 0)
        full[at++] = '.';
    memcpy(full + at, name, len + 1);
    for (size_t i = 0; i < LP_COUNTOF(MISSING); i++)
        if (strcmp(full, MISSING[i].name) == 0)
            return MISSING[i].text;
    return NULL;
}

/* ---- functions and texts ---- */

void lp_env_push_function(lua_State *L, lua_CFunction function) {
    lua_pushnil(L);
    lua_pushcclosure(L, function, 1);
}

void lp_env_set_functions(lua_State *L, const luaL_Reg *list) {
    lua_pushnil(L);
    luaL_setfuncs(L, list, 1);
}

void lp_push_text(lua_State *L, const char *text) {
    if (text)
        lua_pushlstring(L, text, strlen(text));
    else
        lua_pushnil(L);
}

/* ---- nearest names ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lp_env_push_nearest_of(lua_State *L, const char *name, const char *const *names,
                            size_t count) {
    lp_sandbox_charge(L, NEAREST_UNITS * (uint64_t)count);
    int at = lp_str_nearest(name, names, count);
    if (at >= 0)
        lua_pushfstring(L, " (did you mean '%s'?)", names[at]);
    else
        lua_pushliteral(L, "");
}

void lp_env_push_nearest(lua_State *L, int index, const char *name) {
    index = lua_absindex(L, index);
    size_t count = 0, cap = 0;
    lp_sandbox_charge(L, 2 * lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        cap++;
    const char **names = lua_newuserdatauv(L, cap * sizeof *names + 1, 0);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            names[count++] = lua_tostring(L, -2);
    qsort(names, count, sizeof *names, compare_names); /* the first of equally near names wins */
    lp_env_push_nearest_of(L, name, names, count);
    lua_remove(L, -2);
}

/* ---- read-only tables ---- */

/* Upvalue: what is written to. */
static int locked_write(lua_State *L) {
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    return luaL_error(L, "%s is read-only: cannot set '%s'", lua_tostring(L, lua_upvalueindex(1)),
                      key);
}

static int locked_length(lua_State *L) {
    if (!lp_env_unlock(L, 1))
        lua_pushvalue(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

/* Contents on top: replaced by an empty table that reads through to them. */
static void lock_with(lua_State *L, lua_CFunction write, const char *what) {
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -3);
    lua_rawsetp(L, -2, contents_key(L));
    lp_push_text(L, what);
    lua_pushcclosure(L, write, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, locked_length);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

void lp_env_lock(lua_State *L, const char *what) {
    luaL_checkstack(L, 6, what);
    lock_with(L, locked_write, what);
}

bool lp_env_unlock(lua_State *L, int index) {
    if (!lua_istable(L, index) || !lua_getmetatable(L, index))
        return false;
    lua_rawgetp(L, -1, contents_key(L));
    lua_remove(L, -2);
    if (lua_istable(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

/* ---- unknown names ---- */

/* __index of contents; upvalue: name of the library, "" for the globals. */
static int unknown_name(lua_State *L) {
    const char *library = lua_tostring(L, lua_upvalueindex(1));
    if (lua_type(L, 2) != LUA_TSTRING) {
        lua_pushnil(L);
        return 1;
    }
    const char *name = lua_tostring(L, 2), *text = missing_text(library, name);
    const char *dot = library[0] ? "." : "";
    if (text)
        return luaL_error(L, "'%s%s%s' is not available to policies: %s", library, dot, name, text);
    lp_env_push_nearest(L, 1, name);
    return luaL_error(L, "unknown %s '%s%s%s'%s", library[0] ? "function" : "global", library, dot,
                      name, lua_tostring(L, -1));
}

static int global_write(lua_State *L) {
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    return luaL_error(L,
                      "cannot set the global '%s': declare it with 'local' (what must last from "
                      "one decision to the next belongs in self.mem)",
                      name);
}

/* Makes reading an absent name of the table on top an error. */
static void make_strict(lua_State *L, const char *library) {
    lua_createtable(L, 0, 1);
    lp_push_text(L, library);
    lua_pushcclosure(L, unknown_name, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

void lp_env_add_library(lua_State *L, const char *name) {
    make_strict(L, name);
    lp_env_lock(L, name);
    lua_setfield(L, -2, name);
}

void lp_env_set(lua_State *L) {
    make_strict(L, "");
    lock_with(L, global_write, "");
    lua_rawsetp(L, LUA_REGISTRYINDEX, env_key(L));
}

void lp_env_define(lua_State *L, const char *name) {
    lp_env_push(L);
    (void)lp_env_unlock(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, name);
    lua_pop(L, 3);
}

void lp_env_define_library(lua_State *L, const char *name) {
    make_strict(L, name);
    lp_env_lock(L, name);
    lp_env_define(L, name);
}

void lp_env_push(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, env_key(L));
}
