/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions in files (lightpath-session(5)): everything that a session with a time line was opened
 * from and all that was recorded in it, written as it happens; opened again with all branches. */
#ifndef LP_SESSION_FILE_H
#define LP_SESSION_FILE_H

#include "session/time.h"

enum { LP_SESSION_FORMAT = 1 };
/* What a scenario leaves open changed its meaning once: from 2 on, ops are cut by their kind
 * (partition.kind tensor) and blocks have every shape (options.shapes corrected). Heads without
 * this number are from before. */
enum { LP_SESSION_DEFAULTS = 2 };

/* ---- writing ---- */

/* A session on its way into a file. */
typedef struct LpSave LpSave;

/* Writes all of the session into a file and keeps that open, and locked, so that no two write the
 * same one. The file is new and only its owner may read it; with `replace` it takes the place of a
 * session file of that name that nobody else is writing, once it is whole. From now on the time
 * line keeps hashes of its states. Errors: LP_ESTATE when the session keeps no time line or was not
 * read from a file; LP_EIO. */
LpErr lp_save_open(LpSession *session, const char *path, bool replace, LpSave **out,
                   LpDiag *diag) LP_MUST_USE;
/* Writes all of it to `path` as lp_save_open with `replace` does, and goes on there; *save (NULL:
 * none) is closed then. Errors: as above, and *save is as it was. */
LpErr lp_save_move(LpSession *session, const char *path, LpSave **save, LpDiag *diag) LP_MUST_USE;
/* Appends what has happened since: after each command, so that a crash loses no decision that was
 * seen. Cheap when nothing has. Errors: LP_EIO, and LP_ESTATE where another program has replaced,
 * removed or changed the file; the save is then paused: this function does nothing until
 * lp_save_resume. O(branches + what is new). */
LpErr lp_save_update(LpSave *save, LpSession *session, LpDiag *diag) LP_MUST_USE;
/* To the disk itself, so that it outlives the machine, too. Errors: as above. */
LpErr lp_save_sync(LpSave *save, LpDiag *diag) LP_MUST_USE;
bool lp_save_needs_sync(const LpSave *save);
/* Why nothing is saved, NULL while all is well. */
const char *lp_save_paused(const LpSave *save);
/* Writes the whole file anew. Errors: LP_EIO, also where the file is another program's now, and it
 * stays paused. */
LpErr lp_save_resume(LpSave *save, LpSession *session, LpDiag *diag) LP_MUST_USE;
const char *lp_save_path(const LpSave *save);
/* Notes where the session stands, and that it was left in good order, and brings that to the disk;
 * nothing is added afterwards. Errors: as lp_save_update, and why it is paused if it is. */
LpErr lp_save_end(LpSave *save, LpSession *session, LpDiag *diag) LP_MUST_USE;
/* The same, where nobody is left to be told, and closes the file. */
void lp_save_close(LpSave *save, LpSession *session); /* save NULL allowed */

/* ---- reading ---- */

/* Is this file a session, by its first bytes? False where it cannot be read; errno then says why,
 * and is 0 where it was read. */
bool lp_session_file_is(const char *path);
/* A number that changes when the file does; 0: there is none. */
uint64_t lp_session_file_stamp(const char *path);

typedef struct LpLoadSpec {
    const char *path;
    size_t max_input;  /* bytes, 0: 1 GiB */
    size_t max_memory; /* bytes that one input may ask for, 0: 1 GiB; a session that was opened with
                          more is refused */
    bool keep_explain;
    bool verify;           /* let the policies decide again and compare */
    const LpDebugLog *log; /* as in LpSessionSpec */
} LpLoadSpec;

enum { LP_LOAD_WORDS = 240 };

/* What came of loading. Texts are safe on a terminal. */
typedef struct LpLoadReport {
    char version[32]; /* of the program that wrote it */
    uint64_t lines, steps;
    int damage_line; /* 0: none; all before it was kept */
    bool damage_cut; /* only the last line is incomplete */
    bool ended;      /* it was left in good order */
    char damage[LP_DIAG_TEXT];
    uint32_t differences; /* branches that end where the results differ now */
    bool policy_failed;   /* a policy did not load: branches of its go on by the engine's rule */
    char policy_error[LP_DIAG_TEXT];
    /* the first difference */
    char branch[LP_LOAD_WORDS];
    uint64_t decision, step; /* the decision, counted from 0; step of the branch */
    double time;
    uint32_t job; /* LP_NO_INDEX: none */
    char recorded[LP_LOAD_WORDS], now[LP_LOAD_WORDS];
} LpLoadReport;

/* Opens a session with all of its branches, where it was left, by carrying out the records; with
 * `verify` the branches' policies decide again, and it ends at the first difference. Where the
 * results differ from the record (another version of the program) a branch ends at the last moment
 * whose state was the recorded one. Errors: the file's, up to the first branch: LP_EIO, LP_EPARSE,
 * LP_EINVAL (another format), LP_ELIMIT; the scenario's; LP_ENOMEM. */
LpErr lp_session_load(const LpLoadSpec *spec, LpSession **out, LpLoadReport *report,
                      LpDiag *diag) LP_MUST_USE;

/* The same from text; text[len] is 0, it is written to, and read no more afterwards. */
LpErr lp_session_load_text(const LpLoadSpec *spec, char *text, size_t len, LpSession **out,
                           LpLoadReport *report, LpDiag *diag) LP_MUST_USE;

#endif
