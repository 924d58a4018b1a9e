/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cuts of an uneven all-to-all into matchings. */
#include "sim/uneven/uneven_cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST = LP_UNEVEN_SERVERS_MAX, NONE = LP_UNEVEN_NONE };

const char *lp_uneven_cut_name(LpUnevenCut cut) {
    static const char *const names[] = {
#define X(id, word) word,
        LP_UNEVEN_CUT_TABLE(X)
#undef X
    };
    return names[cut];
}

/* ---- pairs served wholly ---- */

/* Receivers 1 away, 1 away the other way round, 2 away, and so on. */
static LpErr cut_rotations(LpUnevenWork *w, LpDiag *diag) {
    uint8_t to[MOST];
    for (uint32_t k = 1; k < w->n; k++) {
        uint32_t offset = k % 2 == 1 ? (k + 1) / 2 : w->n - k / 2;
        for (uint32_t i = 0; i < w->n; i++)
            to[i] = (uint8_t)((i + offset) % w->n);
        LP_TRY(lp_uneven_serve(w, to, INT64_MAX, diag));
    }
    return LP_OK;
}

typedef struct Entry {
    int64_t bytes;
    uint32_t place; /* sender * n + receiver */
} Entry;

static int by_bytes(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Whoever is served is served wholly, so the order of the entries stays. */
static LpErr cut_greedy(LpUnevenWork *w, LpDiag *diag) {
    Entry entry[MOST * MOST];
    uint32_t entries = 0;
    for (uint32_t place = 0; place < w->n * w->n; place++)
        if (w->rest[place] > 0)
            entry[entries++] = (Entry){.bytes = w->rest[place], .place = place};
    qsort(entry, entries, sizeof *entry, by_bytes);
    while (entries > 0) {
        uint8_t to[MOST];
        uint64_t taken = 0;
        uint32_t kept = 0;
        memset(to, NONE, sizeof to);
        for (uint32_t e = 0; e < entries; e++) {
            uint32_t i = entry[e].place / w->n, j = entry[e].place % w->n;
            if (to[i] != NONE || (taken >> j & 1) != 0) {
                entry[kept++] = entry[e];
                continue;
            }
            to[i] = (uint8_t)j;
            taken |= UINT64_C(1) << j;
        }
        entries = kept;
        LP_TRY(lp_uneven_serve(w, to, INT64_MAX, diag));
    }
    return LP_OK;
}

static LpErr cut_max_weight(LpUnevenWork *w, LpDiag *diag) {
    LpUnevenHeavy heavy = {.n = w->n};
    while (w->left > 0) {
        uint8_t to[MOST];
        memcpy(heavy.weight, w->rest, sizeof heavy.weight);
        lp_uneven_heavy_bound(&heavy);
        lp_uneven_heavy_solve(&heavy);
        lp_uneven_heavy_first(&heavy, to);
        LP_TRY(lp_uneven_serve(w, to, INT64_MAX, diag));
    }
    return LP_OK;
}

/* ---- padded to equal sums ---- */

/* A demand whose rows and columns all add up to the same, and the pairs that are as large as the
 * threshold. */
typedef struct Padded {
    uint32_t n;
    int64_t entry[MOST * MOST], row[MOST], column[MOST];
    int64_t sum, threshold;
    uint64_t large[MOST];
} Padded;

static void pad_where(Padded *p, bool demanded) {
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->n; j++) {
            int64_t row = p->sum - p->row[i], column = p->sum - p->column[j];
            int64_t add = row < column ? row : column;
            if (add == 0 || (demanded && p->entry[i * p->n + j] == 0))
                continue;
            p->entry[i * p->n + j] += add;
            p->row[i] += add;
            p->column[j] += add;
        }
}

static void pad(Padded *p, const LpUnevenWork *w) {
    *p = (Padded){.n = w->n};
    memcpy(p->entry, w->rest, sizeof p->entry);
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->n; j++) {
            p->row[i] += p->entry[i * p->n + j];
            p->column[j] += p->entry[i * p->n + j];
        }
    for (uint32_t i = 0; i < p->n; i++) {
        p->sum = p->row[i] > p->sum ? p->row[i] : p->sum;
        p->sum = p->column[i] > p->sum ? p->column[i] : p->sum;
    }
    pad_where(p, true);
    pad_where(p, false);
}

