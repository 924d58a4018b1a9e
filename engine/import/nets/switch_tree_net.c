/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network that a tree of switches becomes: cables with rates, and levels. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "import/nets/switch_tree.h"
#include "model/network/network.h"

static const double BANDWIDTH = 12.5e9, DELAY = 500e-9; /* a scenario's, where it says nothing */

static const char JOINT[] = "(tops joined)";

enum { HOST_TEXT = 300 };

static LpErr out_of_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "the network of a tree");
}

/* ---- servers, in an order in which leaves and domains are runs ---- */

typedef struct Place {
    uint32_t leaf, domain, host;
} Place;

static int by_place(const void *a, const void *b) {
    const Place *p = a, *q = b;
    if (p->leaf != q->leaf)
        return p->leaf < q->leaf ? -1 : 1;
    if (p->domain != q->domain)
        return p->domain < q->domain ? -1 : 1;
    return p->host < q->host ? -1 : p->host > q->host;
}

static LpErr add_servers(const LpSwitchTree *tree, const Place *place, LpNet *net, LpDiag *diag) {
    char name[HOST_TEXT];
    for (uint32_t i = 0; i < tree->hosts.count; i++) {
        const char *host = tree->hosts.name[place[i].host];
        LpBuf text = {0};
        if (tree->split == 1) {
            LP_TRY(lp_net_server(net, host, NULL, diag));
            continue;
        }
        for (uint32_t g = 0; g < tree->split; g++) {
            lp_buf_clear(&text);
            lp_buf_addf(&text, "%s/%u", host, g);
            LpErr err = lp_buf_ok(&text, diag);
            if (err == LP_OK)
                err = lp_net_server(net, lp_str_copy(name, sizeof name, lp_buf_text(&text)), NULL,
                                    diag);
            if (err != LP_OK) {
                lp_buf_fini(&text);
                return err;
            }
        }
        lp_buf_fini(&text);
    }
    return LP_OK;
}

/* ---- cables ---- */

/* Cables that a switch needs to each switch above it: one, or as many as carry what comes from
 * below divided by the oversubscription. */
static uint32_t uplinks(const LpTreeSwitch *sw, double below, double uplink, double over) {
    if (over <= 0)
        return 1;
    double exact = below / (over * uplink * (sw->parents > 0 ? sw->parents : 1));
    if (exact >= 1 << 16)
        return 1 << 16;
    uint32_t whole = (uint32_t)exact;
    whole += exact > whole && !lp_num_tied(exact, whole);
    return whole > 0 ? whole : 1;
}

/* "12.5 GB/s a server, ..." among what is assumed. */
static LpErr assume_rates(LpNet *net, double rate, double uplink, LpDiag *diag) {
    char host[32], up[32], delay[32];
    LpBuf buf = {0};
    lp_quantity_print(rate, LP_DIM_BANDWIDTH, host, sizeof host);
    lp_quantity_print(uplink, LP_DIM_BANDWIDTH, up, sizeof up);
    lp_buf_addf(&buf, "%s a server, %s an uplink, %s a cable (the file has none)", host, up,
                lp_quantity_print(DELAY, LP_DIM_TIME, delay, sizeof delay));
    LpErr err = lp_buf_ok(&buf, diag);
    if (err == LP_OK)
        err = lp_net_assume(net, lp_buf_text(&buf), diag);
    lp_buf_fini(&buf);
    return err;
}

/* Several tops hang on one switch more. */
static LpErr join_tops(const LpSwitchTree *tree, const uint32_t *cables, double uplink, LpNet *net,
                       LpDiag *diag) {
    LpNetCable cable = {
        .from.is_switch = true, .to.is_switch = true, .bandwidth = uplink, .delay = DELAY};
    uint32_t tops = 0;
    for (uint32_t s = 0; s < tree->switches.count; s++)
        tops += tree->sw[s].parents == 0;
    if (tops < 2)
        return LP_OK;
    if (lp_names_find(&tree->switches, JOINT) != LP_NO_INDEX)
        return lp_fail(diag, LP_EINVAL, "a switch is called \"%s\", expected another name", JOINT);
    LP_TRY(lp_net_switch(net, JOINT, &cable.to.number, diag));
    for (uint32_t s = 0; s < tree->switches.count; s++)
        for (uint32_t c = 0; tree->sw[s].parents == 0 && c < cables[s]; c++) {
            cable.from.number = s;
            LP_TRY(lp_net_cable(net, &cable, diag));
        }
    return lp_net_assume(net, "tops that the file does not join hang on one switch more", diag);
}

