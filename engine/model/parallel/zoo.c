/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes as their makers publish them. */
#include "model/parallel/zoo.h"

#include <string.h>

/* A GPT: tied tables, learned places, a feed-forward part of four times the width. */
#define GPT(width, a, l, tokens)                                                                   \
    {                                                                                              \
        .hidden = width, .heads = a, .layers = l, .ff = 4 * width, .sequence = tokens,             \
        .vocabulary = 50257, .tied = true                                                          \
    }
/* A Llama: gated, no biases, rotary places, groups of heads that share keys and values. */
#define LLAMA(width, a, groups, l, f, tokens, words)                                               \
    {                                                                                              \
        .hidden = width, .heads = a, .kv_heads = groups, .layers = l, .ff = f, .sequence = tokens, \
        .vocabulary = words, .gated = true, .unbiased = true, .rotary = true                       \
    }

static const char GPT2[] = "Radford et al. 2019, table 2; parameters of the released weights";
static const char GPT3[] = "arXiv 2005.14165, tables 2.1 and D.1";
static const char LLAMA2[] = "arXiv 2307.09288; parameters of the released weights";
static const char LLAMA3[] = "arXiv 2407.21783, table 3; parameters of the released weights";
static const char MIXTRAL[] = "arXiv 2401.04088, table 1; parameters of the released weights; a "
                              "sequence of 4096 is our choice";
static const char MIXTRAL_22B[] = "mistral.ai, \"Cheaper, Better, Faster, Stronger\", 2024; the "
                                  "released weights; a sequence of 4096 is our choice";
static const char DEEPSEEK[] = "arXiv 2412.19437, section 4.2; without its multi-token prediction";

static const LpTransformer TABLE[] = {
    {"gpt-2", "GPT-2 small", GPT2, GPT(768, 12, 12, 1024), 124439808, 0},
    {"gpt-2-medium", "GPT-2 medium", GPT2, GPT(1024, 16, 24, 1024), 354823168, 0},
    {"gpt-2-large", "GPT-2 large", GPT2, GPT(1280, 20, 36, 1024), 774030080, 0},
    {"gpt-2-xl", "GPT-2 XL", GPT2, GPT(1600, 25, 48, 1024), 1557611200, 0},
    {"gpt-3-125m", "GPT-3 small", GPT3, GPT(768, 12, 12, 2048), 125e6, 0},
    {"gpt-3-350m", "GPT-3 medium", GPT3, GPT(1024, 16, 24, 2048), 356e6, 0},
    {"gpt-3-760m", "GPT-3 large", GPT3, GPT(1536, 16, 24, 2048), 760e6, 0},
    {"gpt-3-1.3b", "GPT-3 XL", GPT3, GPT(2048, 16, 24, 2048), 1320e6, 0},
    {"gpt-3-2.7b", "GPT-3 2.7B", GPT3, GPT(2560, 32, 32, 2048), 2650e6, 0},
    {"gpt-3-6.7b", "GPT-3 6.7B", GPT3, GPT(4096, 32, 32, 2048), 6660e6, 0},
    {"gpt-3-13b", "GPT-3 13B", GPT3, GPT(5120, 40, 40, 2048), 12850e6, 0},
    {"gpt-3-175b", "GPT-3 175B", GPT3, GPT(12288, 96, 96, 2048), 174600e6, 0},
    {"llama-2-7b", "Llama 2 7B", LLAMA2, LLAMA(4096, 32, 32, 32, 11008, 4096, 32000), 6738415616.0,
     0},
    {"llama-2-13b", "Llama 2 13B", LLAMA2, LLAMA(5120, 40, 40, 40, 13824, 4096, 32000),
     13015864320.0, 0},
    {"llama-2-70b", "Llama 2 70B", LLAMA2, LLAMA(8192, 64, 8, 80, 28672, 4096, 32000),
     68976648192.0, 0},
    {"llama-3-8b", "Llama 3 8B", LLAMA3, LLAMA(4096, 32, 8, 32, 14336, 8192, 128256), 8030261248.0,
     0},
    {"llama-3-70b", "Llama 3 70B", LLAMA3, LLAMA(8192, 64, 8, 80, 28672, 8192, 128256),
     70553706496.0, 0},
    {"llama-3-405b", "Llama 3 405B", LLAMA3, LLAMA(16384, 128, 8, 126, 53248, 8192, 128256),
     405853388800.0, 0},
    {"mixtral-8x7b",
     "Mixtral 8x7B",
     MIXTRAL,
     {.hidden = 4096,
      .heads = 32,
      .kv_heads = 8,
      .layers = 32,
      .ff = 14336,
      .sequence = 4096,
      .vocabulary = 32000,
      .gated = true,
      .unbiased = true,
      .rotary = true,
      .experts = 8,
      .active = 2},
     46702792704.0,
     12.9e9},
    {"mixtral-8x22b",
     "Mixtral 8x22B",
     MIXTRAL_22B,
     {.hidden = 6144,
      .heads = 48,
      .kv_heads = 8,
      .layers = 56,
      .ff = 16384,
      .sequence = 4096,
      .vocabulary = 32000,
      .gated = true,
      .unbiased = true,
      .rotary = true,
      .experts = 8,
      .active = 2},
     140620634112.0,
     39e9},
    {"deepseek-v3",
     "DeepSeek-V3",
     DEEPSEEK,
     {.hidden = 7168,
      .heads = 128,
      .layers = 61,
      .ff = 2048,
      .sequence = 4096,
      .vocabulary = 129280,
      .gated = true,
      .unbiased = true,
      .rotary = true,
      .head_width = 128,
      .q_rank = 1536,
      .kv_rank = 512,
      .rope = 64,
      .experts = 256,
      .active = 8,
      .shared = 1,
      .dense = 3,
      .dense_ff = 18432},
     671e9,
     37e9},
};

const LpTransformer *lp_transformer_table(size_t *count) {
    *count = LP_COUNTOF(TABLE);
    return TABLE;
}

const LpTransformer *lp_transformer_find(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(TABLE); i++)
        if (strcmp(name, TABLE[i].name) == 0)
            return &TABLE[i];
    return NULL;
}
