/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/outages.h"

#include <math.h>

#include "base/assert.h"
#include "model/pod/checkpoint.h"
#include "sim/impl.h"
#include "sim/place/slice.h"
#include "sim/plan.h"
#include "sim/store/store.h"

struct LpOutageBook {
    LpOutageList **list;
    size_t cap;
    uint32_t lists, last;
};

/* ---- lists ---- */

LpErr lp_outages_new(LpContext *context) {
    if (!context->scenario->outages.any)
        return LP_OK;
    context->outages = lp_alloc(1, sizeof *context->outages);
    return context->outages != NULL ? LP_OK : LP_ENOMEM;
}

void lp_outages_free(LpOutageBook *book) {
    if (book == NULL)
        return;
    for (uint32_t i = 0; i < book->lists; i++)
        lp_outage_list_free(book->list[i]);
    lp_free(book->list);
    lp_free(book);
}

static LpErr list_of(const LpContext *context, uint64_t seed, LpOutageList **out) {
    LpOutageBook *b = context->outages;
    uint32_t counts[LP_OUTAGE_COUNT];
    for (uint32_t i = 0; i < b->lists; i++) {
        uint32_t at = (b->last + i) % b->lists;
        if (lp_outage_list_seed(b->list[at]) != seed)
            continue;
        b->last = at;
        *out = b->list[at];
        return LP_OK;
    }
    void *items = b->list;
    LP_TRY(lp_grow(&items, &b->cap, (size_t)b->lists + 1, sizeof(LpOutageList *)));
    b->list = items;
    lp_cluster_components(context->fabric.cluster, counts);
    LP_TRY(lp_outage_list_new(&context->scenario->outages, counts, seed, out));
    b->list[b->lists++] = *out;
    return LP_OK;
}

LpErr lp_outages_at(const LpContext *context, uint64_t seed, uint32_t at,
                    const LpOutageEvent **out) {
    LpOutageList *list;
    *out = NULL;
    if (context->outages == NULL)
        return LP_OK;
    LP_TRY(list_of(context, seed, &list));
    return lp_outage_list_at(list, at, out);
}

/* Would anybody notice what breaks or is mended? Who waits does where something is broken now. */
static bool matters(LpImage *m) {
    if (m->first_running != LP_NO_INDEX || !isinf(m->next_arrival) || m->timers > 0)
        return true;
    bool broken = m->tally.failed_servers > 0;
    for (uint32_t c = m->servers; c < m->covers; c++)
        broken = broken || lp_image_cover(m)[c] > 0;
    return m->first_waiting != LP_NO_INDEX && broken;
}

double lp_outages_next(LpImage *m, const LpContext *context) {
    const LpOutageEvent *event;
    if (context->outages == NULL || !matters(m) ||
        lp_outages_at(context, m->seed, m->fault, &event) != LP_OK || event == NULL)
        return (double)INFINITY;
    return event->time;
}

/* ---- what a component covers ---- */

/* Host of an accelerator. */
static uint32_t host_of(const LpPodParams *pod, uint32_t accelerator) {
    uint32_t n = pod->net.cube, in = accelerator % (n * n * n);
    uint32_t x = in / n / n, y = in / n % n, z = in % n;
    uint32_t hosts = n * n * n / (pod->host[0] * pod->host[1] * pod->host[2]);
    uint32_t at = x / pod->host[0] * (n / pod->host[1]) + y / pod->host[1];
    return accelerator / (n * n * n) * hosts + at * (n / pod->host[2]) + z / pod->host[2];
}

/* Accelerators first .. last - 1 hold all that it covers; of a host not all of them are its. */
static void range_of(const LpPodParams *pod, const LpOutageEvent *e, uint32_t *first,
                     uint32_t *last) {
    uint32_t n = pod->net.cube, cube = n * n * n, all = cube * pod->net.cubes;
    uint32_t hosts = cube / (pod->host[0] * pod->host[1] * pod->host[2]);
    uint32_t per[LP_OUTAGE_COUNT] = {[LP_OUTAGE_DOMAIN] = pod->rules.cubes_per_domain * cube,
                                     [LP_OUTAGE_CUBE] = cube,
                                     [LP_OUTAGE_ACCELERATOR] = 1};
    *first = e->kind == LP_OUTAGE_HOST ? e->index / hosts * cube : e->index * per[e->kind];
    *last = *first + (e->kind == LP_OUTAGE_HOST ? cube : per[e->kind]);
    *last = *last < all ? *last : all;
}

