/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a world in order? What lives now: layout, clock, servers, lists, timers, light. */
#include "sim/state/validate.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/state/validate_impl.h"
#include "sim/store/store.h"

/* ---- layout ---- */

static LpErr check_layout(const LpValidation *v) {
    LpImage *m = v->image, again = *m;
    lp_image_lay_out(&again);
#define X(pool, Type, size, used, room)                                                            \
    if (m->at_##pool != again.at_##pool)                                                           \
        return LP_BROKEN(v, "layout: the pool " #pool " lies at %zu, expected %zu", m->at_##pool,  \
                         again.at_##pool);                                                         \
    if (m->used > m->room)                                                                         \
        return LP_BROKEN(v, "layout: %zu of the pool " #pool " where there is room for %zu",       \
                         (size_t)m->used, (size_t)m->room);
    LP_IMAGE_POOLS(X)
#undef X
    if (m->kept > m->jobs || m->jobs - m->kept != lp_past_jobs(v->world->past))
        return LP_BROKEN(v, "layout: %u of %u jobs in the image, %u in the past", m->kept, m->jobs,
                         lp_past_jobs(v->world->past));
    return LP_OK;
}

/* ---- clock ---- */

/* Before now by more than rounding, or than the published tolerance. */
static bool before_now(const LpImage *m, double time) {
    return !(time >= m->now * (1 - LP_VALIDATE_SLACK) - m->epsilon);
}

static LpErr check_clock(const LpValidation *v) {
    const LpImage *m = v->image;
    if (!(m->now >= 0) || m->now > m->horizon * (1 + LP_VALIDATE_SLACK))
        return LP_BROKEN(v, "clock: now is %.17g s, the horizon %.17g s", m->now, m->horizon);
    if (m->phase > LP_PHASE_OVER)
        return LP_BROKEN(v, "clock: there is no phase %u", m->phase);
    if (m->tally.events != m->serial)
        return LP_BROKEN(v, "clock: %llu events are counted, the next has number %llu",
                         (unsigned long long)m->tally.events, (unsigned long long)m->serial);
    if (m->phase == LP_PHASE_OVER)
        return LP_OK;
    if (before_now(m, m->next_arrival))
        return LP_BROKEN(v, "clock: the next job arrives at %.17g s, before now (%.17g s)",
                         m->next_arrival, m->now);
    if (before_now(m, m->light_at))
        return LP_BROKEN(v, "clock: light is due at %.17g s, before now (%.17g s)", m->light_at,
                         m->now);
    return LP_OK;
}

/* ---- running jobs and their servers ---- */

/* The chain of a running job's servers. */
static LpErr check_chain(const LpValidation *v, const LpJob *job) {
    LpImage *m = v->image;
    const LpServer *server = lp_image_server(m);
    const LpPlacement *placement = lp_store_placement(v->context->store, job->placed.placement);
    uint32_t count = 0;
    if (placement->servers != job->placed.servers)
        return LP_BROKEN(v, "servers: job %u says %u servers, its placement %u", job->id,
                         job->placed.servers, placement->servers);
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX; s = server[s].next, count++) {
        if (s >= m->servers || count >= placement->servers || placement->server[count] != s)
            return LP_BROKEN(v, "servers: server %u is in the chain of job %u at %u, not placed so",
                             s, job->id, count);
        if (server[s].job != job->id)
            return LP_BROKEN(v, "servers: server %u is in the chain of job %u and belongs to %u", s,
                             job->id, server[s].job);
        if (server[s].state != LP_SERVER_IN_SERVICE && job->light.dark != LP_JOB_HELD)
            return LP_BROKEN(v, "servers: job %u runs on server %u, which is broken", job->id, s);
    }
    if (count != placement->servers)
        return LP_BROKEN(v, "servers: the chain of job %u has %u servers, its placement %u",
                         job->id, count, placement->servers);
    return LP_OK;
}

/* Where a job is in its step. */
static LpErr check_phase(const LpValidation *v, const LpJob *job) {
    bool sound =
        job->sharing.work_done >= 0 && job->sharing.idle_left >= 0 && job->sharing.send_left >= 0 &&
        isfinite(job->sharing.work_done + job->sharing.idle_left + job->sharing.send_left) &&
        job->sharing.partners < v->image->tally.running;
    if (job->sharing.load == LP_NO_INDEX || sound)
        return LP_OK;
    return LP_BROKEN(v, "work: job %u is at %.17g, %.17g, %.17g s of phase %u, with %u others",
                     job->id, job->sharing.work_done, job->sharing.idle_left,
                     job->sharing.send_left, job->sharing.phase, job->sharing.partners);
}

/* Exact where nothing is rounded to the step that was simulated for another job. */
static LpErr check_end(const LpValidation *v, const LpJob *job) {
    const LpImage *m = v->image;
    double left = job->asked.steps - job->work.steps_done - job->sharing.part_step;
    if (job->light.dark > LP_JOB_HELD ||
        (job->light.dark != LP_JOB_LIT) != isinf(job->times.forecast_end))
        return LP_BROKEN(v, "work: job %u has light %u and is to end at %.17g s", job->id,
                         job->light.dark, job->times.forecast_end);
    if (!(job->work.steps_done >= 0 && job->sharing.part_step >= 0 &&
          left >= -LP_VALIDATE_SLACK * job->asked.steps))
        return LP_BROKEN(v, "work: job %u has done %.17g and %.17g of %.17g steps", job->id,
                         job->work.steps_done, job->sharing.part_step, job->asked.steps);
    if (job->light.dark != LP_JOB_LIT)
        return LP_OK;
    if (before_now(m, job->times.forecast_end))
        return LP_BROKEN(v, "work: job %u runs although its end was at %.17g s, now is %.17g s",
                         job->id, job->times.forecast_end, m->now);
    double end = job->times.running_since +
                 (lp_job_in_pieces(job) ? lp_job_run_time(job) : left * job->forecast.step_time);
    if (m->epsilon == 0 && fabs(end - job->times.forecast_end) > LP_VALIDATE_SLACK * end)
        return LP_BROKEN(v, "work: job %u ends at %.17g s, its last %.17g steps at %.17g s",
                         job->id, job->times.forecast_end, left, end);
    return LP_OK;
}

static LpErr check_running_job(const LpValidation *v, const LpJob *job) {
    if (job->outcome != LP_JOB_RUNNING)
        return LP_BROKEN(v, "queue: job %u is among those that run, and is %s", job->id,
                         lp_outcome_name((LpOutcome)job->outcome));
    LP_TRY(check_chain(v, job));
    LP_TRY(check_phase(v, job));
    return check_end(v, job);
}

/* All jobs that have not ended are. */
static bool in_image(const LpImage *m, uint32_t id) {
    return id < m->jobs && !lp_image_past(m, id);
}

/* Is the step from `last` to `id` one of a list of at most `count` jobs? */
static LpErr check_link(const LpValidation *v, const char *list, uint32_t id, uint32_t last,
                        uint64_t at, uint64_t count) {
    if (!in_image(v->image, id) || at >= count)
        return LP_BROKEN(v, "queue: more than the %llu jobs that are counted %s (job %u)",
                         (unsigned long long)count, list, id);
    if (lp_image_job(v->image, id)->queue.prev != last)
        return LP_BROKEN(v, "queue: of the jobs %s %u comes after %u, and says after %u", list, id,
                         last, lp_image_job(v->image, id)->queue.prev);
    return LP_OK;
}

static LpErr check_list_end(const LpValidation *v, const char *list, uint32_t last, uint32_t found,
                            uint64_t at, uint64_t count) {
    if (at != count || last != found)
        return LP_BROKEN(v, "queue: %llu jobs %s up to job %u, counted are %llu up to %u",
                         (unsigned long long)at, list, found, (unsigned long long)count, last);
    return LP_OK;
}

/* Since when a running job has had its servers: the order of their list. */
static double mounted(LpImage *m, const LpJob *job) {
    return lp_image_server(m)[job->placed.first_server].since;
}

static LpErr check_running(const LpValidation *v) {
    LpImage *m = v->image;
    uint32_t last = LP_NO_INDEX;
    uint64_t busy = 0, lit = 0, count = 0;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LP_TRY(check_link(v, "run", id, last, count, m->tally.running));
        const LpJob *job = lp_image_job(m, id);
        LP_TRY(check_running_job(v, job));
        if (last != LP_NO_INDEX && mounted(m, lp_image_job(m, last)) > mounted(m, job))
            return LP_BROKEN(v, "queue: job %u runs before %u, and started later", last, id);
        busy += job->placed.servers;
        lit += job->placed.peak_circuits;
        last = id;
        count++;
    }
    LP_TRY(check_list_end(v, "run", m->last_running, last, count, m->tally.running));
    if (busy != m->tally.busy_servers || lit != m->tally.lit_circuits)
        return LP_BROKEN(v,
                         "tally: %u servers busy and %u circuits lit, the jobs say %llu and %llu",
                         m->tally.busy_servers, m->tally.lit_circuits, (unsigned long long)busy,
                         (unsigned long long)lit);
    return LP_OK;
}

