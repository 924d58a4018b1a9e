/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `pod`: cubes of accelerators, rented out in slices. A slice is a network of its own,
 * so nothing is shared; where one goes is model/pod/place.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"
#include "model/pod/rest.h"
#include "model/pod/times.h"
#include "model/pod/way.h"

enum { DEFAULT_CUBES = 64, SPARE_PORTS = 8, USUAL_PORTS = 136 };

/* ---- parameters ---- */

static void pod_defaults(LpCluster *cluster) {
    LpPodParams *pod = &cluster->pod;
    *pod = (LpPodParams){.host = {2, 2, 1}, .settle = 10e-3, .auto_twist = true};
    lp_pod_defaults(&pod->net, DEFAULT_CUBES);
    pod->net.ports = 0;
    for (int axis = 0; axis < 3; axis++)
        pod->net.grid[axis] = 0;
    pod->rules.cubes_per_domain = 1;
}

static LpErr pod_build(LpCluster *cluster, LpArena *arena, LpDiag *diag) {
    LpPodParams *pod = &cluster->pod;
    uint32_t needed = 2 * pod->net.cubes + SPARE_PORTS;
    (void)arena, (void)diag;
    if (pod->net.grid[0] == 0 && pod->net.cubes <= LP_POD_ACCELERATORS_MAX)
        lp_pod_grid(pod->net.cubes, pod->net.grid);
    if (pod->net.ports == 0)
        pod->net.ports = needed > USUAL_PORTS ? needed : USUAL_PORTS;
    pod->net.fixed = pod->wiring == LP_POD_STATIC;
    pod->net.sequential = pod->collective == LP_POD_SEQUENTIAL;
    pod->rules.spread = pod->order == LP_POD_SPREAD;
    pod->rules.sub_lowest = pod->sub_order == LP_POD_SUB_LOWEST;
    return LP_OK;
}

static LpErr pod_check(const LpCluster *cluster, LpDiag *diag) {
    const LpPodParams *pod = &cluster->pod;
    const LpNumber numbers[] = {
        {"cluster.pod.settle", pod->settle, LP_NEED_NOT_NEGATIVE},
        {"cluster.pod.cubes_per_domain", pod->rules.cubes_per_domain, LP_NEED_WHOLE},
    };
    LP_TRY(lp_pod_check(&pod->net, diag));
    for (int axis = 0; axis < 3; axis++)
        if (pod->host[axis] == 0 || pod->net.cube % pod->host[axis] != 0)
            return lp_fail(diag, LP_EINVAL,
                           "cluster.pod.host is %ux%ux%u: expected divisors of the cube's %u",
                           pod->host[0], pod->host[1], pod->host[2], pod->net.cube);
    if (pod->rules.spares > 0 && pod->net.fixed)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.pod.spares is %u: with static wiring no cube can stand in for "
                       "another, expected 0",
                       pod->rules.spares);
    if (pod->rules.spares >= pod->net.cubes)
        return lp_fail(diag, LP_EINVAL, "cluster.pod.spares is %u: expected less than the %u cubes",
                       pod->rules.spares, pod->net.cubes);
    return lp_need_all(numbers, LP_COUNTOF(numbers), diag);
}

static uint32_t cube_size(const LpPod *pod) {
    return pod->cube * pod->cube * pod->cube;
}

static uint64_t pod_count(const LpCluster *cluster) {
    return (uint64_t)cube_size(&cluster->pod.net) * cluster->pod.net.cubes;
}

static LpErr pod_scale(LpCluster *cluster, const LpScales *s, LpArena *arena) {
    LpPodParams *pod = &cluster->pod;
    (void)arena;
    pod->net.link_bandwidth *= s->bandwidth;
    pod->net.link_delay *= s->latency;
    pod->net.io_latency *= s->latency;
    pod->settle *= s->reconfiguration;
    return LP_OK;
}

static void pod_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    const LpPodParams *pod = &cluster->pod;
    uint32_t cubes = pod->net.cubes, n = pod->net.cube, per = pod->rules.cubes_per_domain;
    uint32_t host = pod->host[0] * pod->host[1] * pod->host[2];
    counts[LP_OUTAGE_DOMAIN] = (cubes + per - 1) / per;
    counts[LP_OUTAGE_CUBE] = cubes;
    counts[LP_OUTAGE_HOST] = cubes * cube_size(&pod->net) / host;
    counts[LP_OUTAGE_ACCELERATOR] = cubes * cube_size(&pod->net);
    counts[LP_OUTAGE_SWITCH] = pod->net.fixed ? 0 : 3 * n * n;
    counts[LP_OUTAGE_CABLE] = pod->net.fixed ? 0 : 6 * n * n * cubes;
}

/* ---- the fabric ---- */

static void pod_init(LpFabric *fabric) {
    const LpPod *pod = &fabric->cluster->pod.net;
    fabric->groups = 1;
    fabric->racks = pod->cubes;
    fabric->per_rack = cube_size(pod);
    fabric->servers = fabric->racks * fabric->per_rack;
    fabric->port_rate = pod->link_bandwidth * pod->efficiency;
    fabric->latency = pod->link_delay + 2 * pod->io_latency;
    fabric->light_capacity = (double)lp_pod_switches(pod) * pod->cubes;
}

static void pod_board(const LpFabric *fabric, LpBoardPlan *plan) {
    const LpPod *pod = &fabric->cluster->pod.net;
    plan->joins = LP_BOARD_SLICES;
    plan->rack = "cube";
    plan->rack_many = "cubes";
    plan->count = plan->rows = fabric->racks;
    if (pod->fixed) {
        plan->row = pod->grid[2];
        plan->layer = pod->grid[1] * pod->grid[2];
    }
}

