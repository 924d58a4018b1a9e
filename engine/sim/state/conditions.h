/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may change under a running cluster: speed of the network, deadlines, load, broken servers
 * and light paths, one more job. Conditions live in the world image, so that clones, rewinds and
 * forks carry them; every cached step is keyed by those it depends on (sim/store/family.h).
 * Corrected semantics only. */
#ifndef LP_SIM_STATE_CONDITIONS_H
#define LP_SIM_STATE_CONDITIONS_H

#include "sim/state/state.h"

/* X(ID, "name", "what its value means", lowest, highest) - scales multiply the scenario's value,
 * 1 is as the scenario says; they replace the scale before, they do not add up. Numbers are in
 * logs: new rows go to the end. */
#define LP_CONDITION_TABLE(X)                                                                      \
    X(BANDWIDTH, "bandwidth", "times the scenario's bandwidth of the network", 1e-6, 1e6)          \
    X(LATENCY, "latency", "times the scenario's propagation and I/O latency", 0, 1e6)              \
    X(RECONFIGURATION, "reconfiguration", "times the scenario's delay of turning a light path", 0, \
      1e6)                                                                                         \
    X(DEADLINE, "deadline", "times the limit of jobs that arrive from now on", 1e-6, 1e6)          \
    X(RATE, "arrival_rate", "times as many arrivals per second from the next gap on", 1e-6, 1e6)   \
    X(FAIL_SERVER, "fail_server", "server that breaks now", 0, 4294967294.0)                       \
    X(REPAIR_SERVER, "repair_server", "server that works again", 0, 4294967294.0)                  \
    X(FAIL_CIRCUIT, "fail_circuit",                                                                \
      "two servers, as 3-7, whose light paths break; the ends of a "                               \
      "cable on a packet network",                                                                 \
      0, 4294967294.0)                                                                             \
    X(REPAIR_CIRCUIT, "repair_circuit", "two ends, as 3-7, that are joined again", 0,              \
      4294967294.0)                                                                                \
    X(EXTRA_JOB, "extra_job",                                                                      \
      "graph of one more job that arrives now, as alexnet, "                                       \
      "alexnet:100 (training steps) or alexnet:100:0.5 (and limit as max_jct_fraction)",           \
      0, 4294967294.0)                                                                             \
    X(WITHOUT_FAILURE, "without_failure",                                                          \
      "component whose next failure does not happen, as server:3; server:3:2 for its third", 0,    \
      4294967294.0)                                                                                \
    X(FAIL, "fail", "component that breaks now, as host:19 or switch:3", 0, 4294967294.0)          \
    X(REPAIR, "repair", "component broken by hand that works again, as host:19", 0, 4294967294.0)

typedef enum LpConditionKind {
#define X(id, name, meaning, low, high) LP_CONDITION_##id,
    LP_CONDITION_TABLE(X)
#undef X
        LP_CONDITION_COUNT
} LpConditionKind;

const char *lp_condition_name(LpConditionKind kind);
int lp_condition_find(const char *name); /* -1 when unknown */
bool lp_condition_is_failure(LpConditionKind kind);
bool lp_condition_is_repair(LpConditionKind kind);

/* One change. value as in the table; other only for circuits: their second end; steps and fraction
 * only for EXTRA_JOB (whole steps > 0; fraction of the sequential JCT, 0: no deadline); of
 * WITHOUT_FAILURE value is the component's index, steps its kind (LpOutageKind) and other the
 * number of the failure, negative: the next one; of FAIL and REPAIR likewise without a number. Ends
 * of circuits are numbers of servers, on a packet network of nodes: switches follow the servers. */
typedef struct LpCondition {
    LpConditionKind kind;
    uint32_t zero;
    double value, other;
    double steps, fraction;
} LpCondition;

/* Room for "server 3 breaks". */
enum { LP_CONDITION_TEXT = 200 };
/* A change as a sentence without a full stop, in the scenario's names. Returns buf. */
const char *lp_condition_text(const LpCondition *condition, const LpContext *context,
                              char buf[LP_CONDITION_TEXT]);

/* A change as it is typed: "bandwidth=0.5", "fail_circuit=3-7", "extra_job=alexnet:100:0.5".
 * Returns buf. */
const char *lp_condition_words(const LpCondition *condition, const LpContext *context,
                               char buf[LP_CONDITION_TEXT]);

/* The scales that a world has in force. */
typedef struct LpConditions {
    double bandwidth, latency, reconfiguration, deadline, rate;
} LpConditions;
LpConditions lp_world_conditions(const LpWorld *world);
/* Broken light paths or cables now. */
uint32_t lp_world_failed_circuits(const LpWorld *world);
/* What of all this is not as the scenario says, in few words: "bandwidth x0.5, 2 servers broken
 * (3, 7)"; "" when all is. Cut off at size. Returns buf. */
const char *lp_world_conditions_text(const LpWorld *world, char *buf, size_t size);

/* A change that was made: which event it caused, when, and how many running jobs it stopped. */
typedef struct LpChange {
    LpCondition condition;
    uint64_t serial;
    double time;
    uint64_t stopped;
    uint32_t due; /* job whose decision was due then, LP_NO_INDEX */
    uint32_t zero;
} LpChange;
/* All changes so far, oldest first; valid until the world changes. */
const LpChange *lp_world_changes(const LpWorld *world, uint32_t *count);
/* The one behind an event of kind LP_EVENT_CONDITION, NULL when there is none. O(log changes). */
const LpChange *lp_world_change_of(const LpWorld *world, uint64_t serial);

#endif
