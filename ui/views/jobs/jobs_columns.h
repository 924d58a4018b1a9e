/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the table of jobs. */
#ifndef LP_UI_VIEWS_JOBS_COLUMNS_H
#define LP_UI_VIEWS_JOBS_COLUMNS_H

#include "moment/picture/model.h"
#include "widgets/widgets_table.h"

/* Its lists are models, its rows jobs. Drawing, order, filter and searching read it. */
extern const LpTable lp_jobs_table;

/* at[column]: where each column of the table stands on a screen of `width` columns, 0: left out.
 * Plans have longer names than degrees. */
void lp_jobs_form(int width, bool plans, int at[LP_TABLE_COLUMNS]);
/* Is there something to sort and to filter by? Not in the policy's sentences. */
bool lp_job_sorts(int column);

#endif
