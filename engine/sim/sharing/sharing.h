/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running jobs on links that they share: whenever one starts or stops, the rates of those that it
 * can touch are worked out anew (max-min fair, sim/sharing/shares.h), and their remaining steps go
 * on at their new pace. Private to sim/; docs/architecture.md, "Shared networks". */
#ifndef LP_SIM_SHARING_H
#define LP_SIM_SHARING_H

#include "sim/sharing/phase_view.h"
#include "sim/state/image.h"
#include "sim/traffic/traffic_load.h"

/* Working memory of one context; NULL on fabrics where nothing is shared. */
LpSharing *lp_sharing_new(void); /* NULL: out of memory */
void lp_sharing_free(LpSharing *sharing);
/* Makes as much room as `like` (NULL: none is needed) has, for jobs that were planned there.
 * Errors: LP_ENOMEM. */
LpErr lp_sharing_reserve(LpSharing *sharing, const LpSharing *like) LP_MUST_USE;

/* A job that is planned: its number in the world, load and step in the store, steps asked for. */
typedef struct LpPlannedLoad {
    uint32_t job, load, step;
    double steps;
} LpPlannedLoad;
/* How it would run: bytes/s of its largest connection while it sends; how much longer a step takes
 * than alone, and how much longer it sends, s. */
typedef struct LpJobPace {
    double rate, delay, more;
} LpJobPace;

typedef struct LpInterleave LpInterleave;

/* The pace of a job with this load beside those that run in the world now (NULL: none) without
 * `job->job`: for shares as they would be now, or, where jobs are interleaved, the mean of its
 * first 16 steps. Makes room for all that happens when it starts. Errors: LP_ENOMEM. */
LpErr lp_sharing_forecast(const LpWorld *world, const LpContext *context, const LpPlannedLoad *job,
                          LpJobPace *out, LpDiag *diag) LP_MUST_USE;

/* The job has started, as the last one to run, or has stopped: the rates of all whom that concerns
 * again. Cannot fail, since room was made when the job was planned. */
void lp_sharing_changed(LpImage *image, const LpContext *context, const LpJob *job, bool started);

/* The rates of all running jobs at once, on the network of the context: pose a problem, add
 * each job's load in order of their starts, solve, and ask for the rates (0: has no load). Nothing
 * in the world changes. Errors: LP_ENOMEM. */
LpErr lp_sharing_pose(const LpContext *context, LpDiag *diag) LP_MUST_USE;
LpErr lp_sharing_pose_flow(const LpContext *context, uint32_t job, uint32_t load,
                           LpDiag *diag) LP_MUST_USE;
LpErr lp_sharing_solve(const LpContext *context, LpDiag *diag) LP_MUST_USE;
double lp_sharing_rate_of(const LpContext *context, uint32_t job);

/* Jobs that are interleaved are brought to now on the network of the context: before it changes. */
void lp_sharing_leave(LpImage *image, const LpContext *context);
/* The links have another capacity now (context): the rates of all running jobs again. Errors:
 * LP_ENOMEM, nothing changed. */
LpErr lp_sharing_again(LpImage *image, const LpContext *context, LpDiag *diag) LP_MUST_USE;

/* Adds a stretch at the present pace to what the job remembers and lets the next begin now. */
void lp_sharing_settle(LpImage *image, const LpContext *context, LpJob *job);

#endif
