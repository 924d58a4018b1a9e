/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/job_facts.h"

#include <math.h>

#include "model/pod/place.h"
#include "sim/outages.h"
#include "sim/place/slice.h"
#include "sim/store/store.h"

void lp_job_around_fini(LpJobAround *around) {
    lp_free(around->list);
    around->list = NULL;
    around->list_cap = 0;
}

/* Traits that a fact may ask for. */
enum {
    CUT = 1,     /* it has a graph */
    FORECAST = 2 /* it has completed, or was refused for what its forecast says */
};

/* A waiting job that could no longer meet its deadline never had a plan. */
static unsigned traits_of(const void *record) {
    const LpJob *job = record;
    bool told = job->cause == LP_CAUSE_DEADLINE || job->cause == LP_CAUSE_HORIZON;
    bool forecast = job->outcome == LP_JOB_COMPLETED ||
                    (job->outcome == LP_JOB_BLOCKED && told && !isnan(job->forecast.jct));
    return (job->graph >= 0 ? CUT : 0) | (forecast ? FORECAST : 0);
}

/* ---- members, as they are ---- */

#define MEMBER(name, member)                                                                       \
    static LpFactValue name(const void *record, void *around) {                                    \
        const LpJob *job = record;                                                                 \
        (void)around;                                                                              \
        return lp_fact_real((double)job->member);                                                  \
    }

MEMBER(id, id)
MEMBER(arrival, asked.arrival)
MEMBER(steps, asked.steps)
MEMBER(sequential_jct, asked.sequential_jct)
MEMBER(max_jct, asked.max_jct)
MEMBER(start, times.start)
MEMBER(step_time, forecast.step_time)
MEMBER(communication_time, forecast.communication)
MEMBER(computation_time, forecast.computation)
MEMBER(circuits, placed.circuits)
MEMBER(ops, placed.ops)
MEMBER(deps, placed.deps)
MEMBER(partition_degree, placed.partition_degree)
MEMBER(exposed_time, forecast.exposed)
MEMBER(wait_time, times.wait)
MEMBER(preemptions, stops.preemptions)
MEMBER(moves, stops.moves)
MEMBER(stops, stops.count)

/* ---- derived ---- */

static LpFactValue graph(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    return lp_fact_text(a->context->scenario->graph[job->graph]->id);
}

static LpFactValue max_jct_fraction(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    return job->asked.fraction > 0 ? lp_fact_real(job->asked.fraction) : lp_fact_null();
}

static LpFactValue degree(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    return job->placed.degree > 0 ? lp_fact_real(job->placed.degree) : lp_fact_null();
}

static LpFactValue outcome(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    return lp_fact_text(lp_outcome_name((LpOutcome)job->outcome));
}

static LpFactValue cause(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    return lp_fact_text(lp_cause_code((LpCause)job->cause));
}

static LpFactValue end(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    bool ended = job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED;
    return ended ? lp_fact_real(job->times.end) : lp_fact_null();
}

/* A forecast counts what was waited before the start or the decision. */
static LpFactValue jct(const void *record, void *around) {
    const LpJob *job = record;
    (void)around;
    if (job->outcome == LP_JOB_COMPLETED)
        return lp_fact_real(job->times.end - job->asked.arrival);
    double from = isnan(job->times.start) ? job->times.decided : job->times.start;
    return lp_fact_real((from - job->asked.arrival) + job->forecast.jct);
}

static LpFactValue servers(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    if (job->placed.placement == LP_NO_INDEX)
        return lp_fact_null();
    const LpPlacement *p = lp_store_placement(a->context->store, job->placed.placement);
    return lp_fact_list(p->server, p->servers);
}

static LpFactValue valid_degrees(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    uint32_t count;
    if (job->placed.valid_degrees == LP_NO_INDEX)
        return lp_fact_null();
    const uint32_t *item = lp_store_list(a->context->store, job->placed.valid_degrees, &count);
    return lp_fact_list(item, count);
}

static LpFactValue why(const void *record, void *around) {
    const LpJobAround *a = around;
    return lp_fact_text(a->why != NULL ? a->why(a->user, record) : NULL);
}

static bool on_switches(const LpJob *job, const LpJobAround *a) {
    return a->context->circuits != NULL && !isnan(job->times.start);
}

static LpFactValue reconfiguration_time(const void *record, void *around) {
    const LpJob *job = record;
    return on_switches(job, around) ? lp_fact_real(job->light.reconfiguring) : lp_fact_null();
}

static LpFactValue circuit_wait(const void *record, void *around) {
    const LpJob *job = record;
    return on_switches(job, around) ? lp_fact_real(job->light.unlit) : lp_fact_null();
}

static LpFactValue plan(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    if (job->placed.partition == LP_NO_INDEX)
        return lp_fact_null();
    return lp_fact_text(lp_store_partition(a->context->store, job->placed.partition)->plan_text);
}

