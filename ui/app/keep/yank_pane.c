/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pane shows, as text, as a picture or as a table: to a new file, or to the terminal's
 * clipboard. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/keep/keep.h"
#include "app/show/show.h"
#include "host/write_file.h"
#include "screen/screen.h"
#include "term/picture.h"

enum { NAMES_MOST = 1000 }; /* files of one kind that are given names */

/* ---- as text ---- */

/* The cells of a part of the screen, without its heading. */
static void add_cells(const LpCanvas *canvas, LpRect r, LpBuf *out) {
    if (r.h >= 3)
        r = (LpRect){r.x, r.y + 1, r.w, r.h - 1};
    for (int y = r.y; y < r.y + r.h; y++) {
        size_t used = out->len; /* without the blanks at the end */
        for (int x = r.x; x < r.x + r.w; x++) {
            char bytes[LP_CELL_UTF8];
            if (lp_canvas_at(canvas, x, y) == NULL)
                continue;
            LpCell cell = lp_canvas_shown(canvas, x, y);
            lp_buf_add_bytes(out, bytes, lp_cell_utf8(&cell, bytes));
            used = cell.cp == ' ' ? used : out->len;
        }
        if (!out->failed && out->len > used)
            out->text[out->len = used] = '\0';
        lp_buf_add(out, "\n");
    }
}

/* pane LP_PANE_COUNT: what lies over the screen, else what is shown alone, else all. */
static LpErr pane_text(LpApp *app, LpPane pane, LpBuf *out, LpDiag *diag) {
    LpRect all = {0, 0, app->canvas.cols, app->canvas.rows};
    char shown[32];
    LP_TRY(lp_app_draw(app, diag));
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    LpRect r = pane == LP_PANE_COUNT ? all : layout.pane[pane];
    if (pane == LP_PANE_COUNT && app->ui.page) {
        lp_str_escape_lines(out, app->ui.page, strlen(app->ui.page));
        lp_buf_add(out, "\n");
        return lp_buf_ok(out, diag);
    }
    if (r.w <= 0 || r.h <= 0)
        return lp_fail(diag, LP_ESTATE, "the pane %s is not on the screen: view %s shows it",
                       lp_str_copy(shown, sizeof shown, lp_pane_name(pane)), shown);
    if (pane == LP_PANE_COUNT)
        lp_canvas_print(&app->canvas, out);
    else
        add_cells(&app->canvas, r, out);
    return lp_buf_ok(out, diag);
}

/* ---- as a picture ---- */

static bool is_picture(const char *path) {
    LpPicture kind = path ? lp_picture_of(path) : LP_PICTURE_TEXT;
    return kind == LP_PICTURE_SVG || kind == LP_PICTURE_HTML || kind == LP_PICTURE_ANSI;
}

/* The cells of the pane, its heading with them, on a canvas of their own. */
static LpErr copy_cells(const LpCanvas *from, LpRect r, LpCanvas *to, LpDiag *diag) {
    LP_TRY(lp_canvas_resize(to, r.h, r.w, diag));
    to->ascii = from->ascii;
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w; x++) {
            const LpCell *cell = lp_canvas_at(from, r.x + x, r.y + y);
            if (cell)
                to->cell[(size_t)y * (size_t)r.w + (size_t)x] = *cell;
        }
    return LP_OK;
}

/* Curves and bars become shapes in an SVG. */
static LpErr pane_picture(LpApp *app, LpPane pane, const char *path, LpBuf *out, LpDiag *diag) {
    LpCanvas part = {0};
    char shown[32];
    LP_TRY(lp_app_draw(app, diag));
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    LpRect all = {0, 0, app->canvas.cols, app->canvas.rows};
    LpRect r = pane == LP_PANE_COUNT ? all : layout.pane[pane];
    if (r.w <= 0 || r.h <= 0)
        return lp_fail(diag, LP_ESTATE, "the pane %s is not on the screen: view %s shows it",
                       lp_str_copy(shown, sizeof shown, lp_pane_name(pane)), shown);
    LpErr err = copy_cells(&app->canvas, r, &part, diag);
    if (err == LP_OK) {
        lp_picture_add(&part, &app->theme, lp_picture_of(path), out);
        err = lp_buf_ok(out, diag);
    }
    lp_canvas_fini(&part);
    return err;
}

/* ---- as a table ---- */

static LpErr pane_table(LpApp *app, LpPane pane, LpBuf *out, LpDiag *diag) {
    LP_TRY(lp_app_draw(app, diag));
    const LpView *view = pane == LP_PANE_COUNT ? NULL : lp_app_view(pane);
    if (view && view->csv)
        return view->csv(&app->model, out, diag);
    if (view && view->table)
        return lp_table_csv(view->table, &app->model, out, diag);
    return lp_fail(diag, LP_EINVAL,
                   "%s has no table: expected jobs, events, curves, decision, what-if, network, "
                   "branches, learning, figure or study before a FILE.csv",
                   view ? lp_pane_name(pane) : "the whole screen");
}

