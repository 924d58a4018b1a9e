/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cluster is made of that can break by itself: how many, which ends, what it is called. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "model/fabric/fabric_impl.h"

/* ---- how many ---- */

void lp_cluster_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    memset(counts, 0, LP_OUTAGE_COUNT * sizeof *counts);
    lp_fabric_ops(cluster->fabric)->components(cluster, counts);
}

/* ---- ends ---- */

/* Pairs before those that begin with server a. */
static uint64_t pairs_before(uint64_t servers, uint64_t a) {
    return a * (2 * servers - a - 1) / 2;
}

void lp_cluster_ends(const LpCluster *cluster, uint32_t kind, uint32_t index, uint32_t *a,
                     uint32_t *b) {
    if (kind == LP_OUTAGE_LINK) {
        const LpNetwork *n = lp_cluster_packet(cluster)->network;
        *a = n->from[2 * index];
        *b = n->to[2 * index];
        return;
    }
    LP_ASSERT(kind == LP_OUTAGE_CIRCUIT);
    uint32_t servers = lp_cluster_servers(cluster), low = 0, high = servers - 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(pairs_before(servers, middle) <= index ? &low : &high) = middle;
    }
    *a = low;
    *b = (uint32_t)(low + 1 + (index - pairs_before(servers, low)));
}

/* ---- words ---- */

static const char *node_text(const LpCluster *cluster, uint32_t node, char buf[LP_NODE_TEXT]) {
    uint32_t servers = lp_cluster_servers(cluster);
    char name[LP_SERVER_TEXT];
    if (node < servers)
        snprintf(buf, LP_NODE_TEXT, "server %.20s", lp_cluster_server(cluster, node, name));
    else
        snprintf(buf, LP_NODE_TEXT, "switch %u", node - servers);
    return buf;
}

static void link_text(const LpCluster *cluster, uint32_t index, char *buf) {
    char a[LP_NODE_TEXT], b[LP_NODE_TEXT];
    uint32_t from, to;
    if (lp_fabric_ops(cluster->fabric)->circuits) {
        snprintf(buf, LP_COMPONENT_TEXT, "link %u (%s)", index,
                 lp_ocs_node(&cluster->ocs, cluster->ocs.plug[index].node, a));
        return;
    }
    lp_cluster_ends(cluster, LP_OUTAGE_LINK, index, &from, &to);
    snprintf(buf, LP_COMPONENT_TEXT, "link %u (%s to %s)", index, node_text(cluster, from, a),
             node_text(cluster, to, b));
}

/* The cube that an accelerator, a host or a cable belongs to. */
static bool cube_of(const LpCluster *cluster, uint32_t kind, uint32_t index, uint32_t *cube) {
    uint32_t counts[LP_OUTAGE_COUNT];
    bool has = kind == LP_OUTAGE_HOST || kind == LP_OUTAGE_ACCELERATOR || kind == LP_OUTAGE_CABLE;
    lp_cluster_components(cluster, counts);
    if (has)
        *cube = index / (counts[kind] / counts[LP_OUTAGE_CUBE]);
    return has;
}

const char *lp_cluster_component(const LpCluster *cluster, uint32_t kind, uint32_t index,
                                 char buf[LP_COMPONENT_TEXT]) {
    uint32_t a, b, cube;
    char one[LP_SERVER_TEXT], other[LP_SERVER_TEXT];
    if (kind == LP_OUTAGE_LINK) {
        link_text(cluster, index, buf);
    } else if (kind == LP_OUTAGE_CIRCUIT) {
        lp_cluster_ends(cluster, kind, index, &a, &b);
        snprintf(buf, LP_COMPONENT_TEXT, "light between servers %.30s and %.30s",
                 lp_cluster_server(cluster, a, one), lp_cluster_server(cluster, b, other));
    } else if (kind == LP_OUTAGE_SERVER) {
        snprintf(buf, LP_COMPONENT_TEXT, "%s %.80s", lp_outage_word(LP_OUTAGE_SERVER),
                 lp_cluster_server(cluster, index, one));
    } else if (cube_of(cluster, kind, index, &cube)) {
        snprintf(buf, LP_COMPONENT_TEXT, "%s %u (cube %u)", lp_outage_word((LpOutageKind)kind),
                 index, cube);
    } else {
        snprintf(buf, LP_COMPONENT_TEXT, "%s %u", lp_outage_word((LpOutageKind)kind), index);
    }
    return buf;
}
