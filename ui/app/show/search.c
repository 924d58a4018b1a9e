/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching in the view that is shown: jobs, events, the policy's source, help and other texts. */
#include <string.h>

#include "app/show/show.h"
#include "glossary/glossary.h"
#include "views/help/help_view.h"
#include "widgets/lines.h"

/* What can be searched: the lines of the view that is shown, or of what lies over it. */
typedef struct Lines {
    const LpModel *model;
    const LpViewLines *view; /* NULL: the overlay's */
    LpBuf all;               /* of an overlay: its rows */
    const LpApp *words;      /* whose list of words is searched, NULL: none */
} Lines;

static bool has_words(const LpApp *app) {
    return app->ui.words.open && !app->ui.page;
}

static bool is_covered(const LpApp *app) {
    return app->ui.page || app->ui.words.open;
}

static bool can_search(const LpApp *app) {
    return is_covered(app) || lp_app_shown(app)->lines;
}

static int count_lines(const Lines *l) {
    if (l->words)
        return l->words->ui.words.count;
    return l->view ? l->view->count(l->model) : lp_lines_count(lp_buf_text(&l->all));
}

static int line_at(const Lines *l) {
    const LpUiState *ui = l->model->ui;
    if (l->words)
        return ui->words.at;
    if (l->view)
        return l->view->at(l->model);
    return ui->search_line >= 0 ? ui->search_line : ui->scroll;
}

/* Draws the overlay on a canvas that is high enough for all of it: its rows are its lines. */
static LpErr read_overlay(const LpApp *app, LpBuf *out, LpDiag *diag) {
    LpModel model = app->model;
    LpUiState ui = app->ui;
    LpCanvas canvas = {.ascii = app->canvas.ascii};
    int width, lines;
    lp_view_page_size(ui.page, lp_model_rest(&app->ui).w, &width, &lines);
    ui.scroll = 0;
    model.ui = &ui;
    LP_TRY(lp_canvas_resize(&canvas, lines - 2 > 0 ? lines : 2, app->canvas.cols, diag));
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, width, lines});
    lp_view_page(&model, &area);
    LpBuf all = {0};
    lp_canvas_print(&canvas, &all);
    const char *text = lp_buf_text(&all);
    lp_buf_add(out, text + strcspn(text, "\n") + (*text != '\0')); /* without the upper border */
    LpErr err = lp_buf_ok(out, diag);
    lp_buf_fini(&all);
    lp_canvas_fini(&canvas);
    return err;
}

/* ---- searching ---- */

/* How many lines have the text, which of them is the next one from `at` on in this direction (`at`
 * itself only when by is 0), and its number among them. */
static void consider(const Lines *lines, int at, int by, LpSearch *search, int *found) {
    int count = count_lines(lines), first = -1, last = -1, before = -1, after = -1, rank = 0;
    int ranks[4] = {0, 0, 0, 0}; /* of first, last, before, after */
    LpBuf text = {0};
    for (int i = 0; i < count; i++) {
        lp_buf_clear(&text);
        LpBuf *out = &text;
        if (lines->words)
            lp_gloss_line(&lines->words->model, i, out);
        else if (lines->view)
            lines->view->text(lines->model, i, out);
        else
            lp_lines_add(lp_buf_text(&lines->all), i, out);
        if (!lp_search_in(lp_buf_text(&text), search->text))
            continue;
        rank++;
        last = i, ranks[1] = rank;
        if (first < 0)
            first = i, ranks[0] = rank;
        if (i < at)
            before = i, ranks[2] = rank;
        if (after < 0 && (by == 0 ? i >= at : i > at))
            after = i, ranks[3] = rank;
    }
    lp_buf_fini(&text);
    bool on = by >= 0;
    *found = on ? (after >= 0 ? after : first) : before >= 0 ? before : last;
    search->match = on ? (after >= 0 ? ranks[3] : ranks[0]) : before >= 0 ? ranks[2] : ranks[1];
    search->matches = rank;
}

static LpErr go_to_match(LpApp *app, int by, LpDiag *diag) {
    Lines lines = {.model = &app->model,
                   .view = is_covered(app) ? NULL : lp_app_shown(app)->lines,
                   .words = has_words(app) ? app : NULL};
    LpHost host = lp_app_host(app, 0);
    int found = -1;
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    LpErr err = lines.view || lines.words ? LP_OK : read_overlay(app, &lines.all, diag);
    if (err == LP_OK)
        consider(&lines, line_at(&lines), by, &app->ui.search, &found);
    lp_buf_fini(&lines.all);
    if (err != LP_OK || found < 0)
        return err;
    if (lines.words)
        app->ui.words.at = found;
    else if (lines.view)
        lines.view->go(&host, found);
    else
        lp_ui_scroll_to(&app->ui, found);
    return LP_OK;
}

bool lp_app_searches(const LpApp *app) {
    return app->ui.search.text[0] != '\0';
}

void lp_app_end_search(LpApp *app) {
    app->ui.search = (LpSearch){0};
    app->ui.search_line = -1;
}

void lp_app_ask_search(LpApp *app) {
    if (can_search(app))
        lp_app_prompt_for(app, '/', "");
    else
        lp_app_tell(app, "{search} searches in jobs {jobs}, events {events}, the policy {policy}, "
                         "and help {words}");
}

LpErr lp_app_search(LpApp *app, const char *text, LpDiag *diag) {
    char shown[LP_SEARCH_TEXT];
    lp_app_end_search(app);
    if (!can_search(app))
        return lp_fail(diag, LP_ESTATE,
                       "nothing to search here: expected the view of jobs, events or policy, or a "
                       "help text");
    lp_str_copy(app->ui.search.text, sizeof app->ui.search.text, text);
    if (!lp_app_searches(app))
        return LP_OK;
    if (has_words(app))
        lp_gloss_list(&app->ui.words, text);
    LP_TRY(go_to_match(app, 0, diag));
    if (app->ui.search.matches > 0)
        return LP_OK;
    lp_app_end_search(app);
    lp_app_say(app, true, "\"%s\" is nowhere in this view", lp_str_show(shown, sizeof shown, text));
    return LP_OK;
}

void lp_app_next_match(LpApp *app, int by) {
    LpDiag diag = {0};
    if (!can_search(app)) {
        lp_app_end_search(app);
        return;
    }
    lp_app_check(app, go_to_match(app, by, &diag), &diag);
}
