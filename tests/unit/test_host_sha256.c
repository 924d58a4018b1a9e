/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of host/sha256: the examples that NIST published for FIPS 180-4, every length around a
 * block, and bytes in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "host/sha256.h"

static void published_examples(void **state) {
    (void)state;
    static const struct {
        const char *text, *digits;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
         "mnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    char out[LP_SHA256_HEX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(lp_sha256_of(rows[i].text, strlen(rows[i].text), out), rows[i].digits);
}

static void a_million_letters(void **state) {
    (void)state;
    char piece[1000], out[LP_SHA256_HEX];
    LpSha256 sha;
    memset(piece, 'a', sizeof piece);
    lp_sha256_begin(&sha);
    for (int i = 0; i < 1000; i++)
        lp_sha256_add(&sha, piece, sizeof piece);
    assert_string_equal(lp_sha256_end(&sha, out),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The digits of the digits of 0 to 130 bytes, as Python's hashlib has them. */
static void lengths_around_blocks(void **state) {
    (void)state;
    uint8_t bytes[131];
    char out[LP_SHA256_HEX];
    LpSha256 all;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + 3);
    lp_sha256_begin(&all);
    for (size_t len = 0; len < sizeof bytes; len++)
        lp_sha256_add(&all, lp_sha256_of(bytes, len, out), LP_SHA256_HEX - 1);
    assert_string_equal(lp_sha256_end(&all, out),
                        "d2742658eeae2e342e618f39ae52ef451168b58f37f0932d49a52eda7f546706");
}

static void pieces_make_no_difference(void **state) {
    (void)state;
    uint8_t bytes[200];
    char whole[LP_SHA256_HEX], parts[LP_SHA256_HEX];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(255 - i);
    lp_sha256_of(bytes, sizeof bytes, whole);
    for (size_t step = 1; step < sizeof bytes; step++) {
        LpSha256 sha;
        lp_sha256_begin(&sha);
        for (size_t at = 0; at < sizeof bytes; at += step)
            lp_sha256_add(&sha, bytes + at, at + step < sizeof bytes ? step : sizeof bytes - at);
        assert_string_equal(lp_sha256_end(&sha, parts), whole);
    }
}

TEST_GROUP(test_host_sha256) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(lengths_around_blocks),
        cmocka_unit_test(pieces_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
