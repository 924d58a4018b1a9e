/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one device does for one micro-batch, operator by operator: docs/parallel.md, "Operators of a
 * layer". Which collectives stand where is Korthikanti et al., arXiv 2205.05198, figures 4 to 6,
 * and Narayanan et al., arXiv 2104.04473, section 2.3; the bytes of vector operators are counts of
 * reads and writes of fused kernels, ours. */
#ifndef LP_MODEL_PARALLEL_OPS_H
#define LP_MODEL_PARALLEL_OPS_H

#include "model/parallel/decoder.h"

/* Sizes that everything else is made of, as doubles: exact, being whole numbers below 2^53. */
typedef struct LpStepShape {
    double t;                     /* tensor ways */
    double q;                     /* t with sequence parallelism, else 1 */
    double h, f, a, k, s;         /* hidden, feed-forward width, heads, width of a key, sequence */
    double kv, kv_width;          /* heads of keys and values; width of a value */
    double q_rank, kv_rank, rope; /* of latent attention; else 0 */
    double gates;                 /* matrices into the feed-forward part: 2 where gated */
    double experts, active, shared, e; /* of a layer; expert ways. Without experts 0, 1, 0, 1 */
    double c;                          /* context ways */
    double b, tokens;                  /* of a micro-batch: samples, and tokens of a device */
    double own;                        /* tokens of a sample that a device has: s / c */
    double vocabulary;                 /* padded to a multiple of 128 t */
    double hidden_values;              /* A = tokens h: one hidden tensor */
    double ff_values;                  /* G = tokens f / t, on one device */
    double score_values;               /* S = b (a / t) own s, on one device */
    double context_values;             /* keys and values of all tokens, on one device */
    double logit_values;               /* Z = tokens vocabulary / t, on one device */
    bool sequence;                     /* sequence parallelism among t > 1 devices */
    LpRecompute recompute;
    LpAttention attention;
} LpStepShape;

/* The shape of a step. lp_parallel_check allows `model` with `plan`. */
LpStepShape lp_step_shape(const LpDecoder *model, const LpParallel *plan);

/* Columns of the matrix of queries, keys and values, where they are not latent. */
double lp_step_qkv(const LpStepShape *shape);

typedef enum LpStepOpKind {
    LP_STEP_MAT, /* n products of M x K by K x N */
    LP_STEP_VEC, /* element by element */
    LP_STEP_ALL_GATHER,
    LP_STEP_REDUCE_SCATTER,
    LP_STEP_ALL_REDUCE,
    LP_STEP_ALL_TO_ALL,     /* among the expert ways; bytes are those that one device holds */
    LP_STEP_CONTEXT_GATHER, /* the same among the context ways */
    LP_STEP_CONTEXT_SCATTER
} LpStepOpKind;

typedef struct LpStepOp {
    const char *name;
    LpStepOpKind kind;
    double n, m_rows, n_columns, k_inner; /* of LP_STEP_MAT */
    double flops;                         /* of LP_STEP_MAT without waste; of LP_STEP_VEC */
    double bytes; /* of device memory; of a collective: those of the whole tensor */
} LpStepOp;

enum { LP_STEP_OPS = 80 };

typedef struct LpStepOps {
    uint32_t count;
    LpStepOp op[LP_STEP_OPS];
} LpStepOps;

/* The parts of a step, in the order of their operators. */
typedef enum LpStepPart {
    LP_PART_FORWARD,   /* of one layer */
    LP_PART_RECOMPUTE, /* what is done again before its backward part; nothing for `none` */
    LP_PART_BACKWARD,
    LP_PART_EMBEDDING_FORWARD,
    LP_PART_EMBEDDING_BACKWARD,
    LP_PART_HEAD_FORWARD,
    LP_PART_HEAD_BACKWARD,
    LP_PART_COUNT
} LpStepPart;

void lp_step_ops(const LpStepShape *shape, LpStepPart part, LpStepOps *out);

/* FLOP of a whole step on all devices, recomputation included. Only products of matrices count, as
 * published formulas do. */
double lp_parallel_flops(const LpDecoder *model, const LpParallel *plan);

#endif
