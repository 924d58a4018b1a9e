/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/hash: fixed values (computed by an independent program), alignment, spread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/hash.h"
#include "group.h"

static void words_have_fixed_values(void **state) {
    (void)state;
    /* The first is also the published second output of splitmix64 from state 0. */
    assert_true(lp_hash_u64(LP_HASH_INIT, 0) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(lp_hash_u64(LP_HASH_INIT, 1) == UINT64_C(0xe99ff867dbf682c9));
    assert_true(lp_hash_u64(LP_HASH_INIT, UINT64_MAX) == UINT64_C(0xb4d055fcf2cbbd7b));
}

static void bytes_have_fixed_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } rows[] = {
        {"", UINT64_C(0x6e789e6aa1b965f4)},
        {"a", UINT64_C(0x74577a5562d6982e)},
        {"abcdefg", UINT64_C(0x1ae34bc70b71c3eb)},
        {"abcdefgh", UINT64_C(0x96c0f7c1e8a6a2db)},
        {"abcdefghi", UINT64_C(0x0ed9d766031fcff3)},
        {"lightpath: 16 byt", UINT64_C(0x1dcb73ef1aca9241)},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        assert_true(lp_hash_text(LP_HASH_INIT, rows[i].text) == rows[i].hash);
        assert_true(lp_hash_bytes(LP_HASH_INIT, rows[i].text, strlen(rows[i].text)) ==
                    rows[i].hash);
    }
    unsigned char bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(255 - i);
    assert_true(lp_hash_bytes(LP_HASH_INIT, bytes, sizeof bytes) == UINT64_C(0x58639187d3820d24));
}

static void doubles_hash_by_value(void **state) {
    (void)state;
    double zero = 0.0, quiet = zero / zero, loud;
    uint64_t other_nan = UINT64_C(0xfff8000000001234);
    memcpy(&loud, &other_nan, sizeof loud);
    assert_true(lp_hash_f64(LP_HASH_INIT, 1.0) == UINT64_C(0xf80a07838228f8ba));
    assert_true(lp_hash_f64(LP_HASH_INIT, 0.0) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(lp_hash_f64(LP_HASH_INIT, -0.0) == lp_hash_f64(LP_HASH_INIT, 0.0));
    assert_true(lp_hash_f64(LP_HASH_INIT, quiet) == UINT64_C(0x1368e32399cb37e3));
    assert_true(lp_hash_f64(LP_HASH_INIT, loud) == lp_hash_f64(LP_HASH_INIT, quiet));
    assert_true(lp_hash_f64(LP_HASH_INIT, -1.0) != lp_hash_f64(LP_HASH_INIT, 1.0));
    assert_true(lp_hash_f64(LP_HASH_INIT, 1.0) != lp_hash_f64(LP_HASH_INIT, 0x1.0000000000001p0));
}

static void alignment_does_not_matter(void **state) {
    (void)state;
    static const char text[] = "the same thirty-one bytes, moved";
    char room[sizeof text + 16];
    uint64_t want = lp_hash_bytes(1, text, sizeof text);
    for (size_t offset = 0; offset < 16; offset++) {
        memset(room, (int)offset, sizeof room);
        memcpy(room + offset, text, sizeof text);
        assert_true(lp_hash_bytes(1, room + offset, sizeof text) == want);
    }
}

static void length_and_order_matter(void **state) {
    (void)state;
    static const char zeros[64] = {0};
    for (size_t a = 0; a < sizeof zeros; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(lp_hash_bytes(1, zeros, a) != lp_hash_bytes(1, zeros, b));
    uint64_t ab = lp_hash_u64(lp_hash_u64(1, 10), 20), ba = lp_hash_u64(lp_hash_u64(1, 20), 10);
    assert_true(ab != ba);
    uint64_t split = lp_hash_text(lp_hash_text(1, "ab"), "c");
    assert_true(split != lp_hash_text(lp_hash_text(1, "a"), "bc"));
    assert_true(split != lp_hash_text(1, "abc"));
}

static void no_text_is_the_empty_text(void **state) {
    (void)state;
    assert_true(lp_hash_text(7, NULL) == lp_hash_text(7, ""));
    assert_true(lp_hash_bytes(7, NULL, 0) == lp_hash_text(7, ""));
    assert_true(lp_hash_text(7, "") != 7);
}

/* Each input bit must flip each output bit about half of the time. */
static void bits_avalanche(void **state) {
    (void)state;
    enum { TRIALS = 1000 };
    for (int in = 0; in < 64; in++) {
        int flips[64] = {0};
        for (uint64_t t = 0; t < TRIALS; t++) {
            uint64_t x = lp_hash_u64(3, t);
            uint64_t diff = lp_hash_u64(9, x) ^ lp_hash_u64(9, x ^ UINT64_C(1) << in);
            for (int out = 0; out < 64; out++)
                flips[out] += (int)(diff >> out & 1);
        }
        for (int out = 0; out < 64; out++)
            assert_true(flips[out] >= TRIALS * 2 / 5 && flips[out] <= TRIALS * 3 / 5);
    }
}

static void hex_has_sixteen_digits(void **state) {
    (void)state;
    char buf[LP_HASH_HEX];
    assert_ptr_equal(lp_hash_hex(0, buf), buf);
    assert_string_equal(buf, "0000000000000000");
    assert_string_equal(lp_hash_hex(UINT64_C(0x0123456789abcdef), buf), "0123456789abcdef");
    assert_string_equal(lp_hash_hex(UINT64_MAX, buf), "ffffffffffffffff");
}

TEST_GROUP(test_base_hash) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_fixed_values), cmocka_unit_test(bytes_have_fixed_values),
        cmocka_unit_test(doubles_hash_by_value),   cmocka_unit_test(alignment_does_not_matter),
        cmocka_unit_test(length_and_order_matter), cmocka_unit_test(no_text_is_the_empty_text),
        cmocka_unit_test(bits_avalanche),          cmocka_unit_test(hex_has_sixteen_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