/* The index of free room follows from the servers. */
static LpErr check_room(const LpValidation *v) {
    LpImage *m = v->image;
    const LpRoom *room = lp_image_room(m);
    if (room->free != m->free_servers)
        return LP_BROKEN(v, "servers: the index of free room has %u free, expected %u", room->free,
                         m->free_servers);
    for (uint32_t s = 0; s < m->servers; s++) {
        const LpServer *server = &lp_image_server(m)[s];
        bool free = server->job == LP_NO_INDEX && server->state == LP_SERVER_IN_SERVICE;
        if (lp_room_has(room, s) != free)
            return LP_BROKEN(v, "servers: the index of free room says server %u is %s", s,
                             free ? "taken" : "free");
    }
    return LP_OK;
}

/* Servers of a lowest node that are free, or broken. */
static LpTreeCount count_members(const LpValidation *v, uint32_t node) {
    const LpTree *tree = v->context->fabric.cluster->tree;
    LpTreeCount count = {0, 0};
    for (uint32_t i = tree->member_begin[node]; i < tree->member_begin[node + 1]; i++) {
        const LpServer *server = &lp_image_server(v->image)[tree->member[i]];
        bool fails = server->state != LP_SERVER_IN_SERVICE;
        count.free += server->job == LP_NO_INDEX && !fails;
        count.down += fails;
    }
    return count;
}

