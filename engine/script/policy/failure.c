/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hook `failure`: what it is told, and what it answers. */
#include <math.h>
#include <string.h>

#include "script/policy/failure.h"
#include "sim/account/accounts.h"
#include "sim/outages.h"
#include "sim/place/left.h"
#include "sim/place/slice.h"
#include "sim/store/store.h"

#define FORM                                                                                       \
    "expected \"spare\", \"requeue\", \"hold\", \"shrink\", \"degraded\", \"abort\", "             \
    "{ \"spare\", cubes = or servers = { [old] = new } }, { \"shrink\", slice = or degree = } or " \
    "nil"

/* ---- what it is told ---- */

typedef struct What {
    const LpPolicy *p;
    const LpJob *job;
    const LpOutageEvent *event; /* NULL: by hand */
    const LpSlice *slice;       /* NULL: none */
    const LpPlacement *placement;
    LpSliceLeft left; /* of the slice where it lay */
} What;

#define WHAT(name) static void what_##name(lua_State *L, const What *w)

WHAT(kind) {
    if (w->event == NULL)
        lua_pushnil(L);
    else
        lp_push_text(L, lp_outage_word((LpOutageKind)w->event->kind));
}

WHAT(index) {
    if (w->event == NULL)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)w->event->index);
}

WHAT(number) {
    if (w->event == NULL)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)w->event->number);
}

WHAT(name) {
    char text[LP_COMPONENT_TEXT];
    lp_push_text(L, w->event != NULL ? lp_outages_text(w->p->context, w->event, text) : "by hand");
}

/* A list of the numbers that satisfy; size accelerators of a cube, or single servers. */
WHAT(cubes) {
    uint32_t size = w->p->context->fabric.per_rack, count = 0;
    if (w->slice == NULL) {
        lua_pushnil(L);
        return;
    }
    uint32_t cubes = w->slice->cubes;
    lua_createtable(L, (int)(cubes > 0 ? cubes : 1), 0);
    for (uint32_t i = 0; i < w->placement->servers; i++) {
        uint32_t cube = w->placement->server[i] / size;
        bool again = false;
        for (uint32_t k = 0; k < count && !again; k++) {
            lua_rawgeti(L, -1, (lua_Integer)k + 1);
            again = lua_tointeger(L, -1) == (lua_Integer)cube;
            lua_pop(L, 1);
        }
        if (again)
            continue;
        lua_pushinteger(L, (lua_Integer)cube);
        lua_rawseti(L, -2, (lua_Integer)++count);
    }
}

WHAT(servers) {
    lua_Integer count = 0;
    lua_createtable(L, 0, 0);
    for (uint32_t i = 0; i < w->placement->servers; i++) {
        uint32_t s = w->placement->server[i];
        if (lp_world_server(w->p->real, s)->state == LP_SERVER_IN_SERVICE)
            continue;
        lua_pushinteger(L, (lua_Integer)s);
        lua_rawseti(L, -2, ++count);
    }
}

WHAT(stops) {
    lua_pushboolean(L, w->job->stops.answering == LP_ANSWERS_STOPPED);
}

/* A slice alone can go on without some of its light. */
static bool of_light(const What *w) {
    return w->slice != NULL && w->p->context->fabric.cluster->pod.fault_tolerant;
}

WHAT(links) {
    if (of_light(w))
        lua_pushinteger(L, (lua_Integer)w->left.lost);
    else
        lua_pushnil(L);
}

WHAT(slowdown) {
    if (of_light(w) && !isinf(w->left.slowdown))
        lua_pushnumber(L, w->left.slowdown);
    else
        lua_pushnil(L);
}

WHAT(saved) {
    LpAccounts a = lp_job_accounts(w->p->real, w->p->context, w->job);
    lua_pushnumber(L, a.useful);
}

WHAT(lost) {
    LpAccounts a = lp_job_accounts(w->p->real, w->p->context, w->job);
    lua_pushnumber(L, a.lost);
}

