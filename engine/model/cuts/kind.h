/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operation of a graph does, as far as cutting it goes: docs/cuts.md. */
#ifndef LP_MODEL_CUTS_KIND_H
#define LP_MODEL_CUTS_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* X(ID, "word", "what belongs to it") */
#define LP_OP_KINDS(X)                                                                             \
    X(UNKNOWN, "unknown", "anything else: cut as a row")                                           \
    X(INPUT, "input", "data, tokens")                                                              \
    X(LINEAR, "linear", "matrix products with parameters")                                         \
    X(CONV, "conv", "convolutions")                                                                \
    X(ATTENTION, "attention", "scores, their softmax, context: by head")                           \
    X(ELEMENTWISE, "elementwise", "activations, dropout, additions")                               \
    X(RESHAPE, "reshape", "views and joins")                                                       \
    X(POOL, "pool", "pooling, channel by channel")                                                 \
    X(NORM_CHANNEL, "norm_channel", "norms whose statistics are a channel's")                      \
    X(NORM_FEATURE, "norm_feature", "norms and softmax over all features")                         \
    X(EMBEDDING, "embedding", "rows of a table")                                                   \
    X(LOSS, "loss", "the number that training lowers")                                             \
    X(RECURRENT, "recurrent", "LSTM, GRU: cut as a row")                                           \
    X(BLOCK, "attention_block", "attention with its projections in one op: cut as a row")

typedef enum LpOpKind {
    LP_OP_UNSTATED, /* follows from the name */
#define X(id, word, what) LP_OP_##id,
    LP_OP_KINDS(X)
#undef X
        LP_OP_KIND_COUNT
} LpOpKind;

/* The kind's word, such as "conv"; "" for LP_OP_UNSTATED. */
const char *lp_op_kind_word(LpOpKind kind);
/* By its word or one of its other spellings ("pooling", "channel norm"); capitals, '_', '-' and
 * spaces make no difference. LP_OP_UNSTATED where there is none. */
LpOpKind lp_op_kind_find(const char *word);

/* From an op's description, such as "Conv2d(3, 64, 3x3)": what stands before the bracket, small
 * letters, the first prefix of a table that fits. A softmax is a part of attention where `core` (an
 * input of it is an attention core or elementwise), else a norm over features. Never
 * LP_OP_UNSTATED. */
LpOpKind lp_op_kind_of_name(const char *name, bool core);

#endif
