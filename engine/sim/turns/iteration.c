/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T(B) = c + V x / B beside what was published. */
#include "sim/turns/iteration.h"

#include <string.h>

#include "sim/turns/region.h"

const char LP_ITERATION_SOURCE[] =
    "arXiv 2501.03905 and mixnet-project.github.io: data/normalized_performance.csv";
const char LP_ITERATION_MISSING[] =
    "published ratios rise with the link rate, which no c + V x/B with one c does; missing are the "
    "demand matrices, the parallel degrees, and TopoOpt's topology with its relaying";

static const double RATE[LP_ITERATION_RATES] = {100, 200, 400, 800};

static const LpIterationPublished PUBLISHED[] = {
    {"mixtral_8x22b",
     "Mixtral 8x22B",
     {{{1.374, 1.194, 1.082, 1.024}, {1.454, 1.201, 1.114, 1.013}, {2.697, 1.976, 1.575, 1.267}}},
     true},
    {"mixtral_8x7b",
     "Mixtral 8x7B",
     {{{1.210, 1.079, 1.030, 1.000}, {1.249, 1.098, 1.031, 1.001}, {2.273, 1.625, 1.268, 1.143}}},
     true},
    {"qwen_moe",
     "Qwen-MoE",
     {{{5.094, 2.730, 1.563, 1.000}, {6.174, 3.205, 1.764, 1.053}, {7.775, 4.553, 2.802, 1.789}}},
     false},
    {"llama_moe",
     "Llama-MoE",
     {{{3.932, 2.188, 1.346, 1.000}, {5.010, 2.727, 1.599, 1.192}, {9.531, 5.737, 3.981, 2.303}}},
     false},
};

const LpIterationPublished *lp_iteration_table(size_t *count) {
    *count = LP_COUNTOF(PUBLISHED);
    return PUBLISHED;
}

const LpIterationPublished *lp_iteration_find(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(PUBLISHED); i++)
        if (strcmp(name, PUBLISHED[i].name) == 0)
            return &PUBLISHED[i];
    return NULL;
}

/* An all-to-all over greedy circuits and packets, over one where all 8 ports carry packets. */
static LpErr regional_x(LpArena *arena, double *x, LpDiag *diag) {
    enum { SERVERS = 8, CIRCUITS = 6, PACKETS = 2 };
    uint32_t ports[SERVERS];
    double bytes[SERVERS * SERVERS];
    LpRegionResult circuits, packets;
    for (int i = 0; i < SERVERS; i++)
        ports[i] = CIRCUITS;
    for (int i = 0; i < SERVERS * SERVERS; i++)
        bytes[i] = i / SERVERS == i % SERVERS ? 0 : 1;
    LpRegion region = {
        .servers = SERVERS, .ports = ports, .bytes = bytes, .rate = 1, .packet_ports = PACKETS};
    LP_TRY(lp_region_make(&region, arena, &circuits, diag));
    region.packet_ports = PACKETS + CIRCUITS;
    LP_TRY(lp_region_make(&region, arena, &packets, diag));
    *x = circuits.direct / packets.packets;
    return LP_OK;
}

LpErr lp_iteration_model(const LpIterationPublished *published, LpArena *arena,
                         LpIterationModel *out, LpDiag *diag) {
    enum { LAST = LP_ITERATION_RATES - 1 };
    const double *fat = published->time.of[LP_ITERATION_FAT_TREE];
    LpIterationModel m = {.volume = (fat[0] - fat[LAST]) / (1 / RATE[0] - 1 / RATE[LAST])};
    m.constant = fat[LAST] - m.volume / RATE[LAST];
    m.x[LP_ITERATION_FAT_TREE] = 1;
    LP_TRY(regional_x(arena, &m.x[LP_ITERATION_MIXNET], diag));
    m.x[LP_ITERATION_TOPOOPT] =
        (published->time.of[LP_ITERATION_TOPOOPT][0] - m.constant) * RATE[0] / m.volume;
    for (int i = 0; i < LP_ITERATION_RATES; i++) {
        m.rate[i] = RATE[i];
        for (int n = 0; n < LP_ITERATION_NETWORK_COUNT; n++)
            m.time.of[n][i] = m.constant + m.volume * m.x[n] / RATE[i];
    }
    *out = m;
    return LP_OK;
}
