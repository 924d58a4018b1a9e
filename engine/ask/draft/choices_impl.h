/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that list choices. */
#ifndef LP_ASK_DRAFT_CHOICES_IMPL_H
#define LP_ASK_DRAFT_CHOICES_IMPL_H

#include "ask/draft/choices.h"

typedef struct LpChoosing {
    LpSession *session;
    const LpDraft *draft;
    LpStage stage;
    uint32_t job;
    LpPrice base; /* of the draft with this stage as the policy has it */
    bool moves;   /* rows of single ops and flows are wanted, too */
    LpStageRows *out;
    LpDiag *diag;
} LpChoosing;

/* Adds a row and its price; nothing where there is no room, or one has its words already. */
LpErr lp_choose(LpChoosing *c, const char *label, const char *note, const char *words) LP_MUST_USE;
/* Says that, and why, there is nothing to choose. */
void lp_choose_nothing(LpChoosing *c, const char *why);

/* Rows of single ops, or flows, that go before all others: the 4 that save most, each 1 % of the
 * step or more. None where the policy has a list of its own. Simulates the step at most 128 times,
 * of a large one less often: those of a longest path first, then by how long they wait. */
LpErr lp_choose_moves(LpChoosing *c) LP_MUST_USE;
/* Rows of places: blocks by shape, racks that lie together, places of a slice. */
LpErr lp_choose_places(LpChoosing *c) LP_MUST_USE;
/* Rows of circuits, or of when they turn inside a step. */
LpErr lp_choose_circuits(LpChoosing *c) LP_MUST_USE;

#endif
