/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blame by replay, over a whole run and for one job of a time line. */
#include "ask/blame/blame.h"

#include <math.h>

#include "ask/blame/blame_impl.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* ---- a whole run ---- */

static LpErr keep(LpBlamer *b) {
    LpSession *s = b->s;
    void *items = s->blame;
    if (lp_grow(&items, &s->blames_cap, s->blames + 1, sizeof *s->blame) != LP_OK)
        return lp_fail_memory(b->diag, "what is to blame");
    s->blame = items;
    s->blame[s->blames++] = b->best;
    return LP_OK;
}

static LpErr step(LpBlamer *b) {
    LpSession *s = b->s;
    LpEvent event;
    uint32_t due = lp_world_due(s->world);
    if (due != LP_NO_INDEX)
        LP_TRY(lp_blamer_remember(b, due, s->world));
    LP_TRY(lp_session_step(s, &event, b->diag));
    if (!lp_event_is(event.kind, LP_EVENT_LOSES) || event.job == LP_NO_INDEX)
        return LP_OK;
    LP_TRY(lp_blamer_search(b, s->world, LP_TROUBLE_BLOCKED, event.job, event.time));
    return keep(b);
}

static LpErr run(LpBlamer *b, LpProgress progress, void *user, bool *stopped) {
    *stopped = false;
    while (!lp_world_over(b->s->world)) {
        LP_TRY(step(b));
        if (progress == NULL || progress(user, b->s))
            continue;
        lp_world_finish(b->s->world, b->s->context);
        *stopped = true;
    }
    return LP_OK;
}

LpErr lp_blame_run(LpSession *s, LpProgress progress, void *user, bool *stopped, LpDiag *diag) {
    LpBlamer b;
    LP_TRY(lp_blamer_init(&b, s, diag));
    b.recycle = true;
    s->blamed = true;
    LpErr err = run(&b, progress, user, stopped);
    lp_blamer_fini(&b);
    return err;
}

const LpBlame *lp_session_blames(const LpSession *s, size_t *count) {
    *count = s->blames;
    return s->blame;
}

/* ---- one job of a time line ---- */

/* The world before the last decision about a job up to the present. */
static LpErr visit(LpBlamer *b, uint32_t job) {
    const LpTimeline *t = b->s->timeline;
    const LpStoryEntry *told = lp_timeline_told(t, t->current, b->upto, job);
    LpWorld *world;
    if (told == NULL || told->step == 0)
        return LP_OK;
    LP_TRY(lp_session_world_at(b->s, (LpMoment){t->current, told->step - 1}, &world, b->diag));
    LpErr err = lp_blamer_remember(b, job, world);
    lp_world_free(world);
    return err;
}

/* The event by which the job was lost, or done, up to the present. */
static const LpEvent *last_event(const LpSession *s, uint32_t job) {
    for (size_t i = lp_session_events(s); i-- > 0;) {
        const LpEvent *e = lp_session_event(s, i);
        if (e->job == job && lp_event_is(e->kind, LP_EVENT_ENDS))
            return e;
    }
    return NULL;
}

/* What is wrong with the job now? */
static bool trouble_of(const LpJob *job, LpTrouble *out) {
    bool done = job->outcome == LP_JOB_COMPLETED;
    double end = done                             ? job->times.end
                 : job->outcome == LP_JOB_RUNNING ? job->times.forecast_end
                                                  : 0.0;
    *out = job->outcome == LP_JOB_BLOCKED   ? LP_TROUBLE_BLOCKED
           : job->outcome == LP_JOB_WAITING ? LP_TROUBLE_WAITING
                                            : LP_TROUBLE_LATE;
    return *out != LP_TROUBLE_LATE || end > lp_job_deadline(job);
}

/* The world when the trouble was there: right after the block, right before the late end, now. */
static LpErr world_of_trouble(LpBlamer *b, LpTrouble trouble, uint32_t job, LpWorld **out,
                              double *time) {
    LpSession *s = b->s;
    const LpEvent *event = trouble == LP_TROUBLE_WAITING ? NULL : last_event(s, job);
    uint64_t step = s->timeline->step;
    *time = event != NULL ? event->time : lp_world_now(s->world);
    if (event != NULL) {
        LP_TRY(lp_session_find(s, LP_SEEK_EVENT, (double)event->serial, &step, b->diag));
        step -= trouble == LP_TROUBLE_LATE && step > 0;
    }
    b->upto = step;
    return lp_session_world_at(s, (LpMoment){s->timeline->current, step}, out, b->diag);
}

static LpErr blame_one(LpBlamer *b, LpTrouble trouble, uint32_t job, LpBlame *out) {
    LpWorld *base;
    double time;
    LP_TRY(world_of_trouble(b, trouble, job, &base, &time));
    LpErr err = lp_blamer_search(b, base, trouble, job, time);
    lp_world_free(base);
    if (err == LP_OK)
        *out = b->best;
    return err;
}

LpErr lp_blame_job(LpSession *s, uint32_t job, LpBlame *out, LpDiag *diag) {
    LpTrouble trouble;
    LpBlamer b;
    if (s->timeline == NULL)
        return lp_fail(diag, LP_ESTATE, "this run keeps no time line");
    if (job >= lp_world_jobs(s->world))
        return lp_fail(diag, LP_ERANGE, "job %u has not arrived yet", (unsigned)job);
    if (!trouble_of(lp_world_job(s->world, job), &trouble))
        return lp_fail(diag, LP_ESTATE, "job %u is neither blocked nor waiting nor late",
                       (unsigned)job);
    LP_TRY(lp_blamer_init(&b, s, diag));
    b.visit = visit;
    LpErr err = blame_one(&b, trouble, job, out);
    lp_blamer_fini(&b);
    return err;
}
