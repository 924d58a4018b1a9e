/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The API tables as one list, for documentation and its tests. */
#include "script/policy/api_table.h"

#include "base/err.h"

#define HOOK(name, type, doc) {"hook", #name, type, doc},
#define SELF(name, type, doc) {"self", #name, type, doc},
#define POLICY(name, type, doc) {"policy", #name, type, doc},
#define PARAM(name, type, doc) {"param", #name, type, doc},
#define CLUSTER(name, type, doc) {"cluster", #name, type, doc},
#define JOB(name, type, doc) {"job", #name, type, doc},
#define NETWORK(name, type, doc) {"network", #name, type, doc},
#define OP(name, type, doc) {"op", #name, type, doc},
#define DEP(name, type, doc) {"dep", #name, type, doc},
#define PART(name, type, doc) {"part", #name, type, doc},
#define FLOW(name, type, doc) {"flow", #name, type, doc},
#define FORECAST(name, type, doc) {"forecast", #name, type, doc},
#define BLOCK(name, type, doc) {"block", #name, type, doc},
#define PREDICT(name, type, doc) {"predict option", #name, type, doc},
#define BLOCKS(name, type, doc) {"blocks option", #name, type, doc},
#define EVENT(name, type, doc) {"event", #name, type, doc},
#define ACTION(name, type, doc) {"action", #name, type, doc},
#define KEY(name, type, doc) {"action key", #name, type, doc},
#define GLOBAL(name, type, doc) {"global", #name, type, doc},
#define EXPLAIN(name, type, doc) {"explain", #name, type, doc},
#define OPTICS(name, type, doc) {"optics", #name, type, doc},
#define COST(name, type, doc) {"cost", #name, type, doc},
#define LINK(name, type, doc) {"link", #name, type, doc},
#define ZONE(name, type, doc) {"zone", #name, type, doc},
#define MATCH(name, type, doc) {"match", #name, type, doc},
#define GRAPH(name, type, doc) {"graph", #name, type, doc},

const LpApiRow *lp_api_table(size_t *count) {
    /* clang-format off */
    static const LpApiRow ROWS[] = {
        LP_API_HOOKS(HOOK)
        LP_API_SELF(SELF)
        LP_API_POLICY(POLICY)
        LP_API_PARAM(PARAM)
        LP_API_CLUSTER_FIELDS(CLUSTER)
        LP_API_CLUSTER_METHODS(CLUSTER)
        LP_API_JOB_FIELDS(JOB)
        LP_API_JOB_METHODS(JOB)
        LP_API_OP_FIELDS(OP)
        LP_API_DEP_FIELDS(DEP)
        LP_API_PART_FIELDS(PART)
        LP_API_FLOW_FIELDS(FLOW)
        LP_API_FORECAST_FIELDS(FORECAST)
        LP_API_BLOCK_FIELDS(BLOCK)
        LP_API_PREDICT_OPTIONS(PREDICT)
        LP_API_BLOCKS_OPTIONS(BLOCKS)
        LP_API_EVENT_FIELDS(EVENT)
        LP_API_ACTIONS(ACTION)
        LP_API_ACTION_KEYS(KEY)
        LP_API_GLOBALS(GLOBAL)
        LP_API_EXPLAIN_FIELDS(EXPLAIN)
        LP_API_OPTICS_FIELDS(OPTICS)
        LP_API_COST_FIELDS(COST)
        LP_API_LINK_FIELDS(LINK)
        LP_API_ZONE_FIELDS(ZONE)
        LP_API_NETWORK_FIELDS(NETWORK)
        LP_API_NETWORK_METHODS(NETWORK)
        LP_API_MATCH(MATCH)
        LP_API_GRAPH(GRAPH)
    };
    /* clang-format on */
    *count = LP_COUNTOF(ROWS);
    return ROWS;
}
