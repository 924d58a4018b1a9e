/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of parts; private to many/. */
#ifndef LP_MANY_STUDY_SHARD_IMPL_H
#define LP_MANY_STUDY_SHARD_IMPL_H

#include "many/study/shard.h"

/* SHARDS_MAX: of one work; what is kept per shard is asked for by a number of a file. */
enum { LP_PART_FORMAT = 3, LP_SHARDS_MAX = 100000 };

/* Keys of the head that must be equal in all parts, in order. X("key", "what differs") */
#define LP_PART_KEYS(X)                                                                            \
    X("version", "they were made by different versions of lightpath")                              \
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
    X("variants", "the options --vary differ")

/* Numbers of a run that are written as they are counted. X(field of LpRun) */
#define LP_PART_COUNTS(X)                                                                          \
    X(summary.arrived)                                                                             \
    X(summary.completed)                                                                           \
    X(summary.blocked)                                                                             \
    X(summary.late)                                                                                \
    X(policy_errors)                                                                               \
    X(record.calls)                                                                                \
    X(record.failures)                                                                             \
    X(record.instructions)                                                                         \
    X(record.predictions)                                                                          \
    X(record.most_instructions)                                                                    \
    X(record.most_predictions)

#endif
