/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks on the timeline: events counted in a few bins of time. */
#ifndef LP_UI_MOMENT_MARKS_H
#define LP_UI_MOMENT_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "session/time.h"

enum { LP_MARK_BINS = 2048 };

/* Bits of a bin, the more telling ones higher. */
enum { LP_MARK_DONE = 1, LP_MARK_STARTED = 2, LP_MARK_WAITING = 4, LP_MARK_BLOCKED = 8 };

/* Zero-initialise. */
typedef struct LpMarks {
    size_t seen; /* events read so far */
    uint32_t branch;
    double scale; /* s, where the last bin ends */
    bool asked;   /* the scenario has been asked for `end` */
    double end;   /* s, when the scenario's last job arrives, 0: unknown */
    uint8_t bin[LP_MARK_BINS];
} LpMarks;

/* Reads the events that are new since the last call; all of them when the scale has to change, or
 * another branch is shown. Of a time line all that is recorded on the branch, ahead of now as well.
 * The scale is the horizon, or where the arrivals are expected to end if that is much earlier, and
 * reaches to `now`, s, what is shown, at least. */
void lp_marks_update(LpMarks *marks, const LpSession *session, double now);
/* Marks of any branch of a time line, over a scale of the caller's own. */
void lp_marks_of_branch(LpMarks *marks, const LpSession *session, uint32_t branch, double scale);
/* All bits from share `from` to share `to` of the timeline, 0 <= from < to <= 1. */
uint8_t lp_marks_between(const LpMarks *marks, double from, double to);

#endif
