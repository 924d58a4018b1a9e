/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of one picture: its last row, its marks. */
#include "live/checks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "term/theme.h"

static const char *const names[LIVE_CHECKS] = {"same", "said", "marked",  "pane", "painted",
                                               "cut",  "told", "reached", "left"};

/* Of the headings of panes (lp_area_heading) and the lines of boxes. */
enum { RULE = 0x2500, BOX = 0x257f, POINTER = 0x25b8 };

const char *live_check_name(LiveCheck check) {
    return names[check];
}

static const LiveCell *at(const LivePicture *picture, int x, int y) {
    return &picture->cell[y * picture->cols + x];
}

/* ---- the last row ---- */

/* Keys are bold, as are prompts' marks; a message is not, or is an error. */
char *live_message(const LivePicture *picture, bool *bad) {
    int y = picture->rows - 1, x = 0;
    int16_t error = lp_theme_built_in()->look[LP_ROLE_BAD].c256;
    while (x < picture->cols && at(picture, x, y)->cp == ' ')
        x++;
    if (x == picture->cols)
        return NULL;
    const LiveCell *first = at(picture, x, y);
    *bad = first->front == error;
    bool plain = first->front == LIVE_DEFAULT && !(first->attr & (LIVE_BOLD | LIVE_REVERSE));
    return *bad || plain ? live_row_text(picture, y) : NULL;
}

/* ---- headings ---- */

static bool is_capital(const LiveCell *cell) {
    return cell->cp < 128 && isupper((int)cell->cp) && (cell->attr & LIVE_BOLD);
}

/* Does a heading begin in this column: a bold word of capitals at the left of a pane? */
static bool begins_heading(const LivePicture *picture, int x, int y) {
    if (x + 2 >= picture->cols || !is_capital(at(picture, x, y)) ||
        !is_capital(at(picture, x + 1, y)))
        return false;
    uint32_t before = x > 0 ? at(picture, x - 1, y)->cp : ' ';
    uint32_t gap = x > 1 ? at(picture, x - 2, y)->cp : ' ';
    return (before == ' ' || before == POINTER) && (gap == ' ' || (gap >= RULE && gap <= BOX));
}

/* The heading that begins there goes on to this column, behind its last; false: it has no rule. */
static bool heading_end(const LivePicture *picture, int x, int y, int *end) {
    int rule = 0;
    *end = x;
    for (int i = x + 1; i < picture->cols && !begins_heading(picture, i, y); i++) {
        uint32_t cp = at(picture, i, y)->cp;
        rule += cp == RULE;
        if (cp > RULE && cp <= BOX)
            break; /* the side of a box */
        if (cp != ' ')
            *end = i + 1;
    }
    return rule >= 2;
}

bool live_heading_over(const LivePicture *picture, int x, int y, char *name, size_t size) {
    for (; y >= 0; y--)
        for (int from = x + 1 < picture->cols ? x + 1 : x, end; from >= 0; from--) {
            if (!begins_heading(picture, from, y) || !heading_end(picture, from, y, &end))
                continue;
            if (x > end)
                break; /* of a pane at the left of it */
            size_t len = 0;
            for (; len + 1 < size && at(picture, from, y)->cp != ' '; from++)
                name[len++] = (char)tolower((int)(at(picture, from, y)->cp & 127));
            name[len] = '\0';
            return true;
        }
    return false;
}

/* ---- marks ---- */

/* The marked cells are those that look otherwise without marks; the last row tells other things. */
static bool next_marked(const LivePicture *picture, const LivePicture *plain, int *i) {
    int count = (picture->rows - 1) * picture->cols;
    for (++*i; *i < count; ++*i)
        if (!live_same_cell(&picture->cell[*i], &plain->cell[*i]))
            return true;
    return false;
}

bool live_check_marked(const LivePicture *picture, const LivePicture *plain, char what[LIVE_SAYS]) {
    int i = -1;
    if (next_marked(picture, plain, &i))
        return true;
    snprintf(what, LIVE_SAYS, "nothing is marked");
    return false;
}

/* Headings whose first word is not the pane's name. */
static bool is_of_pane(const char *heading, const char *pane) {
    static const char *const other[][2] = {{"jct", "curves"},     {"ways", "circuits"},
                                           {"light", "circuits"}, {"transmitters", "circuits"},
                                           {"how", "circuits"},   {"what", "what-if"}};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strcmp(heading, other[i][0]) == 0 && strcmp(pane, other[i][1]) == 0)
            return true;
    return strncmp(heading, pane, strlen(pane)) == 0;
}

bool live_check_pane(const LivePicture *picture, const LivePicture *plain, const char *const *pane,
                     int panes, char what[LIVE_SAYS]) {
    char name[32];
    for (int i = -1; next_marked(picture, plain, &i);) {
        bool meant = false, any = false;
        int x = i % picture->cols, y = i / picture->cols;
        if (!live_heading_over(picture, x, y, name, sizeof name))
            continue;
        for (int k = 0; k < panes && pane[k] != NULL; k++) {
            any = true;
            meant |= is_of_pane(name, pane[k]);
        }
        if (any && !meant) {
            snprintf(what, LIVE_SAYS, "row %d column %d is marked, in %s instead of %s", y + 1,
                     x + 1, name, pane[0]);
            return false;
        }
    }
    return true;
}

static bool is_bar(uint32_t cp) {
    return (cp >= 0x2580 && cp <= 0x259f) || (cp > 0x2800 && cp <= 0x28ff);
}

/* The colours of the screen's background, on the dark one that the terminal has. */
static bool is_background(int16_t colour, bool of_back) {
    return colour == 0 || colour == 16 || (of_back && colour == LIVE_DEFAULT);
}

bool live_check_painted(const LivePicture *picture, const LivePicture *plain,
                        char what[LIVE_SAYS]) {
    for (int i = -1; next_marked(picture, plain, &i);) {
        const LiveCell *cell = &picture->cell[i];
        bool reverse = (cell->attr & LIVE_REVERSE) != 0;
        int16_t paint = reverse ? cell->back : cell->front;
        if (!is_bar(cell->cp) || !is_background(paint, reverse))
            continue;
        snprintf(what, LIVE_SAYS,
                 "row %d column %d: the mark paints a bar in the colour of the screen",
                 i / picture->cols + 1, i % picture->cols + 1);
        return false;
    }
    return true;
}
