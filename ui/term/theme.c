/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The theme that is built in, and those in files. Every colour repeats what a letter or a glyph
 * already says. */
#include "term/theme.h"

#include <string.h>

#include "base/assert.h"
#include "host/paths.h"
#include "host/themes.h"
#include "term/colour.h"

enum { CHAIN_MOST = 4 };

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT };

static const char *const role_names[] = {
#define X(id, name) name,
    LP_ROLE_TABLE(X)
#undef X
        NULL};

/* clang-format off */
static const LpTheme dark = {
    "dark", false, {
        [LP_ROLE_TEXT]    = {-1, -1, -1, 0, 0, -1, -1},
        [LP_ROLE_MUTED]   = {247, -1, -1, 0, 0, -1, -1},
        [LP_ROLE_TITLE]   = {-1, -1, -1, LP_BOLD, LP_BOLD, -1, -1},
        [LP_ROLE_BORDER]  = {243, -1, -1, 0, 0, -1, -1},
        [LP_ROLE_LABEL]   = {-1, -1, -1, LP_BOLD, LP_BOLD, -1, -1},
        [LP_ROLE_KEY]     = {-1, -1, -1, LP_BOLD, LP_BOLD, -1, -1},
        [LP_ROLE_GOOD]    = {114, GREEN, GREEN, 0, 0, -1, -1},
        [LP_ROLE_WAIT]    = {221, YELLOW, YELLOW, 0, 0, -1, -1},
        [LP_ROLE_BAD]     = {203, RED, RED, LP_BOLD, LP_BOLD | LP_UNDERLINE, -1, -1},
        [LP_ROLE_PENDING] = {221, YELLOW, YELLOW, LP_BOLD, LP_BOLD, -1, -1},
        [LP_ROLE_STAGE]   = {221, YELLOW, YELLOW, LP_BOLD | LP_FILL, LP_BOLD | LP_REVERSE, -1, -1},
        [LP_ROLE_FREE]    = {243, -1, -1, 0, 0, -1, -1},
        [LP_ROLE_CURVE]   = {114, GREEN, GREEN, 0, 0, -1, -1},
        [LP_ROLE_CURSOR]  = {221, YELLOW, YELLOW, LP_BOLD, LP_BOLD, -1, -1},
        [LP_ROLE_JOB0]    = {44, CYAN, CYAN, 0, 0, -1, 23},
        [LP_ROLE_JOB1]    = {205, BRIGHT + MAGENTA, MAGENTA, 0, 0, -1, 89},
        [LP_ROLE_JOB2]    = {39, BRIGHT + BLUE, BLUE, 0, 0, -1, 24},
        [LP_ROLE_JOB3]    = {208, WHITE, WHITE, 0, 0, -1, 94},
        [LP_ROLE_JOB4]    = {141, BLUE, BLUE, 0, 0, -1, 61},
        [LP_ROLE_JOB5]    = {138, BRIGHT + CYAN, CYAN, 0, 0, -1, 95},
        [LP_ROLE_JOB6]    = {201, MAGENTA, MAGENTA, 0, 0, -1, 90},
    }, false
};
/* clang-format on */

const char *lp_role_name(LpRole role) {
    LP_ASSERT((size_t)role < LP_COUNTOF(role_names));
    return role_names[role];
}

char lp_role_letter(LpRole role) {
    return (char)('a' + (int)role);
}

const LpTheme *lp_theme_built_in(void) {
    return &dark;
}

static int16_t colour_of(const LpLook *look, int colors) {
    return colors >= 256 ? look->c256 : colors >= 16 ? look->c16 : colors >= 8 ? look->c8 : -1;
}

static int16_t fill_of(const LpLook *look, bool dim, int colors) {
    if (dim)
        return colors >= 256 ? look->dim : -1;
    return colors >= 256 && look->fill >= 0 ? look->fill : colour_of(look, colors);
}

LpInk lp_look_ink(const LpLook *look, unsigned emphasis, int colors) {
    unsigned bits = emphasis | (colors > 0 ? look->attr : look->mono);
    bool dim = (emphasis & LP_DIM) != 0, filled = (bits & LP_FILL) != 0 && colors > 0;
    int16_t fill = filled ? fill_of(look, dim, colors) : -1;
    LpInk ink = {colour_of(look, colors), fill, (uint16_t)(bits & ~(LP_FILL | LP_DIM | 0xFFu))};
    if (fill >= 0)
        ink.front = lp_colour_on(fill, colors);
    else if (filled && !dim) /* the theme leaves the colour to the terminal */
        ink.attr |= LP_REVERSE;
    if (dim)
        ink.attr &= (uint16_t)~LP_BOLD;
    return ink;
}

