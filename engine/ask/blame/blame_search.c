/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for who is to blame: single changes to earlier decisions are tried on probes. */
#include <math.h>
#include <string.h>

#include "ask/blame/blame_impl.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/forecast.h"
#include "sim/world.h"

enum { OTHER_BLOCKS = 4, SPARE_STEPS = 1000 };

/* ---- worlds before decisions ---- */

static LpBlameBefore *find(const LpBlamer *b, uint32_t job) {
    for (size_t i = 0; i < b->count; i++)
        if (b->item[i].job == job)
            return &b->item[i];
    return NULL;
}

static bool is_running(const LpWorld *world, uint32_t job) {
    return job < lp_world_jobs(world) && lp_world_job(world, job)->outcome == LP_JOB_RUNNING;
}

/* A slot for the job: its own, one of a job that no longer runs, or a new one. */
static LpBlameBefore *slot_for(LpBlamer *b, uint32_t job) {
    LpBlameBefore *slot = find(b, job);
    for (size_t i = 0; slot == NULL && b->recycle && i < b->count; i++)
        if (!is_running(b->s->world, b->item[i].job))
            slot = &b->item[i];
    if (slot != NULL)
        return slot;
    void *items = b->item;
    if (lp_grow(&items, &b->cap, b->count + 1, sizeof *b->item) != LP_OK)
        return NULL;
    b->item = items;
    b->item[b->count] = (LpBlameBefore){LP_NO_INDEX, NULL};
    return &b->item[b->count++];
}

LpErr lp_blamer_remember(LpBlamer *b, uint32_t job, const LpWorld *world) {
    LpBlameBefore *slot = slot_for(b, job);
    if (slot == NULL)
        return lp_fail_memory(b->diag, "the worlds before decisions");
    slot->job = job;
    slot->world = lp_world_clone(world, slot->world);
    return slot->world != NULL ? LP_OK : lp_fail_memory(b->diag, "the worlds before decisions");
}

LpErr lp_blamer_init(LpBlamer *b, LpSession *s, LpDiag *diag) {
    *b = (LpBlamer){.s = s, .diag = diag};
    b->degree = lp_alloc(s->scenario->partition.max_degree, sizeof *b->degree);
    b->server = lp_alloc(s->scenario->cluster.servers, sizeof *b->server);
    if (b->degree != NULL && b->server != NULL)
        return LP_OK;
    lp_blamer_fini(b);
    return lp_fail_memory(diag, "what is to blame");
}

void lp_blamer_fini(LpBlamer *b) {
    for (size_t i = 0; i < b->count; i++)
        lp_world_free(b->item[i].world);
    lp_free(b->item);
    lp_free(b->degree);
    lp_free(b->server);
    lp_free(b->running);
    *b = (LpBlamer){0};
}

/* ---- the changes to one decision ---- */

/* The degree nearest to `was` among those not yet tried, the smaller on a tie; 0 when none is left.
 * A tried one is set to 0. */
static uint32_t nearest(uint32_t *degree, uint32_t count, uint32_t was) {
    uint32_t best = count;
    double gap = (double)INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double d = fabs((double)degree[i] - was);
        if (degree[i] == 0 || degree[i] == was || d >= gap)
            continue;
        gap = d;
        best = i;
    }
    if (best == count)
        return 0;
    uint32_t found = degree[best];
    degree[best] = 0;
    return found;
}

static LpErr try_degrees(LpBlamer *b, const LpBlameBefore *from, LpBlame trial) {
    const LpScenario *scenario = b->s->scenario;
    uint32_t most = scenario->partition.max_degree;
    if (lp_world_job(from->world, from->job)->graph < 0)
        return LP_OK;
    uint32_t count;
    LP_TRY(lp_world_degrees(from->world, b->s->context, from->job, 0, b->degree, most, &count,
                            b->diag));
    trial.kind = LP_BLAME_DEGREE;
    while (!lp_blamer_enough(b) && (trial.would = nearest(b->degree, count, trial.was)) > 0) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = trial.would};
        LP_TRY(lp_blamer_try(b, from, &(LpBlameChange){.answer = &answer}, trial));
    }
    return LP_OK;
}

static bool same_servers(const LpBlamer *b, uint32_t job, const uint32_t *server, uint32_t count) {
    const LpJob *j = lp_world_job(b->base, job);
    if (j->placed.placement == LP_NO_INDEX)
        return false;
    const LpPlacement *p = lp_store_placement(b->s->context->store, j->placed.placement);
    return p->servers == count && memcmp(p->server, server, count * sizeof *server) == 0;
}

