/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ghost is a probe from the past that runs after the present. */
#include "ask/whatif/ghost.h"

#include <math.h>
#include <stdio.h>

#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/world.h"

struct LpGhost {
    const LpSession *real;
    LpSession *probe;
    LpWorld *now; /* the run when the ghost was called up */
    uint32_t reloads;
    bool done;
    bool failed; /* the policy did, at a decision: what came of it says nothing */
    LpDiag failure;
};

LpErr lp_ghost_new(const LpSession *s, const LpWorld *from, LpGhost **out, LpDiag *diag) {
    if (lp_world_now(from) > lp_world_now(s->world))
        return lp_fail(diag, LP_ERANGE, "a ghost from %.6g s, later than now (%.6g s)",
                       lp_world_now(from), lp_world_now(s->world));
    LpGhost *g = lp_alloc(1, sizeof *g);
    if (g == NULL)
        return lp_fail_memory(diag, "a ghost");
    g->real = s;
    g->reloads = s->saved.count;
    g->now = lp_world_clone(s->world, NULL);
    LpErr err =
        g->now != NULL ? lp_probe_open(s, from, &g->probe, diag) : lp_fail_memory(diag, "a ghost");
    if (err == LP_OK)
        g->probe->follow = g->now;
    if (err != LP_OK)
        lp_ghost_free(g);
    else
        *out = g;
    return err;
}

void lp_ghost_free(LpGhost *g) {
    if (g == NULL)
        return;
    lp_probe_close(g->probe);
    lp_world_free(g->now);
    lp_free(g);
}

/* Every decision that the run has taken is taken here, too. */
static bool caught_up(const LpGhost *g) {
    const LpWorld *w = g->probe->world;
    if (lp_world_over(w))
        return true;
    if (lp_world_over(g->now))
        return false;
    double until = lp_world_now(g->now);
    if (lp_world_due(w) != LP_NO_INDEX)
        return lp_world_due(g->now) != LP_NO_INDEX && lp_world_now(w) >= until &&
               lp_world_jobs(w) >= lp_world_jobs(g->now);
    return lp_world_next_time(w, g->probe->context) > until;
}

LpErr lp_ghost_work(LpGhost *g, uint32_t steps, LpDiag *diag) {
    LpEvent event;
    for (uint32_t i = 0; i < steps && !g->done; i++) {
        g->done = g->real->saved.count != g->reloads || caught_up(g);
        if (g->done)
            break;
        LpErr err = lp_session_step(g->probe, &event, diag);
        if (err != LP_OK) {
            g->done = true;
            return err;
        }
        if (g->probe->calls.failed) {
            g->done = g->failed = true;
            g->failure = g->probe->calls.error;
        }
    }
    return LP_OK;
}

static bool is_decided(const LpJob *job) {
    return job->outcome != LP_JOB_DECIDING;
}

static bool differs(const LpJob *a, const LpJob *b) {
    bool runs = a->placed.placement != LP_NO_INDEX && a->outcome != LP_JOB_BLOCKED;
    bool other = b->placed.placement != LP_NO_INDEX && b->outcome != LP_JOB_BLOCKED;
    if (runs != other)
        return true;
    if (runs) /* one store: the same index is the same plan */
        return a->placed.degree != b->placed.degree || a->placed.placement != b->placed.placement ||
               a->times.start != b->times.start;
    return a->outcome != b->outcome || a->cause != b->cause;
}

LpGhostReport lp_ghost_report(const LpGhost *g) {
    const LpWorld *a = g->now, *b = g->probe->world;
    uint32_t jobs = lp_world_jobs(a) < lp_world_jobs(b) ? lp_world_jobs(a) : lp_world_jobs(b);
    LpGhostReport r = {.done = g->done,
                       .stale = g->real->saved.count != g->reloads,
                       .first = LP_NO_INDEX,
                       .before = (double)NAN,
                       .after = (double)NAN,
                       .time = lp_world_now(b)};
    uint32_t lost[2] = {0, 0};
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *x = lp_world_job(a, i), *y = lp_world_job(b, i);
        if (!is_decided(x) || !is_decided(y))
            continue;
        r.jobs++;
        lost[0] += x->outcome == LP_JOB_BLOCKED;
        lost[1] += y->outcome == LP_JOB_BLOCKED;
        if (differs(x, y) && r.differ++ == 0)
            r.first = i;
    }
    if (r.jobs > 0) {
        r.before = (double)lost[0] / r.jobs;
        r.after = (double)lost[1] / r.jobs;
    }
    return r;
}

uint32_t lp_ghost_next(const LpGhost *g, uint32_t after) {
    const LpWorld *a = g->now, *b = g->probe->world;
    uint32_t jobs = lp_world_jobs(a) < lp_world_jobs(b) ? lp_world_jobs(a) : lp_world_jobs(b);
    for (uint32_t i = after == LP_NO_INDEX ? 0 : after + 1; i < jobs; i++) {
        const LpJob *x = lp_world_job(a, i), *y = lp_world_job(b, i);
        if (is_decided(x) && is_decided(y) && differs(x, y))
            return i;
    }
    return LP_NO_INDEX;
}

const char *lp_ghost_text(const LpGhostReport *r, char *buf, size_t size) {
    if (r->jobs == 0)
        snprintf(buf, size, "no decision to compare yet");
    else if (r->differ == 0)
        snprintf(buf, size, "none of %u decision%s differs", (unsigned)r->jobs, lp_str_s(r->jobs));
    else
        snprintf(buf, size,
                 "%u of %u decision%s differ%s, first at job %u, blocking %.1f %% -> %.1f %%",
                 (unsigned)r->differ, (unsigned)r->jobs, lp_str_s(r->jobs),
                 r->differ == 1 ? "s" : "", (unsigned)r->first, 100 * r->before, 100 * r->after);
    return buf;
}

const LpDiag *lp_ghost_failure(const LpGhost *g) {
    return g->failed ? &g->failure : NULL;
}

const LpWorld *lp_ghost_world(const LpGhost *g) {
    return g->probe->world;
}
