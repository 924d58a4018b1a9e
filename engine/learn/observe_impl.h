/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the observer; private to learn/. */
#ifndef LP_LEARN_OBSERVE_IMPL_H
#define LP_LEARN_OBSERVE_IMPL_H

#include "base/mem.h"
#include "learn/observe.h"

enum { LP_GRAPH_FEATURES = 17, LP_TYPICAL = 6, LP_SOON_COUNT = 6, LP_PER_ACTION = 4 };

typedef struct LpRange {
    double min, max;
} LpRange;

typedef enum LpRangeName {
    LP_RANGE_NODES,
    LP_RANGE_EDGES,
    LP_RANGE_TIME,
    LP_RANGE_LIMIT,
    LP_RANGE_FRACTION,
    LP_RANGE_MEMORY,
    LP_RANGE_BYTES,
    LP_RANGE_STEPS,
    LP_RANGE_COUNT
} LpRangeName;

/* What a degree takes on an empty cluster; servers 0: it cannot be. */
typedef struct LpSeenPace {
    double step; /* s */
    uint32_t servers;
} LpSeenPace;

struct LpObserver {
    LpArena *arena;
    LpEncoding encoding;
    uint32_t degrees, actions, graphs;
    LpPlacer placer;
    uint32_t *server; /* room for a block */
    LpNetGraph *graph;
    uint32_t **op;                 /* per graph: op of each node */
    double (*typical)[LP_TYPICAL]; /* features 9..14, per graph */
    LpRange range[LP_RANGE_COUNT];
    double between;       /* s, mean time between arrivals */
    double servers, load; /* LpSetting */
    /* encoding queue: a pace per graph and rung of the ladder */
    LpSeenPace *pace;
    bool *paced; /* per graph: was it forecast? */
};

/* Fills graph, graphs and typical. Errors: LP_ENOMEM, or of building the unsplit graph. */
LpErr lp_observe_graphs(LpObserver *observer, const LpScenario *scenario, LpDiag *diag) LP_MUST_USE;
/* Encoding queue: fills pace and paced; ranges are known. Errors: LP_ENOMEM, as
 * lp_world_predict. */
LpErr lp_observe_paces(LpObserver *observer, const LpContext *context, LpDiag *diag) LP_MUST_USE;
/* lp_observe of that encoding. */
LpErr lp_observe_queue(const LpObserver *observer, const LpContext *context, const LpWorld *world,
                       uint32_t job, double *features, LpDiag *diag) LP_MUST_USE;

#endif
