/* SPDX-License-Identifier: GPL-3.0-or-later */
/* self.mem as bytes: plain data, written in the order of its keys, read back into the same table.
 *
 * T, F; i and 8 bytes, a whole number; d and 8 bytes, an IEEE double; s, 4 bytes of length, text;
 * { key value ... }, a table. Numbers have their lowest byte first. An empty self.mem is nothing.
 */
#include <string.h>

#include "script/policy/policy_impl.h"

enum { DEPTH_MAX = 64, PATH_SHOWN = 120, BYTES_PER_UNIT = 8, ENTRY_UNITS = 8 };
static const uint64_t CANONICAL_NAN = UINT64_C(0x7FF8000000000000);

/* ---- writing ---- */

typedef struct Writer {
    lua_State *L;
    LpBuf *out;
    int seen; /* stack index: true for tables being written, false for those done */
    int depth;
    bool holes; /* a table has whole-number keys, but not 1 to n: its # depends on its history */
    char path[PATH_SHOWN];
} Writer;

static void write_value(Writer *w);

static void refuse(const Writer *w, const char *what) {
    luaL_error(w->L, "%s %s; expected plain data: numbers, texts, booleans, and tables of them",
               w->path, what);
}

static void put_bytes(Writer *w, const void *bytes, size_t len) {
    lp_buf_add_bytes(w->out, bytes, len);
    lp_sandbox_charge(w->L, 1 + len / BYTES_PER_UNIT);
    if (w->out->len > LP_POLICY_MEM)
        luaL_error(w->L, "%s does not fit: self.mem may take %d KiB", w->path,
                   LP_POLICY_MEM / 1024);
    if (w->out->failed) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "self.mem");
        lp_sandbox_fail_engine(w->L, &diag);
    }
}

static void put(Writer *w, char tag, const void *bytes, size_t len) {
    put_bytes(w, &tag, 1);
    put_bytes(w, bytes, len);
}

static void put_number(Writer *w, char tag, uint64_t bits, int bytes) {
    char text[8];
    for (int i = 0; i < bytes; i++)
        text[i] = (char)(bits >> 8 * i & 0xFF);
    put(w, tag, text, (size_t)bytes);
}

static void write_float(Writer *w, double value) {
    uint64_t bits = CANONICAL_NAN;
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    put_number(w, 'd', bits, 8);
}

static void write_text(Writer *w, int index) {
    size_t len;
    const char *text = lua_tolstring(w->L, index, &len);
    put_number(w, 's', len, 4);
    put_bytes(w, text, len);
}

/* Extends the path by the key at the top: .name, [3] or ["any text"]. */
static void enter_key(Writer *w) {
    lua_State *L = w->L;
    LpBuf text = {0};
    char shown[40];
    lp_buf_add(&text, w->path);
    if (lua_isinteger(L, -1)) {
        lp_buf_addf(&text, "[%lld]", (long long)lua_tointeger(L, -1));
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        lp_buf_addf(&text, "[%.14g]", lua_tonumber(L, -1));
    } else if (lua_type(L, -1) == LUA_TBOOLEAN) {
        lp_buf_addf(&text, "[%s]", lua_toboolean(L, -1) ? "true" : "false");
    } else {
        static const char PLAIN[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
        const char *name = lua_tostring(L, -1);
        bool plain = name[0] > '9' && name[strspn(name, PLAIN)] == '\0';
        lp_buf_addf(&text, plain ? ".%s" : "[\"%s\"]", lp_str_show(shown, sizeof shown, name));
    }
    lp_str_copy(w->path, sizeof w->path, lp_buf_text(&text));
    lp_buf_fini(&text);
}

/* Only keys that have an order may stand; notes whether those that # counts have holes. */
static void check_keys(Writer *w, int table) {
    lua_State *L = w->L;
    lua_Integer wholes = 0, highest = 0;
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
            luaL_error(L, "%s has a key that is %s; expected numbers, texts or booleans", w->path,
                       lp_hook_describe(L, -2));
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1)
            continue;
        wholes++;
        if (lua_tointeger(L, -2) > highest)
            highest = lua_tointeger(L, -2);
    }
    if (wholes != highest)
        w->holes = true;
}

