/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the list of events that pass the filter. */
#include "views/events/events_facts.h"

#include <string.h>

#include "base/mem.h"
#include "moment/parts/event_face.h"
#include "widgets/search.h"

static bool is_timed(const LpSession *session) {
    return lp_session_branches(session) > 0;
}

static uint32_t branch_of(const LpSession *session) {
    return is_timed(session) ? lp_session_moment(session).branch : 0;
}

size_t lp_event_log_all(const LpSession *session) {
    return is_timed(session) ? lp_session_branch_events(session, branch_of(session))
                             : lp_session_events(session);
}

const LpEvent *lp_event_log_get(const LpSession *session, size_t event) {
    return is_timed(session) ? lp_session_branch_event(session, branch_of(session), event)
                             : lp_session_event(session, event);
}

static void start_again(LpEventLog *log, uint32_t branch, const char *filter) {
    log->count = log->seen = 0;
    log->branch = branch;
    lp_str_copy(log->filter, sizeof log->filter, filter);
}

/* First of the list that is >= event. */
static size_t lower_bound(const LpEventLog *log, size_t event) {
    size_t low = 0, high = log->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (log->event[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool lp_event_says_it(const LpEvent *arrival, const LpEvent *event) {
    return arrival->kind == LP_EVENT_ARRIVAL && arrival->job == event->job &&
           arrival->time == event->time &&
           (event->kind == LP_EVENT_START || event->kind == LP_EVENT_BLOCK);
}

/* One line for what happens to a job at one instant, none for a time at which nothing does. */
static void add(LpEventLog *log, const LpSession *session) {
    const LpEvent *event = lp_event_log_get(session, log->seen);
    if (lp_event_face(event->kind)->unlisted)
        return;
    if (log->count > 0 &&
        lp_event_says_it(lp_event_log_get(session, log->event[log->count - 1]), event))
        log->count--;
    log->event[log->count++] = log->seen;
}

LpErr lp_event_log_update(LpEventLog *log, const LpSession *session, const LpEventLogState *state,
                          LpEventText *text, void *user, LpDiag *diag) {
    size_t all = lp_event_log_all(session);
    LpBuf line = {0};
    if (log->branch != branch_of(session) || all < log->seen ||
        strcmp(log->filter, state->filter) != 0)
        start_again(log, branch_of(session), state->filter);
    if (lp_grow((void **)&log->event, &log->cap, all + 1, sizeof *log->event) != LP_OK)
        return lp_fail_memory(diag, "the log of events");
    for (; log->seen < all; log->seen++) {
        lp_buf_clear(&line);
        if (log->filter[0])
            text(user, lp_event_log_get(session, log->seen), &line);
        if (line.failed)
            break;
        if (!log->filter[0])
            add(log, session);
        else if (lp_search_in(lp_buf_text(&line), log->filter))
            log->event[log->count++] = log->seen;
    }
    log->past = lower_bound(log, lp_session_events(session));
    LpErr err = lp_buf_ok(&line, diag);
    lp_buf_fini(&line);
    return err;
}

void lp_event_log_fini(LpEventLog *log) {
    lp_free(log->event);
    *log = (LpEventLog){0};
}

size_t lp_event_log_at(const LpEventLog *log, int row) {
    return log->event[log->count - 1 - (size_t)row];
}

int lp_event_log_row(const LpEventLog *log, const LpEventLogState *state) {
    if (log->count == 0)
        return -1;
    size_t at = state->marked ? lower_bound(log, state->event) : log->past > 0 ? log->past - 1 : 0;
    if (at >= log->count)
        at = log->count - 1;
    return (int)(log->count - 1 - at);
}
