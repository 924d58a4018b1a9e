/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of distinct byte strings numbered 0, 1, 2 ... in order of arrival. */
#ifndef LP_SIM_STORE_INTERN_H
#define LP_SIM_STORE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

typedef struct LpInternEntry {
    const void *bytes;
    size_t len;
    uint64_t hash;
} LpInternEntry;

/* Zero-initialise. */
typedef struct LpIntern {
    LpArena *arena; /* owns the copies */
    LpInternEntry *entry;
    size_t count, cap;
    uint32_t *slot; /* index + 1, 0 empty */
    size_t slots;   /* power of two */
} LpIntern;

void lp_intern_fini(LpIntern *table);
/* Number of equal bytes, UINT32_MAX when there are none; *hash is set for lp_intern_add. */
uint32_t lp_intern_find(const LpIntern *table, const void *bytes, size_t len, uint64_t *hash);
/* The same by a hash that the caller has made of what the bytes stand for. */
uint32_t lp_intern_seek(const LpIntern *table, const void *bytes, size_t len, uint64_t hash);
/* Adds bytes that lp_intern_find did not find; copies them. Amortised O(len). */
LpErr lp_intern_add(LpIntern *table, const void *bytes, size_t len, uint64_t hash,
                    uint32_t *index) LP_MUST_USE;
/* Makes room for `more` entries of `len` bytes: adding them cannot fail then. Errors: LP_ENOMEM. */
LpErr lp_intern_reserve(LpIntern *table, size_t more, size_t len) LP_MUST_USE;
/* Makes the table one with the same numbers; the bytes stay those of `from`, which must outlive it.
 * Errors: LP_ENOMEM, the table unchanged. */
LpErr lp_intern_share(LpIntern *table, const LpIntern *from) LP_MUST_USE;

#endif
