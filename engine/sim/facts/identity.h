/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose the jobs of a world are. */
#ifndef LP_SIM_FACTS_IDENTITY_H
#define LP_SIM_FACTS_IDENTITY_H

#include "model/scenario.h"
#include "sim/world.h"

/* What the scenario calls the job; one without texts where it says nothing, or the job was added by
 * hand or drawn. Never NULL; the scenario's. O(1). */
const LpIdentity *lp_job_identity(const LpScenario *scenario, const LpJob *job);
/* How the job is called on a screen and in a sentence: its name, else "job 41"
 * (lp_identity_label). By value, for arguments of a printing call. O(1). */
typedef struct LpLabel {
    char text[LP_LABEL_TEXT];
} LpLabel;
LpLabel lp_job_label(const LpScenario *scenario, const LpJob *job);
/* What the world calls its job of this number; one that has not arrived yet has no name. */
LpLabel lp_world_label(const LpWorld *world, const LpScenario *scenario, uint32_t job);

/* Jobs by what the scenario calls them. */
typedef enum LpCalledBy { LP_CALLED_BY_KEY, LP_CALLED_BY_NAME } LpCalledBy;
/* The first job from number `from` on that is called so, LP_NO_INDEX: none of those that have
 * arrived. O(jobs). */
uint32_t lp_world_job_called(const LpWorld *world, const LpScenario *scenario, LpCalledBy by,
                             const char *text, uint32_t from);

#endif
