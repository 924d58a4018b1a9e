/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change of conditions is judged, then applied: scales, failures, repairs, one more job. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/breaking.h"
#include "sim/condition.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/outages.h"
#include "sim/sharing/sharing.h"
#include "sim/sim_impl.h"
#include "sim/state/debug.h"
#include "sim/state/validate.h"
#include "sim/store/family.h"

typedef struct Changing {
    LpWorld *world;
    const LpContext *context; /* of the conditions so far */
    const LpCondition *c;
    uint8_t *hit;           /* jobs that a failure stops, NULL: none; by id */
    const LpContext *after; /* of the conditions to come */
    double number;          /* of the failure that does not happen */
    LpStoppedJobs stops;    /* jobs that a component of any kind stops */
    LpDiag *diag;
} Changing;

static const struct {
    double low, high;
} ranges[] = {
#define X(id, name, meaning, low, high) {low, high},
    LP_CONDITION_TABLE(X)
#undef X
};

static LpImage *image(const Changing *c) {
    return c->world->image;
}

static bool of_circuit(LpConditionKind kind) {
    return kind == LP_CONDITION_FAIL_CIRCUIT || kind == LP_CONDITION_REPAIR_CIRCUIT;
}

static bool of_server(LpConditionKind kind) {
    return kind == LP_CONDITION_FAIL_SERVER || kind == LP_CONDITION_REPAIR_SERVER;
}

static bool of_component(LpConditionKind kind) {
    return kind == LP_CONDITION_FAIL || kind == LP_CONDITION_REPAIR;
}

static bool of_network(LpConditionKind kind) {
    return kind == LP_CONDITION_BANDWIDTH || kind == LP_CONDITION_LATENCY ||
           kind == LP_CONDITION_RECONFIGURATION;
}

/* ---- judging ---- */

static LpErr check_moment(const Changing *c) {
    const LpOptions *options = &c->context->scenario->options;
    if (lp_world_over(c->world))
        return lp_fail(c->diag, LP_ESTATE, "%s: the run is over, conditions change no more",
                       lp_condition_name(c->c->kind));
    int published = lp_options_first_published(options);
    if (published >= 0)
        return lp_fail(c->diag, LP_ESTATE,
                       "%s: conditions cannot change under published semantics (option %s)",
                       lp_condition_name(c->c->kind), lp_option_info((LpOption)published)->name);
    return LP_OK;
}

static LpErr check_number(const Changing *c, double value, bool whole) {
    const LpCondition *n = c->c;
    double low = ranges[n->kind].low, high = ranges[n->kind].high;
    const char *name = lp_condition_name(n->kind);
    if (!(value >= low && value <= high))
        return lp_fail(c->diag, LP_ERANGE, "%s: %.9g: expected %.9g to %.9g", name, value, low,
                       high);
    if (whole && value != floor(value))
        return lp_fail(c->diag, LP_EINVAL, "%s: %.9g: expected a whole number", name, value);
    return LP_OK;
}

/* How often this was broken by hand, less how often it was mended so. */
static int by_hand(const Changing *c, LpConditionKind fail, LpConditionKind repair) {
    int count = 0;
    for (uint32_t i = 0; i < image(c)->changes; i++) {
        const LpCondition *done = &lp_image_change(image(c))[i].condition;
        bool same = (done->value == c->c->value && done->other == c->c->other) ||
                    (done->value == c->c->other && done->other == c->c->value);
        same = same && done->steps == c->c->steps;
        count += same && done->kind == fail;
        count -= same && done->kind == repair;
    }
    return count;
}

