/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blame by replay: for each blocked job, single changes to earlier decisions are tried on probes.
 */
#include "run/blame.h"

#include <math.h>
#include <string.h>

#include "run/blame_impl.h"
#include "run/probe.h"
#include "run/session_impl.h"

enum { OTHER_BLOCKS = 4, SPARE_STEPS = 1000 };

static const char *const names[] = {
    [LP_BLAME_NOTHING] = "nothing",
    [LP_BLAME_DEGREE] = "degree",
    [LP_BLAME_BLOCK] = "block",
    [LP_BLAME_WAIT] = "wait",
};

const char *lp_blame_name(LpBlameKind kind) {
    return names[kind];
}

/* ---- worlds before decisions ---- */

/* The world as it was when the decision about a job was due; job LP_NO_INDEX: free to be reused. */
typedef struct Snapshot {
    uint32_t job;
    LpWorld *world;
} Snapshot;

typedef struct Blamer {
    LpSession *s;
    Snapshot *item;
    size_t count, cap;
    uint32_t *degree;  /* room for the scenario's largest degree */
    uint32_t *server;  /* room for every server */
    uint32_t *running; /* jobs in the way, latest decision first */
    size_t running_cap;
    /* the blocked job at hand */
    const LpWorld *base; /* right after the block */
    uint64_t steps;      /* a replay takes no more */
    LpBlame best;
    LpDiag *diag;
} Blamer;

static Snapshot *find(Blamer *b, uint32_t job) {
    for (size_t i = 0; i < b->count; i++)
        if (b->item[i].job == job)
            return &b->item[i];
    return NULL;
}

static bool is_running(const LpWorld *world, uint32_t job) {
    return job < lp_world_jobs(world) && lp_world_job(world, job)->outcome == LP_JOB_RUNNING;
}

/* A slot for the job: its own, one of a job that no longer runs, or a new one. */
static Snapshot *slot_for(Blamer *b, uint32_t job) {
    Snapshot *slot = find(b, job);
    for (size_t i = 0; slot == NULL && i < b->count; i++)
        if (!is_running(b->s->world, b->item[i].job))
            slot = &b->item[i];
    if (slot != NULL)
        return slot;
    void *items = b->item;
    if (lp_grow(&items, &b->cap, b->count + 1, sizeof *b->item) != LP_OK)
        return NULL;
    b->item = items;
    b->item[b->count] = (Snapshot){LP_NO_INDEX, NULL};
    return &b->item[b->count++];
}

static LpErr remember(Blamer *b, uint32_t job) {
    Snapshot *slot = slot_for(b, job);
    if (slot == NULL)
        return lp_fail_memory(b->diag, "the worlds before decisions");
    slot->job = job;
    slot->world = lp_world_clone(b->s->world, slot->world);
    return slot->world != NULL ? LP_OK : lp_fail_memory(b->diag, "the worlds before decisions");
}

/* ---- one replay ---- */

static bool settled(const LpWorld *world, uint32_t job) {
    if (job >= lp_world_jobs(world))
        return false;
    uint8_t outcome = lp_world_job(world, job)->outcome;
    return outcome != LP_JOB_DECIDING && outcome != LP_JOB_WAITING;
}

static double end_of(const LpJob *job) {
    return job->outcome == LP_JOB_COMPLETED ? job->end : job->forecast_end;
}

static bool has_started(const LpJob *job) {
    return job->outcome == LP_JOB_RUNNING || job->outcome == LP_JOB_COMPLETED;
}

/* Is a job worse off than it really was, as far as both futures know? */
static bool is_worse(const LpJob *real, const LpJob *other) {
    if (other->outcome == LP_JOB_DECIDING)
        return false;
    if (other->outcome == LP_JOB_BLOCKED)
        return real->outcome != LP_JOB_BLOCKED;
    if (!has_started(real))
        return false;
    return !has_started(other) || end_of(other) > end_of(real);
}

static void count_worse(const LpWorld *base, const LpWorld *other, LpBlame *trial) {
    uint32_t jobs = lp_world_jobs(base);
    if (lp_world_jobs(other) < jobs)
        jobs = lp_world_jobs(other);
    trial->worse = 0;
    trial->first_worse = LP_NO_INDEX;
    for (uint32_t i = 0; i < jobs; i++) {
        if (i == trial->job || i == trial->by ||
            !is_worse(lp_world_job(base, i), lp_world_job(other, i)))
            continue;
        if (trial->worse++ == 0)
            trial->first_worse = i;
    }
}

