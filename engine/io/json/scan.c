/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A strict pass over JSON text: says exactly what is wrong and where, and notes the place of every
 * value. What passes is also accepted by cJSON, which builds the tree. */
#include "io/json/scan.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "io/json/json.h"

typedef struct Scanner {
    const char *file, *text;
    size_t len, at;
    uint32_t source;
    int depth;
    LpJsonPlaces *places;
    LpDiag *diag;
} Scanner;

/* Line and column (bytes), both from 1. */
static void line_col(const char *text, size_t offset, int *line, int *col) {
    size_t start = 0;
    int lines = 1;
    for (size_t i = 0; i < offset; i++) {
        if (text[i] != '\n')
            continue;
        lines++;
        start = i + 1;
    }
    *line = lines;
    *col = (int)(offset - start) + 1;
}

static LpErr fail(const Scanner *scan, size_t at, LpErr code, const char *text) {
    int line, col;
    line_col(scan->text, at, &line, &col);
    return lp_fail_at(scan->diag, code, scan->file, line, col, "%s", text);
}

enum { SAID = 160, QUOTED = 24 };

/* "expected X, found Y", with a hint where the mistake is a common one. */
static LpErr fail_expected(const Scanner *scan, const char *expected) {
    char text[SAID], quoted[QUOTED + 1];
    const char *here = scan->text + scan->at;
    size_t left = scan->len - scan->at;
    if (left == 0) {
        snprintf(text, sizeof text, "the text ends here, expected %s", expected);
        return fail(scan, scan->at, LP_EPARSE, text);
    }
    if (here[0] == '/' || here[0] == '#')
        return fail(scan, scan->at, LP_EPARSE, "comments are not JSON, expected plain JSON");
    if (here[0] == '\0')
        return fail(scan, scan->at, LP_EPARSE, "a NUL byte, expected JSON text");
    if (here[0] == '\'')
        return fail(scan, scan->at, LP_EPARSE, "texts stand in double quotes in JSON");
    size_t shown = 1;
    while (shown < left && shown < QUOTED && strchr(" \t\r\n,:[]{}\"", here[shown]) == NULL)
        shown++;
    memcpy(quoted, here, shown);
    quoted[shown] = '\0';
    snprintf(text, sizeof text, "found '%s', expected %s", quoted, expected);
    return fail(scan, scan->at, LP_EPARSE, text);
}

static bool is(const Scanner *scan, char c) {
    return scan->at < scan->len && scan->text[scan->at] == c;
}

static void skip_space(Scanner *scan) {
    while (is(scan, ' ') || is(scan, '\n') || is(scan, '\t') || is(scan, '\r'))
        scan->at++;
}