static LpErr add_cables(LpSwitchTree *tree, const Place *place, const LpImportOptions *options,
                        LpNet *net, LpDiag *diag) {
    double rate = options->server_bandwidth > 0 ? options->server_bandwidth : BANDWIDTH;
    double uplink = options->uplink_bandwidth > 0 ? options->uplink_bandwidth : BANDWIDTH;
    double *below = lp_alloc(tree->switches.count, sizeof *below); /* B/s that reach a switch */
    uint32_t *cables = lp_alloc(tree->switches.count, sizeof *cables);
    LpErr err = below == NULL || cables == NULL ? out_of_memory(diag) : LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < tree->hosts.count * tree->split; i++) {
        uint32_t leaf = place[i / tree->split].leaf;
        below[leaf] += rate;
        err = lp_net_cable(net, &(LpNetCable){{i, false}, {leaf, true}, rate, DELAY}, diag);
    }
    for (uint32_t height = 1; err == LP_OK && height <= tree->levels; height++) {
        for (uint32_t s = 0; s < tree->switches.count; s++)
            if (tree->sw[s].height == height)
                cables[s] = uplinks(&tree->sw[s], below[s], uplink, options->oversubscription);
        for (size_t i = 0; i < tree->links; i++)
            if (tree->sw[tree->link[i].below].height == height)
                below[tree->link[i].above] += uplink * cables[tree->link[i].below];
    }
    for (size_t i = 0; err == LP_OK && i < tree->links; i++) {
        LpNetCable cable = {
            {tree->link[i].below, true}, {tree->link[i].above, true}, uplink, DELAY};
        for (uint32_t c = 0; err == LP_OK && c < cables[tree->link[i].below]; c++)
            err = lp_net_cable(net, &cable, diag);
    }
    const LpNetCable *all;
    tree->cables = lp_net_cables(net, &all);
    if (err == LP_OK)
        err = assume_rates(net, rate, uplink, diag);
    if (err == LP_OK)
        err = join_tops(tree, cables, uplink, net, diag);
    lp_free(below);
    lp_free(cables);
    return err;
}

/* ---- levels ---- */

/* What lies in the level that was added last: servers at first, then its nodes. */
typedef struct Items {
    uint32_t
        *key; /* of each item: the switch, host or domain that it stands for, in place's order */
    uint32_t count;
} Items;

/* Adds a level whose nodes are the items of equal keys, in the order of their first items, and
 * makes these nodes the items. `keys`: all keys are below; `name` is that of each. */
static LpErr add_level(Items *items, const char *level, const char *const *name, uint32_t keys,
                       LpNet *net, LpDiag *diag) {
    LpNetNode *node = lp_alloc(items->count, sizeof *node);
    uint32_t *child = lp_alloc(items->count, sizeof *child), *at = lp_alloc(keys, sizeof *at);
    uint32_t *begin = lp_alloc((size_t)items->count + 1, sizeof *begin), nodes = 0;
    LpErr err = LP_OK;
    if (node == NULL || child == NULL || at == NULL || begin == NULL) {
        err = out_of_memory(diag);
        goto end;
    }
    for (uint32_t k = 0; k < keys; k++)
        at[k] = LP_NO_INDEX;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t *n = &at[items->key[i]];
        if (*n == LP_NO_INDEX) {
            node[nodes].name = name[items->key[i]];
            *n = nodes++;
        }
        node[*n].children++;
    }
    for (uint32_t n = 0; n < nodes; n++) {
        node[n].child = child + begin[n];
        begin[n + 1] = begin[n] + node[n].children;
    }
    for (uint32_t i = 0; i < items->count; i++)
        child[begin[at[items->key[i]]]++] = i;
    err = lp_net_level(net, &(LpNetLevel){level, node, nodes}, diag);
    /* a node comes at its first item or before it, so keys can move up in place */
    for (uint32_t i = 0, next = 0; i < items->count; i++)
        if (at[items->key[i]] == next)
            items->key[next++] = items->key[i];
    items->count = nodes;
end:
    lp_free(node);
    lp_free(child);
    lp_free(at);
    lp_free(begin);
    return err;
}

static const char *level_name(const LpSwitchTree *tree, uint32_t level) {
    static const char *const name[] = {"leaf", "spine", "core", "level4", "level5", "level6"};
    return tree->blocks ? "block" : name[level - 1];
}