void lp_failure_push(lua_State *L, const LpPolicy *p) {
    const LpJob *job = lp_world_job(p->real, p->job);
    uint64_t seed = lp_world_seed(p->real);
    const LpPlacement *placement = lp_store_placement(p->context->store, job->placed.placement);
    What w = {p,
              job,
              lp_outages_of(p->context, seed, job->stops.by),
              lp_job_slice(p->context, job),
              placement,
              {0, 0, 1}};
    LpDiag diag;
    uint32_t row = job->slice.shape > 0 ? job->slice.shape : job->slice.row;
    if (of_light(&w) &&
        lp_slice_left(p->real, p->context, row, placement->server, &w.left, &diag) != LP_OK)
        luaL_error(L, "failure: %s", diag.text);
    lp_sandbox_charge(L, placement->servers * (w.slice != NULL ? 1 + w.slice->cubes : 1));
    lua_createtable(L, 0, 11);
#define SET(name, type, doc)                                                                       \
    what_##name(L, &w);                                                                            \
    lua_setfield(L, -2, #name);
    LP_API_FAILURE_FIELDS(SET)
#undef SET
}

/* ---- what it answers ---- */

static int find_word(const char *word) {
    static const char *const words[LP_ON_FAILURE_COUNT] = {
#define X(id, word, meaning) #word,
        LP_ON_FAILURE_TABLE(X)
#undef X
    };
    for (int i = 0; i < LP_ON_FAILURE_COUNT; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static void read_word(lua_State *L, int index, LpRecovery *how) {
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    int found = find_word(word);
    if (found < 0)
        luaL_error(L, "failure is %s; " FORM, lp_hook_describe(L, index));
    how->kind = (LpOnFailure)found;
}

/* { [old] = new }, by ascending old. */
static void read_swaps(lua_State *L, LpPolicy *p, const char *key) {
    lua_Integer from, to, last = (lua_Integer)LP_SERVERS_MAX;
    int index = lua_gettop(L);
    if (!lua_istable(L, index))
        luaL_error(L, "failure: %s is %s; expected { [old] = new }", key,
                   lp_hook_describe(L, index));
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    p->swaps.count = 0;
    lua_Integer keys = lp_sorted_push(L, index);
    lp_numbers_reserve(L, &p->swaps, (size_t)keys * 2 + 2);
    for (lua_Integer i = 1; i <= keys; i++) {
        lua_rawgeti(L, -1, i);
        if (!lp_hook_is_whole(L, -1, 0, last, &from))
            luaL_error(L, "failure: %s has an entry for %s; expected { [old] = new }", key,
                       lp_hook_describe(L, -1));
        lua_rawget(L, index);
        if (!lp_hook_is_whole(L, -1, 0, last, &to))
            luaL_error(L, "failure: %s[%I] is %s; expected a number", key, (LUAI_UACINT)from,
                       lp_hook_describe(L, -1));
        p->swaps.item[p->swaps.count++] = (uint32_t)from;
        p->swaps.item[p->swaps.count++] = (uint32_t)to;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_spare(lua_State *L, int index, LpPolicy *p) {
    bool slices = p->context->fabric.ops->slices;
    const char *key = slices ? "cubes" : "servers";
    lua_getfield(L, index, key);
    if (!lua_isnil(L, -1))
        read_swaps(L, p, key);
    lua_pop(L, 1);
}

/* "cubes", "servers", "slice" and "degree" are of one answer each, and of one kind of fabric. */
static void check_keys(lua_State *L, int index, const LpPolicy *p) {
    static const char *const keys[] = {"cubes", "slice", "servers", "degree"};
    bool slices = p->context->fabric.ops->slices;
    const char *fits = p->recovery.kind == LP_ON_FAILURE_SPARE    ? keys[slices ? 0 : 2]
                       : p->recovery.kind == LP_ON_FAILURE_SHRINK ? keys[slices ? 1 : 3]
                                                                  : NULL;
    for (size_t i = 0; i < LP_COUNTOF(keys); i++) {
        lua_getfield(L, index, keys[i]);
        if (!lua_isnil(L, -1) && (fits == NULL || strcmp(keys[i], fits) != 0))
            luaL_error(L, "failure: %s has no use here; expected %s%s", keys[i],
                       fits != NULL ? fits : "the word alone", fits != NULL ? ", or none" : "");
        lua_pop(L, 1);
    }
}

static void read_shrink(lua_State *L, int index, LpPolicy *p) {
    LpDiag diag = {.code = LP_OK};
    bool slices = p->context->fabric.ops->slices;
    lua_getfield(L, index, slices ? "slice" : "degree");
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    if (!slices)
        p->recovery.degree =
            (uint32_t)lp_hook_whole(L, -1, "failure: degree", 1, (lua_Integer)LP_SERVERS_MAX);
    else if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "failure: slice is %s; expected a slice such as \"4x4x4\"",
                   lp_hook_describe(L, -1));
    else if (lp_scenario_slice_row(p->context->scenario, lua_tostring(L, -1), &p->recovery.slice,
                                   &diag) != LP_OK)
        luaL_error(L, "failure: %s", diag.text);
    lua_pop(L, 1);
}

void lp_hook_read_failure(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    lp_hook_read_why(L, index + 1);
    p->recovers = !lua_isnil(L, index);
    if (!p->recovers)
        return;
    if (!lua_istable(L, index)) {
        read_word(L, index, &p->recovery);
        return;
    }
    lua_rawgeti(L, index, 1);
    read_word(L, lua_gettop(L), &p->recovery);
    lua_pop(L, 1);
    check_keys(L, index, p);
    if (p->recovery.kind == LP_ON_FAILURE_SPARE)
        read_spare(L, index, p);
    else if (p->recovery.kind == LP_ON_FAILURE_SHRINK)
        read_shrink(L, index, p);
}
