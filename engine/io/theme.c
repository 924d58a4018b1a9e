/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Theme files by tables of keys. */
#include "io/theme.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "io/files/file.h"
#include "io/json/json.h"

enum { FILE_MAX = 1 << 20 };

/* A role while it is read: what was said. */
typedef struct Draft {
    LpLook look;
    bool c256, c16, c8, attr, mono;
} Draft;

/* What the readers of a file know. */
typedef struct Reading {
    const char *const *role;
    LpThemeSpec spec;
} Reading;

/* ---- colours ---- */

static const char *const colour_words[] = {
    "black",        "red",           "green",       "yellow",         "blue",
    "magenta",      "cyan",          "white",       "bright-black",   "bright-red",
    "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white", "default",       NULL};
enum { COLOURS = 16 };

static LpErr fail_colour(LpJsonValue value, int count, LpDiag *diag) {
    char found[80];
    return lp_json_fail(value, diag, LP_EINVAL,
                        "\"%s\" is %s, expected a colour: a whole number from 0 to %d, or a name "
                        "such as \"green\"%s or \"default\"",
                        lp_json_key(value), lp_json_found(value, found, sizeof found), count - 1,
                        count > 8 ? ", \"bright-green\"" : "");
}

/* A number below `count`, a name, or "default" (also -1). */
static LpErr read_colour(LpJsonValue value, int count, int16_t *out, LpDiag *diag) {
    double number = lp_json_number(value);
    int word;
    if (lp_json_kind(value) == LP_JSON_TEXT) {
        LP_TRY(lp_json_word(value, colour_words, &word, diag));
        if (word < COLOURS && word >= count)
            return fail_colour(value, count, diag);
        *out = (int16_t)(word == COLOURS ? -1 : word);
        return LP_OK;
    }
    if (lp_json_kind(value) != LP_JSON_NUMBER || !(number >= -1 && number < count) ||
        number != (double)(int)number)
        return fail_colour(value, count, diag);
    *out = (int16_t)number;
    return LP_OK;
}

static LpErr read_c256(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Draft *draft = target;
    (void)context;
    draft->c256 = true;
    return read_colour(value, 256, &draft->look.c256, diag);
}

static LpErr read_c16(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Draft *draft = target;
    (void)context;
    draft->c16 = true;
    return read_colour(value, 16, &draft->look.c16, diag);
}

static LpErr read_c8(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Draft *draft = target;
    (void)context;
    draft->c8 = true;
    return read_colour(value, 8, &draft->look.c8, diag);
}

static LpErr read_fill(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return read_colour(value, 256, &((Draft *)target)->look.fill, diag);
}

static LpErr read_dim(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return read_colour(value, 256, &((Draft *)target)->look.dim, diag);
}

/* ---- emphasis ---- */

static const char *const emphasis_words[] = {"bold", "underline", "reverse", "fill", NULL};
static const uint16_t emphasis_bits[] = {LP_BOLD, LP_UNDERLINE, LP_REVERSE, LP_FILL};

static LpErr read_emphasis(LpJsonValue value, uint16_t *out, LpDiag *diag) {
    uint16_t bits = 0;
    int word;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(lp_json_word(v, emphasis_words, &word, diag));
        bits = (uint16_t)(bits | emphasis_bits[word]);
    }
    *out = bits;
    return LP_OK;
}

static LpErr read_attr(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Draft *draft = target;
    (void)context;
    draft->attr = true;
    return read_emphasis(value, &draft->look.attr, diag);
}

static LpErr read_mono(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Draft *draft = target;
    (void)context;
    draft->mono = true;
    return read_emphasis(value, &draft->look.mono, diag);
}

/* ---- roles ---- */

static const LpJsonShape c256_shape = {.form = LP_FORM_COLOUR, .words = colour_words, .max = 255};
static const LpJsonShape c16_shape = {.form = LP_FORM_COLOUR, .words = colour_words, .max = 15};
static const LpJsonShape c8_shape = {.form = LP_FORM_COLOUR, .words = colour_words, .max = 7};
static const LpJsonShape emphasis_shape = {.form = LP_FORM_WORD, .words = emphasis_words};
static const LpJsonShape *const of_emphasis[] = {&emphasis_shape, NULL};
static const LpJsonShape attr_shape = {.form = LP_FORM_LIST, .of = of_emphasis};

static const LpJsonKey look_keys[] = {
    {.name = "c256", .type = LP_KEY_CUSTOM, .read = read_c256, .shape = &c256_shape},
    {.name = "c16", .type = LP_KEY_CUSTOM, .read = read_c16, .shape = &c16_shape},
    {.name = "c8", .type = LP_KEY_CUSTOM, .read = read_c8, .shape = &c8_shape},
    {.name = "fill", .type = LP_KEY_CUSTOM, .read = read_fill, .shape = &c256_shape},
    {.name = "dim", .type = LP_KEY_CUSTOM, .read = read_dim, .shape = &c256_shape},
    {.name = "attr", .type = LP_KEY_CUSTOM, .read = read_attr, .shape = &attr_shape},
    {.name = "mono", .type = LP_KEY_CUSTOM, .read = read_mono, .shape = &attr_shape},
};

