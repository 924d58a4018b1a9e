/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of one job: one table of columns for JSON and CSV. */
#include <math.h>

#include "run/report/report_impl.h"

static LpReportValue number(double value) {
    LpReportType type = isfinite(value) ? LP_VALUE_NUMBER : LP_VALUE_NULL;
    return (LpReportValue){.type = type, .number = value};
}

static LpReportValue text(const char *value) {
    if (value == NULL || value[0] == '\0')
        return (LpReportValue){.type = LP_VALUE_NULL};
    return (LpReportValue){.type = LP_VALUE_TEXT, .text = value};
}

static LpReportValue list(const uint32_t *item, uint32_t count) {
    return (LpReportValue){.type = LP_VALUE_LIST, .item = item, .count = count};
}

static LpReportValue none(void) {
    return (LpReportValue){.type = LP_VALUE_NULL};
}

/* A column that is one field, as it is. */
#define FIELD(column, field)                                                                       \
    static LpReportValue column(const LpReport *r, const LpJob *job) {                             \
        (void)r;                                                                                   \
        return number((double)job->field);                                                         \
    }

FIELD(get_id, id)
FIELD(get_arrival, asked.arrival)
FIELD(get_steps, asked.steps)
FIELD(get_sequential, asked.sequential_jct)
FIELD(get_limit, asked.max_jct)
FIELD(get_start, times.start)
FIELD(get_step_time, forecast.step_time)
FIELD(get_communication, forecast.communication)
FIELD(get_computation, forecast.computation)
FIELD(get_circuits, placed.circuits)
FIELD(get_ops, placed.ops)
FIELD(get_deps, placed.deps)
FIELD(get_partition_degree, placed.partition_degree)
FIELD(get_exposed, forecast.exposed)
FIELD(get_wait, times.wait)
FIELD(get_preemptions, stops.preemptions)
FIELD(get_moves, stops.moves)

static LpReportValue get_graph(const LpReport *r, const LpJob *job) {
    return text(r->scenario->graph[job->graph]->id);
}

static LpReportValue get_fraction(const LpReport *r, const LpJob *job) {
    (void)r;
    return job->asked.fraction > 0 ? number(job->asked.fraction) : none();
}

static LpReportValue get_degree(const LpReport *r, const LpJob *job) {
    (void)r;
    return job->placed.degree > 0 ? number(job->placed.degree) : none();
}

static LpReportValue get_outcome(const LpReport *r, const LpJob *job) {
    (void)r;
    return text(lp_outcome_name((LpOutcome)job->outcome));
}

static LpReportValue get_cause(const LpReport *r, const LpJob *job) {
    (void)r;
    return text(lp_cause_code((LpCause)job->cause));
}

static LpReportValue get_end(const LpReport *r, const LpJob *job) {
    (void)r;
    bool ended = job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED;
    return ended ? number(job->times.end) : none();
}

/* From arrival on; a forecast counts what was waited before the start or the decision. */
static LpReportValue get_jct(const LpReport *r, const LpJob *job) {
    (void)r;
    if (job->outcome == LP_JOB_COMPLETED)
        return number(job->times.end - job->asked.arrival);
    double from = isnan(job->times.start) ? job->times.decided : job->times.start;
    return number((from - job->asked.arrival) + job->forecast.jct);
}

static LpReportValue get_servers(const LpReport *r, const LpJob *job) {
    if (job->placed.placement == LP_NO_INDEX)
        return none();
    const LpPlacement *placement = lp_store_placement(r->context->store, job->placed.placement);
    return list(placement->server, placement->servers);
}

static LpReportValue get_valid(const LpReport *r, const LpJob *job) {
    uint32_t count;
    if (job->placed.valid_degrees == LP_NO_INDEX)
        return none();
    const uint32_t *item = lp_store_list(r->context->store, job->placed.valid_degrees, &count);
    return list(item, count);
}

