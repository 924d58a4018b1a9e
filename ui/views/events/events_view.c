/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the log of events, and going to one of them. */
#include <stdio.h>

#include "views/events/events_view.h"
#include "views/events/events_view_impl.h"
#include "widgets/widgets_list.h"

static void key_move(LpHost *host, int by) {
    const LpEventLog *log = lp_events_facts(host->model);
    int row = lp_event_log_row(log, lp_events_state(host->model));
    if (row < 0)
        return;
    row = lp_list_moved(row, by, (int)log->count);
    lp_events_state(host->model)->marked = true;
    lp_events_state(host->model)->event = lp_event_log_at(log, row);
}

static void key_go(LpHost *host) {
    int row = lp_event_log_row(lp_events_facts(host->model), lp_events_state(host->model));
    char moment[32];
    LpDiag diag = {0};
    if (row < 0) {
        lp_host_say(host, false, "no event is marked");
        return;
    }
    size_t event = lp_event_log_at(lp_events_facts(host->model), row);
    snprintf(moment, sizeof moment, "e%llu",
             (unsigned long long)lp_event_log_get(host->session, event)->serial);
    lp_events_state(host->model)->marked = true;
    lp_events_state(host->model)->event = event;
    if (!lp_host_has_time(host))
        lp_host_say(host, false, "this session keeps no time line");
    else if (host->app->seek(host, moment, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
    else
        lp_host_tell(host, "right after that event; {undo} goes back to where you were");
}

static void key_filter(LpHost *host, const char *text) {
    lp_str_copy(lp_events_state(host->model)->filter, sizeof lp_events_state(host->model)->filter,
                text);
}

static void print_event(void *user, const LpEvent *event, LpBuf *out) {
    lp_words_event_at(user, event, out);
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpModel ahead = lp_model_ahead(model);
    return lp_event_log_update(lp_events_facts(model), session, lp_events_state(model), print_event,
                               &ahead, diag);
}

static void drop(void *facts) {
    lp_event_log_fini(facts);
}

static void turn(LpHost *host) {
    lp_events_state(host->model)->marked = false;
}

static void mark(LpHost *host, int row) {
    lp_events_state(host->model)->marked = true;
    lp_events_state(host->model)->event = lp_event_log_at(lp_events_facts(host->model), row);
}

static void click_row(LpHost *host, uint32_t row, bool again) {
    if (row >= lp_events_facts(host->model)->count)
        return;
    mark(host, (int)row);
    if (again)
        key_go(host);
}

/* ---- as lines and as a table ---- */

static int count_lines(const LpModel *model) {
    return (int)lp_events_facts(model)->count;
}

static int line_at(const LpModel *model) {
    return lp_event_log_row(lp_events_facts(model), lp_events_state(model));
}

static void print_line(const LpModel *model, int line, LpBuf *out) {
    LpModel ahead = lp_model_ahead(model);
    size_t event = lp_event_log_at(lp_events_facts(model), line);
    lp_words_event_at(&ahead, lp_event_log_get(model->session, event), out);
}

static const LpViewLines lines = {count_lines, line_at, print_line, mark};

/* Of what has happened. */
static int count_events(const void *model) {
    return (int)lp_session_events(((const LpModel *)model)->session);
}

static const void *event_at(const void *model, int row) {
    return lp_session_event(((const LpModel *)model)->session, (size_t)row);
}

static const LpEvent *event_of(const LpTableRow *row) {
    return row->item;
}

static const char *words(const LpTableRow *row) {
    lp_words_event(row->list, event_of(row), row->room);
    return lp_buf_text(row->room);
}

#define LP_TABLE_ITEM LpEvent
#define COLUMNS(X)                                                                                 \
    X(SERIAL, NULL, "event", "", "its number", 0, NULL, (double)it->serial)                        \
    X(TIME, "time", "time", "s", "on the cluster's clock", 0, NULL, it->time)                      \
    X(KIND, "sign", "kind", "", "what happened, in one character; none: all else", 0, NULL,        \
      lp_event_name(it->kind))                                                                     \
    X(JOB, NULL, "job", "", "its job", 0, NULL, it->job == LP_NO_INDEX ? (double)NAN : it->job)    \
    X(TEXT, "text", "text", "", "what happened to which job", 1, NULL, lp_table_text(words(row)))

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static const LpTable table = {
    .column = columns, .columns = LP_COUNTOF(columns), .rows = count_events, .item = event_at};

static const LpViewKey keys[] = {
    {"Up Down", "mark an event"},
    {"Enter", "go to the moment right after it"},
    {"F", "only events that have a text in them"},
    {"/", "search; then {next-decision} {match-back} next and previous match, {out} ends"},
    {NULL, NULL},
};

const LpView lp_events_view = {
    .state = sizeof(LpEventLogState),
    .facts = sizeof(LpEventLog),
    .drop = drop,
    .update = update,
    .draw = lp_view_events,
    .alone = lp_view_eventlog,
    .move = key_move,
    .take = key_go,
    .takes = "go there",
    .filter = key_filter,
    .turn = turn,
    .row = click_row,
    .lines = &lines,
    .table = &table,
    .keys = keys,
};