static void mark_large(Padded *p, int64_t threshold) {
    p->threshold = threshold;
    for (uint32_t i = 0; i < p->n; i++) {
        p->large[i] = 0;
        for (uint32_t j = 0; j < p->n; j++)
            if (p->entry[i * p->n + j] >= threshold)
                p->large[i] |= UINT64_C(1) << j;
    }
}

/* Takes the matching off for as long as its least entry lasts, which is returned. */
static int64_t take(Padded *p, const uint8_t *to) {
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < p->n; i++) {
        int64_t entry = p->entry[i * p->n + to[i]];
        least = entry < least ? entry : least;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        int64_t *entry = &p->entry[i * p->n + to[i]];
        *entry -= least;
        if (*entry < p->threshold)
            p->large[i] &= ~(UINT64_C(1) << to[i]);
    }
    p->sum -= least;
    return least;
}

/* The greatest power of two that is not above any entry's greatest. */
static int64_t first_threshold(const Padded *p) {
    int64_t greatest = 0, power = 1;
    for (uint32_t place = 0; place < p->n * p->n; place++)
        greatest = p->entry[place] > greatest ? p->entry[place] : greatest;
    while (power * 2 <= greatest)
        power *= 2;
    return power;
}

/* With a threshold of 1 from the start: the decomposition of Birkhoff and von Neumann. Equal sums
 * always have a matching of positive entries, so it ends. */
static LpErr cut_padded(LpUnevenWork *w, bool halve, LpDiag *diag) {
    Padded p;
    uint8_t to[MOST];
    pad(&p, w);
    memset(to, NONE, sizeof to);
    mark_large(&p, halve ? first_threshold(&p) : 1);
    while (p.sum > 0) {
        if (!lp_uneven_first(p.large, p.n, to)) {
            mark_large(&p, p.threshold / 2);
            continue;
        }
        int64_t hold = take(&p, to);
        LP_TRY(lp_uneven_serve(w, to, hold, diag));
    }
    return LP_OK;
}

/* ---- all of them ---- */

static LpErr cut_work(LpUnevenWork *w, LpUnevenCut cut, double rate, double delay, LpDiag *diag) {
    switch (cut) {
    case LP_UNEVEN_ROTATIONS:
        return cut_rotations(w, diag);
    case LP_UNEVEN_GREEDY:
        return cut_greedy(w, diag);
    case LP_UNEVEN_MAX_WEIGHT:
        return cut_max_weight(w, diag);
    case LP_UNEVEN_ECLIPSE:
        return lp_uneven_eclipse(w, rate, delay, diag);
    case LP_UNEVEN_BVN:
    case LP_UNEVEN_SOLSTICE:
    case LP_UNEVEN_CUTS:
        break;
    }
    return cut_padded(w, cut == LP_UNEVEN_SOLSTICE, diag);
}

LpErr lp_uneven_cut(const LpUneven *all, LpUnevenCut cut, double delay, LpUnevenSlots *out,
                    LpDiag *diag) {
    LpUnevenSlots slots = {.servers = all->servers};
    LpUnevenWork *w = lp_alloc(1, sizeof *w);
    if (w == NULL)
        return lp_fail_memory(diag, "an all-to-all to be cut");
    w->n = all->servers;
    w->slots = &slots;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t j = 0; j < w->n; j++) {
            w->rest[i * w->n + j] = i == j ? 0 : all->demand[i * w->n + j];
            w->left += w->rest[i * w->n + j];
        }
    LpErr err = w->left == 0 ? LP_OK : cut_work(w, cut, all->ports * all->rate, delay, diag);
    lp_free(w);
    if (err != LP_OK) {
        lp_uneven_slots_free(&slots);
        return err;
    }
    *out = slots;
    return LP_OK;
}
