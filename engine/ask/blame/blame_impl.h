/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of blame; private to ask/. */
#ifndef LP_ASK_BLAME_BLAME_IMPL_H
#define LP_ASK_BLAME_BLAME_IMPL_H

#include "ask/blame/blame.h"
#include "base/str.h"

/* The world as it was when the decision about a job was due; job LP_NO_INDEX: free to be reused. */
typedef struct LpBlameBefore {
    uint32_t job;
    LpWorld *world;
} LpBlameBefore;

typedef struct LpBlamer {
    LpSession *s;
    LpBlameBefore *item;
    size_t count, cap;
    bool recycle; /* worlds before decisions about jobs that no longer run may go */
    /* Remembers the world before a decision about the job, if there was one; NULL: what is
     * remembered is all there is. */
    LpErr (*visit)(struct LpBlamer *blamer, uint32_t job);
    uint64_t upto;     /* for it: the step up to which decisions count */
    uint32_t *degree;  /* room for the scenario's largest degree */
    uint32_t *server;  /* room for every server */
    uint32_t *running; /* jobs in the way, latest decision first */
    size_t running_cap;
    /* the job at hand */
    const LpWorld *base; /* when the trouble was there */
    uint64_t steps;      /* a replay takes no more */
    LpBlame best;
    LpDiag *diag;
} LpBlamer;

/* Another decision: an answer, or the words of a fork. */
typedef struct LpBlameChange {
    const LpAnswer *answer;
    const char *words; /* NULL: the answer */
} LpBlameChange;

/* Errors of all of these: LP_ENOMEM, and the session's. */
LpErr lp_blamer_init(LpBlamer *blamer, LpSession *session, LpDiag *diag) LP_MUST_USE;
void lp_blamer_fini(LpBlamer *blamer);
/* Keeps a copy of the world. */
LpErr lp_blamer_remember(LpBlamer *blamer, uint32_t job, const LpWorld *world) LP_MUST_USE;
/* Finds who is to blame for the trouble that a job of the world `base` had at `time`; the result,
 * with its sentence, is blamer->best. */
LpErr lp_blamer_search(LpBlamer *blamer, const LpWorld *base, LpTrouble trouble, uint32_t job,
                       double time) LP_MUST_USE;
/* Replays the change from the world before a decision; keeps the trial as blamer->best if it helps
 * and makes fewer jobs worse than what is known. */
LpErr lp_blamer_try(LpBlamer *blamer, const LpBlameBefore *from, const LpBlameChange *change,
                    LpBlame trial) LP_MUST_USE;
/* Is a change found that costs nobody, or was enough tried? */
bool lp_blamer_enough(const LpBlamer *blamer);
/* Tries other orders of ops, circuits and orders of flows (trial: the job's, but for the change).
 */
LpErr lp_blamer_try_stages(LpBlamer *blamer, const LpBlameBefore *from, LpBlame trial) LP_MUST_USE;

/* Writes blame->text into the arena of the session's texts. */
LpErr lp_blame_tell(const LpSession *session, LpBlame *blame, LpDiag *diag) LP_MUST_USE;

#endif
