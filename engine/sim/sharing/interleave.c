/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who can meet whom, where they are now, and when the first of them ends. */
#include "sim/sharing/interleave.h"

#include <math.h>
#include <string.h>

#include "base/debug_log.h"
#include "base/num.h"
#include "sim/sharing/meeting.h"
#include "sim/state/ends.h"
#include "sim/store/store.h"

enum { FORECAST_STEPS = 16 };

struct LpInterleave {
    LpMeeting *meeting;
    uint32_t *job, *joined; /* running jobs with a load; of each one that it is joined to */
    size_t job_cap, joined_cap;
    uint32_t jobs;
    uint32_t *owner; /* of links: an index of `job`, + 1 */
    size_t owner_cap;
    LpRunner *pool;
    size_t pool_cap;
};

LpInterleave *lp_interleave_new(void) {
    LpInterleave *il = lp_alloc(1, sizeof *il);
    if (il == NULL)
        return NULL;
    il->meeting = lp_meeting_new();
    if (il->meeting == NULL) {
        lp_free(il);
        return NULL;
    }
    return il;
}

void lp_interleave_free(LpInterleave *il) {
    if (il == NULL)
        return;
    void *owned[] = {il->job, il->joined, il->owner, il->pool};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_meeting_free(il->meeting);
    lp_free(il);
}

