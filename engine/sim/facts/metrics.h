/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries of a world: what `run --json` prints and the ledger shows. */
#ifndef LP_SIM_FACTS_METRICS_H
#define LP_SIM_FACTS_METRICS_H

#include "sim/context.h"
#include "sim/state/state.h"

/* A statistic without data is NAN and prints as null. Rates are per second. */
typedef struct LpSummary {
    /* What all means over time are over, s (docs/semantics.md, "The window"): empty unless from <
     * until, and NAN where no job ran. */
    double from, until;
    bool windowed; /* the scenario measures a window: only jobs that arrived in it are counted */
    /* Counts of jobs; aborted: given up after a failure. */
    uint64_t arrived, completed, blocked, unfinished, aborted;
    /* Completed, yet later than the limit from arrival allows: where published rules compare the
     * forecast alone with it, whatever was waited (Q17). */
    uint64_t late;
    uint64_t blocked_by[LP_CAUSE_COUNT];
    /* What each means is told at LP_METRICS. */
    double blocking_rate, unserved_rate;
    double mean_jct, p50_jct, p95_jct, p99_jct, longest_jct, mean_jct_speedup;
    /* Of those that started; of all that started or waited, as far as it is known. */
    double mean_wait, p50_wait, p95_wait, p99_wait, max_wait;
    double mean_wait_all, p50_wait_all, p95_wait_all, p99_wait_all, max_wait_all;
    uint64_t still_waiting;
    double oldest_waiting;
    uint64_t never_started; /* of the unfinished */
    uint64_t waiters;       /* jobs in mean_wait_all */
    double mean_slowdown, p95_slowdown, max_slowdown, mean_slowdown_all, jain_slowdown;
    double makespan;
    uint64_t overtakings, max_overtaken;
    double most_overtaken; /* number of the first job that has max_overtaken; NAN: nobody was */
    double oldest_job;     /* number of the job that waits longest now; NAN: none waits */
    double mean_rho, max_rho, unfair;
    double allocation, goodput;
    double mean_queue;
    uint64_t peak_waiting, peak_servers; /* most jobs waiting, and what they asked for */
    double peak_time;                    /* s; NAN: nobody waited */
    double server_utilisation, kernel_utilisation;
    double compute_throughput, dep_throughput, flow_throughput, demand_throughput;
} LpSummary;

/* Share of the jobs that were not served by their true deadline, arrival + limit: blocked,
 * unfinished, aborted, or late. NAN without jobs. */
double lp_summary_lost(const LpSummary *summary);

/* All but rho, which is NAN. O(jobs log jobs). */
LpErr lp_metrics_summary(const LpWorld *world, const LpContext *context, LpSummary *out,
                         LpDiag *diag) LP_MUST_USE;
/* The same from a standing of the world (sim/facts/standing.h), with rho if that has it. */
struct LpStanding;
LpErr lp_metrics_of(const LpWorld *world, const LpContext *context,
                    const struct LpStanding *standing, LpSummary *out, LpDiag *diag) LP_MUST_USE;
/* The nearest rank of p per cent; NAN without values, which change their order. */
double lp_metrics_rank(double *value, uint64_t count, uint64_t percent);

/* blocking_rate of the summary alone. O(1), with a measure window O(jobs). */
double lp_metrics_blocking(const LpWorld *world, const LpContext *context);

/* One published statistic (semantics 9.5): a number or a list. */
typedef struct LpStatistic {
    const char *name;
    bool is_list;
    double value;
    uint32_t count;
    const double *values; /* owned by the table */
} LpStatistic;

typedef struct LpStatistics {
    uint32_t count;
    LpStatistic *item;
    LpArena *arena;
} LpStatistics;

/* Every statistic of semantics 9.5 under its published name. Owned by the caller. */
LpErr lp_metrics_published(const LpWorld *world, const LpContext *context, LpStatistics *out,
                           LpDiag *diag) LP_MUST_USE;
void lp_statistics_fini(LpStatistics *statistics);

/* Fraction of arrived (or, completed_only, of completed) jobs done within x: writes up to `room`
 * completion times ascending; returns how many completed. The curve's step i is (i + 1) / base. */
uint32_t lp_metrics_jcts(const LpWorld *world, double *out, uint32_t room);

#endif
