/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The encoding "queue" (queue.h). */
#include "learn/queue.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "learn/observe_impl.h"
#include "sim/account/belief.h"
#include "sim/forecast.h"
#include "sim/world.h"

static const uint32_t LADDER[LP_QUEUE_LADDER] = {1,  2,  3,  4,  6,  8,   12,  16,
                                                 24, 32, 48, 64, 96, 128, 192, 256};

uint32_t lp_queue_degree(uint32_t rung) {
    return LADDER[rung];
}

/* ---- numbers ---- */

static double cut(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

static double eighth_log(double x) {
    if (!(x > 0))
        return -1;
    return isinf(x) ? 1 : cut(lp_num_log(x) / (8 * 0.693147180559945309417), -1, 1);
}

static double squash(double x) {
    return isinf(x) ? 1 : x / (1 + x);
}

/* time / until, 0 where there is no deadline, 1.5 where it is over. */
static double share_of(double time, double until) {
    if (isinf(until))
        return 0;
    return until > 0 ? cut(time / until, 0, 1.5) : 1.5;
}

/* ---- how long a degree takes: one forecast per graph, on an empty cluster ---- */

enum { LOOK_FOR = 64 }; /* arrivals per graph, until one of each has been seen */

static LpErr find_paces(LpObserver *o, const LpContext *context, const LpWorld *empty, uint32_t job,
                        LpDiag *diag) {
    const LpJob *j = lp_world_job(empty, job);
    LpSeenPace *pace = o->pace + (size_t)j->graph * LP_QUEUE_LADDER;
    bool plans = lp_context_planned(context, j->graph);
    for (uint32_t r = 0; r < LP_QUEUE_LADDER; r++) {
        LpAnswer answer;
        LpForecast forecast;
        if (!plans && LADDER[r] > context->scenario->partition.max_degree)
            continue;
        LP_TRY(lp_context_way(context, j->graph, plans ? r + 1 : LADDER[r], &answer, diag));
        if (answer.kind != LP_ANSWER_RUN)
            continue;
        LP_TRY(lp_world_predict(empty, context, job, &answer, &forecast, diag));
        if (forecast.feasible && forecast.servers > 0)
            pace[r] = (LpSeenPace){forecast.jct / j->asked.steps, forecast.servers};
    }
    o->paced[j->graph] = true;
    return LP_OK;
}

/* Every job of a world without a past is declined, so that the cluster stays empty. */
static LpErr meet_graphs(LpObserver *o, const LpContext *context, LpWorld *empty, LpDiag *diag) {
    uint32_t missing = o->graphs;
    const LpAnswer decline = {.kind = LP_ANSWER_DECLINE};
    for (uint32_t i = 0; missing > 0 && i < LOOK_FOR * o->graphs; i++) {
        LpEvent event;
        while (lp_world_due(empty) == LP_NO_INDEX && !lp_world_over(empty))
            LP_TRY(lp_world_advance(empty, context, &event, diag));
        uint32_t job = lp_world_due(empty);
        if (job == LP_NO_INDEX)
            return LP_OK;
        int32_t graph = lp_world_job(empty, job)->graph;
        if (graph >= 0 && !o->paced[graph]) {
            LP_TRY(find_paces(o, context, empty, job, diag));
            missing--;
        }
        LP_TRY(lp_world_decide(empty, context, job, &decline, &event, NULL, diag));
    }
    return LP_OK;
}

/* Guesses the paces of a graph that was not met, and of nothing else: as if splitting were free. */
static void guess_paces(LpObserver *o, const LpContext *context, uint32_t graph) {
    uint32_t most = context->scenario->partition.max_degree;
    if (lp_context_planned(context, (int32_t)graph))
        return;
    for (uint32_t r = 0; r < LP_QUEUE_LADDER; r++)
        if (LADDER[r] <= most && LADDER[r] <= context->fabric.servers)
            o->pace[(size_t)graph * LP_QUEUE_LADDER + r] =
                (LpSeenPace){context->facts[graph].sequential_time / LADDER[r], LADDER[r]};
}

LpErr lp_observe_paces(LpObserver *o, const LpContext *context, LpDiag *diag) {
    LpWorld *empty;
    o->pace = lp_arena_alloc(o->arena, (size_t)o->graphs * LP_QUEUE_LADDER, sizeof *o->pace);
    o->paced = lp_arena_alloc(o->arena, o->graphs, sizeof *o->paced);
    if (o->pace == NULL || o->paced == NULL)
        return lp_fail_memory(diag, "an observer");
    LP_TRY(lp_world_new(context, 1, &empty, diag));
    LpErr err = meet_graphs(o, context, empty, diag);
    lp_world_free(empty);
    for (uint32_t g = 0; g < o->graphs; g++)
        if (!o->paced[g])
            guess_paces(o, context, g);
    return err;
}

/* ---- one job ---- */

typedef struct Facts {
    double work, time, fastest; /* see queue.h; the fastest degree's time */
    double unsplit;             /* of what is left */
    double until, limit;        /* s to the true deadline, from arrival to it; INFINITY */
    double servers;             /* of the degree with the least work */
    bool hopeless, runs;
} Facts;

static bool fits_until(double time, double until) {
    return time <= until * (1 + 1e-9);
}

static void weigh(const LpObserver *o, uint32_t graph, double steps, Facts *f) {
    const LpSeenPace *pace = o->pace + (size_t)graph * LP_QUEUE_LADDER;
    f->hopeless = true;
    f->work = f->fastest = (double)INFINITY;
    for (uint32_t r = 0; r < LP_QUEUE_LADDER; r++) {
        double time = pace[r].step * steps, work = time * pace[r].servers;
        if (pace[r].servers == 0)
            continue;
        bool in_time = fits_until(time, f->until), first = in_time && f->hopeless;
        f->fastest = time < f->fastest ? time : f->fastest;
        if (in_time < !f->hopeless || (!first && !(work < f->work)))
            continue;
        f->hopeless = !in_time;
        f->work = work;
        f->time = time;
        f->servers = pace[r].servers;
    }
    if (isinf(f->work)) /* no degree at all */
        f->work = f->fastest = f->time = f->unsplit;
}

static Facts facts_of(const LpObserver *o, const LpContext *context, const LpWorld *world,
                      uint32_t id) {
    const LpJob *job = lp_world_job(world, id);
    double now = lp_world_now(world), done = lp_world_steps_done(world, id);
    Facts f = {.until = lp_job_deadline(job) - now,
               .limit = job->asked.max_jct,
               .runs = job->outcome == LP_JOB_RUNNING};
    if (job->graph < 0) {
        f.time = f.fastest = f.unsplit =
            job->asked.rigid_duration * (1 - done / (job->asked.steps > 0 ? job->asked.steps : 1));
        if (lp_job_veiled(context->scenario, job))
            f.time = f.fastest = lp_job_requested_left(context->scenario, job, now);
        f.servers = job->asked.rigid_servers;
        f.work = f.time * f.servers;
        f.unsplit = f.work;
        f.hopeless = !fits_until(f.time, f.until);
    } else {
        double steps = job->asked.steps - done;
        f.unsplit = context->facts[job->graph].sequential_time * steps;
        weigh(o, (uint32_t)job->graph, steps, &f);
    }
    double end = lp_job_believed_end(context->scenario, job, now);
    if (f.runs && isfinite(end)) {
        f.time = f.fastest = end > now ? end - now : 0;
        f.servers = job->placed.servers;
        f.work = f.time * f.servers;
        f.hopeless = !fits_until(f.time, f.until);
    }
    return f;
}

/* ---- all of them ---- */

typedef struct Other {
    uint32_t job;
    double work, until, urgency;
} Other;

/* What the jobs that wait and run have in common; `other` has those that wait. */
typedef struct Crowd {
    Other *other;
    uint32_t waiting;
    double queued_work, urgency, running_work, running;
    double back[3], next_end; /* servers that come back; s to the next end, INFINITY */
} Crowd;

static const double SOON[] = {1, 4, 16};

static LpErr gather(const LpObserver *o, const LpContext *context, const LpWorld *world, Crowd *c,
                    LpDiag *diag) {
    *c = (Crowd){.next_end = (double)INFINITY};
    c->other = lp_alloc(lp_world_tally(world)->waiting + 1, sizeof *c->other);
    if (c->other == NULL)
        return lp_fail_memory(diag, "an observation");
    for (uint32_t id = lp_world_first_waiting(world); id != LP_NO_INDEX;
         id = lp_world_next_waiting(world, id)) {
        Facts f = facts_of(o, context, world, id);
        double urgency = share_of(f.time, f.until);
        c->other[c->waiting++] = (Other){id, f.work, f.until, urgency};
        c->queued_work += f.work;
        c->urgency += urgency;
    }
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        Facts f = facts_of(o, context, world, id);
        const LpJob *job = lp_world_job(world, id);
        double now = lp_world_now(world);
        double left = lp_job_believed_end(context->scenario, job, now) - now;
        c->running++;
        c->running_work += f.work;
        c->next_end = left < c->next_end ? left : c->next_end;
        for (size_t i = 0; i < LP_COUNTOF(SOON); i++)
            if (left <= SOON[i] * o->between)
                c->back[i] += job->placed.servers;
    }
    return LP_OK;
}