#define GROW(s, field, need)                                                                       \
    do {                                                                                           \
        void *grown_ = (s)->field;                                                                 \
        LP_TRY(lp_grow(&grown_, &(s)->field##_cap, (need), sizeof *(s)->field));                   \
        (s)->field = grown_;                                                                       \
    } while (0)

LpErr lp_interleave_reserve(LpInterleave *il, const LpInterleave *like) {
    GROW(il, job, like->job_cap);
    GROW(il, joined, like->joined_cap);
    GROW(il, owner, like->owner_cap);
    GROW(il, pool, like->pool_cap);
    return lp_meeting_reserve_like(il->meeting, like->meeting);
}

/* ---- who can meet whom ---- */

static uint32_t root_of(LpInterleave *il, uint32_t i) {
    while (il->joined[i] != i)
        i = il->joined[i] = il->joined[il->joined[i]];
    return i;
}

/* The lower index is the root, so that nothing depends on the order of joining. */
static void join(LpInterleave *il, uint32_t a, uint32_t b) {
    uint32_t x = root_of(il, a), y = root_of(il, b);
    il->joined[x < y ? y : x] = x < y ? x : y;
}

static const LpLoad *load_of(const LpContext *context, const LpJob *job) {
    return lp_store_load(context->store, job->sharing.load);
}

static void claim(LpInterleave *il, const LpLoad *load, uint32_t index) {
    for (uint32_t i = 0; i < load->links; i++) {
        uint32_t *owner = &il->owner[load->link[i]];
        if (*owner != 0)
            join(il, *owner - 1, index);
        else
            *owner = index + 1;
    }
}

/* The running jobs with a load, but for one, in order of their start. */
static LpErr gather(LpInterleave *il, LpImage *m, const LpContext *context, uint32_t without) {
    uint32_t links = context->fabric.network->links;
    GROW(il, owner, links);
    GROW(il, job, (size_t)m->tally.running + 1);
    GROW(il, joined, (size_t)m->tally.running + 1);
    GROW(il, pool, (size_t)m->tally.running + 1);
    memset(il->owner, 0, links * sizeof *il->owner);
    il->jobs = 0;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        if (id == without || lp_image_job(m, id)->sharing.load == LP_NO_INDEX)
            continue;
        il->job[il->jobs] = id;
        il->joined[il->jobs] = il->jobs;
        claim(il, load_of(context, lp_image_job(m, id)), il->jobs++);
    }
    return LP_OK;
}

/* Is the group of this root on a link of the load? */
static bool touches(LpInterleave *il, const LpLoad *load, uint32_t root) {
    for (uint32_t i = 0; i < load->links; i++)
        if (il->owner[load->link[i]] != 0 && root_of(il, il->owner[load->link[i]] - 1) == root)
            return true;
    return false;
}

/* ---- between the world and a meeting ---- */

/* A job's step when it meets nobody: as where flows are always on. */
static void set_alone(const LpContext *context, const LpStepSummary *step, LpRunner *r) {
    double rate = r->load->rate;
    for (uint32_t i = 0; i < r->load->links; i++)
        rate = fmin(rate, context->fabric.network->capacity[r->load->link[i]] / r->load->use[i]);
    r->alone = step->step_time + lp_load_delay(r->load, step, rate);
    r->alone_more = lp_load_more_sending(r->load, rate);
}

static LpRunner runner_of(const LpContext *context, const LpJob *job) {
    LpRunner r = {.load = load_of(context, job),
                  .job = job->id,
                  .begins = job->times.running_since,
                  .phase = job->sharing.phase,
                  .own = job->sharing.work_done,
                  .quiet = job->sharing.idle_left,
                  .wire = job->sharing.send_left,
                  .done = floor(job->sharing.part_step),
                  .steps = job->asked.steps - job->work.steps_done};
    r.over = r.done >= r.steps - 1e-9; /* ends at this instant, as another one does */
    set_alone(context, lp_store_step(context->store, job->placed.step), &r);
    return r;
}

static LpErr convene(LpInterleave *il, LpImage *m, const LpContext *context, uint32_t root) {
    double now = m->now;
    for (uint32_t i = root; i < il->jobs; i++)
        if (root_of(il, i) == root)
            now = fmin(now, lp_image_job(m, il->job[i])->times.running_since);
    lp_meeting_open(il->meeting, context->fabric.network, now);
    for (uint32_t i = root; i < il->jobs; i++) {
        if (root_of(il, i) != root)
            continue;
        LpRunner r = runner_of(context, lp_image_job(m, il->job[i]));
        LP_TRY(lp_meeting_add(il->meeting, &r));
    }
    return LP_OK;
}

/* Its accounts since the last change, and where it is now. */
static void settle_job(LpImage *m, const LpContext *context, const LpRunner *r) {
    LpJob *job = lp_image_job(m, r->job);
    const LpStepSummary *step = lp_store_step(context->store, job->placed.step);
    double run = m->now - job->times.running_since;
    bool over = r->over || job->times.forecast_end <= m->now * (1 + LP_NUM_TIE);
    if (!(run > 0)) /* it still reads its checkpoint */
        return;
    double part = over ? r->steps : r->done + lp_runner_part(r);
    double steps = part - job->sharing.part_step, longer = run - steps * step->step_time;
    job->sharing.part_step = part;
    job->work.attained += run;
    job->work.held_area += run * job->placed.servers;
    job->work.pace_lost += longer;
    job->sharing.sent += steps * step->communication + r->slower;
    job->sharing.sent_exposed += fmax(steps * step->exposed + longer, 0);
    job->times.running_since = m->now;
    job->sharing.phase = r->phase;
    job->sharing.work_done = r->own;
    job->sharing.idle_left = r->quiet;
    job->sharing.send_left = r->wire;
    lp_mark_job(m, job->id);
}

static bool has_run(LpInterleave *il, LpImage *m, uint32_t root) {
    for (uint32_t i = root; i < il->jobs; i++)
        if (root_of(il, i) == root && lp_image_job(m, il->job[i])->times.running_since < m->now)
            return true;
    return false;
}

static LpErr settle_group(LpInterleave *il, LpImage *m, const LpContext *context, uint32_t root) {
    if (!has_run(il, m, root))
        return LP_OK;
    LP_TRY(convene(il, m, context, root));
    LP_TRY(lp_meeting_run(il->meeting, m->now, LP_MEETING_NOBODY));
    for (uint32_t i = 0; i < lp_meeting_count(il->meeting); i++)
        settle_job(m, context, lp_meeting_runner(il->meeting, i));
    return LP_OK;
}

/* ---- forecasts ---- */

static double steps_since(const LpRunner *r, double before) {
    return (r->over ? r->steps : r->done + lp_runner_part(r)) - before;
}

/* Its rate while it sends, by how much longer that took. */
static double mean_rate(const LpRunner *r, double steps) {
    double sending = steps * r->load->sending;
    return sending > 0 ? r->load->rate * (sending / (sending + r->slower)) : r->load->rate;
}

/* When the first of them ends is known, and when the others would at their mean pace until then. */
static double end_of(const LpMeeting *meeting, const LpRunner *r, double steps) {
    double now = lp_meeting_now(meeting), ran = now - r->begins;
    if (r->over)
        return now;
    double left = r->steps - r->done - lp_runner_part(r);
    double pace = steps > 1e-3 && ran > 0 ? ran / steps : r->alone;
    return fmax(fmax(now, r->begins) + left * pace, now * (1 + 4 * LP_NUM_TIE));
}

static void foresee_job(LpImage *m, const LpContext *context, const LpMeeting *meeting,
                        const LpRunner *r, uint32_t partners) {
    LpJob *job = lp_image_job(m, r->job);
    double steps = steps_since(r, job->sharing.part_step), left = r->steps - job->sharing.part_step;
    double end = end_of(meeting, r, steps);
    double time = left > 0 ? (end - job->times.running_since) / left : job->forecast.step_time;
    job->sharing.rate = mean_rate(r, steps);
    job->sharing.partners = partners;
    lp_mark_job(m, job->id);
    if (time == job->forecast.step_time && end == job->times.forecast_end)
        return;
    LP_DEBUG(context->log, SHARING, 2, "pace job %u meets %u step %.9g s to %.9g s until %.9g s",
             r->job, partners, job->forecast.step_time, time, end);
    job->forecast.step_time = time;
    job->times.forecast_end = end;
    lp_ends_moved(m, job);
    job->sharing.paces++;
    if (job->stops.preemptions + job->stops.moves + job->stops.count == 0)
        job->forecast.jct = job->times.forecast_end - job->times.start;
}

/* One that meets nobody and begins a step goes on as it was planned. */
static bool as_planned(const LpImage *m, const LpJob *job, const LpRunner *r) {
    return job->times.running_since >= m->now && job->sharing.part_step == 0 &&
           job->forecast.step_time == r->alone && job->sharing.paces == 0;
}

static LpErr foresee_group(LpInterleave *il, LpImage *m, const LpContext *context, uint32_t root) {
    LP_TRY(convene(il, m, context, root));
    uint32_t count = lp_meeting_count(il->meeting);
    LpRunner first = *lp_meeting_runner(il->meeting, 0);
    LP_TRY(lp_meeting_run(il->meeting, (double)INFINITY, LP_MEETING_ANYBODY));
    if (count == 1 && as_planned(m, lp_image_job(m, first.job), &first)) {
        lp_image_job(m, first.job)->sharing.partners = 0;
        lp_mark_job(m, first.job);
        return LP_OK;
    }
    for (uint32_t i = 0; i < count; i++)
        foresee_job(m, context, il->meeting, lp_meeting_runner(il->meeting, i), count - 1);
    return LP_OK;
}

/* ---- a job starts or stops ---- */

typedef LpErr (*GroupCall)(LpInterleave *il, LpImage *m, const LpContext *context, uint32_t root);

/* Calls `call` for each group on links of the load (NULL: for all groups). */
static LpErr each_group(LpInterleave *il, LpImage *m, const LpContext *context, const LpLoad *load,
                        GroupCall call) {
    for (uint32_t i = 0; i < il->jobs; i++)
        if (root_of(il, i) == i && (load == NULL || touches(il, load, i)))
            LP_TRY(call(il, m, context, i));
    return LP_OK;
}

static LpErr changed(LpInterleave *il, LpImage *m, const LpContext *context, const LpJob *job,
                     bool started) {
    const LpLoad *load = load_of(context, job);
    if (started) {
        LP_TRY(gather(il, m, context, job->id));
        LP_TRY(each_group(il, m, context, load, settle_group));
    }
    LP_TRY(gather(il, m, context, LP_NO_INDEX));
    return each_group(il, m, context, load, foresee_group);
}

void lp_interleave_changed(LpInterleave *il, LpImage *m, const LpContext *context, const LpJob *job,
                           bool started) {
    if (started) {
        LpJob *new = lp_image_job(m, job->id);
        LpRunner r = {.load = load_of(context, job)};
        lp_runner_begin_step(&r);
        new->sharing.phase = r.phase;
        new->sharing.work_done = r.own;
        new->sharing.idle_left = r.quiet;
        new->sharing.send_left = r.wire;
    }
    if (changed(il, m, context, job, started) != LP_OK)
        return; /* room was made when the job was planned */
}

void lp_interleave_settle(LpInterleave *il, LpImage *m, const LpContext *context,
                          const LpJob *job) {
    if (gather(il, m, context, LP_NO_INDEX) != LP_OK)
        return;
    for (uint32_t i = 0; i < il->jobs; i++)
        if (il->job[i] == job->id && settle_group(il, m, context, root_of(il, i)) != LP_OK)
            return;
}

void lp_interleave_settle_all(LpInterleave *il, LpImage *m, const LpContext *context) {
    if (gather(il, m, context, LP_NO_INDEX) == LP_OK &&
        each_group(il, m, context, NULL, settle_group) != LP_OK)
        return;
}

LpErr lp_interleave_again(LpInterleave *il, LpImage *m, const LpContext *context) {
    LP_TRY(gather(il, m, context, LP_NO_INDEX));
    return each_group(il, m, context, NULL, foresee_group);
}

/* ---- one that may start ---- */

/* Those whom it would meet, as they are now. */
static LpErr collect(LpInterleave *il, LpImage *m, const LpContext *context, const LpLoad *load,
                     uint32_t *count) {
    for (uint32_t i = 0; i < il->jobs; i++) {
        if (root_of(il, i) != i || !touches(il, load, i))
            continue;
        LP_TRY(convene(il, m, context, i));
        LP_TRY(lp_meeting_run(il->meeting, m->now, LP_MEETING_NOBODY));
        for (uint32_t k = 0; k < lp_meeting_count(il->meeting); k++)
            if (!lp_meeting_runner(il->meeting, k)->over)
                il->pool[(*count)++] = *lp_meeting_runner(il->meeting, k);
    }
    return LP_OK;
}

LpErr lp_interleave_forecast(LpInterleave *il, const LpWorld *world, const LpContext *context,
                             const LpPlannedLoad *job, LpJobPace *out) {
    const LpStepSummary *step = lp_store_step(context->store, job->step);
    LpRunner r = {.load = lp_store_load(context->store, job->load),
                  .job = LP_NO_INDEX,
                  .steps = fmin(job->steps, FORECAST_STEPS)};
    uint32_t others = 0;
    double now = 0;
    set_alone(context, step, &r);
    lp_runner_begin_step(&r);
    if (world != NULL) {
        now = r.begins = world->image->now;
        LP_TRY(gather(il, world->image, context, job->job));
        LP_TRY(collect(il, world->image, context, r.load, &others));
    }
    *out = (LpJobPace){r.load->rate, r.alone - step->step_time, r.alone_more};
    if (r.alone_more > 0)
        out->rate = mean_rate(&(LpRunner){.load = r.load, .slower = r.alone_more}, 1);
    lp_meeting_open(il->meeting, context->fabric.network, now);
    for (uint32_t i = 0; i < others; i++)
        LP_TRY(lp_meeting_add(il->meeting, &il->pool[i]));
    LP_TRY(lp_meeting_add(il->meeting, &r));
    LP_TRY(lp_meeting_prepare(il->meeting));
    LP_TRY(lp_meeting_run(il->meeting, (double)INFINITY, others));
    if (others == 0)
        return LP_OK;
    const LpRunner *ran = lp_meeting_runner(il->meeting, others);
    double steps = steps_since(ran, 0), time = lp_meeting_now(il->meeting) - now;
    if (!(steps > 0)) /* links that carry nothing */
        return LP_OK;
    *out = (LpJobPace){mean_rate(ran, steps), time / steps - step->step_time, ran->slower / steps};
    return LP_OK;
}

/* ---- what it does now ---- */

static LpDoing doing_of(const LpRunner *r, double now) {
    if (r->begins > now)
        return LP_DOING_NOTHING;
    if (lp_runner_waits(r))
        return LP_DOING_SENDING;
    return lp_runner_in_phase(r) ? LP_DOING_BOTH : LP_DOING_COMPUTING;
}

static const LpLoad *sent_by(const LpRunner *r) {
    return r->sends > 0 ? &r->load->phases->phase[r->sends - 1].load : NULL;
}

/* What a job sends over a link now, bytes/s. */
static double rate_on(const LpRunner *r, uint32_t link) {
    const LpLoad *load = sent_by(r);
    for (uint32_t i = 0; load != NULL && i < load->links; i++)
        if (load->link[i] == link)
            return load->use[i] * load->rate * r->speed;
    return 0;
}

/* The first full link of the runner's on which others send. */
static void find_full(LpMeeting *meeting, const LpContext *context, const LpRunner *r,
                      LpPhaseView *out) {
    const LpLoad *load = sent_by(r);
    for (uint32_t i = 0; load != NULL && r->speed < 1 - 1e-12 && i < load->links; i++) {
        double sum = 0;
        uint32_t others = 0, other = LP_NO_INDEX;
        for (uint32_t k = 0; k < lp_meeting_count(meeting); k++) {
            const LpRunner *next = lp_meeting_runner(meeting, k);
            double rate = rate_on(next, load->link[i]);
            sum += rate;
            if (next == r || !(rate > 0))
                continue;
            other = others++ == 0 ? next->job : other;
        }
        if (sum < context->fabric.network->capacity[load->link[i]] * (1 - 1e-9) ||
            (out->link != LP_NO_INDEX && others <= out->others))
            continue;
        out->link = load->link[i];
        out->other = other;
        out->others = others;
    }
}

static void view_of(LpMeeting *meeting, const LpContext *context, const LpRunner *r,
                    LpPhaseView *out) {
    const LpLoad *load = sent_by(r);
    *out = (LpPhaseView){.doing = doing_of(r, lp_meeting_now(meeting)),
                         .phase = lp_runner_in_phase(r) ? r->phase + 1 : 0,
                         .phases = r->load->phases->count,
                         .partners = lp_meeting_count(meeting) - 1,
                         .part = lp_runner_part(r),
                         .rate = load != NULL ? load->rate * r->speed : 0,
                         .full = load != NULL ? load->rate : r->load->rate,
                         .link = LP_NO_INDEX,
                         .other = LP_NO_INDEX};
    find_full(meeting, context, r, out);
}

LpErr lp_interleave_look(LpInterleave *il, const LpWorld *world, const LpContext *context,
                         uint32_t job, LpPhaseView *out) {
    LpImage *m = world->image;
    LP_TRY(gather(il, m, context, LP_NO_INDEX));
    for (uint32_t i = 0; i < il->jobs; i++) {
        if (il->job[i] != job)
            continue;
        LP_TRY(convene(il, m, context, root_of(il, i)));
        LP_TRY(lp_meeting_run(il->meeting, m->now, LP_MEETING_NOBODY));
    }
    for (uint32_t i = 0; i < lp_meeting_count(il->meeting); i++)
        if (lp_meeting_runner(il->meeting, i)->job == job)
            view_of(il->meeting, context, lp_meeting_runner(il->meeting, i), out);
    return LP_OK;
}
