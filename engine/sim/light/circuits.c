/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits of a world: ordering schedules, and the pace of running jobs on the circuits that are
 * lit. */
#include "sim/light/circuits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/light/networks.h"
#include "sim/sharing/sharing.h"
#include "sim/state/debug.h"
#include "sim/state/earlier.h"
#include "sim/state/ends.h"
#include "sim/state/validate.h"
#include "sim/store/family.h"
#include "sim/store/store_impl.h"

/* ---- an image's circuits ---- */

uint32_t lp_world_ports(const LpWorld *world) {
    return world->image->ports;
}

const LpSchedule *lp_world_schedule(const LpWorld *world, const LpContext *context) {
    return context->circuits != NULL ? context->circuits->schedule[world->image->schedule] : NULL;
}

static double share_of(const LpContext *context, const LpSchedule *s, uint32_t port, double delay) {
    LpCircuits *c = context->circuits;
    if (s->entries == 1 || lp_circuits_lit_room(c, s) != LP_OK)
        return 1;
    uint32_t count = lp_schedule_lit(s, delay, c->lit);
    for (uint32_t i = 0; i < count; i++)
        if (c->lit[i].in == port && c->lit[i].out == s->to[port])
            return c->lit[i].share;
    return 0;
}

LpPortView lp_world_port(const LpWorld *world, const LpContext *context, uint32_t port) {
    LpImage *m = world->image;
    const LpSchedule *s = lp_world_schedule(world, context);
    LpPortView view = {LP_LIGHT_DARK, LP_DARK, 0, 0};
    if (s == NULL || s->to[port] == LP_DARK || s->to[port] == port || lp_port_broken(m, port) ||
        lp_port_broken(m, s->to[port]))
        return view;
    view.out = s->to[port];
    view.until = lp_image_port(m)[port];
    view.state = view.until > m->now ? LP_LIGHT_TURNING : LP_LIGHT_LIT;
    view.share = share_of(context, s, port, lp_world_reconfiguration_time(world, context));
    return view;
}

uint32_t lp_world_lit(const LpWorld *world) {
    return world->image->lit;
}

static bool input_used(const LpSchedule *s, uint32_t port) {
    for (uint32_t e = 0; e < s->entries; e++) {
        uint32_t out = s->to[(size_t)e * s->ports + port];
        if (out != LP_DARK && out != port)
            return true;
    }
    return false;
}

uint32_t lp_world_lit_at_once(const LpWorld *world, const LpContext *context) {
    const LpSchedule *s = lp_world_schedule(world, context);
    uint32_t count = 0;
    if (s == NULL || s->entries == 1)
        return world->image->lit;
    for (uint32_t p = 0; p < s->ports; p++)
        count += input_used(s, p);
    return count < world->image->lit ? count : world->image->lit;
}

double lp_world_lit_at(const LpWorld *world) {
    double last = 0;
    for (uint32_t p = 0; p < world->image->ports; p++)
        if (lp_image_port(world->image)[p] > last)
            last = lp_image_port(world->image)[p];
    return last;
}

uint32_t lp_world_reconfigurations(const LpWorld *world) {
    return world->image->reconfigurations;
}

double lp_world_reconfiguration_time(const LpWorld *world, const LpContext *context) {
    double scale = world->image->conditions.reconfiguration;
    return context->circuits != NULL
               ? scale * lp_reconfiguration_time(&context->circuits->ocs->delay)
               : 0;
}

/* ---- what is lit at one moment ---- */

/* Lists it in c->lit; lit_at of each port of a single matching. */
static uint32_t list_lit(LpCircuits *c, const LpSchedule *s, const double *lit_at, LpImage *m,
                         double delay) {
    uint32_t count = lp_schedule_lit(s, delay, c->lit), kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        LpLit lit = c->lit[i];
        bool broken = lp_port_broken(m, lit.in) || lp_port_broken(m, lit.out);
        if (!broken && (s->entries > 1 || lit_at[lit.in] <= m->now))
            c->lit[kept++] = lit;
    }
    return kept;
}

/* ---- running jobs ---- */

