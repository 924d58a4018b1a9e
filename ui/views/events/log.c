/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of events: newest first, what is still to come (after going back in time) above the rule,
 * with a cursor and a filter. */
#include "views/events/events_view_impl.h"
#include "widgets/widgets_list.h"

#include <stdio.h>
#include <string.h>

static void print_title(const LpModel *model, char *title, size_t size) {
    const LpEventLog *log = lp_events_facts(model);
    char shown[LP_EVENT_FILTER], count[LP_SHOW_TEXT], ahead[LP_SHOW_TEXT];
    int len = snprintf(title, size, "EVENTS %s", lp_show_count(log->count, count));
    if (log->filter[0] && len > 0 && (size_t)len < size)
        len += snprintf(title + len, size - (size_t)len, " of %s with \"%s\"",
                        lp_show_count(log->seen, count),
                        lp_str_show(shown, sizeof shown, log->filter));
    if (log->past < log->count && len > 0 && (size_t)len < size)
        snprintf(title + len, size - (size_t)len, ", %s of them still ahead",
                 lp_show_count(log->count - log->past, ahead));
}

static void draw_rows(const LpModel *model, const LpArea *area) {
    const LpEventLog *log = lp_events_facts(model);
    LpModel ahead = lp_model_ahead(model);
    int count = (int)log->count, marked = lp_event_log_row(log, lp_events_state(model));
    int rows = area->rect.h, first = lp_list_around(marked, count, rows);
    LpArea lines = lp_area_part(area, (LpRect){2, 0, area->rect.w - 2, rows});
    for (int i = 0; i < rows && first + i < count; i++) {
        int row = first + i;
        bool happened = (size_t)(count - row) <= log->past;
        size_t event = lp_event_log_at(log, row);
        lp_view_event_line(&ahead, &lines, i, lp_event_log_get(model->session, event), happened);
        if (row == marked)
            lp_area_glyph(area, 0, i, LP_ROLE_PENDING, LP_GLYPH_POINTER);
        lp_area_hit(area, (LpRect){0, i, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)row);
    }
}

void lp_view_eventlog(const LpModel *model, const LpArea *area) {
    const LpEventLog *log = lp_events_facts(model);
    char title[200];
    print_title(model, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int rows = inside.rect.h > 4 ? inside.rect.h - 1 : inside.rect.h;
    LpArea upper = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, rows});
    if (log->count > 0)
        draw_rows(model, &upper);
    else
        lp_area_fit(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED,
                    log->seen ? "no event has that in it" : "nothing has happened yet");
    if (rows < inside.rect.h)
        lp_area_keys(
            &inside, 0, rows, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
            "{up} {down} mark an event  {take} goes there  {search} searches  {filter} filters");
}