static void tell_crowd(const LpObserver *o, const Crowd *c, uint32_t job, const Facts *f,
                       double arrival_work, double *out) {
    double less = 0, earlier = 0, others = 0, work = c->queued_work, urgency = c->urgency;
    for (uint32_t i = 0; i < c->waiting; i++) {
        const Other *other = &c->other[i];
        if (other->job == job) {
            work -= other->work;
            urgency -= other->urgency;
            continue;
        }
        others++;
        less += other->work < f->work;
        earlier += other->until < f->until;
    }
    double all = others + c->running - f->runs,
           sum = work + c->running_work - (f->runs ? f->work : 0);
    out[0] = others > 0 ? eighth_log(work / arrival_work) : -1;
    out[1] = others > 0 ? urgency / others : 0;
    out[2] = others > 0 ? less / others : 0;
    out[3] = others > 0 ? earlier / others : 0;
    out[4] = all > 0 && sum > 0 ? eighth_log(f->work * all / sum) : 0;
    out[5] = eighth_log(o->load > 0 ? o->load : 1);
    out[6] = o->between > 0 ? squash((c->next_end > 0 ? c->next_end : 0) / o->between) : 1;
}

static void tell(const LpObserver *o, const LpContext *context, const LpWorld *world,
                 const Crowd *c, uint32_t id, double *out) {
    const LpJob *job = lp_world_job(world, id);
    Facts f = facts_of(o, context, world, id);
    double n = lp_world_servers(world), capacity = context->scenario->queue_capacity;
    double between = o->between > 0 ? o->between : f.unsplit / n, bring = n * between;
    double done = job->asked.steps > 0 ? lp_world_steps_done(world, id) / job->asked.steps : 0;
    double waiting = (double)lp_world_tally(world)->waiting;
    const double numbers[] = {
        eighth_log(f.work / bring),
        squash(f.work / bring),
        share_of(f.time, f.until),
        share_of(f.fastest, f.until),
        isinf(f.until) ? 1 : cut(f.until / f.limit, 0, 1),
        eighth_log(f.until / f.unsplit),
        f.servers / n,
        eighth_log(f.work / f.unsplit),
        f.hopeless,
        f.runs,
        job->offers > 0 && !f.runs,
        squash(job->stops.preemptions / 4.0),
        done,
        lp_world_free_servers(world) / n,
        capacity > 0 ? cut(waiting / capacity, 0, 1) : 1,
        (double)lp_world_tally(world)->running / n,
        c->back[0] / n,
        c->back[1] / n,
        c->back[2] / n,
    };
    memcpy(out, numbers, sizeof numbers);
    tell_crowd(o, c, id, &f, bring, out + LP_COUNTOF(numbers));
}

