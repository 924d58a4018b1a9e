/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of small numbers that gives up its smallest one: bits, and bits that say which words of the
 * level below are not empty. */
#ifndef LP_SIM_STEP_SET_H
#define LP_SIM_STEP_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/mem.h"

enum { LP_SET_LEVELS = 6 }; /* 64^6 > 2^32 */

typedef struct LpRankSet {
    uint64_t *level[LP_SET_LEVELS]; /* level[top] is one word */
    uint32_t top;
} LpRankSet;

/* An empty set of numbers below `size`, in the arena's memory; false: out of memory. */
static inline bool lp_set_init(LpRankSet *set, LpArena *arena, uint32_t size) {
    uint64_t words = size;
    set->top = 0;
    for (uint32_t l = 0; l < LP_SET_LEVELS; l++) {
        words = words / 64 + 1;
        set->level[l] = lp_arena_alloc(arena, words, sizeof *set->level[l]);
        if (!set->level[l])
            return false;
        set->top = l;
        if (words == 1)
            break;
    }
    return true;
}

static inline bool lp_set_empty(const LpRankSet *set) {
    return set->level[set->top][0] == 0;
}

/* Adding twice is adding once. O(levels), mostly 1 step. */
static inline void lp_set_add(LpRankSet *set, uint32_t number) {
    for (uint32_t l = 0; l <= set->top; l++) {
        uint64_t *word = &set->level[l][number / 64], before = *word;
        *word = before | UINT64_C(1) << number % 64;
        if (before)
            return;
        number /= 64;
    }
}

static inline uint32_t lp_set_first_bit(uint64_t word) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t bit = 0;
    for (; !(word & 1); word >>= 1)
        bit++;
    return bit;
#endif
}

/* Removes and returns the smallest number of a set that is not empty. O(levels). */
static inline uint32_t lp_set_pop(LpRankSet *set) {
    LP_ASSERT(!lp_set_empty(set));
    uint32_t number = 0;
    for (uint32_t l = set->top + 1; l-- > 0;)
        number = number * 64 + lp_set_first_bit(set->level[l][number]);
    uint32_t at = number;
    for (uint32_t l = 0; l <= set->top; l++) {
        uint64_t *word = &set->level[l][at / 64];
        *word &= *word - 1; /* the smallest number is the lowest bit */
        if (*word)
            break;
        at /= 64;
    }
    return number;
}

#endif
