/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of graph/match: against every possible matching of small matrices, against igraph on
 * larger ones, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "graph/lock.h"
#include "graph/match.h"
#include "group.h"

enum { SMALL = 6, LARGE = 40 };

/* The greatest total over all matchings of rows from `row` on (unmatched rows allowed). */
static double best_weight(const double *weight, uint32_t rows, uint32_t columns, uint32_t row,
                          unsigned taken) {
    if (row == rows)
        return 0;
    double best = best_weight(weight, rows, columns, row + 1, taken);
    for (uint32_t j = 0; j < columns; j++) {
        if (taken >> j & 1)
            continue;
        double total = weight[row * columns + j] +
                       best_weight(weight, rows, columns, row + 1, taken | 1u << j);
        if (total > best)
            best = total;
    }
    return best;
}

static double least_cost(const double *cost, uint32_t n, uint32_t row, unsigned taken) {
    if (row == n)
        return 0;
    double best = (double)INFINITY;
    for (uint32_t j = 0; j < n; j++) {
        if (taken >> j & 1)
            continue;
        double total = cost[row * n + j] + least_cost(cost, n, row + 1, taken | 1u << j);
        if (total < best)
            best = total;
    }
    return best;
}

static double value_of(const double *weight, uint32_t rows, uint32_t columns,
                       const uint32_t *match) {
    double value = -1;
    LpDiag diag;
    assert_int_equal(lp_match_value(weight, rows, columns, match, &value, &diag), LP_OK);
    return value;
}

static void fill(LpRng *rng, double *matrix, size_t items, uint64_t below, double shift,
                 bool whole) {
    for (size_t k = 0; k < items; k++)
        matrix[k] = whole ? (double)lp_rng_below(rng, below) + shift
                          : lp_rng_unit(rng) * (double)below + shift;
}

static void max_weight_is_the_best_of_all(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "max-weight", 0);
    double weight[SMALL * SMALL];
    uint32_t match[SMALL];
    for (int round = 0; round < 600; round++) {
        uint32_t rows = 1 + (uint32_t)lp_rng_below(&rng, SMALL);
        uint32_t columns = 1 + (uint32_t)lp_rng_below(&rng, SMALL);
        bool whole = round % 3 != 0;
        fill(&rng, weight, (size_t)rows * columns, round % 2 ? 4 : 1000, round % 5 ? 0 : -2, whole);
        assert_int_equal(lp_match_max_weight(weight, rows, columns, match, NULL), LP_OK);
        for (uint32_t i = 0; i < rows; i++)
            assert_true(match[i] == LP_GRAPH_NONE || weight[i * columns + match[i]] > 0);
        double best = best_weight(weight, rows, columns, 0, 0);
        double got = value_of(weight, rows, columns, match);
        assert_true(whole ? got == best : fabs(got - best) <= 1e-14 * best);
    }
}

static void assignment_is_the_best_of_all(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "assignment", 0);
    double cost[SMALL * SMALL];
    uint32_t match[SMALL];
    for (int round = 0; round < 400; round++) {
        uint32_t n = 1 + (uint32_t)lp_rng_below(&rng, SMALL);
        bool whole = round % 3 != 0;
        fill(&rng, cost, (size_t)n * n, round % 2 ? 4 : 1000, round % 5 ? 0 : -500, whole);
        assert_int_equal(lp_match_assignment(cost, n, match, NULL), LP_OK);
        for (uint32_t i = 0; i < n; i++)
            assert_true(match[i] < n);
        double best = least_cost(cost, n, 0, 0), got = value_of(cost, n, n, match);
        assert_true(whole ? got == best : fabs(got - best) <= 1e-12 * (1 + fabs(best)));
    }
}

/* A problem for igraph, and its answer. */
typedef struct Asked {
    const double *value; /* n times n */
    uint32_t n;
    double total;
} Asked;

