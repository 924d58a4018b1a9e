/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the network which servers are at a site. */
#include "board/site.h"

LpBoardSite lp_board_site(const LpModel *model, uint32_t site) {
    const LpNetwork *n = model->context->fabric.network;
    LpBoardSite it = {n->spec.zone[site].name, n->locality_begin[site], n->locality_begin[site + 1],
                      0};
    for (uint32_t s = it.begin; s < it.end; s++)
        it.free += lp_world_server_free(model->world, s);
    return it;
}

uint32_t lp_board_site_most(const LpModel *model) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < model->board.count; i++) {
        LpBoardSite it = lp_board_site(model, i);
        most = it.end - it.begin > most ? it.end - it.begin : most;
    }
    return most;
}

int lp_board_site_width(const LpModel *model) {
    int width = 0;
    for (uint32_t i = 0; i < model->board.count; i++) {
        int own = lp_text_width(lp_board_site(model, i).name) + 1;
        width = own > width ? own : width;
    }
    return width;
}

bool lp_board_site_cable(const LpModel *model, uint32_t server, LpNetworkWay *cable) {
    const LpNetwork *n = lp_world_context(model->world, model->context)->fabric.network;
    size_t link = 2 * (size_t)server; /* its cable has its number */
    if (!model->board.sites || n->others[lp_network_locality(n, server)] == 0)
        return false;
    *cable = (LpNetworkWay){n->delay[link], n->loss[link], n->capacity[link]};
    return true;
}
