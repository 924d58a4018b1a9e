/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads plans of forks and holds them to the job that is due. */
#include "session/moment/plan_words.h"

#include <string.h>

#include "model/split/split.h"
#include "session/words/read_plan.h"
#include "sim/forecast.h"
#include "sim/world.h"

bool lp_is_plan_key(const char *key, size_t len) {
    for (size_t i = 0; i < LP_PARALLEL_NUMBERS; i++) {
        const char *name = lp_parallel_key(i);
        if (strlen(name) == len && strncmp(key, name, len) == 0)
            return true;
    }
    return false;
}

LpErr lp_fork_read_plan(LpForkText *fork, const char *words, LpDiag *diag) {
    LpParallel plan = lp_parallel_default();
    if (fork->answer.degree > 0)
        return lp_fail(diag, LP_EINVAL,
                       "fork: degree=%u beside a plan, which says how many servers it takes",
                       fork->answer.degree);
    LP_TRY(lp_read_parallel_change("fork", words, &plan, diag));
    fork->answer.has_plan = true;
    fork->answer.parallel = plan;
    fork->answer.degree = lp_parallel_devices(&plan);
    return LP_OK;
}

LpErr lp_fork_check_plan(LpSession *session, LpForkText *fork, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    const LpContext *context = lp_session_context(session);
    uint32_t due = lp_world_due(world);
    char shown[LP_PARALLEL_TEXT];
    LpParallel *plan = &fork->answer.parallel;
    LpForecast forecast;
    LpDiag inner;
    if (due == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due here: there is nothing to answer");
    int32_t g = lp_world_job(world, due)->graph;
    const LpGraph *graph = g >= 0 ? lp_session_scenario(session)->graph[g] : NULL;
    if (graph == NULL || graph->split == NULL)
        return lp_fail(diag, LP_EINVAL,
                       "fork: %s is a plan, but job %u is not split by plans: expected degree=8",
                       lp_parallel_words(plan, shown), due);
    if (plan->batch == 0)
        plan->batch = graph->split->plan[0].batch;
    if (lp_parallel_check(&graph->split->model, plan, &inner) != LP_OK ||
        lp_split_check(graph, plan, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "fork: %s", inner.text);
    LP_TRY(lp_world_predict(world, context, due, &fork->answer, &forecast, diag));
    if (forecast.feasible)
        return LP_OK;
    return lp_fail(diag, LP_EREFUSED, "fork: %s: %s", lp_parallel_brief(plan, shown), forecast.why);
}
