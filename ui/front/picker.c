/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of scenarios, and what is known of the marked one. */
#include "front/picker.h"

#include <stdio.h>
#include <string.h>

#include "term/glyph.h"
#include "term/term.h"
#include "widgets/keys.h"
#include "widgets/list.h"

enum { PAGE = 10, NOTES = 7, NAME = 26, FACTS = 34 };

void lp_picker_open(LpPicker *p, const LpCatalogItem *item, size_t count, const char *first) {
    *p = (LpPicker){.item = item, .count = count};
    for (size_t i = 0; i < count; i++)
        if (strcmp(item[i].name, first) == 0)
            p->row = (int)i;
}

/* ---- keys ---- */

static void choose(LpPicker *p) {
    if (p->count == 0)
        return;
    if (p->item[p->row].error != NULL)
        snprintf(p->message, sizeof p->message, "this scenario cannot be opened");
    else
        p->chosen = true;
}

static const struct {
    LpUiAction action;
    int by;
} moves[] = {{LP_UI_ACTION_UP, -1},         {LP_UI_ACTION_DOWN, 1},
             {LP_UI_ACTION_PAGE_UP, -PAGE}, {LP_UI_ACTION_PAGE_DOWN, PAGE},
             {LP_UI_ACTION_TOP, -100000},   {LP_UI_ACTION_BOTTOM, 100000}};

void lp_picker_key(LpPicker *p, LpKey key) {
    LpUiAction action = lp_keymap_action(p->keymap, key);
    char name[16];
    p->message[0] = '\0';
    for (size_t i = 0; i < LP_COUNTOF(moves); i++) {
        if (moves[i].action != action)
            continue;
        int last = (int)p->count - 1, row = p->row + moves[i].by;
        row = row > last ? last : row;
        p->row = row < 0 ? 0 : row;
        return;
    }
    if (action == LP_UI_ACTION_TAKE)
        choose(p);
    else if (action == LP_UI_ACTION_QUIT || action == LP_UI_ACTION_QUIT_NOW ||
             action == LP_UI_ACTION_OUT || action == LP_UI_ACTION_INTERRUPT)
        p->quit = true;
    else if (key != LP_KEY_NONE)
        snprintf(p->message, sizeof p->message, "%s does nothing here", lp_key_name(key, name));
}

/* ---- the screen ---- */

static void draw_item(const LpCatalogItem *item, const LpArea *area, int y, bool marked) {
    LpStyle style = item->error ? LP_ROLE_MUTED : marked ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_TEXT;
    char shown[200], facts[64];
    bool wide = area->rect.w >= NAME + FACTS + 24;
    int room = area->rect.w - NAME - (wide ? FACTS : 0);
    if (marked)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    lp_area_fit(area, 2, y, NAME - 3, style, lp_str_show(shown, sizeof shown, item->name));
    lp_area_fit(area, NAME, y, room - 1, item->error ? LP_ROLE_BAD : style,
                item->error ? "cannot be opened" : lp_str_show(shown, sizeof shown, item->title));
    if (!wide || item->error)
        return;
    if (item->goal)
        snprintf(facts, sizeof facts, "lesson %u, %u minutes", (unsigned)item->lesson,
                 (unsigned)item->minutes);
    else
        snprintf(facts, sizeof facts, "%s, %u servers, %s", item->fabric, (unsigned)item->servers,
                 item->semantics);
    lp_area_fit(area, area->rect.w - FACTS + 1, y, FACTS - 1, LP_ROLE_MUTED, facts);
}

/* Words over several lines; what does not fit is left out. */
static void draw_words(const LpArea *area, LpStyle style, const char *text) {
    char shown[2000], line[LP_CANVAS_MAX * 4];
    const char *at = lp_str_show(shown, sizeof shown, text);
    for (int y = 0; y < area->rect.h && *at != '\0'; y++) {
        size_t len = strlen(at), take = len;
        if ((int)len >
            area->rect.w) { /* bytes for columns: breaks early beyond ASCII, never late */
            take = (size_t)area->rect.w;
            while (take > 0 && at[take] != ' ')
                take--;
            take = take > 0 ? take : (size_t)area->rect.w;
        }
        lp_str_copy(line, take + 1 < sizeof line ? take + 1 : sizeof line, at);
        lp_area_fit(area, 0, y, area->rect.w, style, line);
        at += take;
        at += strspn(at, " ");
    }
}

static void draw_list(const LpPicker *p, const LpArea *area) {
    int rows = area->rect.h, count = (int)p->count, first = lp_list_around(p->row, count, rows);
    if (count == 0)
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_MUTED,
                    "no scenario came with the program; lightpath FILE opens one");
    for (int i = 0; i < rows && first + i < count; i++)
        draw_item(&p->item[first + i], area, i, first + i == p->row);
}

