/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes along the time line with a world of its own and asks the network wherever a decision is due.
 */
#include "ask/inspect/values.h"

#include <math.h>
#include <string.h>

#include "ask/network/network.h"
#include "base/csv_out.h"
#include "session/session_impl.h"

/* The decisions due from the fork on; before that its parent's hold. */
typedef struct Known {
    LpValue *value;
    size_t cap, count;
    bool begun;
    uint64_t next; /* step that is looked at next */
} Known;

struct LpValues {
    /* what it was asked of */
    const LpPolicy *policy;
    uint32_t reloads, home, index;
    Known *known; /* per branch */
    size_t cap;
    uint32_t branches;
    LpWorld *world; /* NULL: none yet */
    uint32_t branch;
    uint64_t step; /* where it is */
    LpArena *arena;
};

LpErr lp_values_new(LpValues **out, LpDiag *diag) {
    LpValues *v = lp_alloc(1, sizeof *v);
    if (v == NULL || (v->arena = lp_arena_new(0)) == NULL) {
        lp_free(v);
        return lp_fail_memory(diag, "the values along a run");
    }
    *out = v;
    return LP_OK;
}

static void forget(LpValues *v) {
    for (uint32_t i = 0; i < v->branches; i++)
        lp_free(v->known[i].value);
    v->branches = 0;
    lp_world_free(v->world);
    v->world = NULL;
}

void lp_values_free(LpValues *v) {
    if (v == NULL)
        return;
    forget(v);
    lp_free(v->known);
    lp_arena_free(v->arena);
    lp_free(v);
}

/* ---- asking ---- */

/* Brings the world to a step. */
static LpErr go(LpValues *v, LpSession *s, uint32_t branch, uint64_t step, LpDiag *diag) {
    if (v->world == NULL || v->branch != branch || v->step > step) {
        LpWorld *world;
        LP_TRY(lp_session_world_at(s, (LpMoment){branch, step}, &world, diag));
        lp_world_free(v->world);
        v->world = world;
    } else {
        LpErr err = lp_timeline_play(s->timeline, v->world, branch, v->step, step, diag);
        if (err != LP_OK) {
            lp_world_free(v->world);
            v->world = NULL;
            return err;
        }
    }
    v->branch = branch;
    v->step = step;
    return LP_OK;
}

static double q_of(const LpNetworkInspection *seen, uint32_t degree) {
    uint32_t best = seen->actions;
    for (uint32_t a = 0; a < seen->actions; a++)
        if (seen->action[a].degree == degree && seen->action[a].open &&
            (best == seen->actions || seen->action[a].logit > seen->action[best].logit))
            best = a;
    return best < seen->actions ? seen->action[best].q : (double)NAN;
}

/* The decision due at a step; `decided`: the next step took it. */
static LpErr ask(LpValues *v, LpSession *s, uint32_t branch, uint64_t step, bool decided,
                 LpValue *out, LpDiag *diag) {
    LpNetworkInspection seen;
    lp_arena_reset(v->arena);
    LP_TRY(go(v, s, branch, step, diag));
    LP_TRY(lp_network_inspect_world(s, v->index, v->world, v->arena, &seen, diag));
    *out = (LpValue){.step = step,
                     .decision = lp_world_tally(v->world)->decisions,
                     .time = lp_world_now(v->world),
                     .job = lp_world_due(v->world),
                     .value = seen.actions > 0 ? seen.value : (double)NAN,
                     .q = (double)NAN};
    if (!decided || out->job == LP_NO_INDEX)
        return LP_OK;
    LP_TRY(go(v, s, branch, step + 1, diag));
    const LpJob *job = lp_world_job(v->world, out->job);
    out->taken = job->outcome != LP_JOB_WAITING;
    out->degree = out->taken ? job->placed.degree : 0;
    out->q = out->taken ? q_of(&seen, out->degree) : (double)NAN;
    return LP_OK;
}

static LpErr keep(Known *k, const LpValue *value, LpDiag *diag) {
    if (k->count > 0 && k->value[k->count - 1].step == value->step)
        k->count--; /* it was due when last asked */
    if (lp_grow((void **)&k->value, &k->cap, k->count + 1, sizeof *k->value) != LP_OK)
        return lp_fail_memory(diag, "the values along a run");
    k->value[k->count++] = *value;
    return LP_OK;
}

/* ---- along a branch ---- */

static LpErr value_step(LpValues *v, LpSession *s, uint32_t branch, uint64_t upto, uint32_t *left,
                        LpDiag *diag) {
    Known *k = &v->known[branch];
    uint64_t step = k->next;
    const LpMark *mark = lp_timeline_mark(s->timeline, branch, step);
    bool last = step == upto;
    bool decided =
        !last && lp_timeline_mark(s->timeline, branch, step + 1)->decisions > mark->decisions;
    LpValue value;
    if (mark->due == LP_NO_INDEX || (!last && !decided)) {
        k->next = last ? step : step + 1;
        return LP_OK;
    }
    if (last && k->count > 0 && k->value[k->count - 1].step == step)
        return LP_OK; /* nothing new */
    LP_TRY(ask(v, s, branch, step, decided, &value, diag));
    k->next = last ? step : step + 1;
    (*left)--;
    return keep(k, &value, diag);
}

