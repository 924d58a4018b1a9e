/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of running jobs on shared links. */
#include "sim/sharing/sharing.h"

#include <math.h>
#include <string.h>

#include "base/debug_log.h"
#include "base/num.h"
#include "sim/sharing/interleave.h"
#include "sim/sharing/shares.h"
#include "sim/state/ends.h"
#include "sim/store/store_impl.h"

struct LpSharing {
    LpShares *shares;
    LpInterleave *interleave;
    uint32_t flows;
    size_t entries;
    bool solved;   /* the arrays hold a problem that was solved, and its rates */
    uint32_t *job; /* of each flow: LP_NO_INDEX for one that is only planned */
    size_t job_cap;
    uint32_t *load; /* in the store */
    size_t load_cap;
    double *before; /* rates when the problem was posed */
    size_t before_cap;
    uint32_t *begin;
    size_t begin_cap;
    uint32_t *link;
    size_t link_cap;
    double *use;
    size_t use_cap;
    double *cap;
    size_t cap_cap;
    double *rate;
    size_t rate_cap;
};

LpSharing *lp_sharing_new(void) {
    LpSharing *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->shares = lp_shares_new();
    s->interleave = lp_interleave_new();
    if (s->shares == NULL || s->interleave == NULL) {
        lp_sharing_free(s);
        return NULL;
    }
    return s;
}

void lp_sharing_free(LpSharing *s) {
    if (s == NULL)
        return;
    void *owned[] = {s->job, s->load, s->before, s->begin, s->link, s->use, s->cap, s->rate};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_shares_free(s->shares);
    lp_interleave_free(s->interleave);
    lp_free(s);
}

/* ---- the problem that the running jobs pose ---- */

#define GROW(s, field, need)                                                                       \
    do {                                                                                           \
        void *grown_ = (s)->field;                                                                 \
        LP_TRY(lp_grow(&grown_, &(s)->field##_cap, (need), sizeof *(s)->field));                   \
        (s)->field = grown_;                                                                       \
    } while (0)

LpErr lp_sharing_reserve(LpSharing *s, const LpSharing *like) {
    if (like == NULL)
        return LP_OK;
    GROW(s, job, like->job_cap);
    GROW(s, load, like->load_cap);
    GROW(s, before, like->before_cap);
    GROW(s, begin, like->begin_cap + 1);
    GROW(s, link, like->link_cap);
    GROW(s, use, like->use_cap);
    GROW(s, cap, like->cap_cap);
    GROW(s, rate, like->rate_cap);
    s->begin[0] = 0;
    LP_TRY(lp_interleave_reserve(s->interleave, like->interleave));
    return lp_shares_reserve(s->shares, like->shares);
}

static LpErr add_flow(const LpContext *context, uint32_t index, uint32_t job, double rate) {
    LpSharing *s = context->sharing;
    const LpLoad *load = lp_store_load(context->store, index);
    size_t entries = s->entries + load->links;
    GROW(s, job, (size_t)s->flows + 1);
    GROW(s, load, (size_t)s->flows + 1);
    GROW(s, before, (size_t)s->flows + 1);
    GROW(s, begin, (size_t)s->flows + 2);
    GROW(s, cap, (size_t)s->flows + 1);
    GROW(s, rate, (size_t)s->flows + 1);
    GROW(s, link, entries + 1);
    GROW(s, use, entries + 1);
    memcpy(s->link + s->entries, load->link, load->links * sizeof *s->link);
    memcpy(s->use + s->entries, load->use, load->links * sizeof *s->use);
    s->job[s->flows] = job;
    s->cap[s->flows] = load->rate;
    s->load[s->flows] = index;
    s->rate[s->flows] = s->before[s->flows] = rate;
    s->begin[s->flows++] = (uint32_t)s->entries;
    s->begin[s->flows] = (uint32_t)entries;
    s->entries = entries;
    return LP_OK;
}

/* Running jobs with a load, in order of their start, but for one. */
static LpErr gather(LpImage *m, const LpContext *context, uint32_t without) {
    LpSharing *s = context->sharing;
    s->solved = false;
    s->flows = 0;
    s->entries = 0;
    if (m == NULL)
        return LP_OK;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (id != without && lp_image_job(m, id)->sharing.load != LP_NO_INDEX)
            LP_TRY(add_flow(context, lp_image_job(m, id)->sharing.load, id,
                            lp_image_job(m, id)->sharing.rate));
    return LP_OK;
}

/* Is the last forecast the answer for a job that has just started? The loads in their order and the
 * rates before say all about a problem; the new job comes last. */
static bool foreseen(LpImage *m, LpSharing *s) {
    uint32_t at = 0;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        if (lp_image_job(m, id)->sharing.load == LP_NO_INDEX)
            continue;
        bool planned = at + 1 == s->flows && s->job[at] == LP_NO_INDEX;
        if (at >= s->flows || s->load[at] != lp_image_job(m, id)->sharing.load ||
            !(planned || s->before[at] == lp_image_job(m, id)->sharing.rate))
            return false;
        s->job[at++] = id;
    }
    return s->solved && at == s->flows;
}

static LpShareProblem problem_of(const LpContext *context) {
    const LpNetwork *n = context->fabric.network;
    const LpSharing *s = context->sharing;
    return (LpShareProblem){.links = n->links,
                            .flows = s->flows,
                            .capacity = n->capacity,
                            .begin = s->begin,
                            .link = s->link,
                            .use = s->use,
                            .cap = s->cap};
}

static LpErr solve(const LpContext *context, const LpLoad *touched, double from) {
    LpSharing *s = context->sharing;
    LpShareProblem p = problem_of(context);
    LP_TRY(lp_shares_update(s->shares, &p, touched->link, touched->links, from, s->rate));
    s->solved = true;
    return LP_OK;
}

static LpErr forecast(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t load,
                      double *rate) {
    LpSharing *s = context->sharing;
    LP_TRY(gather(world != NULL ? world->image : NULL, context, job));
    LP_TRY(add_flow(context, load, LP_NO_INDEX, (double)NAN));
    LP_TRY(solve(context, lp_store_load(context->store, load), (double)INFINITY));
    *rate = s->rate[s->flows - 1];
    return LP_OK;
}

static LpErr forecast_always_on(const LpWorld *world, const LpContext *context,
                                const LpPlannedLoad *job, LpJobPace *out) {
    const LpLoad *load = lp_store_load(context->store, job->load);
    LP_TRY(forecast(world, context, job->job, job->load, &out->rate));
    out->delay = lp_load_delay(load, lp_store_step(context->store, job->step), out->rate);
    out->more = lp_load_more_sending(load, out->rate);
    return LP_OK;
}

LpErr lp_sharing_forecast(const LpWorld *world, const LpContext *context, const LpPlannedLoad *job,
                          LpJobPace *out, LpDiag *diag) {
    LpInterleave *il = context->sharing->interleave;
    LpErr err = context->fabric.interleaved ? lp_interleave_forecast(il, world, context, job, out)
                                            : forecast_always_on(world, context, job, out);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "fair shares of links");
}

