/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one mark of change: a number that everything raises that moves a world. Whoever has worked
 * something out keeps the stamp of the world that it was worked out of, and asks later what has
 * changed since: nothing (the same stamp), these jobs (the world follows from that one), or
 * anything (another branch, or too long ago).
 *
 * What counts as seen of a job is all of it (state/job.h) but its places in lists; of a server who
 * holds it, that job, and whether it is broken. What a policy keeps for itself and its random
 * stream raise no job's mark. Circuits and speeds of the network have numbers already, which are
 * their generation: `network` and `scales` of lp_world_context, good for all worlds of a scenario.
 *
 * Marks are no part of a world's hash or file. Checked builds look after every event that no job
 * and no server has changed without its mark (state/validate.h). */
#ifndef LP_SIM_STATE_MARK_H
#define LP_SIM_STATE_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/state/state.h"

/* A moment of a world. `mark` counts what changed so far; `line` is mixed from all of that and from
 * what each event came to, since two branches count alike. Of two worlds of one scenario equal
 * stamps are the same moment; the other way round, a moment that was come to in another way (an
 * action that was refused on the way counts) may have another stamp. {0, 0} is before every world.
 */
typedef struct LpStamp {
    uint64_t mark, line;
} LpStamp;

/* O(1). */
LpStamp lp_world_stamp(const LpWorld *world);
static inline bool lp_stamp_same(LpStamp a, LpStamp b) {
    return a.mark == b.mark && a.line == b.line;
}

/* Is `since` a moment that this world has gone through, and does it still know what changed since?
 * It remembers as many changes as it has room for jobs. False: look at everything again. O(1). */
bool lp_world_follows(const LpWorld *world, LpStamp since);
/* The jobs that have changed since a stamp that the world follows, one a call, each once, in the
 * order of their last changes: begin with *at = since.mark, false at the end. A job that has long
 * ended may be named more often. O(1) a change. */
bool lp_world_next_changed(const LpWorld *world, uint64_t *at, uint32_t *job);

/* The world's mark when the job last changed. Of a job that has long ended, and lies in the world's
 * past, a mark since then. O(1). */
uint64_t lp_job_mark(const LpWorld *world, uint32_t job);
/* Since this mark neither the server nor the job that holds it has changed. Not the lowest such
 * mark: a change of the job that it was of before counts too, and a failure or repair of any
 * server. O(1). */
uint64_t lp_server_mark(const LpWorld *world, uint32_t server);

#endif
