/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of slices as scripts see them, and what the files about them share. */
#ifndef LP_SCRIPT_VIEWS_SLICES_H
#define LP_SCRIPT_VIEWS_SLICES_H

#include "model/pod/place.h"
#include "script/views/proxy.h"
#include "sim/place/slice.h"

/* view.item: row of the scenario's slices. */
typedef struct LpSliceProxy {
    LpProxy view;
    bool boxed; /* static wiring, or a part: `box` says where; else any cubes */
    LpPodBox box;
    uint32_t largest_left; /* UINT32_MAX: not worked out yet */
    uint32_t cubes;
    uint32_t cube[]; /* by ordinal; of a part the one that it lies in */
} LpSliceProxy;

const LpPod *lp_slices_pod(const LpPolicy *policy);
/* Row of the scenario's slices, from 1. */
const LpSlice *lp_slices_row(const LpPolicy *policy, uint32_t row);
/* Writes the servers of a place in slice order. Raises. */
void lp_slices_lay(lua_State *L, LpPolicy *policy, const LpSliceProxy *place, LpNumbers *out);

/* ---- slice_answer.c ---- */

/* Reads a place of a slice at index, a view or a table with cubes or an origin, into the policy's
 * answer; false: it is neither, and nothing happened. Raises, naming what is wrong. */
bool lp_slices_read(lua_State *L, int index);

#endif
