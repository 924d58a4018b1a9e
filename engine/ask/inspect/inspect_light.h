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

/* Share of a step during which circuits from group row to group column are lit by a job: groups x
 * groups matrix (row-major), kept per plan (partition, placement, step and orders). NULL when the
 * job has no plan or uses no circuit. Good until the next call; O(plans so far) where it is kept.
 */
const double *lp_session_light(LpSession *session, uint32_t job, uint32_t *groups);
/* Light of a job of another world of the session's context, such as another branch's. */
const double *lp_session_light_in(LpSession *session, const LpWorld *world, uint32_t job,
                                  uint32_t *groups);
/* Light of the job to be decided, as `forecast` has it. */
const double *lp_session_light_ahead(LpSession *session, const LpForecast *forecast,
                                     uint32_t *groups);

/* The transmitters that a job lights in a step, by server, then by group; `count` is 0 where
 * lp_session_light is NULL. Kept with it, good as long as the session. */
const LpTransmitter *lp_session_transmitters(LpSession *session, uint32_t job, uint32_t *count);
const LpTransmitter *lp_session_transmitters_in(LpSession *session, const LpWorld *world,
                                                uint32_t job, uint32_t *count);
/* Transmitters that the job to be decided would light, as `forecast` has it. */
const LpTransmitter *lp_session_transmitters_ahead(LpSession *session, const LpForecast *forecast,
                                                   uint32_t *count);

/* The light paths of a job's step, by sender, then by receiver; those of one transmitter add up to
 * no less than its share. Worlds, forecasts and how long it is good: as for the
 * transmitters. */
const LpPath *lp_session_paths(LpSession *session, uint32_t job, uint32_t *count);
const LpPath *lp_session_paths_in(LpSession *session, const LpWorld *world, uint32_t job,
                                  uint32_t *count);
const LpPath *lp_session_paths_ahead(LpSession *session, const LpForecast *forecast,
                                     uint32_t *count);

#endif
