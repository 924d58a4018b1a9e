/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hooks return, checked and made into an LpAnswer. Whether the cluster can do it is the
 * world's business; here only the form is judged. */
#include <math.h>
#include <string.h>

#include "script/policy/policy_impl.h"

#define MAX_WAYS LP_SERVERS_MAX
#define HUGE_SECONDS 1e300
#define PARTITION_FORM                                                                             \
    "expected a degree, a table { [op] = ways } or { tensor = , ... }, \"wait\", or nil and a "    \
    "reason"
#define PLACE_FORM                                                                                 \
    "expected { servers = { id, ... } }, { parts = { [op] = { id, ... } } }, \"wait\", or nil "    \
    "and "                                                                                         \
    "a reason"

void lp_numbers_reserve(lua_State *L, LpNumbers *numbers, size_t need) {
    LpPolicy *p = lp_policy_of(L);
    if (need > p->result)
        luaL_error(L, "a list of %I entries; at most %I are allowed", (LUAI_UACINT)need,
                   (LUAI_UACINT)p->result);
    LpErr err = lp_grow((void **)&numbers->item, &numbers->cap, need, sizeof *numbers->item);
    if (err != LP_OK) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "an answer");
        lp_sandbox_fail_engine(L, &diag);
    }
}

/* Puts the contents of a read-only table (a hint) in the place of the table at index. */
static void unlock(lua_State *L, int index) {
    if (lp_env_unlock(L, index))
        lua_replace(L, index);
}

static const LpGraph *graph_of(const LpPolicy *p, const LpJob *job) {
    return job->graph < 0 ? NULL : p->context->scenario->graph[job->graph];
}

/* ---- lists of servers and ways ---- */

