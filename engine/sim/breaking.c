/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/breaking.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "base/mem.h"
#include "model/pod/place.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/place/left.h"
#include "sim/place/slice.h"
#include "sim/sim_impl.h"

/* A running job is stopped, and may have to answer. */
static void break_job(LpImage *m, const LpContext *context, uint32_t id, LpStoppedJobs *stops) {
    lp_job_interrupt(m, context, id);
    lp_image_job(m, id)->stops.answering = stops->asks ? LP_ANSWERS_STOPPED : LP_ANSWERS_NOT;
    lp_image_job(m, id)->stops.by = stops->by;
    stops->first = id < stops->first ? id : stops->first;
    stops->count++;
}

void lp_cover_server(LpImage *m, const LpContext *context, uint32_t server, bool fails,
                     LpStoppedJobs *stops) {
    uint16_t *count = &lp_image_cover(m)[server];
    uint32_t job = lp_image_server(m)[server].job;
    if (fails && job != LP_NO_INDEX && lp_image_job(m, job)->light.dark != LP_JOB_HELD)
        break_job(m, context, job, stops);
    LP_ASSERT(fails || *count > 0);
    *count = (uint16_t)(*count + (fails ? 1 : -1));
    if (*count == (fails ? 1 : 0))
        lp_server_set(m, context, server, fails);
}

/* ---- on a pod ---- */

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

static bool of_cable(const LpOutageEvent *e) {
    return e->kind == LP_OUTAGE_CABLE;
}

/* A slice of whole cubes that runs on the switch, or has the cable on one of its cubes. */
static bool lit_by(LpImage *m, const LpContext *context, const LpOutageEvent *e, uint32_t id) {
    const LpJob *job = lp_image_job(m, id);
    const LpPod *pod = &context->fabric.cluster->pod.net;
    const LpSlice *slice = lp_job_slice(context, job);
    uint32_t cube = of_cable(e) ? e->index / (2 * lp_pod_switches(pod)) : 0;
    return slice != NULL && slice->cubes > 0 && job->light.dark != LP_JOB_HELD &&
           (!of_cable(e) || lp_image_server(m)[cube * context->fabric.per_rack].job == id);
}

/* What is left of a running job's slice, and what a second of its work takes longer then. */
typedef struct Rest {
    uint32_t job;
    LpSliceLeft left;
    double drag;
} Rest;

/* What is left of all jobs that use what breaks or is mended, into rest[] in the order in which
 * they run. */
static LpErr work_out_rests(const LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                            Rest *rest, uint32_t *count, LpDiag *diag) {
    LpImage *m = world->image;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        const LpJob *job = lp_image_job(m, id);
        Rest *r = &rest[*count];
        LpSliceWork work = {job->slice.shape > 0 ? job->slice.shape : job->slice.row,
                            job->placed.partition, job->placed.placement, job->placed.orders,
                            job->slice.shared_part};
        if (!lit_by(m, context, e, id))
            continue;
        r->job = id;
        LP_TRY(lp_slice_drag(world, context, &work, &r->left, &r->drag, diag));
        ++*count;
    }
    return LP_OK;
}

/* It goes on at once on what is left; what falls apart stops. Who goes on more slowly may be asked,
 * too. */
static void go_on_with_rest(LpImage *m, const LpContext *context, const LpOutageEvent *e,
                            const Rest *rest, LpStoppedJobs *stops) {
    LpJob *job = lp_image_job(m, rest->job);
    if (isinf(rest->drag)) {
        break_job(m, context, rest->job, stops);
        return;
    }
    uint32_t lit =
        lp_slice_circuits(&context->fabric.cluster->pod.net, lp_job_slice(context, job)) -
        rest->left.lost;
    LP_DEBUG(context->log, LIGHT, 1, "slice job %u has %u of its circuits left, %u dead, drag %.9g",
             rest->job, lit, rest->left.lost, rest->drag);
    m->tally.lit_circuits += lit - job->placed.peak_circuits; /* modulo 2^32 */
    job->placed.circuits = job->placed.peak_circuits = lit;
    lp_job_change_pace(m, context, job, rest->drag);
    if (e->fails) {
        job->stops.answering = stops->asks ? LP_ANSWERS_RUNNING : LP_ANSWERS_NOT;
        job->stops.by = stops->by;
    }
}

static uint32_t count_running(LpImage *m) {
    uint32_t count = 0;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        count++;
    return count;
}

