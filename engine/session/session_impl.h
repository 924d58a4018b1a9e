/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of a session; not for front ends. */
#ifndef LP_SESSION_SESSION_IMPL_H
#define LP_SESSION_SESSION_IMPL_H

#include "history/timeline.h"
#include "io/files/kept.h"
#include "io/files/watch.h"
#include "script/policy/policy.h"
#include "session/replay.h"
#include "session/time.h"

enum { LP_STAMPS_MAX = 64 };

/* Stamps (io/files/watch.h) of the files that a policy was made of; the last two are of where a
 * broken save is to blame, and of the policy's folder. */
typedef struct LpStamps {
    uint64_t at[LP_STAMPS_MAX];
} LpStamps;

/* Policies in memory, from a session file: each with what it requires in a folder of its own that
 * is on no disk, such as "session:2/edf.lua". */
typedef struct LpSealedFile {
    const char *path, *text;
    size_t len;
} LpSealedFile;

typedef struct LpSealed {
    LpArena *arena;
    LpSealedFile *file;
    size_t count, cap;
    LpFiles files; /* to read them from */
} LpSealed;

/* A policy with what it was loaded with; branches that decide alike share one. */
typedef struct LpPolicyHome {
    LpPolicy *policy; /* NULL: the engine's default */
    LpArena *arena;
    const char *path;
    const char *const *library;
    LpPolicyParam *param;
    uint32_t params;
    LpStamps *stamps; /* in the arena */
} LpPolicyHome;

/* The answer to the due job, asked ahead of time; kept so that a policy is asked once only. */
typedef struct LpPending {
    bool known;
    uint32_t job;
    LpAnswer answer; /* arrays and texts in `room` */
    LpArena *room;
    LpRng rng;           /* the policy's stream after the call */
    const char *explain; /* JSON, NULL: none */
    const void *mem;     /* the policy's data after the call */
    size_t mem_len;
    bool failed;
    LpDiag error;
} LpPending;

/* What one plan lights: share of a step by groups, and by transmitters
 * (ask/inspect/inspect_light.h). */
typedef struct LpSessionLight {
    uint32_t partition, placement, step;
    LpOrders orders;
    double *share;
    struct LpTransmitter *tx;
    struct LpPath *path;
    uint32_t txs, paths;
} LpSessionLight;

/* The saves of the policy's files, which are looked after. */
typedef struct LpSessionSaved {
    LpWatch *watch; /* NULL: nobody looks after them */
    uint32_t count; /* loaded again */
    LpDiag error;   /* of the last save, code LP_OK when it was good */
} LpSessionSaved;

/* What became of the calls of the policy. */
typedef struct LpSessionCalls {
    bool failed; /* the last one */
    LpDiag error;
    LpPolicyRecord record;
    LpDiag first_failure;             /* of the first one that failed */
    char lack[LP_DIAG_TEXT];          /* why the engine answered nothing where there is no policy */
    char behind[LP_WHY_TEXT];         /* why it let a job wait without asking the policy */
    bool unasked;                     /* so it did the last time */
    char first_refusal[LP_DIAG_TEXT]; /* why the first answer was refused that lost its job */
    uint32_t refused_job;             /* the job that `first_refusal` lost */
} LpSessionCalls;

/* The policy's own actions. */
typedef struct LpSessionActing {
    double at; /* when actions were last applied, and how many at that instant */
    uint32_t count;
    bool reviewing;             /* they are being applied */
    bool moved;                 /* since the step began they changed which jobs run, or where */
    const LpSchedule *circuits; /* that somebody chose for this step; NULL: nobody did */
    LpEvent
        *owed; /* events of this instant that the policy is asked to review after its last end */
    size_t owes, owed_cap;
} LpSessionActing;

typedef struct LpSessionSeen {
    bool keep;
    LpEvent *event;
    size_t count, cap;
} LpSessionSeen;

/* Reasons and explanations. */
typedef struct LpSessionTold {
    LpArena *texts;         /* with a time line: the current branch's */
    const char *lately[64]; /* some of `texts`, by hash, without a time line; NULL none */
    LpStory *story;         /* per job; with a time line they are there */
    size_t stories, cap;
    bool keep_explain, nothing;
    LpWording wording;
} LpSessionTold;

typedef struct LpSessionFailed {
    struct LpFailure *failure; /* session/failure.h */
    size_t count, cap;
    LpArena *room;
} LpSessionFailed;

struct LpSession {
    LpScenario *scenario;
    LpContext *context;
    LpWorld *world;
    const LpWorld *follow; /* a probe's: conditions change when they did there; NULL: none */
    double until;          /* s, the horizon that was asked for; 0: the scenario's */
    bool borrowed;         /* scenario, kept and sealed are another session's */
    bool pack_past;
    bool mute;        /* decisions are neither logged nor told of */
    bool by_deadline; /* without a policy: rounds of offers in the order of true deadlines */

    LpPolicyHome loaded; /* the policy that decides; owned where there is no list of homes */
    LpPolicyHome *home;  /* by number of LpBranch.policy; `loaded` is a copy of one */
    uint32_t homes;
    LpSessionSaved saved;
    LpSessionCalls calls;
    LpSessionActing acting;
    LpPending pending;

