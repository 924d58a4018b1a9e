/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Being told that files were saved, where the system can tell (inotify on Linux). */
#ifndef LP_IO_WATCH_H
#define LP_IO_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct LpWatch LpWatch;

/* NULL where the system cannot tell, or no more can be watched: look at the times of the files
 * instead. */
LpWatch *lp_watch_new(void);
void lp_watch_free(LpWatch *watch); /* NULL allowed */
/* Watches the folders of these files instead of those before: editors save by writing another file
 * and renaming it. A folder that cannot be watched is left out. */
void lp_watch_files(LpWatch *watch, const char *const *path, size_t count);
/* Readable when something was written, created, moved or deleted in one of the folders; -1 for a
 * NULL watch. */
int lp_watch_fd(const LpWatch *watch);
/* Takes what was told; did anything happen since the last call? The files may all be as they were.
 */
bool lp_watch_take(LpWatch *watch);

#endif
