/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs as what tells them from others of their kind. A job is: the number of its kind, a bit per
 * word that differs, then for each such word a byte: the index of a word of the same value that
 * came before it in the job; or LITERAL and the eight bytes; or BYTES, a bit per byte that differs
 * from the kind's word, and these (numbers of jobs and servers differ in their lowest bytes). */
#include "sim/state/pack.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

enum {
    WORDS = sizeof(LpJob) / sizeof(uint64_t),
    MASKS = (WORDS + 7) / 8,
    KINDS_MAX = 2048,
    SLOTS = 4096,  /* a power of two, above KINDS_MAX */
    LITERAL = 255, /* this and BYTES: above any index of a word */
    BYTES = 254,
    WORST = 2 + MASKS + 9 * WORDS
};
_Static_assert(KINDS_MAX <= UINT16_MAX, "two bytes name a kind");
_Static_assert(sizeof(LpJob) % sizeof(uint64_t) == 0, "a job is words");
_Static_assert(WORDS < BYTES, "a byte names a word");

typedef struct Words {
    uint64_t word[WORDS];
} Words;

struct LpKinds {
    Words *first; /* of each kind */
    size_t count, cap;
    uint32_t slot[SLOTS]; /* by hash: number of the kind + 1, 0 none */
    unsigned char *bytes; /* of the last page */
    size_t bytes_cap;
};

LpKinds *lp_kinds_new(void) {
    return lp_alloc(1, sizeof(LpKinds));
}

LpKinds *lp_kinds_clone(const LpKinds *kinds) {
    LpKinds *clone = lp_alloc(1, sizeof *clone);
    if (clone == NULL)
        return NULL;
    memcpy(clone->slot, kinds->slot, sizeof clone->slot);
    void *first = NULL;
    if (lp_copy_array(&first, &clone->cap, kinds->first, kinds->count, sizeof(Words)) != LP_OK) {
        lp_free(clone);
        return NULL;
    }
    clone->first = first;
    clone->count = kinds->count;
    return clone;
}

void lp_kinds_free(LpKinds *kinds) {
    if (kinds == NULL)
        return;
    lp_free(kinds->first);
    lp_free(kinds->bytes);
    lp_free(kinds);
}

/* ---- kinds ---- */

static bool same_kind(const Words *a, const LpJob *b) {
    LpJob first;
    memcpy(&first, a, sizeof first);
    return first.graph == b->graph && first.outcome == b->outcome && first.cause == b->cause &&
           first.placed.step == b->placed.step && first.placed.servers == b->placed.servers;
}

static size_t slot_of(const LpJob *job) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, (uint64_t)(uint32_t)job->graph << 32 | job->placed.step);
    h = lp_hash_u64(h,
                    (uint64_t)job->placed.servers << 16 | (uint64_t)job->outcome << 8 | job->cause);
    return (size_t)(h ^ h >> 32) % SLOTS;
}

/* Number of the job's kind, which it may be the first of; where there are too many kinds any does.
 * LP_NO_INDEX: out of memory. */
static uint32_t kind_of(LpKinds *k, const LpJob *job) {
    size_t at = slot_of(job);
    for (; k->slot[at] > 0; at = (at + 1) % SLOTS)
        if (same_kind(&k->first[k->slot[at] - 1], job))
            return k->slot[at] - 1;
    if (k->count == KINDS_MAX)
        return 0;
    void *items = k->first;
    if (lp_grow(&items, &k->cap, k->count + 1, sizeof(Words)) != LP_OK)
        return LP_NO_INDEX;
    k->first = items;
    memcpy(&k->first[k->count], job, sizeof *job);
    k->slot[at] = (uint32_t)++k->count;
    return (uint32_t)k->count - 1;
}

/* ---- one job ---- */

/* Where the value stood before in the job, as one of the words that were written: else LITERAL. */
static unsigned char stood(const Words *job, const unsigned char *written, unsigned count,
                           uint64_t value) {
    for (unsigned i = 0; i < count; i++)
        if (job->word[written[i]] == value)
            return written[i];
    return LITERAL;
}

