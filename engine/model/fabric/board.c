/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fabrics lie on boards: what several of them share, and the names of what is on them. */
#include "model/fabric/board.h"

#include "model/fabric/fabric_impl.h"

LpBoardPlan lp_board_plan(const LpFabric *f) {
    LpBoardPlan plan = {.name = f->ops->name,
                        .servers = f->servers,
                        .groups = f->groups,
                        .racks = f->racks,
                        .per_rack = f->per_rack,
                        .light = f->light_capacity,
                        .count = 1,
                        .rows = f->groups};
    f->ops->board_plan(f, &plan);
    return plan;
}

void lp_light_board(const LpFabric *f, LpBoardPlan *plan) {
    plan->joins = LP_BOARD_LIGHT;
    plan->wavelengths = f->tx_ports > 0;
    if (f->groups == 1 && f->racks == 1)
        return;
    plan->rack = "rack";
    plan->rack_many = "racks";
    plan->count = f->groups * f->racks;
    if (f->groups == 1)
        return;
    plan->group = "group";
    plan->per_group = f->racks;
}

/* Leaves, edge switches in pods, rows, first switches. */
void lp_packet_board(const LpFabric *f, LpBoardPlan *plan) {
    static const struct {
        const char *one, *many;
        LpBoardLook look[LP_BOARD_LOOKS];
    } racks[LP_TOPOLOGY_COUNT] = {
        [LP_TOPOLOGY_LEAF_SPINE] = {"leaf", "leaves", {LP_BOARD_PICTURE, LP_BOARD_MATRIX}},
        [LP_TOPOLOGY_FAT_TREE] = {"edge", "edges", {LP_BOARD_LIST}},
        [LP_TOPOLOGY_TORUS] = {"row", "rows", {LP_BOARD_LIST}},
        [LP_TOPOLOGY_LINKS] = {"switch", "switches", {LP_BOARD_LIST}},
        [LP_TOPOLOGY_ZONES] = {"site", "sites", {LP_BOARD_MAP, LP_BOARD_WAYS}},
    };
    const LpNetworkSpec *s = &f->network->spec;
    plan->joins = LP_BOARD_LINKS;
    for (int i = 0; i < LP_BOARD_LOOKS; i++)
        plan->look[i] = racks[s->topology].look[i];
    plan->rack = racks[s->topology].one;
    plan->rack_many = racks[s->topology].many;
    plan->count = f->network->localities;
    if (s->topology == LP_TOPOLOGY_LEAF_SPINE) {
        plan->rows = s->leaves;
        plan->spines = s->spines;
    }
    if (s->topology == LP_TOPOLOGY_FAT_TREE) {
        plan->group = "pod";
        plan->per_group = s->k / 2;
    }
}

/* ---- racks ---- */

/* The aggregator that a server's first circuit leads to, else the rack of those that none has. */
static void find_aggregators(const LpOcsParams *o, const uint32_t *joined, uint32_t *rack) {
    for (uint32_t s = 0; s < o->servers; s++)
        rack[s] = o->aggregators;
    for (uint32_t p = o->ports; p-- > 0;) {
        uint32_t node = o->plug[p].node, out = joined[p];
        if (node < o->servers && out < o->ports && o->plug[out].node >= o->servers)
            rack[node] = o->plug[out].node - o->servers;
    }
}

void lp_board_racks(const LpFabric *f, const uint32_t *joined, uint32_t *rack) {
    if (joined != NULL) {
        find_aggregators(&f->cluster->ocs, joined, rack);
        return;
    }
    const LpNetwork *n = f->network;
    for (uint32_t s = 0; n == NULL && s < f->servers; s++)
        rack[s] = s / f->per_rack;
    for (uint32_t w = 0; n != NULL && w < n->localities; w++)
        for (uint32_t i = n->locality_begin[w]; i < n->locality_begin[w + 1]; i++)
            rack[n->locality_member != NULL ? n->locality_member[i] : i] = w;
}

/* ---- names ---- */

void lp_board_rack_name(const LpFabric *f, uint32_t rack, LpBuf *out) {
    LpBoardPlan plan = lp_board_plan(f);
    if (plan.loose && rack + 1 == plan.count)
        lp_buf_add(out, "not joined");
    else if (plan.sites)
        lp_buf_add(out, f->network->spec.zone[rack].name);
    else if (plan.joins == LP_BOARD_LIGHT && plan.group != NULL)
        lp_buf_addf(out, "g%ur%u", (unsigned)(rack / f->racks), (unsigned)(rack % f->racks));
    else
        lp_buf_addf(out, "%s %u", plan.rack, (unsigned)rack);
}

void lp_board_node_name(const LpFabric *f, uint32_t node, LpBuf *out) {
    const LpNetworkSpec *s = &f->network->spec;
    /* switches of each tier, the lowest first, and what they are called */
    const struct {
        const char *one;
        uint32_t count;
    } tier[LP_TOPOLOGY_COUNT][3] = {
        [LP_TOPOLOGY_LEAF_SPINE] = {{"leaf", s->leaves}, {"spine", s->spines}},
        [LP_TOPOLOGY_FAT_TREE] = {{"edge", s->k * s->k / 2},
                                  {"aggregation", s->k * s->k / 2},
                                  {"core", s->k * s->k / 4}},
    };
    uint32_t at = node - f->network->servers;
    if (node < f->network->servers) {
        char name[LP_SERVER_TEXT];
        lp_buf_addf(out, "server %s", lp_cluster_server(f->cluster, node, name));
        return;
    }
    if (s->topology == LP_TOPOLOGY_ZONES) {
        lp_buf_addf(out, "%.20s", s->zone[at].name);
        return;
    }
    for (int i = 0; i < 3 && tier[s->topology][i].one != NULL; i++) {
        if (at < tier[s->topology][i].count) {
            lp_buf_addf(out, "%s %u", tier[s->topology][i].one, (unsigned)at);
            return;
        }
        at -= tier[s->topology][i].count;
    }
    lp_buf_addf(out, "switch %u", (unsigned)at);
}