/* The counts of the tree follow from the servers. */
static LpErr check_nodes(const LpValidation *v) {
    const LpTree *tree = v->context->fabric.cluster->tree;
    const LpTreeCount *node = lp_image_node(v->image);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        LpTreeCount below = {0, 0};
        if (tree->level[i] == 0)
            below = count_members(v, i);
        for (uint32_t k = tree->child_begin[i]; k < tree->child_begin[i + 1]; k++) {
            below.free += node[tree->child[k]].free;
            below.down += node[tree->child[k]].down;
        }
        if (below.free != node[i].free || below.down != node[i].down)
            return LP_BROKEN(v,
                             "servers: node %u of the tree has %u free and %u broken, counted "
                             "are %u and %u",
                             i, below.free, below.down, node[i].free, node[i].down);
    }
    return LP_OK;
}

/* After check_running: who holds one is in a chain, when as many are held as chains are long. */
static LpErr check_servers(const LpValidation *v) {
    LpImage *m = v->image;
    uint32_t held = 0, broken = 0, both = 0; /* held by who waits until it is mended */
    for (uint32_t s = 0; s < m->servers; s++) {
        const LpServer *server = &lp_image_server(m)[s];
        bool fails = server->state != LP_SERVER_IN_SERVICE;
        held += server->job != LP_NO_INDEX;
        broken += fails;
        both += server->job != LP_NO_INDEX && fails;
        if (server->job != LP_NO_INDEX && fails &&
            lp_image_job(m, server->job)->light.dark != LP_JOB_HELD)
            return LP_BROKEN(v, "servers: job %u holds server %u, which is broken", server->job, s);
        if (!(server->since <= m->now))
            return LP_BROKEN(v, "servers: server %u changed hands at %.17g s, now is %.17g s", s,
                             server->since, m->now);
    }
    if (held != m->tally.busy_servers)
        return LP_BROKEN(v, "servers: %u are held, the running jobs have %u", held,
                         m->tally.busy_servers);
    if (broken != m->tally.failed_servers || held + broken - both + m->free_servers != m->servers)
        return LP_BROKEN(v, "servers: %u held, %u broken (counted %u), %u free, expected %u in all",
                         held, broken, m->tally.failed_servers, m->free_servers, m->servers);
    LP_TRY(check_room(v));
    return check_nodes(v);
}

