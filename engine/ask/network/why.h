/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moved a network: gradient times input (learn/attribute.h) of one of its answers, by the
 * names of the features (learn/feature.h) and of the ops. */
#ifndef LP_ASK_NETWORK_WHY_H
#define LP_ASK_NETWORK_WHY_H

#include "ask/network/network.h"
#include "learn/feature.h"

/* What is explained. */
typedef struct LpNetworkQuestion {
    bool value; /* the value is explained; else the logit of `action` */
    uint32_t action;
    uint32_t against; /* its logit is taken off, where it is an action */
} LpNetworkQuestion;

/* Why this action: its lead over the next best where it is the best, else how far it is behind the
 * best. action < seen->actions. */
LpNetworkQuestion lp_network_question(const LpNetworkInspection *seen, uint32_t action);

/* One number that the network read, or many of one kind together: those of all ops, of all deps, of
 * all answers but the two in question. */
typedef struct LpNetworkMove {
    LpFeature feature;
    bool others;  /* of the other answers */
    double input; /* mean over them */
    double moved; /* input * slope, summed over them */
} LpNetworkMove;

/* An op of the graph: what its state after the last round moved (LpSlopes.pooled). */
typedef struct LpNetworkOp {
    uint32_t op;      /* index in the scenario's graph */
    uint32_t number;  /* number in the graph's profile */
    const char *name; /* untrusted text; the graph's */
    bool backward;
    double moved;
} LpNetworkOp;

typedef struct LpNetworkWhy {
    LpNetworkQuestion question;
    double output; /* what is explained */
    /* in order of |moved|, largest first, those of equals first that are read first; what moved
     * nothing is left out */
    uint32_t moves, briefs, graphs, ops;
    LpNetworkMove *move;  /* each number of job, cluster and answers; of the graph all of a kind */
    LpNetworkMove *brief; /* those of job, cluster and answers, the other answers together */
    LpNetworkMove *graph; /* those of the graph */
    LpNetworkOp *op;
} LpNetworkWhy;

/* "accepted, 8 ways first_fit", "accepted, other answers", "time of the ops", "busy servers";
 * returns text. */
const char *lp_network_move_text(const LpNetworkInspection *seen, const LpNetworkMove *move,
                                 char text[LP_NETWORK_TEXT]);

/* Explains what the inspection says (actions > 0), which must be of this session as it is now:
 * network `index`. The lists are in the arena. Errors: LP_ENOMEM. Cost: about four embeddings of
 * the graph (learn/attribute.h), a few milliseconds for hundreds of ops. */
LpErr lp_network_why(LpSession *session, uint32_t index, const LpNetworkInspection *seen,
                     LpNetworkQuestion question, LpArena *arena, LpNetworkWhy *out,
                     LpDiag *diag) LP_MUST_USE;

#endif
