/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of the branch that is compared with, at the same time: a model of its own, which the
 * boards draw just as they draw the present one (lp_view_part). */
#ifndef LP_UI_MOMENT_BESIDE_H
#define LP_UI_MOMENT_BESIDE_H

#include "base/err.h"
#include "session/session.h"

struct LpModel;

/* Fills model->beside from model->time.other, where it is wanted; else
 * there is none. Call when the time and the decision are gathered. Errors: LP_ENOMEM. */
LpErr lp_beside_update(struct LpModel *model, LpSession *session, bool wanted,
                       LpDiag *diag) LP_MUST_USE;
/* Puts the present focus into it; call when that is found. */
void lp_beside_focus(struct LpModel *model);
void lp_beside_drop(struct LpModel *model);

#endif
