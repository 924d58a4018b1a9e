/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPT-style transformer by its sizes, and the ways in which one training step of it is split:
 * docs/parallel.md, "Names". */
#ifndef LP_MODEL_PARALLEL_DECODER_H
#define LP_MODEL_PARALLEL_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What is larger is refused: sizes of one number, devices of a plan, and entries of its schedule
 * (forward passes of all stages, chunks and micro-batches). */
enum { LP_PARALLEL_SIZE = 1 << 24, LP_PARALLEL_DEVICES = 1 << 24, LP_PARALLEL_ENTRIES = 1 << 22 };

/* X(field, kind): what is stated of a model, in JSON and in words, in this order. Kinds: NEEDED and
 * WHOLE are 1 or more, NEEDED has no default; COUNT may be 0; SWITCH; RECOMPUTE and
 * ATTENTION are words. */
#define LP_DECODER_KEYS(X)                                                                         \
    X(hidden, NEEDED)                                                                              \
    X(heads, NEEDED)                                                                               \
    X(layers, NEEDED)                                                                              \
    X(ff, WHOLE)                                                                                   \
    X(sequence, WHOLE)                                                                             \
    X(vocabulary, WHOLE)                                                                           \
    X(tied, SWITCH)                                                                                \
    X(gated, SWITCH)                                                                               \
    X(unbiased, SWITCH)                                                                            \
    X(rotary, SWITCH)                                                                              \
    X(kv_heads, COUNT)                                                                             \
    X(head_width, COUNT)                                                                           \
    X(q_rank, COUNT)                                                                               \
    X(kv_rank, COUNT)                                                                              \
    X(rope, COUNT)                                                                                 \
    X(experts, COUNT)                                                                              \
    X(active, COUNT)                                                                               \
    X(shared, COUNT)                                                                               \
    X(dense, COUNT)                                                                                \
    X(dense_ff, COUNT)
/* X(field, kind, default): the numbers of a plan, each of which fits 24 bits. JSON, words, scripts,
 * records and hashes have them in this order; records are read by place, so a new row comes last.
 */
#define LP_PARALLEL_KEYS(X)                                                                        \
    X(tensor, WHOLE, 1)                                                                            \
    X(pipeline, WHOLE, 1)                                                                          \
    X(data, WHOLE, 1)                                                                              \
    X(chunks, WHOLE, 1)                                                                            \
    X(micro_batch, WHOLE, 1)                                                                       \
    X(batch, NEEDED, 0)                                                                            \
    X(recompute, RECOMPUTE, LP_RECOMPUTE_NONE)                                                     \
    X(sequence, SWITCH, false)                                                                     \
    X(wait, SWITCH, true)                                                                          \
    X(expert, WHOLE, 1)                                                                            \
    X(overlap, SWITCH, false)                                                                      \
    X(zero, COUNT, 0)                                                                              \
    X(context, WHOLE, 1)                                                                           \
    X(attention, ATTENTION, LP_ATTENTION_UNFUSED)

typedef struct LpDecoder {
    uint32_t hidden, heads, layers;
    uint32_t ff;         /* width of the feed-forward part, or of an expert */
    uint32_t sequence;   /* tokens of a sample */
    uint32_t vocabulary; /* before it is padded, see LpStepShape */
    bool tied;           /* embedding and head share one table of words */
    /* From here on 0 and false are a GPT. docs/parallel.md, "Other transformers". */
    bool gated;          /* three matrices in the feed-forward part, not two */
    bool unbiased;       /* no biases, and norms without a shift */
    bool rotary;         /* no table of places */
    uint32_t kv_heads;   /* heads of keys and values, shared by groups of heads; 0: heads */
    uint32_t head_width; /* of values, and of keys where they are not turned; 0: hidden / heads */
    uint32_t q_rank, kv_rank, rope; /* latent attention: widths of the latent values of queries and
                                       of keys and values, and what a key turned is wider by */
    uint32_t experts, active; /* of a layer: all, and those that a token goes to; 0: no experts */
    uint32_t shared;          /* experts of the same width that every token goes to */
    uint32_t dense, dense_ff; /* first layers without experts, and their width */
} LpDecoder;

typedef enum LpRecompute {
    LP_RECOMPUTE_NONE,
    LP_RECOMPUTE_SELECTIVE, /* the attention core: scores, softmax, dropout, context */
    LP_RECOMPUTE_FULL       /* the whole forward pass of a layer */
} LpRecompute;

/* The attention core: scores, softmax, dropout and context one after another, whose matrices go
 * through memory, or one kernel that keeps them on chip; with a causal mask it skips what is
 * hidden. */
typedef enum LpAttention {
    LP_ATTENTION_UNFUSED,
    LP_ATTENTION_FUSED,
    LP_ATTENTION_CAUSAL
} LpAttention;

enum { LP_ZERO_MOST = 3 };

