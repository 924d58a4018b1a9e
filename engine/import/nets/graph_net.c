/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a graph with attributes to servers, switches and cables. */
#include "import/nets/graph_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "io/files/file.h"

enum { SHOWN = 80 };

/* A graph while it becomes a network. */
typedef struct Maker {
    const LpGraphFile *graph;
    const char *file;
    LpNet *net;
    LpNetEnd *end; /* of each node */
} Maker;

static LpErr out_of_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a network");
}

static const char *id_of(const Maker *m, uint32_t node, char *shown) {
    return lp_str_show(shown, SHOWN, m->graph->node[node].id);
}

/* ---- nodes ---- */

static LpErr add_node(Maker *m, uint32_t n, LpDiag *diag) {
    static const char *const servers[] = {"server", "host", "gpu", "npu"};
    static const char *const switches[] = {"switch", "router", "leaf", "spine", "tor"};
    const LpGraphFileNode *node = &m->graph->node[n];
    const char *kind = node->kind.text;
    char shown[SHOWN], said[SHOWN];
    for (size_t i = 0; kind != NULL && i < LP_COUNTOF(servers); i++)
        if (strcmp(kind, servers[i]) == 0)
            return lp_net_server(m->net, node->id, &m->end[n].number, diag);
    m->end[n].is_switch = true;
    for (size_t i = 0; kind != NULL && i < LP_COUNTOF(switches); i++)
        if (strcmp(kind, switches[i]) == 0)
            return lp_net_switch(m->net, node->id, &m->end[n].number, diag);
    return lp_fail_at(diag, LP_EPARSE, m->file, node->line, 0,
                      kind != NULL
                          ? "node %s has the kind \"%s\", expected server (host, gpu, npu) "
                            "or switch (router, leaf, spine, tor)"
                          : "node %s has no kind%s, expected server or switch",
                      id_of(m, n, shown), kind != NULL ? lp_str_show(said, SHOWN, kind) : "");
}

/* ---- edges ---- */

static LpErr fail_edge(const Maker *m, const LpGraphFileEdge *edge, LpDiag *diag, const char *fmt,
                       ...) LP_PRINTF(4, 5);

/* "edge a - b" and the sentence, at the edge's line. */
static LpErr fail_edge(const Maker *m, const LpGraphFileEdge *edge, LpDiag *diag, const char *fmt,
                       ...) {
    LpBuf text = {0};
    char from[SHOWN], to[SHOWN];
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    LpErr err = lp_fail_at(diag, LP_EPARSE, m->file, edge->line, 0, "edge %s - %s%s",
                           id_of(m, edge->from, from), id_of(m, edge->to, to), lp_buf_text(&text));
    lp_buf_fini(&text);
    return err;
}

/* False: the value is there and is no quantity. NaN: it is not there. */
static bool read_value(const LpGraphValue *value, LpDimension dim, double *out) {
    *out = value->number;
    if (value->text == NULL)
        return true;
    return lp_quantity_parse(value->text, dim, out, NULL) == LP_OK;
}

static LpErr add_edge(Maker *m, const LpGraphFileEdge *edge, LpDiag *diag) {
    LpNetCable cable = {.from = m->end[edge->from], .to = m->end[edge->to]};
    char shown[SHOWN];
    if (edge->from == edge->to)
        return fail_edge(m, edge, diag, " joins a node to itself, expected two nodes");
    if (!read_value(&edge->bandwidth, LP_DIM_BANDWIDTH, &cable.bandwidth))
        return fail_edge(m, edge, diag, ": bandwidth \"%s\" is no rate such as \"12.5 GB/s\"",
                         lp_str_show(shown, SHOWN, edge->bandwidth.text));
    if (isnan(cable.bandwidth))
        return fail_edge(m, edge, diag, " has no bandwidth, expected a rate such as \"12.5 GB/s\"");
    if (!(cable.bandwidth > 0) || isinf(cable.bandwidth))
        return fail_edge(m, edge, diag, ": bandwidth is %s, expected a rate > 0",
                         lp_quantity_print(cable.bandwidth + 0.0, LP_DIM_BANDWIDTH, shown, SHOWN));
    if (!read_value(&edge->delay, LP_DIM_TIME, &cable.delay))
        return fail_edge(m, edge, diag, ": delay \"%s\" is no time such as \"500 ns\"",
                         lp_str_show(shown, SHOWN, edge->delay.text));
    if (isnan(cable.delay))
        cable.delay = 0;
    if (!(cable.delay >= 0) || isinf(cable.delay))
        return fail_edge(m, edge, diag, ": delay is %s, expected a time >= 0",
                         lp_quantity_print(cable.delay, LP_DIM_TIME, shown, SHOWN));
    return lp_net_cable(m->net, &cable, diag);
}

