/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What queues with preemption ask at every event about all running jobs: who has to stop for a
 * block, and when a job falls to the next level. A script that walked cluster.running for it would
 * read three or four values of each of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/account/belief.h"
#include "sim/world.h"

enum { JOB_UNITS = 8, LEVELS_MOST = 64, NEXT_UNITS = 2 };

/* ---- ranks ---- */

/* Thresholds in the order in which they were given. */
typedef struct Levels {
    uint32_t count;
    double at[LEVELS_MOST];
} Levels;

typedef struct Ranked {
    double rank;
    uint32_t id, servers;
} Ranked;

static void read_levels(lua_State *L, int index, const char *what, Levels *levels) {
    levels->count = 0;
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = lua_rawlen(L, index);
    if (count > LEVELS_MOST)
        luaL_error(L, "%s: %I levels; at most %d are allowed", what, (LUAI_UACINT)count,
                   LEVELS_MOST);
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, index, (lua_Integer)i) != LUA_TNUMBER)
            luaL_error(L, "%s: level %I is %s; expected a number", what, (LUAI_UACINT)i,
                       lp_hook_describe(L, -1));
        levels->at[levels->count++] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

/* Levels up to the first that the service has not reached. */
static uint32_t level_of(const Levels *levels, double service) {
    uint32_t level = 0;
    while (level < levels->count && !(service < levels->at[level]))
        level++;
    return level;
}

static double service_rank(const LpPolicy *p, const LpJob *job, const Levels *levels) {
    double service = lp_world_attained(p->world, job->id);
    return levels->count > 0 ? level_of(levels, service) : service;
}

static double work_rank(const LpPolicy *p, const LpJob *job, const Levels *levels) {
    (void)levels;
    return lp_job_believed_work(p->context->scenario, job, lp_world_now(p->world),
                                lp_world_steps_done(p->world, job->id));
}

typedef double RankOf(const LpPolicy *p, const LpJob *job, const Levels *levels);

static RankOf *read_by(lua_State *L, int index) {
    const char *by = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    if (strcmp(by, "work") == 0)
        return work_rank;
    if (strcmp(by, "service") != 0)
        luaL_error(L, "cluster:stops: by is %s; expected \"work\" or \"service\"",
                   lp_hook_describe(L, index));
    return service_rank;
}

/* ---- who stops ---- */

/* The highest rank first, of equal ones the latest job. */
static int by_rank(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->id > y->id ? -1 : x->id < y->id;
}

/* Running jobs of a rank above that, in a buffer of Lua's that is pushed. */
static Ranked *push_ranked(lua_State *L, const LpPolicy *p, RankOf *rank, double above,
                           const Levels *levels, uint32_t *count) {
    uint32_t running = (uint32_t)lp_world_tally(p->world)->running;
    lp_sandbox_charge(L, JOB_UNITS * (uint64_t)running);
    Ranked *list = lua_newuserdatauv(L, (running + 1) * sizeof *list, 0);
    *count = 0;
    for (uint32_t id = lp_world_first_running(p->world); id != LP_NO_INDEX;
         id = lp_world_next_running(p->world, id)) {
        const LpJob *job = lp_world_job(p->world, id);
        double its = rank(p, job, levels);
        if (its > above && *count < running)
            list[(*count)++] = (Ranked){its, id, job->placed.servers};
    }
    return list;
}

static bool fits_without(lua_State *L, LpPolicy *p, uint32_t n, LpRoom *room, const Ranked *list,
                         uint32_t count) {
    uint32_t free = lp_world_free_servers(p->world);
    lp_api_reset_room(L, p, room);
    for (uint32_t i = 0; i < count; i++)
        free += lp_api_free_job(L, p, room, list[i].id);
    return n <= free && lp_api_any_block(L, n, room);
}

/* As few of the list, from its first on, as make a block of n servers free if they stop; 0: all of
 * them do not. The more stop, the more is free, so that halving finds the number. */
static uint32_t fewest(lua_State *L, LpPolicy *p, uint32_t n, const Ranked *list, uint32_t count) {
    uint64_t free = lp_world_free_servers(p->world);
    uint32_t too_few = 0, enough = count;
    while (free < n && too_few < count)
        free += list[too_few++].servers;
    if (free < n || count == 0)
        return 0;
    too_few -= too_few > 0;
    LpRoom *room = lua_newuserdatauv(L, lp_room_bytes(&lp_policy_context(p)->fabric), 0);
    if (fits_without(L, p, n, room, list,
                     too_few + 1)) /* on most fabrics that is all there is to it */
        return too_few + 1;
    if (!fits_without(L, p, n, room, list, count))
        return 0;
    for (too_few++; enough - too_few > 1;) {
        uint32_t middle = (too_few + enough) / 2;
        if (fits_without(L, p, n, room, list, middle))
            enough = middle;
        else
            too_few = middle;
    }
    return enough;
}

static bool room_for(const Ranked *list, uint32_t count, uint64_t free, uint32_t n) {
    for (uint32_t i = 0; i < count && free < n; i++)
        free += list[i].servers;
    return free >= n;
}

int lp_api_stops(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:stops");
    LpPolicy *p = lp_policy_of(L);
    Levels levels = {.count = 0};
    uint32_t n = (uint32_t)lp_hook_whole(L, 2, "cluster:stops: number of servers", 1, UINT32_MAX);
    RankOf *rank = read_by(L, 3);
    double above = luaL_checknumber(L, 4);
    if (!lua_isnoneornil(L, 5))
        read_levels(L, 5, "cluster:stops", &levels);
    uint32_t count = 0, stop = 0;
    if (!lp_published(&p->context->scenario->options, LP_OPT_HORIZON)) {
        Ranked *list = push_ranked(L, p, rank, above, &levels, &count);
        if (room_for(list, count, lp_world_free_servers(p->world), n)) {
            qsort(list, count, sizeof *list, by_rank);
            stop = fewest(L, p, n, list, count);
        }
        lua_createtable(L, stop < 1 << 24 ? (int)stop : 0, 0);
        for (uint32_t i = 0; i < stop; i++) {
            lp_proxy_push_job(L, list[i].id);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    if (stop == 0)
        lua_pushnil(L);
    return 1;
}

/* ---- when a level is passed ---- */

int lp_api_passes_at(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:passes_at");
    LpPolicy *p = lp_policy_of(L);
    Levels levels;
    read_levels(L, 2, "cluster:passes_at", &levels);
    double now = lp_world_now(p->world), first = (double)INFINITY;
    lp_sandbox_charge(L, NEXT_UNITS * (uint64_t)lp_world_tally(p->world)->running);
    for (uint32_t id = lp_world_first_running(p->world); id != LP_NO_INDEX;
         id = lp_world_next_running(p->world, id)) {
        const LpJob *job = lp_world_job(p->world, id);
        double had = lp_world_attained(p->world, id);
        uint32_t level = level_of(&levels, had);
        if (level == levels.count)
            continue;
        /* a little later, so that rounding cannot leave it below */
        double at = now + (levels.at[level] - had) / job->placed.servers * 1.000001 + 1e-6;
        if (at < first && at < lp_job_believed_end(p->context->scenario, job, now))
            first = at;
    }
    if (isinf(first))
        lua_pushnil(L);
    else
        lua_pushnumber(L, first);
    return 1;
}
