/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a choice of ways and layouts costs: the collectives of a step. */
#include "model/cuts/cuts_impl.h"

enum { OWN = 3 }; /* output, gradient, parameters */

typedef struct Writer {
    const LpTypedGraph *g;
    const LpTypedChoice *choice;
    LpTypedCollective *out;
    uint32_t count;
} Writer;

static uint32_t add(Writer *w, LpTypedRole role, LpExchange exchange, uint32_t op, uint32_t at,
                    double bytes) {
    if (!(bytes > 0) || w->g->op[at].ways < 2)
        return UINT32_MAX;
    w->out[w->count] = (LpTypedCollective){role, exchange, op, at, bytes};
    return w->count++;
}

/* ---- an op's own ---- */

/* The gradient of a row's output is wanted whole. An op of unknown kind may learn whatever its
 * parameters say. */
static void add_own(Writer *w, uint32_t u) {
    const LpTypedChoice *c = &w->choice[u];
    const LpTypedOp *op = &w->g->op[u];
    if (c->way != LP_WAY_ROW)
        return;
    if (c->rest == LP_LAYOUT_WHOLE) {
        add(w, LP_TYPED_OUTPUT, LP_EXCHANGE_ALL_REDUCE, u, u, op->output);
        return;
    }
    add(w, LP_TYPED_OUTPUT, LP_EXCHANGE_REDUCE_SCATTER, u, u, op->output);
    if (c->learns || op->kind == LP_OP_UNKNOWN)
        add(w, LP_TYPED_GRADIENT, LP_EXCHANGE_ALL_GATHER, u, u, op->output);
}

/* A norm over features has all of its parameters everywhere, and sees some of the tokens. */
static void add_parameters(Writer *w, uint32_t u) {
    if (w->g->op[u].kind == LP_OP_NORM_FEATURE && w->choice[u].rest == LP_LAYOUT_TOKENS)
        add(w, LP_TYPED_PARAMETERS, LP_EXCHANGE_ALL_REDUCE, u, u, w->g->op[u].parameters);
}

/* ---- readers, forward ---- */

static LpCutLayout needed(const Writer *w, uint32_t v) {
    LpOpKind kind = w->g->op[v].kind;
    if (kind == LP_OP_EMBEDDING || w->choice[v].way == LP_WAY_COLUMN)
        return LP_LAYOUT_WHOLE;
    return w->choice[v].way == LP_WAY_ROW ? LP_LAYOUT_CHANNELS : w->choice[v].rest;
}

static bool converts(const Writer *w, uint32_t u, uint32_t v, LpExchange *exchange) {
    LpCutLayout has = lp_typed_arrival(w->g, w->choice[u].rest, u, v), needs = needed(w, v);
    *exchange = needs == LP_LAYOUT_WHOLE ? LP_EXCHANGE_ALL_GATHER : LP_EXCHANGE_ALL_TO_ALL;
    return has != LP_LAYOUT_WHOLE && has != needs;
}

/* Readers of as many ways that need the same share one collective. */
static uint32_t shared(const Writer *w, uint32_t first, LpExchange exchange, uint32_t v) {
    for (uint32_t c = first; c < w->count; c++)
        if (w->out[c].exchange == exchange && w->g->op[w->out[c].at].ways == w->g->op[v].ways)
            return c;
    return UINT32_MAX;
}

static void add_readers(Writer *w, uint32_t u, uint32_t *to_reader) {
    uint32_t first = w->count;
    for (uint32_t i = w->g->succ_begin[u]; i < w->g->succ_begin[u + 1]; i++) {
        uint32_t v = w->g->succ[i];
        LpExchange exchange;
        to_reader[i] = UINT32_MAX;
        if (!converts(w, u, v, &exchange))
            continue;
        to_reader[i] = shared(w, first, exchange, v);
        if (to_reader[i] == UINT32_MAX)
            to_reader[i] = add(w, LP_TYPED_READERS, exchange, u, v, w->g->op[u].output);
    }
}

/* ---- readers, backward ---- */

/* Layout of the gradient that v returns to u; a column's is partial besides. */
static LpCutLayout returned(const Writer *w, uint32_t u, uint32_t v) {
    LpOpKind kind = w->g->op[v].kind;
    if (kind == LP_OP_LOSS || kind == LP_OP_EMBEDDING)
        return w->choice[u].rest;
    LpCutLayout gives = w->choice[v].way == LP_WAY_ROW ? LP_LAYOUT_CHANNELS : w->choice[v].rest;
    return lp_typed_arrival(w->g, gives, v, u);
}

static bool is_column(const Writer *w, uint32_t v) {
    return w->choice[v].way == LP_WAY_COLUMN;
}

/* Cut otherwise than where u rests. */
static bool is_elsewhere(const Writer *w, uint32_t u, uint32_t v) {
    LpCutLayout gives = returned(w, u, v);
    return gives != LP_LAYOUT_WHOLE && gives != w->choice[u].rest;
}

/* One collective serves all readers: of the sum where any returns partial gradients. */
static void add_returned(Writer *w, uint32_t u, uint32_t *from_reader) {
    const LpTypedGraph *g = w->g;
    bool whole = w->choice[u].rest == LP_LAYOUT_WHOLE, partial = false, elsewhere = false;
    for (uint32_t i = g->succ_begin[u]; i < g->succ_begin[u + 1]; i++) {
        from_reader[i] = UINT32_MAX;
        partial = partial || is_column(w, g->succ[i]);
        elsewhere = elsewhere || (!is_column(w, g->succ[i]) && is_elsewhere(w, u, g->succ[i]));
    }
    if (!w->choice[u].learns || !(partial || elsewhere))
        return;
    LpExchange sum = whole ? LP_EXCHANGE_ALL_REDUCE : LP_EXCHANGE_REDUCE_SCATTER;
    LpExchange move = whole ? LP_EXCHANGE_ALL_GATHER : LP_EXCHANGE_ALL_TO_ALL;
    uint32_t c = add(w, LP_TYPED_RETURNED, partial ? sum : move, u, u, g->op[u].output);
    for (uint32_t i = g->succ_begin[u]; i < g->succ_begin[u + 1]; i++)
        if (is_column(w, g->succ[i]) || is_elsewhere(w, u, g->succ[i]))
            from_reader[i] = c;
}

/* ---- all of it ---- */

uint32_t lp_typed_collectives_max(const LpTypedGraph *g) {
    return OWN * g->ops + 2 * g->succ_begin[g->ops];
}

uint32_t lp_typed_collectives(const LpTypedGraph *g, const LpTypedChoice *choice,
                              LpTypedCollective *out, uint32_t *to_reader, uint32_t *from_reader) {
    Writer w = {g, choice, out, 0};
    for (uint32_t i = 0; i < g->ops; i++) {
        add_own(&w, g->topo[i]);
        add_readers(&w, g->topo[i], to_reader);
        add_parameters(&w, g->topo[i]);
        add_returned(&w, g->topo[i], from_reader);
    }
    return w.count;
}

double lp_typed_one_way(const LpTypedCollective *c) {
    return c->exchange == LP_EXCHANGE_ALL_REDUCE ? 2 * c->bytes : c->bytes;
}
