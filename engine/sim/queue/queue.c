/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each list is a pairing heap (Fredman, Sedgewick, Sleator, Tarjan, Algorithmica 1986): its links
 * are in the jobs, and any job can be taken out. A link is 1 + a job's number, 0 none. */
#include "sim/queue/queue.h"

#include <math.h>

#include "base/assert.h"
#include "model/fabric/best.h"

static LpJob *at(LpImage *m, uint32_t link) {
    return lp_image_job(m, link - 1);
}

bool lp_queue_earlier(const LpJob *a, const LpJob *b) {
    return a->queue.key != b->queue.key ? a->queue.key < b->queue.key
                                        : a->queue.entry < b->queue.entry;
}

/* ---- one heap ---- */

/* Makes one root of two that have no siblings. */
static uint32_t meld(LpImage *m, uint32_t a, uint32_t b) {
    if (a == 0 || b == 0)
        return a + b;
    if (lp_queue_earlier(at(m, b), at(m, a))) {
        uint32_t held = a;
        a = b;
        b = held;
    }
    LpJob *root = at(m, a), *under = at(m, b);
    under->queue.sibling = root->queue.child;
    under->queue.before = a;
    if (root->queue.child != 0)
        at(m, root->queue.child)->queue.before = b;
    root->queue.child = b;
    return a;
}

/* Makes one root of a row of siblings: in pairs from the left, then all from the right. */
static uint32_t meld_row(LpImage *m, uint32_t row) {
    uint32_t pairs = 0, root = 0;
    while (row != 0) {
        uint32_t a = row, b = at(m, a)->queue.sibling;
        row = b != 0 ? at(m, b)->queue.sibling : 0;
        at(m, a)->queue.sibling = at(m, a)->queue.before = 0;
        if (b != 0)
            at(m, b)->queue.sibling = at(m, b)->queue.before = 0;
        uint32_t pair = meld(m, a, b);
        at(m, pair)->queue.sibling = pairs;
        pairs = pair;
    }
    while (pairs != 0) {
        uint32_t pair = pairs;
        pairs = at(m, pair)->queue.sibling;
        at(m, pair)->queue.sibling = 0;
        root = meld(m, root, pair);
    }
    return root;
}

static void take_out(LpImage *m, LpWaitedFor *need, LpJob *job) {
    uint32_t self = job->id + 1, left = job->queue.before, right = job->queue.sibling;
    if (need->root != self) {
        *(at(m, left)->queue.child == self ? &at(m, left)->queue.child
                                           : &at(m, left)->queue.sibling) = right;
        if (right != 0)
            at(m, right)->queue.before = left;
    }
    uint32_t below = meld_row(m, job->queue.child);
    need->root = need->root == self ? below : meld(m, need->root, below);
    job->queue.child = job->queue.sibling = job->queue.before = 0;
}

/* ---- the lists ---- */

/* The row of a need; that of 0 where there is no room for another: then its jobs are asked more
 * often than they need to be. */
static uint32_t row_of(LpImage *m, uint32_t servers) {
    LpWaitedFor *need = lp_image_need(m);
    uint32_t empty = 0;
    if (servers == 0)
        return 0;
    for (uint32_t i = 1; i < m->needs; i++) {
        if (need[i].jobs > 0 && need[i].servers == servers)
            return i;
        if (need[i].jobs == 0 && empty == 0)
            empty = i;
    }
    if (empty == 0 && m->needs < m->needs_cap)
        empty = m->needs++;
    if (empty > 0)
        need[empty] = (LpWaitedFor){servers, 0, 0, 0};
    return empty;
}

static bool declared(const LpJob *job) {
    return job->queue.need > 0 || job->queue.ranked;
}

static void push(LpImage *m, LpJob *job) {
    LpWaitedFor *need = &lp_image_need(m)[job->queue.row];
    job->queue.listed = LP_LISTED;
    need->root = meld(m, need->root, job->id + 1);
}

