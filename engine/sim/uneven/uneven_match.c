/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings by words of bits, and heaviest ones by shortest augmenting paths with potentials. The
 * optima are the perfect matchings of the pairs whose potentials leave no slack, so the first of
 * them is the first matching of these pairs. */
#include "sim/uneven/uneven_match.h"

#include <string.h>

enum { MOST = LP_UNEVEN_SERVERS_MAX, NONE = LP_UNEVEN_NONE };

static uint64_t bit(uint32_t i) {
    return UINT64_C(1) << i;
}

static uint64_t bits_below(uint32_t n) {
    return n < 64 ? bit(n) - 1 : UINT64_MAX;
}

/* The lowest bit of a set that is not empty: a de Bruijn sequence has each run of six bits once. */
static uint32_t lowest(uint64_t set) {
    static const uint8_t at[64] = {0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28,
                                   62, 5,  39, 46, 44, 42, 22, 9,  24, 35, 59, 56, 49, 18, 29, 11,
                                   63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21, 23, 58, 17, 10,
                                   51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12};
    return at[((set & (~set + 1)) * UINT64_C(0x022fdd63cc95386d)) >> 58];
}

/* ---- the first matching ---- */

typedef struct Pairs {
    uint32_t n;
    const uint64_t *allowed; /* receivers of a sender */
    uint64_t back[MOST];     /* senders of a receiver */
    uint64_t free;           /* receivers that nobody has */
    uint8_t *to, from[MOST];
} Pairs;

static void open_pairs(Pairs *p) {
    p->free = bits_below(p->n);
    memset(p->from, NONE, sizeof p->from);
    for (uint32_t i = 0; i < p->n; i++) {
        for (uint64_t left = p->allowed[i] & bits_below(p->n); left != 0; left &= left - 1)
            p->back[lowest(left)] |= bit(i);
        if (p->to[i] == NONE || (p->allowed[i] & p->free & bit(p->to[i])) == 0) {
            p->to[i] = NONE;
            continue;
        }
        p->from[p->to[i]] = (uint8_t)i;
        p->free &= ~bit(p->to[i]);
    }
}

/* A receiver for a sender without one, others giving way. */
static bool join(Pairs *p, uint32_t sender) {
    uint8_t queue[MOST], came[MOST]; /* senders; of a receiver: the sender that reached it */
    uint32_t head = 0, tail = 0;
    uint64_t seen = 0;
    queue[tail++] = (uint8_t)sender;
    while (head < tail) {
        uint32_t i = queue[head++];
        uint64_t fresh = p->allowed[i] & bits_below(p->n) & ~seen;
        seen |= fresh;
        for (uint64_t left = fresh; left != 0; left &= left - 1) {
            uint32_t j = lowest(left);
            came[j] = (uint8_t)i;
            if (p->from[j] != NONE)
                queue[tail++] = p->from[j];
        }
        if ((fresh & p->free) == 0)
            continue;
        uint32_t j = lowest(fresh & p->free);
        p->free &= ~bit(j);
        for (uint32_t next; j != NONE; j = next) {
            uint32_t owner = came[j];
            next = owner == sender ? (uint32_t)NONE : p->to[owner];
            p->from[j] = (uint8_t)owner;
            p->to[owner] = (uint8_t)j;
        }
        return true;
    }
    return false;
}

/* Gives sender i the lowest receiver that leaves a perfect matching to those behind it. Whoever
 * loses its receiver must come, by way of others, to the one that i had: those who can are found
 * backwards from there. */
static void lower(Pairs *p, uint32_t i) {
    uint8_t queue[MOST], next[MOST]; /* receivers; of a sender: where it moves to */
    uint32_t head = 0, tail = 0, had = p->to[i];
    uint64_t behind = bits_below(p->n) & ~bits_below(i + 1), can = 0, give = bit(had);
    queue[tail++] = (uint8_t)had;
    while (head < tail) {
        uint32_t j = queue[head++];
        for (uint64_t left = p->back[j] & behind & ~can; left != 0; left &= left - 1) {
            uint32_t sender = lowest(left);
            can |= bit(sender);
            next[sender] = (uint8_t)j;
            give |= bit(p->to[sender]);
            queue[tail++] = p->to[sender];
        }
    }
    uint32_t take = lowest(p->allowed[i] & give), owner = i;
    while (take != had) {
        uint32_t loser = p->from[take];
        p->to[owner] = (uint8_t)take;
        p->from[take] = (uint8_t)owner;
        owner = loser;
        take = next[loser];
    }
    p->to[owner] = (uint8_t)had;
    p->from[had] = (uint8_t)owner;
}

