/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks: the host reads and runs them, a script hands an observation over and gets scores. What
 * they take is charged neither to the script's memory nor to its budget of work. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "script/views/classes.h"
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/forecast.h"

enum { PATH_ROOM = 4096 };

/* ---- loading ---- */

static bool exists(const LpPolicy *p, const char *path) {
    const LpFiles *files = p->services.files;
    return files ? files->exists(files->user, path) : access(path, F_OK) == 0;
}

static bool join(char path[PATH_ROOM], const char *folder, const char *between, const char *name) {
    int len = snprintf(path, PATH_ROOM, "%s%s%s", folder, between, name);
    bool fits = len > 0 && len < PATH_ROOM;
    if (!fits)
        path[0] = '\0';
    return fits;
}

/* A default lies beside the policy. What a scenario names is looked for beside it first, what a
 * user names where it says; then by its last part beside the policy, where session files have it;
 * then in the library. */
static bool find(const LpPolicy *p, const char *name, const LpPolicyParam *given,
                 char path[PATH_ROOM]) {
    const char *slash = strrchr(name, '/');
    bool beside = given && given->folder && name[0] != '/';
    if (beside && join(path, given->folder, "", name) && exists(p, path))
        return true;
    if (given && join(path, "", "", name) && exists(p, path))
        return true;
    if (join(path, p->folder, "", name) && exists(p, path))
        return true;
    if (join(path, p->folder, "", slash ? slash + 1 : name) && exists(p, path))
        return true;
    for (const char *const *dir = p->services.library; dir && *dir; dir++)
        if (join(path, *dir, "/", name) && exists(p, path))
            return true;
    return false;
}

static void fail(lua_State *L, const LpDiag *why, const LpPolicyParam *given) {
    if (given || why->code == LP_ENOMEM)
        lp_sandbox_fail_engine(L, why);
    char said[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    luaL_error(L, "%s", lp_diag_format(why, said, sizeof said));
}

void lp_network_push(lua_State *L, const char *param, const LpPolicyParam *given) {
    LpPolicy *p = lp_policy_of(L);
    const char *name = lua_tostring(L, -1);
    char path[PATH_ROOM], shown[256];
    LpDiag diag = {.code = LP_OK};
    void *items = p->network;
    if (!p->services.network_open)
        luaL_error(L, "parameter '%s': networks are not available here", param);
    if (!find(p, name, given, path)) {
        (void)lp_fail(&diag, LP_EINVAL,
                      "%s: parameter '%s': there is no file %s; expected a network that lightpath "
                      "train wrote",
                      p->chunk, param, lp_str_show(shown, sizeof shown, name));
        fail(L, &diag, given);
    }
    const char *slash = strrchr(path, '/');
    const LpPolicyModule *file = lp_policy_take_file(L, param, slash ? slash + 1 : path, path);
    if (lp_grow(&items, &p->network_cap, (size_t)p->networks + 1, sizeof *p->network) != LP_OK) {
        (void)lp_fail_memory(&diag, "a network");
        fail(L, &diag, given);
    }
    p->network = items;
    LpErr err =
        p->services.network_open(path, file->text, file->len, &p->network[p->networks], &diag);
    if (err != LP_OK)
        fail(L, &diag, given);
    uint32_t index = p->networks++;
    lua_pop(L, 1);
    (void)lp_proxy_push(L, LP_PROXY_NETWORK, 0, index, sizeof(LpProxy));
}

/* ---- observations ---- */

int lp_api_observe(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    const LpProxy *view = lp_proxy_check(L, 1, LP_PROXY_JOB, "job:observe");
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    lp_policy_enter(p, view->world);
    uint32_t job = lp_proxy_check_new_job(L, 1, "job:observe");
    int encoding = name && p->services.network_encoding ? p->services.network_encoding(name) : -1;
    if (encoding < 0)
        return luaL_error(L, "job:observe: there is no encoding %s; expected network.encoding",
                          lp_hook_describe(L, 2));
    if (lp_world_job(p->world, job)->graph < 0)
        return luaL_error(L, "job:observe: job %d is rigid; there is no graph to observe",
                          (int)job);
    (void)lp_proxy_push(L, LP_PROXY_OBSERVATION, job, (uint32_t)encoding, sizeof(LpProxy));
    return 1;
}

const LpProxyClass lp_proxy_observation = {.name = "observation"};

/* ---- asking ---- */

static void *network_of(const LpPolicy *p, const LpProxy *view) {
    return p->network[view->item];
}

/* The network at index 1 and the observation at index 2, whose world is looked at from there on. */
static void *check(lua_State *L, const char *what, uint32_t *job, LpScriptNetwork *facts) {
    LpPolicy *p = lp_policy_of(L);
    void *network = network_of(p, lp_proxy_check(L, 1, LP_PROXY_NETWORK, what));
    const LpProxy *seen = lp_proxy_check(L, 2, LP_PROXY_OBSERVATION, what);
    *facts = p->services.network_facts(network);
    if ((int)seen->item != facts->number)
        luaL_error(L, "%s: this network sees jobs as job:observe(\"%s\") shows them", what,
                   facts->encoding);
    lp_policy_enter(p, seen->world);
    *job = seen->job;
    return network;
}

static void ask(lua_State *L, const char *what, double *scores, double *mask, double *value) {
    LpPolicy *p = lp_policy_of(L);
    LpScriptNetwork facts;
    uint32_t job;
    void *network = check(L, what, &job, &facts);
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err =
        p->services.network_scores(network, p->context, p->world, job, scores, mask, value, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, &diag);
    if (err != LP_OK)
        luaL_error(L, "%s: %s", what, diag.text);
}

/* Room for scores and mask of `actions` actions. */
static double *room(lua_State *L, uint32_t actions) {
    LpPolicy *p = lp_policy_of(L);
    void *items = p->score;
    if (lp_grow(&items, &p->score_cap, 2 * (size_t)actions, sizeof *p->score) != LP_OK) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "scores");
        lp_sandbox_fail_engine(L, &diag);
    }
    return p->score = items;
}

