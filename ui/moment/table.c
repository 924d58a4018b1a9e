/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of several views (CSV) have alike. */
#include "moment/table.h"

#include <math.h>

#include "base/num.h"

void lp_table_number(LpBuf *out, double number) {
    char text[LP_NUM_TEXT];
    if (isfinite(number))
        lp_buf_add(out, lp_num_print(number, text));
    lp_buf_add(out, ",");
}

void lp_table_forecast(LpBuf *out, const LpForecast *f) {
    const double numbers[] = {f->jct, f->step_time, f->communication, f->computation, f->circuits};
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        lp_table_number(out, f->feasible ? numbers[i] : (double)NAN);
}

void lp_table_verdict(LpBuf *out, const LpForecast *f, double of_limit, uint32_t free_after,
                      bool chosen) {
    const char *cause = lp_cause_code(f->cause);
    lp_table_number(out, of_limit);
    lp_table_number(out, f->feasible ? free_after : (double)NAN);
    lp_buf_addf(out, "%s,%s,%s,", f->feasible ? "true" : "false", cause ? cause : "",
                chosen ? "true" : "false");
    lp_str_csv(out, f->why, true);
    lp_buf_add(out, "\n");
}
