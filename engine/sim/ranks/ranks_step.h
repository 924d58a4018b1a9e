/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of a placed job whose graph is a recorded one: its ranks on their servers, over the
 * network of the fabric, as tasks, sums and a trace like those of any other step. */
#ifndef LP_SIM_RANKS_STEP_H
#define LP_SIM_RANKS_STEP_H

#include "sim/step/step.h"

/* Runs the step. A flow takes what a transfer of the fabric takes, each of a server's ports carries
 * one at a time, first come, first served, and collectives take all ports of their members; on a
 * fabric without ports nothing is in the way of anything. Collectives are those of the fabric with
 * adds that take no time, or flows of their members where it has none: each sends to one other at a
 * time (all_to_all), or one member to or from all others in turn. `graph` is in scratch memory as
 * that of lp_step_graph; its tasks are ops, then what is sent, then collectives. trace NULL: not
 * wanted; else the caller's (lp_trace_fini). Errors: LP_EREFUSED where it never ends, naming who
 * waits for what, and where two ranks that talk have no way between them; LP_ENOMEM. */
LpErr lp_ranks_step(LpStepScratch *scratch, const LpStepInput *input, LpStepGraph *graph,
                    LpStepSummary *out, LpTrace *trace, LpDiag *diag) LP_MUST_USE;

#endif
