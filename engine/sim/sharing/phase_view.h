/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a running job is in its step, where jobs meet on links only while they send. */
#ifndef LP_SIM_SHARING_PHASE_VIEW_H
#define LP_SIM_SHARING_PHASE_VIEW_H

#include "sim/state/state.h"

/* X(id, "what it does") */
#define LP_DOING_TABLE(X)                                                                          \
    X(NOTHING, "reads its checkpoint")                                                             \
    X(COMPUTING, "computes")                                                                       \
    X(BOTH, "computes and sends")                                                                  \
    X(SENDING, "waits for what it sends")
typedef enum LpDoing {
#define X(id, words) LP_DOING_##id,
    LP_DOING_TABLE(X)
#undef X
        LP_DOING_COUNT
} LpDoing;
const char *lp_doing_words(LpDoing doing);

typedef struct LpPhaseView {
    LpDoing doing;
    uint32_t phase, phases; /* of sending: from 1, 0 while none is under way; in all */
    uint32_t partners;      /* jobs that it can meet, directly or through others */
    double part;            /* of the step that is done, 0 .. 1 */
    double rate, full;      /* bytes/s of its largest connection now, and with nobody in the way */
    uint32_t link;          /* full link that slows it down, LP_NO_INDEX: none */
    uint32_t other, others; /* first job that sends there besides, LP_NO_INDEX; how many do */
} LpPhaseView;

/* Does the world's network share links so? */
bool lp_world_interleaves(const LpContext *context);
/* The phase of a running job that shares links now; false: `job` is none, or flows are always on.
 * Goes on from the last change: O(events since). */
bool lp_world_phase(const LpWorld *world, const LpContext *context, uint32_t job, LpPhaseView *out);

#endif
