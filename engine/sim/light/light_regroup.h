/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The action regroup: links that are to be joined. */
#ifndef LP_SIM_LIGHT_REGROUP_H
#define LP_SIM_LIGHT_REGROUP_H

#include "sim/state/state.h"

/* A link: server a to aggregator b by a dark port of it, or port a to port b of a
 * circuit switch, both ways. What these ports were joined to before goes dark. */
typedef struct LpRegroupLink {
    bool join;
    uint32_t a, b;
} LpRegroupLink;

/* The matching that naming these links leads to, into to[ports]. LP_EREFUSED with a sentence in
 * reason; LP_ENOMEM. */
LpErr lp_regroup_matching(const LpWorld *world, const LpContext *context, const LpRegroupLink *link,
                          uint32_t links, uint32_t *to, char reason[LP_DIAG_TEXT],
                          LpDiag *diag) LP_MUST_USE;

#endif
