/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network as the key `cluster` of a scenario. */
#include <string.h>

#include "import/nets/hosts.h"
#include "import/nets/net_impl.h"

enum { SCENARIO_LEVELS_MAX = 6 }; /* what lies above stays out */

/* A run of cables that is one entry: consecutive servers to one switch. */
static uint32_t run_of(const LpNet *net, uint32_t first) {
    const LpNetCable *c = &net->cable[first];
    uint32_t count = 1;
    if (c->from.is_switch)
        return 1;
    for (; first + count < net->cables; count++) {
        const LpNetCable *next = &net->cable[first + count];
        if (next->from.is_switch || next->from.number != c->from.number + count ||
            next->to.is_switch != c->to.is_switch || next->to.number != c->to.number ||
            next->bandwidth != c->bandwidth || next->delay != c->delay)
            break;
    }
    return count;
}

static void put_end(LpJsonOut *json, const char *key, LpNetEnd end, uint32_t count) {
    LpBuf text = {0};
    lp_buf_addf(&text, "%s %u", end.is_switch ? "switch" : "server", end.number);
    if (count > 1)
        lp_buf_addf(&text, "..%u", end.number + count - 1);
    if (text.failed)
        json->out->failed = true;
    lp_json_put_text(json, key, lp_buf_text(&text));
    lp_buf_fini(&text);
}

static void put_links(const LpNet *net, LpJsonOut *json) {
    uint32_t count;
    lp_json_lines(json, "links", '[');
    for (uint32_t c = 0; c < net->cables; c += count) {
        count = run_of(net, c);
        lp_json_open(json, NULL, '{');
        put_end(json, "from", net->cable[c].from, count);
        put_end(json, "to", net->cable[c].to, 1);
        lp_json_put_number(json, "bandwidth", net->cable[c].bandwidth);
        if (net->cable[c].delay > 0)
            lp_json_put_number(json, "delay", net->cable[c].delay);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

static void put_torus(const LpNet *net, LpJsonOut *json) {
    lp_json_put_text(json, "topology", "torus");
    lp_json_put_counts(json, "size", net->size, net->dimensions);
    lp_json_put_number(json, "server_bandwidth", net->cable[0].bandwidth);
    lp_json_put_number(json, "server_delay", net->cable[0].delay);
}

/* ---- levels and names ---- */

static void put_servers(const LpNetNode *node, LpJsonOut *json) {
    uint32_t first = node->child[0];
    bool run = true;
    for (uint32_t i = 0; i < node->children; i++)
        run = run && node->child[i] == first + i;
    if (!run) {
        lp_json_put_counts(json, "servers", node->child, node->children);
        return;
    }
    char text[48];
    LpBuf buf = {0};
    lp_buf_addf(&buf, node->children > 1 ? "%u..%u" : "%u", first, first + node->children - 1);
    lp_json_put_text(json, "servers", lp_str_copy(text, sizeof text, lp_buf_text(&buf)));
    if (buf.failed)
        json->out->failed = true;
    lp_buf_fini(&buf);
}

static void put_names(const LpNet *net, LpJsonOut *json) {
    LpBuf list = {0};
    if (lp_hosts_fold(net->servers.name, net->servers.count, &list))
        lp_json_put_text(json, "names", lp_buf_text(&list));
    else
        lp_json_put_texts(json, "names", net->servers.name, net->servers.count);
    if (list.failed)
        json->out->failed = true;
    lp_buf_fini(&list);
}

static void write_levels(const LpNet *net, LpJsonOut *json) {
    if (net->levels > 0)
        lp_json_lines(json, "levels", '[');
    for (uint32_t l = 0; l < net->levels && l < SCENARIO_LEVELS_MAX; l++) {
        const LpNetLevel *level = &net->level[l];
        lp_json_open(json, NULL, '{');
        lp_json_put_text(json, "name", level->name);
        lp_json_lines(json, "nodes", '[');
        for (uint32_t n = 0; n < level->nodes; n++) {
            lp_json_open(json, NULL, '{');
            lp_json_put_text(json, "name", level->node[n].name);
            if (l == 0)
                put_servers(&level->node[n], json);
            else {
                lp_json_open(json, "of", '[');
                for (uint32_t i = 0; i < level->node[n].children; i++)
                    lp_json_put_text(json, NULL,
                                     net->level[l - 1].node[level->node[n].child[i]].name);
                lp_json_close(json, ']');
            }
            lp_json_close(json, '}');
        }
        lp_json_close(json, ']');
        lp_json_close(json, '}');
    }
    if (net->levels > 0)
        lp_json_close(json, ']');
    put_names(net, json);
}

LpErr lp_net_cluster(const LpNet *net, const LpReading *reading, LpJsonOut *json, LpDiag *diag) {
    uint32_t forward = net->switches.count + (net->forwards ? net->servers.count : 0);
    const char *file = reading->file[0];
    if (net->servers.count == 0)
        return lp_fail_at(diag, LP_EINVAL, file, 0, 0, "the network has no server");
    if (net->servers.count > LP_NETWORK_SERVERS_MAX)
        return lp_fail_at(diag, LP_EINVAL, file, 0, 0, "%u servers, expected at most %d",
                          net->servers.count, (int)LP_NETWORK_SERVERS_MAX);
    if (net->dimensions == 0 && forward > LP_NETWORK_FORWARDERS_MAX)
        return lp_fail_at(diag, LP_EINVAL, file, 0, 0,
                          "%u nodes forward what others send (%u switches%s), expected at most %d",
                          forward, net->switches.count, net->forwards ? " and all servers" : "",
                          (int)LP_NETWORK_FORWARDERS_MAX);
    lp_json_open(json, "cluster", '{');
    lp_json_put_text(json, "fabric", "packet");
    lp_json_open(json, "packet", '{');
    if (net->dimensions > 0) {
        put_torus(net, json);
    } else {
        lp_json_put_text(json, "topology", "links");
        lp_json_put_count(json, "servers", net->servers.count);
        lp_json_put_count(json, "switches", net->switches.count);
        if (net->forwards)
            lp_json_put_bool(json, "servers_forward", true);
        put_links(net, json);
    }
    lp_json_close(json, '}');
    write_levels(net, json);
    lp_json_close(json, '}');
    return lp_buf_ok(json->out, diag);
}
