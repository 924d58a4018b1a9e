/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job waits, in the words of a scheduler: what is lacking, when there will be enough, and
 * across how many nodes it could run now. Of plain data, so that it can be asked of any cluster; of
 * a world it is asked by sim/waits/why.h. */
#ifndef LP_SIM_REASON_H
#define LP_SIM_REASON_H

#include "model/fabric/cluster.h"
#include "model/tree/tree.h"

/* X(ID, code, Slurm's word). The first that holds is the reason; STOPPED stands in front of one of
 * those after it. */
#define LP_REASONS(X)                                                                              \
    X(NEVER, "never", "BadConstraints")                                                            \
    X(BEHIND, "behind", "Priority")                                                                \
    X(POLICY, "policy", "None")                                                                    \
    X(STOPPED, "stopped", NULL)                                                                    \
    X(BROKEN, "broken", "ReqNodeNotAvail")                                                         \
    X(RESOURCE, "resource", "Resources")                                                           \
    X(SHAPE, "shape", "Resources")                                                                 \
    X(MEMORY, "memory", "Resources")                                                               \
    X(LIGHT, "light", "Resources")
typedef enum LpReasonCode {
#define X(ID, code, word) LP_REASON_##ID,
    LP_REASONS(X)
#undef X
        LP_REASON_COUNT
} LpReasonCode;
const char *lp_reason_code(LpReasonCode code); /* "shape" */

/* Whose short words are used. X(ID, word) */
#define LP_WORDINGS(X)                                                                             \
    X(PLAIN, plain)                                                                                \
    X(SLURM, slurm)                                                                                \
    X(KUEUE, kueue)                                                                                \
    X(VOLCANO, volcano)
typedef enum LpWording {
#define X(ID, word) LP_WORDING_##ID,
    LP_WORDINGS(X)
#undef X
        LP_WORDING_COUNT
} LpWording;
int lp_wording_find(const char *word); /* -1 when unknown */

/* How a policy goes through its queue. */
typedef enum LpQueueOrder {
    LP_IN_ANY_ORDER, /* whoever fits */
    LP_IN_ORDER,     /* nobody before who stands in front */
    LP_IN_ORDER_FILL /* nobody who would delay the first one */
} LpQueueOrder;

/* ---- what is asked of ---- */

/* A job that waits. duration: s that it would run, NAN not known. */
typedef struct LpReasonJob {
    const char *label; /* safe for a terminal */
    uint32_t servers;
    double arrival, duration;
    LpTreeAsk ask;
    bool rigid;
} LpReasonJob;

/* A running job whose end is known: it holds held[begin] to held[begin + count - 1]. */
typedef struct LpReasonEnd {
    const char *label;
    uint32_t job, begin, count;
    double at;
} LpReasonEnd;

/* A broken server. */
typedef struct LpReasonDown {
    uint32_t server;
    bool held;
} LpReasonDown;

/* Pointers are borrowed for the call. */
typedef struct LpReasonView {
    const LpCluster *cluster; /* for the names of servers; NULL: numbers */
    const LpTree *tree;
    const LpTreeCount *count;
    double now;
    const LpReasonDown *down; /* ascending */
    uint32_t downs;
    const LpReasonEnd *end; /* in order of time, of equal ones by number */
    uint32_t ends;
    const uint32_t *held;
    LpQueueOrder order;
    const LpReasonJob *head; /* the first in the queue, where that is another one */
    const char *says;        /* the policy's own reason; NULL: none */
    /* Where there are servers enough and the job still finds no place: POLICY where it does. */
    LpReasonCode lacks;
    const char *lacking; /* sentence of that */
    double enough_at;    /* s, NAN: not known */
    uint32_t when;       /* index among the ends, of that */
    double stopped_at;   /* when it was taken off its servers; NAN: it was not */
    const char *stopped_by;
    /* Step time across so many nodes over that in one; NAN: not known. NULL: nobody knows. */
    double (*ratio)(void *context, uint32_t nodes);
    void *context;
} LpReasonView;

/* ---- what comes of it ---- */

enum { LP_REASON_TEXT = 1024, LP_REASON_WORD = 256 };
typedef struct LpReason {
    LpReasonCode code, then; /* of STOPPED: what stands after it; else the same */
    double enough_at;        /* s; now where it could start; NAN: never, or not known */
    uint32_t when_job;       /* number of the job whose end makes it enough, UINT32_MAX: none */
    uint32_t across;         /* nodes that it could lie in now; 0: it asks for none, or cannot */
    double ratio;            /* step time there over that in one; NAN: not known */
    uint32_t servers, most;  /* that it asks for; that fit now in one node of its level */
    const char *level;       /* its level, of the tree */
    char text[LP_REASON_TEXT];
} LpReason;

/* Errors: LP_ENOMEM. O(nodes log nodes + ends + servers of the jobs that end). */
LpErr lp_reason_find(const LpReasonView *view, const LpReasonJob *job, LpReason *out,
                     LpDiag *diag) LP_MUST_USE;
/* The short word for a reason. Returns out. */
const char *lp_reason_word(const LpReason *reason, LpWording wording, char out[LP_REASON_WORD]);

#endif