/* What breaks by itself is mended by itself: only what was broken by hand is mended by hand. */
static LpErr check_by_hand(const Changing *c, const char *name) {
    static const LpConditionKind kinds[][2] = {
        {LP_CONDITION_FAIL_SERVER, LP_CONDITION_REPAIR_SERVER},
        {LP_CONDITION_FAIL_CIRCUIT, LP_CONDITION_REPAIR_CIRCUIT},
        {LP_CONDITION_FAIL, LP_CONDITION_REPAIR}};
    bool fail = lp_condition_is_failure(c->c->kind);
    const LpConditionKind *k = kinds[of_component(c->c->kind) ? 2 : of_circuit(c->c->kind)];
    int count = by_hand(c, k[0], k[1]);
    if (fail == (count > 0))
        return lp_fail(c->diag, LP_EINVAL, "%s: that is %s", name,
                       fail ? "broken by hand already"
                            : "not broken by hand: what breaks by itself is mended by itself");
    return LP_OK;
}

static LpErr check_server(const Changing *c) {
    const LpImage *m = image(c);
    bool fail = c->c->kind == LP_CONDITION_FAIL_SERVER;
    const char *name = lp_condition_name(c->c->kind);
    if (c->c->value >= m->servers)
        return lp_fail(c->diag, LP_ERANGE, "%s: server %.0f does not exist, servers are 0 to %u",
                       name, c->c->value, m->servers - 1);
    if (m->covers > 0)
        return check_by_hand(c, name);
    uint32_t state = lp_world_server(c->world, (uint32_t)c->c->value)->state;
    if (fail && state == LP_SERVER_FAILED)
        return lp_fail(c->diag, LP_EINVAL, "%s: server %.0f is broken already", name, c->c->value);
    if (!fail && state != LP_SERVER_FAILED)
        return lp_fail(c->diag, LP_EINVAL, "%s: server %.0f is not broken", name, c->c->value);
    return LP_OK;
}

static LpFailed ends_of(const LpCondition *c) {
    double a = c->value < c->other ? c->value : c->other;
    double b = c->value < c->other ? c->other : c->value;
    return (LpFailed){(uint32_t)a, (uint32_t)b};
}

static bool has_cable(const LpNetwork *n, LpFailed pair) {
    for (uint32_t l = 0; l < n->links; l += 2) {
        bool same = n->from[l] == pair.a && n->to[l] == pair.b;
        if (same || (n->from[l] == pair.b && n->to[l] == pair.a))
            return true;
    }
    return false;
}

static LpErr check_circuit(const Changing *c) {
    const LpNetwork *n = c->context->fabric.network;
    const char *name = lp_condition_name(c->c->kind);
    uint32_t nodes = n != NULL ? n->nodes : image(c)->servers;
    LP_TRY(check_number(c, c->c->other, true));
    LpFailed pair = ends_of(c->c);
    if (pair.b >= nodes)
        return lp_fail(c->diag, LP_ERANGE, "%s: %s %u does not exist, expected 0 to %u", name,
                       n != NULL ? "node" : "server", pair.b, nodes - 1);
    if (pair.a == pair.b)
        return lp_fail(c->diag, LP_EINVAL, "%s: %u-%u: expected two different ends", name, pair.a,
                       pair.b);
    if (n != NULL && !has_cable(n, pair))
        return lp_fail(c->diag, LP_EINVAL,
                       "%s: no cable joins nodes %u and %u (servers come first, then switches)",
                       name, pair.a, pair.b);
    bool there = lp_failed_count(image(c), pair) > 0;
    bool fail = c->c->kind == LP_CONDITION_FAIL_CIRCUIT;
    if (image(c)->covers > 0)
        return check_by_hand(c, name);
    if (there == fail)
        return lp_fail(c->diag, LP_EINVAL, "%s: %u-%u is %s", name, pair.a, pair.b,
                       fail ? "broken already" : "not broken");
    return LP_OK;
}

