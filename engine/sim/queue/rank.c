/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/queue/rank.h"

#include <math.h>

#include "base/assert.h"
#include "sim/queue/queue.h"

static bool in_queue(const LpJob *job) {
    return !isnan(job->times.waiting_since);
}

LpErr lp_world_rank(LpWorld *world, uint32_t id, double key, uint32_t rule, LpDiag *diag) {
    LpImage *m = world->image;
    if (id >= m->jobs || lp_image_past(m, id))
        return lp_fail(diag, LP_ERANGE, "no job %u waits or is to be decided", id);
    LpJob *job = lp_image_job(m, id);
    bool waits = job->outcome == LP_JOB_WAITING;
    if (!waits && job->outcome != LP_JOB_DECIDING)
        return lp_fail(diag, LP_EINVAL, "job %u neither waits nor is to be decided", id);
    if (isnan(key))
        return lp_fail(diag, LP_EINVAL, "the key of job %u is no number", id);
    lp_queue_unlist(m, job);
    m->unranked -= in_queue(job) && !job->queue.ranked;
    m->queue_rule = rule;
    job->queue.ranked = 1;
    job->queue.key = key;
    job->queue.entry = id;
    if (waits)
        lp_queue_list(m, job);
    lp_mark_world(m, id);
    return LP_OK;
}

uint64_t lp_world_declared_by(const LpWorld *world) {
    return world->image->declared_by;
}

void lp_world_forget_ranks(LpWorld *world, uint64_t policy) {
    LpImage *m = world->image;
    m->declared_by = policy;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LpJob *job = lp_image_job(m, id);
        lp_queue_unlist(m, job);
        m->unranked += job->queue.ranked;
        lp_queue_clear(job);
        job->queue.entry = m->fifo ? id : m->entries++;
        if (job->outcome == LP_JOB_WAITING)
            lp_queue_list(m, job);
    }
    m->queue_rule = 0;
    lp_mark_world(m, policy);
}

uint32_t lp_world_unranked(const LpWorld *world) {
    LpImage *m = world->image;
    if (m->unranked == 0)
        return LP_NO_INDEX;
    for (uint32_t id = m->last_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.prev)
        if (lp_image_job(m, id)->outcome == LP_JOB_WAITING && !lp_image_job(m, id)->queue.ranked)
            return id;
    return LP_NO_INDEX;
}

bool lp_world_is_ranked(const LpWorld *world, uint32_t job) {
    return !lp_image_past(world->image, job) && lp_image_job(world->image, job)->queue.ranked;
}

bool lp_world_any_declared(const LpWorld *world) {
    return world->image->declared > 0 || world->image->queue_rule != 0;
}

uint32_t lp_world_bound_by(const LpWorld *world, uint32_t id) {
    LpImage *m = world->image;
    const LpJob *job = lp_image_job(m, id);
    if (!(m->queue_rule & LP_QUEUE_BLOCKS) || !job->queue.ranked)
        return LP_NO_INDEX;
    uint32_t first = lp_queue_first(m, id);
    if (first == LP_NO_INDEX)
        return LP_NO_INDEX;
    const LpJob *other = lp_image_job(m, first);
    bool binds = m->queue_rule & LP_QUEUE_TIES ? other->queue.key < job->queue.key
                                               : lp_queue_earlier(other, job);
    return binds ? first : LP_NO_INDEX;
}

bool lp_world_is_offered(const LpWorld *world, uint32_t job) {
    return lp_image_job(world->image, job)->queue.listed == LP_LISTED;
}

bool lp_world_need_fits(const LpWorld *world, const LpContext *context, uint32_t servers) {
    return lp_queue_fits(world->image, lp_world_context(world, context), servers);
}

void lp_world_set_queue_rule(LpWorld *world, uint32_t rule) {
    world->image->queue_rule = rule;
    lp_mark_world(world->image, rule);
}

uint32_t lp_world_queue_rule(const LpWorld *world) {
    return world->image->queue_rule;
}

uint32_t lp_world_first_in_queue(const LpWorld *world, uint32_t except) {
    return lp_queue_first(world->image, except);
}