/* Is action i (from 1) closed by the script's own mask at index 3? */
static bool masked(lua_State *L, lua_Integer i) {
    if (!lua_istable(L, 3))
        return false;
    lua_rawgeti(L, 3, i);
    bool closed = !lua_toboolean(L, -1);
    lua_pop(L, 1);
    return closed;
}

static int network_scores(lua_State *L) {
    static const char WHAT[] = "network:scores";
    LpScriptNetwork facts;
    uint32_t job;
    lua_settop(L, 3);
    (void)check(L, WHAT, &job, &facts);
    if (!lua_isnoneornil(L, 3) && !lua_istable(L, 3))
        luaL_error(L, "%s: mask: expected a list of booleans, got %s", WHAT,
                   lp_hook_describe(L, 3));
    double *scores = room(L, facts.actions), *mask = scores + facts.actions;
    ask(L, WHAT, scores, mask, NULL);
    lua_createtable(L, (int)facts.actions, 0);
    for (uint32_t a = 0; a < facts.actions; a++) {
        bool open = mask[a] > 0 && !masked(L, (lua_Integer)a + 1);
        lua_pushnumber(L, open ? scores[a] : -HUGE_VAL);
        lua_rawseti(L, -2, (lua_Integer)a + 1);
    }
    return 1;
}

static int network_value(lua_State *L) {
    double value = 0;
    ask(L, "network:value", NULL, NULL, &value);
    lua_pushnumber(L, value);
    return 1;
}

static uint32_t check_action(lua_State *L, int index, const char *what, uint32_t actions) {
    return (uint32_t)lp_hook_whole(L, index, what, 1, actions) - 1;
}

/* The graph of the job at an index; -1 where none is given there, or a rigid one. */
static int32_t graph_at(lua_State *L, LpPolicy *p, int index) {
    if (lua_isnoneornil(L, index))
        return -1;
    const LpProxy *view = lp_proxy_check(L, index, LP_PROXY_JOB, "network:action: job");
    lp_policy_enter(p, view->world);
    return lp_world_job(p->world, view->job)->graph;
}

/* The plan of an action; 0, as of declining, where the job's graph has none of this number. */
static void push_plan(lua_State *L, const LpPolicy *p, int32_t graph, uint32_t way) {
    const LpParallel *plan;
    LpDiag diag;
    if (lp_context_plan(p->context, graph, way, &plan, &diag) != LP_OK)
        lp_sandbox_fail_engine(L, &diag);
    if (plan != NULL)
        lp_hook_push_plan(L, plan);
    else
        lua_pushinteger(L, 0);
}

static int network_action(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    void *network = network_of(p, lp_proxy_check(L, 1, LP_PROXY_NETWORK, "network:action"));
    uint32_t actions = p->services.network_facts(network).actions, degree;
    uint32_t action = check_action(L, 2, "network:action: i", actions);
    int32_t graph = graph_at(L, p, 3);
    bool plans = graph >= 0 && lp_context_planned(p->context, graph);
    const char *rule;
    p->services.network_action(network, action, plans, &degree, &rule);
    if (degree == UINT32_MAX)
        lua_pushliteral(L, "wait");
    else if (plans && degree > 0)
        push_plan(L, p, graph, degree);
    else
        lua_pushinteger(L, degree);
    lp_push_text(L, rule);
    return 2;
}

