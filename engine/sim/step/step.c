/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scratch memory of step simulations, and the choice of the clock. */
#include "sim/step/step.h"

#include "sim/step/step_impl.h"

LpStepScratch *lp_step_scratch_new(void) {
    LpStepScratch *scratch = lp_alloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->graph = lp_arena_new(0);
    scratch->run = lp_arena_new(0);
    if (scratch->graph == NULL || scratch->run == NULL) {
        lp_step_scratch_free(scratch);
        return NULL;
    }
    return scratch;
}

void lp_step_scratch_free(LpStepScratch *scratch) {
    if (scratch == NULL)
        return;
    lp_arena_free(scratch->graph);
    lp_arena_free(scratch->run);
    lp_free(scratch);
}

LpErr lp_step_run(LpStepScratch *scratch, const LpStepGraph *graph, const LpOptions *options,
                  LpStepSummary *out, LpTrace *trace, LpDiag *diag) {
    if (lp_published(options, LP_OPT_STEP_CLOCK))
        return lp_step_run_ticks(scratch, graph, out, trace, diag);
    bool shared_light = !lp_published(options, LP_OPT_CIRCUITS);
    return lp_step_run_events(scratch, graph, shared_light, out, trace, diag);
}
