/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a decision. */
#ifndef LP_UI_VIEWS_DECISION_IMPL_H
#define LP_UI_VIEWS_DECISION_IMPL_H

#include "moment/forecast_columns.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/widgets_keys.h"

/* The ways to decide by degree. */
extern const LpTable lp_decision_table;

/* In a pane; where it has the screen for itself. */
void lp_view_decision(const LpModel *model, const LpArea *area);
void lp_view_decision_alone(const LpModel *model, const LpArea *area);
/* Is there room in `rows` rows for its stages as steps, without a box? */
bool lp_view_stages_fit(const LpModel *model, int rows);
void lp_view_stages(const LpModel *model, const LpArea *area);
/* The table; outcome or answer, why, and keys. */
void lp_view_degrees(const LpModel *model, const LpArea *area);
/* Servers that were free before it is decided so. */
uint32_t lp_decision_free(const LpCandidate *candidate);
/* The ops of the job and into how many parts each is cut, or the numbers of its plan, while the
 * cursor stands on them. */
void lp_view_parts(const LpModel *model, const LpArea *area);
/* How a verdict is said: of the way that is taken; in a word or two; without Unicode. */
typedef struct LpDecisionVerdict {
    bool taken, brief, ascii;
    bool past; /* it is long since decided */
} LpDecisionVerdict;
/* Is it in time, or why not; returns its colour. */
LpStyle lp_decision_verdict(const LpModel *model, const LpCandidate *candidate,
                            const LpDecisionVerdict *form, LpBuf *out);
/* A job that was not placed, when its ways to decide are not known any more. */
void lp_view_lost(const LpModel *model, const LpArea *area);
/* What became of the job, in words, and the colour of that. */
LpStyle lp_view_outcome(const LpModel *model, LpBuf *out);
void lp_view_why(const LpModel *model, const LpArea *area, int y);
/* What the policy weighed. */
void lp_view_explain(const LpModel *model, const LpArea *area);
/* What the choice means inside a training step, for the stages after the first two. */
void lp_view_stage(const LpModel *model, const LpArea *area);
/* What the stage has to choose from, and the rows that it takes in `width` columns; 0: nothing is
 * known. */
void lp_view_choices(const LpModel *model, const LpArea *area);
int lp_view_choices_rows(const LpModel *model, int width);
/* The draft of all stages beside what the policy answers; the rows that it takes, 0: there is no
 * draft, or it cannot be, and its columns. */
void lp_view_if_so(const LpModel *model, const LpArea *area);
int lp_view_if_so_rows(const LpModel *model);
int lp_view_if_so_cols(void);
/* The stage after the first: its picture, where there is room, above its choices. */
void lp_view_stage_body(const LpModel *model, const LpArea *area);
/* A training step as bars, and what an order chooses in it. */
void lp_view_order(const LpModel *model, const LpArea *area);
/* Rows of all of its bars with their axis, and of the policy's below them; *below 0: there are none
 * of the policy's. */
int lp_view_order_rows(const LpModel *model, int *below);

#endif
