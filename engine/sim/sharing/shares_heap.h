/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels in order, for the filling of shares: a heap of links; private to sim/. */
#ifndef LP_SIM_SHARING_SHARES_HEAP_H
#define LP_SIM_SHARING_SHARES_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* A level at which something happens to a link or a flow; of equal levels the lower id is first. */
typedef struct LpShareItem {
    double level;
    uint32_t id;
} LpShareItem;

/* The least one is item[0]. Room for LP_SHARE_SPARE items more than it holds is the caller's. */
enum { LP_SHARE_SPARE = 4 };
typedef struct LpShareHeap {
    LpShareItem *item;
    size_t cap; /* of the caller's array */
    uint32_t count;
} LpShareHeap;

/* Makes a heap of item[0 .. count - 1]. O(count). */
void lp_share_heap_order(LpShareHeap *heap);
/* Takes the least one away; there is one. O(log count). */
void lp_share_heap_drop(LpShareHeap *heap);
/* Gives the least one another level. O(log count). */
void lp_share_heap_change(LpShareHeap *heap, double level);
/* Sorts ascending. O(count log count). */
void lp_share_sort(LpShareItem *item, uint32_t count);

#endif
