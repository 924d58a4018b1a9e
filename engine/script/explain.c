/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain{ columns = , rows = , chosen = }: the candidates that a script weighed, kept as texts. */
#include <string.h>

#include "base/mem.h"
#include "script/script_impl.h"

enum { CELL_UNITS = 40 };

#define HUGE_WHOLE 1e15

static LpExplainStore *store_of(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    if (!p->explain && !(p->explain = lp_alloc(1, sizeof *p->explain))) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "candidates explained");
        lp_sandbox_fail_engine(L, &diag);
    }
    return p->explain;
}

static const char *keep(LpExplainStore *store, const char *text) {
    char *out = store->text + store->used;
    lp_str_show(out, LP_EXPLAIN_TEXT, text);
    store->used += strlen(out) + 1;
    return out;
}

/* Numbers are for reading here: whole ones in full, others with six digits. */
static void number_text(double value, char *text, size_t size) {
    LpBuf buf = {0};
    if (value != value)
        lp_buf_add(&buf, "nan");
    else if (value < HUGE_WHOLE && value > -HUGE_WHOLE && value == (double)(int64_t)value)
        lp_buf_addf(&buf, "%lld", (long long)value);
    else
        lp_buf_addf(&buf, "%.6g", value);
    lp_str_copy(text, size, lp_buf_text(&buf));
    lp_buf_fini(&buf);
}

/* The value at the top as a cell; a missing one is a dash. Pops it. */
static const char *keep_cell(lua_State *L, LpExplainStore *store, uint32_t row, uint32_t column) {
    char text[64] = "-";
    const char *kept = text;
    switch (lua_type(L, -1)) {
    case LUA_TNIL:
        break;
    case LUA_TBOOLEAN:
        kept = lua_toboolean(L, -1) ? "yes" : "no";
        break;
    case LUA_TNUMBER:
        number_text(lua_tonumber(L, -1), text, sizeof text);
        break;
    case LUA_TSTRING:
        kept = lua_tostring(L, -1);
        break;
    default:
        luaL_error(L, "explain: row %d, column %d is %s; expected a number, text, boolean or nil",
                   (int)row + 1, (int)column + 1, lp_hook_describe(L, -1));
    }
    kept = keep(store, kept);
    lua_pop(L, 1);
    return kept;
}

/* Pushes the list called `key` of the table at 1 and returns its length. */
static uint32_t push_list(lua_State *L, const char *key, uint32_t max) {
    lp_push_text(L, key);
    lua_rawget(L, 1);
    if (lp_env_unlock(L, -1))
        lua_remove(L, -2);
    if (!lua_istable(L, -1))
        luaL_error(L, "explain: %s is %s; expected a list", key, lp_hook_describe(L, -1));
    size_t count = lua_rawlen(L, -1);
    if (count > max)
        luaL_error(L, "explain: %I %s; at most %d are kept", (LUAI_UACINT)count, key, (int)max);
    return (uint32_t)count;
}

static void read_columns(lua_State *L, LpExplainStore *store) {
    uint32_t count = push_list(L, "columns", LP_EXPLAIN_COLUMNS);
    if (count == 0)
        luaL_error(L, "explain: columns is empty; expected titles, as in { \"ways\", \"JCT\" }");
    for (uint32_t i = 0; i < count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING)
            luaL_error(L, "explain: column %d is %s; expected its title", (int)i + 1,
                       lp_hook_describe(L, -1));
        store->column[i] = keep(store, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    store->view.columns = count;
    lua_pop(L, 1);
}

static void read_row(lua_State *L, LpExplainStore *store, uint32_t row) {
    uint32_t columns = store->view.columns;
    if (lp_env_unlock(L, -1))
        lua_remove(L, -2);
    if (!lua_istable(L, -1))
        luaL_error(L, "explain: row %d is %s; expected { cell, ... }", (int)row + 1,
                   lp_hook_describe(L, -1));
    if (lua_rawlen(L, -1) > columns)
        luaL_error(L, "explain: row %d has %I cells for %d columns", (int)row + 1,
                   (LUAI_UACINT)lua_rawlen(L, -1), (int)columns);
    for (uint32_t c = 0; c < columns; c++) {
        lua_rawgeti(L, -1, (lua_Integer)c + 1);
        store->cell[row * columns + c] = keep_cell(L, store, row, c);
    }
}

static void check_names(lua_State *L) {
    static const char *const NAMES[] = {
#define X(name, type, doc) #name,
        LP_API_EXPLAIN_FIELDS(X)
#undef X
    };
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        bool known = false;
        for (size_t i = 0; i < LP_COUNTOF(NAMES); i++)
            known = known || strcmp(name, NAMES[i]) == 0;
        if (known)
            continue;
        lp_env_push_nearest_of(L, name, NAMES, LP_COUNTOF(NAMES));
        const char *nearest = lua_tostring(L, -1); /* describing pushes */
        luaL_error(L, "explain: there is no %s%s", lp_hook_describe(L, -3), nearest);
    }
}

static int api_explain(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    if (!p->context)
        return luaL_error(L, "explain works only while a hook runs");
    if (!lua_istable(L, 1))
        return luaL_error(L, "explain: got %s; expected { columns =, rows =, chosen = }",
                          lp_hook_describe(L, 1));
    lua_settop(L, 1);
    if (lp_env_unlock(L, 1))
        lua_replace(L, 1);
    LpExplainStore *store = store_of(L);
    store->set = false; /* nothing half-filled is ever shown */
    store->used = 0;
    check_names(L);
    read_columns(L, store);
    uint32_t count = push_list(L, "rows", LP_EXPLAIN_ROWS);
    lp_sandbox_charge(L, CELL_UNITS * ((uint64_t)count + 1) * store->view.columns);
    for (uint32_t row = 0; row < count; row++) {
        lua_rawgeti(L, -1, (lua_Integer)row + 1);
        read_row(L, store, row);
        lua_pop(L, 1);
    }
    store->view.rows = count;
    lua_pop(L, 1);
    lua_pushliteral(L, "chosen");
    store->view.chosen = -1;
    if (lua_rawget(L, 1) != LUA_TNIL)
        store->view.chosen =
            (int32_t)lp_hook_whole(L, -1, "explain: chosen", 1, store->view.rows) - 1;
    lua_pop(L, 1);
    store->view.column = store->column;
    store->view.cell = store->cell;
    store->set = true;
    return 0;
}

void lp_api_open_explain(lua_State *L) {
    lp_env_push_function(L, api_explain);
    lp_env_define(L, "explain");
}
