/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries answers in the arrivals that will really come. */
#include "session/player/clairvoyant.h"

#include <string.h>

#include "base/mem.h"
#include "session/player/player_impl.h"
#include "session/player/schedule_impl.h"

typedef struct Rollout {
    LpScheduleRun at;     /* the run that counts */
    LpScheduleRun future; /* a clone that is played on */
    uint32_t horizon;
    double *mask;
    uint32_t *server; /* of the best answer */
    uint64_t simulated, changed;
} Rollout;

/* The best answer so far, and what is lost after it. */
typedef struct Best {
    LpAnswer answer;
    double lost;
    bool first; /* it is the network's own */
} Best;

/* Jobs of a future that is not over: those that wait may still be served. O(jobs). */
static double lost_so_far(const LpWorld *world) {
    double lost = 0;
    for (uint32_t id = 0; id < lp_world_tally(world)->arrived; id++) {
        const LpJob *job = lp_world_job(world, id);
        bool done = job->outcome == LP_JOB_COMPLETED;
        if (job->outcome == LP_JOB_WAITING || job->outcome == LP_JOB_DECIDING)
            lost += lp_world_over(world) ? 1 : 0.5;
        else if (job->outcome == LP_JOB_RUNNING)
            lost += lp_world_over(world);
        else
            lost += !done || job->times.end > lp_job_deadline(job) * (1 + 1e-9);
    }
    return lost;
}

static LpErr play_on(Rollout *r, const LpAnswer *answer, double *lost, LpDiag *diag) {
    LpWorld *world = lp_world_clone(r->at.world, r->future.world);
    if (world == NULL)
        return lp_fail_memory(diag, "a future");
    r->future.world = world;
    uint64_t from = lp_world_tally(world)->decisions;
    LP_TRY(lp_schedule_step(&r->future, answer, diag));
    while (!lp_world_over(world) &&
           (r->horizon == 0 || lp_world_tally(world)->decisions < from + r->horizon))
        LP_TRY(lp_schedule_step(&r->future, NULL, diag));
    r->simulated += lp_world_tally(world)->decisions - from;
    *lost = lost_so_far(world);
    return LP_OK;
}

/* Equals leave the one that was tried first: the network's. */
static LpErr try_answer(Rollout *r, const LpAnswer *answer, bool first, Best *best, LpDiag *diag) {
    double lost = 0;
    LpAnswer kept = *answer;
    if (answer->servers > 0) { /* they are the player's, which plays on */
        uint32_t *own = r->server + (first ? 0 : r->at.context->fabric.servers);
        memcpy(own, answer->server, answer->servers * sizeof *own);
        kept.server = own;
    }
    LP_TRY(play_on(r, &kept, &lost, diag));
    if (!first && lost >= best->lost)
        return LP_OK;
    if (kept.servers > 0) {
        memmove(r->server, kept.server, kept.servers * sizeof *r->server);
        kept.server = r->server;
    }
    *best = (Best){kept, lost, first};
    return LP_OK;
}

/* A degree on the block of each rule that it has not been tried on. */
static LpErr try_places(Rollout *r, uint32_t job, uint32_t degree, Best *best, LpDiag *diag) {
    const LpContext *context = r->at.context;
    for (int rule = LP_PLACE_FIRST_FIT; rule < LP_PLACE_RULE_COUNT; rule++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree, .server = r->at.player->server};
        bool in_time;
        LP_TRY(lp_place_choose(r->at.world, context, job, degree, (LpPlaceRule)rule,
                               r->at.player->server, &answer.servers, NULL, diag));
        bool same =
            answer.servers == best->answer.servers &&
            memcmp(answer.server, best->answer.server, answer.servers * sizeof *answer.server) == 0;
        if (answer.servers == 0 || same)
            continue;
        LP_TRY(lp_schedule_in_time(context, r->at.world, job, &answer, &in_time, diag));
        if (in_time)
            LP_TRY(try_answer(r, &answer, false, best, diag));
    }
    return LP_OK;
}

