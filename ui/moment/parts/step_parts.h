/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step: whose, and laid out. */
#ifndef LP_UI_MOMENT_STEP_H
#define LP_UI_MOMENT_STEP_H

#include "ask/inspect/inspect_step.h"
#include "session/session.h"

/* Which rows are shown below the ruler. */
typedef enum LpStepRows {
    LP_STEP_ROWS_ALL,
    LP_STEP_ROWS_SERVERS,
    LP_STEP_ROWS_PAIRS,
    LP_STEP_ROWS_CRITICAL, /* the critical path, a line a task */
    LP_STEP_ROWS_DELAY,    /* no rows: where circuits turn, its time by the delay of a turn */
    LP_STEP_ROWS_COUNT
} LpStepRows;

/* Zero-initialise. */
typedef struct LpStepModel {
    bool known; /* there is a step to show */
    bool ahead; /* of a forecast: the job has not started */
    uint32_t job;
    uint32_t degree;
    uint32_t partition, placement; /* that it was made for */
    LpOrders orders;
    uint64_t conditions;
    LpStepInspection seen;
    uint32_t *shown; /* rows of `look` in the order in which they are shown; CRITICAL: bars */
    size_t shown_cap;
    uint32_t shown_count;
    LpStepRows shown_rows;
} LpStepModel;

/* Whose step it is: a forecast's or a job's. */
typedef struct LpStepSubject {
    uint32_t job, degree, partition, placement;
    LpOrders orders;
    bool ahead;
    double step_time; /* s, of the present pace */
} LpStepSubject;

/* The context that the subject's step is of, and a number that changes with it: the same cut and
 * placement take another time under other conditions. */
const LpContext *lp_step_subject_context(const LpSession *session, const LpStepSubject *subject);
uint64_t lp_step_subject_conditions(const LpSession *session, const LpStepSubject *subject);

/* Lays the step out unless it is the one already there; subject NULL: there is none. Errors:
 * LP_ENOMEM. */
LpErr lp_step_model_update(LpStepModel *model, const LpSession *session,
                           const LpStepSubject *subject, LpStepRows rows, LpDiag *diag) LP_MUST_USE;
void lp_step_model_fini(LpStepModel *model);

#endif
