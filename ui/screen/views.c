/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of views. */
#include "screen/views.h"

#include "views/adjust/adjust.h"
#include "views/branches/branches.h"
#include "views/circuits/circuits.h"
#include "views/compare/compare.h"
#include "views/console/console.h"
#include "views/curves/curves.h"
#include "views/decision/decision.h"
#include "views/events/events.h"
#include "views/fabric/fabric.h"
#include "views/figure/figure.h"
#include "views/graph/graph.h"
#include "views/jobs/jobs.h"
#include "views/learning/learning.h"
#include "views/ledger/ledger.h"
#include "views/lesson/lesson.h"
#include "views/network/network.h"
#include "views/now/now.h"
#include "views/pod/pod.h"
#include "views/policy/policy.h"
#include "views/servers/servers.h"
#include "views/step/step.h"
#include "views/study/study.h"
#include "views/summary/summary.h"
#include "views/traffic/traffic.h"
#include "views/whatif/whatif.h"

static const LpView *const views[LP_PANE_COUNT] = {
    [LP_PANE_TITLE] = &lp_title_view,       [LP_PANE_LEDGER] = &lp_ledger_view,
    [LP_PANE_LEGEND] = &lp_legend_view,     [LP_PANE_NOW] = &lp_now_view,
    [LP_PANE_FABRIC] = &lp_fabric_view,     [LP_PANE_SERVERS] = &lp_servers_view,
    [LP_PANE_CIRCUITS] = &lp_circuits_view, [LP_PANE_JOBS] = &lp_jobs_view,
    [LP_PANE_DECISION] = &lp_decision_view, [LP_PANE_CURVE] = &lp_curves_view,
    [LP_PANE_EVENTS] = &lp_events_view,     [LP_PANE_WHATIF] = &lp_whatif_view,
    [LP_PANE_NETWORK] = &lp_network_view,   [LP_PANE_POLICY] = &lp_policy_view,
    [LP_PANE_BRANCHES] = &lp_branches_view, [LP_PANE_STEP] = &lp_step_view,
    [LP_PANE_GRAPH] = &lp_graph_view,       [LP_PANE_TRAFFIC] = &lp_traffic_view,
    [LP_PANE_COMPARE] = &lp_compare_view,   [LP_PANE_SUMMARY] = &lp_summary_view,
    [LP_PANE_ADJUST] = &lp_adjust_view,     [LP_PANE_LEARNING] = &lp_learning_view,
    [LP_PANE_STUDY] = &lp_study_view,       [LP_PANE_FIGURE] = &lp_figure_view,
    [LP_PANE_LESSON] = &lp_lesson_view,     [LP_PANE_CONSOLE] = &lp_console_view,
    [LP_PANE_TIMELINE] = &lp_timeline_view, [LP_PANE_KEYS] = &lp_keys_view,
    [LP_PANE_POD] = &lp_pod_view,
};

const LpView *const *lp_app_views(void) {
    return views;
}

const LpView *lp_app_view(LpPane pane) {
    return views[pane];
}
