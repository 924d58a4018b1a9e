/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A world at a time between two of its events. */
#ifndef LP_SIM_STATE_LOOK_H
#define LP_SIM_STATE_LOOK_H

#include "sim/state/state.h"

/* A clone (lp_world_clone: `recycled`, NULL, cost) to be looked at only, with its clock at a later
 * time that is before its next event: until then nothing but time goes on, so all that is read of
 * it is as at that time. */
LpWorld *lp_world_look(const LpWorld *world, double time, LpWorld *recycled);

#endif
