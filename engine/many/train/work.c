/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thread that trains, and the reports that wait to be taken. */
#include "many/train/work.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"

struct LpTrainWork {
    const LpTrainSpec *spec;
    LpTrainProgress each;
    void *user;
    pthread_t thread;
    int end[2]; /* of a pipe: a byte for each piece of news */
    pthread_mutex_t lock;
    /* under the lock: */
    LpTrainReport *report;
    size_t reports, cap, taken;
    LpTrainWish wish;
    bool over, began; /* began: an update was made */
    LpErr err;
    LpDiag diag;
};

/* A full pipe is readable already. */
static void wake(const LpTrainWork *w) {
    ssize_t wrote = write(w->end[1], "", 1);
    (void)wrote;
}

static bool is_over_with(LpTrainWish wish, const LpTrainReport *r) {
    return wish == LP_TRAIN_STOP || (wish == LP_TRAIN_AT_CHECKPOINT && r->kept == r->steps);
}

static bool progress(void *user, const LpTrainReport *r) {
    LpTrainWork *w = user;
    bool go_on = w->each == NULL || w->each(w->user, r);
    pthread_mutex_lock(&w->lock);
    bool kept = lp_grow((void **)&w->report, &w->cap, w->reports + 1, sizeof *w->report) == LP_OK;
    if (kept) /* else the screen knows one update less */
        w->report[w->reports++] = *r;
    go_on = go_on && !is_over_with(w->wish, r);
    pthread_mutex_unlock(&w->lock);
    wake(w);
    return go_on;
}

static void *work(void *user) {
    LpTrainWork *w = user;
    LpDiag diag = {0};
    LpTrainReport last = {0};
    LpErr err = lp_train(w->spec, progress, w, &last, &diag);
    pthread_mutex_lock(&w->lock);
    w->over = true;
    w->began = last.update > 0;
    w->err = err;
    w->diag = diag;
    pthread_mutex_unlock(&w->lock);
    wake(w);
    return NULL;
}

static bool make_pipe(int end[2]) {
    if (pipe(end) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(end[i], F_SETFD, FD_CLOEXEC);
        fcntl(end[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static void release(LpTrainWork *w) {
    close(w->end[0]);
    close(w->end[1]);
    pthread_mutex_destroy(&w->lock);
    lp_free(w->report);
    lp_free(w);
}

/* Signals are for the thread that has the terminal. */
static bool start(LpTrainWork *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

LpErr lp_train_work_begin(const LpTrainSpec *spec, LpTrainProgress each, void *user,
                          LpTrainWork **out, LpDiag *diag) {
    LpTrainWork *w = lp_alloc(1, sizeof *w);
    if (w == NULL)
        return lp_fail_memory(diag, "a training");
    w->spec = spec;
    w->each = each;
    w->user = user;
    if (!make_pipe(w->end)) {
        lp_free(w);
        return lp_fail(diag, LP_ENOMEM, "no pipe for a training's news can be made");
    }
    pthread_mutex_init(&w->lock, NULL);
    if (!start(w)) {
        release(w);
        return lp_fail(diag, LP_ENOMEM, "no thread for the training can be made");
    }
    *out = w;
    return LP_OK;
}

int lp_train_work_fd(const LpTrainWork *w) {
    return w->end[0];
}

bool lp_train_work_take(LpTrainWork *w, LpTrainReport *out) {
    char bytes[64];
    while (read(w->end[0], bytes, sizeof bytes) > 0) {
    }
    pthread_mutex_lock(&w->lock);
    bool any = w->taken < w->reports;
    if (any)
        *out = w->report[w->taken++];
    if (w->taken == w->reports)
        w->taken = w->reports = 0;
    pthread_mutex_unlock(&w->lock);
    return any;
}

void lp_train_work_wish(LpTrainWork *w, LpTrainWish wish) {
    pthread_mutex_lock(&w->lock);
    w->wish = wish;
    pthread_mutex_unlock(&w->lock);
}

bool lp_train_work_is_over(LpTrainWork *w, LpErr *err, LpDiag *diag) {
    pthread_mutex_lock(&w->lock);
    bool over = w->over && w->taken == w->reports;
    if (over && err != NULL)
        *err = w->err;
    if (over && diag != NULL)
        *diag = w->diag;
    pthread_mutex_unlock(&w->lock);
    return over;
}

bool lp_train_work_began(LpTrainWork *w) {
    pthread_mutex_lock(&w->lock);
    bool began = w->over && w->began;
    pthread_mutex_unlock(&w->lock);
    return began;
}

void lp_train_work_free(LpTrainWork *w) {
    if (w == NULL)
        return;
    lp_train_work_wish(w, LP_TRAIN_STOP);
    pthread_join(w->thread, NULL);
    release(w);
}