void lp_hook_read_servers(lua_State *L, int index, const char *what, LpNumbers *out) {
    const LpPolicy *p = lp_policy_of(L);
    luaL_checkstack(L, 6, what);
    index = lua_absindex(L, index);
    unlock(L, index);
    if (!lua_istable(L, index))
        luaL_error(L, "%s is %s; expected a list of server ids", what, lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    if (count == 0)
        luaL_error(L, "%s is an empty list; expected server ids", what);
    lp_numbers_reserve(L, out, out->count + count);
    lp_sandbox_charge(L, count);
    lua_Integer last = (lua_Integer)lp_world_servers(p->world) - 1;
    for (size_t i = 1; i <= count; i++) {
        lua_Integer id = 0;
        lua_rawgeti(L, index, (lua_Integer)i);
        if (!lp_hook_is_whole(L, -1, 0, last, &id))
            luaL_error(L, "%s: entry %I is %s; expected a server id from 0 to %I", what,
                       (LUAI_UACINT)i, lp_hook_describe(L, -1), (LUAI_UACINT)last);
        out->item[out->count++] = (uint32_t)id;
        lua_pop(L, 1);
    }
}

/* `known` entries were understood: names the smallest key of any other, where op numbers 1 to
 * last and, with `names`, "degree" and "kind" are in order. */
static void refuse_strangers(lua_State *L, int index, const char *what, const LpGraph *graph,
                             uint32_t last, bool names, uint32_t known) {
    uint32_t count = 0;
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        count++;
    lp_sandbox_charge(L, count);
    if (count == known)
        return;
    lua_Integer keys = lp_sorted_push(L, index);
    for (lua_Integer i = 1; i <= keys; i++) {
        lua_Integer op;
        lua_rawgeti(L, -1, i);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        bool named = names && (strcmp(name, "degree") == 0 || strcmp(name, "kind") == 0);
        if (!named && !lp_hook_is_whole(L, -1, 1, last, &op))
            luaL_error(L, "%s has an entry for %s; the graph '%s' has ops 1 to %d%s", what,
                       lp_hook_describe(L, -1), graph->id, (int)graph->ops,
                       last == 0 ? ", but a degree is stated already" : "");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Ways per op number at index into out, in file order; an op that is not named stays whole. */
static void read_ways(lua_State *L, int index, const char *what, const LpGraph *graph, bool names,
                      uint32_t named, LpNumbers *out) {
    lp_numbers_reserve(L, out, graph->ops);
    lp_sandbox_charge(L, graph->ops);
    uint32_t hits = 0;
    for (uint32_t op = 1; op <= graph->ops; op++) {
        lua_Integer ways = 1;
        if (lua_rawgeti(L, index, op) != LUA_TNIL) {
            hits++;
            if (!lp_hook_is_whole(L, -1, 0, MAX_WAYS, &ways))
                luaL_error(L, "%s: op %d has ways %s; expected a whole number from 1 on", what,
                           (int)op, lp_hook_describe(L, -1));
        }
        lua_pop(L, 1);
        out->item[graph->by_number[op]] = ways > 0 ? (uint32_t)ways : 1;
    }
    out->count = graph->ops;
    refuse_strangers(L, index, what, graph, graph->ops, names, hits + named);
    if (hits == 0)
        luaL_error(L, "%s is an empty table; expected { [op] = ways }", what);
}

static LpPartitionKind read_kind(lua_State *L, int index, const char *what) {
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    int kind = lp_partition_kind_find(text);
    if (kind < 0)
        luaL_error(L, "%s is %s; expected \"model\", \"data\" or \"tensor\"", what,
                   lp_hook_describe(L, index));
    return (LpPartitionKind)kind;
}

/* A list of priorities. How many there must be is the world's business. */
static void read_priorities(lua_State *L, int index, const char *what, LpPriorities *out) {
    const LpPolicy *p = lp_policy_of(L);
    size_t count = lua_rawlen(L, index);
    void *items = out->item;
    LpDiag diag;
    if (count > p->result)
        luaL_error(L, "%s is a list of %I entries; at most %I are allowed", what,
                   (LUAI_UACINT)count, (LUAI_UACINT)p->result);
    if (lp_grow(&items, &out->cap, count + 1, sizeof *out->item) != LP_OK) {
        (void)lp_fail_memory(&diag, "priorities");
        lp_sandbox_fail_engine(L, &diag);
    }
    out->item = items;
    lp_sandbox_charge(L, count);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
        if (!isfinite(value))
            luaL_error(L, "%s: entry %I is %s; expected a finite number, the greater goes first",
                       what, (LUAI_UACINT)i + 1, lp_hook_describe(L, -1));
        out->item[i] = value + 0.0; /* -0 and 0 are one priority */
        lua_pop(L, 1);
    }
    out->count = (uint32_t)count;
}

static const char *const rules_expected = "\"srpt\", \"critical_path\", \"fifo\", \"longest\"";

/* The rule for equals of a list. */
static LpOrder read_rule(lua_State *L, int index, const char *what) {
    int order = LP_ORDER_SRPT;
    lua_pushliteral(L, "rule");
    if (lua_rawget(L, index) != LUA_TNIL)
        order = lua_type(L, -1) == LUA_TSTRING ? lp_order_find(lua_tostring(L, -1)) : -1;
    if (order < 0)
        luaL_error(L, "%s: rule is %s; expected one of %s", what, lp_hook_describe(L, -1),
                   rules_expected);
    lua_pop(L, 1);
    return (LpOrder)order;
}

/* A rule's name, or a list of priorities before a rule. */
static void read_order(lua_State *L, int index, const char *what, bool flows, LpPriorities *room,
                       LpAnswer *answer) {
    int order = lua_type(L, index) == LUA_TSTRING ? lp_order_find(lua_tostring(L, index)) : -1;
    index = lua_absindex(L, index);
    unlock(L, index);
    if (lua_istable(L, index)) {
        read_priorities(L, index, what, room);
        *(flows ? &answer->order_flows : &answer->order_ops) = read_rule(L, index, what);
        *(flows ? &answer->flow_priority : &answer->op_priority) = room->item;
        *(flows ? &answer->flow_priorities : &answer->op_priorities) = room->count;
        return;
    }
    if (order < 0)
        luaL_error(L, "%s is %s; expected %s, or a priority for each %s", what,
                   lp_hook_describe(L, index), rules_expected, flows ? "flow" : "part");
    *(flows ? &answer->order_flows : &answer->order_ops) = (LpOrder)order;
}

/* ---- what all hooks share ---- */

void lp_hook_read_why(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    if (lua_isnil(L, index))
        return;
    if (lua_type(L, index) != LUA_TSTRING && lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "the second result is %s; expected a reason, a string",
                   lp_hook_describe(L, index));
    lp_sandbox_copy_text(L, index, p->why, sizeof p->why);
    p->answer.why = p->why;
}

static void decline(LpPolicy *p) {
    p->answer.kind = LP_ANSWER_DECLINE;
    p->answer.cause = LP_CAUSE_DECLINED;
}

/* What the job waits for: a number of servers, or with `true` those that a rigid job needs. */
static void read_fits(lua_State *L, int index, LpPolicy *p) {
    const LpJob *job = lp_world_job(p->real, p->job);
    lua_getfield(L, index, "fits");
    bool own = lua_isboolean(L, -1) && lua_toboolean(L, -1) && job->graph < 0;
    lua_Integer servers = own ? job->asked.rigid_servers : 0;
    if (!own && !lua_isnil(L, -1) && !lp_hook_is_whole(L, -1, 1, LP_SERVERS_MAX, &servers))
        luaL_error(L, "fits is %s; expected a number of servers from 1 on%s",
                   lp_hook_describe(L, -1), job->graph < 0 ? ", or true" : "");
    p->answer.fits = (uint32_t)servers;
    lua_pop(L, 1);
}

/* Third result of "wait": nil or { retry = seconds | "on_complete", fits = servers | true }. */
static void read_wait(lua_State *L, int index, LpPolicy *p) {
    p->answer.kind = LP_ANSWER_WAIT;
    if (lua_isnil(L, index))
        return;
    unlock(L, index);
    if (!lua_istable(L, index))
        luaL_error(L,
                   "the third result is %s; expected { retry = seconds }, "
                   "{ retry = \"on_complete\" } or { fits = servers }",
                   lp_hook_describe(L, index));
    read_fits(L, index, p);
    lua_getfield(L, index, "retry");
    if (lua_isnil(L, -1) ||
        (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "on_complete") == 0))
        return;
    double seconds = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (!(seconds > 0) || seconds > HUGE_SECONDS)
        luaL_error(L, "retry is %s; expected seconds above 0, or \"on_complete\"",
                   lp_hook_describe(L, -1));
    p->answer.has_retry = true;
    p->answer.retry = seconds;
}

/* Handles nil, "wait" and a reason; true when that was all. */
static bool read_common(lua_State *L, int index, LpPolicy *p) {
    lp_hook_read_why(L, index + 1);
    if (lua_isnil(L, index)) {
        decline(p);
        return true;
    }
    if (lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), "wait") == 0) {
        read_wait(L, index + 2, p);
        return true;
    }
    return false;
}

