/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history of jobs, kept beside a run by looking at it after each step: with which step of its
 * plan each job did its useful work. */
#ifndef LP_TESTS_JOB_HISTORY_H
#define LP_TESTS_JOB_HISTORY_H

#include "session/session.h"
#include "sim/account/job_time.h"

enum { HISTORY_JOBS = 512, HISTORY_DEEP = 256 };

typedef struct Worked {
    double share[LP_TIME_COUNT]; /* of the step, as the job's account says at that time */
    double s;                    /* useful work done with it and kept */
} Worked;

typedef struct History {
    struct {
        Worked worked[HISTORY_DEEP];
        uint32_t deep, step, offers;
        double useful, share[LP_TIME_COUNT];
    } job[HISTORY_JOBS];
    LpTimeBook book;  /* history_look's; lp_time_book_fini at the end */
    uint32_t changes; /* of the step of a job that had done some work */
} History;

/* After each step of the session. Fails where an account is not what the history says, to 1e-9 of
 * the job's useful time, and where a part of it is negative. text: of the scenario, for the
 * message. */
void history_look(History *h, const LpSession *s, const char *text);

#endif
