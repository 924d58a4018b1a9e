/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the work of an operation to its time on a device: a roofline, in a precision, and, where
 * asked for, with what products lose by their size. docs/semantics.md, "Devices". */
#ifndef LP_MODEL_DEVICE_ROOFLINE_H
#define LP_MODEL_DEVICE_ROOFLINE_H

#include <stdbool.h>

#include "base/err.h"
#include "model/device/precision.h"

typedef struct LpDevice LpDevice; /* model/device/device.h */

/* What of an op's forward work is products of matrices: `serial` times, one after another, `count`
 * independent products of rows x depth by depth x columns. */
typedef struct LpProduct {
    double flops;                               /* of forward_flops; 0: none */
    double serial, count, rows, columns, depth; /* all 0: the shape is not known */
} LpProduct;

/* Work of one operation. All 0 when the profile states times instead. FLOPs count a multiply-add as
 * two. Backward products are those of the gradients: of the same flops, or twice as many. */
typedef struct LpWork {
    double forward_flops, backward_flops;
    double forward_bytes, backward_bytes; /* bytes moved to and from device memory */
    LpProduct product;
} LpWork;

/* At what rate work is done. */
typedef struct LpRates {
    const LpDevice *device;
    LpPrecision precision; /* of products; everything else is computed in fp32 */
    bool by_size;          /* products lose what tiles and waves waste, kernels take their start */
} LpRates;

/* Along what a product is cut among servers. */
typedef enum LpSide { LP_SIDE_COLUMNS, LP_SIDE_DEPTH, LP_SIDE_ROWS, LP_SIDE_COUNT } LpSide;

/* LP_EINVAL where the device has no rate in that precision, or where products lose by size and its
 * units, tiles and kernels are not known: what it has, or which devices have them. */
LpErr lp_rates_check(const LpRates *rates, LpDiag *diag) LP_MUST_USE;

/* FLOPs that `units` are busy for with `count` products of rows x depth by depth x columns in tiles
 * of x by y: tiles are padded, and the last wave is paid in full [NVIDIA, Matrix Multiplication
 * Background User's Guide]. */
double lp_tiled_flops(double units, double x, double y, double count, double rows, double columns,
                      double depth);

/* Seconds that a share of an op's work takes, in (0, 1], cut along `side`; share 1 is all of it.
 * Without by_size: share * max(flops / rate, bytes / bandwidth), each with its efficiency. With it
 * a product of a shape takes the time of the FLOPs that the device's units are busy for, padding
 * and idle units included: the least, over both ways to lay tiles and over one or as many equal
 * parts of the depth as leave no unit without work (none shallower than a tile's shorter side), of
 *   ceil(count ceil(rows/x) ceil(columns/y) parts / units) * units * x * y * 2 ceil(depth/parts)
 * [NVIDIA, Matrix Multiplication Background User's Guide: tiles, waves; parts of the depth: Osama
 * et al., Stream-K, arXiv 2301.03598, section 3]; and every kernel its start. */
double lp_work_time(const LpWork *work, bool backward, const LpRates *rates, double share,
                    LpSide side);

#endif