enum { BOTH = LP_TO_JSON | LP_TO_CSV };

static const LpFact of_all[] = {
    {"id", LP_FACT_REAL, LP_DIM_NONE, "number in order of arrival", BOTH, 0, id},
    {"graph", LP_FACT_TEXT, LP_DIM_NONE, "name of its computation graph", BOTH, CUT, graph},
    {"arrival", LP_FACT_REAL, LP_DIM_TIME, "time of arrival", BOTH, 0, arrival},
    {"steps", LP_FACT_REAL, LP_DIM_NONE, "training steps", BOTH, CUT, steps},
    {"max_jct_fraction", LP_FACT_REAL, LP_DIM_NONE, "its limit as a fraction of sequential_jct",
     BOTH, 0, max_jct_fraction},
    {"sequential_jct", LP_FACT_REAL, LP_DIM_TIME, "time that it takes unsplit, alone on one server",
     BOTH, 0, sequential_jct},
    {"max_jct", LP_FACT_REAL, LP_DIM_TIME, "the largest JCT that it accepts", BOTH, 0, max_jct},
    {"degree", LP_FACT_REAL, LP_DIM_NONE, "greatest partition degree that was answered", BOTH, CUT,
     degree},
    {"outcome", LP_FACT_TEXT, LP_DIM_NONE, "what became of it", BOTH, 0, outcome},
    {"cause", LP_FACT_TEXT, LP_DIM_NONE, "code of why it was blocked", BOTH, 0, cause},
    {"start", LP_FACT_REAL, LP_DIM_TIME, "time of its first start", BOTH, 0, start},
    {"end", LP_FACT_REAL, LP_DIM_TIME, "time at which it was done, or given up", BOTH, 0, end},
    {"jct", LP_FACT_REAL, LP_DIM_TIME, "job completion time, from its arrival on", BOTH, FORECAST,
     jct},
    {"step_time", LP_FACT_REAL, LP_DIM_TIME, "time of one training step", BOTH, FORECAST | CUT,
     step_time},
    {"communication_time", LP_FACT_REAL, LP_DIM_TIME, "time of all steps in which it sends", BOTH,
     FORECAST | CUT, communication_time},
    {"computation_time", LP_FACT_REAL, LP_DIM_TIME, "time of all steps in which it computes", BOTH,
     FORECAST, computation_time},
    {"servers", LP_FACT_LIST, LP_DIM_NONE, "servers that it has or had", BOTH, FORECAST, servers},
    {"circuits", LP_FACT_REAL, LP_DIM_NONE, "circuits that a step uses, or that its slice holds",
     BOTH, FORECAST | CUT, circuits},
    {"ops", LP_FACT_REAL, LP_DIM_NONE, "parts of ops after it was split", BOTH, FORECAST | CUT,
     ops},
    {"deps", LP_FACT_REAL, LP_DIM_NONE, "dependencies after it was split", BOTH, FORECAST | CUT,
     deps},
    {"partition_degree", LP_FACT_REAL, LP_DIM_NONE, "into how many parts an op was split at most",
     BOTH, FORECAST | CUT, partition_degree},
    {"valid_degrees", LP_FACT_LIST, LP_DIM_NONE,
     "degrees that could be answered when it was decided", BOTH, CUT, valid_degrees},
    {"exposed_communication_time", LP_FACT_REAL, LP_DIM_TIME,
     "time of all steps in which it sends and computes nothing", BOTH, FORECAST | CUT,
     exposed_time},
    {"wait", LP_FACT_REAL, LP_DIM_TIME, "time in the queue", BOTH, 0, wait_time},
    {"why", LP_FACT_TEXT, LP_DIM_NONE, "reason for what became of it, the policy's or the engine's",
     BOTH, 0, why},
    {"preemptions", LP_FACT_REAL, LP_DIM_NONE, "times that it was preempted", BOTH, 0, preemptions},
    {"moves", LP_FACT_REAL, LP_DIM_NONE, "times that it was migrated or resized", BOTH, 0, moves},
    {"reconfiguration_time", LP_FACT_REAL, LP_DIM_TIME,
     "time without progress while circuits were set", BOTH, CUT, reconfiguration_time},
    {"circuit_wait", LP_FACT_REAL, LP_DIM_TIME,
     "time without progress because a circuit that it needs was not ordered", BOTH, CUT,
     circuit_wait},
    {"plan", LP_FACT_TEXT, LP_DIM_NONE, "parallel plan of its graph", BOTH, CUT, plan},
};
const LpFacts lp_job_facts = {"job", of_all, LP_COUNTOF(of_all), traits_of};

/* ---- on a pod ---- */

_Static_assert((int)LP_COMPONENT_TEXT >= (int)LP_SLICE_TEXT, "room for either");

