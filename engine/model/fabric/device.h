/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerators by name, with their published peak rates and memory. */
#ifndef LP_MODEL_FABRIC_DEVICE_H
#define LP_MODEL_FABRIC_DEVICE_H

#include <stddef.h>

typedef struct LpDevice {
    const char *name;  /* "A100" */
    const char *alias; /* another name of it, such as "A100 80G"; "": none */
    double peak_flops; /* FLOP/s of plain arithmetic in `format`, whatever the width of values */
    double bandwidth;  /* device memory, bytes/s */
    double memory;     /* bytes */
    double tf32, fp16, bf16, fp8; /* FLOP/s of matrix units, dense, by format; 0: has none */
    double flops_efficiency, memory_efficiency; /* fraction of the peak that real kernels reach */
    const char *format;                         /* "fp32", "fp16 tensor" ... */
    const char *source; /* data sheet that the figures are of; second hand, see `devices` */
    const char
        *doubt; /* why the peak or the bandwidth may be off, "" where nothing speaks for it */
} LpDevice;

/* By name or alias. Case-insensitive; "Titan V", "TitanV" and "titan-v" are the same. NULL when
 * unknown. */
const LpDevice *lp_device_find(const char *name);
/* The whole table; *count is set. */
const LpDevice *lp_device_table(size_t *count);
/* The device used where a scenario names none: "A100". */
const LpDevice *lp_device_default(void);

#endif
