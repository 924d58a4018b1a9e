/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting, taking turns and giving way, as a network says. */
#include "session/player/schedule.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "learn/infer.h"
#include "learn/queue.h"
#include "model/fabric/fabric.h"
#include "session/player/player_impl.h"
#include "session/player/schedule_impl.h"
#include "sim/action.h"
#include "sim/forecast.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

/* ---- priorities ---- */

static LpErr check_encoding(const LpPlayer *p, LpDiag *diag) {
    if (p->agent->encoding == LP_ENCODING_QUEUE)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "this network answers once; priorities are those of networks with encoding "
                   "queue");
}

LpErr lp_player_priorities(LpPlayer *p, const LpContext *context, const LpWorld *world,
                           const uint32_t *jobs, uint32_t count, double *out, LpDiag *diag) {
    LP_TRY(check_encoding(p, diag));
    double *seen = lp_alloc((size_t)count * LP_QUEUE_COMMONS + 1, sizeof *seen);
    if (seen == NULL)
        return lp_fail_memory(diag, "priorities");
    LpErr err = lp_observe_jobs(p->observer, context, world, jobs, count, seen, diag);
    for (uint32_t i = 0; err == LP_OK && i < count; i++)
        lp_infer_priority(&p->agent->plan, p->agent->params, seen + (size_t)i * LP_QUEUE_COMMONS,
                          p->head_room, &out[i]);
    lp_free(seen);
    return err;
}

/* Insertion: lists are short. up: the least first. */
static void sort(uint32_t *jobs, double *key, uint32_t count, bool up) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t job = jobs[i], at = i;
        double value = key[i];
        for (; at > 0; at--) {
            bool goes_before = up ? value < key[at - 1] : value > key[at - 1];
            bool equal = !(value < key[at - 1]) && !(value > key[at - 1]);
            if (!goes_before && !(equal && (job < jobs[at - 1]) != up))
                break;
            jobs[at] = jobs[at - 1];
            key[at] = key[at - 1];
        }
        jobs[at] = job;
        key[at] = value;
    }
}

LpErr lp_player_order(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t *jobs,
                      uint32_t count, LpDiag *diag) {
    double *key = lp_alloc(count + 1, sizeof *key);
    if (key == NULL)
        return lp_fail_memory(diag, "priorities");
    LpErr err = lp_player_priorities(p, context, world, jobs, count, key, diag);
    if (err == LP_OK)
        sort(jobs, key, count, false);
    lp_free(key);
    return err;
}

/* ---- a decision ---- */

/* Would the job be accepted, and end before its true deadline? */
LpErr lp_schedule_in_time(const LpContext *context, const LpWorld *world, uint32_t job,
                          const LpAnswer *answer, bool *is, LpDiag *diag) {
    LpForecast forecast;
    LP_TRY(lp_world_predict(world, context, job, answer, &forecast, diag));
    double end = lp_world_now(world) + forecast.jct;
    *is = forecast.feasible && forecast.cause == LP_CAUSE_NONE &&
          end <= lp_job_deadline(lp_world_job(world, job)) * (1 + 1e-9);
    return LP_OK;
}

LpErr lp_player_choose(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                       const double *scores, double *mask, uint32_t *action, LpAnswer *out,
                       LpDiag *diag) {
    bool in_time = false;
    while (!in_time) {
        *action = lp_player_best(p, scores, mask);
        LP_TRY(lp_player_answer(p, context, world, job, *action, out, diag));
        in_time = *action == 0 || out->kind != LP_ANSWER_RUN;
        if (out->kind == LP_ANSWER_DECLINE && *action != 0)
            in_time = false; /* its rule finds no block */
        else if (!in_time)
            LP_TRY(lp_schedule_in_time(context, world, job, out, &in_time, diag));
        if (!in_time)
            mask[*action] = 0;
    }
    return LP_OK;
}

/* ---- giving way ---- */

/* Servers of the degree that scores highest of those in time; 0: none is. */
static LpErr wanted(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                    uint32_t *servers, LpDiag *diag) {
    uint32_t graph, actions = p->agent->plan.shape.actions, best = 0;
    double *features = p->seen, *scores = p->seen + p->agent->plan.shape.features;
    *servers = 0;
    if (lp_world_job(world, job)->graph < 0) {
        *servers = lp_world_job(world, job)->asked.rigid_servers;
        return LP_OK;
    }
    LP_TRY(lp_observe(p->observer, context, world, job, features, &graph, diag));
    lp_player_head(p, LP_HEAD_POLICY, features, graph, scores);
    const double *in_time = features + LP_QUEUE_COMMONS + (size_t)LP_QUEUE_IN_TIME * actions;
    for (uint32_t a = 1; a + 1 < actions; a++)
        if (in_time[a] > 0 && (best == 0 || scores[a] > scores[best]))
            best = a;
    bool plans = lp_context_planned(context, lp_world_job(world, job)->graph);
    uint32_t way = lp_encoding_way(LP_ENCODING_QUEUE, best, p->agent->placings, plans);
    return best > 0 ? lp_place_size(world, context, job, way, servers, diag) : LP_OK;
}

