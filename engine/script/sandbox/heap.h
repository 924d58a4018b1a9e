/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap of its own for one Lua state. Lua hashes tables and functions by the lower half of their
 * addresses; here the same requests get the same lower halves in every process and thread, since
 * the heap begins at a multiple of 4 GiB and what it answers depends on earlier requests only. */
#ifndef LP_SCRIPT_SANDBOX_HEAP_H
#define LP_SCRIPT_SANDBOX_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
    LP_HEAP_SMALL = 256, /* bytes: up to here blocks come in classes of 16 bytes */
    LP_HEAP_CLASSES = LP_HEAP_SMALL / 16 + 1,
    LP_HEAP_BINS = 128, /* lists of larger blocks that are free, by size */
    LP_HEAP_UNIT = 128  /* bytes that are copied back together */
};

typedef struct LpLuaHeap {
    char *base;
    size_t top;        /* bytes handed out so far; beyond it nothing was ever used */
    size_t mapped;     /* bytes that the system has given */
    size_t most;       /* bytes that it may be asked for */
    size_t last_bytes; /* of the block below the top; 0: none */
    bool no_memory;    /* the system refused */
    size_t carved;     /* begin of what small blocks are cut from */
    size_t carve_to;   /* end of what small blocks are cut from */
    void *small[LP_HEAP_CLASSES];
    struct LpHeapBlock *bin[LP_HEAP_BINS];
    uint64_t filled[LP_HEAP_BINS / 64]; /* bins that hold something */
} LpLuaHeap;

/* What a heap held at some time. */
typedef struct LpHeapImage {
    char *bytes;
    unsigned char *written; /* of each LP_HEAP_UNIT bytes: 1 if they differed before */
    uint32_t restored;      /* times since `written` was last forgotten */
    LpLuaHeap heap;
} LpHeapImage;

/* Finds a place for a heap of about twice `bytes`, which it takes as it grows. Zeroes *heap first.
 * LP_ENOMEM: no memory, or no place. */
LpErr lp_heap_open(LpLuaHeap *heap, size_t bytes, LpDiag *diag) LP_MUST_USE;
void lp_heap_close(LpLuaHeap *heap); /* everything is freed; zeroed: nothing happens */
/* A block aligned to 16 bytes. NULL when the heap is full, or, with no_memory set, the system
 * has no memory. O(1) but for a few steps. */
void *lp_heap_take(LpLuaHeap *heap, size_t bytes);
/* bytes: as it was taken. */
void lp_heap_give(LpLuaHeap *heap, void *block, size_t bytes);
/* The block with another size, moved where need be. NULL as above; the old one stays. Never fails
 * when it shrinks. */
void *lp_heap_resize(LpLuaHeap *heap, void *block, size_t old_bytes, size_t bytes);

/* Keeps what the heap holds now; *image is zeroed or an older one, which it replaces. LP_ENOMEM:
 * *image is unchanged. */
LpErr lp_heap_save(const LpLuaHeap *heap, LpHeapImage *image, LpDiag *diag) LP_MUST_USE;
/* Makes the same heap hold what it did then, byte for byte: blocks taken since are gone, others are
 * back. What differed before is copied, the rest compared, and copied where it differs: nothing is
 * taken for unchanged unseen. Returns bytes copied. Costs a comparison of all that was in use, and
 * asks for no memory. */
size_t lp_heap_restore(LpLuaHeap *heap, LpHeapImage *image);
void lp_heap_forget(LpHeapImage *image); /* zeroed: nothing happens */

#endif
