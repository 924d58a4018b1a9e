/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knobs: all numbers of a run that can be turned, with their values now, and how far one turn goes.
 * Knobs of the scenario count for a whole run, from its start; those of the run from now on. */
#ifndef LP_ASK_WHATIF_KNOB_H
#define LP_ASK_WHATIF_KNOB_H

#include "base/num.h"
#include "session/session.h"
#include "sim/condition.h"

/* What a knob turns. X(ID, "heading of its group", for a whole run) */
#define LP_KNOB_GROUPS(X)                                                                          \
    X(JOBS, "jobs", true)                                                                          \
    X(CUTTING, "cutting", true)                                                                    \
    X(CLUSTER, "cluster and light", true)                                                          \
    X(NOW, "from now on", false)                                                                   \
    X(POLICY, "policy, from now on", false)                                                        \
    X(PLANS, "plans", true)

typedef enum LpKnobGroup {
#define X(id, heading, whole) LP_KNOB_##id,
    LP_KNOB_GROUPS(X)
#undef X
        LP_KNOB_GROUP_COUNT
} LpKnobGroup;

typedef struct LpRunKnob {
    LpKnobGroup group;
    const char *heading;       /* over the knobs of one subject: the same pointer */
    const char *name;          /* "load", "servers per rack"; in the list's memory */
    const char *meaning;       /* a sentence; "" when there is none */
    const char *path;          /* of --set, or the name of a parameter; NULL: a condition */
    LpConditionKind condition; /* FAIL_SERVER: how many are broken, the lowest numbers first */
    LpDimension dim;
    bool factor;        /* times what the scenario says */
    bool whole, above;  /* whole numbers; must be above min */
    bool doubles;       /* turns double or halve it */
    bool flag;          /* no (0) or yes (1) */
    double base, value; /* as it is, as it was turned to; in units of dim */
    double min, max;    /* max 0: none */
} LpRunKnob;

typedef struct LpKnobs {
    LpRunKnob *row;
    uint32_t count;
    LpArena *arena;
} LpKnobs;

/* The knobs of the session here and now, none turned. Errors: LP_ENOMEM. Free the list in any
 * case but an error. */
LpErr lp_knobs_list(const LpSession *session, LpKnobs *out, LpDiag *diag) LP_MUST_USE;
void lp_knobs_fini(LpKnobs *knobs); /* zeroed or filled */

/* One turn up (by > 0) or down: degrees of a plan are doubled or halved, other whole numbers below
 * 16 by one, above on 16, 24, 32, 48, ...; shares of a tenth and more by a tenth; all else on 1, 2,
 * 5, 10, ... and always over the value that it was before. False: it is at its end. */
bool lp_knob_turn(LpRunKnob *knob, int by);
static inline bool lp_knob_is_turned(const LpRunKnob *knob) {
    return knob->value != knob->base;
}
/* Does it count for a whole run, or from now on? */
bool lp_knob_is_whole_run(const LpRunKnob *knob);
/* Is any knob turned; of a whole run? */
bool lp_knobs_turned(const LpKnobs *knobs);
bool lp_knobs_anew(const LpKnobs *knobs);
/* What is turned in words, as a name for a branch: "load=0.5, bandwidth=x2". */
void lp_knobs_words(const LpKnobs *knobs, LpBuf *out);

#endif
