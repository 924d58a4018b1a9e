/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings of rows to columns: which input port is to be joined with which output port.
 *
 * Matrices are row-major doubles that the caller owns and that are only read. A matching is an
 * array with, for each row, its column or LP_GRAPH_NONE; no column occurs twice. On failure
 * outputs are unchanged. All results are the same on every run and machine: + - and comparisons
 * only, ties broken by the order of rows and columns. Messages count rows and columns from 1. */
#ifndef LP_GRAPH_MATCH_H
#define LP_GRAPH_MATCH_H

#include <stdint.h>

#include "base/err.h"
#include "graph/edges.h"

enum {
    LP_MATCH_SIDE_MAX = 512, /* rows or columns of a matrix */
    LP_MATCH_BVN_MAX = 128   /* rows of a matrix to decompose: up to n^2 matchings come out */
};

/* The matching of greatest total weight; a pair whose weight is not above 0 is never matched.
 * Weight is maximised, not the number of pairs: {5, 4; 4, 0} gives 8 with two pairs, but
 * {5, 2; 2, 0} gives 5 with one. Negative weights mean "never".
 *   weight  rows x columns, finite, at most 1e300 in size; out: `rows` items.
 * The optimum is exact where sums of weights are exact in a double (integers such as bytes, or
 * multiples of any one power of two, with sums up to 2^53); elsewhere the total is within
 * rounding of the optimum (a few units in the last place of the total).
 * Errors: LP_EINVAL (NaN, infinite), LP_ERANGE (above 1e300), LP_ELIMIT (a side above
 * LP_MATCH_SIDE_MAX), LP_ENOMEM. O(s^2 l), s and l the shorter and the longer side. */
LpErr lp_match_max_weight(const double *weight, uint32_t rows, uint32_t columns, uint32_t *out,
                          LpDiag *diag) LP_MUST_USE;

/* The entries of an n x n matrix that are not 0: entry k stands in row row[k] and column column[k],
 * from 0. Where a place is named twice the last one counts. */
typedef struct LpSparse {
    uint32_t n, entries;
    const uint32_t *row, *column;
    const double *value;
} LpSparse;

/* lp_match_max_weight of such a matrix, and the total of its weights, added in the order of the
 * rows. steps   in: looks at an entry that may be taken; out: those that were, whatever comes of it
 * Errors as there, LP_ERANGE also for a place outside of the matrix; LP_ELIMIT also where the steps
 * are not enough. At most 2 n^3 steps, about n^2 where each row has few entries; n^2 numbers. */
LpErr lp_match_sparse(const LpSparse *weight, uint32_t *out, double *value, uint64_t *steps,
                      LpDiag *diag) LP_MUST_USE;

/* The permutation of least total cost: every row gets a column. Costs of any sign; to forbid a
 * pair give it a cost above the sum of the others.
 *   cost    n x n, finite, at most 1e300 in size; out: n items, never LP_GRAPH_NONE.
 * Exactness and errors as above. O(n^3). */
LpErr lp_match_assignment(const double *cost, uint32_t n, uint32_t *out, LpDiag *diag) LP_MUST_USE;

/* The total weight of a matching, summed in the order of the rows, into *value. LP_EINVAL for a
 * weight (anywhere) that is not finite, LP_ERANGE for a column that does not exist or occurs
 * twice, LP_ELIMIT, LP_ENOMEM. O(rows columns). */
LpErr lp_match_value(const double *weight, uint32_t rows, uint32_t columns, const uint32_t *match,
                     double *value, LpDiag *diag) LP_MUST_USE;

/* A demand as a sum of weighted permutations: row i of term t is joined with column
 * match[t * n + i] for weight[t] (in the unit of the demand). */
typedef struct LpBvn {
    uint32_t n, terms;
    uint32_t *match;
    double *weight;
    double residue; /* what a row still lacks on average, in the unit of the demand; about 0 */
} LpBvn;

/* Decomposes a demand (Birkhoff 1946, von Neumann 1953): again and again a permutation over
 * positive entries, weighted with its least entry, which so becomes 0. At most n^2 - 2n + 2
 * terms where the sums of the demand are exact in a double (Marcus and Ree 1959), else at most one
 * per positive entry; weights are positive and in the order found. Not the fewest terms: that is
 * NP-hard. An all-zero demand has no terms.
 *   demand  n x n, finite, >= 0; all row and column sums equal that of row 1 within 1e-9.
 * Entries below 1e-12 of the row sum count as 0. The terms add up to the demand, entry by entry,
 * within 1e-6 of the row sum (within rounding where the sums are exactly equal).
 *   out     filled on success only; free with lp_match_bvn_free.
 * Errors: LP_EINVAL (NaN, infinite, negative, unequal sums, naming the row or column), LP_ERANGE
 * (a sum above 1e300), LP_ELIMIT (n above LP_MATCH_BVN_MAX), LP_ENOMEM. O(n^4), in practice
 * about n^3. */
LpErr lp_match_bvn(const double *demand, uint32_t n, LpBvn *out, LpDiag *diag) LP_MUST_USE;
/* lp_match_bvn for a matrix of which most entries are 0; n up to LP_MATCH_SIDE_MAX. steps: as of
 * lp_match_sparse; each row of a term counts as 32. LP_ERANGE, LP_ELIMIT also as there. */
LpErr lp_match_sparse_bvn(const LpSparse *demand, LpBvn *out, uint64_t *steps,
                          LpDiag *diag) LP_MUST_USE;
void lp_match_bvn_free(LpBvn *bvn); /* NULL and a zeroed one allowed */

#endif
