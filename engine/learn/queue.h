/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The encoding "queue": what a network sees that lets jobs wait. Nothing in it depends on how many
 * servers, jobs or degrees a scenario has: sizes are shares of the cluster, times are told by the
 * job's own or by the time between arrivals, and those who wait or run are told by sums and ranks.
 *
 * With T the mean time between arrivals, N the cluster's servers, and for each degree d of the
 * ladder the time t_d that the job's remaining steps take on an empty cluster (one forecast per
 * graph and degree, remembered) and its work w_d, t_d times the servers: a degree is in time if now
 * + t_d is not after the true deadline, arrival + limit, however long the job has waited. `work` is
 * the least w_d in time (the least of all where none is), `time` its t_d; for a running job they
 * are what is left of it.
 *   l(x) = log2(x) / 8, cut to -1..1     s(x) = x / (1 + x)
 *
 * Of a job with plans the r-th rung is the r-th plan of its graph (sim/forecast.h), and its ways
 * are the plan's servers; what is said of degrees here holds for plans.
 *
 * Actions: 0 declines, 1 + r k + i answers rung r of the ladder and places by rule i of k, the last
 * one lets the job wait. A degree is open where it can be placed now (lp_world_ways) and is in
 * time; waiting where there is room in the queue and some degree is in time; declining but for a
 * job that was stopped, which the engine keeps. Where nothing else is open declining, or waiting,
 * is. */
#ifndef LP_LEARN_QUEUE_H
#define LP_LEARN_QUEUE_H

#include "learn/observe.h"

/* Features of the job, the queue and the cluster: X("name", "what it is"). */
#define LP_QUEUE_COMMON(X)                                                                         \
    X("work", "l(work / (N T)): its server-seconds by those that one arrival brings")              \
    X("work share", "s(work / (N T))")                                                             \
    X("urgency", "time / time left to the true deadline, cut to 0..1.5; 0 without one")            \
    X("urgency, fastest", "likewise with the fastest degree")                                      \
    X("limit left", "time left to the deadline / limit; 1 without one")                            \
    X("slack", "l(time left to the deadline / unsplit time of what is left); 1 without one")       \
    X("servers wanted", "servers of the degree with the least work / N")                           \
    X("splitting costs", "l(work / unsplit time of what is left)")                                 \
    X("hopeless", "is no degree in time?")                                                         \
    X("runs", "does it run?")                                                                      \
    X("has waited", "was it offered before?")                                                      \
    X("stopped before", "s(times that it was stopped / 4)")                                        \
    X("done", "share of its steps that are done")                                                  \
    X("free servers", "free servers / N")                                                          \
    X("queue", "waiting jobs / room in the queue, at most 1")                                      \
    X("running jobs", "running jobs / N")                                                          \
    X("free in 1 arrival", "servers that running jobs give back within T / N")                     \
    X("free in 4 arrivals", "likewise within 4 T")                                                 \
    X("free in 16 arrivals", "likewise within 16 T")                                               \
    X("queued work", "l(sum of the work of others that wait / (N T)); -1 for none")                \
    X("queue urgency", "mean urgency of others that wait")                                         \
    X("less work waits", "share of others that wait that have less work; 0 for none")              \
    X("earlier limits wait", "share of others that wait with earlier deadlines; 0 for none")       \
    X("work by the mean", "l(work / mean work of others that wait or run); 0 for none")            \
    X("load", "l(mean unsplit work of a graph's jobs / (N T))")                                    \
    X("next end", "s(time until the next running job ends / T); 1 for none")

/* Of an action; all but the first three are 0 for waiting and declining. */
#define LP_QUEUE_OWN(X)                                                                            \
    X("starts", "does the action start the job?")                                                  \
    X("waits", "does it let it wait?")                                                             \
    X("declines", "does it decline it?")                                                           \
    X("more work", "l(w_d / work)")                                                                \
    X("of the time", "t_d / time left to the deadline, cut to 0..1.5; 0 without one")              \
    X("of the cluster", "servers / N")                                                             \
    X("of what is free", "servers / free servers, at most 1")                                      \
    X("in time", "is it in time?")                                                                 \
    X("ways", "log2(d) / 8")                                                                       \
    X("lasts", "l(t_d / T)")                                                                       \
    X("engine places", "does the rule engine place it?")                                           \
    X("first_fit places", "does first_fit?")                                                       \
    X("best_fit places", "does best_fit?")

#define LP_QUEUE_ONE(name, doc) +1
enum {
    LP_QUEUE_LADDER = 16, /* 1, 2, 3, 4, 6, 8, 12, 16, 24 ... 256 ways */
    LP_QUEUE_COMMONS = 0 LP_QUEUE_COMMON(LP_QUEUE_ONE),
    LP_QUEUE_OWNS = 0 LP_QUEUE_OWN(LP_QUEUE_ONE),
    LP_QUEUE_RUNS = 9,    /* which of the common ones says that a job runs */
    LP_QUEUE_IN_TIME = 7, /* which of an action's says that it is in time */
    LP_QUEUE_HOPELESS = 8
};

uint32_t lp_queue_degree(uint32_t rung); /* < LP_QUEUE_LADDER */

/* The common numbers of jobs that wait, run or are due, LP_QUEUE_COMMONS each, one job after the
 * other; an observer of this encoding. Rigid jobs are allowed. Errors: LP_ENOMEM. O(count *
 * (waiting
 * + running)). */
LpErr lp_observe_jobs(const LpObserver *observer, const LpContext *context, const LpWorld *world,
                      const uint32_t *jobs, uint32_t count, double *out, LpDiag *diag) LP_MUST_USE;

#endif
