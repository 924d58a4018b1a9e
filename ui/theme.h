/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours by role: views name what a cell means, a theme says how that looks with 256 colours, with
 * 16 (the terminal's own palette), and without any. */
#ifndef LP_UI_THEME_H
#define LP_UI_THEME_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* X(ID, "name"). At most 26. */
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
    X(JOB5, "job5")

typedef enum LpRole {
#define X(id, name) LP_ROLE_##id,
    LP_ROLE_TABLE(X)
#undef X
        LP_ROLE_COUNT
} LpRole;

enum { LP_JOB_ROLES = 6 };

const char *lp_role_name(LpRole role);
char lp_role_letter(LpRole role); /* 'a' + role, for role maps */

/* How one role looks. Colours: -1 the terminal's default; c256 0..255, c16 0..7. The background is
 * always the terminal's own. */
typedef struct LpLook {
    int16_t c256, c16;
    uint16_t attr; /* LP_BOLD, LP_UNDERLINE, LP_REVERSE: with any number of colours */
} LpLook;

typedef struct LpTheme {
    const char *name;
    LpLook look[LP_ROLE_COUNT];
} LpTheme;

/* NULL or "" names the default; NULL when unknown. */
const LpTheme *lp_theme_find(const char *name);
const LpTheme *lp_theme_table(size_t *count);
/* Names of all themes, for messages: "dark, light, ...". */
void lp_theme_names(LpBuf *out);

/* The theme as the JSON of a theme file. */
void lp_theme_json(const LpTheme *theme, LpBuf *out);

#endif
