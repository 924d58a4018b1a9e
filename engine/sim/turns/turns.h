/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits that turn inside a training step: pipeline stages and their data-parallel replicas on
 * the ports of one circuit switch, which joins them one pair or one ring at a time. A transfer
 * needs its circuit; a circuit that is not lit is ordered, and carries bits a delay D later. What
 * is computed, and where it comes from: docs/turning-light.md, whose sections stand here as [2].
 * Times are seconds. */
#ifndef LP_SIM_TURNS_TURNS_H
#define LP_SIM_TURNS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/parallel/turning.h"

/* Times closer than this, relatively, are one: what ends when something else begins does so
 * whatever the order in which the same terms were added up. */
#define LP_TURN_TIE 1e-12

/* s: nothing lasts longer, so that no sum is infinite. */
#define LP_TURN_LONGEST 1e9

/* What a plan may hold, tasks and transfers together. */
enum { LP_TURN_NODES_MAX = 1000000 };

/* One time for all (count 1), or one for each stage, link or chunk of the model. */
typedef struct LpTurnTimes {
    uint32_t count;
    const double *item; /* borrowed */
} LpTurnTimes;

/* A step made of tasks and transfers [2]. */
typedef struct LpTurnStep {
    uint32_t stages, replicas, micro_batches;
    uint32_t chunks; /* of the model on a stage; 0 is 1. Above 1: interleaved 1F1B [2] */
    uint32_t layers; /* parts of a chunk's last backward, each with a bucket */
    uint32_t ports;  /* of an accelerator: 1, or 2, of which one looks back and one forward */
    uint32_t steps;  /* in a chain */
    bool serial;     /* the switch does one turn at a time */
    bool overlap;    /* ring transfers run beside tasks of the step ("full") */
    bool gpipe;      /* all forwards, then all backwards; else 1F1B */
    LpTurnReduce reduce;
    LpTurnTimes forward, backward; /* of one micro-batch; one, or stages * chunks; > 0 */
    LpTurnTimes send; /* of a boundary tensor; one, or stages - 1, or with chunks one per stage */
    LpTurnTimes bucket, gather, optimiser; /* of a ring transfer; > 0 for zero3; >= 0 */
    double notice;     /* on demand, a bucket's circuit is ordered so long before it is ready */
    double order_cost; /* from an order to the beginning of its delay */
} LpTurnStep;

const char *lp_turn_orders_name(LpTurnOrders orders);

/* What comes of it [5]. */
typedef struct LpTurnResult {
    double time;      /* end of the last optimiser */
    double step_time; /* of the last step of the chain: the difference of the last two ends */
    uint32_t exposed; /* turns on a longest path, of equals the most: the slope of `time` by D */
    uint32_t turns;   /* orders that light a circuit */
    uint32_t waiting; /* turns whose transfer starts later for them */
} LpTurnResult;

/* What a transfer is for. X(ID, "word") */
#define LP_TURN_KIND_TABLE(X)                                                                      \
    X(ACT, "act")                                                                                  \
    X(GRAD, "grad")                                                                                \
    X(BUCKET, "bucket")                                                                            \
    X(FLUSH, "flush")                                                                              \
    X(GATHER, "gather")                                                                            \
    X(SCATTER, "scatter")                                                                          \
    X(DISPATCH, "dispatch")                                                                        \
    X(COMBINE, "combine")

typedef enum LpTurnKind {
#define X(id, word) LP_TURN_KIND_##id,
    LP_TURN_KIND_TABLE(X)
#undef X
        LP_TURN_TASK /* none: something is computed */
} LpTurnKind;

const char *lp_turn_kind_name(LpTurnKind kind);

/* What a task computes. */
typedef enum LpTurnPass { LP_TURN_FORWARD, LP_TURN_BACKWARD, LP_TURN_OPTIMISER } LpTurnPass;

/* A task or a transfer of the last run. Where nothing was ordered for it, `ordered` and `lit` are
 * NAN. */