static int network_servers(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpScriptNetwork facts;
    uint32_t job, count = 0;
    void *network = check(L, "network:servers", &job, &facts);
    uint32_t action = check_action(L, 3, "network:servers: i", facts.actions);
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    lp_numbers_reserve(L, &p->block, lp_world_servers(p->world));
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = p->services.network_place(network, p->context, p->world, job, action, p->block.item,
                                          &count, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    if (err != LP_OK)
        return lp_sandbox_fail_engine(L, &diag);
    if (count > 0)
        lp_proxy_push_ids(L, p->block.item, count);
    else
        lua_pushnil(L);
    return 1;
}

/* ---- networks that let jobs wait ---- */

/* Passes an error of the host on: a lack of memory is the engine's, the rest the script's. */
static void pass_on(lua_State *L, const char *what, LpErr err, const LpDiag *diag) {
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, diag);
    if (err != LP_OK)
        luaL_error(L, "%s: %s", what, diag->text);
}

static int network_choose(lua_State *L) {
    static const char WHAT[] = "network:choose";
    LpPolicy *p = lp_policy_of(L);
    LpScriptNetwork facts;
    uint32_t job, action = 0;
    double retry = 0;
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    void *network = check(L, WHAT, &job, &facts);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err =
        p->services.network_choose(network, p->context, p->world, job, &action, &retry, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    pass_on(L, WHAT, err, &diag);
    lua_pushinteger(L, (lua_Integer)action + 1);
    if (!(retry > 0))
        return 1;
    lua_createtable(L, 0, 1);
    lua_pushnumber(L, retry);
    lua_setfield(L, -2, "retry");
    return 2;
}

/* The network at index 1 and the id of the job at index 2, whose world is looked at. */
static void *check_job(lua_State *L, const char *what, uint32_t *job) {
    LpPolicy *p = lp_policy_of(L);
    void *network = network_of(p, lp_proxy_check(L, 1, LP_PROXY_NETWORK, what));
    const LpProxy *view = lp_proxy_check(L, 2, LP_PROXY_JOB, what);
    lp_policy_enter(p, view->world);
    *job = view->job;
    LpOutcome outcome = (LpOutcome)lp_world_job(p->world, *job)->outcome;
    if (outcome != LP_JOB_DECIDING && outcome != LP_JOB_WAITING && outcome != LP_JOB_RUNNING)
        luaL_error(L, "%s: job %d is %s; expected one that waits, runs or is due", what, (int)*job,
                   lp_outcome_name(outcome));
    return network;
}

static int network_priority(lua_State *L) {
    static const char WHAT[] = "network:priority";
    LpPolicy *p = lp_policy_of(L);
    uint32_t job;
    double priority = 0;
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    void *network = check_job(L, WHAT, &job);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = p->services.network_priority(network, p->context, p->world, job, &priority, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    pass_on(L, WHAT, err, &diag);
    lua_pushnumber(L, priority);
    return 1;
}

static int network_give_way(lua_State *L) {
    static const char WHAT[] = "network:give_way";
    LpPolicy *p = lp_policy_of(L);
    uint32_t job, count = 0;
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    void *network = check_job(L, WHAT, &job);
    lp_numbers_reserve(L, &p->block, (size_t)lp_world_tally(p->world)->running + 1);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = p->services.network_give_way(network, p->context, p->world, job, p->block.item,
                                             &count, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    pass_on(L, WHAT, err, &diag);
    lp_proxy_push_ids(L, p->block.item, count);
    return 1;
}

/* ---- the class ---- */

static void field_encoding(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lp_push_text(L, p->services.network_facts(network_of(p, view)).encoding);
}

static void field_actions(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lua_pushinteger(L, p->services.network_facts(network_of(p, view)).actions);
}

#define FIELD_ROW(name, type, doc) {#name, field_##name},
static const LpField FIELDS[] = {LP_API_NETWORK_FIELDS(FIELD_ROW)};
#define METHOD_ROW(name, signature, doc) {#name, network_##name},
static const LpMethod METHODS[] = {LP_API_NETWORK_METHODS(METHOD_ROW)};
const LpProxyClass lp_proxy_network = {.name = "network",
                                       .field = FIELDS,
                                       .fields = LP_COUNTOF(FIELDS),
                                       .method = METHODS,
                                       .methods = LP_COUNTOF(METHODS)};
