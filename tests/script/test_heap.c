/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap of a Lua state: what comes back when it is restored, and how much is copied for that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "lab.h"
#include "script/sandbox/heap.h"

enum { BLOCKS = 300, LARGE = 20000 };

typedef struct Held {
    LpLuaHeap heap;
    LpHeapImage image;
    char *block[BLOCKS], *large, *copy;
} Held;

/* A heap with small blocks and a large one, all of them filled, kept as it is. */
static void hold(Held *h) {
    *h = (Held){0};
    assert_int_equal(lp_heap_open(&h->heap, 1 << 20, NULL), LP_OK);
    for (int i = 0; i < BLOCKS; i++) {
        assert_non_null(h->block[i] = lp_heap_take(&h->heap, 40));
        memset(h->block[i], i, 40);
    }
    assert_non_null(h->large = lp_heap_take(&h->heap, LARGE));
    memset(h->large, 7, LARGE);
    lp_heap_give(&h->heap, h->block[8], 40); /* something is free within */
    assert_int_equal(lp_heap_save(&h->heap, &h->image, NULL), LP_OK);
}

static void let_go(Held *h) {
    lp_heap_forget(&h->image);
    lp_heap_close(&h->heap);
}

static void check_filled(const Held *h) {
    char same[LARGE];
    for (int i = 0; i < BLOCKS; i++) {
        memset(same, i, 40);
        if (i != 8)
            assert_memory_equal(h->block[i], same, 40);
    }
    memset(same, 7, LARGE);
    assert_memory_equal(h->large, same, LARGE);
    assert_int_equal(h->heap.top, h->image.heap.top);
}

static void what_was_written_comes_back(void **state) {
    (void)state;
    Held h;
    hold(&h);
    LpRng rng = lp_rng_stream(1, "heap", 0);
    for (int round = 0; round < 600; round++) { /* the marks are forgotten twice meanwhile */
        uint64_t writes = lp_rng_below(&rng, 5);
        for (uint64_t i = 0; i < writes; i++)
            h.large[lp_rng_below(&rng, LARGE)] ^= (char)(1 + lp_rng_below(&rng, 255));
        uint64_t at = 9 + lp_rng_below(&rng, BLOCKS - 9);
        h.block[at][lp_rng_below(&rng, 40)] ^= 1;
        if (lp_rng_below(&rng, 2) > 0)
            lp_heap_give(&h.heap, h.block[at], 40);
        char *fresh = lp_heap_take(&h.heap, 1 + lp_rng_below(&rng, 5000));
        assert_non_null(fresh);
        *fresh = 1;
        assert_true(lp_heap_restore(&h.heap, &h.image) >= LP_HEAP_UNIT);
        check_filled(&h);
        if (round % 2) /* the same requests get the same blocks */
            assert_ptr_equal(lp_heap_take(&h.heap, 40), h.block[8]);
    }
    let_go(&h);
}

static void only_what_was_written_is_copied(void **state) {
    (void)state;
    Held h;
    hold(&h);
    assert_int_equal(lp_heap_restore(&h.heap, &h.image), 0);
    h.large[5 * LP_HEAP_UNIT] = 1;
    assert_int_equal(lp_heap_restore(&h.heap, &h.image), LP_HEAP_UNIT);
    assert_int_equal(lp_heap_restore(&h.heap, &h.image), LP_HEAP_UNIT); /* written before */
    memset(h.large, 1, LARGE);
    assert_true(lp_heap_restore(&h.heap, &h.image) >= LARGE);
    size_t copied = LARGE;
    for (int round = 0; round < 300; round++) /* one call that wrote much is forgotten */
        copied = lp_heap_restore(&h.heap, &h.image);
    assert_int_equal(copied, 0);
    check_filled(&h);
    let_go(&h);
}

/* A call of a policy that ships touches little of what the state holds. */
static void calls_copy_less_than_a_quarter(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_load_file(&lab, LP_SOURCEDIR "/scripts/max_parallelism.lua", NULL, 0),
                     LP_OK);
    enum { CALLS = 50 };
    for (int i = 0; i < CALLS; i++)
        assert_int_equal(lab_ask(&lab), LP_OK);
    uint64_t each = lp_policy_use(lab.policy).restored / CALLS;
    size_t whole = lp_policy_use(lab.policy).memory;
    if (each == 0 || each > whole / 4)
        fail_msg("%llu bytes copied a call of %zu", (unsigned long long)each, whole);
    lab_close(&lab);
}

TEST_GROUP(test_heap) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_comes_back),
        cmocka_unit_test(only_what_was_written_is_copied),
        cmocka_unit_test(calls_copy_less_than_a_quarter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
