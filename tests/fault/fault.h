/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to be preloaded: every call of one kind fails once, each in a copy of the process. The
 * README of this folder says how it is asked and what it prints. */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- fault.c: which call fails ---- */

typedef enum FaultKind {
    FAULT_NONE,
    FAULT_MEMORY, /* malloc and its family, mmap: ENOMEM */
    FAULT_WRITE,  /* write and its family, rename, link, mkdir, ftruncate: ENOSPC */
    FAULT_SHORT,  /* write: half of the bytes; what follows is as for a write */
    FAULT_SYNC,   /* fsync, fdatasync: EIO */
    FAULT_THREAD, /* pthread_create: EAGAIN */
    FAULT_OPEN,   /* open, opendir, pipe, dup, socket, inotify: EMFILE */
    FAULT_KINDS
} FaultKind;

/* Counts a call of this kind and says whether it is to fail. Comes back twice where it is the next
 * one to be tried: true in the copy, and, when that has ended and was judged, false. */
bool fault_now(FaultKind kind);
/* Is the library asked for anything? */
bool fault_active(void);
/* Was half of a write the last that the disk took? */
bool fault_full(void);
/* Does a new thread run to its end before the one that makes it goes on? */
bool fault_inline(void);
/* So many threads more live now. */
void fault_threads(int more);
/* While busy the library's own calls pass uncounted. */
void fault_busy(bool busy);
/* What was to go to standard error did not: nothing is expected there. */
void fault_mute(void);

/* ---- calls.c: the calls ---- */

/* From now on standard output and error pass through the write that is counted. */
void fault_streams(void);

/* ---- state.c: what a copy may have changed, and undoing it ---- */

/* Remembers the watched folder and every regular file that is open for writing. False: too much. */
bool fault_state_keep(const char *folder);
/* Puts both back as they were. */
bool fault_state_restore(const char *folder);

/* ---- judge.c: is what a copy left behind right? ---- */

typedef struct FaultRun {
    const char *reference; /* folder of the run without failure: out, err, tree/ */
    const char *folder;    /* what the program writes into; NULL: nothing */
    FaultKind kind;        /* what failed */
    const char *says;      /* the cause that an error names */
    int status;            /* as of waitpid */
    bool hung;
    bool mute; /* its standard error could not be written, so nothing is expected there */
} FaultRun;

/* NULL: all is well, and *same says whether as in the reference. Else what is wrong, in `text`. */
const char *fault_judge(const FaultRun *run, bool *same, char *text, size_t size);

#endif
