/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going back and forth over what a session recorded. */
#include "session/time.h"

#include "session/session_impl.h"
#include "sim/waits/wait_book.h"

/* ---- the time line of a session ---- */

LpErr lp_session_start_timeline(LpSession *s, LpDiag *diag) {
    if ((s->home = lp_alloc(1, sizeof *s->home)) == NULL)
        return lp_fail_memory(diag, "a time line");
    LP_TRY(lp_timeline_new(s->context, s->world, &s->timeline, diag));
    s->homes = 1;
    s->home[0] = s->loaded;
    lp_log_free(s->log);
    lp_arena_free(s->told.texts);
    lp_wait_book_free(s->waited); /* it cannot go back */
    s->waited = NULL;
    lp_session_enter(s, 0);
    return LP_OK;
}

LpErr lp_session_keep_timeline(LpSession *s, LpDiag *diag) {
    if (s->timeline != NULL)
        return LP_OK;
    if (lp_world_tally(s->world)->events > 0 || lp_world_due(s->world) != LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "a time line begins before the first event");
    return lp_session_start_timeline(s, diag);
}

void lp_session_end_timeline(LpSession *s) {
    if (s->timeline == NULL)
        return;
    for (uint32_t i = 0; i < s->homes; i++)
        lp_policy_home_free(&s->home[i]);
    lp_free(s->home);
    lp_timeline_free(s->timeline);
    s->timeline = NULL;
    s->loaded.policy = NULL; /* all of these belonged to the homes and branches */
    s->loaded.arena = NULL;
    s->log = NULL;
    s->told.texts = NULL;
}

void lp_session_enter(LpSession *s, uint32_t branch) {
    const LpBranch *b = lp_timeline_branch(s->timeline, branch);
    const LpPolicyHome *home = &s->home[b->policy];
    s->timeline->current = branch;
    s->log = b->log;
    s->told.texts = b->texts;
    s->loaded = *home;
}

bool lp_session_rewound(const LpSession *s) {
    return s->timeline != NULL && !lp_timeline_at_tip(s->timeline);
}

LpErr lp_session_need_tip(const LpSession *s, LpDiag *diag) {
    if (!lp_session_rewound(s))
        return LP_OK;
    return lp_fail(diag, LP_ESTATE,
                   "this moment (step %llu of %llu) has its future already: fork to change it",
                   (unsigned long long)s->timeline->step,
                   (unsigned long long)lp_timeline_tip(s->timeline, s->timeline->current));
}

static LpErr need_timeline(const LpSession *s, LpDiag *diag) {
    return s->timeline != NULL ? LP_OK : lp_fail(diag, LP_ESTATE, "this run keeps no time line");
}

void lp_session_by_hand(LpSession *s) {
    if (s->timeline != NULL)
        s->timeline->hand = true;
}

/* A step that memory ran out in the middle of: the session stands before it again, so that what is
 * written of it is whole. Without the memory for that it stays where it is, and nothing else works
 * either. */
static void undo_half_step(LpSession *s) {
    LpTimeline *t = s->timeline;
    LpWorld *world;
    LpDiag ignored;
    if (lp_timeline_world(t, t->current, t->step, &world, &ignored) != LP_OK)
        return;
    lp_timeline_cut(t, t->current, t->step);
    lp_world_free(s->world);
    s->world = world;
    const LpMark *mark = lp_timeline_mark(t, t->current, t->step);
    s->acting.at = mark->acted_at;
    s->acting.count = mark->acted;
    lp_session_forget(s);
}

LpErr lp_session_commit(LpSession *s, LpErr result, LpDiag *diag) {
    LpDiag ignored;
    if (s->timeline == NULL)
        return result;
    if (result == LP_ENOMEM && !lp_session_rewound(s)) {
        undo_half_step(s);
        return result;
    }
    LpErr err = lp_timeline_commit(s->timeline, s->world, s->acting.at, s->acting.count,
                                   result == LP_OK ? diag : &ignored);
    return result != LP_OK ? result : err;
}

/* ---- where we are ---- */

LpMoment lp_session_moment(const LpSession *s) {
    const LpTimeline *t = s->timeline;
    return t != NULL ? (LpMoment){t->current, t->step} : (LpMoment){0, 0};
}

static bool has_branch(const LpSession *s, uint32_t branch) {
    return s->timeline != NULL && branch < s->timeline->branches &&
           !lp_timeline_branch(s->timeline, branch)->deleted;
}

uint64_t lp_session_tip(const LpSession *s, uint32_t branch) {
    return has_branch(s, branch) ? lp_timeline_tip(s->timeline, branch) : 0;
}

bool lp_session_at_tip(const LpSession *s) {
    return !lp_session_rewound(s);
}

