/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world image: layout, growth, clone, hash, and read access. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/light/circuits_impl.h"
#include "sim/store/impl.h"
#include "sim/world_impl.h"

enum { FIRST_JOBS = 64, FIRST_CACHE = 64, FIRST_CHANGES = 8, TIMERS_PER_JOB = 4 };

static size_t align(size_t at) {
    return (at + 15) & ~(size_t)15;
}

/* ---- layout ---- */

static void lay_out(LpImage *m) {
    m->at_servers = align(sizeof *m);
    m->at_workload = align(m->at_servers + m->servers * sizeof(LpServer));
    m->at_waves = align(m->at_workload + m->workload_bytes);
    m->at_ports = align(m->at_waves + m->waves * sizeof(uint32_t));
    m->at_jobs = align(m->at_ports + m->ports * sizeof(double));
    m->at_timers = align(m->at_jobs + m->jobs_cap * sizeof(LpJob));
    m->at_cache = align(m->at_timers + m->timers_cap * sizeof(LpTimer));
    m->at_mem = align(m->at_cache + m->cache_cap * sizeof(LpCachedStep));
    m->at_changes = align(m->at_mem + m->mem_cap);
    m->at_failed = align(m->at_changes + m->changes_cap * sizeof(LpChange));
    m->bytes = align(m->at_failed + m->failed_cap * sizeof(LpFailed));
}

/* Moves everything into a block with larger pools: `next` is the head with other capacities. */
static LpErr regrow(LpWorld *world, LpImage next) {
    LpImage *old = world->image;
    lay_out(&next);
    LpImage *fresh = lp_alloc(next.bytes, 1);
    if (fresh == NULL)
        return LP_ENOMEM;
    *fresh = next;
    memcpy(lp_image_server(fresh), lp_image_server(old), old->servers * sizeof(LpServer));
    memcpy(lp_image_workload(fresh), lp_image_workload(old), old->workload_bytes);
    memcpy(lp_image_wave(fresh), lp_image_wave(old), old->waves * sizeof(uint32_t));
    memcpy(lp_image_port(fresh), lp_image_port(old), old->ports * sizeof(double));
    memcpy(lp_image_job(fresh), lp_image_job(old), old->jobs * sizeof(LpJob));
    memcpy(lp_image_timer(fresh), lp_image_timer(old), old->timers * sizeof(LpTimer));
    memcpy(lp_image_cache(fresh), lp_image_cache(old), old->cache * sizeof(LpCachedStep));
    memcpy(lp_image_mem(fresh), lp_image_mem(old), old->mem);
    memcpy(lp_image_change(fresh), lp_image_change(old), old->changes * sizeof(LpChange));
    memcpy(lp_image_failed(fresh), lp_image_failed(old), old->failed * sizeof(LpFailed));
    lp_free(old);
    world->image = fresh;
    return LP_OK;
}

LpErr lp_image_reserve(LpWorld *world) {
    LpImage *m = world->image;
    bool jobs = m->jobs + 1 > m->jobs_cap;
    bool cache = m->cache + 1 > m->cache_cap;
    bool timers = m->timers + TIMERS_PER_JOB > m->timers_cap;
    if (timers) { /* actions leave timers that mean nothing any more; growth only for live ones */
        lp_timer_purge(m);
        timers = 2 * m->timers > m->timers_cap;
    }
    if (!jobs && !timers && !cache)
        return LP_OK;
    LpImage next = *m;
    next.jobs_cap *= jobs ? 2 : 1;
    next.timers_cap *= timers ? 2 : 1;
    next.cache_cap *= cache ? 2 : 1;
    return regrow(world, next);
}

LpErr lp_image_reserve_change(LpWorld *world) {
    LpImage *m = world->image, next = *m;
    uint64_t timers = m->timers + (m->tally.running + 1) * TIMERS_PER_JOB;
    while (next.timers_cap < timers)
        next.timers_cap *= 2;
    if (m->jobs + 1 > m->jobs_cap)
        next.jobs_cap *= 2;
    if (m->changes + 1 > m->changes_cap)
        next.changes_cap = m->changes_cap > 0 ? 2 * m->changes_cap : FIRST_CHANGES;
    if (m->failed + 1 > m->failed_cap)
        next.failed_cap = m->failed_cap > 0 ? 2 * m->failed_cap : FIRST_CHANGES;
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
    return LP_OK;
}

