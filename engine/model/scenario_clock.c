/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of a scenario whose times begin far from 0, such as seconds since 1970. */
#include <math.h>
#include <stdio.h>

#include "model/scenario_internal.h"

static const double FAR = 0x1p20; /* s, 12 days: times from here on are counted anew */
static const double EPOCH_LEAST =
    0x1p29; /* s, year 1987: times from here on may be seconds since 1970 */
static const double EPOCH_MOST = 0x1p38; /* s, year 10680: times up to here may be so */
static const double COARSE = 1e-4;       /* of the shortest job */

/* The first time that the scenario names; 0 where a generator begins, or nothing happens. */
static double first_time(const LpScenario *s) {
    double first = s->has_generator || s->jobs == 0 ? 0 : (double)INFINITY;
    for (uint32_t i = 0; i < s->jobs; i++)
        first = fmin(first, s->job[i].arrival);
    for (uint32_t i = 0; i < s->outages.faults; i++)
        first = fmin(first, s->outages.fault[i].time);
    if (s->has_measure && s->measure_from > 0)
        first = fmin(first, s->measure_from);
    return first < s->horizon && first < s->measure_until ? first : 0;
}

static double last_time(const LpScenario *s) {
    double last = 0;
    for (uint32_t i = 0; i < s->jobs; i++)
        last = fmax(last, s->job[i].arrival);
    for (uint32_t i = 0; i < s->outages.faults; i++)
        last = fmax(last, s->outages.fault[i].time);
    return last;
}

LpErr lp_scenario_settle_clock(LpScenario *s, LpDiag *diag) {
    double offset = first_time(s);
    if (!(offset >= FAR))
        return LP_OK;
    LpJobSpec *job = lp_arena_alloc(s->arena, s->jobs, sizeof *job);
    LpOutageFault *fault = lp_arena_alloc(s->arena, s->outages.faults + 1, sizeof *fault);
    if (job == NULL || fault == NULL)
        return lp_fail_memory(diag, "times counted from the first one");
    for (uint32_t i = 0; i < s->jobs; i++) {
        job[i] = s->job[i];
        s->clock_whole = (i == 0 || s->clock_whole) && job[i].arrival == floor(job[i].arrival);
        job[i].arrival -= offset; /* as exact as it was given */
    }
    for (uint32_t i = 0; i < s->outages.faults; i++) {
        fault[i] = s->outages.fault[i];
        fault[i].time -= offset;
    }
    s->job = job;
    s->outages.fault = fault;
    s->horizon -= offset;
    s->measure_from = s->measure_from > 0 ? s->measure_from - offset : 0;
    s->measure_until -= offset;
    s->clock_offset = offset;
    return LP_OK;
}

double lp_scenario_moment(const LpScenario *s, double time) {
    return s->clock_offset >= EPOCH_LEAST && time >= s->clock_offset ? time - s->clock_offset
                                                                     : time;
}

/* ---- as a date ---- */

const char *lp_scenario_date(const LpScenario *s, double time, char out[LP_DATE_TEXT]) {
    double seconds = floor(s->clock_offset + time);
    out[0] = '\0';
    if (s->clock_offset < EPOCH_LEAST || !(seconds < EPOCH_MOST))
        return out;
    int64_t second = (int64_t)seconds, day = second / 86400, rest = second % 86400;
    /* days since 1 March of the year 0, in eras of 400 years (proleptic Gregorian calendar) */
    int64_t z = day + 719468, era = z / 146097, of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100),
            month = (5 * of_year + 2) / 153;
    int64_t date = of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    year += era * 400 + (month <= 2);
    snprintf(out, LP_DATE_TEXT, "%lld-%02d-%02d %02d:%02d:%02d", (long long)year, (int)month,
             (int)date, (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
    return out;
}

/* ---- too coarse ---- */

/* The time between a number and the next larger one. */
static double spacing(double time) {
    int exponent;
    frexp(time, &exponent);
    return ldexp(1, exponent - 53);
}

static double shortest_job(const LpScenario *s) {
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < s->jobs; i++) {
        const LpJobSpec *job = &s->job[i];
        double takes = job->graph >= 0 ? lp_graph_sequential_time(s->graph[job->graph]) * job->steps
                                       : job->rigid_duration;
        if (takes > 0)
            least = fmin(least, takes);
    }
    return least;
}

const char *lp_scenario_coarse(const LpScenario *s, char out[LP_DIAG_TEXT]) {
    double given = last_time(s) + (s->clock_whole ? 0 : s->clock_offset);
    double shortest = shortest_job(s), step = spacing(given);
    out[0] = '\0';
    if (!(given > 0) || isinf(shortest) || step <= COARSE * shortest)
        return out;
    snprintf(
        out, LP_DIAG_TEXT,
        "times of %.6g s are known to %.3g s only, and the shortest job takes %.6g s: expected "
        "times from the first arrival on, or longer jobs",
        given, step, shortest);
    return out;
}