static LpErr plan_job(const LpContext *context, const LpJob *job, LpNextStep *next, LpDiag *diag) {
    LpStore *store = context->store;
    *next = (LpNextStep){job->id, LP_NO_INDEX, LP_NO_INDEX, false};
    if (job->graph < 0 || job->light.dark == LP_JOB_HELD)
        return LP_OK;
    LP_TRY(lp_store_add_step(context, job->placed.partition, job->placed.placement,
                             job->placed.orders, &next->step, diag));
    next->dark = store->step[next->step]->refused != LP_OK;
    if (next->dark)
        return LP_OK;
    return lp_store_add_load(context, job->placed.partition, job->placed.placement, next->step,
                             job->placed.orders, &next->load, diag);
}

/* ---- jobs whose circuits stay ---- */

static void touch(LpCircuits *c, uint32_t port) {
    uint32_t node = c->ocs->plug[port].node;
    if (node < c->ocs->servers)
        c->touched[node] = c->round;
}

/* Those of one list that the other has not; both are in order of inputs, then outputs. */
static void touch_apart(LpCircuits *c, const LpLit *a, size_t as, const LpLit *b, size_t bs) {
    for (size_t i = 0, k = 0; i < as; i++) {
        while (k < bs && (b[k].in < a[i].in || (b[k].in == a[i].in && b[k].out < a[i].out)))
            k++;
        bool same =
            k < bs && b[k].in == a[i].in && b[k].out == a[i].out && b[k].share == a[i].share;
        if (!same && a[i].in != LP_DARK) {
            touch(c, a[i].in);
            touch(c, a[i].out);
        }
    }
}

/* Marks the servers that have other circuits on one network than on the other. False where that
 * does not tell what a job can see: data are forwarded, or speeds differ. Errors: LP_ENOMEM. */
static LpErr touch_changed(const LpContext *now, const LpContext *next, bool *told) {
    LpCircuits *c = next->circuits;
    const LpInternEntry *a = &c->network_key.entry[now->network],
                        *b = &c->network_key.entry[next->network];
    void *items = c->touched;
    *told = now->scales == next->scales && lp_network_direct(now->fabric.network) &&
            lp_network_direct(next->fabric.network) && !lp_debug_on(next->log, LP_DEBUG_STORE, 2);
    if (!*told)
        return LP_OK;
    LP_TRY(lp_grow(&items, &c->touched_cap, c->ocs->servers, sizeof *c->touched));
    if (c->touched == NULL || ++c->round == 0) { /* a stale mark could match again */
        memset(items, 0, c->touched_cap * sizeof *c->touched);
        c->round = 1;
    }
    c->touched = items;
    size_t as = a->len / sizeof(LpLit), bs = b->len / sizeof(LpLit);
    touch_apart(c, a->bytes, as, b->bytes, bs);
    touch_apart(c, b->bytes, bs, a->bytes, as);
    return LP_OK;
}

static bool is_touched(const LpContext *context, const LpJob *job) {
    const LpPlacement *p = lp_store_placement(context->store, job->placed.placement);
    for (uint32_t i = 0; i < p->servers; i++)
        if (context->circuits->touched[p->server[i]] == context->circuits->round)
            return true;
    return false;
}

/* Its step goes on as it was planned on the network of now: none of its servers' circuits is
 * another one, and where nobody forwards it sees no more. Straight links are shared with nobody. */
static bool stays(const LpImage *m, const LpContext *context, const LpJob *job, LpNextStep *next) {
    bool lit = job->light.dark == LP_JOB_LIT;
    if (lit && (job->light.network != m->network || job->placed.scales != context->scales))
        return false;
    if (is_touched(context, job))
        return false;
    context->store->step_hits++;
    *next = (LpNextStep){job->id, lit ? job->placed.step : LP_NO_INDEX, LP_NO_INDEX, !lit};
    return true;
}

/* What was taken over is what planning anew would give. */
static void check_stay(const LpContext *context, const LpJob *job, const LpNextStep *next) {
#if defined(LP_CHECKED)
    LpNextStep anew;
    if (plan_job(context, job, &anew, NULL) != LP_OK)
        return;
    LP_ASSERT(anew.dark == next->dark && anew.load == next->load);
    LP_ASSERT(next->dark || anew.step == next->step);
#else
    (void)context;
    (void)job;
    (void)next;
#endif
}

