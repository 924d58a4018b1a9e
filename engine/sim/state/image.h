/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world image; private to sim/. One block: this header, then servers, workload, wavelengths,
 * jobs, the event heap and the published cache, found by offsets. No pointers inside. */
#ifndef LP_SIM_STATE_IMAGE_H
#define LP_SIM_STATE_IMAGE_H

#include "base/assert.h"
#include "sim/state/conditions.h"
#include "sim/state/past.h"
#include "sim/state/workload.h"

/* The phases of one instant, in their order. */
typedef enum LpPhase {
    LP_PHASE_TICK,
    LP_PHASE_COMPLETE,
    LP_PHASE_TIMER,
    LP_PHASE_OFFER,
    LP_PHASE_ARRIVE,
    LP_PHASE_OVER
} LpPhase;

typedef enum LpTimerKind {
    LP_TIMER_END,
    LP_TIMER_DEADLINE,
    LP_TIMER_RETRY,
    LP_TIMER_WAKE, /* job LP_NO_INDEX */
    LP_TIMER_KILL,
    LP_TIMER_KINDS
} LpTimerKind;

typedef struct LpTimer {
    double time;
    uint32_t kind; /* LpTimerKind */
    uint32_t job;
} LpTimer;

/* Published (Q16): the step that (graph, D) got first. */
typedef struct LpCachedStep {
    int32_t graph;
    uint32_t degree;
    uint32_t step; /* store index */
    uint32_t zero;
    double steps;  /* of that first job: its JCT is reused whatever the later job asks for */
    uint64_t hash; /* of the step: what the index means */
} LpCachedStep;

/* A broken light path between two servers, or a broken cable between two nodes: a < b. As often as
 * it is broken. */
typedef struct LpFailed {
    uint32_t a, b;
} LpFailed;

/* Does a round go by an order that a policy gave? */
typedef enum LpRoundOrder {
    LP_ORDER_NONE,
    LP_ORDER_GIVEN,
    LP_ORDER_OLD /* and is to be asked for another, since a job of it has started */
} LpRoundOrder;

/* Waiting jobs that need the same (sim/queue/queue.h). */
typedef struct LpWaitedFor {
    uint32_t servers;
    uint32_t root; /* 1 + the first of them, 0 none */
    uint32_t jobs; /* also those that are aside */
    uint32_t zero;
} LpWaitedFor;

/* One raising of the mark: the job that changed, LP_NO_INDEX none, and half of the line after it.
 */
typedef struct LpChanged {
    uint32_t job, line;
} LpChanged;

/* What lies behind the head, in this order. X(pool, Type, bytes of an item, member of the head that
 * counts the items, member that says for how many there is room): layout, growth and access follow
 * from the row, and lp_world_hash has to be told what of it counts.
 *   server    who holds it
 *   room      the index of free servers; follows from them
 *   node      free and broken servers under each node of the cluster's tree; follows from them
 *   workload  one block
 *   wave      owner of each subnet wavelength, LP_NO_INDEX free; only where the rule applies
 *   port      since when its circuit is lit or from when on it will be, s
 *   window    the jobs but the oldest ones, which have ended and lie in the world's past
 *   marked    the mark of the last change of each job of the window
 *   changed   the last raisings of the mark, that of mark n at n modulo jobs_cap (state/mark.h)
 *   seen      in checked builds a digest of each server and of each job of the window
 *   ending    where jobs share links, when those that run end; follows from them (ends.h)
 *   mem       a policy's plain data
 *   need      what the waiting jobs wait for; the first row is of those that have not said it
 *   cover     where things break by themselves, how many broken ones cover a server; then, on pods
 *             the dead cables of each cube, and the dead switches, and on circuit switches how many
 *             cover a port; follows from `fault` and the changes */
