/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a decision as a whole, and what its keys do. */
#include "views/decision/decision_view.h"
#include "views/decision/decision_view_impl.h"

static void take(LpHost *host) {
    if (host->ui->row >= 0 && lp_host_is_due(host))
        host->app->take_row(host);
    else
        lp_host_open(host, LP_PANE_STEP, LP_NO_INDEX);
}

static const LpViewKey keys[] = {
    {"Tab", "next of the five stages; {stage-back} the one before"},
    {"} {", "next and previous frame of the stage; {play} holds one"},
    {"Up Down", "mark a row of the table"},
    {"Enter", "decide with it: forks; without one: into the training step"},
    {NULL, NULL},
};

const LpView lp_decision_view = {
    .wants = LP_WANTS_DECISION | LP_WANTS_NETWORK | LP_WANTS_WHATIF,
    .draw = lp_view_decision,
    .alone = lp_view_decision_alone,
    .move = lp_host_move_decision,
    .take = take,
    .table = &lp_decision_table,
    .keys = keys,
};
