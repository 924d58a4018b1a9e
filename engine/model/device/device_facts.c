/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of an accelerator. */
#include "base/fact.h"
#include "model/device/device.h"

const char *lp_device_evidence(const LpDevice *device) {
    return device->doubt[0] != '\0' ? "doubtful" : "second hand";
}

static LpFactValue evidence(const void *record, void *around LP_UNUSED) {
    return lp_fact_text(lp_device_evidence(record));
}

#define OF(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpDevice, name)
#define IF_KNOWN(name) OF(name), .positive = true
#define FLOPS LP_FACT_REAL, LP_DIM_FLOPS
static const LpFact of_device[] = {
    {"name", LP_WORDS, "as scenarios have it", OF(name)},
    {"format", LP_WORDS, "of plain arithmetic", OF(format)},
    {"peak", FLOPS, "peak of plain arithmetic", OF(peak_flops)},
    {"peak_efficiency", LP_NUMBER, "share of it that is taken as reached", OF(flops_efficiency)},
    {"bandwidth", LP_FACT_REAL, LP_DIM_BANDWIDTH, "of its memory", OF(bandwidth)},
    {"bandwidth_efficiency", LP_NUMBER, "share of it that is taken as reached",
     OF(memory_efficiency)},
    {"memory", LP_BYTES, "of the device", OF(memory)},
    {"evidence", LP_WORDS, "how sure the peaks are: second hand, doubtful", LP_TO_JSON,
     .value = evidence},
    {"doubt", LP_WORDS, "why they are doubtful, or null", OF(doubt)},
    {"source", LP_WORDS, "where the figures come from", OF(source)},
    {"alias", LP_WORDS, "another name, or null", OF(alias)},
    {"fp32", FLOPS, "peak of plain arithmetic", IF_KNOWN(peak_flops)},
    {"tf32", FLOPS, "peak of matrix units, dense (null: it has none)", IF_KNOWN(tf32)},
    {"fp16", FLOPS, "likewise", IF_KNOWN(fp16)},
    {"bf16", FLOPS, "likewise", IF_KNOWN(bf16)},
    {"fp8", FLOPS, "likewise", IF_KNOWN(fp8)},
    {"matrix_efficiency", LP_NUMBER, "share of these that large products reach",
     OF(matrix_efficiency)},
    {"units", LP_NUMBER, "multiprocessors, which share the tiles of a product", IF_KNOWN(units)},
    {"tile_long", LP_NUMBER, "longer side of a tile of a product", IF_KNOWN(tile_long)},
    {"tile_short", LP_NUMBER, "shorter side of a tile of a product", IF_KNOWN(tile_short)},
    {"op_time", LP_SECONDS, "start and end of a kernel", IF_KNOWN(op_time)},
};
const LpFacts lp_device_facts = {"device", of_device, LP_COUNTOF(of_device), NULL};
