/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published per-step statistics: one cluster step is one tick (semantics 9.4, 9.5). Kept where
 * the published utilisation is asked for; only when every option is published do all of them mean
 * what their names say. */
#include <math.h>

#include "sim/job_plan.h"
#include "sim/sim_impl.h"

static bool kept(const LpContext *context) {
    return lp_published(&context->scenario->options, LP_OPT_UTILISATION);
}

/* Sums over the running jobs of one tick. */
typedef struct TickSums {
    double compute_frac, communication_frac, worker_util, jobs, channels;
} TickSums;

static void add_job(LpPublishedSums *sums, TickSums *tick_sums, const LpContext *context,
                    const LpJob *job, double tick) {
    tick_sums->jobs++;
    if (job->graph < 0 || !(job->forecast.jct > 0))
        return;
    const LpGraphFacts *facts = &context->facts[job->graph];
    double f = tick / job->forecast.jct;
    sums->compute += job->forecast.part_memory * f;
    sums->dep += job->forecast.part_deps * f;
    sums->flow += job->forecast.flow_bytes * f;
    sums->cluster += (job->forecast.part_memory + job->forecast.part_deps) * f;
    sums->demand_compute += facts->memory_sum * f;
    sums->demand_dep += facts->dep_sum * f;
    sums->demand_total += (facts->memory_sum + facts->dep_sum) * f;
    tick_sums->compute_frac += job->forecast.computation / job->forecast.jct;
    tick_sums->communication_frac += job->forecast.communication / job->forecast.jct;
    tick_sums->worker_util += job->published.worker_utilisation;
    tick_sums->channels += job->placed.circuits;
}

void lp_published_tick(LpImage *m, const LpContext *context, double tick) {
    LpPublishedSums *sums = &m->published;
    TickSums t = {0};
    if (!kept(context))
        return;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        add_job(sums, &t, context, lp_image_job(m, id), tick);
    double mounted = m->servers - m->free_servers;
    sums->steps++;
    sums->running += t.jobs;
    sums->workers += mounted;
    sums->channels += t.channels;
    if (t.jobs > 0) {
        sums->compute_frac += t.compute_frac / t.jobs;
        sums->communication_frac += t.communication_frac / t.jobs;
        sums->worker_util += t.worker_util / t.jobs;
        sums->cluster_util += mounted / m->servers * (t.worker_util / t.jobs);
    }
}

/* Load rate of one arrival: bytes of the original job over the gap to the next one. */
void lp_published_arrival(LpImage *m, const LpContext *context, uint32_t id) {
    const LpJob *job = lp_image_job(m, id);
    if (!kept(context) || job->graph < 0)
        return;
    const LpGraphFacts *facts = &context->facts[job->graph];
    double gap = m->next_arrival - m->now;
    m->published.load_rates++;
    if (gap > 0 && !isinf(gap))
        m->published.load_rate += (facts->memory_sum + facts->dep_sum) / gap;
}

uint32_t lp_world_cached_step(const LpWorld *world, int32_t graph, uint32_t degree, double *steps) {
    LpImage *m = world->image;
    const LpCachedStep *cache = lp_image_cache(m);
    for (uint32_t i = 0; i < m->cache; i++)
        if (cache[i].graph == graph && cache[i].degree == degree) {
            *steps = cache[i].steps;
            return cache[i].step;
        }
    return LP_NO_INDEX;
}
