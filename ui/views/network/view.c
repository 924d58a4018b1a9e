/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the policy's network as a whole. */
#include "base/num.h"
#include "views/network/impl.h"
#include "views/network/network.h"

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
        lp_host_tell(host, "{Up} {Down} mark an answer");
}

static LpErr write_table(const LpModel *model, LpBuf *out, LpDiag *diag) {
    const LpNetworkInspection *seen = &model->network.seen;
    char q[LP_NUM_TEXT];
    lp_buf_add(out, "job,degree,rule,open,probability,logit,q\n");
    for (uint32_t i = 0; model->network.known && i < seen->actions; i++) {
        const LpNetworkAction *a = &seen->action[i];
        lp_buf_addf(out, "%u,%u,%s,%s,", (unsigned)seen->job, (unsigned)a->degree, a->rule,
                    a->open ? "true" : "false");
        lp_table_number(out, a->probability);
        lp_table_number(out, a->logit);
        lp_buf_addf(out, "%s\n", lp_num_print(a->q, q));
    }
    return lp_buf_ok(out, diag);
}

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
    .table = write_table,
    .keys = keys,
};
