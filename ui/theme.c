/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The themes that are built in. A terminal's eight base colours are used where there are no 256; no
 * information hangs on bright black, and every colour repeats what a glyph already says. */
#include "theme.h"

#include <string.h>

#include "canvas.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

static const char *const role_names[] = {
#define X(id, name) name,
    LP_ROLE_TABLE(X)
#undef X
};

/* clang-format off */
static const LpTheme themes[] = {
    {"dark", {
        [LP_ROLE_TEXT]    = {-1, -1, 0},
        [LP_ROLE_MUTED]   = {247, -1, 0},
        [LP_ROLE_TITLE]   = {-1, -1, LP_BOLD},
        [LP_ROLE_BORDER]  = {243, -1, 0},
        [LP_ROLE_LABEL]   = {-1, -1, LP_BOLD},
        [LP_ROLE_KEY]     = {-1, -1, LP_BOLD},
        [LP_ROLE_GOOD]    = {114, GREEN, 0},
        [LP_ROLE_WAIT]    = {221, YELLOW, 0},
        [LP_ROLE_BAD]     = {203, RED, LP_BOLD},
        [LP_ROLE_PENDING] = {221, YELLOW, LP_BOLD},
        [LP_ROLE_STAGE]   = {221, YELLOW, LP_BOLD | LP_REVERSE},
        [LP_ROLE_FREE]    = {243, -1, 0},
        [LP_ROLE_CURVE]   = {114, GREEN, 0},
        [LP_ROLE_CURSOR]  = {221, YELLOW, LP_BOLD},
        [LP_ROLE_JOB0]    = {80, CYAN, 0},
        [LP_ROLE_JOB1]    = {177, MAGENTA, 0},
        [LP_ROLE_JOB2]    = {114, GREEN, 0},
        [LP_ROLE_JOB3]    = {111, BLUE, LP_BOLD},
        [LP_ROLE_JOB4]    = {215, YELLOW, 0},
        [LP_ROLE_JOB5]    = {210, RED, 0},
    }},
    {"light", {
        [LP_ROLE_TEXT]    = {-1, -1, 0},
        [LP_ROLE_MUTED]   = {241, -1, 0},
        [LP_ROLE_TITLE]   = {-1, -1, LP_BOLD},
        [LP_ROLE_BORDER]  = {245, -1, 0},
        [LP_ROLE_LABEL]   = {-1, -1, LP_BOLD},
        [LP_ROLE_KEY]     = {-1, -1, LP_BOLD},
        [LP_ROLE_GOOD]    = {28, GREEN, 0},
        [LP_ROLE_WAIT]    = {130, MAGENTA, 0},
        [LP_ROLE_BAD]     = {160, RED, LP_BOLD},
        [LP_ROLE_PENDING] = {130, MAGENTA, LP_BOLD},
        [LP_ROLE_STAGE]   = {130, MAGENTA, LP_BOLD | LP_REVERSE},
        [LP_ROLE_FREE]    = {245, -1, 0},
        [LP_ROLE_CURVE]   = {28, GREEN, 0},
        [LP_ROLE_CURSOR]  = {130, MAGENTA, LP_BOLD},
        [LP_ROLE_JOB0]    = {30, CYAN, LP_BOLD},
        [LP_ROLE_JOB1]    = {91, MAGENTA, 0},
        [LP_ROLE_JOB2]    = {28, GREEN, LP_BOLD},
        [LP_ROLE_JOB3]    = {25, BLUE, 0},
        [LP_ROLE_JOB4]    = {94, BLACK, 0},
        [LP_ROLE_JOB5]    = {124, RED, 0},
    }},
    {"high-contrast", {
        [LP_ROLE_TEXT]    = {-1, -1, 0},
        [LP_ROLE_MUTED]   = {-1, -1, 0},
        [LP_ROLE_TITLE]   = {-1, -1, LP_BOLD},
        [LP_ROLE_BORDER]  = {-1, -1, 0},
        [LP_ROLE_LABEL]   = {-1, -1, LP_BOLD},
        [LP_ROLE_KEY]     = {-1, -1, LP_BOLD | LP_UNDERLINE},
        [LP_ROLE_GOOD]    = {-1, -1, 0},
        [LP_ROLE_WAIT]    = {-1, -1, LP_UNDERLINE},
        [LP_ROLE_BAD]     = {-1, -1, LP_BOLD | LP_UNDERLINE},
        [LP_ROLE_PENDING] = {-1, -1, LP_BOLD | LP_REVERSE},
        [LP_ROLE_STAGE]   = {-1, -1, LP_BOLD | LP_REVERSE},
        [LP_ROLE_FREE]    = {-1, -1, 0},
        [LP_ROLE_CURVE]   = {-1, -1, LP_BOLD},
        [LP_ROLE_CURSOR]  = {-1, -1, LP_BOLD | LP_REVERSE},
        [LP_ROLE_JOB0]    = {-1, -1, LP_BOLD},
        [LP_ROLE_JOB1]    = {-1, -1, LP_BOLD},
        [LP_ROLE_JOB2]    = {-1, -1, LP_BOLD},
        [LP_ROLE_JOB3]    = {-1, -1, LP_BOLD},
        [LP_ROLE_JOB4]    = {-1, -1, LP_BOLD},
        [LP_ROLE_JOB5]    = {-1, -1, LP_BOLD},
    }},
    /* After Okabe and Ito's palette, which stays apart for every common colour vision; good and bad
     * are blue and orange. */
    {"colour-blind", {
        [LP_ROLE_TEXT]    = {-1, -1, 0},
        [LP_ROLE_MUTED]   = {247, -1, 0},
        [LP_ROLE_TITLE]   = {-1, -1, LP_BOLD},
        [LP_ROLE_BORDER]  = {243, -1, 0},
        [LP_ROLE_LABEL]   = {-1, -1, LP_BOLD},
        [LP_ROLE_KEY]     = {-1, -1, LP_BOLD},
        [LP_ROLE_GOOD]    = {74, CYAN, 0},
        [LP_ROLE_WAIT]    = {227, YELLOW, 0},
        [LP_ROLE_BAD]     = {208, YELLOW, LP_BOLD | LP_UNDERLINE},
        [LP_ROLE_PENDING] = {227, YELLOW, LP_BOLD},
        [LP_ROLE_STAGE]   = {227, YELLOW, LP_BOLD | LP_REVERSE},
        [LP_ROLE_FREE]    = {243, -1, 0},
        [LP_ROLE_CURVE]   = {74, CYAN, 0},
        [LP_ROLE_CURSOR]  = {227, YELLOW, LP_BOLD},
        [LP_ROLE_JOB0]    = {74, CYAN, 0},
        [LP_ROLE_JOB1]    = {214, YELLOW, 0},
        [LP_ROLE_JOB2]    = {36, GREEN, 0},
        [LP_ROLE_JOB3]    = {175, MAGENTA, 0},
        [LP_ROLE_JOB4]    = {32, BLUE, LP_BOLD},
        [LP_ROLE_JOB5]    = {227, WHITE, LP_BOLD},
    }},
};
/* clang-format on */

