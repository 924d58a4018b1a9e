/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of jobs along a time line. They are numbered along a line, through forks: a branch holds
 * those from its fork on. */
#include "history/timeline.h"

#include <string.h>

#include "base/assert.h"
#include "sim/store/context.h"

enum { LEAST_KEPT = 1024 };

/* The last sample of a job of this branch, NULL: it has none here. */
static const LpSample *last_here(const LpBranch *b, uint32_t job) {
    uint32_t at = job < b->heads ? b->head[job] : 0;
    return at > b->first_sample ? &b->sample[at - 1 - b->first_sample] : NULL;
}

size_t lp_timeline_samples(const LpTimeline *t, uint32_t branch, uint64_t step, uint32_t job,
                           LpSample *out, size_t room) {
    size_t count = 0, limit = lp_timeline_mark(t, branch, step)->sample;
    for (const LpBranch *b = t->branch[branch];; b = t->branch[b->parent]) {
        uint32_t at = job < b->heads ? b->head[job] : 0;
        while (at > b->first_sample) {
            const LpSample *s = &b->sample[at - 1 - b->first_sample];
            if (at <= limit && count < room)
                out[count++] = *s;
            at = count < room ? s->before : 0;
        }
        if (b->parent == LP_NO_INDEX || count == room)
            return count;
        limit = limit < b->mark[0].sample ? limit : b->mark[0].sample;
    }
}

/* ---- taking ---- */

/* The oldest half gives way. */
static void drop_half(LpBranch *b) {
    size_t half = b->samples / 2;
    b->samples -= half;
    b->first_sample += half;
    memmove(b->sample, b->sample + half, b->samples * sizeof *b->sample);
}

static LpErr grow(LpTimeline *t, LpBranch *b, const LpSample *s) {
    void *items = b->sample, *heads = b->head;
    size_t before = b->samples_cap;
    double most = (double)LP_TIMELINE_SAMPLES < *t->context->max_memory
                      ? (double)LP_TIMELINE_SAMPLES
                      : *t->context->max_memory;
    if (b->samples == b->samples_cap && b->samples >= LEAST_KEPT &&
        (double)(t->sample_bytes + b->samples_cap * sizeof *b->sample) > most)
        drop_half(b);
    LP_TRY(lp_grow(&items, &b->samples_cap, b->samples + 1, sizeof *b->sample));
    b->sample = items;
    t->sample_bytes += (b->samples_cap - before) * sizeof *b->sample;
    LP_TRY(lp_grow(&heads, &b->heads_cap, (size_t)s->job + 1, sizeof *b->head));
    b->head = heads;
    while (b->heads <= s->job)
        b->head[b->heads++] = 0;
    return LP_OK;
}

typedef struct Taking {
    LpTimeline *t;
    LpBranch *b;
} Taking;

static LpErr take(void *user, const LpSample *s, LpDiag *diag) {
    const Taking *to = user;
    LpBranch *b = to->b;
    const LpSample *last = last_here(b, s->job);
    LpSample earlier = {0};
    if (last == NULL && b->parent != LP_NO_INDEX)
        (void)lp_timeline_samples(to->t, b->parent, b->forked_at, s->job, &earlier, 1);
    if (lp_sample_same(s, last != NULL ? last : &earlier))
        return LP_OK;
    if (grow(to->t, b, s) != LP_OK)
        return lp_fail_memory(diag, "the curves of a run");
    LpSample *kept = &b->sample[b->samples++];
    *kept = *s;
    kept->before = b->head[s->job] & INT32_MAX;
    b->head[s->job] = (uint32_t)(b->first_sample + b->samples);
    b->most_sent = s->throughput > b->most_sent ? s->throughput : b->most_sent;
    return LP_OK;
}

#if defined(LP_CHECKED)
/* Looking at every running job gives what is kept of them, unless that gave way. */
static void check_running(const LpTimeline *t, const LpWorld *world) {
    bool whole = true;
    const LpBranch *b = t->branch[t->current], *up = b;
    for (; whole && up->parent != LP_NO_INDEX; up = t->branch[up->parent])
        whole = up->first_sample == up->mark[0].sample;
    whole = whole && up->first_sample == 0;
    for (uint32_t id = lp_world_first_running(world); whole && id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        LpSample now = lp_sample_of(world, t->context, id), kept = {0};
        if (last_here(b, id) != NULL)
            kept = *last_here(b, id);
        else if (b->parent != LP_NO_INDEX)
            (void)lp_timeline_samples(t, b->parent, b->forked_at, id, &kept, 1);
        LP_ASSERT(lp_sample_same(&now, &kept));
    }
}
#endif

LpErr lp_timeline_sample(LpTimeline *t, const LpWorld *world, LpDiag *diag) {
    Taking to = {t, t->branch[t->current]};
    if (to.b->first_sample + to.b->samples > INT32_MAX / 2) /* as many as can be numbered */
        return LP_OK;
    LP_TRY(lp_samples_changed(&to.b->sampled, world, t->context, take, &to, diag));
#if defined(LP_CHECKED)
    check_running(t, world);
#endif
    return LP_OK;
}

void lp_timeline_cut_samples(LpBranch *b, const LpMark *mark) {
    while (b->samples > 0 && b->first_sample + b->samples > mark->sample) {
        const LpSample *s = &b->sample[--b->samples];
        b->head[s->job] = s->before;
    }
    b->most_sent = mark->most_sent;
    b->sampled = (LpStamp){0};
}
