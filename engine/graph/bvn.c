/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decomposition of a demand into permutations. The matching is kept from term to term: only
 * rows whose entry was used up look for another column. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "graph/match.h"
#include "graph/sparse.h"

static const double sums_equal = 1e-9;  /* relative to the larger of the two */
static const double entry_zero = 1e-12; /* relative to the sum of row 1 */
static const double sum_max = 1e300;
enum { ROW_STEPS = 32 }; /* of each row of a term */

typedef struct Work {
    uint32_t n;
    double zero;               /* entries up to here are set to 0 */
    double *left;              /* n x n, what is still to be covered */
    uint32_t *row_of, *col_of; /* the matching */
    uint32_t *previous;        /* of a column: the row it was reached from, or LP_GRAPH_NONE */
    uint32_t *queue;           /* rows */
    size_t cap_match, cap_weight;
    uint64_t steps, most; /* looks at an entry: so far, and allowed */
    LpBvn bvn;
} Work;

/* Checks that all rows or all columns add up to what row 1 does, which is set by the rows. */
static LpErr check_sums(const double *demand, uint32_t n, bool by_row, double *first,
                        LpDiag *diag) {
    for (uint32_t k = 0; k < n; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += demand[by_row ? (size_t)k * n + i : (size_t)i * n + k];
        if (sum > sum_max)
            return lp_fail(diag, LP_ERANGE,
                           "%s %u of the demand adds up to %g; at most %g is "
                           "supported",
                           by_row ? "row" : "column", k + 1, sum, sum_max);
        if (by_row && k == 0)
            *first = sum;
        if (fabs(sum - *first) > sums_equal * (sum > *first ? sum : *first))
            return lp_fail(diag, LP_EINVAL,
                           "%s %u of the demand adds up to %.17g, but row 1 to %.17g; all rows "
                           "and columns must add up to the same",
                           by_row ? "row" : "column", k + 1, sum, *first);
    }
    return LP_OK;
}

static LpErr check_demand(const double *demand, uint32_t n, double *sum, LpDiag *diag) {
    for (size_t k = 0; k < (size_t)n * n; k++)
        if (!isfinite(demand[k]) || demand[k] < 0)
            return lp_fail(diag, LP_EINVAL,
                           "the demand in row %u, column %u is %g; expected a "
                           "finite number of at least 0",
                           (unsigned)(k / n) + 1, (unsigned)(k % n) + 1, demand[k]);
    LP_TRY(check_sums(demand, n, true, sum, diag));
    return check_sums(demand, n, false, sum, diag);
}

static LpErr prepare(Work *w, const double *demand, LpDiag *diag) {
    size_t n = w->n;
    w->left = lp_alloc(n * n, sizeof *w->left);
    w->row_of = lp_alloc(n, sizeof *w->row_of);
    w->col_of = lp_alloc(n, sizeof *w->col_of);
    w->previous = lp_alloc(n, sizeof *w->previous);
    w->queue = lp_alloc(n, sizeof *w->queue);
    if (!w->left || !w->row_of || !w->col_of || !w->previous || !w->queue)
        return lp_fail_memory(diag, "a decomposition");
    for (size_t k = 0; k < n * n; k++)
        w->left[k] = demand[k] > w->zero ? demand[k] : 0;
    for (uint32_t i = 0; i < n; i++)
        w->row_of[i] = w->col_of[i] = LP_GRAPH_NONE;
    return LP_OK;
}

static void flip(Work *w, uint32_t free_column) {
    for (uint32_t j = free_column; j != LP_GRAPH_NONE;) {
        uint32_t i = w->previous[j], left = w->col_of[i];
        w->row_of[j] = i;
        w->col_of[i] = j;
        j = left;
    }
}

/* Finds a column for a row without one, others giving way; false where there is none. */
static bool match_row(Work *w, uint32_t row) {
    uint32_t n = w->n, head = 0, tail = 0;
    for (uint32_t j = 0; j < n; j++)
        w->previous[j] = LP_GRAPH_NONE;
    w->queue[tail++] = row;
    w->steps += n;
    while (head < tail && w->steps <= w->most) {
        uint32_t i = w->queue[head++];
        w->steps += n;
        for (uint32_t j = 0; j < n; j++) {
            if (w->left[(size_t)i * n + j] <= 0 || w->previous[j] != LP_GRAPH_NONE)
                continue;
            w->previous[j] = i;
            if (w->row_of[j] == LP_GRAPH_NONE) {
                flip(w, j);
                return true;
            }
            w->queue[tail++] = w->row_of[j];
        }
    }
    return false;
}

