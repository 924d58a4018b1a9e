/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ends of running jobs that share links: a binary heap by (time, job) in which every job knows
 * its place. */
#include "sim/state/ends.h"

#include <math.h>

#include "base/assert.h"

static void put(LpImage *m, uint32_t at, LpTimer end) {
    lp_image_ending(m)[at] = end;
    lp_image_job(m, end.job)->queue.ends_at = at + 1;
}

/* Finds the place for an end, beginning at one that is free. */
static void settle(LpImage *m, uint32_t at, LpTimer end) {
    const LpTimer *heap = lp_image_ending(m);
    for (; at > 0 && lp_timer_earlier(&end, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(m, at, heap[(at - 1) / 2]);
    for (uint32_t child; (child = 2 * at + 1) < m->endings; at = child) {
        if (child + 1 < m->endings && lp_timer_earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!lp_timer_earlier(&heap[child], &end))
            break;
        put(m, at, heap[child]);
    }
    put(m, at, end);
}

static LpTimer end_of(const LpJob *job) {
    LP_ASSERT(job->times.forecast_end == job->times.forecast_end);
    return (LpTimer){job->times.forecast_end, LP_TIMER_END, job->id};
}

void lp_ends_add(LpImage *m, LpJob *job) {
    LP_ASSERT(m->shared && job->queue.ends_at == 0 && m->endings < m->endings_cap);
    settle(m, m->endings++, end_of(job));
}

void lp_ends_moved(LpImage *m, LpJob *job) {
    if (job->queue.ends_at > 0)
        settle(m, job->queue.ends_at - 1, end_of(job));
}

void lp_ends_remove(LpImage *m, LpJob *job) {
    uint32_t at = job->queue.ends_at - 1;
    LP_ASSERT(job->queue.ends_at > 0 && lp_image_ending(m)[at].job == job->id);
    job->queue.ends_at = 0;
    LpTimer last = lp_image_ending(m)[--m->endings];
    if (at < m->endings)
        settle(m, at, last);
}

double lp_ends_next(LpImage *m) {
    return m->endings > 0 ? lp_image_ending(m)[0].time : (double)INFINITY;
}

/* Those that are due form a connected top of the heap. */
static uint32_t lowest_due(LpImage *m, uint32_t at, double until, uint32_t lowest) {
    if (at >= m->endings || !(lp_image_ending(m)[at].time <= until))
        return lowest;
    uint32_t job = lp_image_ending(m)[at].job;
    lowest = lowest_due(m, 2 * at + 1, until, job < lowest ? job : lowest);
    return lowest_due(m, 2 * at + 2, until, lowest);
}

uint32_t lp_ends_due(LpImage *m, double until) {
    return lowest_due(m, 0, until, LP_NO_INDEX);
}