LpErr lp_observe_jobs(const LpObserver *o, const LpContext *context, const LpWorld *world,
                      const uint32_t *jobs, uint32_t count, double *out, LpDiag *diag) {
    Crowd crowd;
    LP_TRY(gather(o, context, world, &crowd, diag));
    for (uint32_t i = 0; i < count; i++)
        tell(o, context, world, &crowd, jobs[i], out + (size_t)i * LP_QUEUE_COMMONS);
    lp_free(crowd.other);
    return LP_OK;
}

/* ---- actions ---- */

/* Number `row` of an action. */
static double *own(const LpObserver *o, double *features, uint32_t row, uint32_t action) {
    return features + LP_QUEUE_COMMONS + (size_t)row * o->actions + action;
}

static void observe_start(const LpObserver *o, const LpWorld *world, const Facts *f, double steps,
                          const LpSeenPace *pace, double ways, uint32_t rung, uint32_t placing,
                          double *features) {
    double n = lp_world_servers(world), free = lp_world_free_servers(world);
    double time = pace->step * steps;
    uint32_t a = 1 + rung * o->placer.placings + placing;
    const double numbers[] = {1,
                              0,
                              0,
                              eighth_log(time * pace->servers / f->work),
                              share_of(time, f->until),
                              pace->servers / n,
                              free > 0 ? cut(pace->servers / free, 0, 1) : 1,
                              fits_until(time, f->until),
                              eighth_log(ways),
                              o->between > 0 ? eighth_log(time / o->between) : 0,
                              o->placer.kind[placing] == 0,
                              o->placer.kind[placing] == 1,
                              o->placer.kind[placing] == 2};
    _Static_assert(LP_COUNTOF(numbers) == LP_QUEUE_OWNS, "a name per number of an action");
    for (uint32_t i = 0; i < LP_QUEUE_OWNS; i++)
        *own(o, features, i, a) = numbers[i];
}

