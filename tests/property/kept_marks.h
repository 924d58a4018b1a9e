/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of worlds, kept with all that is seen of jobs and servers, to hold the mark of change
 * (sim/state/mark.h) against. */
#ifndef LP_TEST_KEPT_MARKS_H
#define LP_TEST_KEPT_MARKS_H

#include "sim/state/mark.h"

enum { KEPT_MOMENTS = 12 };

typedef struct KeptMoment {
    LpStamp stamp;
    uint32_t jobs, servers;
    uint64_t *job, *server; /* digests */
} KeptMoment;

/* Zero-initialise. */
typedef struct KeptMarks {
    KeptMoment moment[KEPT_MOMENTS];
    uint32_t moments, turn;
    size_t same, followed; /* pairs that were compared */
} KeptMarks;

/* Fails the test if, since a moment that is kept, a job or a server of the world has changed that
 * its marks do not name. Then keeps this moment in place of the oldest one. */
void kept_marks_see(KeptMarks *kept, const LpWorld *world);
void kept_marks_fini(KeptMarks *kept);

#endif
