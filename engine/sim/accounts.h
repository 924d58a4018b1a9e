/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of held servers went, on every fabric, and what failures did to a run. */
#ifndef LP_SIM_ACCOUNTS_H
#define LP_SIM_ACCOUNTS_H

#include "base/json_out.h"
#include "sim/context.h"
#include "sim/state/state.h"

/* X(field, "word for people"): s of one job, or server-seconds of all. Their sum is `held`. */
#define LP_ACCOUNTS(X)                                                                             \
    X(useful, "useful")           /* work that is kept, or not lost yet */                         \
    X(lost, "lost with failures") /* work that is done again, or was given up */                   \
    X(checkpoint, "checkpoints")  /* writing them, broken-off ones too */                          \
    X(restart, "restarts")        /* reading a checkpoint, or what the scenario says it costs */   \
    X(settle, "settling")         /* circuits that are being set */                                \
    X(slow, "slowed down")        /* longer than alone on the same network, or with all light */   \
    X(stalled, "standing still")  /* without light, or until what broke was mended */
typedef struct LpAccounts {
#define X(field, word) double field;
    LP_ACCOUNTS(X)
#undef X
    double held;
    double held_up; /* of stalled: until what broke was mended */
} LpAccounts;

/* Of one job, s: what it held its servers for up to now. O(1). */
LpAccounts lp_job_accounts(const LpWorld *world, const LpContext *context, const LpJob *job);
/* Adds those of a job with so many servers. */
void lp_accounts_add(LpAccounts *sum, const LpAccounts *of, double servers);

/* Components of one kind. */
typedef struct LpKindFailures {
    uint64_t failures, repairs;
    double down; /* s of all components of the kind so far */
} LpKindFailures;

typedef struct LpFailureSummary {
    LpKindFailures kind[LP_OUTAGE_COUNT];
    uint64_t stops, aborted; /* times that jobs were stopped; jobs given up */
    LpAccounts accounts;     /* server-seconds */
    double area;             /* of all servers so far */
} LpFailureSummary;
/* Errors: LP_ENOMEM. O(jobs + failures). */
LpErr lp_failures_summary(const LpWorld *world, const LpContext *context, LpFailureSummary *out,
                          LpDiag *diag) LP_MUST_USE;

/* ---- the account of a job's time: from its arrival to its end (or now), part by part ---- */

/* X(ID, "name in JSON", "words for people"). The parts from COMPUTING to TURNING are those of a
 * step: useful time is shared among them as one step of the job alone is. */
#define LP_TIME_PARTS(X)                                                                           \
    X(WAIT, "wait", "waiting")                                                                     \
    X(PREEMPTED, "preempted", "put aside")                                                         \
    X(REQUEUED, "requeued", "waiting after a failure")                                             \
    X(COMPUTING, "computing", "computing")                                                         \
    X(SERVER, "server", "behind its own ops")                                                      \
    X(SENDING, "sending", "data on the way")                                                       \
    X(COLLECTIVE, "collective", "collectives")                                                     \
    X(BUBBLE, "bubble", "waiting for stages")                                                      \
    X(CIRCUIT, "circuit", "behind its own light")                                                  \
    X(TURNING, "turning", "light turning in steps")                                                \
    X(SLOW, "slow", "slowed by sharing")                                                           \
    X(SETTLING, "settling", "circuits being set")                                                  \
    X(DARK, "dark", "without light")                                                               \
    X(CHECKPOINT, "checkpoint", "writing checkpoints")                                             \
    X(RESTART, "restart", "reading its checkpoint")                                                \
    X(LOST, "lost", "work lost")                                                                   \
    X(HELD, "held", "standing still until mended")

typedef enum LpTimePart {
#define X(id, name, words) LP_TIME_##id,
    LP_TIME_PARTS(X)
#undef X
        LP_TIME_COUNT
} LpTimePart;

const char *lp_time_name(LpTimePart part);
const char *lp_time_words(LpTimePart part);

/* The parts of one step of a job alone on its network, each 0..1, in all 1; the others are 0. Each
 * moment of a step belongs to the task of the critical path that runs then; where the next task on
 * the path did not need its result but only its server or light path, the moment is contention. A
 * plan has no such path: its servers compute, wait for light that turns, send what nothing hides
 * (collective), and the rest is bubble, means over its stages. Published semantics: as simulated,
 * tick by tick. All of a rigid job's time, and of one that never had servers, is computing.
 * Errors: LP_ENOMEM; those of lp_step_run. Simulates a step. */
LpErr lp_time_shares(const LpContext *context, const LpJob *job, double share[LP_TIME_COUNT],
                     LpDiag *diag) LP_MUST_USE;

typedef struct LpJobTime {
    double part[LP_TIME_COUNT]; /* s */
    double length; /* s from the arrival to the end of the job, to when it was turned away or given
                      up, or to now: the sum of the parts */
} LpJobTime;

/* shares: of the job (lp_time_shares). O(1). */
LpJobTime lp_job_time(const LpWorld *world, const LpContext *context, const LpJob *job,
                      const double share[LP_TIME_COUNT]);
/* The member `account` of a JSON object: every part, s; parts of 0 are left out. */
void lp_job_time_json(LpJsonOut *out, const LpJobTime *time);

#endif
