/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario that was made of a trace says of its rows. */
#ifndef LP_MODEL_TRACE_LEFT_OUT_H
#define LP_MODEL_TRACE_LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

/* Rows that were left out for one reason. */
typedef struct LpLeftOut {
    const char *reason; /* "no_gpus" */
    uint64_t rows;
} LpLeftOut;

/* Rows of a trace, so that sums of them are exact. */
#define LP_ROWS_MOST 0x1p40

/* rows is taken and all that were left out. */
typedef struct LpImported {
    bool given;
    uint64_t rows, taken;
    uint32_t reasons;
    const LpLeftOut *left_out;
} LpImported;

#endif
