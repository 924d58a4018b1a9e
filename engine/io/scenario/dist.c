/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions as a scenario writes them: {"uniform": {"min": 0.1, "max": 1}}, or a bare number.
 */
#include <string.h>

#include "io/scenario/loader.h"

typedef struct DistReader {
    const LpDistForm *form;
    LpArena *arena;
    bool inner; /* an entry of a choice */
} DistReader;

/* Any number: what is allowed depends on what it is for, and is checked on the whole. */
static LpErr read_number(LpJsonValue value, LpDimension dim, double *out, LpDiag *diag) {
    const LpJsonRange any = {.dim = dim, .min = -1.7976931348623157e308};
    return lp_json_quantity(value, &any, out, diag);
}

static LpErr read_fixed(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    LpDist *dist = target;
    dist->kind = LP_DIST_FIXED;
    return read_number(value, reader->form->dim, &dist->value, diag);
}

#define NUMBER(key, field, dimension, need)                                                        \
    {                                                                                              \
        LP_FIELD(key, LP_KEY_QUANTITY, LpDist, field),                                             \
            .range = {.dim = dimension, .min = -1.7976931348623157e308}, .required = need          \
    }

static LpErr read_exponential(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    const LpJsonKey keys[] = {NUMBER("mean", value, reader->form->dim, true)};
    LpDist *dist = target;
    dist->kind = LP_DIST_EXPONENTIAL;
    return lp_json_read(value, keys, LP_COUNTOF(keys), dist, NULL, NULL, diag);
}

/* decimals: -1 (none) is not written, so 0 is told from "absent" by a value outside the range. */
static LpErr read_decimals(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpDist *dist = target;
    uint64_t decimals;
    LP_TRY(lp_json_u64(value, 0, 15, &decimals, diag));
    dist->decimals = (int)decimals;
    return LP_OK;
}

static LpErr read_uniform(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    const LpJsonKey keys[] = {
        NUMBER("min", min, reader->form->dim, true),
        NUMBER("max", max, reader->form->dim, true),
        LP_CUSTOM("decimals", read_decimals),
    };
    LpDist *dist = target;
    dist->kind = LP_DIST_UNIFORM;
    dist->decimals = reader->form->whole ? 0 : -1;
    return lp_json_read(value, keys, LP_COUNTOF(keys), dist, NULL, NULL, diag);
}

static LpErr read_skew_normal(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    const LpJsonKey keys[] = {
        NUMBER("skewness", skewness, LP_DIM_NONE, true),
        NUMBER("min", min, reader->form->dim, true),
        NUMBER("max", max, reader->form->dim, true),
        LP_CUSTOM("decimals", read_decimals),
    };
    LpDist *dist = target;
    dist->kind = LP_DIST_SKEW_NORMAL;
    dist->decimals = reader->form->whole ? 0 : 2;
    return lp_json_read(value, keys, LP_COUNTOF(keys), dist, NULL, NULL, diag);
}

/* ---- probability mass functions ---- */

static LpErr read_list(LpJsonValue list, LpDimension dim, double *out, LpDiag *diag) {
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_number(v, dim, out++, diag));
    return LP_OK;
}

static LpErr read_pairs(LpJsonValue value, const DistReader *reader, double *values,
                        double *weights, LpDiag *diag) {
    LpDiag inner;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LpErr err = lp_quantity_parse(lp_json_key(v), reader->form->dim, values++, &inner);
        if (err != LP_OK)
            return lp_json_fail_key(v, diag, LP_EINVAL, "a value of \"pmf\": %s", inner.text);
        LP_TRY(read_number(v, LP_DIM_NONE, weights++, diag));
    }
    return LP_OK;
}

static LpErr check_lists(LpJsonValue value, LpJsonValue values, LpJsonValue weights, LpDiag *diag) {
    static const LpJsonKey keys[] = {
        {.name = "values", .type = LP_KEY_SKIP, .required = true},
        {.name = "weights", .type = LP_KEY_SKIP, .required = true},
    };
    LP_TRY(lp_json_check_keys(value, keys, LP_COUNTOF(keys), diag));
    LP_TRY(lp_json_expect(values, LP_JSON_LIST, diag));
    LP_TRY(lp_json_expect(weights, LP_JSON_LIST, diag));
    if (lp_json_count(values) != lp_json_count(weights))
        return lp_json_fail(weights, diag, LP_EINVAL,
                            "\"weights\" has %zu entries, expected %zu as in \"values\"",
                            lp_json_count(weights), lp_json_count(values));
    return LP_OK;
}

