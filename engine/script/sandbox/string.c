/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of the sandbox: no patterns, bounded lengths, no addresses. */
#include <stdlib.h>
#include <string.h>

#include <lualib.h>

#include "script/sandbox/sandbox.h"

enum { CALL_UNITS = 4, ESCAPED_UNITS = 4 };

/* Position as Lua counts (negative from the end), as an index 0..len. */
static size_t position(lua_Integer at, size_t len) {
    if (at > 0)
        return (lua_Unsigned)at > len + 1 ? len + 2 : (size_t)at;
    if (at == 0 || at < -(lua_Integer)len)
        return at == 0 ? 0 : 1;
    return len + (size_t)(at + 1);
}

/* The text at index; a number becomes one. */
static const char *check_text(lua_State *L, int index, size_t *len) {
    lp_sandbox_charge(L, CALL_UNITS + lp_price_number_text(L, index));
    return luaL_checklstring(L, index, len);
}

static int string_byte(lua_State *L) {
    size_t len;
    const char *text = check_text(L, 1, &len);
    lua_Integer first = lp_arg_opt_integer(L, 2, 1);
    size_t from = position(first, len), to = position(lp_arg_opt_integer(L, 3, first), len);
    if (from < 1)
        from = 1;
    if (to > len)
        to = len;
    if (from > to)
        return 0;
    if (to - from >= LP_SANDBOX_UNPACK)
        return luaL_error(L, "string.byte: at most %d bytes at once", LP_SANDBOX_UNPACK);
    luaL_checkstack(L, (int)(to - from) + 1, "string.byte");
    for (size_t i = from; i <= to; i++)
        lua_pushinteger(L, (unsigned char)text[i - 1]);
    return (int)(to - from) + 1;
}

static int string_rep(lua_State *L) {
    size_t len, gap;
    const char *text = check_text(L, 1, &len);
    lua_Integer n = lp_arg_integer(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &gap);
    if (n <= 0 || len + gap == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)n > LP_SANDBOX_STRING / (len + gap))
        return luaL_error(L, "string.rep: the result would be longer than %d KiB",
                          LP_SANDBOX_STRING / 1024);
    size_t total = (size_t)n * (len + gap) - gap;
    lp_sandbox_charge(L, (uint64_t)n + total / 16);
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, total);
    for (lua_Integer i = 0; i < n; i++) {
        memcpy(out, text, len);
        out += len;
        if (i + 1 < n) {
            memcpy(out, separator, gap);
            out += gap;
        }
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

/* First place of `what` at or after from, NULL when there is none. O(len) expected; the charge
 * covers the worst case. */
static const char *find_plain(const char *text, size_t len, const char *what, size_t what_len) {
    if (what_len == 0)
        return text;
    while (len >= what_len) {
        const char *hit = memchr(text, what[0], len - what_len + 1);
        if (!hit)
            return NULL;
        if (memcmp(hit, what, what_len) == 0)
            return hit;
        len -= (size_t)(hit + 1 - text);
        text = hit + 1;
    }
    return NULL;
}

static int string_find(lua_State *L) {
    size_t len, what_len;
    const char *text = check_text(L, 1, &len);
    const char *what = check_text(L, 2, &what_len);
    size_t from = position(lp_arg_opt_integer(L, 3, 1), len);
    if (!lua_toboolean(L, 4) && strpbrk(what, "^$*+?.([%-"))
        return luaL_error(L, "string.find: patterns are not available; for plain text write "
                             "string.find(text, what, 1, true)");
    if (from > 0)
        from--;
    if (from > len) {
        lua_pushnil(L);
        return 1;
    }
    lp_sandbox_charge(L, (len - from) / 8 * (1 + what_len / 16) + 1);
    const char *hit = find_plain(text + from, len - from, what, what_len);
    if (!hit) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, hit - text + 1);
    lua_pushinteger(L, hit - text + (lua_Integer)what_len);
    return 2;
}

/* Price of a number's text: long ones take the C library microseconds. */
static uint64_t number_units(double value, const char *spec) {
    const char *point = strchr(spec, '.');
    bool large = value > 1e15 || value < -1e15;
    return 32 + (large ? 4000 : 0) + (point ? 20 * strtoul(point + 1, NULL, 10) % 4000 : 0);
}

