/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that scripts give: what they are in words, and whole numbers. */
#include "script/policy/policy_impl.h"

/* "a cluster", "an op", "job 3". */
static const char *describe_view(lua_State *L, int index) {
    size_t len;
    const char *text = lp_sandbox_tostring(L, index, &len);
    bool numbered = len > 0 && text[len - 1] >= '0' && text[len - 1] <= '9';
    return lua_pushfstring(L, "%s%s", numbered ? "" : text[0] == 'o' ? "an " : "a ", text);
}

const char *lp_hook_describe(lua_State *L, int index) {
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TSTRING: {
        char text[48];
        return lua_pushfstring(L, "\"%s\"", lp_str_show(text, sizeof text, lua_tostring(L, index)));
    }
    case LUA_TTABLE:
        return lua_pushfstring(L, "a table");
    case LUA_TFUNCTION:
        return lua_pushfstring(L, "a function");
    case LUA_TUSERDATA:
        return describe_view(L, index);
    case LUA_TNONE:
        return lua_pushfstring(L, "nothing");
    default:
        return lp_sandbox_tostring(L, index, NULL);
    }
}

bool lp_hook_is_whole(lua_State *L, int index, lua_Integer min, lua_Integer max, lua_Integer *out) {
    int is_whole;
    if (lua_type(L, index) != LUA_TNUMBER)
        return false;
    *out = lua_tointegerx(L, index, &is_whole); /* 4.0 is whole, 4.5 and NaN are not */
    return is_whole && *out >= min && *out <= max;
}

lua_Integer lp_hook_whole(lua_State *L, int index, const char *what, lua_Integer min,
                          lua_Integer max) {
    lua_Integer value = 0;
    if (!lp_hook_is_whole(L, index, min, max, &value)) {
        if (max >= UINT32_MAX)
            luaL_error(L, "%s is %s; expected a whole number from %I on", what,
                       lp_hook_describe(L, index), (LUAI_UACINT)min);
        luaL_error(L, "%s is %s; expected a whole number from %I to %I", what,
                   lp_hook_describe(L, index), (LUAI_UACINT)min, (LUAI_UACINT)max);
    }
    return value;
}
