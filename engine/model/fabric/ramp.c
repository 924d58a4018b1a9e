/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `ramp`: a flat optical network of communication groups, racks and servers (Ottino,
 * Benjamin, Zervas, OSN 51 (2023) 100761): blocks, light paths, and the staged collectives. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/fabric/fabric_impl.h"

/* ---- parameters ---- */

/* The cluster of the PAC-ML paper (Parsonson et al., arXiv 2301.13799): 4 x 4 x 2 servers. */
static void ramp_defaults(LpCluster *cluster) {
    cluster->ramp = (LpRampParams){.communication_groups = 4,
                                   .racks_per_group = 4,
                                   .servers_per_rack = 2,
                                   .node_bandwidth = 1.6e12,
                                   .propagation_latency = 50e-9,
                                   .io_latency = 100e-9,
                                   .channels = 1,
                                   .rack_isolated = true,
                                   .slot = 20e-9};
}

static uint64_t ramp_count(const LpCluster *cluster) {
    const LpRampParams *ramp = &cluster->ramp;
    uint64_t servers = (uint64_t)ramp->communication_groups * ramp->racks_per_group;
    return servers <= LP_SERVERS_MAX ? servers * ramp->servers_per_rack : servers;
}

/* Ports are numbered server * groups + group; the last number means "none". */
static LpErr check_ports(const LpCluster *cluster, LpDiag *diag) {
    uint64_t servers = ramp_count(cluster), ports = servers * cluster->ramp.communication_groups;
    if (servers > LP_SERVERS_MAX || ports < UINT32_MAX)
        return LP_OK;
    return lp_fail(diag, LP_ELIMIT,
                   "cluster.ramp.communication_groups is %" PRIu32 ": %" PRIu64
                   " servers with as many transceiver groups each are %" PRIu64
                   " light paths, expected less than %" PRIu32,
                   cluster->ramp.communication_groups, servers, ports, UINT32_MAX);
}

static LpErr ramp_check(const LpCluster *cluster, LpDiag *diag) {
    const LpRampParams *ramp = &cluster->ramp;
    const LpNumber numbers[] = {
        {"cluster.ramp.communication_groups", ramp->communication_groups, LP_NEED_WHOLE},
        {"cluster.ramp.racks_per_group", ramp->racks_per_group, LP_NEED_WHOLE},
        {"cluster.ramp.servers_per_rack", ramp->servers_per_rack, LP_NEED_WHOLE},
        {"cluster.ramp.node_bandwidth", ramp->node_bandwidth, LP_NEED_POSITIVE},
        {"cluster.ramp.propagation_latency", ramp->propagation_latency, LP_NEED_NOT_NEGATIVE},
        {"cluster.ramp.io_latency", ramp->io_latency, LP_NEED_NOT_NEGATIVE},
        {"cluster.ramp.channels", ramp->channels, LP_NEED_WHOLE},
        {"cluster.ramp.slot", ramp->slot, LP_NEED_NOT_NEGATIVE},
    };
    LP_TRY(lp_need_all(numbers, LP_COUNTOF(numbers), diag));
    if (ramp->racks_per_group > ramp->communication_groups)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.ramp.racks_per_group is %" PRIu32
                       ": expected at most communication_groups, %" PRIu32,
                       ramp->racks_per_group, ramp->communication_groups);
    return check_ports(cluster, diag);
}

static LpErr ramp_scale(LpCluster *cluster, const LpScales *s, LpArena *arena) {
    LpRampParams *ramp = &cluster->ramp;
    (void)arena;
    ramp->node_bandwidth *= s->bandwidth;
    ramp->propagation_latency *= s->latency;
    ramp->io_latency *= s->latency;
    ramp->slot *= s->reconfiguration;
    return LP_OK;
}

/* ---- constants ---- */

static void ramp_init(LpFabric *fabric) {
    const LpRampParams *ramp = &fabric->cluster->ramp;
    fabric->groups = ramp->communication_groups;
    fabric->racks = ramp->racks_per_group;
    fabric->per_rack = ramp->servers_per_rack;
    fabric->servers = fabric->groups * fabric->racks * fabric->per_rack;
    fabric->port_rate = ramp->node_bandwidth / fabric->groups;
    fabric->latency = ramp->propagation_latency + 2.0 * ramp->io_latency;
    fabric->slot = ramp->slot;
    fabric->channels = ramp->channels;
    fabric->tx_ports = fabric->rx_ports = fabric->servers * fabric->groups;
    fabric->light_capacity = (double)fabric->servers * fabric->groups;
}

