/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON texts (a job's hint, a parameter) as Lua data. */
#include <string.h>

#include "base/num.h"
#include "script/sandbox/sandbox.h"

enum { DEPTH_MAX = 64 };

typedef struct Reader {
    lua_State *L;
    const char *start, *at, *what;
    int depth;
} Reader;

static void read_value(Reader *r);

static void fail(const Reader *r, const char *expected) {
    luaL_error(r->L, "%s is not JSON: expected %s at byte %d", r->what, expected,
               (int)(r->at - r->start) + 1);
}

static void skip_space(Reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static bool take(Reader *r, char c) {
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static uint32_t read_hex4(Reader *r) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = *r->at ? strchr(DIGITS, *r->at) : NULL;
        if (digit)
            value = value * 16 + (uint32_t)(digit - DIGITS) % 16;
        else
            fail(r, "four hexadecimal digits");
    }
    return value;
}

static void read_escape(Reader *r, luaL_Buffer *out) {
    static const char NAMES[] = "\"\\/bfnrt", VALUES[] = "\"\\/\b\f\n\r\t";
    const char *name = *r->at ? strchr(NAMES, *r->at) : NULL;
    if (name) {
        r->at++;
        luaL_addchar(out, VALUES[name - NAMES]);
        return;
    }
    if (*r->at != 'u')
        fail(r, "an escape");
    r->at++;
    uint32_t cp = read_hex4(r);
    if (cp >= 0xD800 && cp < 0xDC00 && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        uint32_t low = read_hex4(r);
        cp = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00)
                                           : 0xFFFD;
    }
    char utf8[8];
    luaL_addlstring(out, utf8, lp_utf8_encode(cp, utf8));
}

/* After the opening quote. */
static void read_string(Reader *r) {
    luaL_Buffer out;
    luaL_buffinit(r->L, &out);
    while (*r->at != '"') {
        if (*r->at == '\0')
            fail(r, "the end of a string");
        if (*r->at == '\\') {
            r->at++;
            read_escape(r, &out);
        } else {
            luaL_addchar(&out, *r->at);
            r->at++;
        }
    }
    r->at++;
    luaL_pushresult(&out);
}

static void read_number(Reader *r) {
    char text[64];
    double value;
    size_t len = strspn(r->at, "+-0123456789.eE");
    if (len == 0 || len >= sizeof text) {
        fail(r, "a value");
        return;
    }
    memcpy(text, r->at, len);
    text[len] = '\0';
    if (lp_num_parse(text, &value, NULL) != LP_OK)
        fail(r, "a number");
    r->at += len;
    lua_Integer whole;
    lua_pushnumber(r->L, value);
    if (!strpbrk(text, ".eE") && lua_numbertointeger(value, &whole)) {
        lua_pop(r->L, 1);
        lua_pushinteger(r->L, whole);
    }
}

static bool take_word(Reader *r, const char *word) {
    size_t len = strlen(word);
    if (strncmp(r->at, word, len) != 0)
        return false;
    r->at += len;
    return true;
}

static void read_array(Reader *r) {
    lua_createtable(r->L, 0, 0);
    if (!take(r, ']')) {
        lua_Integer i = 0;
        do {
            read_value(r);
            lua_rawseti(r->L, -2, ++i);
        } while (take(r, ','));
        if (!take(r, ']'))
            fail(r, "',' or ']'");
    }
    lp_env_lock(r->L, r->what);
}

static void read_object(Reader *r) {
    lua_createtable(r->L, 0, 0);
    if (!take(r, '}')) {
        do {
            if (!take(r, '"'))
                fail(r, "a key");
            read_string(r);
            if (!take(r, ':'))
                fail(r, "':'");
            read_value(r);
            lua_rawset(r->L, -3);
        } while (take(r, ','));
        if (!take(r, '}'))
            fail(r, "',' or '}'");
    }
    lp_env_lock(r->L, r->what);
}

static void read_value(Reader *r) {
    luaL_checkstack(r->L, 8, r->what);
    lp_sandbox_charge(r->L, 8);
    if (++r->depth > DEPTH_MAX)
        luaL_error(r->L, "%s is nested more than %d deep", r->what, DEPTH_MAX);
    skip_space(r);
    if (take(r, '{'))
        read_object(r);
    else if (take(r, '['))
        read_array(r);
    else if (take(r, '"'))
        read_string(r);
    else if (take_word(r, "true"))
        lua_pushboolean(r->L, 1);
    else if (take_word(r, "false"))
        lua_pushboolean(r->L, 0);
    else if (take_word(r, "null"))
        lua_pushnil(r->L);
    else
        read_number(r);
    r->depth--;
}

void lp_sandbox_push_json(lua_State *L, const char *text, const char *what) {
    Reader reader = {.L = L, .start = text, .at = text, .what = what};
    read_value(&reader);
    skip_space(&reader);
    if (*reader.at != '\0')
        fail(&reader, "the end");
}
