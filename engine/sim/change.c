/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change of conditions is judged, then applied: scales, failures, repairs, one more job. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "sim/condition.h"
#include "sim/impl.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/plan.h"
#include "sim/sharing/sharing.h"
#include "sim/state/validate.h"
#include "sim/store/family.h"

typedef struct Changing {
    LpWorld *world;
    const LpContext *context; /* of the conditions so far */
    const LpCondition *c;
    uint8_t *hit;           /* jobs that a failure stops, NULL: none; by id */
    const LpContext *after; /* of the conditions to come */
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

static LpErr check_server(const Changing *c) {
    const LpImage *m = image(c);
    bool fail = c->c->kind == LP_CONDITION_FAIL_SERVER;
    const char *name = lp_condition_name(c->c->kind);
    if (c->c->value >= m->servers)
        return lp_fail(c->diag, LP_ERANGE, "%s: server %.0f does not exist, servers are 0 to %u",
                       name, c->c->value, m->servers - 1);
    if (m->covers > 0)
        return lp_fail(c->diag, LP_EINVAL,
                       "%s: servers of this scenario break by themselves (failures): expected a "
                       "line of failures.trace",
                       name);
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

/* Where in the sorted list the pair is or would be. */
static uint32_t place_of(LpImage *m, LpFailed pair, bool *there) {
    const LpFailed *failed = lp_image_failed(m);
    uint32_t at = 0;
    while (at < m->failed &&
           (failed[at].a < pair.a || (failed[at].a == pair.a && failed[at].b < pair.b)))
        at++;
    *there = at < m->failed && failed[at].a == pair.a && failed[at].b == pair.b;
    return at;
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
    bool there, fail = c->c->kind == LP_CONDITION_FAIL_CIRCUIT;
    place_of(image(c), pair, &there);
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

static LpErr judge(const Changing *c) {
    LpConditionKind kind = c->c->kind;
    if ((int)kind < 0 || kind >= LP_CONDITION_COUNT)
        return lp_fail(c->diag, LP_EINVAL, "there is no condition %d", (int)kind);
    LP_TRY(check_moment(c));
    LP_TRY(check_switches(c));
    LP_TRY(check_number(c, c->c->value,
                        of_server(kind) || of_circuit(kind) || kind == LP_CONDITION_EXTRA_JOB));
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

/* Enters the pair into the list, or takes it out. */
static void set_failed(LpImage *m, LpFailed pair, bool failed) {
    bool there;
    LpFailed *list = lp_image_failed(m);
    uint32_t at = place_of(m, pair, &there);
    if (failed) {
        LP_ASSERT(!there && m->failed < m->failed_cap);
        memmove(list + at + 1, list + at, (m->failed - at) * sizeof *list);
        list[at] = pair;
        m->failed++;
    } else {
        LP_ASSERT(there);
        memmove(list + at, list + at + 1, (m->failed - at - 1) * sizeof *list);
        m->failed--;
    }
}

/* Marks the running jobs that need the circuit that is about to break. */
static LpErr mark_users(Changing *c) {
    LpImage *m = image(c);
    LpErr err = LP_OK;
    char reason[LP_DIAG_TEXT];
    set_failed(m, ends_of(c->c), true);
    for (uint32_t id = m->first_running; err == LP_OK && id != LP_NO_INDEX;
         id = lp_image_job(m, id)->next) {
        const LpJob *job = lp_image_job(m, id);
        LpCause cause = LP_CAUSE_NONE;
        if (job->partition == LP_NO_INDEX)
            continue;
        err = lp_world_check_failed(c->world, c->context, job->partition, job->placement, &cause,
                                    reason, c->diag);
        c->hit[id] = cause != LP_CAUSE_NONE;
    }
    set_failed(m, ends_of(c->c), false);
    return err;
}

static LpErr prepare(Changing *c) {
    LpConditions next = conditions_after(c);
    LpScales scales = {next.bandwidth, next.latency, next.reconfiguration};
    uint32_t number;
    if (c->context->circuits != NULL) /* the delay counts when circuits are ordered, not in steps */
        scales.reconfiguration = 1;
    if (lp_image_reserve_change(c->world) != LP_OK)
        return lp_fail_memory(c->diag, "a change of conditions");
    LP_TRY(lp_context_scale(c->context, &scales, &number, c->diag));
    c->after = lp_context_at(c->context, number);
    if (!lp_condition_is_failure(c->c->kind))
        return LP_OK;
    c->hit = lp_alloc(image(c)->jobs, sizeof *c->hit);
    if (c->hit == NULL)
        return lp_fail_memory(c->diag, "a change of conditions");
    if (c->c->kind == LP_CONDITION_FAIL_CIRCUIT)
        return mark_users(c);
    uint32_t job = lp_world_server(c->world, (uint32_t)c->c->value)->job;
    if (job != LP_NO_INDEX)
        c->hit[job] = 1;
    return LP_OK;
}

/* ---- applying ---- */

/* In order of their start. */
static uint64_t stop_marked(Changing *c, uint32_t *first) {
    LpImage *m = image(c);
    uint64_t stopped = 0;
    for (uint32_t id = c->hit != NULL ? m->first_running : LP_NO_INDEX; id != LP_NO_INDEX;) {
        uint32_t next = lp_image_job(m, id)->next;
        if (c->hit[id]) {
            lp_job_interrupt(m, c->context, id);
            *first = stopped++ == 0 ? id : *first;
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
    uint64_t stopped = stop_marked(c, &job);
    if (of_server(kind))
        lp_server_set(m, (uint32_t)c->c->value, kind == LP_CONDITION_FAIL_SERVER);
    if (of_circuit(kind))
        set_failed(m, ends_of(c->c), kind == LP_CONDITION_FAIL_CIRCUIT);
    if (kind == LP_CONDITION_RATE)
        lp_workload_set_rate(lp_image_workload(m), c->c->value);
    if (kind == LP_CONDITION_EXTRA_JOB)
        add_job(c, &job);
    if (lp_condition_is_failure(kind) || lp_condition_is_repair(kind))
        lp_image_recheck(m);
    lp_image_event(m, event, LP_EVENT_CONDITION, job);
    LP_ASSERT(m->changes < m->changes_cap);
    lp_image_change(m)[m->changes++] = (LpChange){*c->c, event->serial, m->now, stopped, due, 0};
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

LpErr lp_world_change(LpWorld *world, const LpContext *context, const LpCondition *condition,
                      LpEvent *event, LpDiag *diag) {
    Changing c = {
        .world = world, .context = lp_world_context(world, context), .c = condition, .diag = diag};
    LP_TRY(judge(&c));
    LpErr err = prepare(&c);
    if (err == LP_OK && of_network(condition->kind))
        err = change_network(&c);
    if (err == LP_OK)
        apply(&c, event);
    lp_free(c.hit);
    lp_world_check_event(world, context);
    return err;
}
