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
#include "sim/store/context.h"

typedef enum LpOutcome {
    LP_JOB_DECIDING, /* arrived, its decision is due */
    LP_JOB_WAITING,
    LP_JOB_RUNNING,
    LP_JOB_COMPLETED,
    LP_JOB_BLOCKED,
    LP_JOB_UNFINISHED, /* at the horizon */
    LP_JOB_ABORTED,    /* a failure stopped it, and it was given up */
    LP_JOB_OUTCOMES
} LpOutcome;

/* "completed", "blocked", "unfinished"; "running", "waiting", "deciding" before the end. */
const char *lp_outcome_name(LpOutcome outcome);

/* What a waiting job waits for, where slices are placed. */
#define LP_WAIT_TABLE(X)                                                                           \
    X(POLICY, "policy")                                                                            \
    X(RESOURCE, "resource")                                                                        \
    X(SHAPE, "shape")                                                                              \
    X(BROKEN, "broken")                                                                            \
    X(BEHIND, "behind")
typedef enum LpWaitFor {
#define X(id, code) LP_WAIT_##id,
    LP_WAIT_TABLE(X)
#undef X
        LP_WAIT_COUNT
} LpWaitFor;
/* "policy", "resource", ... */
const char *lp_wait_code(LpWaitFor wait);

/* Has a running job the circuits that it needs? If not, it makes no progress; nor does one that a
 * failure stopped and that keeps its servers until they are mended. */
typedef enum LpJobLight { LP_JOB_LIT, LP_JOB_TURNING, LP_JOB_UNLIT, LP_JOB_HELD } LpJobLight;

/* A job that may answer a failure of this instant: it was stopped, or goes on more slowly. */
typedef enum LpAnswering { LP_ANSWERS_NOT, LP_ANSWERS_STOPPED, LP_ANSWERS_RUNNING } LpAnswering;

/* One job of the world. Times in seconds, sizes in bytes. NAN stands for "not known". No holes, in
 * what a world image holds: tests/unit/test_sim_hash.c flips each byte, and knows all fields. */