/* The bytes of a word that differ from the kind's: BYTES and they, or LITERAL and all. */
static unsigned char *pack_word(uint64_t first, uint64_t value, unsigned char *to) {
    unsigned mask = 0, count = 0;
    unsigned char *at = to + 2;
    for (unsigned b = 0; b < 8; b++)
        if ((unsigned char)(first >> 8 * b) != (unsigned char)(value >> 8 * b)) {
            mask |= 1U << b;
            count++;
        }
    if (count > 6) { /* the mask would cost what it saves */
        *to = LITERAL;
        memcpy(to + 1, &value, sizeof value);
        return to + 1 + sizeof value;
    }
    to[0] = BYTES;
    to[1] = (unsigned char)mask;
    for (unsigned b = 0; b < 8; b++)
        if ((mask >> b & 1) != 0)
            *at++ = (unsigned char)(value >> 8 * b);
    return at;
}

static const unsigned char *unpack_word(uint64_t *value, const unsigned char *from) {
    unsigned mask = *from++;
    for (unsigned b = 0; b < 8; b++)
        if ((mask >> b & 1) != 0)
            *value = (*value & ~((uint64_t)255 << 8 * b)) | (uint64_t)*from++ << 8 * b;
    return from;
}

static unsigned char *pack(const Words *first, const LpJob *job, unsigned char *to) {
    Words words;
    unsigned char written[WORDS], *mask = to;
    unsigned count = 0;
    memcpy(&words, job, sizeof words);
    memset(mask, 0, MASKS);
    to += MASKS;
    for (unsigned w = 0; w < WORDS; w++) {
        uint64_t value = words.word[w];
        if (value == first->word[w])
            continue;
        mask[w / 8] = (unsigned char)(mask[w / 8] | 1U << w % 8);
        *to = stood(&words, written, count, value);
        if (*to != LITERAL) {
            to++;
            continue;
        }
        to = pack_word(first->word[w], value, to);
        written[count++] = (unsigned char)w;
    }
    return to;
}

static const unsigned char *unpack(const Words *first, const unsigned char *from, LpJob *job) {
    const unsigned char *mask = from;
    Words words = *first;
    from += MASKS;
    for (unsigned w = 0; w < WORDS; w++) {
        if ((mask[w / 8] >> w % 8 & 1) == 0)
            continue;
        unsigned char where = *from++;
        if (where == BYTES)
            from = unpack_word(&words.word[w], from);
        else if (where != LITERAL)
            words.word[w] = words.word[where];
        else {
            memcpy(&words.word[w], from, sizeof words.word[w]);
            from += sizeof words.word[w];
        }
    }
    memcpy(job, &words, sizeof words);
    return from;
}

/* ---- many ---- */

const void *lp_pack_jobs(LpKinds *kinds, const LpJob *jobs, uint32_t count, size_t *bytes) {
    void *items = kinds->bytes;
    if (lp_grow(&items, &kinds->bytes_cap, (size_t)count * WORST, 1) != LP_OK)
        return NULL;
    unsigned char *to = kinds->bytes = items;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = kind_of(kinds, &jobs[i]);
        if (kind == LP_NO_INDEX)
            return NULL;
        uint16_t number = (uint16_t)kind;
        memcpy(to, &number, sizeof number);
        to = pack(&kinds->first[kind], &jobs[i], to + sizeof number);
    }
    *bytes = (size_t)(to - kinds->bytes);
    return kinds->bytes;
}

void lp_unpack_jobs(const LpKinds *kinds, const void *bytes, LpJob *jobs, uint32_t count) {
    const unsigned char *from = bytes;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t kind;
        memcpy(&kind, from, sizeof kind);
        LP_ASSERT(kind < kinds->count);
        from = unpack(&kinds->first[kind], from + sizeof kind, &jobs[i]);
    }
}
