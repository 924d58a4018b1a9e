/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decision by hand that is not taken yet: what differs from the policy's answer, stage by stage,
 * in words of a fork, and what it would come to. */
#ifndef LP_ASK_DRAFT_DRAFT_H
#define LP_ASK_DRAFT_DRAFT_H

#include "session/session.h"
#include "sim/forecast.h"

enum { LP_DRAFT_WORDS = 1024 };

/* Zero-initialise: as the policy has it. */
typedef struct LpDraft {
    char word[LP_STAGE_COUNT][LP_DRAFT_WORDS]; /* "" where the stage is as the policy has it */
} LpDraft;

bool lp_draft_any(const LpDraft *draft);
/* All of its words with blanks between them, for lp_fork_parse. Returns out. */
const char *lp_draft_text(const LpDraft *draft, char out[LP_STAGE_COUNT * LP_DRAFT_WORDS]);
/* "draft: place, order ops"; "" where there is none. */
void lp_draft_names(const LpDraft *draft, LpBuf *out);

/* What an answer comes to now, with the others as they are. */
typedef struct LpPrice {
    LpForecast forecast;
    bool possible;         /* the job can run so */
    bool late;             /* and misses its limit, which turns it away */
    double step_time, jct; /* s; jct from now, the time without light included. NAN: not possible */
    double of_limit;       /* see lp_job_of_limit; NAN without */
    double dark;           /* s that circuits are set for before its first step */
    char why[LP_DIAG_TEXT]; /* why not */
} LpPrice;

/* Works out the words of a fork, "" the policy's answer for the job that is due. What cannot be is
 * no error: `why` says it. The world stays as it is. Errors: LP_ESTATE where no decision is due,
 * the policy's, LP_ENOMEM. One forecast; where circuits are set also a clone of the world. */
LpErr lp_draft_price(LpSession *session, const char *words, LpPrice *out, LpDiag *diag) LP_MUST_USE;

/* A copy of the session in which the job that is due was answered so: the caller's
 * (lp_probe_close). Errors: those of the words, as above. */
LpErr lp_draft_start(LpSession *session, const char *words, LpSession **probe,
                     LpDiag *diag) LP_MUST_USE;

/* Takes words away that no longer fit those of an earlier stage that was changed. Says which stages
 * it emptied and why: "order ops dropped: there is no op 9" (nothing: ""). Errors: those of
 * lp_draft_price. */
LpErr lp_draft_settle(LpSession *session, LpDraft *draft, LpStage changed, LpBuf *said,
                      LpDiag *diag) LP_MUST_USE;

#endif
