/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of operations, by word and by the names that profiles use. */
#include "model/cuts/kind.h"

#include <string.h>

#include "base/mem.h"

static const char *const WORDS[LP_OP_KIND_COUNT] = {"",
#define X(id, word, what) word,
                                                    LP_OP_KINDS(X)
#undef X
};

typedef struct Spelling {
    const char *text;
    LpOpKind kind;
} Spelling;

/* Further words for the same. */
static const Spelling SPELLINGS[] = {
    {"pooling", LP_OP_POOL},
    {"attention_core", LP_OP_ATTENTION},
    {"convolution", LP_OP_CONV},
    {"channel_norm", LP_OP_NORM_CHANNEL},
    {"norm", LP_OP_NORM_FEATURE},
    {"feature_norm", LP_OP_NORM_FEATURE},
    {"batchnorm", LP_OP_NORM_CHANNEL},
    {"layernorm", LP_OP_NORM_FEATURE},
    {"block", LP_OP_BLOCK},
};

/* The first that fits, so longer prefixes stand before their beginnings. */
static const Spelling PREFIXES[] = {
    {"attentionscores", LP_OP_ATTENTION},
    {"attentioncontext", LP_OP_ATTENTION},
    {"recurrentattention", LP_OP_RECURRENT},
    {"emubidirlstm", LP_OP_RECURRENT},
    {"lstm", LP_OP_RECURRENT},
    {"gru", LP_OP_RECURRENT},
    {"rnn", LP_OP_RECURRENT},
    {"conv", LP_OP_CONV},
    {"linear", LP_OP_LINEAR},
    {"classifier", LP_OP_LINEAR},
    {"head", LP_OP_LINEAR},
    {"embedding", LP_OP_EMBEDDING},
    {"attention", LP_OP_BLOCK},
    {"batchnorm", LP_OP_NORM_CHANNEL},
    {"layernorm", LP_OP_NORM_FEATURE},
    {"lrn", LP_OP_NORM_FEATURE},
    {"maxpool", LP_OP_POOL},
    {"avgpool", LP_OP_POOL},
    {"adaptiveavgpool", LP_OP_POOL},
    {"relu", LP_OP_ELEMENTWISE},
    {"gelu", LP_OP_ELEMENTWISE},
    {"tanh", LP_OP_ELEMENTWISE},
    {"sigmoid", LP_OP_ELEMENTWISE},
    {"dropout", LP_OP_ELEMENTWISE},
    {"add", LP_OP_ELEMENTWISE},
    {"mul", LP_OP_ELEMENTWISE},
    {"hidden", LP_OP_RESHAPE},
    {"concat", LP_OP_RESHAPE},
    {"cat", LP_OP_RESHAPE},
    {"view", LP_OP_RESHAPE},
    {"size", LP_OP_RESHAPE},
    {"flatten", LP_OP_RESHAPE},
    {"__getitem__", LP_OP_RESHAPE},
    {"input", LP_OP_INPUT},
    {"tokens", LP_OP_INPUT},
    {"source", LP_OP_INPUT},
    {"target", LP_OP_INPUT},
    {"crossentropy", LP_OP_LOSS},
    {"loss", LP_OP_LOSS},
};

/* Of ASCII only: the locale is no part of a model. */
static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char plain(char c) {
    return c == ' ' || c == '-' ? '_' : small(c);
}

static bool same_word(const char *a, const char *b) {
    while (*a != '\0' && plain(*a) == *b)
        a++, b++;
    return *a == *b;
}

const char *lp_op_kind_word(LpOpKind kind) {
    return WORDS[kind];
}

LpOpKind lp_op_kind_find(const char *word) {
    for (int kind = LP_OP_UNSTATED + 1; kind < LP_OP_KIND_COUNT; kind++)
        if (same_word(word, WORDS[kind]))
            return (LpOpKind)kind;
    for (size_t i = 0; i < LP_COUNTOF(SPELLINGS); i++)
        if (same_word(word, SPELLINGS[i].text))
            return SPELLINGS[i].kind;
    return LP_OP_UNSTATED;
}

/* No prefix has a bracket, so a name ends there by itself. */
static bool begins_with(const char *name, const char *prefix) {
    while (*prefix != '\0' && small(*name) == *prefix)
        name++, prefix++;
    return *prefix == '\0';
}

LpOpKind lp_op_kind_of_name(const char *name, bool core) {
    if (begins_with(name, "softmax"))
        return core ? LP_OP_ATTENTION : LP_OP_NORM_FEATURE;
    for (size_t i = 0; i < LP_COUNTOF(PREFIXES); i++)
        if (begins_with(name, PREFIXES[i].text))
            return PREFIXES[i].kind;
    return LP_OP_UNKNOWN;
}
