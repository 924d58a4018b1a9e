/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perfect matchings of up to 64 senders with as many receivers: the first one of a set of allowed
 * pairs, and the heaviest one by whole weights, of equals the first one. The first is the one whose
 * server 0 has the lowest receiver, then server 1, and so on, so that results never depend on the
 * way in which a matching was found. A set of receivers is one word of bits; a matching has the
 * receiver of each sender. */
#ifndef LP_SIM_UNEVEN_MATCH_H
#define LP_SIM_UNEVEN_MATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { LP_UNEVEN_SERVERS_MAX = 64, LP_UNEVEN_NONE = 255 };

/* Joins all senders by pairs of allowed[sender]; pairs that `to` has already are kept as far as
 * they are allowed, which changes how long it takes and not what comes of it: a sender without one
 * has LP_UNEVEN_NONE. False where the allowed pairs have no perfect matching; `to` is then some
 * matching. O(n^2) for n senders, O(n) words for each that was not joined. */
bool lp_uneven_first(const uint64_t *allowed, uint32_t n, uint8_t *to);

/* The search for a heaviest matching. The prices of receivers are kept from one to the next: where
 * weights changed little, little is left to do. */
typedef struct LpUnevenHeavy {
    uint32_t n;
    int64_t weight[LP_UNEVEN_SERVERS_MAX * LP_UNEVEN_SERVERS_MAX]; /* n * n, at least 0 */
    /* sender[i] + receiver[j] >= weight of i and j, and equal where i and j are joined */
    int64_t sender[LP_UNEVEN_SERVERS_MAX], receiver[LP_UNEVEN_SERVERS_MAX];
    uint8_t to[LP_UNEVEN_SERVERS_MAX], from[LP_UNEVEN_SERVERS_MAX];
} LpUnevenHeavy;

/* Begins: no matching of these weights is heavier than what it returns. O(n^2). */
int64_t lp_uneven_heavy_bound(LpUnevenHeavy *heavy);
/* After it: the weight of a heaviest matching, exactly where n times the greatest weight is below
 * 2^62. O(n^3). */
int64_t lp_uneven_heavy_solve(LpUnevenHeavy *heavy);
/* After that: the first of the heaviest matchings. O(n^2). */
void lp_uneven_heavy_first(const LpUnevenHeavy *heavy, uint8_t *to);

#endif
