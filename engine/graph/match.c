/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings of greatest weight, assignments of least cost, the value of a matching. */
#include "graph/match.h"

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "graph/assign.h"
#include "graph/sparse.h"

/* Potentials are sums of up to a thousand entries: this keeps them far from overflow. */
static const double entry_max = 1e300;

static LpErr check_matrix(const double *matrix, uint32_t rows, uint32_t columns, const char *what,
                          LpDiag *diag) {
    if (rows > LP_MATCH_SIDE_MAX || columns > LP_MATCH_SIDE_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "a %s matrix of %u x %u is too large; at most %d x %d is "
                       "supported",
                       what, rows, columns, LP_MATCH_SIDE_MAX, LP_MATCH_SIDE_MAX);
    for (size_t k = 0; k < (size_t)rows * columns; k++) {
        unsigned row = (unsigned)(k / columns) + 1, column = (unsigned)(k % columns) + 1;
        if (!isfinite(matrix[k]))
            return lp_fail(diag, LP_EINVAL,
                           "the %s in row %u, column %u is %g; expected a finite number", what, row,
                           column, matrix[k]);
        if (fabs(matrix[k]) > entry_max)
            return lp_fail(diag, LP_ERANGE,
                           "the %s in row %u, column %u is %g; expected at most %g in size", what,
                           row, column, matrix[k], entry_max);
    }
    return LP_OK;
}

/* Costs whose cheapest assignment is the heaviest matching: useless pairs cost nothing, like no
 * pair at all. Turned so that there are no more rows than columns. */
static double *costs_of(const double *weight, uint32_t rows, uint32_t columns, bool turned) {
    double *cost = lp_alloc((size_t)rows * columns, sizeof *cost);
    if (!cost)
        return NULL;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            double w = weight[(size_t)i * columns + j];
            cost[turned ? (size_t)j * rows + i : (size_t)i * columns + j] = w > 0 ? -w : 0;
        }
    return cost;
}

/* Solves into `found` and keeps the pairs that are worth something. */
static LpErr match_by_cost(const double *weight, uint32_t rows, uint32_t columns,
                           const double *cost, uint32_t *found, uint32_t *out, LpDiag *diag) {
    bool turned = rows > columns;
    uint32_t shorter = turned ? columns : rows, longer = turned ? rows : columns;
    LP_TRY(lp_assign_solve(cost, shorter, longer, found, diag));
    for (uint32_t i = 0; i < rows; i++)
        out[i] = LP_GRAPH_NONE;
    for (uint32_t k = 0; k < shorter; k++) {
        uint32_t row = turned ? found[k] : k, column = turned ? k : found[k];
        if (weight[(size_t)row * columns + column] > 0)
            out[row] = column;
    }
    return LP_OK;
}

LpErr lp_match_max_weight(const double *weight, uint32_t rows, uint32_t columns, uint32_t *out,
                          LpDiag *diag) {
    LP_TRY(check_matrix(weight, rows, columns, "weight", diag));
    double *cost = costs_of(weight, rows, columns, rows > columns);
    uint32_t *found = lp_alloc(rows < columns ? rows : columns, sizeof *found);
    LpErr err = LP_ENOMEM;
    if (cost && found)
        err = match_by_cost(weight, rows, columns, cost, found, out, diag);
    else
        lp_fail_memory(diag, "a matching");
    lp_free(cost);
    lp_free(found);
    return err;
}

double *lp_sparse_fill(const LpSparse *sparse, const char *what, LpDiag *diag, LpErr *err) {
    uint32_t n = sparse->n;
    *err = LP_ELIMIT;
    if (n > LP_MATCH_SIDE_MAX) {
        (void)lp_fail(diag, LP_ELIMIT,
                      "a %s matrix of %u x %u is too large; at most %d x %d is supported", what, n,
                      n, LP_MATCH_SIDE_MAX, LP_MATCH_SIDE_MAX);
        return NULL;
    }
    double *full = lp_alloc((size_t)n * n, sizeof *full);
    *err = full != NULL ? LP_OK : lp_fail_memory(diag, "a matrix");
    for (uint32_t k = 0; *err == LP_OK && k < sparse->entries; k++) {
        if (sparse->row[k] >= n || sparse->column[k] >= n)
            *err = lp_fail(diag, LP_ERANGE, "entry %u lies in row %u, column %u of %u", k + 1,
                           sparse->row[k] + 1, sparse->column[k] + 1, n);
        else
            full[(size_t)sparse->row[k] * n + sparse->column[k]] = sparse->value[k];
    }
    if (*err == LP_OK)
        return full;
    lp_free(full);
    return NULL;
}

LpErr lp_match_sparse(const LpSparse *weight, uint32_t *out, double *value, uint64_t *steps,
                      LpDiag *diag) {
    uint32_t n = weight->n;
    uint64_t most = *steps;
    LpErr err;
    *steps = 0;
    double *cost = lp_sparse_fill(weight, "weight", diag, &err);
    if (cost == NULL)
        return err;
    uint32_t *found = lp_alloc(n, sizeof *found);
    err = found != NULL ? check_matrix(cost, n, n, "weight", diag)
                        : lp_fail_memory(diag, "a matching");
    for (size_t k = 0; k < (size_t)n * n; k++)
        cost[k] = cost[k] > 0 ? -cost[k] : 0; /* as costs_of */
    *steps = most;
    if (err == LP_OK)
        err = lp_assign_within(cost, n, n, found, steps, diag);
    double sum = 0;
    for (uint32_t i = 0; err == LP_OK && i < n; i++) {
        double its = -cost[(size_t)i * n + found[i]];
        out[i] = its > 0 ? found[i] : LP_GRAPH_NONE;
        sum += its > 0 ? its : 0;
    }
    if (err == LP_OK)
        *value = sum;
    lp_free(cost);
    lp_free(found);
    return err;
}

LpErr lp_match_assignment(const double *cost, uint32_t n, uint32_t *out, LpDiag *diag) {
    LP_TRY(check_matrix(cost, n, n, "cost", diag));
    return lp_assign_solve(cost, n, n, out, diag);
}

static LpErr check_match(const uint32_t *match, uint32_t rows, uint32_t columns, bool *taken,
                         LpDiag *diag) {
    for (uint32_t i = 0; i < rows; i++) {
        if (match[i] == LP_GRAPH_NONE)
            continue;
        if (match[i] >= columns)
            return lp_fail(diag, LP_ERANGE,
                           "row %u is matched to column %u, but there are %u "
                           "columns",
                           i + 1, match[i] + 1, columns);
        if (taken[match[i]])
            return lp_fail(diag, LP_ERANGE,
                           "row %u is matched to column %u, which an earlier row "
                           "already has",
                           i + 1, match[i] + 1);
        taken[match[i]] = true;
    }
    return LP_OK;
}

LpErr lp_match_value(const double *weight, uint32_t rows, uint32_t columns, const uint32_t *match,
                     double *value, LpDiag *diag) {
    LP_TRY(check_matrix(weight, rows, columns, "weight", diag));
    bool *taken = lp_alloc(columns, sizeof *taken);
    if (!taken)
        return lp_fail_memory(diag, "the value of a matching");
    LpErr err = check_match(match, rows, columns, taken, diag);
    lp_free(taken);
    LP_TRY(err);
    double sum = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (match[i] != LP_GRAPH_NONE)
            sum += weight[(size_t)i * columns + match[i]];
    *value = sum;
    return LP_OK;
}