void lp_queue_list(LpImage *m, LpJob *job) {
    LP_ASSERT(job->queue.listed == LP_LISTED_NOT && job->outcome == LP_JOB_WAITING);
    bool due = job->times.retry_at <= m->now;
    if (job->queue.held || !(isinf(job->times.retry_at) || due))
        return;
    job->queue.row = row_of(m, job->queue.need);
    lp_image_need(m)[job->queue.row].jobs++;
    m->declared += declared(job);
    if (!m->round_open) {
        push(m, job);
        return;
    }
    job->queue.listed = LP_LISTED_ASIDE;
    job->queue.sibling = m->put_aside;
    job->queue.before = 0;
    if (m->put_aside != 0)
        at(m, m->put_aside)->queue.before = job->id + 1;
    m->put_aside = job->id + 1;
}

/* Off the chain of those that are aside. */
static void take_aside(LpImage *m, LpJob *job) {
    uint32_t left = job->queue.before, right = job->queue.sibling;
    *(left != 0 ? &at(m, left)->queue.sibling : &m->put_aside) = right;
    if (right != 0)
        at(m, right)->queue.before = left;
    job->queue.sibling = job->queue.before = 0;
}

void lp_queue_unlist(LpImage *m, LpJob *job) {
    if (job->queue.listed == LP_LISTED_NOT)
        return;
    LpWaitedFor *need = &lp_image_need(m)[job->queue.row];
    LP_ASSERT(need->jobs > 0);
    if (job->queue.listed == LP_LISTED)
        take_out(m, need, job);
    else
        take_aside(m, job);
    need->jobs--;
    m->declared -= declared(job);
    job->queue.listed = LP_LISTED_NOT;
    job->queue.row = 0;
}

void lp_queue_clear(LpJob *job) {
    LP_ASSERT(job->queue.listed == LP_LISTED_NOT);
    job->queue.need = job->queue.ranked = 0;
    job->queue.key = 0;
    job->queue.entry = 0;
}

void lp_queue_leave(LpImage *m, LpJob *job) {
    lp_queue_unlist(m, job);
    lp_list_remove(m, lp_image_waiting(m), job->id);
    m->tally.waiting--;
    m->unranked -= !job->queue.ranked;
    lp_queue_clear(job);
}

void lp_queue_put_back(LpImage *m) {
    while (m->put_aside != 0) {
        LpJob *job = at(m, m->put_aside);
        take_aside(m, job);
        push(m, job);
    }
}

/* ---- reading them ---- */

/* The first of a list without its root: one of its children. */
static LpJob *second(LpImage *m, const LpJob *root) {
    LpJob *best = NULL;
    for (uint32_t c = root->queue.child; c != 0; c = at(m, c)->queue.sibling)
        if (best == NULL || lp_queue_earlier(at(m, c), best))
            best = at(m, c);
    return best;
}

uint32_t lp_queue_first(LpImage *m, uint32_t except) {
    const LpJob *best = NULL;
    for (uint32_t i = 0; i < m->needs; i++) {
        uint32_t root = lp_image_need(m)[i].root;
        const LpJob *job = root == 0            ? NULL
                           : root - 1 == except ? second(m, at(m, root))
                                                : at(m, root);
        if (job != NULL && (best == NULL || lp_queue_earlier(job, best)))
            best = job;
    }
    for (uint32_t a = m->put_aside; a != 0; a = at(m, a)->queue.sibling)
        if (a - 1 != except && (best == NULL || lp_queue_earlier(at(m, a), best)))
            best = at(m, a);
    return best != NULL ? best->id : LP_NO_INDEX;
}

bool lp_queue_fits(LpImage *m, const LpContext *context, uint32_t need) {
    LpBlockSearch search;
    if (need == 0 || m->tally.busy_servers == 0)
        return true;
    if (need > m->free_servers)
        return false;
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    lp_block_search_in(&search, &context->fabric, need, fallbacks, lp_image_room(m), NULL, NULL);
    return lp_block_next(&search, NULL);
}
