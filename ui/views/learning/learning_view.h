/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of learning curves in files. */
#ifndef LP_UI_VIEWS_LEARNING_LEARNING_H
#define LP_UI_VIEWS_LEARNING_LEARNING_H

#include "moment/view.h"

extern const LpView lp_learning_view;

/* Shows `files` files, which are followed from now on; with `files` 0 those that were shown last.
 * Errors: LP_EINVAL where there are none, of lp_learn_open; nothing has changed then. */
LpErr lp_learning_open(LpHost *host, const char *const *file, int files, LpDiag *diag) LP_MUST_USE;

#endif