/* ---- partition ---- */

static void take_plan(lua_State *L, int index, const char *what, const LpGraph *graph,
                      LpAnswer *answer) {
    lp_hook_read_plan(L, index, what, graph, &answer->parallel);
    answer->has_plan = true;
    answer->degree = lp_parallel_devices(&answer->parallel);
}

/* { [op] = ways } and, or instead, degree = and kind =; or a plan. */
static void read_partition_table(lua_State *L, int index, LpPolicy *p, const LpGraph *graph) {
    uint32_t named = 0;
    unlock(L, index);
    if (lp_hook_is_plan(L, index)) {
        take_plan(L, index, "the returned table", graph, &p->answer);
        return;
    }
    lua_pushliteral(L, "kind");
    if (lua_rawget(L, index) != LUA_TNIL) {
        p->answer.partition_kind = read_kind(L, -1, "kind");
        p->answer.has_partition_kind = true;
        named++;
    }
    lua_pushliteral(L, "degree");
    if (lua_rawget(L, index) != LUA_TNIL) {
        p->answer.degree = (uint32_t)lp_hook_whole(L, -1, "degree", 1, MAX_WAYS);
        refuse_strangers(L, index, "the returned table", graph, 0, true, named + 1);
        return;
    }
    read_ways(L, index, "the returned table", graph, true, named, &p->ways);
    p->answer.ways = p->ways.item;
    for (uint32_t i = 0; i < graph->ops; i++)
        if (p->ways.item[i] > p->answer.degree)
            p->answer.degree = p->ways.item[i];
}

