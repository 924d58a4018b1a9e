/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filled over the whole width: verb, sentence, and at the right end which step it is; on a second
 * row what comes next; a third one gives it air. */
#include <stdio.h>

#include "views/now/now_view.h"
#include "widgets/flow.h"

enum { STYLE = LP_ROLE_STAGE | LP_BOLD | LP_FILL };

static void fill(const LpArea *area) {
    for (int y = 0; y < area->rect.h; y++)
        lp_area_repeat(area, 0, y, area->rect.w, STYLE, LP_GLYPH_SPACE);
}

/* Where the right end begins. */
static int draw_steps(const LpNow *now, const LpArea *area, int y) {
    char text[32];
    int end = area->rect.w - 1;
    if (now->steps == 0)
        return end;
    snprintf(text, sizeof text, "%d of %d", now->step, now->steps);
    if (lp_text_width(text) + 30 > end)
        return end;
    lp_area_right(area, end, y, STYLE, text);
    return end - lp_text_width(text) - 2;
}

/* A verdict: its mark and word in their own colour, let into the bar. */
static int draw_mark(const LpNow *now, const LpArea *area, int x, int y) {
    static const struct {
        LpRole role;
        LpGlyph glyph;
    } marks[] = {[LP_NOW_GOOD] = {LP_ROLE_GOOD, LP_GLYPH_CHECK},
                 [LP_NOW_BAD] = {LP_ROLE_BAD, LP_GLYPH_BLOCKED},
                 [LP_NOW_EVEN] = {LP_ROLE_TEXT, LP_GLYPH_SPACE}};
    if (now->mark == LP_NOW_NONE || area->rect.w < 60)
        return x;
    LpStyle style = (LpStyle)(marks[now->mark].role | LP_BOLD);
    int from = now->mark == LP_NOW_EVEN ? x + 1 : x + 3, end = from + lp_text_width(now->mark_text);
    lp_area_repeat(area, x, y, end + 1 - x, style, LP_GLYPH_SPACE);
    lp_area_glyph(area, x + 1, y, style, marks[now->mark].glyph);
    lp_area_text(area, from, y, style, now->mark_text);
    return end + 2;
}

static void draw_said(const LpSaid *said, const LpArea *area, int x, int end, int y) {
    LpBuf text = {0};
    lp_said_fit(said, end - x, &text);
    lp_area_text(area, x, y, STYLE, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* What whoever presents says, over all rows. */
static void draw_told(const char *told, const LpArea *area) {
    int width = lp_now_told_width(area->rect.w), rows = lp_now_told_rows(told, area->rect.w);
    int y = area->rect.h > rows ? (area->rect.h - rows) / 2 : 0;
    char line[LP_TOLD_TEXT];
    lp_area_glyph(area, 1, y, STYLE, LP_GLYPH_POINTER);
    for (size_t next, used; *told; told += next) {
        used = lp_flow_line(told, width, &next);
        lp_str_copy(line, used + 1 < sizeof line ? used + 1 : sizeof line, told);
        lp_area_fit(area, 3, y++, width, STYLE, line);
    }
}

static void draw(const LpModel *model, const LpArea *area) {
    const LpNow *now = &model->now;
    int y = area->rect.h > 2, x = area->rect.w > 40;
    fill(area);
    if (model->ui && model->ui->demo) /* a click there goes on */
        lp_area_hit(area, (LpRect){0, 0, area->rect.w, area->rect.h}, LP_HIT_KEY,
                    LP_UI_ACTION_TAKE);
    if (model->ui && model->ui->told[0]) {
        draw_told(model->ui->told, area);
        return;
    }
    if (!now->verb)
        return;
    lp_area_glyph(area, x, y, STYLE, LP_GLYPH_POINTER);
    int end = draw_steps(now, area, y), from = x + 2;
    from = lp_area_text(area, from, y, STYLE, now->verb) + (area->rect.w > 40 ? 2 : 1);
    from = draw_mark(now, area, from, y);
    draw_said(&now->said, area, from, end, y);
    if (area->rect.h < 2)
        return;
    from = lp_area_text(area, x + 2, y + 1, STYLE, "next: ");
    draw_said(&now->next, area, from, area->rect.w - 1, y + 1);
}

const LpView lp_now_view = {.fixed = true, .draw = draw};
