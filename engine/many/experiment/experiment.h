/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published experiment (PAC-ML: Parsonson et al., arXiv 2301.13799) as studies: agents times
 * points times seeds, beside the numbers that were published. */
#ifndef LP_MANY_EXPERIMENT_EXPERIMENT_H
#define LP_MANY_EXPERIMENT_EXPERIMENT_H

#include "base/str.h"
#include "many/bound/bound.h"
#include "many/results/results.h"

/* X(ID, "name", "what it shows") */
#define LP_STUDIES(X)                                                                              \
    X(TABLE, "table", "blocking rate of each agent under the four distributions of deadlines")     \
    X(IDEAL, "ideal", "the same where any free servers do: what placement costs, and a bound")     \
    X(LOAD, "load", "blocking rate by time between arrivals (profiles: at 3.125 GB/s a server)")   \
    X(METRIC, "metric", "JCT and blocking by time between arrivals, without deadlines")

typedef enum LpStudy {
#define X(id, name, doc) LP_STUDY_##id,
    LP_STUDIES(X)
#undef X
        LP_STUDY_COUNT
} LpStudy;

const char *lp_study_name(LpStudy study);
const char *lp_study_doc(LpStudy study);
int lp_study_find(const char *name); /* -1: none */

/* One column of a study. */
typedef struct LpPoint {
    char label[16];      /* "A", "1000 s" */
    int beta;            /* 0..3: distribution of deadlines; -1: none */
    double interarrival; /* s, of the published workload */
    double bandwidth;    /* bytes/s */
    bool ideal;          /* any servers will do */
} LpPoint;

/* Agents: policies with parameters, by short names. */
typedef struct LpAgent {
    const char *name;   /* "max" */
    const char *policy; /* "max_parallelism.lua" */
    const char *param;  /* "max_degree=4", "k=v,k=v"; NULL: none */
    const char *doc;
} LpAgent;

/* Table of the agents that have names. */
const LpAgent *lp_agents(size_t *count);

/* X(BIT, "word", "what an agent did in its runs") */
#define LP_ACTS(X)                                                                                 \
    X(REFUSE, "refuse", "declined jobs")                                                           \
    X(DEGREE, "degree", "split jobs in more than one number of ways")                              \
    X(PLACE, "place", "its policy chooses the servers (hook place)")                               \
    X(QUEUE, "queue", "let jobs wait that were served later")                                      \
    X(PREEMPT, "preempt", "stopped, moved or resized running jobs")
typedef enum LpAct {
#define X(id, word, doc) LP_ACT_##id,
    LP_ACTS(X)
#undef X
        LP_ACT_COUNT
} LpAct;
const char *lp_act_word(LpAct act);

/* A number that somebody else published or measured. */
typedef struct LpReference {
    const char *agent;
    LpStudy study;
    double value[4]; /* for the distributions A to D, NAN: none */
    const char *source;
    bool one_seed; /* of one drawn distribution: with skewed ones the draw counts */
} LpReference;
const LpReference *lp_references(size_t *count);

enum { LP_POINTS_MAX = 16 };

/* How a study is kept in a file (many/results/results.h), and what it says it comes from. */
typedef struct LpExperimentKeep {
    uint32_t words; /* of the command, as in LpProvenance */
    const char *const *word;
    const char *file; /* NULL: none */
    bool resume;
    uint32_t shard, shards; /* as in LpBatchSpec: of a share nothing but its runs is worked out */
    /* Called with how many runs were there, and how many lines were damaged. */
    void (*opened)(void *user, uint32_t found, uint32_t damaged);
} LpExperimentKeep;

