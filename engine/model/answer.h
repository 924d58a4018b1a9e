/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy answers for one job, and why an answer is refused or a job blocked. */
#ifndef LP_MODEL_ANSWER_H
#define LP_MODEL_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/parallel/decoder.h"
#include "model/scenario.h"

/* X(ID, "stable code", "golden name", "sentence") */
#define LP_CAUSE_TABLE(X)                                                                          \
    X(NONE, NULL, NULL, "")                                                                        \
    X(DECLINED, "declined", "op_partition", "the policy declined the job")                         \
    X(REFUSED, "refused", "op_partition", "the answer breaks the mask or a rule")                  \
    X(NO_PLACEMENT, "no_placement", "op_placement", "no block of servers is free")                 \
    X(NO_CIRCUIT, "no_circuit", "dep_placement", "a light path that the job needs is taken")       \
    X(MEMORY, "memory", "op_placement", "the parts do not fit the servers' memory")                \
    X(DEADLINE, "deadline", "max_acceptable_jct_exceeded", "the job would miss its deadline")      \
    X(QUEUE_FULL, "queue_full", "queue_full", "the queue holds as many as queue_capacity")         \
    X(UNSUPPORTED, "unsupported", "unsupported", "the published simulator cannot run this case")   \
    X(HORIZON, "horizon", "running_at_episode_end", "still running at the horizon")                \
    X(POLICY_ERROR, "policy_error", "policy_error", "the policy script failed")                    \
    X(RESOURCE, "resource", "resource", "too few accelerators are not held")                       \
    X(SHAPE, "shape", "shape", "no place has the slice's shape")                                   \
    X(BROKEN, "broken", "broken", "what is broken leaves no place for the slice")                  \
    X(TOO_LARGE, "too_large", "too_large",                                                         \
      "it needs more servers than the cluster has, or than the largest node of the level that it " \
      "requires")

typedef enum LpCause {
#define X(id, code, golden, sentence) LP_CAUSE_##id,
    LP_CAUSE_TABLE(X)
#undef X
        LP_CAUSE_COUNT
} LpCause;

const char *lp_cause_code(LpCause cause); /* "deadline"; NULL for NONE */
const char *lp_cause_sentence(LpCause cause);

/* The five decisions about a job, in order. X(ID, "name") */
#define LP_STAGE_TABLE(X)                                                                          \
    X(PARTITION, "partition")                                                                      \
    X(PLACE, "place")                                                                              \
    X(ORDER_OPS, "order ops")                                                                      \
    X(CIRCUITS, "circuits")                                                                        \
    X(ORDER_FLOWS, "order flows")

typedef enum LpStage {
#define X(id, name) LP_STAGE_##id,
    LP_STAGE_TABLE(X)
#undef X
        LP_STAGE_COUNT
} LpStage;

const char *lp_stage_name(LpStage stage);
int lp_stage_find(const char *name); /* also "order_ops"; -1 when unknown */

typedef enum LpOrder {
    LP_ORDER_SRPT,
    LP_ORDER_CRITICAL_PATH,
    LP_ORDER_FIFO,
    LP_ORDER_LONGEST,
    LP_ORDER_COUNT
} LpOrder;
int lp_order_find(const char *name); /* "srpt" ...; -1 when unknown */
const char *lp_order_name(LpOrder order);

/* Which orders a step is simulated with: an LpOrder, or LP_ORDER_COUNT + the index of a list of
 * priorities in the store. */
typedef struct LpOrders {
    uint32_t ops, flows;
} LpOrders;
#define LP_RULES_SRPT ((LpOrders){LP_ORDER_SRPT, LP_ORDER_SRPT})

typedef enum LpAnswerKind { LP_ANSWER_RUN, LP_ANSWER_DECLINE, LP_ANSWER_WAIT } LpAnswerKind;

enum { LP_WHY_TEXT = 200 };

/* Zero-initialise; {RUN, degree} is a complete answer, the engine's defaults do the rest. Pointers
 * are borrowed for the call. */
typedef struct LpAnswer {
    LpAnswerKind kind;
    LpCause cause;   /* DECLINE: DECLINED (default), or POLICY_ERROR */
    uint32_t degree; /* RUN: max degree, 0 declines; ignored with ways and for rigid jobs */
    bool has_plan;   /* `parallel` instead of a degree: of graphs with plans (model/split) */
    LpParallel parallel;
    const uint32_t *ways; /* per forward op in file order, or NULL */
    bool has_partition_kind;
    LpPartitionKind partition_kind;
    uint32_t servers;       /* chosen block size, 0: engine's first fit */
    const uint32_t *server; /* in block order */
    uint32_t slice; /* on a pod: row of the scenario's slices, from 1, of as many accelerators, on
                       which the job runs instead of the one that it asks for; 0: that */
    /* Whole placement: op i's part k runs on part_server[part_begin[i] + k]; NULL: by block. */
    const uint32_t *part_begin, *part_server;
    LpOrder order_ops, order_flows;
    /* Before the rule, a priority per part (in order of the partition, forward ops before
     * backward ones) and per flow (in order of lp_store_flows), finite; the greater goes first,
     * the rule orders equals. NULL: the rule alone. */
    const double *op_priority, *flow_priority;
    uint32_t op_priorities, flow_priorities;
    bool has_retry;
    double retry;      /* WAIT: s until the job is offered again; without it on completion */
    uint32_t fits;     /* WAIT: while no block of that size is free and some job runs, the
                          answer would be the same, so that it is not asked; 0: nothing of the kind */
    const char *why;   /* untrusted text, NULL: none; at most LP_WHY_TEXT - 1 bytes are kept */
    const char *where; /* "meets_deadline.lua:9", NULL: none */
} LpAnswer;

/* What a job does that a failure stopped, chosen by a policy. Zero-initialised but for the kind:
 * the engine chooses the rest. Pointers are borrowed for the call. */
typedef struct LpSwap {
    uint32_t from, to;
} LpSwap;
typedef struct LpRecovery {
    LpOnFailure kind;
    uint32_t slice;  /* SHRINK on pods: row of the scenario's slices, from 1; 0: the largest */
    uint32_t degree; /* SHRINK elsewhere; 0: the largest */
    uint32_t swaps;  /* SPARE: which cubes, elsewhere servers, for which; others: the lowest */
    const LpSwap *swap;
    const char *why, *where; /* as in LpAnswer */
} LpRecovery;

#endif
