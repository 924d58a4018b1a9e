/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded by the live driver: every thread begins late, as on a machine with other work to do.
 * What is worked out beside what is drawn is then not there when it is drawn, and a program that
 * takes it for granted is found out on any machine. With LIVE_CLOCK=N the clock by which motion
 * goes runs N times as fast: the same frames in a part of the time. */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LATE_MS = 20 };

typedef int Create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

typedef struct Late {
    void *(*run)(void *);
    void *argument;
} Late;

static void *run_late(void *argument) {
    Late late = *(Late *)argument;
    free(argument);
    nanosleep(&(struct timespec){.tv_nsec = LATE_MS * 1000000L}, NULL);
    return late.run(late.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    Create *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    Late *late = malloc(sizeof *late);
    if (create == NULL || late == NULL) {
        free(late);
        return 11; /* EAGAIN */
    }
    *late = (Late){run, argument};
    int error = create(thread, attributes, run_late, late);
    if (error != 0)
        free(late);
    return error;
}

/* ---- a faster clock ---- */

typedef int Gettime(clockid_t, struct timespec *);
typedef int Poll(struct pollfd *, nfds_t, int);

static long factor(void) {
    const char *text = getenv("LIVE_CLOCK");
    long n = text != NULL ? atol(text) : 1;
    return n < 1 ? 1 : n;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    static const long long second = 1000000000;
    Gettime *gettime;
    *(void **)&gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int error = gettime(clock, out);
    if (error != 0 || clock != CLOCK_MONOTONIC)
        return error;
    long long ns = (out->tv_sec * second + out->tv_nsec) * factor();
    *out = (struct timespec){.tv_sec = ns / second, .tv_nsec = (long)(ns % second)};
    return 0;
}

int poll(struct pollfd *file, nfds_t files, int ms) {
    Poll *wait;
    *(void **)&wait = dlsym(RTLD_NEXT, "poll");
    return wait(file, files, ms > 0 ? (int)((ms + factor() - 1) / factor()) : ms);
}
