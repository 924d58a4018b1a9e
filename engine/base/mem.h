/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: overflow-checked allocation, an arena for things that live and die together, and a
 * growable array. */
#ifndef LP_BASE_MEM_H
#define LP_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The number of nothing, where things are numbered from 0. */
#define LP_NO_INDEX UINT32_MAX

/* Zeroed array of count items of size bytes; NULL when out of memory or count*size overflows.
 * A zero count gives a valid pointer. Free with lp_free. */
void *lp_alloc(size_t count, size_t size);
/* *to, an array of the caller's (or NULL) for *cap items, becomes a copy of count items of size
 * bytes at from (NULL allowed for none), with *cap exactly count. LP_ENOMEM: both stay. */
LpErr lp_copy_array(void **to, size_t *cap, const void *from, size_t count,
                    size_t size) LP_MUST_USE;
/* Grows/shrinks like realloc, overflow-checked; on failure returns NULL and `old` stays valid.
 * New space is not zeroed. */
void *lp_realloc(void *old, size_t count, size_t size);
void lp_free(void *ptr); /* NULL allowed */

/* Amortised growth of an array: makes room for at least `need` items, *cap is updated.
 * On failure nothing changes. */
LpErr lp_grow(void **items, size_t *cap, size_t need, size_t size) LP_MUST_USE;

/* An arena: allocations are zeroed, 16-byte aligned, and freed all at once. Checked builds
 * (base/slack.h) leave bytes between them that nobody may touch. */
typedef struct LpArena LpArena;
LpArena *lp_arena_new(size_t block_size); /* 0: default (64 KiB); NULL when out of memory */
void lp_arena_free(LpArena *arena);       /* NULL allowed */
void *lp_arena_alloc(LpArena *arena, size_t count, size_t size); /* NULL: out of memory */
/* As lp_arena_alloc without zeroing, for arrays that are written in full at once. */
void *lp_arena_raw(LpArena *arena, size_t count, size_t size);
/* Makes room for `count` items of `size` bytes, which then cannot fail. Errors: LP_ENOMEM. */
LpErr lp_arena_reserve(LpArena *arena, size_t count, size_t size) LP_MUST_USE;
/* A copy of a text; NULL copies as "". NULL: out of memory. */
char *lp_arena_strdup(LpArena *arena, const char *text);
/* A copy of exactly len bytes and a NUL behind them: unlike strndup it does not stop at a NUL among
 * the bytes, so whoever keeps `len` beside the copy may read as much. All of text[len] must be
 * there; text may be NULL where len is 0. NULL: out of memory. */
char *lp_arena_strndup(LpArena *arena, const char *text, size_t len);
/* Keeps blocks for reuse; what was handed out is gone. O(blocks), in checked builds O(bytes). */
void lp_arena_reset(LpArena *arena);
/* Bytes handed out since the last reset, each allocation rounded up to 16. */
size_t lp_arena_bytes(const LpArena *arena);

#endif