    struct LpWaitBook *waited; /* NULL: none is kept */
    LpTimeline *timeline;      /* NULL: none is kept */
    LpLog *log;                /* with a time line: the current branch's */
    LpSessionSeen seen;
    LpSessionTold told;
    LpSessionFailed failed;

    LpKept *kept;        /* what the scenario was read from; NULL: not kept */
    LpSealed *sealed;    /* policies that came in a session file; NULL: none */
    struct LpSave *save; /* that writes it down; NULL: none */

    /* What was looked at of the moment, for who looks again (ask). */
    struct LpCandidate *candidate;
    size_t candidate_cap;
    uint32_t candidates;
    uint64_t candidates_at; /* decision number + 1 they are for */
    LpSessionLight *light;
    size_t lights, lights_cap;
    uint32_t *light_at; /* 1 + place in `light`, 0: none; found by the plan (inspect_light.c) */
    size_t light_slots; /* of it, a power of two; 0: none yet */
    uint32_t *degrees;  /* room for the scenario's largest degree */
    bool blamed;        /* lp_blame_run ran it */
    struct LpBlame *blame;
    size_t blames, blames_cap;

    LpAgain listener; /* NULL: nobody listens */
    void *listening;
};

/* Asks the policy (or the default) for the due job's answer on a copy of its stream; remembered
 * until the decision is taken. Errors: LP_ENOMEM. */
