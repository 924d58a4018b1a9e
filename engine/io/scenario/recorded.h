/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded step as a graph of a scenario is written. */
#ifndef LP_IO_SCENARIO_RECORDED_H
#define LP_IO_SCENARIO_RECORDED_H

#include "base/json_out.h"
#include "model/ranks/step_trace.h"

/* The members of the graph but for its id, into an object that is open. O(nodes + edges). */
void lp_recorded_put(const LpStepTrace *trace, const LpTraceRules *rules, LpJsonOut *json);

#endif
