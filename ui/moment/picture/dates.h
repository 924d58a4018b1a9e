/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ticks of an axis of times where the scenario says when its time 0 was: round dates. */
#ifndef LP_UI_MOMENT_DATES_H
#define LP_UI_MOMENT_DATES_H

#include "model/scenario.h"

enum { LP_DATE_TICKS = 16, LP_DATE_TICK = 12 };

typedef struct LpDateTicks {
    uint32_t count;           /* 0: there are no dates */
    double at[LP_DATE_TICKS]; /* s, rising */
    char text[LP_DATE_TICKS][LP_DATE_TICK];
    const char *name[LP_DATE_TICKS]; /* the texts; the ticks must not be moved */
} LpDateTicks;

/* At most `most` (1 .. LP_DATE_TICKS) instants from `from` to `to`, s: whole days, hours, minutes
 * or seconds of the clocks that are shown, evenly spaced; months are not. "14:05", at midnight and
 * where no more than days are told apart "Mon 2", below a minute "14:05:12", over years
 * "2026-03-02". O(most). */
void lp_date_ticks(const LpScenario *scenario, double from, double to, int most, LpDateTicks *out);

#endif