/* ---- cables that join the same nodes ---- */

typedef struct Pair {
    uint32_t low, high, edge;
} Pair;

static int by_pair(const void *a, const void *b) {
    const Pair *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->edge < q->edge ? -1 : p->edge > q->edge;
}

/* Counts cables beside others, and refuses edges with directions whose bandwidths differ there and
 * back: a cable carries as much either way. */
static LpErr check_pairs(const Maker *m, LpDiag *diag) {
    const LpGraphFile *g = m->graph;
    const LpNetCable *cable;
    uint64_t parallel = 0;
    LpErr err = LP_OK;
    lp_net_cables(m->net, &cable);
    Pair *pair = lp_alloc(g->edges, sizeof *pair);
    if (pair == NULL)
        return out_of_memory(diag);
    for (uint32_t e = 0; e < g->edges; e++) {
        bool turn = g->edge[e].from > g->edge[e].to;
        pair[e] = (Pair){turn ? g->edge[e].to : g->edge[e].from,
                         turn ? g->edge[e].from : g->edge[e].to, e};
    }
    if (g->edges > 0)
        qsort(pair, g->edges, sizeof *pair, by_pair);
    for (uint32_t first = 0, end; err == LP_OK && first < g->edges; first = end) {
        double there = 0, back = 0;
        for (end = first; end < g->edges && pair[end].low == pair[first].low &&
                          pair[end].high == pair[first].high;
             end++)
            *(g->edge[pair[end].edge].from == pair[first].low ? &there : &back) +=
                cable[pair[end].edge].bandwidth;
        parallel += end - first - 1;
        if (g->directed == g->edges && there > 0 && back > 0 && there != back)
            err = fail_edge(m, &g->edge[pair[end - 1].edge], diag,
                            ": bandwidths differ there and back, expected the same either way");
    }
    lp_free(pair);
    return err == LP_OK ? lp_net_note(m->net, "parallel_cables", parallel, diag) : err;
}

/* ---- is it one network? ---- */

/* Marks the nodes that `start` reaches; through servers only with `through`. */
static bool reach(const LpGraphFile *g, const LpNetEnd *end, uint32_t start, bool through,
                  bool *reached) {
    uint32_t *first = lp_alloc((size_t)g->nodes + 2, sizeof *first), count = 1;
    uint32_t *next = lp_alloc(2 * (size_t)g->edges, sizeof *next);
    uint32_t *queue = lp_alloc(g->nodes, sizeof *queue);
    bool done = first != NULL && next != NULL && queue != NULL;
    if (!done)
        goto end;
    for (uint32_t e = 0; e < g->edges; e++) {
        first[g->edge[e].from + 2]++;
        first[g->edge[e].to + 2]++;
    }
    for (uint32_t n = 0; n < g->nodes; n++)
        first[n + 1] += first[n];
    for (uint32_t e = 0; e < g->edges; e++) {
        next[first[g->edge[e].from + 1]++] = g->edge[e].to;
        next[first[g->edge[e].to + 1]++] = g->edge[e].from;
    }
    memset(reached, 0, g->nodes * sizeof *reached);
    reached[start] = true;
    queue[0] = start;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t n = queue[at];
        if (!end[n].is_switch && !through)
            continue;
        for (uint32_t i = first[n]; i < first[n + 1]; i++)
            if (!reached[next[i]]) {
                reached[next[i]] = true;
                queue[count++] = next[i];
            }
    }
