/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of a forecast, which several tables have; lists as in widgets/widgets_table.h. */
#ifndef LP_UI_MOMENT_TABLE_H
#define LP_UI_MOMENT_TABLE_H

#include "moment/picture/model.h"
#include "widgets/widgets_table.h"

/* A number of a row's forecast; what is not feasible has no numbers. */
static inline LpTableValue lp_table_forecast(const LpForecast *forecast, double number) {
    return lp_table_number(forecast->feasible ? number : (double)NAN);
}

/* The columns. Rows have forecast, of_limit, free_after and chosen. `title`: of the circuits, NULL
 * where they do not show. */
#define LP_FORECAST_COLUMNS(X, title)                                                              \
    X(JCT, "JCT", "jct", "s", "time to completion, if decided so", 0, lp_table_seconds,            \
      lp_table_forecast(&it->forecast, it->forecast.jct))                                          \
    X(STEP, "step time", "step_time", "s", "of one training step", 0, lp_table_seconds,            \
      lp_table_forecast(&it->forecast, it->forecast.step_time))                                    \
    X(COMMUNICATION, NULL, "communication", "s", "of all steps", 0, NULL,                          \
      lp_table_forecast(&it->forecast, it->forecast.communication))                                \
    X(COMPUTATION, NULL, "computation", "s", "of all steps", 0, NULL,                              \
      lp_table_forecast(&it->forecast, it->forecast.computation))                                  \
    X(CIRCUITS, title, "circuits", "", "light paths that a step uses", 0, lp_table_count,          \
      lp_table_forecast(&it->forecast, it->forecast.circuits))

#define LP_VERDICT_COLUMNS(X)                                                                      \
    X(FREE, NULL, "free_after", "", "servers left", 0, NULL,                                       \
      lp_table_forecast(&it->forecast, it->free_after))                                            \
    X(FEASIBLE, NULL, "feasible", "", "it can be placed", 0, NULL,                                 \
      lp_table_flag(it->forecast.feasible))                                                        \
    X(CAUSE, NULL, "cause", "", "why not", 0, NULL, lp_cause_code(it->forecast.cause))             \
    X(CHOSEN, NULL, "chosen", "", "the policy's answer", 0, NULL, lp_table_flag(it->chosen))       \
    X(WHY, NULL, "why", "", "the cause as a sentence", 0, NULL, lp_table_text(it->forecast.why))

#endif