/* Fault tolerant: all is worked out before any job changes. */
static LpErr change_rests(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                          LpStoppedJobs *stops, LpDiag *diag) {
    uint32_t count = 0;
    Rest *rest = lp_alloc((size_t)count_running(world->image) + 1, sizeof *rest);
    if (rest == NULL)
        return lp_fail_memory(diag, "what is left of slices");
    LpErr err = work_out_rests(world, context, e, rest, &count, diag);
    for (uint32_t i = 0; err == LP_OK && i < count; i++)
        go_on_with_rest(world->image, context, e, &rest[i], stops);
    lp_free(rest);
    return err;
}

static void stop_unlit(LpImage *m, const LpContext *context, const LpOutageEvent *e,
                       LpStoppedJobs *stops) {
    for (uint32_t id = m->first_running; id != LP_NO_INDEX;) {
        uint32_t next = lp_image_job(m, id)->queue.next;
        if (lit_by(m, context, e, id))
            break_job(m, context, id, stops);
        id = next;
    }
}

/* Without light a slice of whole cubes stops, or is slower, and is faster when it is back. The
 * world is as it was on failure. */
static LpErr change_light(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                          LpStoppedJobs *stops, LpDiag *diag) {
    LpImage *m = world->image;
    const LpPodParams *pod = &context->fabric.cluster->pod;
    LpErr err = LP_OK;
    lp_left_cover(m, pod, of_cable(e), e->index, e->fails);
    if (pod->fault_tolerant)
        err = change_rests(world, context, e, stops, diag);
    else if (e->fails)
        stop_unlit(m, context, e, stops);
    if (err != LP_OK)
        lp_left_cover(m, pod, of_cable(e), e->index, !e->fails);
    return err;
}

static LpErr break_pod(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                       LpStoppedJobs *stops, LpDiag *diag) {
    const LpPodParams *pod = &context->fabric.cluster->pod;
    uint32_t from, to;
    if (e->kind == LP_OUTAGE_SWITCH || e->kind == LP_OUTAGE_CABLE)
        return change_light(world, context, e, stops, diag);
    range_of(pod, e, &from, &to);
    for (uint32_t a = from; a < to; a++)
        if (covers(pod, e, a))
            lp_cover_server(world->image, context, a, e->fails, stops);
    return LP_OK;
}

/* ---- light between servers, cables between nodes ---- */

static int compare_pairs(LpFailed a, LpFailed b) {
    if (a.a != b.a)
        return a.a < b.a ? -1 : 1;
    return (a.b > b.b) - (a.b < b.b);
}

