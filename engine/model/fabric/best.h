/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of the free blocks by a score: what policies and rules of placement choose by. The
 * scores are worked out from the index of free room (room.h), so that one costs words, not servers.
 */
#ifndef LP_MODEL_FABRIC_BEST_H
#define LP_MODEL_FABRIC_BEST_H

#include "base/err.h"
#include "model/fabric/fabric.h"

/* Of equals the first one is taken. */
typedef enum LpBlockScore {
    LP_SCORE_FIRST_FIT,         /* the first one */
    LP_SCORE_BEST_FIT,          /* the fewest servers stay free in the racks that it touches */
    LP_SCORE_WORST_FIT,         /* the most do */
    LP_SCORE_FEWEST_GROUPS,     /* it touches the fewest groups, of these the fewest racks */
    LP_SCORE_LEAST_FRAGMENTING, /* the largest block stays free for others */
    LP_SCORE_COUNT
} LpBlockScore;

/* Working memory for one fabric. NULL: out of memory. */
typedef struct LpBlockScratch LpBlockScratch;
LpBlockScratch *lp_block_scratch_new(const LpFabric *fabric);
void lp_block_scratch_free(LpBlockScratch *scratch);                           /* NULL allowed */
bool lp_block_scratch_fits(const LpBlockScratch *scratch, const LpRoom *room); /* is it enough? */

typedef struct LpBlockChoice {
    LpShape shape;
    uint32_t value; /* servers left free in its racks, groups, or servers of the largest block left;
                       0 of first_fit */
    uint32_t racks; /* of fewest_groups */
} LpBlockChoice;

/* Which block is better: by a score, of equals by a second one, of these the first. */
typedef struct LpBlockRank {
    LpBlockScore score, tie; /* first_fit as tie: of equals the first */
} LpBlockRank;

/* The best of the first `limit` blocks of a search that was begun in a room, into out[n]; false:
 * there is none. Blocks are looked at no longer than one could be better, but all of them where
 * there is a tie to break. O(limit * n), and for least_fragmenting O(limit * (n + words of the
 * index)) at worst. choice->value and racks are of the score. */
bool lp_block_best(LpBlockSearch *search, LpBlockRank rank, uint32_t limit, bool fallbacks,
                   LpBlockScratch *scratch, uint32_t *out, LpBlockChoice *choice);

/* Servers of the largest block that is free in the room; `enough` where none is larger. *looked
 * counts words read. */
uint32_t lp_block_largest(const LpFabric *fabric, const LpRoom *room, bool fallbacks,
                          uint32_t enough, uint64_t *looked);
/* The same once the n servers of a block are taken. */
uint32_t lp_block_largest_left(const LpFabric *fabric, const LpRoom *room, bool fallbacks,
                               const uint32_t *block, uint32_t n, LpBlockScratch *scratch,
                               uint64_t *looked);

/* Servers that stay free in the racks that it touches once the n servers of a free block, ascending
 * by rack, are taken. O(n). */
uint32_t lp_block_left_in_racks(const LpFabric *fabric, const LpRoom *room, const uint32_t *block,
                                uint32_t n);
/* What the n servers of a free block, ascending by rack, touch and leave. */
typedef struct LpBlockTrace {
    uint32_t groups, racks;  /* that it touches */
    uint32_t left_in_groups; /* servers that stay free in these groups */
    uint32_t fragments;      /* runs of neighbours that stay free in these racks */
} LpBlockTrace;
/* O(n + words of the racks + racks of the groups). */
LpBlockTrace lp_block_trace(const LpFabric *fabric, const LpRoom *room, const uint32_t *block,
                            uint32_t n);
/* The score of a name such as "best_fit"; -1 for a name that is none. */
int lp_block_score_find(const char *name);

#endif
