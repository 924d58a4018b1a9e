/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The full log of events: of a branch all that is recorded, ahead of now as well, and which of them
 * pass the filter. */
#ifndef LP_UI_VIEWS_EVENTS_FACTS_H
#define LP_UI_VIEWS_EVENTS_FACTS_H

#include "base/str.h"
#include "session/time.h"

enum { LP_EVENT_FILTER = 64 };

/* The screen's own state of the log. */
typedef struct LpEventLogState {
    char filter[LP_EVENT_FILTER]; /* "" for all */
    bool marked;  /* the cursor stands on `event`; else on the last event that happened */
    size_t event; /* counted from the start of the branch */
} LpEventLogState;

/* Zero-initialise. */
typedef struct LpEventLog {
    size_t *event; /* those that pass, oldest first, as numbers from the start of the branch */
    size_t cap, count;
    size_t past; /* number of `event` that have happened */
    size_t seen; /* events looked at so far */
    uint32_t branch;
    char filter[LP_EVENT_FILTER]; /* that `event` and `seen` are for */
} LpEventLog;

/* Events that there are, and one of them: all that is recorded on the branch shown, or, without a
 * time line, all that happened. */
size_t lp_event_log_all(const LpSession *session);
const LpEvent *lp_event_log_get(const LpSession *session, size_t event);

/* An event as the text that the filter is looked for in. */
typedef void LpEventText(void *user, const LpEvent *event, LpBuf *out);

/* Is the second event what becomes of the job that arrives in the first, at the same instant? */
bool lp_event_says_it(const LpEvent *arrival, const LpEvent *event);

/* Takes up what is new; intervals, and arrivals that lead to something at once, pass only a filter
 * that asks for them; all of it for another branch or filter. Errors: LP_ENOMEM. O(new
 * events). */
LpErr lp_event_log_update(LpEventLog *log, const LpSession *session, const LpEventLogState *state,
                          LpEventText *text, void *user, LpDiag *diag) LP_MUST_USE;
void lp_event_log_fini(LpEventLog *log);

/* Row of the cursor, 0 being the newest; -1 in an empty log. O(log count). */
int lp_event_log_row(const LpEventLog *log, const LpEventLogState *state);
/* The event in a row (0 <= row < count). */
size_t lp_event_log_at(const LpEventLog *log, int row);

#endif
