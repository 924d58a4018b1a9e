/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of one training step. */
#ifndef LP_UI_VIEWS_STEP_IMPL_H
#define LP_UI_VIEWS_STEP_IMPL_H

#include "ask/inspect/delay.h"
#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/parts/step_parts.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"

/* The screen's own state of the view. */
typedef struct LpStepState {
    bool chosen; /* `job` was asked for; else the decision's */
    uint32_t job;
    double at;    /* scrubber, share of the step, 0..1 */
    double from;  /* left edge of what is seen, share of the step, 0..1 */
    double zoom;  /* screens that the whole step is wide, >= 1; 0: 1 */
    int row;      /* marked row of what is shown */
    bool playing; /* the scrubber moves */
    LpStepRows rows;
    int64_t frame_at; /* ms, when it last moved */
    /* Of its time by the delay of a turn: */
    bool delay_moved;  /* the cursor was; else it is at the present delay */
    double delay_at;   /* cursor, share of what is seen, 0..1 */
    double delay_zoom; /* screens that all of it is wide; 0: 1 */
} LpStepState;

/* Its time by the delay of a turn, while that is looked at. */
typedef struct LpStepDelay {
    LpDelayCurve *curve;           /* NULL: none */
    uint32_t partition, placement; /* that it was made for */
    uint64_t conditions;
    bool done;
} LpStepDelay;

typedef struct LpStepAll {
    LpStepModel step;
    LpStepDelay delay;
} LpStepAll;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpStepState *lp_step_state(const LpModel *model) {
    return model->state[LP_PANE_STEP];
}

static inline LpStepModel *lp_step_facts(const LpModel *model) {
    return &((LpStepAll *)model->facts[LP_PANE_STEP])->step;
}

static inline LpStepDelay *lp_step_delay(const LpModel *model) {
    return &((LpStepAll *)model->facts[LP_PANE_STEP])->delay;
}

/* Does the view show that, and not the step? */
static inline bool lp_step_shows_delay(const LpModel *model) {
    const LpStepModel *step = lp_step_facts(model);
    return step->known && step->seen.turning && lp_step_state(model)->rows == LP_STEP_ROWS_DELAY;
}

void lp_view_step(const LpModel *model, const LpArea *area);
/* The time by the delay of a turn; where its cursor is, as a share of what is seen. */
void lp_view_delay(const LpModel *model, const LpArea *area);
double lp_view_delay_cursor(const LpModel *model);
/* Makes the curve of the subject unless it is there already, or drops it. at_once: all of it.
 * Errors: LP_ENOMEM. */
LpErr lp_step_delay_update(LpStepDelay *delay, const LpSession *session,
                           const LpStepSubject *subject, bool at_once, LpDiag *diag) LP_MUST_USE;
void lp_step_delay_drop(LpStepDelay *delay);
/* Works on it until the clock says `until`. */
LpErr lp_step_delay_work(LpStepDelay *delay, int64_t (*clock)(void), int64_t until,
                         LpDiag *diag) LP_MUST_USE;
/* Rows that can be shown now, and columns of its bars on a screen so wide. */
int lp_view_step_rows(const LpModel *model);
int lp_view_step_columns(int cols);

/* "node 3 of rank 0 computes, from 1 ms for 2 ms"; `among` others in a list it is not said that the
 * step waited for it. */
void lp_step_add_node(const LpStepBar *bar, bool among, LpBuf *out);
/* What a rank's row waits for behind its bar `last` (LP_NO_INDEX: from the beginning on). False:
 * nothing is added, since nobody is waited for. */
bool lp_step_add_wait(const LpStepInspection *seen, uint32_t row, uint32_t last, LpBuf *out);

#endif
