/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a study of the experiment from a file. */
#ifndef LP_UI_VIEWS_STUDY_STUDY_H
#define LP_UI_VIEWS_STUDY_STUDY_H

#include "moment/view.h"

extern const LpView lp_study_view;

/* Shows the file (NULL: the one that was shown last). Errors: LP_EINVAL where there is none, of
 * lp_study_load; nothing has changed then. */
LpErr lp_study_open(LpHost *host, const char *file, LpDiag *diag) LP_MUST_USE;

#endif
