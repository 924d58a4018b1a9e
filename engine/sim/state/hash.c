/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash of a world. */
#include "base/hash.h"
#include "sim/state/image_members.h"
#include "sim/state/job_members.h"

/* Up to this many events in vain (sim/state/vain.h) are common while something is being mended, and
 * were not counted in the hashes that are on record. */
enum { VAIN_SEEN = 1000 };

/* A list's index depends on what else the store holds; its content is in the plan's hash. */
static uint32_t rule_or_list(uint32_t order) {
    return order < LP_ORDER_COUNT ? order : LP_ORDER_COUNT;
}

/* Straight code of the groups of job_members.h. */
#define REAL(member, range) h = lp_hash_f64(h, j->member);
#define WHOLE(member) h = lp_hash_u64(h, (uint64_t)j->member);
#define IS_SET(member, range) || j->member != 0

static uint64_t hash_slice(uint64_t h, const LpJob *j) {
    h = lp_hash_u64(h, (uint64_t)j->slice.row << 32 | j->queue.waits_for);
    if (j->slice.shape > 0)
        h = lp_hash_u64(h, j->slice.shape);
    h = lp_hash_f64(h, j->queue.waits_since);
    for (int w = 0; w < LP_WAIT_COUNT; w++)
        h = lp_hash_f64(h, j->queue.waited[w]);
    LP_JOB_PIECES(REAL)
    h = lp_hash_u64(h, j->stops.answering);
    if (false LP_JOB_PACE(IS_SET)) {
        LP_JOB_PACE(REAL)
        h = lp_hash_f64(h, j->slice.shared_part);
    }
    return h;
}

static uint64_t hash_job(uint64_t h, const LpJob *j) {
    LP_JOB_REALS(REAL)
    LP_JOB_KINDS(WHOLE)
    h = lp_hash_u64(h, rule_or_list(j->placed.orders.ops));
    h = lp_hash_u64(h, rule_or_list(j->placed.orders.flows));
    LP_JOB_COUNTS(WHOLE)
    if (j->stops.count > 0) {
        LP_JOB_STOPPED(WHOLE)
    }
    if (j->light.dark == LP_JOB_HELD LP_JOB_HELD_UP(IS_SET)) {
        h = lp_hash_u64(h, j->light.dark);
        LP_JOB_HELD_UP(REAL)
    }
    if (lp_job_in_pieces(j))
        h = hash_slice(h, j);
    if (j->sharing.load == LP_NO_INDEX)
        return h;
    LP_JOB_SHARED(REAL)
    h = lp_hash_f64(h, j->sharing.paces);
    if (j->sharing.phase > 0 || j->sharing.partners > 0 LP_JOB_PHASE(IS_SET)) {
        LP_JOB_PHASE(REAL)
        h = lp_hash_u64(h, (uint64_t)j->sharing.phase << 32 | j->sharing.partners);
    }
    return h;
}

static uint64_t hash_job_light(uint64_t h, const LpJob *j) {
    LP_JOB_SHARED(REAL)
    LP_JOB_LIGHT_SUMS(REAL)
    return lp_hash_u64(h, (uint64_t)j->sharing.paces << 32 | j->light.dark);
}

/* ---- the head and its sums ---- */

#undef REAL
#undef WHOLE
#define REAL(member) h = lp_hash_f64(h, m->member);
#define WHOLE(member) h = lp_hash_u64(h, m->member);
#define AREA(member) h = lp_hash_f64(h, m->tally.member);
#define SUM(member) h = lp_hash_f64(h, m->published.member);

static uint64_t hash_head(const LpImage *m) {
    uint64_t h = LP_HASH_INIT;
    LP_HEAD_REALS(REAL)
    LP_TALLY_AREAS(AREA)
    LP_HEAD_COUNTS(WHOLE)
    for (size_t i = 0; i < LP_COUNTOF(m->policy_rng.s); i++)
        h = lp_hash_u64(h, m->policy_rng.s[i]);
    LP_PUBLISHED_SUMS(SUM)
    return h;
}

/* Times that a policy asked to be woken at, whatever their order in the heap; other timers follow
 * from the jobs. */
static uint64_t hash_wakes(LpImage *m) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->timers; i++)
        if (lp_image_timer(m)[i].kind == LP_TIMER_WAKE)
            sum += lp_hash_f64(LP_HASH_INIT, lp_image_timer(m)[i].time);
    return sum;
}

/* Changes say all about the scales in force and broken circuits. Nothing without any. */
static uint64_t hash_changes(uint64_t h, LpImage *m) {
    for (uint32_t i = 0; i < m->changes; i++) {
        const LpChange *c = &lp_image_change(m)[i];
        const double reals[] = {c->condition.value, c->condition.other, c->condition.steps,
                                c->condition.fraction, c->time};
        const uint64_t whole[] = {c->condition.kind, c->serial, c->stopped};
        for (size_t k = 0; k < LP_COUNTOF(reals); k++)
            h = lp_hash_f64(h, reals[k]);
        for (size_t k = 0; k < LP_COUNTOF(whole); k++)
            h = lp_hash_u64(h, whole[k]);
    }
    return m->changes > 0 ? lp_hash_u64(h, m->extra) : h;
}

static uint64_t hash_circuits(const LpWorld *world, uint64_t h) {
    LpImage *m = world->image;
    if (m->ports == 0)
        return h;
    h = lp_hash_u64(h, m->schedule_hash);
    h = lp_hash_f64(h, m->light_at);
    h = lp_hash_f64(h, m->interval_at);
    h = lp_hash_u64(h, m->reconfigurations);
    for (uint32_t p = 0; p < m->ports; p++)
        h = lp_hash_f64(h, lp_image_port(m)[p]);
    for (uint32_t j = 0; j < m->jobs; j++)
        h = hash_job_light(h, lp_world_job(world, j));
    return h;
}

/* Store indices are left out: plan_hash says what they mean. */
uint64_t lp_world_hash(const LpWorld *world) {
    LpImage *m = world->image;
    uint64_t h = hash_head(m);
    h = lp_hash_u64(h, lp_workload_hash(lp_image_workload(m)));
    for (uint32_t s = 0; s < m->servers; s++) {
        const LpServer *server = &lp_image_server(m)[s];
        h = lp_hash_u64(h, ((uint64_t)server->job << 32) | server->next);
        h = lp_hash_u64(h, ((uint64_t)server->last_job << 32) | server->state);
        h = lp_hash_f64(h, server->since);
    }
    for (uint32_t w = 0; w < m->waves; w++)
        h = lp_hash_u64(h, lp_image_wave(m)[w]);
    for (uint32_t c = 0; c < m->cache; c++) {
        const LpCachedStep *cached = &lp_image_cache(m)[c];
        h = lp_hash_u64(h, ((uint64_t)(uint32_t)cached->graph << 32) | cached->degree);
        h = lp_hash_u64(h, cached->hash);
        h = lp_hash_f64(h, cached->steps);
    }
    h = lp_hash_u64(h, hash_wakes(m));
    if (m->quiet > 0)
        h = lp_hash_u64(h, m->quiet);
    if (m->vain >= VAIN_SEEN)
        h = lp_hash_u64(h, m->vain);
    h = lp_hash_bytes(h, lp_image_mem(m), m->mem);
    h = hash_changes(h, m);
    if (m->fault > 0)
        h = lp_hash_u64(h, m->fault);
    for (uint32_t j = 0; j < m->jobs; j++)
        h = hash_job(h, lp_world_job(world, j));
    return hash_circuits(world, h);
}
