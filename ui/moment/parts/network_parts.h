/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the policy's network says about the decision on the screen, and what moved it; worked out
 * once per moment, and only while it is shown. */
#ifndef LP_UI_MOMENT_NETWORK_H
#define LP_UI_MOMENT_NETWORK_H

#include "ask/network/why.h"

/* Zero-initialise. */
typedef struct LpNetworkModel {
    uint32_t networks; /* of the policy; 0: it has none and nothing else is set */
    bool known;        /* `seen` is about the decision on the screen */
    LpNetworkInspection seen;
    bool explained; /* `why` and `value` are about that decision, too */
    LpNetworkWhy why, value;
    LpArena *room, *why_room;
    /* what `look` was made for */
    uint32_t index, job;
    uint32_t loads;
    LpMoment moment;
} LpNetworkModel;

/* What to work out. */
typedef struct LpNetworkWish {
    uint32_t index;  /* which of the policy's networks, from 0; taken modulo their number */
    uint32_t job;    /* of the decision on the screen, LP_NO_INDEX: none */
    bool due;        /* it is due now; else it was taken */
    bool back;       /* one that was taken is looked at again, in the world as it was then */
    uint32_t loads;  /* of the policy so far: what it said before the last does not hold */
    bool why;        /* also asks what moved the answer of `degree` */
    uint32_t degree; /* way (sim/forecast.h) of that answer, LP_NO_INDEX: the best */
} LpNetworkWish;

/* Errors: LP_ENOMEM; of lp_session_world_at. */
LpErr lp_network_model_update(LpNetworkModel *model, LpSession *session, const LpNetworkWish *wish,
                              LpDiag *diag) LP_MUST_USE;
/* Time went back, or another branch is looked at: nothing holds any more. */
void lp_network_model_forget(LpNetworkModel *model);
void lp_network_model_fini(LpNetworkModel *model);

/* The answers of a way (sim/forecast.h): how probable they are together, NAN without a
 * table or an answer of that way; whether one is
 * open; the one with the largest logit, of the open ones if there are any, LP_NO_INDEX where there
 * is none. */
double lp_network_share(const LpNetworkInspection *seen, uint32_t degree);
bool lp_network_open(const LpNetworkInspection *seen, uint32_t degree);
uint32_t lp_network_action_of(const LpNetworkInspection *seen, uint32_t degree);

#endif