LpErr lp_session_ask(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Ops of the job's graph before mirroring, which the ways of an answer are for; 0 without one. */
uint32_t lp_session_forward_ops(const LpSession *session, uint32_t job);
/* Makes the arrays and texts of an answer copies in the arena. Errors: LP_ENOMEM, answer spoilt. */
LpErr lp_session_copy_answer(LpArena *arena, uint32_t forward_ops, LpAnswer *answer) LP_MUST_USE;
/* The policy's data (self.mem) live in the world: loads them into the policy where they differ, and
 * stores (and logs) those of a call. Errors: LP_ENOMEM, LP_ELIMIT. */
LpErr lp_session_load_mem(LpSession *session, LpDiag *diag) LP_MUST_USE;
LpErr lp_session_store_mem(LpSession *session, const void *bytes, size_t len,
                           LpDiag *diag) LP_MUST_USE;
/* Counts a call of the policy; error NULL: it did not fail. */
void lp_session_count_call(LpSession *session, const LpDiag *error);
/* Counts a call that is not a decision, and notes its failure; `err` is returned, with `error` in
 * diag. */
LpErr lp_session_called(LpSession *session, LpErr err, bool failed, const LpDiag *error,
                        LpDiag *diag) LP_MUST_USE;
/* Notes an answer of the policy that the engine refuses. */
void lp_session_note_refusal(LpSession *session, const LpDiag *error);
/* What the policy explained in its last call, as JSON in the arena; NULL when nothing, or when it
 * is not kept. */
LpErr lp_session_explained(const LpSession *session, LpArena *arena, const char **json,
                           LpDiag *diag) LP_MUST_USE;
/* Lets the policy order the round of offers that was just announced. */
LpErr lp_session_order(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Gives those that wait without a key one, and this job, which is to be decided (LP_NO_INDEX: no
 * job). Nothing without the hook queue_key. */
LpErr lp_session_rank(LpSession *session, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* Where another policy decides now than the one that declared what jobs wait for, all of that is
 * forgotten. At the beginning of a step. */
LpErr lp_session_own_queue(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* The loaded policy is about to declare what a job waits for: what another one declared is
 * forgotten.
 */
LpErr lp_session_declare(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Does the policy answer for jobs that failures stop? */
bool lp_session_answers_failures(const LpSession *session);
/* Asks it about the one that answers next, and carries that out: *event is NONE where the job just
 * waits now. What cannot be followed is noted, and the scenario answers. */
LpErr lp_session_recover(LpSession *session, uint32_t job, LpEvent *event,
                         LpDiag *diag) LP_MUST_USE;
/* Lets the policy act after an event, unless a decision is due; where more ends of jobs, deadlines
 * or times it asked for come at this instant, after the last of them. */
LpErr lp_session_review(LpSession *session, const LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* After an event that changes who runs, or an interval: asks configure, or the engine's own rule,
 * and sets the circuits. Nothing on fabrics without circuit switches. */
LpErr lp_session_configure(LpSession *s, const LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* Logs the policy's stream when it moved, and moves the world's. Errors: LP_ENOMEM. */
LpErr lp_session_store_rng(LpSession *session, const LpRng *rng, LpDiag *diag) LP_MUST_USE;
/* Adds what happened to the list of events, and what was decided to the job's story (texts in
 * session->texts), where they are kept. */
LpErr lp_session_keep_event(LpSession *session, const LpEvent *event, LpDiag *diag) LP_MUST_USE;
LpErr lp_session_tell(LpSession *session, uint32_t job, const LpAnswer *answer, const char *reason,
                      const char *explain, LpDiag *diag) LP_MUST_USE;

/* ---- the time line (session/time.c, session/fork.c, session_twin.c) ---- */

/* The world was just made: starts the time line. */
LpErr lp_session_start_timeline(LpSession *session, LpDiag *diag) LP_MUST_USE;
void lp_session_end_timeline(LpSession *session);
/* Is the session before the tip of its branch? */
bool lp_session_rewound(const LpSession *session);
/* Changes the conditions and keeps the record, without a step of its own. */
LpErr lp_session_apply(LpSession *session, const LpCondition *condition, LpEvent *event,
                       LpDiag *diag) LP_MUST_USE;
/* Errors: LP_ESTATE naming that a fork is needed. */
LpErr lp_session_need_tip(const LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Ends a step that was carried out with this result, which is returned unless recording fails. */
LpErr lp_session_commit(LpSession *session, LpErr result, LpDiag *diag) LP_MUST_USE;
/* The step that is committed next is not the policy's doing. */
void lp_session_by_hand(LpSession *session);
/* Goes to a moment that is recorded. Errors: LP_ENOMEM. */
LpErr lp_session_visit(LpSession *session, uint32_t branch, uint64_t step,
                       LpDiag *diag) LP_MUST_USE;
/* Carries out the next recorded step. */
LpErr lp_session_forward(LpSession *session, LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* The recorded answer to the due job; its arrays are in the time line's room. False: none. */
bool lp_session_recorded(LpSession *session, LpAnswer *answer, const char **explain);
/* A policy by the spec into *out, as lp_session_load_policy would. */
LpErr lp_session_load_home(const LpSession *session, const char *policy, uint32_t params,
                           const char *const *param, LpPolicyHome *out, LpDiag *diag) LP_MUST_USE;
/* The session's policy once more, from the text that it was loaded from. */
LpErr lp_session_copy_policy(const LpSession *session, LpPolicy **out, LpDiag *diag) LP_MUST_USE;
void lp_policy_home_free(LpPolicyHome *home);
/* Makes a branch's policy, log and texts the session's. */
void lp_session_enter(LpSession *session, uint32_t branch);

/* lp_session_restart with what was worked out in the context `from`, of the same scenario. */
LpErr lp_session_restart_from(LpSession *session, LpContext *from, uint64_t seed,
                              LpDiag *diag) LP_MUST_USE;
/* Puts a context in the place of the session's, which is neither freed nor shared by that. */
void lp_session_use_context(LpSession *session, LpContext *context);
/* Forgets what was kept of the run so far, but for its world and its log. */
void lp_session_forget_run(LpSession *session);
/* Forgets what was worked out for the decision that was due. */
void lp_session_forget(LpSession *session);
/* A session on a scenario read from `kept` (NULL allowed) with policies of `sealed` (NULL allowed);
 * owns all three from now on, also on failure. `like`: its policy is that session's, as it was
 * loaded there, with the parameters of the spec besides its own; NULL: the policy of the spec. */
LpErr lp_session_make(LpScenario *scenario, LpKept *kept, LpSealed *sealed, const LpSession *like,
                      const LpSessionSpec *spec, const char *const *dirs, LpSession **out,
                      LpDiag *diag) LP_MUST_USE;
LpErr lp_sealed_new(LpSealed **out, LpDiag *diag) LP_MUST_USE;
void lp_sealed_free(LpSealed *sealed); /* NULL allowed */
/* Path and text must live in the arena. LP_EINVAL when the path is there. */
LpErr lp_sealed_add(LpSealed *sealed, const LpSealedFile *file, LpDiag *diag) LP_MUST_USE;
/* Where a file of this path is read from: the sealed ones, or NULL for the disk. */
const LpFiles *lp_sealed_files(const LpSealed *sealed, const char *path);
/* Finds and loads the policy that the spec or the scenario names, if any. */
LpErr lp_session_load_policy(LpSession *session, const LpSessionSpec *spec, const char *const *dirs,
                             LpDiag *diag) LP_MUST_USE;
/* The policy's file once more, with the same parameters; files NULL: as it is now on the disk. */
LpErr lp_session_load_again(const LpSession *session, const LpFiles *files, LpPolicy **out,
                            LpDiag *diag) LP_MUST_USE;
/* Notes the files that were loaded as up to date; own: stamp of the policy's file just before it
 * was read. */
void lp_session_stamp(LpSession *session, uint64_t own);
/* Loads into a session without one the policy of `home` once more, or the spec's policy; the
 * spec's parameters come first. `sealed`: where the home's files are, NULL: on the disk. */
LpErr lp_session_load_like(LpSession *session, LpSealed *sealed, const LpPolicyHome *home,
                           const LpSessionSpec *spec, LpDiag *diag) LP_MUST_USE;
/* The engine's own answer where no policy decides: the largest degree allowed now. */
LpErr lp_session_default_answer(LpSession *session, uint32_t job, LpAnswer *answer,
                                LpDiag *diag) LP_MUST_USE;

/* Keeps a failure of the policy with what surrounds it, as far as there is room. */
void lp_session_keep_failure(LpSession *session, const LpDiag *error);

#endif
