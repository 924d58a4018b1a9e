/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario: everything a run starts from. Plain data, immutable after loading, shared by all
 * worlds; read from a file by io/, or filled in by a program. */
#ifndef LP_MODEL_SCENARIO_H
#define LP_MODEL_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/fabric/cluster.h"
#include "model/graph.h"
#include "model/options.h"
#include "model/parallel/turning.h"
#include "model/pod/outage.h"
#include "model/pod/slice.h"
#include "model/trace/date.h"
#include "model/trace/identity.h"
#include "model/trace/left_out.h"

typedef struct LpDevice LpDevice; /* model/device/device.h */
typedef struct LpLesson LpLesson; /* model/lesson/lesson.h */

/* A distribution of one number. */
typedef enum LpDistKind {
    LP_DIST_NONE, /* not given */
    LP_DIST_FIXED,
    LP_DIST_UNIFORM,     /* on the grid of `decimals` when >= 0, else continuous */
    LP_DIST_PMF,         /* values[i] with weight weights[i] */
    LP_DIST_SKEW_NORMAL, /* semantics 2.1 CustomSkewNorm, as a PMF made at start */
    LP_DIST_EXPONENTIAL,
    LP_DIST_CHOICE /* one of several distributions, chosen once per run */
} LpDistKind;

typedef struct LpDist {
    LpDistKind kind;
    double value;                   /* fixed value, exponential mean */
    double min, max;                /* uniform, skew normal */
    int decimals;                   /* uniform: -1 continuous; skew normal: grid */
    double skewness;                /* skew normal shape */
    uint32_t count;                 /* pmf entries, or choices */
    const double *values, *weights; /* pmf; weights sum to 1 within 1e-9 */
    const struct LpDist *choices;
} LpDist;

typedef enum LpPartitionKind {
    LP_PARTITION_MODEL,
    LP_PARTITION_DATA,
    LP_PARTITION_TENSOR, /* each op by its kind: model/cuts */
    LP_PARTITION_KINDS
} LpPartitionKind;

/* "model", "data", "tensor". */
const char *lp_partition_kind_word(LpPartitionKind kind);
/* -1 when unknown. */
int lp_partition_kind_find(const char *word);
/* The kind where none is stated: tensor, or model where one of the options that it needs is
 * published. */
LpPartitionKind lp_partition_kind_default(const LpOptions *options);

typedef struct LpHint {
    const char *json; /* the raw JSON text of the hint, NULL when none */
    bool has_degree;  /* convenience: the number under "degree" */
    double degree;
} LpHint;

/* A slice that jobs ask for, on a fabric of slices. */
typedef struct LpSliceAsk {
    const char *text;         /* "4x4x8 twisted"; NULL: `accelerators` decides the shape */
    uint32_t accelerators;    /* size of the slice, read where `text` is NULL */
    LpSlice slice;            /* set by lp_scenario_finish */
    char name[LP_SLICE_TEXT]; /* name of `slice`, set by lp_scenario_finish */
} LpSliceAsk;

/* Checkpoints of a job that failures stop: after so much work each, what one costs, and what going
 * on from it costs, s. */
typedef enum LpCheckpointRule {
    LP_CHECKPOINT_NONE, /* nothing is paid, and nothing is lost */
    LP_CHECKPOINT_EVERY,
    LP_CHECKPOINT_YOUNG, /* by model/pod/checkpoint.h, of the failures that stop the slice */
    LP_CHECKPOINT_DALY
} LpCheckpointRule;
typedef struct LpCheckpointSpec {
    LpCheckpointRule rule;
    double interval, cost, restart;
} LpCheckpointSpec;

