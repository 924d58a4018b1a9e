/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every picture of a moment is gathered with; private to ui/moment. */
#ifndef LP_UI_MOMENT_GATHER_H
#define LP_UI_MOMENT_GATHER_H

#include "moment/picture/model.h"

/* The jobs that run in model->world, with their letters and their light. Errors: LP_ENOMEM. */
LpErr lp_gather_running(LpModel *model, LpSession *session, LpDiag *diag) LP_MUST_USE;
/* The servers that would be taken, in place of those before. Errors: LP_ENOMEM. */
LpErr lp_gather_pending(LpModel *model, const uint32_t *server, uint32_t count,
                        LpDiag *diag) LP_MUST_USE;
/* Room for what goes over shared links, which whoever draws them works out; and giving it back.
 * Errors: LP_ENOMEM. */
LpErr lp_links_keep(LpModel *model, LpDiag *diag) LP_MUST_USE;
void lp_links_drop(LpModel *model);

#endif
