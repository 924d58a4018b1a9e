/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from work: rates, tiles and waves of products. */
#include "model/device/roofline.h"

#include <math.h>

#include "base/assert.h"
#include "base/str.h"
#include "model/device/device.h"

/* ---- what a device can ---- */

static void add_name(LpBuf *names, const char *name) {
    lp_buf_addf(names, "%s%s", names->len > 0 ? ", " : "", name);
}

static LpErr fail_precision(const LpRates *rates, LpDiag *diag) {
    LpBuf known = {0};
    for (int p = 0; p < LP_PRECISION_COUNT; p++)
        if (lp_device_rate(rates->device, (LpPrecision)p) > 0)
            add_name(&known, lp_precision_word((LpPrecision)p));
    LpErr err =
        lp_fail(diag, LP_EINVAL, "device %s has no rate in %s, expected one of %s",
                rates->device->name, lp_precision_word(rates->precision), lp_buf_text(&known));
    lp_buf_fini(&known);
    return err;
}

static bool knows_sizes(const LpDevice *device) {
    return device->units > 0 && device->tile_long > 0 && device->tile_short > 0;
}

static LpErr fail_sizes(const LpDevice *device, LpDiag *diag) {
    LpBuf known = {0};
    size_t count;
    const LpDevice *table = lp_device_table(&count);
    for (size_t i = 0; i < count; i++)
        if (knows_sizes(&table[i]))
            add_name(&known, table[i].name);
    LpErr err = lp_fail(diag, LP_EINVAL,
                        "device %s: its units and tiles are not known, without which products "
                        "cannot lose by their size, expected one of %s",
                        device->name, lp_buf_text(&known));
    lp_buf_fini(&known);
    return err;
}

LpErr lp_rates_check(const LpRates *rates, LpDiag *diag) {
    if (!(lp_device_rate(rates->device, rates->precision) > 0))
        return fail_precision(rates, diag);
    if (rates->by_size && !knows_sizes(rates->device))
        return fail_sizes(rates->device, diag);
    return LP_OK;
}

/* ---- products ---- */

double lp_tiled_flops(double units, double x, double y, double count, double rows, double columns,
                      double depth) {
    double tiles = count * ceil(rows / x) * ceil(columns / y);
    return ceil(tiles / units) * units * x * y * 2 * depth;
}

/* Idle units take parts of the depth: as many as fit into the first wave. */
static double parts_of(const LpDevice *d, double tiles, double depth) {
    double idle = floor(d->units / tiles);
    double most = floor(depth / d->tile_short);
    double parts = idle < most ? idle : most;
    return parts > 1 ? parts : 1;
}

static double laid(const LpDevice *d, double count, double rows, double columns, double depth) {
    double x = d->tile_long, y = d->tile_short;
    double parts = parts_of(d, count * ceil(rows / x) * ceil(columns / y), depth);
    double whole = lp_tiled_flops(d->units, x, y, count, rows, columns, depth);
    double split =
        lp_tiled_flops(d->units, x, y, count * parts, rows, columns, ceil(depth / parts));
    return split < whole ? split : whole;
}

static double product_flops(const LpDevice *device, double count, double rows, double columns,
                            double depth) {
    double a = laid(device, count, rows, columns, depth);
    double b = laid(device, count, columns, rows, depth);
    return a < b ? a : b;
}

/* The gradient of the second factor is depth x columns, that of the first rows x depth. */
static double backward_busy(const LpDevice *d, const LpProduct *p, double times) {
    double busy = product_flops(d, p->count, p->depth, p->columns, p->rows);
    if (times > 1.5)
        busy += product_flops(d, p->count, p->rows, p->depth, p->columns);
    return busy;
}

static void cut(LpProduct *p, double share, LpSide side) {
    double *const of[] = {[LP_SIDE_COLUMNS] = &p->columns,
                          [LP_SIDE_DEPTH] = &p->depth,
                          [LP_SIDE_ROWS] = &p->rows,
                          [LP_SIDE_COUNT] = &p->count};
    *of[side] = ceil(*of[side] * share * (1 - 1e-12));
}

static double busy_flops(const LpWork *work, bool backward, const LpRates *rates, double share,
                         LpSide side) {
    LpProduct p = work->product;
    cut(&p, share, side);
    double times = work->forward_flops > 0 ? work->backward_flops / work->forward_flops : 0;
    double one = backward ? backward_busy(rates->device, &p, times)
                          : product_flops(rates->device, p.count, p.rows, p.columns, p.depth);
    return p.serial * one;
}

/* ---- time ---- */

static double product_rate(const LpRates *rates) {
    const LpDevice *d = rates->device;
    double reached =
        rates->precision == LP_PRECISION_FP32 ? d->flops_efficiency : d->matrix_efficiency;
    return lp_device_rate(d, rates->precision) * reached;
}

/* Flops of products among a pass's `flops`. */
static double in_products(const LpWork *work, double flops) {
    return work->forward_flops > 0 ? flops * (work->product.flops / work->forward_flops) : 0;
}

static double whole_time(const LpWork *work, bool backward, const LpRates *rates) {
    const LpDevice *d = rates->device;
    double flops = backward ? work->backward_flops : work->forward_flops;
    double bytes = backward ? work->backward_bytes : work->forward_bytes;
    double product = rates->precision == LP_PRECISION_FP32 ? 0 : in_products(work, flops);
    double compute = (flops - product) / (d->peak_flops * d->flops_efficiency);
    double memory = bytes / (d->bandwidth * d->memory_efficiency);
    if (product > 0)
        compute += product / product_rate(rates);
    return compute > memory ? compute : memory;
}

static double sized_time(const LpWork *work, bool backward, const LpRates *rates, double share,
                         LpSide side) {
    const LpDevice *d = rates->device;
    double flops = backward ? work->backward_flops : work->forward_flops;
    double bytes = backward ? work->backward_bytes : work->forward_bytes;
    if (!(flops > 0 || bytes > 0))
        return 0;
    double product = in_products(work, flops), kernels = 1;
    double compute = share * (flops - product) / (d->peak_flops * d->flops_efficiency);
    double memory = share * bytes / (d->bandwidth * d->memory_efficiency);
    if (product > 0 && work->product.rows > 0) {
        compute += busy_flops(work, backward, rates, share, side) / product_rate(rates);
        kernels = work->product.serial;
    } else if (product > 0) {
        compute += share * product / product_rate(rates);
    }
    return kernels * d->op_time + (compute > memory ? compute : memory);
}

double lp_work_time(const LpWork *work, bool backward, const LpRates *rates, double share,
                    LpSide side) {
    LP_ASSERT(share > 0 && share <= 1);
    return rates->by_size ? sized_time(work, backward, rates, share, side)
                          : whole_time(work, backward, rates) * share;
}
