/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole screen: each view into the pane that the layout gives it. */
#include "screen/screen.h"

#include <string.h>

#include "model/lesson/lesson.h"
#include "moment/lesson_text.h"
#include "screen/cover.h"
#include "screen/views.h"
#include "views/help/help_view.h"
#include "widgets/search.h"

/* What the layout is made from. */
/* Rows for a stage with bars of a training step, those of the policy below them, and its choices.
 */
static int rows_of_step(const LpModel *model) {
    enum { AROUND = 7 }; /* light or idle, axis, blank line, heading of choices, by hand, why */
    LpStage stage = model->ui->stage;
    const LpStepInspection *seen = &model->motion.step.seen;
    bool flows = stage == LP_STAGE_ORDER_FLOWS;
    const LpStageRows *choices = model->drafted.choices;
    if (!model->decision.due || (!flows && stage != LP_STAGE_ORDER_OPS) || choices == NULL ||
        !model->motion.step.known || model->motion.frame < model->motion.choices)
        return 0;
    uint32_t bars = seen->servers + (flows ? seen->pairs : 0);
    return (int)(bars * (model->drafted.policys.known ? 2 : 1) + choices->count) + AROUND;
}

static LpLayoutSpec spec_of(const LpModel *model, const LpCanvas *canvas) {
    static const LpBoardPlan nothing = {.groups = 1};
    const LpBoardPlan *board = model->context ? &model->board : &nothing;
    LpLayoutSpec spec = {.rows = canvas->rows,
                         .cols = canvas->cols,
                         .groups = lp_app_view(LP_PANE_SERVERS)->rows(board),
                         .servers_width = lp_app_view(LP_PANE_SERVERS)->width(board),
                         .circuits_width = lp_app_view(LP_PANE_CIRCUITS)->width(board),
                         .only = model->ui ? model->ui->only : LP_PANE_COUNT,
                         .lesson = model->ui ? lp_lesson_rows(model->ui) : 0};
    if (model->ui)
        spec.told = lp_now_told_rows(model->ui->told, canvas->cols);
    if (model->ui)
        spec.panes = lp_model_panes(model->ui, spec.pane);
    int left, right, most = lp_layout_boards_most(&spec, &left, &right) - 1;
    if (most > 0 && model->context) {
        spec.servers_rows = lp_app_view(LP_PANE_SERVERS)->tall(model, left, most);
        spec.circuits_rows = lp_app_view(LP_PANE_CIRCUITS)->tall(model, right, most);
        spec.decision_rows = rows_of_step(model);
    }
    return spec;
}

/* A centred part of the screen beside what is told. */
static LpArea centre(LpCanvas *canvas, LpRect rest, int w, int lines) {
    int h = rest.h < lines ? rest.h : lines;
    return lp_canvas_area(canvas, (LpRect){(rest.w - w) / 2, (rest.h - h) / 2, w, h});
}

/* Marks the text that is searched for wherever it is shown below a heading, also while it is being
 * typed. */
static void draw_matches(const LpModel *model, const LpArea *area) {
    const LpUiState *ui = model->ui;
    bool typing = ui->prompt.open && ui->prompt.mark == '/';
    LpArea inside = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    lp_search_mark(&inside, typing ? ui->prompt.text : ui->search.text);
}

/* What lies over the panes. */
static void draw_overlays(const LpModel *model, LpCanvas *canvas) {
    const LpUiState *ui = model->ui;
    LpRect rest = lp_model_rest(model->ui);
    int w, lines;
    if (ui->page) {
        lp_view_page_size(ui->page, rest.w, &w, &lines);
        LpArea area = centre(canvas, rest, w, lines);
        lp_view_page(model, &area);
        draw_matches(model, &area);
    } else if (ui->words.open) {
        lp_view_words(model, canvas);
    }
    if ((ui->page || ui->words.open) && (ui->search.text[0] || ui->message_bad)) {
        LpArea area = lp_canvas_area(canvas, (LpRect){0, canvas->rows - 1, canvas->cols, 1});
        lp_area_clear(&area);
        lp_app_view(LP_PANE_KEYS)->draw(model, &area);
    }
    if (ui->prompt.open) {
        int h = canvas->rows < 2 ? canvas->rows : 2;
        LpArea area = lp_canvas_area(canvas, (LpRect){0, canvas->rows - h, canvas->cols, h});
        lp_view_prompt(model, &area);
    }
}

/* The pane that the lesson speaks of, LP_PANE_COUNT: none. */
static LpPane pointed(const LpUiState *ui) {
    const LpLessonState *l = &ui->lesson;
    const char *name = l->on ? l->lesson->step[l->step].highlight : NULL;
    for (int pane = 0; name && pane < LP_PANE_COUNT; pane++)
        if (strcmp(lp_pane_name((LpPane)pane), name) == 0)
            return (LpPane)pane;
    return LP_PANE_COUNT;
}

