/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transformers with names, by their published sizes: docs/parallel.md, "Models with names". */
#ifndef LP_MODEL_PARALLEL_ZOO_H
#define LP_MODEL_PARALLEL_ZOO_H

#include <stddef.h>

#include "model/parallel/decoder.h"

typedef struct LpTransformer {
    const char *name, *title, *source; /* of the sizes and of what is published */
    LpDecoder model;
    double parameters; /* published, as precisely as it is */
    double active;     /* published: those that a token meets; 0: all */
} LpTransformer;

const LpTransformer *lp_transformer_table(size_t *count);
const LpTransformer *lp_transformer_find(const char *name); /* NULL when unknown */

#endif