/* ---- texts ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The code unit of \uXXXX at `at`, -1 where there is none. */
static int32_t code_unit(const Scanner *scan, size_t at) {
    if (at + 6 > scan->len || scan->text[at] != '\\' || scan->text[at + 1] != 'u')
        return -1;
    int32_t unit = 0;
    for (size_t i = at + 2; i < at + 6; i++) {
        int digit = hex_digit(scan->text[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static LpErr scan_unicode(Scanner *scan) {
    int32_t unit = code_unit(scan, scan->at);
    if (unit < 0)
        return fail(scan, scan->at, LP_EPARSE, "\\u without four hexadecimal digits");
    if (unit == 0)
        return fail(scan, scan->at, LP_EPARSE, "a text must not hold a NUL (\\u0000)");
    bool high = unit >= 0xD800 && unit <= 0xDBFF;
    if (unit >= 0xDC00 && unit <= 0xDFFF)
        return fail(scan, scan->at, LP_EPARSE, "the second half of a surrogate pair alone");
    if (high) {
        int32_t low = code_unit(scan, scan->at + 6);
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(scan, scan->at, LP_EPARSE, "the first half of a surrogate pair alone");
    }
    scan->at += high ? 12 : 6;
    return LP_OK;
}

static LpErr scan_escape(Scanner *scan) {
    char c = scan->at + 1 < scan->len ? scan->text[scan->at + 1] : '\0';
    if (c == 'u')
        return scan_unicode(scan);
    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL)
        return fail(scan, scan->at, LP_EPARSE,
                    "unknown escape in a text, expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u");
    scan->at += 2;
    return LP_OK;
}

static LpErr scan_byte(Scanner *scan) {
    unsigned char c = (unsigned char)scan->text[scan->at];
    if (c == '\\')
        return scan_escape(scan);
    if (c == '\n' || c == '\r')
        return fail(scan, scan->at, LP_EPARSE,
                    "the line ends inside a text, expected \" (or \\n for a new line)");
    if (c < 0x20)
        return fail(scan, scan->at, LP_EPARSE, "a control byte inside a text, expected an escape");
    uint32_t cp;
    size_t used = lp_utf8_decode(scan->text + scan->at, scan->len - scan->at, &cp);
    if (cp == 0xFFFD && used == 1)
        return fail(scan, scan->at, LP_EPARSE, "a text is not valid UTF-8");
    scan->at += used;
    return LP_OK;
}

static LpErr scan_text(Scanner *scan) {
    size_t start = scan->at++;
    while (!is(scan, '"')) {
        if (scan->at >= scan->len)
            return fail(scan, start, LP_EPARSE, "a text begins here and never ends, expected \"");
        LP_TRY(scan_byte(scan));
    }
    scan->at++;
    return LP_OK;
}

/* ---- numbers and words ---- */

static bool digits(Scanner *scan) {
    size_t start = scan->at;
    while (scan->at < scan->len && scan->text[scan->at] >= '0' && scan->text[scan->at] <= '9')
        scan->at++;
    return scan->at > start;
}

static LpErr scan_exponent(Scanner *scan) {
    if (!is(scan, 'e') && !is(scan, 'E'))
        return LP_OK;
    scan->at++;
    if (is(scan, '-') || is(scan, '+'))
        scan->at++;
    return digits(scan) ? LP_OK : fail_expected(scan, "the digits of an exponent");
}

static LpErr scan_number(Scanner *scan) {
    size_t start = scan->at;
    if (is(scan, '-'))
        scan->at++;
    bool zero = is(scan, '0');
    size_t first = scan->at;
    if (!digits(scan))
        return fail_expected(scan, "the digits of a number");
    if (zero && scan->at > first + 1)
        return fail(scan, start, LP_EPARSE, "a number begins with 0, expected no leading zeros");
    if (is(scan, '.')) {
        scan->at++;
        if (!digits(scan))
            return fail_expected(scan, "digits after the point");
    }
    LP_TRY(scan_exponent(scan));
    if (scan->at - start > LP_JSON_DIGITS_MAX)
        return fail(scan, start, LP_EPARSE, "a number of more than 63 characters");
    return LP_OK;
}

static LpErr scan_word(Scanner *scan) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < LP_COUNTOF(words); i++) {
        size_t len = strlen(words[i]);
        if (scan->len - scan->at < len || memcmp(scan->text + scan->at, words[i], len) != 0)
            continue;
        scan->at += len;
        return LP_OK;
    }
    return fail_expected(scan, "a number, a text in double quotes, true, false, null, [ or {");
}

/* ---- values ---- */

static LpErr scan_value(Scanner *scan, size_t key);

static LpErr scan_member(Scanner *scan) {
    size_t key = scan->at;
    if (!is(scan, '"'))
        return fail_expected(scan, "a key in double quotes");
    LP_TRY(scan_text(scan));
    skip_space(scan);
    if (!is(scan, ':'))
        return fail_expected(scan, "':' after the key");
    scan->at++;
    skip_space(scan);
    return scan_value(scan, key);
}

/* The inside of [...] or {...}; `at` is at the bracket. */
static LpErr scan_members(Scanner *scan, char close) {
    const char *more = close == '}' ? "',' or '}'" : "',' or ']'";
    scan->at++;
    skip_space(scan);
    if (is(scan, close)) {
        scan->at++;
        return LP_OK;
    }
    for (;;) {
        LP_TRY(close == '}' ? scan_member(scan) : scan_value(scan, SIZE_MAX));
        skip_space(scan);
        if (!is(scan, ',')) {
            if (!is(scan, close))
                return fail_expected(scan, more);
            scan->at++;
            return LP_OK;
        }
        size_t comma = scan->at++;
        skip_space(scan);
        if (is(scan, close))
            return fail(scan, comma, LP_EPARSE, "a comma after the last entry, expected none");
    }
}

static LpErr scan_nested(Scanner *scan, char close) {
    if (scan->depth >= LP_JSON_DEPTH_MAX)
        return fail(scan, scan->at, LP_ELIMIT, "nested too deep, expected at most 64 levels");
    scan->depth++;
    LP_TRY(scan_members(scan, close));
    scan->depth--;
    return LP_OK;
}

static LpErr scan_any(Scanner *scan) {
    char c = scan->at < scan->len ? scan->text[scan->at] : '\0';
    if (c == '{')
        return scan_nested(scan, '}');
    if (c == '[')
        return scan_nested(scan, ']');
    if (c == '"')
        return scan_text(scan);
    if (c == '-' || (c >= '0' && c <= '9'))
        return scan_number(scan);
    return scan_word(scan);
}

static LpErr scan_value(Scanner *scan, size_t key) {
    LpJsonPlaces *places = scan->places;
    if (places->count >= LP_JSON_VALUES_MAX)
        return fail(scan, scan->at, LP_ELIMIT, "more values than can be read, limit 8388608");
    if (lp_grow((void **)&places->place, &places->cap, places->count + 1, sizeof(LpJsonPlace)) !=
        LP_OK)
        return lp_fail_memory(scan->diag, "a JSON text");
    size_t index = places->count++;
    size_t start = scan->at;
    LP_TRY(scan_any(scan));
    places->place[index] = (LpJsonPlace){
        .source = scan->source,
        .key = (uint32_t)(key == SIZE_MAX ? start : key),
        .value = (uint32_t)start,
        .end = (uint32_t)scan->at,
    };
    return LP_OK;
}

LpErr lp_json_scan(const char *file, const char *text, size_t len, size_t start, uint32_t source,
                   LpJsonPlaces *out, LpDiag *diag) {
    Scanner scan = {file, text, len, start, source, 0, out, diag};
    if (len >= INT32_MAX)
        return lp_fail_at(diag, LP_ELIMIT, file, 0, 0, "the text is too long, limit 2 GiB");
    skip_space(&scan);
    LP_TRY(scan_value(&scan, SIZE_MAX));
    skip_space(&scan);
    if (scan.at < len)
        return fail_expected(&scan, "nothing after the value");
    return LP_OK;
}
