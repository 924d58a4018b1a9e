/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked values, and objects read by tables of keys: wrong types, ranges, unknown and missing
 * keys, each with its place and what was expected. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/json/json.h"

enum { SAID = 160 };

/* "\"steps\"", or "the entry" of a list. */
static const char *name_of(LpJsonValue value, char *buf, size_t size) {
    char shown[64];
    const char *key = lp_json_key(value);
    if (key != NULL)
        snprintf(buf, size, "\"%s\"", lp_str_show(shown, sizeof shown, key));
    else
        snprintf(buf, size, "the value");
    return buf;
}

static LpErr fail_found(LpJsonValue value, LpErr code, const char *expected, LpDiag *diag) {
    char name[80], found[80];
    return lp_json_fail(value, diag, code, "%s is %s, expected %s",
                        name_of(value, name, sizeof name),
                        lp_json_found(value, found, sizeof found), expected);
}

LpErr lp_json_expect(LpJsonValue value, LpJsonKind kind, LpDiag *diag) {
    static const char *const names[] = {
        "nothing", "null", "true or false", "a number", "a text", "a list [...]", "an object {...}",
    };
    return lp_json_kind(value) == kind ? LP_OK : fail_found(value, LP_EINVAL, names[kind], diag);
}

/* ---- numbers ---- */

/* "a time >= 0 such as \"50 ns\"", "a whole number from 1 to 16". */
static void describe(const LpJsonRange *range, char *buf, size_t size) {
    static const struct {
        const char *noun, *example;
    } dims[] = {
        [LP_DIM_NONE] = {"number", ""},
        [LP_DIM_TIME] = {"time", " such as \"50 ns\" or 50e-9"},
        [LP_DIM_BYTES] = {"size", " such as \"80 GB\" or 80e9"},
        [LP_DIM_BANDWIDTH] = {"bandwidth", " such as \"1.6 TB/s\" or 1.6e12"},
        [LP_DIM_FLOPS] = {"rate", " such as \"19.5 TFLOP/s\" or 19.5e12"},
    };
    char low[LP_NUM_TEXT], high[LP_NUM_TEXT];
    size_t len = (size_t)snprintf(buf, size, "a %s%s %s %s", range->whole ? "whole " : "",
                                  dims[range->dim].noun,
                                  range->above ? ">" : ">=", lp_num_print(range->min, low));
    if (range->max > 0 && len < size)
        len +=
            (size_t)snprintf(buf + len, size - len, " and <= %s", lp_num_print(range->max, high));
    if (len < size)
        snprintf(buf + len, size - len, "%s", dims[range->dim].example);
}

static bool within(const LpJsonRange *range, double number) {
    if (range->above ? !(number > range->min) : !(number >= range->min))
        return false;
    if (range->max > 0 && number > range->max)
        return false;
    return !range->whole || number == floor(number);
}

LpErr lp_json_quantity(LpJsonValue value, const LpJsonRange *range, double *out, LpDiag *diag) {
    char expected[SAID], name[80];
    LpDiag inner;
    double number = lp_json_number(value);
    LpJsonKind kind = lp_json_kind(value);
    describe(range, expected, sizeof expected);
    if (kind != LP_JSON_NUMBER && kind != LP_JSON_TEXT)
        return fail_found(value, LP_EINVAL, expected, diag);
    if (kind == LP_JSON_TEXT) {
        LpErr err = lp_quantity_parse(lp_json_text(value), range->dim, &number, &inner);
        if (err != LP_OK)
            return lp_json_fail(value, diag, err == LP_ENOMEM ? err : LP_EINVAL, "%s: %s",
                                name_of(value, name, sizeof name), inner.text);
    }
    if (!within(range, number))
        return fail_found(value, LP_ERANGE, expected, diag);
    *out = number;
    return LP_OK;
}

/* A number's own digits keep what a double would round. */
static bool exact_u64(LpJsonValue value, uint64_t *out) {
    char text[LP_JSON_DIGITS_MAX + 1];
    size_t len;
    const char *digits = lp_json_digits(value, &len);
    if (len > LP_JSON_DIGITS_MAX)
        return false;
    memcpy(text, digits, len);
    text[len] = '\0';
    if (lp_num_parse_u64(text, out, NULL) == LP_OK)
        return true;
    double number = lp_json_number(value); /* 1e6 */
    if (!(number >= 0 && number <= 0x1p53) || number != floor(number))
        return false;
    *out = (uint64_t)number;
    return true;
}

LpErr lp_json_u64(LpJsonValue value, uint64_t min, uint64_t max, uint64_t *out, LpDiag *diag) {
    char expected[SAID];
    uint64_t number = 0;
    snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)min,
             (unsigned long long)max);
    if (lp_json_kind(value) != LP_JSON_NUMBER)
        return fail_found(value, LP_EINVAL, expected, diag);
    if (!exact_u64(value, &number) || number < min || number > max)
        return fail_found(value, LP_ERANGE, expected, diag);
    *out = number;
    return LP_OK;
}

/* ---- words ---- */

