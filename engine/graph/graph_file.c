/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of graphs: what igraph reads of them, held against what stands in them. */
#include "graph/graph_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "graph/edges.h"
#include "graph/graph_scan.h"
#include "graph/lock.h"

enum { VALUES_MAX = 1 << 24 };

static LpErr out_of_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a graph");
}

/* ---- ids ---- */

typedef struct ById {
    const LpGraphMention *mention;
    size_t order;
} ById;

static int by_id(const void *a, const void *b) {
    const ById *p = a, *q = b;
    int differ = strcmp(p->mention->id, q->mention->id);
    return differ != 0 ? differ : p->order < q->order ? -1 : p->order > q->order;
}

/* Which node each mention is (`node_of`, by order of declaration), and which vertex of igraph each
 * node is: igraph numbers them by their first mention. */
typedef struct Ids {
    uint32_t *node_of, *vertex_of;
} Ids;

static LpErr fail_mention(const LpGraphScan *scan, size_t order, bool twice, LpDiag *diag) {
    const LpGraphMention *m = &scan->mention[order];
    char shown[80], ends[2][80];
    lp_str_show(shown, sizeof shown, m->id);
    if (twice)
        return lp_fail_at(diag, LP_EPARSE, scan->file, m->line, 0,
                          "node %s stands there twice, expected one", shown);
    size_t edge_end = 0, first;
    for (size_t i = 0; i < order; i++)
        edge_end += !scan->mention[i].declared;
    first = order - edge_end % 2; /* the ends of an edge follow one another */
    lp_str_show(ends[0], sizeof ends[0], scan->mention[first].id);
    lp_str_show(ends[1], sizeof ends[1], scan->mention[first + 1].id);
    return lp_fail_at(diag, LP_EPARSE, scan->file, m->line, 0,
                      "edge %s - %s: node %s is not there, expected one that is declared", ends[0],
                      ends[1], shown);
}

static LpErr find_ids(const LpGraphScan *scan, Ids *ids, LpDiag *diag) {
    size_t count = scan->mentions, bad = SIZE_MAX;
    bool twice = false;
    ById *sorted = lp_alloc(count, sizeof *sorted);
    size_t *first = lp_alloc(count, sizeof *first); /* mention -> first of its id */
    uint32_t *number = lp_alloc(count, sizeof *number);
    LpErr err = LP_OK;
    if (sorted == NULL || first == NULL || number == NULL) {
        err = out_of_memory(diag);
        goto end;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (ById){&scan->mention[i], i};
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, by_id);
    for (size_t i = 0, end; i < count; i = end) {
        size_t declared = SIZE_MAX;
        for (end = i; end < count && strcmp(sorted[i].mention->id, sorted[end].mention->id) == 0;
             end++) {
            first[sorted[end].order] = sorted[i].order;
            if (!sorted[end].mention->declared)
                continue;
            if (declared != SIZE_MAX && sorted[end].order < bad) {
                bad = sorted[end].order;
                twice = true;
            }
            declared = sorted[end].order;
        }
        if (declared == SIZE_MAX && sorted[i].order < bad) {
            bad = sorted[i].order;
            twice = false;
        }
    }
    if (bad != SIZE_MAX) {
        err = fail_mention(scan, bad, twice, diag);
        goto end;
    }
    uint32_t node = 0, vertex = 0;
    for (size_t i = 0; i < count; i++)
        if (scan->mention[i].declared)
            number[first[i]] = node++;
    for (size_t i = 0; i < count; i++) {
        ids->node_of[i] = number[first[i]];
        if (first[i] == i)
            ids->vertex_of[number[i]] = vertex++;
    }
end:
    lp_free(sorted);
    lp_free(first);
    lp_free(number);
    return err;
}

/* ---- what igraph reads ---- */

typedef igraph_error_t Parser(igraph_t *graph, FILE *stream);

static igraph_error_t parse_graphml(igraph_t *graph, FILE *stream) {
    return igraph_read_graph_graphml(graph, stream, 0);
}

static igraph_error_t parse_gml(igraph_t *graph, FILE *stream) {
    return igraph_read_graph_gml(graph, stream);
}

typedef struct Load {
    Parser *parser;
    FILE *stream;
    LpGraphFile *out;
    const LpGraphScan *scan;
    Ids ids;
    bool gml;       /* vertices are in the order of declaration */
    bool differs;   /* igraph has other nodes or edges than the file */
    bool no_memory; /* for texts */
} Load;

/* An attribute that is wanted of each node or edge. */
typedef struct Wanted {
    const char *name;
    igraph_attribute_type_t type;
} Wanted;