static LpErr check_extra(const Changing *c) {
    const LpCondition *n = c->c;
    uint32_t graphs = c->context->scenario->graphs;
    if (n->value >= graphs)
        return lp_fail(c->diag, LP_ERANGE, "extra_job: there is no graph %.0f, graphs are 0 to %u",
                       n->value, graphs - 1);
    if (!(n->steps >= 1 && n->steps <= 1e15) || n->steps != floor(n->steps))
        return lp_fail(c->diag, LP_EINVAL,
                       "extra_job: %.9g training steps: expected a whole number from 1", n->steps);
    if (!(n->fraction >= 0 && n->fraction <= 1e9))
        return lp_fail(c->diag, LP_EINVAL,
                       "extra_job: max_jct_fraction %.9g: expected 0 (no limit) or more",
                       n->fraction);
    return LP_OK;
}

/* A kind that the fabric has, and one of that number. */
static LpErr check_exists(const Changing *c) {
    const LpCondition *n = c->c;
    uint32_t counts[LP_OUTAGE_COUNT];
    char kinds[120];
    lp_cluster_components(c->context->fabric.cluster, counts);
    if (!(n->steps >= 0 && n->steps < LP_OUTAGE_COUNT) || n->value >= counts[(int)n->steps])
        return lp_fail(c->diag, LP_ERANGE,
                       "%s: there is no such component: expected %s, and its "
                       "number",
                       lp_condition_name(n->kind), lp_outage_kinds(counts, kinds, sizeof kinds));
    return LP_OK;
}

static LpErr check_component(const Changing *c) {
    const char *name = lp_condition_name(c->c->kind);
    LP_TRY(check_exists(c));
    if (image(c)->covers == 0)
        return lp_fail(c->diag, LP_EINVAL,
                       "%s: where nothing breaks by itself only servers, and light and cables "
                       "between two ends, break by hand: expected fail_server or fail_circuit, or "
                       "a scenario with failures or on_failure",
                       name);
    return check_by_hand(c, name);
}

/* The failure that does not happen is one to come. */
static LpErr check_without(Changing *c) {
    const LpCondition *n = c->c;
    const char *name = lp_condition_name(n->kind);
    const LpOutageEvent *event;
    if (c->context->outages == NULL)
        return lp_fail(c->diag, LP_EINVAL, "%s: nothing breaks by itself in this scenario", name);
    LP_TRY(check_exists(c));
    if (lp_outages_failure(c->world, c->context, (uint32_t)n->steps, (uint32_t)n->value, n->other,
                           &event) != LP_OK)
        return lp_fail_memory(c->diag, "the list of failures");
    if (event == NULL || lp_outages_averted(image(c), event))
        return lp_fail(c->diag, LP_EINVAL, "%s: no such failure of %s %.0f is still to come", name,
                       lp_outage_word((LpOutageKind)n->steps), n->value);
    c->number = event->number;
    return LP_OK;
}

/* Which parts of a network may change where circuits are state. */
static LpErr check_switches(const Changing *c) {
    LpConditionKind kind = c->c->kind;
    if (c->context->circuits == NULL)
        return LP_OK;
    if (of_circuit(kind))
        return lp_fail(c->diag, LP_EINVAL,
                       "%s: circuits of the fabric %s are set and unset all the time: expected a "
                       "server that breaks",
                       lp_condition_name(kind), c->context->fabric.ops->name);
    return LP_OK;
}

static LpErr judge(Changing *c) {
    LpConditionKind kind = c->c->kind;
    if ((int)kind < 0 || kind >= LP_CONDITION_COUNT)
        return lp_fail(c->diag, LP_EINVAL, "there is no condition %d", (int)kind);
    LP_TRY(check_moment(c));
    LP_TRY(check_switches(c));
    LP_TRY(check_number(c, c->c->value,
                        of_server(kind) || of_circuit(kind) || kind == LP_CONDITION_EXTRA_JOB ||
                            kind == LP_CONDITION_WITHOUT_FAILURE || of_component(kind)));
    if (of_component(kind))
        return check_component(c);
    if (kind == LP_CONDITION_WITHOUT_FAILURE)
        return check_without(c);
    if (of_server(kind))
        return check_server(c);
    if (of_circuit(kind))
        return check_circuit(c);
    return kind == LP_CONDITION_EXTRA_JOB ? check_extra(c) : LP_OK;
}