/* ---- waiting jobs, offers ---- */

static LpErr check_waiting(const LpValidation *v) {
    LpImage *m = v->image;
    uint32_t last = LP_NO_INDEX;
    uint64_t count = 0;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        LP_TRY(check_link(v, "wait", id, last, count, m->tally.waiting));
        const LpJob *job = lp_image_job(m, id);
        bool asked = job->outcome == LP_JOB_DECIDING && (id == m->due || m->aside > 0);
        if (job->outcome != LP_JOB_WAITING && !asked)
            return LP_BROKEN(v, "queue: job %u is among those that wait, and is %s", id,
                             lp_outcome_name((LpOutcome)job->outcome));
        if (!(job->times.waiting_since <= m->now) ||
            (last != LP_NO_INDEX &&
             (m->fifo ? last > id
                      : lp_image_job(m, last)->times.waiting_since > job->times.waiting_since)))
            return LP_BROKEN(v, "queue: job %u waits since %.17g s, now is %.17g s, %s", id,
                             job->times.waiting_since, m->now, "and the one before it since later");
        last = id;
        count++;
    }
    return check_list_end(v, "wait", m->last_waiting, last, count, m->tally.waiting);
}

/* Does a job lie in a heap as its links say: below one that goes before it? */
static bool heap_link(LpImage *m, const LpJob *job) {
    const LpWaitedFor *need = &lp_image_need(m)[job->queue.row];
    uint32_t self = job->id + 1, child = job->queue.child, right = job->queue.sibling;
    if (job->queue.before == 0 && need->root != self)
        return false;
    if (right != 0 && lp_image_job(m, right - 1)->queue.before != self)
        return false;
    if (child == 0)
        return true;
    const LpJob *below = lp_image_job(m, child - 1);
    bool earlier = job->queue.key != below->queue.key ? job->queue.key < below->queue.key
                                                      : job->queue.entry < below->queue.entry;
    return below->queue.before == self && earlier;
}

/* The lists of waiting jobs by need (sim/queue/queue.h). */
static LpErr check_needs(const LpValidation *v) {
    LpImage *m = v->image;
    uint64_t listed = 0, counted = 0, declared = 0, unranked = 0;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        const LpJob *job = lp_image_job(m, id);
        unranked += !job->queue.ranked;
        if (job->queue.listed == LP_LISTED_NOT)
            continue;
        listed++;
        declared += job->queue.need > 0 || job->queue.ranked;
        if (job->outcome != LP_JOB_WAITING || job->queue.row >= m->needs)
            return LP_BROKEN(v, "queue: job %u is listed and does not wait, or in no row", id);
        if (job->queue.row > 0 && lp_image_need(m)[job->queue.row].servers != job->queue.need)
            return LP_BROKEN(v, "queue: job %u waits for %u servers in another row", id,
                             job->queue.need);
        if (job->queue.listed == LP_LISTED && !heap_link(m, job))
            return LP_BROKEN(v, "queue: job %u is not where its links say", id);
    }
    for (uint32_t i = 0; i < m->needs; i++)
        counted += lp_image_need(m)[i].jobs;
    if (listed != counted || declared != m->declared || unranked != m->unranked)
        return LP_BROKEN(v, "queue: %u listed jobs are counted, %u declared, %u without a key",
                         (uint32_t)counted, m->declared, m->unranked);
    return LP_OK;
}