/* What a job does that a failure stops. X(ID, word, what it means) */
#define LP_ON_FAILURE_TABLE(X)                                                                     \
    X(SPARE, spare, "goes on at once, with others in place of what is broken; else as requeue")    \
    X(REQUEUE, requeue, "gives all up and waits in the queue")                                     \
    X(ABORT, abort, "ends")                                                                        \
    X(HOLD, hold, "keeps what it has, and goes on when that is mended")                            \
    X(SHRINK, shrink, "goes on at once on fewer servers or a smaller slice; else as requeue")      \
    X(DEGRADED, degraded, "goes on, more slowly, on what is left of its light; else as requeue")
typedef enum LpOnFailure {
#define X(id, word, meaning) LP_ON_FAILURE_##id,
    LP_ON_FAILURE_TABLE(X)
#undef X
        LP_ON_FAILURE_COUNT
} LpOnFailure;

/* Where there are slices: what becomes of a job that finds no place. */
typedef enum LpQueueRule {
    LP_QUEUE_LOSS, /* blocked */
    LP_QUEUE_FIFO  /* it waits, and whoever arrived later waits behind it */
} LpQueueRule;

/* One job as asked for. */
typedef struct LpJobSpec {
    int32_t graph;           /* index into scenario graphs, -1: rigid */
    double arrival;          /* s */
    double steps;            /* training steps, whole and >= 1 */
    double max_jct_fraction; /* of the unsplit time; 0: no deadline */
    LpPartitionKind kind;
    uint32_t slice;         /* row of the scenario's slices, from 1; 0: none */
    uint32_t rigid_servers; /* rigid jobs */
    uint32_t identity;      /* row of the scenario's identities, from 1; 0: none */
    uint32_t listed;        /* its entry of the file's list "jobs"; LP_NO_INDEX: it has none */
    double rigid_duration;  /* s */
    double requested;       /* s, that the user of a rigid job asked for; 0: not said */
    LpCheckpointSpec checkpoint;
    double communication_share; /* rigid, with a slice: of its time, that grows as loads do */
    LpTreeAsk place;            /* in the cluster's tree */
    LpHint hint;
} LpJobSpec;

typedef enum LpSampling {
    LP_SAMPLE_REPLACE,
    LP_SAMPLE_REMOVE,
    LP_SAMPLE_REMOVE_AND_REPEAT
} LpSampling;

typedef struct LpGenerator {
    uint64_t count; /* arrivals; 0: no bound (needs a horizon, or sampling "remove") */
    uint32_t graphs;
    const uint32_t *graph; /* indices into scenario graphs */
    LpSampling sampling;
    uint64_t
        replication; /* pool = replication copies of each graph; 0: set by lp_scenario_finish */
    double load;     /* 0: interarrival states its own mean */
    LpDist
        interarrival; /* s; with a load only its shape counts and the mean is worked out at load */
    LpDist steps;
    LpDist max_jct_fraction; /* NONE: no deadline */
    LpPartitionKind kind;
    /* Instead of graphs: rows of the scenario's slices from `first_slice`, drawn by weight in their
     * order, each for a duration (s). */
    uint32_t slices, first_slice;
    const double *weight;
    LpDist duration;
    LpCheckpointSpec checkpoint;
    double communication_share; /* as in LpJobSpec */
    LpTreeAsk place;            /* of all its jobs */
} LpGenerator;

typedef struct LpPartitionDefaults {
    uint32_t max_degree; /* >= 1 */
    double min_op_time;  /* s; the "quantum" of an op */
    LpPartitionKind kind;
    bool overlap;      /* weight sync overlaps the backward pass */
    bool sequence;     /* kind tensor: what meets a norm over features rests along tokens */
    uint64_t max_deps; /* dependencies a partition may have */
} LpPartitionDefaults;

typedef struct LpPolicyParam {
    const char *name;
    const char *json; /* value as JSON text: 16, true, "text" */
    /* Where a file that it names is looked for first, such as "scenarios/"; NULL: nowhere else. */
    const char *folder;
} LpPolicyParam;

typedef struct LpPolicyRef {
    const char *script; /* as written; NULL: the engine's defaults decide */
    const char *path;   /* resolved file, NULL until resolved */
    uint32_t params;
    const LpPolicyParam *param;
} LpPolicyRef;

