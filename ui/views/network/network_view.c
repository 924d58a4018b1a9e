/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the policy's network as a whole. */
#include "views/network/network_view.h"
#include "views/network/network_view_impl.h"

static void next_network(LpHost *host) {
    uint32_t networks = host->model->network.networks;
    if (networks < 2)
        lp_host_say(host, false, "the policy has %s network", networks == 0 ? "no" : "one");
    else
        host->ui->network = (host->ui->network + 1) % networks;
}

static void take(LpHost *host) {
    if (host->ui->row >= 0 && lp_host_is_due(host))
        host->app->take_row(host);
    else
        lp_host_tell(host, "{up} {down} mark an answer");
}

static int count_actions(const void *list) {
    const LpNetworkModel *n = &((const LpModel *)list)->network;
    return n->known ? (int)n->seen.actions : 0;
}

static const void *action_at(const void *list, int row) {
    return &((const LpModel *)list)->network.seen.action[row];
}

#define LP_TABLE_ITEM LpNetworkAction
#define COLUMNS(X)                                                                                 \
    X(JOB, NULL, "job", "", "that is decided", 0, NULL,                                            \
      ((const LpModel *)row->list)->network.seen.job)                                              \
    X(WAYS, "ways", "degree", "",                                                                  \
      "partition degree of the answer; of a job with plans the plan's number", 0, NULL,            \
      it->degree)                                                                                  \
    X(RULE, "first_fit ...", "rule", "", "how probable with this rule of placement", 0, NULL,      \
      it->rule)                                                                                    \
    X(OPEN, NULL, "open", "", "the mask has it", 0, NULL, lp_table_flag(it->open))                 \
    X(PROBABILITY, "probability", "probability", "%",                                              \
      "of the answer; closed: the mask has it not", 0, NULL, it->probability)                      \
    X(LOGIT, NULL, "logit", "", "output of the policy head", 0, NULL, it->logit)                   \
    X(Q, NULL, "q", "", "the return that it leads to", 0, NULL, it->q)

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static const LpTable table = {
    .column = columns, .columns = LP_COUNTOF(columns), .rows = count_actions, .item = action_at};

static const LpViewKey keys[] = {
    {"Up Down", "mark an answer: what moved the network towards it, or off it"},
    {"Enter", "decide with it: forks"},
    {"v", "the policy's next network"},
    {NULL, NULL},
};

const LpView lp_network_view = {
    .wants = LP_WANTS_NETWORK | LP_WANTS_WHY,
    .draw = lp_view_network,
    .part = lp_view_network_panel,
    .move = lp_host_move_decision,
    .variant = next_network,
    .take = take,
    .takes = "take it",
    .looks = "next network",
    .table = &table,
    .keys = keys,
};
