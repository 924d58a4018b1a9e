/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of traffic as a whole. */
#include "views/traffic/traffic_view.h"

#include <math.h>

#include "base/mem.h"
#include "views/traffic/traffic_view_impl.h"

enum { FIRST = 64 };

/* All samples of a job up to the moment, in an array that grows until they have room. */
static LpErr read_job(const LpModel *model, const LpSession *session, LpTrafficJob *job,
                      uint32_t id, LpDiag *diag) {
    job->job = id;
    for (size_t room = job->cap > FIRST ? job->cap : FIRST;; room *= 2) {
        void *items = job->sample;
        if (lp_grow(&items, &job->cap, room, sizeof *job->sample) != LP_OK)
            return lp_fail_memory(diag, "the curves of a run");
        job->sample = items;
        job->samples = lp_session_samples(session, model->time.moment, id, job->sample, room);
        if (job->samples < room)
            return LP_OK;
    }
}

/* The last jobs to run. */
static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpTrafficFacts *facts = lp_traffic_facts(model);
    LpMoment at = model->time.moment;
    if (facts->known && facts->of.branch == at.branch && facts->of.step == at.step)
        return LP_OK;
    facts->known = false;
    facts->jobs = 0;
    for (uint32_t id = lp_world_jobs(model->world); id-- > 0 && facts->jobs < LP_TRAFFIC_JOBS;)
        if (!isnan(lp_world_job(model->world, id)->times.start))
            LP_TRY(read_job(model, session, &facts->job[facts->jobs++], id, diag));
    facts->most = lp_session_most_sent(session, at);
    facts->of = at;
    facts->until = lp_world_now(model->world);
    facts->known = true;
    return LP_OK;
}

static void drop(void *data) {
    LpTrafficFacts *facts = data;
    for (uint32_t i = 0; i < LP_TRAFFIC_JOBS; i++)
        lp_free(facts->job[i].sample);
    *facts = (LpTrafficFacts){0};
}

const LpView lp_traffic_view = {
    .facts = sizeof(LpTrafficFacts),
    .drop = drop,
    .update = update,
    .draw = lp_view_traffic,
};