/* All other answers that are open and in time. */
static LpErr try_others(Rollout *r, uint32_t job, uint32_t chosen, Best *best, LpDiag *diag) {
    for (uint32_t a = 0; a < r->at.player->agent->plan.shape.actions; a++) {
        LpAnswer answer;
        bool in_time = true;
        if (!(r->mask[a] > 0) || a == chosen)
            continue;
        LP_TRY(lp_player_answer(r->at.player, r->at.context, r->at.world, job, a, &answer, diag));
        if (answer.kind == LP_ANSWER_DECLINE && a != 0)
            continue; /* its rule finds no block */
        if (answer.kind == LP_ANSWER_RUN)
            LP_TRY(lp_schedule_in_time(r->at.context, r->at.world, job, &answer, &in_time, diag));
        if (in_time)
            LP_TRY(try_answer(r, &answer, false, best, diag));
    }
    return LP_OK;
}

static LpErr decide(Rollout *r, LpDiag *diag) {
    LpScheduleRun *at = &r->at;
    uint32_t graph, action, job = lp_world_due(at->world);
    const LpNetShape *s = &at->player->agent->plan.shape;
    LpAnswer answer;
    Best best = {0};
    if (lp_world_job(at->world, job)->graph < 0)
        return lp_schedule_step(at, NULL, diag);
    LP_TRY(lp_player_observe(at->player, at->context, at->world, job, at->features, &graph, diag));
    lp_player_head(at->player, LP_HEAD_POLICY, at->features, graph, at->scores);
    memcpy(r->mask, at->features + s->features - s->actions, s->actions * sizeof *r->mask);
    LP_TRY(lp_player_choose(at->player, at->context, at->world, job, at->scores, r->mask, &action,
                            &answer, diag));
    LP_TRY(try_answer(r, &answer, true, &best, diag));
    LP_TRY(try_others(r, job, action, &best, diag));
    if (best.answer.kind == LP_ANSWER_RUN && best.answer.servers > 0)
        LP_TRY(try_places(r, job, best.answer.degree, &best, diag));
    r->changed += !best.first;
    return lp_schedule_step(at, &best.answer, diag);
}

static LpErr play(Rollout *r, bool (*go_on)(void *user), void *user, bool *stopped, LpDiag *diag) {
    while (!lp_world_over(r->at.world)) {
        if (lp_world_due(r->at.world) == LP_NO_INDEX) {
            LP_TRY(lp_schedule_step(&r->at, NULL, diag));
            continue;
        }
        if (go_on != NULL && !go_on(user)) {
            *stopped = true;
            return LP_OK;
        }
        LP_TRY(decide(r, diag));
    }
    return LP_OK;
}

static LpErr begin(Rollout *r, LpPlayer *player, const LpContext *context, uint64_t seed,
                   LpDiag *diag) {
    uint32_t servers = context->fabric.servers;
    LP_TRY(lp_schedule_open(&r->at, player, context, seed, diag));
    LP_TRY(lp_schedule_open(&r->future, player, context, seed, diag));
    r->mask = lp_alloc(player->agent->plan.shape.actions, sizeof *r->mask);
    r->server = lp_alloc(2 * (size_t)servers, sizeof *r->server);
    return r->mask != NULL && r->server != NULL ? LP_OK : lp_fail_memory(diag, "a rollout");
}

LpErr lp_player_clairvoyant(LpPlayer *player, const LpContext *context, uint64_t seed,
                            uint32_t horizon, bool (*go_on)(void *user), void *user,
                            LpClairvoyant *out, bool *stopped, LpDiag *diag) {
    Rollout r = {.horizon = horizon};
    LpClairvoyant found = {0};
    *stopped = false;
    LP_TRY(lp_player_run(player, context, seed, &found.network, diag));
    LpErr err = begin(&r, player, context, seed, diag);
    if (err == LP_OK)
        err = play(&r, go_on, user, stopped, diag);
    if (err == LP_OK && !*stopped) {
        lp_schedule_count(r.at.world, &found.run);
        found.better = found.run.lost < found.network.lost;
        found.run = found.better ? found.run : found.network;
        found.simulated = r.simulated;
        found.changed = r.changed;
        *out = found;
    }
    lp_schedule_close(&r.at);
    lp_schedule_close(&r.future);
    lp_free(r.mask);
    lp_free(r.server);
    return err;
}
