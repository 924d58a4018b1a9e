/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/str: the buffer, cutting, UTF-8, escaping, JSON strings, nearest names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/str.h"
#include "group.h"

/* ---- the buffer ---- */

static void empty_buffer_is_the_empty_text(void **state) {
    (void)state;
    LpBuf buf = {0};
    assert_string_equal(lp_buf_text(&buf), "");
    assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
    lp_buf_add(&buf, NULL);
    lp_buf_add(&buf, "");
    lp_buf_add_bytes(&buf, NULL, 0);
    lp_buf_clear(&buf);
    assert_string_equal(lp_buf_text(&buf), "");
    lp_buf_fini(&buf);
    lp_buf_fini(&buf);
    assert_null(buf.text);
}

static void buffer_grows(void **state) {
    (void)state;
    LpBuf buf = {0};
    for (int i = 0; i < 10000; i++) {
        lp_buf_add(&buf, "ab");
        lp_buf_addf(&buf, "%d", i % 10);
        assert_int_equal(buf.len, (size_t)(i + 1) * 3);
        assert_int_equal(buf.text[buf.len], '\0');
    }
    assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
    assert_int_equal(strlen(lp_buf_text(&buf)), 30000);
    assert_memory_equal(buf.text + 29997, "ab9", 4);
    lp_buf_clear(&buf);
    assert_string_equal(lp_buf_text(&buf), "");
    assert_int_equal(buf.len, 0);
    lp_buf_add(&buf, "again");
    assert_string_equal(lp_buf_text(&buf), "again");
    lp_buf_fini(&buf);
}

static void buffer_holds_nul_bytes(void **state) {
    (void)state;
    LpBuf buf = {0};
    lp_buf_add_bytes(&buf, "a\0b", 3);
    lp_buf_add(&buf, "c");
    assert_int_equal(buf.len, 4);
    assert_memory_equal(buf.text, "a\0bc", 5);
    lp_buf_fini(&buf);
}

static void formats_of_every_length(void **state) {
    (void)state;
    char want[600] = "";
    for (size_t len = 0; len < sizeof want - 1; len++) { /* across the inner small buffer */
        LpBuf buf = {0};
        lp_buf_add(&buf, ">");
        lp_buf_addf(&buf, "%s", want);
        assert_int_equal(buf.len, len + 1);
        assert_string_equal(lp_buf_text(&buf) + 1, want);
        lp_buf_fini(&buf);
        want[len] = (char)('a' + len % 26);
        want[len + 1] = '\0';
    }
}

static void failure_sticks_until_cleared(void **state) {
    (void)state;
    static const size_t lens[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 3, (size_t)PTRDIFF_MAX,
                                  (size_t)PTRDIFF_MAX / 2};
    for (size_t i = 0; i < LP_COUNTOF(lens); i++) {
        LpBuf buf = {0};
        LpDiag diag = {0};
        lp_buf_add(&buf, "ok");
        lp_buf_add_bytes(&buf, "x", lens[i]); /* refused before a byte is read */
        assert_true(buf.failed);
        lp_buf_add(&buf, "more");
        lp_buf_addf(&buf, "%d", 1);
        lp_buf_addf(&buf, "%400d", 1);
        lp_str_escape(&buf, "text", 4);
        lp_str_json(&buf, "text");
        assert_string_equal(lp_buf_text(&buf), "ok");
        assert_int_equal(lp_buf_ok(&buf, &diag), LP_ENOMEM);
        assert_int_equal(diag.code, LP_ENOMEM);
        lp_buf_clear(&buf);
        lp_buf_add(&buf, "new");
        assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
        assert_string_equal(lp_buf_text(&buf), "new");
        lp_buf_fini(&buf);
    }
}

/* ---- copying ---- */

static void copy_cuts_between_characters(void **state) {
    (void)state;
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"; /* 1+2+3+4+1 bytes */
    static const size_t whole[] = {0, 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t size = 1; size < LP_COUNTOF(whole); size++) {
        char dst[32];
        memset(dst, '#', sizeof dst);
        assert_ptr_equal(lp_str_copy(dst, size, text), dst);
        assert_int_equal(strlen(dst), whole[size]);
        assert_memory_equal(dst, text, whole[size]);
        assert_int_equal(dst[size], '#');
    }
}

