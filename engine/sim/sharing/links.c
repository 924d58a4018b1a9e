/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of shared links. */
#include "sim/sharing/links.h"

#include "sim/state/state.h"
#include "sim/store/store.h"
#include "sim/traffic/traffic_load.h"

/* Of its largest connection: while it sends, or where jobs are interleaved the mean over a step. */
static double rate_of(const LpContext *context, const LpJob *job, const LpLoad *load) {
    if (!context->fabric.interleaved)
        return job->sharing.rate;
    return load->rate * (load->sending / job->forecast.step_time);
}

static void add_job(const LpContext *context, const LpJob *job, const LpLoad *load,
                    LpLinkView *out) {
    double sent = rate_of(context, job, load);
    for (uint32_t i = 0; i < load->links; i++) {
        LpLinkView *link = &out[load->link[i]];
        double rate = load->use[i] * sent;
        link->rate += rate;
        link->jobs++;
        if (rate > link->most || link->job == LP_NO_INDEX) {
            link->most = rate;
            link->job = job->id;
        }
    }
}

void lp_world_links(const LpWorld *world, const LpContext *context, LpLinkView *out) {
    const LpContext *now = lp_world_context(world, context);
    const LpNetwork *network = now->fabric.network;
    for (uint32_t l = 0; network != NULL && l < network->links; l++)
        out[l] = (LpLinkView){.job = LP_NO_INDEX};
    uint32_t id = network != NULL ? lp_world_first_running(world) : LP_NO_INDEX;
    for (; id != LP_NO_INDEX; id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->sharing.load != LP_NO_INDEX)
            add_job(now, job, lp_store_load(now->store, job->sharing.load), out);
    }
}

uint32_t lp_world_link_jobs(const LpWorld *world, const LpContext *context, uint32_t link,
                            uint32_t room, uint32_t *out, double *rate) {
    const LpContext *now = lp_world_context(world, context);
    uint32_t count = 0;
    uint32_t id = now->fabric.network != NULL ? lp_world_first_running(world) : LP_NO_INDEX;
    for (; id != LP_NO_INDEX; id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        const LpLoad *load =
            job->sharing.load != LP_NO_INDEX ? lp_store_load(now->store, job->sharing.load) : NULL;
        for (uint32_t i = 0; load != NULL && i < load->links; i++) {
            if (load->link[i] != link)
                continue;
            if (count < room) {
                out[count] = id;
                if (rate != NULL)
                    rate[count] = load->use[i] * rate_of(now, job, load);
            }
            count++;
        }
    }
    return count;
}

void lp_world_link_rates(const LpWorld *world, const LpContext *context, double *out) {
    const LpNetwork *n = lp_world_context(world, context)->fabric.network;
    for (uint32_t l = 0; n != NULL && l < n->links; l++)
        out[l] = 0;
    uint32_t id = n != NULL ? lp_world_first_running(world) : LP_NO_INDEX;
    for (; id != LP_NO_INDEX; id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->sharing.load == LP_NO_INDEX)
            continue;
        const LpLoad *load = lp_store_load(context->store, job->sharing.load);
        double rate = rate_of(context, job, load);
        for (uint32_t i = 0; i < load->links; i++)
            out[load->link[i]] += load->use[i] * rate;
    }
}
