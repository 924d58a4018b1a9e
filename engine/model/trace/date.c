/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/trace/date.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DAY = 86400, YEAR_MOST = 9999 };

/* ---- the calendar ---- */

/* Days from 1970-01-01 to a date: years begin in March, in eras of 400 years. */
static int64_t days_of(int64_t year, int month, int day) {
    year -= month <= 2;
    int64_t era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

typedef struct Civil {
    int64_t year;
    int month, day, weekday; /* weekday 0: Thursday */
    int hour, minute, second;
} Civil;

static Civil civil_of(int64_t second) {
    int64_t day = second / DAY, rest = second % DAY;
    int64_t z = day + 719468, era = z / 146097, of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int date = (int)(of_year - (153 * month + 2) / 5 + 1);
    month = month < 10 ? month + 3 : month - 9;
    return (Civil){.year = year + era * 400 + (month <= 2),
                   .month = (int)month,
                   .day = date,
                   .weekday = (int)(day % 7),
                   .hour = (int)(rest / 3600),
                   .minute = (int)(rest / 60 % 60),
                   .second = (int)(rest % 60)};
}

static int days_in(int64_t year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* ---- reading ---- */

/* Takes exactly `digits` digits that stand for a number from `least` to `most`. */
static bool take(const char **at, int digits, int least, int most, int *out) {
    int value = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (!isdigit((unsigned char)**at))
            return false;
        value = value * 10 + (**at - '0');
    }
    *out = value;
    return value >= least && value <= most;
}

static bool take_char(const char **at, char c) {
    bool there = **at == c;
    *at += there;
    return there;
}

/* Behind the hour: ":05:12.25", ":05" or nothing. */
static bool take_clock(const char **at, double *seconds) {
    int hour, minute = 0, second = 0;
    if (!take(at, 2, 0, 23, &hour) || !take_char(at, ':') || !take(at, 2, 0, 59, &minute))
        return false;
    bool seconds_too = take_char(at, ':');
    if (seconds_too && !take(at, 2, 0, 59, &second))
        return false;
    *seconds += hour * 3600.0 + minute * 60.0 + second;
    if (!seconds_too || !take_char(at, '.'))
        return true;
    double part = 0.1;
    bool any = isdigit((unsigned char)**at);
    for (; isdigit((unsigned char)**at); part /= 10, (*at)++)
        *seconds += part * (**at - '0');
    return any;
}

LpErr lp_date_parse_offset(const char *text, int32_t *seconds) {
    int hour, minute = 0;
    bool back = *text == '-';
    if (strcmp(text, "Z") == 0) {
        *seconds = 0;
        return LP_OK;
    }
    if (*text != '+' && !back)
        return LP_EINVAL;
    text++;
    if (!take(&text, 2, 0, 23, &hour))
        return LP_EINVAL;
    bool parted = take_char(&text, ':');
    if ((parted || *text != '\0') && !take(&text, 2, 0, 59, &minute))
        return LP_EINVAL;
    if (*text != '\0')
        return LP_EINVAL;
    *seconds = (back ? -1 : 1) * (hour * 3600 + minute * 60);
    return LP_OK;
}

LpErr lp_date_parse(const char *text, LpDate *out) {
    int year, month, day;
    LpDate date = {0};
    if (!take(&text, 4, 1970, YEAR_MOST, &year) || !take_char(&text, '-') ||
        !take(&text, 2, 1, 12, &month) || !take_char(&text, '-') ||
        !take(&text, 2, 1, days_in(year, month), &day))
        return LP_EINVAL;
    date.seconds = (double)days_of(year, month, day) * DAY;
    if ((take_char(&text, 'T') || (text[0] == ' ' && isdigit((unsigned char)text[1]) && *text++)) &&
        !take_clock(&text, &date.seconds))
        return LP_EINVAL;
    if (*text != '\0') {
        date.zoned = true;
        if (lp_date_parse_offset(text, &date.offset) != LP_OK)
            return LP_EINVAL;
    }
    *out = date;
    return LP_OK;
}

/* ---- writing ---- */

const char *lp_date_print(double seconds, LpDateForm form, char out[LP_DATE_TEXT]) {
    static const char *const weekdays[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const double past = 253402300800.0; /* 10000-01-01 */
    out[0] = '\0';
    if (!(seconds >= 0 && seconds < past))
        return out;
    Civil c = civil_of((int64_t)floor(seconds));
    const char *weekday = weekdays[c.weekday];
    char date[16], clock[16];
    snprintf(date, sizeof date, "%04d-%02d-%02d", (int)(c.year % 10000), c.month % 100,
             c.day % 100);
    snprintf(clock, sizeof clock, "%02d:%02d:%02d", c.hour % 100, c.minute % 100, c.second % 100);
    switch (form) {
    case LP_DATE_WHOLE:
        snprintf(out, LP_DATE_TEXT, "%s %s %s", weekday, date, clock);
        break;
    case LP_DATE_PLAIN:
        snprintf(out, LP_DATE_TEXT, "%s %s", date, clock);
        break;
    case LP_DATE_ISO:
        snprintf(out, LP_DATE_TEXT, "%sT%s", date, clock);
        break;
    case LP_DATE_WEEKDAY:
        snprintf(out, LP_DATE_TEXT, "%s %s", weekday, clock);
        break;
    case LP_DATE_DAY:
        snprintf(out, LP_DATE_TEXT, "%s %s", date + 5, clock);
        break;
    case LP_DATE_CLOCK:
        snprintf(out, LP_DATE_TEXT, "%s", clock);
        break;
    case LP_DATE_MINUTE:
        snprintf(out, LP_DATE_TEXT, "%.5s", clock);
        break;
    case LP_DATE_OF_MONTH:
        snprintf(out, LP_DATE_TEXT, "%s %d", weekday, c.day);
        break;
    }
    return out;
}

const char *lp_date_print_offset(int32_t offset, char out[LP_DATE_TEXT]) {
    int minutes = (offset < 0 ? -offset : offset) / 60;
    if (offset == 0)
        snprintf(out, LP_DATE_TEXT, "Z");
    else
        snprintf(out, LP_DATE_TEXT, "%c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60,
                 minutes % 60);
    return out;
}

const char *lp_epoch_zone(const LpEpoch *epoch, char out[LP_ZONE_TEXT]) {
    char offset[LP_DATE_TEXT];
    if (epoch->local || epoch->offset == 0)
        snprintf(out, LP_ZONE_TEXT, "%s", epoch->local ? "local time" : "UTC");
    else
        snprintf(out, LP_ZONE_TEXT, "%.6s", lp_date_print_offset(epoch->offset, offset));
    return out;
}

LpDateForm lp_date_form_rows(double span) {
    return span <= DAY ? LP_DATE_CLOCK : span <= 7.0 * DAY ? LP_DATE_WEEKDAY : LP_DATE_DAY;
}

LpDateForm lp_date_form_axis(double span) {
    return span <= 2.0 * DAY ? LP_DATE_MINUTE : LP_DATE_OF_MONTH;
}
