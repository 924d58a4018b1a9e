/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes shapes as JSON Schema. */
#include "io/schema.h"

#include <math.h>
#include <string.h>

#include "io/keys.h"
#include "io/scenario/loader.h"
#include "io/theme.h"

typedef struct Writer {
    LpBuf *out;
    int depth;
} Writer;

static void line(Writer *w) {
    lp_buf_add(w->out, "\n");
    for (int i = 0; i < w->depth; i++)
        lp_buf_add(w->out, "  ");
}

static void add_words(LpBuf *out, const char *const *words) {
    lp_buf_add(out, "\"enum\": [");
    for (size_t i = 0; words[i] != NULL; i++) {
        lp_buf_add(out, i > 0 ? ", " : "");
        lp_str_json(out, words[i]);
    }
    lp_buf_add(out, "]");
}

/* ---- numbers ---- */

static void add_range(LpBuf *out, const LpJsonRange *range, double least, double most) {
    char text[LP_NUM_TEXT];
    if (isfinite(least))
        lp_buf_addf(out, ", \"%s\": %s", range->above ? "exclusiveMinimum" : "minimum",
                    lp_num_print(least, text));
    if (most > 0)
        lp_buf_addf(out, ", \"maximum\": %s", lp_num_print(most, text));
}

/* A text with a unit is checked by the reader. */
static void add_quantity(LpBuf *out, const LpJsonRange *range) {
    lp_buf_addf(out, "{\"type\": [\"%s\", \"string\"]", range->whole ? "integer" : "number");
    add_range(out, range, range->min, range->max);
    lp_buf_add(out, "}");
}

static void add_count(LpBuf *out, const LpJsonKey *key) {
    lp_buf_add(out, "{\"type\": \"integer\"");
    add_range(out, &key->range, key->range.min,
              key->range.max > 0          ? key->range.max
              : key->type == LP_KEY_COUNT ? UINT32_MAX
                                          : 0);
    lp_buf_add(out, "}");
}

/* ---- shapes ---- */

static void add_shape(Writer *w, const LpJsonShape *shape);

static void add_key(Writer *w, const LpJsonKey *key) {
    static const LpJsonShape any = {.form = LP_FORM_ANY};
    switch (key->type) {
    case LP_KEY_TEXT:
        lp_buf_add(w->out, "{\"type\": \"string\"}");
        return;
    case LP_KEY_FLAG:
        lp_buf_add(w->out, "{\"type\": \"boolean\"}");
        return;
    case LP_KEY_QUANTITY:
        add_quantity(w->out, &key->range);
        return;
    case LP_KEY_COUNT:
    case LP_KEY_COUNT64:
        add_count(w->out, key);
        return;
    case LP_KEY_WORD:
        lp_buf_add(w->out, "{");
        add_words(w->out, key->words);
        lp_buf_add(w->out, "}");
        return;
    case LP_KEY_CUSTOM:
    case LP_KEY_SKIP:
        break;
    }
    add_shape(w, key->shape != NULL ? key->shape : &any);
}

static void add_required(Writer *w, const LpJsonShape *shape) {
    const char *comma = "";
    for (size_t i = 0; i < shape->count; i++)
        if (shape->keys[i].required) {
            if (comma[0] == '\0') {
                lp_buf_add(w->out, ",");
                line(w);
                lp_buf_add(w->out, "\"required\": [");
            }
            lp_buf_addf(w->out, "%s\"%s\"", comma, shape->keys[i].name);
            comma = ", ";
        }
    lp_buf_add(w->out, comma[0] != '\0' ? "]" : "");
}

