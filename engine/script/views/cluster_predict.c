/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster:predict: a forecast as a view. */
#include "base/num.h"
#include "script/views/classes.h"
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/account/belief.h"
#include "sim/forecast.h"
#include "sim/world.h"

typedef struct LpForecastProxy {
    LpProxy view;
    LpForecast forecast;
} LpForecastProxy;

/* A prediction's price, and that of each op and dependency of a step that it may have to simulate;
 * a step that the same call has paid for is found again. */
enum { PREDICT_UNITS = 1000, EVENT_UNITS = 3, PREDICTIONS_LEAST = 16 };

static const LpForecast *forecast_of(const LpProxy *view) {
    return &((const LpForecastProxy *)view)->forecast;
}

#define FIELD(name) static void forecast_##name(lua_State *L, LpPolicy *p, const LpProxy *view)
/* a quantity, nil where nothing could be placed */
#define NUMBER(name, member)                                                                       \
    FIELD(name) {                                                                                  \
        (void)p;                                                                                   \
        lp_proxy_push_if(L, forecast_of(view)->feasible, forecast_of(view)->member);               \
    }
#define COUNT(name)                                                                                \
    FIELD(name) {                                                                                  \
        (void)p;                                                                                   \
        if (forecast_of(view)->feasible)                                                           \
            lua_pushinteger(L, forecast_of(view)->name);                                           \
        else                                                                                       \
            lua_pushnil(L);                                                                        \
    }

NUMBER(jct, jct)
NUMBER(finish, finish)
NUMBER(step_time, step_time)
NUMBER(compute, computation)
NUMBER(communication, communication)
NUMBER(exposed, exposed)
/* known as soon as the graph is cut, also where the parts have no place */
FIELD(partition_degree) {
    (void)p;
    if (forecast_of(view)->partition_degree > 0)
        lua_pushinteger(L, forecast_of(view)->partition_degree);
    else
        lua_pushnil(L);
}
COUNT(ops)
COUNT(deps)
COUNT(circuits)

FIELD(feasible) {
    (void)p;
    lua_pushboolean(L, forecast_of(view)->feasible);
}

FIELD(cause) {
    (void)p;
    lp_push_text(L, lp_cause_code(forecast_of(view)->cause)); /* NULL pushes nil */
}

FIELD(why) {
    (void)p;
    const LpForecast *forecast = forecast_of(view);
    if (forecast->cause == LP_CAUSE_NONE)
        lua_pushnil(L);
    else
        lp_push_text(L, forecast->why[0] ? forecast->why : lp_cause_sentence(forecast->cause));
}

FIELD(degree) {
    (void)p;
    lua_pushinteger(L, forecast_of(view)->degree);
}

FIELD(servers) {
    (void)p;
    const LpForecast *forecast = forecast_of(view);
    lp_proxy_push_ids(L, forecast->server, forecast->feasible ? forecast->servers : 0);
}

FIELD(shape) {
    (void)p;
    char text[LP_SHAPE_TEXT];
    const LpForecast *forecast = forecast_of(view);
    if (forecast->feasible && forecast->shape.groups > 0)
        lp_push_text(L, lp_shape_print(&forecast->shape, text));
    else
        lua_pushnil(L);
}

static void push_step(lua_State *L, const LpProxy *view, LpProxyKind kind) {
    const LpForecast *forecast = forecast_of(view);
    if (forecast->feasible && forecast->partition != LP_NO_INDEX)
        lp_proxy_push_step(L, kind, view->job,
                           &(LpStepOf){forecast->partition, forecast->placement});
    else
        lua_pushnil(L);
}

FIELD(parts) {
    (void)p;
    push_step(L, view, LP_PROXY_PARTS);
}

FIELD(flows) {
    (void)p;
    push_step(L, view, LP_PROXY_FLOWS);
}

#define ROW(name, type, doc) {#name, forecast_##name},
static const LpField FIELDS[] = {LP_API_FORECAST_FIELDS(ROW)};
const LpProxyClass lp_proxy_forecast = {
    .name = "forecast", .field = FIELDS, .fields = LP_COUNTOF(FIELDS)};

/* Whether the engine knew the step already must not count: that depends on what was asked before,
 * by whomever. */
static bool paid_for(lua_State *L, LpPolicy *p, uint32_t step) {
    for (uint32_t i = 0; i < p->priced.count; i++)
        if (p->priced.item[i] == step)
            return true;
    lp_numbers_reserve(L, &p->priced, (size_t)p->priced.count + 1);
    p->priced.item[p->priced.count++] = step;
    return false;
}

/* A forecast of a job whose user requested a time says no more than that. */
static void veil(const LpPolicy *p, uint32_t id, LpForecast *out) {
    const LpJob *job = lp_world_job(p->world, id);
    const LpScenario *scenario = p->context->scenario;
    if (!out->feasible || !lp_job_veiled(scenario, job))
        return;
    double now = lp_world_now(p->world);
    out->jct = lp_job_requested_left(scenario, job, now);
    out->step_time = out->computation = lp_job_requested(scenario, job);
    out->finish = now + out->jct;
    bool late = out->finish > lp_job_deadline(job) * (1 + LP_NUM_TIE);
    out->cause = late ? LP_CAUSE_DEADLINE : LP_CAUSE_NONE;
    out->why[0] = '\0';
}

static void forecast(lua_State *L, LpPolicy *p, uint32_t job, const LpAnswer *answer,
                     const char *what, LpForecast *out) {
    lp_sandbox_charge(L, PREDICT_UNITS);
    p->predictions++;
    LpDiag diag = {.code = LP_OK};
    struct timespec start = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    LpErr err = lp_world_predict(p->world, p->context, job, answer, out, &diag);
    lp_sandbox_extend(&p->sandbox, &start);
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, &diag);
    if (err != LP_OK)
        luaL_error(L, "%s: %s", what, diag.text);
    veil(p, job, out);
    uint64_t units = EVENT_UNITS * ((uint64_t)out->ops + out->deps);
    uint64_t most = p->sandbox.limits.work / PREDICTIONS_LEAST; /* large jobs can be asked about */
    if (out->step != LP_NO_INDEX && !paid_for(L, p, out->step))
        lp_sandbox_charge(L, units < most ? units : most);
}

int lp_api_predict(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:predict");
    LpPolicy *p = lp_policy_of(L);
    uint32_t job = lp_proxy_check_new_job(L, 2, "cluster:predict(job)");
    LpAnswer answer = {.kind = LP_ANSWER_RUN};
    lp_hook_read_options(L, 3, lp_world_job(p->world, job), &answer);
    p->foresee(L, p, job, &answer);
    LpForecastProxy *out =
        (LpForecastProxy *)lp_proxy_push(L, LP_PROXY_FORECAST, job, 0, sizeof *out);
    forecast(L, p, job, &answer, "cluster:predict", &out->forecast);
    return 1;
}

uint32_t lp_api_block_size(lua_State *L, uint32_t job, uint32_t degree) {
    LpPolicy *p = lp_policy_of(L);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    lp_hook_read_options(L, lua_gettop(L) + 1, lp_world_job(p->world, job), &answer);
    LpForecast *out = lua_newuserdatauv(L, sizeof *out, 0);
    forecast(L, p, job, &answer, "cluster:best_block", out);
    uint32_t size = out->partition_degree;
    lua_pop(L, 1);
    return size;
}
