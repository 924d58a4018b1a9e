/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario was read from, kept in memory under names without folders, so that a session can
 * be stored with all that it needs and opened again where none of these files exist. */
#ifndef LP_IO_FILES_KEPT_H
#define LP_IO_FILES_KEPT_H

#include "base/files.h"
#include "base/mem.h"

/* One file: a profile of a graph. */
typedef struct LpKeptFile {
    const char *name; /* "graphs/alexnet.txt", each once */
    const char *text; /* NUL-terminated */
    size_t len;
    size_t graph;     /* number of the graph that it is */
    const char *path; /* where it was read; NULL: from a session */
} LpKeptFile;

typedef struct LpKept {
    LpArena *arena;
    const char *name;     /* of the scenario's file, without its folder */
    const char *scenario; /* as JSON, overrides applied, files by the names above */
    LpKeptFile *file;
    size_t files, cap;
} LpKept;

LpKept *lp_kept_new(void);       /* NULL: out of memory */
void lp_kept_free(LpKept *kept); /* NULL allowed */
/* Copies a file's text under a name made of `path`'s last part. LP_ENOMEM. */
LpErr lp_kept_keep(LpKept *kept, const char *path, size_t graph, const char *text, size_t len,
                   LpDiag *diag) LP_MUST_USE;
/* Copies a file's text under just this name. LP_EINVAL when there is one of that name. */
LpErr lp_kept_add(LpKept *kept, const char *name, const char *text, size_t len,
                  LpDiag *diag) LP_MUST_USE;
/* The files as a place to load the scenario from; whatever is asked for is said to be there, so
 * that a policy's script is not looked for elsewhere. Valid as long as `kept`. */
LpFiles lp_kept_files(LpKept *kept);

#endif
