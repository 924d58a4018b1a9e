/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap of a Lua state. Small blocks come from lists, one for each multiple of 16 bytes, and go
 * back to them. Large ones carry a head with their size and that of the block before, so that free
 * neighbours become one; free ones are kept in bins, four to each doubling of the size. */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "script/sandbox/heap.h"

#include <string.h>

#include <sys/mman.h>

#include "base/assert.h"
#include "base/mem.h"

enum {
    FIRST_BYTES = 1 << 18, /* asked of the system at first */
    STEP_BYTES = 1 << 20,  /* asked of the system later: a multiple of this each time */
    CARVE_BYTES = 1 << 12, /* of a large block that is cut into small ones */
    PLACES = 1024,         /* places of 4 GiB each that are tried for a heap */
    BIN_STEPS = 8,         /* blocks of a bin looked at for one that is large enough */
    LEAST = 64,            /* bytes of a large block, with its head */
    FREE = 1,              /* flag in the size */
    FORGET_EVERY = 256,    /* calls after which what was written is found out anew */
    GAP = 4                /* units between written ones that are copied with them: cheaper than to
                              compare them apart */
};
static const uint64_t PLACE = UINT64_C(1) << 32;

/* Head of a large block. The links are there while it is free. */
typedef struct LpHeapBlock {
    size_t before; /* bytes of the block before, with its head; 0: none */
    size_t bytes;  /* with its head; FREE */
    struct LpHeapBlock *next, *last;
} Block;

enum { HEAD = 2 * sizeof(size_t) };

/* ---- what is in use, for AddressSanitizer ---- */

#if defined(__SANITIZE_ADDRESS__)
#define LP_HEAP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LP_HEAP_ASAN 1
#endif
#endif
#ifdef LP_HEAP_ASAN
/* of the sanitizer's library */
void __asan_poison_memory_region(const volatile void *at, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *at, size_t bytes);
static void open_bytes(void *at, size_t bytes) {
    __asan_unpoison_memory_region(at, bytes);
}
static void close_bytes(void *at, size_t bytes) {
    __asan_poison_memory_region(at, bytes);
}
#else
static void open_bytes(void *at, size_t bytes) {
    (void)at;
    (void)bytes;
}
static void close_bytes(void *at, size_t bytes) {
    (void)at;
    (void)bytes;
}
#endif

/* ---- the place ---- */

