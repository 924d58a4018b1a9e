/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every picture of a moment is gathered with. */
#include "moment/gather.h"

#include <string.h>

#include "base/mem.h"

LpErr lp_gather_running(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpWorld *world = model->world;
    uint32_t count = 0, groups = 0;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        if (lp_grow((void **)&model->running, &model->running_cap, (size_t)count + 1,
                    sizeof *model->running) != LP_OK)
            return lp_fail_memory(diag, "the list of running jobs");
        uint32_t side = 0;
        const double *light = lp_session_light_in(session, world, id, &side);
        model->running[count++] = (LpRunning){lp_world_job(world, id),
                                              lp_letters_of(&model->letters, id),
                                              lp_world_progress(world, id),
                                              light,
                                              NULL,
                                              0,
                                              NULL,
                                              0};
        LpRunning *job = &model->running[count - 1];
        job->tx = lp_session_transmitters_in(session, world, id, &job->txs);
        job->path = lp_session_paths_in(session, world, id, &job->paths);
        if (light)
            groups = side;
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
