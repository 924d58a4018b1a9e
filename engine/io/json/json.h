/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as read: a strict document that knows where each of its values stands, typed getters, and
 * tables of keys. Behind it is cJSON, which only json.c and json_set.c see. Numbers are written
 * with lp_num_print and texts with lp_str_json (base), never by cJSON: it does not keep doubles. */
#ifndef LP_IO_JSON_H
#define LP_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

struct cJSON;
typedef struct LpJson LpJson; /* a document */

/* A value of a document; valid until the document is freed. item NULL: no value. */
typedef struct LpJsonValue {
    const LpJson *doc;
    const struct cJSON *item;
} LpJsonValue;

typedef enum LpJsonKind {
    LP_JSON_NOTHING, /* no value at all */
    LP_JSON_NULL,
    LP_JSON_BOOL,
    LP_JSON_NUMBER,
    LP_JSON_TEXT,
    LP_JSON_LIST,
    LP_JSON_OBJECT
} LpJsonKind;

enum { LP_JSON_DEPTH_MAX = 64, LP_JSON_VALUES_MAX = 1 << 23, LP_JSON_DIGITS_MAX = 63 };

/* Parses a whole text. Stricter than RFC 8259 where that leaves room: UTF-8 without NUL, no key
 * twice in an object, numbers are finite doubles of at most LP_JSON_DIGITS_MAX bytes. A byte-order
 * mark is skipped. `file` is what messages call it. Both `file` and `text` (text[len] is 0) are
 * borrowed until lp_json_free. Errors: LP_EPARSE at file:line:col, LP_ELIMIT. O(len log len) at
 * worst. */
LpErr lp_json_parse(const char *file, const char *text, size_t len, LpJson **out,
                    LpDiag *diag) LP_MUST_USE;
void lp_json_free(LpJson *doc); /* NULL allowed */

/* Applies one override "a.b[2].c=VALUE". VALUE is JSON, or else a plain text; null takes the key
 * away, or the entry of a list: those after it move up. Objects on the way are created, entries of
 * lists are not. `assignment` is borrowed until lp_json_free; messages about the value name it
 * instead of a line. Errors: LP_EINVAL, LP_EPARSE.
 */
LpErr lp_json_set(LpJson *doc, const char *assignment, LpDiag *diag) LP_MUST_USE;

LpJsonValue lp_json_root(const LpJson *doc);
LpJsonKind lp_json_kind(LpJsonValue value);
/* "a list", "the text \"fast\"" ... for messages. Returns buf. */
const char *lp_json_found(LpJsonValue value, char *buf, size_t size);
const char *lp_json_key(LpJsonValue value); /* NULL for the root and entries of lists */
/* Members in the order of the file; NOTHING at the end, and inside what is no list or object. */
LpJsonValue lp_json_first(LpJsonValue value);
LpJsonValue lp_json_next(LpJsonValue value);
size_t lp_json_count(LpJsonValue value);                         /* O(members) */
LpJsonValue lp_json_member(LpJsonValue object, const char *key); /* exact case; O(members) */
const char *lp_json_text(LpJsonValue value);                     /* of a text, else NULL */
bool lp_json_bool(LpJsonValue value);
double lp_json_number(LpJsonValue value); /* of a number, else 0 */
/* The deepest value that a path such as "generator.steps.min" or "jobs[3].servers" at the start of
 * `text` leads to, passing through objects of one member; NOTHING where its first name is unknown.
 */
LpJsonValue lp_json_at_path(const LpJson *doc, const char *text);

/* The number's text as it stands in its source; *len bytes, not terminated. */
const char *lp_json_digits(LpJsonValue value, size_t *len);
/* The value as compact JSON, its numbers as they were written. */
void lp_json_print(LpJsonValue value, LpBuf *out);

/* Fails at the value, or at its key: "file:line:col: ..." or "--set PATH=VALUE: ...". */
LpErr lp_json_fail(LpJsonValue value, LpDiag *diag, LpErr code, const char *fmt, ...)
    LP_PRINTF(4, 5);
LpErr lp_json_fail_key(LpJsonValue value, LpDiag *diag, LpErr code, const char *fmt, ...)
    LP_PRINTF(4, 5);
/* LP_EINVAL unless the value is of the kind. */
LpErr lp_json_expect(LpJsonValue value, LpJsonKind kind, LpDiag *diag) LP_MUST_USE;
/* Line and column (from 1) of a value in the file; 0, 0 when it came from lp_json_set. */
void lp_json_place(LpJsonValue value, int *line, int *col);
/* Line and column (from 1) of the key of a value in the file; 0, 0 as of lp_json_place. */
void lp_json_key_place(LpJsonValue value, int *line, int *col);

/* ---- checked values ---- */

/* What a number may be. max 0 stands for no upper bound. */
typedef struct LpJsonRange {
    LpDimension dim; /* a text such as "50 ns" is a number, too, if it has this dimension */
    double min, max;
    bool above; /* min itself is refused */
    bool whole;
} LpJsonRange;

