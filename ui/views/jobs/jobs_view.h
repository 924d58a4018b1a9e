/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of jobs. */
#ifndef LP_UI_VIEWS_JOBS_JOBS_H
#define LP_UI_VIEWS_JOBS_JOBS_H

#include "moment/view.h"

extern const LpView lp_jobs_view;

#endif
