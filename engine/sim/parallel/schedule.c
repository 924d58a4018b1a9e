/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a stage in closed form, and a clock that follows all orders at once. */
#include "sim/parallel/schedule.h"

#include "base/assert.h"
#include "base/mem.h"

/* ---- order ---- */

/* Forward passes of a stage before its first backward pass. */
static uint32_t warm_up(const LpPipeline *p, uint32_t stage) {
    uint32_t all = p->micro_batches * p->chunks, after = p->stages - 1 - stage;
    uint64_t want = after;
    if (p->chunks > 1)
        want = p->micro_batches == p->stages
                   ? all
                   : 2 * (uint64_t)after + (uint64_t)(p->chunks - 1) * p->stages;
    return want < all ? (uint32_t)want : all;
}

/* The j-th pass of one direction: stages micro-batches of a chunk, then the next chunk. */
static LpPipelineEntry pass(const LpPipeline *p, uint32_t stage, bool forward, uint32_t j) {
    uint32_t round = p->stages * p->chunks, kappa = j % round / p->stages;
    if (!forward)
        kappa = p->chunks - 1 - kappa;
    return (LpPipelineEntry){.forward = forward,
                             .stage = stage,
                             .chunk = kappa * p->stages + stage,
                             .micro_batch = j / round * p->stages + j % p->stages};
}

LpPipelineEntry lp_pipeline_entry(const LpPipeline *p, uint32_t stage, uint32_t k) {
    uint32_t all = p->micro_batches * p->chunks, warm = warm_up(p, stage);
    uint32_t pairs = all - warm;
    if (k < warm)
        return pass(p, stage, true, k);
    if (k >= warm + 2 * pairs)
        return pass(p, stage, false, k - all);
    k -= warm;
    return k % 2 == 0 ? pass(p, stage, true, warm + k / 2) : pass(p, stage, false, k / 2);
}

double lp_pipeline_held(const LpPipeline *p, uint32_t stage, const double *weight) {
    double most = 0, held = 0;
    for (uint32_t k = 0; k < 2 * p->micro_batches * p->chunks; k++) {
        LpPipelineEntry e = lp_pipeline_entry(p, stage, k);
        held += e.forward ? weight[e.chunk] : -weight[e.chunk];
        if (held > most)
            most = held;
    }
    return most;
}

/* ---- clock ---- */

static const double NEVER = -1;

/* When results are there, per chunk of the model and micro-batch. */
typedef struct Clock {
    const LpPipeline *p;
    double *forward, *backward;
    double *idle;   /* per stage: since when it can begin its next entry */
    uint32_t *next; /* per stage: that entry */
    double end;
    void (*visit)(void *user, const LpPipelineEntry *entry);
    void *user;
} Clock;

static size_t cell(const LpPipeline *p, uint32_t chunk, uint32_t micro_batch) {
    return (size_t)chunk * p->micro_batches + micro_batch;
}

/* When an entry's input is there; NEVER: not known yet. */
static double ready(const Clock *c, const LpPipelineEntry *e) {
    uint32_t last = c->p->stages * c->p->chunks - 1;
    if (e->forward)
        return e->chunk == 0 ? 0 : c->forward[cell(c->p, e->chunk - 1, e->micro_batch)];
    if (e->chunk == last)
        return c->forward[cell(c->p, last, e->micro_batch)];
    return c->backward[cell(c->p, e->chunk + 1, e->micro_batch)];
}

/* The boundary that an entry's result crosses: forwards the one behind its stage, backwards the one
 * before. What stays, and whatever a single stage makes, takes no time. */
static double send_time(const LpPipeline *p, const LpPipelineEntry *e) {
    uint32_t last = p->stages * p->chunks - 1;
    if (p->stages == 1 || e->chunk == (e->forward ? last : 0))
        return 0;
    return p->wire[e->forward ? e->stage : (e->stage + p->stages - 1) % p->stages];
}

static void perform(Clock *c, LpPipelineEntry *e, double input) {
    const LpPipeline *p = c->p;
    double idle = c->idle[e->stage], sending = send_time(p, e);
    e->start = input > idle ? input : idle;
    e->end = e->start + (e->forward ? p->forward : p->backward)[e->chunk];
    (e->forward ? c->forward : c->backward)[cell(p, e->chunk, e->micro_batch)] = e->end + sending;
    c->idle[e->stage] = p->wait ? e->end + sending : e->end;
    c->next[e->stage]++;
    if (e->end > c->end)
        c->end = e->end;
    if (c->visit != NULL)
        c->visit(c->user, e);
}

/* Goes on with a stage as long as its inputs are known. Returns how many entries. */
static uint32_t advance(Clock *c, uint32_t stage) {
    uint32_t all = 2 * c->p->micro_batches * c->p->chunks, done = 0;
    while (c->next[stage] < all) {
        LpPipelineEntry e = lp_pipeline_entry(c->p, stage, c->next[stage]);
        double input = ready(c, &e);
        if (input < 0)
            break;
        perform(c, &e, input);
        done++;
    }
    return done;
}

/* Which stage is looked at first changes no time: each waits for the same inputs. */
static void run_all(Clock *c) {
    uint64_t left = 2 * (uint64_t)c->p->stages * c->p->chunks * c->p->micro_batches;
    while (left > 0) {
        uint64_t before = left;
        for (uint32_t i = 0; i < c->p->stages; i++)
            left -= advance(c, i);
        for (uint32_t i = c->p->stages; i-- > 0;)
            left -= advance(c, i);
        LP_ASSERT(left < before); /* the orders never wait for each other in a circle */
        if (left == before)
            return;
    }
}

static LpErr run_clock(Clock *c, double *end, LpDiag *diag) {
    size_t cells = cell(c->p, c->p->stages * c->p->chunks, 0);
    if (c->forward == NULL || c->backward == NULL || c->idle == NULL || c->next == NULL)
        return lp_fail_memory(diag, "a schedule");
    for (size_t i = 0; i < cells; i++)
        c->forward[i] = c->backward[i] = NEVER;
    run_all(c);
    *end = c->end;
    return LP_OK;
}

LpErr lp_pipeline_run(const LpPipeline *p, void (*visit)(void *user, const LpPipelineEntry *entry),
                      void *user, double *end, LpDiag *diag) {
    size_t cells = cell(p, p->stages * p->chunks, 0);
    Clock clock = {.p = p,
                   .forward = lp_alloc(cells, sizeof(double)),
                   .backward = lp_alloc(cells, sizeof(double)),
                   .idle = lp_alloc(p->stages, sizeof(double)),
                   .next = lp_alloc(p->stages, sizeof(uint32_t)),
                   .visit = visit,
                   .user = user};
    LpErr err = run_clock(&clock, end, diag);
    lp_free(clock.forward);
    lp_free(clock.backward);
    lp_free(clock.idle);
    lp_free(clock.next);
    return err;
}
