/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of parts; private to many/results. */
#ifndef LP_MANY_RESULTS_PART_IMPL_H
#define LP_MANY_RESULTS_PART_IMPL_H

#include "base/hash.h"
#include "many/results/part.h"

/* SHARDS_MAX: of one work; what is kept per shard is asked for by a number of a file. */
enum { LP_PART_FORMAT = 4, LP_SHARDS_MAX = 100000 };

/* How a line ends: ,"check":"0123456789abcdef"} with the hash of all that stands before it. */
#define LP_PART_CHECK ",\"check\":\""
enum { LP_PART_TAIL = sizeof LP_PART_CHECK - 1 + LP_HASH_HEX - 1 + 2 };

/* Keys of the head that must be equal in all parts, in order. X("key", "what differs") */
#define LP_PART_KEYS(X)                                                                            \
    X("version", "they were made by different versions of lightpath")                              \
    X("build", "they were made by builds of lightpath from different sources")                     \
    X("work", "the commands differ")                                                               \
    X("scenario", "the scenarios differ")                                                          \
    X("inputs", "the scenario, or a graph of it, had other contents")                              \
    X("set", "the options --set differ")                                                           \
    X("param", "the options --param differ")                                                       \
    X("until", "the options --until differ")                                                       \
    X("seeds", "the seeds differ")                                                                 \
    X("policies", "the policies differ")                                                           \
    X("policy_hash", "a policy, or a file that it requires, had other contents")                   \
    X("vary", "the options --vary differ")                                                         \
    X("units", "the options --vary differ")                                                        \
    X("variants", "the options --vary, or the points of the experiment, differ")

/* Numbers of a run that are written as they are counted. X(field of LpRun) */
#define LP_PART_COUNTS(X)                                                                          \
    X(summary.arrived)                                                                             \
    X(summary.completed)                                                                           \
    X(summary.blocked)                                                                             \
    X(summary.late)                                                                                \
    X(policy_errors)                                                                               \
    X(preemptions)                                                                                 \
    X(record.calls)                                                                                \
    X(record.failures)                                                                             \
    X(record.instructions)                                                                         \
    X(record.predictions)                                                                          \
    X(record.most_instructions)                                                                    \
    X(record.most_predictions)

/* What the published experiment tells of runs and metrics of batches leave out. X(field of
 * LpSummary) */
#define LP_PART_NUMBERS(X)                                                                         \
    X(compute_throughput)                                                                          \
    X(dep_throughput)                                                                              \
    X(demand_throughput)

/* Appends the head; the line of a run that was made; the end, with the number of runs before it. */
void lp_part_put_head(const LpPartSpec *part, const LpBatch *batch, LpBuf *out);
void lp_part_put_run(const LpRun *run, uint32_t variant, uint32_t seed, LpBuf *out);
void lp_part_put_end(uint32_t runs, LpBuf *out);

/* Says what the heads of two parts, as JSON lines, disagree on first; nothing where they do not.
 * "shard" is not looked at. Errors: LP_EPARSE where one is none; LP_ENOMEM. */
LpErr lp_part_difference(const char *one, const char *other, LpBuf *out) LP_MUST_USE;

#endif
