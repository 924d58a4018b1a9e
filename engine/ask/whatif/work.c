/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that run rows of a what-if table to the end, each with a context and a policy of its own,
 * from one copy of the world. */
#include "ask/whatif/work.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "host/workers.h"
#include "session/moment/moment.h"
#include "session/probe.h"
#include "session/session_impl.h"

enum { THREADS_MAX = 64 };

/* A row to run, with its answer; then what came of it. */
typedef struct Task {
    uint32_t row;
    bool chosen; /* by the policy, or in what is recorded: */
    bool recorded;
    LpAnswer answer;   /* what it points to is in the arena; or, of a stage's row: */
    const char *words; /* of a fork, in the arena; NULL: the answer */
    bool done, told;
    LpErr err;
    LpDiag diag;
    LpSummary end;
    uint64_t hash;
} Task;

typedef struct Worker {
    LpWhatIfWork *work;
    LpProbeHome home;
    pthread_t thread;
    bool made;
} Worker;

struct LpWhatIfWork {
    const LpSession *session; /* for what never changes */
    LpWorld *world;
    LpArena *arena;
    Task *task;
    uint32_t tasks;
    uint32_t ops; /* of the job's graph */
    Worker worker[THREADS_MAX];
    unsigned workers;
    pthread_mutex_t lock; /* of all below, and of `done` and `told` */
    pthread_cond_t changed;
    uint32_t next;
    unsigned alive;
    bool stop;
};

/* ---- which rows ---- */

/* Is a row to be run before another? */
static bool comes_first(const LpWhatIf *a, const LpWhatIf *b) {
    if (a->chosen != b->chosen)
        return a->chosen;
    if (a->kind != b->kind)
        return a->kind == LP_ANSWER_RUN || (a->kind == LP_ANSWER_WAIT && b->kind != LP_ANSWER_RUN);
    return a->kind == LP_ANSWER_RUN && a->forecast.jct < b->forecast.jct;
}

static bool runs(const LpWhatIf *row) {
    return row->chosen || row->accepted || row->kind == LP_ANSWER_DECLINE;
}

/* The best row that was not picked yet, UINT32_MAX: none. */
static uint32_t next_row(const LpWhatIfs *table, const bool *picked) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < table->count; i++) {
        const LpWhatIf *row = &table->row[i];
        if (!picked[i] && runs(row) && (best == UINT32_MAX || comes_first(row, &table->row[best])))
            best = i;
    }
    return best;
}

static LpErr add_task(LpWhatIfWork *w, LpSession *s, const LpWhatIf *row, uint32_t index,
                      LpDiag *diag) {
    Task *t = &w->task[w->tasks];
    const char *explain;
    LpAnswer ignored;
    *t = (Task){.row = index, .chosen = row->chosen};
    if (!t->chosen && row->words != NULL) {
        t->words = lp_arena_strdup(w->arena, row->words);
        w->tasks += t->words != NULL;
        return t->words != NULL ? LP_OK : lp_fail_memory(diag, "the what-if table");
    }
    t->answer = lp_whatif_answer(row);
    if (t->chosen) {
        LP_TRY(lp_session_ask(s, diag));
        t->answer = s->pending.answer;
        t->recorded = lp_session_recorded(s, &ignored, &explain);
    }
    if (lp_session_copy_answer(w->arena, w->ops, &t->answer) != LP_OK)
        return lp_fail_memory(diag, "the what-if table");
    w->tasks++;
    return LP_OK;
}

static LpErr list_tasks(LpWhatIfWork *w, LpSession *s, const LpWhatIfs *table, uint32_t best,
                        LpDiag *diag) {
    uint32_t most = best == 0 || best > table->count ? table->count : best;
    w->task = lp_arena_alloc(w->arena, (size_t)table->count + 1, sizeof *w->task);
    bool *picked = lp_arena_alloc(w->arena, (size_t)table->count + 1, sizeof *picked);
    if (w->task == NULL || picked == NULL)
        return lp_fail_memory(diag, "the what-if table");
    for (uint32_t i = 0; i < most; i++) {
        uint32_t row = next_row(table, picked);
        if (row == UINT32_MAX)
            break;
        picked[row] = true;
        if (!table->row[row].ended)
            LP_TRY(add_task(w, s, &table->row[row], row, diag));
    }
    return LP_OK;
}

/* ---- on a worker thread ---- */

