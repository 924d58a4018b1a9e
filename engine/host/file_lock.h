/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which process is writing a file. A lock belongs to an open descriptor, so it ends with the
 * process, however that ends, and closing another descriptor of the file keeps it. */
#ifndef LP_HOST_FILE_LOCK_H
#define LP_HOST_FILE_LOCK_H

#include <stdbool.h>

/* Who holds a lock. */
typedef struct LpHolder {
    bool held; /* by another descriptor, of this process or another */
    long pid;  /* 0: not known (another machine, another pid namespace) */
} LpHolder;

/* Takes the lock of an open file, which must be open for writing. True when it was taken, and where
 * the file system has no locks; *other says who has it otherwise. */
bool lp_lock_take(int fd, LpHolder *other);
/* Who has the lock, without taking it; any open descriptor will do. */
LpHolder lp_lock_holder(int fd);
/* Who has the lock of the file at `path`; nobody where there is none. Never blocks. */
LpHolder lp_lock_holder_of(const char *path);

#endif