/* "expected "a"" when one is near, else "expected one of "a", "b"". */
static void suggest(const char *word, const char *const *words, size_t count, LpBuf *out) {
    int near = lp_str_nearest(word, words, count);
    if (near >= 0) {
        lp_buf_addf(out, "expected \"%s\"", words[near]);
        return;
    }
    lp_buf_add(out, count > 1 ? "expected one of " : "expected ");
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(out, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
}

LpErr lp_json_word(LpJsonValue value, const char *const *words, int *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const char *text = lp_json_text(value);
    size_t count = 0;
    for (; words[count] != NULL; count++)
        if (strcmp(text, words[count]) == 0) {
            *out = (int)count;
            return LP_OK;
        }
    LpBuf said = {0};
    char name[80], found[80];
    suggest(text, words, count, &said);
    LpErr err =
        lp_json_fail(value, diag, LP_EINVAL, "%s is %s, %s", name_of(value, name, sizeof name),
                     lp_json_found(value, found, sizeof found), lp_buf_text(&said));
    lp_buf_fini(&said);
    return err;
}

/* ---- tables ---- */

static const LpJsonKey *find_key(const LpJsonKey *keys, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static LpErr fail_unknown(LpJsonValue value, const LpJsonKey *keys, size_t count, LpDiag *diag) {
    const char *names[LP_JSON_KEYS_MAX];
    char shown[64];
    if (count > LP_JSON_KEYS_MAX)
        count = LP_JSON_KEYS_MAX;
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i].name;
    LpBuf said = {0};
    suggest(lp_json_key(value), names, count, &said);
    LpErr err =
        lp_json_fail_key(value, diag, LP_EINVAL, "unknown key \"%s\", %s",
                         lp_str_show(shown, sizeof shown, lp_json_key(value)), lp_buf_text(&said));
    lp_buf_fini(&said);
    return err;
}

LpErr lp_json_check_keys(LpJsonValue object, const LpJsonKey *keys, size_t count, LpDiag *diag) {
    LP_TRY(lp_json_expect(object, LP_JSON_OBJECT, diag));
    for (LpJsonValue v = lp_json_first(object); v.item != NULL; v = lp_json_next(v))
        if (find_key(keys, count, lp_json_key(v)) == NULL)
            return fail_unknown(v, keys, count, diag);
    for (size_t i = 0; i < count; i++)
        if (keys[i].required && lp_json_member(object, keys[i].name).item == NULL)
            return lp_json_fail(object, diag, LP_EINVAL, "the key \"%s\" is missing here",
                                keys[i].name);
    return LP_OK;
}

static LpErr read_text(LpJsonValue value, LpArena *arena, const char **out, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const char *copy = lp_arena_strdup(arena, lp_json_text(value));
    if (copy == NULL)
        return lp_fail_memory(diag, "a text");
    *out = copy;
    return LP_OK;
}

static uint64_t upper(const LpJsonRange *range, uint64_t otherwise) {
    return range->max > 0 ? (uint64_t)range->max : otherwise;
}

static LpErr read_count(LpJsonValue value, const LpJsonKey *key, uint32_t *out, LpDiag *diag) {
    uint64_t count = 0;
    LP_TRY(
        lp_json_u64(value, (uint64_t)key->range.min, upper(&key->range, UINT32_MAX), &count, diag));
    *out = (uint32_t)count;
    return LP_OK;
}

static LpErr read_flag(LpJsonValue value, bool *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_BOOL, diag));
    *out = lp_json_bool(value);
    return LP_OK;
}

static LpErr read_key(LpJsonValue value, const LpJsonKey *key, void *target, LpArena *arena,
                      void *context, LpDiag *diag) {
    void *field = target != NULL ? (char *)target + key->offset : NULL; /* NULL: all by readers */
    switch (key->type) {
    case LP_KEY_TEXT:
        return read_text(value, arena, field, diag);
    case LP_KEY_FLAG:
        return read_flag(value, field, diag);
    case LP_KEY_QUANTITY:
        return lp_json_quantity(value, &key->range, field, diag);
    case LP_KEY_COUNT:
        return read_count(value, key, field, diag);
    case LP_KEY_COUNT64:
        return lp_json_u64(value, (uint64_t)key->range.min, upper(&key->range, UINT64_MAX), field,
                           diag);
    case LP_KEY_WORD:
        return lp_json_word(value, key->words, field, diag);
    case LP_KEY_CUSTOM:
        return key->read(value, target, context, diag);
    case LP_KEY_SKIP:
        break;
    }
    return LP_OK;
}

LpErr lp_json_read_keys(LpJsonValue object, const LpJsonKey *keys, size_t count, void *target,
                        LpArena *arena, void *context, LpDiag *diag) {
    for (size_t i = 0; i < count; i++) {
        LpJsonValue value = lp_json_member(object, keys[i].name);
        if (value.item != NULL)
            LP_TRY(read_key(value, &keys[i], target, arena, context, diag));
    }
    return LP_OK;
}

LpErr lp_json_read(LpJsonValue object, const LpJsonKey *keys, size_t count, void *target,
                   LpArena *arena, void *context, LpDiag *diag) {
    LP_TRY(lp_json_check_keys(object, keys, count, diag));
    return lp_json_read_keys(object, keys, count, target, arena, context, diag);
}

LpErr lp_json_read_format(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    char found[80];
    (void)target, (void)context;
    if (lp_json_kind(value) == LP_JSON_NUMBER && lp_json_number(value) == 1)
        return LP_OK;
    return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" is %s, expected format 1",
                        lp_json_key(value), lp_json_found(value, found, sizeof found));
}

LpErr lp_json_read_notes(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)target, (void)context;
    return lp_json_expect(value, LP_JSON_TEXT, diag);
}
