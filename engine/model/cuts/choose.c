/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each tensor rests and how each op is cut. */
#include "model/cuts/cuts_impl.h"

/* ---- what kinds have in common ---- */

static bool is_product(LpOpKind kind) {
    return kind == LP_OP_LINEAR || kind == LP_OP_CONV;
}

/* Ops that can only be cut as rows. */
static bool is_row_only(LpOpKind kind) {
    return kind == LP_OP_RECURRENT || kind == LP_OP_BLOCK || kind == LP_OP_UNKNOWN;
}

/* Any layout passes through. */
static bool transparent(LpOpKind kind) {
    return kind == LP_OP_ELEMENTWISE || kind == LP_OP_RESHAPE;
}

LpCutLayout lp_typed_arrival(const LpTypedGraph *g, LpCutLayout rest, uint32_t from, uint32_t to) {
    return g->op[from].ways == g->op[to].ways ? rest : LP_LAYOUT_CHANNELS;
}

/* ---- what an op meets, and whether it learns ---- */

static void look_ahead(const LpTypedGraph *g, LpTypedChoice *choice, uint32_t u) {
    choice[u].meets_loss = g->op[u].to_loss;
    for (uint32_t i = g->succ_begin[u]; i < g->succ_begin[u + 1]; i++) {
        uint32_t v = g->succ[i];
        bool through = transparent(g->op[v].kind);
        choice[u].meets_norm |=
            g->op[v].kind == LP_OP_NORM_FEATURE || (through && choice[v].meets_norm);
        choice[u].meets_loss |= g->op[v].kind == LP_OP_LOSS || (through && choice[v].meets_loss);
    }
}

static bool learns(const LpTypedGraph *g, const LpTypedChoice *choice, uint32_t u) {
    if (g->op[u].kind == LP_OP_INPUT)
        return false;
    bool any = g->op[u].parameters > 0;
    for (uint32_t i = g->pred_begin[u]; i < g->pred_begin[u + 1]; i++)
        any = any || choice[g->pred[i]].learns;
    return any;
}

/* ---- where tensors rest ---- */

static LpCutLayout full(const LpTypedGraph *g) {
    return g->sequence ? LP_LAYOUT_TOKENS : LP_LAYOUT_WHOLE;
}

/* Where partial sums of u are reduced to. */
static LpCutLayout after(const LpTypedGraph *g, const LpTypedChoice *choice, uint32_t u) {
    if (choice[u].meets_norm)
        return full(g);
    return choice[u].meets_loss ? LP_LAYOUT_WHOLE : LP_LAYOUT_CHANNELS;
}

static LpCutLayout follow(const LpTypedGraph *g, const LpTypedChoice *choice, uint32_t u) {
    bool tokens = false;
    for (uint32_t i = g->pred_begin[u]; i < g->pred_begin[u + 1]; i++) {
        LpCutLayout in = lp_typed_arrival(g, choice[g->pred[i]].rest, g->pred[i], u);
        if (in == LP_LAYOUT_CHANNELS)
            return LP_LAYOUT_CHANNELS;
        tokens = tokens || in == LP_LAYOUT_TOKENS;
    }
    return tokens ? LP_LAYOUT_TOKENS : LP_LAYOUT_WHOLE;
}

/* ---- column or row ---- */

/* A row pays for its output, a column for its input: the smaller is taken, a row where they are
 * equal. All products that read the input share what it pays for columns. */
static bool row_is_cheaper(const LpTypedGraph *g, uint32_t x, LpCutLayout after) {
    double outputs = 0;
    for (uint32_t i = g->succ_begin[x]; i < g->succ_begin[x + 1]; i++)
        if (is_product(g->op[g->succ[i]].kind))
            outputs += g->op[g->succ[i]].output;
    return outputs <= (after != LP_LAYOUT_CHANNELS ? 2 : 1) * g->op[x].output;
}

/* A column returns partial gradients, which cannot go to servers that are cut otherwise. */
static bool ways_differ(const LpTypedGraph *g, uint32_t u) {
    for (uint32_t i = g->pred_begin[u]; i < g->pred_begin[u + 1]; i++)
        if (g->op[g->pred[i]].ways != g->op[u].ways)
            return true;
    return false;
}

static LpCutWay way_of_product(const LpTypedGraph *g, const LpTypedChoice *choice, uint32_t u) {
    uint32_t first = g->pred_begin[u];
    if (ways_differ(g, u))
        return LP_WAY_ROW;
    if (g->pred_begin[u + 1] - first != 1 || choice[g->pred[first]].rest != LP_LAYOUT_CHANNELS)
        return LP_WAY_COLUMN;
    return row_is_cheaper(g, g->pred[first], after(g, choice, u)) ? LP_WAY_ROW : LP_WAY_COLUMN;
}

/* ---- all of it ---- */

static void choose_rest(const LpTypedGraph *g, LpTypedChoice *choice, uint32_t u) {
    LpOpKind kind = g->op[u].kind;
    LpTypedChoice *c = &choice[u];
    if (kind == LP_OP_INPUT || kind == LP_OP_LOSS)
        c->rest = LP_LAYOUT_WHOLE;
    else if (kind == LP_OP_NORM_FEATURE)
        c->rest = full(g);
    else if (kind == LP_OP_ATTENTION || c->way == LP_WAY_COLUMN)
        c->rest = LP_LAYOUT_CHANNELS;
    else
        c->rest = c->way == LP_WAY_ROW ? after(g, choice, u) : follow(g, choice, u);
}

void lp_typed_choose(const LpTypedGraph *g, LpTypedChoice *choice) {
    for (uint32_t u = 0; u < g->ops; u++)
        choice[u] = (LpTypedChoice){0};
    for (uint32_t i = g->ops; i-- > 0;)
        look_ahead(g, choice, g->topo[i]);
    for (uint32_t i = 0; i < g->ops; i++) {
        uint32_t u = g->topo[i];
        LpOpKind kind = g->op[u].kind;
        choice[u].learns = learns(g, choice, u);
        if (is_product(kind))
            choice[u].way = way_of_product(g, choice, u);
        else if (is_row_only(kind) || kind == LP_OP_EMBEDDING)
            choice[u].way = LP_WAY_ROW;
        choose_rest(g, choice, u);
    }
}

bool lp_typed_repeats(const LpTypedGraph *g, const LpTypedChoice *choice, uint32_t u) {
    return choice[u].way == LP_WAY_FOLLOWS && choice[u].rest == LP_LAYOUT_WHOLE &&
           g->op[u].ways > 1;
}