/* Checks the value for one conversion here, so that a message names string.format; texts for %s
 * must not show addresses. */
static void prepare(lua_State *L, int argument, const char *spec, char conversion) {
    lp_sandbox_charge(L, 16);
    if (conversion == 'p')
        luaL_error(L, "string.format: %%p would show an address");
    if (strchr("cdioxX", conversion))
        (void)lp_arg_integer(L, argument);
    else if (strchr("aAeEfFgG", conversion))
        lp_sandbox_charge(L, number_units(lp_arg_number(L, argument), spec));
    else
        luaL_checkany(L, argument);
    if (conversion == 'q' && lua_type(L, argument) > LUA_TSTRING)
        luaL_argerror(L, argument, "value has no literal form");
    if (conversion == 'q') /* each byte may become several */
        lp_sandbox_charge(L, ESCAPED_UNITS * (uint64_t)lua_rawlen(L, argument) + 64);
    if (conversion == 's' && lua_type(L, argument) != LUA_TSTRING) {
        lp_sandbox_tostring(L, argument, NULL);
        lua_replace(L, argument);
    }
}

/* Upvalue: Lua's string.format, which checks the specifications themselves. */
static int string_format(lua_State *L) {
    size_t len;
    const char *format = luaL_checklstring(L, 1, &len), *end = format + len; /* may hold NULs */
    int argument = 1;
    lp_sandbox_charge(L, 64 + len / 2);
    for (const char *at = memchr(format, '%', len); at; at = memchr(at, '%', (size_t)(end - at))) {
        at++;
        if (*at != '%') {
            const char *spec = at;
            at += strspn(at, "-+ #0123456789.");
            if (*at != '\0')
                prepare(L, ++argument, spec, *at);
        } else {
            at++;
        }
    }
    int count = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    return 1;
}

static int string_len(lua_State *L) {
    size_t len;
    (void)check_text(L, 1, &len);
    lua_pushinteger(L, (lua_Integer)len);
    return 1;
}

static int string_sub(lua_State *L) {
    size_t len;
    const char *text = check_text(L, 1, &len);
    size_t from = position(lp_arg_integer(L, 2), len);
    size_t to = position(lp_arg_opt_integer(L, 3, -1), len);
    if (lua_tointeger(L, 3) < -(lua_Integer)len)
        to = 0;
    if (from < 1)
        from = 1;
    if (to > len)
        to = len;
    if (from > to)
        lua_pushliteral(L, "");
    else
        lua_pushlstring(L, text + from - 1, to - from + 1);
    return 1;
}

/* Letters are those of ASCII, whatever the locale. */
static char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static char to_upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

static int change(lua_State *L, char (*letter)(char), bool backwards) {
    size_t len;
    const char *text = check_text(L, 1, &len);
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, len);
    for (size_t i = 0; i < len; i++) {
        char c = text[backwards ? len - 1 - i : i];
        out[i] = letter ? letter(c) : c;
    }
    luaL_pushresultsize(&buffer, len);
    return 1;
}

static int string_lower(lua_State *L) {
    return change(L, to_lower, false);
}

static int string_upper(lua_State *L) {
    return change(L, to_upper, false);
}

static int string_reverse(lua_State *L) {
    return change(L, NULL, true);
}

void lp_env_push_string(lua_State *L) {
    static const char *const OWN_OF_LUA[] = {"char"};
    static const luaL_Reg OURS[] = {
        {"byte", string_byte},   {"find", string_find},   {"len", string_len},
        {"lower", string_lower}, {"rep", string_rep},     {"reverse", string_reverse},
        {"sub", string_sub},     {"upper", string_upper}, {NULL, NULL}};
    lua_pushcfunction(L, luaopen_string);
    lua_call(L, 0, 1);
    lua_createtable(L, 0, 16);
    lp_env_copy_counting(L, -2, OWN_OF_LUA, LP_COUNTOF(OWN_OF_LUA));
    lua_getfield(L, -2, "format");
    lua_pushcclosure(L, string_format, 1);
    lua_setfield(L, -2, "format");
    lp_env_set_functions(L, OURS);
    lua_remove(L, -2);
}
