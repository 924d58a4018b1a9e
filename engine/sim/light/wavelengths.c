/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wavelengths that jobs hold for as long as they run: on RAMP without isolated racks a subnet
 * between two groups carries one circuit per wavelength over all jobs (corrected rule 3). */
#include <stdio.h>

#include "sim/light/reserve.h"
#include "sim/store/store_impl.h"

typedef bool (*VisitWave)(LpImage *image, uint32_t wave, uint32_t job);

static bool visit_pair(LpImage *m, const LpFabric *f, uint32_t src, uint32_t dst, uint32_t job,
                       VisitWave visit) {
    uint32_t wave = src == dst ? LP_NO_PORT : f->ops->wavelength(f, src, dst);
    return wave == LP_NO_PORT || visit(m, wave, job);
}

static bool visit_collective(LpImage *m, const LpFabric *f, const LpStepGraph *g, uint32_t c,
                             uint32_t job, VisitWave visit) {
    for (uint32_t i = g->member_begin[c]; i < g->member_begin[c + 1]; i++)
        for (uint32_t k = g->member_begin[c]; k < g->member_begin[c + 1]; k++)
            if (!visit_pair(m, f, g->server_id[g->member[i]], g->server_id[g->member[k]], job,
                            visit))
                return false;
    return true;
}

static bool visit_graph(LpImage *m, const LpFabric *f, const LpStepGraph *g, uint32_t job,
                        VisitWave visit) {
    for (uint32_t t = 0; t < g->transfers; t++)
        if (g->flow[t] && !visit_pair(m, f, g->src[t], g->dst[t], job, visit))
            return false;
    for (uint32_t i = 0; i < g->sends; i++)
        if (!visit_pair(m, f, g->send[i].from, g->send[i].to, job, visit))
            return false;
    for (uint32_t c = 0; c < g->collectives; c++)
        if (!visit_collective(m, f, g, c, job, visit))
            return false;
    return true;
}

/* Every wavelength that the flows and collectives of a placed partition use; stops when a visit
 * says no, then *all is false. */
static LpErr visit_waves(LpImage *m, const LpContext *context, uint32_t partition,
                         uint32_t placement, uint32_t job, VisitWave visit, bool *all,
                         LpDiag *diag) {
    LpStepGraph g;
    LP_TRY(lp_store_graph(context, partition, placement, LP_RULES_SRPT, &g, diag));
    *all = visit_graph(m, &context->fabric, &g, job, visit);
    return LP_OK;
}

static bool is_free(LpImage *m, uint32_t wave, uint32_t job) {
    uint32_t owner = lp_image_wave(m)[wave];
    return owner == LP_NO_INDEX || owner == LP_WAVE_LENT || owner == job;
}

static bool take(LpImage *m, uint32_t wave, uint32_t job) {
    lp_image_wave(m)[wave] = job;
    return true;
}

LpErr lp_world_check_light(const LpWorld *world, const LpContext *context, uint32_t partition,
                           uint32_t placement, LpCause *cause, char reason[LP_DIAG_TEXT],
                           LpDiag *diag) {
    LpImage *m = world->image;
    bool all = true;
    if (m->waves > 0)
        LP_TRY(visit_waves(m, context, partition, placement, LP_NO_INDEX, is_free, &all, diag));
    if (all)
        return LP_OK;
    snprintf(reason, LP_DIAG_TEXT,
             "a wavelength that the job needs between two groups is lit by another job (rule "
             "one_circuit_per_wavelength)");
    *cause = LP_CAUSE_NO_CIRCUIT;
    return LP_OK;
}

void lp_world_take_light(LpImage *m, const LpContext *context, const LpJob *job) {
    bool all;
    LpErr err = LP_OK;
    if (m->waves > 0 && job->placed.partition != LP_NO_INDEX)
        err = visit_waves(m, context, job->placed.partition, job->placed.placement, job->id, take,
                          &all, NULL);
    (void)err; /* checking built the same graph a moment ago: its memory is there */
}