/* ---- where it goes ---- */

/* Writes a new file; one that exists is not replaced. */
static LpErr write_new(const char *path, const LpBuf *text, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .fresh = true};
    return lp_write_text(&spec, text, diag);
}

static bool is_csv(const char *path) {
    size_t len = path ? strlen(path) : 0;
    return len > 4 && strcmp(path + len - 4, ".csv") == 0;
}

LpErr lp_app_yank_pane(LpApp *app, LpPane pane, const char *path, LpDiag *diag) {
    LpBuf text = {0};
    if (pane == LP_PANE_COUNT && !app->ui.page)
        pane = app->ui.only;
    LpErr err = is_csv(path)       ? pane_table(app, pane, &text, diag)
                : is_picture(path) ? pane_picture(app, pane, path, &text, diag)
                                   : pane_text(app, pane, &text, diag);
    if (err == LP_OK && path)
        err = write_new(path, &text, diag);
    else if (err == LP_OK && text.len > LP_YANK_MOST)
        err = lp_fail(diag, LP_ELIMIT,
                      "%zu bytes are too many for the clipboard (%d): yank to a FILE", text.len,
                      LP_YANK_MOST);
    app->dirty = true; /* it was drawn without what is said now */
    if (err == LP_OK && !path) {
        lp_buf_clear(&app->copied.text);
        lp_buf_add_bytes(&app->copied.text, lp_buf_text(&text), text.len);
        app->copied.due = true;
    }
    if (err == LP_OK) {
        char shown[160];
        const char *what = pane == LP_PANE_COUNT ? "the screen" : lp_pane_name(pane);
        if (path)
            lp_app_say(app, false, "%s: written to %s", what,
                       lp_str_show(shown, sizeof shown, path));
        else
            lp_app_say(app, false, "%s: %zu bytes for the clipboard", what, app->copied.text.len);
    }
    lp_buf_fini(&text);
    return err;
}

/* ---- what Y asks ---- */

/* A file that is not there yet, after the scenario and the pane: "five-decisions-curves.csv". */
static void new_name(const LpApp *app, const char *what, const char *end, char *out, size_t size) {
    char name[80];
    lp_str_copy(name, sizeof name, lp_session_scenario(app->session)->name);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '-' || *c == '_' ? *c : '-';
    snprintf(out, size, "%s-%s%s", name, what, end);
    for (int i = 2; access(out, F_OK) == 0 && i < NAMES_MOST; i++)
        snprintf(out, size, "%s-%s-%d%s", name, what, i, end);
}

void lp_app_ask_yank(LpApp *app) {
    LpTyped *typed = &app->typed;
    LpPane pane = app->ui.page ? LP_PANE_COUNT : app->ui.only;
    const LpView *view = pane == LP_PANE_COUNT ? NULL : lp_app_view(pane);
    bool table = view && (view->csv || view->table);
    const char *what = view ? lp_pane_name(pane) : "screen", *shown = view ? what : "the screen";
    char file[120];
    lp_str_copy(typed->keys, sizeof typed->keys, table ? "tmsc" : "tms");
    lp_str_copy(typed->answer[0], sizeof typed->answer[0], "yank pane");
    lp_str_copy(typed->answer[1], sizeof typed->answer[1], "yank moment");
    new_name(app, what, ".svg", file, sizeof file);
    snprintf(typed->answer[2], sizeof typed->answer[2], "yank pane %s", file);
    new_name(app, what, ".csv", file, sizeof file);
    snprintf(typed->answer[3], sizeof typed->answer[3], "yank %s %s", what, file);
    snprintf(app->ui.ask, sizeof app->ui.ask, "%s as: t text  %ss SVG file  m this moment", shown,
             table ? "c CSV file  " : "");
}

/* ---- :yank ---- */

/* The table that the first word names; -1: it is a file. */
static int find_what(const char *word) {
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (strcmp(lp_pane_name((LpPane)pane), word) == 0)
            return pane;
    return strcmp(word, "pane") == 0 ? LP_PANE_COUNT : -1;
}

LpErr lp_app_yank_line(LpApp *app, const LpUiLine *line, LpDiag *diag) {
    const char *first = line->words > 0 ? line->word[0] : "moment";
    const char *path = line->words > 1 ? line->word[1] : NULL;
    if (strcmp(first, "moment") == 0)
        return lp_app_yank(app, path, diag);
    int what = find_what(first);
    if (what < 0 && path)
        return lp_fail(diag, LP_EINVAL,
                       "there is no pane \"%s\": expected moment, pane, or a pane's name", first);
    return what < 0 ? lp_app_yank_pane(app, LP_PANE_COUNT, first, diag)
                    : lp_app_yank_pane(app, (LpPane)what, path, diag);
}
