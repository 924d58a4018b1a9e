/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes curves as rows of points, one wherever a curve changes. */
#include "ask/inspect/curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/world.h"

/* Whose rows are written, and where. */
typedef struct Sheet {
    LpCsvOut *csv;
    const char *run, *seed;
} Sheet;

static void put(const Sheet *s, const char *curve, double x, double y) {
    lp_csv_put_text(s->csv, s->run);
    if (s->seed)
        lp_csv_put_words(s->csv, s->seed);
    lp_csv_put_words(s->csv, curve);
    lp_csv_put_number(s->csv, x);
    lp_csv_put_number(s->csv, y);
    lp_csv_end(s->csv);
}

static int by_value(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* Completion times of the jobs that were done by then, ascending, and how many had arrived. */
static LpErr gather(const LpWorld *world, double until, double **jct, size_t *count,
                    size_t *arrived, LpDiag *diag) {
    size_t jobs = lp_world_jobs(world);
    *count = *arrived = 0;
    *jct = lp_alloc(jobs + 1, sizeof **jct);
    if (!*jct)
        return lp_fail_memory(diag, "the curves");
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->asked.arrival > until)
            continue;
        (*arrived)++;
        if (job->outcome == LP_JOB_COMPLETED && job->times.end <= until)
            (*jct)[(*count)++] = job->times.end - job->asked.arrival;
    }
    if (*count > 1)
        qsort(*jct, *count, sizeof **jct, by_value);
    return LP_OK;
}

static double utilisation(const LpMomentFacts *facts, const LpWorld *world) {
    return (double)facts->counts.busy / lp_world_servers(world);
}

static double blocking(const LpMomentFacts *facts, const LpWorld *world LP_UNUSED) {
    return facts->counts.arrived ? (double)facts->counts.blocked / (double)facts->counts.arrived
                                 : 0.0;
}

/* A row wherever the value changes from one instant to the next, and one at the end. */
static LpErr put_over_time(const Sheet *s, const LpSession *session, LpMoment last,
                           const char *name,
                           double (*of)(const LpMomentFacts *facts, const LpWorld *world)) {
    const LpWorld *world = lp_session_world(session);
    LpMomentFacts facts, next;
    LpMoment at = {last.branch, 0};
    double before = (double)NAN;
    LP_TRY(lp_session_moment_facts(session, at, &facts));
    for (; at.step <= last.step; at.step++, facts = next) {
        LpMoment after = {at.branch, at.step + 1};
        bool end = at.step == last.step;
        if (!end)
            LP_TRY(lp_session_moment_facts(session, after, &next));
        double value = of(&facts, world);
        if (end || (next.time > facts.time && value != before)) {
            put(s, name, facts.time, value);
            before = value;
        }
        if (end)
            break;
    }
    return LP_OK;
}

LpErr lp_curves_csv(const LpSession *session, uint32_t branch, double until, const char *run,
                    const char *seed, LpCsvOut *csv, LpDiag *diag) {
    const Sheet sheet = {csv, run, seed};
    bool present = lp_session_moment(session).branch == branch;
    const LpWorld *world =
        present ? lp_session_world(session) : lp_session_tip_world(session, branch);
    LpMoment last = {branch, lp_session_step_at(session, branch, until)};
    double *jct;
    size_t count, arrived;
    LP_TRY(gather(world, until, &jct, &count, &arrived, diag));
    put(&sheet, "jct", 0.0, 0.0);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || jct[i + 1] > jct[i])
            put(&sheet, "jct", jct[i], (double)(i + 1) / (double)arrived);
    lp_free(jct);
    LP_TRY(put_over_time(&sheet, session, last, "utilisation", utilisation));
    LP_TRY(put_over_time(&sheet, session, last, "blocking", blocking));
    return lp_buf_ok(csv->out, diag);
}

LpErr lp_curves_csv_all(const LpSession *session, bool raw, LpBuf *out, LpDiag *diag) {
    LpCsvOut csv = {.out = out, .raw = raw};
    double now = lp_world_now(lp_session_world(session));
    uint32_t branches = lp_session_branches(session);
    if (branches == 0)
        return lp_fail(diag, LP_ESTATE, "this session keeps no time line");
    uint32_t present = lp_session_moment(session).branch;
    lp_csv_put_words(&csv, LP_CURVES_CSV_TITLES);
    lp_csv_end(&csv);
    for (uint32_t i = 0; i < branches; i++) {
        uint32_t branch = i == 0 ? present : i <= present ? i - 1 : i;
        LpBranchInfo info;
        LP_TRY(lp_session_branch(session, branch, &info));
        if (info.deleted)
            continue;
        double until = branch == present || info.over ? now : fmin(info.tip_time, now);
        LP_TRY(lp_curves_csv(session, branch, until, info.name, NULL, &csv, diag));
    }
    return lp_buf_ok(out, diag);
}
