/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many runs of one scenario: variants (policies, parameters, overridden keys) times seeds, spread
 * over threads. A seed draws the same arrivals for every variant that does not change them, so that
 * variants can be compared seed by seed. */
#ifndef LP_MANY_STUDY_BATCH_H
#define LP_MANY_STUDY_BATCH_H

#include "base/str.h"
#include "host/inputs.h"
#include "many/study/paired.h"
#include "session/session.h"
#include "sim/facts/metric.h"

/* The metrics that are compared; less is better, but for utilisation, allocation, goodput and
 * Jain's index. Parts of a batch (shard.h) have them in this order. */
enum { LP_BATCH_METRICS = 36 };
/* As many as parts had at first, so that those of older versions are read: the rest is not known
 * then. */
enum { LP_PART_METRICS = 8 };
extern const LpMetric lp_batch_metric[LP_BATCH_METRICS];

/* One way to run the scenario. Borrowed. */
typedef struct LpVariant {
    const char *label;  /* unique */
    const char *policy; /* NULL: the scenario's */
    uint32_t params;
    const char *const *param; /* "k=v", added to the batch's */
    uint32_t sets;
    const char *const *set; /* "PATH=VALUE", added to the batch's */
} LpVariant;

/* What one job got: enough to tell whether two runs decided it alike. */
typedef struct LpChoice {
    uint8_t outcome, cause;
    uint32_t degree;
    double arrival, start;
    uint64_t plan; /* hash of partition, placement and step */
} LpChoice;

typedef struct LpRun {
    bool began; /* scenario and policy were loaded */
    bool done;
    LpErr err;     /* of a variant that cannot run */
    char *cause;   /* why it cannot run; or the first failure of the policy, with its place in the
                      script; or that it cannot end (lp_session_stuck); NULL when all went well */
    char *outside; /* lp_policy_outside; NULL where its networks were trained for the like */
    char policy[64];
    LpSummary summary;
    LpPolicyRecord record;
    uint64_t hash, policy_errors;
    uint64_t preemptions; /* and moves and changes of size */
    bool places;          /* its policy has the hook `place` */
    uint32_t jobs;
    LpChoice *choice; /* per job */
} LpRun;

typedef struct LpBatch {
    uint32_t variants, seeds;
    const LpVariant *variant; /* borrowed */
    const uint64_t *seed;     /* borrowed */
    LpRun *run;               /* [variant * seeds + seed index] */
    bool stopped;             /* some runs are missing */
} LpBatch;

/* Where runs are kept while others are still made (many/results/results.h). */
typedef struct LpBatchKeeper {
    void *user;
    /* Gives a run that was made before, and with it all that it points to; false: it was not. On
     * the calling thread, before anything is run. */
    bool (*take)(void *user, uint32_t variant, uint32_t seed, LpRun *out);
    /* Keeps a run that is done, or that its variant's error ended. On any thread; a failure ends
     * the batch. */
    LpErr (*keep)(void *user, uint32_t variant, uint32_t seed, const LpRun *run, LpDiag *diag);
} LpBatchKeeper;

typedef struct LpBatchSpec {
    LpSessionSpec base; /* scenario, sets, params, until, limits; its seed is not used */
    uint32_t variants, seeds;
    const LpVariant *variant;
    const uint64_t *seed;
    unsigned threads; /* 0: one per processor */
    bool tolerant; /* a variant that cannot run keeps its cause and loses only its own rows, unless
                    * memory or descriptors ran out */
    /* called between runs on the calling thread, of those that are made here; false stops */
    bool (*progress)(void *user, size_t done, size_t count);
    /* called on any thread in the middle of runs; true abandons them (NULL: never) */
    bool (*cancelled)(void *user);
    void *user;
    /* The share of the whole work that is done here (see lp_batch_share): the other tasks stay
     * undone, and that is not `stopped`. shards 0: all. */
    uint32_t shard, shards;      /* shard from 0 */
    LpInputs *inputs;            /* where files are read, NULL: the batch's own */
    const LpBatchKeeper *keeper; /* NULL: runs are kept in memory alone */
} LpBatchSpec;

/* Opens one run. */
LpErr lp_batch_open(const LpBatchSpec *spec, const LpVariant *variant, uint64_t seed,
                    const LpFiles *files, LpSession **out, LpDiag *diag) LP_MUST_USE;
/* All files are read once: every run is given the bytes that the first one found. *began (NULL
 * allowed): on failure, whether the run that failed could be opened, else its input is at fault.
 * Errors: those of the first run in order that fails, unless tolerant; LP_ENOMEM. */
LpErr lp_batch_run(const LpBatchSpec *spec, LpBatch *out, bool *began, LpDiag *diag) LP_MUST_USE;
/* May a batch go on after a variant's error? */
bool lp_batch_tolerates(const LpBatchSpec *spec, LpErr err);
/* Is this run the batch's to make? */
bool lp_batch_has(const LpBatchSpec *spec, uint32_t variant, uint32_t seed);
/* The shard of n that makes the run of a variant with a seed. Shards get equally many runs, one
 * more or less, and of each variant and of each seed about equally many. */
uint32_t lp_batch_share(uint32_t variants, uint32_t variant, uint32_t seed, uint32_t shards);
void lp_batch_fini(LpBatch *batch);
static inline const LpRun *lp_batch_at(const LpBatch *b, uint32_t variant, uint32_t seed) {
    return &b->run[(size_t)variant * b->seeds + seed];
}

/* Did jobs end after their true deadline in any run of a variant? Published rules overlook that
 * where jobs wait (Q17), and the metrics count them as served. */
bool lp_batch_late(const LpBatch *batch, uint32_t variant);
/* How a network of a variant lies outside of its training, of the first run in which one does;
 * NULL: in none. */
const char *lp_batch_outside(const LpBatch *batch, uint32_t variant);
/* lp_summary_lost of a run; NAN where it was not made. */
double lp_run_lost(const LpRun *run);
/* Over the seeds. Errors: LP_ENOMEM. */
LpErr lp_batch_lost(const LpBatch *batch, uint32_t variant, LpEstimate *out,
                    LpDiag *diag) LP_MUST_USE;

/* "1..10", "3", "1,2,5..7": at most 10 000 seeds, each once, in the order given. Errors:
 * LP_EINVAL, LP_ELIMIT. */
LpErr lp_seeds_parse(const char *text, LpArena *arena, const uint64_t **out, uint32_t *count,
                     LpDiag *diag) LP_MUST_USE;

#endif
