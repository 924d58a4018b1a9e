/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events, newest first, one line each. */
#include "app/view.h"

#include <math.h>

#include "sim/condition.h"

void lp_view_server_names(const LpModel *model, const uint32_t *server, uint32_t count, int most,
                          LpBuf *out) {
    const LpFabric *f = &model->context->fabric;
    bool racks = f->groups > 1 || f->racks > 1;
    uint32_t last = LP_NO_INDEX, named = 0, skipped = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = racks ? server[i] / f->per_rack : server[i];
        if (place == last)
            continue;
        last = place;
        if ((int)named >= most) {
            skipped++;
            continue;
        }
        lp_buf_add(out, named++ ? " " : "");
        if (racks)
            lp_buf_addf(out, "g%ur%u", (unsigned)lp_fabric_group(f, server[i]),
                        (unsigned)lp_fabric_rack(f, server[i]));
        else
            lp_buf_addf(out, "s%u", (unsigned)server[i]);
    }
    if (skipped)
        lp_buf_addf(out, " and %u more", (unsigned)skipped);
}

static void print_start(const LpModel *model, const LpJob *job, LpBuf *out) {
    const LpStore *store = model->context->store;
    lp_buf_addf(out, "x%u", (unsigned)lp_model_ways(job));
    if (job->placement == LP_NO_INDEX)
        return;
    const LpPlacement *placement = lp_store_placement(store, job->placement);
    lp_buf_add(out, " on ");
    lp_view_server_names(model, placement->server, placement->servers, 4, out);
}

static LpWhy why_of(const LpModel *model, uint32_t job) {
    if (!model->ahead)
        return lp_session_why(model->session, job);
    LpMoment tip = {model->time.moment.branch, model->time.tip};
    return lp_session_why_at(model->session, tip, job);
}

static void print_block(const LpModel *model, const LpJob *job, LpBuf *out) {
    LpWhy why = why_of(model, job->id);
    const char *sentence = why.reason && *why.reason ? why.reason : why.why;
    lp_buf_addf(out, "blocked, %s", lp_cause_code((LpCause)job->cause));
    if (sentence && *sentence)
        lp_buf_addf(out, ": %s", sentence);
}

static void print_change(const LpModel *model, const LpEvent *event, LpBuf *out) {
    const LpChange *change = lp_world_change_of(model->world, event->serial);
    char text[LP_CONDITION_TEXT];
    if (change == NULL) {
        lp_buf_add(out, lp_event_name(event->kind));
        return;
    }
    lp_buf_add(out, lp_condition_text(&change->condition, model->context, text));
    if (change->stopped == 1)
        lp_buf_addf(out, ": job %u is stopped", (unsigned)event->job);
    else if (change->stopped > 1)
        lp_buf_addf(out, ": %llu jobs are stopped", (unsigned long long)change->stopped);
}

void lp_view_event_text(const LpModel *model, const LpEvent *event, LpBuf *out) {
    char text[LP_SHOW_TEXT];
    if (event->kind == LP_EVENT_CONDITION) {
        print_change(model, event, out);
        return;
    }
    if (event->job == LP_NO_INDEX) {
        lp_buf_add(out, event->kind == LP_EVENT_HORIZON ? "the run is over"
                                                        : lp_event_name(event->kind));
        return;
    }
    const LpJob *job = lp_world_job(model->world, event->job);
    lp_buf_addf(out, "job %u %s ", (unsigned)job->id, lp_model_graph(model, job));
    switch (event->kind) {
    case LP_EVENT_ARRIVAL:
        if (isinf(job->max_jct))
            lp_buf_add(out, "arrived, no limit");
        else
            lp_buf_addf(out, "arrived, limit %s", lp_show_seconds(job->max_jct, text));
        return;
    case LP_EVENT_START:
        print_start(model, job, out);
        return;
    case LP_EVENT_COMPLETION:
        lp_buf_addf(out, "done, JCT %s x%u", lp_show_seconds(job->end - job->arrival, text),
                    (unsigned)lp_model_ways(job));
        return;
    case LP_EVENT_BLOCK:
        print_block(model, job, out);
        return;
    case LP_EVENT_EXPIRY:
        lp_buf_add(out, "blocked, deadline: waited too long");
        return;
    case LP_EVENT_WAIT:
        lp_buf_add(out, "waits");
        return;
    case LP_EVENT_OFFER:
        lp_buf_add(out, "offered again");
        return;
    default:
        lp_buf_add(out, lp_event_name(event->kind));
        return;
    }
}

void lp_model_event_text(const LpModel *model, const LpEvent *event, LpBuf *out) {
    char at[LP_SHOW_TEXT];
    lp_buf_addf(out, "%s ", lp_show_clock(event->time, model->marks.scale, at));
    lp_view_event_text(model, event, out);
}

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
    lp_view_event_text(model, event, &text);
    lp_area_right(area, column, y, LP_ROLE_MUTED,
                  lp_show_clock(event->time, model->marks.scale, at));
    lp_area_glyph(area, column + 1, y, style, glyph_of(model, event));
    lp_area_fit(area, column + 3, y, area->rect.w - column - 3, style, lp_buf_text(&text));
    lp_area_done(area, &text);
}

void lp_view_events(const LpModel *model, const LpArea *area) {
    size_t count = lp_session_events(model->session);
    if (model->ui->only == LP_PANE_EVENTS) {
        lp_view_eventlog(model, area);
        return;
    }
    LpArea box = lp_area_box(area, "events");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    for (int y = 0; y < inside.rect.h && (size_t)y < count; y++)
        lp_view_event_line(model, &inside, y,
                           lp_session_event(model->session, count - 1 - (size_t)y), true);
    if (count == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "nothing has happened yet");
}
