/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan comes to beside its forecast: docs/parallel.md, "Jobs". */
#ifndef LP_ASK_INSPECT_FIGURES_H
#define LP_ASK_INSPECT_FIGURES_H

#include "base/fact.h"
#include "session/session.h"
#include "sim/forecast.h"

/* Where the plan cannot be placed the figures are those of its servers alone, in line with nodes.
 */
typedef struct LpPlanFigures {
    bool planned;       /* the job has plans; else all of this is zero */
    LpParallel plan;    /* tensor 0: the answer means none */
    uint32_t way;       /* its number (sim/forecast.h), LP_NO_INDEX: the graph does not list it */
    double step_time;   /* s */
    double memory;      /* bytes that its fullest server holds */
    double memory_most; /* bytes that the cluster's largest server has */
    double bubble;      /* share of the stages' time until the last backward pass */
    double exposed;     /* share of the step in which data move and nobody computes */
    /* Of circuits that turn inside the step; 0 where it has none or is not placed. */
    uint32_t turns, exposed_turns;
    double turn_time; /* s that they make the step longer */
} LpPlanFigures;

/* How many plans the graph of this job lists; 0: it is not split by plans. */
uint32_t lp_job_plans(const LpSession *session, uint32_t job);
static inline bool lp_job_has_plans(const LpSession *session, uint32_t job) {
    return lp_job_plans(session, job) > 0;
}

/* The figures of a job's plan; `plan` NULL: of the one that the forecast is of. Zero for jobs
 * without plans. Errors: those of lp_parallel_step. */
LpErr lp_plan_figures(const LpSession *session, uint32_t job, const LpParallel *plan,
                      const LpForecast *forecast, LpPlanFigures *out, LpDiag *diag) LP_MUST_USE;

/* Figures of the plan by which a job of any world of the session runs or ran; tensor 0 where it
 * never started. Errors: as lp_plan_figures. */
LpErr lp_plan_figures_of_job(const LpSession *session, const LpJob *job, LpPlanFigures *out,
                             LpDiag *diag) LP_MUST_USE;
/* Figures of listed plan `number` of the job's graph, alone. Errors: as lp_plan_figures. */
LpErr lp_plan_figures_alone(const LpSession *session, uint32_t job, uint32_t number,
                            LpPlanFigures *out, LpDiag *diag) LP_MUST_USE;

enum { LP_PLAN_WAYS_TEXT = 64 };
/* "t8 p4 d2", with "e8" where experts are cut and "v3" where stages have several chunks: what names
 * a plan in few columns. Returns text. */
const char *lp_plan_ways(const LpParallel *plan, char text[LP_PLAN_WAYS_TEXT]);

/* The figures as keys of a row; around them is room for a text of LP_PARALLEL_TEXT. */
extern const LpFacts lp_plan_figure_facts;
/* Nothing for jobs without plans. */
void lp_plan_figures_json(LpJsonOut *out, const LpPlanFigures *figures);

#endif
