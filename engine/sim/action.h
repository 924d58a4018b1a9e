/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy may do to jobs after the fact: stop, go on, move, grow or shrink. Corrected
 * semantics only: the published simulator knows no such thing. */
#ifndef LP_SIM_ACTION_H
#define LP_SIM_ACTION_H

#include "sim/context.h"
#include "sim/light/light_regroup.h"
#include "sim/state/state.h"

/* X(ID, "name") */
#define LP_ACTION_TABLE(X)                                                                         \
    X(PREEMPT, "preempt")                                                                          \
    X(RESUME, "resume")                                                                            \
    X(MIGRATE, "migrate")                                                                          \
    X(RESIZE, "resize")                                                                            \
    X(REGROUP, "regroup")                                                                          \
    X(WAKE, "wake")

typedef enum LpActionKind {
#define X(id, name) LP_ACTION_##id,
    LP_ACTION_TABLE(X)
#undef X
        LP_ACTION_COUNT
} LpActionKind;

const char *lp_action_name(LpActionKind kind);
int lp_action_find(const char *name); /* -1 when unknown */

/* Zero-initialise. Pointers are borrowed for the call. */
typedef struct LpAction {
    LpActionKind kind;
    uint32_t job;
    uint32_t servers; /* MIGRATE: where to, as many as the job has */
    const uint32_t *server;
    uint32_t degree; /* RESIZE */
    double at;       /* WAKE: s, absolute */
    uint32_t links;  /* REGROUP */
    const LpRegroupLink *link;
    const char *why; /* untrusted text, NULL: none */
} LpAction;

/* What an action costs. A job that goes on elsewhere reads its checkpoint (state_factor * its
 * parameters) over the network first: bytes / (servers * what one server can receive) + latency,
 * servers being the fewer of before and after; where the circuits of its new servers are dark they
 * are set first, for the time of a reconfiguration. Preempting costs nothing at once,
 * regrouping the time of a reconfiguration, in which jobs without their circuits stand still. */
typedef struct LpActionCost {
    double seconds, bytes;
    bool pauses; /* the job makes no progress meanwhile */
} LpActionCost;

/* Errors of the action itself are causes: *cause is not NONE, reason says why, nothing changed. */
LpErr lp_world_cost(LpWorld *world, const LpContext *context, const LpAction *action,
                    LpActionCost *out, LpCause *cause, char reason[LP_DIAG_TEXT],
                    LpDiag *diag) LP_MUST_USE;
/* Applies the action. event: PREEMPT, MOVE, OFFER (resume: the job's decision is due now),
 * CONFIGURE (regroup), or NONE (wake, or a regroup that changes nothing). Finished steps are kept,
 * the step under way is lost. Errors: LP_ENOMEM; LP_ESTATE while a decision is due. */
LpErr lp_world_act(LpWorld *world, const LpContext *context, const LpAction *action, LpEvent *event,
                   LpCause *cause, char reason[LP_DIAG_TEXT], LpDiag *diag) LP_MUST_USE;

/* For a clone that only serves to try actions out: forgets that a decision is due, so that
 * lp_world_act works on it. Its job stays "deciding"; the clone must not be advanced. */
void lp_world_set_aside(LpWorld *clone);

#endif
