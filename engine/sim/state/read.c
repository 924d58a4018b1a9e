/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read access to a world. */
#include <math.h>

#include "sim/state/image.h"
#include "sim/store/family.h"

#include "base/assert.h"

/* Rounding may tell from now what is due. */
#define SLACK 1e-12

/* Checkpoints between pieces of the work that is left: the last piece has none. */
static double checkpoints_left(const LpJob *job) {
    if (!(job->pieces.interval > 0))
        return 0;
    double pieces =
        ceil((job->asked.rigid_duration - job->pieces.saved) / job->pieces.interval * (1 - SLACK));
    return pieces > 1 ? pieces - 1 : 0;
}

double lp_job_run_time(const LpJob *job) {
    return (job->asked.rigid_duration - job->pieces.saved - job->pieces.work_begun) *
               (1 + job->slice.drag) +
           checkpoints_left(job) * job->pieces.cost - job->pieces.checkpoint_paid;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Work from the beginning of the piece that the stretch began in, after `run` s of it as if all had
 * been at this pace. */
static void work_in_pieces(const LpJob *job, double run, double slack, LpStretch *s) {
    double piece = job->pieces.interval * (1 + job->slice.drag), left = checkpoints_left(job);
    double ended = job->pieces.interval > 0 ? floor((run + slack) / (piece + job->pieces.cost)) : 0;
    ended = least(ended, left);
    double rest = run - ended * (piece + job->pieces.cost);
    rest = rest > 0 ? rest : 0;
    s->paid = ended < left && rest > piece ? rest - piece : 0;
    s->kept = ended * job->pieces.interval;
    s->checkpoint = ended * job->pieces.cost + s->paid;
    *(job->pieces.interval > 0 ? &s->open : &s->kept) +=
        s->paid > 0 ? job->pieces.interval : rest / (1 + job->slice.drag);
}

/* What was done at earlier paces is in the accounts already, but for the work that is open. */
LpStretch lp_job_stretch(const LpJob *job, double now) {
    if (job->light.dark == LP_JOB_HELD)
        return (LpStretch){0};
    double held = now - job->pieces.mounted, run = now - job->times.running_since;
    LpStretch s = {.settle = least(held, job->pieces.settle_now),
                   .open = job->pieces.work_begun,
                   .paid = job->pieces.checkpoint_paid};
    s.restart = least(held - s.settle, job->pieces.restart_now);
    if (!(run > 0))
        return s;
    s.open = 0;
    if (now >= job->times.forecast_end * (1 - SLACK)) { /* it is done */
        s.kept = job->asked.rigid_duration - job->pieces.saved;
        s.checkpoint = checkpoints_left(job) * job->pieces.cost;
    } else {
        run += job->pieces.work_begun * (1 + job->slice.drag) + job->pieces.checkpoint_paid;
        work_in_pieces(job, run, now * SLACK, &s);
    }
    s.checkpoint -= job->pieces.checkpoint_paid;
    s.slow = (s.kept + s.open - job->pieces.work_begun) * job->slice.drag;
    return s;
}

const char *lp_wait_code(LpWaitFor wait) {
    static const char *const codes[] = {
#define X(id, code) code,
        LP_WAIT_TABLE(X)
#undef X
    };
    LP_ASSERT(wait < LP_WAIT_COUNT);
    return codes[wait];
}

const char *lp_outcome_name(LpOutcome outcome) {
    LP_ASSERT(outcome < LP_JOB_OUTCOMES);
    static const char *const names[] = {
        [LP_JOB_DECIDING] = "deciding", [LP_JOB_WAITING] = "waiting",
        [LP_JOB_RUNNING] = "running",   [LP_JOB_COMPLETED] = "completed",
        [LP_JOB_BLOCKED] = "blocked",   [LP_JOB_UNFINISHED] = "unfinished",
        [LP_JOB_ABORTED] = "aborted",   [LP_JOB_KILLED] = "killed"};
    return names[outcome];
}

uint32_t lp_world_due(const LpWorld *world) {
    return world->image->due;
}

double lp_world_now(const LpWorld *world) {
    return world->image->now;
}

bool lp_world_over(const LpWorld *world) {
    return world->image->phase == LP_PHASE_OVER;
}

LpStuck lp_world_stuck(const LpWorld *world) {
    return (LpStuck)world->image->stuck;
}

uint64_t lp_world_seed(const LpWorld *world) {
    return world->image->seed;
}

uint32_t lp_world_jobs(const LpWorld *world) {
    return world->image->jobs;
}

const LpJob *lp_world_job(const LpWorld *world, uint32_t id) {
    LP_ASSERT(id < world->image->jobs);
    LpImage *m = world->image;
    return lp_image_past(m, id) ? lp_past_job(world->past, world->reader, id) : lp_image_job(m, id);
}

uint32_t lp_world_servers(const LpWorld *world) {
    return world->image->servers;
}

const LpServer *lp_world_server(const LpWorld *world, uint32_t server) {
    LP_ASSERT(server < world->image->servers);
    return &lp_image_server(world->image)[server];
}

const LpTally *lp_world_tally(const LpWorld *world) {
    return &world->image->tally;
}

const LpPublishedSums *lp_world_published(const LpWorld *world) {
    return &world->image->published;
}

uint32_t lp_world_first_waiting(const LpWorld *world) {
    return world->image->first_waiting;
}

uint32_t lp_world_next_waiting(const LpWorld *world, uint32_t job) {
    LP_ASSERT(job < world->image->jobs);
    return lp_world_job(world, job)->queue.next;
}

uint32_t lp_world_first_running(const LpWorld *world) {
    return world->image->first_running;
}

uint32_t lp_world_next_running(const LpWorld *world, uint32_t job) {
    LP_ASSERT(job < world->image->jobs);
    return lp_world_job(world, job)->queue.next;
}

uint32_t lp_world_oldest(const LpWorld *world) {
    return world->image->jobs - world->image->kept;
}

void lp_world_reseed(LpWorld *world, uint64_t seed) {
    lp_workload_reseed(lp_image_workload(world->image), seed);
    world->image->policy_rng = lp_rng_stream(seed, "policy", 0);
    lp_mark_world(world->image, seed);
}

LpRng *lp_world_policy_rng(LpWorld *world) {
    return &world->image->policy_rng;
}

const LpRng *lp_world_rng(const LpWorld *world) {
    return &world->image->policy_rng;
}

uint32_t lp_world_free_servers(const LpWorld *world) {
    return world->image->free_servers;
}

uint32_t lp_world_seen_busy(const LpWorld *world) {
    return world->image->seen_busy;
}

const LpTreeCount *lp_world_nodes(const LpWorld *world) {
    return lp_image_node(world->image);
}

const LpRoom *lp_world_room(const LpWorld *world) {
    return lp_image_room(world->image);
}

bool lp_world_server_free(const LpWorld *world, uint32_t server) {
    LP_ASSERT(server < world->image->servers);
    const LpServer *s = &lp_image_server(world->image)[server];
    return s->job == LP_NO_INDEX && s->state == 0;
}

double lp_world_progress(const LpWorld *world, uint32_t job) {
    const LpJob *j = lp_world_job(world, job);
    if (j->outcome == LP_JOB_COMPLETED)
        return 1;
    if (isnan(j->times.start) || !(j->forecast.step_time > 0))
        return 0;
    if (j->slice.drag > 0) { /* its pace is not that of its step */
        LpStretch s = lp_job_stretch(j, world->image->now);
        return (j->pieces.saved + s.kept + s.open) / j->asked.rigid_duration;
    }
    double run = j->outcome == LP_JOB_RUNNING && j->light.dark == LP_JOB_LIT
                     ? world->image->now - j->times.running_since
                     : 0;
    double part = j->sharing.part_step + (run > 0 ? run / j->forecast.step_time : 0);
    double done = (j->work.steps_done + part) / j->asked.steps;
    return done < 1 ? done : 1;
}

double lp_job_deadline(const LpJob *job) {
    return job->asked.arrival + job->asked.max_jct;
}

/* ---- contexts ---- */

const LpContext *lp_world_context(const LpWorld *world, const LpContext *context) {
    return lp_context_of(context, world->image->scales, world->image->network);
}

const LpContext *lp_job_context(const LpJob *job, const LpContext *context) {
    return lp_context_of(context, job->placed.scales, job->light.network);
}
