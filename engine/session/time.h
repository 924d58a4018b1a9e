/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's time machine: moments that were can be visited again, decisions can be made
 * differently, and futures stand side by side. Only sessions opened with spec.keep_timeline have
 * one; the others answer LP_ESTATE. Going back and forth over what is recorded never calls Lua. */
#ifndef LP_SESSION_TIME_H
#define LP_SESSION_TIME_H

#include "history/timeline.h"
#include "session/session.h"
#include "sim/condition.h"

/* A moment: after `step` steps of a branch, counted from the start of the run (0: nothing happened
 * yet). A step is one command that lp_session_step, _answer, _act or _change carried out, with the
 * actions of the policy's review that belong to it. */
typedef struct LpMoment {
    uint32_t branch;
    uint64_t step;
} LpMoment;

/* Begins a time line where none is kept, before anything happened; such a session cannot be saved.
 * Errors: LP_ESTATE later; LP_ENOMEM. */
LpErr lp_session_keep_timeline(LpSession *session, LpDiag *diag) LP_MUST_USE;

/* ---- where we are ---- */

LpMoment lp_session_moment(const LpSession *session);
/* Steps recorded on this branch: the last moment that can be visited. */
uint64_t lp_session_tip(const LpSession *session, uint32_t branch);
bool lp_session_at_tip(const LpSession *session);

/* ---- seeking: exact, the world's hash equals the hash when first there ---- */

/* On the current branch; beyond the tip: LP_ERANGE. Before the tip lp_session_step,
 * _to_decision and _to_time replay what is recorded; at the tip they go on as ever. */
