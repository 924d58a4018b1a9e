/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of a small cluster as a table: where blocks lie in racks and there are at most 64
 * servers, a block is a word of them, and the first free one of a size is found by comparing words
 * in the order of the search (fabric.h). Beside each block lies what a job that takes it comes to,
 * once it was worked out, for each partition. Private to sim/. */
#ifndef LP_SIM_PLACE_BLOCKS_H
#define LP_SIM_PLACE_BLOCKS_H

#include "model/fabric/fabric.h"
#include "sim/store/context.h"
#include "sim/store/store.h"

typedef struct LpBlocks LpBlocks;

/* The largest degree that LpBlockDegrees has a bit for. */
enum { LP_BLOCK_DEGREES = 64 };

/* The degrees of a job that have a block in a room, as they were found out when somebody asked. */
typedef struct LpBlockDegrees {
    uint64_t free; /* of the room, LpRoom.first */
    uint32_t graph;
    uint8_t kind, most; /* cut how; the largest degree that was asked for; 0: nothing is known */
    uint32_t list;      /* index in the store (lp_store_add_list), LP_NO_INDEX: not there yet */
    uint64_t degrees;   /* bit d - 1: degree d has a block */
} LpBlockDegrees;

/* What a partition on a block comes to: numbers in the store, LP_NO_INDEX: not known yet. */
typedef struct LpBlockPlan {
    uint32_t placement, step;
    LpOrders orders; /* of `step` */
} LpBlockPlan;

/* Where a cluster has no such table it answers "not known" to everything. NULL: out of memory. */
LpBlocks *lp_blocks_new(const LpFabric *fabric);
void lp_blocks_free(LpBlocks *blocks); /* NULL allowed */

/* Can blocks of n servers be looked up? Makes their table when it is first asked for; without
 * memory, or where there are too many, the answer is no. */
bool lp_blocks_has(LpBlocks *blocks, uint32_t n);
/* Of blocks that can be looked up: number of the first one whose servers are all free, LP_NO_INDEX:
 * there is none. O(blocks of n), O(1) while the room does not change. */
uint32_t lp_blocks_first(LpBlocks *blocks, uint32_t n, const LpRoom *room);
/* What a degree comes to. */
typedef struct LpBlockSize {
    uint32_t servers;   /* of its block; 0: the degree is none */
    uint32_t partition; /* index in the store */
} LpBlockSize;

/* The sizes of the degrees of a job up to `most`, by degree, to be filled in where *fresh; NULL:
 * out of memory. What was known in another context is forgotten. Good until the next call. */
LpBlockSize *lp_blocks_sizes(LpBlocks *blocks, const LpContext *context, uint32_t graph,
                             uint32_t kind, uint32_t most, bool *fresh);
/* Where the answer to this question is kept, to be filled in where it is another one's (compare the
 * members up to `most`). NULL: out of memory. What was known in another context is forgotten. Good
 * until the next call. */
LpBlockDegrees *lp_blocks_degrees(LpBlocks *blocks, const LpContext *context,
                                  const LpBlockDegrees *question);
/* What is known of a partition of degree n on a block, to be read and filled in; NULL: out of
 * memory. What was known in another context is forgotten. Good until the next call. */
LpBlockPlan *lp_blocks_plan(LpBlocks *blocks, const LpContext *context, uint32_t partition,
                            uint32_t n, uint32_t block);

#endif