/* Every running job on the network of the context, and the shares that they then have. */
static LpErr plan_jobs(LpImage *m, const LpContext *context, LpDiag *diag) {
    LpCircuits *c = context->circuits;
    void *items = c->next;
    if (lp_grow(&items, &c->next_cap, (size_t)m->tally.running + 1, sizeof *c->next) != LP_OK)
        return lp_fail_memory(diag, "jobs on other circuits");
    c->next = items;
    c->nexts = 0;
    LP_TRY(lp_sharing_pose(context, diag));
    LP_TRY(lp_store_reserve_earlier(context, LP_EARLIER_ROOM * (uint32_t)m->tally.running, diag));
    bool told;
    if (touch_changed(lp_context_lit(context, m->network), context, &told) != LP_OK)
        return lp_fail_memory(diag, "jobs on other circuits");
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LpNextStep *next = &c->next[c->nexts++];
        const LpJob *job = lp_image_job(m, id);
        if (told && job->graph >= 0 && job->light.dark != LP_JOB_HELD &&
            stays(m, context, job, next)) {
            check_stay(context, job, next);
            continue;
        }
        LP_TRY(plan_job(context, job, next, diag));
        if (next->load != LP_NO_INDEX)
            LP_TRY(lp_sharing_pose_flow(context, id, next->load, diag));
    }
    return lp_sharing_solve(context, diag);
}

void lp_circuits_settle(LpImage *m, LpJob *job) {
    double run = m->now - job->times.running_since;
    if (job->light.dark == LP_JOB_LIT || !(run > 0))
        return;
    double *const sums[] = {[LP_JOB_TURNING] = &job->light.reconfiguring,
                            [LP_JOB_UNLIT] = &job->light.unlit,
                            [LP_JOB_HELD] = &job->stops.stood_still};
    *sums[job->light.dark] += run;
    job->times.running_since = m->now;
    lp_mark_job(m, job->id);
}

static const char *const without_light[] = {[LP_JOB_LIT] = "lit",
                                            [LP_JOB_TURNING] = "turning",
                                            [LP_JOB_UNLIT] = "unlit",
                                            [LP_JOB_HELD] = "held"};

static void darken(LpImage *m, const LpContext *context, LpJob *job, uint32_t reason) {
    char name[LP_DEBUG_JOB];
    LP_DEBUG(context->log, LIGHT, 1, "%s %s", without_light[reason],
             lp_debug_job(context, job, name));
    if (job->light.dark == LP_JOB_LIT)
        lp_sharing_settle(m, context, job);
    lp_circuits_settle(m, job);
    if (job->times.running_since > m->now) { /* it still reads its checkpoint, which now waits */
        job->light.reading = job->times.running_since - m->now;
        job->times.running_since = m->now;
    }
    job->light.dark = reason;
    lp_mark_job(m, job->id);
    job->sharing.load = LP_NO_INDEX;
    job->sharing.rate = 0;
    job->sharing.paces++;
    job->times.forecast_end = (double)INFINITY;
    lp_ends_moved(m, job);
}

static void enlighten(LpImage *m, const LpContext *context, LpJob *job, const LpNextStep *next,
                      double rate) {
    const LpStepSummary *step = lp_store_step(context->store, next->step);
    const LpLoad *load =
        next->load != LP_NO_INDEX ? lp_store_load(context->store, next->load) : NULL;
    double time = step->step_time + (load != NULL ? lp_load_delay(load, step, rate) : 0);
    bool same = job->light.dark == LP_JOB_LIT && job->light.network == m->network &&
                next->step == job->placed.step && next->load == job->sharing.load;
    if (same && time == job->forecast.step_time && rate == job->sharing.rate)
        return;
    lp_mark_job(m, job->id);
    if (same && time == job->forecast.step_time) {
        job->sharing.rate = rate;
        return;
    }
    char name[LP_DEBUG_JOB];
    LP_DEBUG(context->log, LIGHT, 1, "lit %s network %u step %.9g s",
             lp_debug_job(context, job, name), m->network, time);
    if (job->light.dark == LP_JOB_LIT)
        lp_sharing_settle(m, context, job);
    lp_circuits_settle(m, job);
    double left = job->asked.steps - job->work.steps_done - job->sharing.part_step;
    if (job->light.dark != LP_JOB_LIT)
        job->times.running_since = m->now + job->light.reading;
    job->light.reading = 0;
    job->light.dark = LP_JOB_LIT;
    lp_job_book_step(context, job, next->step, m->network);
    job->placed.step = next->step;
    job->sharing.load = next->load;
    job->light.network = m->network;
    job->placed.scales = context->scales;
    job->sharing.rate = rate;
    job->forecast.step_time = time;
    job->sharing.paces++;
    job->times.forecast_end = job->times.running_since + (left > 0 ? left : 0) * time;
    lp_ends_moved(m, job);
    if (job->stops.preemptions + job->stops.moves + job->stops.count == 0)
        job->forecast.jct = job->times.forecast_end - job->times.start;
}

