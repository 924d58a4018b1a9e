/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job's time goes, and what would make it faster: its JCT split by what it was spent on,
 * and its training step simulated again with each resource doubled. */
#ifndef LP_RUN_INSPECT_BOTTLENECK_H
#define LP_RUN_INSPECT_BOTTLENECK_H

#include "base/str.h"
#include "run/session/session.h"

/* What time is spent on. X(ID, "name", "meaning") */
#define LP_SPENT_TABLE(X)                                                                          \
    X(QUEUE, "queue", "waiting to be started, or to go on after a preemption")                     \
    X(CHECKPOINT, "checkpoint", "reading checkpoints after a preemption or a move")                \
    X(COMPUTE, "compute", "operations on the critical path of a step")                             \
    X(SERVER, "server", "operations that others on the critical path waited for: a busy server")   \
    X(TRANSFER, "transfer", "data on its way on the critical path")                                \
    X(CIRCUIT, "circuit", "flows that others on the critical path waited for: a busy light path")  \
    X(RECONFIGURATION, "reconfiguration", "light paths turned to another destination")             \
    X(COLLECTIVE, "collective", "all-reduce and its kin on the critical path")                     \
    X(BUBBLE, "bubble", "stages of a plan that wait for others")

typedef enum LpSpent {
#define X(id, name, meaning) LP_SPENT_##id,
    LP_SPENT_TABLE(X)
#undef X
        LP_SPENT_COUNT
} LpSpent;

const char *lp_spent_name(LpSpent spent);
const char *lp_spent_meaning(LpSpent spent);

/* What could be changed. X(ID, "name", "what is changed") */
#define LP_KNOB_TABLE(X)                                                                           \
    X(COMPUTE, "compute", "servers twice as fast")                                                 \
    X(BANDWIDTH, "bandwidth", "light paths of twice the bandwidth")                                \
    X(LATENCY, "latency", "half the latency")                                                      \
    X(SLOT, "reconfiguration", "half the time to turn a light path")

typedef enum LpStepKnob {
#define X(id, name, meaning) LP_KNOB_##id,
    LP_KNOB_TABLE(X)
#undef X
        LP_KNOB_COUNT
} LpStepKnob;

const char *lp_knob_name(LpStepKnob knob);
const char *lp_knob_meaning(LpStepKnob knob);

typedef struct LpBottleneck {
    double spent[LP_SPENT_COUNT]; /* s of the whole job; its steps on the servers it has now, or had
                                     last */
    double step_time;             /* s */
    double knob[LP_KNOB_COUNT];   /* s, step time with this one knob turned */
    LpSpent most;                 /* what takes most of the JCT */
    int help;                     /* LpStepKnob that shortens the step most, -1: none shortens it */
} LpBottleneck;

/* For a job that started; a rigid job's training is all compute, whatever the hardware. The shares
 * of one step add up to its step time: each moment of it belongs to the task of the critical path
 * that runs then; where the next task on the path did not need its result but only its server or
 * light path, the moment is contention. A plan has no such path: its servers compute, send what
 * nothing hides (collective), wait for light that turns, and the rest is bubble, means over its
 * stages. Of a job that was given up only what it trained counts. Published semantics: as
 * simulated, tick by tick. Errors: LP_ESTATE for a job that never started; LP_ENOMEM. Simulates the
 * step five times. */
LpErr lp_bottleneck(const LpSession *session, uint32_t job, LpBottleneck *out,
                    LpDiag *diag) LP_MUST_USE;

#endif