static void copy_takes_odd_arguments(void **state) {
    (void)state;
    char dst[8] = "keep";
    lp_str_copy(dst, 0, "text");
    assert_string_equal(dst, "keep");
    lp_str_copy(dst, sizeof dst, NULL);
    assert_string_equal(dst, "");
    lp_str_copy(dst, sizeof dst, "abcdef");
    lp_str_copy(dst, sizeof dst, dst + 2); /* overlapping */
    assert_string_equal(dst, "cdef");
    /* Bytes that are no UTF-8 are cut anywhere. */
    lp_str_copy(dst, 5, "\x80\x80\x80\x80\x80\x80");
    assert_string_equal(dst, "\x80\x80\x80\x80");
    lp_str_copy(dst, 5, "abc\xE2xyz");
    assert_string_equal(dst, "abc\xE2");
}

/* ---- UTF-8 ---- */

static void every_code_point_round_trips(void **state) {
    (void)state;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        char buf[5];
        uint32_t back = 1;
        size_t len = lp_utf8_encode(cp, buf);
        bool surrogate = cp >= 0xD800 && cp <= 0xDFFF;
        if (len != (cp < 0x80      ? 1u
                    : cp < 0x800   ? 2u
                    : cp < 0x10000 ? 3u
                                   : 4u) ||
            buf[len] != '\0' || lp_utf8_decode(buf, len, &back) != len ||
            back != (surrogate ? 0xFFFDu : cp))
            fail_msg("U+%04X", (unsigned)cp);
    }
}

static void no_code_point_becomes_the_replacement(void **state) {
    (void)state;
    char buf[5];
    static const uint32_t bad[] = {0xD800, 0xDFFF, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        assert_int_equal(lp_utf8_encode(bad[i], buf), 3);
        assert_string_equal(buf, "\xEF\xBF\xBD");
    }
}

static void invalid_utf8_counts_one_byte(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\x80",
        "\xBF",
        "\xC0\x80",
        "\xC1\xBF",
        "\xE0\x80\x80",
        "\xE0\x9F\xBF",
        "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF",
        "\xED\xA0\x80",
        "\xED\xBF\xBF",
        "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80",
        "\xFE",
        "\xFF",
        "\xC3",
        "\xE2\x82",
        "\xF0\x9F\x98",
        "\xC3(",
        "\xE2(\xAC",
        "\xE2\x82(",
        "\xF0\x9F\x98(",
        "\xF8\x88\x80\x80\x80",
    };
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        uint32_t cp = 0;
        assert_int_equal(lp_utf8_decode(bad[i], strlen(bad[i]), &cp), 1);
        assert_int_equal(cp, 0xFFFD);
    }
}

static void decoding_stays_within_len(void **state) {
    (void)state;
    uint32_t cp = 0;
    assert_int_equal(lp_utf8_decode("\xE2\x82\xAC", 2, &cp), 1);
    assert_int_equal(cp, 0xFFFD);
    assert_int_equal(lp_utf8_decode("\xE2\x82\xAC", 3, &cp), 3);
    assert_int_equal(cp, 0x20AC);
    assert_int_equal(lp_utf8_decode("\0", 1, &cp), 1);
    assert_int_equal(cp, 0);
    assert_int_equal(lp_utf8_decode("\xEF\xBF\xBD", 3, &cp), 3); /* a true U+FFFD */
    assert_int_equal(cp, 0xFFFD);
}

/* ---- escaping ---- */

static void check_escape(const char *text, size_t len, const char *want) {
    LpBuf buf = {0};
    lp_str_escape(&buf, text, len);
    assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
    assert_string_equal(lp_buf_text(&buf), want);
    lp_buf_fini(&buf);
}

/* Data keeps letters of any width; lines stay lines where that is asked for. */
static void prefixes_are_whole(void **state) {
    (void)state;
    static const char text[] =
        "a\xC3\xA9\xE4\xB8\x96\xF0\x9F\x98\x80z"; /* 1, 2, 3, 4 and 1 bytes */
    static const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t room = 0; room < LP_COUNTOF(ends); room++)
        assert_int_equal(lp_str_prefix(text, room), ends[room]);
}

static void guard_and_lines(void **state) {
    (void)state;
    static const char text[] = "e\xCC\x81\xE4\xB8\x96\x1b\n\xE2\x80\xAE\n";
    LpBuf buf = {0};
    lp_str_guard(&buf, text, sizeof text - 1);
    assert_string_equal(lp_buf_text(&buf), "e\xCC\x81\xE4\xB8\x96\\x1b\\n\\u202e\\n");
    lp_buf_clear(&buf);
    lp_str_escape_lines(&buf, text, sizeof text - 1);
    assert_string_equal(lp_buf_text(&buf), "e\xCC\x81\xE4\xB8\x96\\x1b\n\\u202e\n");
    lp_buf_clear(&buf);
    lp_str_escape_lines(&buf, "", 0);
    lp_str_escape_lines(&buf, "a\n\nb", 4);
    assert_string_equal(lp_buf_text(&buf), "a\n\nb");
    lp_buf_fini(&buf);
}

