/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of a scenario whose times begin far from 0, such as seconds since 1970. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/scenario_internal.h"

static const double FAR = 0x1p20; /* s, 12 days: times from here on are counted anew */
static const double EPOCH_LEAST =
    0x1p29;                        /* s, year 1987: times from here on may be seconds since 1970 */
static const double COARSE = 1e-4; /* of the shortest job */

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

double lp_scenario_time(const LpScenario *s, double time) {
    return time + s->clock_offset;
}

double lp_scenario_moment(const LpScenario *s, double time) {
    return time >= s->clock_offset ? time - s->clock_offset : time;
}

/* ---- as dates ---- */

/* Seconds since 1970 of the run's time 0, by the clocks that are shown; NAN: not known. */
static double zero_of(const LpScenario *s) {
    if (s->epoch.given)
        return s->epoch.seconds + s->epoch.offset + s->clock_offset;
    return s->clock_offset >= EPOCH_LEAST ? s->clock_offset : (double)NAN;
}

const char *lp_scenario_date(const LpScenario *s, double time, LpDateForm form,
                             char out[LP_DATE_TEXT]) {
    return lp_date_print(zero_of(s) + time, form, out);
}

LpErr lp_scenario_moment_of(const LpScenario *s, const LpDate *date, double *time) {
    double zero = zero_of(s);
    bool shift = date->zoned && !s->epoch.local;
    double at = date->seconds - (shift ? date->offset - s->epoch.offset : 0) - zero;
    if (!(at >= 0))
        return LP_EINVAL;
    *time = at;
    return LP_OK;
}

const char *lp_scenario_epoch(const LpScenario *s, char out[LP_DATE_TEXT]) {
    char zone[LP_DATE_TEXT];
    out[0] = '\0';
    if (!s->epoch.given)
        return out;
    lp_date_print(s->epoch.seconds + s->epoch.offset, LP_DATE_ISO, out);
    if (!s->epoch.local)
        snprintf(out + strlen(out), LP_DATE_TEXT - strlen(out), "%s",
                 lp_date_print_offset(s->epoch.offset, zone));
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
