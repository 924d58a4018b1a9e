/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job keeps lit: the matrix that boards draw. */
#ifndef LP_ASK_INSPECT_INSPECT_LIGHT_H
#define LP_ASK_INSPECT_INSPECT_LIGHT_H

#include "session/session.h"

/* A transmitter that sends: of a server, towards a group, for a share of a step; `first`: s into
 * the step at which it begins to. */
typedef struct LpTransmitter {
    uint32_t server, group;
    double share, first;
} LpTransmitter;

/* A light path from server to server, lit for a share of a step. */
typedef struct LpPath {
    uint32_t src, dst;
    double share;
} LpPath;

/* What a job keeps lit during a step. */
typedef struct LpPlanLight {
    const double *share;     /* of a step, by circuits from group row to group column: groups x
                                groups (row-major); NULL: the job has no plan, or uses no circuit */
    const LpTransmitter *tx; /* those that send, by server, then by group */
    const LpPath *path; /* by sender, then by receiver; those of one transmitter add up to no less
                           than its share */
    uint32_t groups, txs, paths;
} LpPlanLight;

/* Light of a job of the session's world, kept per plan (partition, placement, step and orders) and
 * good as long as the session; without light where memory runs out. O(1) where it is kept. */
LpPlanLight lp_session_light(LpSession *session, uint32_t job);
/* Light of a job of another world of the session's context, such as another branch's. */
LpPlanLight lp_session_light_in(LpSession *session, const LpWorld *world, uint32_t job);
/* Light of the job to be decided, as `forecast` has it. */
LpPlanLight lp_session_light_ahead(LpSession *session, const LpForecast *forecast);

#endif