static LpFabricAxis group_axis(const LpFabric *fabric) {
    return (LpFabricAxis){fabric->racks * fabric->per_rack, fabric->groups};
}

static LpFabricAxis rack_axis(const LpFabric *fabric) {
    return (LpFabricAxis){fabric->per_rack, fabric->racks};
}

static LpFabricAxis index_axis(const LpFabric *fabric) {
    return (LpFabricAxis){1, fabric->per_rack};
}

static LpFabricAxis server_axis(const LpFabric *fabric) {
    return (LpFabricAxis){1, fabric->servers};
}

/* ---- blocks ---- */

static uint32_t integer_sqrt(uint32_t a) {
    uint32_t v = (uint32_t)sqrt((double)a); /* exact for squares, which is all that is asked */
    return v;
}

static uint32_t append(LpShape *out, uint32_t count, uint32_t groups, uint32_t racks,
                       uint32_t servers, bool diagonal) {
    if (count < LP_SHAPES_MAX)
        out[count++] = (LpShape){groups, racks, servers, diagonal};
    return count;
}

/* Semantics 5.2: the shapes of the factor pairs (a, b) of n, b ascending. A shape needs b <= L and
 * a
 * <= min(x, J)^2, which bounds b on both sides. */
static uint32_t factor_shapes(const LpFabric *fabric, uint32_t n, LpShape *out) {
    uint64_t side = fabric->groups < fabric->racks ? fabric->groups : fabric->racks;
    uint32_t count = 0;
    uint64_t low = (n + side * side - 1) / (side * side);
    for (uint64_t factor = low; factor <= n && factor <= fabric->per_rack; factor++) {
        if (n % factor)
            continue;
        uint32_t b = (uint32_t)factor, a = n / b, v = integer_sqrt(a);
        if (v * v == a && v <= side)
            count = append(out, count, v, v, b, false);
        if (a <= side) {
            count = append(out, count, a, 1, b, false);
            count =
                append(out, count, a, b, 1, false); /* b <= J is not asked: may have no origin */
        }
    }
    return count;
}

static bool is_among(const LpShape *shape, uint32_t count, uint32_t groups, uint32_t racks) {
    for (uint32_t i = 0; i < count; i++)
        if (!shape[i].diagonal && shape[i].groups == groups && shape[i].racks == racks)
            return true;
    return false;
}

/* Every other block that fits, after the `listed` first: groups ascending, then racks. */
static uint32_t other_shapes(const LpFabric *fabric, uint32_t n, LpShape *out, uint32_t listed) {
    uint32_t count = listed;
    for (uint32_t p = 1; p <= n && p <= fabric->groups; p++) {
        uint32_t rest = n % p == 0 ? n / p : 0;
        for (uint32_t q = 1; q <= rest && q <= fabric->racks; q++)
            if (rest % q == 0 && rest / q <= fabric->per_rack && !is_among(out, listed, p, q))
                count = append(out, count, p, q, rest / q, false);
    }
    return count;
}

static bool ramp_regular(const LpFabric *fabric, uint32_t n) {
    LpShape shapes[LP_SHAPES_MAX];
    if (n < 1 || n > fabric->servers)
        return false;
    return factor_shapes(fabric, n, shapes) > 0 ||
           (fabric->cluster->every_shape && other_shapes(fabric, n, shapes, 0) > 0);
}

static uint32_t ramp_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out) {
    if (n < 1 || n > fabric->servers)
        return 0;
    uint32_t count = factor_shapes(fabric, n, out);
    if (fallbacks)
        count = append(out, count, n, n, 1, true);
    count = append(out, count, n, 1, 1, false);
    return fabric->cluster->every_shape ? other_shapes(fabric, n, out, count) : count;
}

/* Places where a run of `need` fits into `have`. */
static uint64_t places(uint32_t have, uint32_t need) {
    return need >= 1 && need <= have ? (uint64_t)have - need + 1 : 0;
}

/* On the diagonal the index does not matter to the fit: semantics 5.2 lets it run past the rack and
 * wraps it. */
