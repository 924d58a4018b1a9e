/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs as scripts see them, and the lists of running and waiting jobs. */
#include <math.h>

#include "base/num.h"
#include "script/views/classes.h"
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/facts/identity.h"
#include "sim/place/asked.h"
#include "sim/world.h"

static const LpJob *job_of(const LpPolicy *policy, const LpProxy *view) {
    return lp_world_job(policy->world, view->job);
}

static bool running(const LpJob *job) {
    return job->outcome == LP_JOB_RUNNING;
}

static bool over(const LpJob *job) {
    return job->outcome != LP_JOB_DECIDING && job->outcome != LP_JOB_WAITING && !running(job);
}

static double now(const LpPolicy *policy) {
    return lp_world_now(policy->world);
}

/* ---- fields: one function per row of LP_API_JOB_FIELDS ---- */

#define FIELD(name) static void job_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

FIELD(id) {
    (void)p;
    lua_pushinteger(L, view->job);
}

static const LpIdentity *identity(const LpPolicy *p, const LpProxy *view) {
    return lp_job_identity(p->context->scenario, job_of(p, view));
}

static void push_if_said(lua_State *L, const char *text) {
    if (text != NULL)
        lp_push_text(L, text);
    else
        lua_pushnil(L);
}

FIELD(key) {
    const LpIdentity *who = identity(p, view);
    uint64_t number = 0;
    if (who->number && lp_num_parse_u64(who->key, &number, NULL) == LP_OK)
        lua_pushinteger(L, (lua_Integer)number);
    else
        push_if_said(L, who->key);
}

FIELD(name) {
    push_if_said(L, identity(p, view)->name);
}

FIELD(user) {
    push_if_said(L, identity(p, view)->user);
}

FIELD(group) {
    push_if_said(L, identity(p, view)->group);
}

FIELD(graph) {
    const LpJob *job = job_of(p, view);
    if (job->graph >= 0)
        lp_push_text(L, p->context->scenario->graph[job->graph]->id);
    else
        lua_pushnil(L);
}

FIELD(kind) {
    lp_push_text(L, lp_partition_kind_word((LpPartitionKind)job_of(p, view)->kind));
}

FIELD(state) {
    const LpJob *job = job_of(p, view);
    bool held = job->outcome == LP_JOB_WAITING && job->queue.held;
    lp_push_text(L, held ? "preempted" : lp_outcome_name((LpOutcome)job->outcome));
}

FIELD(arrival) {
    lua_pushnumber(L, job_of(p, view)->asked.arrival);
}

FIELD(waited) {
    const LpJob *job = job_of(p, view);
    double waited = isnan(job->times.wait) ? 0 : job->times.wait;
    lua_pushnumber(
        L, isnan(job->times.waiting_since) ? waited : waited + (now(p) - job->times.waiting_since));
}

FIELD(deadline) {
    lua_pushnumber(L, lp_job_deadline(job_of(p, view)));
}

FIELD(steps) {
    lua_pushnumber(L, job_of(p, view)->asked.steps);
}

FIELD(sequential_jct) {
    lua_pushnumber(L, job_of(p, view)->asked.sequential_jct);
}

FIELD(max_jct) {
    lua_pushnumber(L, job_of(p, view)->asked.max_jct);
}

FIELD(max_jct_fraction) {
    double fraction = job_of(p, view)->asked.fraction;
    lp_proxy_push_if(L, fraction > 0, fraction);
}

FIELD(hint) {
    const LpJob *job = job_of(p, view);
    const LpScenario *scenario = p->context->scenario;
    const char *json =
        job->asked.spec < scenario->jobs ? scenario->job[job->asked.spec].hint.json : NULL;
    if (json)
        lp_sandbox_push_json(L, json, "job.hint");
    else
        lua_pushnil(L);
}

static void push_list(lua_State *L, LpPolicy *p, const LpProxy *view, LpProxyKind kind) {
    if (job_of(p, view)->graph >= 0)
        (void)lp_proxy_push(L, kind, view->job, 0, sizeof(LpProxy));
    else
        lua_pushnil(L);
}

FIELD(ops) {
    push_list(L, p, view, LP_PROXY_OPS);
}

FIELD(deps) {
    push_list(L, p, view, LP_PROXY_DEPS);
}

FIELD(parts) {
    if (p->step.open && view->job == p->job)
        lp_proxy_push_step(L, LP_PROXY_PARTS, view->job, NULL);
    else
        lua_pushnil(L);
}

FIELD(rigid) {
    const LpJob *job = job_of(p, view);
    if (job->graph < 0)
        lua_pushinteger(L, job->asked.rigid_servers);
    else
        lua_pushnil(L);
}

/* A level of what it asks for, by its number from 1. */
static void push_level(lua_State *L, const LpPolicy *p, uint32_t level) {
    if (level > 0)
        lp_push_text(L, p->context->fabric.cluster->tree->level_name[level - 1]);
    else
        lua_pushnil(L);
}

