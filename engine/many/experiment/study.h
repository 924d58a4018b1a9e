/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study of the experiment came to, read back from its JSON: means with intervals by agent
 * and point, and what they say. */
#ifndef LP_MANY_EXPERIMENT_STUDY_H
#define LP_MANY_EXPERIMENT_STUDY_H

#include "base/mem.h"
#include "many/experiment/experiment.h"
#include "many/study/paired.h"

/* Each under the name that it has elsewhere: the first four are those of `run --json`, `compare`
 * and the others. Throughputs are sums of those. X(ID, "key", "heading", "unit") */
#define LP_STUDY_METRICS(X)                                                                        \
    X(BLOCKING, "blocking_rate", "blocking rate", "%")                                             \
    X(UNSERVED, "unserved_rate", "jobs not served", "%")                                           \
    X(LOST, "lost_rate", "jobs lost", "%")                                                         \
    X(JCT, "mean_jct", "mean JCT", "s")                                                            \
    X(OFFERED, "offered_throughput", "offered throughput", "B/s")                                  \
    X(CLUSTER, "cluster_throughput", "cluster throughput", "B/s")

typedef enum LpStudyMetric {
#define X(id, key, heading, unit) LP_STUDY_METRIC_##id,
    LP_STUDY_METRICS(X)
#undef X
        LP_STUDY_METRIC_COUNT,
    LP_STUDY_GAP = LP_STUDY_METRIC_COUNT, /* jobs lost less the bound: of no run alone */
    LP_STUDY_SHOWN
} LpStudyMetric;

/* Is it a share, which texts print with four digits? */
static inline bool lp_study_metric_is_rate(LpStudyMetric metric) {
    return metric <= LP_STUDY_METRIC_LOST || metric == LP_STUDY_GAP;
}
/* < LP_STUDY_SHOWN */
const char *lp_study_metric_key(LpStudyMetric metric);
const char *lp_study_metric_heading(LpStudyMetric metric);
const char *lp_study_metric_unit(LpStudyMetric metric);

enum { LP_STUDY_POINTS = 64, LP_STUDY_AGENTS = 52 }; /* an agent has a letter */

typedef struct LpStudyPoint {
    char label[24];      /* "A", "1000 s" */
    double interarrival; /* s */
} LpStudyPoint;

/* Points of one distribution of deadlines are in ascending order of their times. */
typedef struct LpStudyData {
    LpArena *arena;
    LpStudy study;
    const char *profiles;           /* folder of the profiles, NULL: models of the zoo */
    uint32_t points, agents, seeds; /* seeds: most of any mean */
    LpStudyPoint point[LP_STUDY_POINTS];
    bool bounded; /* was it made with bounds? */
    double
        bound[LP_STUDY_POINTS]; /* least share of lost jobs that any agent here could have; NAN */
    const char *agent[LP_STUDY_AGENTS]; /* names */
    LpEstimate *value;                  /* see lp_study_at */
} LpStudyData;

/* n 0 and NAN where there is none. */
static inline const LpEstimate *lp_study_at(const LpStudyData *data, LpStudyMetric metric,
                                            uint32_t point, uint32_t agent) {
    return &data->value[((uint32_t)metric * data->points + point) * data->agents + agent];
}

/* From the text that lp_experiment_json wrote; `name` is what messages call it. Errors: LP_EPARSE,
 * LP_EINVAL (also what was written before unserved_rate had its name: blocking_rate meant it),
 * LP_ERANGE, LP_ELIMIT at name:line:col; LP_ENOMEM. Free in any case but an error. */
LpErr lp_study_parse(const char *name, const char *text, size_t len, LpStudyData *out,
                     LpDiag *diag) LP_MUST_USE;
/* From a file. Errors also those of lp_file_read. */
LpErr lp_study_load(const char *path, LpStudyData *out, LpDiag *diag) LP_MUST_USE;
/* Of an experiment that was just made. */
LpErr lp_study_of(const LpExperiment *experiment, LpStudyData *out, LpDiag *diag) LP_MUST_USE;
void lp_study_fini(LpStudyData *data);

/* A metric of a study as a Markdown table: a row for each agent, a column for each point, means
 * with the half widths of their 95 % intervals. Of the jobs lost also the bounds, if there are any.
 */
LpErr lp_experiment_markdown(const LpExperiment *experiment, LpStudyMetric metric, LpBuf *out,
                             LpDiag *diag) LP_MUST_USE;
/* < LP_STUDY_METRIC_COUNT; -1: none has that key. */
int lp_study_metric_find(const char *key);

/* How many metrics there are to show: those of every study, and with bounds the gap to them. */
static inline uint32_t lp_study_metrics(const LpStudyData *data) {
    return data->bounded ? LP_STUDY_SHOWN : LP_STUDY_METRIC_COUNT;
}

/* Has it an axis of times between arrivals? The others have letters of distributions. */
bool lp_study_has_axis(const LpStudyData *data);
/* The mean between two points, in proportion to the logarithm of the time; NAN outside, and beside
 * a point without a mean. O(points). */
double lp_study_between(const LpStudyData *data, LpStudyMetric metric, uint32_t agent, double time);
/* The bound likewise. */
double lp_study_bound_between(const LpStudyData *data, double time);

/* From `time` on `agent` has the least. */
typedef struct LpStudyLead {
    double time, value;
    uint32_t agent;
} LpStudyLead;
enum { LP_STUDY_LEADS = 32 };
/* Who has the least of a metric, and where the curves cross so that it becomes another: the first
 * lead is at the first point. Points where an agent has no mean are passed for it. Returns how
 * many, at most LP_STUDY_LEADS. O(points agents^2). */
uint32_t lp_study_leads(const LpStudyData *data, LpStudyMetric metric,
                        LpStudyLead out[LP_STUDY_LEADS]);
/* What it shows in a sentence: load: who blocks least where; metric: that the agent with the best
 * mean JCT blocks most, at the point where that costs most; "" for the others. */
void lp_study_tell(const LpStudyData *data, LpBuf *out);

#endif
