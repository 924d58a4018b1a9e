/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job that waits lacks now, in one word: for sums over a run, where sim/waits/reason.h would
 * say too much. Private to this room. */
#ifndef LP_SIM_LACKS_H
#define LP_SIM_LACKS_H

#include "model/parallel/decoder.h"
#include "model/tree/tree.h"
#include "sim/state/state.h"

typedef enum LpLack {
    LP_LACK_NOTHING, /* it would fit */
    LP_LACK_BROKEN,
    LP_LACK_RESOURCE,
    LP_LACK_SHAPE,
    LP_LACK_MEMORY,
    LP_LACK_LIGHT,
    LP_LACK_COUNT
} LpLack;

/* What a job asks for; of jobs that ask for the same all the same is lacking. */
typedef struct LpLackAsk {
    int32_t graph; /* -1: rigid */
    uint32_t kind; /* LpPartitionKind */
    uint32_t servers;
    LpTreeAsk ask;
    /* Once it was measured: of one with a graph the least that it could be answered with. */
    uint32_t need, degree;
    const LpParallel *plan; /* NULL: none */
} LpLackAsk;

LpLackAsk lp_lack_ask(const LpContext *context, const LpJob *job);
/* Do they ask for the same? Not what was measured. */
bool lp_lack_same(const LpLackAsk *a, const LpLackAsk *b);
/* Finds `need` for a job that asks so. Errors: LP_ENOMEM. */
LpErr lp_lack_measure(const LpWorld *world, const LpContext *context, uint32_t job, LpLackAsk *ask,
                      LpDiag *diag) LP_MUST_USE;

/* How a world is looked at. */
typedef struct LpLackLook LpLackLook;
LpErr lp_lack_look_new(const LpContext *context, LpLackLook **out, LpDiag *diag) LP_MUST_USE;
void lp_lack_look_free(LpLackLook *look); /* NULL allowed */
/* Looks at it as it is now; good until it changes. Errors: LP_ENOMEM. O(servers / 64 + nodes), and
 * where others are down than at the last look O(servers). */
LpErr lp_lack_look(LpLackLook *look, const LpWorld *world, const LpContext *context,
                   LpDiag *diag) LP_MUST_USE;
/* Number of what was looked at, from 1: while it stays rigid jobs lack what they lacked before. */
uint64_t lp_lack_room(const LpLackLook *look);
/* What a waiting job lacks. Errors: LP_ENOMEM. */
LpErr lp_lack_find(LpLackLook *look, uint32_t job, const LpLackAsk *ask, LpLack *out,
                   LpDiag *diag) LP_MUST_USE;

#endif