static void escape_shows_what_would_act(void **state) {
    (void)state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"plain text, \"quoted\" \\ back", "plain text, \"quoted\" \\ back"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"a\tb\nc\rd", "a\\tb\\nc\\x0dd"},
        {"\x01\x1f\x7f", "\\x01\\x1f\\x7f"},
        {"\xC2\x9b"
         "31m",
         "\\u009b31m"},
        {"\x9b"
         "31m",
         "\\x9b31m"},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"e\xCC\x81\xE4\xB8\x96", "e\xCC\x81\xE4\xB8\x96"}, /* combining, wide */
        {"\xCC\x81x", "\\u0301x"},                          /* a mark of what stands before */
        {"\xE4\xB8\x96\xE2\x80\x8D\xE4\xB8\x96", "\xE4\xB8\x96\xE4\xB8\x96"}, /* a joiner */
        {"a\xE2\x80\x8D\xE4\xB8\x96", "a\\u200d\xE4\xB8\x96"}, /* ... that hides beside ASCII */
        {"\xE2\x80\xAE"
         "txt\xE2\x81\xA6",
         "\\u202etxt\\u2066"},
        {"a\xE2\x80\x8B\xE2\x80\x8D\xEF\xBB\xBF", "a\\u200b\\u200d\\ufeff"},
        {"\xE2\x80\xA8\xE2\x80\xA9", "\\u2028\\u2029"},
        {"\xF3\xA0\x80\x81", "\\U000e0001"},
        {"\xC3(\xFF", "\\xc3(\\xff"},
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
        {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        check_escape(rows[i].text, strlen(rows[i].text), rows[i].want);
    check_escape("a\0b", 3, "a\\x00b");
    check_escape("\xE2\x82\xAC", 2, "\\xe2\\x82");
}

static bool is_safe(const char *text, size_t len) {
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        size_t used = lp_utf8_decode(text + i, len - i, &cp);
        if ((cp == 0xFFFD && used == 1) || cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
            (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069))
            return false;
        i += used;
    }
    return true;
}

static void any_bytes_become_safe_and_stay_so(void **state) {
    (void)state;
    static const char lead[] = "\xC2\xE2\x80\x81\xAE\xF0\x9F\x1b\n[a\xA8\x9b\xED\xF3\xA0";
    LpRng rng = lp_rng_stream(1, "escape", 0);
    for (int i = 0; i < 20000; i++) {
        char text[24];
        size_t len = (size_t)lp_rng_below(&rng, sizeof text);
        for (size_t k = 0; k < len; k++)
            text[k] = lp_rng_below(&rng, 3) ? lead[lp_rng_below(&rng, sizeof lead)]
                                            : (char)(unsigned char)lp_rng_below(&rng, 256);
        LpBuf once = {0}, twice = {0};
        lp_str_escape(&once, text, len);
        lp_str_escape(&twice, lp_buf_text(&once), once.len);
        assert_true(is_safe(lp_buf_text(&once), once.len));
        assert_string_equal(lp_buf_text(&once), lp_buf_text(&twice));
        lp_buf_fini(&once);
        lp_buf_fini(&twice);
    }
}

static void show_cuts_with_an_ellipsis(void **state) {
    (void)state;
    static const struct {
        size_t size;
        const char *text, *want;
    } rows[] = {
        {9, "abcdefgh", "abcdefgh"},
        {8, "abcdefgh", "abcd\xE2\x80\xA6"},
        {4, "abcdefgh", "\xE2\x80\xA6"},
        {3, "abcdefgh", "ab"}, /* no room for an ellipsis */
        {1, "abcdefgh", ""},
        {8, "ab\x1b\x1b\x1b", "ab\xE2\x80\xA6"}, /* an escape is never cut in two */
        {10, "ab\x1b\x1b\x1b", "ab\\x1b\xE2\x80\xA6"},
        {8, "a\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", "a\xC3\xA9\xE2\x80\xA6"},
        {10, "a\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", "a\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"},
        {8, "", ""},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char dst[16];
        memset(dst, '#', sizeof dst);
        assert_ptr_equal(lp_str_show(dst, rows[i].size, rows[i].text), dst);
        assert_string_equal(dst, rows[i].want);
        assert_int_equal(dst[rows[i].size], '#');
    }
    char dst[4] = "abc";
    lp_str_show(dst, 0, "text");
    assert_string_equal(dst, "abc");
    assert_string_equal(lp_str_show(dst, sizeof dst, NULL), "");
}

