/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step laid out for a front end: what runs when on each server and between which
 * servers data moves, row by row. */
#ifndef LP_ASK_INSPECT_INSPECT_STEP_H
#define LP_ASK_INSPECT_INSPECT_STEP_H

#include "sim/context.h"
#include "sim/step/step.h"

/* A turn of light, of the worst that holds: its transfer did not wait, it did, it is on a longest
 * path through the step. */
typedef enum LpStepTurn {
    LP_STEP_TURN_NONE, /* the bar is none */
    LP_STEP_TURN_HIDDEN,
    LP_STEP_TURN_WAITED,
    LP_STEP_TURN_EXPOSED
} LpStepTurn;

/* A task. Times in s from the start of the step. */
typedef struct LpStepBar {
    double start, end;
    double ready;      /* when all that it needs had ended: it waits from then on until it starts */
    double bytes;      /* flows and collectives */
    double reach;      /* the latest end in its row up to here */
    uint32_t op, part; /* op number; of a flow the producer; part from 0. Of a plan the first op
                          of a chunk, and the micro-batch from 0 */
    uint32_t chunk;    /* of a plan: of the model, from 0 */
    uint8_t kind;      /* LpTaskKind */
    bool backward;     /* of the backward pass */
    bool to_backward;  /* of a flow: its consumer is of the backward pass */
    uint32_t to;       /* of a flow: the op number of its consumer */
    bool critical;     /* on the critical path */
    uint32_t after;    /* bar whose end let it start, LP_NO_INDEX: none; of recorded steps */
    uint8_t turn;      /* LpStepTurn: of the circuit that the transfer after it takes */
    uint8_t transfer;  /* LpTurnKind of a transfer or turn where circuits turn inside the step */
} LpStepBar;

typedef enum LpStepRowKind { LP_STEP_SERVER, LP_STEP_PAIR, LP_STEP_COLLECTIVES } LpStepRowKind;

typedef struct LpStepRow {
    LpStepRowKind kind;
    uint32_t server, to; /* PAIR: from server, to server. Of a plan the first server of a stage,
                            and the stage; of a recorded step SERVER: the rank */
    uint32_t first, end; /* bars, by start */
    double busy;         /* s during which at least one of them runs */
} LpStepRow;

typedef struct LpStepInspection {
    double step_time;
    bool planned;  /* the step of a plan: a row per stage */
    bool recorded; /* a recorded step: a row per rank; `part` of a bar is a node of the rank, whose
                      number is `op` - 1 */
    double bubble; /* of a plan: share of the stages' time until the last pass that is no work */
    bool turning;  /* the step of a plan, and below the stages a row for the light of each */
    bool region;   /* the light is that of one region; bars of passes are layers (`chunk`) */
    uint32_t turns, exposed_turns; /* where circuits turn */
    double turn_time;              /* where circuits turn: s that the step is longer for it */
    uint32_t rows, servers, pairs; /* servers by number, then pairs by numbers, then at most one row
                                      of collectives */
    LpStepRow *row;
    uint32_t bars;
    LpStepBar *bar;
    uint32_t critical;
    uint32_t *critical_bar; /* bars on the critical path in time order */
} LpStepInspection;

/* Simulates the step again and lays it out, on shared links at the pace that makes it last
 * step_time (NAN: alone); the result is the caller's (lp_step_inspection_fini). Errors: LP_ENOMEM;
 * LP_EREFUSED for a step that cannot be simulated. O(tasks log tasks). */
LpErr lp_step_inspect(const LpContext *context, uint32_t partition, uint32_t placement,
                      LpOrders orders, double step_time, LpStepInspection *out,
                      LpDiag *diag) LP_MUST_USE;
/* Lays out the step of a plan: a row per stage, whose servers do the same at the same time, and a
 * bar per pass of a micro-batch through a chunk; the last bar of a row is what follows the last
 * backward pass, and what sending takes longer on shared links. No critical path. Errors:
 * LP_ENOMEM, LP_EREFUSED. O(bars). */
LpErr lp_step_inspect_plan(const LpContext *context, uint32_t partition, uint32_t placement,
                           double step_time, LpStepInspection *out, LpDiag *diag) LP_MUST_USE;
/* Lays out the step of a plan inside which circuits turn (lp_split_turns): rows of passes, then as
 * many rows of light, to which a stage's link to the next one and the ring of its replicas belong;
 * each has a bar per transfer and per turn. Errors: LP_ENOMEM, LP_EREFUSED. O(bars log bars). */
LpErr lp_step_inspect_light(const LpContext *context, uint32_t partition, uint32_t placement,
                            LpOrders orders, LpStepInspection *out, LpDiag *diag) LP_MUST_USE;
void lp_step_inspection_fini(LpStepInspection *seen); /* zeroed allowed */

/* The bar of a row that runs at time t, or the last one that ended before; LP_NO_INDEX: none yet.
 * O(log bars). */
uint32_t lp_step_inspection_at(const LpStepInspection *seen, uint32_t row, double t);
/* Share of [from, to) during which the row is busy. O(bars in it + log bars). */
double lp_step_inspection_share(const LpStepInspection *seen, uint32_t row, double from, double to);

#endif
