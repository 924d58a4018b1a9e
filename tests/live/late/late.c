/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded by the live driver: every thread begins late, as on a machine with other work to do.
 * What is worked out beside what is drawn is then not there when it is drawn, and a program that
 * takes it for granted is found out on any machine. */
#include <dlfcn.h>
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
