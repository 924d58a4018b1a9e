/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console: what was asked in Lua and what it came to, the newest at the bottom. */
#include <string.h>

#include "views/console/console_view_impl.h"

/* The first character of a line says what it is. */
static LpStyle style_of(char mark) {
    return mark == LP_CONSOLE_ASKED   ? LP_ROLE_KEY
           : mark == LP_CONSOLE_ERROR ? LP_ROLE_BAD
                                      : LP_ROLE_TEXT;
}

int lp_view_console_lines(const char *text) {
    int count = 0;
    for (; text && *text; text++)
        count += *text == '\n';
    return count;
}

static void draw_line(const LpArea *area, int y, const char *text, size_t len) {
    char line[LP_CANVAS_MAX];
    lp_str_copy(line, len < sizeof line ? len : sizeof line, text + 1); /* without its mark */
    if (*text == LP_CONSOLE_ASKED)
        lp_area_put(area, 0, y, LP_ROLE_KEY, '>');
    lp_area_fit(area, 2, y, area->rect.w - 2, style_of(*text), line);
}

static void draw_said(const LpModel *model, const LpArea *area) {
    const char *at = lp_buf_text(&lp_console_state(model)->said);
    int lines = lp_view_console_lines(at), first = lines - area->rect.h - model->ui->scroll;
    first = first < 0 ? 0 : first;
    for (int line = 0; *at && line < first + area->rect.h; line++) {
        size_t len = strcspn(at, "\n");
        if (line >= first)
            draw_line(area, line - first, at, len);
        at += len + (at[len] == '\n');
    }
}

static void draw_greeting(const LpModel *model, const LpArea *area) {
    static const char *const lines[] = {
        "Lua over this moment, as policies see it: nothing that is asked changes the run.",
        "",
        "  #cluster.running                 how many jobs run",
        "  cluster.free                     how many servers are free",
        "  job(3).state                     what has become of job 3",
        "  cluster:degrees(job(3))          ways in which it can be split",
        "  for _, j in ipairs(cluster.running) do print(j.id, j.graph) end",
        "",
    };
    int y = 0;
    for (; y < (int)LP_COUNTOF(lines); y++)
        lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_MUTED, lines[y]);
    lp_area_keys(area, 0, y, area->rect.w, LP_ROLE_MUTED, model->ui->keymap,
                 "{take} begins a line, Tab completes names, {out} leaves it, {quit-now} quits");
}

void lp_view_console(const LpModel *model, const LpArea *area) {
    LpArea box = lp_area_heading(area, "CONSOLE Lua over this moment");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (model->ui->prompt.open && inside.rect.h > 2) /* its hint lies over the time line */
        inside = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, inside.rect.h});
    if (lp_console_state(model)->said.len > 0)
        draw_said(model, &inside);
    else
        draw_greeting(model, &inside);
}