static LpErr try_blocks(LpBlamer *b, const LpBlameBefore *from, LpBlame trial) {
    const LpJob *job = lp_world_job(b->base, from->job);
    LpBlockSearch search;
    if (job->placed.servers == 0 || trial.by == trial.job)
        return LP_OK;
    trial.kind = LP_BLAME_BLOCK;
    trial.would = trial.was;
    trial.servers = job->placed.servers;
    trial.server = b->server;
    lp_block_search_in(&search, &lp_world_context(from->world, b->s->context)->fabric,
                       job->placed.servers, false, lp_world_room(from->world), NULL, NULL);
    for (int tried = 0;
         tried < OTHER_BLOCKS && !lp_blamer_enough(b) && lp_block_next(&search, b->server);) {
        if (same_servers(b, from->job, b->server, job->placed.servers))
            continue;
        LpAnswer answer = {.kind = LP_ANSWER_RUN,
                           .degree = trial.was,
                           .servers = job->placed.servers,
                           .server = b->server};
        LP_TRY(lp_blamer_try(b, from, &(LpBlameChange){.answer = &answer}, trial));
        tried++;
    }
    return LP_OK;
}

static LpErr try_wait(LpBlamer *b, const LpBlameBefore *from, LpBlame trial) {
    const LpAnswer answer = {.kind = LP_ANSWER_WAIT};
    if (lp_blamer_enough(b) || trial.by == trial.job || b->s->scenario->queue_capacity == 0)
        return LP_OK;
    trial.kind = LP_BLAME_WAIT;
    return lp_blamer_try(b, from, &(LpBlameChange){.answer = &answer}, trial);
}

/* Was the job last decided by hand, up to the trouble? */
static bool is_by_hand(const LpBlamer *b, uint32_t job) {
    const LpTimeline *t = b->s->timeline;
    const char *why =
        t != NULL ? lp_session_why_at(b->s, (LpMoment){t->current, b->upto}, job).why : NULL;
    return why != NULL && strcmp(why, LP_BY_HAND) == 0;
}

static LpErr try_decision(LpBlamer *b, uint32_t job) {
    const LpBlameBefore *from;
    if (lp_blamer_enough(b))
        return LP_OK;
    /* The world before a job's decision; *out NULL when it is not known. */
    const LpBlameBefore **out = &from;
    *out = find(b, job);
    if (*out == NULL && b->visit != NULL)
        LP_TRY(b->visit(b, job));
    *out = find(b, job);
    if (from == NULL)
        return LP_OK;
    const LpJob *decided = lp_world_job(b->base, job);
    LpBlame trial = b->best;
    trial.by = job;
    trial.decided = lp_world_now(from->world);
    trial.decision = lp_world_tally(from->world)->decisions;
    trial.was = decided->placed.degree;
    trial.by_hand = is_by_hand(b, job);
    LP_TRY(try_degrees(b, from, trial));
    LP_TRY(try_blocks(b, from, trial));
    LP_TRY(lp_blamer_try_stages(b, from, trial));
    return try_wait(b, from, trial);
}

/* ---- one blocked job ---- */

/* Running jobs, the latest decision first; returns how many. */
static LpErr list_running(LpBlamer *b, uint32_t *count) {
    const LpWorld *w = b->base;
    *count = 0;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id)) {
        void *items = b->running;
        if (lp_grow(&items, &b->running_cap, (size_t)*count + 1, sizeof *b->running) != LP_OK)
            return lp_fail_memory(b->diag, "the jobs in the way");
        b->running = items;
        uint32_t at = (*count)++; /* the list runs in order of start: nearly sorted the other way */
        for (; at > 0; at--) {
            const LpJob *before = lp_world_job(w, b->running[at - 1]);
            const LpJob *now = lp_world_job(w, id);
            if (before->times.decided > now->times.decided ||
                (before->times.decided == now->times.decided && before->id > now->id))
                break;
            b->running[at] = b->running[at - 1];
        }
        b->running[at] = id;
    }
    return LP_OK;
}

/* The other future may take more events than the real one, but not without end. */
static uint64_t most_steps(const LpBlamer *b, uint32_t in_the_way) {
    const LpBlameBefore *oldest = NULL;
    for (uint32_t i = 0; i < in_the_way; i++) {
        const LpBlameBefore *from = find(b, b->running[i]);
        oldest = from != NULL ? from : oldest;
    }
    uint64_t began = oldest != NULL ? lp_world_tally(oldest->world)->events : 0;
    return 4 * (lp_world_tally(b->base)->events - began) + SPARE_STEPS;
}

LpErr lp_blamer_search(LpBlamer *b, const LpWorld *base, LpTrouble trouble, uint32_t job,
                       double time) {
    uint32_t in_the_way;
    b->base = base;
    b->best = (LpBlame){.job = job,
                        .trouble = trouble,
                        .cause = (LpCause)lp_world_job(base, job)->cause,
                        .time = time,
                        .by = LP_NO_INDEX,
                        .first_worse = LP_NO_INDEX,
                        .own_delay = (double)NAN};
    LP_TRY(list_running(b, &in_the_way));
    b->best.in_the_way = in_the_way - is_running(base, job);
    b->steps = most_steps(b, in_the_way);
    LP_TRY(try_decision(b, job)); /* perhaps it only had itself in its way */
    for (uint32_t i = 0; i < in_the_way; i++)
        if (b->running[i] != job)
            LP_TRY(try_decision(b, b->running[i]));
    return lp_blame_tell(b->s, &b->best, b->diag);
}
