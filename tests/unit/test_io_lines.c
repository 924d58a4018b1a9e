/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/lines and unpack: lines of files that are as they are or packed, and every way in
 * which they can be damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "io/files/file.h"
#include "io/files/lines.h"
#include "unpack/unpack.h"

enum { ROOM = 1 << 22 };

/* One file, written anew by each test. */
static char FILE_NAME[] = "/tmp/lightpath-lines-XXXXXX";

static void put(const void *bytes, size_t len) {
    FILE *file = fopen(FILE_NAME, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

/* A gzip member. */
static size_t pack(const void *bytes, size_t len, unsigned char *out, size_t room) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)len;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = room - z.avail_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return made;
}

static void expect_lines(const char *const *line, int count) {
    LpLineFile *lines;
    LpDiag diag = {0};
    char *text;
    size_t len;
    assert_int_equal(lp_lines_open(FILE_NAME, 0, &lines, &diag), LP_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(lp_lines_next(lines, &text, &len, &diag), LP_OK);
        assert_non_null(text);
        assert_string_equal(text, line[i]);
        assert_int_equal(len, strlen(line[i]));
        assert_int_equal(lp_lines_number(lines), i + 1);
    }
    assert_int_equal(lp_lines_next(lines, &text, &len, &diag), LP_OK);
    assert_null(text);
    assert_int_equal(lp_lines_next(lines, &text, &len, &diag), LP_OK);
    assert_null(text);
    lp_lines_close(lines);
}

/* What reading all lines fails with. */
static LpErr failure(uint64_t max, LpDiag *diag) {
    LpLineFile *lines;
    char *text;
    size_t len;
    LpErr err = lp_lines_open(FILE_NAME, max, &lines, diag);
    if (err != LP_OK)
        return err;
    do
        err = lp_lines_next(lines, &text, &len, diag);
    while (err == LP_OK && text != NULL);
    lp_lines_close(lines);
    return err;
}

static void test_lines_end_as_any_system_ends_them(void **state) {
    static const char *const three[] = {"a", "", "c d"};
    (void)state;
    put("a\n\nc d", 6);
    expect_lines(three, 3);
    put("\xef\xbb\xbf"
        "a\r\n\r\nc d\r\n",
        13);
    expect_lines(three, 3);
    put("", 0);
    expect_lines(NULL, 0);
    put("\xef\xbb\xbf", 3);
    expect_lines(NULL, 0);
}

static void test_members_follow_one_another(void **state) {
    static const char *const three[] = {"one", "two", "three"};
    unsigned char packed[512];
    (void)state;
    size_t len = pack("one\ntw", 6, packed, sizeof packed);
    len += pack("", 0, packed + len, sizeof packed - len);
    len += pack("o\nthree\n", 8, packed + len, sizeof packed - len);
    put(packed, len);
    expect_lines(three, 3);
}

/* More than any buffer holds, so that members, lines and blocks end at all sorts of places. */
static void test_a_long_file_is_the_same_packed_and_not(void **state) {
    char *text = malloc(ROOM);
    unsigned char *packed = malloc(ROOM);
    uint64_t sum[2] = {0, 0}, count[2] = {0, 0};
    size_t len = 0;
    (void)state;
    assert_non_null(text);
    assert_non_null(packed);
    for (int i = 0; len + 4000 < ROOM; i++)
        len += (size_t)sprintf(text + len, "%d%*s%d\n", i, i % 3001, "", i * 7);
    for (int way = 0; way < 2; way++) {
        LpLineFile *lines;
        LpDiag diag;
        char *line;
        size_t n;
        if (way == 0)
            put(text, len);
        else
            put(packed, pack(text, len, packed, ROOM));
        assert_int_equal(lp_lines_open(FILE_NAME, 0, &lines, &diag), LP_OK);
        while (lp_lines_next(lines, &line, &n, &diag) == LP_OK && line != NULL) {
            sum[way] = sum[way] * 31 + n + (unsigned char)line[n - 1];
            count[way]++;
        }
        lp_lines_close(lines);
    }
    assert_true(count[0] > 1000);
    assert_int_equal(count[0], count[1]);
    assert_int_equal(sum[0], sum[1]);
    free(text);
    free(packed);
}

static void test_damage_is_told_with_its_byte(void **state) {
    unsigned char packed[512];
    LpDiag diag;
    (void)state;
    size_t len = pack("a line\nand another\n", 19, packed, sizeof packed);
    put(packed, len - 1);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
    assert_non_null(strstr(diag.text, "end before their end"));
    memcpy(packed + len, "junk", 4);
    put(packed, len + 4);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
    char place[64];
    snprintf(place, sizeof place, "byte %zu: what follows", len);
    assert_non_null(strstr(diag.text, place));
    packed[len - 6] ^= 1; /* of the sum */
    put(packed, len);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
    assert_non_null(strstr(diag.text, "byte "));
    put("\x1f\x8b\x07\x00\x00\x00\x00\x00", 8);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
}

static void test_every_cut_is_an_error(void **state) {
    unsigned char packed[512];
    LpDiag diag;
    (void)state;
    size_t len = pack("some text to be packed\n", 23, packed, sizeof packed);
    for (size_t cut = 2; cut < len; cut++) {
        put(packed, cut);
        assert_int_equal(failure(0, &diag), LP_EPARSE);
    }
    put(packed, len);
    assert_int_equal(failure(0, &diag), LP_OK);
}

