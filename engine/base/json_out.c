/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of JSON. */
#include "base/json_out.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"

static bool has_lines(const LpJsonOut *j) {
    return j->depth < 64 && (j->lines >> j->depth & 1) != 0;
}

static void new_line(LpJsonOut *j) {
    lp_buf_add(j->out, "\n");
    for (unsigned i = 0; i < j->depth; i++)
        lp_buf_add(j->out, "  ");
}

/* Writes what comes before a value: comma, line break, key. */
static LpBuf *begin(LpJsonOut *j, const char *key) {
    bool lines = has_lines(j) && !j->stay;
    j->stay = false;
    if (j->more)
        lp_buf_add(j->out, j->spaced && !lines ? ", " : ",");
    if (lines)
        new_line(j);
    if (key != NULL) {
        lp_buf_add(j->out, "\"");
        lp_buf_add(j->out, key);
        lp_buf_add(j->out, j->spaced ? "\": " : "\":");
    }
    j->more = true;
    return j->out;
}

static void open(LpJsonOut *j, const char *key, char bracket, bool lines) {
    lp_buf_add_bytes(begin(j, key), &bracket, 1);
    j->depth++;
    j->more = false;
    if (j->depth < 64)
        j->lines = (j->lines & ~(UINT64_C(1) << j->depth)) | (uint64_t)lines << j->depth;
}

void lp_json_open(LpJsonOut *j, const char *key, char bracket) {
    open(j, key, bracket, false);
}

void lp_json_lines(LpJsonOut *j, const char *key, char bracket) {
    open(j, key, bracket, true);
}

void lp_json_close(LpJsonOut *j, char bracket) {
    bool lines = has_lines(j) && j->more;
    j->depth--;
    if (lines)
        new_line(j);
    lp_buf_add_bytes(j->out, &bracket, 1);
    j->more = true;
}

void lp_json_end(LpJsonOut *j) {
    lp_json_close(j, '}');
    lp_buf_add(j->out, "\n");
    j->more = false;
}

void lp_json_break(LpJsonOut *j) {
    lp_buf_add(j->out, j->more ? ",\n" : "\n");
    j->more = false;
}

void lp_json_row(LpJsonOut *j, size_t i, size_t per_line) {
    j->stay = i % per_line != 0;
}

/* ---- values ---- */

void lp_json_put_raw(LpJsonOut *j, const char *key, const char *text) {
    lp_buf_add(begin(j, key), text != NULL ? text : "null");
}

void lp_json_put_null(LpJsonOut *j, const char *key) {
    lp_json_put_raw(j, key, NULL);
}

void lp_json_put_bool(LpJsonOut *j, const char *key, bool value) {
    lp_json_put_raw(j, key, value ? "true" : "false");
}

void lp_json_put_number(LpJsonOut *j, const char *key, double value) {
    char text[LP_NUM_TEXT];
    lp_json_put_raw(j, key, lp_num_print(value, text));
}

void lp_json_put_count(LpJsonOut *j, const char *key, uint64_t value) {
    lp_buf_addf(begin(j, key), "%llu", (unsigned long long)value);
}

void lp_json_put_index(LpJsonOut *j, const char *key, uint32_t index) {
    if (index == LP_NO_INDEX)
        lp_json_put_null(j, key);
    else
        lp_json_put_count(j, key, index);
}

void lp_json_put_text(LpJsonOut *j, const char *key, const char *text) {
    if (text == NULL)
        lp_json_put_null(j, key);
    else
        lp_str_json(begin(j, key), text);
}

void lp_json_put_hash(LpJsonOut *j, const char *key, uint64_t hash) {
    char hex[LP_HASH_HEX];
    lp_json_put_text(j, key, lp_hash_hex(hash, hex));
}

/* ---- lists ---- */

void lp_json_put_counts(LpJsonOut *j, const char *key, const uint32_t *item, size_t count) {
    lp_json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        lp_json_put_count(j, NULL, item[i]);
    lp_json_close(j, ']');
}

void lp_json_put_rows(LpJsonOut *j, const char *key, const double *item, size_t count,
                      size_t per_line) {
    lp_json_lines(j, key, '[');
    for (size_t i = 0; i < count; i++) {
        lp_json_row(j, i, per_line);
        lp_json_put_number(j, NULL, item[i]);
    }
    lp_json_close(j, ']');
}

void lp_json_put_texts(LpJsonOut *j, const char *key, const char *const *text, size_t count) {
    lp_json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        lp_json_put_text(j, NULL, text[i]);
    lp_json_close(j, ']');
}

void lp_json_put_numbers(LpJsonOut *j, const LpJsonNumber *row, size_t count) {
    for (size_t i = 0; i < count; i++)
        lp_json_put_number(j, row[i].key, row[i].value);
}