/* ---- on a slice ---- */

enum { LINKS = 6 };

void lp_pod_fabric(const LpFabric *pod, const LpSlice *slice, const uint32_t *in_slice,
                   struct LpPodRest *rest, LpFabric *out) {
    *out = *pod;
    out->slice = slice;
    out->in_slice = in_slice;
    out->rest = rest;
    out->tx_ports = out->rx_ports = LINKS * pod->servers;
}

/* Links of the shortest way between two numbers in the slice. */
static uint32_t hops_between(const LpFabric *fabric, uint32_t from, uint32_t to) {
    return fabric->rest != NULL ? lp_pod_rest_hops(fabric->rest, from, to)
                                : lp_pod_hops(&fabric->cluster->pod.net, fabric->slice, from, to);
}

/* Between neighbours where no slice is known: the least. */
static double pod_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes) {
    const LpPod *pod = &fabric->cluster->pod.net;
    if (src == dst || bytes == 0.0)
        return 0.0;
    if (fabric->slice == NULL)
        return lp_pod_send(pod, 1, bytes);
    return lp_pod_send(pod, hops_between(fabric, fabric->in_slice[src], fabric->in_slice[dst]),
                       bytes);
}

/* A flow holds the link on which it leaves and the one on which it arrives. */
static void pod_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx,
                      uint32_t *rx) {
    uint32_t first, last;
    if (fabric->slice == NULL) {
        lp_any_ports(fabric, src, dst, tx, rx);
        return;
    }
    uint32_t from = fabric->in_slice[src], to = fabric->in_slice[dst];
    if (fabric->rest != NULL)
        lp_pod_rest_way(fabric->rest, from, to, &first, &last);
    else
        lp_pod_way(&fabric->cluster->pod.net, fabric->slice, from, to, &first, &last);
    *tx = LINKS * src + first;
    *rx = LINKS * dst + last;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The members by their numbers in the slice, ascending, each once; the caller's. NULL: no memory.
 */
static uint32_t *members_of(const LpFabric *fabric, const uint32_t *servers, uint32_t n,
                            uint32_t *count) {
    uint32_t *member = lp_alloc(n, sizeof *member);
    if (member == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        member[i] = fabric->in_slice[servers[i]];
    qsort(member, n, sizeof *member, by_number);
    *count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || member[i] != member[i - 1])
            member[(*count)++] = member[i];
    return member;
}

/* The longest way between neighbours of the ring in slice order. */
static uint32_t ring_hops(const LpFabric *fabric, const uint32_t *member, uint32_t n) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t hops = hops_between(fabric, member[i], member[(i + 1) % n]);
        most = hops > most ? hops : most;
    }
    return most;
}

/* Round one ring in slice order; a box of slice coordinates by the rings of its dimensions. */
static double pod_collective(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                             uint32_t n, double bytes, double peak, double memory_bandwidth) {
    const LpPod *pod = &fabric->cluster->pod.net;
    uint32_t size = lp_axis_distinct((LpFabricAxis){1, fabric->servers}, servers, n),
             *member = NULL;
    LpSlice box;
    if (size < 2 || bytes == 0.0)
        return 0.0;
    if (fabric->slice != NULL && (member = members_of(fabric, servers, n, &size)) == NULL)
        return -1;
    uint32_t hops = member != NULL ? ring_hops(fabric, member, size) : 1;
    LpCollectiveCost cost = lp_collective_ring(size, bytes, lp_pod_send(pod, hops, 0),
                                               fabric->port_rate, peak, memory_bandwidth);
    if (member != NULL && lp_pod_box(fabric->slice, member, size, &box)) {
        LpPodRing ring[3];
        if (fabric->rest != NULL)
            lp_pod_rest_rings(pod, fabric->rest, &box, ring);
        cost.comm = lp_pod_scatter(pod, &box, fabric->rest != NULL ? ring : NULL, bytes);
    }
    lp_free(member);
    return lp_collective_total(op, cost);
}

/* Servers of a slice are not interchangeable: where they lie in it says all. */
static void pod_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n,
                          uint32_t *out) {
    if (fabric->slice == NULL) {
        lp_any_canonical(fabric, servers, n, out);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = fabric->in_slice[servers[i]];
}

static double pod_published(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                            uint32_t n, double bytes) {
    return pod_collective(fabric, op, servers, n, bytes, LP_PUBLISHED_PEAK,
                          LP_PUBLISHED_MEMORY_BANDWIDTH);
}

const LpFabricOps lp_fabric_pod = {
    .name = "pod",
    .title = "cubes of accelerators, rented out in slices",
    .reserves = true,
    .slices = true,
    .form = {.usage = "pod:CUBES, such as pod:64",
             .sizes = 1,
             .size = {"cubes"},
             .bandwidth = {"link_bandwidth"},
             .latency = {"link_delay"}},
    .defaults = pod_defaults,
    .build = pod_build,
    .check = pod_check,
    .count = pod_count,
    .scale = pod_scale,
    .components = pod_components,
    .init = pod_init,
    .board_plan = pod_board,
    .shapes = lp_any_shapes,
    .regular = lp_any_regular,
    .origins = lp_any_origins,
    .block = lp_any_block,
    .block_in = lp_any_block_in,
    .bound = lp_any_bound,
    .transfer_time = pod_transfer,
    .collective_time = pod_collective,
    .published_collective_time = pod_published,
    .sends = lp_ring_sends,
    .ports = pod_ports,
    .canonical = pod_canonical,
    .wavelength = lp_any_wavelength,
    .wavelengths = lp_any_wavelengths,
};
