/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as dates of the Gregorian calendar, without leap seconds: seconds since 1970-01-01 00:00.
 */
#ifndef LP_MODEL_TRACE_DATE_H
#define LP_MODEL_TRACE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* When time 0 of a scenario was. */
typedef struct LpEpoch {
    bool given;
    bool local; /* clocks where it happened showed it, and how far they are from UTC is not said */
    double seconds; /* since 1970, UTC (`local`: as those clocks showed it) */
    int32_t offset; /* s, by which the clocks that are shown are ahead of UTC */
} LpEpoch;

/* A date as a file or a user writes it. */
typedef struct LpDate {
    double seconds; /* since 1970, as the text has it */
    bool zoned;     /* it says how far that is from UTC: */
    int32_t offset; /* s ahead of it */
} LpDate;

/* Reads "2026-03-01", "2026-03-01 14:05", "2026-03-01T14:05:12.5", each also with "Z" or "+01:00"
 * behind it, of the years 1970 to 9999. LP_EINVAL: the text is no date. O(length). */
LpErr lp_date_parse(const char *text, LpDate *out) LP_MUST_USE;
/* Reads "Z", "+01:00" or "-0730". LP_EINVAL: the text is no offset. */
LpErr lp_date_parse_offset(const char *text, int32_t *seconds) LP_MUST_USE;

enum { LP_DATE_TEXT = 40 };
/* How much of a date is written. */
typedef enum LpDateForm {
    LP_DATE_WHOLE,   /* "Mon 2026-03-02 14:05:12" */
    LP_DATE_PLAIN,   /* "2026-03-02 14:05:12" */
    LP_DATE_ISO,     /* "2026-03-02T14:05:12", for programs */
    LP_DATE_WEEKDAY, /* "Mon 14:05:12" */
    LP_DATE_DAY,     /* "03-02 14:05:12" */
    LP_DATE_CLOCK,   /* "14:05:12" */
    LP_DATE_MINUTE,  /* "14:05" */
    LP_DATE_OF_MONTH /* "Mon 2" */
} LpDateForm;
/* `seconds` since 1970 by the clocks that are shown, any second in whole. Before 1970, from the
 * year 10000 on and where it is not known: "". Returns out. */
const char *lp_date_print(double seconds, LpDateForm form, char out[LP_DATE_TEXT]);
/* "Z", "+01:00". Returns out. */
const char *lp_date_print_offset(int32_t offset, char out[LP_DATE_TEXT]);

/* What the clocks that are shown say: "UTC", "+01:00", "local time". Returns out. */
enum { LP_ZONE_TEXT = 16 };
const char *lp_epoch_zone(const LpEpoch *epoch, char out[LP_ZONE_TEXT]);

/* The short form that tells the moments of a span (s) apart: in rows of a table, and at the ticks
 * of an axis. */
LpDateForm lp_date_form_rows(double span);
LpDateForm lp_date_form_axis(double span);

#endif
