/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all classes of views: proxy.c, which every class uses, knows none of them. */
#include "script/views/classes.h"

#include "script/views/views.h"

void lp_views_open(lua_State *L) {
    static const LpProxyClass *const CLASSES[LP_PROXY_COUNT] = {
        [LP_PROXY_JOB] = &lp_proxy_job,         [LP_PROXY_JOBS] = &lp_proxy_jobs,
        [LP_PROXY_OPS] = &lp_proxy_ops,         [LP_PROXY_OP] = &lp_proxy_op,
        [LP_PROXY_PARTS] = &lp_proxy_parts,     [LP_PROXY_PART] = &lp_proxy_part,
        [LP_PROXY_FLOWS] = &lp_proxy_flows,     [LP_PROXY_FLOW] = &lp_proxy_flow,
        [LP_PROXY_DEPS] = &lp_proxy_deps,       [LP_PROXY_DEP] = &lp_proxy_dep,
        [LP_PROXY_CLUSTER] = &lp_proxy_cluster, [LP_PROXY_FORECAST] = &lp_proxy_forecast,
        [LP_PROXY_BLOCK] = &lp_proxy_block,     [LP_PROXY_OBSERVATION] = &lp_proxy_observation,
        [LP_PROXY_SLICES] = &lp_proxy_slices,   [LP_PROXY_SLICE] = &lp_proxy_slice,
        [LP_PROXY_NETWORK] = &lp_proxy_network};
    lp_proxy_open(L, CLASSES);
}