static LpRect inset(LpRect rect) {
    int w = rect.w > 2 ? rect.w - 2 : 0;
    return (LpRect){rect.w > 2, 0, w, rect.h};
}

static const char *about_title(const LpCatalogItem *item, char *title, size_t size) {
    char shown[160];
    lp_str_show(shown, sizeof shown, item->title[0] ? item->title : item->name);
    if (item->goal)
        snprintf(title, size, "%s, %u minutes", shown, (unsigned)item->minutes);
    else
        lp_str_copy(title, size, shown);
    return title;
}

void lp_picker_draw(const LpPicker *p, LpCanvas *canvas) {
    int rows = canvas->rows, cols = canvas->cols, notes = rows >= 18 ? NOTES : 0;
    lp_canvas_clear(canvas);
    LpArea whole = lp_canvas_area(canvas, (LpRect){0, 0, cols, rows});
    lp_area_keys(&whole, 1, 0, cols - 1, LP_ROLE_TITLE, p->keymap,
                 "lightpath: which cluster, which jobs? {Enter} opens, {q} quits");
    LpArea list = lp_area_part(&whole, (LpRect){0, 1, cols, rows - 2 - notes});
    LpArea box = lp_area_box(&list, "scenarios and lessons");
    LpArea inside = lp_area_part(&box, inset((LpRect){0, 0, box.rect.w, box.rect.h}));
    draw_list(p, &inside);
    if (notes > 0 && p->count > 0) {
        const LpCatalogItem *item = &p->item[p->row];
        LpArea lower = lp_area_part(&whole, (LpRect){0, rows - 1 - notes, cols, notes});
        char title[200];
        LpArea about = lp_area_box(&lower, about_title(item, title, sizeof title));
        LpArea text = lp_area_part(&about, inset((LpRect){0, 0, about.rect.w, about.rect.h}));
        draw_words(&text, item->error ? LP_ROLE_BAD : LP_ROLE_TEXT,
                   item->error  ? item->error
                   : item->goal ? item->goal
                                : item->notes);
    }
    if (p->message[0])
        lp_area_fit(&whole, 1, rows - 1, cols - 1, LP_ROLE_WAIT, p->message);
    else
        lp_area_keys(&whole, 1, rows - 1, cols - 1, LP_ROLE_MUTED, p->keymap,
                     "{Up} {Down} choose  {Enter} open  {q} quit   (lightpath FILE opens any)");
}

/* ---- in a terminal ---- */

static LpErr loop(LpPicker *picker, LpTerm *term, LpCanvas *canvas, LpDiag *diag) {
    bool redraw = true;
    while (!picker->chosen && !picker->quit && lp_term_ending() == 0) {
        int rows, cols;
        lp_term_size(term, &rows, &cols);
        if (rows != canvas->rows || cols != canvas->cols)
            LP_TRY(lp_canvas_resize(canvas, rows, cols, diag));
        lp_picker_draw(picker, canvas);
        lp_term_show(term, canvas, redraw);
        LpKey key = lp_term_read(term, -1, -1);
        redraw = key == LP_KEY_RESIZE;
        if (key == LP_KEY_NONE)
            picker->quit = lp_term_is_gone(term);
        else if (key != LP_KEY_RESIZE)
            lp_picker_key(picker, key);
    }
    return LP_OK;
}

int lp_ui_pick(const LpUiOptions *options, const char *first, LpArena *arena, const char **path,
               LpDiag *diag) {
    const LpCatalogItem *item = NULL;
    size_t count = 0;
    LpCanvas canvas = {0};
    LpTerm *term = NULL;
    LpPicker picker;
    *path = NULL;
    if (lp_catalog_read(arena, &item, &count, diag) != LP_OK)
        return 1;
    const LpTheme *theme = options->theme ? options->theme : lp_theme_built_in();
    if (lp_term_open(theme, options->no_color, &term, diag) != LP_OK)
        return 2;
    canvas.ascii = options->ascii || !lp_term_is_utf8(term);
    lp_picker_open(&picker, item, count, first);
    picker.keymap = options->keymap;
    LpErr err = loop(&picker, term, &canvas, diag);
    lp_term_close(term);
    lp_canvas_fini(&canvas);
    if (err == LP_OK && picker.chosen)
        *path = item[picker.row].path;
    return err != LP_OK ? 1 : lp_term_ending() != 0 ? 128 + lp_term_ending() : 0;
}