LpErr lp_json_quantity(LpJsonValue value, const LpJsonRange *range, double *out,
                       LpDiag *diag) LP_MUST_USE;
LpErr lp_json_u64(LpJsonValue value, uint64_t min, uint64_t max, uint64_t *out,
                  LpDiag *diag) LP_MUST_USE;
/* Index of the text in a NULL-terminated list of words. */
LpErr lp_json_word(LpJsonValue value, const char *const *words, int *out, LpDiag *diag) LP_MUST_USE;

/* ---- objects by tables of keys ---- */

typedef enum LpJsonType {
    LP_KEY_TEXT,     /* const char *, copied to the arena */
    LP_KEY_FLAG,     /* bool */
    LP_KEY_QUANTITY, /* double within `range` */
    LP_KEY_COUNT,    /* uint32_t within range.min .. range.max (0: UINT32_MAX) */
    LP_KEY_COUNT64,  /* uint64_t within range.min .. range.max (0: UINT64_MAX) */
    LP_KEY_WORD,     /* an enum: the index in `words` */
    LP_KEY_CUSTOM,   /* `read` gets the whole target */
    LP_KEY_SKIP      /* known, read elsewhere */
} LpJsonType;

/* What a value may be, for schemas: that of a key that is read by a function of its own. */
typedef enum LpJsonForm {
    LP_FORM_ANY,
    LP_FORM_TEXT,
    LP_FORM_NUMBER, /* a number, or a text with a unit */
    LP_FORM_FORMAT, /* the number 1: the version of the format */
    LP_FORM_WORD,   /* one of `words` */
    LP_FORM_COLOUR, /* of a theme: a number from -1, or one of `words` */
    LP_FORM_OBJECT, /* the `count` keys */
    LP_FORM_SINGLE, /* exactly one of them */
    LP_FORM_MAP,    /* any names, or `words`, with values as of[0] */
    LP_FORM_LIST,   /* entries as of[0] */
    LP_FORM_ONE_OF  /* as one of `of` */
} LpJsonForm;

typedef struct LpJsonShape {
    LpJsonForm form;
    const struct LpJsonKey *keys;
    size_t count;
    const struct LpJsonShape *const *of; /* NULL-terminated */
    const char *const *words;            /* NULL-terminated */
    double max;                          /* of a colour */
} LpJsonShape;

#define LP_OBJECT_SHAPE(table)                                                                     \
    { .form = LP_FORM_OBJECT, .keys = table, .count = sizeof(table) / sizeof((table)[0]) }

typedef struct LpJsonKey {
    const char *name;
    const LpJsonShape *shape; /* CUSTOM, SKIP: what it may be; NULL: anything */
    const char *const *words;
    LpErr (*read)(LpJsonValue value, void *target, void *context, LpDiag *diag);
    size_t offset; /* of the field in the target */
    LpJsonRange range;
    LpJsonType type;
    bool required;
} LpJsonKey;

/* Rows of a table of keys: one that a reader handles, a field, a quantity, a whole number. */
#define LP_CUSTOM(key, reader)                                                                     \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader }
#define LP_FIELD(key, kind, structure, field)                                                      \
    .name = key, .type = kind, .offset = offsetof(structure, field)
#define LP_QUANTITY(key, structure, field, ...)                                                    \
    {                                                                                              \
        LP_FIELD(key, LP_KEY_QUANTITY, structure, field), .range = { __VA_ARGS__ }                 \
    }
#define LP_COUNTED(key, structure, field, least, most)                                             \
    {                                                                                              \
        LP_FIELD(key, LP_KEY_COUNT, structure, field), .range = {.min = least, .max = most }       \
    }

enum { LP_JSON_KEYS_MAX = 48 };

/* Refuses what is no object, unknown keys (naming the nearest known one) and missing required
 * ones. */
LpErr lp_json_check_keys(LpJsonValue object, const LpJsonKey *keys, size_t count,
                         LpDiag *diag) LP_MUST_USE;
/* Reads the keys that are present into `target` in the order of the table, and looks at no others.
 * What is absent keeps its value. On failure the target may be partly written. */
LpErr lp_json_read_keys(LpJsonValue object, const LpJsonKey *keys, size_t count, void *target,
                        LpArena *arena, void *context, LpDiag *diag) LP_MUST_USE;
/* lp_json_check_keys, then lp_json_read_keys. */
LpErr lp_json_read(LpJsonValue object, const LpJsonKey *keys, size_t count, void *target,
                   LpArena *arena, void *context, LpDiag *diag) LP_MUST_USE;

/* Readers that every kind of file shares; target and context are not looked at.
 * The key that names the format, which must be 1; LP_EINVAL at the value. */
LpErr lp_json_read_format(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;
/* A text that is only for people. */
LpErr lp_json_read_notes(LpJsonValue value, void *target, void *context, LpDiag *diag) LP_MUST_USE;

#endif