/* igraph's solution of the same problem; integer weights, so that its comparisons are exact. */
static igraph_error_t match_inside(void *data) {
    Asked *asked = data;
    const double *weight = asked->value;
    const uint32_t n = asked->n;
    igraph_t graph;
    igraph_vector_t w;
    igraph_vector_bool_t side;
    igraph_real_t total = -1;
    igraph_integer_t size;
    igraph_vector_bool_init(&side, 0);
    igraph_full_bipartite(&graph, &side, n, n, false, IGRAPH_ALL);
    igraph_vector_init(&w, igraph_ecount(&graph));
    for (igraph_integer_t e = 0; e < igraph_ecount(&graph); e++)
        VECTOR(w)
    [e] =
        weight[IGRAPH_FROM(&graph, e) < n ? IGRAPH_FROM(&graph, e) * n + IGRAPH_TO(&graph, e) - n
                                          : IGRAPH_TO(&graph, e) * n + IGRAPH_FROM(&graph, e) - n];
    igraph_error_t code =
        igraph_maximum_bipartite_matching(&graph, &side, &size, &total, NULL, &w, 0);
    igraph_vector_destroy(&w);
    igraph_vector_bool_destroy(&side);
    igraph_destroy(&graph);
    asked->total = total;
    return code;
}

static double igraph_weight(const double *weight, uint32_t n) {
    Asked asked = {weight, n, 0};
    assert_int_equal(lp_igraph_do(match_inside, &asked, "a matching", NULL), LP_OK);
    return asked.total;
}

static igraph_error_t assign_inside(void *data) {
    Asked *asked = data;
    const double *cost = asked->value;
    const uint32_t n = asked->n;
    igraph_matrix_t c;
    igraph_vector_int_t found;
    igraph_matrix_init(&c, n, n);
    igraph_vector_int_init(&found, n);
    for (uint32_t k = 0; k < n * n; k++)
        MATRIX(c, k / n, k % n) = cost[k];
    igraph_error_t code = igraph_solve_lsap(&c, n, &found);
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += cost[i * n + (uint32_t)VECTOR(found)[i]];
    igraph_matrix_destroy(&c);
    igraph_vector_int_destroy(&found);
    asked->total = total;
    return code;
}

static double igraph_cost(const double *cost, uint32_t n) {
    Asked asked = {cost, n, 0};
    assert_int_equal(lp_igraph_do(assign_inside, &asked, "an assignment", NULL), LP_OK);
    return asked.total;
}

static void agrees_with_igraph(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "igraph", 0);
    double weight[LARGE * LARGE];
    uint32_t match[LARGE], again[LARGE];
    for (int round = 0; round < 30; round++) {
        fill(&rng, weight, LARGE * LARGE, round % 2 ? 30 : 1000000, 1, true);
        assert_int_equal(lp_match_max_weight(weight, LARGE, LARGE, match, NULL), LP_OK);
        assert_true(value_of(weight, LARGE, LARGE, match) == igraph_weight(weight, LARGE));
        assert_int_equal(lp_match_max_weight(weight, LARGE, LARGE, again, NULL), LP_OK);
        assert_memory_equal(match, again, sizeof match);
        assert_int_equal(lp_match_assignment(weight, LARGE, match, NULL), LP_OK);
        assert_true(value_of(weight, LARGE, LARGE, match) == igraph_cost(weight, LARGE));
    }
}

static void weight_counts_and_not_pairs(void **state) {
    (void)state;
    uint32_t match[2];
    assert_int_equal(lp_match_max_weight((double[]){5, 4, 4, 0}, 2, 2, match, NULL), LP_OK);
    assert_int_equal(match[0], 1);
    assert_int_equal(match[1], 0);
    assert_int_equal(lp_match_max_weight((double[]){5, 2, 2, 0}, 2, 2, match, NULL), LP_OK);
    assert_int_equal(match[0], 0);
    assert_true(match[1] == LP_GRAPH_NONE);
    assert_int_equal(lp_match_max_weight((double[]){-1, 0, -0.0, -5}, 2, 2, match, NULL), LP_OK);
    assert_true(match[0] == LP_GRAPH_NONE && match[1] == LP_GRAPH_NONE);
}

static void ties_go_by_order(void **state) {
    (void)state;
    double ones[4 * 4];
    uint32_t match[4];
    for (int k = 0; k < 16; k++)
        ones[k] = 1;
    assert_int_equal(lp_match_max_weight(ones, 4, 4, match, NULL), LP_OK);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(match[i], i);
}