static igraph_error_t find_types(const igraph_t *graph, Wanted *kind, Wanted *bandwidth,
                                 Wanted *delay) {
    igraph_strvector_t name[3];
    igraph_vector_int_t type[3];
    for (int i = 0; i < 3; i++) {
        IGRAPH_CHECK(igraph_strvector_init(&name[i], 0));
        IGRAPH_FINALLY(igraph_strvector_destroy, &name[i]);
        IGRAPH_CHECK(igraph_vector_int_init(&type[i], 0));
        IGRAPH_FINALLY(igraph_vector_int_destroy, &type[i]);
    }
    IGRAPH_CHECK(
        igraph_cattribute_list(graph, &name[0], &type[0], &name[1], &type[1], &name[2], &type[2]));
    Wanted *wanted[] = {kind, bandwidth, delay};
    for (size_t w = 0; w < LP_COUNTOF(wanted); w++) {
        int of = w == 0 ? 1 : 2; /* of nodes, of edges */
        for (igraph_integer_t i = 0; i < igraph_strvector_size(&name[of]); i++)
            if (strcmp(igraph_strvector_get(&name[of], i), wanted[w]->name) == 0)
                wanted[w]->type = (igraph_attribute_type_t)VECTOR(type[of])[i];
    }
    for (int i = 2; i >= 0; i--) {
        igraph_vector_int_destroy(&type[i]);
        igraph_strvector_destroy(&name[i]);
    }
    IGRAPH_FINALLY_CLEAN(6);
    return IGRAPH_SUCCESS;
}

static LpGraphValue value_of(Load *l, const igraph_t *graph, const Wanted *wanted, bool of_edge,
                             uint32_t i) {
    LpGraphValue value = {NULL, (double)NAN};
    if (wanted->type == IGRAPH_ATTRIBUTE_NUMERIC) {
        value.number = of_edge ? igraph_cattribute_EAN(graph, wanted->name, i)
                               : igraph_cattribute_VAN(graph, wanted->name, i);
    } else if (wanted->type == IGRAPH_ATTRIBUTE_STRING) {
        const char *text = of_edge ? igraph_cattribute_EAS(graph, wanted->name, i)
                                   : igraph_cattribute_VAS(graph, wanted->name, i);
        if (text == NULL || text[0] == '\0')
            return value;
        value.text = lp_arena_strdup(l->out->arena, text);
        l->no_memory = l->no_memory || value.text == NULL;
    }
    return value;
}

/* Does igraph's edge join the nodes that it joins in the file? Without directions it may have
 * turned the edge round. */
static bool same_ends(const Load *l, const igraph_t *graph, uint32_t e) {
    uint32_t from = l->out->edge[e].from, to = l->out->edge[e].to;
    uint32_t a = l->gml ? from : l->ids.vertex_of[from], b = l->gml ? to : l->ids.vertex_of[to];
    igraph_integer_t c = IGRAPH_FROM(graph, e), d = IGRAPH_TO(graph, e);
    return (a == c && b == d) || (a == d && b == c);
}

static void take_graph(Load *l, const igraph_t *graph, const Wanted *kind, const Wanted *bandwidth,
                       const Wanted *delay) {
    LpGraphFile *out = l->out;
    uint32_t node = 0, edge = 0;
    size_t ends = 0;
    l->differs = igraph_vcount(graph) != l->scan->nodes || igraph_ecount(graph) != l->scan->edges;
    if (l->differs)
        return;
    for (size_t i = 0; i < l->scan->mentions; i++) {
        const LpGraphMention *m = &l->scan->mention[i];
        if (m->declared) {
            uint32_t vertex = l->gml ? node : l->ids.vertex_of[node];
            out->node[node].id = lp_arena_strdup(out->arena, m->id);
            l->no_memory = l->no_memory || out->node[node].id == NULL;
            out->node[node].kind = value_of(l, graph, kind, false, vertex);
            out->node[node++].line = m->line;
        } else if (++ends % 2 == 0) {
            LpGraphFileEdge *e = &out->edge[edge];
            e->from = l->ids.node_of[i - 1];
            e->to = l->ids.node_of[i];
            e->line = m->line;
            e->bandwidth = value_of(l, graph, bandwidth, true, edge);
            e->delay = value_of(l, graph, delay, true, edge);
            l->differs = l->differs || !same_ends(l, graph, edge);
            edge++;
        }
    }
    out->nodes = node;
    out->edges = edge;
}

static igraph_error_t load_graph(void *data) {
    Load *l = data;
    igraph_t graph;
    Wanted kind = {"kind", IGRAPH_ATTRIBUTE_UNSPECIFIED};
    Wanted bandwidth = {"bandwidth", IGRAPH_ATTRIBUTE_UNSPECIFIED};
    Wanted delay = {"delay", IGRAPH_ATTRIBUTE_UNSPECIFIED};
    igraph_attribute_table_t *before = igraph_set_attribute_table(&igraph_cattribute_table);
    igraph_error_t code = l->parser(&graph, l->stream);
    if (code == IGRAPH_SUCCESS) {
        IGRAPH_FINALLY(igraph_destroy, &graph);
        code = find_types(&graph, &kind, &bandwidth, &delay);
        if (code == IGRAPH_SUCCESS) { /* else igraph has freed the graph */
            take_graph(l, &graph, &kind, &bandwidth, &delay);
            igraph_destroy(&graph);
            IGRAPH_FINALLY_CLEAN(1);
        }
    }
    igraph_set_attribute_table(before);
    return code;
}

