/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the jobs of a run stand beside each other: when each was in the queue, who started before
 * it, how much longer it took than alone, and than with its share of the cluster. */
#ifndef LP_SIM_FACTS_STANDING_H
#define LP_SIM_FACTS_STANDING_H

#include "sim/state/state.h"

/* One job. Times in s, of the world's clock. */
typedef struct LpStand {
    double arrival;
    double start;    /* the first one, NAN: none */
    double left;     /* when it was done, turned away or given up; else the moment of the world */
    double waited;   /* lp_job_waited */
    double since;    /* when it last came into the queue, if no start ended that; else NAN */
    double alone;    /* on its servers, with the plan that it got last, undisturbed; of one that has
                      * none: unsplit */
    double crowd;    /* integral of the jobs in the system, waiting, running or standing still, over
                      * the time for which it was there, itself included: jobs x s */
    double slowdown; /* NAN: not completed */
    double rho;      /* NAN: not completed, or not asked for */
    uint32_t overtaken; /* jobs that arrived later, and started for the first time before it did */
    uint32_t servers;   /* without which it cannot run; 0: it never waited */
    uint32_t spells;    /* see lp_store_spell */
    uint32_t outcome;   /* LpOutcome */
} LpStand;

/* All jobs, by number. Owned by the caller. */
typedef struct LpStanding {
    uint32_t jobs;
    LpStand *job;
} LpStanding;

/* As the world stands. fair: rho, too, which forecasts steps. Errors: LP_ENOMEM; with `fair` those
 * of forecasts. O(jobs log jobs + spells). */
LpErr lp_standing_new(const LpWorld *world, const LpContext *context, bool fair, LpStanding *out,
                      LpDiag *diag) LP_MUST_USE;
void lp_standing_fini(LpStanding *standing);

/* Time over the time alone, at least 1; jobs shorter than tau are as long as it. */
double lp_bounded_slowdown(double time, double alone, double tau);

/* A time for which a job was in the queue, of a length above 0. */
typedef struct LpQueued {
    double begin, end; /* end: that moment, for one that still waits */
    uint32_t job, servers;
} LpQueued;
/* All of them, in no order; freed with lp_free. Errors: LP_ENOMEM. O(jobs + spells). */
LpErr lp_standing_spells(const LpStanding *standing, const LpContext *context, LpQueued **out,
                         size_t *count, LpDiag *diag) LP_MUST_USE;

/* Times of the jobs alone with their equal share of the cluster, as rho: filled in for those that
 * completed. Private to this room. Errors: LP_ENOMEM, LP_EMEMLIMIT. */
LpErr lp_standing_share(const LpWorld *world, const LpContext *context, LpStanding *standing,
                        LpDiag *diag) LP_MUST_USE;

#endif