typedef struct LpParallel {
    uint32_t tensor, pipeline, data; /* ways; with context their product is that of devices */
    uint32_t context;                /* ways of the tokens of a sample; 0 is 1 */
    uint32_t expert;                 /* ways of the experts, among data ways; 0 is 1 */
    uint32_t chunks;                 /* of the model on a stage: above 1, interleaved 1F1B */
    uint32_t micro_batch, batch;     /* samples: of one micro-batch, of a step of all devices */
    LpRecompute recompute;
    bool sequence; /* sequence parallelism among the devices of a tensor group */
    bool wait;     /* a stage that sends is busy until the data have arrived */
    bool overlap;  /* gradients and weights travel beside passes */
    uint32_t zero; /* sharded over data and context ways: 1 optimiser, 2 and gradients, 3 and
                      parameters */
    LpAttention attention;
} LpParallel;

/* Can this model be split so? LP_EINVAL with the numbers: a size that is 0 or above its limit, a
 * batch that is no multiple of micro_batch * data, a width that the tensor ways do not divide,
 * chunks without a pipeline, and so on. */
LpErr lp_parallel_check(const LpDecoder *model, const LpParallel *plan, LpDiag *diag) LP_MUST_USE;

/* Micro-batches of a step on each pipeline. `plan` has passed lp_parallel_check. */
uint32_t lp_parallel_micro_batches(const LpParallel *plan);
/* Layers of a chunk: as even as it goes, the first chunks one more. Chunk kappa * pipeline + i is
 * the kappa-th of stage i. */
uint32_t lp_parallel_layers(const LpDecoder *model, const LpParallel *plan, uint32_t chunk);

/* The stage of a part of the model: 0 the embedding, 1 .. layers its layers, layers + 1 the head.
 * O(chunks). */
uint32_t lp_parallel_stage(const LpDecoder *model, const LpParallel *plan, uint32_t part);
/* tensor x context x pipeline x data; UINT32_MAX for more. */
uint32_t lp_parallel_devices(const LpParallel *plan);

/* The plan of the defaults, with batch 0. */
LpParallel lp_parallel_default(void);
/* What a decoder begins with before its sizes are read, and what follows once they are: a ff that
 * was not stated is 4 times hidden. */
LpDecoder lp_decoder_default(void);
void lp_decoder_settle(LpDecoder *model);

enum {
#define X(field, kind, usual) LP_PARALLEL_AT_##field,
    LP_PARALLEL_KEYS(X)
#undef X
        LP_PARALLEL_NUMBERS,
    LP_PARALLEL_OLDEST = LP_PARALLEL_AT_expert + 1 /* what there was in the first records */
};

/* Its numbers in the order of the table, out[LP_PARALLEL_NUMBERS]. Returns how many of them matter:
 * LP_PARALLEL_OLDEST at least, and all up to the last that differs from its default. */
uint32_t lp_parallel_numbers(const LpParallel *plan, uint32_t out[LP_PARALLEL_NUMBERS]);
/* The plan of `count` numbers, defaults for the rest. False for more than the table has, or where
 * one is none that a plan can hold; *out unchanged. */
bool lp_parallel_of_numbers(const double *number, size_t count, LpParallel *out);
/* Content: only the numbers that matter, so that a row more leaves old hashes. */
uint64_t lp_parallel_hash(uint64_t hash, const LpParallel *plan);

enum { LP_PARALLEL_TEXT = 256 };
/* "tensor 8 x pipeline 4 x data 2, chunks 3, micro-batch 2, recompute selective, sequence
 * parallel": what differs from the defaults, the three ways in any case. Returns buf. */
const char *lp_parallel_print(const LpParallel *plan, char buf[LP_PARALLEL_TEXT]);
/* What lp_parallel_print says, short enough for columns: "t8 p4 d2", and "c2 e4 v3 b2 selective sp
 * nowait z1 overlap fused" where these differ from the defaults. Returns buf. */
const char *lp_parallel_brief(const LpParallel *plan, char buf[LP_PARALLEL_TEXT]);
/* The plan as words that can be read back, "tensor=8 pipeline=4 recompute=selective": the tensor
 * ways and what differs from the defaults, without the batch. Returns buf. */
const char *lp_parallel_words(const LpParallel *plan, char buf[LP_PARALLEL_TEXT]);

/* Its expert and context ways, 1 where nothing is said. */
uint32_t lp_parallel_expert(const LpParallel *plan);
uint32_t lp_parallel_context(const LpParallel *plan);
/* Devices that hold the same parameters, data x context: their gradients are added up. */
uint32_t lp_parallel_replicas(const LpParallel *plan);

/* Do both say the same? */
bool lp_parallel_same(const LpParallel *a, const LpParallel *b);

/* "none", "selective", "full" */
const char *lp_recompute_name(LpRecompute recompute);
/* "unfused", "fused", "causal" */
const char *lp_attention_name(LpAttention attention);

#endif