typedef struct LpJob {
    uint32_t id;            /* arrival number */
    int32_t graph;          /* -1: rigid */
    uint8_t outcome, cause; /* LpOutcome, LpCause */
    uint8_t kind;           /* LpPartitionKind */
    uint8_t cached;         /* published: the step came from the world's cache (Q16) */
    LpOrders orders;        /* indices where they are lists; see plan_hash */
    uint32_t offers;        /* times a policy was asked */
    uint32_t spec;          /* index in scenario jobs, LP_NO_INDEX from a generator */
    uint32_t degree;        /* answered maximum degree */
    uint32_t partition_degree;
    uint32_t ops, deps, servers, circuits;
    uint32_t valid_degrees; /* index of a list in the store (lp_store_list), LP_NO_INDEX */
    uint32_t partition, placement, step; /* indices in the store, LP_NO_INDEX */
    uint32_t first_server;               /* head of the chain of its servers while it runs */
    uint64_t rank;                       /* order number of its start, completion or block */
    uint64_t ticks;
    uint64_t plan_hash;              /* of partition, placement and step: what the indices mean */
    double arrival, steps, fraction; /* fraction 0: no deadline */
    double sequential_jct;           /* original graph, all steps */
    double max_jct;                  /* limit in seconds from arrival; INFINITY: none */
    double rigid_duration;
    uint32_t rigid_servers;
    uint32_t peak_circuits;
    uint32_t next, prev; /* in the list of waiting or of running jobs, LP_NO_INDEX ends */
    double decided, start, end, wait;
    double retry_at;             /* waiting: offered again then, INFINITY: on a completion */
    uint32_t offer_next;         /* next job of this round of offers */
    uint32_t held;               /* preempted: waits for the action resume, not for an offer */
    uint32_t preemptions, moves; /* moves: migrations and resizes */
    uint32_t stops;              /* times that a broken server or circuit stopped it */
    uint32_t stopped;            /* waits because of that: a refusal leaves it waiting */
    uint32_t scales;      /* of the network, that its step was simulated with (lp_context_at) */
    uint32_t stopped_by;  /* what broke when it was last stopped (sim/outages.h); 0: by hand */
    uint32_t ends_at;     /* 1 + its place among those that run (state/ends.h), 0: none */
    uint32_t earlier;     /* its last stretch with another step (lp_store_earlier), 0: none */
    double waiting_since; /* waiting: since when */
    double running_since; /* running: when its steps began, after a checkpoint was read */
    double steps_done;    /* finished before running_since; whole steps */
    double attained;      /* s of training in earlier stretches */
    double held_area;     /* server-seconds of training in earlier stretches */
    double stalled;       /* s spent reading checkpoints */
    double past_busy;     /* computing server-seconds of earlier stretches */
    double forecast_end;  /* start + jct */
    /* forecast at the decision, all steps */
    double jct, step_time, communication, computation, exposed;
    double busy_area, light_area;                   /* per step, see LpStepSummary */
    double worker_utilisation;                      /* published */
    double flow_bytes;                              /* per step */
    double part_memory, part_deps, part_sequential; /* partitioned totals, per step / all steps */
    /* On shared links (sim/sharing/sharing.h). step_time is of the present pace and jct follows it;
     * once completed both, communication and exposed are what really was. */
    uint32_t load;       /* index in the store, LP_NO_INDEX: shares no link */
    uint32_t paces;      /* times that its pace changed while it ran */
    double rate;         /* bytes/s of its largest connection now */
    double part_step;    /* steps done at earlier paces of this stretch, beside steps_done */
    double sent;         /* s of communication at earlier paces and stretches ... */
    double sent_exposed; /* ... and the exposed part of it */
    /* Where they are interleaved (sim/sharing/interleave.h): the place in its step at
     * running_since. step_time and rate are means then. */
    uint32_t phase;               /* of sending that it is in or waits for */
    uint32_t partners;            /* jobs that it can meet, directly or through others */
    double own_work, quiet, wire; /* s: own work done; of the phase quiet, and to be sent alone */
    /* On circuits (sim/light/circuits.h). */
    uint32_t dark;        /* LpJobLight */
    uint32_t network;     /* that its step is of */
    double reconfiguring; /* s without progress while circuits were set ... */
    double unlit;         /* ... and while a circuit that it needs was not ordered */
    double reading;       /* dark: s of reading its checkpoint that begin with the light */
    /* On a pod (sim/place/slice.h). */
    uint32_t slice;                 /* row of the scenario's slices, from 1; 0: none */
    uint32_t waits_for;             /* LpWaitFor */
    double waits_since;             /* that, s */
    double waited[LP_WAIT_COUNT];   /* s for each, up to then */
    uint32_t answering;             /* LpAnswering: what a failure did to it just now */
    uint32_t shape;                 /* row of the slice that it was given instead; 0: `slice` */
    double interval, cost, restart; /* checkpoints, s; interval 0: none */
    double saved;                   /* s of work that no failure can take */
    double mounted;                 /* since when it holds its slice ... */
    double settle_now, restart_now; /* ... and what comes before work, s */
    /* Of earlier stretches, s: without running any further. */
    double settling, restarting, checkpointing, lost;
    /* Of a slice that has lost light (sim/degrade.h): a second of work takes 1 + drag. */
    double drag;
    double share;   /* of a second of a rigid job's work that grows with loads */
    double begun;   /* s of work of the present piece at earlier paces of this stretch ... */
    double paid;    /* ... and of the checkpoint that it writes */
    double slow;    /* what sharing links, or lost light, cost it at earlier paces ... */
    double unread;  /* ... what it had still to read of its checkpoint when it was stopped ... */
    double held_up; /* ... and what it stood still with its servers until they were mended */
    /* In the queue before it first started, after it was preempted, and after a failure took its
     * servers, s; and when it was turned away. */
    double queued, put_aside, requeued, turned_away;
} LpJob;

/* Its time on servers is in pieces of work with checkpoints between them: it has a slice, or the
 * key checkpoint. Its pace does not change then. */
static inline bool lp_job_in_pieces(const LpJob *job) {
    return job->slice > 0 || job->interval > 0;
}

/* What share of the job's limit a JCT takes; NAN without a limit. */
static inline double lp_job_of_limit(const LpJob *job, double jct) {
    return isinf(job->max_jct) ? (double)NAN : jct / job->max_jct;
}

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
    uint64_t aborted;
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
/* Of the image: what a clone takes. */
size_t lp_world_bytes(const LpWorld *world);

/* The context of a world's network: of its conditions and of what is lit in it. `context` may be
 * any of its family. O(1). Functions that take a world and a context find it by themselves; what
 * takes a context alone (routes, steps, traces) is given this one. Good until the world changes. */
const LpContext *lp_world_context(const LpWorld *world, const LpContext *context);
/* The one that a job's step was simulated with: for its trace. A job that was planned. */
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
/* May `server` take a new job? */
bool lp_world_server_free(const LpWorld *world, uint32_t server);

#endif
