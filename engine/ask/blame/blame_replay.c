/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One change to an earlier decision, tried on a probe until the fate of the job in trouble is
 * known. */
#include <math.h>
#include <string.h>

#include "ask/blame/blame_impl.h"
#include "session/moment/moment.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/world.h"

static bool settled(const LpWorld *world, uint32_t job) {
    if (job >= lp_world_jobs(world))
        return false;
    uint8_t outcome = lp_world_job(world, job)->outcome;
    return outcome != LP_JOB_DECIDING && outcome != LP_JOB_WAITING;
}

static double end_of(const LpJob *job) {
    return job->outcome == LP_JOB_COMPLETED ? job->times.end : job->times.forecast_end;
}

static bool has_started(const LpJob *job) {
    return job->outcome == LP_JOB_RUNNING || job->outcome == LP_JOB_COMPLETED;
}

/* Is a job worse off than it really was, as far as both futures know? */
static bool is_worse(const LpJob *real, const LpJob *other) {
    if (other->outcome == LP_JOB_DECIDING)
        return false;
    if (other->outcome == LP_JOB_BLOCKED)
        return real->outcome != LP_JOB_BLOCKED;
    if (!has_started(real))
        return false;
    return !has_started(other) || end_of(other) > end_of(real);
}

static void count_worse(const LpWorld *base, const LpWorld *other, LpBlame *trial) {
    uint32_t jobs = lp_world_jobs(base);
    if (lp_world_jobs(other) < jobs)
        jobs = lp_world_jobs(other);
    trial->worse = 0;
    trial->first_worse = LP_NO_INDEX;
    for (uint32_t i = 0; i < jobs; i++) {
        if (i == trial->job || i == trial->by ||
            !is_worse(lp_world_job(base, i), lp_world_job(other, i)))
            continue;
        if (trial->worse++ == 0)
            trial->first_worse = i;
    }
}

/* Is nothing more to be learnt of the job that is looked after? */
static bool is_known(const LpBlamer *b, const LpWorld *world) {
    uint32_t job = b->best.job;
    if (job >= lp_world_jobs(world))
        return false;
    const LpJob *j = lp_world_job(world, job);
    switch (b->best.trouble) {
    case LP_TROUBLE_LATE:
        return j->outcome == LP_JOB_COMPLETED || j->outcome == LP_JOB_BLOCKED ||
               lp_world_now(world) > lp_job_deadline(j);
    case LP_TROUBLE_WAITING:
        return settled(world, job) || lp_world_now(world) > b->best.time;
    case LP_TROUBLE_BLOCKED:
        break;
    }
    return settled(world, job);
}

/* Is its trouble over? */
static bool is_cured(const LpBlamer *b, const LpWorld *world) {
    uint32_t job = b->best.job;
    if (job >= lp_world_jobs(world) || !has_started(lp_world_job(world, job)))
        return false;
    const LpJob *j = lp_world_job(world, job);
    if (b->best.trouble == LP_TROUBLE_LATE)
        return j->outcome == LP_JOB_COMPLETED && j->times.end <= lp_job_deadline(j);
    return b->best.trouble == LP_TROUBLE_BLOCKED || j->times.start <= b->best.time;
}

/* Decides as the words of a fork say; what they cannot do is not taken. */
static LpErr take_words(LpBlamer *b, LpSession *probe, const char *words) {
    LpForkText fork;
    LpArena *arena = lp_arena_new(0);
    LpErr err = arena == NULL ? lp_fail_memory(b->diag, "what is to blame")
                              : lp_fork_parse(words, arena, &fork, b->diag);
    if (err == LP_OK)
        err = lp_fork_complete(probe, &fork, b->diag);
    if (err == LP_OK)
        err = lp_session_take(probe, &fork.spec, b->diag);
    lp_arena_free(arena);
    return err == LP_EREFUSED || err == LP_EINVAL ? LP_OK : err;
}

/* Gives the other decision; *taken: the job really starts, or waits, so. */
static LpErr decide(LpBlamer *b, LpSession *probe, const LpBlameChange *change, uint32_t by,
                    bool *taken) {
    LpEvent event;
    if (change->words != NULL) {
        LP_TRY(take_words(b, probe, change->words));
        *taken = has_started(lp_world_job(probe->world, by));
        return LP_OK;
    }
    LP_TRY(lp_session_answer(probe, change->answer, &event, b->diag));
    *taken =
        event.kind == (change->answer->kind == LP_ANSWER_WAIT ? LP_EVENT_WAIT : LP_EVENT_START);
    return LP_OK;
}

static LpErr play_on(LpBlamer *b, LpSession *probe, const LpBlameChange *change, LpBlame *trial,
                     bool *helps) {
    LpEvent event;
    bool wanted;
    LP_TRY(decide(b, probe, change, trial->by, &wanted));
    for (uint64_t i = 0;
         wanted && i < b->steps && !lp_world_over(probe->world) && !is_known(b, probe->world); i++)
        LP_TRY(lp_session_step(probe, &event, b->diag));
    if (!wanted || !is_cured(b, probe->world))
        return LP_OK;
    const LpJob *real = lp_world_job(b->base, trial->by);
    const LpJob *other = lp_world_job(probe->world, trial->by);
    trial->own_delay =
        has_started(other) && has_started(real) ? end_of(other) - end_of(real) : (double)NAN;
    count_worse(b->base, probe->world, trial);
    *helps = true;
    return LP_OK;
}

/* What the trial points to lives as long as the session. */
static LpErr keep(LpBlamer *b, LpBlame trial) {
    LpArena *arena = b->s->told.texts;
    if (trial.kind == LP_BLAME_BLOCK) {
        uint32_t *kept = lp_arena_alloc(arena, trial.servers, sizeof *kept);
        if (kept == NULL)
            return lp_fail_memory(b->diag, "what is to blame");
        memcpy(kept, trial.server, trial.servers * sizeof *kept);
        trial.server = kept;
    }
    if (trial.words != NULL) {
        trial.words = lp_arena_strdup(arena, trial.words);
        trial.was_so = lp_arena_strdup(arena, trial.was_so);
        trial.would_so = lp_arena_strdup(arena, trial.would_so);
        if (trial.words == NULL || trial.was_so == NULL || trial.would_so == NULL)
            return lp_fail_memory(b->diag, "what is to blame");
    }
    trial.replays = b->best.replays;
    memcpy(trial.tried, b->best.tried, sizeof trial.tried);
    b->best = trial;
    return LP_OK;
}

LpErr lp_blamer_try(LpBlamer *b, const LpBlameBefore *from, const LpBlameChange *change,
                    LpBlame trial) {
    LpSession *probe;
    bool helps = false;
    b->best.replays++;
    b->best.tried[trial.kind]++;
    LP_TRY(lp_probe_open(b->s, from->world, &probe, b->diag));
    LpErr err = play_on(b, probe, change, &trial, &helps);
    lp_probe_close(probe);
    LP_TRY(err);
    if (!helps || (b->best.kind != LP_BLAME_NOTHING && trial.worse >= b->best.worse))
        return LP_OK;
    return keep(b, trial);
}

bool lp_blamer_enough(const LpBlamer *b) {
    return b->best.replays >= LP_BLAME_REPLAYS ||
           (b->best.kind != LP_BLAME_NOTHING && b->best.worse == 0);
}