/* ---- a new pace ---- */

void lp_sharing_settle(LpImage *m, const LpContext *context, LpJob *job) {
    if (context->fabric.interleaved && job->sharing.load != LP_NO_INDEX) {
        lp_interleave_settle(context->sharing->interleave, m, context, job);
        return;
    }
    const LpStepSummary *step = lp_store_step(context->store, job->placed.step);
    const LpLoad *load =
        job->sharing.load != LP_NO_INDEX ? lp_store_load(context->store, job->sharing.load) : NULL;
    double run = m->now - job->times.running_since;
    if (!(run > 0)) /* it still reads its checkpoint */
        return;
    double steps = run / job->forecast.step_time;
    double more = load != NULL ? lp_load_more_sending(load, job->sharing.rate) : 0;
    job->sharing.part_step += steps;
    job->work.attained += run;
    job->work.held_area += run * job->placed.servers;
    job->work.pace_lost += run - steps * step->step_time;
    job->sharing.sent += steps * (step->communication + more);
    job->sharing.sent_exposed +=
        steps * (step->exposed + (job->forecast.step_time - step->step_time));
    job->times.running_since = m->now;
    lp_mark_job(m, job->id);
}

static void set_pace(LpImage *m, const LpContext *context, LpJob *job, double rate) {
    const LpStepSummary *step = lp_store_step(context->store, job->placed.step);
    const LpLoad *load = lp_store_load(context->store, job->sharing.load);
    double time = step->step_time + lp_load_delay(load, step, rate);
    if (time == job->forecast.step_time && rate == job->sharing.rate)
        return;
    lp_mark_job(m, job->id);
    if (time == job->forecast.step_time) {
        job->sharing.rate = rate;
        return;
    }
    LP_DEBUG(context->log, SHARING, 2, "pace job %u rate %.9g B/s step %.9g s to %.9g s", job->id,
             rate, job->forecast.step_time, time);
    lp_sharing_settle(m, context, job);
    double left = job->asked.steps - job->work.steps_done - job->sharing.part_step;
    job->sharing.rate = rate;
    job->forecast.step_time = time;
    job->sharing.paces++;
    job->times.forecast_end = job->times.running_since + (left > 0 ? left : 0) * time;
    lp_ends_moved(m, job);
    if (job->stops.preemptions + job->stops.moves + job->stops.count == 0)
        job->forecast.jct = job->times.forecast_end - job->times.start;
}

