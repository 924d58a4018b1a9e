/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/standing.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/forecast.h"
#include "sim/place/slice.h"
#include "sim/store/store.h"

double lp_bounded_slowdown(double time, double alone, double tau) {
    double slowdown = time / (alone > tau ? alone : tau);
    return slowdown > 1 ? slowdown : 1;
}

/* ---- one job ---- */

static double left(const LpJob *job, double now) {
    if (job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED)
        return job->times.end;
    return job->outcome == LP_JOB_BLOCKED ? job->times.turned_away : now;
}

static double alone(const LpContext *context, const LpJob *job) {
    if (job->graph < 0 || isnan(job->times.start))
        return job->asked.sequential_jct;
    if (job->placed.step == LP_NO_INDEX || job->cached)
        return job->forecast.step_time * job->asked.steps;
    return lp_store_step(context->store, job->placed.step)->step_time * job->asked.steps;
}

/* Jobs of one graph need alike: `least` has what is known already, 0: not. */
static LpErr servers_of(const LpWorld *world, const LpContext *context, const LpJob *job,
                        uint32_t *least, uint32_t *out, LpDiag *diag) {
    const LpSlice *slice = lp_job_slice(context, job);
    *out = slice != NULL ? slice->accelerators : job->asked.rigid_servers;
    if (slice != NULL || job->graph < 0)
        return LP_OK;
    if (least[job->graph] == 0) {
        uint32_t degree;
        LP_TRY(lp_world_least_degree(world, context, job->id, &degree, diag));
        least[job->graph] = degree > 0 ? degree : 1;
    }
    *out = least[job->graph];
    return LP_OK;
}

static LpErr take_job(const LpWorld *world, const LpContext *context, const LpJob *job,
                      uint32_t *least, LpStand *out, LpDiag *diag) {
    double now = lp_world_now(world), tau = context->scenario->tau;
    bool stays = lp_job_waits(job) || job->outcome == LP_JOB_BLOCKED;
    *out = (LpStand){.arrival = job->asked.arrival,
                     .start = job->times.start,
                     .left = left(job, now),
                     .waited = lp_job_waited(job, now),
                     .since = stays ? job->times.waiting_since : (double)NAN,
                     .alone = alone(context, job),
                     .slowdown = (double)NAN,
                     .rho = (double)NAN,
                     .spells = job->queue.spells,
                     .outcome = job->outcome};
    if (job->outcome == LP_JOB_COMPLETED)
        out->slowdown = lp_bounded_slowdown(out->left - out->arrival, out->alone, tau);
    return out->waited > 0 ? servers_of(world, context, job, least, &out->servers, diag) : LP_OK;
}

/* ---- all of them ---- */

/* A moment of a job. */
typedef struct When {
    double time;
    uint32_t job;
    uint32_t later; /* of moments of one time these come after the others */
} When;

static int compare_when(const void *a, const void *b) {
    const When *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->later != y->later)
        return x->later < y->later ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

/* Walks over arrivals and departures with the integral of the jobs in the system up to now. */
static void count_crowds(LpStanding *s, When *when) {
    double integral = 0, present = 0, before = 0;
    for (uint32_t i = 0; i < s->jobs; i++) {
        when[2 * i] = (When){s->job[i].arrival, i, 0};
        when[2 * i + 1] = (When){s->job[i].left, i, 1};
    }
    qsort(when, 2 * (size_t)s->jobs, sizeof *when, compare_when);
    for (size_t i = 0; i < 2 * (size_t)s->jobs; i++) {
        LpStand *job = &s->job[when[i].job];
        integral += present * (when[i].time - before);
        before = when[i].time;
        present += when[i].later ? -1 : 1;
        job->crowd = when[i].later ? integral - job->crowd : integral;
    }
}

/* How many of the numbers up to `at` were put in: a Fenwick tree. */
static uint32_t put_up_to(const uint32_t *tree, uint32_t at) {
    uint32_t sum = 0;
    for (; at > 0; at &= at - 1)
        sum += tree[at];
    return sum;
}

static void put(uint32_t *tree, uint32_t jobs, uint32_t at) {
    for (; at <= jobs; at += at & -at)
        tree[at]++;
}

