/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text in a box over the screen: one column, or two of sections where there is plenty of room. */
#include <string.h>

#include "views/help/help_view.h"
#include "widgets/flow.h"

enum { WIDTH_MOST = 96, BOX = 4, TWO_COLUMNS = 140, TWO_MOST = 164, GAP = 3, MANY_LINES = 40 };

/* How a text is laid out. */
typedef struct Page {
    int width, lines; /* of what is inside the box */
    int column;       /* width of a column */
    size_t second;    /* where the second one begins, 0: there is one */
} Page;

/* The heading at which the text is best broken, so that both parts are about as long. */
static size_t middle(const char *text, int column, int *lines) {
    int total = lp_flow_draw(NULL, text, column, 0), best = total;
    size_t second = 0;
    for (const char *at = strstr(text, "\n#"); at; at = strstr(at + 1, "\n#")) {
        int right = lp_flow_draw(NULL, at + 1, column, 0), left = total - right;
        int longer = left > right ? left : right;
        if (longer < best) {
            best = longer;
            second = (size_t)(at + 1 - text);
        }
    }
    *lines = best;
    return second;
}

static Page layout(const char *text, int cols) {
    int most = cols < WIDTH_MOST ? cols : WIDTH_MOST;
    Page page = {.width = most - BOX, .column = most - BOX};
    page.lines = lp_flow_draw(NULL, text, page.column, 0);
    if (cols < TWO_COLUMNS || page.lines < MANY_LINES)
        return page;
    page.width = (cols < TWO_MOST ? cols : TWO_MOST) - BOX;
    page.column = (page.width - GAP) / 2;
    page.second = middle(text, page.column, &page.lines);
    return page;
}

void lp_view_page_size(const char *text, int cols, int *width, int *lines) {
    Page page = layout(text, cols);
    *width = page.width + BOX > cols ? cols : page.width + BOX;
    *lines = page.lines + 2;
}

static void draw_text(const LpArea *area, const char *text, const Page *page, int first) {
    LpArea left = lp_area_part(area, (LpRect){0, 0, page->column, area->rect.h});
    LpArea right = lp_area_part(
        area, (LpRect){page->column + GAP, 0, area->rect.w - page->column - GAP, area->rect.h});
    LpBuf part = {0};
    if (page->second == 0) {
        lp_flow_draw(area, text, page->column, first);
        return;
    }
    lp_buf_add_bytes(&part, text, page->second);
    lp_flow_draw(&left, lp_buf_text(&part), page->column, first);
    lp_flow_draw(&right, text + page->second, page->column, first);
    lp_area_done(area, &part);
}

void lp_view_page(const LpModel *model, const LpArea *area) {
    const char *text = model->ui->page;
    char title[120];
    Page page = layout(text, lp_model_rest(model->ui).w);
    int shown = area->rect.h - 2, last = page.lines > shown ? page.lines - shown : 0;
    int first = model->ui->scroll < last ? model->ui->scroll : last;
    lp_area_clear(area);
    lp_str_copy(title, sizeof title, model->ui->page_title);
    lp_keymap_text(model->ui->keymap,
                   first < last ? ", more below: {down}; {out} closes"
                   : last > 0   ? ", the end: {up}; {out} closes"
                                : ", {out} closes",
                   title + strlen(title), sizeof title - strlen(title));
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    draw_text(&inside, text, &page, first < 0 ? 0 : first);
}