static LpErr share_again(LpImage *m, const LpContext *context, const LpJob *job, bool started) {
    LpSharing *s = context->sharing;
    double from = started ? (double)INFINITY : job->sharing.rate;
    if (started && foreseen(m, s))
        return LP_OK;
    LP_TRY(gather(m, context, LP_NO_INDEX));
    if (started) /* the last one to run */
        s->rate[s->flows - 1] = (double)NAN;
    return solve(context, lp_store_load(context->store, job->sharing.load), from);
}

void lp_sharing_changed(LpImage *m, const LpContext *context, const LpJob *job, bool started) {
    LpSharing *s = context->sharing;
    uint32_t count;
    if (s == NULL || job->sharing.load == LP_NO_INDEX || m->phase == LP_PHASE_OVER)
        return;
    LP_DEBUG(context->log, SHARING, 1, "job %u %s: rates again", job->id,
             started ? "sends from now on" : "sends no more");
    if (context->fabric.interleaved) {
        lp_interleave_changed(s->interleave, m, context, job, started);
        return;
    }
    if (share_again(m, context, job, started) != LP_OK)
        return;
    s->solved = false; /* its rates are about to be those before */
    const uint32_t *solved = lp_shares_solved(s->shares, &count);
    LP_DEBUG(context->log, SHARING, 1, "rates %u of %u flows anew", count, s->flows);
    for (uint32_t i = 0; i < count; i++)
        set_pace(m, context, lp_image_job(m, s->job[solved[i]]), s->rate[solved[i]]);
}

/* ---- all of them on another network ---- */

LpErr lp_sharing_pose(const LpContext *context, LpDiag *diag) {
    if (gather(NULL, context, LP_NO_INDEX) != LP_OK)
        return lp_fail_memory(diag, "fair shares of links");
    return LP_OK;
}

LpErr lp_sharing_pose_flow(const LpContext *context, uint32_t job, uint32_t load, LpDiag *diag) {
    if (add_flow(context, load, job, (double)NAN) != LP_OK)
        return lp_fail_memory(diag, "fair shares of links");
    return LP_OK;
}

LpErr lp_sharing_solve(const LpContext *context, LpDiag *diag) {
    LpSharing *s = context->sharing;
    LpShareProblem p = problem_of(context);
    if (s->flows > 0 && lp_shares_solve(s->shares, &p, s->rate) != LP_OK)
        return lp_fail_memory(diag, "fair shares of links");
    LP_DEBUG(context->log, SHARING, 1, "rates %u flows on network %u", s->flows, context->network);
    return LP_OK;
}

double lp_sharing_rate_of(const LpContext *context, uint32_t job) {
    const LpSharing *s = context->sharing;
    for (uint32_t f = 0; f < s->flows; f++)
        if (s->job[f] == job)
            return s->rate[f];
    return 0;
}

void lp_sharing_leave(LpImage *m, const LpContext *context) {
    if (context->fabric.interleaved)
        lp_interleave_settle_all(context->sharing->interleave, m, context);
}

static LpErr again_interleaved(LpImage *m, const LpContext *context, LpDiag *diag) {
    if (lp_interleave_again(context->sharing->interleave, m, context) != LP_OK)
        return lp_fail_memory(diag, "fair shares of links");
    return LP_OK;
}

LpErr lp_sharing_again(LpImage *m, const LpContext *context, LpDiag *diag) {
    LpSharing *s = context->sharing;
    if (s == NULL)
        return LP_OK;
    LP_DEBUG(context->log, SHARING, 1, "rates of all at speed %u", context->scales);
    if (context->fabric.interleaved)
        return again_interleaved(m, context, diag);
    LpErr err = gather(m, context, LP_NO_INDEX);
    LpShareProblem p = problem_of(context);
    if (err == LP_OK && s->flows > 0)
        err = lp_shares_solve(s->shares, &p, s->rate);
    if (err != LP_OK)
        return lp_fail_memory(diag, "fair shares of links");
    for (uint32_t i = 0; i < s->flows; i++)
        set_pace(m, context, lp_image_job(m, s->job[i]), s->rate[i]);
    return LP_OK;
}

/* ---- what a job does now ---- */

static const char *const doing_words[] = {
#define X(id, words) words,
    LP_DOING_TABLE(X)
#undef X
};

const char *lp_doing_words(LpDoing doing) {
    return doing_words[doing];
}

bool lp_world_interleaves(const LpContext *context) {
    return context->fabric.interleaved;
}

bool lp_world_phase(const LpWorld *world, const LpContext *base, uint32_t id, LpPhaseView *out) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    return context->fabric.interleaved && job->outcome == LP_JOB_RUNNING &&
           job->sharing.load != LP_NO_INDEX &&
           lp_interleave_look(context->sharing->interleave, world, context, id, out) == LP_OK;
}
