/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of distinct byte strings: numbers in order of arrival, found by content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "sim/store/intern.h"

static void numbers_are_dense_and_stable(void **state) {
    (void)state;
    LpIntern table = {0};
    char text[32];
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            uint64_t hash;
            uint32_t index;
            int len = snprintf(text, sizeof text, "%u", i);
            index = lp_intern_find(&table, text, (size_t)len, &hash);
            if (round == 0) {
                assert_int_equal(index, UINT32_MAX);
                assert_int_equal(lp_intern_add(&table, text, (size_t)len, hash, &index), LP_OK);
            }
            assert_int_equal(index, i);
        }
    assert_int_equal(table.count, 5000);
    lp_intern_fini(&table);
}

static void content_decides_not_the_hash(void **state) {
    (void)state;
    LpIntern table = {0};
    uint64_t hash, other;
    uint32_t index;
    assert_int_equal(lp_intern_find(&table, "abc", 3, &hash), UINT32_MAX);
    assert_int_equal(lp_intern_add(&table, "abc", 3, hash, &index), LP_OK);
    /* a second entry filed under the first one's hash is still another entry */
    assert_int_equal(lp_intern_add(&table, "xyz", 3, hash, &index), LP_OK);
    assert_int_equal(index, 1);
    assert_int_equal(lp_intern_find(&table, "abc", 3, &other), 0);
    assert_int_equal(lp_intern_find(&table, "ab", 2, &other), UINT32_MAX);
    lp_intern_fini(&table);
}

static void empty_strings_count(void **state) {
    (void)state;
    LpIntern table = {0};
    uint64_t hash;
    uint32_t index;
    assert_int_equal(lp_intern_find(&table, "", 0, &hash), UINT32_MAX);
    assert_int_equal(lp_intern_add(&table, "", 0, hash, &index), LP_OK);
    assert_int_equal(lp_intern_find(&table, "", 0, &hash), 0);
    lp_intern_fini(&table);
}

static void reserved_room_is_used(void **state) {
    (void)state;
    LpIntern table = {0};
    uint64_t hash;
    uint32_t index;
    assert_int_equal(lp_intern_reserve(&table, 1000, sizeof(uint64_t)), LP_OK);
    const void *entries = table.entry, *slots = table.slot;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(lp_intern_find(&table, &i, sizeof i, &hash), UINT32_MAX);
        assert_int_equal(lp_intern_add(&table, &i, sizeof i, hash, &index), LP_OK);
        assert_int_equal(index, i);
    }
    assert_ptr_equal(table.entry, entries);
    assert_ptr_equal(table.slot, slots);
    assert_int_equal(lp_intern_reserve(&table, 1, sizeof(uint64_t)), LP_OK);
    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(lp_intern_find(&table, &i, sizeof i, &hash), i);
    lp_intern_fini(&table);
}

TEST_GROUP(test_sim_intern) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserved_room_is_used), cmocka_unit_test(numbers_are_dense_and_stable),
        cmocka_unit_test(content_decides_not_the_hash), cmocka_unit_test(empty_strings_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