static void check_new(Writer *w, int table) {
    lua_State *L = w->L;
    if (++w->depth > DEPTH_MAX)
        refuse(w, "is nested too deeply");
    if (lua_getmetatable(L, table))
        refuse(w, lp_env_unlock(L, table) ? "is a read-only table (copy what is needed)"
                                          : "has a metatable");
    lua_pushvalue(L, table);
    if (lua_rawget(L, w->seen) != LUA_TNIL)
        refuse(w, lua_toboolean(L, -1) ? "contains itself"
                                       : "is a table that stands elsewhere in self.mem, too");
    lua_pop(L, 1);
}

static void mark(Writer *w, int table, bool busy) {
    lua_pushvalue(w->L, table);
    lua_pushboolean(w->L, busy);
    lua_rawset(w->L, w->seen);
}

/* The entries of the table at the top. */
static void write_entries(Writer *w) {
    lua_State *L = w->L;
    int table = lua_gettop(L);
    char path[PATH_SHOWN];
    luaL_checkstack(L, 16, "self.mem");
    check_new(w, table);
    check_keys(w, table);
    mark(w, table, true);
    lp_str_copy(path, sizeof path, w->path);
    lua_Integer count = lp_sorted_push(L, table);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, table + 1, i);
        enter_key(w);
        write_value(w);
        lua_rawget(L, table);
        write_value(w);
        lua_pop(L, 1);
        lp_sandbox_charge(L, ENTRY_UNITS);
        lp_str_copy(w->path, sizeof w->path, path);
    }
    lua_pop(L, 1);
    mark(w, table, false);
    w->depth--;
}

/* The value at the top, which stays there. */
static void write_value(Writer *w) {
    lua_State *L = w->L;
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        put(w, lua_toboolean(L, -1) ? 'T' : 'F', "", 0);
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1))
            put_number(w, 'i', (uint64_t)lua_tointeger(L, -1), 8);
        else
            write_float(w, lua_tonumber(L, -1));
        break;
    case LUA_TSTRING:
        write_text(w, -1);
        break;
    case LUA_TTABLE:
        put(w, '{', "", 0);
        write_entries(w);
        put(w, '}', "", 0);
        break;
    default:
        lua_pushfstring(L, "is %s", lp_hook_describe(L, -1));
        refuse(w, lua_tostring(L, -1));
    }
}

static bool is_empty(lua_State *L) {
    if (lua_getmetatable(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    lua_pushnil(L);
    if (!lua_next(L, -2))
        return true;
    lua_pop(L, 2);
    return false;
}

void lp_mem_write(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    lp_buf_clear(&p->mem_next);
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->mem);
    if (is_empty(L)) {
        lua_pop(L, 1);
        return;
    }
    lua_createtable(L, 0, 0);
    lua_insert(L, -2);
    Writer w = {.L = L, .out = &p->mem_next, .seen = lua_gettop(L) - 1, .path = "self.mem"};
    write_entries(&w);
    lua_pop(L, 2);
    if (!w.holes || p->sandbox.image)
        return;
    /* the length of a list with holes follows from how it came about: the same way everywhere.
     * (Where every call begins with the state as loaded, it reads self.mem anew.) */
    LpBuf before = p->mem_bytes;
    p->mem_bytes = p->mem_next;
    p->mem_next = before;
    lp_mem_restore(L);
    before = p->mem_next;
    p->mem_next = p->mem_bytes;
    p->mem_bytes = before;
}

void lp_mem_commit(LpPolicy *p) {
    LpBuf before = p->mem_bytes;
    p->mem_bytes = p->mem_next;
    p->mem_next = before;
}

/* ---- reading ---- */

typedef struct Reader {
    lua_State *L;
    const unsigned char *at, *end;
    int depth;
} Reader;

static void read_value(Reader *r, unsigned char tag);

static void broken(const Reader *r) {
    luaL_error(r->L, "these bytes are no self.mem of a policy");
}

static unsigned char read_tag(Reader *r) {
    if (r->at == r->end)
        broken(r);
    return *r->at++;
}

static uint64_t read_bits(Reader *r, int bytes) {
    uint64_t bits = 0;
    if (r->end - r->at < bytes)
        broken(r);
    for (int i = 0; i < bytes; i++)
        bits |= (uint64_t)*r->at++ << 8 * i;
    return bits;
}

/* Entries up to the end, or to a closing brace, into the table at the top. */
static void read_entries(Reader *r, bool nested) {
    lua_State *L = r->L;
    luaL_checkstack(L, 8, "self.mem");
    if (++r->depth > DEPTH_MAX + 1)
        broken(r);
    while (nested || r->at < r->end) {
        unsigned char tag = read_tag(r);
        if (nested && tag == '}')
            break;
        if (tag == '{')
            broken(r);
        read_value(r, tag);
        if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) != lua_tonumber(L, -1))
            broken(r);
        read_value(r, read_tag(r));
        lua_rawset(L, -3);
    }
    r->depth--;
}

