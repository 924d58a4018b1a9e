/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was decided by hand on the way to the present moment: every branch that an answer by hand
 * began. */
#ifndef LP_ASK_DRAFT_BY_HAND_H
#define LP_ASK_DRAFT_BY_HAND_H

#include "ask/draft/draft.h"
#include "base/json_out.h"
#include "session/moment/moment.h"

/* One decision: the words of its branch, and the answer on record. */
typedef struct LpHandChoice {
    LpForkText fork;
    bool of[LP_STAGE_COUNT]; /* the stages that the words choose */
    LpAnswer answer;
    uint32_t job;
    double time;       /* s, of the decision */
    uint64_t decision; /* its number; 0 where it is not known */
} LpHandChoice;

/* In the order of their times. */
typedef struct LpHandChoices {
    const LpSession *session; /* borrowed */
    LpArena *arena;
    LpAnswerRoom *room;
    LpHandChoice *item;
    uint32_t count;
} LpHandChoices;

/* Lists them; close it also after an error. Errors: LP_ENOMEM; LP_EINVAL where a branch has no
 * record of its decision. O(branches on the way). */
LpErr lp_hand_choices_open(const LpSession *session, LpHandChoices *out, LpDiag *diag) LP_MUST_USE;
void lp_hand_choices_close(LpHandChoices *choices);

/* Decisions by hand: per stage of a decision how many branches on the way here chose it. */
typedef struct LpByHand {
    uint32_t decisions, of[LP_STAGE_COUNT];
} LpByHand;
/* Counts them. Errors: those of lp_hand_choices_open. */
LpErr lp_by_hand(const LpSession *session, LpByHand *out, LpDiag *diag) LP_MUST_USE;
/* "by_hand": { split, place, order_ops, circuits, order_flows }, in an object that is open. */
void lp_by_hand_json(const LpByHand *hand, LpJsonOut *out);

#endif