const void *lp_world_mem(const LpWorld *world, size_t *len) {
    *len = world->image->mem;
    return lp_image_mem(world->image);
}

/* ---- birth ---- */

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
    m->shared = context->fabric.network != NULL;
    m->policy_rng = lp_rng_stream(m->seed, "policy", 0);
    for (uint32_t s = 0; s < m->servers; s++)
        lp_image_server(m)[s] = (LpServer){LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX, 0, 0};
    for (uint32_t w = 0; w < m->waves; w++)
        lp_image_wave(m)[w] = LP_NO_INDEX;
    lp_circuits_begin(m, context);
}

LpErr lp_world_new(const LpContext *context, uint64_t seed, LpWorld **out, LpDiag *diag) {
    const LpFabric *f = &context->fabric;
    LpImage head = {.seed = seed,
                    .servers = f->servers,
                    .jobs_cap = FIRST_JOBS,
                    .timers_cap = FIRST_JOBS * TIMERS_PER_JOB,
                    .cache_cap = FIRST_CACHE};
    bool waves =
        !lp_published(&context->scenario->options, LP_OPT_CIRCUITS) && f->ops->wavelengths(f) > 0;
    head.ports = context->circuits != NULL ? context->scenario->cluster.ocs.ports : 0;
    head.waves = waves ? f->ops->wavelengths(f) : 0;
    LP_TRY(lp_workload_size(context->scenario, &head.workload_bytes, diag));
    lay_out(&head);
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
    lp_free(world->image);
    lp_free(world);
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
    if (to->image == NULL) {
        lp_world_free(to);
        return NULL;
    }
    memcpy(to->image, world->image, bytes);
    return to;
}

size_t lp_world_bytes(const LpWorld *world) {
    return world->image->bytes;
}

/* ---- hash ---- */

/* A list's index depends on what else the store holds; its content is in the plan's hash. */
static uint32_t rule_or_list(uint32_t order) {
    return order < LP_ORDER_COUNT ? order : LP_ORDER_COUNT;
}

static uint64_t hash_job(uint64_t h, const LpJob *j) {
    const double reals[] = {
        j->arrival,       j->steps,          j->fraction,      j->sequential_jct,
        j->max_jct,       j->rigid_duration, j->decided,       j->start,
        j->end,           j->wait,           j->retry_at,      j->forecast_end,
        j->jct,           j->step_time,      j->communication, j->computation,
        j->exposed,       j->busy_area,      j->light_area,    j->worker_utilisation,
        j->flow_bytes,    j->part_memory,    j->part_deps,     j->part_sequential,
        j->waiting_since, j->running_since,  j->steps_done,    j->attained,
        j->held_area,     j->stalled,        j->past_busy};
    const uint64_t whole[] = {j->id,
                              (uint64_t)(int64_t)j->graph,
                              j->outcome,
                              j->cause,
                              j->kind,
                              rule_or_list(j->orders.ops),
                              rule_or_list(j->orders.flows),
                              j->offers,
                              j->spec,
                              j->degree,
                              j->partition_degree,
                              j->ops,
                              j->deps,
                              j->servers,
                              j->circuits,
                              j->first_server,
                              j->peak_circuits,
                              j->rank,
                              j->ticks,
                              j->plan_hash,
                              j->rigid_servers,
                              j->next,
                              j->prev,
                              j->offer_next,
                              j->held,
                              j->preemptions,
                              j->moves};
    for (size_t i = 0; i < LP_COUNTOF(reals); i++)
        h = lp_hash_f64(h, reals[i]);
    for (size_t i = 0; i < LP_COUNTOF(whole); i++)
        h = lp_hash_u64(h, whole[i]);
    if (j->stops > 0)
        h = lp_hash_u64(lp_hash_u64(h, j->stops), j->stopped);
    if (j->load == LP_NO_INDEX)
        return h;
    const double shared[] = {j->rate, j->part_step, j->sent, j->sent_exposed, j->paces};
    for (size_t i = 0; i < LP_COUNTOF(shared); i++)
        h = lp_hash_f64(h, shared[i]);
    return h;
}

