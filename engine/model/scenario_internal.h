/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of lp_scenario_finish: checking, and working out what follows. Only scenario*.c
 * include it. */
#ifndef LP_MODEL_SCENARIO_INTERNAL_H
#define LP_MODEL_SCENARIO_INTERNAL_H

#include "model/scenario.h"

/* Everything that must hold; changes nothing. Errors: LP_EINVAL, LP_ELIMIT, naming the key. */
LpErr lp_scenario_check(const LpScenario *scenario, LpDiag *diag) LP_MUST_USE;

/* Works out what the pod makes of the slices that jobs ask for, on fabrics of slices. Errors:
 * LP_EINVAL with the slice, LP_ENOMEM. */
LpErr lp_scenario_settle_slices(LpScenario *scenario, LpDiag *diag) LP_MUST_USE;
/* Makes faults of the lines of the trace of failures. Errors: LP_EINVAL with the line, LP_ENOMEM.
 */
LpErr lp_scenario_settle_failures(LpScenario *scenario, LpDiag *diag) LP_MUST_USE;
/* Where all times are far from 0, counts them from the first one (clock_offset). Errors: LP_ENOMEM.
 */
LpErr lp_scenario_settle_clock(LpScenario *scenario, LpDiag *diag) LP_MUST_USE;
/* What must hold of failures, checkpoints and what stopped jobs do. */
LpErr lp_scenario_check_failures(const LpScenario *scenario, LpDiag *diag) LP_MUST_USE;
/* What must hold of them: slices on a fabric of slices and nowhere else. */
LpErr lp_scenario_check_slices(const LpScenario *scenario, LpDiag *diag) LP_MUST_USE;

#endif