/* ---- preparing: all that may fail ---- */

static LpConditions conditions_after(const Changing *c) {
    LpConditions next = image(c)->conditions;
    double *const scale[LP_CONDITION_COUNT] = {
        [LP_CONDITION_BANDWIDTH] = &next.bandwidth,
        [LP_CONDITION_LATENCY] = &next.latency,
        [LP_CONDITION_RECONFIGURATION] = &next.reconfiguration,
        [LP_CONDITION_DEADLINE] = &next.deadline,
        [LP_CONDITION_RATE] = &next.rate,
    };
    if (scale[c->c->kind] != NULL)
        *scale[c->c->kind] = c->c->value;
    return next;
}

static LpErr prepare(Changing *c) {
    LpConditions next = conditions_after(c);
    LpScales scales = {next.bandwidth, next.latency, next.reconfiguration};
    uint32_t number;
    if (c->context->circuits != NULL) /* the delay counts when circuits are ordered, not in steps */
        scales.reconfiguration = 1;
    if (lp_image_reserve_change(c->world, 1) != LP_OK)
        return lp_fail_memory(c->diag, "a change of conditions");
    LP_TRY(lp_context_scale(c->context, &scales, &number, c->diag));
    c->after = lp_context_at(c->context, number);
    if (!lp_condition_is_failure(c->c->kind) || of_component(c->c->kind))
        return LP_OK;
    c->hit = lp_alloc(image(c)->jobs, sizeof *c->hit);
    if (c->hit == NULL)
        return lp_fail_memory(c->diag, "a change of conditions");
    LpFailed pair = ends_of(c->c);
    if (c->c->kind == LP_CONDITION_FAIL_CIRCUIT)
        return lp_failed_users(c->world, c->context, &pair, 1, c->hit, c->diag);
    uint32_t job = lp_world_server(c->world, (uint32_t)c->c->value)->job;
    if (job != LP_NO_INDEX && lp_image_job(image(c), job)->light.dark != LP_JOB_HELD)
        c->hit[job] = 1;
    return LP_OK;
}

/* ---- applying ---- */

/* In order of their start. */
static uint64_t stop_marked(Changing *c, uint32_t *first) {
    LpImage *m = image(c);
    uint64_t stopped = 0;
    for (uint32_t id = c->hit != NULL ? m->first_running : LP_NO_INDEX; id != LP_NO_INDEX;) {
        uint32_t next = lp_image_job(m, id)->queue.next;
        if (c->hit[id]) {
            *first = stopped++ == 0 ? id : *first;
            lp_job_interrupt(m, c->context, id);
            lp_image_job(m, id)->stops.answering = c->context->scenario->answers;
            lp_image_job(m, id)->stops.by = 0;
        }
        id = next;
    }
    return stopped;
}

static void add_job(Changing *c, uint32_t *job) {
    LpImage *m = image(c);
    LpJobSpec spec = {.arrival = m->now,
                      .graph = (int32_t)c->c->value,
                      .kind = c->context->scenario->has_generator
                                  ? c->context->scenario->generator.kind
                                  : c->context->scenario->partition.kind,
                      .steps = c->c->steps,
                      .max_jct_fraction = c->c->fraction};
    *job = m->jobs;
    if (m->extra == LP_NO_INDEX)
        m->extra = m->jobs;
    lp_job_new(m, c->context, &spec, LP_NO_INDEX);
    m->tally.arrived++;
}

