/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a job: the rows of jobs[] in results, of their CSV, and of paths into them. Lists
 * of named numbers (waited, accounts, account) are written beside them (say). */
#ifndef LP_SIM_FACTS_JOB_FACTS_H
#define LP_SIM_FACTS_JOB_FACTS_H

#include "base/fact.h"
#include "sim/state/state.h"

/* What a job stands in, for its facts. Zero-initialise what is not named. */
typedef struct LpJobAround {
    const LpWorld *world;
    const LpContext *context; /* of its family any */
    /* The reason that was given for what became of it, NULL or "": none; `why` may be NULL. */
    const char *(*why)(const void *user, const LpJob *job);
    const void *user;
    const struct LpStanding
        *standing;                /* sim/facts/standing.h; NULL: what follows from it is null */
    char text[LP_COMPONENT_TEXT]; /* room for texts that a fact makes */
    uint32_t *list;               /* room for lists that a fact makes */
    size_t list_cap;
    bool failed; /* a fact found no memory, and is null: what was written of it is no result */
} LpJobAround;
/* Frees the room. */
void lp_job_around_fini(LpJobAround *around);

/* Of every job; where the scenario says whose jobs are; where the fabric rents out slices; where
 * something may break (lp_job_failures_told); where circuits turn inside steps. The record is an
 * LpJob, around it an LpJobAround. */
extern const LpFacts lp_job_facts, lp_job_identity_facts, lp_job_slice_facts, lp_job_failure_facts,
    lp_job_turning_facts;
/* The rows of lp_job_facts once more, as writers of jobs need them: a job's number, behind which
 * its identity stands, and all others. */
extern const LpFacts lp_job_number_facts, lp_job_rest_facts;

/* Is told whose jobs are: in scenarios in which one of them says so? */
bool lp_job_identities_told(const LpContext *context);

/* Does a fact of a job follow from how it stands beside the others? */
bool lp_job_fact_stands(const LpFact *fact);
/* Is told what failures did: in scenarios in which something breaks by itself or that say what
 * stopped jobs do, and of all pods? */
bool lp_job_failures_told(const LpContext *context);
/* The tables that a scenario's jobs have, in the order in which they are told. */
enum { LP_JOB_TABLES = 5 };
uint32_t lp_job_tables(const LpContext *context, const LpFacts *out[LP_JOB_TABLES]);

#endif