static bool fits(const LpContext *context, const LpRoom *room, uint32_t n) {
    LpBlockSearch search;
    if (n == 0 || n > room->free)
        return false;
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    lp_block_search_in(&search, &context->fabric, n, fallbacks, room, NULL, NULL);
    return lp_block_next(&search, NULL);
}

static void set_free(const LpWorld *world, uint32_t job, LpRoom *room, bool free) {
    for (uint32_t s = lp_world_job(world, job)->placed.first_server; s != LP_NO_INDEX;
         s = lp_world_server(world, s)->next)
        lp_room_set(room, s, free);
}

/* Stops the first jobs of the list until there is room, then lets those go on after all without
 * which there is still room, the last ones first. How many are left at the list's beginning; 0:
 * all of them would not do. */
static uint32_t stop_few(const LpContext *context, const LpWorld *world, LpRoom *room, uint32_t n,
                         uint32_t *victim, uint32_t count) {
    uint32_t stopped = 0, kept = 0;
    while (stopped < count && !fits(context, room, n))
        set_free(world, victim[stopped++], room, true);
    if (!fits(context, room, n))
        return 0;
    for (uint32_t i = stopped; i-- > 0;) {
        set_free(world, victim[i], room, false);
        if (fits(context, room, n))
            victim[i] = LP_NO_INDEX;
        else
            set_free(world, victim[i], room, true);
    }
    for (uint32_t i = 0; i < stopped; i++)
        if (victim[i] != LP_NO_INDEX)
            victim[kept++] = victim[i];
    return kept;
}

/* Running jobs of less priority than `job`, the least first. */
static LpErr less_urgent(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                         uint32_t *victim, double *key, uint32_t *count, LpDiag *diag) {
    double own;
    uint32_t running = 0, less = 0;
    LP_TRY(lp_player_priorities(p, context, world, &job, 1, &own, diag));
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id))
        if (lp_world_job(world, id)->times.decided <
            lp_world_now(world)) /* else two would take turns */
            victim[running++] = id;
    LP_TRY(lp_player_priorities(p, context, world, victim, running, key, diag));
    sort(victim, key, running, true);
    while (less < running && key[less] < own)
        less++;
    *count = less;
    return LP_OK;
}

static LpErr make_way(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                      uint32_t n, uint32_t *victim, uint32_t *count, LpDiag *diag) {
    const LpContext *now = lp_world_context(world, context);
    const LpRoom *real = lp_world_room(world);
    uint32_t less;
    LpRoom *room = lp_alloc(1, lp_room_size(real));
    double *key = lp_alloc(lp_world_tally(world)->running + 1, sizeof *key);
    LpErr err = room != NULL && key != NULL ? LP_OK : lp_fail_memory(diag, "who gives way");
    if (err == LP_OK)
        err = less_urgent(p, context, world, job, victim, key, &less, diag);
    if (err == LP_OK) {
        memcpy(room, real, lp_room_size(real));
        *count = stop_few(now, world, room, n, victim, less);
    }
    lp_free(key);
    lp_free(room);
    return err;
}

LpErr lp_player_give_way(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                         uint32_t *victim, uint32_t *count, LpDiag *diag) {
    uint32_t n;
    *count = 0;
    LP_TRY(check_encoding(p, diag));
    if (lp_world_job(world, job)->outcome != LP_JOB_WAITING ||
        lp_published(&context->scenario->options, LP_OPT_HORIZON)) /* which knows no actions */
        return LP_OK;
    LP_TRY(wanted(p, context, world, job, &n, diag));
    if (n == 0 || fits(lp_world_context(world, context), lp_world_room(world), n))
        return LP_OK;
    return make_way(p, context, world, job, n, victim, count, diag);
}

/* ---- a run without a script ---- */

static LpErr decide(LpScheduleRun *r, LpEvent *event, LpDiag *diag) {
    uint32_t graph, action, job = lp_world_due(r->world);
    LpAnswer answer = {.kind = LP_ANSWER_RUN};
    if (lp_world_job(r->world, job)->graph >= 0) {
        LP_TRY(lp_player_observe(r->player, r->context, r->world, job, r->features, &graph, diag));
        lp_player_head(r->player, LP_HEAD_POLICY, r->features, graph, r->scores);
        double *mask = r->features + r->player->agent->plan.shape.features -
                       r->player->agent->plan.shape.actions;
        LP_TRY(lp_player_choose(r->player, r->context, r->world, job, r->scores, mask, &action,
                                &answer, diag));
    }
    return lp_world_decide(r->world, r->context, job, &answer, event, NULL, diag);
}