static void json_strings(void **state) {
    (void)state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "\"\""},
        {NULL, "\"\""},
        {"a/b \xC3\xA9", "\"a/b \xC3\xA9\""},
        {"\" \\ \b \f \n \r \t", "\"\\\" \\\\ \\b \\f \\n \\r \\t\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xC2\x9b", "\"\\u009b\""},
        {"\xFFok\xC3", "\"\xEF\xBF\xBDok\xEF\xBF\xBD\""},
        {"\xE2\x80\xAE\xE2\x80\xA8", "\"\\u202e\\u2028\""},
        {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\""},
        {"\xF3\xA0\x80\x81", "\"\\udb40\\udc01\""},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpBuf buf = {0};
        lp_str_json(&buf, rows[i].text);
        assert_string_equal(lp_buf_text(&buf), rows[i].want);
        lp_buf_fini(&buf);
    }
}

/* Row by row, then all in one line: no field runs into the next. */
static void csv_fields(void **state) {
    (void)state;
    static const struct {
        const char *text, *want, *always;
    } rows[] = {
        {"", "", "\"\""},
        {NULL, "", "\"\""},
        {"a b", "a b", "\"a b\""},
        {" a ", " a ", "\" a \""},
        {"a;b=c", "a;b=c", "\"a;b=c\""},
        {"a,b", "\"a,b\"", "\"a,b\""},
        {",", "\",\"", "\",\""},
        {"\"", "\"\"\"\"", "\"\"\"\""},
        {"say \"no\"", "\"say \"\"no\"\"\"", "\"say \"\"no\"\"\""},
        {"\xC3\xA9", "\xC3\xA9", "\"\xC3\xA9\""},
    };
    LpBuf line = {0};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpBuf buf = {0}, always = {0};
        lp_str_csv(&buf, rows[i].text, false, false);
        lp_str_csv(&always, rows[i].text, true, false);
        assert_string_equal(lp_buf_text(&buf), rows[i].want);
        assert_string_equal(lp_buf_text(&always), rows[i].always);
        lp_buf_fini(&buf);
        lp_buf_fini(&always);
    }
    lp_str_csv(&line, "a,b", false, false);
    lp_buf_add(&line, ",");
    lp_str_csv(&line, "c", false, false);
    assert_string_equal(lp_buf_text(&line), "\"a,b\",c");
    lp_buf_fini(&line);
}

/* A spreadsheet computes what begins with = + - @: a text that does so is shown, a number stays
 * one. */
static void csv_is_no_formula(void **state) {
    (void)state;
    static const char *const formulas[] = {"=1+1",
                                           "=cmd|' /C calc'!A0",
                                           "+1+1",
                                           "-1+2",
                                           "-",
                                           "@SUM(1)",
                                           "+",
                                           "-inf",
                                           "-nan",
                                           "-0x10",
                                           "+49 30",
                                           "-1e",
                                           "-.",
                                           "-1e+",
                                           "-1.5.2",
                                           "--1",
                                           "\xEF\xBC\x9D",
                                           "=1,2",
                                           "=\"a\"",
                                           "-1e5x",
                                           "-e5",
                                           "\xEF\xBC\xA0x"};
    static const char *const plain[] = {"1-1", "a=1",   "-1",    "+5",    "-1.5", "-.5", "-5.",
                                        "0",   "-1e-9", "+1E+9", "-1e22", " =1",  "'=1", "a@b"};
    for (size_t i = 0; i < LP_COUNTOF(formulas) + LP_COUNTOF(plain); i++) {
        bool formula = i < LP_COUNTOF(formulas);
        const char *text = formula ? formulas[i] : plain[i - LP_COUNTOF(formulas)];
        for (int always = 0; always < 2; always++) {
            LpBuf safe = {0}, raw = {0}, shown = {0}, want = {0};
            lp_str_csv(&safe, text, always != 0, false);
            lp_str_csv(&raw, text, always != 0, true);
            lp_buf_addf(&shown, "%s%s", formula ? "'" : "", text);
            lp_str_csv(&want, lp_buf_text(&shown), always != 0, true);
            assert_string_equal(lp_buf_text(&safe), lp_buf_text(&want));
            assert_int_equal(strcmp(lp_buf_text(&safe), lp_buf_text(&raw)) != 0, formula);
            lp_buf_fini(&safe);
            lp_buf_fini(&raw);
            lp_buf_fini(&shown);
            lp_buf_fini(&want);
        }
    }
}