/* igraph says "Line 3: ..." or "..., line 3 (...)." */
static LpErr refuse(const char *file, const char *reason, const char *format, LpDiag *diag) {
    int line = 1;
    for (const char *at = reason; *at != '\0'; at++)
        if ((at[0] == 'L' || at[0] == 'l') && strncmp(at + 1, "ine ", 4) == 0 && at[5] >= '1' &&
            at[5] <= '9') {
            line = (int)strtol(at + 5, NULL, 10);
            break;
        }
    return lp_fail_at(diag, LP_EPARSE, file, line, 0, "this is no %s: %s", format, reason);
}

typedef LpErr Scanner(LpGraphScan *scan, const char *text, LpDiag *diag);

/* A file in one of the two forms. */
typedef struct Form {
    const char *name;
    Scanner *scanner;
    Parser *parser;
    bool gml;
} Form;

static LpErr load(const Form *form, LpGraphScan *scan, const char *text, size_t len,
                  LpGraphFile *out, LpDiag *diag) {
    char reason[LP_IGRAPH_REASON];
    if ((uint64_t)scan->keys * ((uint64_t)scan->nodes + scan->edges) > VALUES_MAX)
        return lp_fail_at(diag, LP_ELIMIT, scan->file, 1, 0,
                          "%u attributes of %u nodes and %u edges, expected %d values at most",
                          scan->keys, scan->nodes, scan->edges, (int)VALUES_MAX);
    Load l = {.parser = form->parser, .scan = scan, .out = out, .gml = form->gml};
    out->node = lp_arena_alloc(out->arena, scan->nodes, sizeof *out->node);
    out->edge = lp_arena_alloc(out->arena, scan->edges, sizeof *out->edge);
    l.ids.node_of = lp_arena_alloc(scan->arena, scan->mentions, sizeof *l.ids.node_of);
    l.ids.vertex_of = lp_arena_alloc(scan->arena, scan->nodes, sizeof *l.ids.vertex_of);
    if (out->node == NULL || out->edge == NULL || l.ids.node_of == NULL || l.ids.vertex_of == NULL)
        return out_of_memory(diag);
    out->directed = scan->directed;
    out->ports = scan->ports;
    LP_TRY(find_ids(scan, &l.ids, diag));
    union {
        const char *read;
        void *given;
    } bytes = {.read = text}; /* opened for reading: nobody writes there */
    l.stream = len > 0 ? fmemopen(bytes.given, len, "r") : NULL;
    if (l.stream == NULL)
        return len > 0 ? out_of_memory(diag)
                       : lp_fail_at(diag, LP_EPARSE, scan->file, 1, 0, "the file is empty");
    LpErr err = lp_igraph_read(load_graph, &l, "a graph", reason, diag);
    fclose(l.stream);
    if (err != LP_OK)
        return err;
    if (reason[0] != '\0')
        return refuse(scan->file, reason, form->name, diag);
    if (l.no_memory)
        return out_of_memory(diag);
    if (l.differs)
        return lp_fail_at(diag, LP_EPARSE, scan->file, 1, 0,
                          "%u nodes and %u edges stand in the file, but igraph reads others: "
                          "expected plain %s",
                          scan->nodes, scan->edges, form->name);
    return LP_OK;
}

static LpErr read_file(const Form *form, const char *file, const char *text, size_t len,
                       LpGraphFile **out, LpDiag *diag) {
    LpGraphScan scan = {.file = file, .arena = lp_arena_new(0)};
    LpGraphFile *graph = lp_alloc(1, sizeof *graph);
    if (graph != NULL)
        graph->arena = lp_arena_new(0);
    LpErr err = LP_OK;
    if (scan.arena == NULL || graph == NULL || graph->arena == NULL)
        err = out_of_memory(diag);
    if (err == LP_OK)
        err = form->scanner(&scan, text, diag);
    if (err == LP_OK)
        err = load(form, &scan, text, len, graph, diag);
    lp_graph_scan_fini(&scan);
    if (err == LP_OK)
        *out = graph;
    else
        lp_graph_file_free(graph);
    return err;
}

LpErr lp_graph_read_graphml(const char *file, const char *text, size_t len, LpGraphFile **out,
                            LpDiag *diag) {
    static const Form form = {"XML of a graph", lp_graphml_scan, parse_graphml, false};
    return read_file(&form, file, text, len, out, diag);
}

LpErr lp_graph_read_gml(const char *file, const char *text, size_t len, LpGraphFile **out,
                        LpDiag *diag) {
    static const Form form = {"GML", lp_gml_scan, parse_gml, true};
    return read_file(&form, file, text, len, out, diag);
}

void lp_graph_file_free(LpGraphFile *graph) {
    if (graph == NULL)
        return;
    lp_arena_free(graph->arena);
    lp_free(graph);
}