typedef struct LpScenario {
    LpArena *arena; /* owns every text and array below except graphs */
    const char *name, *title, *notes;
    const char *file; /* as opened, "-" for standard input, NULL when built in memory */
    uint64_t seed;
    bool semantics_published; /* the scenario's "semantics" word */
    LpOptions options;
    uint32_t devices;
    const LpDevice *device; /* its own, besides those of the table */
    LpCluster cluster;
    LpTurning turning; /* of graphs with plans: circuits that turn inside their steps */
    uint32_t graphs;
    LpGraph **graph; /* array in the arena, graphs owned; times in seconds, device costs applied */
    uint32_t jobs;
    const LpJobSpec *job; /* in arrival order (stable) */
    uint32_t identities;  /* jobs that say whose they are */
    const LpIdentity *identity;
    uint32_t slices, shapes, halves;
    LpSliceAsk *slice; /* slices that are asked for, then other shapes of as many accelerators that
                          a policy may answer: `shapes` in all; then, where something breaks,
                          `halves` that halving makes of them */
    LpQueueRule queue;
    LpOutages outages;      /* what breaks by itself */
    const char *trace;      /* lines from which the faults of `outages` are read, NULL: none */
    const char *trace_file; /* file that has the lines of `trace`; NULL: the scenario has them */
    LpOnFailure on_failure;
    bool answers; /* it says so, or something breaks by itself: also for failures by hand */
    bool has_generator;
    LpGenerator generator;
    LpPartitionDefaults partition;
    double state_factor; /* memory: bytes of state per parameter byte */
    uint32_t queue_capacity;
    double horizon; /* s; INFINITY when none */
    LpScales scale; /* the network, and the servers (compute), against what is stated */
    double compute;
    LpCluster *scaled;                  /* set by lp_scenario_finish; NULL: as stated */
    double measure_from, measure_until; /* s; 0 and INFINITY when none */
    bool has_measure;
    LpImported imported;    /* how it was made of a trace */
    bool too_large_blocks;  /* jobs that are too wide for the cluster are blocked, not an error */
    bool reveal;            /* policies see how long jobs run whose users asked for a time */
    bool kill_at_requested; /* jobs end once they have held their servers for what was requested */
    LpEpoch epoch;          /* when time 0 was */
    double tau; /* s: of bounded slowdowns, shorter jobs count as this long; a way of reading
                   results */
    double clock_offset; /* s: all times were given so much later; 0 unless they begin far from 0 */
    bool clock_whole;    /* with an offset: arrivals were given in whole seconds */
    LpPolicyRef policy;
    const char *open;       /* the moment at which the explorer begins; NULL: the first */
    const LpLesson *lesson; /* what it tells; NULL: nothing */
} LpScenario;

/* Defaults: seed 1, corrected options, RAMP of 4 x 4 x 2 A100 servers with 1.6 TB/s, 50 ns, I/O
 * 100 ns, slot 20 ns (or ideal with 32 of the same), max_degree 16, min_op_time 10 us, state_factor
 * 4, queue_capacity 10, tau 10 s; no graphs, jobs or generator. NULL: out of memory. */
LpScenario *lp_scenario_new(void);
/* What a scenario means where it says nothing is decided here alone: lp_scenario_new, what follows
 * from its options once they are read (partition: kind and min_op_time), from its queue (a queue
 * without a stated capacity), and what an entry of jobs, a generator, a kind of server begins
 * with. */
void lp_scenario_default_rules(LpScenario *scenario);
void lp_scenario_default_queue(LpScenario *scenario);
LpJobSpec lp_job_spec_default(const LpScenario *scenario, bool rigid);
LpGenerator lp_generator_default(const LpScenario *scenario); /* of no graphs yet */
LpServerType lp_server_type_default(void);
/* Frees the graphs, the arena and the scenario; NULL allowed. */
void lp_scenario_free(LpScenario *scenario);