LpErr lp_session_moment_facts(const LpSession *s, LpMoment moment, LpMomentFacts *out) {
    if (!has_branch(s, moment.branch))
        return LP_ESTATE;
    if (moment.step > lp_timeline_tip(s->timeline, moment.branch))
        return LP_ERANGE;
    const LpMark *mark = lp_timeline_mark(s->timeline, moment.branch, moment.step);
    *out = (LpMomentFacts){mark->time, mark->decisions, mark->events,
                           mark->due,  mark->kept,      mark->counts};
    return LP_OK;
}

uint64_t lp_session_step_at(const LpSession *s, uint32_t branch, double time) {
    uint64_t above = lp_timeline_above(s->timeline, branch, LP_MARK_TIME, time);
    return above > 0 ? above - 1 : 0;
}

/* ---- moving ---- */

/* Makes `world`, which is at (branch, step), the session's; the world so far is kept when it is a
 * tip. */
static void arrive(LpSession *s, LpWorld *world, uint32_t branch, uint64_t step) {
    LpTimeline *t = s->timeline;
    if (lp_timeline_at_tip(t))
        lp_timeline_branch(t, t->current)->tip = s->world;
    else
        lp_timeline_recycle(t, s->world);
    s->world = world;
    t->step = step;
    lp_session_enter(s, branch);
    LpBranch *b = lp_timeline_branch(t, branch);
    if (lp_timeline_at_tip(t))
        b->tip = NULL;
    const LpMark *mark = lp_timeline_mark(t, branch, step);
    s->acting.at = mark->acted_at;
    s->acting.count = mark->acted;
    s->calls.failed = false;
    lp_session_forget(s);
}

LpErr lp_session_visit(LpSession *s, uint32_t branch, uint64_t step, LpDiag *diag) {
    LpTimeline *t = s->timeline;
    LpWorld *world;
    if (t->current == branch && t->step == step)
        return LP_OK;
    if (step == lp_timeline_tip(t, branch))
        world = lp_timeline_branch(t, branch)->tip;
    else
        LP_TRY(lp_timeline_world(t, branch, step, &world, diag));
    arrive(s, world, branch, step);
    return LP_OK;
}

LpErr lp_session_seek(LpSession *s, uint64_t step, LpDiag *diag) {
    LP_TRY(need_timeline(s, diag));
    uint64_t tip = lp_timeline_tip(s->timeline, s->timeline->current);
    if (step > tip)
        return lp_fail(diag, LP_ERANGE, "there is no step %llu yet: the last one is %llu",
                       (unsigned long long)step, (unsigned long long)tip);
    return lp_session_visit(s, s->timeline->current, step, diag);
}

static LpErr at_start(LpDiag *diag) {
    return lp_fail(diag, LP_ERANGE, "this is the start of the run");
}

LpErr lp_session_back(LpSession *s, LpDiag *diag) {
    LP_TRY(need_timeline(s, diag));
    return s->timeline->step == 0 ? at_start(diag)
                                  : lp_session_seek(s, s->timeline->step - 1, diag);
}

LpErr lp_session_back_decision(LpSession *s, LpDiag *diag) {
    LP_TRY(need_timeline(s, diag));
    LpTimeline *t = s->timeline;
    uint64_t taken = lp_timeline_mark(t, t->current, t->step)->decisions;
    if (taken == 0)
        return at_start(diag);
    uint64_t after = lp_timeline_above(t, t->current, LP_MARK_DECISIONS, (double)(taken - 1));
    return lp_session_seek(s, after - 1, diag);
}

/* What a recorded step answered: its first event, or none. */
static LpEvent event_of(const LpSession *s, const LpMark *before, const LpMark *after) {
    if (after->kept > before->kept)
        return *lp_timeline_event_at(s->timeline, s->timeline->current, before->kept);
    return (LpEvent){.kind = LP_EVENT_NONE, .job = LP_NO_INDEX, .time = after->time};
}

LpErr lp_session_forward(LpSession *s, LpEvent *event, LpDiag *diag) {
    LpTimeline *t = s->timeline;
    uint64_t to = t->step + 1;
    const LpMark *before = lp_timeline_mark(t, t->current, t->step);
    const LpMark *after = lp_timeline_mark(t, t->current, to);
    if (to == lp_timeline_tip(t, t->current)) {
        LP_TRY(lp_session_visit(s, t->current, to, diag));
    } else {
        LpErr err = lp_timeline_play(t, s->world, t->current, t->step, to, diag);
        if (err != LP_OK) { /* half a step is no moment: back to one that is whole */
            arrive(s, lp_timeline_branch(t, t->current)->tip, t->current,
                   lp_timeline_tip(t, t->current));
            return err;
        }
        t->step = to;
        s->acting.at = after->acted_at;
        s->acting.count = after->acted;
        s->calls.failed = false;
        lp_session_forget(s);
    }
    *event = event_of(s, before, after);
    return LP_OK;
}