static LpErr play_on(Blamer *b, LpSession *probe, const LpAnswer *answer, LpBlame *trial,
                     bool *helps) {
    LpEvent event;
    LP_TRY(lp_probe_answer(probe, answer, &event, b->diag));
    bool wanted = event.kind == (answer->kind == LP_ANSWER_WAIT ? LP_EVENT_WAIT : LP_EVENT_START);
    for (uint64_t i = 0; wanted && i < b->steps && !lp_world_over(probe->world) &&
                         !settled(probe->world, trial->job);
         i++)
        LP_TRY(lp_session_step(probe, &event, b->diag));
    if (!wanted || !settled(probe->world, trial->job) ||
        !has_started(lp_world_job(probe->world, trial->job)))
        return LP_OK;
    const LpJob *real = lp_world_job(b->base, trial->by);
    const LpJob *other = lp_world_job(probe->world, trial->by);
    trial->own_delay =
        has_started(other) && has_started(real) ? end_of(other) - end_of(real) : (double)NAN;
    count_worse(b->base, probe->world, trial);
    *helps = true;
    return LP_OK;
}

/* Keeps the trial if it helps and makes fewer jobs worse than what is known. */
static LpErr try_answer(Blamer *b, const Snapshot *from, const LpAnswer *answer, LpBlame trial) {
    LpSession *probe;
    bool helps = false;
    b->best.replays++;
    LP_TRY(lp_probe_open(b->s, from->world, &probe, b->diag));
    LpErr err = play_on(b, probe, answer, &trial, &helps);
    lp_probe_close(probe);
    LP_TRY(err);
    if (!helps || (b->best.kind != LP_BLAME_NOTHING && trial.worse >= b->best.worse))
        return LP_OK;
    if (trial.kind == LP_BLAME_BLOCK) {
        uint32_t *kept = lp_arena_alloc(b->s->texts, trial.servers, sizeof *kept);
        if (kept == NULL)
            return lp_fail_memory(b->diag, "what is to blame");
        memcpy(kept, trial.server, trial.servers * sizeof *kept);
        trial.server = kept;
    }
    trial.replays = b->best.replays;
    b->best = trial;
    return LP_OK;
}

static bool enough(const Blamer *b) {
    return b->best.replays >= LP_BLAME_REPLAYS ||
           (b->best.kind != LP_BLAME_NOTHING && b->best.worse == 0);
}

/* ---- the changes to one decision ---- */

/* Of the degrees not yet tried the one nearest to `was`, the smaller on a tie; 0 when none is left.
 * A tried one is set to 0. */
static uint32_t nearest(uint32_t *degree, uint32_t count, uint32_t was) {
    uint32_t best = count;
    double gap = (double)INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double d = fabs((double)degree[i] - was);
        if (degree[i] == 0 || degree[i] == was || d >= gap)
            continue;
        gap = d;
        best = i;
    }
    if (best == count)
        return 0;
    uint32_t found = degree[best];
    degree[best] = 0;
    return found;
}

static LpErr try_degrees(Blamer *b, const Snapshot *from, LpBlame trial) {
    const LpScenario *scenario = b->s->scenario;
    uint32_t most = scenario->partition.max_degree;
    if (lp_world_job(from->world, from->job)->graph < 0)
        return LP_OK;
    uint32_t count = lp_world_degrees(from->world, b->s->context, from->job, 0, b->degree, most);
    trial.kind = LP_BLAME_DEGREE;
    while (!enough(b) && (trial.would = nearest(b->degree, count, trial.was)) > 0) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = trial.would};
        LP_TRY(try_answer(b, from, &answer, trial));
    }
    return LP_OK;
}

static bool is_free(const void *world, uint32_t server, uint32_t position) {
    (void)position;
    return lp_world_server_free(world, server);
}

static bool same_servers(const Blamer *b, uint32_t job, const uint32_t *server, uint32_t count) {
    const LpJob *j = lp_world_job(b->base, job);
    if (j->placement == LP_NO_INDEX)
        return false;
    const LpPlacement *p = lp_store_placement(b->s->context->store, j->placement);
    return p->servers == count && memcmp(p->server, server, count * sizeof *server) == 0;
}

static LpErr try_blocks(Blamer *b, const Snapshot *from, LpBlame trial) {
    const LpJob *job = lp_world_job(b->base, from->job);
    LpBlockSearch search;
    if (job->servers == 0 || trial.by == trial.job)
        return LP_OK;
    trial.kind = LP_BLAME_BLOCK;
    trial.would = trial.was;
    trial.servers = job->servers;
    trial.server = b->server;
    lp_block_search(&search, &b->s->context->fabric, job->servers, false, is_free, from->world);
    for (int tried = 0; tried < OTHER_BLOCKS && !enough(b) && lp_block_next(&search, b->server);) {
        if (same_servers(b, from->job, b->server, job->servers))
            continue;
        LpAnswer answer = {.kind = LP_ANSWER_RUN,
                           .degree = trial.was,
                           .servers = job->servers,
                           .server = b->server};
        LP_TRY(try_answer(b, from, &answer, trial));
        tried++;
    }
    return LP_OK;
}

static LpErr try_wait(Blamer *b, const Snapshot *from, LpBlame trial) {
    const LpAnswer answer = {.kind = LP_ANSWER_WAIT};
    if (enough(b) || trial.by == trial.job || b->s->scenario->queue_capacity == 0)
        return LP_OK;
    trial.kind = LP_BLAME_WAIT;
    return try_answer(b, from, &answer, trial);
}

