/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the time of a training step depends on besides model and plan: a device, its links and its
 * network, number by number with its source. docs/parallel.md, "Constants". */
#ifndef LP_MODEL_PARALLEL_MACHINE_H
#define LP_MODEL_PARALLEL_MACHINE_H

#include "base/num.h"

typedef struct LpDevice LpDevice; /* model/device/device.h */
typedef struct LpFacts LpFacts;   /* base/fact.h */

/* X(field, dimension, origin, meaning, source). All are doubles in SI units. Origins: a data sheet
 * or publication (sheet, published), or decided here (decided). One set serves every configuration.
 */
#define LP_MACHINE_TABLE(X)                                                                        \
    X(peak, LP_DIM_FLOPS, "sheet", "two-byte values in matrix units", "the device's data sheet")   \
    X(vector_peak, LP_DIM_FLOPS, "sheet", "fp32 outside matrix units", "the device's data sheet")  \
    X(bandwidth, LP_DIM_BANDWIDTH, "sheet", "of device memory", "the device's data sheet")         \
    X(memory, LP_DIM_BYTES, "sheet", "of a device", "the device's data sheet")                     \
    X(matrix_efficiency, LP_DIM_NONE, "published", "share of peak that large products reach",      \
      "NVIDIA/DCGM issue 40: about 80 % of 312 TFLOP/s; ml-engineering finds 0.869 for the best "  \
      "shape. Chosen of these two with the results in sight")                                      \
    X(memory_efficiency, LP_DIM_NONE, "published", "share of bandwidth that kernels reach",        \
      "NVIDIA developer forum 339083: 1.80 TB/s measured of 2.039")                                \
    X(units, LP_DIM_NONE, "published", "multiprocessors, which share the tiles of a product",      \
      "NVIDIA, Matrix Multiplication Background User's Guide; data sheets")                        \
    X(tile_long, LP_DIM_NONE, "published", "longer side of a tile of a product",                   \
      "NVIDIA, Matrix Multiplication Background User's Guide")                                     \
    X(tile_short, LP_DIM_NONE, "published", "shorter side of a tile of a product",                 \
      "NVIDIA, Matrix Multiplication Background User's Guide")                                     \
    X(op_time, LP_DIM_TIME, "decided", "start and end of a kernel", "decided, not fitted")         \
    X(link_rate, LP_DIM_BANDWIDTH, "published", "of a device to its node, each way",               \
      "NVIDIA/nccl src/graph/topo.h: links x what one carries")                                    \
    X(network_rate, LP_DIM_BANDWIDTH, "published", "of a device's network card, each way",         \
      "aliyun SimAI, CX6_BW: 23.5 of 25 GB/s are reached")                                         \
    X(base_latency, LP_DIM_TIME, "published", "of a collective or a message",                      \
      "NVIDIA/nccl 2.8 to 2.13 src/graph/tuning.cc: ring, Simple")                                 \
    X(link_latency, LP_DIM_TIME, "published", "of a hop in a node",                                \
      "NVIDIA/nccl 2.8 to 2.13 src/graph/tuning.cc: ring, Simple")                                 \
    X(network_latency, LP_DIM_TIME, "published", "of a hop between nodes",                         \
      "NVIDIA/nccl 2.8 to 2.13 src/graph/tuning.cc: ring, Simple")                                 \
    X(node, LP_DIM_NONE, "published", "devices of a node, with a network card each",               \
      "Narayanan et al., arXiv 2104.04473, section 5")                                             \
    X(gradient_bytes, LP_DIM_NONE, "published",                                                    \
      "bytes of a parameter's gradient as it is reduced",                                          \
      "Korthikanti et al., arXiv 2205.05198: fp32")                                                \
    X(state_bytes, LP_DIM_NONE, "published", "bytes that a parameter takes with all its state",    \
      "Korthikanti et al., arXiv 2205.05198: 2 + 4 + 12")                                          \
    X(optimiser_bytes, LP_DIM_NONE, "decided", "traffic of a parameter's update in bytes",         \
      "counted: unscale 8, norm 4, clip 8, Adam 28, to fp16 6, clear 4")

typedef struct LpMachine {
#define X(field, dimension, origin, meaning, source) double field;
    LP_MACHINE_TABLE(X)
#undef X
} LpMachine;

/* Facts of an LpMachine, and for each of them, in this order, where it comes from. */
extern const LpFacts lp_machine_facts;
typedef struct LpMachineOrigin {
    const char *kind, *source;
} LpMachineOrigin;
const LpMachineOrigin *lp_machine_origins(void);

/* The constants of a device. LP_EINVAL where its links and units are not in the table, naming the
 * devices that have them. */
LpErr lp_machine_of(const LpDevice *device, LpMachine *out, LpDiag *diag) LP_MUST_USE;
/* Where the units, link and network rate of a device come from; NULL where it has none. */
const char *lp_machine_source(const LpDevice *device);

/* After numbers were changed: LP_EINVAL where one is none that a step can be timed with. */
LpErr lp_machine_check(const LpMachine *machine, LpDiag *diag) LP_MUST_USE;

#endif