typedef struct LpTurnTransfer {
    LpTurnKind kind;
    bool ring;      /* on the ring of stage `place`; else on the link from there to the next one */
    uint32_t place; /* for experts: the layer */
    uint32_t step, number; /* micro-batch, or part of the last backward */
    LpTurnPass pass;       /* of a task */
    uint32_t chunk;        /* of a task: of the model */
    bool turned, waits;
    bool exposed; /* after lp_turn_longest: its turn is on the longest path */
    double ordered, lit, ready, start, end;
} LpTurnTransfer;

/* LP_EINVAL or LP_ELIMIT with the key and its value where the step is none. */
LpErr lp_turn_step_check(const LpTurnStep *step, LpDiag *diag) LP_MUST_USE;

/* The tasks and transfers of a step in the order that their ports keep for every delay [4.1], and
 * which transfers need a turn. For one thread at a time. */
typedef struct LpTurnPlan LpTurnPlan;

/* Checks the step; it may go afterwards. Errors: those of the check, LP_ENOMEM. O(n log n) for n
 * tasks and transfers. */
LpErr lp_turn_plan_make(const LpTurnStep *step, LpTurnPlan **out, LpDiag *diag) LP_MUST_USE;
void lp_turn_plan_free(LpTurnPlan *plan); /* NULL allowed */
/* The turn of a transfer is ordered so in all runs to come, whatever the others are. */
void lp_turn_choose(LpTurnPlan *plan, uint32_t id, LpTurnOrders orders);
/* The step with this delay, from 0 to LP_TURN_LONGEST. O(n). */
LpTurnResult lp_turn_run(LpTurnPlan *plan, LpTurnOrders orders, double delay);
/* Marks the turns on a longest path of the last run, which had these orders and this delay: as many
 * as its `exposed`. O(n). */
void lp_turn_longest(LpTurnPlan *plan, LpTurnOrders orders, double delay);
/* Tasks and transfers, in the order of their making, and one as the last run left it; `kind` tells
 * which it is. */
uint32_t lp_turn_nodes(const LpTurnPlan *plan);
/* The i-th of them in the order in which a run goes through them: by when they are ready without
 * delays. */
uint32_t lp_turn_at(const LpTurnPlan *plan, uint32_t i);
LpTurnTransfer lp_turn_transfer(const LpTurnPlan *plan, uint32_t id);

/* A stretch of the curve T(D): from this delay on the time grows by `slope` times the delay. */
typedef struct LpTurnPiece {
    double delay, time;
    uint32_t slope;
} LpTurnPiece;

/* The curve from 0 to `most`, which is convex and made of straight pieces with whole slopes [9]:
 * its corners are where lines through known points meet. *out is an array to free with lp_free, of
 * *count >= 1 pieces. Errors: LP_ENOMEM. O(n * pieces). */
LpErr lp_turn_curve(LpTurnPlan *plan, LpTurnOrders orders, double most, LpTurnPiece **out,
                    uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* The same curve a look at a time, so that it can be drawn while it is computed; both kinds of
 * orders may be looked at in turn. The plan outlives it. Errors: LP_ENOMEM. O(n). */
typedef struct LpTurnCurve LpTurnCurve;
LpErr lp_turn_curve_new(LpTurnPlan *plan, LpTurnOrders orders, double most, LpTurnCurve **out,
                        LpDiag *diag) LP_MUST_USE;
void lp_turn_curve_free(LpTurnCurve *curve); /* NULL allowed */
/* One look; true in *done once all of it is known. Errors: LP_ENOMEM. O(n). */
LpErr lp_turn_curve_work(LpTurnCurve *curve, bool *done, LpDiag *diag) LP_MUST_USE;
/* The pieces that are known, ascending, and right of the last one single points of the curve with
 * their slopes, descending; all good until the next look. */
const LpTurnPiece *lp_turn_curve_pieces(const LpTurnCurve *curve, uint32_t *count);
const LpTurnPiece *lp_turn_curve_points(const LpTurnCurve *curve, uint32_t *count);
/* The curve's height at a delay. */
double lp_turn_curve_at(const LpTurnPiece *piece, uint32_t count, double delay);

#endif
