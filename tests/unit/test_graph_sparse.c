/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matchings and decompositions of matrices that are given by their entries are those of the whole
 * matrix, and stop where their steps are used up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "graph/match.h"
#include "group.h"

enum { MOST = 24, ENTRIES = MOST * MOST };

typedef struct Both {
    double full[ENTRIES];
    uint32_t row[ENTRIES], column[ENTRIES];
    double value[ENTRIES];
    LpSparse sparse;
} Both;

static void set(Both *b, uint32_t n, uint32_t row, uint32_t column, double value) {
    uint32_t k = b->sparse.entries++;
    b->row[k] = row;
    b->column[k] = column;
    b->value[k] = b->full[row * n + column] = value;
}

static void begin(Both *b, uint32_t n) {
    memset(b, 0, sizeof *b);
    b->sparse = (LpSparse){n, 0, b->row, b->column, b->value};
}

/* Few entries or many, whole so that there are ties, or not. */
static void fill(LpRng *rng, Both *b, uint32_t n, bool whole) {
    uint32_t of = 1 + (uint32_t)lp_rng_below(rng, 12);
    begin(b, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (lp_rng_below(rng, of) == 0)
                set(b, n, i, j, whole ? (double)lp_rng_below(rng, 4) - 1 : 9 * lp_rng_unit(rng));
}

static void matches_as_the_whole_matrix(void **state) {
    (void)state;
    static Both b;
    LpRng rng = lp_rng_stream(1, "sparse", 0);
    for (int round = 0; round < 400; round++) {
        uint32_t n = (uint32_t)lp_rng_below(&rng, MOST + 1), whole[MOST], match[MOST];
        uint64_t steps = UINT64_MAX;
        double sum, value;
        fill(&rng, &b, n, round % 2);
        assert_int_equal(lp_match_max_weight(b.full, n, n, whole, NULL), LP_OK);
        assert_int_equal(lp_match_value(b.full, n, n, whole, &sum, NULL), LP_OK);
        assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, NULL), LP_OK);
        assert_memory_equal(match, whole, n * sizeof *match);
        assert_true(value == sum);
        assert_true(n == 0 ? steps == 0 : steps >= (uint64_t)n * n);
    }
}

static void decomposes_as_the_whole_matrix(void **state) {
    (void)state;
    static Both b;
    LpRng rng = lp_rng_stream(1, "sparse terms", 0);
    for (int round = 0; round < 100; round++) {
        uint32_t n = 1 + (uint32_t)lp_rng_below(&rng, MOST);
        uint64_t steps = UINT64_MAX;
        LpBvn whole = {0}, found = {0};
        begin(&b, n);
        for (uint32_t by = 0; by < 1 + (uint32_t)round % 5 && by < n; by++)
            for (uint32_t i = 0; i < n; i++)
                set(&b, n, i, (i + by) % n, 1 + by);
        assert_int_equal(lp_match_bvn(b.full, n, &whole, NULL), LP_OK);
        assert_int_equal(lp_match_sparse_bvn(&b.sparse, &found, &steps, NULL), LP_OK);
        assert_int_equal(found.terms, whole.terms);
        assert_memory_equal(found.match, whole.match, found.terms * n * sizeof *found.match);
        assert_memory_equal(found.weight, whole.weight, found.terms * sizeof *found.weight);
        assert_true(found.residue == whole.residue && steps > 0);
        lp_match_bvn_free(&whole);
        lp_match_bvn_free(&found);
    }
}

static void steps_are_kept_to(void **state) {
    (void)state;
    static Both b;
    begin(&b, MOST);
    for (uint32_t i = 0; i < MOST; i++)
        for (uint32_t j = 0; j < MOST; j++)
            set(&b, MOST, i, j, (i + 1) * (j + 1));
    uint32_t match[MOST];
    uint64_t steps = UINT64_MAX, enough;
    double value = -1;
    LpBvn bvn = {0};
    LpDiag diag;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, NULL), LP_OK);
    enough = steps;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, NULL), LP_OK);
    assert_true(steps == enough);
    value = -1;
    steps = enough / 2;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, &diag), LP_ELIMIT);
    assert_true(value == -1 && steps > enough / 2 && steps < enough);
    for (uint32_t k = 0; k < ENTRIES; k++)
        b.value[k] = 1;
    steps = 1000;
    assert_int_equal(lp_match_sparse_bvn(&b.sparse, &bvn, &steps, &diag), LP_ELIMIT);
    assert_true(bvn.match == NULL && steps > 1000);
}

static void places_are_checked(void **state) {
    (void)state;
    static Both b;
    uint32_t match[MOST];
    uint64_t steps = UINT64_MAX;
    double value;
    LpBvn bvn = {0};
    LpDiag diag;
    begin(&b, 2);
    set(&b, 2, 0, 1, 5);
    b.column[0] = 2;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, &diag), LP_ERANGE);
    assert_string_equal(diag.text, "entry 1 lies in row 1, column 3 of 2");
    assert_int_equal(lp_match_sparse_bvn(&b.sparse, &bvn, &steps, &diag), LP_ERANGE);
    begin(&b, 1);
    set(&b, 1, 0, 0, 1e301);
    steps = UINT64_MAX;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, &diag), LP_ERANGE);
    b.sparse.n = LP_MATCH_SIDE_MAX + 1;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, &diag), LP_ELIMIT);
    begin(&b, 1);
    set(&b, 1, 0, 0, 3);
    set(&b, 1, 0, 0, 4); /* the last one counts */
    steps = UINT64_MAX;
    assert_int_equal(lp_match_sparse(&b.sparse, match, &value, &steps, &diag), LP_OK);
    assert_true(value == 4 && match[0] == 0);
}

TEST_GROUP(test_graph_sparse) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_as_the_whole_matrix),
        cmocka_unit_test(decomposes_as_the_whole_matrix),
        cmocka_unit_test(steps_are_kept_to),
        cmocka_unit_test(places_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
