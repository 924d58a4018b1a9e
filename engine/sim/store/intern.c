/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing over content hashes; equality is decided by the bytes, never by the hash. */
#include "sim/store/intern.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void lp_intern_fini(LpIntern *table) {
    lp_arena_free(table->arena);
    lp_free(table->entry);
    lp_free(table->slot);
    *table = (LpIntern){0};
}

uint32_t lp_intern_seek(const LpIntern *table, const void *bytes, size_t len, uint64_t hash) {
    if (table->slots == 0)
        return UINT32_MAX;
    for (size_t at = hash & (table->slots - 1); table->slot[at] != 0;
         at = (at + 1) & (table->slots - 1)) {
        const LpInternEntry *e = &table->entry[table->slot[at] - 1];
        if (e->hash == hash && e->len == len && memcmp(e->bytes, bytes, len) == 0)
            return table->slot[at] - 1;
    }
    return UINT32_MAX;
}

uint32_t lp_intern_find(const LpIntern *table, const void *bytes, size_t len, uint64_t *hash) {
    *hash = lp_hash_bytes(LP_HASH_INIT, bytes, len);
    return lp_intern_seek(table, bytes, len, *hash);
}

static void put_slot(LpIntern *table, uint32_t index) {
    size_t at = table->entry[index].hash & (table->slots - 1);
    while (table->slot[at] != 0)
        at = (at + 1) & (table->slots - 1);
    table->slot[at] = index + 1;
}

static LpErr grow_slots(LpIntern *table, size_t more) {
    size_t slots = table->slots ? table->slots : FIRST_SLOTS;
    while (2 * (table->count + more) > slots)
        slots *= 2;
    if (slots == table->slots)
        return LP_OK;
    uint32_t *fresh = lp_alloc(slots, sizeof *fresh);
    if (fresh == NULL)
        return LP_ENOMEM;
    lp_free(table->slot);
    table->slot = fresh;
    table->slots = slots;
    for (size_t i = 0; i < table->count; i++)
        put_slot(table, (uint32_t)i);
    return LP_OK;
}

static LpErr grow(LpIntern *table, size_t more) {
    if (table->arena == NULL && (table->arena = lp_arena_new(0)) == NULL)
        return LP_ENOMEM;
    void *entries = table->entry;
    LP_TRY(lp_grow(&entries, &table->cap, table->count + more, sizeof *table->entry));
    table->entry = entries;
    return grow_slots(table, more);
}

LpErr lp_intern_reserve(LpIntern *table, size_t more, size_t len) {
    LP_TRY(grow(table, more));
    return lp_arena_reserve(table->arena, more, len);
}

LpErr lp_intern_add(LpIntern *table, const void *bytes, size_t len, uint64_t hash,
                    uint32_t *index) {
    LP_TRY(grow(table, 1));
    void *copy = lp_arena_alloc(table->arena, len, 1);
    if (copy == NULL)
        return LP_ENOMEM;
    memcpy(copy, bytes, len);
    LP_ASSERT(2 * (table->count + 1) <= table->slots); /* or a search would not end */
    *index = (uint32_t)table->count;
    table->entry[table->count++] = (LpInternEntry){copy, len, hash};
    put_slot(table, *index);
    return LP_OK;
}

LpErr lp_intern_share(LpIntern *table, const LpIntern *from) {
    LpIntern own = {.count = from->count, .cap = from->count, .slots = from->slots};
    own.entry = lp_alloc(from->count, sizeof *own.entry);
    own.slot = lp_alloc(from->slots, sizeof *own.slot);
    if (own.entry == NULL || own.slot == NULL) {
        lp_intern_fini(&own);
        return LP_ENOMEM;
    }
    if (from->count > 0)
        memcpy(own.entry, from->entry, from->count * sizeof *own.entry);
    if (from->slots > 0)
        memcpy(own.slot, from->slot, from->slots * sizeof *own.slot);
    lp_intern_fini(table);
    *table = own;
    return LP_OK;
}
