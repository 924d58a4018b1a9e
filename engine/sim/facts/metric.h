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
      "memory and dependencies of the graphs before they are cut")

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