static bool match_all(Work *w) {
    for (uint32_t i = 0; i < w->n; i++)
        if (w->col_of[i] == LP_GRAPH_NONE && !match_row(w, i))
            return false;
    return true;
}

/* Takes the matching off the demand as a term; entries that are used up lose their pair. */
static LpErr take_term(Work *w, LpDiag *diag) {
    size_t n = w->n, terms = w->bvn.terms;
    if (lp_grow((void **)&w->bvn.match, &w->cap_match, (terms + 1) * n, sizeof *w->bvn.match) ||
        lp_grow((void **)&w->bvn.weight, &w->cap_weight, terms + 1, sizeof *w->bvn.weight))
        return lp_fail_memory(diag, "a decomposition");
    double least = DBL_MAX;
    w->steps += ROW_STEPS * (uint64_t)n;
    for (size_t i = 0; i < n; i++)
        if (w->left[i * n + w->col_of[i]] < least)
            least = w->left[i * n + w->col_of[i]];
    memcpy(w->bvn.match + terms * n, w->col_of, n * sizeof *w->col_of);
    w->bvn.weight[terms] = least;
    w->bvn.terms++;
    for (size_t i = 0; i < n; i++) {
        double *left = &w->left[i * n + w->col_of[i]];
        *left -= least;
        if (*left <= w->zero) {
            *left = 0;
            w->row_of[w->col_of[i]] = LP_GRAPH_NONE;
            w->col_of[i] = LP_GRAPH_NONE;
        }
    }
    return LP_OK;
}

static LpErr decompose(Work *w, LpDiag *diag) {
    /* ends: every term uses up an entry */
    while (match_all(w) && w->steps <= w->most)
        LP_TRY(take_term(w, diag));
    if (w->steps > w->most)
        return lp_fail(diag, LP_ELIMIT, "a decomposition of %u x %u takes more steps than %llu",
                       w->n, w->n, (unsigned long long)w->most);
    return LP_OK;
}

static LpErr decompose_within(const double *demand, uint32_t n, uint64_t *steps, LpBvn *out,
                              LpDiag *diag) {
    double sum = 0;
    uint64_t most = *steps;
    *steps = 0;
    LP_TRY(check_demand(demand, n, &sum, diag));
    Work w = {.n = n, .zero = sum * entry_zero, .most = most, .bvn = {.n = n}};
    LpErr err = prepare(&w, demand, diag);
    if (err == LP_OK && sum > 0)
        err = decompose(&w, diag);
    if (err == LP_OK) {
        w.bvn.residue = sum;
        for (uint32_t t = 0; t < w.bvn.terms; t++)
            w.bvn.residue -= w.bvn.weight[t];
        *out = w.bvn;
        w.bvn = (LpBvn){0};
    }
    *steps = w.steps;
    lp_free(w.left);
    lp_free(w.row_of);
    lp_free(w.col_of);
    lp_free(w.previous);
    lp_free(w.queue);
    lp_match_bvn_free(&w.bvn);
    return err;
}

LpErr lp_match_bvn(const double *demand, uint32_t n, LpBvn *out, LpDiag *diag) {
    uint64_t steps = UINT64_MAX;
    if (n > LP_MATCH_BVN_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "a demand of %u x %u is too large to decompose; at most "
                       "%d x %d is supported",
                       n, n, LP_MATCH_BVN_MAX, LP_MATCH_BVN_MAX);
    return decompose_within(demand, n, &steps, out, diag);
}

LpErr lp_match_sparse_bvn(const LpSparse *demand, LpBvn *out, uint64_t *steps, LpDiag *diag) {
    LpErr err;
    double *full = lp_sparse_fill(demand, "demand", diag, &err);
    if (full == NULL) {
        *steps = 0;
        return err;
    }
    err = decompose_within(full, demand->n, steps, out, diag);
    lp_free(full);
    return err;
}

void lp_match_bvn_free(LpBvn *bvn) {
    if (!bvn)
        return;
    lp_free(bvn->match);
    lp_free(bvn->weight);
    *bvn = (LpBvn){0};
}
