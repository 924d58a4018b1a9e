/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches of recorded steps: making, recording, finding. */
#include "history/timeline.h"

#include <string.h>

#include "base/assert.h"
#include "sim/light/circuits.h"

#include "base/str.h"

enum { TEXT_BLOCK = 4096 };

static char *copy_text(const char *text) {
    size_t len = strlen(text) + 1;
    char *copy = lp_alloc(len, 1);
    if (copy != NULL)
        memcpy(copy, text, len);
    return copy;
}

/* ---- branches ---- */

static void free_content(LpBranch *b) {
    for (size_t i = 0; i < b->checks; i++)
        lp_world_free(b->check[i].world);
    lp_world_free(b->tip);
    lp_log_free(b->log);
    lp_arena_free(b->texts);
    lp_free(b->event);
    lp_free(b->story);
    lp_free(b->last);
    lp_free(b->check);
    lp_free(b->sample);
    lp_free(b->head);
    b->sample = NULL;
    b->head = NULL;
    b->samples = b->samples_cap = b->heads = b->heads_cap = 0;
    b->tip = NULL;
    b->log = NULL;
    b->texts = NULL;
    b->event = NULL;
    b->story = NULL;
    b->last = NULL;
    b->check = NULL;
    b->events = b->stories = b->lasts = b->checks = 0;
    b->events_cap = b->stories_cap = b->lasts_cap = b->checks_cap = 0;
}

static void free_branch(LpBranch *b) {
    if (b == NULL)
        return;
    free_content(b);
    lp_free(b->mark);
    lp_free(b->name);
    lp_free(b->what);
    lp_free(b);
}

static LpBranch *new_branch(const char *name, const char *what, const LpMark *first) {
    LpBranch *b = lp_alloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->name = copy_text(name);
    b->what = copy_text(what);
    b->log = lp_log_new();
    b->texts = lp_arena_new(TEXT_BLOCK);
    void *marks = NULL;
    if (b->name == NULL || b->what == NULL || b->log == NULL || b->texts == NULL ||
        lp_grow(&marks, &b->marks_cap, 1, sizeof *b->mark) != LP_OK) {
        free_branch(b);
        return NULL;
    }
    b->mark = marks;
    b->mark[b->marks++] = *first;
    b->first_sample = first->sample;
    b->most_sent = first->most_sent;
    return b;
}

static LpErr add_branch(LpTimeline *t, LpBranch *b, LpDiag *diag) {
    void *items = t->branch;
    if (b == NULL ||
        lp_grow(&items, &t->branches_cap, t->branches + 1, sizeof *t->branch) != LP_OK) {
        free_branch(b);
        return lp_fail_memory(diag, "a branch");
    }
    t->branch = items;
    t->branch[t->branches++] = b;
    return LP_OK;
}

LpErr lp_timeline_fork(LpTimeline *t, uint32_t parent, uint64_t step, const char *name,
                       const char *what, uint32_t *out, LpDiag *diag) {
    LP_ASSERT(step <= lp_timeline_tip(t, parent));
    LpMark first = *lp_timeline_mark(t, parent, step);
    first.record = first.story = 0;
    LpBranch *b = new_branch(name, what, &first);
    LP_TRY(add_branch(t, b, diag));
    b->parent = parent;
    b->forked_at = step;
    b->policy = t->branch[parent]->policy;
    *out = (uint32_t)t->branches - 1;
    return LP_OK;
}

LpErr lp_timeline_describe(LpTimeline *t, uint32_t branch, const char *what, LpDiag *diag) {
    char *copy = copy_text(what);
    if (copy == NULL)
        return lp_fail_memory(diag, "a branch");
    lp_free(t->branch[branch]->what);
    t->branch[branch]->what = copy;
    return LP_OK;
}

static void count_checks(LpTimeline *t, const LpBranch *b) {
    for (size_t i = 0; i < b->checks; i++)
        t->check_bytes -= lp_world_bytes(b->check[i].world);
    LP_ASSERT(t->checks >= b->checks);
    t->checks -= b->checks;
}

void lp_timeline_unfork(LpTimeline *t) {
    LP_ASSERT(t->branches > 1 && t->current != t->branches - 1);
    LpBranch *b = t->branch[--t->branches];
    count_checks(t, b);
    t->sample_bytes -= b->samples_cap * sizeof *b->sample;
    free_branch(b);
}

void lp_timeline_delete(LpTimeline *t, uint32_t branch) {
    LP_ASSERT(branch != t->current && !t->branch[branch]->deleted);
    LpBranch *b = t->branch[branch];
    count_checks(t, b);
    t->sample_bytes -= b->samples_cap * sizeof *b->sample;
    free_content(b);
    b->deleted = true;
}

/* ---- the whole ---- */

LpMarkCounts lp_mark_counts(const LpWorld *world) {
    const LpTally *tally = lp_world_tally(world);
    return (LpMarkCounts){(uint32_t)tally->arrived,
                          (uint32_t)tally->completed,
                          (uint32_t)tally->blocked,
                          (uint32_t)tally->running,
                          (uint32_t)tally->waiting,
                          tally->busy_servers,
                          lp_world_ports(world) ? lp_world_lit(world) : tally->lit_circuits};
}