static LpErr check_offers(const LpValidation *v) {
    LpImage *m = v->image;
    uint32_t count = 0;
    if (m->due != LP_NO_INDEX &&
        (!in_image(m, m->due) || lp_image_job(m, m->due)->outcome != LP_JOB_DECIDING))
        return LP_BROKEN(v, "queue: job %u is to be decided, and is not deciding", m->due);
    for (uint32_t id = m->phase == LP_PHASE_OFFER ? m->offer : LP_NO_INDEX; id != LP_NO_INDEX;
         id = lp_image_job(m, id)->queue.offer_next)
        if (!in_image(m, id) || count++ >= m->jobs)
            return LP_BROKEN(v, "queue: the round of offers does not end (job %u)", id);
    return LP_OK;
}

/* ---- timers ---- */

/* What of the timers stands for a job. */
typedef struct Timers {
    uint64_t count[LP_TIMER_KINDS];
    double end; /* the first */
} Timers;

static LpErr check_timer(const LpValidation *v, uint32_t at, Timers *live) {
    LpImage *m = v->image;
    const LpTimer *heap = lp_image_timer(m), *t = &heap[at];
    if (t->kind >= LP_TIMER_KINDS || (t->kind != LP_TIMER_WAKE && !in_image(m, t->job)))
        return LP_BROKEN(v, "timers: timer %u has kind %u and job %u", at, t->kind, t->job);
    if (isnan(t->time) || (at > 0 && lp_timer_earlier(t, &heap[(at - 1) / 2])))
        return LP_BROKEN(v, "timers: timer %u (%.17g s) comes after one that is later", at,
                         t->time);
    if (lp_timer_stale(m, t))
        return LP_OK;
    /* who is stopped after his deadline leaves the queue later in this instant */
    bool settled = t->kind != LP_TIMER_DEADLINE || m->phase == LP_PHASE_TICK;
    if (settled && m->phase != LP_PHASE_OVER && before_now(m, t->time))
        return LP_BROKEN(v,
                         "timers: a timer of kind %u, job %u, was due at %.17g s, now is %.17g s",
                         t->kind, t->job, t->time, m->now);
    live->count[t->kind] += t->time > m->now || t->kind == LP_TIMER_END;
    if (t->kind == LP_TIMER_END && t->time < live->end)
        live->end = t->time;
    return LP_OK;
}

/* Ends on shared links: who runs is there once, at the place and with the time that it says. */
static LpErr check_endings(const LpValidation *v) {
    LpImage *m = v->image;
    const LpTimer *heap = lp_image_ending(m);
    if (m->endings != m->tally.running)
        return LP_BROKEN(v, "ends: %u of %llu running jobs", m->endings,
                         (unsigned long long)m->tally.running);
    for (uint32_t i = 0; i < m->endings; i++) {
        const LpTimer *t = &heap[i];
        if (!in_image(m, t->job) || lp_image_job(m, t->job)->queue.ends_at != i + 1 ||
            lp_image_job(m, t->job)->outcome != LP_JOB_RUNNING ||
            lp_image_job(m, t->job)->times.forecast_end != t->time)
            return LP_BROKEN(v, "ends: place %u is of job %u at %.17g s, and not as the job says",
                             i, t->job, t->time);
        if (i > 0 && lp_timer_earlier(t, &heap[(i - 1) / 2]))
            return LP_BROKEN(v, "ends: that of job %u comes after one that is later", t->job);
    }
    return LP_OK;
}