static void test_a_limit_counts_what_is_unpacked(void **state) {
    static char zeros[1 << 20];
    static unsigned char packed[1 << 14];
    LpDiag diag;
    char *text;
    size_t len;
    (void)state;
    memset(zeros, 'z', sizeof zeros);
    for (size_t i = 99; i < sizeof zeros; i += 100)
        zeros[i] = '\n';
    size_t small = pack(zeros, sizeof zeros, packed, sizeof packed);
    assert_true(small < 10000);
    put(packed, small);
    assert_int_equal(failure(10000, &diag), LP_ELIMIT);
    assert_non_null(strstr(diag.text, "10000 bytes unpacked"));
    assert_int_equal(failure(1 << 20, &diag), LP_OK);
    assert_int_equal(lp_file_read(FILE_NAME, 10000, &text, &len, &diag), LP_ELIMIT);
    assert_int_equal(lp_file_read(FILE_NAME, 1 << 20, &text, &len, &diag), LP_OK);
    assert_int_equal(len, sizeof zeros);
    assert_memory_equal(text, zeros, len);
    lp_free(text);
}

static void test_a_nul_is_no_text(void **state) {
    LpDiag diag;
    (void)state;
    put("one\ntw\0o\n", 9);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.col, 3);
}

/* "one\ntwo\n" by zstd 1.5.4: a frame with its content size and a raw block. */
static void test_zstd(void **state) {
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x08, 0x41, 0x00, 0x00,
                                          'o',  'n',  'e',  '\n', 't',  'w',  'o',  '\n'};
    static const char *const two[] = {"one", "two"};
    LpUnpack *unpack;
    LpDiag diag;
    (void)state;
    assert_int_equal(lp_container_of(frame, 4), LP_CONTAINER_ZSTD);
    assert_int_equal(lp_container_of(frame, 3), LP_CONTAINER_NONE);
    if (lp_unpack_new(LP_CONTAINER_ZSTD, &unpack, &diag) != LP_OK) {
        assert_non_null(strstr(diag.text, "libzstd1")); /* the package that has it */
        skip();
    }
    lp_unpack_free(unpack);
    put(frame, sizeof frame);
    expect_lines(two, 2);
    put(frame, sizeof frame - 1);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
    put("\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff", 11);
    assert_int_equal(failure(0, &diag), LP_EPARSE);
}

static void test_the_head_takes_nothing(void **state) {
    LpLineFile *lines;
    LpDiag diag;
    const char *head;
    char *line;
    size_t len;
    (void)state;
    put("\xef\xbb\xbf"
        "first\nsecond\n",
        16);
    assert_int_equal(lp_lines_open(FILE_NAME, 0, &lines, &diag), LP_OK);
    assert_int_equal(lp_lines_head(lines, &head, &len, &diag), LP_OK);
    assert_int_equal(len, 13);
    assert_memory_equal(head, "first\nsecond\n", 13);
    assert_int_equal(lp_lines_next(lines, &line, &len, &diag), LP_OK);
    assert_string_equal(line, "first");
    lp_lines_close(lines);
    assert_int_equal(lp_lines_open("/tmp", 0, &lines, &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "folder"));
    assert_int_equal(lp_lines_open("/tmp/there-is-no-such-file", 0, &lines, &diag), LP_EIO);
}

static void test_bytes_and_the_rest(void **state) {
    LpLineFile *lines;
    LpDiag diag;
    char *line, *rest;
    size_t len;
    (void)state;
    put("a\nb\0c", 5);
    assert_int_equal(lp_lines_open(FILE_NAME, 0, &lines, &diag), LP_OK);
    assert_int_equal(lp_lines_next(lines, &line, &len, &diag), LP_OK);
    assert_int_equal(lp_lines_rest(lines, false, &rest, &len, &diag), LP_OK);
    assert_int_equal(len, 3);
    assert_memory_equal(rest, "b\0c", 4);
    lp_free(rest);
    assert_int_equal(lp_lines_rest(lines, true, &rest, &len, &diag), LP_OK);
    assert_int_equal(len, 0);
    lp_free(rest);
    lp_lines_close(lines);
    assert_int_equal(lp_lines_open(FILE_NAME, 0, &lines, &diag), LP_OK);
    assert_int_equal(lp_lines_rest(lines, true, &rest, &len, &diag), LP_EPARSE);
    lp_lines_close(lines);
}

/* A name of this process alone, so that two runs on one machine do not meet. */
static int make_file(void **state) {
    (void)state;
    int file = mkstemp(FILE_NAME);
    return file >= 0 ? close(file) : -1;
}

static int drop(void **state) {
    (void)state;
    return remove(FILE_NAME);
}

TEST_GROUP(test_io_lines) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_end_as_any_system_ends_them),
        cmocka_unit_test(test_members_follow_one_another),
        cmocka_unit_test(test_a_long_file_is_the_same_packed_and_not),
        cmocka_unit_test(test_damage_is_told_with_its_byte),
        cmocka_unit_test(test_every_cut_is_an_error),
        cmocka_unit_test(test_a_limit_counts_what_is_unpacked),
        cmocka_unit_test(test_a_nul_is_no_text),
        cmocka_unit_test(test_zstd),
        cmocka_unit_test(test_the_head_takes_nothing),
        cmocka_unit_test(test_bytes_and_the_rest),
    };
    return cmocka_run_group_tests(tests, make_file, drop);
}
