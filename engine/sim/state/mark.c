/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raising marks and reading them; in checked builds, what was seen of every job and server. */
#include "sim/state/mark.h"

#include <string.h>

#include "base/hash.h"
#include "sim/state/image.h"
#include "sim/state/validate_impl.h"

/* ---- raising ---- */

/* A step of the line: cheap, and different for different values. */
static uint64_t mix(uint64_t line, uint64_t value) {
    line = (line ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return line ^ line >> 29;
}

static void raise(LpImage *m, uint32_t job, uint64_t what) {
    m->line = mix(m->line, what);
    m->mark++;
    lp_image_changed(m)[m->mark & (m->jobs_cap - 1)] = (LpChanged){job, (uint32_t)(m->line >> 32)};
}

void lp_mark_world(LpImage *m, uint64_t what) {
    uint64_t when;
    memcpy(&when, &m->now, sizeof when);
    m->line = mix(m->line, when);
    raise(m, LP_NO_INDEX, what);
}

void lp_mark_job(LpImage *m, uint32_t job) {
    raise(m, job, job);
    lp_image_marked(m)[job - (m->jobs - m->kept)] = m->mark;
}

void lp_mark_servers(LpImage *m, uint32_t server) {
    raise(m, LP_NO_INDEX, server);
    m->servers_mark = m->mark;
}

void lp_mark_event(LpImage *m, const LpEvent *event) {
    m->line = mix(m->line, m->schedule_hash + event->kind);
    if (event->job == LP_NO_INDEX) {
        lp_mark_world(m, event->serial);
        return;
    }
    const LpJob *job = lp_image_job(m, event->job);
    uint64_t when, again;
    memcpy(&when, &event->time, sizeof when);
    memcpy(&again, &job->times.retry_at, sizeof again);
    m->line = mix(mix(m->line, when), job->placed.plan_hash + job->cause);
    /* what else an answer that lets a job wait leaves in it */
    m->line = mix(mix(m->line, again), (uint64_t)job->placed.degree << 1 | job->queue.held);
    lp_mark_job(m, event->job);
}

/* ---- reading ---- */

LpStamp lp_world_stamp(const LpWorld *world) {
    return (LpStamp){world->image->mark, world->image->line};
}

bool lp_world_follows(const LpWorld *world, LpStamp since) {
    LpImage *m = world->image;
    if (since.mark == m->mark)
        return since.line == m->line;
    if (since.mark > m->mark || since.mark <= m->known_from || m->mark - since.mark >= m->jobs_cap)
        return false;
    const LpChanged *then = &lp_image_changed(m)[since.mark & (m->jobs_cap - 1)];
    return then->line == (uint32_t)(since.line >> 32);
}

bool lp_world_next_changed(const LpWorld *world, uint64_t *at, uint32_t *job) {
    LpImage *m = world->image;
    while (*at < m->mark) {
        *job = lp_image_changed(m)[++*at & (m->jobs_cap - 1)].job;
        if (*job != LP_NO_INDEX && (lp_image_past(m, *job) || lp_job_mark(world, *job) == *at))
            return true;
    }
    return false;
}

uint64_t lp_job_mark(const LpWorld *world, uint32_t job) {
    LpImage *m = world->image;
    return lp_image_past(m, job) ? m->past_mark : lp_image_marked(m)[job - (m->jobs - m->kept)];
}

uint64_t lp_server_mark(const LpWorld *world, uint32_t server) {
    LpImage *m = world->image;
    const LpServer *s = &lp_image_server(m)[server];
    uint32_t job = s->job != LP_NO_INDEX ? s->job : s->last_job;
    uint64_t mark = job != LP_NO_INDEX ? lp_job_mark(world, job) : 0;
    return mark > m->servers_mark ? mark : m->servers_mark;
}

/* ---- in checked builds ---- */

#if defined(LP_CHECKED)
static uint64_t digest(const void *bytes, size_t len) {
    const unsigned char *at = bytes;
    uint64_t sum = 0, word;
    for (size_t i = 0; i < len; i += sizeof word) {
        memcpy(&word, at + i, sizeof word);
        sum = mix(sum, word);
    }
    return sum;
}
_Static_assert(sizeof(LpServer) % sizeof(uint64_t) == 0 && sizeof(LpJob) % sizeof(uint64_t) == 0,
               "digests are of whole words");

/* All of a job but its places in lists. */
static uint64_t digest_of(const LpJob *job) {
    LpJob seen = *job;
    seen.queue.next = seen.queue.prev = seen.queue.offer_next = seen.queue.ends_at = 0;
    seen.queue.row = seen.queue.listed = seen.queue.round = 0;
    seen.queue.child = seen.queue.sibling = seen.queue.before = 0;
    seen.queue.need = seen.queue.ranked = 0;
    seen.queue.key = 0;
    seen.queue.entry = 0;
    return digest(&seen, sizeof seen);
}

/* Servers and jobs that are looked at after every event. */
enum { AT_ONCE = 128 };

/* The first number is the mark when it was last looked, then servers, then jobs. In a large world
 * that is not after every event. */
LpErr lp_validate_marks(const LpValidation *v) {
    LpImage *m = v->image;
    uint64_t *seen = lp_image_seen(m), every = 1 + m->seen_cap / AT_ONCE;
    uint32_t first = m->jobs - m->kept;
    if (m->seen_cap == 0 || (m->serial % every != 0 && m->phase != LP_PHASE_OVER))
        return LP_OK;
    for (uint32_t s = 0; s < m->servers; s++) {
        uint64_t now = digest(&lp_image_server(m)[s], sizeof(LpServer));
        if (seen[1 + s] != now && lp_server_mark(v->world, s) <= seen[0])
            return LP_BROKEN(v, "marks: server %u has changed without one", s);
        seen[1 + s] = now;
    }
    for (uint32_t i = 0; i < m->kept; i++) {
        uint64_t now = digest_of(&lp_image_window(m)[i]), *then = &seen[1 + m->servers + i];
        if (*then != now && lp_image_marked(m)[i] <= seen[0])
            return LP_BROKEN(v, "marks: job %u has changed without one", first + i);
        *then = now;
    }
    seen[0] = m->mark;
    return LP_OK;
}
#endif