static LpErr fill(LpTimeline *t, const LpWorld *first, LpDiag *diag) {
    const LpTally *tally = lp_world_tally(first);
    LpMark mark = {.time = lp_world_now(first),
                   .acted_at = -1,
                   .events = tally->events,
                   .decisions = tally->decisions,
                   .due = lp_world_due(first),
                   .over = lp_world_over(first),
                   .counts = lp_mark_counts(first)};
    t->room = lp_answer_room_new();
    LP_TRY(add_branch(t, new_branch("main", "", &mark), diag));
    LpBranch *b = t->branch[0];
    b->parent = LP_NO_INDEX;
    void *items = NULL;
    LpWorld *copy = lp_world_clone(first, NULL);
    if (t->room == NULL || copy == NULL ||
        lp_grow(&items, &b->checks_cap, 1, sizeof *b->check) != LP_OK) {
        lp_world_free(copy);
        return lp_fail_memory(diag, "a time line");
    }
    b->check = items;
    b->check[b->checks++] = (LpWorldCheck){0, copy};
    t->checks = 1;
    t->check_bytes = lp_world_bytes(copy);
    return LP_OK;
}

LpErr lp_timeline_new(const LpContext *context, const LpWorld *first, LpTimeline **out,
                      LpDiag *diag) {
    LpTimeline *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return lp_fail_memory(diag, "a time line");
    t->context = context;
    t->budget = LP_TIMELINE_BUDGET;
    t->stretch = 1;
    LpErr err = fill(t, first, diag);
    if (err != LP_OK) {
        lp_timeline_free(t);
        return err;
    }
    *out = t;
    return LP_OK;
}

void lp_timeline_free(LpTimeline *t) {
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->branches; i++)
        free_branch(t->branch[i]);
    lp_free(t->branch);
    lp_answer_room_free(t->room);
    lp_world_free(t->spare);
    lp_free(t);
}

/* ---- finding ---- */

LpBranch *lp_timeline_branch(const LpTimeline *t, uint32_t branch) {
    LP_ASSERT(branch < t->branches);
    return t->branch[branch];
}

uint64_t lp_timeline_tip(const LpTimeline *t, uint32_t branch) {
    LP_ASSERT(branch < t->branches);
    const LpBranch *b = t->branch[branch];
    return b->forked_at + b->marks - 1;
}

bool lp_timeline_at_tip(const LpTimeline *t) {
    return t->step == lp_timeline_tip(t, t->current);
}

const LpMark *lp_timeline_mark(const LpTimeline *t, uint32_t branch, uint64_t step) {
    LP_ASSERT(branch < t->branches && step <= lp_timeline_tip(t, branch));
    const LpBranch *b = t->branch[branch];
    while (step < b->forked_at)
        b = t->branch[b->parent];
    return &b->mark[step - b->forked_at];
}

LpBranch *lp_timeline_owner(const LpTimeline *t, uint32_t branch, uint64_t step, size_t *index) {
    LP_ASSERT(step > 0 && step <= lp_timeline_tip(t, branch));
    LpBranch *b = t->branch[branch];
    while (step <= b->forked_at)
        b = t->branch[b->parent];
    *index = (size_t)(step - b->forked_at);
    return b;
}

static double field_of(const LpMark *mark, LpMarkField field) {
    if (field == LP_MARK_TIME)
        return mark->time;
    return (double)(field == LP_MARK_EVENTS ? mark->events : mark->decisions);
}

uint64_t lp_timeline_above(const LpTimeline *t, uint32_t branch, LpMarkField field, double value) {
    uint64_t low = 0, high = lp_timeline_tip(t, branch) + 1;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (field_of(lp_timeline_mark(t, branch, mid), field) > value)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

const LpStoryEntry *lp_timeline_told(const LpTimeline *t, uint32_t branch, uint64_t step,
                                     uint32_t job) {
    for (const LpBranch *b = t->branch[branch];; b = t->branch[b->parent]) {
        uint32_t at = job < b->lasts ? b->last[job] : 0;
        while (at > 0 && b->story[at - 1].step > step)
            at = b->story[at - 1].before;
        if (at > 0)
            return &b->story[at - 1];
        if (b->parent == LP_NO_INDEX)
            return NULL;
        step = step < b->forked_at ? step : b->forked_at;
    }
}

const LpStoryEntry *lp_timeline_told_first(const LpTimeline *t, uint32_t branch, uint32_t job) {
    const LpStoryEntry *first = NULL;
    uint64_t step = lp_timeline_tip(t, branch);
    const LpStoryEntry *told;
    while ((told = lp_timeline_told(t, branch, step, job)) != NULL) {
        first = told;
        if (told->step == 0)
            break;
        step = told->step - 1;
    }
    return first;
}

const LpEvent *lp_timeline_event_at(const LpTimeline *t, uint32_t branch, size_t index) {
    const LpBranch *b = t->branch[branch];
    while (index < b->mark[0].kept)
        b = t->branch[b->parent];
    return &b->event[index - b->mark[0].kept];
}
