/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running jobs send over the links that they share, for boards: it follows from the jobs and
 * is stored nowhere. */
#ifndef LP_SIM_SHARING_LINKS_H
#define LP_SIM_SHARING_LINKS_H

#include "sim/state/mark.h"
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

/* What lp_world_links says of one moment, kept for as long as nothing of it changes.
 * Zero-initialise, and free with lp_link_sums_fini. */
typedef struct LpLinkSums {
    LpStamp at;          /* of the world that it was summed of */
    const LpContext *of; /* with the speeds and circuits that there were then */
    uint32_t links;
    LpLinkView *link;
    uint32_t *used; /* the links that carry anything, ascending */
    uint32_t used_count;
} LpLinkSums;

/* Brings the sums to the moment of the world: O(1) where it is the one that they are of, or another
 * at which the world stands as it did; else as lp_world_links. All worlds must be of one scenario,
 * which a caller that goes on to another says by lp_link_sums_fini. Errors: LP_ENOMEM. */
LpErr lp_link_sums_update(LpLinkSums *sums, const LpWorld *world, const LpContext *context,
                          LpDiag *diag) LP_MUST_USE;
void lp_link_sums_fini(LpLinkSums *sums);

/* The jobs that send over one link, in order of their starts, and bytes/s of each (NULL: not asked
 * for); out and rate have room for `room`. Returns how many there are in all. O(links of running
 * jobs). */
uint32_t lp_world_link_jobs(const LpWorld *world, const LpContext *context, uint32_t link,
                            uint32_t room, uint32_t *out, double *rate);

/* Bytes/s that running jobs send over each link of a shared network while they communicate; out has
 * room for all of its links. Nothing on other fabrics. O(links + loads of running jobs). */
void lp_world_link_rates(const LpWorld *world, const LpContext *context, double *out);

#endif
