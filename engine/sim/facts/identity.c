/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/identity.h"

#include <string.h>

const LpIdentity *lp_job_identity(const LpScenario *scenario, const LpJob *job) {
    static const LpIdentity none = {0};
    uint32_t row = job->asked.spec < scenario->jobs ? scenario->job[job->asked.spec].identity : 0;
    return row > 0 ? &scenario->identity[row - 1] : &none;
}

LpLabel lp_job_label(const LpScenario *scenario, const LpJob *job) {
    LpLabel label;
    lp_identity_label(lp_job_identity(scenario, job), job->id, label.text);
    return label;
}

LpLabel lp_world_label(const LpWorld *world, const LpScenario *scenario, uint32_t job) {
    LpLabel label;
    if (job < lp_world_jobs(world))
        return lp_job_label(scenario, lp_world_job(world, job));
    lp_identity_label(NULL, job, label.text);
    return label;
}

uint32_t lp_world_job_called(const LpWorld *world, const LpScenario *scenario, LpCalledBy by,
                             const char *text, uint32_t from) {
    for (uint32_t id = from; scenario->identities > 0 && id < lp_world_jobs(world); id++) {
        const LpIdentity *identity = lp_job_identity(scenario, lp_world_job(world, id));
        const char *called = by == LP_CALLED_BY_KEY ? identity->key : identity->name;
        if (called != NULL && strcmp(called, text) == 0)
            return id;
    }
    return LP_NO_INDEX;
}
