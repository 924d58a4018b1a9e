/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of metrics: statistics of a summary under one name, which the results of runs and
 * comparisons use alike, as JSON, CSV and text. What the published experiment reports of each run
 * is a list of its own (many/experiment/study.h). */
#ifndef LP_SIM_FACTS_METRIC_H
#define LP_SIM_FACTS_METRIC_H

#include "base/fact.h"
#include "sim/facts/metrics.h"

/* In the order of `run --json`. X(ID, "key of JSON and CSV", field of LpSummary, "heading",
 * dimension, meaning) */
#define LP_METRICS(X)                                                                              \
    X(ARRIVED, "arrived", arrived, "arrived", LP_DIM_NONE, "jobs that arrived")                    \
    X(COMPLETED, "completed", completed, "completed", LP_DIM_NONE, "jobs that completed")          \
    X(BLOCKED, "blocked", blocked, "blocked jobs", LP_DIM_NONE, "jobs that were turned away")      \
    X(UNFINISHED, "unfinished", unfinished, "unfinished", LP_DIM_NONE,                             \
      "jobs that still run or wait")                                                               \
    X(BLOCKING, "blocking_rate", blocking_rate, "blocked", LP_DIM_NONE, "blocked over arrived")    \
    X(UNSERVED, "unserved_rate", unserved_rate, "not served", LP_DIM_NONE,                         \
      "blocked, unfinished or aborted over arrived: all but the completed")                        \
    X(MEAN_JCT, "mean_jct", mean_jct, "mean JCT", LP_DIM_TIME, "mean of completed jobs")           \
    X(P50_JCT, "p50_jct", p50_jct, "median JCT", LP_DIM_TIME,                                      \
      "median of completed jobs (nearest rank)")                                                   \
    X(P95_JCT, "p95_jct", p95_jct, "p95 JCT", LP_DIM_TIME,                                         \
      "percentile 95 of completed jobs (nearest rank)")                                            \
    X(SPEEDUP, "mean_jct_speedup", mean_jct_speedup, "speed-up", LP_DIM_NONE,                      \
      "mean of sequential_jct over JCT, of completed jobs")                                        \
    X(WAIT, "mean_wait", mean_wait, "mean wait", LP_DIM_TIME,                                      \
      "mean of jobs that started (null where nobody could wait)")                                  \
    X(UTILISATION, "server_utilisation", server_utilisation, "utilisation", LP_DIM_NONE,           \
      "share of the time of all servers in which they compute")                                    \
    X(KERNELS, "kernel_utilisation", kernel_utilisation, "kernels", LP_DIM_NONE,                   \
      "the same in which they compute or their job communicates: kernels are resident")            \
    X(COMPUTE, "compute_throughput", compute_throughput, "computing", LP_DIM_BANDWIDTH,            \
      "memory that ops touch, activations and parameters (no arithmetic: the name is the "         \
      "published one)")                                                                            \
    X(DEPS, "dep_throughput", dep_throughput, "dependencies", LP_DIM_BANDWIDTH,                    \
      "dependencies between parts, on one server or not")                                          \
    X(FLOWS, "flow_throughput", flow_throughput, "flows", LP_DIM_BANDWIDTH,                        \
      "sent between servers, by flows and collectives")                                            \
    X(DEMAND, "demand_throughput", demand_throughput, "demand", LP_DIM_BANDWIDTH,                  \
      "memory and dependencies of the graphs before they are cut")                                 \
    X(P99_JCT, "p99_jct", p99_jct, "p99 JCT", LP_DIM_TIME,                                         \
      "percentile 99 of completed jobs (nearest rank)")                                            \
    X(LONGEST_JCT, "longest_jct", longest_jct, "longest JCT", LP_DIM_TIME,                         \
      "longest of completed jobs")                                                                 \
    X(P50_WAIT, "p50_wait", p50_wait, "median wait", LP_DIM_TIME, "median of jobs that started")   \
    X(P95_WAIT, "p95_wait", p95_wait, "p95 wait", LP_DIM_TIME,                                     \
      "percentile 95 of jobs that started")                                                        \
    X(P99_WAIT, "p99_wait", p99_wait, "p99 wait", LP_DIM_TIME,                                     \
      "percentile 99 of jobs that started")                                                        \
    X(MAX_WAIT, "max_wait", max_wait, "longest wait", LP_DIM_TIME, "longest of jobs that started") \
    X(MEAN_WAIT_ALL, "mean_wait_all", mean_wait_all, "mean wait of all", LP_DIM_TIME,              \
      "mean of jobs that started or waited, up to now where they still wait")                      \
    X(P50_WAIT_ALL, "p50_wait_all", p50_wait_all, "median wait of all", LP_DIM_TIME,               \
      "median of them")                                                                            \
    X(P95_WAIT_ALL, "p95_wait_all", p95_wait_all, "p95 wait of all", LP_DIM_TIME,                  \
      "percentile 95 of them")                                                                     \
    X(P99_WAIT_ALL, "p99_wait_all", p99_wait_all, "p99 wait of all", LP_DIM_TIME,                  \
      "percentile 99 of them")                                                                     \
    X(MAX_WAIT_ALL, "max_wait_all", max_wait_all, "longest wait of all", LP_DIM_TIME,              \
      "longest of them")                                                                           \
    X(STILL_WAITING, "still_waiting", still_waiting, "still waiting", LP_DIM_NONE,                 \
      "jobs in the queue at the end")                                                              \
    X(OLDEST, "oldest_waiting", oldest_waiting, "oldest waiting", LP_DIM_TIME,                     \
      "how long the one of them that waits longest has waited now")                                \
    X(MEAN_SLOWDOWN, "mean_slowdown", mean_slowdown, "slowdown", LP_DIM_NONE,                      \
      "mean bounded slowdown of completed jobs")                                                   \
    X(P95_SLOWDOWN, "p95_slowdown", p95_slowdown, "p95 slowdown", LP_DIM_NONE,                     \
      "percentile 95 of it")                                                                       \
    X(MAX_SLOWDOWN, "max_slowdown", max_slowdown, "largest slowdown", LP_DIM_NONE,                 \
      "largest of it")                                                                             \
    X(MEAN_SLOWDOWN_ALL, "mean_slowdown_all", mean_slowdown_all, "slowdown of all", LP_DIM_NONE,   \
      "the same mean with unfinished jobs up to now")                                              \
    X(JAIN, "jain_slowdown", jain_slowdown, "Jain's index", LP_DIM_NONE,                           \
      "Jain's index of slowdowns: 1 if all are slowed down alike")                                 \
    X(MAKESPAN, "makespan", makespan, "makespan", LP_DIM_TIME,                                     \
      "from the first arrival to the last end (null while a job is unfinished)")                   \
    X(OVERTAKINGS, "overtakings", overtakings, "overtakings", LP_DIM_NONE,                         \
      "pairs of jobs of which the later one started first")                                        \
    X(MAX_OVERTAKEN, "max_overtaken", max_overtaken, "most overtaken", LP_DIM_NONE,                \
      "how many later jobs started before one job, at most")                                       \
    X(MOST_OVERTAKEN, "most_overtaken", most_overtaken, "job overtaken most", LP_DIM_NONE,         \
      "the first job of which that is so")                                                         \
    X(MEAN_RHO, "mean_rho", mean_rho, "rho", LP_DIM_NONE,                                          \
      "mean finish-time fairness of completed jobs")                                               \
    X(MAX_RHO, "max_rho", max_rho, "largest rho", LP_DIM_NONE, "largest of it")                    \
    X(UNFAIR, "unfair", unfair, "unfair", LP_DIM_NONE,                                             \
      "share of completed jobs with a rho above 1")                                                \
    X(ALLOCATION, "allocation", allocation, "allocation", LP_DIM_NONE,                             \
      "share of the time of all servers for which jobs hold them")                                 \
    X(GOODPUT, "goodput", goodput, "goodput", LP_DIM_NONE,                                         \
      "share of the time of all servers that is work kept at the end")                             \
    X(MEAN_QUEUE, "mean_queue", mean_queue, "mean queue", LP_DIM_NONE,                             \
      "jobs that wait, mean over the time from the first arrival on")

typedef enum LpMetric {
#define X(id, key, field, heading, dim, meaning) LP_METRIC_##id,
    LP_METRICS(X)
#undef X
        LP_METRIC_COUNT
} LpMetric;

/* A row for each metric, of an LpSummary. */
extern const LpFacts lp_summary_facts;

const char *lp_metric_key(LpMetric metric);
const char *lp_metric_heading(LpMetric metric);
LpDimension lp_metric_dimension(LpMetric metric);
double lp_metric_value(const LpSummary *summary, LpMetric metric); /* NAN without data */
void lp_metric_set(LpSummary *summary, LpMetric metric, double value);

/* These metrics as members of the object that is open. */
void lp_summary_json(LpJsonOut *out, const LpSummary *summary, const LpMetric *metric,
                     size_t count);
/* "blocked_by": how many jobs each cause blocked, those that blocked none apart. */
void lp_summary_json_causes(LpJsonOut *out, const LpSummary *summary);

#endif
