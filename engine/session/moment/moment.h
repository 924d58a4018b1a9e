/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments and forks as people write them: "d57", "e120", "j12", "4000 s"; "degree=8",
 * "wait", "policy=edf.lua bandwidth=2". One notation for the command line, the explorer and key
 * scripts. */
#ifndef LP_SESSION_MOMENT_MOMENT_H
#define LP_SESSION_MOMENT_MOMENT_H

#include "base/mem.h"
#include "session/time.h"

/* A moment in words: dN the N-th decision (from 0) is due, eN right after event N (from 0), jN the
 * first decision about job N is due, otherwise a time such as "4000 s", "1.5 h", or a date. */
typedef struct LpAt {
    LpSeekKind kind;
    double value;
    bool dated; /* a time that is still a date: */
    LpDate date;
} LpAt;

/* Errors: LP_EINVAL saying what was expected. */
LpErr lp_at_parse(const char *text, LpAt *out, LpDiag *diag) LP_MUST_USE;
/* Makes a time of the run of the time or date that was read, which is one of the scenario.
 * LP_ERANGE: the scenario has no dates, or its clock begins later. */
LpErr lp_at_resolve(const LpScenario *scenario, LpAt *at, LpDiag *diag) LP_MUST_USE;
/* Steps forward to the moment, playing what is not played yet; with a time line also back. Errors:
 * LP_ERANGE when the run ends before it, or has passed it and keeps no time line; the session's. */
LpErr lp_session_go(LpSession *session, const LpAt *at, LpDiag *diag) LP_MUST_USE;
/* The same; `progress` (NULL allowed) is asked before each step that is played, and stops it on the
 * way (*stopped set) by returning false. With a time line it is not asked. */
LpErr lp_session_go_while(LpSession *session, const LpAt *at, LpProgress progress, void *user,
                          bool *stopped, LpDiag *diag) LP_MUST_USE;

/* Words about the job that is due which are read once it is known (session/moment/job_words.h).
 * X(ID, "word") */
#define LP_JOB_WORD_TABLE(X)                                                                       \
    X(CUBES, "cubes")                                                                              \
    X(ORIGIN, "origin")                                                                            \
    X(WAYS, "ways")                                                                                \
    X(PARTS, "parts")                                                                              \
    X(ORDER_OPS, "order_ops")                                                                      \
    X(ORDER_FLOWS, "order_flows")                                                                  \
    X(CIRCUITS, "circuits")                                                                        \
    X(PHASE, "phase")

typedef enum LpJobWord {
#define X(id, name) LP_JOB_WORD_##id,
    LP_JOB_WORD_TABLE(X)
#undef X
        LP_JOB_WORD_COUNT
} LpJobWord;

/* A fork in words, and what it points to. */
typedef struct LpForkText {
    LpForkSpec spec; /* points into this struct and the arena */
    LpAnswer answer;
    LpCondition condition;
    LpSchedule schedule;
    const char *graph; /* of an extra job, until lp_fork_complete finds it; NULL: none */
    const char *word[LP_JOB_WORD_COUNT]; /* what they say; NULL: not there */
    LpArena *arena;
} LpForkText;

/* Words separated by blanks, in quotes where a value has blanks (name="a b", see base/word.h),
 * each at most once unless said otherwise:
 *     degree=8              decide the job that is due 8 ways
 *     tensor=8 data=4 ...   by this plan, a word for each key of it (LP_PARALLEL_KEYS); what is
 *                           left out is as in lp_parallel_default, the batch that of the job's
 *                           graph
 *     servers=0,2,8-11      on these servers, in block order (alone: with the policy's degree or
 *                           plan)
 *     ways= parts= order_ops= order_flows= circuits= phase=
 *                           what its ops, flows and light do (session/moment/job_words.h)
 *     wait  decline         let it wait, or turn it away
 *     policy=FILE           another policy from here
 *     param=K=V             its parameter; may be repeated
 *     bandwidth=2 ...       a condition by its name (lp_condition_find), one at most; circuits as
 *                           fail_circuit=3-7, a job as extra_job=GRAPH[:STEPS[:FRACTION]]
 *     name=TEXT             what to call the branch
 * Errors: LP_EINVAL naming the word, what was expected and the nearest one. *out points into itself
 * and the arena: do not copy it. */
LpErr lp_fork_parse(const char *text, LpArena *arena, LpForkText *out, LpDiag *diag) LP_MUST_USE;
/* servers= and the words of job_words.h without degree= or a plan: that which the policy answers
 * for the job that is due, and of the latter all else that it answers, too.
 * extra_job=: its graph. A plan is held to the job that is due. Errors: LP_EINVAL for an unknown
 * graph, with the nearest one, or a plan for a job without plans; LP_EREFUSED, with the numbers,
 * for a plan that the model does not allow or that has no place now. */
LpErr lp_fork_complete(LpSession *session, LpForkText *fork, LpDiag *diag) LP_MUST_USE;
/* Forks here as the words say (empty: nothing differs yet): lp_fork_parse, lp_fork_complete,
 * lp_session_fork. Errors: theirs. */
LpErr lp_session_fork_text(LpSession *session, const char *text, uint32_t *branch,
                           LpDiag *diag) LP_MUST_USE;

#endif