/* The steps of a branch up to one, its parents' first. */
static LpErr extend(LpValues *v, LpSession *s, LpMoment to, uint32_t *left, bool *more,
                    LpDiag *diag) {
    const LpBranch *b = lp_timeline_branch(s->timeline, to.branch);
    bool forked = b->parent != LP_NO_INDEX;
    Known *k = &v->known[to.branch];
    if (forked)
        LP_TRY(extend(v, s, (LpMoment){b->parent, to.step < b->forked_at ? to.step : b->forked_at},
                      left, more, diag));
    if (!k->begun)
        k->next = forked ? b->forked_at : 0;
    k->begun = true;
    while (k->next <= to.step) {
        uint64_t step = k->next;
        if (*left == 0) {
            *more = true;
            return LP_OK;
        }
        LP_TRY(value_step(v, s, to.branch, to.step, left, diag));
        if (k->next == step) /* it is the last one */
            break;
    }
    return LP_OK;
}

LpErr lp_values_update(LpValues *v, LpSession *s, uint32_t index, LpMoment moment, uint32_t most,
                       bool *more, LpDiag *diag) {
    uint32_t left = most > 0 ? most : UINT32_MAX;
    bool some = false;
    if (s->timeline == NULL)
        return lp_fail(diag, LP_ESTATE, "this session keeps no time line");
    uint32_t home = lp_timeline_branch(s->timeline, s->timeline->current)->policy;
    uint32_t branches = lp_session_branches(s);
    if (v->policy != s->loaded.policy || v->reloads != s->saved.count || v->home != home ||
        v->index != index)
        forget(v);
    v->policy = s->loaded.policy;
    v->reloads = s->saved.count;
    v->home = home;
    v->index = index;
    if (lp_grow((void **)&v->known, &v->cap, branches, sizeof *v->known) != LP_OK)
        return lp_fail_memory(diag, "the values along a run");
    for (; v->branches < branches; v->branches++)
        v->known[v->branches] = (Known){0};
    LpErr err = LP_OK;
    if (index < lp_network_count(s))
        err = extend(v, s, moment, &left, &some, diag);
    if (more != NULL)
        *more = some;
    return err;
}

/* ---- reading ---- */

const LpValue *lp_values_at(const LpValues *v, const LpSession *s, uint32_t branch, double time) {
    while (branch < v->branches) {
        const Known *k = &v->known[branch];
        size_t low = 0, high = k->count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (k->value[middle].time <= time)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > 0)
            return &k->value[low - 1];
        branch = lp_timeline_branch(s->timeline, branch)->parent; /* LP_NO_INDEX: of the trunk */
    }
    return NULL;
}

void lp_values_each(const LpValues *v, const LpSession *s, LpMoment moment, LpValuesEach each,
                    void *user) {
    if (moment.branch >= v->branches)
        return;
    const LpBranch *b = lp_timeline_branch(s->timeline, moment.branch);
    const Known *k = &v->known[moment.branch];
    if (b->parent != LP_NO_INDEX && b->forked_at > 0)
        lp_values_each(
            v, s,
            (LpMoment){b->parent, moment.step < b->forked_at ? moment.step : b->forked_at - 1},
            each, user);
    for (size_t i = 0; i < k->count && k->value[i].step <= moment.step; i++)
        each(user, &k->value[i]);
}

typedef struct Range {
    double until, low, high;
} Range;

static void widen(void *user, const LpValue *value) {
    Range *r = user;
    if (value->time > r->until)
        return;
    r->low = fmin(fmin(r->low, value->value), value->q); /* not for NAN */
    r->high = fmax(fmax(r->high, value->value), value->q);
}

bool lp_values_range(const LpValues *v, const LpSession *s, uint32_t branch, double time,
                     double *low, double *high) {
    Range r = {time, (double)INFINITY, -(double)INFINITY};
    lp_values_each(v, s, (LpMoment){branch, UINT64_MAX}, widen, &r);
    *low = r.low;
    *high = r.high;
    return r.low <= r.high;
}

/* ---- as a table ---- */

typedef struct Table {
    const LpSession *s;
    LpCsvOut out;
} Table;

static void add_row(void *user, const LpValue *value) {
    Table *t = user;
    const LpJob *job = lp_world_job(t->s->world, value->job);
    lp_csv_put_count(&t->out, value->decision);
    lp_csv_put_number(&t->out, lp_scenario_time(t->s->scenario, value->time));
    lp_csv_put_count(&t->out, value->job);
    lp_csv_put_text(&t->out, job->graph >= 0 ? t->s->scenario->graph[job->graph]->id : NULL);
    lp_csv_put_number(&t->out, value->taken ? value->degree : (double)NAN);
    lp_csv_put_number(&t->out, value->value);
    lp_csv_put_number(&t->out, value->q);
    lp_csv_end(&t->out);
}

LpErr lp_values_csv(LpSession *s, uint32_t index, bool raw, LpBuf *out, LpDiag *diag) {
    LpValues *v = NULL;
    if (index >= lp_network_count(s))
        return lp_fail(diag, LP_EINVAL, "the policy has no network, so nobody estimates values");
    LP_TRY(lp_values_new(&v, diag));
    LpMoment now = lp_session_moment(s);
    LpErr err = lp_values_update(v, s, index, now, 0, NULL, diag);
    Table table = {s, {.out = out, .raw = raw}};
    lp_buf_add(out, "decision,time,job,graph,degree,value,q\n");
    if (err == LP_OK)
        lp_values_each(v, s, now, add_row, &table);
    lp_values_free(v);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}