/* Carries out what plan_jobs found. */
static void apply_jobs(LpImage *m, const LpContext *context) {
    const LpCircuits *c = context->circuits;
    uint32_t reason = m->light_at > m->now && !isinf(m->light_at) ? LP_JOB_TURNING : LP_JOB_UNLIT;
    for (uint32_t i = 0; i < c->nexts; i++) {
        LpJob *job = lp_image_job(m, c->next[i].job);
        if (job->graph < 0 || job->light.dark == LP_JOB_HELD)
            continue;
        if (!c->next[i].dark)
            enlighten(m, context, job, &c->next[i], lp_sharing_rate_of(context, job->id));
        else if (job->light.dark != reason)
            darken(m, context, job, reason);
    }
}

/* ---- changing light ---- */

static double next_light(const LpImage *m, const double *lit_at) {
    double next = (double)INFINITY;
    for (uint32_t p = 0; p < m->ports; p++)
        if (lit_at[p] > m->now && lit_at[p] < next)
            next = lit_at[p];
    return next;
}

/* The network that a world goes over to; at level 2 with each port that has a circuit. */
static void say_light(const LpImage *m, const LpContext *context, const LpSchedule *s,
                      const double *lit_at) {
    LP_DEBUG(context->log, LIGHT, 1,
             "network %u schedule %u circuits %u of %u ports, next at %.9g s", m->network,
             m->schedule, m->lit, m->ports, m->light_at);
    for (uint32_t p = 0; lp_debug_on(context->log, LP_DEBUG_LIGHT, 2) && p < m->ports; p++)
        if (s->to[p] != LP_DARK && s->to[p] != p)
            LP_DEBUG(context->log, LIGHT, 2, "port %u to %u %s %.9g s", p, s->to[p],
                     lit_at[p] > m->now ? "turning until" : "lit since", lit_at[p]);
}

/* Goes over to a schedule whose ports are lit at lit_at (the image's own array, or another). */
static LpErr change_light(LpWorld *world, const LpContext *context, uint32_t schedule,
                          const double *lit_at, LpDiag *diag) {
    LpImage *m = world->image;
    LpCircuits *c = context->circuits;
    const LpSchedule *s = c->schedule[schedule];
    uint32_t network;
    if (lp_circuits_lit_room(c, s) != LP_OK)
        return lp_fail_memory(diag, "the circuits of a world");
    uint32_t count = list_lit(c, s, lit_at, m, lp_world_reconfiguration_time(world, context));
    LP_TRY(lp_circuits_network(context, count, &network, diag));
    const LpContext *next = lp_context_lit(context, network);
    LP_TRY(plan_jobs(m, next, diag));
    m->network = network;
    m->schedule = schedule;
    m->schedule_hash = c->schedule_hash[schedule];
    m->lit = count;
    if (lit_at != lp_image_port(m))
        memcpy(lp_image_port(m), lit_at, m->ports * sizeof *lit_at);
    m->light_at = next_light(m, lit_at);
    say_light(m, context, s, lit_at);
    apply_jobs(m, next);
    return LP_OK;
}

LpErr lp_circuits_again(LpWorld *world, const LpContext *context, LpDiag *diag) {
    return change_light(world, context, world->image->schedule, lp_image_port(world->image), diag);
}

LpErr lp_circuits_light(LpWorld *world, const LpContext *context, bool *lit, LpDiag *diag) {
    LpImage *m = world->image;
    *lit = m->light_at <= m->now;
    if (!*lit)
        return LP_OK;
    return change_light(world, context, m->schedule, lp_image_port(m), diag);
}