#define LP_IMAGE_POOLS(X)                                                                          \
    X(server, LpServer, sizeof(LpServer), servers, servers)                                        \
    X(room, LpRoom, 1, room_bytes, room_bytes)                                                     \
    X(node, LpTreeCount, sizeof(LpTreeCount), nodes, nodes)                                        \
    X(workload, LpWorkload, 1, workload_bytes, workload_bytes)                                     \
    X(wave, uint32_t, sizeof(uint32_t), waves, waves)                                              \
    X(port, double, sizeof(double), ports, ports)                                                  \
    X(window, LpJob, sizeof(LpJob), kept, jobs_cap)                                                \
    X(marked, uint64_t, sizeof(uint64_t), kept, jobs_cap)                                          \
    X(changed, LpChanged, sizeof(LpChanged), jobs_cap, jobs_cap)                                   \
    X(seen, uint64_t, sizeof(uint64_t), seen_cap, seen_cap)                                        \
    X(timer, LpTimer, sizeof(LpTimer), timers, timers_cap)                                         \
    X(ending, LpTimer, sizeof(LpTimer), endings, endings_cap)                                      \
    X(cache, LpCachedStep, sizeof(LpCachedStep), cache, cache_cap)                                 \
    X(mem, unsigned char, 1, mem, mem_cap)                                                         \
    X(change, LpChange, sizeof(LpChange), changes, changes_cap)                                    \
    X(failed, LpFailed, sizeof(LpFailed), failed, failed_cap)                                      \
    X(need, LpWaitedFor, sizeof(LpWaitedFor), needs, needs_cap)                                    \
    X(cover, uint16_t, sizeof(uint16_t), covers, covers)

/* Owner of a wavelength whose job is being moved: counts as free. */
#define LP_WAVE_LENT (LP_NO_INDEX - 1)

typedef struct LpImage {
    uint64_t seed;
    size_t bytes, room_bytes, workload_bytes;
#define X(pool, Type, size, used, room) size_t at_##pool;
    LP_IMAGE_POOLS(X)
#undef X
    uint32_t servers, waves, ports;
    uint32_t schedule, network;     /* of circuits: numbers in the context */
    uint32_t lit, reconfigurations; /* circuits lit; times that they were changed */
    uint32_t stuck;                 /* LpStuck */
    uint64_t schedule_hash;
    double light_at, interval_at; /* INFINITY: never */
    uint32_t jobs;                /* that ever were: the last `kept` of them lie here */
    uint32_t kept, jobs_cap, jobs_zero;
    uint32_t timers, timers_cap;
    uint32_t endings, endings_cap;
    uint32_t cache, cache_cap;
    uint32_t mem, mem_cap; /* bytes of a policy's plain data */
    uint32_t changes, changes_cap;
    uint32_t failed, failed_cap; /* broken light paths or cables */
    uint32_t needs, needs_cap;
    uint32_t scales; /* those in force: their number in the context, not hashed */
    uint32_t extra;  /* first extra job that has not been announced, LP_NO_INDEX */
    LpConditions conditions;
    double now, horizon, epsilon, next_arrival;
    uint32_t phase, due, free_servers, seen_busy;
    uint32_t fifo; /* the queue is by arrival number, and its head blocks */
    uint32_t covers;
    uint32_t nodes; /* of the cluster's tree */
    uint32_t fault; /* events of the list of failures that have happened */
    uint32_t aside; /* of a clone: due decisions that it forgot (lp_world_set_aside) */
    uint32_t first_waiting, last_waiting, first_running, last_running;
    uint32_t offer;         /* next waiting job to look at in this round of offers */
    uint32_t shared;        /* running jobs share links: their ends have no timers */
    uint32_t completed_now; /* completions at this instant: a reason to offer */
    /* Rounds of offers that go by needs (sim/queue). */
    uint32_t round;      /* two more for each */
    uint32_t round_open; /* one goes on */
    uint32_t ordered;    /* LpRoundOrder */
    uint32_t put_aside;  /* 1 + the first of those that wait again, 0 none */
    uint32_t queue_rule; /* bits of sim/queue/rank.h */
    uint32_t declared;   /* listed jobs that have a need or a key */
    uint32_t unranked;   /* jobs in the queue without a key */
    uint32_t queue_zero;
    uint64_t declared_by; /* hash of the policy that did, 0: none */
    uint64_t entries;     /* times that a job came into the queue */
    uint64_t serial, ranks;
    uint64_t mark, line;   /* state/mark.h */
    uint64_t known_from;   /* marks above this one are in `changed` */
    uint64_t past_mark;    /* when jobs last left the window */
    uint64_t servers_mark; /* when a server last broke or was mended */
    uint64_t seen_cap;     /* room of `seen`: 0 but in checked builds */
    uint64_t quiet;        /* wakes and offers since a job last arrived or ended */
    uint64_t vain;         /* state/vain.h */
    LpRng policy_rng;
    LpTally tally;
    LpPublishedSums published;
} LpImage;

