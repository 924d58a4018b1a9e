/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ASTRA-sim 2 says of one collective on a ring, and why it is more than a fluid's time: its
 * analytical network sends a collective in chunks, one after the other, each step of each after its
 * own latency and a delay at the end, all cut to whole ns (Ring.cc, PacketBundle.cc, MemBus.cc,
 * Link.cpp of astra-sim and its analytical network). */
#ifndef LP_IMPORT_TRACE_ASTRA_H
#define LP_IMPORT_TRACE_ASTRA_H

#include "base/json_out.h"
#include "model/ranks/step_trace.h"

/* What a file of the system says that matters here. */
typedef struct LpAstraSystem {
    double chunks;      /* preferred-dataset-splits */
    double active;      /* active-chunks-per-dimension: the formula is of 1 */
    double endpoint_ns; /* endpoint-delay */
    double memory;      /* local-mem-bw, B/s; 0: unknown */
    double peak_flops;  /* peak-perf, FLOP/s; 0: unknown */
} LpAstraSystem;

/* Reads ASTRA-sim's JSON of a system. LP_EPARSE, LP_EINVAL at their place; LP_EIO. */
LpErr lp_astra_system(const char *file, LpAstraSystem *out, LpDiag *diag) LP_MUST_USE;

typedef struct LpAstraRing {
    double bandwidth; /* of a link, B/s; ASTRA-sim's "GB/s" are 2^30 B/s */
    double latency_ns;
} LpAstraRing;

/* Times of one collective, in ns. astra_ns = fluid_ns + the four parts. */
typedef struct LpAstraTime {
    uint64_t bytes;
    uint32_t ranks;
    LpTraceCall call;
    double astra_ns;
    double fluid_ns;      /* NaN: a ring has no fluid time of it here */
    double latencies_ns;  /* of all chunks but the first: a fluid waits once a step */
    double endpoints_ns;  /* delays at the ends */
    double reductions_ns; /* adding up, through the memory */
    double rounding_ns;   /* of bytes to chunks, and of times to whole ns; mostly < 0 */
} LpAstraTime;

/* False: ASTRA-sim's formula is not known of this collective. */
bool lp_astra_time(LpTraceCall call, uint32_t ranks, uint64_t bytes, const LpAstraSystem *system,
                   const LpAstraRing *ring, LpAstraTime *out);
/* Each (collective, ranks, bytes) of a trace once, in the order in which they stand there, at most
 * `most` of them; *count of them are in `out`. */
void lp_astra_times(const LpStepTrace *trace, const LpAstraSystem *system, const LpAstraRing *ring,
                    LpAstraTime *out, size_t most, size_t *count);

/* They, as a list under "astra_sim", and as lines of a report. */
void lp_astra_put(const LpAstraTime *time, size_t count, LpJsonOut *json);
void lp_astra_text(const LpAstraTime *time, size_t count, const LpAstraSystem *system, LpBuf *out);

#endif
