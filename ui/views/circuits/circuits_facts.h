/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The light paths between two groups for the board of circuits, job by job. */
#ifndef LP_UI_VIEWS_CIRCUITS_FACTS_H
#define LP_UI_VIEWS_CIRCUITS_FACTS_H

#include "ask/inspect/circuit.h"
#include "session/session.h"

/* What stands below the board: the list, light path by light path, or the fabric as a picture. Of
 * ports and links: PICTURE is as the list, PATHS a matrix, or all links as a list. */
typedef enum LpCircuitsLook {
    LP_LOOK_LIST,
    LP_LOOK_PATHS,
    LP_LOOK_PICTURE,
    LP_LOOKS
} LpCircuitsLook;

/* The screen's own state of the board. */
typedef struct LpCircuitsState {
    bool inside; /* the circuits between two groups, one by one */
    LpCircuitsLook look;
    uint32_t from, to; /* groups under the cursor */
    uint32_t tx, rx;   /* inside: servers of the two under the cursor, counted in their groups */
} LpCircuitsState;

/* What one job sends from one group to the other. */
typedef struct LpPairJob {
    uint32_t job;
    uint32_t partition, placement, scales; /* that `seen` was made for, as are `orders` */
    LpOrders orders;
    LpCircuitInspection seen;
} LpPairJob;

/* Zero-initialise. */
typedef struct LpCircuitsModel {
    bool known;
    uint32_t from, to; /* groups that it was made for */
    LpPairJob *job;    /* in order of starts; some may light nothing here */
    size_t cap;
    uint32_t jobs;
} LpCircuitsModel;

/* The jobs that run now. Of those that did before nothing is made anew. Errors: LP_ENOMEM. */
LpErr lp_circuits_model_update(LpCircuitsModel *model, const LpSession *session, uint32_t from,
                               uint32_t to, LpDiag *diag) LP_MUST_USE;
/* The pod whose slices hold circuits. */
const LpPod *lp_circuits_pod(const LpContext *context);
void lp_circuits_model_fini(LpCircuitsModel *model);

/* The circuit from one server to another, and whose it is; NULL: no job lights it. */
const LpCircuit *lp_circuits_model_find(const LpCircuitsModel *model, uint32_t src, uint32_t dst,
                                        const LpPairJob **whose);

#endif
