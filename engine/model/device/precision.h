/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats that devices compute products in. */
#ifndef LP_MODEL_DEVICE_PRECISION_H
#define LP_MODEL_DEVICE_PRECISION_H

/* X(ID, "word", member of LpDevice that has its rate): formats that products are computed in. */
#define LP_PRECISIONS(X)                                                                           \
    X(FP32, "fp32", peak_flops)                                                                    \
    X(TF32, "tf32", tf32)                                                                          \
    X(FP16, "fp16", fp16)                                                                          \
    X(BF16, "bf16", bf16)                                                                          \
    X(FP8, "fp8", fp8)

typedef enum LpPrecision {
#define X(id, word, member) LP_PRECISION_##id,
    LP_PRECISIONS(X)
#undef X
        LP_PRECISION_COUNT
} LpPrecision;

/* "bf16" */
const char *lp_precision_word(LpPrecision precision);
/* All of them, NULL-terminated. */
extern const char *const lp_precision_words[];

#endif
