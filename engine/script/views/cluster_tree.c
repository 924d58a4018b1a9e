/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of the cluster: its levels and nodes with what is free, places in it, and why a job
 * waits. */
#include <math.h>
#include <string.h>

#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/place/asked.h"
#include "sim/waits/why.h"
#include "sim/world.h"

enum { NODE_UNITS = 6, NODES_PER_UNIT = 8, WHY_UNITS = 400, RUNNING_UNITS = 2 };

static const LpTree *tree_of(const LpPolicy *p) {
    return p->context->fabric.cluster->tree;
}

static void set_integer(lua_State *L, const char *key, lua_Integer value) {
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text) {
    lp_push_text(L, text);
    lua_setfield(L, -2, key);
}

/* The level at an argument, by its name. */
static uint32_t read_level(lua_State *L, const LpPolicy *p, const char *what) {
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const LpTree *tree = tree_of(p);
    int level = lp_tree_level_find(tree, name);
    if (level < 0 && tree->levels == 0)
        luaL_error(L, "%s: level is %s; expected \"cluster\", since this one has no levels", what,
                   lp_hook_describe(L, 2));
    if (level < 0)
        luaL_error(L, "%s: level is %s; expected a name of cluster:levels(), such as \"%s\"", what,
                   lp_hook_describe(L, 2), tree->level_name[0]);
    return (uint32_t)level;
}

int lp_api_levels(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:levels");
    const LpPolicy *p = lp_policy_of(L);
    const LpTree *tree = tree_of(p);
    const LpTreeCount *count = lp_world_nodes(p->world);
    lp_sandbox_charge(L, tree->nodes / NODES_PER_UNIT + NODE_UNITS * (uint64_t)tree->levels);
    lua_createtable(L, (int)tree->levels, 0);
    for (uint32_t l = 0; l < tree->levels; l++) {
        uint32_t largest = 0, most = 0;
        for (uint32_t i = tree->level_begin[l]; i < tree->level_begin[l + 1]; i++) {
            largest = count[i].free > largest ? count[i].free : largest;
            most = tree->size[i] > most ? tree->size[i] : most;
        }
        lua_createtable(L, 0, 4);
        set_text(L, "name", tree->level_name[l]);
        set_integer(L, "nodes", tree->level_begin[l + 1] - tree->level_begin[l]);
        set_integer(L, "largest", largest);
        set_integer(L, "most", most);
        lua_rawseti(L, -2, (lua_Integer)l + 1);
    }
    return 1;
}

int lp_api_nodes(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:nodes");
    const LpPolicy *p = lp_policy_of(L);
    const LpTree *tree = tree_of(p);
    const LpTreeCount *count = lp_world_nodes(p->world);
    uint32_t level = read_level(L, p, "cluster:nodes");
    uint32_t begin = tree->level_begin[level], end = tree->level_begin[level + 1];
    lp_sandbox_charge(L, NODE_UNITS * (uint64_t)(end - begin));
    lua_createtable(L, (int)(end - begin), 0);
    for (uint32_t i = begin; i < end; i++) {
        lua_createtable(L, 0, 6);
        set_text(L, "name", tree->name[i]);
        set_integer(L, "number", i - begin);
        set_integer(L, "free", count[i].free);
        set_integer(L, "servers", tree->size[i]);
        set_integer(L, "down", count[i].down);
        if (tree->parent[i] != LP_NO_NODE)
            set_integer(L, "parent", tree->parent[i] - tree->level_begin[level + 1]);
        lua_rawseti(L, -2, (lua_Integer)(i - begin) + 1);
    }
    return 1;
}

int lp_api_free_in(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:free_in");
    const LpPolicy *p = lp_policy_of(L);
    const LpTree *tree = tree_of(p);
    uint32_t level = read_level(L, p, "cluster:free_in");
    uint32_t begin = tree->level_begin[level], nodes = tree->level_begin[level + 1] - begin;
    uint32_t number =
        (uint32_t)lp_hook_whole(L, 3, "cluster:free_in: number", 0, (lua_Integer)nodes - 1);
    lua_pushinteger(L, lp_world_nodes(p->world)[begin + number].free);
    return 1;
}

/* ---- places ---- */

/* Servers of the job at an argument: of a rigid job, or at the degree answered. */
static uint32_t read_servers(lua_State *L, const LpPolicy *p, uint32_t id) {
    const LpJob *job = lp_world_job(p->world, id);
    if (job->graph < 0)
        return job->asked.rigid_servers;
    return lp_api_block_size(L, id, 0);
}

/* A place is sought for the job at index 2. */
typedef struct Sought {
    uint32_t job, n;
    LpTreeAsk ask;
    uint32_t *room, *take, *server; /* in a buffer of Lua's */
} Sought;

