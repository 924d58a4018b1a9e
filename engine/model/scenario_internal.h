/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of lp_scenario_finish: checking, and working out what follows. Only scenario*.c
 * include it. */
#ifndef LP_MODEL_SCENARIO_INTERNAL_H
#define LP_MODEL_SCENARIO_INTERNAL_H

#include "model/scenario.h"

/* Everything that must hold; changes nothing. Errors: LP_EINVAL, LP_ELIMIT, naming the key. */
LpErr lp_scenario_check(const LpScenario *scenario, LpDiag *diag) LP_MUST_USE;

#endif
