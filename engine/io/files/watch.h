/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noticing that files were saved: at once by the kernel's events where there are any (Linux), and
 * everywhere by comparing stamps. */
#ifndef LP_IO_FILES_WATCH_H
#define LP_IO_FILES_WATCH_H

#include <stdint.h>

#include "base/err.h"

/* A number that changes when the file does: time of last change, size, and which file it is
 * (through links). 0: there is none. */
uint64_t lp_file_stamp(const char *path);

typedef struct LpWatch LpWatch;

/* A new watch. Where the system has no events, or none left to give, it never has news. Errors:
 * LP_ENOMEM. */
LpErr lp_watch_new(LpWatch **out, LpDiag *diag) LP_MUST_USE;
void lp_watch_free(LpWatch *watch); /* NULL allowed */
/* Readable (poll) as long as there are events that lp_watch_news has not read; -1: never any. */
int lp_watch_fd(const LpWatch *watch);
/* Which files to look after from now on, instead of the ones before; cheap when they are the same.
 * Their folders are what is watched, so files that are replaced, removed, made again or not there
 * yet are seen, too; through a link, at both ends. A folder that cannot be watched has no news.
 * Errors: LP_ENOMEM; then nothing is watched. */
LpErr lp_watch_files(LpWatch *watch, const char *const *file, uint32_t count,
                     LpDiag *diag) LP_MUST_USE;

typedef enum LpWatchNews {
    LP_WATCH_NONE,
    LP_WATCH_NEAR,    /* something else was saved in one of the folders */
    LP_WATCH_SAVED,   /* one of the files was */
    LP_WATCH_WRITING, /* one is being written: not closed yet */
} LpWatchNews;

/* What happened since the last call; the last that holds. Never blocks. */
LpWatchNews lp_watch_news(LpWatch *watch);

#endif