/* Where in the list the pair is first, or would be. */
static uint32_t find_pair(LpImage *m, LpFailed pair) {
    uint32_t low = 0, high = m->failed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_pairs(lp_image_failed(m)[middle], pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t lp_failed_count(LpImage *m, LpFailed pair) {
    uint32_t at = find_pair(m, pair), count = 0;
    while (at + count < m->failed && compare_pairs(lp_image_failed(m)[at + count], pair) == 0)
        count++;
    return count;
}

void lp_failed_set(LpImage *m, LpFailed pair, bool fails) {
    LpFailed *list = lp_image_failed(m);
    uint32_t at = find_pair(m, pair);
    if (fails) {
        LP_ASSERT(m->failed < m->failed_cap);
        memmove(list + at + 1, list + at, (m->failed - at) * sizeof *list);
        list[at] = pair;
        m->failed++;
    } else {
        LP_ASSERT(lp_failed_count(m, pair) > 0);
        memmove(list + at, list + at + 1, (m->failed - at - 1) * sizeof *list);
        m->failed--;
    }
}

LpErr lp_failed_users(LpWorld *world, const LpContext *context, const LpFailed *pair,
                      uint32_t count, uint8_t *hit, LpDiag *diag) {
    LpImage *m = world->image;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        const LpJob *job = lp_image_job(m, id);
        const LpFailed *needed;
        if (job->placed.partition == LP_NO_INDEX || job->light.dark == LP_JOB_HELD)
            continue;
        LP_TRY(lp_light_needs(context, job->placed.partition, job->placed.placement, pair, count,
                              &needed, diag));
        hit[id] = needed != NULL;
    }
    return LP_OK;
}

static LpFailed sorted(uint32_t a, uint32_t b) {
    return a < b ? (LpFailed){a, b} : (LpFailed){b, a};
}

/* The pairs that a component joins; NULL in out: only how many. */
static uint32_t pairs_of(const LpContext *context, const LpOutageEvent *e, LpFailed *out) {
    const LpNetwork *n = context->fabric.network;
    uint32_t count = 0, a, b, node = context->fabric.servers + e->index;
    if (e->kind != LP_OUTAGE_SWITCH) {
        lp_cluster_ends(context->fabric.cluster, e->kind, e->index, &a, &b);
        if (out != NULL)
            *out = sorted(a, b);
        return 1;
    }
    for (uint32_t l = 0; l < n->links; l += 2)
        if (n->from[l] == node || n->to[l] == node) {
            if (out != NULL)
                out[count] = sorted(n->from[l], n->to[l]);
            count++;
        }
    return count;
}

static LpErr break_pairs(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                         const LpFailed *pair, uint32_t count, LpStoppedJobs *stops, LpDiag *diag) {
    LpImage *m = world->image;
    uint8_t *hit = lp_alloc((size_t)m->jobs + 1, sizeof *hit);
    LpErr err = hit != NULL ? LP_OK : lp_fail_memory(diag, "a failure");
    if (err == LP_OK && e->fails)
        err = lp_failed_users(world, context, pair, count, hit, diag);
    for (uint32_t i = 0; err == LP_OK && i < count; i++) {
        lp_failed_set(m, pair[i], e->fails);
        LP_DEBUG(context->log, LIGHT, 1, "path %u %u %s", pair[i].a, pair[i].b,
                 e->fails ? "broken" : "mended");
    }
    for (uint32_t id = m->first_running; err == LP_OK && id != LP_NO_INDEX;) {
        uint32_t next = lp_image_job(m, id)->queue.next;
        if (hit[id])
            break_job(m, context, id, stops);
        id = next;
    }
    lp_free(hit);
    return err;
}

static LpErr break_light(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                         LpStoppedJobs *stops, LpDiag *diag) {
    uint32_t count = pairs_of(context, e, NULL);
    LpFailed *pair = lp_alloc((size_t)count + 1, sizeof *pair);
    if (pair == NULL || lp_image_reserve_change(world, count) != LP_OK) {
        lp_free(pair);
        return lp_fail_memory(diag, "a failure");
    }
    pairs_of(context, e, pair);
    LpErr err = break_pairs(world, context, e, pair, count, stops, diag);
    lp_free(pair);
    return err;
}

/* ---- ports of circuit switches ---- */

static bool port_of(const LpOcsParams *o, const LpOutageEvent *e, uint32_t port) {
    return e->kind == LP_OUTAGE_LINK ? port == e->index : o->plug[port].device == e->index;
}

/* Has a server neither a port that works nor a cable? */
static bool cut_off(LpImage *m, const LpOcsParams *o, uint32_t server) {
    for (uint32_t p = 0; p < o->ports; p++)
        if (o->plug[p].node == server && !lp_port_broken(m, p))
            return false;
    for (uint32_t c = 0; c < o->cables; c++)
        if (o->cable[c].a == server || o->cable[c].b == server)
            return false;
    return true;
}

/* What it joins is dark from now on; a server with no other way out is as one that is broken. */
static LpErr break_ports(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
                         LpStoppedJobs *stops, LpDiag *diag) {
    LpImage *m = world->image;
    const LpOcsParams *o = &context->scenario->cluster.ocs;
    uint16_t *cover = lp_image_cover(m) + m->servers;
    for (uint32_t p = 0; p < o->ports; p++) {
        uint32_t node = o->plug[p].node;
        if (!port_of(o, e, p))
            continue;
        bool before = node < o->servers && cut_off(m, o, node);
        LP_ASSERT(e->fails || cover[p] > 0);
        cover[p] = (uint16_t)(cover[p] + (e->fails ? 1 : -1));
        LP_DEBUG(context->log, LIGHT, 1, "port %u of node %u %s", p, node,
                 e->fails ? "broken" : "mended");
        if (node < o->servers && cut_off(m, o, node) != before)
            lp_cover_server(m, context, node, e->fails, stops);
    }
    return lp_circuits_again(world, lp_world_context(world, context), diag);
}

static void say_break(const LpContext *context, const LpOutageEvent *e) {
    char name[LP_COMPONENT_TEXT];
    lp_debug_line(context->log, LP_DEBUG_SIM, 1, "%s %s", e->fails ? "broken" : "mended",
                  lp_cluster_component(context->fabric.cluster, e->kind, e->index, name));
}

LpErr lp_break(LpWorld *world, const LpContext *context, const LpOutageEvent *e,
               LpStoppedJobs *stops, LpDiag *diag) {
    if (lp_debug_on(context->log, LP_DEBUG_SIM, 1))
        say_break(context, e);
    if (e->kind == LP_OUTAGE_SERVER)
        lp_cover_server(world->image, context, e->index, e->fails, stops);
    else if (context->fabric.ops->slices)
        return break_pod(world, context, e, stops, diag);
    else if (context->circuits != NULL)
        return break_ports(world, context, e, stops, diag);
    else
        return break_light(world, context, e, stops, diag);
    return LP_OK;
}