static LpErr read_role(LpJsonValue value, Reading *reading, LpDiag *diag) {
    Draft draft = {.look = {-1, -1, -1, 0, 0, -1, -1}};
    char shown[64];
    size_t count = 0, role = 0;
    while (reading->role[count] != NULL)
        count++;
    while (role < count && strcmp(reading->role[role], lp_json_key(value)) != 0)
        role++;
    if (role == count) {
        int near = lp_str_nearest(lp_json_key(value), reading->role, count);
        return lp_json_fail_key(value, diag, LP_EINVAL, "there is no role \"%s\"%s%s%s",
                                lp_str_show(shown, sizeof shown, lp_json_key(value)),
                                near >= 0 ? ", expected \"" : "; see lightpath-theme(5)",
                                near >= 0 ? reading->role[near] : "", near >= 0 ? "\"" : "");
    }
    LP_TRY(lp_json_read(value, look_keys, LP_COUNTOF(look_keys), &draft, NULL, NULL, diag));
    /* Colours that were not given follow from those that were. */
    LpLook look = draft.look;
    if (!draft.c16)
        look.c16 = look.c256 >= 0 && look.c256 < COLOURS ? look.c256 : look.c8;
    if (!draft.c256)
        look.c256 = look.c16;
    if (!draft.c8)
        look.c8 = (int16_t)(look.c16 < 0 ? -1 : look.c16 % 8);
    if (!draft.mono)
        look.mono = look.attr;
    reading->spec.look[role] = look;
    reading->spec.given |= UINT32_C(1) << role;
    return LP_OK;
}

/* ---- the file ---- */

/* A text that fits. */
static LpErr read_text(LpJsonValue value, char *out, size_t size, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    if (strlen(lp_json_text(value)) >= size || lp_json_text(value)[0] == '\0')
        return lp_json_fail(value, diag, LP_EINVAL, "\"%s\" has %zu bytes, expected 1 to %zu",
                            lp_json_key(value), strlen(lp_json_text(value)), size - 1);
    lp_str_copy(out, size, lp_json_text(value));
    return LP_OK;
}

static LpErr read_name(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Reading *reading = target;
    (void)context;
    return read_text(value, reading->spec.name, sizeof reading->spec.name, diag);
}

static LpErr read_like(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpThemeSpec *spec = &((Reading *)target)->spec;
    (void)context;
    lp_json_place(value, &spec->like_line, &spec->like_col);
    return read_text(value, spec->like, sizeof spec->like, diag);
}

static const char *const background_words[] = {"dark", "light", NULL};

static LpErr read_background(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpThemeSpec *spec = &((Reading *)target)->spec;
    int word;
    (void)context;
    LP_TRY(lp_json_word(value, background_words, &word, diag));
    spec->says_background = true;
    spec->light = word == 1;
    return LP_OK;
}

static LpErr read_roles(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_role(v, target, diag));
    return LP_OK;
}

static const LpJsonShape text_shape = {.form = LP_FORM_TEXT};
static const LpJsonShape format_shape = {.form = LP_FORM_FORMAT};
static const LpJsonShape background_shape = {.form = LP_FORM_WORD, .words = background_words};
static const LpJsonShape look_shape = LP_OBJECT_SHAPE(look_keys);
static const LpJsonShape *const of_look[] = {&look_shape, NULL};
static const LpJsonShape roles_shape = {.form = LP_FORM_MAP, .of = of_look};

static const LpJsonKey theme_keys[] = {
    {.name = "lightpath_theme",
     .type = LP_KEY_CUSTOM,
     .read = lp_json_read_format,
     .shape = &format_shape,
     .required = true},
    {.name = "name",
     .type = LP_KEY_CUSTOM,
     .read = read_name,
     .shape = &text_shape,
     .required = true},
    {.name = "notes", .type = LP_KEY_CUSTOM, .read = lp_json_read_notes, .shape = &text_shape},
    {.name = "like", .type = LP_KEY_CUSTOM, .read = read_like, .shape = &text_shape},
    {.name = "background",
     .type = LP_KEY_CUSTOM,
     .read = read_background,
     .shape = &background_shape},
    {.name = "roles", .type = LP_KEY_CUSTOM, .read = read_roles, .shape = &roles_shape},
};

const LpJsonShape lp_shape_theme = LP_OBJECT_SHAPE(theme_keys);

LpErr lp_theme_parse(const char *file, const char *text, size_t len, const char *const *role,
                     LpThemeSpec *out, LpDiag *diag) {
    Reading reading = {.role = role};
    LpJson *doc;
    LP_TRY(lp_json_parse(file, text, len, &doc, diag));
    LpErr err = lp_json_read(lp_json_root(doc), theme_keys, LP_COUNTOF(theme_keys), &reading, NULL,
                             NULL, diag);
    lp_json_free(doc);
    if (err == LP_OK)
        *out = reading.spec;
    return err;
}

LpErr lp_theme_load(const char *path, const char *const *role, LpThemeSpec *out, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_file_read(path, FILE_MAX, &text, &len, diag));
    LpErr err = lp_theme_parse(path, text, len, role, out, diag);
    lp_free(text);
    return err;
}
