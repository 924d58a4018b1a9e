/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/job_facts.h"

#include <math.h>

#include "base/num.h"

#include "model/pod/place.h"
#include "sim/account/accounts.h"
#include "sim/facts/identity.h"
#include "sim/facts/standing.h"
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

/* ---- derived ---- */

static LpFactValue graph(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    return lp_fact_text(a->context->scenario->graph[job->graph]->id);
}

static LpFactValue outcome(const void *record, void *around LP_UNUSED) {
    const LpJob *job = record;
    return lp_fact_text(lp_outcome_name((LpOutcome)job->outcome));
}

static LpFactValue cause(const void *record, void *around LP_UNUSED) {
    const LpJob *job = record;
    return lp_fact_text(lp_cause_code((LpCause)job->cause));
}

/* As the scenario counts. */
static LpFactValue moment(const LpJobAround *around, double time) {
    return lp_fact_real(lp_scenario_time(around->context->scenario, time));
}

static LpFactValue arrival(const void *record, void *around) {
    const LpJob *job = record;
    return moment(around, job->asked.arrival);
}

static LpFactValue start(const void *record, void *around) {
    const LpJob *job = record;
    return moment(around, job->times.start);
}

static LpFactValue end(const void *record, void *around) {
    const LpJob *job = record;
    bool ended = job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED;
    return ended ? moment(around, job->times.end) : lp_fact_null();
}

