/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text in a box over the screen. */
#include <string.h>

#include "views/help/help.h"
#include "widgets/flow.h"

enum { WIDTH_MOST = 96, BOX = 4 };

void lp_view_page_size(const char *text, int cols, int *width, int *lines) {
    *width = cols < WIDTH_MOST ? cols : WIDTH_MOST;
    *lines = lp_flow_draw(NULL, text, *width - BOX, 0) + 2;
}

void lp_view_page(const LpModel *model, const LpArea *area) {
    int width, lines, rows = area->rect.h;
    char title[120];
    lp_view_page_size(model->ui->page, area->rect.w, &width, &lines);
    lp_area_clear(area);
    lp_str_copy(title, sizeof title, model->ui->page_title);
    lp_keymap_text(model->ui->keymap,
                   lines > rows ? ", more below: {Down}; {Esc} closes" : ", {Esc} closes",
                   title + strlen(title), sizeof title - strlen(title));
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int last = lines > rows ? lines - rows : 0;
    int first = model->ui->scroll < last ? model->ui->scroll : last;
    lp_flow_draw(&inside, model->ui->page, width - BOX, first);
}
