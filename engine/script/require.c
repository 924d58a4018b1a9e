/* SPDX-License-Identifier: GPL-3.0-or-later */
/* require(): other files of Lua beside the policy or in the shared library, loaded once, in the
 * same sandbox, while the policy itself is loaded. Names are plain words, so they lead nowhere
 * else; what was loaded is part of the policy's hash. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "script/script_impl.h"

enum { NAME_MAX_BYTES = 64, PATH_ROOM = 4096, BYTES_PER_UNIT = 2 };

static const char *check_name(lua_State *L) {
    static const char LETTERS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t len = 0;
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &len) : "";
    if (len == 0 || len > NAME_MAX_BYTES || strspn(name, LETTERS) != len)
        luaL_error(L,
                   "require: %s is no name of a file; expected letters, digits, - and _, as in "
                   "require(\"compose\") for compose.lua beside the policy or in scripts/lib",
                   lp_hook_describe(L, 1));
    return name;
}

/* Writes folder/lib/name.lua; false when there is no such file. */
static bool found_in(const LpPolicy *p, char path[PATH_ROOM], const char *folder,
                     const char *between, const char *name) {
    const LpFiles *files = p->services.files;
    int len = snprintf(path, PATH_ROOM, "%s%s%s.lua", folder, between, name);
    bool fits = len > 0 && len < PATH_ROOM;
    if (!fits)
        path[0] = '\0';
    return fits && (files ? files->exists(files->user, path) : access(path, F_OK) == 0);
}

static bool find(const LpPolicy *p, const char *name, char path[PATH_ROOM]) {
    if (found_in(p, path, p->folder, "", name) || found_in(p, path, p->folder, "lib/", name))
        return true;
    for (const char *const *dir = p->services.library; dir && *dir; dir++)
        if (found_in(p, path, *dir, "/", name))
            return true;
    return false;
}

/* Upvalue: what was loaded, by name; false while it is being loaded. */
static int api_require(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    const char *name = check_name(L);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    int type = lua_rawget(L, lua_upvalueindex(1));
    if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1))
        return luaL_error(L,
                          "require: '%s' is asked for while it is being loaded: the files "
                          "require each other, or loading it failed",
                          name);
    if (type != LUA_TNIL)
        return 1;
    if (!p->loading)
        return luaL_error(L, "require: call it at the top of the file, not in a hook");
    lua_pushvalue(L, 1);
    lua_pushboolean(L, 0);
    lua_rawset(L, lua_upvalueindex(1));
    /* Reads the file, and pushes it as a function. */
    char path[PATH_ROOM];
    if (!find(p, name, path))
        luaL_error(L, "require: there is no %s.lua beside the policy or in scripts/lib", name);
    const LpPolicyModule *module = lp_policy_take_file(L, NULL, name, path);
    lp_sandbox_charge(L, module->len / BYTES_PER_UNIT);
    const char *slash = strrchr(module->path, '/');
    lp_sandbox_load(L, module->text, module->len, slash ? slash + 1 : module->path);
    lua_call(L, 0, 1);
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(1));
    return 1;
}

void lp_api_open_require(lua_State *L) {
    lua_createtable(L, 0, 0);
    lua_pushcclosure(L, api_require, 1);
    lp_env_define(L, "require");
}