/* Who is waited for must be in the heap at least once; an action may have left a second timer. */
static LpErr check_timers(const LpValidation *v) {
    LpImage *m = v->image;
    Timers live = {.end = (double)INFINITY};
    uint64_t deadlines = 0, retries = 0, kills = 0;
    for (uint32_t i = 0; i < m->timers; i++)
        LP_TRY(check_timer(v, i, &live));
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        const LpJob *job = lp_image_job(m, id);
        deadlines += lp_job_deadline(job) > m->now && !isinf(job->asked.max_jct);
        retries += job->times.retry_at > m->now && !isinf(job->times.retry_at);
    }
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        kills += lp_image_job(m, id)->times.kill_at > m->now;
    if (live.count[LP_TIMER_KILL] < kills)
        return LP_BROKEN(v, "timers: %llu jobs are to be ended early, timers %llu",
                         (unsigned long long)kills, (unsigned long long)live.count[LP_TIMER_KILL]);
    if (live.count[LP_TIMER_DEADLINE] < deadlines || live.count[LP_TIMER_RETRY] < retries)
        return LP_BROKEN(v,
                         "timers: %llu deadlines and %llu retries are to come, timers %llu, %llu",
                         (unsigned long long)deadlines, (unsigned long long)retries,
                         (unsigned long long)live.count[LP_TIMER_DEADLINE],
                         (unsigned long long)live.count[LP_TIMER_RETRY]);
    if (m->shared)
        return check_endings(v);
    /* a job that stands still until a component is mended has no end yet, and no timer */
    double end = (double)INFINITY;
    uint64_t ending = 0;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next) {
        double ends = lp_image_job(m, id)->times.forecast_end;
        end = ends < end ? ends : end;
        ending += !isinf(ends);
    }
    if (live.count[LP_TIMER_END] < ending || live.end != end)
        return LP_BROKEN(v, "timers: %llu jobs end, the first at %.17g s; timers %llu, %.17g s",
                         (unsigned long long)ending, end,
                         (unsigned long long)live.count[LP_TIMER_END], live.end);
    return LP_OK;
}

/* ---- light ---- */

static LpErr check_light(const LpValidation *v) {
    LpImage *m = v->image;
    for (uint32_t w = 0; w < m->waves; w++) {
        uint32_t job = lp_image_wave(m)[w];
        if (job != LP_NO_INDEX &&
            (!in_image(m, job) || lp_image_job(m, job)->outcome != LP_JOB_RUNNING))
            return LP_BROKEN(v, "light: wavelength %u is held by job %u, which does not run", w,
                             job);
    }
    for (uint32_t p = 0; p < m->ports; p++) {
        double lit_at = lp_image_port(m)[p];
        if (!(lit_at >= 0) || (lit_at > m->now && lit_at < m->light_at))
            return LP_BROKEN(v,
                             "light: port %u is lit from %.17g s on, the next light is at %.17g s",
                             p, lit_at, m->light_at);
    }
    for (uint32_t i = 0; i < m->failed; i++) {
        const LpFailed *f = &lp_image_failed(m)[i], *before = i > 0 ? f - 1 : NULL;
        bool again = before != NULL && before->a == f->a && before->b == f->b;
        bool sorted = before == NULL || before->a < f->a ||
                      (before->a == f->a && before->b < f->b) ||
                      (again && m->covers > 0); /* its own failure and its switch's */
        if (!(f->a < f->b) || !sorted)
            return LP_BROKEN(v, "light: the broken circuit %u-%u is out of order", f->a, f->b);
    }
    return LP_OK;
}

/* ---- all of it ---- */

LpErr lp_validate_now(const LpValidation *v) {
    LpErr (*const check[])(const LpValidation *) = {check_clock,   check_running, check_servers,
                                                    check_waiting, check_needs,   check_offers,
                                                    check_timers,  check_light};
    for (size_t i = 0; i < LP_COUNTOF(check); i++)
        LP_TRY(check[i](v));
    return LP_OK;
}

LpErr lp_world_validate(const LpWorld *world, const LpContext *context, LpDiag *diag) {
    LpValidation v = {world, world->image, lp_world_context(world, context), diag};
    LP_TRY(check_layout(&v));
    LP_TRY(lp_validate_now(&v));
    return lp_validate_past(&v);
}

#if defined(LP_CHECKED)
void lp_world_check_event(const LpWorld *world, const LpContext *context) {
    LpDiag diag;
    const LpImage *m = world->image;
    uint64_t every = LP_VALIDATE_EVERY * (1 + (uint64_t)m->jobs / LP_VALIDATE_JOBS);
    bool all = m->serial % every == 0 || m->phase == LP_PHASE_OVER;
    LpValidation v = {world, world->image, lp_world_context(world, context), &diag};
    LpErr err = all ? lp_world_validate(world, context, &diag) : lp_validate_now(&v);
    if (err == LP_OK)
        err = lp_validate_marks(&v);
    if (err != LP_OK)
        lp_assert_failed(__FILE__, __LINE__, diag.text);
}
#endif
