/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that compute and send in turn over one link, shifted against each other. Senders have
 * max-min fair rates at every moment. Two jobs are exact; three or more on fair shares are not
 * stable, since a rounding error grows from step to step: a row says whether it is `sensitive`.
 * docs/combs.md says what is computed. Times are seconds, rates bytes/s. */
#ifndef LP_SIM_COMBS_H
#define LP_SIM_COMBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define LP_COMBS_TIME_MAX 1e6 /* s: of computing, of sending, and of a shift */
enum { LP_COMBS_JOBS_MAX = 8, LP_COMBS_STEPS_MAX = 100000, LP_COMBS_TRIES_MAX = 10000 };

typedef struct LpComb {
    double compute; /* of a step; > 0 */
    double bytes;   /* sent after it; > 0 */
    double cap;     /* of its rate; > 0, at most the link's */
} LpComb;

typedef struct LpCombs {
    uint32_t jobs; /* 2 to LP_COMBS_JOBS_MAX */
    LpComb job[LP_COMBS_JOBS_MAX];
    double rate;    /* of the link */
    uint32_t steps; /* of each job that count; all jobs go on until each has done them */
    uint32_t tries; /* shifts of a job that the search looks at */
} LpCombs;

/* The time of a job's sending, and of its step, while it is alone. */
double lp_comb_send(const LpComb *comb);
double lp_comb_alone(const LpComb *comb);

typedef struct LpCombsRow {
    double shift[LP_COMBS_JOBS_MAX]; /* when a job begins to compute */
    double step[LP_COMBS_JOBS_MAX];  /* mean of the counted steps */
    double slowdown;                 /* mean of step / alone */
    bool sensitive; /* another shift by a billionth changes a step by a millionth */
} LpCombsRow;

/* What comes of these shifts. O(steps * jobs^2) for jobs of like steps. */
LpCombsRow lp_combs_row(const LpCombs *combs, const double *shift);

/* The shifts of job 1 with which two jobs never meet on the link: from, and up to `width` more, and
 * every `every` again. Where both fit on the link side by side any shift does, and width and every
 * are NAN. False where they meet whatever the shift is, or where there are more than two jobs. */
typedef struct LpCombsFit {
    double from, width, every;
} LpCombsFit;

bool lp_combs_fit(const LpCombs *combs, LpCombsFit *out);

/* The best shifts: the middle of what fits; else of `tries` shifts of each job in turn, those
 * before it as found, the first of least slowdown. O(jobs * tries) rows. */
LpCombsRow lp_combs_best(const LpCombs *combs);

/* A send of a job: between `from`, when its computing was over, and `to`. */
typedef struct LpCombsSend {
    uint32_t job, step;
    double from, to;
} LpCombsSend;

/* Is told each send as it ends. */
typedef void LpCombsTell(void *user, const LpCombsSend *send);

/* The sends of these shifts, by when they end, up to the last one that counts. As long as a row. */
void lp_combs_sends(const LpCombs *combs, const double *shift, LpCombsTell *tell, void *user);

/* Two equal jobs with shift f from 0 to c + t of computing c and sending t, in the long run. */
double lp_combs_two(double compute, double send, double shift);

#endif