bool lp_uneven_first(const uint64_t *allowed, uint32_t n, uint8_t *to) {
    Pairs p = {.n = n, .allowed = allowed, .to = to};
    open_pairs(&p);
    for (uint32_t i = 0; i < n; i++)
        if (to[i] == NONE && !join(&p, i))
            return false;
    for (uint32_t i = 0; i < n; i++)
        lower(&p, i);
    return true;
}

/* ---- the heaviest matching ---- */

int64_t lp_uneven_heavy_bound(LpUnevenHeavy *h) {
    int64_t sum = 0, least = h->receiver[0];
    memset(h->to, NONE, sizeof h->to);
    memset(h->from, NONE, sizeof h->from);
    for (uint32_t j = 1; j < h->n; j++)
        least = h->receiver[j] < least ? h->receiver[j] : least;
    for (uint32_t j = 0; j < h->n; j++)
        h->receiver[j] -= least; /* prices only rise: so they stay below the greatest weight */
    for (uint32_t i = 0; i < h->n; i++) {
        const int64_t *weight = h->weight + (size_t)i * h->n;
        uint32_t best = 0;
        for (uint32_t j = 1; j < h->n; j++)
            if (weight[j] - h->receiver[j] > weight[best] - h->receiver[best])
                best = j;
        h->sender[i] = weight[best] - h->receiver[best];
        sum += h->sender[i] + h->receiver[i];
        if (h->from[best] != NONE)
            continue;
        h->from[best] = (uint8_t)i;
        h->to[i] = (uint8_t)best;
    }
    return sum;
}

/* From a sender without a receiver to the nearest free one; how far it was is taken off the
 * potentials. */
static void augment(LpUnevenHeavy *h, uint32_t sender) {
    int64_t distance[MOST], base = 0;
    uint8_t came[MOST];
    uint64_t open = bits_below(h->n);
    uint32_t i = sender, j = 0;
    for (uint32_t k = 0; k < h->n; k++)
        distance[k] = INT64_MAX;
    for (;;) {
        const int64_t *weight = h->weight + (size_t)i * h->n;
        int64_t least = INT64_MAX;
        for (uint64_t left = open; left != 0; left &= left - 1) {
            uint32_t k = lowest(left);
            int64_t d = base + (h->sender[i] + h->receiver[k] - weight[k]);
            if (d < distance[k]) {
                distance[k] = d;
                came[k] = (uint8_t)i;
            }
            if (distance[k] < least || (distance[k] == least && h->from[k] == NONE)) {
                least = distance[k];
                j = k;
            }
        }
        if (h->from[j] == NONE)
            break;
        open &= ~bit(j);
        base = least;
        i = h->from[j];
    }
    int64_t far = distance[j];
    h->sender[sender] -= far;
    for (uint64_t left = bits_below(h->n) & ~open; left != 0; left &= left - 1) {
        uint32_t k = lowest(left);
        h->sender[h->from[k]] -= far - distance[k];
        h->receiver[k] += far - distance[k];
    }
    for (uint32_t next; j != NONE; j = next) {
        uint32_t owner = came[j];
        next = owner == sender ? (uint32_t)NONE : h->to[owner];
        h->from[j] = (uint8_t)owner;
        h->to[owner] = (uint8_t)j;
    }
}

/* The pairs without slack, as words of receivers. */
static void mark_tight(const LpUnevenHeavy *h, uint64_t *tight) {
    for (uint32_t i = 0; i < h->n; i++) {
        const int64_t *weight = h->weight + (size_t)i * h->n;
        tight[i] = 0;
        for (uint32_t j = 0; j < h->n; j++)
            tight[i] |= (uint64_t)(h->sender[i] + h->receiver[j] == weight[j]) << j;
    }
}

int64_t lp_uneven_heavy_solve(LpUnevenHeavy *h) {
    uint64_t tight[MOST];
    int64_t sum = 0;
    Pairs p = {.n = h->n, .allowed = tight, .to = h->to};
    /* Equal weights leave many pairs without slack, which words of bits join at once. */
    mark_tight(h, tight);
    open_pairs(&p);
    for (uint32_t i = 0; i < h->n; i++)
        if (h->to[i] == NONE)
            join(&p, i);
    memcpy(h->from, p.from, sizeof h->from);
    for (uint32_t i = 0; i < h->n; i++)
        if (h->to[i] == NONE)
            augment(h, i);
    for (uint32_t i = 0; i < h->n; i++)
        sum += h->weight[(size_t)i * h->n + h->to[i]];
    return sum;
}

void lp_uneven_heavy_first(const LpUnevenHeavy *h, uint8_t *to) {
    uint64_t tight[MOST];
    mark_tight(h, tight);
    memcpy(to, h->to, h->n);
    if (!lp_uneven_first(tight, h->n, to))
        memcpy(to, h->to, h->n); /* never: h->to itself is tight */
}
