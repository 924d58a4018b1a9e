/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world image; private to sim/. One block: this header, then servers, workload, wavelengths,
 * jobs, the event heap and the published cache, found by offsets. No pointers inside. */
#ifndef LP_SIM_STATE_IMAGE_H
#define LP_SIM_STATE_IMAGE_H

#include "sim/state/conditions.h"
#include "sim/state/workload.h"

/* What is looked at next, at one instant. */
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
    LP_TIMER_WAKE /* job LP_NO_INDEX */
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

/* A broken light path between two servers, or a broken cable between two nodes: a < b. */
typedef struct LpFailed {
    uint32_t a, b;
} LpFailed;

typedef struct LpImage {
    uint64_t seed;
    size_t bytes;
    size_t at_servers, at_workload, workload_bytes, at_waves, at_ports, at_jobs, at_timers,
        at_cache, at_mem;
    size_t at_changes, at_failed;
    uint32_t servers, waves, ports;
    uint32_t schedule, network;     /* of circuits: numbers in the context */
    uint32_t lit, reconfigurations; /* circuits lit; times that they were changed */
    uint64_t schedule_hash;
    double light_at, interval_at; /* INFINITY: never */
    uint32_t jobs, jobs_cap;
    uint32_t timers, timers_cap;
    uint32_t cache, cache_cap;
    uint32_t mem, mem_cap; /* bytes of a policy's plain data */
    uint32_t changes, changes_cap;
    uint32_t failed, failed_cap; /* broken light paths or cables */
    uint32_t scales;             /* those in force: their number in the context, not hashed */
    uint32_t extra;              /* first extra job that has not been announced, LP_NO_INDEX */
    LpConditions conditions;
    double now, horizon, epsilon, next_arrival;
    uint32_t phase, due, free_servers, seen_busy;
    uint32_t first_waiting, last_waiting, first_running, last_running;
    uint32_t offer;         /* next waiting job to look at in this round of offers */
    uint32_t shared;        /* running jobs share links: their ends have no timers */
    uint32_t completed_now; /* completions at this instant: a reason to offer */
    uint64_t serial, ranks;
    uint64_t quiet; /* wakes and offers since a job last arrived or ended */
    LpRng policy_rng;
    LpTally tally;
    LpPublishedSums published;
} LpImage;

struct LpWorld {
    LpImage *image;
};

static inline LpServer *lp_image_server(LpImage *m) {
    return (LpServer *)(void *)((char *)m + m->at_servers);
}
static inline LpWorkload *lp_image_workload(LpImage *m) {
    return (LpWorkload *)(void *)((char *)m + m->at_workload);
}
/* Owner of a wavelength whose job is being moved: counts as free. */
#define LP_WAVE_LENT (LP_NO_INDEX - 1)

/* Owner of each subnet wavelength, LP_NO_INDEX free; only where the rule applies. */
static inline uint32_t *lp_image_wave(LpImage *m) {
    return (uint32_t *)(void *)((char *)m + m->at_waves);
}
/* Per port, since when its circuit is lit or from when on it will be, s. */
static inline double *lp_image_port(LpImage *m) {
    return (double *)(void *)((char *)m + m->at_ports);
}
static inline LpJob *lp_image_job(LpImage *m) {
    return (LpJob *)(void *)((char *)m + m->at_jobs);
}
static inline LpTimer *lp_image_timer(LpImage *m) {
    return (LpTimer *)(void *)((char *)m + m->at_timers);
}
static inline LpCachedStep *lp_image_cache(LpImage *m) {
    return (LpCachedStep *)(void *)((char *)m + m->at_cache);
}

static inline unsigned char *lp_image_mem(LpImage *m) {
    return (unsigned char *)m + m->at_mem;
}

static inline LpChange *lp_image_change(LpImage *m) {
    return (LpChange *)(void *)((char *)m + m->at_changes);
}
static inline LpFailed *lp_image_failed(LpImage *m) {
    return (LpFailed *)(void *)((char *)m + m->at_failed);
}

/* Makes room for one more change and one more broken circuit, for an extra job, and for the timers
 * of all running jobs, which the change may stop. */
LpErr lp_image_reserve_change(LpWorld *world) LP_MUST_USE;
/* Makes room for one more job, its timers (up to 3 more) and one more cached step. */
LpErr lp_image_reserve(LpWorld *world) LP_MUST_USE;

void lp_timer_push(LpImage *image, double time, LpTimerKind kind, uint32_t job);
void lp_timer_remove(LpImage *image, uint32_t index);
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
void lp_list_remove(LpImage *image, LpList list, uint32_t job);

/* What policies ask for, they can ask for without end; what ends it is bounded by the jobs. */
static inline void lp_image_count_quiet(LpImage *m, LpEventKind kind) {
    if (kind == LP_EVENT_WAKE || kind == LP_EVENT_OFFER)
        m->quiet++;
    else if (kind == LP_EVENT_ARRIVAL || kind == LP_EVENT_COMPLETION || kind == LP_EVENT_EXPIRY ||
             kind == LP_EVENT_BLOCK || kind == LP_EVENT_CONDITION)
        m->quiet = 0;
}

static inline void lp_image_event(LpImage *m, LpEvent *out, LpEventKind kind, uint32_t job) {
    *out = (LpEvent){kind, job, m->now, m->serial++};
    m->tally.events++;
    lp_image_count_quiet(m, kind);
}

#endif
