/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would have let a job start sooner: the run once more with one change each, its first start
 * compared. Nothing is estimated. */
#ifndef LP_ASK_SOONER_H
#define LP_ASK_SOONER_H

#include "base/json_out.h"
#include "base/mem.h"
#include "session/session.h"

/* What is changed. X(ID, "name in JSON") */
#define LP_SOONER_TABLE(X)                                                                         \
    X(FIRST, "alone_first")    /* who waited when it came comes right after it */                  \
    X(ANYWHERE, "any_place")   /* it requires no level and has no segments */                      \
    X(NODE, "one_more_leaf")   /* a copy of the largest node of the lowest level */                \
    X(SERVERS, "more_servers") /* a tenth more */                                                  \
    X(WITHOUT, "without_job")  /* the one at whose end there is enough for it never comes */

typedef enum LpSoonerKnob {
#define X(id, name) LP_SOONER_##id,
    LP_SOONER_TABLE(X)
#undef X
        LP_SOONER_COUNT
} LpSoonerKnob;

/* A run with one change. Times in s; NAN: it never starts, or ends, there. */
typedef struct LpSoonerRun {
    uint32_t sets; /* overrides of the scenario that make the run; 0: there is no such change */
    const char **set;
    const char * not ; /* why it could not be run; NULL: it was */
    uint32_t job;      /* the job's number there */
    double start, end;
    double held; /* on its servers, of one that was completed */
} LpSoonerRun;

typedef struct LpSooner {
    LpArena *arena;
    bool asked;        /* the largest part of its time is the wait before its first start */
    const char * not ; /* why nothing can be said; NULL: it can */
    LpSoonerRun base;  /* as the session has it */
    LpSoonerRun run[LP_SOONER_COUNT];
    uint32_t before;   /* FIRST: jobs that come right after it */
    const char *level; /* ANYWHERE: which it requires, NULL: none; it has segments: */
    bool segments;
    uint32_t node, servers;      /* NODE, SERVERS: servers more */
    const char *node_level;      /* of the node that is copied */
    char without[LP_LABEL_TEXT]; /* WITHOUT: who, made safe for a terminal */
} LpSooner;

/* For a job of a session that is over and keeps its files (LpSessionSpec.keep_files). go_on (NULL
 * allowed) is asked now and then; when it says no, what has not been run says so. Changes of jobs
 * are those of a scenario that lists its jobs, of the cluster those that lp_cluster_larger knows.
 * The caller frees it. Errors: LP_ERANGE: no such job; LP_ENOMEM. Cost: a run as far as the job's
 * end for each change, and one more that holds the session against itself. */
LpErr lp_sooner_new(const LpSession *session, uint32_t job, bool (*go_on)(void *user), void *user,
                    LpSooner *out, LpDiag *diag) LP_MUST_USE;
void lp_sooner_fini(LpSooner *sooner); /* zeroed or filled */

/* Seconds by which the first start is sooner; NAN where it is not known of one of the two. */
double lp_sooner_gain(const LpSooner *sooner, LpSoonerKnob knob);

/* Appends lines "sooner", what helps most first; nothing where it was not asked. */
void lp_sooner_text(const LpSooner *sooner, const LpSession *session, LpBuf *out);
/* The members sooner { start, end, runs { NAME: { start, end, sooner, ratio, job, set } } } and
 * no_sooner; nothing where it was not asked. */
void lp_sooner_json(const LpSooner *sooner, const LpSession *session, LpJsonOut *out);

#endif
