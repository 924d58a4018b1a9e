/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events without end that bring no job further. Those that a policy asks for are counted as quiet,
 * and limited (LP_QUIET_MAX). Those that come by themselves are counted as vain: what breaks and is
 * mended, light that changes and intervals of decisions about it, while no job trains, and stops of
 * jobs by a failure that had got nowhere since they last went on (lp_outages_endless). */
#ifndef LP_SIM_VAIN_H
#define LP_SIM_VAIN_H

#include "sim/state/image.h"

/* A failure stopped a job that has got so much further since it went on, as a share of its work: a
 * millionth is nowhere. Weighs as ten events. */
void lp_vain_stop(LpImage *image, double share);

#endif