/* A forecast counts what was waited before the start or the decision. */
static LpFactValue jct(const void *record, void *around LP_UNUSED) {
    const LpJob *job = record;
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

static LpFactValue wait(const void *record, void *around) {
    const LpJobAround *a = around;
    return lp_fact_real(lp_job_waited(record, lp_world_now(a->world)));
}

/* How it stands beside the others. */
#define STAND(name, value)                                                                         \
    static LpFactValue name(const void *record, void *around) {                                    \
        const LpStanding *all = ((const LpJobAround *)around)->standing;                           \
        if (all == NULL)                                                                           \
            return lp_fact_null();                                                                 \
        const LpStand *s = &all->job[((const LpJob *)record)->id];                                 \
        return lp_fact_real(value);                                                                \
    }

STAND(first_wait, s->start - s->arrival)
STAND(overtaken, s->overtaken)
STAND(slowdown, s->slowdown)
STAND(rho, s->rho)

bool lp_job_fact_stands(const LpFact *fact) {
    return fact->value == first_wait || fact->value == overtaken || fact->value == slowdown ||
           fact->value == rho;
}

static LpFactValue held(const void *record, void *around) {
    const LpJobAround *a = around;
    return lp_fact_real(lp_job_accounts(a->world, a->context, record).held);
}

static LpFactValue plan(const void *record, void *around) {
    const LpJob *job = record;
    const LpJobAround *a = around;
    if (job->placed.partition == LP_NO_INDEX)
        return lp_fact_null();
    return lp_fact_text(lp_store_partition(a->context->store, job->placed.partition)->plan_text);
}

/* A number that is a key is told as one. */
static LpFactValue key(const void *record, void *around) {
    const LpJobAround *a = around;
    const LpIdentity *who = lp_job_identity(a->context->scenario, record);
    uint64_t number = 0;
    if (who->number && lp_num_parse_u64(who->key, &number, NULL) == LP_OK)
        return lp_fact_real((double)number);
    return who->key != NULL ? lp_fact_text(who->key) : lp_fact_absent();
}

#define WHO(member)                                                                                \
    static LpFactValue member(const void *record, void *around) {                                  \
        const LpJobAround *a = around;                                                             \
        const LpIdentity *who = lp_job_identity(a->context->scenario, record);                     \
        return who->member != NULL ? lp_fact_text(who->member) : lp_fact_absent();                 \
    }
WHO(name)
WHO(user)
WHO(group)

enum { BOTH = LP_TO_JSON | LP_TO_CSV };
#define MEMBER(name) .member = LP_FACT_MEMBER(LpJob, name)

static const LpFact of_all[] = {
    {"id", LP_NUMBER, "number in order of arrival", BOTH, MEMBER(id)},
    {"graph", LP_WORDS, "name of its computation graph", BOTH, .of = CUT, .value = graph},
    {"arrival", LP_SECONDS, "time of arrival", BOTH, .value = arrival},
    {"steps", LP_NUMBER, "training steps", BOTH, .of = CUT, MEMBER(asked.steps)},
    {"max_jct_fraction", LP_NUMBER, "its limit as a fraction of sequential_jct", BOTH,
     MEMBER(asked.fraction), .positive = true},
    {"sequential_jct", LP_SECONDS, "time that it takes unsplit, alone on one server", BOTH,
     MEMBER(asked.sequential_jct)},
    {"max_jct", LP_SECONDS, "the largest JCT that it accepts", BOTH, MEMBER(asked.max_jct)},
    {"degree", LP_NUMBER, "greatest partition degree that was answered", BOTH, .of = CUT,
     MEMBER(placed.degree), .positive = true},
    {"outcome", LP_WORDS, "what became of it", BOTH, .value = outcome},
    {"cause", LP_WORDS, "code of why it was blocked", BOTH, .value = cause},
    {"start", LP_SECONDS, "time of its first start", BOTH, .value = start},
    {"end", LP_SECONDS, "time at which it was done, or given up", BOTH, .value = end},
    {"jct", LP_SECONDS, "job completion time, from its arrival on", BOTH, .of = FORECAST,
     .value = jct},
    {"step_time", LP_SECONDS, "time of one training step", BOTH, .of = FORECAST | CUT,
     MEMBER(forecast.step_time)},
    {"communication_time", LP_SECONDS, "time of all steps in which it sends", BOTH,
     .of = FORECAST | CUT, MEMBER(forecast.communication)},
    {"computation_time", LP_SECONDS, "time of all steps in which it computes", BOTH, .of = FORECAST,
     MEMBER(forecast.computation)},
    {"servers", LP_COUNTS, "servers that it has or had", BOTH, .of = FORECAST, .value = servers},
    {"circuits", LP_NUMBER, "circuits that a step uses, or that its slice holds", BOTH,
     .of = FORECAST | CUT, MEMBER(placed.circuits)},
    {"ops", LP_NUMBER, "parts of ops after it was split", BOTH, .of = FORECAST | CUT,
     MEMBER(placed.ops)},
    {"deps", LP_NUMBER, "dependencies after it was split", BOTH, .of = FORECAST | CUT,
     MEMBER(placed.deps)},
    {"partition_degree", LP_NUMBER, "into how many parts an op was split at most", BOTH,
     .of = FORECAST | CUT, MEMBER(placed.partition_degree)},
    {"valid_degrees", LP_COUNTS, "degrees that could be answered when it was decided", BOTH,
     .of = CUT, .value = valid_degrees},
    {"exposed_communication_time", LP_SECONDS,
     "time of all steps in which it sends and computes nothing", BOTH, .of = FORECAST | CUT,
     MEMBER(forecast.exposed)},
    {"wait", LP_SECONDS, "time in the queue", BOTH, .value = wait},
    {"why", LP_WORDS, "reason for what became of it, the policy's or the engine's", BOTH,
     .value = why},
    {"preemptions", LP_NUMBER, "times that it was preempted", BOTH, MEMBER(stops.preemptions)},
    {"moves", LP_NUMBER, "times that it was migrated or resized", BOTH, MEMBER(stops.moves)},
    {"reconfiguration_time", LP_SECONDS, "time without progress while circuits were set", BOTH,
     .of = CUT, .value = reconfiguration_time},
    {"circuit_wait", LP_SECONDS,
     "time without progress because a circuit that it needs was not ordered", BOTH, .of = CUT,
     .value = circuit_wait},
    {"plan", LP_WORDS, "parallel plan of its graph", BOTH, .of = CUT, .value = plan},
    {"first_wait", LP_SECONDS, "time from its arrival to its first start", BOTH,
     .value = first_wait},
    {"overtaken", LP_NUMBER, "jobs that came later and started first", BOTH, .value = overtaken},
    {"slowdown", LP_NUMBER, "bounded slowdown: JCT over the time that it needs alone", BOTH,
     .value = slowdown},
    {"rho", LP_NUMBER,
     "finish-time fairness: JCT over the time with its equal share of the cluster to itself", BOTH,
     .value = rho},
    {"held", LP_SECONDS, "time on servers", LP_TO_JSON, .value = held},
};
const LpFacts lp_job_facts = {"job", of_all, LP_COUNTOF(of_all), traits_of};
const LpFacts lp_job_number_facts = {"job", of_all, 1, traits_of};
const LpFacts lp_job_rest_facts = {"job", of_all + 1, LP_COUNTOF(of_all) - 1, traits_of};

/* ---- where the scenario says whose jobs are ---- */

static const LpFact of_identity[] = {
    {"key", LP_WORDS, "the user's own id of it", BOTH, .value = key, .or_number = true},
    {"name", LP_WORDS, "what its user calls it", BOTH, .value = name},
    {"user", LP_WORDS, "who started it", BOTH, .value = user},
    {"group", LP_WORDS, "whom its user belongs to", BOTH, .value = group},
};
const LpFacts lp_job_identity_facts = {"job", of_identity, LP_COUNTOF(of_identity), NULL};

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
    {"slice", LP_WORDS, "slice that it asks for", BOTH, .value = slice},
    {"cubes", LP_COUNTS, "cubes that its slice is made of, by ordinal", LP_TO_JSON, .value = cubes},
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
    {"stops", LP_NUMBER, "times that a failure stopped it", BOTH, MEMBER(stops.count)},
    {"stopped_by", LP_WORDS, "what broke when it was last stopped; empty: by hand", BOTH,
     .value = stopped_by},
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
    {"turns", LP_NUMBER, "turns of circuits in a step", LP_TO_JSON, .value = turns},
    {"waiting_turns", LP_NUMBER, "of these, turns for which a transfer starts later", LP_TO_JSON,
     .value = waiting_turns},
    {"exposed_turns", LP_NUMBER, "of these, turns that a longer delay makes the step longer by",
     LP_TO_JSON, .value = exposed_turns},
    {"turn_time", LP_SECONDS, "time that turns add to a step", LP_TO_JSON, .value = turn_time},
};
const LpFacts lp_job_turning_facts = {"job", of_turning, LP_COUNTOF(of_turning), NULL};

/* ---- which of them ---- */

bool lp_job_identities_told(const LpContext *context) {
    return context->scenario->identities > 0;
}

bool lp_job_failures_told(const LpContext *context) {
    return context->scenario->answers || context->fabric.ops->slices;
}

uint32_t lp_job_tables(const LpContext *context, const LpFacts *out[LP_JOB_TABLES]) {
    uint32_t count = 0;
    out[count++] = &lp_job_facts;
    if (lp_job_identities_told(context))
        out[count++] = &lp_job_identity_facts;
    if (context->fabric.ops->slices)
        out[count++] = &lp_job_slice_facts;
    if (lp_job_failures_told(context))
        out[count++] = &lp_job_failure_facts;
    if (context->scenario->turning.form != LP_TURNING_NONE)
        out[count++] = &lp_job_turning_facts;
    return count;
}