static LpErr try_decision(Blamer *b, uint32_t job) {
    const Snapshot *from = find(b, job);
    if (from == NULL || enough(b))
        return LP_OK;
    const LpJob *decided = lp_world_job(b->base, job);
    LpBlame trial = b->best;
    trial.by = job;
    trial.decided = lp_world_now(from->world);
    trial.decision = lp_world_tally(from->world)->decisions;
    trial.was = decided->degree;
    LP_TRY(try_degrees(b, from, trial));
    LP_TRY(try_blocks(b, from, trial));
    return try_wait(b, from, trial);
}

/* ---- one blocked job ---- */

/* Running jobs, the latest decision first; returns how many. */
static LpErr list_running(Blamer *b, uint32_t *count) {
    const LpWorld *w = b->base;
    *count = 0;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id)) {
        void *items = b->running;
        if (lp_grow(&items, &b->running_cap, (size_t)*count + 1, sizeof *b->running) != LP_OK)
            return lp_fail_memory(b->diag, "the jobs in the way");
        b->running = items;
        uint32_t at = (*count)++; /* the list runs in order of start: nearly sorted the other way */
        for (; at > 0; at--) {
            const LpJob *before = lp_world_job(w, b->running[at - 1]);
            const LpJob *now = lp_world_job(w, id);
            if (before->decided > now->decided ||
                (before->decided == now->decided && before->id > now->id))
                break;
            b->running[at] = b->running[at - 1];
        }
        b->running[at] = id;
    }
    return LP_OK;
}

static LpErr keep(Blamer *b) {
    LpSession *s = b->s;
    void *items = s->blame;
    if (lp_grow(&items, &s->blames_cap, s->blames + 1, sizeof *s->blame) != LP_OK)
        return lp_fail_memory(b->diag, "what is to blame");
    s->blame = items;
    LP_TRY(lp_blame_tell(s->texts, &b->best, b->diag));
    s->blame[s->blames++] = b->best;
    return LP_OK;
}

static LpErr blame_job(Blamer *b, const LpEvent *event) {
    uint32_t in_the_way;
    const LpJob *job = lp_world_job(b->s->world, event->job);
    const Snapshot *oldest = NULL;
    b->base = b->s->world;
    b->best = (LpBlame){.job = event->job,
                        .cause = (LpCause)job->cause,
                        .time = event->time,
                        .by = LP_NO_INDEX,
                        .first_worse = LP_NO_INDEX,
                        .own_delay = (double)NAN};
    LP_TRY(list_running(b, &in_the_way));
    b->best.in_the_way = in_the_way;
    for (uint32_t i = 0; i < in_the_way; i++) {
        const Snapshot *from = find(b, b->running[i]);
        oldest = from != NULL ? from : oldest;
    }
    /* the other future may take more events than the real one, but not without end */
    uint64_t began = oldest != NULL ? lp_world_tally(oldest->world)->events : 0;
    b->steps = 4 * (lp_world_tally(b->base)->events - began) + SPARE_STEPS;
    LP_TRY(try_decision(b, event->job)); /* perhaps it only had itself in its way */
    for (uint32_t i = 0; i < in_the_way; i++)
        LP_TRY(try_decision(b, b->running[i]));
    return keep(b);
}

/* ---- the run ---- */

static LpErr step(Blamer *b) {
    LpSession *s = b->s;
    LpEvent event;
    uint32_t due = lp_world_due(s->world);
    if (due != LP_NO_INDEX)
        LP_TRY(remember(b, due));
    LP_TRY(lp_session_step(s, &event, b->diag));
    bool lost = event.kind == LP_EVENT_BLOCK || event.kind == LP_EVENT_EXPIRY;
    return lost && event.job != LP_NO_INDEX ? blame_job(b, &event) : LP_OK;
}

static LpErr run(Blamer *b, LpProgress progress, void *user, bool *stopped) {
    *stopped = false;
    while (!lp_world_over(b->s->world)) {
        LP_TRY(step(b));
        if (progress == NULL || progress(user, b->s))
            continue;
        lp_world_finish(b->s->world, b->s->context);
        *stopped = true;
    }
    return LP_OK;
}

LpErr lp_blame_run(LpSession *s, LpProgress progress, void *user, bool *stopped, LpDiag *diag) {
    Blamer b = {.s = s, .diag = diag};
    s->blamed = true;
    b.degree = lp_alloc(s->scenario->partition.max_degree, sizeof *b.degree);
    b.server = lp_alloc(s->scenario->cluster.servers, sizeof *b.server);
    LpErr err = b.degree == NULL || b.server == NULL ? lp_fail_memory(diag, "what is to blame")
                                                     : run(&b, progress, user, stopped);
    for (size_t i = 0; i < b.count; i++)
        lp_world_free(b.item[i].world);
    lp_free(b.item);
    lp_free(b.degree);
    lp_free(b.server);
    lp_free(b.running);
    return err;
}

const LpBlame *lp_session_blames(const LpSession *s, size_t *count) {
    *count = s->blames;
    return s->blame;
}