/* Checks what must hold wherever the scenario came from, and works out what follows:
 * - cluster.every_shape and cluster.single_light; cluster.servers; the count of a single server
 * type (0 stands for all); a type's speed where it is 0 (peak rates compared with the first type);
 * - partition.max_degree, at least the servers of the largest plan of a graph (model/split) that
 * the cluster has;
 * - jobs in order of arrival, equal ones as listed;
 * - generator.replication where it is 0: ceil(count / graphs), 1000 without a count;
 * - clock_offset, where times begin far from 0;
 * - with a load, the mean of interarrival (exponential unless it says fixed).
 * A scenario may have neither jobs nor generator. A graph is refused as one that cannot fit when
 * state_factor * parameters + activations exceed what max_degree of the largest servers hold, which
 * no placement can change (corrected memory only).
 * Errors: LP_EINVAL, LP_ELIMIT, with the key, its value and what was expected; LP_ENOMEM. The
 * scenario can then only be freed. O(jobs log jobs + graphs). */
LpErr lp_scenario_finish(LpScenario *scenario, LpDiag *diag) LP_MUST_USE;

/* ---- the clock ----
 * Times that begin at 2^20 s (12 days) or later, as seconds since 1970 do, are counted from the
 * first of them: arrivals, failures of a trace, horizon and measure. So a run has the precision
 * that its jobs need, wherever its clock began. */

/* A time of the run as the scenario counts it: what results tell. Their differences are as exact as
 * the run's own times only where those are told (JCT, waits). */
double lp_scenario_time(const LpScenario *scenario, double time);
/* A time that a user gives, from the first one of the scenario on as the scenario counts, as a time
 * of the run. */
double lp_scenario_moment(const LpScenario *scenario, double time);
/* A date that a user gives as a time of the run, by the clocks that the scenario shows unless it
 * says how far it is from UTC. LP_EINVAL: the scenario has no dates, or it is before time 0. */
LpErr lp_scenario_moment_of(const LpScenario *scenario, const LpDate *date, double *time);
/* A time of the run as a date by the clocks that the scenario shows; "" where it says no epoch and
 * its times are none of seconds since 1970. Returns out. */
const char *lp_scenario_date(const LpScenario *scenario, double time, LpDateForm form,
                             char out[LP_DATE_TEXT]);
/* The scenario's epoch as it writes it, "2026-03-01T00:00:00Z"; "" without one. Returns out. */
const char *lp_scenario_epoch(const LpScenario *scenario, char out[LP_DATE_TEXT]);
/* Where doubles of the given times are too far apart for the shortest job (its JCT would be off by
 * more than 1e-4): a sentence that says so; else "". O(jobs). */
const char *lp_scenario_coarse(const LpScenario *scenario, char out[LP_DIAG_TEXT]);

/* The rows of slices that halving extents makes of row `of`, from 1; the largest first, of equal
 * ones as they are listed. Zero-initialised but for the first two. O(rows) a step. */
typedef struct LpHalves {
    const LpScenario *scenario;
    uint32_t of, row;
} LpHalves;
bool lp_halves_next(LpHalves *halves);
/* The row of a slice in words among all rows. LP_EINVAL: no slice, or none of a row. */
LpErr lp_scenario_slice_row(const LpScenario *scenario, const char *text, uint32_t *row,
                            LpDiag *diag) LP_MUST_USE;

/* Does a job stay inside one block of servers? Ideal always reserves: there is no geometry to spill
 * over. */
bool lp_scenario_reserves(const LpScenario *scenario);

/* Mean accelerators of the generator's slices, 0 without any. O(slices). */
double lp_scenario_mean_slice(const LpScenario *scenario);

/* Mean unsplit JCT over the generator's graphs, steps at their mean, s. */
double lp_scenario_mean_sequential_jct(const LpScenario *scenario);

#endif
