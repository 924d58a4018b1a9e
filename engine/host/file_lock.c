/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two locks far beyond the end of a file. The first decides: it belongs to the open descriptor
 * ("open file description lock"). Of such a lock nobody can learn whose it is, so a lock of the old
 * kind, which belongs to the process, lies beside it and only tells the process's number. */
#define _GNU_SOURCE
#include "host/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

static struct flock range(short type, off_t at) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
}

static const off_t DECIDES = (off_t)1 << 62, TELLS = ((off_t)1 << 62) + 1;

LpHolder lp_lock_holder(int fd) {
    struct flock lock = range(F_WRLCK, DECIDES), who = range(F_WRLCK, TELLS);
    LpHolder holder = {false, 0};
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return holder;
    holder.held = true;
    if (fcntl(fd, F_GETLK, &who) == 0 && who.l_type != F_UNLCK && who.l_pid > 0)
        holder.pid = (long)who.l_pid;
    return holder;
}

bool lp_lock_take(int fd, LpHolder *other) {
    struct flock lock = range(F_WRLCK, DECIDES), who = range(F_WRLCK, TELLS);
    *other = (LpHolder){false, 0};
    if (fcntl(fd, F_OFD_SETLK, &lock) == 0) {
        (void)fcntl(fd, F_SETLK, &who);
        return true;
    }
    if (errno != EAGAIN && errno != EACCES)
        return true;
    *other = lp_lock_holder(fd);
    other->held = true;
    return false;
}

LpHolder lp_lock_holder_of(const char *path) {
    LpHolder holder = {false, 0};
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return holder;
    holder = lp_lock_holder(fd);
    (void)close(fd);
    return holder;
}
