/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the parts of a job run: the published first fit (semantics 5), one reserved block
 * (corrected "reserve"), or what a policy chose, checked. Private to sim/. */
#ifndef LP_SIM_PLACE_H
#define LP_SIM_PLACE_H

#include "model/answer.h"
#include "sim/place/blocks.h"
#include "sim/place/known.h"
#include "sim/state/state.h"
#include "sim/store/context.h"

/* Working arrays, reused between calls; sized for one context. */
struct LpPlaceScratch {
    uint16_t *op_group;
    uint32_t *group_begin, *group_server;
    size_t group_server_cap;
    uint32_t groups;
    uint32_t *block; /* servers */
    double *need;    /* bytes per block position */
    double *used;    /* bytes per server, valid where stamp == round */
    uint32_t *stamp;
    uint32_t round;
    uint32_t *server;      /* distinct servers of the result */
    uint32_t *room, *take; /* numbers by node of the cluster's tree */
    uint32_t ops_cap;
    LpKnownDegrees known;
    LpBlocks *blocks;
    LpKnownShapes shapes;
};

LpPlaceScratch *lp_place_scratch_new(const LpContext *context);
void lp_place_scratch_free(LpPlaceScratch *scratch);

/* Fills *out, which points into scratch until the next call. world NULL: an empty cluster. ask:
 * what the job asks of the cluster's tree; an answer that breaks it has the cause SHAPE. Returns
 * LP_CAUSE_NONE, or the cause with a sentence in reason. *err is LP_ENOMEM when out of memory. */
LpCause lp_place(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                 const LpPartition *partition, const LpTreeAsk *ask, const LpAnswer *answer,
                 LpPlacement *out, char reason[LP_DIAG_TEXT], LpErr *err);
/* Number of the block in context->place->blocks that lp_place takes for a partition where the
 * engine places; false: it cannot be looked up, and lp_place is to be asked. *block LP_NO_INDEX:
 * there is none. */
bool lp_place_known_block(const LpContext *context, const LpWorld *world,
                          const LpPartition *partition, uint32_t *block);
/* As lp_place, for a rigid job of n servers. */
LpCause lp_place_rigid(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                       uint32_t n, const LpTreeAsk *ask, const LpAnswer *answer, LpPlacement *out,
                       char reason[LP_DIAG_TEXT], LpErr *err);
/* Puts a partition on the first servers of a block of n, in its order; all of them are held. Cause
 * REFUSED: the partition needs more; MEMORY. `block` may be scratch->server. */
LpCause lp_place_on(LpPlaceScratch *scratch, const LpContext *context, const LpPartition *partition,
                    const uint32_t *block, uint32_t n, LpPlacement *out, char reason[LP_DIAG_TEXT],
                    LpErr *err);
/* Does a block for this partition degree, these memory needs and this ask exist now? No placement
 * is kept. Errors: LP_ENOMEM. */
LpErr lp_place_exists(LpPlaceScratch *scratch, const LpContext *context, const LpWorld *world,
                      const LpPartition *partition, const LpTreeAsk *ask, bool *exists) LP_MUST_USE;

#endif
