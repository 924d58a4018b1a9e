/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session: scenario, world, policy and history in one place. Front ends send it commands and read
 * its views; two sessions never meet. */
#ifndef LP_SESSION_SESSION_H
#define LP_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/files.h"
#include "base/json_out.h"
#include "sim/action.h"
#include "sim/context.h"
#include "sim/facts/metrics.h"
#include "sim/state/state.h"
#include "sim/store/store.h"
#include "sim/waits/reason.h"

typedef struct LpSession LpSession;

/* What to open. Strings are borrowed for the call. */
typedef struct LpSessionSpec {
    const char *scenario; /* file, or "-" */
    uint32_t sets;        /* --set PATH=VALUE */
    const char *const *set;
    const char *policy; /* file or bare name; NULL: the scenario's */
    uint32_t params;    /* --param k=v */
    const char *const *param;
    bool has_seed;
    uint64_t seed;
    double until; /* s; <= 0: the scenario's horizon */
    bool has_tau; /* see LpScenario; else 10 s */
    double tau;
    bool keep_events;   /* for the screen: keep every event */
    bool keep_explain;  /* keep the candidates that the policy explained */
    bool keep_timeline; /* keep a time line (session/time.h), and with it every event */
    bool has_wording; /* whose short words say why a job waits; else Slurm's where the scenario was
                         made of a trace (LpImported), the plain ones of all others */
    LpWording wording;
    /* Note what jobs wait for, as the run goes on, and with keep_explain whom they stand behind;
     * not with a time line. */
    bool keep_waited;
    bool keep_files;   /* keep what it is read from (session/variant.h), as a time line does */
    bool pack_past;    /* nobody looks back: jobs that ended take little (lp_world_pack_past) */
    bool untold;       /* with pack_past: what decisions gave as reasons is not kept, either */
    size_t max_input;  /* bytes, 0: 64 MiB */
    size_t max_memory; /* bytes, 0: 1 GiB */
    const LpDebugLog
        *log;             /* who listens to what the engine does, NULL: nobody (base/debug_log.h) */
    const LpFiles *files; /* where files come from, NULL: the disk; see inputs.h */
} LpSessionSpec;

/* Errors: as loading scenario and policy give them. */
LpErr lp_session_open(const LpSessionSpec *spec, LpSession **out, LpDiag *diag) LP_MUST_USE;
/* From a scenario built in memory, of which it takes ownership (also on failure); scenario, sets,
 * until and limits of the spec do not count. */
LpErr lp_session_open_with(LpScenario *scenario, const LpSessionSpec *spec, LpSession **out,
                           LpDiag *diag) LP_MUST_USE;
void lp_session_close(LpSession *session); /* NULL allowed */
/* From the beginning again, with another seed: as if it had been opened anew, but for the steps
 * that are known already. Errors: LP_ESTATE with a time line; LP_ENOMEM. */
LpErr lp_session_restart(LpSession *session, uint64_t seed, LpDiag *diag) LP_MUST_USE;

/* ---- commands ---- */

