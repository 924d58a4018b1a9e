/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read access to a world. */
#include <math.h>

#include "sim/state/image.h"
#include "sim/store/family.h"

#include "base/assert.h"

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
    LP_ASSERT(outcome <= LP_JOB_UNFINISHED);
    static const char *const names[] = {
        [LP_JOB_DECIDING] = "deciding", [LP_JOB_WAITING] = "waiting",
        [LP_JOB_RUNNING] = "running",   [LP_JOB_COMPLETED] = "completed",
        [LP_JOB_BLOCKED] = "blocked",   [LP_JOB_UNFINISHED] = "unfinished"};
    return names[outcome];
}

const char *lp_event_name(LpEventKind kind) {
    LP_ASSERT(kind < LP_EVENT_COUNT);
    static const char *const names[LP_EVENT_COUNT] = {[LP_EVENT_NONE] = "none",
                                                      [LP_EVENT_ARRIVAL] = "arrival",
                                                      [LP_EVENT_OFFER] = "offer",
                                                      [LP_EVENT_COMPLETION] = "completion",
                                                      [LP_EVENT_EXPIRY] = "expiry",
                                                      [LP_EVENT_START] = "start",
                                                      [LP_EVENT_WAIT] = "wait",
                                                      [LP_EVENT_BLOCK] = "block",
                                                      [LP_EVENT_ROUND] = "round",
                                                      [LP_EVENT_PREEMPT] = "preempt",
                                                      [LP_EVENT_MOVE] = "move",
                                                      [LP_EVENT_WAKE] = "wake",
                                                      [LP_EVENT_CONDITION] = "condition",
                                                      [LP_EVENT_CONFIGURE] = "configure",
                                                      [LP_EVENT_LIT] = "lit",
                                                      [LP_EVENT_INTERVAL] = "interval",
                                                      [LP_EVENT_HORIZON] = "horizon"};
    return names[kind];
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

uint64_t lp_world_seed(const LpWorld *world) {
    return world->image->seed;
}

uint32_t lp_world_jobs(const LpWorld *world) {
    return world->image->jobs;
}

const LpJob *lp_world_job(const LpWorld *world, uint32_t id) {
    LP_ASSERT(id < world->image->jobs);
    return &lp_image_job(world->image)[id];
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
    return lp_image_job(world->image)[job].next;
}

uint32_t lp_world_first_running(const LpWorld *world) {
    return world->image->first_running;
}

uint32_t lp_world_next_running(const LpWorld *world, uint32_t job) {
    LP_ASSERT(job < world->image->jobs);
    return lp_image_job(world->image)[job].next;
}

void lp_world_reseed(LpWorld *world, uint64_t seed) {
    lp_workload_reseed(lp_image_workload(world->image), seed);
    world->image->policy_rng = lp_rng_stream(seed, "policy", 0);
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
    if (isnan(j->start) || !(j->step_time > 0))
        return 0;
    double run = j->outcome == LP_JOB_RUNNING && j->dark == LP_JOB_LIT
                     ? world->image->now - j->running_since
                     : 0;
    double part = j->part_step + (run > 0 ? run / j->step_time : 0);
    double done = (j->steps_done + part) / j->steps;
    return done < 1 ? done : 1;
}

double lp_job_deadline(const LpJob *job) {
    return job->arrival + job->max_jct;
}

/* ---- contexts ---- */

const LpContext *lp_world_context(const LpWorld *world, const LpContext *context) {
    const LpImage *m = world->image;
    return context->circuits != NULL ? lp_context_lit(context, m->network)
                                     : lp_context_at(context, m->scales);
}

const LpContext *lp_job_context(const LpJob *job, const LpContext *context) {
    return context->circuits != NULL ? lp_context_lit(context, job->network)
                                     : lp_context_at(context, job->scales);
}