static uint64_t hash_head(const LpImage *m) {
    const double reals[] = {m->now,
                            m->horizon,
                            m->next_arrival,
                            m->tally.reserved_area,
                            m->tally.running_area,
                            m->tally.waiting_area};
    const uint64_t whole[] = {m->seed,
                              m->servers,
                              m->jobs,
                              m->phase,
                              m->due,
                              m->free_servers,
                              m->seen_busy,
                              m->first_waiting,
                              m->last_waiting,
                              m->first_running,
                              m->last_running,
                              m->offer,
                              m->completed_now,
                              m->serial,
                              m->ranks,
                              m->policy_rng.s[0],
                              m->policy_rng.s[1],
                              m->policy_rng.s[2],
                              m->policy_rng.s[3]};
    uint64_t h = LP_HASH_INIT;
    for (size_t i = 0; i < LP_COUNTOF(reals); i++)
        h = lp_hash_f64(h, reals[i]);
    for (size_t i = 0; i < LP_COUNTOF(whole); i++)
        h = lp_hash_u64(h, whole[i]);
    return h;
}

static uint64_t hash_sums(uint64_t h, const LpPublishedSums *s) {
    const double reals[] = {
        s->steps,          s->compute,    s->dep,          s->flow,         s->cluster,
        s->demand_compute, s->demand_dep, s->demand_total, s->compute_frac, s->communication_frac,
        s->running,        s->workers,    s->channels,     s->worker_util,  s->cluster_util,
        s->load_rate,      s->load_rates};
    for (size_t i = 0; i < LP_COUNTOF(reals); i++)
        h = lp_hash_f64(h, reals[i]);
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

/* Store indices are left out: plan_hash says what they mean. */
uint64_t lp_world_hash(const LpWorld *world) {
    LpImage *m = world->image;
    uint64_t h = hash_sums(hash_head(m), &m->published);
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
    h = lp_hash_bytes(h, lp_image_mem(m), m->mem);
    h = hash_changes(h, m);
    for (uint32_t j = 0; j < m->jobs; j++)
        h = hash_job(h, &lp_image_job(m)[j]);
    return lp_circuits_hash(m, h);
}

/* ---- reading ---- */

const char *lp_outcome_name(LpOutcome outcome) {
    static const char *const names[] = {
        [LP_JOB_DECIDING] = "deciding", [LP_JOB_WAITING] = "waiting",
        [LP_JOB_RUNNING] = "running",   [LP_JOB_COMPLETED] = "completed",
        [LP_JOB_BLOCKED] = "blocked",   [LP_JOB_UNFINISHED] = "unfinished"};
    return names[outcome];
}

const char *lp_event_name(LpEventKind kind) {
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
    return &lp_image_job(world->image)[id];
}

uint32_t lp_world_servers(const LpWorld *world) {
    return world->image->servers;
}

const LpServer *lp_world_server(const LpWorld *world, uint32_t server) {
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
    return lp_image_job(world->image)[job].next;
}

uint32_t lp_world_first_running(const LpWorld *world) {
    return world->image->first_running;
}

uint32_t lp_world_next_running(const LpWorld *world, uint32_t job) {
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

bool lp_world_server_free(const LpWorld *world, uint32_t server) {
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

/* ---- lists of jobs ---- */

LpList lp_image_waiting(LpImage *m) {
    return (LpList){&m->first_waiting, &m->last_waiting};
}

LpList lp_image_running(LpImage *m) {
    return (LpList){&m->first_running, &m->last_running};
}

void lp_list_append(LpImage *m, LpList list, uint32_t job) {
    LpJob *jobs = lp_image_job(m);
    jobs[job].prev = *list.last;
    jobs[job].next = LP_NO_INDEX;
    if (*list.last != LP_NO_INDEX)
        jobs[*list.last].next = job;
    else
        *list.first = job;
    *list.last = job;
}

void lp_list_remove(LpImage *m, LpList list, uint32_t job) {
    LpJob *jobs = lp_image_job(m);
    uint32_t next = jobs[job].next, prev = jobs[job].prev;
    *(prev != LP_NO_INDEX ? &jobs[prev].next : list.first) = next;
    *(next != LP_NO_INDEX ? &jobs[next].prev : list.last) = prev;
    jobs[job].next = jobs[job].prev = LP_NO_INDEX;
}

/* ---- timers: a binary heap by (time, kind, job) ---- */

static bool earlier(const LpTimer *a, const LpTimer *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->job < b->job;
}

static void swap_timers(LpTimer *a, LpTimer *b) {
    LpTimer held = *a;
    *a = *b;
    *b = held;
}

static void sift(LpImage *m, uint32_t at) {
    LpTimer *heap = lp_image_timer(m);
    while (at > 0 && earlier(&heap[at], &heap[(at - 1) / 2])) {
        swap_timers(&heap[at], &heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= m->timers)
            return;
        if (child + 1 < m->timers && earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!earlier(&heap[child], &heap[at]))
            return;
        swap_timers(&heap[child], &heap[at]);
        at = child;
    }
}

void lp_timer_push(LpImage *m, double time, LpTimerKind kind, uint32_t job) {
    lp_image_timer(m)[m->timers++] = (LpTimer){time, (uint32_t)kind, job};
    sift(m, m->timers - 1);
}

void lp_timer_remove(LpImage *m, uint32_t index) {
    LpTimer *heap = lp_image_timer(m);
    heap[index] = heap[--m->timers];
    if (index < m->timers)
        sift(m, index);
}

/* Timers due form a connected top of the heap, so only they and their children are visited. */
static uint32_t find_due(const LpImage *m, const LpTimer *heap, uint32_t at, LpTimerKind kind,
                         double until) {
    if (at >= m->timers || heap[at].time > until)
        return LP_NO_INDEX;
    uint32_t found[3] = {heap[at].kind == (uint32_t)kind ? at : LP_NO_INDEX,
                         find_due(m, heap, 2 * at + 1, kind, until),
                         find_due(m, heap, 2 * at + 2, kind, until)};
    uint32_t best = LP_NO_INDEX;
    for (int i = 0; i < 3; i++)
        if (found[i] != LP_NO_INDEX && (best == LP_NO_INDEX || heap[found[i]].job < heap[best].job))
            best = found[i];
    return best;
}

uint32_t lp_timer_due(const LpImage *m, LpTimerKind kind, double until) {
    const LpTimer *heap = (const LpTimer *)(const void *)((const char *)m + m->at_timers);
    return find_due(m, heap, 0, kind, until);
}

static bool stale(LpImage *m, const LpTimer *timer) {
    if (timer->kind == LP_TIMER_WAKE)
        return false;
    const LpJob *job = &lp_image_job(m)[timer->job];
    if (timer->kind == LP_TIMER_END)
        return job->outcome != LP_JOB_RUNNING || job->forecast_end != timer->time;
    if (timer->kind == LP_TIMER_RETRY && job->retry_at != timer->time)
        return true;
    /* while a waiting job is being decided its timers still count: it may go on waiting */
    return job->outcome != LP_JOB_WAITING && job->outcome != LP_JOB_DECIDING;
}

void lp_timer_clean(LpImage *m) {
    while (m->timers > 0 && stale(m, &lp_image_timer(m)[0]))
        lp_timer_remove(m, 0);
}

/* Order in the heap is by a total order, so rebuilding it changes nothing that is seen. */
void lp_timer_purge(LpImage *m) {
    LpTimer *heap = lp_image_timer(m);
    uint32_t count = m->timers;
    m->timers = 0;
    for (uint32_t i = 0; i < count; i++) {
        LpTimer timer = heap[i];
        if (stale(m, &timer))
            continue;
        heap[m->timers++] = timer;
        sift(m, m->timers - 1);
    }
}
