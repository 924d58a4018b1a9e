/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as lists of edges: lines of two names, a bandwidth, and perhaps a delay. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "graph/edges.h"
#include "import/nets/graph_net.h"
#include "import/nets/names.h"
#include "import/nets/nets.h"
#include "io/files/lines.h"

enum { FROM, TO, BANDWIDTH, DELAY, FIELDS };

typedef struct List {
    LpLineFile *lines;
    LpNames names;
    LpGraphFile graph;
    size_t node_cap, edge_cap;
} List;

/* Does the name begin as those of switches do? */
static bool is_switch(const char *name) {
    static const char *const begin[] = {"sw", "s_", "leaf", "spine", "tor", "switch"};
    for (size_t i = 0; i < LP_COUNTOF(begin); i++)
        if (strncasecmp(name, begin[i], strlen(begin[i])) == 0)
            return true;
    return false;
}

static LpErr add_node(List *l, const char *name, uint32_t *number, LpDiag *diag) {
    LpGraphFile *g = &l->graph;
    bool fresh;
    if (g->nodes >= LP_GRAPH_NODES_MAX)
        return lp_fail_at(diag, LP_ELIMIT, lp_lines_file(l->lines), lp_lines_number(l->lines), 0,
                          "more than %d nodes", (int)LP_GRAPH_NODES_MAX);
    if (lp_grow((void **)&g->node, &l->node_cap, (size_t)g->nodes + 1, sizeof *g->node) != LP_OK)
        return lp_fail_memory(diag, "a list of edges");
    LP_TRY(lp_names_add(&l->names, name, number, &fresh, diag));
    if (fresh)
        g->node[g->nodes++] = (LpGraphFileNode){.id = l->names.name[*number],
                                                .kind = {is_switch(name) ? "switch" : "server", 0},
                                                .line = lp_lines_number(l->lines)};
    return LP_OK;
}

/* Cuts a line into fields, of which one in quotes may hold blanks. */
static LpErr cut(const List *l, char *line, char *field[FIELDS], int *fields, LpDiag *diag) {
    char *at = line;
    for (*fields = 0; *(at += strspn(at, " \t")) != '\0' && *at != '#'; (*fields)++) {
        char *begin = at, *end;
        if (*at == '"') {
            begin++;
            end = strchr(begin, '"');
            if (end == NULL)
                return lp_lines_fail(l->lines, diag, "a text without its closing quote");
            at = end + 1;
        } else {
            end = at + strcspn(at, " \t#");
            at = end + (*end != '\0' && *end != '#');
        }
        bool comment = *end == '#';
        *end = '\0';
        if (*fields < FIELDS)
            field[*fields] = begin;
        if (comment) {
            (*fields)++;
            break;
        }
    }
    if (*fields == 0 || *fields == BANDWIDTH + 1 || *fields == FIELDS)
        return LP_OK;
    return lp_lines_fail(l->lines, diag,
                         "%d fields, expected from, to, bandwidth and perhaps a delay", *fields);
}

static LpErr read_line(List *l, char *line, LpDiag *diag) {
    LpGraphFile *g = &l->graph;
    char *field[FIELDS] = {NULL};
    int fields;
    LpGraphFileEdge edge = {.bandwidth = {NULL, (double)NAN}, .delay = {NULL, (double)NAN}};
    LP_TRY(cut(l, line, field, &fields, diag));
    if (fields == 0)
        return LP_OK;
    if (g->edges >= LP_GRAPH_EDGES_MAX)
        return lp_fail_at(diag, LP_ELIMIT, lp_lines_file(l->lines), lp_lines_number(l->lines), 0,
                          "more than %d edges", (int)LP_GRAPH_EDGES_MAX);
    LP_TRY(add_node(l, field[FROM], &edge.from, diag));
    LP_TRY(add_node(l, field[TO], &edge.to, diag));
    edge.line = lp_lines_number(l->lines);
    edge.bandwidth.text = lp_arena_strdup(g->arena, field[BANDWIDTH]);
    if (field[DELAY] != NULL && field[DELAY][0] != '\0')
        edge.delay.text = lp_arena_strdup(g->arena, field[DELAY]);
    if (edge.bandwidth.text == NULL ||
        lp_grow((void **)&g->edge, &l->edge_cap, (size_t)g->edges + 1, sizeof *g->edge) != LP_OK)
        return lp_fail_memory(diag, "a list of edges");
    g->edge[g->edges++] = edge;
    return LP_OK;
}

static LpErr read_edges(LpReading *reading, LpDiag *diag) {
    List l = {0};
    LpErr err = LP_OK;
    reading->called = lp_format_edges.called;
    l.graph.arena = lp_arena_new(0);
    if (l.graph.arena == NULL)
        return lp_fail_memory(diag, "a list of edges");
    err = lp_lines_open(reading->file[0], reading->options->max_input, &l.lines, diag);
    while (err == LP_OK) {
        char *line;
        size_t len;
        err = lp_lines_next(l.lines, &line, &len, diag);
        if (err != LP_OK || line == NULL)
            break;
        err = lp_utf8_is_valid(line, len) ? read_line(&l, line, diag)
                                          : lp_lines_fail(l.lines, diag, "the line is no UTF-8");
    }
    if (err == LP_OK)
        err =
            lp_net_of_graph(&l.graph, lp_lines_file(l.lines), reading->options, reading->net, diag);
    lp_lines_close(l.lines);
    lp_names_fini(&l.names);
    lp_arena_free(l.graph.arena);
    lp_free(l.graph.node);
    lp_free(l.graph.edge);
    return err;
}

const LpFormat lp_format_edges = {
    .name = "edges",
    .called = "edge list",
    .what = "a network as lines: from, to, bandwidth, perhaps a delay",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .read = read_edges,
    .report = lp_net_report,
    .text = lp_net_text,
};