static LpErr read_pmf(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    LpDist *dist = target;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LpJsonValue values = lp_json_member(value, "values");
    LpJsonValue weights = lp_json_member(value, "weights");
    bool lists = values.item != NULL || weights.item != NULL;
    if (lists)
        LP_TRY(check_lists(value, values, weights, diag));
    size_t count = lp_json_count(lists ? values : value);
    double *to_values = lp_arena_alloc(reader->arena, count, sizeof(double));
    double *to_weights = lp_arena_alloc(reader->arena, count, sizeof(double));
    if (to_values == NULL || to_weights == NULL)
        return lp_fail_memory(diag, "a distribution");
    dist->kind = LP_DIST_PMF;
    dist->count = (uint32_t)count;
    dist->values = to_values;
    dist->weights = to_weights;
    if (!lists)
        return read_pairs(value, reader, to_values, to_weights, diag);
    LP_TRY(read_list(values, reader->form->dim, to_values, diag));
    return read_list(weights, LP_DIM_NONE, to_weights, diag);
}

/* ---- all kinds ---- */

static LpErr read_dist(LpJsonValue value, DistReader *reader, LpDist *out, LpDiag *diag);

static LpErr read_choice(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const DistReader *reader = context;
    DistReader inner = {reader->form, reader->arena, true};
    LpDist *dist = target;
    if (reader->inner)
        return lp_json_fail(value, diag, LP_EINVAL, "a choice inside a choice, expected none");
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value), i = 0;
    LpDist *choices = lp_arena_alloc(reader->arena, count, sizeof *choices);
    if (choices == NULL)
        return lp_fail_memory(diag, "a distribution");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_dist(v, &inner, &choices[i++], diag));
    dist->kind = LP_DIST_CHOICE;
    dist->count = (uint32_t)count;
    dist->choices = choices;
    return LP_OK;
}

static const LpJsonKey dist_keys[] = {
    LP_CUSTOM("fixed", read_fixed),
    LP_CUSTOM("uniform", read_uniform),
    LP_CUSTOM("pmf", read_pmf),
    LP_CUSTOM("skew_normal", read_skew_normal),
    LP_CUSTOM("exponential", read_exponential),
    LP_CUSTOM("choice", read_choice),
};

static const LpJsonShape object_shape = {
    .form = LP_FORM_SINGLE, .keys = dist_keys, .count = LP_COUNTOF(dist_keys)};
static const LpJsonShape *const number_or_object[] = {&lp_shape_number, &object_shape, NULL};
/* A bare number, a text (a number with a unit, or a shape), or an object. */
const LpJsonShape lp_shape_dist = {.form = LP_FORM_ONE_OF, .of = number_or_object};

static LpErr read_object(LpJsonValue value, DistReader *reader, LpDist *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    size_t count = lp_json_count(value);
    if (count != 1)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a distribution has %zu keys, expected one, such as {\"fixed\": 50}",
                            count);
    return lp_json_read(value, dist_keys, LP_COUNTOF(dist_keys), out, reader->arena, reader, diag);
}

static LpErr read_shape(LpJsonValue value, LpDist *out, LpDiag *diag) {
    static const char *const words[] = {"exponential", "fixed", NULL};
    int word;
    LP_TRY(lp_json_word(value, words, &word, diag));
    out->kind = word == 0 ? LP_DIST_EXPONENTIAL : LP_DIST_FIXED;
    return LP_OK;
}

/* "exponential" is a shape, "1000 s" a fixed quantity. */
static bool is_shape(LpJsonValue value) {
    const char *text = lp_json_text(value);
    return text != NULL && (text[0] < '0' || text[0] > '9') && text[0] != '-' && text[0] != '.';
}

static LpErr read_dist(LpJsonValue value, DistReader *reader, LpDist *out, LpDiag *diag) {
    LpJsonKind kind = lp_json_kind(value);
    *out = (LpDist){.decimals = -1};
    if (reader->form->shapes && !reader->inner && is_shape(value))
        return read_shape(value, out, diag);
    if (kind == LP_JSON_NUMBER || kind == LP_JSON_TEXT)
        return read_fixed(value, out, reader, diag);
    return read_object(value, reader, out, diag);
}

LpErr lp_load_dist(LpJsonValue value, const LpDistForm *form, LpArena *arena, LpDist *out,
                   LpDiag *diag) {
    DistReader reader = {form, arena, false};
    return read_dist(value, &reader, out, diag);
}
