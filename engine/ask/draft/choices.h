/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be chosen at each stage of a decision: a few ways worth a row, with what each comes to.
 */
#ifndef LP_ASK_DRAFT_CHOICES_H
#define LP_ASK_DRAFT_CHOICES_H

#include "ask/draft/draft.h"
#include "model/circuit/circuit.h"

enum { LP_CHOICE_LABEL = 48, LP_CHOICE_NOTE = 96, LP_CHOICES_MOST = 12 };

typedef struct LpStageRow {
    char label[LP_CHOICE_LABEL]; /* "leaf 4+5", "critical_path", "5b first" */
    char note[LP_CHOICE_NOTE];   /* "what most depends on first" */
    char words[LP_DRAFT_WORDS];  /* of this stage of a draft; "" as the policy has it */
    bool policys;
    LpPrice price;
} LpStageRow;

/* Zero-initialise. */
typedef struct LpStageRows {
    LpStageRow row[LP_CHOICES_MOST]; /* the policy's first */
    uint32_t count;
    char none[LP_CHOICE_NOTE]; /* why there is nothing to choose, then count is 0 or 1 */
    bool by_hand;              /* can servers, ops, flows or ports be chosen one by one? */
} LpStageRows;

/* Lists the rows of a stage after the first, with the other stages as the draft has them. Errors:
 * LP_ESTATE where no decision is due, the policy's, LP_ENOMEM. A forecast a row; a clone of the
 * world for each that sets circuits; a simulation for each op, or flow, that could go first. */
LpErr lp_choices_list(LpSession *session, const LpDraft *draft, LpStage stage, LpStageRows *out,
                      LpDiag *diag) LP_MUST_USE;

/* The same without the rows of single ops and flows, each of which takes a simulation. */
LpErr lp_choices_list_whole(LpSession *session, const LpDraft *draft, LpStage stage,
                            LpStageRows *out, LpDiag *diag) LP_MUST_USE;

/* "servers=0,2,8-11" of a list in block order. False: it does not fit into LP_DRAFT_WORDS. */
bool lp_servers_words(const uint32_t *server, uint32_t count, char out[LP_DRAFT_WORDS]);
bool lp_cubes_words(const uint32_t *cube, uint32_t count, char out[LP_DRAFT_WORDS]);
/* "circuits=0-1,1-0@100ms/0-2,2-0@100ms" of a schedule, whose dark matchings are left out;
 * "circuits=" where all are dark. False: it does not fit into LP_DRAFT_WORDS. */
bool lp_circuits_words(const LpSchedule *schedule, char out[LP_DRAFT_WORDS]);

#endif
