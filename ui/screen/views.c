/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of views. */
#include "screen/views.h"

#include "views/adjust/adjust_view.h"
#include "views/branches/branches_view.h"
#include "views/circuits/circuits_view.h"
#include "views/collective/collective_view.h"
#include "views/compare/compare_view.h"
#include "views/console/console_view.h"
#include "views/curves/curves_view.h"
#include "views/decision/decision_view.h"
#include "views/events/events_view.h"
#include "views/fabric/fabric_view.h"
#include "views/figure/figure_view.h"
#include "views/graph/graph_view.h"
#include "views/jobs/jobs_view.h"
#include "views/learning/learning_view.h"
#include "views/ledger/ledger_view.h"
#include "views/lesson/lesson_view.h"
#include "views/network/network_view.h"
#include "views/now/now_view.h"
#include "views/pod/pod_view.h"
#include "views/policy/policy_view.h"
#include "views/servers/servers_view.h"
#include "views/step/step_view.h"
#include "views/study/study_view.h"
#include "views/summary/summary_view.h"
#include "views/traffic/traffic_view.h"
#include "views/tree/tree_view.h"
#include "views/whatif/whatif_view.h"

static const LpView *const views[LP_PANE_COUNT] = {
    [LP_PANE_TITLE] = &lp_title_view,
    [LP_PANE_LEDGER] = &lp_ledger_view,
    [LP_PANE_LEGEND] = &lp_legend_view,
    [LP_PANE_NOW] = &lp_now_view,
    [LP_PANE_FABRIC] = &lp_fabric_view,
    [LP_PANE_SERVERS] = &lp_servers_view,
    [LP_PANE_CIRCUITS] = &lp_circuits_view,
    [LP_PANE_JOBS] = &lp_jobs_view,
    [LP_PANE_DECISION] = &lp_decision_view,
    [LP_PANE_CURVE] = &lp_curves_view,
    [LP_PANE_EVENTS] = &lp_events_view,
    [LP_PANE_WHATIF] = &lp_whatif_view,
    [LP_PANE_NETWORK] = &lp_network_view,
    [LP_PANE_POLICY] = &lp_policy_view,
    [LP_PANE_BRANCHES] = &lp_branches_view,
    [LP_PANE_STEP] = &lp_step_view,
    [LP_PANE_GRAPH] = &lp_graph_view,
    [LP_PANE_TRAFFIC] = &lp_traffic_view,
    [LP_PANE_COMPARE] = &lp_compare_view,
    [LP_PANE_SUMMARY] = &lp_summary_view,
    [LP_PANE_ADJUST] = &lp_adjust_view,
    [LP_PANE_LEARNING] = &lp_learning_view,
    [LP_PANE_STUDY] = &lp_study_view,
    [LP_PANE_FIGURE] = &lp_figure_view,
    [LP_PANE_LESSON] = &lp_lesson_view,
    [LP_PANE_CONSOLE] = &lp_console_view,
    [LP_PANE_TIMELINE] = &lp_timeline_view,
    [LP_PANE_KEYS] = &lp_keys_view,
    [LP_PANE_POD] = &lp_pod_view,
    [LP_PANE_TREE] = &lp_tree_view,
    [LP_PANE_COLLECTIVE] = &lp_collective_view,
};

const LpView *const *lp_app_views(void) {
    return views;
}

const LpView *lp_app_view(LpPane pane) {
    return views[pane];
}
