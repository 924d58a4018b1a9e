/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerators by name, with their published peak rates and memory. */
#ifndef LP_MODEL_DEVICE_DEVICE_H
#define LP_MODEL_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/device/precision.h"

typedef struct LpFacts LpFacts; /* base/fact.h */

typedef struct LpDevice {
    const char *name;  /* "A100" */
    const char *alias; /* another name of it, such as "A100 80G"; "": none */
    const char *like;  /* of a scenario's own: the device that it was made from; NULL: none */
    double peak_flops; /* FLOP/s of plain arithmetic in `format`, whatever the width of values */
    double bandwidth;  /* device memory, bytes/s */
    double memory;     /* bytes */
    double tf32, fp16, bf16, fp8; /* FLOP/s of matrix units, dense, by format; 0: has none */
    double flops_efficiency, memory_efficiency; /* fraction of the peak that real kernels reach */
    double matrix_efficiency;                   /* the same of matrix units, for large products */
    double units; /* multiprocessors, which share the tiles of a product; 0: not known */
    double tile_long, tile_short; /* sides of a tile of a product; 0: not known */
    double op_time;               /* start and end of a kernel, s; 0: not known */
    const char *format;           /* such as "fp32" or "fp16 tensor" */
    const char *source; /* data sheet that the figures are of; second hand, see `devices` */
    const char
        *doubt; /* why the peak or the bandwidth may be off, "" where nothing speaks for it */
} LpDevice;

/* By name or alias. Case-insensitive; "Titan V", "TitanV" and "titan-v" are the same. NULL when
 * unknown. */
const LpDevice *lp_device_find(const char *name);
/* The same name, in that sense? */
bool lp_device_same(const char *a, const char *b);
/* How sure its figures are, in one word or two. */
const char *lp_device_evidence(const LpDevice *device);
extern const LpFacts lp_device_facts;
/* The whole table; *count is set. */
const LpDevice *lp_device_table(size_t *count);
/* FLOP/s of products in that format: of matrix units, of plain arithmetic for fp32. 0: has none. */
double lp_device_rate(const LpDevice *device, LpPrecision precision);

/* The device used where a scenario names none: "A100". */
const LpDevice *lp_device_default(void);
/* What a device of a scenario's own begins with: efficiencies and op_time of the default one, and
 * no rates. */
LpDevice lp_device_unstated(void);

#endif
