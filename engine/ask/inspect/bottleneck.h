/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job's time goes, and what would make its steps faster: one step simulated again with
 * exactly one input changed. */
#ifndef LP_ASK_INSPECT_BOTTLENECK_H
#define LP_ASK_INSPECT_BOTTLENECK_H

#include "base/str.h"
#include "session/session.h"
#include "sim/account/job_time.h"

/* What could be changed. X(ID, "name", "what is changed") */
#define LP_KNOB_TABLE(X)                                                                           \
    X(COMPUTE, "compute", "servers twice as fast")                                                 \
    X(BANDWIDTH, "bandwidth", "twice the bandwidth")                                               \
    X(LATENCY, "latency", "half the latency")                                                      \
    X(SLOT, "reconfiguration", "half the time to turn light in a step")                            \
    X(ALONE, "alone", "nobody else on its network")

typedef enum LpStepKnob {
#define X(id, name, meaning) LP_KNOB_##id,
    LP_KNOB_TABLE(X)
#undef X
        LP_KNOB_COUNT
} LpStepKnob;

const char *lp_knob_name(LpStepKnob knob);
const char *lp_knob_meaning(LpStepKnob knob);

typedef struct LpBottleneck {
    LpJobTime time;
    LpTimePart most;  /* what takes most of it */
    double step_time; /* s, of one step at its present or last pace; NAN: it has no steps */
    double alone;     /* s, the same step with nobody else on its network; NAN: none, or no way */
    double knob[LP_KNOB_COUNT]; /* s, the step with this one input changed; NAN: it has no such
                                   input, as a rigid job has none, and packets have no light */
    int help;                   /* LpStepKnob that shortens the step most, -1: none shortens it */
} LpBottleneck;

/* For a job that has arrived; one that never started has no steps, and all of a rigid job's work is
 * computing, whatever the hardware. The network of a knob is that of the scenario with every
 * bandwidth doubled, or every latency or time to turn halved, on every fabric; the servers and
 * circuits are those that the job has. Errors: LP_ERANGE where there is no such job; LP_ENOMEM.
 * Simulates the step six times. */
LpErr lp_bottleneck(const LpSession *session, uint32_t job, LpBottleneck *out,
                    LpDiag *diag) LP_MUST_USE;
/* How many times faster steps are with a knob; NAN where it has no such input. */
double lp_bottleneck_gain(const LpBottleneck *bottleneck, LpStepKnob knob);

#endif