static LpFactValue slice(const void *record, void *around) {
    LpJobAround *a = around;
    const LpSlice *s = lp_job_slice(a->context, record);
    return s != NULL ? lp_fact_text(lp_slice_name(s, a->text)) : lp_fact_absent();
}

/* By ordinal on switched wiring, elsewhere the cube of the first accelerator. */
static LpFactValue cubes(const void *record, void *around) {
    const LpJob *job = record;
    LpJobAround *a = around;
    const LpFabric *fabric = &a->context->fabric;
    const LpSlice *s = lp_job_slice(a->context, job);
    void *items = a->list;
    if (s == NULL || job->placed.placement == LP_NO_INDEX)
        return lp_fact_absent();
    const LpPlacement *p = lp_store_placement(a->context->store, job->placed.placement);
    uint32_t count = s->cubes > 0 ? s->cubes : 1;
    if (lp_grow(&items, &a->list_cap, count, sizeof *a->list) != LP_OK) {
        a->failed = true;
        return lp_fact_null();
    }
    a->list = items;
    a->list[0] = p->server[0] / fabric->per_rack;
    if (s->cubes > 0)
        lp_pod_cubes_of(&fabric->cluster->pod.net, s, p->server, a->list);
    return lp_fact_list(a->list, count);
}

static const LpFact of_slices[] = {
    {"slice", LP_FACT_TEXT, LP_DIM_NONE, "slice that it asks for", BOTH, 0, slice},
    {"cubes", LP_FACT_LIST, LP_DIM_NONE, "cubes that its slice is made of, by ordinal", LP_TO_JSON,
     0, cubes},
};
const LpFacts lp_job_slice_facts = {"job", of_slices, LP_COUNTOF(of_slices), NULL};

/* ---- where something may break ---- */

static LpFactValue stopped_by(const void *record, void *around) {
    const LpJob *job = record;
    LpJobAround *a = around;
    if (job->stops.count == 0)
        return lp_fact_absent();
    const LpOutageEvent *e = lp_outages_of(a->context, lp_world_seed(a->world), job->stops.by);
    a->text[0] = '\0';
    LpFactValue value = {.is = LP_FACT_TEXT, .text = a->text}; /* "": by hand */
    if (e != NULL)
        value.text = lp_outages_text(a->context, e, a->text);
    return value;
}

static const LpFact of_failures[] = {
    {"stops", LP_FACT_REAL, LP_DIM_NONE, "times that a failure stopped it", BOTH, 0, stops},
    {"stopped_by", LP_FACT_TEXT, LP_DIM_NONE, "what broke when it was last stopped; empty: by hand",
     BOTH, 0, stopped_by},
};
const LpFacts lp_job_failure_facts = {"job", of_failures, LP_COUNTOF(of_failures), NULL};

/* ---- where circuits turn inside steps ---- */

static const LpStepSummary *step_of(const LpJob *job, const LpJobAround *a) {
    return job->placed.step != LP_NO_INDEX ? lp_store_step(a->context->store, job->placed.step)
                                           : NULL;
}

#define STEP(name, member)                                                                         \
    static LpFactValue name(const void *record, void *around) {                                    \
        const LpStepSummary *step = step_of(record, around);                                       \
        return step != NULL ? lp_fact_real((double)step->member) : lp_fact_absent();               \
    }

STEP(turns, turns)
STEP(waiting_turns, waiting_turns)
STEP(exposed_turns, exposed_turns)
STEP(turn_time, turn_time)

static const LpFact of_turning[] = {
    {"turns", LP_FACT_REAL, LP_DIM_NONE, "turns of circuits in a step", LP_TO_JSON, 0, turns},
    {"waiting_turns", LP_FACT_REAL, LP_DIM_NONE,
     "of these, turns for which a transfer starts later", LP_TO_JSON, 0, waiting_turns},
    {"exposed_turns", LP_FACT_REAL, LP_DIM_NONE,
     "of these, turns that a longer delay makes the step longer by", LP_TO_JSON, 0, exposed_turns},
    {"turn_time", LP_FACT_REAL, LP_DIM_TIME, "time that turns add to a step", LP_TO_JSON, 0,
     turn_time},
};
const LpFacts lp_job_turning_facts = {"job", of_turning, LP_COUNTOF(of_turning), NULL};

/* ---- which of them ---- */

bool lp_job_failures_told(const LpContext *context) {
    return context->scenario->answers || context->fabric.ops->slices;
}

uint32_t lp_job_tables(const LpContext *context, const LpFacts *out[LP_JOB_TABLES]) {
    uint32_t count = 0;
    out[count++] = &lp_job_facts;
    if (context->fabric.ops->slices)
        out[count++] = &lp_job_slice_facts;
    if (lp_job_failures_told(context))
        out[count++] = &lp_job_failure_facts;
    if (context->scenario->turning.form != LP_TURNING_NONE)
        out[count++] = &lp_job_turning_facts;
    return count;
}