static uint64_t index_places(const LpFabric *fabric, const LpShape *shape) {
    return shape->diagonal ? (uint64_t)fabric->per_rack + 2
                           : places(fabric->per_rack, shape->servers);
}

static uint64_t ramp_origins(const LpFabric *fabric, const LpShape *shape) {
    return places(fabric->groups, shape->groups) * places(fabric->racks, shape->racks) *
           index_places(fabric, shape);
}

static uint32_t server_at(const LpFabric *fabric, uint32_t group, uint32_t rack, uint32_t index) {
    return (group * fabric->racks + rack) * fabric->per_rack + index;
}

/* Writes the server at the next position of the block; false if it fails the test. */
static bool take(const LpBlockSearch *search, uint32_t server, uint32_t *position, uint32_t *out) {
    if (search->test && !search->test(search->context, server, *position))
        return false;
    out[(*position)++] = server;
    return true;
}

static bool take_diagonal(const LpBlockSearch *search, uint32_t i, uint32_t j, uint32_t k,
                          uint32_t *out) {
    const LpFabric *fabric = search->fabric;
    for (uint32_t m = 0; m < search->n;)
        if (!take(search, server_at(fabric, i + m, j + m, k % fabric->per_rack), &m, out))
            return false;
    return true;
}

static bool ramp_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out) {
    const LpFabric *fabric = search->fabric;
    const LpShape *shape = &search->shape[search->at_shape];
    uint64_t across_k = index_places(fabric, shape), across_j = places(fabric->racks, shape->racks);
    uint32_t k = (uint32_t)(origin % across_k), j = (uint32_t)(origin / across_k % across_j);
    uint32_t i = (uint32_t)(origin / across_k / across_j), position = 0;
    if (shape->diagonal)
        return take_diagonal(search, i, j, k, out);
    for (uint32_t c = 0; c < shape->groups; c++)
        for (uint32_t r = 0; r < shape->racks; r++)
            for (uint32_t t = 0; t < shape->servers; t++)
                if (!take(search, server_at(fabric, i + c, j + r, k + t), &position, out))
                    return false;
    return true;
}

/* ---- blocks in the index of free room ---- */

/* Rows of the racks that the shape covers from rack j of group i. */
static LpRows rows_at(const LpRoom *room, const LpShape *shape, uint32_t i, uint32_t j) {
    LpRows rows = {.base = room->bits + (size_t)(i * room->racks + j) * room->row_words,
                   .outer = shape->groups,
                   .outer_step = room->racks * room->row_words,
                   .inner = shape->racks,
                   .inner_step = room->row_words,
                   .words = room->row_words};
    if (shape->diagonal) {
        rows.outer_step += room->row_words;
        rows.inner = 1;
    }
    return rows;
}

/* First index from k on at which the block is free, UINT32_MAX: none. Past the rack's end the
 * diagonal goes on with its first ones (index_places). */
static uint32_t index_from(LpBlockSearch *search, const LpRows *rows, const LpShape *shape,
                           uint32_t k) {
    uint32_t size = search->fabric->per_rack;
    uint32_t at =
        k < size ? lp_rows_common(rows, k, shape->diagonal ? 1 : shape->servers, &search->looked)
                 : UINT32_MAX;
    for (k = k < size ? size : k; at == UINT32_MAX && shape->diagonal && k < size + 2; k++)
        if (lp_rows_common(rows, k % size, 1, &search->looked) == k % size)
            at = k;
    return at;
}

/* First rack from j on where the summaries let the shape lie, UINT32_MAX: none. */
static uint32_t rack_from(LpBlockSearch *search, const LpShape *shape, uint32_t i, uint32_t j) {
    if (shape->diagonal) /* rare, and its racks are in no window */
        return j + shape->racks <= search->fabric->racks ? j : UINT32_MAX;
    LpRows rows = lp_room_summary(search->room, i, shape->groups, shape->servers);
    return lp_rows_common(&rows, j, shape->racks, &search->looked);
}