/* To the next event; a due decision is decided by the policy (its outcome is the event). */
LpErr lp_session_step(LpSession *session, LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* Stops with the next decision due but not yet taken (or at the end). */
LpErr lp_session_to_decision(LpSession *session, LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* Up to and including all events at or before the time. */
LpErr lp_session_to_time(LpSession *session, double until, LpDiag *diag) LP_MUST_USE;
/* To the end. progress (NULL allowed) is called now and then; returning false stops early and the
 * run is finished as it stands (*stopped set); before the tip of a time line it only stops there.
 */
typedef bool (*LpProgress)(void *user, const LpSession *session);
LpErr lp_session_run(LpSession *session, LpProgress progress, void *user, bool *stopped,
                     LpDiag *diag) LP_MUST_USE;
/* Ends the run here, as it stands, at the tip of a time line. LP_ESTATE before it. */
LpErr lp_session_finish(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Decides the due job with this answer instead of the policy's; then as after any step: the policy
 * reviews what came of it, and circuits follow. */
LpErr lp_session_answer(LpSession *session, const LpAnswer *answer, LpEvent *event,
                        LpDiag *diag) LP_MUST_USE;
/* The same, with these circuits in place of those that the policy would set then; the next that it
 * sets take their place. Errors also: LP_EREFUSED, with why, where they cannot be set; the session
 * is of no use then but to be left. */
LpErr lp_session_answer_lit(LpSession *session, const LpAnswer *answer, const LpSchedule *circuits,
                            LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* The reason in records of what somebody chose in place of a policy. */
#define LP_BY_HAND "by hand"

/* Applies an action to a job (stop, go on, move, resize); logged like a policy's. *cause is not
 * NONE and reason says why where the engine refuses. A resumed job is decided at once by the
 * policy. */
LpErr lp_session_act(LpSession *session, const LpAction *action, LpEvent *event, LpCause *cause,
                     char reason[LP_DIAG_TEXT], LpDiag *diag) LP_MUST_USE;

/* Looks after the policy's files from now on: lp_session_poll loads them again when one changed.
 * A good save takes effect at once (a decision that is due is asked again), a broken one leaves the
 * old policy in charge, and one that is being written is waited for. With a time line what is
 * recorded stays as it was decided: the new policy counts from the tip on, in every branch that it
 * decides in. Errors of lp_session_poll: why the save was not taken, also kept for
 * lp_session_reload_error until the next save. Cheap when nothing changed: call it before each
 * step, when lp_session_watch_fd is readable, and now and then (of some file systems no events
 * come; there size and time of last change tell). */
void lp_session_watch(LpSession *session, bool watch);
/* Readable (poll) when a file may have been saved; -1: no watch, or a system without events. */
int lp_session_watch_fd(const LpSession *session);
LpErr lp_session_poll(LpSession *session) LP_MUST_USE;
const LpDiag *lp_session_reload_error(const LpSession *session); /* NULL: none */
uint32_t lp_session_reloads(const LpSession *session);           /* good saves taken */

/* ---- views (immutable until the next command) ---- */

const LpScenario *lp_session_scenario(const LpSession *session);
const LpContext *lp_session_context(const LpSession *session);
const LpWorld *lp_session_world(const LpSession *session);
const char *lp_session_policy_name(const LpSession *session);
/* "lightpath", "scenario", "policy" and "seed": what results begin with. */
void lp_session_json_head(const LpSession *session, LpJsonOut *out);
const char *lp_session_policy_path(const LpSession *session); /* "" for the defaults */
uint64_t lp_session_hash(const LpSession *session);
/* Why the policy decided as it did, and where in its script; "" when unknown. For a blocked job
 * also the engine's sentence in `reason`. */
typedef struct LpWhy {
    const char *why, *where, *reason;
} LpWhy;
LpWhy lp_session_why(const LpSession *session, uint32_t job);
/* The candidates that the policy explained at the job's last decision as a JSON object { columns,
 * rows, chosen }; NULL when there are none or keep_explain was not asked for. */
const char *lp_session_explain(const LpSession *session, uint32_t job);
/* Whose short words say why a job waits. */
LpWording lp_session_wording(const LpSession *session);
/* What jobs waited for so far (sim/waits/wait_book.h), NULL: it is not kept. */
struct LpWaitBook;
const struct LpWaitBook *lp_session_wait_book(const LpSession *session);
/* Events so far, oldest first (keep_events). */
size_t lp_session_events(const LpSession *session);
const LpEvent *lp_session_event(const LpSession *session, size_t index);
/* Last failure of the policy script, NULL when none; reset by the next decision. After a seek, that
 * of the step that led to this moment. */
const LpDiag *lp_session_policy_error(const LpSession *session);
/* What the policy asked for since the session was opened (replays ask nothing). */
typedef struct LpPolicyRecord {
    uint64_t calls;     /* of the script: the following, what failures do, and circuits */
    uint64_t decisions; /* about jobs */
    uint64_t reviews;   /* of events */
    uint64_t orders;    /* of rounds of offers */
    uint64_t keys;      /* places in the queue */
    uint64_t failures;  /* of these, and actions or orders that were refused */
    uint64_t failed;    /* calls that ended in an error: nothing of them counts */
    uint64_t instructions, predictions;           /* of all calls */
    uint64_t most_instructions, most_predictions; /* of the call that took most */
} LpPolicyRecord;
const LpPolicyRecord *lp_session_policy_record(const LpSession *session);
/* The first of the failures, with its place in the script; NULL: none. */
const LpDiag *lp_session_first_failure(const LpSession *session);

/* The policy's pending answer for the due job, with its why; NULL when none is due. */
const LpAnswer *lp_session_pending(LpSession *session, LpDiag *diag);

#endif