static bool covers(const LpPodParams *pod, const LpOutageEvent *e, uint32_t accelerator) {
    return e->kind != LP_OUTAGE_HOST || host_of(pod, accelerator) == e->index;
}

/* Where its cover is counted beside accelerators: a cube with a dead cable, or the dead switches.
 */
static uint32_t place_of(const LpImage *m, const LpPodParams *pod, const LpOutageEvent *e) {
    if (e->kind == LP_OUTAGE_SWITCH)
        return m->servers + pod->net.cubes;
    return m->servers + e->index / (6 * pod->net.cube * pod->net.cube);
}

/* ---- one event ---- */

static void stop(LpImage *m, const LpContext *context, uint32_t id, uint32_t *first) {
    lp_job_interrupt(m, context, id);
    lp_image_job(m, id)->answering = 1;
    *first = id < *first ? id : *first;
}

/* A dead switch stops all slices of whole cubes, a dead cable that on its cube. */
static void break_light(LpImage *m, const LpContext *context, const LpOutageEvent *e,
                        uint32_t *first) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t cube = place_of(m, pod, e) - m->servers;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX;) {
        const LpJob *job = lp_image_job(m, id);
        const LpSlice *slice = lp_job_slice(context, job);
        uint32_t next = job->next;
        bool on = e->kind == LP_OUTAGE_SWITCH ||
                  lp_image_server(m)[cube * context->fabric.per_rack].job == id;
        if (slice != NULL && slice->cubes > 0 && on)
            stop(m, context, id, first);
        id = next;
    }
}

static void cover(LpImage *m, const LpContext *context, const LpOutageEvent *e, uint32_t *first) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t from, to;
    range_of(pod, e, &from, &to);
    for (uint32_t a = from; a < to; a++) {
        uint16_t *count = &lp_image_cover(m)[a];
        if (!covers(pod, e, a))
            continue;
        if (e->fails && lp_image_server(m)[a].job != LP_NO_INDEX)
            stop(m, context, lp_image_server(m)[a].job, first);
        LP_ASSERT(e->fails || *count > 0);
        *count = (uint16_t)(*count + (e->fails ? 1 : -1));
        if (*count == (e->fails ? 1 : 0))
            lp_server_set(m, a, e->fails);
    }
}

static void happen(LpImage *m, const LpContext *context, const LpOutageEvent *e, LpEvent *out) {
    uint32_t first = LP_NO_INDEX;
    m->fault++;
    if (e->kind < LP_OUTAGE_SWITCH) {
        cover(m, context, e, &first);
    } else {
        uint16_t *count = &lp_image_cover(m)[place_of(m, &context->fabric.cluster->pod, e)];
        if (e->fails)
            break_light(m, context, e, &first);
        *count = (uint16_t)(*count + (e->fails ? 1 : -1));
    }
    m->completed_now++; /* who waits is offered again, or waits for something else */
    lp_image_event(m, out, e->fails ? LP_EVENT_FAILURE : LP_EVENT_REPAIR, first);
}

/* ---- answers ---- */

/* Cubes of other jobs that are still to answer are theirs. */
static bool claimed(LpImage *m, const LpContext *context, uint32_t id, uint32_t cube) {
    for (uint32_t j = m->first_waiting; j != LP_NO_INDEX; j = lp_image_job(m, j)->next) {
        const LpJob *job = lp_image_job(m, j);
        if (j == id || !job->answering)
            continue;
        const LpPlacement *p = lp_store_placement(context->store, job->placement);
        for (uint32_t i = 0; i < p->servers; i++)
            if (p->server[i] / context->fabric.per_rack == cube)
                return true;
    }
    return false;
}

static bool among(const uint32_t *cubes, uint32_t count, uint32_t cube) {
    for (uint32_t i = 0; i < count; i++)
        if (cubes[i] == cube)
            return true;
    return false;
}

