/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap of four children to a parent. */
#include "sim/sharing/shares_heap.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/assert.h"

/* Behind the last item stand items that are before nobody, so that all parents have four. */
enum { ARITY = LP_SHARE_SPARE };
static const LpShareItem nobody = {(double)INFINITY, UINT32_MAX};

/* Without branches: levels are equal as often as not. */
static bool before(LpShareItem a, LpShareItem b) {
    return (a.level < b.level) | ((a.level == b.level) & (a.id < b.id));
}

static void sift_down(LpShareHeap *h, uint32_t at, LpShareItem item) {
    while (ARITY * at + 1 < h->count) {
        uint32_t child = ARITY * at + 1; /* the least one */
        for (uint32_t c = child + 1; c < ARITY * at + 1 + ARITY; c++)
            child = before(h->item[c], h->item[child]) ? c : child;
        if (!before(h->item[child], item))
            break;
        h->item[at] = h->item[child];
        at = child;
    }
    h->item[at] = item;
}

void lp_share_heap_order(LpShareHeap *h) {
    for (uint32_t i = 0; i < ARITY; i++)
        h->item[h->count + i] = nobody;
    for (uint32_t at = (h->count + ARITY - 2) / ARITY; at-- > 0;)
        sift_down(h, at, h->item[at]);
}

void lp_share_heap_drop(LpShareHeap *h) {
    LP_ASSERT(h->count > 0);
    LpShareItem last = h->item[--h->count];
    h->item[h->count] = nobody;
    if (h->count > 0)
        sift_down(h, 0, last);
}

void lp_share_heap_change(LpShareHeap *h, double level) {
    LP_ASSERT(h->count > 0);
    LpShareItem item = {level, h->item[0].id};
    sift_down(h, 0, item);
}

static int compare(const void *a, const void *b) {
    const LpShareItem *x = a, *y = b;
    return before(*y, *x) - before(*x, *y);
}

void lp_share_sort(LpShareItem *item, uint32_t count) {
    qsort(item, count, sizeof *item, compare);
}
