/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices with their links and their network. */
#include "model/parallel/machine.h"

#include <string.h>

#include "base/fact.h"
#include "base/need.h"
#include "base/str.h"
#include "model/device/device.h"

/* What differs by device besides its data sheet. */
typedef struct Links {
    const char *device;
    double link_rate, network_rate;
    const char *source;
} Links;

/* A network card reaches 0.94 of its rate, as the one of the A100 was seen to. */
static const Links LINKS[] = {
    {"A100", 240e9, 23.5e9, "108 multiprocessors; nccl: 12 links x 20 GB/s; a card of 200 Gb/s"},
    {"A100 40G", 240e9, 23.5e9,
     "108 multiprocessors; nccl: 12 links x 20 GB/s; a card of 200 Gb/s"},
    {"H100", 370.8e9, 47e9,
     "132 multiprocessors; nccl: 18 links x 20.6 GB/s; a card of 400 Gb/s, 0.94 assumed"},
    {"H200", 370.8e9, 47e9,
     "132 multiprocessors; nccl: 18 links x 20.6 GB/s; a card of 400 Gb/s, 0.94 assumed"},
    {"B200", 721.8e9, 47e9,
     "148 multiprocessors; nccl: 18 links x 40.1 GB/s; a card of 400 Gb/s, 0.94 assumed"},
};

#define X(field, dimension, origin, meaning, source)                                               \
    {#field,  LP_FACT_REAL, dimension,                                                             \
     meaning, LP_TO_JSON,   .member = LP_FACT_MEMBER(LpMachine, field)},
static const LpFact of_machine[] = {LP_MACHINE_TABLE(X)};
#undef X
const LpFacts lp_machine_facts = {"machine", of_machine, LP_COUNTOF(of_machine), NULL};

const LpMachineOrigin *lp_machine_origins(void) {
#define X(field, dimension, origin, meaning, source) {origin, source},
    static const LpMachineOrigin origins[] = {LP_MACHINE_TABLE(X)};
#undef X
    return origins;
}

static const Links *find(const LpDevice *device) {
    const char *name = device->like != NULL ? device->like : device->name;
    for (size_t i = 0; i < LP_COUNTOF(LINKS); i++)
        if (strcmp(LINKS[i].device, name) == 0)
            return &LINKS[i];
    return NULL;
}

const char *lp_machine_source(const LpDevice *device) {
    const Links *links = find(device);
    return links != NULL ? links->source : NULL;
}

static LpErr fail_device(const LpDevice *device, LpDiag *diag) {
    LpBuf known = {0};
    for (size_t i = 0; i < LP_COUNTOF(LINKS); i++)
        lp_buf_addf(&known, "%s%s",
                    i == 0                      ? ""
                    : i + 1 < LP_COUNTOF(LINKS) ? ", "
                                                : " or ",
                    LINKS[i].device);
    LpErr err = lp_fail(diag, LP_EINVAL,
                        "device %s: its units, links and network are not known, expected %s",
                        device->name, lp_buf_text(&known));
    lp_buf_fini(&known);
    return err;
}

LpErr lp_machine_of(const LpDevice *device, LpMachine *out, LpDiag *diag) {
    const Links *links = find(device);
    if (links == NULL)
        return fail_device(device, diag);
    *out = (LpMachine){.peak = device->bf16,
                       .vector_peak = device->peak_flops,
                       .bandwidth = device->bandwidth,
                       .memory = device->memory,
                       .matrix_efficiency = device->matrix_efficiency,
                       .memory_efficiency = 0.88,
                       .units = device->units,
                       .tile_long = device->tile_long,
                       .tile_short = device->tile_short,
                       .op_time = device->op_time,
                       .link_rate = links->link_rate,
                       .network_rate = links->network_rate,
                       .base_latency = 8.4e-6,
                       .link_latency = 3.4e-6,
                       .network_latency = 9.6e-6,
                       .node = 8,
                       .gradient_bytes = 4,
                       .state_bytes = 18,
                       .optimiser_bytes = 58};
    return LP_OK;
}

LpErr lp_machine_check(const LpMachine *m, LpDiag *diag) {
    const LpNumber number[] = {
        {"peak", m->peak, LP_NEED_POSITIVE},
        {"vector_peak", m->vector_peak, LP_NEED_POSITIVE},
        {"bandwidth", m->bandwidth, LP_NEED_POSITIVE},
        {"memory", m->memory, LP_NEED_POSITIVE},
        {"matrix_efficiency", m->matrix_efficiency, LP_NEED_POSITIVE},
        {"matrix_efficiency", m->matrix_efficiency, LP_NEED_SHARE},
        {"memory_efficiency", m->memory_efficiency, LP_NEED_POSITIVE},
        {"memory_efficiency", m->memory_efficiency, LP_NEED_SHARE},
        {"units", m->units, LP_NEED_WHOLE},
        {"tile_long", m->tile_long, LP_NEED_WHOLE},
        {"tile_short", m->tile_short, LP_NEED_WHOLE},
        {"op_time", m->op_time, LP_NEED_NOT_NEGATIVE},
        {"link_rate", m->link_rate, LP_NEED_POSITIVE},
        {"network_rate", m->network_rate, LP_NEED_POSITIVE},
        {"base_latency", m->base_latency, LP_NEED_NOT_NEGATIVE},
        {"link_latency", m->link_latency, LP_NEED_NOT_NEGATIVE},
        {"network_latency", m->network_latency, LP_NEED_NOT_NEGATIVE},
        {"node", m->node, LP_NEED_WHOLE},
        {"gradient_bytes", m->gradient_bytes, LP_NEED_POSITIVE},
        {"state_bytes", m->state_bytes, LP_NEED_POSITIVE},
        {"optimiser_bytes", m->optimiser_bytes, LP_NEED_NOT_NEGATIVE},
    };
    return lp_need_all(number, LP_COUNTOF(number), diag);
}