/* Each broken cube, in slice order, gives way to the lowest usable one. */
static bool replace_cubes(LpWorld *world, const LpContext *context, uint32_t id, uint32_t *cubes,
                          bool *fresh, uint32_t count) {
    const LpPod *pod = &context->fabric.cluster->pod.net;
    for (uint32_t o = 0; o < count; o++)
        fresh[o] = !lp_slice_usable(world, context, cubes[o]);
    for (uint32_t o = 0; o < count; o++) {
        uint32_t c = 0;
        while (fresh[o] && c < pod->cubes &&
               (among(cubes, count, c) || !lp_slice_usable(world, context, c) ||
                claimed(world->image, context, id, c)))
            c++;
        if (c == pod->cubes)
            return false;
        cubes[o] = fresh[o] ? c : cubes[o];
    }
    return true;
}

/* Circuits with a new cube at either end. */
static uint32_t circuits_set(const LpPod *pod, const LpSlice *s, const bool *fresh) {
    uint32_t count = 0;
    for (int d = 0; d < 3; d++)
        for (uint32_t o = 0; o < s->cubes; o++)
            count += fresh[o] || fresh[lp_slice_next(s, d, o)];
    return count * pod->cube * pod->cube;
}

/* It is cut as before, in the same order. */
static LpAnswer same_cut(const LpContext *context, const LpJob *job, uint32_t *servers) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN,
                       .servers = lp_job_slice(context, job)->accelerators,
                       .slice = job->shape,
                       .server = servers};
    if (job->graph < 0)
        return answer;
    const LpPartition *p = lp_store_partition(context->store, job->partition);
    answer.degree = job->degree;
    answer.has_plan = p->planned;
    answer.ways = p->planned ? NULL : p->ways;
    if (p->planned)
        answer.parallel = p->plan;
    answer.has_partition_kind = true;
    answer.partition_kind = (LpPartitionKind)job->kind;
    if (job->orders.ops < LP_ORDER_COUNT)
        answer.order_ops = (LpOrder)job->orders.ops;
    if (job->orders.flows < LP_ORDER_COUNT)
        answer.order_flows = (LpOrder)job->orders.flows;
    return answer;
}

static LpErr resume_on(LpWorld *world, const LpContext *context, uint32_t id, uint32_t *servers,
                       uint32_t set, bool *done, LpDiag *diag) {
    LpImage *m = world->image;
    LpJob *job = lp_image_job(m, id);
    LpAnswer answer = same_cut(context, job, servers);
    LpPlan plan;
    LP_TRY(lp_plan_make(world, context, job, &answer, false, &plan, diag));
    if (plan.cause != LP_CAUSE_NONE)
        return LP_OK;
    lp_list_remove(m, lp_image_waiting(m), id);
    m->tally.waiting--;
    lp_job_take_plan(job, context, &plan);
    lp_job_start(m, context, job, lp_plan_stall(context, job, &plan));
    m->tally.cross_connects -= job->circuits - set;
    *done = true;
    return LP_OK;
}

static LpErr take_spares(LpWorld *world, const LpContext *context, uint32_t id, bool *done,
                         LpDiag *diag) {
    const LpJob *job = lp_world_job(world, id);
    const LpSlice *s = lp_job_slice(context, job);
    const LpPod *pod = &context->fabric.cluster->pod.net;
    if (pod->fixed || s->cubes == 0)
        return LP_OK;
    const LpPlacement *p = lp_store_placement(context->store, job->placement);
    uint32_t *cubes = lp_alloc(s->cubes, sizeof *cubes);
    uint32_t *servers = lp_alloc(s->accelerators, sizeof *servers);
    bool *fresh = lp_alloc(s->cubes, sizeof *fresh);
    LpErr err = cubes != NULL && servers != NULL && fresh != NULL
                    ? LP_OK
                    : lp_fail_memory(diag, "a slice with a spare cube");
    if (err == LP_OK) {
        lp_pod_cubes_of(pod, s, p->server, cubes);
        if (replace_cubes(world, context, id, cubes, fresh, s->cubes)) {
            lp_pod_lay(pod, s, cubes, servers);
            err = resume_on(world, context, id, servers, circuits_set(pod, s, fresh), done, diag);
        }
    }
    lp_free(cubes);
    lp_free(servers);
    lp_free(fresh);
    return err;
}

