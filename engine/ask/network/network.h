/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the networks of a session's policy say about a decision: any policy with a
 * parameter of type "network" has one or more. They are asked as the policy would ask them, and
 * nothing changes. */
#ifndef LP_ASK_NETWORK_NETWORK_H
#define LP_ASK_NETWORK_NETWORK_H

#include "base/mem.h"
#include "session/time.h"

/* One way to decide. */
typedef struct LpNetworkAction {
    uint32_t degree;  /* its way (sim/forecast.h); 0: declines, LP_DEGREE_WAIT: lets the job wait */
    LpParallel plan;  /* of a job with plans; tensor 0: of no plan */
    const char *rule; /* that places it, by its name (place_rule.h); "" for declining */
    bool open;        /* the mask has it */
    double logit;     /* the policy head's output */
    /* softmax of the logits over the open actions, 0 where closed; worked out with the arithmetic
     * of results (own exp), so that it has the same bits everywhere */
    double probability;
    double q; /* the head of action values: the return that the action leads to; NAN: it has none */
} LpNetworkAction;

/* A job that could go next: the one that is decided, or one that waits. */
typedef struct LpNetworkQueued {
    uint32_t job;
    double priority;    /* by the value head */
    double probability; /* softmax of the priorities */
} LpNetworkQueued;

typedef struct LpNetworkInspection {
    uint32_t networks; /* of the policy; 0: it has none, and all else is 0 and "" */
    const char *param; /* of the policy, that holds this one */
    const char *encoding;
    const char *problem;        /* why the network has no table (actions 0); "" where it has one */
    uint32_t job;               /* that is decided, LP_NO_INDEX */
    const char *graph;          /* the job's; "" for a rigid one */
    uint64_t decision;          /* its number, from 0 */
    double time;                /* s */
    uint32_t actions, placings; /* placings: rules of placement, 1 where there is no choice */
    LpNetworkAction *action;
    const char *outside; /* in what the scenario lies outside of its training; "": in nothing */
    uint32_t best;       /* the open action with the largest logit, the first of equals */
    uint32_t next;       /* the best of the others that are open; `actions` where there is none */
    double value; /* the value head: the return that the network expects from here on; of one that
                     lets jobs wait the priority of this job */
    uint32_t queued; /* of such a network: jobs that could go next, the likeliest first */
    const LpNetworkQueued *queue;
    /* what the network saw: the features (observe.h) and the number of its graph */
    uint32_t features, graph_index;
    const double *feature;
} LpNetworkInspection;

/* "decline", "wait", "8 ways", "plan t8 p16 d4", "8 ways first_fit" where there is a choice of
 * rules. action < seen->actions; returns text. */
enum { LP_NETWORK_TEXT = 80 };
const char *lp_network_action_text(const LpNetworkInspection *seen, uint32_t action,
                                   char text[LP_NETWORK_TEXT]);

/* Networks of the policy in charge; 0 for a policy without, and for the engine's own rule. */
uint32_t lp_network_count(const LpSession *session);
/* Does one of the policy's networks decide a scenario that lies outside of what it was trained for?
 * Then appends a sentence about the first that does (session/player/setting.h). */
bool lp_network_outside(LpSession *session, LpBuf *out);
/* The same about the last decision about a job up to the present moment (a due one included), with
 * the world as it was then; the networks are those of the policy that is in charge now. Errors
 * also: as lp_session_world_at. */
LpErr lp_network_inspect(LpSession *session, uint32_t index, uint32_t job, LpArena *arena,
                         LpNetworkInspection *out, LpDiag *diag) LP_MUST_USE;
/* As lp_network_inspect, for a world of this session's, such as lp_session_world_at makes. */
LpErr lp_network_inspect_world(LpSession *session, uint32_t index, const LpWorld *world,
                               LpArena *arena, LpNetworkInspection *out, LpDiag *diag) LP_MUST_USE;

#endif