static void *map_at(void *hint, size_t bytes) {
    void *at = mmap(hint, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* A mapping at that very address. */
static bool map_there(uint64_t address, size_t bytes) {
    void *wanted = (void *)(uintptr_t)address, *at = map_at(wanted, bytes);
    if (at && at != wanted)
        (void)munmap(at, bytes);
    return at && at == wanted;
}

static char *place_at(uint64_t number, size_t bytes) {
    return map_there(number * PLACE, bytes) ? (char *)(uintptr_t)(number * PLACE) : NULL;
}

/* Places lie below where the system maps things of its own accord, or above where that is low (as
 * it is under valgrind); which one is taken shows in the upper half of addresses only. */
static char *find_place(const LpLuaHeap *heap, size_t bytes) {
    void *probe = map_at(NULL, bytes);
    if (!probe)
        return NULL;
    (void)munmap(probe, bytes);
    uint64_t here = (uint64_t)(uintptr_t)probe / PLACE;
    uint64_t start = (uint64_t)(uintptr_t)heap / 64 % PLACES;
    char *found = NULL;
    for (uint64_t i = 0; i < PLACES && !found; i++) {
        uint64_t away = 1 + (start + i) % PLACES;
        found = place_at(here > PLACES ? here - away : here + away, bytes);
    }
    return found;
}

LpErr lp_heap_open(LpLuaHeap *heap, size_t bytes, LpDiag *diag) {
    memset(heap, 0, sizeof *heap);
    heap->most = bytes < (size_t)1 << 30 ? 2 * bytes + FIRST_BYTES : ((size_t)1 << 31);
    heap->base = find_place(heap, FIRST_BYTES);
    if (!heap->base)
        return lp_fail(diag, LP_ENOMEM, "out of memory: there is no room for a policy's heap");
    heap->mapped = FIRST_BYTES;
    close_bytes(heap->base, heap->mapped);
    return LP_OK;
}

void lp_heap_close(LpLuaHeap *heap) {
    if (heap->base) {
        open_bytes(heap->base, heap->mapped);
        (void)munmap(heap->base, heap->mapped);
    }
    memset(heap, 0, sizeof *heap);
}

static size_t in_steps(size_t bytes) {
    return (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
}

/* Makes room for `bytes` bytes above the top. */
static bool extend(LpLuaHeap *heap, size_t bytes) {
    if (bytes <= heap->mapped - heap->top)
        return true;
    if (bytes > heap->most - heap->top)
        return false;
    uint64_t end = (uint64_t)(uintptr_t)heap->base + heap->mapped;
    size_t least = in_steps(bytes - (heap->mapped - heap->top));
    size_t more = in_steps(heap->mapped / 2);
    more = more > least ? more : least;
    if (!map_there(end, more)) {
        more = least;
        heap->no_memory = !map_there(end, more);
    }
    if (heap->no_memory)
        return false;
    close_bytes(heap->base + heap->mapped, more);
    heap->mapped += more;
    return true;
}

/* ---- large blocks ---- */

static unsigned bin_of(size_t bytes) {
    unsigned log = 63U - (unsigned)__builtin_clzll(bytes);
    unsigned bin = 4 * (log - 6) + (unsigned)(bytes >> (log - 2) & 3); /* LEAST is 2^6 */
    return bin < LP_HEAP_BINS ? bin : LP_HEAP_BINS - 1;
}

static void take_from_bin(LpLuaHeap *heap, Block *block) {
    LP_ASSERT(block->bytes & FREE);
    block->bytes &= ~(size_t)FREE;
    unsigned bin = bin_of(block->bytes);
    if (block->last)
        block->last->next = block->next;
    else
        heap->bin[bin] = block->next;
    if (block->next)
        block->next->last = block->last;
    if (!heap->bin[bin])
        heap->filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
}

/* The block behind this one; NULL: it is the last. */
static Block *behind(const LpLuaHeap *heap, Block *block) {
    char *at = (char *)block + (block->bytes & ~(size_t)FREE);
    LP_ASSERT(at <= heap->base + heap->top);
    return at == heap->base + heap->top ? NULL : (Block *)(void *)at;
}

static void tell_behind(const LpLuaHeap *heap, Block *block) {
    Block *next = behind(heap, block);
    if (next)
        next->before = block->bytes;
}

/* Takes a free block that is large enough out of its bin; NULL: there is none. */
static Block *find_free(LpLuaHeap *heap, size_t bytes) {
    unsigned bin = bin_of(bytes);
    Block *block = heap->bin[bin];
    for (int i = 0; block && block->bytes < bytes + FREE; i++)
        block = i < BIN_STEPS ? block->next : NULL;
    for (bin++; !block && bin < LP_HEAP_BINS; bin = (bin / 64 + 1) * 64) {
        uint64_t above = heap->filled[bin / 64] >> bin % 64;
        if (above)
            block = heap->bin[bin + (unsigned)__builtin_ctzll(above)];
    }
    if (block)
        take_from_bin(heap, block);
    return block;
}

/* What the block, which is in use, has beyond `bytes` bytes becomes free. */
static void give_large(LpLuaHeap *heap, Block *block);
static void split(LpLuaHeap *heap, Block *block, size_t bytes) {
    LP_ASSERT(!(block->bytes & FREE) && block->bytes >= bytes);
    size_t rest = block->bytes - bytes;
    if (rest < LEAST)
        return;
    Block *second = (Block *)(void *)((char *)block + bytes);
    open_bytes(second, sizeof *second);
    block->bytes = bytes;
    second->before = bytes;
    second->bytes = rest;
    tell_behind(heap, second);
    give_large(heap, second);
}

static size_t whole_of(size_t bytes) {
    size_t whole = (bytes + HEAD + 15) / 16 * 16;
    return whole < LEAST ? (size_t)LEAST : whole;
}

/* The last block's size is not kept: nothing free ever lies at the top. */
static Block *at_top(LpLuaHeap *heap, size_t bytes) {
    if (!extend(heap, bytes))
        return NULL;
    Block *block = (Block *)(void *)(heap->base + heap->top);
    open_bytes(block, sizeof *block);
    LP_ASSERT(heap->top + bytes <= heap->mapped);
    block->before = heap->last_bytes;
    block->bytes = heap->last_bytes = bytes;
    heap->top += bytes;
    return block;
}

static void *take_large(LpLuaHeap *heap, size_t bytes) {
    size_t whole = whole_of(bytes);
    Block *block = find_free(heap, whole);
    if (block)
        split(heap, block, whole);
    else
        block = at_top(heap, whole);
    if (!block)
        return NULL;
    open_bytes((char *)block + HEAD, bytes);
    return (char *)block + HEAD;
}

/* Joins it with free neighbours; at the top it goes back to what was never used. */
static void give_large(LpLuaHeap *heap, Block *block) {
    Block *next = behind(heap, block);
    if (next && next->bytes & FREE) {
        take_from_bin(heap, next);
        block->bytes += next->bytes;
    }
    LP_ASSERT(block->before <= (size_t)((char *)block - heap->base));
    Block *last = block->before > 0 ? (Block *)(void *)((char *)block - block->before) : NULL;
    if (last && last->bytes & FREE) {
        take_from_bin(heap, last);
        last->bytes += block->bytes;
        block = last;
    }
    close_bytes((char *)block + sizeof *block, block->bytes - sizeof *block);
    if (!behind(heap, block)) {
        heap->top = (size_t)((char *)block - heap->base);
        heap->last_bytes = block->before;
        return;
    }
    tell_behind(heap, block);
    open_bytes(block, sizeof *block);
    LP_ASSERT(!(block->bytes & FREE) && block->bytes >= LEAST && block->bytes % 16 == 0);
    unsigned bin = bin_of(block->bytes);
    block->last = NULL;
    block->next = heap->bin[bin];
    if (block->next)
        block->next->last = block;
    heap->bin[bin] = block;
    heap->filled[bin / 64] |= UINT64_C(1) << bin % 64;
    block->bytes |= FREE;
}

/* ---- small blocks ---- */

static size_t class_of(size_t bytes) {
    return (bytes + 15) / 16;
}

static void *carve(LpLuaHeap *heap, size_t bytes) {
    if (heap->carve_to - heap->carved < bytes) {
        char *more = take_large(heap, CARVE_BYTES);
        if (!more)
            return NULL;
        close_bytes(more, CARVE_BYTES);
        heap->carved = (size_t)(more - heap->base);
        heap->carve_to = heap->carved + CARVE_BYTES;
    }
    LP_ASSERT(heap->carved + bytes <= heap->carve_to && heap->carve_to <= heap->top);
    void *block = heap->base + heap->carved;
    heap->carved += bytes;
    return block;
}

static void *take_small(LpLuaHeap *heap, size_t bytes) {
    size_t class = class_of(bytes);
    void *block = heap->small[class];
    if (block)
        memcpy(&heap->small[class], block, sizeof(void *));
    else
        block = carve(heap, class * 16);
    if (block)
        open_bytes(block, bytes);
    return block;
}

static void give_small(LpLuaHeap *heap, void *block, size_t bytes) {
    size_t class = class_of(bytes);
    LP_ASSERT(class > 0 && class < LP_HEAP_CLASSES);
    LP_ASSERT((char *)block >= heap->base && (char *)block + class * 16 <= heap->base + heap->top);
    open_bytes(block, sizeof(void *));
    memcpy(block, &heap->small[class], sizeof(void *));
    close_bytes((char *)block + sizeof(void *), class * 16 - sizeof(void *));
    heap->small[class] = block;
}

/* ---- any block ---- */

/* Closes again what is free within the heap, after all of it was opened. */
#ifdef LP_HEAP_ASAN
static void close_free(const LpLuaHeap *heap) {
    for (size_t class = 1; class < LP_HEAP_CLASSES; class ++)
        for (char *at = heap->small[class], *next; at; at = next) {
            memcpy(&next, at, sizeof next);
            close_bytes(at + sizeof next, class * 16 - sizeof next);
        }
    for (unsigned bin = 0; bin < LP_HEAP_BINS; bin++)
        for (Block *block = heap->bin[bin]; block; block = block->next)
            close_bytes((char *)block + sizeof *block,
                        (block->bytes & ~(size_t)FREE) - sizeof *block);
    close_bytes(heap->base + heap->carved, heap->carve_to - heap->carved);
}
#else
static void close_free(const LpLuaHeap *heap) {
    (void)heap;
}
#endif

void *lp_heap_take(LpLuaHeap *heap, size_t bytes) {
    bytes = bytes > 0 ? bytes : 1;
    return bytes <= LP_HEAP_SMALL ? take_small(heap, bytes) : take_large(heap, bytes);
}

void lp_heap_give(LpLuaHeap *heap, void *block, size_t bytes) {
    bytes = bytes > 0 ? bytes : 1;
    if (!block)
        return;
    if (bytes <= LP_HEAP_SMALL)
        give_small(heap, block, bytes);
    else
        give_large(heap, (Block *)(void *)((char *)block - HEAD));
}

/* Both sizes are large: in place if the block has the room. */
static bool resize_large(LpLuaHeap *heap, char *at, size_t bytes) {
    Block *block = (Block *)(void *)(at - HEAD);
    size_t whole = whole_of(bytes);
    if (whole > block->bytes)
        return false;
    open_bytes(at, bytes);
    split(heap, block, whole);
    close_bytes(at + bytes, block->bytes - HEAD - bytes);
    return true;
}

void *lp_heap_resize(LpLuaHeap *heap, void *block, size_t old_bytes, size_t bytes) {
    if (!block)
        return lp_heap_take(heap, bytes);
    bool large = bytes > LP_HEAP_SMALL, was_large = old_bytes > LP_HEAP_SMALL;
    if (large && was_large && resize_large(heap, block, bytes))
        return block;
    if (!large && !was_large && class_of(bytes) == class_of(old_bytes)) {
        open_bytes(block, bytes);
        return block;
    }
    void *moved = lp_heap_take(heap, bytes);
    if (!moved) /* what shrinks may stay: its place becomes one of the smaller class */
        return bytes < old_bytes ? block : NULL;
    memcpy(moved, block, bytes < old_bytes ? bytes : old_bytes);
    lp_heap_give(heap, block, old_bytes);
    return moved;
}

/* ---- images ---- */

LpErr lp_heap_save(const LpLuaHeap *heap, LpHeapImage *image, LpDiag *diag) {
    char *bytes = lp_alloc(heap->top, 1);
    unsigned char *written = lp_alloc(heap->top / LP_HEAP_UNIT + 1, 1);
    if (!bytes || !written) {
        lp_free(bytes);
        lp_free(written);
        return lp_fail_memory(diag, "a policy");
    }
    open_bytes(heap->base, heap->top);
    memcpy(bytes, heap->base, heap->top);
    close_free(heap);
    lp_heap_forget(image);
    *image = (LpHeapImage){.bytes = bytes, .written = written, .heap = *heap};
    return LP_OK;
}

/* The byte at which a unit begins; the image's end for the one behind the last. */
static size_t begin_of(const LpHeapImage *image, size_t unit) {
    size_t at = unit * LP_HEAP_UNIT;
    return at < image->heap.top ? at : image->heap.top;
}

static size_t copy_back(const LpLuaHeap *heap, const LpHeapImage *image, size_t first, size_t end) {
    size_t from = begin_of(image, first), bytes = begin_of(image, end) - from;
    memcpy(heap->base + from, image->bytes + from, bytes);
    return bytes;
}

static bool same_bytes(const LpLuaHeap *heap, const LpHeapImage *image, size_t first, size_t end) {
    size_t from = begin_of(image, first);
    return memcmp(heap->base + from, image->bytes + from, begin_of(image, end) - from) == 0;
}

/* Notes that a unit differed, and the gap to one before it. */
static void note_written(LpHeapImage *image, size_t unit) {
    size_t last = unit;
    while (last > 0 && unit - last < GAP && !image->written[last - 1])
        last--;
    if (last > 0 && image->written[last - 1])
        memset(image->written + last, 1, unit - last);
    image->written[unit] = 1;
}

/* Of units that were like the image before, and mostly still are: notes which are not. */
static size_t mend(const LpLuaHeap *heap, LpHeapImage *image, size_t first, size_t end) {
    size_t copied = 0;
    while (first < end && !same_bytes(heap, image, first, end)) {
        while (same_bytes(heap, image, first, first + 1))
            first++;
        note_written(image, first);
        copied += copy_back(heap, image, first, first + 1);
        first++;
    }
    return copied;
}

/* Units from `first` on up to the next one with that mark. */
static size_t run_to(const LpHeapImage *image, int mark, size_t first, size_t units) {
    const unsigned char *at = memchr(image->written + first, mark, units - first);
    return at ? (size_t)(at - image->written) : units;
}

size_t lp_heap_restore(LpLuaHeap *heap, LpHeapImage *image) {
    size_t mapped = heap->mapped; /* which shows nowhere */
    size_t units = (image->heap.top + LP_HEAP_UNIT - 1) / LP_HEAP_UNIT, copied = 0;
    LP_ASSERT(image->heap.base == heap->base && image->heap.top <= mapped);
    open_bytes(heap->base, image->heap.top);
    close_bytes(heap->base + image->heap.top, mapped - image->heap.top);
    if (image->restored++ % FORGET_EVERY == 0) /* one call that wrote much is no rule */
        memset(image->written, 0, units);
    for (size_t at = 0, next; at < units; at = next) {
        next = run_to(image, 1, at, units);
        copied += mend(heap, image, at, next);
        at = next;
        next = run_to(image, 0, at, units);
        copied += copy_back(heap, image, at, next);
    }
    LP_ASSERT(memcmp(heap->base, image->bytes, image->heap.top) == 0);
    *heap = image->heap;
    heap->mapped = mapped;
    close_free(heap);
    return copied;
}

void lp_heap_forget(LpHeapImage *image) {
    lp_free(image->bytes);
    lp_free(image->written);
    *image = (LpHeapImage){0};
}