static LpErr act(LpScheduleRun *r, LpActionKind kind, uint32_t job, LpDiag *diag) {
    LpAction action = {.kind = kind, .job = job};
    LpCause cause;
    LpEvent event;
    char reason[LP_DIAG_TEXT];
    LP_TRY(lp_world_act(r->world, r->context, &action, &event, &cause, reason, diag));
    return lp_world_due(r->world) != LP_NO_INDEX ? decide(r, &event, diag) : LP_OK;
}

static LpErr grow(LpScheduleRun *r, uint64_t jobs, LpDiag *diag) {
    void *items = r->list;
    if (lp_grow(&items, &r->room, (size_t)jobs + 1, sizeof *r->list) != LP_OK)
        return lp_fail_memory(diag, "a run");
    r->list = items;
    return LP_OK;
}

static LpErr review(LpScheduleRun *r, const LpEvent *event, LpDiag *diag) {
    uint32_t victims;
    if (event->kind != LP_EVENT_WAIT || lp_world_due(r->world) != LP_NO_INDEX ||
        lp_world_over(r->world))
        return LP_OK;
    LP_TRY(grow(r, lp_world_tally(r->world)->running, diag));
    LP_TRY(
        lp_player_give_way(r->player, r->context, r->world, event->job, r->list, &victims, diag));
    for (uint32_t i = 0; i < victims; i++)
        LP_TRY(act(r, LP_ACTION_PREEMPT, r->list[i], diag));
    if (victims > 0)
        LP_TRY(act(r, LP_ACTION_RESUME, event->job, diag));
    for (uint32_t i = victims; i-- > 0;)
        LP_TRY(act(r, LP_ACTION_RESUME, r->list[i], diag));
    return LP_OK;
}

static LpErr order(LpScheduleRun *r, LpDiag *diag) {
    uint32_t count = lp_world_round(r->world, NULL, 0);
    LP_TRY(grow(r, count, diag));
    lp_world_round(r->world, r->list, count);
    LP_TRY(lp_player_order(r->player, r->context, r->world, r->list, count, diag));
    return lp_world_order_queue(r->world, r->list, count, diag);
}

LpErr lp_schedule_step(LpScheduleRun *r, const LpAnswer *answer, LpDiag *diag) {
    LpEvent event;
    if (lp_world_due(r->world) == LP_NO_INDEX)
        LP_TRY(lp_world_advance(r->world, r->context, &event, diag));
    else if (answer != NULL)
        LP_TRY(lp_world_decide(r->world, r->context, lp_world_due(r->world), answer, &event, NULL,
                               diag));
    else
        LP_TRY(decide(r, &event, diag));
    if (event.kind == LP_EVENT_ROUND)
        LP_TRY(order(r, diag));
    return review(r, &event, diag);
}

void lp_schedule_count(const LpWorld *world, LpScheduled *out) {
    const LpTally *tally = lp_world_tally(world);
    *out = (LpScheduled){.arrived = tally->arrived,
                         .decisions = tally->decisions,
                         .preemptions = tally->preemptions};
    for (uint32_t id = 0; id < tally->arrived; id++) {
        const LpJob *job = lp_world_job(world, id);
        bool served =
            job->outcome == LP_JOB_COMPLETED && job->times.end <= lp_job_deadline(job) * (1 + 1e-9);
        out->lost += !served;
        if (served && isfinite(job->asked.max_jct))
            out->late += (job->times.end - job->asked.arrival) / job->asked.max_jct;
    }
}

LpErr lp_schedule_open(LpScheduleRun *r, LpPlayer *player, const LpContext *context, uint64_t seed,
                       LpDiag *diag) {
    const LpNetShape *s = &player->agent->plan.shape;
    *r = (LpScheduleRun){.player = player, .context = context};
    LP_TRY(check_encoding(player, diag));
    r->features = lp_alloc(s->features, sizeof *r->features);
    r->scores = lp_alloc(s->actions, sizeof *r->scores);
    LpErr err = r->features != NULL && r->scores != NULL
                    ? lp_world_new(context, seed, &r->world, diag)
                    : lp_fail_memory(diag, "a run");
    if (err != LP_OK)
        lp_schedule_close(r);
    return err;
}

void lp_schedule_close(LpScheduleRun *r) {
    lp_world_free(r->world);
    lp_free(r->features);
    lp_free(r->scores);
    lp_free(r->list);
    *r = (LpScheduleRun){0};
}

LpErr lp_player_run(LpPlayer *player, const LpContext *context, uint64_t seed, LpScheduled *out,
                    LpDiag *diag) {
    LpScheduleRun r;
    LpErr err = lp_schedule_open(&r, player, context, seed, diag);
    while (err == LP_OK && !lp_world_over(r.world))
        err = lp_schedule_step(&r, NULL, diag);
    if (err == LP_OK)
        lp_schedule_count(r.world, out);
    lp_schedule_close(&r);
    return err;
}
