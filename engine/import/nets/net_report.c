/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a network: sizes, how far its servers are apart, and where it is narrow. */
#include <string.h>

#include "base/num.h"
#include "graph/cuts.h"
#include "graph/loads.h"
#include "import/nets/net_impl.h"

enum { LAYERS_MAX = 64, CUTS_SHOWN = 8 };

static const double WORK_MAX = 2e8; /* looks at cables for one figure, about a second */

/* ---- JSON ---- */

void lp_net_put_notes(const LpNet *net, LpJsonOut *json) {
    lp_json_open(json, "notes", '{');
    for (size_t i = 0; i < net->notes; i++)
        if (net->note[i].text != NULL)
            lp_json_put_text(json, net->note[i].word, net->note[i].text);
        else
            lp_json_put_count(json, net->note[i].word, net->note[i].count);
    lp_json_close(json, '}');
}

static void put_end(LpJsonOut *json, const char *key, LpNetEnd end) {
    char text[32];
    LpBuf buf = {0};
    lp_buf_addf(&buf, "%s %u", end.is_switch ? "switch" : "server", end.number);
    lp_json_put_text(json, key, lp_str_copy(text, sizeof text, lp_buf_text(&buf)));
    json->out->failed = json->out->failed || buf.failed;
    lp_buf_fini(&buf);
}

