/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the experiment; private to many/. */
#ifndef LP_MANY_EXPERIMENT_EXPERIMENT_IMPL_H
#define LP_MANY_EXPERIMENT_EXPERIMENT_IMPL_H

#include "many/experiment/experiment.h"
#include "many/experiment/study.h"
#include "many/study/paired.h"

enum { LP_EXPERIMENT_MODELS = 5 };
extern const char *const lp_experiment_models[LP_EXPERIMENT_MODELS];

/* Parts of a point's scenario, which override those of the first point. */
void lp_experiment_cluster(const LpPoint *point, LpBuf *out);
void lp_experiment_generator(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out);

/* NAN for a run that was not made. */
double lp_experiment_value(const LpRun *run, LpStudyMetric metric);
/* Did the agent let jobs in that ended after their limit, in any run? Only possible where a job
 * waits and options.deadline is published (Q17). O(points x seeds). */
bool lp_experiment_late(const LpExperiment *e, uint32_t agent);
/* The same at one point. */
bool lp_experiment_late_at(const LpExperiment *e, uint32_t point, uint32_t agent);
/* lp_batch_outside of the agent at one point. */
const char *lp_experiment_outside(const LpExperiment *e, uint32_t point, uint32_t agent);
/* A line for each agent whose network decided what it was not trained for. */
void lp_experiment_add_outside(const LpExperiment *e, LpBuf *out);
/* Over the seeds, share of jobs that were not done in time: not served, or late. Errors: LP_ENOMEM.
 */
LpErr lp_experiment_losses(const LpExperiment *e, uint32_t point, uint32_t agent, LpEstimate *out,
                           LpDiag *diag) LP_MUST_USE;
/* Its mean alone; NAN without runs. */
double lp_experiment_lost(const LpExperiment *e, uint32_t point, uint32_t agent);
/* Bit by LpAct: what an agent did in any of its runs. O(jobs). */
unsigned lp_experiment_acts(const LpExperiment *e, uint32_t agent);
/* Searches rules and parameters at each point on training seeds; the last agent's variants become
 * what was found, e->tuned says what. Errors: those of lp_batch_run. */
LpErr lp_experiment_tune(const LpBatchSpec *batch, LpExperiment *e, LpDiag *diag) LP_MUST_USE;
/* Finds the rules that networks decide like, into e->nearest. Errors: those of sessions. */
LpErr lp_experiment_compare_rules(const LpBatchSpec *batch, LpExperiment *e,
                                  LpDiag *diag) LP_MUST_USE;
/* Who plays, into e->agent: those that are named, or the study's own; one more that --tune searches
 * for. Errors: LP_EINVAL, LP_ELIMIT, those of reading files. */
LpErr lp_experiment_choose_agents(const LpExperimentSpec *spec, LpExperiment *e,
                                  LpDiag *diag) LP_MUST_USE;
/* A rule of the table as a variant. Errors: LP_ENOMEM. */
LpErr lp_experiment_rule(const LpAgent *agent, LpArena *arena, LpVariant *out,
                         LpDiag *diag) LP_MUST_USE;
/* Mean over the seeds of a bound; NAN without bounds. */
double lp_experiment_bound(const LpExperiment *e, uint32_t point, LpBoundKind kind);
/* The bound that holds for what an agent did in all of its runs: did jobs wait, were they stopped?
 */
LpBoundKind lp_experiment_bound_kind(const LpExperiment *e, uint32_t agent);
/* Bounds of all points and seeds, into e->bound. Errors: those of lp_bound_session. */
LpErr lp_experiment_bounds(const LpBatchSpec *batch, LpExperiment *e, LpDiag *diag) LP_MUST_USE;
/* Over the seeds. Errors: LP_ENOMEM. */
LpErr lp_experiment_estimate(const LpExperiment *e, uint32_t point, uint32_t agent,
                             LpStudyMetric metric, LpEstimate *out, LpDiag *diag) LP_MUST_USE;

#endif
