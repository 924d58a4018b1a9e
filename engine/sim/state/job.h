/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One job of a world, by concern. Times in seconds, sizes in bytes; NAN stands for "not known". All
 * of it lies in the world's image: no pointers and no holes. What the hash does with each member,
 * and what always holds of it: state/job_members.h. */
#ifndef LP_SIM_STATE_JOB_H
#define LP_SIM_STATE_JOB_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/answer.h"

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
/* "policy", "resource" and so on. */
const char *lp_wait_code(LpWaitFor wait);

/* Has a running job the circuits that it needs? If not, it makes no progress; nor does one that a
 * failure stopped and that keeps its servers until they are mended. */
typedef enum LpJobLight { LP_JOB_LIT, LP_JOB_TURNING, LP_JOB_UNLIT, LP_JOB_HELD } LpJobLight;

/* A job that may answer a failure of this instant: it was stopped, or goes on more slowly. */
typedef enum LpAnswering { LP_ANSWERS_NOT, LP_ANSWERS_STOPPED, LP_ANSWERS_RUNNING } LpAnswering;

/* ---- what was asked for ---- */

typedef struct LpJobAsked {
    double arrival;         /* s */
    double steps;           /* training steps; 1 of a rigid job */
    double fraction;        /* of sequential_jct, that its JCT may be; 0: no deadline */
    double sequential_jct;  /* s, of the graph before it is cut, all steps */
    double max_jct;         /* limit, s from its arrival; INFINITY: none */
    double rigid_duration;  /* s; in pieces, of all its work as it is cut now */
    uint32_t rigid_servers; /* 0: it has a graph */
    uint32_t spec;          /* index in the scenario's jobs, LP_NO_INDEX: from a generator */
} LpJobAsked;

/* ---- how it was cut and where it was placed, now or last ---- */

typedef struct LpJobPlacement {
    uint32_t degree; /* greatest degree that was answered */
    uint32_t partition_degree;
    uint32_t ops, deps, servers;
    uint32_t circuits;      /* of a step, or of its slice */
    uint32_t peak_circuits; /* circuits of a step that are lit at once */
    uint32_t valid_degrees; /* index of a list in the store (lp_store_list), LP_NO_INDEX: none */
    uint32_t partition, placement, step; /* indices in the store, LP_NO_INDEX: none */
    uint32_t first_server;               /* head of the chain of its servers while it runs */
    uint32_t scales;    /* of the network, that its step was simulated with (lp_context_at) */
    uint32_t earlier;   /* its last stretch with another step (lp_store_earlier), 0: none */
    LpOrders orders;    /* indices where they are lists */
    uint64_t plan_hash; /* of partition, placement, step and lists: what the indices mean */
} LpJobPlacement;

/* ---- when, s ---- */

typedef struct LpJobTimes {
    double decided, start, end;
    double wait;          /* in the queue, in all */
    double retry_at;      /* waiting: it is offered again then, INFINITY: on a completion */
    double waiting_since; /* of one that waits */
    double running_since; /* when its steps began, after a checkpoint was read */
    double forecast_end;
    /* In the queue before it first started, after it was preempted, and after a failure took its
     * servers; and when it was turned away. */
    double queued, put_aside, requeued, turned_away;
} LpJobTimes;

/* ---- what it has done ---- */

typedef struct LpJobWork {
    double steps_done; /* whole steps, finished before running_since */
    double attained;   /* s of training in earlier stretches */
    double held_area;  /* server-seconds of training in earlier stretches */
    double stalled;    /* s of reading checkpoints and of circuits being set, before steps */
    double past_busy;  /* computing server-seconds of earlier stretches */
    double pace_lost;  /* s that sharing links, or lost light, cost it at earlier paces */
} LpJobWork;

/* ---- what its plan comes to: as forecast at the decision ---- */

/* jct, communication, computation and exposed are of all steps, the rest of one. On shared links
 * step_time is of the present pace, and jct follows it; of a completed job both, communication and
 * exposed are what really was. */
typedef struct LpJobForecast {
    double jct, step_time, communication, computation, exposed;
    double busy_area, light_area, flow_bytes; /* see LpStepSummary */
    double part_memory, part_deps;            /* bytes of all parts */
    double part_sequential;                   /* s of all parts one after another, all steps */
} LpJobForecast;

/* ---- on links that jobs share (sim/sharing/sharing.h) ---- */

typedef struct LpJobSharing {
    uint32_t load;       /* index in the store, LP_NO_INDEX: it shares no link */
    uint32_t paces;      /* times that its pace changed while it ran */
    uint32_t phase;      /* interleaved: of sending that it is in or waits for */
    uint32_t partners;   /* jobs that it can meet, directly or through others */
    double rate;         /* bytes/s of its largest connection now */
    double part_step;    /* steps done at earlier paces of this stretch, beside steps_done */
    double sent;         /* s of communication at earlier paces and stretches */
    double sent_exposed; /* s of `sent` in which it computed nothing */
    /* Where flows are interleaved (sim/sharing/interleave.h) the place in its step at
     * running_since; step_time and rate are means then. */
    double work_done; /* s of own work done in this step */
    double idle_left; /* s that the phase is quiet for */
    double send_left; /* s that the phase would send for, alone */
} LpJobSharing;

/* ---- on circuits (sim/light/circuits.h) ---- */

typedef struct LpJobCircuits {
    uint32_t dark;        /* LpJobLight */
    uint32_t network;     /* that its step is of */
    double reconfiguring; /* s without progress while circuits were set */
    double unlit;         /* s without progress because a circuit that it needs was not ordered */
    double reading;       /* dark: s of reading its checkpoint that begin with the light */
} LpJobCircuits;

