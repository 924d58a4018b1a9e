/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of shared links. */
#include "sim/sharing/links.h"

#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
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

/* ---- kept from one look to the next ---- */

/* Room for all links of the network; where that is new, nothing is known any more. */
static LpErr make_room(LpLinkSums *sums, uint32_t links, LpDiag *diag) {
    if (sums->link != NULL && sums->links == links)
        return LP_OK;
    lp_link_sums_fini(sums);
    sums->link = lp_alloc(links, sizeof *sums->link);
    sums->used = lp_alloc(links, sizeof *sums->used);
    if (sums->link == NULL || sums->used == NULL) {
        lp_link_sums_fini(sums);
        return lp_fail_memory(diag, "what crosses shared links");
    }
    sums->links = links;
    return LP_OK;
}

#if defined(LP_CHECKED)
/* What is kept is what summing gives now. */
static void check_sums(const LpLinkSums *sums, const LpWorld *world, const LpContext *context) {
    LpLinkView *now = lp_alloc(sums->links, sizeof *now);
    if (now == NULL)
        return;
    lp_world_links(world, context, now);
    for (uint32_t l = 0; l < sums->links; l++) {
        const LpLinkView *kept = &sums->link[l];
        LP_ASSERT(memcmp(&kept->rate, &now[l].rate, sizeof kept->rate) == 0 &&
                  memcmp(&kept->most, &now[l].most, sizeof kept->most) == 0 &&
                  kept->job == now[l].job && kept->jobs == now[l].jobs);
    }
    lp_free(now);
}
#endif

LpErr lp_link_sums_update(LpLinkSums *sums, const LpWorld *world, const LpContext *context,
                          LpDiag *diag) {
    const LpContext *now = lp_world_context(world, context);
    LpStamp at = lp_world_stamp(world);
    if (sums->of != now || !lp_stamp_same(sums->at, at)) {
        uint32_t links = now->fabric.network != NULL ? now->fabric.network->links : 0;
        LP_TRY(make_room(sums, links, diag));
        lp_world_links(world, context, sums->link);
        sums->used_count = 0;
        for (uint32_t l = 0; l < links; l++)
            if (sums->link[l].jobs > 0)
                sums->used[sums->used_count++] = l;
        sums->of = now;
        sums->at = at;
    }
#if defined(LP_CHECKED)
    check_sums(sums, world, context);
#endif
    return LP_OK;
}

void lp_link_sums_fini(LpLinkSums *sums) {
    lp_free(sums->link);
    lp_free(sums->used);
    *sums = (LpLinkSums){0};
}

/* ---- one link ---- */

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