/* What acts on a terminal, and the end of a line, is escaped: a record is always one line. */
static void csv_is_one_safe_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"\x1b[2J", "\\x1b[2J"}, {"a\x07", "a\\x07"},     {"\x7f", "\\x7f"},
        {"\xC2\x9b", "\\u009b"}, {"\xFF", "\\xff"},       {"\xE2\x80\xAE", "\\u202e"},
        {"a\tb", "a\\tb"},       {"a\nb", "a\\nb"},       {"a\r\nb", "a\\x0d\\nb"},
        {"\x1b,", "\"\\x1b,\""}, {"\n\"", "\"\\n\"\"\""},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpBuf buf = {0};
        lp_str_csv(&buf, rows[i].text, false, false);
        assert_string_equal(lp_buf_text(&buf), rows[i].want);
        lp_buf_fini(&buf);
    }
}

/* ---- nearest names ---- */

static const char *const keys[] = {"bandwidth", "latency", "io_latency", "seed", "steps",
                                   "ramp",      "ring",    "",           "jobs"};

static void nearest_finds_typing_errors(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int index;
    } rows[] = {
        {"bandwidth", 0}, {"bandwith", 0},  {"bandwdith", 0}, {"Bandwidth", 0}, {"band_width", 0},
        {"latencyy", 1},  {"iolatency", 2}, {"sede", 3},      {"step", 4},      {"SEED", 3},
        {"rmap", 5},      {"rimg", 6},      {"job", 8},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        assert_int_equal(lp_str_nearest(rows[i].name, keys, LP_COUNTOF(keys)), rows[i].index);
}

static void nearest_says_when_nothing_is_near(void **state) {
    (void)state;
    char text[100];
    memset(text, 's', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const char *const one[] = {text};
    static const char *const far[] = {"", "x", "horizon", "rap sheet", "bnd", "sxxd", "zzzzzzzzz"};
    for (size_t i = 0; i < LP_COUNTOF(far); i++)
        assert_int_equal(lp_str_nearest(far[i], keys, LP_COUNTOF(keys)), -1);
    assert_int_equal(lp_str_nearest(NULL, keys, LP_COUNTOF(keys)), -1);
    assert_int_equal(lp_str_nearest("seed", keys, 0), -1);
    assert_int_equal(lp_str_nearest(text, keys, LP_COUNTOF(keys)), -1);
    assert_int_equal(lp_str_nearest(text, one, 1), -1); /* too long to weigh */
    assert_int_equal(lp_str_nearest("sssss", one, 1), -1);
    text[64] = '\0';
    assert_int_equal(lp_str_nearest(text, one, 1), 0); /* the longest weighed */
}

static void nearest_takes_the_first_of_equals(void **state) {
    (void)state;
    static const char *const names[] = {"aaab", "aaac", "aaad"};
    assert_int_equal(lp_str_nearest("aaax", names, 3), 0);
    assert_int_equal(lp_str_nearest("aaad", names, 3), 2);
}

TEST_GROUP(test_base_str) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_buffer_is_the_empty_text),
        cmocka_unit_test(buffer_grows),
        cmocka_unit_test(buffer_holds_nul_bytes),
        cmocka_unit_test(formats_of_every_length),
        cmocka_unit_test(failure_sticks_until_cleared),
        cmocka_unit_test(copy_cuts_between_characters),
        cmocka_unit_test(copy_takes_odd_arguments),
        cmocka_unit_test(every_code_point_round_trips),
        cmocka_unit_test(no_code_point_becomes_the_replacement),
        cmocka_unit_test(invalid_utf8_counts_one_byte),
        cmocka_unit_test(decoding_stays_within_len),
        cmocka_unit_test(escape_shows_what_would_act),
        cmocka_unit_test(prefixes_are_whole),
        cmocka_unit_test(guard_and_lines),
        cmocka_unit_test(any_bytes_become_safe_and_stay_so),
        cmocka_unit_test(show_cuts_with_an_ellipsis),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(csv_fields),
        cmocka_unit_test(csv_is_no_formula),
        cmocka_unit_test(csv_is_one_safe_line),
        cmocka_unit_test(nearest_finds_typing_errors),
        cmocka_unit_test(nearest_says_when_nothing_is_near),
        cmocka_unit_test(nearest_takes_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
