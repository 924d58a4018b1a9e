/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round dates on an axis. */
#include "moment/picture/dates.h"

#include <math.h>

#include "base/str.h"

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY 86400.0
#define MONDAY (4 * DAY)  /* 1970-01-05 */
#define MONTHS (60 * DAY) /* from which on days of a month are not enough */

/* The least step in which there are no more ticks than that. */
static double step_of(double span, int most) {
    static const double steps[] = {1,           2,           5,          10,         15,
                                   30,          MINUTE,      2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
                                   15 * MINUTE, 30 * MINUTE, HOUR,       2 * HOUR,   3 * HOUR,
                                   6 * HOUR,    12 * HOUR,   DAY,        2 * DAY,    7 * DAY};
    for (size_t i = 0; i < LP_COUNTOF(steps); i++)
        if (span / steps[i] < most)
            return steps[i];
    double step = 14 * DAY;
    while (span / step >= most && step < 1e12)
        step *= 2;
    return step;
}

static LpDateForm form_of(double seconds, double step, double span) {
    bool midnight = !(fmod(seconds, DAY) > 0);
    if (span > MONTHS)
        return LP_DATE_PLAIN;
    if (step >= DAY || midnight)
        return LP_DATE_OF_MONTH;
    return step < MINUTE ? LP_DATE_CLOCK : LP_DATE_MINUTE;
}

void lp_date_ticks(const LpScenario *scenario, double from, double to, int most, LpDateTicks *out) {
    const LpEpoch *epoch = &scenario->epoch;
    double zero = epoch->seconds + epoch->offset, span = to - from;
    out->count = 0;
    most = most < LP_DATE_TICKS ? most : LP_DATE_TICKS;
    if (!epoch->given || !(span > 0) || most < 1)
        return;
    double step = step_of(span, most), base = step > DAY ? MONDAY : 0;
    double first = base + ceil((zero + from - base) / step) * step;
    for (int i = 0; i < most && first + i * step <= zero + to; i++) {
        char date[LP_DATE_TEXT];
        double seconds = first + i * step;
        lp_date_print(seconds, form_of(seconds, step, span), date);
        if (span > MONTHS)
            date[10] = '\0'; /* the day alone */
        out->at[out->count] = seconds - zero;
        lp_str_copy(out->text[out->count], LP_DATE_TICK, date);
        out->name[out->count] = out->text[out->count];
        out->count++;
    }
}
