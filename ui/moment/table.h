/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of several views (CSV) have alike. */
#ifndef LP_UI_MOMENT_TABLE_H
#define LP_UI_MOMENT_TABLE_H

#include "moment/model.h"

/* Each ends with a comma, but the verdict with the line; nothing is written for what is not known.
 */
void lp_table_number(LpBuf *out, double number);
#define LP_TABLE_FORECAST "jct,step_time,communication,computation,circuits"
void lp_table_forecast(LpBuf *out, const LpForecast *forecast);
void lp_table_verdict(LpBuf *out, const LpForecast *forecast, double of_limit, uint32_t free_after,
                      bool chosen);

#endif