static bool goes_on(void *user, const LpSession *session) {
    LpWhatIfWork *w = user;
    (void)session;
    pthread_mutex_lock(&w->lock);
    bool on = !w->stop;
    pthread_mutex_unlock(&w->lock);
    return on;
}

static LpErr hash_answer(const LpWhatIfWork *w, const LpAnswer *answer, uint64_t *hash,
                         LpDiag *diag) {
    LpLog *log = lp_log_new();
    LpAnswer bare = *answer;
    if (log == NULL)
        return lp_fail_memory(diag, "an answer");
    bare.why = bare.where = NULL;
    LpErr err = lp_log_answer(log, 0, 0, 0, w->ops, &bare, diag);
    *hash = lp_log_hash(log);
    lp_log_free(log);
    return err;
}

/* Decides as the words of a fork say. */
static LpErr take_words(LpSession *probe, Task *t) {
    LpForkText fork;
    LpArena *arena = lp_arena_new(0);
    LpErr err = arena == NULL ? lp_fail_memory(&t->diag, "the what-if table")
                              : lp_fork_parse(t->words, arena, &fork, &t->diag);
    if (err == LP_OK)
        err = lp_fork_complete(probe, &fork, &t->diag);
    if (err == LP_OK && fork.spec.answer == NULL)
        err = lp_fail(&t->diag, LP_EINVAL, "%s: decides nothing", t->words);
    if (err == LP_OK)
        err = lp_session_take(probe, &fork.spec, &t->diag);
    lp_arena_free(arena);
    return err;
}

/* The policy's own answer is taken as the policy would: with its stream and data after it. */
static LpErr decide(LpWhatIfWork *w, LpSession *probe, Task *t) {
    LpEvent event;
    bool own = t->chosen;
    if (t->words != NULL)
        return take_words(probe, t);
    if (t->recorded) {
        /* Does the policy answer what is recorded? It may be another one than then, or somebody's
         * hand. */
        bool *alike = &own;
        uint64_t then, now;
        LP_TRY(lp_session_ask(probe, &t->diag));
        LP_TRY(hash_answer(w, &t->answer, &then, &t->diag));
        LP_TRY(hash_answer(w, &probe->pending.answer, &now, &t->diag));
        *alike = then == now;
    }
    return own ? lp_session_step(probe, &event, &t->diag)
               : lp_session_answer(probe, &t->answer, &event, &t->diag);
}

static LpErr play(LpWhatIfWork *w, LpSession *probe, Task *t, bool *stopped) {
    LP_TRY(decide(w, probe, t));
    LP_TRY(lp_session_run(probe, goes_on, w, stopped, &t->diag));
    if (*stopped)
        return LP_OK;
    t->hash = lp_session_hash(probe);
    return lp_metrics_summary(probe->world, probe->context, &t->end, &t->diag);
}