static Sought seek(lua_State *L, const LpPolicy *p, const char *what) {
    const LpTree *tree = tree_of(p);
    Sought s = {.job = lp_proxy_check_job(L, 2, what)};
    const LpJob *job = lp_world_job(p->world, s.job);
    if (job->graph >= 0 && (s.job != p->job || p->pending == 0))
        luaL_error(L,
                   "%s: how the job is split is not answered yet; expected a rigid job, or a "
                   "call from place",
                   what);
    s.n = read_servers(L, p, s.job);
    s.ask = lp_job_tree_ask(p->context, job);
    size_t numbers = 2 * (size_t)tree->nodes + s.n;
    s.room = lua_newuserdatauv(L, numbers * sizeof *s.room, 0);
    s.take = s.room + tree->nodes;
    s.server = s.take + tree->nodes;
    lp_sandbox_charge(L, tree->nodes / NODES_PER_UNIT + NODE_UNITS);
    return s;
}

int lp_api_fits_place(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:fits_place");
    const LpPolicy *p = lp_policy_of(L);
    Sought s = seek(L, p, "cluster:fits_place(job)");
    uint32_t node = s.n > 0
                        ? lp_tree_fits_now(p->context, p->world, &s.ask, s.n, LP_TREE_TIGHT, s.room)
                        : LP_NO_NODE;
    lua_pushboolean(L, node != LP_NO_NODE);
    if (node == LP_NO_NODE)
        lua_pushnil(L);
    else
        lp_push_text(L, tree_of(p)->name[node]);
    return 2;
}

/* { pick = "tight" } at index 3. */
static LpTreePick read_pick(lua_State *L) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_TREE_OPTIONS(NAME)};
#undef NAME
    int pick = LP_TREE_TIGHT;
    if (lua_isnoneornil(L, 3))
        return LP_TREE_TIGHT;
    luaL_checktype(L, 3, LUA_TTABLE);
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strcmp(key, "pick") != 0) {
            lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
            const char *nearest = lua_tostring(L, -1); /* describing pushes */
            luaL_error(L, "cluster:tree_place: unknown option %s%s", lp_hook_describe(L, -3),
                       nearest);
        }
        pick = lua_type(L, -1) == LUA_TSTRING ? lp_tree_pick_find(lua_tostring(L, -1)) : -1;
        if (pick < 0)
            luaL_error(L,
                       "cluster:tree_place: pick is %s; expected \"tight\", \"loose\" or \"first\"",
                       lp_hook_describe(L, -1));
    }
    return (LpTreePick)pick;
}

int lp_api_tree_place(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:tree_place");
    const LpPolicy *p = lp_policy_of(L);
    const LpTree *tree = tree_of(p);
    LpTreePick pick = read_pick(L);
    Sought s = seek(L, p, "cluster:tree_place(job)");
    uint32_t spread = 0;
    if (s.n == 0 || s.n > tree->servers ||
        !lp_tree_servers(p->context, p->world, &s.ask, s.n, pick, s.room, s.take, s.server)) {
        lua_pushnil(L);
        return 1;
    }
    lp_sandbox_charge(L, s.n);
    lp_proxy_push_ids(L, s.server, s.n);
    lua_newtable(L);
    for (uint32_t i = 0; i < tree->level_begin[1]; i++) {
        if (s.take[i] == 0)
            continue;
        set_integer(L, tree->name[i], s.take[i]);
        spread++;
    }
    lua_pushinteger(L, spread);
    return 3;
}

/* ---- why a job waits ---- */

/* The reason of the job at index 2, in a buffer of Lua's; NULL: it does not wait. */
static const LpReason *find_reason(lua_State *L, const char *what) {
    const LpPolicy *p = lp_policy_of(L);
    uint32_t job = lp_proxy_check_job(L, 2, what);
    uint8_t outcome = lp_world_job(p->world, job)->outcome;
    LpReason *reason = lua_newuserdatauv(L, sizeof *reason, 0);
    LpWhyAsk ask = {NULL};
    LpDiag diag;
    if (outcome != LP_JOB_WAITING && outcome != LP_JOB_DECIDING)
        return NULL;
    lp_sandbox_charge(L, WHY_UNITS + tree_of(p)->nodes +
                             RUNNING_UNITS * lp_world_tally(p->world)->running +
                             lp_world_servers(p->world) / NODES_PER_UNIT);
    if (lp_world_why(p->world, p->context, job, &ask, reason, &diag) != LP_OK)
        lp_sandbox_fail_engine(L, &diag);
    return reason;
}

int lp_api_place_at(lua_State *L) {
    const LpReason *reason = find_reason(L, "cluster:free_at(job)");
    if (reason == NULL || isnan(reason->enough_at))
        lua_pushnil(L);
    else
        lua_pushnumber(L, reason->enough_at);
    return 1;
}

int lp_api_why(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:why");
    const LpReason *reason = find_reason(L, "cluster:why(job)");
    if (reason == NULL) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 4);
    set_text(L, "code", lp_reason_code(reason->code));
    set_text(L, "text", reason->text);
    if (!isnan(reason->enough_at)) {
        lua_pushnumber(L, reason->enough_at);
        lua_setfield(L, -2, "enough_at");
    }
    if (reason->across > 0)
        set_integer(L, "across", reason->across);
    return 1;
}
