/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of a session; private to run/. */
#ifndef LP_RUN_SESSION_IMPL_H
#define LP_RUN_SESSION_IMPL_H

#include "history/log.h"
#include "run/session.h"
#include "script/policy.h"

/* What is known of a job's decisions: the last one counts. */
typedef struct LpStory {
    const char *why, *where, *reason;
    const char *explain; /* JSON, NULL: none */
} LpStory;

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

/* A light share matrix of one plan. */
typedef struct LpLight {
    uint32_t partition, placement;
    double *share;
} LpLight;

struct LpSession {
    LpScenario *scenario;
    LpContext *context;
    LpWorld *world;
    LpPolicy *policy;      /* NULL: the engine's default */
    LpArena *policy_arena; /* what the policy was loaded with */
    const char *policy_path;
    const char *const *policy_library;
    LpPolicyParam *policy_param;
    uint32_t policy_params;
    uint64_t policy_stamp; /* of its files */
    bool watching;
    uint32_t reloads;
    LpDiag reload_error; /* of the last save, code LP_OK when it was good */
    LpLog *log;
    LpArena *texts;
    LpStory *story; /* per job */
    size_t stories, stories_cap;
    bool keep_explain;
    double acted_at; /* when actions were last applied, and how many at that instant */
    uint32_t acted;
    bool reviewing; /* the policy's own actions are being applied */
    bool keep_events;
    LpEvent *event;
    size_t events, events_cap;
    bool policy_failed;
    LpDiag policy_error;
    LpPending pending;
    LpCandidate *candidate;
    uint32_t candidates;
    uint64_t candidates_at; /* decision number + 1 they are for */
    LpLight *light;
    size_t lights, lights_cap;
    uint32_t *degrees; /* room for the scenario's largest degree */
    bool blamed;       /* lp_blame_run ran it */
    struct LpBlame *blame;
    size_t blames, blames_cap;
};

/* Asks the policy (or the default) for the due job's answer on a copy of its stream; remembered
 * until the decision is taken. Errors: LP_ENOMEM. */
LpErr lp_session_ask(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* The policy's data (self.mem) live in the world: loads them into the policy where they differ, and
 * stores (and logs) those of a call. Errors: LP_ENOMEM, LP_ELIMIT. */
LpErr lp_session_load_mem(LpSession *session, LpDiag *diag) LP_MUST_USE;
LpErr lp_session_store_mem(LpSession *session, const void *bytes, size_t len,
                           LpDiag *diag) LP_MUST_USE;
/* What the policy explained in its last call, as JSON in the arena; NULL when nothing, or when it
 * is not kept. */
LpErr lp_session_explained(const LpSession *session, LpArena *arena, const char **json,
                           LpDiag *diag) LP_MUST_USE;
/* Lets the policy order the round of offers that was just announced. */
LpErr lp_session_order(LpSession *session, LpDiag *diag) LP_MUST_USE;
/* Lets the policy act after an event, unless a decision is due. */
LpErr lp_session_review(LpSession *session, const LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* Forgets what was worked out for the decision that was due. */
void lp_session_forget(LpSession *session);
/* Finds and loads the policy that the spec or the scenario names, if any. */
LpErr lp_session_load_policy(LpSession *session, const LpSessionSpec *spec, const char *const *dirs,
                             LpDiag *diag) LP_MUST_USE;
/* The engine's own answer where no policy decides: the largest degree allowed now. */
void lp_session_default_answer(LpSession *session, uint32_t job, LpAnswer *answer);

#endif