static void run_task(Worker *worker, Task *t) {
    LpWhatIfWork *w = worker->work;
    LpSession *probe = NULL;
    bool stopped = false;
    LpErr err = lp_probe_open_home(w->session, &worker->home, w->world, &probe, &t->diag);
    if (err == LP_OK)
        err = play(w, probe, t, &stopped);
    lp_probe_close(probe);
    pthread_mutex_lock(&w->lock);
    t->err = err;
    t->done = !stopped;
    if (err != LP_OK) /* no more rows; those before it, all begun, may fail, too, and come first */
        w->next = w->tasks;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *user) {
    Worker *worker = user;
    LpWhatIfWork *w = worker->work;
    pthread_mutex_lock(&w->lock);
    while (!w->stop && w->next < w->tasks) {
        Task *t = &w->task[w->next++];
        pthread_mutex_unlock(&w->lock);
        run_task(worker, t);
        pthread_mutex_lock(&w->lock);
    }
    w->alive--;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- on the session's thread ---- */

static LpErr start_threads(LpWhatIfWork *w, unsigned threads, LpDiag *diag) {
    if (threads == 0)
        threads = lp_workers_processors();
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    w->workers = threads < w->tasks ? threads : w->tasks;
    for (unsigned i = 0; i < w->workers; i++) {
        w->worker[i].work = w;
        LP_TRY(lp_probe_home_new(w->session, &w->worker[i].home, diag));
    }
    w->alive = w->workers;
    unsigned made = 0;
    while (made < w->workers &&
           pthread_create(&w->worker[made].thread, NULL, work, &w->worker[made]) == 0)
        w->worker[made++].made = true;
    pthread_mutex_lock(&w->lock);
    w->alive -= w->workers - made; /* fewer threads do the same work */
    pthread_mutex_unlock(&w->lock);
    return made > 0 || w->tasks == 0 ? LP_OK : lp_fail(diag, LP_EIO, "no thread can be made");
}

static LpErr begin(LpWhatIfWork *w, LpSession *s, const LpWhatIfs *table, uint32_t best,
                   unsigned threads, LpDiag *diag) {
    w->session = s;
    w->arena = lp_arena_new(0);
    w->world = lp_world_clone(s->world, NULL);
    if (w->arena == NULL || w->world == NULL)
        return lp_fail_memory(diag, "the what-if table");
    w->ops = lp_session_forward_ops(s, table->job);
    LP_TRY(list_tasks(w, s, table, best, diag));
    return start_threads(w, threads, diag);
}

LpErr lp_whatif_start(LpSession *s, const LpWhatIfs *table, uint32_t best, unsigned threads,
                      LpWhatIfWork **out, LpDiag *diag) {
    LpWhatIfWork *w = lp_alloc(1, sizeof *w);
    if (w == NULL)
        return lp_fail_memory(diag, "the what-if table");
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    LpErr err = begin(w, s, table, best, threads, diag);
    if (err == LP_OK)
        *out = w;
    else
        lp_whatif_free(w);
    return err;
}

static LpErr take(LpWhatIfWork *w, LpWhatIfs *table, bool *news, LpDiag *diag) {
    for (uint32_t i = 0; i < w->tasks; i++) {
        Task *t = &w->task[i];
        if (t->err != LP_OK && w->alive == 0) {
            if (diag != NULL)
                *diag = t->diag;
            return t->err;
        }
        if (!t->done || t->told || t->err != LP_OK || t->row >= table->count)
            continue;
        LpWhatIf *row = &table->row[t->row];
        row->end = t->end;
        row->hash = t->hash;
        row->ended = t->told = *news = true;
    }
    return LP_OK;
}

LpErr lp_whatif_collect(LpWhatIfWork *w, LpWhatIfs *table, bool *news, LpDiag *diag) {
    *news = false;
    pthread_mutex_lock(&w->lock);
    LpErr err = take(w, table, news, diag);
    pthread_mutex_unlock(&w->lock);
    return err;
}

bool lp_whatif_works(LpWhatIfWork *w) {
    pthread_mutex_lock(&w->lock);
    bool works = w->alive > 0;
    pthread_mutex_unlock(&w->lock);
    return works;
}

static bool has_news(const LpWhatIfWork *w) {
    for (uint32_t i = 0; i < w->tasks; i++)
        if (w->task[i].done && !w->task[i].told)
            return true;
    return w->alive == 0;
}

void lp_whatif_wait(LpWhatIfWork *w, unsigned ms) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&w->lock);
    while (!has_news(w) && pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0) {
    }
    pthread_mutex_unlock(&w->lock);
}

void lp_whatif_stop(LpWhatIfWork *w) {
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_mutex_unlock(&w->lock);
}

void lp_whatif_free(LpWhatIfWork *w) {
    if (w == NULL)
        return;
    lp_whatif_stop(w);
    for (unsigned i = 0; i < w->workers; i++)
        if (w->worker[i].made)
            pthread_join(w->worker[i].thread, NULL);
    for (unsigned i = 0; i < w->workers; i++)
        lp_probe_home_free(&w->worker[i].home);
    lp_world_free(w->world);
    lp_arena_free(w->arena);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    lp_free(w);
}

/* ---- and wait ---- */

enum { LOOK_MS = 20 };

static LpErr attend(LpWhatIfWork *w, LpSession *s, LpWhatIfs *table, LpProgress progress,
                    void *user, LpDiag *diag) {
    bool news;
    while (lp_whatif_works(w)) {
        lp_whatif_wait(w, LOOK_MS);
        LP_TRY(lp_whatif_collect(w, table, &news, diag));
        if (progress != NULL && !progress(user, s))
            lp_whatif_stop(w);
    }
    return lp_whatif_collect(w, table, &news, diag);
}

LpErr lp_whatif_to_end(LpSession *s, LpWhatIfs *table, uint32_t best, unsigned threads,
                       LpProgress progress, void *user, LpDiag *diag) {
    LpWhatIfWork *w;
    LP_TRY(lp_whatif_start(s, table, best, threads, &w, diag));
    LpErr err = attend(w, s, table, progress, user, diag);
    lp_whatif_free(w);
    return err;
}
