/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours by role: views name what a cell means, a theme says how that looks with 256 colours, with
 * 16 or 8 (the terminal's own palette), and without any. Themes are files (docs/lightpath-theme.5).
 */
#ifndef LP_UI_TERM_THEME_H
#define LP_UI_TERM_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/look.h"
#include "base/str.h"

/* X(ID, "name"). At most 26 (a letter each in role maps). */
#define LP_ROLE_TABLE(X)                                                                           \
    X(TEXT, "text")                                                                                \
    X(MUTED, "muted")                                                                              \
    X(TITLE, "title")                                                                              \
    X(BORDER, "border")                                                                            \
    X(LABEL, "label")                                                                              \
    X(KEY, "key")                                                                                  \
    X(GOOD, "good")                                                                                \
    X(WAIT, "wait")                                                                                \
    X(BAD, "bad")                                                                                  \
    X(PENDING, "pending")                                                                          \
    X(STAGE, "stage")                                                                              \
    X(FREE, "free")                                                                                \
    X(CURVE, "curve")                                                                              \
    X(CURSOR, "cursor")                                                                            \
    X(JOB0, "job0")                                                                                \
    X(JOB1, "job1")                                                                                \
    X(JOB2, "job2")                                                                                \
    X(JOB3, "job3")                                                                                \
    X(JOB4, "job4")                                                                                \
    X(JOB5, "job5")                                                                                \
    X(JOB6, "job6")

typedef enum LpRole {
#define X(id, name) LP_ROLE_##id,
    LP_ROLE_TABLE(X)
#undef X
        LP_ROLE_COUNT
} LpRole;

enum { LP_JOB_ROLES = 7 };

const char *lp_role_name(LpRole role);
char lp_role_letter(LpRole role); /* 'a' + role, for role maps */

typedef struct LpTheme {
    char name[LP_THEME_NAME];
    bool light; /* made for a light background */
    LpLook look[LP_ROLE_COUNT];
    bool plain; /* pictures have emphasis, and no colours */
} LpTheme;

/* The default, which needs no file. */
const LpTheme *lp_theme_built_in(void);

/* A theme by name or file (lp_themes_find); `beside`: a file whose folder is looked in first, NULL:
 * none. NULL or "" is the built-in theme, which also stands in where no file of its name is found.
 * What a file leaves out is as in the theme that its "like" names. Errors: LP_EINVAL for an unknown
 * theme, naming the known ones; LP_EIO and those of reading a theme, at file:line:col; `out` is
 * unchanged then. */
LpErr lp_theme_open(const char *name, const char *beside, LpTheme *out, LpDiag *diag) LP_MUST_USE;
/* The user's own choice: theme.json in the folder of the configuration (lp_paths_home), else, and
 * *found is false, the built-in theme. Errors as above. */
LpErr lp_theme_open_default(LpTheme *out, bool *found, LpDiag *diag) LP_MUST_USE;
/* Names of all themes, for messages: "dark, light, ...". Errors: LP_ENOMEM, LP_EIO; then out has
 * failed, too. */
LpErr lp_theme_names(LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* What a cell is drawn with: colours (-1: the terminal's own) and LP_BOLD, LP_REVERSE,
 * LP_UNDERLINE.
 */
typedef struct LpInk {
    int16_t front, back;
    uint16_t attr;
} LpInk;

/* Colour of a role's look with the style's emphasis, for a terminal with `colors` colours (256, 16,
 * 8, 0). Fewer than 256 have no dark shades: what is dimmed there is a coloured letter without a
 * fill. */
LpInk lp_look_ink(const LpLook *look, unsigned emphasis, int colors);
/* What a cell of a style (role and emphasis) is drawn with. It is never a glyph in the colour of
 * what is behind it. */
LpInk lp_theme_ink(const LpTheme *theme, unsigned style, int colors);

#endif
