/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath predict zoo:decoder`: one training step of a transformer that is split in several
 * dimensions. */
#ifndef LP_ASK_PREDICT_PARALLEL_PREDICT_H
#define LP_ASK_PREDICT_PARALLEL_PREDICT_H

#include "base/fact.h"
#include "session/words/read_plan.h"
#include "sim/parallel/parallel_step.h"

typedef struct LpDevice LpDevice; /* model/device/device.h */

/* Texts are borrowed for the call. */
typedef struct LpParallelSpec {
    const char *name; /* of a transformer of model/parallel/zoo.h; NULL: none */
    const char *model,
        *parallel;       /* see session/words/read_plan.h; with a name the model may be NULL */
    const char *device;  /* NULL: the default device */
    const char *machine; /* changes of its constants; NULL: none */
    const char *rails;   /* circuits that turn inside the step; NULL: a packet network */
} LpParallelSpec;

/* Plain data. */
typedef struct LpParallelPrediction {
    const char *name; /* of the transformer; NULL: none. From the table */
    bool changed;     /* some of its sizes are others */
    LpDecoder model;
    LpParallel plan;
    const LpDevice *device;
    LpMachine machine;
    LpParallelStep step;
    bool turning; /* there are rails */
    LpRails rails;
    LpRailsStep on_rails;
} LpParallelPrediction;

/* Errors: what cannot be read or does not fit together (exit code 2), with the numbers; LP_ENOMEM.
 */
LpErr lp_parallel_predict(const LpParallelSpec *spec, LpParallelPrediction *out,
                          LpDiag *diag) LP_MUST_USE;

/* Of an LpParallelPrediction; on rails also of its LpTurnResult, around it the LpRailsStep. */
extern const LpFacts lp_plan_facts, lp_plan_rails_facts;

/* Appends {"lightpath":1,"rows":[{...}]} and a newline, in SI units. */
void lp_parallel_json(const LpParallelPrediction *prediction, LpBuf *out);
/* Appends the same figures for people, and whether they fit into the device's memory. */
void lp_parallel_text(const LpParallelPrediction *prediction, LpBuf *out);

#endif