static bool ramp_block_in(LpBlockSearch *search, uint64_t *origin, uint32_t *out) {
    const LpFabric *fabric = search->fabric;
    const LpShape *shape = &search->shape[search->at_shape];
    uint64_t across_k = index_places(fabric, shape), across_j = places(fabric->racks, shape->racks);
    uint32_t k = (uint32_t)(*origin % across_k), j = (uint32_t)(*origin / across_k % across_j);
    uint32_t i = (uint32_t)(*origin / across_k / across_j);
    for (; i + shape->groups <= fabric->groups; i++, j = k = 0)
        for (uint32_t next; (next = rack_from(search, shape, i, j)) != UINT32_MAX; j++, k = 0) {
            k = next == j ? k : 0;
            j = next;
            LpRows rows = rows_at(search->room, shape, i, j);
            for (; (k = index_from(search, &rows, shape, k)) != UINT32_MAX; k++) {
                uint64_t at = (i * across_j + j) * across_k + k;
                *origin = at + 1;
                if (out == NULL || ramp_block(search, at, out))
                    return true;
            }
        }
    return false;
}

/* ---- light paths ---- */

static double ramp_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes) {
    if (src == dst || bytes == 0.0)
        return 0.0;
    return fabric->latency + bytes / fabric->port_rate;
}

static void ramp_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx,
                       uint32_t *rx) {
    *tx = src * fabric->groups + lp_fabric_group(fabric, dst);
    *rx = dst * fabric->groups + lp_fabric_group(fabric, src);
}

static uint32_t ramp_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst) {
    if (fabric->cluster->ramp.rack_isolated)
        return LP_NO_PORT;
    uint32_t from = lp_fabric_group(fabric, src), to = lp_fabric_group(fabric, dst);
    return (from * fabric->groups + to) * fabric->per_rack + lp_fabric_index(fabric, dst);
}

static uint32_t ramp_wavelengths(const LpFabric *fabric) {
    return fabric->cluster->ramp.rack_isolated ? 0
                                               : fabric->groups * fabric->groups * fabric->per_rack;
}

static void ramp_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n,
                           uint32_t *out) {
    memset(out, 0, n * sizeof *out);
    lp_axis_relabel(group_axis(fabric), servers, n, out);
    lp_axis_relabel(rack_axis(fabric), servers, n, out);
    lp_axis_relabel(index_axis(fabric), servers, n, out);
}

/* ---- collectives ---- */

enum { STAGES = 4 };

/* Servers of one collective: how many, and how many groups, racks and indices they cover. */
typedef struct Extent {
    uint32_t servers, groups, racks, indices;
} Extent;

static Extent extent_of(const LpFabric *fabric, const uint32_t *servers, uint32_t n) {
    return (Extent){.servers = lp_axis_distinct(server_axis(fabric), servers, n),
                    .groups = lp_axis_distinct(group_axis(fabric), servers, n),
                    .racks = lp_axis_distinct(rack_axis(fabric), servers, n),
                    .indices = lp_axis_distinct(index_axis(fabric), servers, n)};
}

/* The servers are a subset of groups x racks x indices, so equal numbers mean equal sets. */
static bool is_full_block(const Extent *extent) {
    return (uint64_t)extent->groups * extent->racks * extent->indices == extent->servers;
}

static uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* How the four stages go: d[i] operands at rate[i]. */
typedef struct Stages {
    uint32_t d[STAGES];
    double rate[STAGES];
} Stages;

static LpCollectiveCost staged_cost(const Stages *stages, double bytes, double latency, double peak,
                                    double memory_bandwidth) {
    LpCollectiveCost cost = {0.0, 0.0};
    for (int i = 0; i < STAGES; i++) {
        uint32_t d = stages->d[i];
        bytes = ceil(bytes / d);
        if (d < 2)
            continue;
        cost.comp += lp_collective_adds(d, bytes, peak, memory_bandwidth);
        cost.comm += latency + bytes / stages->rate[i];
    }
    return cost;
}

/* corrected-semantics, "Collectives on RAMP": with K racks contending for a wavelength a stage of d
 * members steers trx(d) of the x transceiver groups at once. */
static uint32_t steered(uint32_t x, uint32_t contending, uint32_t d) {
    uint32_t groups = d < 2 ? x : min_u32(x / contending, x / (d - 1));
    return groups ? groups : 1;
}

/* Light as flows have it (option collective_light corrected): towards each group one transceiver
 * group. The others of the first stage are in as many groups, those of the later ones all in the
 * server's own, so that they are sent to one after the other. */