static LpErr open_degrees(const LpObserver *o, const LpContext *context, const LpWorld *world,
                          uint32_t job, double *features, double *mask, LpDiag *diag) {
    uint32_t open[LP_OBSERVE_DEGREES], count, at = 0;
    uint32_t most = context->scenario->partition.max_degree;
    bool plans = lp_context_planned(context, lp_world_job(world, job)->graph);
    LP_TRY(lp_world_ways(world, context, job,
                         plans                       ? LP_QUEUE_LADDER
                         : most < LP_OBSERVE_DEGREES ? most
                                                     : 0,
                         open, LP_OBSERVE_DEGREES, &count, diag));
    for (uint32_t r = 0; r < LP_QUEUE_LADDER; r++) {
        uint32_t way = plans ? r + 1 : LADDER[r];
        while (at < count && open[at] < way)
            at++;
        for (uint32_t k = 0; at < count && open[at] == way && k < o->placer.placings; k++) {
            uint32_t a = 1 + r * o->placer.placings + k;
            mask[a] = *own(o, features, LP_QUEUE_IN_TIME, a);
        }
    }
    return LP_OK;
}

LpErr lp_observe_queue(const LpObserver *o, const LpContext *context, const LpWorld *world,
                       uint32_t id, double *features, LpDiag *diag) {
    const LpJob *job = lp_world_job(world, id);
    double *mask = features + LP_QUEUE_COMMONS + (size_t)LP_QUEUE_OWNS * o->actions;
    LP_TRY(lp_observe_jobs(o, context, world, &id, 1, features, diag));
    Facts f = facts_of(o, context, world, id);
    memset(features + LP_QUEUE_COMMONS, 0, (LP_QUEUE_OWNS + 1) * o->actions * sizeof *features);
    const LpSeenPace *pace = o->pace + (size_t)job->graph * LP_QUEUE_LADDER;
    bool plans = lp_context_planned(context, job->graph);
    for (uint32_t r = 0; r < LP_QUEUE_LADDER; r++)
        for (uint32_t k = 0; pace[r].servers > 0 && k < o->placer.placings; k++)
            observe_start(o, world, &f, job->asked.steps - lp_world_steps_done(world, id), &pace[r],
                          plans ? pace[r].servers : LADDER[r], r, k, features);
    /* Waiting and declining. */
    bool hopeless = f.hopeless;
    uint32_t wait = o->actions - 1;
    bool kept = job->stops.preemptions > 0 || job->stops.stopped;
    bool room =
        job->offers > 0 || lp_world_tally(world)->waiting < context->scenario->queue_capacity;
    *own(o, features, 1, wait) = 1;
    *own(o, features, 2, 0) = 1;
    mask[wait] = kept || (room && !hopeless);
    mask[0] = !kept;
    return open_degrees(o, context, world, id, features, mask, diag);
}
