/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small world to ask policies about: scenario text in, answers out. */
#ifndef LP_TESTS_SCRIPT_LAB_H
#define LP_TESTS_SCRIPT_LAB_H

#include "script/policy/policy.h"

typedef struct Lab {
    LpScenario *scenario;
    LpContext *context;
    LpWorld *world;
    LpPolicy *policy;
    LpAnswer answer; /* of the last decision */
    bool failed;
    LpDiag diag;
    LpPolicyLimits limits; /* of the next policy loaded; 0: as usual */
} Lab;

/* Eight servers (RAMP 2x2x2), one small graph "toy" of 3 ops, four jobs at 0, 1, 2, 3 s. */
extern const char LAB_SCENARIO[];

/* Fails the test when the scenario is refused. */
void lab_open(Lab *lab, const char *scenario);
void lab_close(Lab *lab);
/* Loads a policy from text (named test.lua) with lab->limits, replacing the last one. */
LpErr lab_load(Lab *lab, const char *source);
LpErr lab_load_file(Lab *lab, const char *path, const LpPolicyParam *params, uint32_t count);
/* Moves on to the next decision; false at the end of the run. */
bool lab_advance(Lab *lab);
/* Asks the policy about the due job: answer, failed and diag are set. A policy with keys is asked
 * for the job's, and not further where somebody goes before it. */
LpErr lab_ask(Lab *lab);
/* Applies the last answer. */
void lab_apply(Lab *lab, LpEvent *event);
/* The job whose decision is due. */
const LpJob *lab_due(const Lab *lab);

#endif
