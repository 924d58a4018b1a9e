/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index of free room: which servers are free, as bits, so that a search for a block reads words
 * instead of asking servers one by one (fabric.h, lp_block_search_in). Plain data without pointers:
 * a world has it in its image, and a copy is a memcpy.
 *
 * Bits lie in rows. Where blocks lie in racks (LpFabricOps.racked) a row is a rack, else there is
 * one row of all servers. Above the racks are summaries: for every power of two `p` a bit per rack
 * that is set where the rack may have `p` free servers in a row. Exact where a rack is one word,
 * else an upper bound by the number of its free servers; a search tries what they let through. */
#ifndef LP_MODEL_FABRIC_ROOM_H
#define LP_MODEL_FABRIC_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct LpFabric;

typedef struct LpRoom {
    uint32_t servers, free;
    uint32_t per_row, row_words;      /* servers of a row, and 64-bit words of it */
    uint32_t groups, racks;           /* rows are groups x racks */
    uint32_t group_words, classes;    /* words of a group in a summary; powers of two */
    uint32_t at_summary, at_row_free; /* words after the head: summaries; free servers by row */
    uint32_t words, zero;             /* after the head, in all */
    uint64_t first;                   /* the first 64 servers in one word, as the rows have them */
    uint64_t bits[];
} LpRoom;

/* Bytes of the room of a fabric. */
size_t lp_room_bytes(const struct LpFabric *fabric);
/* Makes it in `bytes` of memory aligned for 64 bits: every server is free. O(servers / 64). */
void lp_room_init(LpRoom *room, const struct LpFabric *fabric);
/* Says that a server is free, or is not; nothing where it is so already. O(log servers of a rack).
 */
void lp_room_set(LpRoom *room, uint32_t server, bool free);
/* Bytes of a room that is there: to copy it. */
static inline size_t lp_room_size(const LpRoom *room) {
    return sizeof *room + (size_t)room->words * sizeof(uint64_t);
}

static inline uint64_t *lp_room_row(LpRoom *room, uint32_t row) {
    return room->bits + (size_t)row * room->row_words;
}

static inline bool lp_room_has(const LpRoom *room, uint32_t server) {
    uint32_t row = server / room->per_row, at = server % room->per_row;
    return room->bits[(size_t)row * room->row_words + at / 64] >> at % 64 & 1;
}

/* Free servers begin .. end - 1 of a room of one row. O((end - begin) / 64). */
uint32_t lp_room_count(const LpRoom *room, uint32_t begin, uint32_t end);
/* First free server at or after `from` of a room of one row, `end` where there is none before it.
 */
uint32_t lp_room_next(const LpRoom *room, uint32_t from, uint32_t end);

/* Rows of bits that a window covers: `outer` times `inner` of them, `outer_step` and `inner_step`
 * words apart. */
typedef struct LpRows {
    const uint64_t *base;
    uint32_t outer, outer_step, inner, inner_step;
    uint32_t words; /* of a row */
} LpRows;

/* First position at or after `from` from which `run` bits in a row are set in all rows, UINT32_MAX:
 * none. *looked counts the words that it read. */
uint32_t lp_rows_common(const LpRows *rows, uint32_t from, uint32_t run, uint64_t *looked);

/* Rows of the racks of `groups` groups from `group`, in which runs of `run` free servers are to be
 * looked for: a row a group, a bit a rack. */
LpRows lp_room_summary(const LpRoom *room, uint32_t group, uint32_t groups, uint32_t run);

#endif
