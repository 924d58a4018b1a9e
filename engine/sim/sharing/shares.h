/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min fair shares of links among flows, by progressive filling: all flows speed up together,
 * each in proportion to its weight, until its cap or a full link stops it (Bertsekas and Gallager,
 * Data Networks, 2nd ed., 6.5.2).
 *
 * No state: rates are a pure function of the problem, which can be had from the running jobs at any
 * moment, so that the world keeps each job's rate and nothing else. What two flows without a chain
 * of common links do cannot touch each other, nor do those who meet only on links that carry all
 * their flows at their caps; lp_shares_update uses that and solves again only the flows joined with
 * what changed. Every such component is solved by itself, flows and links in
 * order of their numbers, so an update gives the same bits as solving everything anew. */
#ifndef LP_SIM_SHARING_SHARES_H
#define LP_SIM_SHARING_SHARES_H

#include <stdint.h>

#include "base/err.h"

/* Flow f occupies link[i] with use[i] times its own rate, begin[f] <= i < begin[f + 1]; each link
 * at most once per flow. */
typedef struct LpShareProblem {
    uint32_t links, flows;
    const double *capacity; /* links, bytes/s, finite, >= 0 */
    const uint32_t *begin;  /* flows + 1 */
    const uint32_t *link;
    const double *use;    /* > 0; NULL: 1 */
    const double *cap;    /* flows, bytes/s, >= 0, INFINITY: none; NULL: none */
    const double *weight; /* flows, > 0; NULL: 1 */
} LpShareProblem;

/* Scratch memory, grown as needed and reused: one per thread. */
typedef struct LpShares LpShares;
LpShares *lp_shares_new(void); /* NULL: out of memory */
void lp_shares_free(LpShares *shares);
/* Makes as much room as `like` has: problems that it could solve without memory, this one can. */
LpErr lp_shares_reserve(LpShares *shares, const LpShares *like) LP_MUST_USE;

/* Rates of all flows, bytes/s: a flow on no link has its cap (INFINITY without one). A flow's rate
 * is its cap, or one of its links is full and nobody on it has a larger rate / weight. On no link
 * is more than its capacity used, but for rounding: with n flows on it at most 4 n ulp more.
 * Errors: LP_ENOMEM, rate is then undefined. O(entries * log links) where a link seldom becomes the
 * bottleneck more than once; O(flows * entries) at worst. */
LpErr lp_shares_solve(LpShares *shares, const LpShareProblem *problem, double *rate) LP_MUST_USE;

/* The same where rate holds the shares of a problem that differed from this one only in flows that
 * are new here (their rate is NAN now), flows that have left, and capacities; `touched` are all
 * links of such flows and those of another capacity. from: the least rate / weight that a flow had
 * which has left, 0 where a capacity is another, INFINITY where flows are only new. Flows are
 * solved again that are joined to a touched link and did not stop filling before the first change.
 * A new flow on no link is the caller's. */
LpErr lp_shares_update(LpShares *shares, const LpShareProblem *problem, const uint32_t *touched,
                       uint32_t count, double from, double *rate) LP_MUST_USE;

/* The flows that the last call solved, component by component, ascending within one; valid until
 * the next call. */
const uint32_t *lp_shares_solved(const LpShares *shares, uint32_t *count);

#endif