/* Only where there are circuit switches. */
static LpReportValue get_reconfiguring(const LpReport *r, const LpJob *job) {
    bool switched = r->context->circuits != NULL && !isnan(job->times.start);
    return switched ? number(job->light.reconfiguring) : none();
}

static LpReportValue get_unlit(const LpReport *r, const LpJob *job) {
    bool switched = r->context->circuits != NULL && !isnan(job->times.start);
    return switched ? number(job->light.unlit) : none();
}

/* The policy's reason; where it gave none for a blocked job, or wanted something else than what
 * became of it, the engine's sentence. */
static LpReportValue get_why(const LpReport *r, const LpJob *job) {
    LpWhy why = lp_session_why(r->session, job->id);
    bool overruled = job->cause == LP_CAUSE_QUEUE_FULL || job->cause == LP_CAUSE_REFUSED;
    if (job->outcome != LP_JOB_BLOCKED || (why.why[0] != '\0' && !overruled))
        return text(why.why);
    return text(why.reason[0] != '\0' ? why.reason : lp_cause_sentence((LpCause)job->cause));
}

static LpReportValue get_plan(const LpReport *r, const LpJob *job) {
    return job->placed.partition == LP_NO_INDEX
               ? none()
               : text(lp_store_partition(r->context->store, job->placed.partition)->plan_text);
}

enum { FORECAST = true, CUT = true };

static const LpReportColumn columns[] = {
    {"id", get_id, !FORECAST, !CUT},
    {"graph", get_graph, !FORECAST, CUT},
    {"arrival", get_arrival, !FORECAST, !CUT},
    {"steps", get_steps, !FORECAST, CUT},
    {"max_jct_fraction", get_fraction, !FORECAST, !CUT},
    {"sequential_jct", get_sequential, !FORECAST, !CUT},
    {"max_jct", get_limit, !FORECAST, !CUT},
    {"degree", get_degree, !FORECAST, CUT},
    {"outcome", get_outcome, !FORECAST, !CUT},
    {"cause", get_cause, !FORECAST, !CUT},
    {"start", get_start, !FORECAST, !CUT},
    {"end", get_end, !FORECAST, !CUT},
    {"jct", get_jct, FORECAST, !CUT},
    {"step_time", get_step_time, FORECAST, CUT},
    {"communication_time", get_communication, FORECAST, CUT},
    {"computation_time", get_computation, FORECAST, !CUT},
    {"servers", get_servers, FORECAST, !CUT},
    {"circuits", get_circuits, FORECAST, CUT},
    {"ops", get_ops, FORECAST, CUT},
    {"deps", get_deps, FORECAST, CUT},
    {"partition_degree", get_partition_degree, FORECAST, CUT},
    {"valid_degrees", get_valid, !FORECAST, CUT},
    {"exposed_communication_time", get_exposed, FORECAST, CUT},
    {"wait", get_wait, !FORECAST, !CUT},
    {"why", get_why, !FORECAST, !CUT},
    {"preemptions", get_preemptions, !FORECAST, !CUT},
    {"moves", get_moves, !FORECAST, !CUT},
    {"reconfiguration_time", get_reconfiguring, !FORECAST, CUT},
    {"circuit_wait", get_unlit, !FORECAST, CUT},
    {"plan", get_plan, !FORECAST, CUT},
};

const LpReportColumn *lp_report_columns(size_t *count) {
    *count = LP_COUNTOF(columns);
    return columns;
}

/* A waiting job that could no longer meet its deadline never had a plan. */
static bool has_forecast(const LpJob *job) {
    if (job->outcome == LP_JOB_COMPLETED)
        return true;
    bool told = job->cause == LP_CAUSE_DEADLINE || job->cause == LP_CAUSE_HORIZON;
    return job->outcome == LP_JOB_BLOCKED && told && !isnan(job->forecast.jct);
}

LpReportValue lp_report_value(const LpReport *report, const LpReportColumn *column,
                              const LpJob *job) {
    if ((column->forecast && !has_forecast(job)) || (column->cut && job->graph < 0))
        return none();
    return column->value(report, job);
}
