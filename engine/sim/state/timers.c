/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of jobs and timers inside the image. */
#include "sim/state/image.h"

#include "base/assert.h"

/* ---- lists of jobs ---- */

LpList lp_image_waiting(LpImage *m) {
    return (LpList){&m->first_waiting, &m->last_waiting};
}

LpList lp_image_running(LpImage *m) {
    return (LpList){&m->first_running, &m->last_running};
}

void lp_list_append(LpImage *m, LpList list, uint32_t job) {
    LP_ASSERT(job < m->jobs);
    LpJob *at = lp_image_job(m, job);
    LP_ASSERT(at->queue.next == LP_NO_INDEX && at->queue.prev == LP_NO_INDEX && *list.first != job);
    at->queue.prev = *list.last;
    at->queue.next = LP_NO_INDEX;
    if (*list.last != LP_NO_INDEX)
        lp_image_job(m, *list.last)->queue.next = job;
    else
        *list.first = job;
    *list.last = job;
}

void lp_list_insert(LpImage *m, LpList list, uint32_t job) {
    LpJob *at = lp_image_job(m, job);
    uint32_t before = *list.last; /* it comes after that one */
    LP_ASSERT(job < m->jobs && at->queue.next == LP_NO_INDEX && at->queue.prev == LP_NO_INDEX);
    while (before != LP_NO_INDEX && before > job)
        before = lp_image_job(m, before)->queue.prev;
    uint32_t after = before != LP_NO_INDEX ? lp_image_job(m, before)->queue.next : *list.first;
    at->queue.prev = before;
    at->queue.next = after;
    *(before != LP_NO_INDEX ? &lp_image_job(m, before)->queue.next : list.first) = job;
    *(after != LP_NO_INDEX ? &lp_image_job(m, after)->queue.prev : list.last) = job;
}

void lp_list_remove(LpImage *m, LpList list, uint32_t job) {
    LpJob *at = lp_image_job(m, job);
    uint32_t next = at->queue.next, prev = at->queue.prev;
    LP_ASSERT(prev != LP_NO_INDEX ? lp_image_job(m, prev)->queue.next == job : *list.first == job);
    LP_ASSERT(next != LP_NO_INDEX ? lp_image_job(m, next)->queue.prev == job : *list.last == job);
    *(prev != LP_NO_INDEX ? &lp_image_job(m, prev)->queue.next : list.first) = next;
    *(next != LP_NO_INDEX ? &lp_image_job(m, next)->queue.prev : list.last) = prev;
    at->queue.next = at->queue.prev = LP_NO_INDEX;
}

/* ---- timers: a binary heap by (time, kind, job) ---- */

bool lp_timer_earlier(const LpTimer *a, const LpTimer *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->job < b->job;
}

static void swap_timers(LpTimer *a, LpTimer *b) {
    LpTimer held = *a;
    *a = *b;
    *b = held;
}

static void sift(LpImage *m, uint32_t at) {
    LpTimer *heap = lp_image_timer(m);
    while (at > 0 && lp_timer_earlier(&heap[at], &heap[(at - 1) / 2])) {
        swap_timers(&heap[at], &heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= m->timers)
            return;
        if (child + 1 < m->timers && lp_timer_earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!lp_timer_earlier(&heap[child], &heap[at]))
            return;
        swap_timers(&heap[child], &heap[at]);
        at = child;
    }
}

void lp_timer_push(LpImage *m, double time, LpTimerKind kind, uint32_t job) {
    LP_ASSERT(m->timers < m->timers_cap);
    LP_ASSERT(time == time);
    LP_ASSERT(kind == LP_TIMER_WAKE || job < m->jobs);
    lp_image_timer(m)[m->timers++] = (LpTimer){time, (uint32_t)kind, job};
    sift(m, m->timers - 1);
}

void lp_timer_remove(LpImage *m, uint32_t index) {
    LP_ASSERT(index < m->timers);
    LpTimer *heap = lp_image_timer(m);
    heap[index] = heap[--m->timers];
    if (index < m->timers)
        sift(m, index);
}

/* Timers due form a connected top of the heap, so only they and their children are visited. What is
 * below a timer comes after it by time, kind and job: below one of the last instant there is
 * nothing of an earlier kind, and below one of the kind itself no lower job, so that many timers of
 * one instant are not walked through again for each of them. */
static uint32_t find_due(const LpImage *m, const LpTimer *heap, uint32_t at, LpTimerKind kind,
                         double until) {
    if (at >= m->timers || heap[at].time > until)
        return LP_NO_INDEX;
    if (heap[at].time == until && heap[at].kind >= (uint32_t)kind)
        return heap[at].kind == (uint32_t)kind ? at : LP_NO_INDEX;
    uint32_t found[3] = {heap[at].kind == (uint32_t)kind ? at : LP_NO_INDEX,
                         find_due(m, heap, 2 * at + 1, kind, until),
                         find_due(m, heap, 2 * at + 2, kind, until)};
    uint32_t best = LP_NO_INDEX;
    for (int i = 0; i < 3; i++)
        if (found[i] != LP_NO_INDEX && (best == LP_NO_INDEX || heap[found[i]].job < heap[best].job))
            best = found[i];
    return best;
}

uint32_t lp_timer_due(const LpImage *m, LpTimerKind kind, double until) {
    const LpTimer *heap = (const LpTimer *)(const void *)((const char *)m + m->at_timer);
    return find_due(m, heap, 0, kind, until);
}

bool lp_timer_stale(LpImage *m, const LpTimer *timer) {
    if (timer->kind == LP_TIMER_WAKE)
        return false;
    const LpJob *job = lp_image_job(m, timer->job);
    if (timer->kind == LP_TIMER_END)
        return job->outcome != LP_JOB_RUNNING || job->times.forecast_end != timer->time;
    if (timer->kind == LP_TIMER_KILL)
        return job->outcome != LP_JOB_RUNNING || job->times.kill_at != timer->time;
    if (timer->kind == LP_TIMER_RETRY && job->times.retry_at != timer->time)
        return true;
    /* while a waiting job is being decided its timers still count: it may go on waiting */
    return job->outcome != LP_JOB_WAITING && job->outcome != LP_JOB_DECIDING;
}

void lp_timer_clean(LpImage *m) {
    while (m->timers > 0 && lp_timer_stale(m, &lp_image_timer(m)[0]))
        lp_timer_remove(m, 0);
}

/* Order in the heap is by a total order, so rebuilding it changes nothing that is seen. */
void lp_timer_purge(LpImage *m) {
    LpTimer *heap = lp_image_timer(m);
    uint32_t count = m->timers;
    m->timers = 0;
    for (uint32_t i = 0; i < count; i++) {
        LpTimer timer = heap[i];
        if (lp_timer_stale(m, &timer))
            continue;
        heap[m->timers++] = timer;
        sift(m, m->timers - 1);
    }
}
