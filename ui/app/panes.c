/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the keys that mean something else in each view do in the one that is shown alone. */
#include "app/impl.h"

static const LpPaneActs acts[LP_PANE_COUNT + 1] = {
    [LP_PANE_SERVERS] = {.move = lp_app_servers_move,
                         .along = lp_app_servers_along,
                         .zoom = lp_app_servers_zoom,
                         .variant = lp_app_servers_fill,
                         .take = lp_app_servers_take,
                         .explain = lp_app_servers_story},
    [LP_PANE_CIRCUITS] = {.move = lp_app_circuits_move,
                          .along = lp_app_circuits_along,
                          .zoom = lp_app_circuits_zoom,
                          .take = lp_app_circuits_take},
    [LP_PANE_DECISION] = {.move = lp_app_decision_move, .take = lp_app_decision_take},
    [LP_PANE_CURVE] = {.move = lp_app_curves_move,
                       .along = lp_app_curves_along,
                       .take = lp_app_curves_take},
    [LP_PANE_LEARNING] = {.move = lp_app_learning_move,
                          .along = lp_app_learning_along,
                          .take = lp_app_learning_take,
                          .variant = lp_app_learning_variant},
    [LP_PANE_STUDY] = {.move = lp_app_study_move,
                       .along = lp_app_study_along,
                       .take = lp_app_study_take,
                       .variant = lp_app_study_variant},
    [LP_PANE_STEP] = {.move = lp_app_step_row,
                      .along = lp_app_step_along,
                      .zoom = lp_app_step_zoom,
                      .variant = lp_app_step_rows,
                      .play = lp_app_step_play},
    [LP_PANE_GRAPH] = {.move = lp_app_graph_move,
                       .along = lp_app_graph_along,
                       .zoom = lp_app_graph_zoom,
                       .variant = lp_app_graph_variant,
                       .take = lp_app_graph_step},
    [LP_PANE_JOBS] = {.move = lp_app_jobs_move,
                      .take = lp_app_jobs_step,
                      .explain = lp_app_jobs_story},
    [LP_PANE_BRANCHES] = {.move = lp_app_branches_move,
                          .along = lp_app_branches_along,
                          .take = lp_app_branches_take},
    [LP_PANE_NETWORK] = {.move = lp_app_move_in_degrees,
                         .variant = lp_app_network_next,
                         .take = lp_app_network_take},
    [LP_PANE_CONSOLE] = {.move = lp_app_console_scroll, .take = lp_app_console_open},
    [LP_PANE_EVENTS] = {.move = lp_app_events_move, .take = lp_app_events_go},
};

const LpPaneActs *lp_app_pane_acts(const LpApp *app) {
    static const LpPaneActs none = {.move = NULL};
    bool covered = app->ui.page != NULL || app->ui.help;
    return covered ? &none : &acts[app->ui.only];
}