static void apply(Changing *c, LpEvent *event) {
    LpImage *m = image(c);
    LpConditionKind kind = c->c->kind;
    uint32_t job = LP_NO_INDEX, due = m->due;
    m->conditions = conditions_after(c);
    m->scales = c->after->scales;
    uint64_t stopped = stop_marked(c, &job) + c->stops.count;
    job = c->stops.count > 0 ? c->stops.first : job;
    LpStoppedJobs none = {.first = LP_NO_INDEX}; /* who is stopped has been stopped */
    bool fails = lp_condition_is_failure(kind);
    if (of_server(kind) && m->covers > 0)
        lp_cover_server(m, c->context, (uint32_t)c->c->value, fails, &none);
    else if (of_server(kind))
        lp_server_set(m, c->context, (uint32_t)c->c->value, fails);
    if (of_circuit(kind)) {
        LpFailed pair = ends_of(c->c);
        lp_failed_set(m, pair, fails);
        LP_DEBUG(c->context->log, LIGHT, 1, "path %u %u %s by hand", pair.a, pair.b,
                 fails ? "broken" : "mended");
    }
    if (kind == LP_CONDITION_RATE)
        lp_workload_set_rate(lp_image_workload(m), c->c->value);
    if (kind == LP_CONDITION_EXTRA_JOB)
        add_job(c, &job);
    if (lp_condition_is_failure(kind) || lp_condition_is_repair(kind))
        lp_image_recheck(m);
    lp_image_event(m, event, LP_EVENT_CONDITION, job);
    LP_ASSERT(m->changes < m->changes_cap);
    LpChange *change = &lp_image_change(m)[m->changes++];
    *change = (LpChange){*c->c, event->serial, m->now, stopped, due, 0};
    if (kind == LP_CONDITION_WITHOUT_FAILURE)
        change->condition.other = c->number;
}

/* Running jobs on shared links and on circuits. */
static LpErr change_network(Changing *c) {
    LpImage *m = image(c);
    LpConditions before = m->conditions;
    if (c->after != c->context)
        lp_sharing_leave(m, c->context);
    if (c->context->circuits == NULL)
        return c->after != c->context ? lp_sharing_again(m, c->after, c->diag) : LP_OK;
    m->conditions = conditions_after(c);
    LpErr err = lp_circuits_again(c->world, c->after, c->diag);
    m->conditions = before;
    return err;
}

static LpErr change_component(Changing *c) {
    const LpCondition *n = c->c;
    LpOutageEvent event = {.kind = (uint32_t)n->steps,
                           .index = (uint32_t)n->value,
                           .fails = n->kind == LP_CONDITION_FAIL};
    return lp_break(c->world, c->context, &event, &c->stops, c->diag);
}

LpErr lp_world_change(LpWorld *world, const LpContext *context, const LpCondition *condition,
                      LpEvent *event, LpDiag *diag) {
    Changing c = {
        .world = world, .context = lp_world_context(world, context), .c = condition, .diag = diag};
    c.stops = (LpStoppedJobs){.first = LP_NO_INDEX, .asks = c.context->scenario->answers};
    lp_debug_at(context->log, world->image->now);
    LP_TRY(judge(&c));
    LpErr err = prepare(&c);
    if (err == LP_OK && of_network(condition->kind))
        err = change_network(&c);
    if (err == LP_OK && of_component(condition->kind))
        err = change_component(&c);
    if (err == LP_OK) {
        apply(&c, event);
        lp_debug_event(world, c.context, event, lp_condition_name(condition->kind));
    }
    lp_free(c.hit);
    lp_world_check_event(world, context);
    return err;
}

LpErr lp_world_lone(const LpContext *context, const LpJob *like, LpWorld **out, LpDiag *diag) {
    LpWorld *world;
    LpJobSpec spec = {.graph = like->graph, .kind = (LpPartitionKind)like->kind, .steps = 1};
    LP_TRY(lp_world_new(context, context->scenario->seed, &world, diag));
    if (lp_image_reserve(world) != LP_OK) {
        lp_world_free(world);
        return lp_fail_memory(diag, "a forecast");
    }
    lp_job_new(world->image, context, &spec, LP_NO_INDEX);
    *out = world;
    return LP_OK;
}
