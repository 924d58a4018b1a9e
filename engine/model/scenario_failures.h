/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What failures can be expected to do to the jobs of a scenario, before it is run. */
#ifndef LP_MODEL_SCENARIO_FAILURES_H
#define LP_MODEL_SCENARIO_FAILURES_H

#include "base/str.h"
#include "model/scenario.h"

/* Failures per second of all that stops a job: on its slice, or on job->rigid_servers servers,
 * their links and the light between them. 0: none. */
double lp_failure_rate(const LpScenario *scenario, const LpJobSpec *job);

/* Interval of a job's checkpoints, s of work; 0: none. */
double lp_checkpoint_interval(const LpScenario *scenario, const LpJobSpec *job);

/* A line for each job of the scenario, or the one for all that its generator draws, that will
 * hardly ever end: as many servers or cubes as it needs hardly ever work at once, or hardly ever as
 * long as it takes to keep any of its work. Only jobs with a duration, by chance alone: traces are
 * not looked at. The first LP_OUTLOOK_LINES. O(jobs x servers). */
enum { LP_OUTLOOK_LINES = 8 };
void lp_failure_outlook(const LpScenario *scenario, LpBuf *out);

#endif
