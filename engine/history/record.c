/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording steps and keeping checkpoints: as far apart as replaying stays quick, and as many as
 * the budget allows. */
#include "history/timeline.h"
#include "sim/light/circuits.h"

/* A checkpoint comes at least CHECK_STEPS steps after the last one, and a step more for every
 * CHECK_BYTES bytes of the world: copying it back takes as long as replaying those steps. Before
 * the last RECENT_STEPS, where one seldom goes, they are thinned to OLD_STEPS. */
enum { CHECK_STEPS = 64, CHECK_BYTES = 4096, RECENT_STEPS = 4096, OLD_STEPS = 2048 };

LpErr lp_timeline_event(LpTimeline *t, const LpEvent *event, LpDiag *diag) {
    LpBranch *b = t->branch[t->current];
    void *items = b->event;
    if (lp_grow(&items, &b->events_cap, b->events + 1, sizeof *b->event) != LP_OK)
        return lp_fail_memory(diag, "the list of events");
    b->event = items;
    b->event[b->events++] = *event;
    return LP_OK;
}

LpErr lp_timeline_story(LpTimeline *t, uint32_t job, const LpStory *story, LpDiag *diag) {
    LpBranch *b = t->branch[t->current];
    void *items = b->story, *last = b->last;
    if (lp_grow(&items, &b->stories_cap, b->stories + 1, sizeof *b->story) != LP_OK)
        return lp_fail_memory(diag, "a job's story");
    b->story = items;
    if (lp_grow(&last, &b->lasts_cap, (size_t)job + 1, sizeof *b->last) != LP_OK)
        return lp_fail_memory(diag, "a job's story");
    b->last = last;
    while (b->lasts <= job)
        b->last[b->lasts++] = 0;
    b->story[b->stories++] = (LpStoryEntry){*story, t->step + 1, job, b->last[job]};
    b->last[job] = (uint32_t)b->stories;
    return LP_OK;
}

/* ---- checkpoints ---- */

/* Steps that a checkpoint saves replaying from the one before it; the first of all is never
 * dropped. */
static uint64_t gap_at(const LpBranch *b, size_t i) {
    uint64_t before = i > 0 ? b->check[i - 1].step : b->forked_at;
    uint64_t after = i + 1 < b->checks ? b->check[i + 1].step : b->forked_at + b->marks - 1;
    return after - before;
}

static bool find_victim(const LpTimeline *t, LpBranch **from, size_t *index) {
    uint64_t least = UINT64_MAX;
    for (size_t k = 0; k < t->branches; k++)
        for (size_t i = k == 0 ? 1 : 0; i < t->branch[k]->checks; i++)
            if (gap_at(t->branch[k], i) < least) {
                least = gap_at(t->branch[k], i);
                *from = t->branch[k];
                *index = i;
            }
    return least < UINT64_MAX;
}

static void drop_check(LpTimeline *t, LpBranch *b, size_t index) {
    LpWorld *world = b->check[index].world;
    t->check_bytes -= lp_world_bytes(world);
    t->checks--;
    b->checks--;
    for (size_t i = index; i < b->checks; i++)
        b->check[i] = b->check[i + 1];
    lp_timeline_recycle(t, world);
}

void lp_timeline_thin(LpTimeline *t) {
    LpBranch *from = NULL;
    size_t index = 0;
    if (t->check_bytes <= t->budget)
        return;
    t->stretch *= 1.5; /* so that thinning does not start again at the next one */
    while (t->check_bytes > t->budget && find_victim(t, &from, &index))
        drop_check(t, from, index);
}

static bool check_due(const LpTimeline *t, const LpBranch *b, const LpWorld *world) {
    uint64_t last = b->checks > 0 ? b->check[b->checks - 1].step : b->forked_at;
    double least = CHECK_STEPS, by_size = (double)(lp_world_bytes(world) / CHECK_BYTES);
    double space = (by_size > least ? by_size : least) * t->stretch;
    return (double)(t->step - last) >= space;
}

/* How far apart old ones may be, so that a seek replays for a few milliseconds: a step takes some
 * microseconds, where links are shared as many more as jobs run, and on circuits that are set again
 * and again nobody knows. */
static uint64_t old_space(const LpWorld *world, const LpContext *context) {
    if (lp_world_ports(world) > 0)
        return 0;
    bool shared = context->fabric.network != NULL;
    return OLD_STEPS / (1 + (shared ? lp_world_tally(world)->running : 0));
}

/* The checkpoint that has become old goes where its neighbours are near enough. */
static void thin_old(LpTimeline *t, LpBranch *b, const LpWorld *world) {
    size_t i = b->checks - 1;
    while (i > 0 && b->check[i].step + RECENT_STEPS > t->step)
        i--;
    if (i > 0 && b->check[i + 1].step - b->check[i - 1].step <= old_space(world, t->context))
        drop_check(t, b, i);
}

static LpErr keep_check(LpTimeline *t, LpBranch *b, const LpWorld *world, LpDiag *diag) {
    void *items = b->check;
    LpWorld *copy;
    if (lp_grow(&items, &b->checks_cap, b->checks + 1, sizeof *b->check) != LP_OK)
        return lp_fail_memory(diag, "a checkpoint");
    b->check = items;
    if ((copy = lp_world_clone(world, NULL)) == NULL)
        return lp_fail_memory(diag, "a checkpoint");
    b->check[b->checks++] = (LpWorldCheck){t->step, copy};
    t->checks++;
    t->check_bytes += lp_world_bytes(copy);
    thin_old(t, b, world);
    lp_timeline_thin(t);
    return LP_OK;
}

