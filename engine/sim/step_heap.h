/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap of (key, id) pairs in memory of the caller: smallest key first, ties by id. */
#ifndef LP_SIM_STEP_HEAP_H
#define LP_SIM_STEP_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct LpHeapItem {
    uint64_t key;
    uint32_t id;
} LpHeapItem;

/* item: room for as many items as are ever in the heap at once. */
typedef struct LpHeap {
    LpHeapItem *item;
    uint32_t count;
} LpHeap;

/* Times as keys: the bit patterns of doubles from +0.0 on ascend with their values. */
static inline uint64_t lp_heap_time(double time) {
    uint64_t key;
    memcpy(&key, &time, sizeof key);
    return key;
}

static inline double lp_heap_key_time(uint64_t key) {
    double time;
    memcpy(&time, &key, sizeof time);
    return time;
}

static inline bool lp_heap_before(LpHeapItem a, LpHeapItem b) {
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

/* O(log count). */
static inline void lp_heap_push(LpHeap *heap, uint64_t key, uint32_t id) {
    LpHeapItem fresh = {key, id};
    uint32_t at = heap->count++;
    while (at > 0) {
        uint32_t up = (at - 1) / 2;
        if (!lp_heap_before(fresh, heap->item[up]))
            break;
        heap->item[at] = heap->item[up];
        at = up;
    }
    heap->item[at] = fresh;
}

/* Removes and returns the smallest item of a heap that is not empty. O(log count). */
static inline LpHeapItem lp_heap_pop(LpHeap *heap) {
    LpHeapItem *item = heap->item;
    LpHeapItem top = item[0], last = item[--heap->count];
    uint32_t at = 0, n = heap->count;
    for (uint32_t down; (down = 2 * at + 1) < n; at = down) {
        if (down + 1 < n && lp_heap_before(item[down + 1], item[down]))
            down++;
        if (!lp_heap_before(item[down], last))
            break;
        item[at] = item[down];
    }
    item[at] = last;
    return top;
}

#endif
