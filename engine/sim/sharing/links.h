/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running jobs send over the links that they share, for boards: it follows from the jobs and
 * is stored nowhere. */
#ifndef LP_SIM_SHARING_LINKS_H
#define LP_SIM_SHARING_LINKS_H

#include "sim/state/state.h"

/* A link, and who sends most over it. */
typedef struct LpLinkView {
    double rate; /* bytes/s that jobs may send over it now, at most its capacity but for rounding;
                    where jobs are interleaved the mean over their steps */
    double most; /* of these the job that has most */
    uint32_t job, jobs; /* that job (LP_NO_INDEX: none), and how many there are */
} LpLinkView;

/* Fills out, of one entry per link of the network of the world (lp_world_context). Only inner links
 * carry anything here (sim/traffic/traffic_load.h). Nothing where jobs share no links. O(links +
 * links of running jobs). */
void lp_world_links(const LpWorld *world, const LpContext *context, LpLinkView *out);

/* The jobs that send over one link, in order of their starts, and bytes/s of each (NULL: not asked
 * for); out and rate have room for `room`. Returns how many there are in all. O(links of running
 * jobs). */
uint32_t lp_world_link_jobs(const LpWorld *world, const LpContext *context, uint32_t link,
                            uint32_t room, uint32_t *out, double *rate);

/* Bytes/s that running jobs send over each link of a shared network while they communicate; out has
 * room for all of its links. Nothing on other fabrics. O(links + loads of running jobs). */
void lp_world_link_rates(const LpWorld *world, const LpContext *context, double *out);

#endif