/* ---- steps ---- */

/* Hashing costs as much as looking at the whole world: it is done about every (bytes of the world
 * / HASH_BYTES) steps. */
enum { HASH_BYTES = 65536 };

static bool hash_due(const LpTimeline *t, const LpMark *before, const LpMark *mark,
                     const LpWorld *world) {
    uint64_t step = t->step + 1;
    if (!t->hashing || mark->record == before->record)
        return false;
    return step < t->hashed_at || step - t->hashed_at > lp_world_bytes(world) / HASH_BYTES;
}

static bool same(const LpMark *a, const LpMark *b) {
    return a->events == b->events && a->record == b->record && a->kept == b->kept &&
           a->over == b->over;
}

LpErr lp_timeline_commit(LpTimeline *t, const LpWorld *world, double acted_at, uint32_t acted,
                         LpDiag *diag) {
    LpBranch *b = t->branch[t->current];
    const LpTally *tally = lp_world_tally(world);
    LpMark mark = {.time = lp_world_now(world),
                   .acted_at = acted_at,
                   .events = tally->events,
                   .decisions = tally->decisions,
                   .record = lp_log_count(b->log),
                   .kept = b->mark[0].kept + b->events,
                   .story = b->stories,
                   .due = lp_world_due(world),
                   .acted = acted,
                   .over = lp_world_over(world),
                   .hand = t->hand,
                   .counts = lp_mark_counts(world),
                   .sample = b->first_sample + b->samples,
                   .most_sent = b->most_sent};
    t->hand = false;
    if (same(&mark, &b->mark[b->marks - 1]))
        return LP_OK;
    void *items = b->mark;
    if (lp_grow(&items, &b->marks_cap, b->marks + 1, sizeof *b->mark) != LP_OK)
        return lp_fail_memory(diag, "a time line");
    b->mark = items;
    if (hash_due(t, &b->mark[b->marks - 1], &mark, world)) {
        mark.hash = lp_world_hash(world);
        t->hashed_at = t->step + 1;
    }
    b->mark[b->marks++] = mark;
    t->step++;
    return check_due(t, b, world) ? keep_check(t, b, world, diag) : LP_OK;
}

void lp_timeline_cut(LpTimeline *t, uint32_t branch, uint64_t step) {
    LpBranch *b = t->branch[branch];
    const LpMark *mark = &b->mark[step - b->forked_at];
    b->marks = (size_t)(step - b->forked_at) + 1;
    lp_log_cut(b->log, mark->record);
    b->events = mark->kept - b->mark[0].kept;
    while (b->stories > mark->story) {
        const LpStoryEntry *told = &b->story[--b->stories];
        b->last[told->job] = told->before;
    }
    lp_timeline_cut_samples(b, mark);
    while (b->checks > 0 && b->check[b->checks - 1].step > step)
        drop_check(t, b, b->checks - 1);
}

/* ---- going back ---- */

void lp_timeline_recycle(LpTimeline *t, LpWorld *world) {
    lp_world_free(t->spare);
    t->spare = world;
}

static LpErr play_own(LpTimeline *t, LpWorld *world, const LpBranch *b, uint64_t from, uint64_t to,
                      LpDiag *diag) {
    size_t at = b->mark[from - b->forked_at].record;
    const LpMark *goal = &b->mark[to - b->forked_at];
    LP_TRY(lp_replay_records(world, t->context, b->log, &at, goal->record, t->room, NULL, diag));
    return lp_replay_reach(world, t->context, &(LpReplayGoal){goal->events, goal->over}, NULL,
                           diag);
}

LpErr lp_timeline_play(LpTimeline *t, LpWorld *world, uint32_t branch, uint64_t from, uint64_t to,
                       LpDiag *diag) {
    const LpBranch *b = t->branch[branch];
    if (from < b->forked_at) {
        uint64_t until = to < b->forked_at ? to : b->forked_at;
        LP_TRY(lp_timeline_play(t, world, b->parent, from, until, diag));
        from = until;
    }
    return from < to ? play_own(t, world, b, from, to, diag) : LP_OK;
}

/* The checkpoint nearest before a moment; the trunk's first is before all. */
static const LpWorldCheck *nearest(const LpTimeline *t, uint32_t branch, uint64_t step) {
    const LpBranch *b = t->branch[branch];
    for (;; b = t->branch[b->parent]) {
        size_t low = 0, high = b->checks;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (b->check[mid].step <= step)
                low = mid + 1;
            else
                high = mid;
        }
        if (low > 0)
            return &b->check[low - 1];
        step = step < b->forked_at ? step : b->forked_at;
    }
}

LpErr lp_timeline_world(LpTimeline *t, uint32_t branch, uint64_t step, LpWorld **out,
                        LpDiag *diag) {
    const LpWorldCheck *check = nearest(t, branch, step);
    LpWorld *world = lp_world_clone(check->world, t->spare);
    t->spare = NULL;
    if (world == NULL)
        return lp_fail_memory(diag, "a copy of the world");
    LpErr err = lp_timeline_play(t, world, branch, check->step, step, diag);
    if (err != LP_OK) {
        lp_timeline_recycle(t, world);
        return err;
    }
    *out = world;
    return LP_OK;
}
