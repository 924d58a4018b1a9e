/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what moved a network. */
#include "ask/network/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "learn/attribute.h"
#include "session/player/services_network.h"
#include "session/session_impl.h"

enum { FEATURE_ROWS = 32 }; /* of one kind, at most */

/* An explanation in the making. */
typedef struct Why {
    const LpWeights *agent;
    const LpNetworkInspection *seen;
    const LpNetGraph *graph;
    const LpGraph *model;
    const uint32_t *op; /* of each node */
    LpArena *arena;
    LpSlopes slope;
    LpNetworkWhy *out;
} Why;

LpNetworkQuestion lp_network_question(const LpNetworkInspection *seen, uint32_t action) {
    return (LpNetworkQuestion){false, action, action == seen->best ? seen->next : seen->best};
}

const char *lp_network_move_text(const LpNetworkInspection *seen, const LpNetworkMove *move,
                                 char text[LP_NETWORK_TEXT]) {
    const LpFeature *f = &move->feature;
    char action[LP_NETWORK_TEXT];
    if (move->others)
        snprintf(text, LP_NETWORK_TEXT, "%.32s, other answers", f->name);
    else if (f->action < seen->actions)
        snprintf(text, LP_NETWORK_TEXT, "%.32s, %.40s", f->name,
                 lp_network_action_text(seen, f->action, action));
    else
        snprintf(text, LP_NETWORK_TEXT, "%.32s%s", f->name,
                 f->kind == LP_FEATURE_NODE   ? " of the ops"
                 : f->kind == LP_FEATURE_EDGE ? " of the deps"
                                              : "");
    return text;
}

/* ---- slopes ---- */

static LpErr make_room(Why *w, double **weight, double **room, LpDiag *diag) {
    const LpNetPlan *plan = &w->agent->plan;
    size_t nodes = w->graph->nodes, edges = w->graph->edges;
    *weight = lp_arena_alloc(w->arena, plan->shape.actions, sizeof **weight);
    *room = lp_arena_alloc(w->arena, lp_attribute_room(plan, w->graph->nodes, w->graph->edges),
                           sizeof **room);
    w->slope.feature = lp_arena_alloc(w->arena, plan->shape.features, sizeof *w->slope.feature);
    w->slope.node = lp_arena_alloc(w->arena, nodes * LP_NET_NODE, sizeof *w->slope.node);
    w->slope.edge = lp_arena_alloc(w->arena, edges * LP_NET_EDGE, sizeof *w->slope.edge);
    w->slope.pooled = lp_arena_alloc(w->arena, nodes, sizeof *w->slope.pooled);
    return *weight && *room && w->slope.feature && w->slope.node && w->slope.edge && w->slope.pooled
               ? LP_OK
               : lp_fail_memory(diag, "what moved a network");
}

static LpErr find_slopes(Why *w, LpNetworkQuestion q, LpDiag *diag) {
    const LpNetPlan *plan = &w->agent->plan;
    double *weight, *room;
    LP_TRY(make_room(w, &weight, &room, diag));
    weight[q.value ? 0 : q.action] = 1;
    if (!q.value && q.against < w->seen->actions)
        weight[q.against] -= 1;
    w->out->output =
        lp_attribute(plan, w->agent->params, w->graph, w->seen->feature,
                     q.value ? LP_HEAD_VALUE : LP_HEAD_POLICY, weight, room, &w->slope);
    return LP_OK;
}

/* ---- lists ---- */

static void add_move(Why *w, LpFeature feature, double input, double moved) {
    if (moved < 0 || moved > 0)
        w->out->move[w->out->moves++] = (LpNetworkMove){feature, false, input, moved};
}

/* One number of all nodes, or of all edges. */
static void add_all(Why *w, LpFeature feature, const double *input, const double *slope,
                    uint32_t rows, uint32_t columns, uint32_t column) {
    double sum = 0, moved = 0;
    for (uint32_t i = 0; i < rows; i++) {
        size_t at = (size_t)i * columns + column;
        sum += input[at];
        moved += input[at] * slope[at];
    }
    add_move(w, feature, rows > 0 ? sum / rows : 0, moved);
}

static void add_graph(Why *w) {
    for (uint32_t i = 0; i < LP_NET_NODE; i++)
        add_all(w, lp_feature_node(i), w->graph->node, w->slope.node, w->graph->nodes, LP_NET_NODE,
                i);
    for (uint32_t i = 0; i < LP_NET_EDGE; i++)
        add_all(w, lp_feature_edge(i), w->graph->edge, w->slope.edge, w->graph->edges, LP_NET_EDGE,
                i);
}

/* Is it about an answer that is not in question? */
static bool is_other(const Why *w, const LpFeature *f) {
    const LpNetworkQuestion *q = &w->out->question;
    return f->action < w->seen->actions &&
           (q->value || (f->action != q->action && f->action != q->against));
}

/* The moves so far, in the order of the features, once more: the others together, the graph's
 * apart. */
