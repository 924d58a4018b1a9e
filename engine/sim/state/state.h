/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a world: all that changes in a simulation, as one pointer-free block. What moves it
 * is in sim/world.h. Clone is a memcpy, hash one pass. */
#ifndef LP_SIM_STATE_STATE_H
#define LP_SIM_STATE_STATE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "model/answer.h"
#include "sim/state/event.h"
#include "sim/state/job.h"
#include "sim/store/context.h"

typedef enum LpServerState { LP_SERVER_IN_SERVICE, LP_SERVER_FAILED } LpServerState;

typedef struct LpServer {
    uint32_t job;      /* LP_NO_INDEX: free */
    uint32_t next;     /* next server of the same job in block order, LP_NO_INDEX: last */
    uint32_t last_job; /* who used it before, LP_NO_INDEX */
    uint32_t state;    /* LpServerState */
    double since;      /* s, when `job` last changed */
} LpServer;

typedef struct LpEvent {
    LpEventKind kind;
    uint32_t job; /* LP_NO_INDEX: none */
    double time;
    uint64_t serial; /* 0, 1, 2 ... over the run */
    uint32_t fault;  /* of FAILURE and REPAIR: what broke or was mended (sim/outages.h); else 0 */
    uint32_t zero;
} LpEvent;

/* Counters and sums for the ledger and the metrics. Areas are integrals over time. */
typedef struct LpTally {
    uint64_t arrived, completed, blocked, unfinished;
    uint64_t blocked_by[LP_CAUSE_COUNT];
    uint64_t running, waiting;
    uint64_t decisions, events, offers;
    uint64_t preemptions, moves;
    uint64_t aborted, killed;
    uint64_t stops;          /* times that a failure stopped a job */
    uint64_t cross_connects; /* circuits that slices set */
    uint32_t failed_servers; /* now; neither busy nor free */
    uint32_t busy_servers, lit_circuits, zero;
    double reserved_area;              /* reserved servers x s */
    double running_area, waiting_area; /* jobs x s */
} LpTally;

/* Running sums of the published per-step statistics (semantics 9.4, 9.5). */
typedef struct LpPublishedSums {
    double steps;
    double compute, dep, flow, cluster, demand_compute, demand_dep, demand_total;
    double compute_frac, communication_frac, running, workers, channels, worker_util, cluster_util;
    double load_rate;
    double load_rates; /* how many */
} LpPublishedSums;

/* Why a run is over though jobs have not ended and no horizon was asked for. */
typedef enum LpStuck {
    LP_STUCK_NOT,
    LP_STUCK_IDLE,  /* nothing would ever happen again */
    LP_STUCK_VAINLY /* things happen without end, and bring no job further (sim/state/vain.h) */
} LpStuck;

typedef struct LpWorld LpWorld;
typedef struct LpForecast LpForecast; /* sim/world.h */

LpErr lp_world_new(const LpContext *context, uint64_t seed, LpWorld **out,
                   LpDiag *diag) LP_MUST_USE;
void lp_world_free(LpWorld *world); /* NULL allowed */
/* Copy into `recycled` (may be NULL; consumed) or a fresh block; NULL when out of memory, then
 * `recycled` is freed. O(size of the image); jobs that ended long ago are shared. */
LpWorld *lp_world_clone(const LpWorld *world, LpWorld *recycled);
/* From now on jobs that have ended are kept packed, in a sixth of the space: for long runs that
 * nobody looks back in. Reading them costs more, and a pointer to one is good only until seven
 * other pages of jobs were read (sim/state/past.h). LP_ESTATE: it has a past already;
 * LP_ENOMEM. */
enum { LP_PACKED_JOB = 160 }; /* bytes of one, more than measured */
LpErr lp_world_pack_past(LpWorld *world, LpDiag *diag) LP_MUST_USE;
/* O(size); independent of capacity and padding. */
uint64_t lp_world_hash(const LpWorld *world);
/* Bytes of the world's image: what a clone takes. */
size_t lp_world_bytes(const LpWorld *world);

/* The context of a world's network: of its conditions and of what is lit in it. `context` may be
 * any of its family. O(1). Functions that take a world and a context find it by themselves; what
 * takes a context alone (routes, steps, traces) is given this one. Good until the world changes. */