/* Are the bars of a training step shown where there is no room for anything beside them? */
static bool shows_step(const LpModel *model, const LpCanvas *canvas) {
    const LpUiState *ui = model->ui;
    bool small = canvas->cols < 120 || canvas->rows < 40;
    bool order = ui->stage == LP_STAGE_ORDER_OPS || ui->stage == LP_STAGE_ORDER_FLOWS;
    return small && order && model->decision.due && ui->only == LP_PANE_COUNT && !ui->lesson.on;
}

/* On a terminal too small for the pane that the lesson speaks of, that pane is shown alone. */
static LpScreenLayout layout_of(const LpModel *model, const LpCanvas *canvas, LpPane pane) {
    LpLayoutSpec spec = spec_of(model, canvas);
    LpScreenLayout layout = lp_layout(&spec);
    if (shows_step(model, canvas))
        lp_layout_give_step(&layout);
    bool choose = pane != LP_PANE_COUNT && model->ui->only == LP_PANE_COUNT && spec.panes == 0;
    if (!choose || !model->ui->lesson.points || lp_layout_reads(&spec, &layout, pane))
        return layout;
    spec.only = pane;
    return lp_layout(&spec);
}

/* A click on a heading is one on the pane. */
static void draw_pane(const LpModel *model, const LpArea *area, LpPane pane) {
    const LpView *view = lp_app_view(pane);
    LpPane wanted[LP_LESSON_PANES];
    int panes = lp_model_panes(model->ui, wanted);
    bool alone = view->alone && (panes > 1 ? lp_pane_is_extra(pane) : pane == model->ui->only);
    (alone ? view->alone : view->draw)(model, area);
    if (area->rect.h >= 3)
        lp_area_hit(area, (LpRect){0, 0, area->rect.w, 1}, LP_HIT_PANE, (uint32_t)pane);
}

/* Braces around what is under the cursor, and its cells the other way round; not of bars and ops,
 * whose views do it. */
static void draw_cursor(const LpModel *model, LpCanvas *canvas, const LpScreenLayout *layout) {
    const LpHandState *hand = &model->ui->hand;
    LpHit hit = lp_model_board_hit(model);
    LpPane board = hit == LP_HIT_CROSS ? LP_PANE_CIRCUITS : LP_PANE_SERVERS;
    LpRect pane = layout->pane[model->ui->only < LP_PANE_COUNT ? model->ui->only : board];
    bool hold = hit == LP_HIT_CROSS && hand->cursor == LP_HIT_HOLD;
    if (!hand->board || hit == LP_HIT_BAR || hit == LP_HIT_OP || !lp_model_has_board(model))
        return;
    for (int y = pane.y; y < pane.y + pane.h; y++) {
        int from = -1, to = -1, close = 2; /* behind the letter, whatever a large cell says */
        for (int x = pane.x; x < pane.x + pane.w; x++) {
            const LpCell *cell = lp_canvas_at(canvas, x, y);
            if (!cell || cell->hit != hit || cell->what != hand->cursor)
                continue;
            from = from < 0 ? x : from;
            to = x;
        }
        if (from < 0)
            continue;
        LpArea line = lp_canvas_area(canvas, (LpRect){from, y, to - from + 1, 1});
        close = hold || close > to - from ? to - from : close;
        if (to - from >= 2) {
            lp_area_put(&line, 0, 0, LP_ROLE_PENDING, '{');
            lp_area_put(&line, close, 0, LP_ROLE_PENDING, '}');
        }
        lp_area_mark(&line, 0, 0, close + 1, LP_REVERSE);
        return;
    }
}

LpScreenLayout lp_screen_layout(const LpModel *model, const LpCanvas *canvas) {
    return layout_of(model, canvas, pointed(model->ui));
}

void lp_screen_draw(const LpModel *model, LpCanvas *canvas) {
    LpPane told = pointed(model->ui);
    LpScreenLayout layout = lp_screen_layout(model, canvas);
    lp_canvas_clear(canvas);
    if (model->ui->lesson.blank)
        return;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        LpArea area = lp_canvas_area(canvas, layout.pane[pane]);
        if (area.rect.w > 0 && area.rect.h > 0)
            draw_pane(model, &area, (LpPane)pane);
        if (pane == (int)model->ui->only && !model->ui->page)
            draw_matches(model, &area);
    }
    draw_cursor(model, canvas, &layout);
    if (told != LP_PANE_COUNT) {
        LpArea area = lp_canvas_area(canvas, layout.pane[told]);
        lp_area_point(&area);
    }
    lp_screen_point(model, &layout, canvas);
    draw_overlays(model, canvas);
    lp_screen_cover(model, &layout, canvas);
}
