/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accelerators that models can be costed on: one table, found by name. */
#include "model/device/device.h"

#include <stdbool.h>

#include "base/assert.h"
#include "base/err.h"

/* Peak rates are those of plain fp32 arithmetic outside tensor cores, whatever the width of a
 * value. Every device of the table has it, no framework setting changes it, and the profiles that
 * the zoo is checked against were taken in it; TF32 and fp16 tensor rates (A100 156 and 312
 * TFLOP/s, V100 125, Titan V 110, H100 495 and 989, all dense) exist on some devices only and would
 * compare unlike with unlike.
 *
 * The efficiencies are our assumptions, one pair for all devices: large fp32 convolutions and
 * matrix products sustain about 70 % of the peak, streaming kernels about 80 % of the memory
 * bandwidth (Jia et al., arXiv 1804.06826, measured 83 % on a V100). Sizes are decimal, as sold.
 *
 * `doubt` is what others print of the same device, where it is not the same. */
#define SAME                                                                                       \
    .flops_efficiency = 0.70, .memory_efficiency = 0.80, .matrix_efficiency = 0.80, .format = "fp32"
/* Multiprocessors are of the data sheets and white papers that `source` names. Tiles: NVIDIA,
 * "Matrix Multiplication Background User's Guide", 256 x 128, the largest that cuBLAS uses. The
 * time of a kernel is decided, the same as for steps of transformers (model/parallel/machine.h). */
#define TILES(n) .units = (n), .tile_long = 256, .tile_short = 128, .op_time = 4e-6

/* Matrix units reach 80 % of their peak with large products: NVIDIA/DCGM issue 40 finds about that
 * of an A100's 312 TFLOP/s, ml-engineering 0.869 for the best shape. Assumed for all devices.
 *
 * They have tf32, fp16, bf16 and fp8 with fp32 sums, without sparsity (sheets that print rates
 * with sparsity print twice as much). TPUs have no fp32 arithmetic in their data sheets: theirs is
 * that of the vector units. */
static const LpDevice DEVICES[] = {
    {.name = "A100",
     .alias = "A100 80G",
     .peak_flops = 19.5e12,
     .bandwidth = 2039e9,
     .memory = 80e9,
     .tf32 = 156e12,
     .fp16 = 312e12,
     .bf16 = 312e12,
     SAME,
     TILES(108),
     .source = "NVIDIA A100 Tensor Core GPU data sheet, 80 GB SXM",
     .doubt = ""},
    {.name = "V100",
     .alias = "",
     .peak_flops = 15.7e12,
     .bandwidth = 900e9,
     .memory = 32e9,
     .fp16 = 125e12,
     SAME,
     TILES(80),
     .source = "NVIDIA V100 Tensor Core GPU data sheet, 32 GB SXM2",
     .doubt = ""},
    {.name = "Titan V",
     .alias = "",
     .peak_flops = 14.9e12,
     .bandwidth = 652.8e9,
     .memory = 12e9,
     .fp16 = 110e12,
     SAME,
     TILES(80),
     .source = "NVIDIA TITAN V specifications: 5120 cores x 2 x 1.455 GHz boost, 12 GB HBM2",
     .doubt = ""},
    {.name = "M40",
     .alias = "",
     .peak_flops = 7.0e12,
     .bandwidth = 288e9,
     .memory = 24e9,
     SAME,
     TILES(24),
     .source = "NVIDIA Tesla M40 24 GB data sheet, with GPU Boost",
     .doubt = "rounded up: 3072 cores x 2 x 1.112 GHz boost are 6.83 TFLOP/s"},
    {.name = "H100",
     .alias = "H100 80G",
     .peak_flops = 67e12,
     .bandwidth = 3350e9,
     .memory = 80e9,
     .tf32 = 495e12,
     .fp16 = 989e12,
     .bf16 = 989e12,
     .fp8 = 1979e12,
     SAME,
     TILES(132),
     .source = "NVIDIA H100 Tensor Core GPU data sheet, 80 GB SXM",
     .doubt = "first announced with 60 TFLOP/s and 3000 GB/s, which some still print"},
    {.name = "A100 40G",
     .alias = "",
     .peak_flops = 19.5e12,
     .bandwidth = 1555e9,
     .memory = 40e9,
     .tf32 = 156e12,
     .fp16 = 312e12,
     .bf16 = 312e12,
     SAME,
     TILES(108),
     .source = "NVIDIA A100 Tensor Core GPU data sheet, 40 GB SXM",
     .doubt = ""},
    {.name = "H200",
     .alias = "",
     .peak_flops = 67e12,
     .bandwidth = 4800e9,
     .memory = 141e9,
     .tf32 = 495e12,
     .fp16 = 989e12,
     .bf16 = 989e12,
     .fp8 = 1979e12,
     SAME,
     TILES(132),
     .source = "NVIDIA H200 Tensor Core GPU data sheet, SXM",
     .doubt = ""},
    {.name = "B200",
     .alias = "",
     .peak_flops = 75e12,
     .bandwidth = 7700e9,
     .memory = 180e9,
     .tf32 = 1100e12,
     .fp16 = 2250e12,
     .bf16 = 2250e12,
     .fp8 = 4500e12,
     SAME,
     TILES(148),
     .source = "NVIDIA HGX B200 specifications, per GPU at 1000 W",
     .doubt = "first announced with 80 TFLOP/s, 8000 GB/s and 192 GB, which some still print"},
    {.name = "TPU v4",
     .alias = "",
     .peak_flops = 8.6e12,
     .bandwidth = 1200e9,
     .memory = 34.36e9,
     .bf16 = 275e12,
     SAME,
     .source = "Google Cloud documentation of TPU v4, 32 GiB",
     .doubt = "fp32 is computed: 2 cores x 8 x 128 lanes x 4 units x 1.05 GHz; "
              "1228 GB/s are printed too"},
    {.name = "TPU v5p",
     .alias = "",
     .peak_flops = 14.3e12,
     .bandwidth = 2765e9,
     .memory = 95e9,
     .bf16 = 459e12,
     SAME,
     .source = "Google Cloud documentation of TPU v5p",
     .doubt = "fp32 is computed: 2 cores x 8 x 128 lanes x 4 units x 1.75 GHz"},
};