/* Was this circuit the same all of the time? */
static bool steady(const LpSchedule *s, uint32_t port, uint32_t out) {
    for (uint32_t e = 0; e < s->entries; e++)
        if (s->to[(size_t)e * s->ports + port] != out)
            return false;
    return true;
}

/* When each port's circuit of the new schedule is lit. */
static void time_light(LpWorld *world, const LpContext *context, const LpSchedule *next,
                       double *lit_at) {
    LpImage *m = world->image;
    const LpSchedule *now = context->circuits->schedule[m->schedule];
    double delay = lp_world_reconfiguration_time(world, context);
    for (uint32_t p = 0; p < m->ports; p++) {
        uint32_t out = next->to[p];
        if (out == LP_DARK || out == p || next->entries > 1)
            lit_at[p] = 0;
        else if (steady(now, p, out))
            lit_at[p] = lp_image_port(m)[p];
        else
            lit_at[p] = m->now + delay;
    }
}

static LpErr configure(LpWorld *world, const LpContext *context, const LpSchedule *schedule,
                       LpEvent *event, LpDiag *diag) {
    LpImage *m = world->image;
    uint32_t number;
    if (lp_circuits_schedule(context->circuits, schedule, &number) != LP_OK)
        return lp_fail_memory(diag, "a schedule of circuits");
    if (number == m->schedule)
        return LP_OK;
    double *lit_at = lp_alloc(m->ports, sizeof *lit_at);
    if (lit_at == NULL)
        return lp_fail_memory(diag, "a schedule of circuits");
    time_light(world, context, schedule, lit_at);
    LpErr err = change_light(world, context, number, lit_at, diag);
    lp_free(lit_at);
    if (err != LP_OK)
        return err;
    m->reconfigurations++;
    lp_image_event(m, event, LP_EVENT_CONFIGURE, LP_NO_INDEX);
    return LP_OK;
}

LpErr lp_world_configure(LpWorld *world, const LpContext *base, const LpSchedule *schedule,
                         LpEvent *event, LpCause *cause, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    LpImage *m = world->image;
    LpDiag inner = {0};
    *cause = LP_CAUSE_NONE;
    reason[0] = '\0';
    *event = (LpEvent){.kind = LP_EVENT_NONE, .job = LP_NO_INDEX, .time = m->now};
    if (m->due != LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "job %u has not been decided yet", m->due);
    if (context->circuits == NULL)
        return lp_fail(diag, LP_ESTATE, "the fabric %s has no circuit switches",
                       context->fabric.ops->name);
    if (m->phase == LP_PHASE_OVER)
        return lp_fail(diag, LP_ESTATE, "the run is over");
    LpErr err = lp_schedule_check(context->circuits->ocs, schedule, &inner);
    if (err == LP_EREFUSED) {
        *cause = LP_CAUSE_REFUSED;
        LP_DEBUG(context->log, LIGHT, 1, "refused %s", inner.text);
        snprintf(reason, LP_DIAG_TEXT, "%s", inner.text);
        return LP_OK;
    }
    if (err != LP_OK)
        return lp_fail_memory(diag, "a schedule of circuits");
    lp_debug_at(context->log, m->now);
    err = configure(world, context, schedule, event, diag);
    if (err == LP_OK)
        lp_debug_event(world, context, event, NULL);
    lp_world_check_event(world, context);
    return err;
}

/* ---- decisions at intervals ---- */

double lp_circuits_next_interval(const LpImage *m, const LpContext *context) {
    return lp_circuits_follow(context) && m->first_running != LP_NO_INDEX ? m->interval_at
                                                                          : (double)INFINITY;
}

bool lp_circuits_awaited(LpImage *m, const LpContext *context) {
    double patience = LP_PATIENCE * context->circuits->ocs->interval;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (lp_image_job(m, id)->light.dark != LP_JOB_LIT &&
            lp_image_job(m, id)->light.dark != LP_JOB_HELD &&
            m->interval_at - lp_image_job(m, id)->times.running_since <= patience)
            return true;
    return false;
}

void lp_circuits_take_interval(LpImage *m, const LpContext *context) {
    double interval = context->circuits->ocs->interval;
    m->interval_at = (floor(m->now / interval) + 1) * interval;
    while (!(m->interval_at > m->now))
        m->interval_at += interval;
}
