/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line with its cursor, and the hint above it. */
#include <string.h>

#include "views/help/help_view.h"

static void draw_hint(const LpUiState *ui, const LpArea *area) {
    char part[sizeof ui->hint];
    lp_area_fit(area, 1, 0, area->rect.w - 1, LP_ROLE_MUTED, ui->hint);
    if (ui->hint_to <= ui->hint_from)
        return;
    lp_str_copy(part, (size_t)ui->hint_from + 1, ui->hint);
    int from = 1 + lp_text_width(part);
    lp_str_copy(part, (size_t)(ui->hint_to - ui->hint_from) + 1, ui->hint + ui->hint_from);
    lp_area_mark(area, from, 0, lp_text_width(part), LP_REVERSE);
}

enum { CELLS_MOST = 4 * LP_PROMPT_TEXT }; /* of a line, with what is escaped in it */

/* The part of the line around the cursor. */
static void draw_line(const LpPrompt *prompt, const LpArea *area) {
    int cursor = lp_prompt_column(prompt), width = area->rect.w - 1, x = 1;
    int first = cursor >= width ? cursor - width + 1 : 0;
    LpCell cell[CELLS_MOST];
    int cells = lp_text_cells(prompt->text, CELLS_MOST, cell);
    lp_area_put(area, 0, 0, LP_ROLE_KEY, prompt->mark ? (uint32_t)prompt->mark : ':');
    for (int i = first; i < cells && x <= width; i++, x++)
        if (cell[i].cp != LP_CELL_REST)
            lp_area_cell(area, x, 0, LP_ROLE_TEXT, cell[i]);
    lp_area_mark(area, 1 + cursor - first, 0, 1, LP_REVERSE);
}

void lp_view_prompt(const LpModel *model, const LpArea *area) {
    LpArea line = lp_area_part(area, (LpRect){0, area->rect.h - 1, area->rect.w, 1});
    lp_area_clear(area);
    if (area->rect.h > 1) {
        LpArea hint = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
        draw_hint(model->ui, &hint);
    }
    draw_line(&model->ui->prompt, &line);
}
