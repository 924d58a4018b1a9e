/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan comes to beside its forecast. */
#include "ask/inspect/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/split/split.h"
#include "session/session_impl.h"
#include "sim/parallel/parallel_step.h"

static const LpSplit *split_of(const LpSession *s, int32_t graph) {
    return graph >= 0 ? s->scenario->graph[graph]->split : NULL;
}

static int32_t graph_of(const LpSession *s, uint32_t job) {
    return lp_world_job(s->world, job)->graph;
}

uint32_t lp_job_plans(const LpSession *s, uint32_t job) {
    const LpSplit *split = split_of(s, graph_of(s, job));
    return split != NULL ? split->plans : 0;
}

/* The plan alone; a listed one is worked out once. */
static LpErr step_alone(const LpSession *s, int32_t graph, const LpParallel *plan,
                        LpParallelStep *out, LpDiag *diag) {
    const LpSplit *split = split_of(s, graph);
    for (uint32_t i = 0; i < split->plans; i++)
        if (lp_parallel_same(&split->plan[i], plan)) {
            const LpParallelStep *known;
            LP_TRY(lp_store_plan_alone(s->context, (uint32_t)graph, i, &known, diag));
            *out = *known;
            return LP_OK;
        }
    return lp_store_step_alone(split, plan, out, diag);
}

static LpErr fill(const LpSession *s, int32_t graph, const LpParallel *plan,
                  const LpForecast *forecast, LpPlanFigures *out, LpDiag *diag) {
    LpPlanFigures figures = {.planned = split_of(s, graph) != NULL, .way = LP_NO_INDEX};
    LpParallelStep alone;
    if (plan == NULL && figures.planned && forecast->partition != LP_NO_INDEX)
        plan = &lp_store_partition(s->context->store, forecast->partition)->plan;
    if (figures.planned && plan != NULL) {
        figures.plan = *plan;
        figures.memory_most = lp_store_most_memory(s->context);
        LP_TRY(lp_context_way_of(s->context, graph, plan, &figures.way, diag));
    }
    if (plan != NULL && forecast->feasible) {
        const LpStepSummary *step = lp_store_step(s->context->store, forecast->step);
        figures.step_time = step->step_time;
        figures.memory = step->held_bytes;
        figures.bubble = step->bubble;
        figures.exposed = step->exposed / step->step_time;
        figures.turns = step->turns;
        figures.exposed_turns = step->exposed_turns;
        figures.turn_time = step->turn_time;
    } else if (figures.planned && plan != NULL) {
        LP_TRY(step_alone(s, graph, plan, &alone, diag));
        figures.step_time = alone.step_time;
        figures.memory = alone.held_bytes;
        figures.bubble = alone.bubble;
        figures.exposed = alone.communication_time / alone.step_time;
    }
    *out = figures;
    return LP_OK;
}

LpErr lp_plan_figures(const LpSession *s, uint32_t job, const LpParallel *plan,
                      const LpForecast *forecast, LpPlanFigures *out, LpDiag *diag) {
    return fill(s, graph_of(s, job), plan, forecast, out, diag);
}

LpErr lp_plan_figures_of_job(const LpSession *s, const LpJob *j, LpPlanFigures *out, LpDiag *diag) {
    bool placed = j->placed.placement != LP_NO_INDEX && j->placed.step != LP_NO_INDEX;
    LpForecast f = {.feasible = placed,
                    .partition = placed ? j->placed.partition : LP_NO_INDEX,
                    .placement = j->placed.placement,
                    .step = j->placed.step};
    return fill(s, j->graph, NULL, &f, out, diag);
}

LpErr lp_plan_figures_alone(const LpSession *s, uint32_t job, uint32_t number, LpPlanFigures *out,
                            LpDiag *diag) {
    LpForecast f = {.partition = LP_NO_INDEX};
    int32_t graph = graph_of(s, job);
    return fill(s, graph, &split_of(s, graph)->plan[number], &f, out, diag);
}

const char *lp_plan_ways(const LpParallel *plan, char text[LP_PLAN_WAYS_TEXT]) {
    int n = snprintf(text, LP_PLAN_WAYS_TEXT, "t%" PRIu32 " p%" PRIu32 " d%" PRIu32, plan->tensor,
                     plan->pipeline, plan->data);
    if (lp_parallel_expert(plan) > 1)
        n += snprintf(text + n, LP_PLAN_WAYS_TEXT - (size_t)n, " e%" PRIu32, plan->expert);
    if (plan->chunks > 1)
        snprintf(text + n, LP_PLAN_WAYS_TEXT - (size_t)n, " v%" PRIu32, plan->chunks);
    return text;
}

/* ---- facts ---- */

enum { KNOWN = 1 };
static unsigned traits_of(const void *record) {
    return ((const LpPlanFigures *)record)->plan.tensor > 0 ? KNOWN : 0;
}

static LpFactValue plan(const void *record, void *around) {
    return lp_fact_text(lp_parallel_brief(&((const LpPlanFigures *)record)->plan, around));
}

#define OF(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpPlanFigures, name), .of = KNOWN
static const LpFact of_figures[] = {
    {"plan", LP_WORDS, "of a job with plans: this one", LP_TO_JSON, .of = KNOWN, .value = plan},
    {"plan_step_time", LP_SECONDS, "time of its step", OF(step_time)},
    {"memory", LP_BYTES, "of its fullest server", OF(memory)},
    {"memory_most", LP_BYTES, "of the largest server", OF(memory_most)},
    {"bubble", LP_NUMBER,
     "share of the stages' time until the last backward pass in which they wait", OF(bubble)},
    {"exposed_share", LP_NUMBER, "share of the step in which data move and nobody computes",
     OF(exposed)},
    {"turns", LP_NUMBER, "turns of circuits in a step", OF(turns)},
    {"exposed_turns", LP_NUMBER, "of these, turns that a longer delay makes the step longer by",
     OF(exposed_turns)},
    {"turn_time", LP_SECONDS, "time that they add to a step", OF(turn_time)},
};
const LpFacts lp_plan_figure_facts = {"way", of_figures, LP_COUNTOF(of_figures), traits_of};

void lp_plan_figures_json(LpJsonOut *out, const LpPlanFigures *f) {
    char text[LP_PARALLEL_TEXT];
    if (f->planned)
        lp_facts_json(&lp_plan_figure_facts, f, text, out);
}
