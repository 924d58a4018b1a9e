/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The account of a job's time: from its arrival to its end (or now), part by part. */
#ifndef LP_SIM_ACCOUNT_JOB_TIME_H
#define LP_SIM_ACCOUNT_JOB_TIME_H

#include "base/json_out.h"
#include "sim/account/accounts.h"

/* X(ID, "name in JSON", "words for people"). The parts from COMPUTING to TURNING are those of a
 * step: useful time is shared among them as one step of the job alone is, that of each stretch as
 * the step of the plan that it had then. */
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

typedef struct LpJobTime {
    double part[LP_TIME_COUNT]; /* s */
    double length; /* s from the arrival to the end of the job, to when it was turned away or given
                      up, or to now: the sum of the parts */
} LpJobTime;

/* What one step is spent on, worked out once for each step of a store. Zero-initialise. */
typedef struct LpTimeBook {
    struct LpStepShares *step;
    size_t cap;
} LpTimeBook;
void lp_time_book_fini(LpTimeBook *book);

/* Each moment of a step belongs to the task of the critical path that runs then; where the next
 * task on the path did not need its result but only its server or light path, the moment is
 * contention. A plan has no such path: its servers compute, wait for light that turns, send what
 * nothing hides (collective), and the rest is bubble, means over its stages. Published semantics:
 * as simulated, tick by tick. All of a rigid job's useful time is computing. What a failure took is
 * out of the stretch that it was in. book: of the same store, NULL: none. Errors: LP_ENOMEM; those
 * of lp_step_run. O(changes of plan); simulates each step that the book does not know. */
LpErr lp_job_time(const LpWorld *world, const LpContext *context, const LpJob *job,
                  LpTimeBook *book, LpJobTime *out, LpDiag *diag) LP_MUST_USE;
/* The member `account` of a JSON object, s: wait, preempted, computing and lost always, of the
 * other parts those that are not 0. */
void lp_job_time_json(LpJsonOut *out, const LpJobTime *time);

#endif
