/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes shapes as JSON Schema. */
#include "io/schema.h"

#include <math.h>
#include <string.h>

#include "base/json_out.h"
#include "io/io_keys.h"
#include "io/lesson/lesson.h"
#include "io/scenario/loader.h"
#include "io/theme.h"

/* An object that says only its type, or names one. */
static void open_type(LpJsonOut *json, const char *key, const char *type) {
    lp_json_open(json, key, '{');
    lp_json_put_text(json, "type", type);
}

static void add_type(LpJsonOut *json, const char *key, const char *type) {
    open_type(json, key, type);
    lp_json_close(json, '}');
}

/* ---- numbers ---- */

static void add_range(LpJsonOut *json, const LpJsonRange *range, double least, double most) {
    if (isfinite(least))
        lp_json_put_number(json, range->above ? "exclusiveMinimum" : "minimum", least);
    if (most > 0)
        lp_json_put_number(json, "maximum", most);
}

/* A text with a unit is checked by the reader. */
static void add_quantity(LpJsonOut *json, const char *name, const LpJsonRange *range) {
    const char *types[] = {range->whole ? "integer" : "number", "string"};
    lp_json_open(json, name, '{');
    lp_json_put_texts(json, "type", types, 2);
    add_range(json, range, range->min, range->max);
    lp_json_close(json, '}');
}

static void add_count(LpJsonOut *json, const LpJsonKey *key) {
    open_type(json, key->name, "integer");
    add_range(json, &key->range, key->range.min,
              key->range.max > 0          ? key->range.max
              : key->type == LP_KEY_COUNT ? UINT32_MAX
                                          : 0);
    lp_json_close(json, '}');
}

/* ---- shapes ---- */

static void add_shape(LpJsonOut *json, const char *name, const LpJsonShape *shape);

static void add_word(LpJsonOut *json, const char *name, const char *const *words) {
    lp_json_open(json, name, '{');
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    lp_json_put_texts(json, "enum", words, count);
    lp_json_close(json, '}');
}

static void add_key(LpJsonOut *json, const LpJsonKey *key) {
    static const LpJsonShape any = {.form = LP_FORM_ANY};
    switch (key->type) {
    case LP_KEY_TEXT:
        add_type(json, key->name, "string");
        return;
    case LP_KEY_FLAG:
        add_type(json, key->name, "boolean");
        return;
    case LP_KEY_QUANTITY:
        add_quantity(json, key->name, &key->range);
        return;
    case LP_KEY_COUNT:
    case LP_KEY_COUNT64:
        add_count(json, key);
        return;
    case LP_KEY_WORD:
        add_word(json, key->name, key->words);
        return;
    case LP_KEY_CUSTOM:
    case LP_KEY_SKIP:
        break;
    }
    add_shape(json, key->name, key->shape != NULL ? key->shape : &any);
}

static void add_required(LpJsonOut *json, const LpJsonShape *shape) {
    bool some = false;
    for (size_t i = 0; i < shape->count; i++) {
        if (!shape->keys[i].required)
            continue;
        if (!some)
            lp_json_open(json, "required", '[');
        some = true;
        lp_json_put_text(json, NULL, shape->keys[i].name);
    }
    if (some)
        lp_json_close(json, ']');
}

/* Into an open object. */
static void add_members(LpJsonOut *json, const LpJsonShape *shape) {
    lp_json_put_text(json, "type", "object");
    lp_json_lines(json, "properties", '{');
    for (size_t i = 0; i < shape->count; i++)
        add_key(json, &shape->keys[i]);
    lp_json_close(json, '}');
    lp_json_put_bool(json, "additionalProperties", false);
    add_required(json, shape);
    if (shape->form == LP_FORM_SINGLE) {
        lp_json_put_count(json, "minProperties", 1);
        lp_json_put_count(json, "maxProperties", 1);
    }
}

static void open_alternatives(LpJsonOut *json, const char *name) {
    lp_json_open(json, name, '{');
    lp_json_open(json, "anyOf", '[');
}

static void close_alternatives(LpJsonOut *json) {
    lp_json_close(json, ']');
    lp_json_close(json, '}');
}

static void add_alternatives(LpJsonOut *json, const char *name, const LpJsonShape *shape) {
    open_alternatives(json, name);
    for (size_t i = 0; shape->of[i] != NULL; i++)
        add_shape(json, NULL, shape->of[i]);
    close_alternatives(json);
}

static void add_shape(LpJsonOut *json, const char *name, const LpJsonShape *shape) {
    static const LpJsonRange all = {.min = -(double)INFINITY};
    switch (shape->form) {
    case LP_FORM_ANY:
        lp_json_open(json, name, '{');
        lp_json_close(json, '}');
        return;
    case LP_FORM_TEXT:
        add_type(json, name, "string");
        return;
    case LP_FORM_NUMBER:
        add_quantity(json, name, &all);
        return;
    case LP_FORM_FORMAT:
        lp_json_open(json, name, '{');
        lp_json_put_count(json, "const", 1);
        lp_json_close(json, '}');
        return;
    case LP_FORM_WORD:
        add_word(json, name, shape->words);
        return;
    case LP_FORM_COLOUR:
        open_alternatives(json, name);
        open_type(json, NULL, "integer");
        lp_json_put_number(json, "minimum", -1);
        lp_json_put_number(json, "maximum", shape->max);
        lp_json_close(json, '}');
        add_word(json, NULL, shape->words);
        close_alternatives(json);
        return;
    case LP_FORM_OBJECT:
    case LP_FORM_SINGLE:
        lp_json_lines(json, name, '{');
        add_members(json, shape);
        lp_json_close(json, '}');
        return;
    case LP_FORM_MAP:
        open_type(json, name, "object");
        if (shape->words != NULL)
            add_word(json, "propertyNames", shape->words);
        add_shape(json, "additionalProperties", shape->of[0]);
        lp_json_close(json, '}');
        return;
    case LP_FORM_LIST:
        open_type(json, name, "array");
        add_shape(json, "items", shape->of[0]);
        lp_json_close(json, '}');
        return;
    case LP_FORM_ONE_OF:
        add_alternatives(json, name, shape);
        return;
    }
}

/* ---- files ---- */

static const struct {
    const char *name, *title;
    const LpJsonShape *shape;
} files[] = {{"scenario", "A scenario of lightpath, format 1", &lp_shape_scenario},
             {"lesson", "The key \"lesson\" of a scenario of lightpath", &lp_shape_lesson},
             {"theme", "A theme of lightpath, format 1", &lp_shape_theme},
             {"keys", "Keys of lightpath's explorer, format 1", &lp_shape_keys}};

LpErr lp_schema_add(const char *name, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out, .spaced = true};
    char shown[64];
    size_t i = 0;
    while (i < LP_COUNTOF(files) && strcmp(files[i].name, name) != 0)
        i++;
    if (i == LP_COUNTOF(files))
        return lp_fail(diag, LP_EINVAL,
                       "there is no schema of \"%s\": expected scenario, lesson, theme or keys",
                       lp_str_show(shown, sizeof shown, name));
    lp_json_lines(&json, NULL, '{');
    lp_json_put_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lp_json_put_text(&json, "title", files[i].title);
    add_members(&json, files[i].shape);
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}