const char *lp_role_name(LpRole role) {
    return role_names[role];
}

char lp_role_letter(LpRole role) {
    return (char)('a' + (int)role);
}

const LpTheme *lp_theme_table(size_t *count) {
    *count = LP_COUNTOF(themes);
    return themes;
}

const LpTheme *lp_theme_find(const char *name) {
    if (!name || !*name)
        return &themes[0];
    for (size_t i = 0; i < LP_COUNTOF(themes); i++)
        if (strcmp(themes[i].name, name) == 0)
            return &themes[i];
    return NULL;
}

void lp_theme_names(LpBuf *out) {
    for (size_t i = 0; i < LP_COUNTOF(themes); i++)
        lp_buf_addf(out, "%s%s", i ? ", " : "", themes[i].name);
}

static void add_attrs(uint16_t attr, LpBuf *out) {
    static const struct {
        uint16_t bit;
        const char *name;
    } names[] = {{LP_BOLD, "bold"}, {LP_UNDERLINE, "underline"}, {LP_REVERSE, "reverse"}};
    const char *comma = "";
    lp_buf_add(out, "[");
    for (size_t i = 0; i < LP_COUNTOF(names); i++)
        if (attr & names[i].bit) {
            lp_buf_addf(out, "%s\"%s\"", comma, names[i].name);
            comma = ", ";
        }
    lp_buf_add(out, "]");
}

void lp_theme_json(const LpTheme *theme, LpBuf *out) {
    lp_buf_addf(out, "{\n  \"lightpath_theme\": 1,\n  \"name\": \"%s\",\n  \"roles\": {\n",
                theme->name);
    for (int role = 0; role < LP_ROLE_COUNT; role++) {
        const LpLook *look = &theme->look[role];
        lp_buf_addf(out, "    \"%s\": {\"c256\": %d, \"c16\": %d, \"attr\": ", role_names[role],
                    look->c256, look->c16);
        add_attrs(look->attr, out);
        lp_buf_add(out, role + 1 < LP_ROLE_COUNT ? "},\n" : "}\n");
    }
    lp_buf_add(out, "  }\n}\n");
}
