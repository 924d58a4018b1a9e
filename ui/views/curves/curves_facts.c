/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what was done on each branch up to now. Of other branches the tip's world is read: what a
 * completed job did stays known. */
#include "views/curves/curves_facts.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static const char *const names[] = {
#define X(id, name, title) name,
    LP_CURVE_TABLE(X)
#undef X
};

static const char *const titles[] = {
#define X(id, name, title) title,
    LP_CURVE_TABLE(X)
#undef X
};

const char *lp_curve_name(LpCurve curve) {
    return names[curve];
}

const char *lp_curve_title(LpCurve curve) {
    return titles[curve];
}

void lp_curves_model_fini(LpCurvesModel *model) {
    for (int i = 0; i < LP_CURVES_BRANCHES; i++) {
        LpCurvesBranch *b = &model->branch[i];
        lp_free(b->done);
        lp_free(b->jct);
        lp_free(b->sum);
        lp_free(b->point);
        *b = (LpCurvesBranch){0};
    }
    *model = (LpCurvesModel){0};
}

static int by_end(const void *x, const void *y) {
    const LpDone *a = x, *b = y;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->jct < b->jct ? -1 : a->jct > b->jct;
}

static int by_value(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* Sorted, summed, and as points. */
static LpErr finish(LpCurvesBranch *b, LpDiag *diag) {
    b->jct = lp_alloc(b->count, sizeof *b->jct);
    b->sum = lp_alloc((size_t)b->count + 1, sizeof *b->sum);
    b->point = lp_alloc(b->count, sizeof *b->point);
    if (!b->jct || !b->sum || !b->point)
        return lp_fail_memory(diag, "the curves");
    if (b->count > 1)
        qsort(b->done, b->count, sizeof *b->done, by_end);
    for (uint32_t i = 0; i < b->count; i++) {
        b->jct[i] = b->done[i].jct;
        b->sum[i + 1] = b->sum[i] + b->done[i].jct;
        b->point[i] = (LpChartPoint){b->done[i].end, b->done[i].jct};
    }
    if (b->count > 1)
        qsort(b->jct, b->count, sizeof *b->jct, by_value);
    return LP_OK;
}

static LpErr gather(LpCurvesBranch *b, const LpWorld *world, double now, LpDiag *diag) {
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->asked.arrival > now)
            continue;
        b->arrived++;
        if (job->outcome == LP_JOB_COMPLETED && job->times.end <= now) {
            if (lp_grow((void **)&b->done, &b->cap, (size_t)b->count + 1, sizeof *b->done) != LP_OK)
                return lp_fail_memory(diag, "the curves");
            b->done[b->count++] =
                (LpDone){job->times.end, job->times.end - job->asked.arrival, job->graph};
        }
    }
    return finish(b, diag);
}

static LpErr gather_others(LpCurvesModel *m, const LpSession *session, LpDiag *diag) {
    uint32_t current = lp_session_moment(session).branch;
    for (uint32_t i = 0; i < lp_session_branches(session); i++) {
        LpBranchInfo info;
        LP_TRY(lp_session_branch(session, i, &info));
        if (info.deleted || i == current)
            continue;
        if (m->branches == LP_CURVES_BRANCHES) {
            m->more++;
            continue;
        }
        LpCurvesBranch *b = &m->branch[m->branches++];
        const LpWorld *tip = lp_session_tip_world(session, i);
        b->branch = i;
        b->until = info.over ? m->now : fmin(info.tip_time, m->now);
        lp_str_copy(b->name, sizeof b->name, info.name);
        LP_TRY(gather(b, tip, b->until, diag));
    }
    return LP_OK;
}

LpErr lp_curves_model_update(LpCurvesModel *m, const LpSession *session, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    LpCurvesBranch *b = &m->branch[0];
    LpBranchInfo info;
    lp_curves_model_fini(m);
    m->now = b->until = lp_world_now(world);
    m->known = lp_session_branches(session) > 0;
    m->branches = 1;
    lp_str_copy(b->name, sizeof b->name, lp_session_policy_name(session));
    if (m->known) {
        b->branch = lp_session_moment(session).branch;
        LP_TRY(lp_session_branch(session, b->branch, &info));
        lp_str_copy(b->name, sizeof b->name, info.name);
    }
    LP_TRY(gather(b, world, m->now, diag));
    return m->known ? gather_others(m, session, diag) : LP_OK;
}

uint32_t lp_curves_done_by(const LpCurvesBranch *b, double time) {
    uint32_t low = 0, high = b->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (b->done[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

LpErr lp_curves_by_model(const LpCurvesBranch *b, int32_t graph, LpByModel *out) {
    double *jct = lp_alloc(b->count, sizeof *jct), sum = 0;
    uint32_t jobs = 0;
    if (!jct)
        return LP_ENOMEM;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->done[i].graph == graph)
            sum += jct[jobs++] = b->done[i].jct;
    if (jobs > 1)
        qsort(jct, jobs, sizeof *jct, by_value);
    *out = (LpByModel){0};
    if (jobs > 0)
        *out = (LpByModel){jobs, sum / jobs, jct[(uint32_t)ceil(0.95 * jobs) - 1]};
    lp_free(jct);
    return LP_OK;
}