void lp_hook_read_partition(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    if (read_common(L, index, p))
        return;
    const LpGraph *graph = graph_of(p, lp_world_job(p->world, p->job));
    lua_Integer degree = 0;
    if (lua_istable(L, index))
        read_partition_table(L, index, p, graph);
    else if (!lp_hook_is_whole(L, index, 0, MAX_WAYS, &degree))
        luaL_error(L, "returned %s; " PARTITION_FORM, lp_hook_describe(L, index));
    else if (degree == 0)
        decline(p);
    else
        p->answer.degree = (uint32_t)degree;
}

/* ---- place ---- */

static void read_parts(lua_State *L, int index, LpPolicy *p, const LpGraph *graph) {
    unlock(L, index);
    if (!lua_istable(L, index))
        luaL_error(L, "parts is %s; expected { [op] = { id, ... } }", lp_hook_describe(L, index));
    lp_numbers_reserve(L, &p->part_begin, (size_t)graph->ops + 1);
    p->part_server.count = 0;
    for (uint32_t i = 0; i < graph->ops; i++) {
        uint32_t number = graph->op[i].number;
        char what[32] = "";
        lua_pushfstring(L, "parts of op %d", (int)number);
        lp_str_copy(what, sizeof what, lua_tostring(L, -1));
        lua_pop(L, 1);
        p->part_begin.item[i] = p->part_server.count;
        lua_rawgeti(L, index, number);
        lp_hook_read_servers(L, -1, what, &p->part_server);
        lua_pop(L, 1);
    }
    p->part_begin.item[graph->ops] = p->part_server.count;
    refuse_strangers(L, index, "parts", graph, graph->ops, false, graph->ops);
    p->answer.part_begin = p->part_begin.item;
    p->answer.part_server = p->part_server.item;
}

static void read_place_table(lua_State *L, int index, LpPolicy *p) {
    const LpGraph *graph = graph_of(p, lp_world_job(p->world, p->job));
    unlock(L, index);
    lua_getfield(L, index, "servers");
    lua_getfield(L, index, "parts");
    lp_policy_enter(p, 0); /* a metamethod may have looked elsewhere */
    bool servers = !lua_isnil(L, -2), parts = !lua_isnil(L, -1);
    if (servers == parts)
        luaL_error(L, servers ? "returned both servers and parts; expected one of them"
                              : "returned a table without servers or parts; " PLACE_FORM);
    if (servers) {
        p->servers.count = 0;
        lp_hook_read_servers(L, -2, "servers", &p->servers);
        p->answer.servers = p->servers.count;
        p->answer.server = p->servers.item;
    } else if (!graph) {
        luaL_error(L, "returned parts for a rigid job; expected { servers = { id, ... } }");
    } else {
        read_parts(L, lua_gettop(L), p, graph);
    }
}

void lp_hook_read_place(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    if (read_common(L, index, p))
        return;
    if (lua_isboolean(L, index) && lua_toboolean(L, index))
        return; /* as the engine does */
    if (!lua_istable(L, index))
        luaL_error(L, "returned %s; " PLACE_FORM, lp_hook_describe(L, index));
    read_place_table(L, index, p);
}

void lp_hook_read_order(lua_State *L, int index, bool flows) {
    LpPolicy *p = lp_policy_of(L);
    if (!p->answer.why)
        lp_hook_read_why(L, index + 1);
    if (!lua_isnil(L, index))
        read_order(L, index, "the first result", flows, flows ? &p->flow_order : &p->op_order,
                   &p->answer);
}

/* ---- options of predict ---- */

