/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share. */
#ifndef LP_MODEL_CUTS_IMPL_H
#define LP_MODEL_CUTS_IMPL_H

#include "model/cuts/cuts.h"

/* The layout in which a tensor that rests so with `from` reaches `to`: between different ways its
 * parts' intervals are exchanged, so it arrives cut. */
LpCutLayout lp_typed_arrival(const LpTypedGraph *graph, LpCutLayout rest, uint32_t from,
                             uint32_t to);

#endif
