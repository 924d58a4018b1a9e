/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a session's policy failed: each failure with all that it takes to understand it, kept by the
 * moment that it belongs to. */
#ifndef LP_SESSION_FAILURE_H
#define LP_SESSION_FAILURE_H

#include "base/str.h"
#include "session/session.h"

enum { LP_FAILURES_KEPT = 1000 };

/* Texts belong to the session. */
typedef struct LpFailure {
    LpDiag error; /* kind is a name of script/sandbox/fault.h; file and line where they are known */
    const char *call;      /* "partition(job 5)"; "" when no hook was running */
    const char *what;      /* what it was called with, in words */
    const char *traceback; /* a line per call, innermost first */
    const char *source;    /* lines around the error, the guilty one marked; "" when unknown */
    uint32_t job;          /* being decided, LP_NO_INDEX: none */
    uint64_t decision;     /* its number, from 1 on; of the last one where none was asked for */
    double time;           /* s */
    uint32_t branch;       /* of the time line */
    uint64_t events;       /* of the world when the hook was called */
} LpFailure;

/* The first LP_FAILURES_KEPT failures, oldest first; valid until the next command. */
size_t lp_session_failures(const LpSession *session);
const LpFailure *lp_session_failure(const LpSession *session, size_t index);
/* The last failure in the step that led to the present moment, also after a seek; NULL: none.
 * O(failures). */
const LpFailure *lp_session_failure_here(const LpSession *session);

/* Did nothing count that the policy said in this run: every call of it failed, or every job was
 * lost to a failure or to an answer that was refused? Then one sentence says so. */
bool lp_session_all_failed(const LpSession *session, LpBuf *out);

/* A run that was ended because nothing that could still come would end its jobs (lp_world_stuck):
 * a sentence says what came and who is left. False, and nothing said, of any other. O(jobs). */
bool lp_session_stuck(const LpSession *session, LpBuf *out);

/* "file.lua:12", "" where it is not known. */
void lp_failure_place(const LpFailure *failure, char *out, size_t size);
/* Several lines for people: kind, call, moment, arguments, source, traceback. Safe on a terminal.
 */
void lp_failure_text(const LpFailure *failure, LpBuf *out);
/* An object with the keys kind, hook, decision, time, job, file (its name), line, message, call,
 * arguments, traceback; its time is one of the scenario (lp_scenario_time). */
void lp_failure_json(const LpScenario *scenario, const LpFailure *failure, LpJsonOut *out);

#endif
