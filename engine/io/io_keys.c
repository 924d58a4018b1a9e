/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of keys by a table of keys. */
#include "io/io_keys.h"

#include "io/files/file.h"
#include "io/json/json.h"

enum { FILE_MAX = 1 << 20 };

typedef struct Reading {
    LpArena *arena;
    LpBindings bindings;
} Reading;

static LpErr keep_word(LpJsonValue value, const char *text, LpArena *arena, LpBoundWord *out,
                       LpDiag *diag) {
    lp_json_place(value, &out->line, &out->col);
    out->text = lp_arena_strdup(arena, text);
    return out->text != NULL ? LP_OK : lp_fail_memory(diag, "a file of keys");
}

/* One text, or a list of them. */
static LpErr read_binding(LpJsonValue value, LpArena *arena, LpBinding *out, LpDiag *diag) {
    bool list = lp_json_kind(value) == LP_JSON_LIST;
    size_t count = list ? lp_json_count(value) : 1;
    LpBoundWord *word = lp_arena_alloc(arena, count + 1, sizeof *word);
    if (word == NULL)
        return lp_fail_memory(diag, "a file of keys");
    LP_TRY(keep_word(value, lp_json_key(value), arena, &out->name, diag));
    lp_json_key_place(value, &out->name.line, &out->name.col);
    LpJsonValue at = list ? lp_json_first(value) : value;
    for (size_t i = 0; i < count; i++, at = lp_json_next(at)) {
        LP_TRY(lp_json_expect(at, LP_JSON_TEXT, diag));
        LP_TRY(keep_word(at, lp_json_text(at), arena, &word[i], diag));
    }
    out->word = word;
    out->words = (uint32_t)count;
    return LP_OK;
}

static LpErr read_keys(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Reading *reading = target;
    uint32_t at = 0;
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LpBinding *item = lp_arena_alloc(reading->arena, lp_json_count(value) + 1, sizeof *item);
    if (item == NULL)
        return lp_fail_memory(diag, "a file of keys");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_binding(v, reading->arena, &item[at++], diag));
    reading->bindings = (LpBindings){item, at};
    return LP_OK;
}

static const LpJsonShape text_shape = {.form = LP_FORM_TEXT};
static const LpJsonShape format_shape = {.form = LP_FORM_FORMAT};
static const LpJsonShape *const of_text[] = {&text_shape, NULL};
static const LpJsonShape texts_shape = {.form = LP_FORM_LIST, .of = of_text};
static const LpJsonShape *const one_or_list[] = {&text_shape, &texts_shape, NULL};
static const LpJsonShape key_shape = {.form = LP_FORM_ONE_OF, .of = one_or_list};
static const LpJsonShape *const of_key[] = {&key_shape, NULL};
static const LpJsonShape map_shape = {.form = LP_FORM_MAP, .of = of_key};

static const LpJsonKey keys_keys[] = {
    {.name = "lightpath_keys",
     .type = LP_KEY_CUSTOM,
     .read = lp_json_read_format,
     .shape = &format_shape,
     .required = true},
    {.name = "notes", .type = LP_KEY_CUSTOM, .read = lp_json_read_notes, .shape = &text_shape},
    {.name = "keys",
     .type = LP_KEY_CUSTOM,
     .read = read_keys,
     .shape = &map_shape,
     .required = true},
};

const LpJsonShape lp_shape_keys = LP_OBJECT_SHAPE(keys_keys);

LpErr lp_keys_parse(const char *file, const char *text, size_t len, LpArena *arena, LpBindings *out,
                    LpDiag *diag) {
    Reading reading = {.arena = arena};
    LpJson *doc;
    LP_TRY(lp_json_parse(file, text, len, &doc, diag));
    LpErr err = lp_json_read(lp_json_root(doc), keys_keys, LP_COUNTOF(keys_keys), &reading, NULL,
                             NULL, diag);
    lp_json_free(doc);
    if (err == LP_OK)
        *out = reading.bindings;
    return err;
}

LpErr lp_keys_load(const char *path, LpArena *arena, LpBindings *out, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_file_read(path, FILE_MAX, &text, &len, diag));
    LpErr err = lp_keys_parse(path, text, len, arena, out, diag);
    lp_free(text);
    return err;
}