static void add_briefs(Why *w) {
    LpNetworkWhy *out = w->out;
    uint32_t at[LP_FEATURE_OWN + 1][FEATURE_ROWS], count[LP_FEATURE_OWN + 1][FEATURE_ROWS] = {0};
    for (uint32_t i = 0; i < out->moves; i++) {
        const LpNetworkMove *m = &out->move[i];
        const LpFeature *f = &m->feature;
        bool other = is_other(w, f);
        if (f->kind == LP_FEATURE_NODE || f->kind == LP_FEATURE_EDGE) {
            out->graph[out->graphs++] = *m;
            continue;
        }
        if (other && count[f->kind][f->row]++ > 0) {
            LpNetworkMove *sum = &out->brief[at[f->kind][f->row]];
            sum->input += m->input;
            sum->moved += m->moved;
            continue;
        }
        if (other)
            at[f->kind][f->row] = out->briefs;
        out->brief[out->briefs] = *m;
        out->brief[out->briefs++].others = other;
    }
    for (uint32_t i = 0; i < out->briefs; i++)
        if (out->brief[i].others)
            out->brief[i].input /= count[out->brief[i].feature.kind][out->brief[i].feature.row];
}

static int by_size(double a, double b) {
    return (fabs(a) < fabs(b)) - (fabs(a) > fabs(b));
}

static int compare_moves(const void *a, const void *b) {
    const LpNetworkMove *x = a, *y = b;
    int order = by_size(x->moved, y->moved);
    if (order == 0)
        order = (x->feature.kind > y->feature.kind) - (x->feature.kind < y->feature.kind);
    if (order == 0)
        order = (x->feature.action > y->feature.action) - (x->feature.action < y->feature.action);
    if (order == 0) /* of one table: its order */
        order = (x->feature.row > y->feature.row) - (x->feature.row < y->feature.row);
    return order;
}

static void sort_moves(LpNetworkMove *move, uint32_t count) {
    if (count > 1)
        qsort(move, count, sizeof *move, compare_moves);
}

static int compare_ops(const void *a, const void *b) {
    const LpNetworkOp *x = a, *y = b;
    int order = by_size(x->moved, y->moved);
    if (order == 0)
        order = (x->op > y->op) - (x->op < y->op);
    return order != 0 ? order : x->backward - y->backward;
}

static LpErr list(Why *w, LpDiag *diag) {
    LpNetworkWhy *out = w->out;
    out->move =
        lp_arena_alloc(w->arena, w->seen->features + LP_NET_NODE + LP_NET_EDGE, sizeof *out->move);
    out->brief =
        lp_arena_alloc(w->arena, w->seen->features + LP_NET_NODE + LP_NET_EDGE, sizeof *out->brief);
    out->graph = lp_arena_alloc(w->arena, LP_NET_NODE + LP_NET_EDGE, sizeof *out->graph);
    out->op = lp_arena_alloc(w->arena, w->graph->nodes, sizeof *out->op);
    if (out->move == NULL || out->brief == NULL || out->graph == NULL || out->op == NULL)
        return lp_fail_memory(diag, "what moved a network");
    for (uint32_t i = 0; i < w->seen->features; i++)
        add_move(w, lp_feature(w->agent->encoding, w->seen->actions, i), w->seen->feature[i],
                 w->seen->feature[i] * w->slope.feature[i]);
    add_graph(w);
    for (uint32_t v = 0; v < w->graph->nodes; v++) {
        double moved = w->slope.pooled[v];
        bool backward = w->op[v] >= w->model->ops;
        uint32_t op = w->op[v] - (backward ? w->model->ops : 0);
        if (moved < 0 || moved > 0)
            w->out->op[w->out->ops++] =
                (LpNetworkOp){op, w->model->op[op].number, w->model->op[op].name, backward, moved};
    }
    add_briefs(w);
    sort_moves(out->move, out->moves);
    sort_moves(out->brief, out->briefs);
    sort_moves(out->graph, out->graphs);
    if (out->ops > 1)
        qsort(out->op, out->ops, sizeof *out->op, compare_ops);
    return LP_OK;
}

LpErr lp_network_why(LpSession *s, uint32_t index, const LpNetworkInspection *seen,
                     LpNetworkQuestion question, LpArena *arena, LpNetworkWhy *out, LpDiag *diag) {
    LpNetworkWhy why = {.question = question};
    LpPlayer *player;
    uint32_t param, graphs;
    void *network = lp_policy_network(s->loaded.policy, index, &param);
    LP_TRY(lp_network_player(network, s->context, &player, diag));
    Why w = {.agent = lp_network_agent(network),
             .seen = seen,
             .graph = &lp_player_graphs(player, &graphs)[seen->graph_index],
             .model = s->scenario->graph[seen->graph_index],
             .op = lp_player_ops(player, seen->graph_index),
             .arena = arena,
             .out = &why};
    LP_TRY(find_slopes(&w, question, diag));
    LP_TRY(list(&w, diag));
    *out = why;
    return LP_OK;
}