static void abort_job(LpImage *m, uint32_t id) {
    LpJob *job = lp_image_job(m, id);
    lp_list_remove(m, lp_image_waiting(m), id);
    m->tally.waiting--;
    m->tally.aborted++;
    job->lost += job->saved;
    job->saved = job->steps_done = 0;
    job->waiting_since = (double)NAN;
    job->outcome = LP_JOB_ABORTED;
    job->end = m->now;
}

/* The first one by arrival number that has not answered. */
static uint32_t next_to_answer(LpImage *m) {
    uint32_t first = LP_NO_INDEX;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->next)
        if (lp_image_job(m, id)->answering && id < first)
            first = id;
    return first;
}

static LpErr answer_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                        LpDiag *diag) {
    LpImage *m = world->image;
    for (uint32_t id; (id = next_to_answer(m)) != LP_NO_INDEX;) {
        LpEventKind kind = LP_EVENT_RESUME;
        if (context->scenario->on_failure == LP_ON_FAILURE_ABORT) {
            abort_job(m, id);
            kind = LP_EVENT_ABORT;
            *done = true;
        } else if (context->scenario->on_failure == LP_ON_FAILURE_SPARE) {
            LP_TRY(take_spares(world, context, id, done, diag));
        }
        lp_image_job(m, id)->answering = 0;
        if (*done) {
            lp_image_event(m, out, kind, id);
            return LP_OK;
        }
    }
    return LP_OK;
}

LpErr lp_outages_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) {
    LpImage *m = world->image;
    const LpOutageEvent *event;
    *done = false;
    if (context->outages == NULL)
        return LP_OK;
    if (lp_outages_at(context, m->seed, m->fault, &event) != LP_OK)
        return lp_fail_memory(diag, "the list of failures");
    if (event == NULL || event->time > m->now)
        return m->tally.stops > 0 ? answer_one(world, context, done, out, diag) : LP_OK;
    if (lp_image_reserve_change(world) != LP_OK)
        return lp_fail_memory(diag, "a failure");
    happen(world->image, context, event, out);
    *done = true;
    return LP_OK;
}

/* ---- checkpoints ---- */

/* Failures per second of all that stops a slice. */
static double rate_of(const LpContext *context, const LpSlice *s) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t n = pod->net.cube, per = pod->rules.cubes_per_domain;
    uint32_t host = pod->host[0] * pod->host[1] * pod->host[2];
    bool light = s->cubes > 0 && !pod->net.fixed;
    uint32_t cubes = s->cubes > 0 ? s->cubes : 1;
    const uint32_t counts[LP_OUTAGE_COUNT] = {[LP_OUTAGE_DOMAIN] = (cubes + per - 1) / per,
                                              [LP_OUTAGE_CUBE] = cubes,
                                              [LP_OUTAGE_HOST] =
                                                  (s->accelerators + host - 1) / host,
                                              [LP_OUTAGE_ACCELERATOR] = s->accelerators,
                                              [LP_OUTAGE_SWITCH] = light ? 3 * n * n : 0,
                                              [LP_OUTAGE_CABLE] = light ? 6 * n * n * cubes : 0};
    double rate = 0;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        rate += counts[k] / lp_outage_mean(&context->scenario->outages.process[k].fails);
    return rate;
}

double lp_outages_interval(const LpContext *context, const LpCheckpointSpec *spec, uint32_t row) {
    if (spec->rule == LP_CHECKPOINT_NONE || row == 0)
        return 0;
    if (spec->rule == LP_CHECKPOINT_EVERY)
        return spec->interval;
    double rate = rate_of(context, &context->scenario->slice[row - 1].slice);
    LpCheckpoint c = {.cost = spec->cost, .restart = spec->restart, .mean = 1 / rate};
    if (!(rate > 0))
        return 0;
    return spec->rule == LP_CHECKPOINT_DALY ? lp_checkpoint_daly(&c) : lp_checkpoint_young(&c);
}