void lp_net_report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpNet *net = reading->net;
    lp_json_put_count(json, "servers", net->servers.count);
    lp_json_put_count(json, "switches", net->switches.count);
    lp_json_put_count(json, "cables", net->cables);
    lp_json_put_number(json, "bandwidth_of_servers", lp_net_bandwidth_of_servers(net));
    lp_net_put_notes(net, json);
    if (!all)
        return;
    lp_json_lines(json, "links", '[');
    for (uint32_t c = 0; c < net->cables; c++) {
        lp_json_open(json, NULL, '{');
        put_end(json, "from", net->cable[c].from);
        put_end(json, "to", net->cable[c].to);
        lp_json_put_number(json, "bandwidth", net->cable[c].bandwidth);
        lp_json_put_number(json, "delay", net->cable[c].delay);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

/* ---- figures ---- */

/* Neighbours of each node, and room for walks from them. */
typedef struct Walk {
    const LpNet *net;
    uint32_t nodes;
    uint32_t *first, *next; /* neighbours of n: next[first[n]] .. next[first[n + 1] - 1] */
    uint32_t *hops, *queue;
} Walk;

static void walk_free(Walk *w) {
    lp_free(w->first);
    lp_free(w->next);
    lp_free(w->hops);
    lp_free(w->queue);
}

static bool walk_new(Walk *w, const LpNet *net) {
    uint32_t nodes = net->servers.count + net->switches.count;
    *w = (Walk){.net = net,
                .nodes = nodes,
                .first = lp_alloc((size_t)nodes + 2, sizeof *w->first),
                .next = lp_alloc(2 * (size_t)net->cables, sizeof *w->next),
                .hops = lp_alloc(nodes, sizeof *w->hops),
                .queue = lp_alloc(nodes, sizeof *w->queue)};
    if (w->first == NULL || w->next == NULL || w->hops == NULL || w->queue == NULL)
        return false;
    for (uint32_t c = 0; c < net->cables; c++) {
        w->first[lp_net_node(net, net->cable[c].from) + 2]++;
        w->first[lp_net_node(net, net->cable[c].to) + 2]++;
    }
    for (uint32_t n = 0; n < nodes; n++)
        w->first[n + 1] += w->first[n];
    for (uint32_t c = 0; c < net->cables; c++) {
        uint32_t from = lp_net_node(net, net->cable[c].from);
        uint32_t to = lp_net_node(net, net->cable[c].to);
        w->next[w->first[from + 1]++] = to;
        w->next[w->first[to + 1]++] = from;
    }
    return true;
}

/* Fewest cables from the first `count` nodes of the queue to every node; LP_NO_INDEX: no way. */
static void walk_from(Walk *w, uint32_t count) {
    for (uint32_t n = 0; n < w->nodes; n++)
        w->hops[n] = LP_NO_INDEX;
    for (uint32_t i = 0; i < count; i++)
        w->hops[w->queue[i]] = 0;
    for (uint32_t at = 0, end = count; at < end; at++) {
        uint32_t n = w->queue[at];
        if (at >= count && n < w->net->servers.count && !w->net->forwards)
            continue;
        for (uint32_t i = w->first[n]; i < w->first[n + 1]; i++)
            if (w->hops[w->next[i]] == LP_NO_INDEX) {
                w->hops[w->next[i]] = w->hops[n] + 1;
                w->queue[end++] = w->next[i];
            }
    }
}

/* Most cables between two servers; 0: they are too many to find out. Servers that hang on one
 * switch alone are as far from others as each other, so one walk does for all of them. */
static uint32_t diameter_of(Walk *w) {
    uint32_t servers = w->net->servers.count, most = 0;
    double work = 0;
    bool *done = lp_alloc(w->nodes, sizeof *done);
    for (uint32_t s = 0; done != NULL && s < servers; s++) {
        bool single = w->first[s + 1] - w->first[s] == 1 && w->next[w->first[s]] >= servers;
        uint32_t from = single ? w->next[w->first[s]] : s;
        if (done[from])
            continue;
        done[from] = true;
        work += (double)w->net->cables + w->nodes;
        if (work > WORK_MAX) {
            most = 0;
            break;
        }
        w->queue[0] = from;
        walk_from(w, 1);
        for (uint32_t t = 0; t < servers; t++)
            if (t != s && w->hops[t] != LP_NO_INDEX && w->hops[t] + single > most)
                most = w->hops[t] + single;
    }
    lp_free(done);
    return most;
}

/* The bandwidth of layer k: cables between nodes that are k and k + 1 cables from the nearest
 * server. Returns the number of layers. */
static uint32_t layers_of(Walk *w, double layer[LAYERS_MAX]) {
    uint32_t layers = 0;
    memset(layer, 0, LAYERS_MAX * sizeof *layer);
    for (uint32_t s = 0; s < w->net->servers.count; s++)
        w->queue[s] = s;
    walk_from(w, w->net->servers.count);
    for (uint32_t c = 0; c < w->net->cables; c++) {
        uint32_t a = w->hops[lp_net_node(w->net, w->net->cable[c].from)];
        uint32_t b = w->hops[lp_net_node(w->net, w->net->cable[c].to)];
        uint32_t low = a < b ? a : b;
        if (a == b || low >= LAYERS_MAX)
            continue;
        layer[low] += w->net->cable[c].bandwidth;
        layers = low + 1 > layers ? low + 1 : layers;
    }
    return layers;
}

static void add_oversubscription(Walk *w, LpBuf *out) {
    double layer[LAYERS_MAX];
    uint32_t layers = layers_of(w, layer), narrow = 0;
    char all[32], least[32];
    if (layers < 2 || w->net->forwards)
        return;
    for (uint32_t k = 1; k < layers; k++)
        if (layer[k] < layer[narrow] && layer[k] > 0)
            narrow = k;
    lp_buf_addf(out, "  oversubscription  %.3g: %s of servers", layer[0] / layer[narrow],
                lp_quantity_print(layer[0], LP_DIM_BANDWIDTH, all, sizeof all));
    if (narrow > 0)
        lp_buf_addf(out, " over %s between switches %u and %u cables away",
                    lp_quantity_print(layer[narrow], LP_DIM_BANDWIDTH, least, sizeof least), narrow,
                    narrow + 1);
    lp_buf_add(out, "\n");
}

void lp_net_text_reach(const LpNet *net, LpBuf *out) {
    Walk w;
    if (!walk_new(&w, net)) {
        out->failed = true;
    } else if (net->servers.count > 1) {
        uint32_t diameter = diameter_of(&w);
        if (diameter > 0)
            lp_buf_addf(out, "  diameter          %u cable%s between servers\n", diameter,
                        lp_str_s(diameter));
        add_oversubscription(&w, out);
    }
    walk_free(&w);
}

/* ---- text ---- */

static const char *node_name(const LpNet *net, uint32_t node, char *shown, size_t size) {
    bool server = node < net->servers.count;
    return lp_str_show(shown, size,
                       server ? net->servers.name[node]
                              : net->switches.name[node - net->servers.count]);
}

/* Nodes without which others are apart; the cable that most ways lead over. */
static void add_weak(const LpNet *net, LpBuf *out) {
    uint32_t nodes = net->servers.count + net->switches.count, cuts = 0;
    size_t edges = 2 * (size_t)net->cables;
    uint32_t *src = lp_alloc(edges, sizeof *src), *dst = lp_alloc(edges, sizeof *dst);
    uint32_t *cut = lp_alloc(nodes, sizeof *cut);
    double *load = lp_alloc(edges, sizeof *load);
    char name[2][64];
    LpDiag diag;
    if (src == NULL || dst == NULL || cut == NULL || load == NULL) {
        out->failed = true;
        goto end;
    }
    for (uint32_t c = 0; c < net->cables; c++) {
        uint32_t from = lp_net_node(net, net->cable[c].from);
        uint32_t to = lp_net_node(net, net->cable[c].to);
        src[2 * c] = dst[2 * c + 1] = from;
        dst[2 * c] = src[2 * c + 1] = to;
    }
    LpEdgeList list = {nodes, (uint32_t)edges, src, dst};
    if (lp_graph_cut_nodes(&list, cut, &cuts, &diag) != LP_OK) {
        lp_buf_addf(out, "  single failures   not known: %s\n", diag.text);
        goto end;
    }
    lp_buf_addf(out, "  single failures   %s", cuts == 0 ? "no node parts the others" : "");
    for (uint32_t i = 0; i < cuts && i < CUTS_SHOWN; i++)
        lp_buf_addf(out, "%s%s", i > 0 ? ", " : "",
                    node_name(net, cut[i], name[0], sizeof name[0]));
    if (cuts > CUTS_SHOWN)
        lp_buf_addf(out, " and %u more", cuts - CUTS_SHOWN);
    lp_buf_addf(out, "%s\n",
                cuts == 0   ? ""
                : cuts == 1 ? " parts the others"
                            : ": each parts the others");
    double pairs = (double)net->servers.count * (net->servers.count - 1);
    if (net->cables == 0 || (double)net->servers.count * (double)edges > WORK_MAX / 4 ||
        lp_graph_loads_among(&list, net->servers.count, load, &diag) != LP_OK)
        goto end;
    size_t most = 0;
    for (size_t e = 1; e < edges; e++)
        most = load[e] > load[most] ? e : most;
    lp_buf_addf(
        out, "  busiest cable     %s to %s: ", node_name(net, src[most], name[0], sizeof name[0]),
        node_name(net, dst[most], name[1], sizeof name[1]));
    lp_buf_addf(out, "ways of %.0f of %.0f pairs of servers, when all send to all\n", load[most],
                pairs);
end:
    lp_free(src);
    lp_free(dst);
    lp_free(cut);
    lp_free(load);
}

void lp_net_text(const LpReading *reading, LpBuf *out) {
    const LpNet *net = reading->net;
    char many[3][LP_MANY_TEXT], rate[32];
    lp_str_many(many[0], net->servers.count, "server");
    lp_str_many(many[2], net->cables, "cable");
    lp_quantity_print(lp_net_bandwidth_of_servers(net), LP_DIM_BANDWIDTH, rate, sizeof rate);
    lp_buf_addf(out, "  network           %s, %u switch%s, %s; %s at the servers\n", many[0],
                net->switches.count, net->switches.count == 1 ? "" : "es", many[2], rate);
    lp_net_text_reach(net, out);
    add_weak(net, out);
    lp_net_text_notes(net, out);
}

void lp_net_text_notes(const LpNet *net, LpBuf *out) {
    char shown[128];
    for (size_t i = 0; i < net->sentences; i++)
        lp_buf_addf(out, "%s%s\n", i == 0 ? "  assumed           " : "                    ",
                    net->assumed[i]);
    for (size_t i = 0; i < net->notes; i++) {
        const LpNetRemark *note = &net->note[i];
        lp_buf_add(out, i == 0 ? "  noted             " : "                    ");
        if (note->text == NULL)
            lp_buf_addf(out, "%llu ", (unsigned long long)note->count);
        for (const char *at = note->word; *at != '\0'; at++)
            lp_buf_addf(out, "%c", *at == '_' ? ' ' : *at);
        if (note->text != NULL)
            lp_buf_addf(out, " %s", lp_str_show(shown, sizeof shown, note->text));
        lp_buf_add(out, "\n");
    }
}
