/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read access to a context. */
#include "sim/store/context.h"

#include "base/num.h"

LpCut lp_context_cut(const LpContext *context, uint32_t graph, LpPartitionKind kind) {
    const LpScenario *scenario = context->scenario;
    return (LpCut){.graph = scenario->graph[graph],
                   .options = &scenario->options,
                   .kind = kind,
                   .overlap = scenario->partition.overlap,
                   .sequence = scenario->partition.sequence,
                   .reserve = lp_scenario_reserves(scenario),
                   .min_op_time = scenario->partition.min_op_time,
                   .max_deps = scenario->partition.max_deps};
}

/* Where flows do not occupy light paths (published, or a fabric that shares nothing) every ordered
 * pair of servers has its own channels. A pod's slices hold circuits of its switches. */
void lp_context_set_light(LpContext *context) {
    LpFabric *f = &context->fabric;
    const LpScenario *scenario = context->scenario;
    double pairs = (double)f->servers * (f->servers - 1.0);
    bool published = lp_published(&scenario->options, LP_OPT_CIRCUITS);
    if (f->ops->slices)
        return;
    if (f->tx_ports == 0)
        f->light_capacity = pairs;
    else if (published)
        f->light_capacity = pairs * f->channels;
}

LpErr lp_context_allow(const LpContext *context, const char *what, double bytes, LpDiag *diag) {
    char need[LP_NUM_TEXT], limit[LP_NUM_TEXT];
    if (bytes <= *context->max_memory)
        return LP_OK;
    return lp_fail(diag, LP_EMEMLIMIT, "%s needs %s, the limit is %s (--max-memory)", what,
                   lp_quantity_print(bytes, LP_DIM_BYTES, need, sizeof need),
                   lp_quantity_print(*context->max_memory, LP_DIM_BYTES, limit, sizeof limit));
}