end:
    lp_free(first);
    lp_free(next);
    lp_free(queue);
    return done;
}

/* The first switch that has a cable to the server; the server itself where none has. */
static uint32_t switch_at(const Maker *m, uint32_t server) {
    const LpGraphFile *g = m->graph;
    for (uint32_t e = 0; e < g->edges; e++) {
        uint32_t from = g->edge[e].from, to = g->edge[e].to;
        if (from == server && m->end[to].is_switch)
            return to;
        if (to == server && m->end[from].is_switch)
            return from;
    }
    return server;
}

/* All servers must see each other as a scenario's network has it (lp_network_index): through
 * servers where these forward, else through switches from the first one of the first server. */
static LpErr check_joined(const Maker *m, bool forward, LpDiag *diag) {
    const LpGraphFile *g = m->graph;
    uint32_t start = 0, apart = LP_NO_INDEX;
    char name[2][SHOWN];
    bool *reached = lp_alloc(g->nodes, sizeof *reached);
    LpErr err = LP_OK;
    while (start < g->nodes && m->end[start].is_switch)
        start++;
    if (start == g->nodes)
        err = lp_fail_at(diag, LP_EPARSE, m->file, 1, 0,
                         "no server, expected a node of the kind server");
    else if (reached == NULL ||
             !reach(g, m->end, forward ? start : switch_at(m, start), forward, reached))
        err = out_of_memory(diag);
    for (uint32_t n = 0; err == LP_OK && apart == LP_NO_INDEX && n < g->nodes; n++)
        if (!m->end[n].is_switch && n != start && !reached[n])
            apart = n;
    if (apart != LP_NO_INDEX && !forward && !reach(g, m->end, start, true, reached))
        err = out_of_memory(diag);
    if (err == LP_OK && apart != LP_NO_INDEX)
        err = lp_fail_at(diag, LP_EPARSE, m->file, g->node[apart].line, 0,
                         "server %s is not joined to server %s%s", id_of(m, apart, name[0]),
                         id_of(m, start, name[1]),
                         reached[apart] ? " through switches: --servers-forward lets servers "
                                          "pass on what others send"
                                        : ", expected one network");
    lp_free(reached);
    return err;
}

LpErr lp_net_of_graph(const LpGraphFile *graph, const char *file, const LpImportOptions *options,
                      LpNet *net, LpDiag *diag) {
    Maker m = {graph, file, net, lp_alloc(graph->nodes, sizeof *m.end)};
    LpErr err = m.end == NULL ? out_of_memory(diag) : LP_OK;
    for (uint32_t n = 0; err == LP_OK && n < graph->nodes; n++)
        err = add_node(&m, n, diag);
    for (uint32_t e = 0; err == LP_OK && e < graph->edges; e++)
        err = add_edge(&m, &graph->edge[e], diag);
    if (err == LP_OK)
        err = check_joined(&m, options->servers_forward, diag);
    if (err == LP_OK)
        err = check_pairs(&m, diag);
    if (err == LP_OK)
        err = lp_net_note(net, "directed_read_as_cables", graph->directed, diag);
    if (err == LP_OK)
        err = lp_net_note(net, "ports_ignored", graph->ports, diag);
    if (options->servers_forward)
        lp_net_forwards(net);
    lp_free(m.end);
    return err;
}

LpErr lp_net_read_graph(LpReading *reading, LpGraphReader *reader, LpDiag *diag) {
    const char *file = reading->file[0];
    char *text = NULL;
    size_t len, mark;
    LpGraphFile *graph = NULL;
    LpErr err = lp_file_read(file, (size_t)lp_import_limit(reading->options), &text, &len, diag);
    if (err == LP_OK) {
        mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        err = reader(file, text + mark, len - mark, &graph, diag);
    }
    if (err == LP_OK)
        err = lp_net_of_graph(graph, file, reading->options, reading->net, diag);
    lp_graph_file_free(graph);
    lp_free(text);
    return err;
}
