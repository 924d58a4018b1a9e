/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index of free room: its layout, its upkeep, and runs of bits common to many rows. */
#include "model/fabric/room_read.h"

#include <string.h>

#include "base/assert.h"
#include "model/fabric/fabric.h"

static uint32_t words_of(uint32_t bits) {
    return bits / 64 + (bits % 64 != 0);
}

/* Set bits: fewer steps than the function that compilers call where the processor's own cannot be
 * relied on. */
static uint32_t ones(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* ---- layout ---- */

/* The head. */
static void lay_out(LpRoom *out, const LpFabric *fabric) {
    bool racked = fabric->ops->racked;
    LpRoom r = {.servers = fabric->servers, .per_row = racked ? fabric->per_rack : fabric->servers};
    r.groups = racked ? fabric->groups : 1;
    r.racks = racked ? fabric->racks : 1;
    r.row_words = words_of(r.per_row);
    r.group_words = words_of(r.racks);
    for (uint64_t run = 1; racked && run <= r.per_row; run *= 2)
        r.classes++;
    r.at_summary = r.groups * r.racks * r.row_words;
    r.at_row_free = r.at_summary + r.classes * r.groups * r.group_words;
    r.words = r.at_row_free + r.groups * r.racks;
    *out = r;
}

size_t lp_room_bytes(const LpFabric *fabric) {
    LpRoom head;
    lay_out(&head, fabric);
    return lp_room_size(&head);
}

static void summarise(LpRoom *r, uint32_t row) {
    uint32_t group = row / r->racks, rack = row % r->racks, step = r->groups * r->group_words;
    uint64_t runs = *lp_room_row(r, row), bit = UINT64_C(1) << rack % 64;
    uint64_t free = r->bits[r->at_row_free + row];
    uint64_t *word = &r->bits[r->at_summary + group * r->group_words + rack / 64];
    for (uint32_t class = 0; class < r->classes; class ++, word += step) {
        bool may = r->row_words == 1 ? runs != 0 : free >> class > 0;
        *word = may ? *word | bit : *word & ~bit;
        /* A bit for each position where 2^(class + 1) are free, from those where 2^class are. */
        runs = class < 6 ? runs & runs >> (UINT32_C(1) << class) : 0;
    }
}

void lp_room_init(LpRoom *room, const LpFabric *fabric) {
    lay_out(room, fabric);
    memset(room->bits, 0, room->words * sizeof *room->bits);
    room->free = room->servers;
    room->first = room->servers < 64 ? (UINT64_C(1) << room->servers) - 1 : UINT64_MAX;
    for (uint32_t row = 0; row < room->groups * room->racks; row++) {
        uint64_t *word = lp_room_row(room, row);
        memset(word, 0xff, room->row_words * sizeof *word);
        if (room->per_row % 64 != 0)
            word[room->row_words - 1] = (UINT64_C(1) << room->per_row % 64) - 1;
        room->bits[room->at_row_free + row] = room->per_row;
        summarise(room, row);
    }
}

void lp_room_set(LpRoom *room, uint32_t server, bool free) {
    LP_ASSERT(server < room->servers);
    uint32_t row = server / room->per_row, at = server % room->per_row;
    uint64_t *word = lp_room_row(room, row) + at / 64, bit = UINT64_C(1) << at % 64;
    if (((*word & bit) != 0) == free)
        return;
    *word ^= bit;
    if (server < 64)
        room->first ^= UINT64_C(1) << server;
    room->free += free ? 1 : UINT32_MAX; /* one more or one less */
    room->bits[room->at_row_free + row] += free ? 1 : UINT64_MAX;
    if (room->classes > 0)
        summarise(room, row);
}

/* ---- one row ---- */

uint32_t lp_room_count(const LpRoom *room, uint32_t begin, uint32_t end) {
    uint32_t count = 0;
    for (uint32_t word = begin / 64; begin < end; word++) {
        uint64_t bits = room->bits[word] >> begin % 64;
        uint32_t here = 64 - begin % 64;
        if (end - begin < here)
            bits &= (UINT64_C(1) << (end - begin)) - 1;
        count += ones(bits);
        begin = end - begin < here ? end : begin + here;
    }
    return count;
}

uint32_t lp_room_next(const LpRoom *room, uint32_t from, uint32_t end) {
    while (from < end) {
        uint64_t bits = room->bits[from / 64] >> from % 64;
        if (bits != 0) {
            uint32_t at = from + (uint32_t)__builtin_ctzll(bits);
            return at < end ? at : end;
        }
        from = (from / 64 + 1) * 64;
    }
    return end;
}

/* ---- all rows ---- */

uint64_t lp_room_word(const LpRoom *room, uint32_t first, uint32_t end) {
    const uint64_t *row = room->bits + (size_t)(first / room->per_row) * room->row_words;
    uint32_t at = first % room->per_row, count = end - first;
    uint64_t bits = row[at / 64] >> at % 64;
    if (at % 64 != 0 && at / 64 + 1 < room->row_words)
        bits |= row[at / 64 + 1] << (64 - at % 64);
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

/* Where servers from `first` on end that can be looked at in one go: all the rest of their row, or
 * 64 of them. *free: how many of them are. */
static uint32_t stretch(const LpRoom *room, uint32_t first, uint32_t end, uint32_t *free) {
    uint32_t row = first / room->per_row, row_end = (row + 1) * room->per_row;
    if (first == row * room->per_row && row_end <= end) {
        *free = (uint32_t)room->bits[room->at_row_free + row];
        return row_end;
    }
    end = end < row_end ? end : row_end;
    end = end - first < 64 ? end : first + 64;
    *free = ones(lp_room_word(room, first, end));
    return end;
}

uint32_t lp_room_free(const LpRoom *room, uint32_t begin, uint32_t end) {
    uint32_t count = 0, free;
    for (; begin < end; count += free)
        begin = stretch(room, begin, end, &free);
    return count;
}

uint32_t lp_room_nth(const LpRoom *room, uint32_t begin, uint32_t end, uint32_t before) {
    for (uint32_t next, free; begin < end; begin = next) {
        next = stretch(room, begin, end, &free);
        if (free > before && next - begin > 64) { /* a row: in words of it */
            end = next;
            next = begin + 64;
            free = ones(lp_room_word(room, begin, next));
        }
        if (free <= before) {
            before -= free;
            continue;
        }
        uint64_t bits = lp_room_word(room, begin, next);
        while (before-- > 0)
            bits &= bits - 1;
        return begin + (uint32_t)__builtin_ctzll(bits);
    }
    return UINT32_MAX;
}

/* ---- runs common to rows ---- */

/* The positions from which `run` bits are set: run in O(log run) shifts. */
static uint64_t runs_of(uint64_t bits, uint32_t run) {
    uint32_t have = 1;
    if (run > 64)
        return 0;
    for (; bits != 0 && have * 2 <= run; have *= 2)
        bits &= bits >> have;
    return run > have ? bits & bits >> (run - have) : bits;
}

static uint32_t common_in_word(const LpRows *rows, uint32_t from, uint32_t run, uint64_t *looked) {
    uint64_t bits = from < 64 ? UINT64_MAX << from : 0;
    for (uint32_t o = 0; o < rows->outer && bits != 0; o++) {
        const uint64_t *row = rows->base + (size_t)o * rows->outer_step;
        for (uint32_t i = 0; i < rows->inner && bits != 0; i++)
            bits &= row[(size_t)i * rows->inner_step];
        bits = runs_of(bits, run) != 0 ? bits : 0;
        *looked += rows->inner;
    }
    bits = runs_of(bits, run);
    return bits != 0 ? (uint32_t)__builtin_ctzll(bits) : UINT32_MAX;
}

/* First position at or after `from` whose bit is `set`; `end` where there is none. */
static uint32_t next_bit(const uint64_t *row, uint32_t from, uint32_t end, bool set,
                         uint64_t *looked) {
    while (from < end) {
        uint64_t bits = (set ? row[from / 64] : ~row[from / 64]) >> from % 64;
        ++*looked;
        if (bits != 0) {
            uint32_t at = from + (uint32_t)__builtin_ctzll(bits);
            return at < end ? at : end;
        }
        from = (from / 64 + 1) * 64;
    }
    return end;
}

/* First run of `run` bits at or after `from` in one row. */
static uint32_t next_run(const uint64_t *row, uint32_t words, uint32_t from, uint32_t run,
                         uint64_t *looked) {
    uint32_t end = words * 64;
    for (;;) {
        from = next_bit(row, from, end, true, looked);
        if (from >= end || run > end - from)
            return UINT32_MAX;
        uint32_t gap = next_bit(row, from, from + run, false, looked);
        if (gap == from + run)
            return from;
        from = gap;
    }
}

/* Rows take turns in moving the position on, until none of them does. */
static uint32_t common_in_rows(const LpRows *rows, uint32_t from, uint32_t run, uint64_t *looked) {
    uint32_t count = rows->outer * rows->inner, agree = 0;
    for (uint32_t at = 0; agree < count; at = at + 1 < count ? at + 1 : 0) {
        const uint64_t *row = rows->base + (size_t)(at / rows->inner) * rows->outer_step +
                              (size_t)(at % rows->inner) * rows->inner_step;
        uint32_t next = next_run(row, rows->words, from, run, looked);
        if (next == UINT32_MAX)
            return UINT32_MAX;
        agree = next == from ? agree + 1 : 1;
        from = next;
    }
    return from;
}

uint32_t lp_rows_common(const LpRows *rows, uint32_t from, uint32_t run, uint64_t *looked) {
    return rows->words == 1 ? common_in_word(rows, from, run, looked)
                            : common_in_rows(rows, from, run, looked);
}

LpRows lp_room_summary(const LpRoom *room, uint32_t group, uint32_t groups, uint32_t run) {
    uint32_t class = 31 - (uint32_t)__builtin_clz(run);
    LP_ASSERT(run >= 1 && class < room->classes);
    return (LpRows){.base = room->bits + room->at_summary +
                            (size_t)(class * room->groups + group) * room->group_words,
                    .outer = groups,
                    .outer_step = room->group_words,
                    .inner = 1,
                    .words = room->group_words};
}
