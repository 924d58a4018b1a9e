/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the log of events, and going to one of them. */
#include <stdio.h>

#include "app/impl.h"

void lp_app_events_move(LpApp *app, int by) {
    const LpEventLog *log = &app->model.events;
    int row = lp_event_log_row(log, &app->ui.events), last = (int)log->count - 1;
    if (row < 0)
        return;
    row = by > last - row ? last : by < -row ? 0 : row + by;
    app->ui.events.marked = true;
    app->ui.events.event = lp_event_log_at(log, row);
}

void lp_app_events_go(LpApp *app) {
    int row = lp_event_log_row(&app->model.events, &app->ui.events);
    char moment[32];
    LpDiag diag = {0};
    if (row < 0) {
        lp_app_say(app, false, "no event is marked");
        return;
    }
    size_t event = lp_event_log_at(&app->model.events, row);
    snprintf(moment, sizeof moment, "e%llu",
             (unsigned long long)lp_event_log_get(app->session, event)->serial);
    app->ui.events.marked = true;
    app->ui.events.event = event;
    if (!lp_app_has_time(app))
        lp_app_say(app, false, "this session keeps no time line");
    else if (lp_app_seek(app, moment, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
    else
        lp_app_say(app, false, "right after that event; u goes back to where you were");
}

void lp_app_events_filter(LpApp *app, const char *text) {
    lp_str_copy(app->ui.events.filter, sizeof app->ui.events.filter, text);
}
