/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work spread over threads: numbered tasks that share nothing. Results go where the task's number
 * says, so that they are the same for any number of threads. */
#ifndef LP_HOST_WORKERS_H
#define LP_HOST_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Does task `index`; must touch only what belongs to it. An error ends the whole work. */
typedef LpErr (*LpTask)(void *user, size_t index, LpDiag *diag);
/* Called between tasks (from the calling thread only) with how many are done; false stops early. */
typedef bool (*LpTaskProgress)(void *user, size_t done, size_t count);

/* Processors that this process may use, at least 1. */
unsigned lp_workers_processors(void);

/* Does all tasks on `threads` threads (0: one per processor; 1: on the calling thread, no thread is
 * made) and waits for them; without progress the calling thread is one of them, with it it watches.
 * Errors: of the failed task with the lowest number, however many threads; LP_EIO when it watches
 * and no thread can be made. *stopped (NULL allowed): progress said stop while
 * tasks were left to do. */
LpErr lp_workers_run(unsigned threads, size_t count, LpTask task, void *user,
                     LpTaskProgress progress, void *progress_user, bool *stopped,
                     LpDiag *diag) LP_MUST_USE;

#endif