LpInk lp_theme_ink(const LpTheme *theme, unsigned style, int colors) {
    LpInk ink = lp_look_ink(&theme->look[style & 0xFFu], style & ~(unsigned)LP_SWAP, colors);
    int16_t accent = lp_look_ink(&theme->look[LP_ROLE_CURSOR], 0, colors).front;
    if (!(style & LP_SWAP))
        return ink;
    ink.attr = (uint16_t)((ink.attr | LP_BOLD) & ~LP_REVERSE);
    if (accent < 0 || accent == ink.front) /* nothing to swap with */
        return ink;
    ink.back = ink.front;
    ink.front = accent;
    return ink;
}

/* ---- files ---- */

static LpErr open_chain(const char *name, const char *beside, int depth, LpTheme *out,
                        LpDiag *diag);

/* Fills what the file leaves out from the theme that it names. */
static LpErr fill(const char *path, const LpThemeSpec *spec, int depth, LpTheme *out,
                  LpDiag *diag) {
    LpTheme theme = dark;
    LpDiag inner;
    if (spec->like[0] != '\0' && depth == CHAIN_MOST)
        return lp_fail_at(diag, LP_ELIMIT, path, spec->like_line, spec->like_col,
                          "more than %d themes are like another, expected no circle", CHAIN_MOST);
    if (spec->like[0] != '\0') {
        LpErr err = open_chain(spec->like, path, depth + 1, &theme, &inner);
        if (err == LP_EINVAL && inner.file[0] == '\0') /* there is no such theme: say where */
            return lp_fail_at(diag, err, path, spec->like_line, spec->like_col, "%s", inner.text);
        if (err != LP_OK)
            return *diag = inner, err;
    }
    lp_str_copy(theme.name, sizeof theme.name, spec->name);
    if (spec->says_background)
        theme.light = spec->light;
    for (int role = 0; role < LP_ROLE_COUNT; role++)
        if (spec->given >> role & 1)
            theme.look[role] = spec->look[role];
    *out = theme;
    return LP_OK;
}

static LpErr open_file(const char *path, int depth, LpTheme *out, LpDiag *diag) {
    LpThemeSpec spec;
    LP_TRY(lp_themes_load(path, role_names, &spec, diag));
    return fill(path, &spec, depth, out, diag);
}

static LpErr unknown(const char *name, LpDiag *diag) {
    LpBuf names = {0};
    char shown[80];
    LpErr err = lp_theme_names(&names, diag);
    if (err == LP_OK)
        err = lp_fail(diag, LP_EINVAL, "unknown theme \"%s\": expected %s, or a file",
                      lp_str_show(shown, sizeof shown, name), lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

static LpErr open_chain(const char *name, const char *beside, int depth, LpTheme *out,
                        LpDiag *diag) {
    char path[LP_PATH_TEXT];
    if (lp_themes_find(name, beside, depth > 0, path, sizeof path))
        return open_file(path, depth, out, diag);
    if (strcmp(name, dark.name) != 0)
        return unknown(name, diag);
    *out = dark;
    return LP_OK;
}

LpErr lp_theme_open(const char *name, const char *beside, LpTheme *out, LpDiag *diag) {
    if (name != NULL && name[0] != '\0')
        return open_chain(name, beside, 0, out, diag);
    *out = dark;
    return LP_OK;
}

LpErr lp_theme_open_default(LpTheme *out, bool *found, LpDiag *diag) {
    char own[LP_PATH_TEXT], path[LP_PATH_TEXT];
    *found = lp_paths_in_home(LP_HOME_CONFIG, "theme.json", own, sizeof own) &&
             lp_themes_find(own, NULL, false, path, sizeof path);
    if (*found)
        return open_file(path, 0, out, diag);
    *out = dark;
    return LP_OK;
}

LpErr lp_theme_names(LpBuf *out, LpDiag *diag) {
    LpBuf names = {0};
    bool seen = false;
    LpErr err = lp_paths_list_themes(&names, diag);
    for (const char *at = lp_buf_text(&names); *at != '\0';) {
        size_t len = strcspn(at, "\n");
        seen |= len == strlen(dark.name) && memcmp(at, dark.name, len) == 0;
        lp_buf_addf(out, "%s%.*s", at == names.text ? "" : ", ", (int)len, at);
        at += len + (at[len] == '\n');
    }
    if (!seen)
        lp_buf_addf(out, "%s%s", names.len > 0 ? ", " : "", dark.name);
    lp_buf_fini(&names);
    out->failed |= err != LP_OK;
    return err != LP_OK ? err : lp_buf_ok(out, diag);
}

/* ---- as a file ---- */