typedef struct LpExperimentSpec {
    LpStudy study;
    const char *profiles;     /* folder of the five PipeDream profiles; NULL: models of the zoo */
    uint32_t agents;          /* 0: those of the study */
    const char *const *agent; /* names, "FILE.lua:k=v,k=v", "FILE.json" */
    const char *betas;        /* such as "AD"; NULL: all, or A in studies of the load */
    uint32_t seeds;
    const uint64_t *seed;
    uint32_t sets;
    const char *const *set; /* overrides, after all others */
    bool bound;             /* also what no policy can beat */
    bool tune;              /* also an agent "tuned": at each point the best of a search (tune.c) */
    double until;           /* s; <= 0: 1e6 */
    const LpDebugLog *log;  /* as in LpSessionSpec */
    unsigned threads;
    bool (*progress)(void *user, size_t done, size_t count);
    bool (*cancelled)(void *user);
    void *user;
    LpExperimentKeep keep;
} LpExperimentSpec;

typedef struct LpExperiment {
    LpArena *arena;
    LpStudy study;
    const char *profiles; /* NULL: the zoo */
    uint32_t points, agents;
    LpPoint point[LP_POINTS_MAX];
    LpVariant *agent;   /* label, policy, params */
    LpVariant *variant; /* point * agents + agent */
    LpBatch batch;
    const struct LpTuned *tuned;     /* [point], of the agent "tuned", the last one; NULL: none */
    const struct LpNearest *nearest; /* [point * agents + agent]; NULL: no agent is a network */
    const char *provenance;          /* as JSON */
    LpBound *bound; /* [point * seeds + seed index]; NULL: not asked for, or interrupted */
} LpExperiment;

/* What a search over rules and their parameters came to at one point. */
typedef struct LpTuned {
    const char *label; /* "least_fragmenting.lua:prefer=8" */
    double lost;       /* share of jobs on the training seeds that chose between the last ones */
    uint32_t tried;    /* rules with parameters that were looked at */
} LpTuned;

/* The rule that a network decides most like: both are asked at every decision of the network's run
 * with the first seed. */
typedef struct LpNearest {
    const char *rule; /* name of an agent; NULL: the agent is no network */
    double share;     /* of decisions with the same degree and servers, or both refusing */
} LpNearest;

/* The scenario of one point as JSON text. profiles as in the spec. */
void lp_experiment_scenario(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out);
/* The scenario of one point with the overrides of the spec, then as one line, as it would be run.
 * Errors: LP_EINVAL, LP_EPARSE for an override. */
LpErr lp_experiment_print(const LpExperimentSpec *spec, const LpPoint *point, LpBuf *out,
                          LpDiag *diag) LP_MUST_USE;
/* Points of the study. Errors: LP_EINVAL for a distribution that is none of A to D. */
LpErr lp_experiment_points(const LpExperimentSpec *spec, LpPoint out[LP_POINTS_MAX],
                           uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* Runs it. Errors: LP_EINVAL for what the spec says wrongly, LP_EIO for profiles that are missing,
 * those of the runs; LP_ENOMEM. *began as in lp_batch_run. */
LpErr lp_experiment_run(const LpExperimentSpec *spec, LpExperiment *out, bool *began,
                        LpDiag *diag) LP_MUST_USE;
void lp_experiment_fini(LpExperiment *experiment);

static inline const LpRun *lp_experiment_at(const LpExperiment *e, uint32_t point, uint32_t agent,
                                            uint32_t seed) {
    return lp_batch_at(&e->batch, point * e->agents + agent, seed);
}

/* Outputs: one JSON object with every run, every mean and its references (study.h reads them back);
 * a line per run; tables for people. */
LpErr lp_experiment_json(const LpExperiment *experiment, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_experiment_csv(const LpExperiment *experiment, bool raw, LpBuf *out,
                        LpDiag *diag) LP_MUST_USE;
LpErr lp_experiment_text(const LpExperiment *experiment, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* A table of the agents, the one that loses the fewest jobs first: over all points (with the half
 * width of the 95 % interval over seeds), and for each. */
LpErr lp_experiment_board(const LpExperiment *experiment, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* Seeds on which agents are compared; learners keep away from them (docs/env.md). */
enum { LP_TEST_SEED_FIRST = 101, LP_TEST_SEEDS = 30 };

#endif
