/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the policy weighed: the table that its script explained, and what asking it took. */
#include "views/decision/decision_view_impl.h"
#include "widgets/flow.h"
#include "widgets/widgets_list.h"

#include <string.h>

enum { CELL_MOST = 24, GAP = 2 };

static const char *cell_at(const LpExplained *table, uint32_t row, uint32_t column) {
    return table->cell[(size_t)row * table->columns + column];
}

static int width_of(const LpExplained *table, uint32_t column) {
    int most = lp_text_width(table->column[column]);
    for (uint32_t i = 0; i < table->rows; i++) {
        int width = lp_text_width(cell_at(table, i, column));
        most = width > most ? width : most;
    }
    return most < CELL_MOST ? most : CELL_MOST;
}

static bool is_number(const char *text) {
    return text[strspn(text, "+-0123456789.eE %")] == '\0';
}

/* Numbers stand to the right of their column, as its title does then. */
static void draw_cell(const LpArea *area, int x, int y, int width, LpStyle style, const char *text,
                      bool right) {
    int own = lp_text_width(text);
    lp_area_fit(area, right && own < width ? x + width - own : x, y, width, style, text);
}

static void draw_column(const LpExplained *table, const LpArea *area, uint32_t column, int x,
                        int first) {
    int width = width_of(table, column);
    bool right = true;
    for (uint32_t i = 0; i < table->rows; i++)
        right &= is_number(cell_at(table, i, column));
    draw_cell(area, x, 0, width, LP_ROLE_MUTED, table->column[column], right);
    for (int y = 1; y < area->rect.h && first + y - 1 < (int)table->rows; y++)
        draw_cell(area, x, y, width, LP_ROLE_TEXT,
                  cell_at(table, (uint32_t)(first + y - 1), column), right);
}

static void draw_table(const LpExplained *table, const LpArea *area) {
    int rows = area->rect.h - 1, x = GAP + 1;
    int first = lp_list_around(table->chosen, (int)table->rows, rows);
    for (uint32_t i = 0; i < table->columns && x < area->rect.w; i++) {
        draw_column(table, area, i, x, first);
        x += width_of(table, i) + GAP;
    }
    if (table->chosen >= first && table->chosen < first + rows)
        lp_area_glyph(area, 0, 1 + table->chosen - first, LP_ROLE_PENDING, LP_GLYPH_POINTER);
}

/* Without a table: the rule in its author's words. */
static void draw_rule(const LpModel *model, const LpArea *area) {
    const char *doc = model->policy.doc;
    char key[160];
    LpBuf text = {0};
    lp_buf_addf(&text, "rule: %s\n%s",
                doc != NULL && doc[0] != '\0' ? doc : "its script does not say",
                lp_keymap_text(model->ui->keymap,
                               "no table: its script calls no explain{}; {explain} shows the ways",
                               key, sizeof key));
    lp_flow_draw(area, lp_buf_text(&text), area->rect.w, 0);
    lp_area_done(area, &text);
}

void lp_view_explain(const LpModel *model, const LpArea *area) {
    const LpExplained *table = &model->decision.explained;
    LpBuf cost = {0};
    if (table->rows == 0 && model->network.networks > 0) {
        lp_view_part(model, LP_PANE_NETWORK, area);
        return;
    }
    int rows = area->rect.h > 2 ? area->rect.h - 1 : area->rect.h;
    LpArea upper = lp_area_part(area, (LpRect){0, 0, area->rect.w, rows});
    if (table->rows > 0)
        draw_table(table, &upper);
    else
        draw_rule(model, &upper);
    if (rows == area->rect.h)
        return;
    int x = lp_area_text(area, 0, rows, LP_ROLE_LABEL, "took ");
    lp_words_cost(model, &cost);
    lp_area_fit(area, x, rows, area->rect.w - x, LP_ROLE_TEXT, lp_buf_text(&cost));
    lp_area_done(area, &cost);
}
