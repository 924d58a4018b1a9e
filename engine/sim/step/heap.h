/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap of (key, id) pairs in memory of an arena: smallest key first, ties by id. */
#ifndef LP_SIM_STEP_HEAP_H
#define LP_SIM_STEP_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/mem.h"

typedef struct LpHeapItem {
    uint64_t key;
    uint32_t id;
} LpHeapItem;

/* Room for as many pairs as are ever in the heap at once. Two arrays, not one of pairs: compilers
 * move a pair as a whole, which stalls where its halves were written one by one just before. */
typedef struct LpStepHeap {
    uint64_t *key;
    uint32_t *id;
    uint32_t count;
} LpStepHeap;

/* Takes the memory of `room` pairs from the arena; false: out of memory. */
static inline bool lp_heap_init(LpStepHeap *heap, LpArena *arena, size_t room) {
    heap->key = lp_arena_alloc(arena, room, sizeof *heap->key);
    heap->id = lp_arena_alloc(arena, room, sizeof *heap->id);
    heap->count = 0;
    return heap->key && heap->id;
}

/* Takes the memory of `room` pairs off the front of `from`. */
static inline void lp_heap_cut(LpStepHeap *heap, LpStepHeap *from, uint32_t room) {
    *heap = (LpStepHeap){.key = from->key, .id = from->id};
    from->key += room;
    from->id += room;
}

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

/* Is pair a before pair b? Without branches: the answer cannot be predicted. */
static inline bool lp_heap_before(uint64_t key_a, uint32_t id_a, uint64_t key_b, uint32_t id_b) {
    return (key_a < key_b) | ((key_a == key_b) & (id_a < id_b));
}

static inline void lp_heap_move(LpStepHeap *heap, uint32_t from, uint32_t to) {
    heap->key[to] = heap->key[from];
    heap->id[to] = heap->id[from];
}

/* Puts a pair where place `at` is a hole at the end of the heap, or higher up. */
static inline void lp_heap_lift(LpStepHeap *heap, uint32_t at, uint64_t key, uint32_t id) {
    while (at > 0) {
        uint32_t up = (at - 1) / 2;
        if (!lp_heap_before(key, id, heap->key[up], heap->id[up]))
            break;
        lp_heap_move(heap, up, at);
        at = up;
    }
    heap->key[at] = key;
    heap->id[at] = id;
}

/* O(log count). */
static inline void lp_heap_push(LpStepHeap *heap, uint64_t key, uint32_t id) {
    lp_heap_lift(heap, heap->count++, key, id);
}

/* Removes and returns the smallest pair of a heap that is not empty. O(log count). The hole sinks
 * to a leaf first: the last pair, which fills it, mostly belongs there. */
static inline LpHeapItem lp_heap_pop(LpStepHeap *heap) {
    LP_ASSERT(heap->count > 0);
    const LpHeapItem top = {heap->key[0], heap->id[0]};
    uint32_t n = --heap->count, at = 0, down = 1;
    for (; down + 1 < n; down = 2 * at + 1) {
        down += lp_heap_before(heap->key[down + 1], heap->id[down + 1], heap->key[down],
                               heap->id[down]);
        lp_heap_move(heap, down, at);
        at = down;
    }
    if (down < n) {
        lp_heap_move(heap, down, at);
        at = down;
    }
    lp_heap_lift(heap, at, heap->key[n], heap->id[n]);
    return top;
}

#endif