/* ---- work in pieces, with checkpoints between them ---- */

typedef struct LpJobPieces {
    double interval, cost, restart; /* of checkpoints, s; interval 0: it writes none */
    double saved;                   /* s of work that no failure can take */
    double mounted;                 /* when it got its servers */
    double settle_now, restart_now; /* s from then on before its work begins */
    /* s of earlier stretches */
    double settling, restarting, checkpointing;
    double work_begun; /* s of work of the present piece at earlier paces of this stretch */
    double
        checkpoint_paid; /* s of the checkpoint that it writes, at earlier paces of this stretch */
} LpJobPieces;

/* ---- on a pod (sim/place/slice.h) ---- */

typedef struct LpJobSlice {
    uint32_t row;       /* of the scenario's slices, from 1; 0: it asks for none */
    uint32_t shape;     /* row of the slice that it was given instead; 0: that of `row` */
    double drag;        /* a second of work takes 1 + drag, since light was lost */
    double shared_part; /* of a second of a rigid job's work: what grows with loads */
} LpJobSlice;

/* ---- times that it was taken off its servers ---- */

typedef struct LpJobStops {
    uint32_t count;       /* by a broken server or circuit */
    uint32_t stopped;     /* waits because of that: a refusal leaves it waiting */
    uint32_t by;          /* what broke when it was last stopped (sim/outages.h); 0: by hand */
    uint32_t answering;   /* LpAnswering: what a failure did to it just now */
    uint32_t preemptions; /* by its policy */
    uint32_t moves;       /* migrations and resizes */
    double stood_still;   /* s with its servers until they were mended */
    double restart_left;  /* s that it had still to read of its checkpoint when it was stopped */
    double lost;          /* s of work that is done again, or was given up */
} LpJobStops;

/* ---- under published rules ---- */

typedef struct LpJobPublished {
    uint64_t ticks;
    double worker_utilisation;
} LpJobPublished;

/* ---- its places in the world's lists, and what it waits for ---- */

typedef enum LpListed {
    LP_LISTED_NOT,  /* it is not offered at a completion */
    LP_LISTED,      /* in the heap of its need */
    LP_LISTED_ASIDE /* until the round of offers is over */
} LpListed;

typedef struct LpJobQueue {
    uint32_t next, prev;          /* waiting or running jobs, LP_NO_INDEX ends */
    uint32_t offer_next;          /* next job of this round of offers */
    uint32_t ends_at;             /* 1 + its place among the ends (state/ends.h), 0: none */
    uint32_t held;                /* preempted: waits for the action resume, not for an offer */
    uint32_t waits_for;           /* LpWaitFor */
    double waits_since;           /* s, since when it waits for that */
    double waited[LP_WAIT_COUNT]; /* s for each, up to then */
    /* Its place among those that wait for the same (sim/queue/queue.h). Links are 1 + a job's
     * number, 0 none. */
    uint32_t need;   /* servers without which asking it again is in vain; 0: none were stated */
    uint32_t row;    /* of LpWaitedFor */
    uint32_t listed; /* LpListed */
    uint32_t child, sibling, before;
    uint32_t
        spells; /* that are over, but for the one before it started (lp_store_spell); 0: none */
    uint32_t spells_zero;
    uint32_t ranked; /* 1: `key` is its policy's */
    uint32_t round;  /* of offers that it was last in; one more where it has been named */
    double key;      /* the lower, the sooner */
    uint64_t entry;  /* among those of one key */
} LpJobQueue;

typedef struct LpJob {
    uint32_t id;            /* arrival number */
    int32_t graph;          /* -1: rigid */
    uint8_t outcome, cause; /* LpOutcome, LpCause */
    uint8_t kind;           /* LpPartitionKind */
    uint8_t cached;         /* published: the step came from the world's cache (Q16) */
    uint32_t offers;        /* times a policy was asked */
    uint64_t rank;          /* order number of its start, completion or block */
    LpJobAsked asked;
    LpJobPlacement placed;
    LpJobTimes times;
    LpJobWork work;
    LpJobForecast forecast;
    LpJobSharing sharing;
    LpJobCircuits light;
    LpJobPieces pieces;
    LpJobSlice slice;
    LpJobStops stops;
    LpJobPublished published;
    LpJobQueue queue;
} LpJob;

/* Its time on servers is in pieces of work with checkpoints between them: it has a slice, or the
 * key checkpoint. Its pace does not change then. */
static inline bool lp_job_in_pieces(const LpJob *job) {
    return job->slice.row > 0 || job->pieces.interval > 0;
}

/* Is it in the queue, now or when the run ended? One that is offered just now is. */
static inline bool lp_job_waits(const LpJob *job) {
    return !isnan(job->times.waiting_since) &&
           (job->outcome == LP_JOB_WAITING || job->outcome == LP_JOB_DECIDING ||
            job->outcome == LP_JOB_UNFINISHED);
}

/* Time that it has spent in the queue up to now, s, in all; NAN: it never was there, and has not
 * started. */
static inline double lp_job_waited(const LpJob *job, double now) {
    if (lp_job_waits(job))
        return (isnan(job->times.wait) ? 0 : job->times.wait) + (now - job->times.waiting_since);
    if (job->outcome == LP_JOB_BLOCKED && !isnan(job->times.waiting_since))
        return job->times.queued + job->times.put_aside + job->times.requeued;
    return job->times.wait;
}

/* What share of the job's limit a JCT takes; NAN without a limit. */
static inline double lp_job_of_limit(const LpJob *job, double jct) {
    return isinf(job->asked.max_jct) ? (double)NAN : jct / job->asked.max_jct;
}

#endif
