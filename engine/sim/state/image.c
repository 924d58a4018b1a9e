/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world image: layout, growth, birth, clone. */
#include "sim/state/image.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/state/look.h"

enum {
    FIRST_JOBS = 64,
    FIRST_CACHE = 64,
    FIRST_CHANGES = 8,
    FIRST_NEEDS = 8,
    TIMERS_PER_JOB = 4,
    RETIRE_PART = 4
};

static size_t align(size_t at) {
    return (at + 15) & ~(size_t)15;
}

/* ---- layout ---- */

void lp_image_lay_out(LpImage *m) {
    size_t at = align(sizeof *m);
    m->endings_cap = m->shared ? m->jobs_cap : 0;
#if defined(LP_CHECKED)
    m->seen_cap = 1 + (uint64_t)m->servers + m->jobs_cap; /* lp_validate_marks */
#endif
#define X(pool, Type, size, used, room)                                                            \
    m->at_##pool = at;                                                                             \
    at = align(at + m->room * (size));
    LP_IMAGE_POOLS(X)
#undef X
    m->bytes = at;
}

/* Moves everything into a block with larger pools: `next` is the head with other capacities. */
static LpErr regrow(LpWorld *world, LpImage next) {
    LpImage *old = world->image;
    lp_image_lay_out(&next);
    LP_ASSERT(next.bytes >= old->bytes); /* pools only grow */
    LpImage *fresh = lp_alloc(next.bytes, 1);
    if (fresh == NULL)
        return LP_ENOMEM;
    *fresh = next;
#define X(pool, Type, size, used, room)                                                            \
    memcpy(lp_image_##pool(fresh), lp_image_##pool(old), old->used *(size));
    LP_IMAGE_POOLS(X)
#undef X
    if (next.jobs_cap != old->jobs_cap) /* the changes would lie at other places */
        fresh->known_from = fresh->mark;
    lp_free(old);
    world->image = fresh;
    return LP_OK;
}

/* How many of the oldest jobs have all ended: whole pages of them. */
static uint32_t ended_pages(LpImage *m) {
    const LpJob *jobs = lp_image_window(m);
    uint32_t ended = 0;
    while (ended < m->kept && jobs[ended].outcome >= LP_JOB_COMPLETED)
        ended++;
    return ended / LP_PAST_PAGE;
}

/* The oldest jobs go to the past, unless they are so few that moving the others up is not worth it.
 * Timers that they left mean nothing any more. */
static LpErr retire(LpWorld *world) {
    LpImage *m = world->image;
    LpJob *jobs = lp_image_window(m);
    uint32_t pages = ended_pages(m), done = 0;
    if (pages * LP_PAST_PAGE < m->kept / RETIRE_PART)
        return LP_OK;
    LpErr err = LP_OK;
    while (done < pages && err == LP_OK) {
        err = lp_past_append(&world->past, jobs + done * LP_PAST_PAGE, world->reader != NULL);
        done += err == LP_OK;
    }
    lp_timer_purge(m);
    m->kept -= done * LP_PAST_PAGE;
    uint32_t gone = done * LP_PAST_PAGE;
    memmove(jobs, jobs + gone, m->kept * sizeof *jobs);
    memmove(lp_image_marked(m), lp_image_marked(m) + gone, m->kept * sizeof(uint64_t));
    if (m->seen_cap > 0)
        memmove(lp_image_seen(m) + 1 + m->servers, lp_image_seen(m) + 1 + m->servers + gone,
                m->kept * sizeof(uint64_t));
    if (gone > 0)
        m->past_mark = m->mark;
    return err;
}

LpErr lp_image_reserve(LpWorld *world) {
    LpImage *m = world->image;
    if (m->kept == m->jobs_cap)
        LP_TRY(retire(world));
    bool jobs = m->kept + 1 > m->jobs_cap;
    bool cache = m->cache + 1 > m->cache_cap;
    bool needs = m->needs + 1 > m->needs_cap;
    bool timers = m->timers + TIMERS_PER_JOB > m->timers_cap;
    if (timers) { /* actions leave timers that mean nothing any more; growth only for live ones */
        lp_timer_purge(m);
        timers = 2 * m->timers > m->timers_cap;
    }
    if (!jobs && !timers && !cache && !needs)
        return LP_OK;
    LpImage next = *m;
    next.jobs_cap *= jobs ? 2 : 1;
    next.timers_cap *= timers ? 2 : 1;
    next.cache_cap *= cache ? 2 : 1;
    next.needs_cap *= needs ? 2 : 1;
    return regrow(world, next);
}

LpErr lp_image_reserve_change(LpWorld *world, uint32_t pairs) {
    LpImage *m = world->image, next = *m;
    uint64_t timers = m->timers + (m->tally.running + 1) * TIMERS_PER_JOB;
    while (next.timers_cap < timers)
        next.timers_cap *= 2;
    if (m->kept + 1 > m->jobs_cap)
        next.jobs_cap *= 2;
    if (m->changes + 1 > m->changes_cap)
        next.changes_cap = m->changes_cap > 0 ? 2 * m->changes_cap : FIRST_CHANGES;
    while (m->failed + pairs > next.failed_cap)
        next.failed_cap = next.failed_cap > 0 ? 2 * next.failed_cap : FIRST_CHANGES;
    bool same = next.timers_cap == m->timers_cap && next.jobs_cap == m->jobs_cap &&
                next.changes_cap == m->changes_cap && next.failed_cap == m->failed_cap;
    return same ? LP_OK : regrow(world, next);
}

LpErr lp_world_set_mem(LpWorld *world, const void *bytes, size_t len, LpDiag *diag) {
    LpImage *m = world->image;
    if (len > LP_POLICY_MEM)
        return lp_fail(diag, LP_ELIMIT, "self.mem takes %zu bytes, the limit is %d", len,
                       LP_POLICY_MEM);
    uint32_t cap = m->mem_cap;
    while (cap < len)
        cap = cap ? 2 * cap : 256;
    LpImage next = *m;
    next.mem_cap = cap;
    if (cap != m->mem_cap && regrow(world, next) != LP_OK)
        return lp_fail_memory(diag, "self.mem");
    world->image->mem = (uint32_t)len;
    if (len > 0)
        memcpy(lp_image_mem(world->image), bytes, len);
    lp_mark_world(world->image, len);
    return LP_OK;
}

const void *lp_world_mem(const LpWorld *world, size_t *len) {
    *len = world->image->mem;
    return lp_image_mem(world->image);
}

void lp_image_set_free(LpImage *m, const LpContext *context, uint32_t server, bool free) {
    LpRoom *room = lp_image_room(m);
    if (lp_room_has(room, server) == free)
        return;
    lp_room_set(room, server, free);
    lp_tree_add(context->fabric.cluster->tree, lp_image_node(m), server, free ? 1 : -1, 0);
}

/* ---- birth ---- */

/* The scenario's circuits. */
static void begin_circuits(LpImage *m, const LpContext *context) {
    const LpFirstLight *first = context->first;
    m->interval_at = m->light_at = (double)INFINITY;
    if (first == NULL)
        return;
    for (uint32_t p = 0; p < m->ports; p++)
        lp_image_port(m)[p] = 0;
    m->schedule = first->schedule;
    m->schedule_hash = first->hash;
    m->lit = first->lit;
    m->network = first->network;
    if (context->fabric.cluster->ocs.interval > 0)
        m->interval_at = context->fabric.cluster->ocs.interval;
}

static void first_state(LpImage *m, const LpContext *context) {
    const LpScenario *scenario = context->scenario;
    m->horizon = scenario->horizon;
    m->epsilon = lp_published(&scenario->options, LP_OPT_HORIZON) ? 1e-7 : 0;
    m->phase = LP_PHASE_ARRIVE;
    m->due = LP_NO_INDEX;
    m->free_servers = m->servers;
    m->first_waiting = m->last_waiting = m->first_running = m->last_running = LP_NO_INDEX;
    m->offer = m->extra = LP_NO_INDEX;
    m->conditions = (LpConditions){1, 1, 1, 1, 1};
    m->fifo = scenario->queue == LP_QUEUE_FIFO;
    m->policy_rng = lp_rng_stream(m->seed, "policy", 0);
    for (uint32_t s = 0; s < m->servers; s++)
        lp_image_server(m)[s] = (LpServer){LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX, 0, 0};
    for (uint32_t w = 0; w < m->waves; w++)
        lp_image_wave(m)[w] = LP_NO_INDEX;
    lp_room_init(lp_image_room(m), &context->fabric);
    for (uint32_t i = 0; i < m->nodes; i++)
        lp_image_node(m)[i] = (LpTreeCount){context->fabric.cluster->tree->size[i], 0};
    lp_image_need(m)[0] = (LpWaitedFor){0, 0, 0, 0};
    begin_circuits(m, context);
    lp_mark_world(m, m->seed);
    m->servers_mark = m->mark; /* all of them are new */
}

/* Covers: of servers; of ports; on pods of each cube, how many of its cables are dead, and how many
 * switches are, and where slices go on without them, of each switch, then of each cable. */
static uint32_t covers_of(const LpFabric *f) {
    uint32_t counts[LP_OUTAGE_COUNT];
    if (f->ops->circuits)
        return f->servers + f->cluster->ocs.ports;
    if (!f->ops->slices)
        return f->servers;
    lp_cluster_components(f->cluster, counts);
    return f->servers + f->cluster->pod.net.cubes + 1 +
           (f->cluster->pod.fault_tolerant ? counts[LP_OUTAGE_SWITCH] + counts[LP_OUTAGE_CABLE]
                                           : 0);
}

LpErr lp_world_new(const LpContext *context, uint64_t seed, LpWorld **out, LpDiag *diag) {
    const LpFabric *f = &context->fabric;
    LpImage head = {.seed = seed,
                    .servers = f->servers,
                    .room_bytes = lp_room_bytes(f),
                    .nodes = f->cluster->tree->nodes,
                    .jobs_cap = FIRST_JOBS,
                    .shared = f->network != NULL,
                    .timers_cap = FIRST_JOBS * TIMERS_PER_JOB,
                    .cache_cap = FIRST_CACHE,
                    .needs = 1,
                    .needs_cap = FIRST_NEEDS};
    bool waves =
        !lp_published(&context->scenario->options, LP_OPT_CIRCUITS) && f->ops->wavelengths(f) > 0;
    head.ports = context->circuits != NULL ? context->scenario->cluster.ocs.ports : 0;
    if (context->outages != NULL || context->scenario->answers || f->ops->slices)
        head.covers = covers_of(f);
    head.waves = waves ? f->ops->wavelengths(f) : 0;
    LP_TRY(lp_workload_size(context->scenario, &head.workload_bytes, diag));
    lp_image_lay_out(&head);
    LpWorld *world = lp_alloc(1, sizeof *world);
    LpImage *image = lp_alloc(head.bytes, 1);
    if (world == NULL || image == NULL) {
        lp_free(world);
        lp_free(image);
        return lp_fail_memory(diag, "a world");
    }
    *image = head;
    world->image = image;
    first_state(image, context);
    LpErr err = lp_workload_init(lp_image_workload(image), context->scenario, seed, diag);
    if (err != LP_OK) {
        lp_world_free(world);
        return err;
    }
    image->next_arrival = lp_workload_peek(lp_image_workload(image));
    *out = world;
    return LP_OK;
}

void lp_world_free(LpWorld *world) {
    if (world == NULL)
        return;
    lp_past_drop(world->past);
    lp_past_reader_free(world->reader);
    lp_free(world->image);
    lp_free(world);
}

LpErr lp_world_pack_past(LpWorld *world, LpDiag *diag) {
    if (lp_past_jobs(world->past) > 0)
        return lp_fail(diag, LP_ESTATE, "a world whose past is not packed cannot begin to pack it");
    if (world->reader == NULL && (world->reader = lp_past_reader_new()) == NULL)
        return lp_fail_memory(diag, "a world");
    return LP_OK;
}

/* Pages that were open are forgotten: others may come to lie at their addresses. */
static LpErr share_past(LpWorld *to, const LpWorld *from) {
    lp_past_drop(to->past);
    lp_past_reader_free(to->reader);
    to->past = lp_past_share(from->past);
    to->reader = from->reader != NULL ? lp_past_reader_new() : NULL;
    return from->reader == NULL || to->reader != NULL ? LP_OK : LP_ENOMEM;
}

LpWorld *lp_world_clone(const LpWorld *world, LpWorld *recycled) {
    LpWorld *to = recycled != NULL ? recycled : lp_alloc(1, sizeof *to);
    size_t bytes = world->image->bytes;
    if (to == NULL)
        return NULL;
    if (to->image == NULL || to->image->bytes < bytes) {
        lp_free(to->image);
        to->image = lp_alloc(bytes, 1);
    }
    if (to->image == NULL || share_past(to, world) != LP_OK) {
        lp_world_free(to);
        return NULL;
    }
    memcpy(to->image, world->image, bytes);
    to->asks = false;
    return to;
}

LpWorld *lp_world_look(const LpWorld *world, double time, LpWorld *recycled) {
    LpWorld *to = lp_world_clone(world, recycled);
    if (to != NULL && time > to->image->now) {
        to->image->now = time;
        lp_mark_world(to->image, 0);
    }
    return to;
}

size_t lp_world_bytes(const LpWorld *world) {
    return world->image->bytes;
}

/* ---- memory ahead of its use ---- */

enum { LINE = 64, FETCH_JOBS = 6 };

static void fetch(const void *from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch((const char *)from + at);
}

void lp_world_fetch(const LpWorld *world, bool late) {
    LpImage *m = world->image;
    if (!late) {
        size_t near = sizeof *m + m->servers * sizeof(LpServer) + m->room_bytes;
        fetch(m, near < 4096 ? near : 4096);
        fetch(lp_image_timer(m), FETCH_JOBS * sizeof(LpTimer));
        return;
    }
    const LpTimer *timer = lp_image_timer(m);
    fetch(lp_image_workload(m), m->workload_bytes < 1024 ? m->workload_bytes : 1024);
    for (uint32_t t = 0; t < m->timers && t < FETCH_JOBS; t++) {
        uint32_t id = timer[t].job;
        if (id >= m->jobs || lp_image_past(m, id))
            continue;
        const LpJob *job = lp_image_job(m, id);
        if (t == 0) /* the first that ends */
            fetch(job, sizeof *job);
        else /* what is looked at of all that run */
            __builtin_prefetch(&job->times.forecast_end), __builtin_prefetch(&job->queue),
                __builtin_prefetch(&job->placed.servers);
    }
    if (m->kept > 0) /* the due one, and the room of the next one */
        fetch(lp_image_job(m, m->jobs - 1),
              m->kept < m->jobs_cap ? 2 * sizeof(LpJob) : sizeof(LpJob));
}