const LpContext *lp_world_context(const LpWorld *world, const LpContext *context);
/* The context that a job's step was simulated with, for its trace. The job was planned. */
const LpContext *lp_job_context(const LpJob *job, const LpContext *context);

/* Plain data of a policy (self.mem), stored in the image so that clones and rewinds carry it.
 * Errors: LP_ELIMIT above LP_POLICY_MEM bytes; LP_ENOMEM. */
enum { LP_POLICY_MEM = 64 * 1024 };

/* Retries and wakes in a row, no job arriving or ending, after which no more are taken: a policy
 * that asks for the next nanosecond would never let the run end. */
enum { LP_QUIET_MAX = 100000 };
LpErr lp_world_set_mem(LpWorld *world, const void *bytes, size_t len, LpDiag *diag) LP_MUST_USE;
const void *lp_world_mem(const LpWorld *world, size_t *len);

/* Another future: the jobs that arrive from now on are drawn from the streams of another seed
 * (lp_workload_reseed), and so is what the policy draws. lp_world_seed stays. */
void lp_world_reseed(LpWorld *world, uint64_t seed);

/* Job whose decision is due, LP_NO_INDEX when none. */
uint32_t lp_world_due(const LpWorld *world);
double lp_world_now(const LpWorld *world);
bool lp_world_over(const LpWorld *world);
LpStuck lp_world_stuck(const LpWorld *world);
uint64_t lp_world_seed(const LpWorld *world);
uint32_t lp_world_jobs(const LpWorld *world);
/* All jobs with lower numbers have ended. O(1). */
uint32_t lp_world_oldest(const LpWorld *world);
const LpJob *lp_world_job(const LpWorld *world, uint32_t id); /* valid until the world changes */
uint32_t lp_world_servers(const LpWorld *world);
const LpServer *lp_world_server(const LpWorld *world, uint32_t server);
const LpTally *lp_world_tally(const LpWorld *world);
const LpPublishedSums *lp_world_published(const LpWorld *world);
/* Waiting jobs in order of arrival into the queue: first, then next; LP_NO_INDEX ends. */
uint32_t lp_world_first_waiting(const LpWorld *world);
uint32_t lp_world_next_waiting(const LpWorld *world, uint32_t job);
/* Running jobs in order of their start. */
uint32_t lp_world_first_running(const LpWorld *world);
uint32_t lp_world_next_running(const LpWorld *world, uint32_t job);
/* The policy's own random stream (in the image). */
LpRng *lp_world_policy_rng(LpWorld *world);
const LpRng *lp_world_rng(const LpWorld *world);
/* Fraction of its work that a running job has done, 0..1. */
/* Where a running job's time since it was mounted went, s: all of it without a slice is work.
 * `kept` is work that a failure now would not take, `open` what it would. */
typedef struct LpStretch {
    double settle, restart, kept, open, checkpoint, slow;
    double paid; /* of the checkpoint that it is writing, at earlier paces too */
} LpStretch;
LpStretch lp_job_stretch(const LpJob *job, double now);
/* From the beginning of work to the end, checkpoints included, s; of a job with a slice. */
double lp_job_run_time(const LpJob *job);
double lp_world_progress(const LpWorld *world, uint32_t job);
/* Absolute deadline, INFINITY when none. */
double lp_job_deadline(const LpJob *job);

/* Servers free now. */
uint32_t lp_world_free_servers(const LpWorld *world);
/* Servers that the published mask believes busy: as of the last tick, before completions (Q21). */
uint32_t lp_world_seen_busy(const LpWorld *world);
/* The index of free servers, good until the world changes. */
const LpRoom *lp_world_room(const LpWorld *world);
/* Free and broken servers under each node of the cluster's tree (fabric.cluster->tree), good until
 * the world changes. */
const LpTreeCount *lp_world_nodes(const LpWorld *world);
/* Asks the processor for the memory in which the next decision of a world will look, and waits for
 * none of it: who plays many worlds in turns says so of the one that comes after the next (late:
 * false), and of the next one (late: true), when it can be told where its jobs lie. Nothing
 * changes. O(1). */
void lp_world_fetch(const LpWorld *world, bool late);
/* May `server` take a new job? */
bool lp_world_server_free(const LpWorld *world, uint32_t server);

#endif
