/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model zoo: computation graphs built from layer tables, with exact activation and parameter
 * bytes and FLOPs per op, so that a scenario needs no download. */
#ifndef LP_MODEL_ZOO_H
#define LP_MODEL_ZOO_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/graph.h"

/* What may be chosen; 0 means the model's default. Only "transformer" has layers, hidden, heads and
 * vocabulary; "gnmt" has a sequence too (words of the source). Images are 3 x 224 x 224. */
typedef struct LpZooSpec {
    const char *name; /* "vgg16" */
    uint32_t batch;   /* samples per step */
    uint32_t layers, hidden, heads, sequence, vocabulary;
    uint32_t bytes_per_value; /* 4 or 2: what tensors take; see LpGraph.value_bytes */
} LpZooSpec;

typedef struct LpZooModel {
    const char *name, *title, *source; /* source: the paper that defines the layers */
    uint32_t default_batch;
} LpZooModel;

const LpZooModel *lp_zoo_table(size_t *count);

/* Builds the model's graph with `id` as its name; times are 0 until lp_graph_cost. Errors:
 * LP_EINVAL for an unknown name (with the nearest one), a knob that the model does not have, or one
 * out of range (named, with range); LP_ENOMEM. *out is owned by the caller (lp_graph_free).
 * Sizes, FLOPs and bytes moved follow the rule stated in model/zoo/zoo_impl.h. O(ops). */
LpErr lp_zoo_build(const char *id, const LpZooSpec *spec, LpGraph **out, LpDiag *diag) LP_MUST_USE;

#endif
