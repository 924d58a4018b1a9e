/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events, newest first, one line each. */
#include "views/events/impl.h"

#include <math.h>

#include "sim/condition.h"

static LpStyle style_of(LpEventKind kind) {
    switch (kind) {
    case LP_EVENT_BLOCK:
    case LP_EVENT_EXPIRY:
        return LP_ROLE_BAD;
    case LP_EVENT_WAIT:
    case LP_EVENT_CONDITION:
        return LP_ROLE_WAIT;
    case LP_EVENT_COMPLETION:
        return LP_ROLE_GOOD;
    default:
        return LP_ROLE_TEXT;
    }
}

static bool is_failure(const LpModel *model, const LpEvent *event) {
    const LpChange *change = lp_world_change_of(model->world, event->serial);
    return change != NULL && lp_condition_is_failure(change->condition.kind);
}

static LpGlyph glyph_of(const LpModel *model, const LpEvent *event) {
    switch (event->kind) {
    case LP_EVENT_BLOCK:
    case LP_EVENT_EXPIRY:
        return LP_GLYPH_BLOCKED;
    case LP_EVENT_START:
        return LP_GLYPH_STARTED;
    case LP_EVENT_COMPLETION:
        return LP_GLYPH_DONE;
    case LP_EVENT_WAIT:
        return LP_GLYPH_WAITING;
    case LP_EVENT_CONDITION:
        return is_failure(model, event) ? LP_GLYPH_BROKEN : LP_GLYPH_SPACE;
    default:
        return LP_GLYPH_SPACE;
    }
}

/* Columns that the time of the newest event takes. */
static int time_width(const LpModel *model) {
    char text[LP_SHOW_TEXT];
    lp_show_clock(lp_world_now(model->world), model->marks.scale, text);
    return lp_text_width(text);
}

void lp_view_event_line(const LpModel *model, const LpArea *area, int y, const LpEvent *event,
                        bool happened) {
    LpStyle style = happened ? style_of(event->kind) : LP_ROLE_MUTED;
    int column = time_width(model);
    char at[LP_SHOW_TEXT];
    LpBuf text = {0};
    lp_words_event(model, event, &text);
    lp_area_right(area, column, y, LP_ROLE_MUTED,
                  lp_show_clock(event->time, model->marks.scale, at));
    lp_area_glyph(area, column + 1, y, style, glyph_of(model, event));
    lp_area_fit(area, column + 3, y, area->rect.w - column - 3, style, lp_buf_text(&text));
    lp_area_done(area, &text);
}

void lp_view_events(const LpModel *model, const LpArea *area) {
    size_t count = lp_session_events(model->session);
    LpArea box = lp_area_heading(area, "events");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    for (int y = 0; y < inside.rect.h && (size_t)y < count; y++)
        lp_view_event_line(model, &inside, y,
                           lp_session_event(model->session, count - 1 - (size_t)y), true);
    if (count == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "nothing has happened yet");
}