static Stages single_light(Stages stages, double rate) {
    stages.rate[0] = rate;
    for (int i = 1; i < STAGES; i++)
        stages.rate[i] = stages.d[i] < 2 ? rate : rate / (stages.d[i] - 1);
    return stages;
}

static Stages corrected_stages(const LpFabric *fabric, const Extent *extent) {
    uint32_t x = fabric->groups, a = min_u32(extent->groups, extent->indices);
    uint32_t contending = fabric->cluster->ramp.rack_isolated ? 1 : extent->racks;
    Stages stages = {.d = {extent->groups, a, extent->racks, (extent->indices + a - 1) / a}};
    if (fabric->cluster->single_light)
        return single_light(stages, fabric->port_rate);
    for (int i = 0; i < STAGES; i++)
        stages.rate[i] = steered(x, contending, stages.d[i]) * fabric->port_rate;
    if (a == 1)
        stages.rate[STAGES - 1] = fabric->port_rate;
    return stages;
}

static double ramp_collective(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                              uint32_t n, double bytes, double peak, double memory_bandwidth) {
    Extent extent = extent_of(fabric, servers, n);
    if (extent.servers < 2 || bytes == 0.0)
        return 0.0;
    LpCollectiveCost cost;
    if (is_full_block(&extent)) {
        Stages stages = corrected_stages(fabric, &extent);
        cost = staged_cost(&stages, bytes, fabric->latency, peak, memory_bandwidth);
    } else {
        cost = lp_collective_ring(extent.servers, bytes, fabric->latency, fabric->port_rate, peak,
                                  memory_bandwidth);
    }
    return lp_collective_total(op, cost);
}

/* Semantics 6.2, quirks included: the last step size is ceil(indices / x) and the rate of one
 * transceiver group is divided by x once more. */
static double ramp_published(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                             uint32_t n, double bytes) {
    Extent extent = extent_of(fabric, servers, n);
    uint32_t x = fabric->groups;
    double rate = fabric->port_rate / x;
    Stages stages = {.d = {extent.groups, min_u32(extent.groups, extent.indices), extent.racks,
                           (extent.indices + x - 1) / x}};
    for (int i = 0; i < STAGES; i++)
        stages.rate[i] = min_u32(x, stages.d[i] < 2 ? x : x / (stages.d[i] - 1)) * rate;
    return lp_collective_total(op, staged_cost(&stages, bytes, fabric->latency, LP_PUBLISHED_PEAK,
                                               LP_PUBLISHED_MEMORY_BANDWIDTH));
}

static void ramp_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    lp_light_components(ramp_count(cluster), counts);
}

static uint32_t ramp_levels(const LpCluster *cluster, const char *name[2], uint32_t servers[2]) {
    name[0] = "rack";
    name[1] = "group";
    servers[0] = cluster->ramp.servers_per_rack;
    servers[1] = cluster->ramp.racks_per_group * cluster->ramp.servers_per_rack;
    return 2;
}

const LpFabricOps lp_fabric_ramp = {
    .name = "ramp",
    .title = "RAMP: groups x racks x servers, one hop of light",
    .racked = true,
    .form = {.usage = "ramp:GROUPSxRACKSxSERVERS, such as ramp:4x4x2",
             .sizes = 3,
             .size = {"communication_groups", "racks_per_group", "servers_per_rack"},
             .bandwidth = {"node_bandwidth"},
             .latency = {"propagation_latency"}},
    .defaults = ramp_defaults,
    .check = ramp_check,
    .count = ramp_count,
    .scale = ramp_scale,
    .components = ramp_components,
    .levels = ramp_levels,
    .init = ramp_init,
    .board_plan = lp_light_board,
    .shapes = ramp_shapes,
    .regular = ramp_regular,
    .origins = ramp_origins,
    .block = ramp_block,
    .block_in = ramp_block_in,
    .bound = lp_ramp_bound,
    .survey = lp_ramp_survey,
    .last_resort = lp_ramp_last_resort,
    .transfer_time = ramp_transfer,
    .collective_time = ramp_collective,
    .published_collective_time = ramp_published,
    .sends = lp_staged_sends,
    .ports = ramp_ports,
    .canonical = ramp_canonical,
    .wavelength = ramp_wavelength,
    .wavelengths = ramp_wavelengths,
};
