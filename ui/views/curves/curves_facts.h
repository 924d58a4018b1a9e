/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a session's branches up to the present time: which jobs were done when, and how
 * fast. */
#ifndef LP_UI_VIEWS_CURVES_FACTS_H
#define LP_UI_VIEWS_CURVES_FACTS_H

#include "session/time.h"
#include "widgets/chart.h"

/* X(ID, "name", "title") */
#define LP_CURVE_TABLE(X)                                                                          \
    X(JCT, "JCT", "fraction of %s jobs done within x")                                             \
    X(OVER_TIME, "over time", "JCT of each job as it is done, and the mean of the last 20")        \
    X(BY_MODEL, "by model", "mean JCT by model; | 95 % are done by then")                          \
    X(BLOCKING, "blocking", "share of arrived jobs that are blocked")                              \
    X(BUSY, "busy", "share of servers that jobs hold")                                             \
    X(WAITING, "waiting", "jobs that wait")                                                        \
    X(LIGHT, "light", "circuits lit")                                                              \
    X(VALUE, "value", "return that the network expects at each decision; dots: of the answer taken")

typedef enum LpCurve {
#define X(id, name, title) LP_CURVE_##id,
    LP_CURVE_TABLE(X)
#undef X
        LP_CURVE_COUNT
} LpCurve;

const char *lp_curve_name(LpCurve curve);
const char *lp_curve_title(LpCurve curve);

/* The screen's own state of the view. */
typedef struct LpCurvesState {
    LpCurve curve;
    double cursor; /* share of the x axis; < 0: none */
    LpChartInk ink;
    bool linear; /* the axis of the pane; else it counts factors */
} LpCurvesState;

/* A completed job. */
typedef struct LpDone {
    double end, jct;
    int32_t graph; /* -1: rigid */
} LpDone;

/* One branch. */
typedef struct LpCurvesBranch {
    uint32_t branch;
    char name[64];
    double until;     /* s, not known after that */
    uint32_t arrived; /* up to now */
    LpDone *done;     /* by end, then by number */
    size_t cap;
    uint32_t count;
    double *jct;         /* ascending */
    double *sum;         /* of jct in `done` up to here; count + 1 */
    LpChartPoint *point; /* end and jct, in `done`'s order */
} LpCurvesBranch;

enum { LP_CURVES_BRANCHES = 6, LP_CURVES_MEAN = 20 };

/* Zero-initialise. */
typedef struct LpCurvesModel {
    LpCurvesBranch branch[LP_CURVES_BRANCHES]; /* the present one first */
    int branches, more;                        /* more: not shown for want of room */
    double now;
    bool known; /* over time: the session has a time line */
} LpCurvesModel;

/* Errors: LP_ENOMEM; the session's. O(jobs log jobs) per branch. */
LpErr lp_curves_model_update(LpCurvesModel *model, const LpSession *session,
                             LpDiag *diag) LP_MUST_USE;
void lp_curves_model_fini(LpCurvesModel *model);

/* Jobs of a branch that were done by a time. O(log jobs). */
uint32_t lp_curves_done_by(const LpCurvesBranch *branch, double time);

/* What a branch needed for one model; jobs 0: nothing known. */
typedef struct LpByModel {
    uint32_t jobs;
    double mean, p95; /* s */
} LpByModel;
/* graph -1: rigid jobs. Errors: LP_ENOMEM. O(jobs). */
LpErr lp_curves_by_model(const LpCurvesBranch *branch, int32_t graph, LpByModel *out) LP_MUST_USE;

#endif
