/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two futures of the same jobs. */
#include "ask/whatif/pair.h"

#include <math.h>
#include <stdio.h>

/* So little apart, relatively, is only rounding. */
#define ROUNDING 1e-9

static bool same_time(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static uint32_t ways_of(const LpJob *job) {
    return job->placed.partition_degree ? job->placed.partition_degree : job->placed.degree;
}

bool lp_pair_job_differs(const LpJob *a, const LpJob *b) {
    if (a->outcome == LP_JOB_DECIDING || b->outcome == LP_JOB_DECIDING)
        return false;
    bool run = a->outcome == LP_JOB_RUNNING && b->outcome == LP_JOB_RUNNING;
    if (run && fabs(a->times.forecast_end - b->times.forecast_end) >
                   ROUNDING * fabs(a->times.forecast_end))
        return true;
    return a->outcome != b->outcome || !same_time(a->times.start, b->times.start) ||
           !same_time(a->times.end, b->times.end) || ways_of(a) != ways_of(b);
}

static uint32_t common_jobs(const LpWorld *a, const LpWorld *b) {
    uint32_t jobs = lp_world_jobs(a), others = lp_world_jobs(b);
    return jobs < others ? jobs : others;
}

static bool is_done(const LpJob *job) {
    return job->outcome == LP_JOB_COMPLETED;
}

static bool is_late(const LpJob *job) {
    return is_done(job) && job->times.end > lp_job_deadline(job);
}

static void add_job(LpPair *pair, const LpJob *a, const LpJob *b) {
    bool blocked[2] = {a->outcome == LP_JOB_BLOCKED, b->outcome == LP_JOB_BLOCKED};
    if (lp_pair_job_differs(a, b)) {
        pair->differ++;
        pair->newest = a->id;
    }
    pair->only[0] += blocked[0] && !blocked[1];
    pair->only[1] += blocked[1] && !blocked[0];
    pair->late[0] += is_late(a);
    pair->late[1] += is_late(b);
    if (!is_done(a) || !is_done(b))
        return;
    pair->both++;
    pair->mean_jct[0] += a->times.end - a->asked.arrival;
    pair->mean_jct[1] += b->times.end - b->asked.arrival;
}

LpPair lp_pair_of(const LpWorld *a, const LpWorld *b) {
    LpPair pair = {.newest = LP_NO_INDEX};
    uint32_t jobs = common_jobs(a, b);
    for (uint32_t i = 0; i < jobs; i++)
        add_job(&pair, lp_world_job(a, i), lp_world_job(b, i));
    for (int i = 0; i < 2; i++)
        pair.mean_jct[i] = pair.both ? pair.mean_jct[i] / (double)pair.both : (double)NAN;
    pair.sooner = pair.mean_jct[0] / pair.mean_jct[1];
    return pair;
}

uint32_t lp_pair_before(const LpWorld *a, const LpWorld *b, uint32_t before) {
    uint32_t jobs = common_jobs(a, b);
    for (uint32_t i = before < jobs ? before : jobs; i-- > 0;)
        if (lp_pair_job_differs(lp_world_job(a, i), lp_world_job(b, i)))
            return i;
    return LP_NO_INDEX;
}

const char *lp_pair_points(double from, double to, char text[LP_PAIR_TEXT]) {
    double points = (to - from) * 100.0;
    if (isnan(points))
        snprintf(text, LP_PAIR_TEXT, "-");
    else if (fabs(points) < 0.05)
        snprintf(text, LP_PAIR_TEXT, "0.0 pt");
    else
        snprintf(text, LP_PAIR_TEXT, "%+.1f pt", points);
    return text;
}
