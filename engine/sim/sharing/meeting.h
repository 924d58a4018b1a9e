/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that go through their steps side by side on links that they share: each computes and sends
 * in its own time, and only those that send at a moment share a link then (max-min fair,
 * sim/sharing/shares.h). Scratch memory: nothing of it is state. Private to sim/. */
#ifndef LP_SIM_SHARING_MEETING_H
#define LP_SIM_SHARING_MEETING_H

#include <stdbool.h>

#include "model/network/network.h"
#include "sim/sharing/shares.h"
#include "sim/traffic/phases.h"

/* One job and where it is in its step. */
typedef struct LpRunner {
    const LpLoad *load;
    uint32_t job;
    uint32_t phase;           /* that it is in or waits for; load->phases->count: all are over */
    double begins;            /* s: does nothing before */
    double own, quiet, wire;  /* s: own work done; of its phase still quiet, and to be sent alone */
    double done, steps;       /* whole steps done, steps that end it */
    double slower;            /* s that sending took longer than alone */
    double alone, alone_more; /* s of a step that meets nobody, and of it `slower` */
    double speed;             /* while it sends: share of its phase's rate */
    uint32_t sends;           /* phase + 1 while it does, else 0 */
    bool over;
} LpRunner;

typedef struct LpMeeting LpMeeting;
LpMeeting *lp_meeting_new(void); /* NULL: out of memory */
void lp_meeting_free(LpMeeting *meeting);

/* Begins at a time, s, with nobody. */
void lp_meeting_open(LpMeeting *meeting, const LpNetwork *network, double now);
/* Makes room for `runners` jobs with `links` links in all. Errors: LP_ENOMEM. */
LpErr lp_meeting_reserve(LpMeeting *meeting, size_t runners, size_t links) LP_MUST_USE;
/* Makes room for all that `like` has room for. Errors: LP_ENOMEM. */
LpErr lp_meeting_reserve_like(LpMeeting *meeting, const LpMeeting *like) LP_MUST_USE;
/* Makes the room that is needed where all of those added send at once: lp_meeting_run cannot fail
 * then. Errors: LP_ENOMEM. */
LpErr lp_meeting_prepare(LpMeeting *meeting) LP_MUST_USE;
/* Adds a job: a copy, in the order of calls. Errors: LP_ENOMEM. */
LpErr lp_meeting_add(LpMeeting *meeting, const LpRunner *runner) LP_MUST_USE;
LpRunner *lp_meeting_runner(LpMeeting *meeting, uint32_t index);
uint32_t lp_meeting_count(const LpMeeting *meeting);
double lp_meeting_now(const LpMeeting *meeting);

#define LP_MEETING_NOBODY UINT32_MAX
#define LP_MEETING_ANYBODY (UINT32_MAX - 1)

/* Goes on until a time (INFINITY: none), or the end of one runner, of anybody, or of all. What
 * repeats is not gone through again: a job alone takes whole steps of `alone`, and several whose
 * positions recur to 1e-9 of a step take their common period as often as it fits. Where nothing
 * recurs in 128 to 256 steps of the first job, or 10 000 events, the mean pace over these takes the
 * place of a period. The state at a time does not depend on the times asked for before, but for
 * rounding. Errors: LP_ENOMEM. */
LpErr lp_meeting_run(LpMeeting *meeting, double until, uint32_t stop) LP_MUST_USE;

/* Puts a runner to the beginning of a step. */
void lp_runner_begin_step(LpRunner *runner);
/* How much of its step it has done, 0 .. 1 - 1e-6: own work and sending by their times alone. */
double lp_runner_part(const LpRunner *runner);
/* Does its own work wait for what it sends? */
bool lp_runner_waits(const LpRunner *runner);
/* May its phase send or be quiet now? */
bool lp_runner_in_phase(const LpRunner *runner);

#endif