/* Are domains a level below leaves: is every host in one, and every one below a single leaf? */
static LpErr domains_nest(LpSwitchTree *tree, LpDiag *diag) {
    uint32_t *leaf = lp_alloc(tree->domains.count, sizeof *leaf);
    if (leaf == NULL)
        return out_of_memory(diag);
    tree->nested = tree->domains.count > 0;
    for (uint32_t d = 0; d < tree->domains.count; d++)
        leaf[d] = LP_NO_INDEX;
    for (uint32_t h = 0; tree->nested && h < tree->hosts.count; h++) {
        const LpTreeHost *host = &tree->host[h];
        tree->nested = host->domain != LP_NO_INDEX &&
                       (leaf[host->domain] == LP_NO_INDEX || leaf[host->domain] == host->leaf);
        if (tree->nested)
            leaf[host->domain] = host->leaf;
    }
    lp_free(leaf);
    return LP_OK;
}

/* The switch under whose name a node of one of its hosts, or of its own, stands in the level above.
 * A switch that hangs higher, or is a top, has nodes of its name in the levels between, and so has
 * one that has hosts of its own in the levels below. */
static uint32_t switch_above(const LpSwitchTree *tree, uint32_t s, uint32_t level) {
    const LpTreeSwitch *sw = &tree->sw[s];
    bool stays = sw->height > level || sw->up == LP_NO_INDEX || tree->sw[sw->up].height > level + 1;
    return stays ? s : sw->up;
}

static LpErr add_levels(LpSwitchTree *tree, const Place *place, LpNet *net, LpDiag *diag) {
    enum { MOST = 6 }; /* that a scenario has */
    uint32_t hosts = tree->hosts.count, most = tree->blocks ? 1 : tree->levels;
    Items items = {.count = hosts * tree->split};
    LP_TRY(domains_nest(tree, diag));
    bool nest = tree->nested;
    uint32_t *place_of = lp_alloc(hosts, sizeof *place_of); /* an item's place */
    items.key = lp_alloc(items.count, sizeof *items.key);
    LpErr err = items.key == NULL || place_of == NULL ? out_of_memory(diag) : LP_OK;
    if (err == LP_OK && tree->split > 1) {
        for (uint32_t i = 0; i < items.count; i++)
            items.key[i] = place[i / tree->split].host;
        err = add_level(&items, "host", tree->hosts.name, hosts, net, diag);
    }
    for (uint32_t i = 0; err == LP_OK && i < hosts; i++)
        items.key[i] = place[i].domain;
    for (uint32_t i = 0, next = 0; err == LP_OK && i < hosts; i++)
        if (!nest || i == 0 || place[i].domain != place[i - 1].domain)
            place_of[next++] = i;
    if (err == LP_OK && nest)
        err = add_level(&items, "domain", tree->domains.name, tree->domains.count, net, diag);
    for (uint32_t i = 0; err == LP_OK && i < items.count; i++)
        items.key[i] = place[place_of[i]].leaf;
    uint32_t room = MOST - (tree->split > 1) - nest;
    for (uint32_t level = 1; err == LP_OK && level <= most && level <= room; level++) {
        for (uint32_t i = 0; level > 1 && i < items.count; i++)
            items.key[i] = switch_above(tree, items.key[i], level - 1);
        err = add_level(&items, level_name(tree, level), tree->switches.name, tree->switches.count,
                        net, diag);
    }
    lp_free(items.key);
    lp_free(place_of);
    return err;
}

LpErr lp_switch_tree_net(LpSwitchTree *tree, const LpImportOptions *options, LpNet *net,
                         LpDiag *diag) {
    uint32_t split = options->gpus_per_node > 0 ? options->gpus_per_node : 1;
    if ((uint64_t)split * tree->hosts.count > LP_NETWORK_SERVERS_MAX)
        return lp_fail(diag, LP_ELIMIT, "%u hosts of %u servers are more than %d servers",
                       tree->hosts.count, split, (int)LP_NETWORK_SERVERS_MAX);
    Place *place = lp_alloc(tree->hosts.count, sizeof *place);
    if (place == NULL)
        return out_of_memory(diag);
    tree->split = split;
    for (uint32_t h = 0; h < tree->hosts.count; h++)
        place[h] = (Place){tree->host[h].leaf, tree->host[h].domain, h};
    if (tree->hosts.count > 1)
        qsort(place, tree->hosts.count, sizeof *place, by_place);
    LpErr err = add_servers(tree, place, net, diag);
    for (uint32_t s = 0; err == LP_OK && s < tree->switches.count; s++)
        err = lp_net_switch(net, tree->switches.name[s], NULL, diag);
    if (err == LP_OK)
        err = add_cables(tree, place, options, net, diag);
    if (err == LP_OK)
        err = add_levels(tree, place, net, diag);
    lp_free(place);
    return err;
}