const LpDevice *lp_device_table(size_t *count) {
    *count = LP_COUNTOF(DEVICES);
    return DEVICES;
}

const char *const lp_precision_words[] = {
#define X(id, word, member) word,
    LP_PRECISIONS(X)
#undef X
        NULL};

const char *lp_precision_word(LpPrecision precision) {
    LP_ASSERT(precision < LP_PRECISION_COUNT);
    return lp_precision_words[precision];
}

double lp_device_rate(const LpDevice *device, LpPrecision precision) {
    switch (precision) {
#define X(id, word, member)                                                                        \
    case LP_PRECISION_##id:                                                                        \
        return device->member;
        LP_PRECISIONS(X)
#undef X
    case LP_PRECISION_COUNT:
        break;
    }
    return 0;
}

const LpDevice *lp_device_default(void) {
    return &DEVICES[0];
}

LpDevice lp_device_unstated(void) {
    const LpDevice *usual = lp_device_default();
    return (LpDevice){.alias = "",
                      .flops_efficiency = usual->flops_efficiency,
                      .memory_efficiency = usual->memory_efficiency,
                      .matrix_efficiency = usual->matrix_efficiency,
                      .op_time = usual->op_time,
                      .format = "fp32",
                      .source = "the scenario",
                      .doubt = ""};
}

/* The next letter that counts, lower case whatever the locale; advances *text past it. */
static char next_letter(const char **text) {
    while (**text == ' ' || **text == '-' || **text == '_')
        (*text)++;
    char c = **text;
    if (c != '\0')
        (*text)++;
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool lp_device_same(const char *a, const char *b) {
    for (;;) {
        char x = next_letter(&a), y = next_letter(&b);
        if (x != y)
            return false;
        if (x == '\0')
            return true;
    }
}

const LpDevice *lp_device_find(const char *name) {
    for (size_t i = 0; name != NULL && i < LP_COUNTOF(DEVICES); i++)
        if (lp_device_same(name, DEVICES[i].name) ||
            (DEVICES[i].alias[0] != '\0' && lp_device_same(name, DEVICES[i].alias)))
            return &DEVICES[i];
    return NULL;
}
