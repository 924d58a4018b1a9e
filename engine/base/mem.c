/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: overflow-checked allocation, amortised growth, and an arena of linked blocks. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/slack.h"

enum { ALIGN = 16, DEFAULT_BLOCK = 64 * 1024, FIRST_CAP = 8 };

/* count*size in *total, or false where no object can be that large. */
static bool checked_product(size_t count, size_t size, size_t *total) {
    if (size && count > (size_t)PTRDIFF_MAX / size)
        return false;
    *total = count * size;
    return true;
}

void *lp_alloc(size_t count, size_t size) {
    size_t total;
    if (!checked_product(count, size, &total))
        return NULL;
    return calloc(total ? total : 1, 1);
}

void *lp_realloc(void *old, size_t count, size_t size) {
    size_t total;
    if (!checked_product(count, size, &total))
        return NULL;
    return realloc(old, total ? total : 1);
}

void lp_free(void *ptr) {
    free(ptr);
}

LpErr lp_copy_array(void **to, size_t *cap, const void *from, size_t count, size_t size) {
    LP_ASSERT(from != NULL || count == 0);
    void *old, *copy = lp_alloc(count, size);
    if (copy == NULL)
        return LP_ENOMEM;
    if (count > 0)
        memcpy(copy, from, count * size);
    memcpy(&old, to, sizeof old); /* as in lp_grow */
    memcpy(to, &copy, sizeof copy);
    lp_free(old);
    *cap = count;
    return LP_OK;
}

LpErr lp_grow(void **items, size_t *cap, size_t need, size_t size) {
    LP_ASSERT(size > 0);
    if (need <= *cap)
        return LP_OK;
    size_t want = *cap <= SIZE_MAX / 2 ? *cap * 2 : need;
    if (want < FIRST_CAP)
        want = FIRST_CAP;
    if (want < need)
        want = need;
    /* Callers pass (void **)&typed_pointer: memcpy keeps that clear of the aliasing rules. */
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = lp_realloc(old, want, size);
    if (!grown && want > need) {
        want = need; /* doubling may be too much where the need itself still fits */
        grown = lp_realloc(old, want, size);
    }
    if (!grown)
        return LP_ENOMEM;
    memcpy(items, &grown, sizeof grown);
    *cap = want;
    return LP_OK;
}

typedef struct Block {
    struct Block *next;
    char *data; /* aligned start, inside the same allocation */
    size_t size, used;
} Block;

/* Blocks up to and including `current` hold data; those after it are empty, kept for reuse. */
struct LpArena {
    Block *first, *current;
    size_t block_size, bytes;
};

LpArena *lp_arena_new(size_t block_size) {
    LpArena *arena = lp_alloc(1, sizeof *arena);
    if (arena)
        arena->block_size = block_size ? block_size : DEFAULT_BLOCK;
    return arena;
}

void lp_arena_free(LpArena *arena) {
    if (!arena)
        return;
    for (Block *block = arena->first, *next; block; block = next) {
        next = block->next;
        lp_slack_open(block->data, block->size); /* malloc's again */
        lp_free(block);
    }
    lp_free(arena);
}

static Block *new_block(size_t size) {
    if (size > (size_t)PTRDIFF_MAX - sizeof(Block) - ALIGN)
        return NULL;
    char *raw = malloc(sizeof(Block) + ALIGN + size);
    if (!raw)
        return NULL;
    size_t skew = (size_t)((uintptr_t)(raw + sizeof(Block)) % ALIGN);
    Block *block = (Block *)(void *)raw;
    *block = (Block){.data = raw + sizeof(Block) + (skew ? ALIGN - skew : 0), .size = size};
    lp_slack_close(block->data, block->size);
    return block;
}

/* Unlinks and returns the first kept block with room for `need` bytes, else NULL. */
static Block *take_kept(Block **link, size_t need) {
    for (; *link; link = &(*link)->next) {
        if ((*link)->size < need)
            continue;
        Block *found = *link;
        *link = found->next;
        return found;
    }
    return NULL;
}

/* Makes `current` a block with room for `need` bytes. */
static bool advance(LpArena *arena, size_t need) {
    Block **after = arena->current ? &arena->current->next : &arena->first;
    Block *block = take_kept(after, need);
    if (!block)
        block = new_block(need > arena->block_size ? need : arena->block_size);
    if (!block)
        return false;
    LP_ASSERT(block->size >= need);
    block->used = 0;
    block->next = *after;
    *after = block;
    arena->current = block;
    return true;
}

static size_t rounded(size_t bytes) {
    return bytes ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
}

LpErr lp_arena_reserve(LpArena *arena, size_t count, size_t size) {
    const Block *block = arena->current;
    size_t need;
    if (size > (size_t)PTRDIFF_MAX - ALIGN - LP_SLACK ||
        !checked_product(count, rounded(size) + LP_SLACK, &need))
        return LP_ENOMEM;
    if (block && block->size - block->used >= need)
        return LP_OK;
    return advance(arena, need) ? LP_OK : LP_ENOMEM;
}

/* Room for count*size bytes, which are *bytes, and behind it what a checked build leaves between.
 */
static void *take(LpArena *arena, size_t count, size_t size, size_t *bytes) {
    if (!checked_product(count, size, bytes) || *bytes > (size_t)PTRDIFF_MAX - ALIGN - LP_SLACK)
        return NULL;
    size_t room = rounded(*bytes), need = room + LP_SLACK;
    Block *block = arena->current;
    if (!block || block->size - block->used < need) {
        if (!advance(arena, need))
            return NULL;
        block = arena->current;
    }
    LP_ASSERT(block->used + need <= block->size);
    void *result = block->data + block->used;
    block->used += need;
    arena->bytes += room;
    LP_ASSERT((uintptr_t)result % ALIGN == 0);
    lp_slack_open(result, *bytes);
    return result;
}

void *lp_arena_alloc(LpArena *arena, size_t count, size_t size) {
    size_t bytes;
    void *result = take(arena, count, size, &bytes);
    return result ? memset(result, 0, bytes) : NULL;
}

void *lp_arena_raw(LpArena *arena, size_t count, size_t size) {
    size_t bytes;
    return take(arena, count, size, &bytes);
}

char *lp_arena_strndup(LpArena *arena, const char *text, size_t len) {
    LP_ASSERT(text != NULL || len == 0);
    char *copy = len < SIZE_MAX ? lp_arena_raw(arena, len + 1, 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (len > 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *lp_arena_strdup(LpArena *arena, const char *text) {
    return lp_arena_strndup(arena, text, text ? strlen(text) : 0);
}

void lp_arena_reset(LpArena *arena) {
    for (Block *block = arena->first; LP_SLACK > 0 && block; block = block->next)
        lp_slack_close(block->data, block->size);
    arena->current = NULL;
    arena->bytes = 0;
}

size_t lp_arena_bytes(const LpArena *arena) {
    return arena->bytes;
}
