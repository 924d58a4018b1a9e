/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accelerators that models can be costed on: one table, found by name. */
#include "model/fabric/device.h"

#include <stdbool.h>

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
#define COMPUTE 0.70
#define MEMORY 0.80

static const LpDevice DEVICES[] = {
    {"A100", 19.5e12, 2039e9, 80e9, COMPUTE, MEMORY, "fp32",
     "NVIDIA A100 Tensor Core GPU data sheet, 80 GB SXM", ""},
    {"V100", 15.7e12, 900e9, 32e9, COMPUTE, MEMORY, "fp32",
     "NVIDIA V100 Tensor Core GPU data sheet, 32 GB SXM2", ""},
    {"Titan V", 14.9e12, 652.8e9, 12e9, COMPUTE, MEMORY, "fp32",
     "NVIDIA TITAN V specifications: 5120 cores x 2 x 1.455 GHz boost, 12 GB HBM2", ""},
    {"M40", 7.0e12, 288e9, 24e9, COMPUTE, MEMORY, "fp32",
     "NVIDIA Tesla M40 24 GB data sheet, with GPU Boost",
     "rounded up: 3072 cores x 2 x 1.112 GHz boost are 6.83 TFLOP/s"},
    {"H100", 67e12, 3350e9, 80e9, COMPUTE, MEMORY, "fp32",
     "NVIDIA H100 Tensor Core GPU data sheet, 80 GB SXM",
     "first announced with 60 TFLOP/s and 3000 GB/s, which some still print"},
};

const LpDevice *lp_device_table(size_t *count) {
    *count = LP_COUNTOF(DEVICES);
    return DEVICES;
}

const LpDevice *lp_device_default(void) {
    return &DEVICES[0];
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

static bool same_name(const char *a, const char *b) {
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
        if (same_name(name, DEVICES[i].name))
            return &DEVICES[i];
    return NULL;
}