static void add_members(Writer *w, const LpJsonShape *shape) {
    lp_buf_add(w->out, "\"type\": \"object\",");
    line(w);
    lp_buf_add(w->out, "\"properties\": {");
    w->depth++;
    for (size_t i = 0; i < shape->count; i++) {
        lp_buf_add(w->out, i > 0 ? "," : "");
        line(w);
        lp_buf_addf(w->out, "\"%s\": ", shape->keys[i].name);
        add_key(w, &shape->keys[i]);
    }
    w->depth--;
    line(w);
    lp_buf_add(w->out, "},");
    line(w);
    lp_buf_add(w->out, "\"additionalProperties\": false");
    add_required(w, shape);
    if (shape->form == LP_FORM_SINGLE) {
        lp_buf_add(w->out, ",");
        line(w);
        lp_buf_add(w->out, "\"minProperties\": 1, \"maxProperties\": 1");
    }
}

static void add_object(Writer *w, const LpJsonShape *shape) {
    lp_buf_add(w->out, "{");
    w->depth++;
    line(w);
    add_members(w, shape);
    w->depth--;
    line(w);
    lp_buf_add(w->out, "}");
}

static void add_map(Writer *w, const LpJsonShape *shape) {
    lp_buf_add(w->out, "{\"type\": \"object\", ");
    if (shape->words != NULL) {
        lp_buf_add(w->out, "\"propertyNames\": {");
        add_words(w->out, shape->words);
        lp_buf_add(w->out, "}, ");
    }
    lp_buf_add(w->out, "\"additionalProperties\": ");
    add_shape(w, shape->of[0]);
    lp_buf_add(w->out, "}");
}

static void add_alternatives(Writer *w, const LpJsonShape *shape) {
    lp_buf_add(w->out, "{\"anyOf\": [");
    for (size_t i = 0; shape->of[i] != NULL; i++) {
        lp_buf_add(w->out, i > 0 ? ", " : "");
        add_shape(w, shape->of[i]);
    }
    lp_buf_add(w->out, "]}");
}

static void add_colour(Writer *w, const LpJsonShape *shape) {
    lp_buf_addf(w->out,
                "{\"anyOf\": [{\"type\": \"integer\", \"minimum\": -1, \"maximum\": %.0f}, {",
                shape->max);
    add_words(w->out, shape->words);
    lp_buf_add(w->out, "}]}");
}

static void add_shape(Writer *w, const LpJsonShape *shape) {
    switch (shape->form) {
    case LP_FORM_ANY:
        lp_buf_add(w->out, "{}");
        return;
    case LP_FORM_TEXT:
        lp_buf_add(w->out, "{\"type\": \"string\"}");
        return;
    case LP_FORM_NUMBER:
        lp_buf_add(w->out, "{\"type\": [\"number\", \"string\"]}");
        return;
    case LP_FORM_FORMAT:
        lp_buf_add(w->out, "{\"const\": 1}");
        return;
    case LP_FORM_WORD:
        lp_buf_add(w->out, "{");
        add_words(w->out, shape->words);
        lp_buf_add(w->out, "}");
        return;
    case LP_FORM_COLOUR:
        add_colour(w, shape);
        return;
    case LP_FORM_OBJECT:
    case LP_FORM_SINGLE:
        add_object(w, shape);
        return;
    case LP_FORM_MAP:
        add_map(w, shape);
        return;
    case LP_FORM_LIST:
        lp_buf_add(w->out, "{\"type\": \"array\", \"items\": ");
        add_shape(w, shape->of[0]);
        lp_buf_add(w->out, "}");
        return;
    case LP_FORM_ONE_OF:
        add_alternatives(w, shape);
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
    Writer w = {out, 1};
    char shown[64];
    size_t i = 0;
    while (i < LP_COUNTOF(files) && strcmp(files[i].name, name) != 0)
        i++;
    if (i == LP_COUNTOF(files))
        return lp_fail(diag, LP_EINVAL,
                       "there is no schema of \"%s\": expected scenario, lesson, theme or keys",
                       lp_str_show(shown, sizeof shown, name));
    lp_buf_add(out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                    "  \"title\": ");
    lp_str_json(out, files[i].title);
    lp_buf_add(out, ",\n  ");
    add_members(&w, files[i].shape);
    lp_buf_add(out, "\n}\n");
    return lp_buf_ok(out, diag);
}