static void matches_at_the_edges(void **state) {
    (void)state;
    uint32_t match[3] = {7, 7, 7};
    double value = 7;
    assert_int_equal(lp_match_max_weight(NULL, 0, 0, match, NULL), LP_OK);
    assert_int_equal(lp_match_max_weight(NULL, 0, 5, match, NULL), LP_OK);
    assert_int_equal(lp_match_assignment(NULL, 0, match, NULL), LP_OK);
    assert_int_equal(match[0], 7);
    assert_int_equal(lp_match_value(NULL, 0, 0, NULL, &value, NULL), LP_OK);
    assert_true(value == 0);
    assert_int_equal(lp_match_max_weight(NULL, 3, 0, match, NULL), LP_OK);
    assert_true(match[2] == LP_GRAPH_NONE);
    double extreme[] = {1e300, 1e-300, 1e-300, 1e300};
    assert_int_equal(lp_match_max_weight(extreme, 2, 2, match, NULL), LP_OK);
    assert_true(match[0] == 0 && match[1] == 1);
    double opposite[] = {1e300, -1e300, -1e300, 1e300};
    assert_int_equal(lp_match_assignment(opposite, 2, match, NULL), LP_OK);
    assert_true(match[0] == 1 && match[1] == 0);
}

static void matrices_are_checked(void **state) {
    (void)state;
    uint32_t match[2] = {7, 7};
    LpDiag diag;
    double bad[] = {1, 2, 3, (double)NAN};
    assert_int_equal(lp_match_max_weight(bad, 2, 2, match, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "row 2, column 2"));
    bad[3] = (double)INFINITY;
    assert_int_equal(lp_match_assignment(bad, 2, match, &diag), LP_EINVAL);
    bad[3] = -1e301;
    assert_int_equal(lp_match_assignment(bad, 2, match, &diag), LP_ERANGE);
    assert_int_equal(lp_match_max_weight(NULL, LP_MATCH_SIDE_MAX + 1, 1, match, &diag), LP_ELIMIT);
    assert_int_equal(lp_match_max_weight(NULL, 1, LP_MATCH_SIDE_MAX + 1, match, &diag), LP_ELIMIT);
    assert_int_equal(lp_match_assignment(NULL, UINT32_MAX, match, &diag), LP_ELIMIT);
    assert_true(match[0] == 7 && match[1] == 7);
}

static void values_check_the_matching(void **state) {
    (void)state;
    double weight[] = {1, 2, 3, 4}, value = 7;
    LpDiag diag;
    assert_true(value_of(weight, 2, 2, (uint32_t[]){1, LP_GRAPH_NONE}) == 2);
    assert_true(value_of(weight, 2, 2, (uint32_t[]){1, 0}) == 5);
    assert_int_equal(lp_match_value(weight, 2, 2, (uint32_t[]){1, 1}, &value, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "row 2"));
    assert_int_equal(lp_match_value(weight, 2, 2, (uint32_t[]){2, 0}, &value, &diag), LP_ERANGE);
    weight[0] = (double)NAN;
    assert_int_equal(lp_match_value(weight, 2, 2, (uint32_t[]){1, 0}, &value, &diag), LP_EINVAL);
    assert_true(value == 7);
}

/* Adds `count` random permutations to a zeroed demand. */
static void add_permutations(LpRng *rng, double *demand, uint32_t n, int count, bool whole) {
    uint32_t order[LARGE];
    for (int t = 0; t < count; t++) {
        double weight = whole ? (double)lp_rng_below(rng, 1000) : lp_rng_unit(rng);
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        for (uint32_t i = n; i-- > 1;) {
            uint32_t j = (uint32_t)lp_rng_below(rng, i + 1), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (uint32_t i = 0; i < n; i++)
            demand[i * n + order[i]] += weight;
    }
}

/* Takes the terms off the demand; returns the largest entry that is left. */
static double check_terms(double *demand, uint32_t n, const LpBvn *bvn) {
    double most = 0;
    for (uint32_t t = 0; t < bvn->terms; t++) {
        uint64_t columns = 0;
        assert_true(bvn->weight[t] > 0);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t j = bvn->match[t * n + i];
            assert_true(j < n && !(columns >> j & 1));
            columns |= (uint64_t)1 << j;
            demand[i * n + j] -= bvn->weight[t];
        }
    }
    for (uint32_t k = 0; k < n * n; k++)
        if (fabs(demand[k]) > most)
            most = fabs(demand[k]);
    return most;
}

