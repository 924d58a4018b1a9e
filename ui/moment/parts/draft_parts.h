/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decision by hand as the screen has it: what is chosen so far, where the cursor stands, the rows
 * of the stage, and what the draft comes to. */
#ifndef LP_UI_MOMENT_DRAFT_H
#define LP_UI_MOMENT_DRAFT_H

#include "ask/draft/choices.h"
#include "moment/parts/step_parts.h"
#include "session/time.h"

/* What the user did. Of no use but while the decision at `at` is due. */
typedef struct LpHandState {
    LpDraft draft;     /* of the first stage only where its row is no candidate's */
    LpMoment at;       /* where it was begun */
    bool board;        /* the cursor stands on the board of the stage */
    uint32_t cursor;   /* under it: a server; where ops or flows are ordered a bar of the step */
    bool held;         /* that bar is picked up */
    uint32_t matching; /* from 0: the one whose circuits are set port by port */
} LpHandState;

/* Zero-initialise. */
typedef struct LpDraftModel {
    LpStageRows *choices; /* of the stage; NULL: none are shown */
    uint64_t choices_of;
    bool drafted; /* something after the first stage is chosen */
    bool priced;  /* `price` is known: the draft's, without one the policy's */
    LpPrice price;
    uint64_t price_of;
    bool compared; /* `own` is known, and the draft is not all as the policy has it */
    LpPrice own;   /* of what the policy answers at all stages */
    uint64_t own_of;
    uint32_t needs;            /* servers that the draft's cut takes, 0: not known */
    uint32_t *server, servers; /* chosen so far, ascending */
    LpParallel plan;           /* of a job with plans; tensor 0: none */
    LpSchedule circuits;       /* from port to port, of the draft; entries 0: none */
    LpStepModel policys;       /* where an order is chosen: the step as the policy orders it; not
                                  known while the draft has the policy's order */
} LpDraftModel;

struct LpModel;
/* Works out rows and price where a decision is shown and they are not known yet. Call when it is
 * gathered. Errors: LP_ENOMEM, the policy's. */
LpErr lp_draft_model_update(struct LpModel *model, LpSession *session, bool shown,
                            LpDiag *diag) LP_MUST_USE;
void lp_draft_model_fini(LpDraftModel *draft);

#endif
