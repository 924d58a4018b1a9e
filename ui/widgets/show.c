/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for the screen. */
#include "widgets/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

/* Sets the thousands of the digits before the point apart. */
static const char *group(const char *text, char buf[LP_SHOW_TEXT]) {
    size_t sign = text[0] == '-', digits = strspn(text + sign, "0123456789");
    size_t at = 0;
    for (size_t i = 0; text[i] && at + 2 < LP_SHOW_TEXT; i++) {
        size_t left = sign + digits - i; /* digits from here to the point */
        if (i > sign && i < sign + digits && left % 3 == 0)
            buf[at++] = ' ';
        buf[at++] = text[i];
    }
    buf[at] = '\0';
    return buf;
}

const char *lp_show_seconds(double seconds, char buf[LP_SHOW_TEXT]) {
    char text[LP_SHOW_TEXT];
    double size = fabs(seconds);
    if (isnan(seconds))
        return lp_str_copy(buf, LP_SHOW_TEXT, "-");
    if (isinf(seconds))
        return lp_str_copy(buf, LP_SHOW_TEXT, "never");
    if (size < 999.5 || size >= 1e8)
        return lp_quantity_print(seconds, LP_DIM_TIME, buf, LP_SHOW_TEXT);
    snprintf(text, sizeof text, "%.0f s", seconds);
    return group(text, buf);
}

const char *lp_show_span(double seconds, char buf[LP_SHOW_TEXT]) {
    char text[LP_SPAN_TEXT];
    if (!(seconds >= 59.95) || isinf(seconds))
        return lp_show_seconds(seconds, buf);
    return lp_str_copy(buf, LP_SHOW_TEXT, lp_span_print(seconds, text));
}

double lp_show_left_plain(double scale) {
    return scale < 1.0 ? 0.0 : 1e8;
}

const char *lp_show_left(double seconds, double scale, char buf[LP_SHOW_TEXT]) {
    char text[LP_SHOW_TEXT];
    if (!isfinite(seconds) || !(fabs(seconds) < lp_show_left_plain(scale)))
        return lp_show_seconds(seconds, buf);
    snprintf(text, sizeof text, "%.*f s", seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0, seconds);
    return group(text, buf);
}

const char *lp_show_clock(double seconds, double scale, char buf[LP_SHOW_TEXT]) {
    char text[LP_SHOW_TEXT];
    int decimals = 0;
    if (!isfinite(seconds) || fabs(seconds) >= 1e15)
        return lp_show_seconds(seconds, buf);
    /* five digits of the scale (four below a second), one decimal up to a million seconds */
    for (double unit = scale < 1.0 ? 1e4 : 1e5; decimals < 9 && scale < unit; unit /= 10.0)
        decimals++;
    if (scale > 0.99 && decimals > 3)
        decimals = 3; /* a millisecond is as much as anybody reads beside seconds */
    if (decimals == 0 && scale < 1e6)
        decimals = 1;
    snprintf(text, sizeof text, "%.*f", decimals, seconds);
    return group(text, buf);
}

const char *lp_show_percent(double share, char buf[LP_SHOW_TEXT]) {
    double percent = share * 100.0;
    if (isnan(percent))
        return lp_str_copy(buf, LP_SHOW_TEXT, "-");
    if (percent >= 999.5)
        return lp_str_copy(buf, LP_SHOW_TEXT, ">999 %");
    if (percent > 0.0 && percent < 0.005)
        return lp_str_copy(buf, LP_SHOW_TEXT, "<0.01 %");
    int decimals = percent >= 9.95 || percent == 0.0 ? 0 : percent >= 0.995 ? 1 : 2;
    snprintf(buf, LP_SHOW_TEXT, "%.*f %%", decimals, percent);
    return buf;
}

const char *lp_show_count(uint64_t count, char buf[LP_SHOW_TEXT]) {
    char text[LP_SHOW_TEXT];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    return group(text, buf);
}

const char *lp_show_bytes(double bytes, char buf[LP_SHOW_TEXT]) {
    if (isnan(bytes))
        return lp_str_copy(buf, LP_SHOW_TEXT, "-");
    return lp_quantity_print(bytes, LP_DIM_BYTES, buf, LP_SHOW_TEXT);
}

double lp_show_nice(double value) {
    static const double steps[] = {1.0, 2.0, 5.0};
    double power = 1e-12;
    while (power * 10.0 <= value && power < 1e300)
        power *= 10.0;
    for (int i = 0; i < 3; i++)
        if (steps[i] * power >= value * (1.0 - 1e-9))
            return steps[i] * power;
    return 10.0 * power;
}