static void read_try_ways(lua_State *L, LpPolicy *p, const LpJob *job, LpAnswer *answer) {
    const LpGraph *graph = graph_of(p, job);
    int index = lua_gettop(L);
    if (!graph) {
        luaL_error(L, "cluster:predict: a rigid job has no ways");
        return;
    }
    unlock(L, index);
    if (!lua_istable(L, index))
        luaL_error(L, "cluster:predict: ways is %s; expected { [op] = ways }",
                   lp_hook_describe(L, index));
    read_ways(L, index, "cluster:predict: ways", graph, false, 0, &p->try_ways);
    answer->ways = p->try_ways.item;
}

/* One option, its value on top of the stack. */
static void read_option(lua_State *L, const char *key, LpPolicy *p, const LpJob *job,
                        LpAnswer *answer) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_PREDICT_OPTIONS(NAME)};
#undef NAME
    if (strcmp(key, "degree") == 0) {
        answer->degree = (uint32_t)lp_hook_whole(L, -1, "cluster:predict: degree", 1, MAX_WAYS);
    } else if (strcmp(key, "plan") == 0) {
        unlock(L, lua_absindex(L, -1));
        take_plan(L, -1, "cluster:predict: plan", graph_of(p, job), answer);
    } else if (strcmp(key, "ways") == 0) {
        read_try_ways(L, p, job, answer);
    } else if (strcmp(key, "kind") == 0) {
        answer->partition_kind = read_kind(L, -1, "cluster:predict: kind");
        answer->has_partition_kind = true;
    } else if (strcmp(key, "servers") == 0) {
        p->try_servers.count = 0;
        lp_hook_read_servers(L, -1, "cluster:predict: servers", &p->try_servers);
        answer->servers = p->try_servers.count;
        answer->server = p->try_servers.item;
    } else if (strcmp(key, "order_ops") == 0) {
        read_order(L, -1, "cluster:predict: order_ops", false, &p->try_op_order, answer);
    } else if (strcmp(key, "order_flows") == 0) {
        read_order(L, -1, "cluster:predict: order_flows", true, &p->try_flow_order, answer);
    } else {
        lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
        luaL_error(L, "cluster:predict: unknown option \"%s\"%s", key, lua_tostring(L, -1));
    }
}

/* What the hooks before this one answered holds unless the options say otherwise. */
static void take_answered(const LpPolicy *p, LpAnswer *answer) {
    if (!answer->has_partition_kind) {
        answer->has_partition_kind = p->answer.has_partition_kind;
        answer->partition_kind = p->answer.partition_kind;
    }
    if (!p->step.open || answer->server != NULL)
        return;
    answer->servers = p->answer.servers;
    answer->server = p->answer.server;
    answer->part_begin = p->answer.part_begin;
    answer->part_server = p->answer.part_server;
}

void lp_hook_read_options(lua_State *L, int index, const LpJob *job, LpAnswer *answer) {
    LpPolicy *p = lp_policy_of(L);
    if (!lua_isnoneornil(L, index)) {
        unlock(L, index);
        if (!lua_istable(L, index))
            luaL_error(L, "cluster:predict: the options are %s; expected { degree = 4 }",
                       lp_hook_describe(L, index));
        lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
        lua_pushnil(L);
        while (lua_next(L, index)) {
            int top = lua_gettop(L);
            if (lua_type(L, -2) != LUA_TSTRING)
                luaL_error(L,
                           "cluster:predict: the options have no names; expected { degree = 4 }");
            read_option(L, lua_tostring(L, -2), p, job, answer);
            lua_settop(L, top - 1);
        }
    }
    if (job->graph >= 0 && answer->degree == 0 && !answer->ways) {
        if (job->id != p->job || p->pending == 0)
            luaL_error(L, "cluster:predict: state a degree or ways, as in { degree = 4 }");
        answer->degree = p->pending;
        if (!answer->ways)
            answer->ways = p->answer.ways;
        answer->has_plan = p->answer.has_plan;
        answer->parallel = p->answer.parallel;
        take_answered(p, answer);
    }
}