/* ---- the answer that was given here ---- */

bool lp_session_recorded(LpSession *s, LpAnswer *answer, const char **explain) {
    LpTimeline *t = s->timeline;
    uint32_t job = lp_world_due(s->world), read;
    size_t index, next;
    LpDiag ignored;
    if (!lp_session_rewound(s))
        return false;
    const LpBranch *b = lp_timeline_owner(t, t->current, t->step + 1, &index);
    for (size_t at = b->mark[index - 1].record; at < b->mark[index].record; at++) {
        LpRecordKind kind = lp_log_at(b->log, at)->kind;
        if (kind != LP_RECORD_PARTITION && kind != LP_RECORD_WAIT && kind != LP_RECORD_DECLINE)
            continue;
        if (lp_log_read_answer(b->log, at, t->room, answer, &read, &next, &ignored) != LP_OK ||
            read != job)
            return false;
        const LpStoryEntry *told = lp_timeline_told(t, t->current, t->step + 1, job);
        answer->where = told != NULL ? told->story.where : "";
        *explain = told != NULL ? told->story.explain : NULL;
        return true;
    }
    return false;
}

/* ---- looking at other moments ---- */

LpErr lp_session_world_at(LpSession *s, LpMoment moment, LpWorld **out, LpDiag *diag) {
    LP_TRY(need_timeline(s, diag));
    if (!has_branch(s, moment.branch) || moment.step > lp_session_tip(s, moment.branch))
        return lp_fail(diag, LP_ERANGE, "there is no step %llu of branch %u",
                       (unsigned long long)moment.step, moment.branch);
    if (moment.step < lp_session_tip(s, moment.branch))
        return lp_timeline_world(s->timeline, moment.branch, moment.step, out, diag);
    LpWorld *copy = lp_world_clone(lp_session_tip_world(s, moment.branch), NULL);
    if (copy == NULL)
        return lp_fail_memory(diag, "a copy of the world");
    *out = copy;
    return LP_OK;
}

const LpWorld *lp_session_tip_world(const LpSession *s, uint32_t branch) {
    if (s->timeline == NULL)
        return s->world;
    if (!has_branch(s, branch))
        return NULL;
    const LpWorld *tip = lp_timeline_branch(s->timeline, branch)->tip;
    return tip != NULL ? tip : s->world;
}

size_t lp_session_branch_events(const LpSession *s, uint32_t branch) {
    if (!has_branch(s, branch))
        return 0;
    return lp_timeline_mark(s->timeline, branch, lp_timeline_tip(s->timeline, branch))->kept;
}

const LpEvent *lp_session_branch_event(const LpSession *s, uint32_t branch, size_t index) {
    return lp_timeline_event_at(s->timeline, branch, index);
}

LpWhy lp_session_why_at(const LpSession *s, LpMoment moment, uint32_t job) {
    const LpStoryEntry *told = has_branch(s, moment.branch)
                                   ? lp_timeline_told(s->timeline, moment.branch, moment.step, job)
                                   : NULL;
    return told != NULL ? (LpWhy){told->story.why, told->story.where, told->story.reason}
                        : (LpWhy){"", "", ""};
}

static bool is_moment(const LpSession *s, LpMoment m) {
    return has_branch(s, m.branch) && m.step <= lp_timeline_tip(s->timeline, m.branch);
}

size_t lp_session_samples(const LpSession *s, LpMoment m, uint32_t job, LpSample *out,
                          size_t room) {
    return is_moment(s, m) ? lp_timeline_samples(s->timeline, m.branch, m.step, job, out, room) : 0;
}

double lp_session_most_sent(const LpSession *s, LpMoment m) {
    return is_moment(s, m) ? lp_timeline_mark(s->timeline, m.branch, m.step)->most_sent : 0;
}

/* ---- memory ---- */

LpTimelineStats lp_session_timeline_stats(const LpSession *s) {
    const LpTimeline *t = s->timeline;
    LpTimelineStats stats = {0};
    if (t == NULL)
        return stats;
    stats = (LpTimelineStats){t->budget, t->checks, t->check_bytes, 0, 0};
    for (uint32_t i = 0; i < t->branches; i++) {
        LpBranchInfo info;
        if (!has_branch(s, i) || lp_session_branch(s, i, &info) != LP_OK)
            continue;
        stats.branches++;
        stats.log_bytes += info.bytes;
    }
    return stats;
}

void lp_session_set_budget(LpSession *s, size_t bytes) {
    if (s->timeline == NULL)
        return;
    s->timeline->budget = bytes;
    s->timeline->stretch = 1;
    lp_timeline_thin(s->timeline);
}
