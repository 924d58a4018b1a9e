/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs waited for, gathered while a run goes on. Jobs that ask for the same lack the same, so
 * the book asks once for all of them and keeps how long each cause held. */
#ifndef LP_SIM_WAIT_BOOK_H
#define LP_SIM_WAIT_BOOK_H

#include "base/json_out.h"
#include "sim/facts/waited.h"
#include "sim/state/state.h"

const char *lp_waited_code(LpWaitCause cause);    /* "resource" */
const char *lp_waited_meaning(LpWaitCause cause); /* a clause */

typedef struct LpWaitBook LpWaitBook;

/* Begins with a world in which nobody has waited yet. names: keeps also whom jobs stand behind.
 * Errors: LP_ENOMEM. */
LpErr lp_wait_book_new(bool names, LpWaitBook **out, LpDiag *diag) LP_MUST_USE;
void lp_wait_book_free(LpWaitBook *book); /* NULL allowed */

/* Looks at the world, before each advance of it: what the last look before its time passes finds
 * holds until then. The world does not change; the store may learn steps. Errors:
 * LP_ENOMEM. O(kinds of waiting jobs + jobs that changed); where servers enough are free for a kind
 * also a search for a block, once while the free servers stay the same, and of a job with a graph a
 * forecast. */
LpErr lp_wait_book_look(LpWaitBook *book, const LpWorld *world, const LpContext *context,
                        LpDiag *diag) LP_MUST_USE;

/* What a job has waited for up to now, which is no earlier than the last look. Of one with a slice
 * it follows from the world alone, and book may be NULL. O(1). */
LpWaited lp_wait_book_of(const LpWaitBook *book, const LpWorld *world, uint32_t job);

/* Whom a job stood behind while it would have fitted. */
typedef struct LpStoodBehind {
    uint32_t job; /* that was the first for the longest time without a break, LP_NO_INDEX: nobody */
    bool others;  /* others were, too */
} LpStoodBehind;
/* Needs a book that keeps names. O(spells x changes of the first). */
LpStoodBehind lp_wait_book_behind(const LpWaitBook *book, const LpWorld *world,
                                  const LpContext *context, uint32_t job);

/* The member `waited` of a JSON object, s: resource, behind and policy always, of the other causes
 * those that are not 0. */
void lp_waited_json(LpJsonOut *out, const LpWaited *waited);

#endif
