/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one way in which the program writes files. What is new is written beside its place, where
 * nobody can guess its name (it has none where the file system allows that), is brought to the
 * disk, and then takes its name, so that a file is there whole or not at all, and what was there
 * before stays until then. Only a regular file gives way, and no link is followed. */
#ifndef LP_HOST_WRITE_FILE_H
#define LP_HOST_WRITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "host/file_lock.h"

/* What kind of file is written: only such a file, an empty one, or none may be in its place. */
typedef struct LpFileKind {
    const char *what;   /* "network", for messages; NULL: any regular file gives way but what the
                           program itself reads: scenarios, profiles, policies, sessions and so on */
    const char *begins; /* how one begins, blanks and line ends left out on both sides */
} LpFileKind;

typedef struct LpWriteSpec {
    const char *path;     /* messages name it; a writer keeps a copy */
    bool fresh;           /* no file may be at `path` */
    LpFileKind kind;      /* without `fresh`: only a file of this kind may be at `path` */
    const char *input[2]; /* files that are read, and must not be this one; NULL: none */
    bool secret;          /* a new file may be read by its owner only */
    bool locked;          /* holds the lock of the file while it is open, and takes the place of no
                             file whose lock another holds, but for `before` */
    const struct LpWriter *before; /* writer whose lock does not stop this one, NULL: none */
} LpWriteSpec;

/* A file that is being written. All zero: closed. */
typedef struct LpWriter {
    LpWriteSpec spec; /* spec.path NULL: closed */
    int fd;
    uint64_t size;   /* bytes that are whole additions */
    uint64_t synced; /* of them on the disk */
    int folder, guard;
    bool placed;      /* has its name */
    char part[32];    /* its name until then, "": none */
    const char *name; /* last part of the path, a copy of which is spec.path */
} LpWriter;

/* Is there a file that is being written? */
bool lp_writer_is_open(const LpWriter *w);

/* Sees to it that the file can be written, and begins it. A file that exists keeps its permissions;
 * a new one gets what the umask says, or 0600. Errors: LP_EINVAL: it is the input; LP_EIO: it may
 * not or cannot be written. */
LpErr lp_writer_open(LpWriter *out, const LpWriteSpec *spec, LpDiag *diag) LP_MUST_USE;
/* The file at `path` if it is there, to add to its end in place; else a new one, placed at once.
 * For what grows over several runs. Errors: as above. */
LpErr lp_writer_append(LpWriter *out, const LpWriteSpec *spec, LpDiag *diag) LP_MUST_USE;
/* Adds bytes: all of them or none. Errors: LP_EIO saying why (the disk is full). */
LpErr lp_writer_add(LpWriter *w, const char *bytes, size_t len, LpDiag *diag) LP_MUST_USE;
/* Gives the file its name before it is whole: for what has to outlive the program at any moment.
 * What is added from then on is in place at once. Errors: LP_EIO, also where something has come
 * into its place meanwhile that may not give way. */
LpErr lp_writer_place(LpWriter *w, LpDiag *diag) LP_MUST_USE;
/* To the disk itself. Errors: LP_EIO. */
LpErr lp_writer_sync(LpWriter *w, LpDiag *diag) LP_MUST_USE;
/* Is the file still the one under its name, and as long as it was written? Another program may have
 * replaced, removed or changed it, and then what is added is lost. For placed files. Errors: LP_EIO
 * saying that it is gone, LP_ESTATE saying what happened to it. */
LpErr lp_writer_check(const LpWriter *w, LpDiag *diag) LP_MUST_USE;
/* Places and syncs what is not yet, and closes. On error the file is dropped. */
LpErr lp_writer_close(LpWriter *w, LpDiag *diag) LP_MUST_USE;
/* Closes without placing: what was there before stays. Nothing for a closed writer. */
void lp_writer_drop(LpWriter *w);

/* A whole file at once. */
LpErr lp_write_file(const LpWriteSpec *spec, const char *bytes, size_t len,
                    LpDiag *diag) LP_MUST_USE;
LpErr lp_write_text(const LpWriteSpec *spec, const LpBuf *text, LpDiag *diag) LP_MUST_USE;
/* Would both be the same file? Links in the way to a folder are followed. False where a folder
 * cannot be looked at. */
bool lp_write_same_place(const char *a, const char *b);
/* Could it be written now? Leaves nothing behind. */
LpErr lp_write_try(const LpWriteSpec *spec, LpDiag *diag) LP_MUST_USE;

#endif
