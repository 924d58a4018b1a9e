/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside sim/combs. */
#ifndef LP_SIM_COMBS_IMPL_H
#define LP_SIM_COMBS_IMPL_H

#include "sim/combs/combs.h"

#define LP_COMBS_TIE 1e-12 /* relatively closer times are one */

/* The mean steps of the first `jobs` jobs, the others away. */
void lp_combs_steps(const LpCombs *combs, uint32_t jobs, const double *shift, double *step);

#endif
