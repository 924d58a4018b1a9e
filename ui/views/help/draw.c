/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The help screen, made from the table of keys. */
#include "views/help/help.h"

#include <string.h>

#include "term/keymap.h"

enum {
    KEY_COLS = 9,
    KEY_MOST = 12,
    NAME_COLS = 12,
    NAME_MOST = 19,
    COLUMN = 64,
    ONE_COLUMN = 84,
    MARKS_LINE = 2,
    LINES_MAX = 128
};

static const char *const legend[] = {
    "a letter is one job on every board until it ends",
    "? is what the decision that is due would take",
    "events: started, done, waits, blocked are",
    "servers: a letter, or a bar as high as many are busy; crossed out: broken",
    "circuits: a letter and the share of a training step that it keeps the path lit",
};

static const LpGlyph marks[] = {LP_GLYPH_STARTED, LP_GLYPH_DONE, LP_GLYPH_WAITING,
                                LP_GLYPH_BLOCKED};

/* A line: the name of a section, keys and what they do, or a column and what it means. */
typedef struct Line {
    const char *section;
    const char *keys, *help;
    LpUiAction action;      /* NONE: keys are the defaults */
    const LpColumn *column; /* of the view's table, instead of all that; else NULL */
} Line;

/* On the main screen. */
static const LpViewKey main_keys[] = {
    {"Up Down", "mark a row of the decision"},
    {"Enter", "decide with it: forks; without one: into the decision"},
    {"Tab", "next stage of the decision, on the boards as well"},
    {"} {", "its frames one by one; also of a start, a block, an end"},
    {"x", "what the policy weighed"},
    {NULL, NULL},
};

static int add(Line lines[LINES_MAX], int count, Line line) {
    if (count < LINES_MAX)
        lines[count++] = line;
    return count;
}

/* What keys mean in this view. */
static int build_here(const LpView *view, Line lines[LINES_MAX]) {
    const LpViewKey *key = view ? view->keys : main_keys;
    if (!key)
        return 0;
    int count = add(lines, 0, (Line){.section = view ? "In this view" : "Here"});
    for (; key->keys; key++)
        count = add(lines, count, (Line){.keys = key->keys, .help = key->help});
    const LpTable *table = view ? view->table : NULL;
    bool named = false;
    for (int c = 0; table && c < table->columns; c++) {
        if (!table->column[c].name)
            continue;
        if (!named)
            count = add(lines, count, (Line){.section = "Its columns"});
        count = add(lines, count, (Line){.column = &table->column[c]});
        named = true;
    }
    return count;
}

/* This view first; then sections in the order of their first actions, the actions of a section
 * together. */
static int build(const LpView *view, Line lines[LINES_MAX]) {
    int count = build_here(view, lines);
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++) {
        const char *section = lp_ui_action_info((LpUiAction)i)->section;
        bool known = false;
        for (int k = 0; k < count; k++)
            known |= lines[k].section && strcmp(lines[k].section, section) == 0;
        if (known)
            continue;
        count = add(lines, count, (Line){.section = section});
        for (int k = i; k < LP_UI_ACTION_COUNT; k++) {
            const LpUiActionInfo *info = lp_ui_action_info((LpUiAction)k);
            if (strcmp(info->section, section) == 0)
                count = add(lines, count, (Line){.help = info->help, .action = (LpUiAction)k});
        }
    }
    return count;
}

static int columns_of(int cols) {
    return cols >= 2 * COLUMN + 4 ? 2 : 1;
}

void lp_view_help_size(const LpModel *model, int cols, int *width, int *lines) {
    Line line[LINES_MAX];
    int columns = columns_of(cols), count = build(lp_model_shown(model), line);
    int wanted = columns == 1 ? ONE_COLUMN : columns * COLUMN + 4;
    *width = wanted < cols ? wanted : cols;
    *lines = (count + columns - 1) / columns + 1 + (int)LP_COUNTOF(legend) + 2;
}

/* The keys that are bound now for a list of defaults; other words as they are. */
static void add_bound(const LpKeymap *map, const char *list, LpBuf *out) {
    for (size_t len; *list; list += len + (list[len] == ' ')) {
        char name[16];
        len = strcspn(list, " ");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, list);
        LpUiAction action = lp_keymap_action(NULL, lp_key_find(name));
        lp_buf_addf(out, "%s%s", out->len ? " " : "",
                    action != LP_UI_ACTION_NONE ? lp_keymap_key(map, action, name) : name);
    }
}

/* "of limit   JCT as a share of its limit (%)" */
static void draw_column(const LpArea *area, const LpColumn *column) {
    int x = lp_area_fit(area, 2, 0, NAME_MOST, LP_ROLE_KEY, column->name);
    LpBuf text = {0};
    lp_buf_add(&text, column->meaning);
    if (*column->unit)
        lp_buf_addf(&text, " (%s)", column->unit);
    x = x < 2 + NAME_COLS ? 2 + NAME_COLS : x + 1;
    lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* In a column that ends where the next one begins. */
static void draw_action(const LpKeymap *map, const LpArea *whole, int x, int y, const Line *line) {
    LpArea cell = lp_area_part(
        whole, (LpRect){x, y, whole->rect.w - x < COLUMN ? whole->rect.w - x : COLUMN - 1, 1});
    const LpArea *area = &cell;
    if (line->section) {
        lp_area_text(area, 0, 0, LP_ROLE_LABEL, line->section);
        return;
    }
    LpBuf keys = {0};
    if (line->column) {
        draw_column(area, line->column);
        return;
    }
    if (line->action != LP_UI_ACTION_NONE)
        lp_keymap_keys(map, line->action, &keys);
    else
        add_bound(map, line->keys, &keys);
    int end = lp_area_fit(area, 2, 0, KEY_MOST, LP_ROLE_KEY, lp_buf_text(&keys));
    lp_area_done(area, &keys);
    x = end < 2 + KEY_COLS ? 2 + KEY_COLS : end + 1;
    lp_area_fit(area, x, 0, cell.rect.w - x, LP_ROLE_TEXT, line->help);
}

static void draw_legend(const LpArea *area, int y, int index) {
    int x = lp_area_text(area, 0, y, LP_ROLE_TEXT, legend[index]) + 1;
    for (size_t i = 0; index == MARKS_LINE && i < LP_COUNTOF(marks); i++)
        lp_area_glyph(area, x + 2 * (int)i, y, LP_ROLE_TEXT, marks[i]);
}

void lp_view_help(const LpModel *model, const LpArea *area) {
    Line line[LINES_MAX];
    char title[120];
    int count = build(lp_model_shown(model), line),
        columns = columns_of(lp_model_rest(model->ui).w);
    int per_column = (count + columns - 1) / columns, total = per_column + 1;
    int rows = area->rect.h - 2, last = total + (int)LP_COUNTOF(legend) - rows;
    int first = model->ui->scroll < last ? model->ui->scroll : last;
    lp_area_clear(area);
    LpArea box =
        lp_area_box(area, lp_keymap_text(model->ui->keymap,
                                         last > 0 ? "help, more below: {Down}; {Esc} closes"
                                                  : "help, {Esc} closes",
                                         title, sizeof title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    first = first < 0 ? 0 : first;
    for (int y = 0; y < inside.rect.h; y++) {
        int at = first + y;
        for (int column = 0; at < per_column && column < columns; column++)
            if (column * per_column + at < count)
                draw_action(model->ui->keymap, &inside, column * COLUMN, y,
                            &line[column * per_column + at]);
        if (at >= total && at - total < (int)LP_COUNTOF(legend))
            draw_legend(&inside, y, at - total);
    }
}
