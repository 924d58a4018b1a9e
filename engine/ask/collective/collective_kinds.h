/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calculators of `lightpath collective`: what each reads, computes and prints. */
#ifndef LP_ASK_COLLECTIVE_KINDS_H
#define LP_ASK_COLLECTIVE_KINDS_H

#include "ask/collective/collective_report.h"
#include "ask/collective/collective_words.h"
#include "base/json_out.h"

/* What one is asked: its words, and the delays of a turn in seconds, all borrowed. */
typedef struct LpCollAsk {
    const LpCollWords *words;
    const double *delay;
    uint32_t delays; /* >= 1 */
    LpArena *arena;  /* for what is needed while it is made */
} LpCollAsk;

typedef struct LpCollKind {
    /* Reads the words and computes everything that is printed. */
    LpErr (*make)(const LpCollAsk *ask, void **out, LpDiag *diag);
    void (*free)(void *it);
    /* Adds its members to the object that is open; `each` as on the command line. */
    void (*json)(const void *it, bool each, LpJsonOut *out);
    void (*text)(const void *it, bool each, bool ascii, LpBuf *out);
    const LpCollCurves *(*curves)(const void *it); /* NULL: it has none */
} LpCollKind;

/* A collective on circuits that may turn between its steps. */
extern const LpCollKind lp_coll_steps;
/* An uneven all-to-all that is cut into matchings, beside the experts that it feeds. */
extern const LpCollKind lp_coll_uneven;
/* Jobs that compute and send in turn over one link, shifted against each other. */
extern const LpCollKind lp_coll_combs;

#endif