LpErr lp_session_seek(LpSession *session, uint64_t step, LpDiag *diag) LP_MUST_USE;
/* One event back, one decision back (to the moment at which it was due). LP_ERANGE at the start. */
LpErr lp_session_back(LpSession *session, LpDiag *diag) LP_MUST_USE;
LpErr lp_session_back_decision(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* The step to seek to: the last moment not after `time`; the moment at which decision `n` (0, 1,
 * ...: the n-th decision of this branch) is due; the moment right after the event with this serial;
 * the moment at which the first, or last, decision about a job is due; when waiting was worst in
 * the sense of an LpWorstWord, for which the run is played to its end: `longest` right before the
 * job starts. What lies beyond the tip is played first. Errors: LP_ERANGE when there is no such
 * moment. O(log steps); the worst moment O(jobs log jobs). */
typedef enum LpSeekKind {
    LP_SEEK_TIME,
    LP_SEEK_DECISION,
    LP_SEEK_EVENT,
    LP_SEEK_JOB_FIRST,
    LP_SEEK_JOB_LAST,
    LP_SEEK_WORST
} LpSeekKind;
LpErr lp_session_find(LpSession *session, LpSeekKind kind, double value, uint64_t *step,
                      LpDiag *diag) LP_MUST_USE;
/* Facts of a moment without going there: time, decisions taken before it. */
typedef struct LpMomentFacts {
    double time;
    uint64_t decisions, events;
    uint32_t due; /* job whose decision is due, LP_NO_INDEX */
    size_t shown; /* events that are kept up to it (lp_session_branch_event) */
    LpMarkCounts counts;
} LpMomentFacts;
LpErr lp_session_moment_facts(const LpSession *session, LpMoment moment,
                              LpMomentFacts *out) LP_MUST_USE;
/* The last recorded step of a branch that is not after the time; 0 before the start. The branch
 * must exist. O(log steps). */
uint64_t lp_session_step_at(const LpSession *session, uint32_t branch, double time);

/* ---- changing the conditions (the tip only; logged like a decision) ---- */

LpErr lp_session_change(LpSession *session, const LpCondition *condition, LpEvent *event,
                        LpDiag *diag) LP_MUST_USE;

/* What a job did up to a moment, and the most that any job sent up to then, bytes/s: samples that
 * were taken while the run went on (sim/facts/samples.h). Writes the last `room` of the job's
 * samples, the latest first, and returns how many it wrote; 0 without a time line. O(the job's
 * samples). */
size_t lp_session_samples(const LpSession *session, LpMoment moment, uint32_t job, LpSample *out,
                          size_t room);
double lp_session_most_sent(const LpSession *session, LpMoment moment);

/* ---- branches ---- */

/* What differs from here on; all may be left out (the same future until somebody decides). */
typedef struct LpForkSpec {
    const char *name;             /* NULL: made up, such as "d57 degree=8" */
    const LpAnswer *answer;       /* another answer for the decision that is due here */
    const char *policy;           /* another policy from here: file or bare name */
    uint32_t params;              /* other parameters (policy NULL: of the same policy) */
    const char *const *param;     /* "k=v" */
    const LpCondition *condition; /* another condition from here */
    const char *words; /* the answer and the circuits in words that make them again; NULL: those of
                          the answer's degree, plan and servers say it all */
    uint32_t links;    /* servers that rejoin once the answer is given */
    const LpRegroupLink *link;
    const LpSchedule *schedule; /* circuits that are set then; NULL: none */
} LpForkSpec;

typedef struct LpBranchInfo {
    const char *name;
    uint32_t parent;    /* LP_NO_INDEX: the trunk */
    uint64_t forked_at; /* step of the parent */
    uint64_t tip;       /* last recorded step */
    double fork_time, tip_time;
    size_t records, bytes; /* of its own log: what differs from the parent's */
    const char *policy;    /* name of the policy that decides at its tip */
    uint32_t home;      /* its number: that of the parent, but where the fork took another policy or
                           other parameters */
    const char *what;   /* what the fork changed, in words; "" for the trunk */
    bool deleted, over; /* run to its end */
} LpBranchInfo;

/* Forks at the current moment; the new branch becomes the current one. Arrivals after the fork are
 * those of the parent (common random numbers) unless the condition changes them. On failure nothing
 * changed. Errors: LP_ESTATE for an answer where no decision is due; LP_EREFUSED, with why, for one
 * that lets the job run where it cannot (one that makes it late is taken), or circuits that cannot
 * be set; the policy's, the condition's. O(size of the world). */
LpErr lp_session_fork(LpSession *session, const LpForkSpec *fork, uint32_t *branch,
                      LpDiag *diag) LP_MUST_USE;
/* What a fork decides about the job that is due, its answer and circuits, without a branch: for a
 * session that is a copy (session/probe.h). Errors: LP_EREFUSED as above; the session's. */
LpErr lp_session_take(LpSession *session, const LpForkSpec *fork, LpDiag *diag) LP_MUST_USE;
uint32_t lp_session_branches(const LpSession *session); /* ever made; some may be deleted */
LpErr lp_session_branch(const LpSession *session, uint32_t branch, LpBranchInfo *out) LP_MUST_USE;
int lp_session_branch_find(const LpSession *session, const char *name); /* -1 when unknown */
/* Makes a branch the current one, at the last moment not after the present time. */
LpErr lp_session_switch(LpSession *session, uint32_t branch, LpDiag *diag) LP_MUST_USE;
LpErr lp_session_rename(LpSession *session, uint32_t branch, const char *name,
                        LpDiag *diag) LP_MUST_USE;
/* LP_ESTATE for the trunk, the current branch, and one that others were forked from. */
LpErr lp_session_delete(LpSession *session, uint32_t branch, LpDiag *diag) LP_MUST_USE;

/* ---- looking at other moments without going there ---- */

/* A copy of the world at that moment; the caller frees it. It belongs to this session's context. */
LpErr lp_session_world_at(LpSession *session, LpMoment moment, LpWorld **out,
                          LpDiag *diag) LP_MUST_USE;
/* The world at a branch's tip; valid until the next command. */
const LpWorld *lp_session_tip_world(const LpSession *session, uint32_t branch);
/* Events of any branch up to its tip, oldest first, those before the fork included. */
size_t lp_session_branch_events(const LpSession *session, uint32_t branch);
const LpEvent *lp_session_branch_event(const LpSession *session, uint32_t branch, size_t index);
/* Why, in any branch, at the last decision about the job up to `step`. */
LpWhy lp_session_why_at(const LpSession *session, LpMoment moment, uint32_t job);

/* ---- a second session at the same moment ---- */

/* A session of its own (context, Lua state, store) on the same immutable scenario, brought to that
 * moment by replaying the recorded decisions: for worker threads, what-ifs and blame. It decides
 * further with the branch's policy and parameters, or with `policy` and `params` when not NULL / 0.
 * Policies are read again from their files: a save since then counts. Stories before the moment
 * have no line of the script (`where`). The scenario stays the original's: close the twin first.
 * Twins have no time line of their own unless keep_timeline. */
LpErr lp_session_twin(const LpSession *session, LpMoment moment, const char *policy,
                      uint32_t params, const char *const *param, bool keep_timeline,
                      LpSession **out, LpDiag *diag) LP_MUST_USE;

/* ---- memory ---- */

typedef struct LpTimelineStats {
    size_t budget, checkpoints, checkpoint_bytes, log_bytes, branches;
} LpTimelineStats;
LpTimelineStats lp_session_timeline_stats(const LpSession *session);
/* Bytes for checkpoints, default 256 MiB; thins them out where there are more. The first
 * checkpoint and the current world are always kept. */
void lp_session_set_budget(LpSession *session, size_t bytes);

#endif
