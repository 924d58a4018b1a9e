/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of numbers that keys take, as a table. */
#include "base/need.h"

#include <math.h>
#include <stdbool.h>

#include "base/num.h"

static const struct {
    const char *text;
    double min, max;
    bool whole;
} needs[] = {
    [LP_NEED_POSITIVE] = {"a number above 0", 0x1p-1074, (double)INFINITY, false},
    [LP_NEED_NOT_NEGATIVE] = {"a number of 0 or more", 0.0, (double)INFINITY, false},
    [LP_NEED_WHOLE] = {"a whole number from 1", 1.0, 0x1p53, true},
    [LP_NEED_SHARE] = {"a number from 0 to 1", 0.0, 1.0, false},
};

const char *lp_need_text(LpNeed need) {
    return needs[need].text;
}

LpErr lp_need_fail(const char *key, double value, const char *expected, LpDiag *diag) {
    char text[LP_NUM_TEXT];
    return lp_fail(diag, LP_EINVAL, "%s is %s: expected %s", key,
                   isfinite(value)  ? lp_num_print(value, text)
                   : value != value ? "not a number"
                                    : "infinite",
                   expected);
}

LpErr lp_need(const char *key, double value, LpNeed need, LpDiag *diag) {
    bool good = isfinite(value) && value >= needs[need].min && value <= needs[need].max;
    if (needs[need].whole)
        good = good && value == floor(value);
    return good ? LP_OK : lp_need_fail(key, value, needs[need].text, diag);
}

LpErr lp_need_all(const LpNumber *number, size_t count, LpDiag *diag) {
    for (size_t i = 0; i < count; i++)
        LP_TRY(lp_need(number[i].key, number[i].value, number[i].need, diag));
    return LP_OK;
}
