/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of a small cluster. */
#include "sim/place/blocks.h"

#include <string.h>

#include "base/assert.h"
#include "base/mem.h"

enum { SERVERS = 64, BLOCKS_MAX = 4096, QUESTIONS = 4096 };

/* All blocks of one size, in the order of the search. */
typedef struct List {
    bool tried, known; /* a table was asked for; it is there */
    uint32_t count;
    uint64_t *word; /* a bit for each server of the block */
} List;

/* Plans of one partition, a row of `count` blocks. */
typedef struct Plans {
    LpBlockPlan *block; /* NULL: none are known */
} Plans;

/* Sizes of blocks by degree, of the jobs of one graph that are cut in one way. */
typedef struct Sizes {
    uint32_t graph, kind, most;
    LpBlockSize *size; /* most + 1 */
} Sizes;

struct LpBlocks {
    const LpFabric *fabric;
    List of[SERVERS + 1];
    /* What was found for the servers that were free last. */
    uint64_t free, looked; /* bits: the servers; sizes (n - 1) whose answer is in `first` */
    uint32_t first[SERVERS + 1];
    const LpContext *context; /* that `plans` are for */
    Plans *plans;             /* by partition */
    size_t cap, count;
    Sizes *sizes; /* for `context` as well */
    size_t sizes_cap, sizes_count;
    LpBlockDegrees *asked; /* QUESTIONS, by hash; NULL: none yet */
};

LpBlocks *lp_blocks_new(const LpFabric *fabric) {
    LpBlocks *b = lp_alloc(1, sizeof *b);
    if (b != NULL)
        b->fabric = fabric;
    return b;
}

static void forget_plans(LpBlocks *b) {
    for (size_t i = 0; i < b->count; i++)
        lp_free(b->plans[i].block);
    for (size_t i = 0; i < b->sizes_count; i++)
        lp_free(b->sizes[i].size);
    b->count = b->sizes_count = 0;
    if (b->asked != NULL)
        memset(b->asked, 0, QUESTIONS * sizeof *b->asked);
}

static void go_to(LpBlocks *b, const LpContext *context) {
    if (b->context == context)
        return;
    forget_plans(b);
    b->context = context;
}

void lp_blocks_free(LpBlocks *b) {
    if (b == NULL)
        return;
    forget_plans(b);
    lp_free(b->plans);
    lp_free(b->sizes);
    lp_free(b->asked);
    for (uint32_t n = 0; n <= SERVERS; n++) {
        lp_free(b->of[n].word);
    }
    lp_free(b);
}

/* ---- the table ---- */

static bool make(LpBlocks *b, uint32_t n) {
    List *list = &b->of[n];
    LpBlockSearch search;
    uint32_t server[SERVERS];
    size_t cap = 0;
    lp_block_search(&search, b->fabric, n, false, NULL, NULL);
    while (lp_block_next(&search, server)) {
        void *words = list->word;
        if (list->count == BLOCKS_MAX ||
            lp_grow(&words, &cap, (size_t)list->count + 1, sizeof *list->word) != LP_OK)
            return false;
        list->word = words;
        list->word[list->count] = 0;
        for (uint32_t i = 0; i < n; i++)
            list->word[list->count] |= UINT64_C(1) << server[i];
        list->count++;
    }
    return true;
}

bool lp_blocks_has(LpBlocks *b, uint32_t n) {
    if (n < 1 || n > SERVERS)
        return false;
    List *list = &b->of[n];
    if (!list->tried) {
        list->tried = true;
        list->known = b->fabric->ops->racked && b->fabric->servers <= SERVERS && make(b, n);
    }
    return list->known;
}

uint32_t lp_blocks_first(LpBlocks *b, uint32_t n, const LpRoom *room) {
    LP_ASSERT(n >= 1 && n <= SERVERS && b->of[n].known);
    uint64_t taken = ~room->first, size = UINT64_C(1) << (n - 1);
    if (b->free != room->first) {
        b->free = room->first;
        b->looked = 0;
    }
    if (b->looked & size)
        return b->first[n];
    const List *list = &b->of[n];
    uint32_t at = 0;
    while (at < list->count && (list->word[at] & taken) != 0)
        at++;
    b->looked |= size;
    return b->first[n] = at < list->count ? at : LP_NO_INDEX;
}

/* ---- plans ---- */

LpBlockPlan *lp_blocks_plan(LpBlocks *b, const LpContext *context, uint32_t partition, uint32_t n,
                            uint32_t block) {
    void *items = b->plans;
    go_to(b, context);
    if (partition >= b->count) {
        if (lp_grow(&items, &b->cap, (size_t)partition + 1, sizeof *b->plans) != LP_OK)
            return NULL;
        b->plans = items;
        while (b->count <= partition)
            b->plans[b->count++].block = NULL;
    }
    Plans *row = &b->plans[partition];
    uint32_t count = b->of[n].count;
    if (row->block == NULL) {
        if ((row->block = lp_alloc(count, sizeof *row->block)) == NULL)
            return NULL;
        for (uint32_t i = 0; i < count; i++)
            row->block[i] = (LpBlockPlan){.placement = LP_NO_INDEX, .step = LP_NO_INDEX};
    }
    LP_ASSERT(block < count);
    return &row->block[block];
}

LpBlockSize *lp_blocks_sizes(LpBlocks *b, const LpContext *context, uint32_t graph, uint32_t kind,
                             uint32_t most, bool *fresh) {
    go_to(b, context);
    *fresh = false;
    for (size_t i = 0; i < b->sizes_count; i++) {
        const Sizes *s = &b->sizes[i];
        if (s->graph == graph && s->kind == kind && s->most == most)
            return s->size;
    }
    void *items = b->sizes;
    LpBlockSize *size = lp_alloc((size_t)most + 1, sizeof *size);
    if (size == NULL ||
        lp_grow(&items, &b->sizes_cap, b->sizes_count + 1, sizeof *b->sizes) != LP_OK) {
        lp_free(size);
        return NULL;
    }
    b->sizes = items;
    b->sizes[b->sizes_count++] = (Sizes){graph, kind, most, size};
    *fresh = true;
    return size;
}

LpBlockDegrees *lp_blocks_degrees(LpBlocks *b, const LpContext *context,
                                  const LpBlockDegrees *question) {
    go_to(b, context);
    if (b->asked == NULL && (b->asked = lp_alloc(QUESTIONS, sizeof *b->asked)) == NULL)
        return NULL;
    uint64_t h = (question->free ^ (uint64_t)question->graph << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return &b->asked[h >> 52];
}
