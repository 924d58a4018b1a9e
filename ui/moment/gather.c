/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every picture of a moment is gathered with. */
#include "moment/gather.h"

#include <string.h>

#include "base/mem.h"

/* Where each running job is in the list; of other jobs there may stand anything. */
static LpErr make_places(LpModel *model, uint32_t jobs) {
    size_t had = model->place_cap;
    LP_TRY(
        lp_grow((void **)&model->place, &model->place_cap, (size_t)jobs + 1, sizeof *model->place));
    memset(model->place + had, 0, (model->place_cap - had) * sizeof *model->place);
    return LP_OK;
}

LpErr lp_gather_running(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpWorld *world = model->world;
    uint32_t count = 0, groups = 0;
    if (make_places(model, lp_world_jobs(world)) != LP_OK)
        return lp_fail_memory(diag, "the list of running jobs");
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        if (lp_grow((void **)&model->running, &model->running_cap, (size_t)count + 1,
                    sizeof *model->running) != LP_OK)
            return lp_fail_memory(diag, "the list of running jobs");
        LpPlanLight light = lp_session_light_in(session, world, id);
        model->place[id] = count;
        model->running[count++] = (LpRunning){lp_world_job(world, id),
                                              lp_letters_of(&model->letters, id),
                                              lp_world_progress(world, id),
                                              light.share,
                                              light.tx,
                                              light.txs,
                                              light.path,
                                              light.paths};
        if (light.share)
            groups = light.groups;
    }
    model->running_count = count;
    model->light_groups = groups;
    return LP_OK;
}

LpErr lp_gather_pending(LpModel *model, const uint32_t *server, uint32_t count, LpDiag *diag) {
    uint32_t servers = lp_world_servers(model->world);
    if (!model->pending)
        model->pending = lp_alloc((size_t)servers / 8 + 1, 1);
    if (!model->pending)
        return lp_fail_memory(diag, "the server board");
    if (model->pending_count)
        memset(model->pending, 0, (size_t)servers / 8 + 1);
    for (uint32_t i = 0; i < count; i++)
        if (server[i] < servers)
            model->pending[server[i] / 8] |= (uint8_t)(1u << server[i] % 8);
    model->pending_count = count;
    return LP_OK;
}

LpErr lp_links_keep(LpModel *model, LpDiag *diag) {
    if (model->links == NULL && (model->links = lp_alloc(1, sizeof *model->links)) == NULL)
        return lp_fail_memory(diag, "what goes over shared links");
    return LP_OK;
}

void lp_links_drop(LpModel *model) {
    if (model->links != NULL)
        lp_link_sums_fini(model->links);
    lp_free(model->links);
    model->links = NULL;
}
