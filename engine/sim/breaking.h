/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes down with a component and comes back with it: servers, light and cables, ports; and the
 * jobs that this stops. Private to this room. */
#ifndef LP_SIM_BREAKING_H
#define LP_SIM_BREAKING_H

#include "model/pod/outage.h"
#include "sim/context.h"
#include "sim/state/image.h"

/* Who stops jobs, whether these are to answer, and which it has stopped. */
typedef struct LpStoppedJobs {
    uint32_t by;    /* LpJob.stopped_by */
    uint32_t first; /* by arrival; LP_NO_INDEX: none yet */
    uint64_t count;
    bool asks;
} LpStoppedJobs;

/* A component breaks, or is mended: kind, index and fails of the event count. Errors: LP_ENOMEM. */
LpErr lp_break(LpWorld *world, const LpContext *context, const LpOutageEvent *event,
               LpStoppedJobs *stops, LpDiag *diag) LP_MUST_USE;

/* One more thing covers a server, or one less. Where things break by themselves. */
void lp_cover_server(LpImage *image, const LpContext *context, uint32_t server, bool fails,
                     LpStoppedJobs *stops);
/* Enters a broken pair (a < b) once more into the sorted list, or takes it out once. There is
 * room. */
void lp_failed_set(LpImage *image, LpFailed pair, bool fails);
/* How often it is there. */
uint32_t lp_failed_count(LpImage *image, LpFailed pair);
/* Marks in hit[job id] the running jobs that need light or cables between one of the pairs. Errors:
 * LP_ENOMEM. */
LpErr lp_failed_users(LpWorld *world, const LpContext *context, const LpFailed *pair,
                      uint32_t count, uint8_t *hit, LpDiag *diag) LP_MUST_USE;

#endif
