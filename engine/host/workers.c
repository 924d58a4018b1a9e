/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of POSIX threads that lives for one call. */
#include "host/workers.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

enum { MAX_THREADS = 256, PROGRESS_MS = 50 };

typedef struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a task is done */
    LpTask task;
    void *user;
    size_t count, next, done;
    unsigned alive;     /* threads that still work */
    bool stop, watched; /* somebody waits for news */
    size_t failed;      /* lowest failed task, count: none */
    LpErr error;
    LpDiag diag;
} Pool;

unsigned lp_workers_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

static void note_failure(Pool *p, size_t index, LpErr err, const LpDiag *diag) {
    p->stop = true;
    if (index >= p->failed)
        return;
    p->failed = index;
    p->error = err;
    p->diag = *diag;
}

/* Tasks are handed out in order, so that every task before a failed one is at least begun and the
 * lowest failure does not depend on the threads. */
static void *work(void *user) {
    Pool *p = user;
    pthread_mutex_lock(&p->lock);
    while (!p->stop && p->next < p->count) {
        size_t index = p->next++;
        LpDiag diag = {0};
        pthread_mutex_unlock(&p->lock);
        LpErr err = p->task(p->user, index, &diag);
        pthread_mutex_lock(&p->lock);
        if (err != LP_OK)
            note_failure(p, index, err, &diag);
        p->done++;
        if (p->watched)
            pthread_cond_signal(&p->changed);
    }
    p->alive--;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Waits for the threads and tells how far they are. */
static void attend(Pool *p, LpTaskProgress progress, void *user, bool *stopped) {
    pthread_mutex_lock(&p->lock);
    while (p->alive > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_MS * 1000000L;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        size_t done = p->done;
        if (p->stop)
            continue;
        pthread_mutex_unlock(&p->lock);
        bool go_on = progress(user, done, p->count);
        pthread_mutex_lock(&p->lock);
        if (go_on || p->done == p->count) /* nothing is left to stop */
            continue;
        p->stop = true;
        *stopped = true;
    }
    pthread_mutex_unlock(&p->lock);
}

/* The calling thread is one of them. */
static void run_together(Pool *p, unsigned threads) {
    pthread_t thread[MAX_THREADS];
    unsigned made = 0;
    p->alive = threads;
    while (made + 1 < threads && pthread_create(&thread[made], NULL, work, p) == 0)
        made++; /* fewer threads do the same work */
    (void)work(p);
    for (unsigned i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
}

/* The calling thread watches them. */
static LpErr run_watched(Pool *p, unsigned threads, LpTaskProgress progress, void *user,
                         bool *stopped, LpDiag *diag) {
    pthread_t thread[MAX_THREADS];
    unsigned made = 0;
    p->alive = threads;
    p->watched = true;
    while (made < threads && pthread_create(&thread[made], NULL, work, p) == 0)
        made++;
    pthread_mutex_lock(&p->lock);
    p->alive -= threads - made; /* fewer threads do the same work */
    pthread_mutex_unlock(&p->lock);
    if (made == 0)
        return lp_fail(diag, LP_EIO, "no thread can be made");
    attend(p, progress, user, stopped);
    for (unsigned i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    return LP_OK;
}

static void run_here(Pool *p, LpTaskProgress progress, void *user, bool *stopped) {
    for (size_t i = 0; i < p->count && !p->stop; i++) {
        LpDiag diag = {0};
        LpErr err = p->task(p->user, i, &diag);
        if (err != LP_OK)
            note_failure(p, i, err, &diag);
        else if (progress != NULL && !progress(user, i + 1, p->count))
            p->stop = *stopped = i + 1 < p->count;
    }
}

LpErr lp_workers_run(unsigned threads, size_t count, LpTask task, void *user,
                     LpTaskProgress progress, void *progress_user, bool *stopped, LpDiag *diag) {
    Pool p = {.task = task, .user = user, .count = count, .failed = count};
    bool was_stopped = false;
    LpErr err = LP_OK;
    if (threads == 0)
        threads = lp_workers_processors();
    if (threads > MAX_THREADS)
        threads = MAX_THREADS;
    if (threads > count)
        threads = (unsigned)count;
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    if (threads > 1 && progress != NULL)
        err = run_watched(&p, threads, progress, progress_user, &was_stopped, diag);
    else if (threads > 1)
        run_together(&p, threads);
    else
        run_here(&p, progress, progress_user, &was_stopped);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    if (stopped != NULL)
        *stopped = was_stopped;
    if (err == LP_OK && p.failed < count) {
        err = p.error;
        if (diag != NULL)
            *diag = p.diag;
    }
    return err;
}