static void read_value(Reader *r, unsigned char tag) {
    lua_State *L = r->L;
    lp_sandbox_charge(L, ENTRY_UNITS);
    if (tag == 'T' || tag == 'F') {
        lua_pushboolean(L, tag == 'T');
    } else if (tag == 'i') {
        lua_pushinteger(L, (lua_Integer)read_bits(r, 8));
    } else if (tag == 'd') {
        uint64_t bits = read_bits(r, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        lua_pushnumber(L, value);
    } else if (tag == 's') {
        uint64_t len = read_bits(r, 4);
        if ((uint64_t)(r->end - r->at) < len)
            broken(r);
        lua_pushlstring(L, (const char *)r->at, (size_t)len);
        r->at += len;
    } else if (tag == '{') {
        lua_createtable(L, 0, 0);
        read_entries(r, true);
    } else {
        broken(r);
    }
}

void lp_mem_restore(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    const unsigned char *bytes = (const unsigned char *)lp_buf_text(&p->mem_bytes);
    Reader r = {.L = L, .at = bytes, .end = bytes + p->mem_bytes.len};
    lua_rawgeti(L, LUA_REGISTRYINDEX, p->mem);
    /* self.mem is one table for the whole call, so that a script may hold on to it. */
    lua_pushnil(L);
    lua_setmetatable(L, -2);
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, -4);
    }
    read_entries(&r, false);
    lua_pop(L, 1);
    p->mem_stale = false;
}

/* ---- for the host ---- */

const void *lp_policy_mem(const LpPolicy *policy, size_t *len) {
    *len = policy->mem_bytes.len;
    return lp_buf_text(&policy->mem_bytes);
}

static int restore_body(lua_State *L) {
    lp_mem_restore(L);
    return 0;
}

/* Leaves self.mem empty, now or, if even that fails, when it is next used. */
static LpErr give_up(LpPolicy *p, LpErr err, LpDiag *diag) {
    lp_buf_clear(&p->mem_bytes);
    p->mem_stale = true;
    if (err == LP_ESCRIPT && diag)
        diag->code = LP_EINVAL;
    return err == LP_ESCRIPT ? LP_EINVAL : err;
}

LpErr lp_policy_set_mem(LpPolicy *policy, const void *bytes, size_t len, LpDiag *diag) {
    LpBuf *now = &policy->mem_bytes;
    if (!policy->mem_stale && now->len == len &&
        (len == 0 || memcmp(lp_buf_text(now), bytes, len) == 0))
        return LP_OK;
    lp_buf_clear(now);
    if (len > LP_POLICY_MEM)
        return give_up(
            policy,
            lp_fail(diag, LP_EINVAL, "self.mem of %zu bytes; at most %d", len, LP_POLICY_MEM),
            diag);
    lp_buf_add_bytes(now, len > 0 ? bytes : "", len);
    if (now->failed)
        return give_up(policy, lp_fail_memory(diag, "self.mem"), diag);
    lp_str_copy(policy->sandbox.doing, sizeof policy->sandbox.doing, "self.mem");
    LpErr err = lp_sandbox_call(&policy->sandbox, restore_body, NULL, diag);
    return err == LP_OK ? LP_OK : give_up(policy, err, diag);
}
