/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of views, defined where their fields are; classes.c has them in one table. */
#ifndef LP_SCRIPT_VIEWS_CLASSES_H
#define LP_SCRIPT_VIEWS_CLASSES_H

#include "script/views/proxy.h"

extern const LpProxyClass lp_proxy_job, lp_proxy_jobs; /* proxy_job.c */
extern const LpProxyClass lp_proxy_ops, lp_proxy_op, lp_proxy_deps,
    lp_proxy_dep; /* proxy_graph.c */
extern const LpProxyClass lp_proxy_parts, lp_proxy_part, lp_proxy_flows,
    lp_proxy_flow;                                                /* proxy_step.c */
extern const LpProxyClass lp_proxy_cluster;                       /* cluster_api.c */
extern const LpProxyClass lp_proxy_forecast;                      /* cluster_predict.c */
extern const LpProxyClass lp_proxy_block;                         /* cluster_blocks.c */
extern const LpProxyClass lp_proxy_slices, lp_proxy_slice;        /* slices.c */
extern const LpProxyClass lp_proxy_observation, lp_proxy_network; /* network.c */

#endif