struct LpWorld {
    LpImage *image;
    LpPast *past;         /* the oldest jobs, jobs - kept of them; NULL none */
    LpPastReader *reader; /* not NULL: the past is packed */
    uint64_t asks;        /* 1: somebody answers for stopped jobs (lp_world_ask); not of clones */
};

#define X(pool, Type, size, used, room)                                                            \
    static inline Type *lp_image_##pool(LpImage *m) {                                              \
        return (Type *)(void *)((char *)m + m->at_##pool);                                         \
    }
LP_IMAGE_POOLS(X)
#undef X

/* Has it left the image? Then it has ended. */
static inline bool lp_image_past(const LpImage *m, uint32_t job) {
    return job < m->jobs - m->kept;
}

/* A job that is in the image: any that has not ended, and the latest of those that have. */
static inline LpJob *lp_image_job(LpImage *m, uint32_t job) {
    LP_ASSERT(!lp_image_past(m, job));
    return lp_image_window(m) + (job - (m->jobs - m->kept));
}

/* A server is free from now on, or is not: in the room and in the tree. O(log servers). */
void lp_image_set_free(LpImage *image, const LpContext *context, uint32_t server, bool free);
/* Sets the places of the pools, and bytes, from the rooms that the head names. */
void lp_image_lay_out(LpImage *head);
/* Makes room for one more change and `pairs` more broken circuits, for an extra job, and for the
 * timers of all running jobs, which the change may stop. */
LpErr lp_image_reserve_change(LpWorld *world, uint32_t pairs) LP_MUST_USE;
/* Makes room for one more job, its timers (up to 3 more) and one more cached step. Jobs that have
 * ended may move from the image to the past. */
LpErr lp_image_reserve(LpWorld *world) LP_MUST_USE;

void lp_timer_push(LpImage *image, double time, LpTimerKind kind, uint32_t job);
void lp_timer_remove(LpImage *image, uint32_t index);
/* Order of the heap. */
bool lp_timer_earlier(const LpTimer *a, const LpTimer *b);
/* Does it mean nothing any more? */
bool lp_timer_stale(LpImage *image, const LpTimer *timer);
/* Index of the timer of this kind due at or before `until` with the lowest job id, LP_NO_INDEX. */
uint32_t lp_timer_due(const LpImage *image, LpTimerKind kind, double until);
/* Drops every timer that means nothing any more. */
void lp_timer_purge(LpImage *image);
/* Drops timers at the top that mean nothing any more. */
void lp_timer_clean(LpImage *image);

typedef struct LpList {
    uint32_t *first, *last;
} LpList;
LpList lp_image_waiting(LpImage *image);
LpList lp_image_running(LpImage *image);
void lp_list_append(LpImage *image, LpList list, uint32_t job);
/* By number: before the first one whose number is greater. O(jobs behind it). */
void lp_list_insert(LpImage *image, LpList list, uint32_t job);
void lp_list_remove(LpImage *image, LpList list, uint32_t job);

/* Raise the mark (state/mark.h): for a change of the world that no job shows, told apart from
 * others by `what`; for a job whose seen members change; for a server that breaks or is mended; for
 * an event, with what came of its job. Called with the change, before anybody can look. O(1). */
void lp_mark_world(LpImage *image, uint64_t what);
void lp_mark_job(LpImage *image, uint32_t job);
void lp_mark_servers(LpImage *image, uint32_t server);
void lp_mark_event(LpImage *image, const LpEvent *event);

/* Fills the event in, marks its job and counts it, also among those that bring no job further
 * (state/vain.h). */
void lp_image_event(LpImage *image, LpEvent *out, LpEventKind kind, uint32_t job);

#endif
