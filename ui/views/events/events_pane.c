/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events, newest first, one line each. */
#include "views/events/events_view_impl.h"

#include <math.h>
#include <string.h>

#include "moment/parts/event_face.h"
#include "sim/condition.h"

static bool is_failure(const LpModel *model, const LpEvent *event) {
    const LpChange *change = lp_world_change_of(model->world, event->serial);
    return change != NULL && lp_condition_is_failure(change->condition.kind);
}

static LpGlyph glyph_of(const LpModel *model, const LpEvent *event) {
    bool broken = event->kind == LP_EVENT_CONDITION && is_failure(model, event);
    return lp_event_face(broken ? LP_EVENT_FAILURE : event->kind)->glyph;
}

/* Columns that the time of the newest event takes. */
static int time_width(const LpModel *model) {
    char text[LP_SHOW_TEXT];
    lp_words_clock(model, lp_world_now(model->world), text);
    return lp_text_width(text);
}

void lp_view_event_line(const LpModel *model, const LpArea *area, int y, const LpEvent *event,
                        bool happened) {
    LpStyle style = happened ? lp_event_face(event->kind)->style : LP_ROLE_MUTED;
    int column = time_width(model), room = area->rect.w - column - 3;
    char at[LP_SHOW_TEXT], line[240];
    LpBuf text = {0};
    (area->rect.w < 70 ? lp_words_event_brief : lp_words_event)(model, event, &text);
    lp_area_right(area, column, y, LP_ROLE_MUTED, lp_words_clock(model, event->time, at));
    lp_area_glyph(area, column + 1, y, style, glyph_of(model, event));
    lp_str_copy(line, sizeof line, lp_buf_text(&text));
    /* Leaves out whole what stands after a comma and has no room, from the end on. */
    for (char *comma; lp_text_width(line) > room && (comma = strrchr(line, ',')) != NULL;)
        *comma = '\0';
    lp_area_fit(area, column + 3, y, room, style, line);
    lp_area_done(area, &text);
}

/* Events without a line since the last one that has one. */
static size_t idle_events(const LpModel *model) {
    size_t count = lp_session_events(model->session), idle = 0;
    while (idle < count &&
           lp_event_face(lp_session_event(model->session, count - 1 - idle)->kind)->unlisted)
        idle++;
    return idle;
}

static int draw_idle(const LpModel *model, const LpArea *area, size_t idle) {
    size_t intervals = 0;
    for (size_t i = 0; i < idle; i++)
        intervals +=
            lp_session_event(model->session, lp_session_events(model->session) - 1 - i)->kind ==
            LP_EVENT_INTERVAL;
    if (intervals == 0 || area->rect.h < 1)
        return 0;
    size_t last = lp_session_events(model->session) - 1;
    char at[LP_SHOW_TEXT];
    lp_area_right(area, time_width(model), 0, LP_ROLE_MUTED,
                  lp_words_clock(model, lp_session_event(model->session, last)->time, at));
    lp_area_textf(area, time_width(model) + 3, 0, LP_ROLE_MUTED,
                  "%zu interval%s, nothing else happened", intervals, intervals == 1 ? "" : "s");
    return 1;
}

void lp_view_events(const LpModel *model, const LpArea *area) {
    size_t count = lp_session_events(model->session), idle = idle_events(model);
    const LpEvent *shown = NULL;
    LpArea box = lp_area_heading(area, "EVENTS");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    int y = draw_idle(model, &inside, idle);
    for (size_t i = count - idle; i-- > 0 && y < inside.rect.h;) {
        const LpEvent *event = lp_session_event(model->session, i);
        if (lp_event_face(event->kind)->unlisted || (shown && lp_event_says_it(event, shown)))
            continue;
        lp_view_event_line(model, &inside, y++, event, true);
        shown = event;
    }
    if (count == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "nothing has happened yet");
}
