/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON into a buffer: brackets, commas, keys, numbers and escaped texts. All JSON that the
 * program makes from data is written by it. A writer that is not spaced
 * writes {"a":1,"b":[2]}; a spaced one
 * {"a": 1, "b": [2]}, and whatever lp_json_lines opened with one thing a line, indented. Nothing
 * fails here: whether memory lasted, the buffer knows at the end (lp_buf_ok). */
#ifndef LP_BASE_JSON_OUT_H
#define LP_BASE_JSON_OUT_H

#include "base/str.h"

/* {.out = buffer}, and `.spaced`; the rest starts as zeros. */
typedef struct LpJsonOut {
    LpBuf *out; /* borrowed; emptying it between two calls, as a file is written, does no harm */
    bool spaced;
    bool more; /* what comes next stands behind a comma */
    bool stay; /* what comes next stays on its line */
    unsigned depth;
    uint64_t lines; /* bit d: what is open at depth d, below 64, has one thing a line */
} LpJsonOut;

/* `key` is a word of letters that need no escape, or NULL in a list and at the top. */
void lp_json_open(LpJsonOut *json, const char *key, char bracket); /* '{' or '[' */
void lp_json_lines(LpJsonOut *json, const char *key, char bracket);
void lp_json_close(LpJsonOut *json, char bracket); /* '}' or ']' */
void lp_json_end(LpJsonOut *json); /* closes an object that ends a line, as at the top */
/* The next value begins on a new line. */
void lp_json_break(LpJsonOut *json);
/* Call before item `i` of a list that lp_json_lines opened: a line has `per_line` items. */
void lp_json_row(LpJsonOut *json, size_t i, size_t per_line);

void lp_json_put_number(LpJsonOut *json, const char *key, double value); /* null: not finite */
void lp_json_put_count(LpJsonOut *json, const char *key, uint64_t value);
void lp_json_put_bool(LpJsonOut *json, const char *key, bool value);
void lp_json_put_null(LpJsonOut *json, const char *key);
void lp_json_put_text(LpJsonOut *json, const char *key, const char *text); /* NULL: null */
void lp_json_put_hash(LpJsonOut *json, const char *key, uint64_t hash);    /* in hexadecimal */
/* JSON that was made before; NULL: null. */
void lp_json_put_raw(LpJsonOut *json, const char *key, const char *text);
void lp_json_put_index(LpJsonOut *json, const char *key, uint32_t index); /* LP_NO_INDEX: null */
void lp_json_put_counts(LpJsonOut *json, const char *key, const uint32_t *item, size_t count);
/* A list of numbers, `per_line` of them a line. */
void lp_json_put_rows(LpJsonOut *json, const char *key, const double *item, size_t count,
                      size_t per_line);
void lp_json_put_texts(LpJsonOut *json, const char *key, const char *const *text, size_t count);

typedef struct LpJsonNumber {
    const char *key;
    double value;
} LpJsonNumber;
/* One after the other. */
void lp_json_put_numbers(LpJsonOut *json, const LpJsonNumber *row, size_t count);

#endif
