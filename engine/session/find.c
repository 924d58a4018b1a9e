/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the step of a moment that people name by its time, decision, event or job. */
#include <math.h>

#include "session/session_impl.h"
#include "sim/facts/worst.h"
#include "sim/world.h"

typedef struct Find {
    LpSession *session;
    LpSeekKind kind;
    double value;
} Find;

static const LpMark *tip_mark(const LpTimeline *t) {
    return lp_timeline_mark(t, t->current, lp_timeline_tip(t, t->current));
}

static bool found_job(const LpTimeline *t, const Find *f, uint64_t *step) {
    uint64_t tip = lp_timeline_tip(t, t->current);
    if (!(f->value >= 0 && f->value < LP_NO_INDEX))
        return false;
    uint32_t job = (uint32_t)f->value;
    bool last = f->kind == LP_SEEK_JOB_LAST;
    if (last && tip_mark(t)->due == job) {
        *step = tip;
        return true;
    }
    const LpStoryEntry *told = last ? lp_timeline_told(t, t->current, tip, job)
                                    : lp_timeline_told_first(t, t->current, job);
    *step = told != NULL ? told->step - 1 : tip;
    return told != NULL || tip_mark(t)->due == job;
}

/* Is the moment recorded? */
static bool found(const Find *f, uint64_t *step) {
    const LpSession *s = f->session;
    const LpTimeline *t = s->timeline;
    uint64_t tip = lp_timeline_tip(t, t->current), at;
    switch (f->kind) {
    case LP_SEEK_TIME:
        *step = lp_timeline_above(t, t->current, LP_MARK_TIME, f->value) - 1;
        return *step < tip || tip_mark(t)->over ||
               lp_world_next_time(lp_session_tip_world(s, t->current), s->context) > f->value;
    case LP_SEEK_DECISION:
        at = lp_timeline_above(t, t->current, LP_MARK_DECISIONS, f->value);
        *step = at - 1;
        return at <= tip ||
               ((double)tip_mark(t)->decisions == f->value && tip_mark(t)->due != LP_NO_INDEX);
    case LP_SEEK_EVENT:
        at = lp_timeline_above(t, t->current, LP_MARK_EVENTS, f->value);
        *step = at;
        return at <= tip;
    case LP_SEEK_JOB_FIRST:
    case LP_SEEK_JOB_LAST:
    case LP_SEEK_WORST:
        break;
    }
    return found_job(t, f, step);
}

static LpErr none(const Find *f, LpDiag *diag) {
    static const char *const what[] = {[LP_SEEK_TIME] = "moment at",
                                       [LP_SEEK_DECISION] = "decision",
                                       [LP_SEEK_EVENT] = "event",
                                       [LP_SEEK_JOB_FIRST] = "decision about job",
                                       [LP_SEEK_JOB_LAST] = "decision about job",
                                       [LP_SEEK_WORST] = "worst moment"};
    const LpTimeline *t = f->session->timeline;
    return lp_fail(diag, LP_ERANGE, "there is no %s %.15g: the run ended at %.6g s", what[f->kind],
                   f->value, tip_mark(t)->time);
}

/* Plays on from the tip until the moment is there. */
static LpErr play(const Find *f, uint64_t *step, LpDiag *diag) {
    LpEvent event;
    LpTimeline *t = f->session->timeline;
    LP_TRY(lp_session_seek(f->session, lp_timeline_tip(t, t->current), diag));
    while (!found(f, step)) {
        if (tip_mark(t)->over)
            return none(f, diag);
        LP_TRY(lp_session_step(f->session, &event, diag));
    }
    return LP_OK;
}

/* The last step at a time; or, at the end of a job's time in the queue, the one at which it is
 * about to start. */
static uint64_t step_at(const LpTimeline *t, double time, uint32_t job) {
    uint64_t last = lp_timeline_above(t, t->current, LP_MARK_TIME, time) - 1;
    for (uint64_t step = last; job != LP_NO_INDEX; step--) {
        const LpMark *mark = lp_timeline_mark(t, t->current, step);
        if (mark->time != time)
            break;
        if (mark->due == job)
            return step;
        if (step == 0)
            break;
    }
    return last;
}

static LpErr find_worst(LpSession *s, LpWorstWord word, uint64_t *step, LpDiag *diag) {
    LpWorst worst;
    uint64_t end;
    LP_TRY(lp_session_find(s, LP_SEEK_TIME, (double)INFINITY, &end, diag));
    const LpWorld *world = lp_session_tip_world(s, s->timeline->current);
    LP_TRY(lp_worst_of(world, s->context, &worst, diag));
    if (!worst.any)
        return lp_fail(diag, LP_ERANGE, "there is no worst moment: nobody waits in this run");
    *step = step_at(s->timeline, lp_worst_time(&worst, word),
                    word == LP_WORST_LONGEST ? worst.longest.job : LP_NO_INDEX);
    return LP_OK;
}

LpErr lp_session_find(LpSession *s, LpSeekKind kind, double value, uint64_t *step, LpDiag *diag) {
    Find f = {s, kind, value};
    uint64_t at = 0;
    if (s->timeline == NULL)
        return lp_fail(diag, LP_ESTATE, "this run keeps no time line");
    if (!(value >= 0))
        return lp_fail(diag, LP_ERANGE, "%.15g is before the start of the run", value);
    if (kind == LP_SEEK_WORST)
        return find_worst(s, (LpWorstWord)value, step, diag);
    if (!found(&f, &at)) {
        uint64_t here = s->timeline->step;
        LpErr err = play(&f, &at, diag);
        LpErr back = lp_session_seek(s, here, err == LP_OK ? diag : NULL);
        if (err != LP_OK || back != LP_OK)
            return err != LP_OK ? err : back;
    }
    *step = at;
    return LP_OK;
}
