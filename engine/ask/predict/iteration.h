/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath turns --iteration`: published iterations of mixtures of experts beside a model. */
#ifndef LP_ASK_PREDICT_ITERATION_H
#define LP_ASK_PREDICT_ITERATION_H

#include "base/str.h"

/* Appends what is published of a model (sim/turns/iteration.h) and what c + V x/B gives: JSON, or
 * a table for people. Errors: LP_EINVAL with the names that there are; LP_ENOMEM. */
LpErr lp_iteration_report(const char *name, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
