/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings of greatest weight, assignments of least cost, the value of a matching. */
#include "graph/match.h"

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "graph/assign.h"

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
