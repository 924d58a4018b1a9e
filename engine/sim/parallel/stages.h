/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the stages of a pipeline need for a micro-batch: docs/parallel.md, "Schedules". */
#ifndef LP_SIM_PARALLEL_STAGES_H
#define LP_SIM_PARALLEL_STAGES_H

#include "model/parallel/machine.h"
#include "model/parallel/ops.h"
#include "sim/parallel/schedule.h"

/* The stages of a step; {0} before the first use, free in any case. */
typedef struct LpStages {
    LpPipeline pipeline; /* points into the rest */
    double *forward, *backward, *wire;
    double *hidden; /* per chunk: of gathering weights and scattering gradients there and back,
                       what is done beside computing */
    double part[LP_PART_COUNT], gather;
} LpStages;

/* Works out the stages of `plan`, which has passed lp_parallel_check. Errors: LP_ENOMEM. */
LpErr lp_stages_init(LpStages *stages, const LpDecoder *model, const LpParallel *plan,
                     const LpMachine *machine, LpDiag *diag) LP_MUST_USE;
void lp_stages_fini(LpStages *stages);

#endif
