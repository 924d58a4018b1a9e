/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision log: what was decided, when, and why, in one record format for every kind of
 * decision, so that a run can be replayed without asking a policy again. */
#ifndef LP_HISTORY_LOG_H
#define LP_HISTORY_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "model/answer.h"
#include "sim/action.h"
#include "sim/condition.h"

/* X(ID, "name"): numbers are never reused; unknown kinds are refused by name. Nothing writes
 * ALLOCATE any more, the row keeps its number. */
#define LP_RECORD_TABLE(X)                                                                         \
    X(PARTITION, "partition")                                                                      \
    X(PLACE, "place")                                                                              \
    X(ORDER_OPS, "order_ops")                                                                      \
    X(ALLOCATE, "allocate")                                                                        \
    X(ORDER_FLOWS, "order_flows")                                                                  \
    X(WAIT, "wait")                                                                                \
    X(DECLINE, "decline")                                                                          \
    X(ORDER_QUEUE, "order_queue")                                                                  \
    X(PREEMPT, "preempt")                                                                          \
    X(RESUME, "resume")                                                                            \
    X(MIGRATE, "migrate")                                                                          \
    X(RESIZE, "resize")                                                                            \
    X(CONFIGURE, "configure")                                                                      \
    X(REGROUP, "regroup")                                                                          \
    X(CONDITION, "condition")                                                                      \
    X(FAILURE, "failure")                                                                          \
    X(REPAIR, "repair")                                                                            \
    X(WAKE, "wake")                                                                                \
    X(MEMORY, "memory")                                                                            \
    X(RANDOM, "random")                                                                            \
    X(FINISH, "finish")                                                                            \
    X(ON_FAILURE, "on_failure")                                                                    \
    X(RANK, "rank")

typedef enum LpRecordKind {
#define X(id, name) LP_RECORD_##id,
    LP_RECORD_TABLE(X)
#undef X
        LP_RECORD_COUNT
} LpRecordKind;

const char *lp_record_name(LpRecordKind kind);
/* Errors: LP_EINVAL naming an unknown kind. */
LpErr lp_record_find(const char *name, LpRecordKind *out, LpDiag *diag) LP_MUST_USE;

/* Payload: plain numbers, the same layout for a kind in every version; a newer version may only
 * append. PARTITION: degree, partition kind (-1: the job's), number of ways, ways; of a
 * plan then its numbers (lp_parallel_numbers), those that matter.
 * PLACE: servers in block order; or -1, number of ops, parts of each, then a server per part;
 * or -2, row of the slice that is answered instead of the one asked for, then servers.
 * ORDER_*: rule number; or -1 less it, then the priorities that go before it. WAIT: retry seconds
 * or -1, then the servers that the job waits for, if it states them. RANK: its key in the queue,
 * and how the order binds (sim/queue/rank.h); without a job the latter alone, or two numbers of 32
 * bits, low half first: the hash of the policy that declares from now on, and all keys and needs
 * are forgotten. DECLINE: cause. ORDER_QUEUE: jobs. MIGRATE: servers. RESIZE: degree. WAKE: time.
 * PREEMPT, RESUME: nothing. MEMORY: bytes of the policy's data, then four bytes a number. RANDOM:
 * state of the policy's stream, eight numbers of 32 bits, low half first. FINISH: nothing; the run
 * was ended here. ON_FAILURE: number of the LpOnFailure, row of a slice, degree, then pairs from
 * and to. CONDITION, FAILURE, REPAIR: kind, value, other, steps, fraction of an LpCondition; the
 * subject is the job of its event. REGROUP: per link 1 for a server and its aggregator or 0 for two
 * ports, and the two. CONFIGURE: matchings, ports, holds, then each matching's outputs (-1: dark).
 * Records of one decision share event and subject; `event` is the number of events so far, so that
 * a record tells at which state of the world it was made. */
typedef struct LpRecord {
    double time;
    uint64_t event; /* serial of the event that asked */
    LpRecordKind kind;
    uint32_t subject; /* job id */
    uint32_t count;
    const double *payload;
    const char *why; /* "" when none */
} LpRecord;

/* What begins a PLACE of another slice. */
enum { LP_RECORD_SHAPE = -2 };