static void bvn_terms_add_up_to_the_demand(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "bvn", 0);
    for (int round = 0; round < 200; round++) {
        uint32_t n = 1 + (uint32_t)lp_rng_below(&rng, round % 10 ? 8 : LARGE);
        double demand[LARGE * LARGE] = {0};
        bool whole = round % 2;
        add_permutations(&rng, demand, n, 1 + round, whole);
        LpBvn bvn = {0}, again = {0};
        assert_int_equal(lp_match_bvn(demand, n, &bvn, NULL), LP_OK);
        assert_int_equal(lp_match_bvn(demand, n, &again, NULL), LP_OK);
        assert_true(bvn.n == n && bvn.terms == again.terms);
        if (bvn.terms > 0) {
            assert_memory_equal(bvn.match, again.match, bvn.terms * n * sizeof *bvn.match);
            assert_memory_equal(bvn.weight, again.weight, bvn.terms * sizeof *bvn.weight);
        }
        assert_true(bvn.terms <= (whole ? n * n - 2 * n + 2 : n * n));
        assert_true(fabs(bvn.residue) <= (whole ? 0 : 1e-9));
        assert_true(check_terms(demand, n, &bvn) <= (whole ? 0 : 1e-9));
        lp_match_bvn_free(&bvn);
        lp_match_bvn_free(&again);
    }
}

static void bvn_of_little(void **state) {
    (void)state;
    LpBvn bvn = {0};
    assert_int_equal(lp_match_bvn(NULL, 0, &bvn, NULL), LP_OK);
    assert_int_equal(bvn.terms, 0);
    lp_match_bvn_free(&bvn);
    assert_int_equal(lp_match_bvn((double[]){0, 0, 0, 0}, 2, &bvn, NULL), LP_OK);
    assert_int_equal(bvn.terms, 0);
    lp_match_bvn_free(&bvn);
    assert_int_equal(lp_match_bvn((double[]){2.5}, 1, &bvn, NULL), LP_OK);
    assert_true(bvn.terms == 1 && bvn.weight[0] == 2.5 && bvn.match[0] == 0);
    lp_match_bvn_free(&bvn);
    lp_match_bvn_free(&bvn);
    lp_match_bvn_free(NULL);
}

/* Sums that differ by less than the tolerance leave a small residue, no failure. */
static void bvn_forgives_rounding(void **state) {
    (void)state;
    double demand[] = {1, 2, 2, 1 + 1e-10};
    LpBvn bvn = {0};
    assert_int_equal(lp_match_bvn(demand, 2, &bvn, NULL), LP_OK);
    assert_int_equal(bvn.terms, 2);
    assert_true(check_terms(demand, 2, &bvn) < 1e-9);
    lp_match_bvn_free(&bvn);
}

static void bvn_checks_the_demand(void **state) {
    (void)state;
    LpBvn bvn = {.terms = 7};
    LpDiag diag;
    assert_int_equal(lp_match_bvn((double[]){1, 0, 1, 0}, 2, &bvn, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "column 1"));
    assert_int_equal(lp_match_bvn((double[]){1, 0, 1, 1}, 2, &bvn, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "row 2"));
    assert_int_equal(lp_match_bvn((double[]){2, -1, -1, 2}, 2, &bvn, &diag), LP_EINVAL);
    assert_int_equal(lp_match_bvn((double[]){(double)NAN}, 1, &bvn, &diag), LP_EINVAL);
    assert_int_equal(lp_match_bvn((double[]){1e301}, 1, &bvn, &diag), LP_ERANGE);
    assert_int_equal(lp_match_bvn((double[]){0}, LP_MATCH_BVN_MAX + 1, &bvn, &diag), LP_ELIMIT);
    assert_int_equal(bvn.terms, 7);
}

TEST_GROUP(test_graph_match) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(max_weight_is_the_best_of_all),
        cmocka_unit_test(assignment_is_the_best_of_all),
        cmocka_unit_test(agrees_with_igraph),
        cmocka_unit_test(weight_counts_and_not_pairs),
        cmocka_unit_test(ties_go_by_order),
        cmocka_unit_test(matches_at_the_edges),
        cmocka_unit_test(matrices_are_checked),
        cmocka_unit_test(values_check_the_matching),
        cmocka_unit_test(bvn_terms_add_up_to_the_demand),
        cmocka_unit_test(bvn_of_little),
        cmocka_unit_test(bvn_forgives_rounding),
        cmocka_unit_test(bvn_checks_the_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