/* First starts in the order of time; a job looks at them when it starts itself or leaves: who
 * started in the same instant did not overtake it. */
static void count_overtakings(LpStanding *s, When *when, uint32_t *tree) {
    uint32_t started = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < s->jobs; i++) {
        const LpStand *job = &s->job[i];
        when[count++] = (When){isnan(job->start) ? job->left : job->start, i, 0};
        if (!isnan(job->start))
            when[count++] = (When){job->start, i, 1};
    }
    qsort(when, count, sizeof *when, compare_when);
    for (size_t i = 0; i < count; i++) {
        uint32_t job = when[i].job;
        if (!when[i].later) {
            s->job[job].overtaken = started - put_up_to(tree, job + 1);
            continue;
        }
        put(tree, s->jobs, job + 1);
        started++;
    }
}

static LpErr compare_all(LpStanding *s, LpDiag *diag) {
    When *when = lp_alloc(2 * (size_t)s->jobs, sizeof *when);
    uint32_t *tree = lp_alloc((size_t)s->jobs + 1, sizeof *tree);
    bool made = when != NULL && tree != NULL;
    if (made) {
        count_crowds(s, when);
        count_overtakings(s, when, tree);
    }
    lp_free(when);
    lp_free(tree);
    return made ? LP_OK : lp_fail_memory(diag, "how jobs stand beside each other");
}

LpErr lp_standing_new(const LpWorld *world, const LpContext *context, bool fair, LpStanding *out,
                      LpDiag *diag) {
    LpStanding s = {.jobs = lp_world_jobs(world)};
    uint32_t *least = lp_alloc((size_t)context->scenario->graphs + 1, sizeof *least);
    LpErr err = LP_OK;
    s.job = lp_alloc((size_t)s.jobs + 1, sizeof *s.job);
    if (s.job == NULL || least == NULL)
        err = lp_fail_memory(diag, "how jobs stand beside each other");
    for (uint32_t i = 0; err == LP_OK && i < s.jobs; i++)
        err = take_job(world, context, lp_world_job(world, i), least, &s.job[i], diag);
    lp_free(least);
    if (err == LP_OK)
        err = compare_all(&s, diag);
    if (err == LP_OK && fair)
        err = lp_standing_share(world, context, &s, diag);
    if (err != LP_OK) {
        lp_standing_fini(&s);
        return err;
    }
    *out = s;
    return LP_OK;
}

void lp_standing_fini(LpStanding *s) {
    lp_free(s->job);
    *s = (LpStanding){0};
}

/* ---- spells ---- */

/* One from its arrival to its start; those after that are on record; and one that no start ended.
 */
static size_t spells_of(const LpStanding *s, const LpContext *context, uint32_t id, LpQueued *out) {
    const LpStand *job = &s->job[id];
    size_t count = 0;
    if (job->start > job->arrival)
        out[count++] = (LpQueued){job->arrival, job->start, id, job->servers};
    for (uint32_t at = job->spells; at > 0;) {
        const LpSpell *spell = lp_store_spell(context->store, at);
        out[count++] = (LpQueued){spell->begin, spell->end, id, job->servers};
        at = spell->before;
    }
    if (job->since < job->left)
        out[count++] = (LpQueued){job->since, job->left, id, job->servers};
    return count;
}

static size_t room_for(const LpStand *job, const LpContext *context) {
    size_t count = 2;
    for (uint32_t at = job->spells; at > 0; at = lp_store_spell(context->store, at)->before)
        count++;
    return count;
}

LpErr lp_standing_spells(const LpStanding *s, const LpContext *context, LpQueued **out,
                         size_t *count, LpDiag *diag) {
    size_t room = 0, all = 0;
    for (uint32_t i = 0; i < s->jobs; i++)
        room += s->job[i].waited > 0 ? room_for(&s->job[i], context) : 0;
    LpQueued *item = lp_alloc(room + 1, sizeof *item);
    if (item == NULL)
        return lp_fail_memory(diag, "the spells in the queue");
    for (uint32_t i = 0; i < s->jobs; i++)
        all += s->job[i].waited > 0 ? spells_of(s, context, i, &item[all]) : 0;
    *out = item;
    *count = all;
    return LP_OK;
}
