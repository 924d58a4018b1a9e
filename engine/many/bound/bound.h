/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no policy can beat: the least blocking rate of a scenario and a seed if all arrivals were
 * known beforehand and servers had no geometry (docs/bound.md has the proofs). */
#ifndef LP_MANY_BOUND_BOUND_H
#define LP_MANY_BOUND_BOUND_H

#include "base/json_out.h"
#include "many/bound/relax.h"
#include "session/session.h"

/* X(ID, "key", freedom, any, "holds for policies that ...") The first three: a degree is answered,
 * and a block of the fabric, in the default order of ops and flows. */
#define LP_BOUNDS(X)                                                                               \
    X(AT_ONCE, "at_once", LP_FREEDOM_AT_ONCE, false,                                               \
      "start each job when it arrives or never, cut by a degree, on a block")                      \
    X(WAITING, "waiting", LP_FREEDOM_WAITING, false,                                               \
      "also let jobs wait, and then run them without a break")                                     \
    X(PREEMPTING, "preempting", LP_FREEDOM_PREEMPTING, false, "also stop, move and resize jobs")   \
    X(ANYTHING, "anything", LP_FREEDOM_PREEMPTING, true,                                           \
      "do whatever they like: any cut, any servers, any order")

typedef enum LpBoundKind {
#define X(id, key, freedom, any, doc) LP_BOUND_##id,
    LP_BOUNDS(X)
#undef X
        LP_BOUND_COUNT
} LpBoundKind;

const char *lp_bound_key(LpBoundKind kind);

/* Bounds of one scenario and seed. */
typedef struct LpBound {
    uint64_t arrived;
    uint32_t most[LP_BOUND_COUNT];   /* jobs that are served in time at most */
    double rate[LP_BOUND_COUNT];     /* hence lost at least, of those that arrived; NAN: none did */
    double relaxed[LP_BOUND_COUNT];  /* the linear program's own value as a rate, an estimate */
    uint32_t rounds[LP_BOUND_COUNT]; /* of column generation */
} LpBound;

/* Declines all jobs of a session that was just opened, and works out the bounds of what arrived;
 * the session is at its end then. Lost is what is blocked, unfinished or late by true deadlines.
 * Errors: LP_EREFUSED for scenarios that it does not cover, with the reason (fabrics other than
 * ramp and ideal, several kinds of servers, plans, slices); those of running and of lp_relax. */
LpErr lp_bound_session(LpSession *session, LpBound *out, LpDiag *diag) LP_MUST_USE;

/* For people, and "bounds": an array. */
void lp_bound_text(const LpBound *bound, LpBuf *out);
void lp_bound_json(const LpBound *bound, LpJsonOut *out);

#endif
