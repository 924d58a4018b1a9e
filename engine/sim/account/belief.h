/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs whose users asked for a time: what a policy may know of how long they run, and when they are
 * ended. */
#ifndef LP_SIM_BELIEF_H
#define LP_SIM_BELIEF_H

#include "model/scenario.h"
#include "sim/state/image.h"

/* The time that its user asked for, s; 0: none. O(1). */
double lp_job_requested(const LpScenario *scenario, const LpJob *job);
/* Is how long it really runs hidden from policies? */
bool lp_job_veiled(const LpScenario *scenario, const LpJob *job);
/* How long it holds its servers in all, s: what was requested where that is all that is known. Of a
 * rigid job. */
double lp_job_believed_duration(const LpScenario *scenario, const LpJob *job);
/* Until when a running job holds its servers as far as is known: its end, or, of one that is
 * veiled, when it has held them as long as was requested, at least `now`; INFINITY while nobody can
 * say. */
double lp_job_believed_end(const LpScenario *scenario, const LpJob *job, double now);
/* What a veiled job has not held its servers for of the time that was requested, s, at least 0. */
double lp_job_requested_left(const LpScenario *scenario, const LpJob *job, double now);

/* What a running job has left of its work as far as is known, server-seconds: its servers until its
 * believed end; of one with a graph the share of its steps that is left of its time unsplit. done:
 * steps that it has done (lp_world_steps_done). */
double lp_job_believed_work(const LpScenario *scenario, const LpJob *job, double now, double done);

/* Where jobs are ended at the time that was requested: when the stretch that begins now is cut off;
 * a timer says so unless the job is done by then. To be called whenever the end of a running job is
 * another one. */
void lp_job_limit(LpImage *m, const LpContext *context, LpJob *job);

#endif