typedef struct LpLog LpLog;
typedef struct LpAnswerRoom LpAnswerRoom;
LpLog *lp_log_new(void);
void lp_log_free(LpLog *log);
/* Copies the record. Errors: LP_ENOMEM, LP_EINVAL for a kind out of range. */
LpErr lp_log_append(LpLog *log, const LpRecord *record, LpDiag *diag) LP_MUST_USE;
/* From now on records are judged and not kept: for runs that nobody replays. */
void lp_log_keep_nothing(LpLog *log);
size_t lp_log_count(const LpLog *log);
void lp_log_cut(LpLog *log, size_t count); /* forgets the records from `count` on */
const LpRecord *lp_log_at(const LpLog *log, size_t index);
uint64_t lp_log_hash(const LpLog *log);

/* Writes an action as one record. */
LpErr lp_log_action(LpLog *log, double time, uint64_t event, const LpAction *action,
                    LpDiag *diag) LP_MUST_USE;
/* Reads it back; the servers go into `room`. LP_EINVAL when the record is no action. */
LpErr lp_log_read_action(const LpLog *log, size_t index, LpAnswerRoom *room, LpAction *out,
                         LpDiag *diag) LP_MUST_USE;
/* Writes a schedule of circuits, and reads it back; the matchings go into `room`. */
LpErr lp_log_configure(LpLog *log, double time, uint64_t event, const LpSchedule *schedule,
                       const char *why, LpDiag *diag) LP_MUST_USE;
LpErr lp_log_read_configure(const LpLog *log, size_t index, LpAnswerRoom *room, LpSchedule *out,
                            LpDiag *diag) LP_MUST_USE;
/* Writes the order of a round of offers, or a policy's data. */
LpErr lp_log_order(LpLog *log, double time, uint64_t event, const uint32_t *jobs, uint32_t count,
                   const char *why, LpDiag *diag) LP_MUST_USE;
LpErr lp_log_memory(LpLog *log, double time, uint64_t event, const void *bytes, size_t len,
                    LpDiag *diag) LP_MUST_USE;
/* Writes the key of a job. */
LpErr lp_log_rank(LpLog *log, double time, uint64_t event, uint32_t job, double key, uint32_t rule,
                  LpDiag *diag) LP_MUST_USE;
/* Writes that all keys and needs are forgotten, and which policy declares them now. */
LpErr lp_log_forget_ranks(LpLog *log, double time, uint64_t event, uint64_t policy,
                          LpDiag *diag) LP_MUST_USE;
/* Writes how the order of the queue binds. */
LpErr lp_log_queue_rule(LpLog *log, double time, uint64_t event, uint32_t rule,
                        LpDiag *diag) LP_MUST_USE;
LpErr lp_log_random(LpLog *log, double time, uint64_t event, const LpRng *rng,
                    LpDiag *diag) LP_MUST_USE;
/* Writes a change of conditions, with a sentence; reads it back. LP_EINVAL when the record is none.
 */
LpErr lp_log_condition(LpLog *log, double time, uint64_t event, uint32_t job,
                       const LpCondition *condition, const char *why, LpDiag *diag) LP_MUST_USE;
LpErr lp_log_read_condition(const LpLog *log, size_t index, LpCondition *out,
                            LpDiag *diag) LP_MUST_USE;
/* Writes what a policy answered for a stopped job, and reads it back; the pairs go into `room`. */
LpErr lp_log_recovery(LpLog *log, double time, uint64_t event, uint32_t job,
                      const LpRecovery *recovery, LpDiag *diag) LP_MUST_USE;
LpErr lp_log_read_recovery(const LpLog *log, size_t index, LpAnswerRoom *room, LpRecovery *out,
                           LpDiag *diag) LP_MUST_USE;
size_t lp_log_bytes(const LpLog *log);

/* Writes an answer as its records (only what differs from the engine's defaults). `forward_ops`:
 * length of answer->ways and op lists. */
LpErr lp_log_answer(LpLog *log, double time, uint64_t event, uint32_t job, uint32_t forward_ops,
                    const LpAnswer *answer, LpDiag *diag) LP_MUST_USE;
/* Reads the answer back from record `index` on: *next is the first record after it. Pointers go
 * into the log or into `room` (reused between calls). */
LpAnswerRoom *lp_answer_room_new(void);
void lp_answer_room_free(LpAnswerRoom *room);
LpErr lp_log_read_answer(const LpLog *log, size_t index, LpAnswerRoom *room, LpAnswer *out,
                         uint32_t *job, size_t *next, LpDiag *diag) LP_MUST_USE;

#endif
