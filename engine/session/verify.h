/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a session file on a session: carried out from its records, or decided again and
 * compared. Private to session/. */
#ifndef LP_SESSION_VERIFY_H
#define LP_SESSION_VERIFY_H

#include "session/file.h"
#include "session/replay.h"

typedef struct LpReplayed {
    LpStepRecords records;
    bool hand;      /* not the policy's doing */
    uint32_t acted; /* actions of the policy at the step's very instant */
    double time;
    const uint64_t *hash; /* of the state after it; NULL: not recorded */
} LpReplayed;

typedef struct LpDifference {
    uint64_t decision, step;
    double time;
    uint32_t job;
    char recorded[LP_LOAD_WORDS], now[LP_LOAD_WORDS];
} LpDifference;

/* At the tip of the current branch, which gets a step longer. verify: unless it was made by hand
 * the branch's policy decides again. Errors: LP_EREFUSED where it differs, with *difference filled:
 * the session then stands somewhere inside the step. LP_ENOMEM, LP_EMEMLIMIT (--max-memory) and
 * others: nothing is known of the step then. */
LpErr lp_play_step(LpSession *session, const LpLog *log, const LpReplayed *step, bool verify,
                   LpDifference *difference, LpDiag *diag) LP_MUST_USE;

/* Is the error a lack of memory, of the machine's or of --max-memory? It says nothing of the file:
 * neither that it is damaged nor that a policy decides otherwise. */
bool lp_play_ran_out(LpErr err);

#endif
