/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts by kind (docs/cuts.md): how each op of a graph is cut over n servers so that no
 * collective is paid that its neighbours can do without, and which collectives remain. Megatron's
 * scheme for transformers (arXiv 1909.08053, 2205.05198) falls out of these rules.
 *
 * A tensor rests whole on every server, or cut along channels (features, heads) or tokens. A
 * linear op or a convolution is cut by its output channels (a *column*: needs its input whole,
 * gives channels, returns a partial gradient) or by its input channels (a *row*: takes channels,
 * gives partial sums, which are reduced to where its output rests). Recurrent ops, whole blocks of
 * attention and unknown ops are cut as rows. Everything else follows its inputs. */
#ifndef LP_MODEL_CUTS_CUTS_H
#define LP_MODEL_CUTS_CUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cuts/kind.h"

typedef enum LpCutLayout { LP_LAYOUT_WHOLE, LP_LAYOUT_CHANNELS, LP_LAYOUT_TOKENS } LpCutLayout;

typedef enum LpCutWay {
    LP_WAY_FOLLOWS, /* works on what rests where it does */
    LP_WAY_COLUMN,
    LP_WAY_ROW
} LpCutWay;

typedef struct LpTypedOp {
    LpOpKind kind; /* stated */
    uint32_t ways; /* servers that it is cut over, >= 1 */
    double output, parameters;
    bool to_loss; /* its output meets a loss that is no op of the graph */
} LpTypedOp;

/* A graph by its lists, as LpGraph has them. Those in CSR form have ops + 1 entries. */
typedef struct LpTypedGraph {
    uint32_t ops;
    const LpTypedOp *op;
    const uint32_t *succ_begin, *succ, *pred_begin, *pred;
    const uint32_t *topo;
    bool sequence; /* sequence parallelism: what meets a norm over features rests along tokens */
} LpTypedGraph;

typedef struct LpTypedChoice {
    LpCutWay way;
    LpCutLayout rest;            /* of its output */
    bool learns;                 /* a gradient of its output is wanted */
    bool meets_norm, meets_loss; /* through ops that keep layouts only */
} LpTypedChoice;

/* Chooses for every op, in one pass of topological order; a tensor between ops of different ways
 * arrives cut by channels. choice: ops entries. O(ops + edges). */
void lp_typed_choose(const LpTypedGraph *graph, LpTypedChoice *choice);

typedef enum LpExchange {
    LP_EXCHANGE_REDUCE_SCATTER,
    LP_EXCHANGE_ALL_GATHER,
    LP_EXCHANGE_ALL_REDUCE,
    LP_EXCHANGE_ALL_TO_ALL
} LpExchange;

typedef enum LpTypedRole {
    LP_TYPED_OUTPUT,     /* after an op's forward parts: its partial sums */
    LP_TYPED_GRADIENT,   /* before its backward parts: the gradient that they take whole */
    LP_TYPED_READERS,    /* before forward parts of ops that read it in another layout */
    LP_TYPED_PARAMETERS, /* once per step: gradients of parameters that all servers have */
    LP_TYPED_RETURNED    /* before its backward parts: gradients that readers return */
} LpTypedRole;

typedef struct LpTypedCollective {
    LpTypedRole role;
    LpExchange exchange;
    uint32_t op; /* whose tensor it is */
    uint32_t at; /* whose servers take part: a reader for LP_TYPED_READERS, else `op` */
    double bytes;
} LpTypedCollective;

/* Collectives that lp_typed_collectives writes at most. */
uint32_t lp_typed_collectives_max(const LpTypedGraph *graph);
/* The collectives of one step, op after op in topological order; returns how many. Entry i of
 * to_reader and from_reader (as many as succ) says through which of them the tensor reaches, and
 * the gradient leaves, the reader succ[i]: UINT32_MAX where through none. Ops of one way have no
 * collectives, and tensors without bytes have none. O(ops + edges * readers of an op). */
uint32_t lp_typed_collectives(const LpTypedGraph *graph, const LpTypedChoice *choice,
                              LpTypedCollective *out, uint32_t *to_reader, uint32_t *from_reader);

/* Bytes of a collective as they go round once: an all-reduce goes round twice. */
double lp_typed_one_way(const LpTypedCollective *collective);

/* Does every server of the op's do all of its work, and have all of its parameters? */
bool lp_typed_repeats(const LpTypedGraph *graph, const LpTypedChoice *choice, uint32_t op);

#endif
