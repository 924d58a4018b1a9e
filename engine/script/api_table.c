/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The API tables as one list, for documentation and its tests. */
#include "script/api_table.h"

#include "base/err.h"

const LpApiRow *lp_api_table(size_t *count) {
    static const LpApiRow ROWS[] = {
#define HOOK(name, type, doc) {"hook", #name, type, doc},
        LP_API_HOOKS(HOOK)
#define SELF(name, type, doc) {"self", #name, type, doc},
            LP_API_SELF(SELF)
#define POLICY(name, type, doc) {"policy", #name, type, doc},
                LP_API_POLICY(POLICY)
#define PARAM(name, type, doc) {"param", #name, type, doc},
                    LP_API_PARAM(PARAM)
#define CLUSTER(name, type, doc) {"cluster", #name, type, doc},
                        LP_API_CLUSTER_FIELDS(CLUSTER) LP_API_CLUSTER_METHODS(CLUSTER)
#define JOB(name, type, doc) {"job", #name, type, doc},
                            LP_API_JOB_FIELDS(JOB)
#define OP(name, type, doc) {"op", #name, type, doc},
                                LP_API_OP_FIELDS(OP)
#define DEP(name, type, doc) {"dep", #name, type, doc},
                                    LP_API_DEP_FIELDS(DEP)
#define FORECAST(name, type, doc) {"forecast", #name, type, doc},
                                        LP_API_FORECAST_FIELDS(FORECAST)
#define BLOCK(name, type, doc) {"block", #name, type, doc},
                                            LP_API_BLOCK_FIELDS(BLOCK)
#define PREDICT(name, type, doc) {"predict option", #name, type, doc},
                                                LP_API_PREDICT_OPTIONS(PREDICT)
#define BLOCKS(name, type, doc) {"blocks option", #name, type, doc},
                                                    LP_API_BLOCKS_OPTIONS(BLOCKS)
#define EVENT(name, type, doc) {"event", #name, type, doc},
                                                        LP_API_EVENT_FIELDS(EVENT)
#define ACTION(name, type, doc) {"action", #name, type, doc},
                                                            LP_API_ACTIONS(ACTION)
#define KEY(name, type, doc) {"action key", #name, type, doc},
                                                                LP_API_ACTION_KEYS(KEY)
#define GLOBAL(name, type, doc) {"global", #name, type, doc},
                                                                    LP_API_GLOBALS(GLOBAL)
#define EXPLAIN(name, type, doc) {"explain", #name, type, doc},
                                                                        LP_API_EXPLAIN_FIELDS(
                                                                            EXPLAIN)};
    *count = LP_COUNTOF(ROWS);
    return ROWS;
}