FIELD(required) {
    push_level(L, p, lp_job_tree_ask(p->context, job_of(p, view)).required);
}

FIELD(preferred) {
    push_level(L, p, lp_job_tree_ask(p->context, job_of(p, view)).preferred);
}

FIELD(segment) {
    uint32_t segment = lp_job_tree_ask(p->context, job_of(p, view)).segment;
    if (segment > 0)
        lua_pushinteger(L, segment);
    else
        lua_pushnil(L);
}

FIELD(duration) {
    const LpJob *job = job_of(p, view);
    lp_proxy_push_if(L, job->graph < 0, job->asked.rigid_duration);
}

FIELD(slice) {
    const LpJob *job = job_of(p, view);
    char text[LP_SLICE_TEXT];
    if (job->slice.row > 0)
        lp_push_text(L,
                     lp_slice_name(&p->context->scenario->slice[job->slice.row - 1].slice, text));
    else
        lua_pushnil(L);
}

FIELD(degree) {
    const LpJob *job = job_of(p, view);
    uint32_t degree = running(job) ? job->placed.degree : view->job == p->job ? p->pending : 0;
    if (degree > 0)
        lua_pushinteger(L, degree);
    else
        lua_pushnil(L);
}

FIELD(servers) {
    const LpJob *job = job_of(p, view);
    lua_createtable(L, running(job) && job->placed.servers < 1 << 24 ? (int)job->placed.servers : 0,
                    0);
    if (!running(job))
        return;
    lua_Integer count = 0;
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
         s = lp_world_server(p->world, s)->next) {
        lua_pushinteger(L, s);
        lua_rawseti(L, -2, ++count);
    }
    lp_sandbox_charge(L, (uint64_t)count);
}

FIELD(start) {
    const LpJob *job = job_of(p, view);
    lp_proxy_push_if(L, true, job->times.start); /* NAN before */
}

FIELD(finish) {
    const LpJob *job = job_of(p, view);
    lp_proxy_push_if(L, running(job), job->times.forecast_end);
}

/* Once it has run, a waiting job has its last step time. */
FIELD(remaining) {
    const LpJob *job = job_of(p, view);
    if (running(job))
        lua_pushnumber(L, job->times.forecast_end - now(p));
    else
        lp_proxy_push_if(L, !over(job) && !isnan(job->times.start),
                         (job->asked.steps - job->work.steps_done) * job->forecast.step_time);
}

FIELD(attained) {
    lua_pushnumber(L, lp_world_attained(p->world, view->job));
}

FIELD(steps_done) {
    lua_pushnumber(L, lp_world_steps_done(p->world, view->job));
}

FIELD(preemptions) {
    lua_pushinteger(L, job_of(p, view)->stops.preemptions);
}

#define ROW(name, type, doc) {#name, job_##name},
static const LpField JOB_FIELDS[] = {LP_API_JOB_FIELDS(ROW)};
#define job_observe lp_api_observe
#define METHOD(name, signature, doc) {#name, job_##name},
static const LpMethod JOB_METHODS[] = {LP_API_JOB_METHODS(METHOD)};
const LpProxyClass lp_proxy_job = {.name = "job",
                                   .field = JOB_FIELDS,
                                   .fields = LP_COUNTOF(JOB_FIELDS),
                                   .method = JOB_METHODS,
                                   .methods = LP_COUNTOF(JOB_METHODS)};

/* ---- cluster.running and cluster.waiting ---- */

/* The world chains its jobs; a script wants them by index: the chain is walked as far as it reads,
 * once per call. */
static const LpNumbers *fill(lua_State *L, LpPolicy *p, LpListKind kind, uint32_t upto) {
    LpNumbers *list = &p->list[kind];
    bool run = kind == LP_LIST_RUNNING;
    if (!p->listed[kind] || p->list_of[kind] != p->world_at)
        list->count = 0;
    p->listed[kind] = true;
    p->list_of[kind] = p->world_at;
    uint32_t before = list->count;
    while (list->count < upto) {
        uint32_t id = list->count > 0 ? list->item[list->count - 1] : LP_NO_INDEX;
        if (run)
            id = list->count > 0 ? lp_world_next_running(p->world, id)
                                 : lp_world_first_running(p->world);
        else
            id = list->count > 0 ? lp_world_next_waiting(p->world, id)
                                 : lp_world_first_waiting(p->world);
        lp_numbers_reserve(L, list, (size_t)list->count + 1);
        list->item[list->count++] = id;
    }
    lp_sandbox_charge(L, list->count - before);
    return list;
}

static uint32_t jobs_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    const LpTally *tally = lp_world_tally(p->world);
    (void)L;
    return (uint32_t)(view->item == LP_LIST_RUNNING ? tally->running : tally->waiting);
}

static void jobs_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    lp_proxy_push_job(L, fill(L, p, (LpListKind)view->item, i + 1)->item[i]);
}

const LpProxyClass lp_proxy_jobs = {
    .name = "list of jobs", .length = jobs_length, .item = jobs_item};
