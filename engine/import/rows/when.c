/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments and spans as traces write them. */
#include "import/rows/table.h"

static bool digits(const char **at, int count, int *out) {
    int value = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return false;
        value = value * 10 + (**at - '0');
    }
    *out = value;
    return true;
}

static bool letter(const char **at, const char *one_of) {
    for (; *one_of != '\0'; one_of++)
        if (**at == *one_of) {
            (*at)++;
            return true;
        }
    return false;
}

/* A point and digits, of which nine count. */
static bool fraction(const char **at, int64_t *ns) {
    int64_t unit = 100000000;
    *ns = 0;
    if (**at != '.')
        return true;
    (*at)++;
    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; (*at)++, unit /= 10)
        *ns += (**at - '0') * unit;
    return true;
}

static bool leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && leap(year));
}

static int64_t days_since_1970(int year, int month, int day) {
    int64_t days = 0;
    int64_t before = year - 1; /* years that are over, from year 1 on */
    days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
    for (int m = 1; m < month; m++)
        days += days_of(year, m);
    return days + day - 1;
}

static bool read_offset(const char **at, int64_t *seconds, bool *has) {
    int hours, minutes;
    *seconds = 0;
    *has = true;
    if (letter(at, "Z"))
        return true;
    if (**at != '+' && **at != '-') {
        *has = false;
        return true;
    }
    int sign = **at == '+' ? 1 : -1;
    (*at)++;
    if (!digits(at, 2, &hours))
        return false;
    (void)letter(at, ":");
    if (!digits(at, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *seconds = sign * (hours * 3600 + minutes * 60);
    return true;
}

bool lp_when_parse(const char *text, int64_t *ns, bool *offset) {
    int year, month, day, hour, minute, second;
    int64_t part, shift;
    bool has;
    const char *at = text;
    if (!digits(&at, 4, &year) || !letter(&at, "-") || !digits(&at, 2, &month) ||
        !letter(&at, "-") || !digits(&at, 2, &day) || !letter(&at, " T") ||
        !digits(&at, 2, &hour) || !letter(&at, ":") || !digits(&at, 2, &minute) ||
        !letter(&at, ":") || !digits(&at, 2, &second) || !fraction(&at, &part) ||
        !read_offset(&at, &shift, &has) || *at != '\0')
        return false;
    /* years as far from 1970 as LP_NS_SECONDS; a leap second is the first of the next minute */
    if (year < 1830 || year > 2110 || month < 1 || month > 12 || day < 1 ||
        day > days_of(year, month) || hour > 23 || minute > 59 || second > 60)
        return false;
    int64_t seconds =
        days_since_1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - shift;
    *ns = seconds * 1000000000 + part;
    if (offset != NULL)
        *offset = has;
    return true;
}

/* A whole number and what follows it; at most nine digits. */
static bool whole(const char **at, double *out) {
    int count = 0;
    *out = 0;
    for (; **at >= '0' && **at <= '9' && count < 9; (*at)++, count++)
        *out = *out * 10 + (**at - '0');
    return count > 0;
}

bool lp_span_parse(const char *text, double *out) {
    double part[3], days = 0;
    int64_t ns;
    int parts = 0;
    const char *at = text;
    if (!whole(&at, &part[0]))
        return false;
    if (letter(&at, "-")) {
        days = part[0];
        if (!whole(&at, &part[0]))
            return false;
    }
    for (parts = 1; parts < 3 && letter(&at, ":"); parts++)
        if (!whole(&at, &part[parts]))
            return false;
    if (parts == 1 || !fraction(&at, &ns) || *at != '\0')
        return false;
    double seconds = parts == 3 ? (part[0] * 60 + part[1]) * 60 + part[2] : part[0] * 60 + part[1];
    *out = days * 86400 + seconds + (double)ns / 1e9;
    return true;
}

double lp_ns_between(int64_t begin, int64_t end) {
    /* the difference is exact, and the division rounds once */
    return (double)(end - begin) / 1e9;
}

bool lp_ns_of(double seconds, int64_t *ns) {
    if (!(seconds > -LP_NS_SECONDS && seconds < LP_NS_SECONDS))
        return false;
    /* the whole seconds apart, so that the fraction keeps its digits */
    int64_t whole = (int64_t)seconds;
    double part = (seconds - (double)whole) * 1e9;
    *ns = whole * 1000000000 + (int64_t)(part < 0 ? part - .5 : part + .5);
    return true;
}
