/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a collective on circuits. */
#ifndef LP_UI_VIEWS_COLLECTIVE_IMPL_H
#define LP_UI_VIEWS_COLLECTIVE_IMPL_H

#include "base/mem.h"
#include "model/collective/coll_plan.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/view.h"
#include "widgets/show.h"

/* The delay goes from 1 ns to 1 s in ten stops a decade. */
enum { LP_COLLECTIVE_STOPS = 90, LP_COLLECTIVE_RIVALS = 12, LP_COLLECTIVE_NAME = 32 };

/* What the user did there. */
typedef struct LpCollectiveState {
    LpCollSpec spec;
    bool opened;
    uint32_t turn; /* counts what changed */
    int stop;      /* of the delay */
    int mark;      /* stop that was marked, -1: none */
    uint32_t step; /* in focus */
    LpCollOrders orders;
    bool letters; /* the choice as letters in place of networks */
} LpCollectiveState;

/* Another way to do the same. */
typedef struct LpCollectiveRival {
    char name[LP_COLLECTIVE_NAME];
    LpCollPlan *plan;
    double time; /* at the delay; NAN: it cannot be timed so */
} LpCollectiveRival;

typedef struct LpCollectiveFacts {
    uint32_t turn; /* of the state that all of this is of; 0: nothing yet */
    LpCollPlan *plan;
    LpCollPiece *piece;
    uint32_t pieces;
    double ring, direct, bound;
    uint32_t rivals;
    LpCollectiveRival rival[LP_COLLECTIVE_RIVALS];
    /* At the delay. */
    double delay, stay, every_turn, overlap;
    LpCollBest best;
    char *choice;
    uint32_t *lit;
} LpCollectiveFacts;

static inline LpCollectiveState *lp_collective_state(const LpModel *model) {
    return model->state[LP_PANE_COLLECTIVE];
}

static inline LpCollectiveFacts *lp_collective_facts(const LpModel *model) {
    return model->facts[LP_PANE_COLLECTIVE];
}

double lp_collective_delay(int stop);
/* Errors: LP_ENOMEM. */
LpErr lp_collective_update(LpCollectiveFacts *facts, const LpCollectiveState *state,
                           LpDiag *diag) LP_MUST_USE;
void lp_collective_facts_fini(LpCollectiveFacts *facts);

void lp_view_collective(const LpModel *model, const LpArea *area);
/* Parts of it: a column a step, the least time by delay, what stands beside, the slider. */
void lp_view_collective_steps(const LpModel *model, const LpArea *area);
void lp_view_collective_servers(const LpModel *model, const LpArea *area);
void lp_view_collective_curve(const LpModel *model, const LpArea *area);
void lp_view_collective_beside(const LpModel *model, const LpArea *area);

#endif
