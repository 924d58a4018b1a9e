/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the tracks of all branches. */
#include "views/branches/tracks.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "widgets/show.h"

static double longest(const LpTimeModel *time) {
    double end = 0.0;
    for (uint32_t i = 0; i < time->twigs; i++)
        end = fmax(end, time->twig[i].info.tip_time);
    return end > 0.0 ? end : 1.0;
}

LpErr lp_tracks_update(LpTracks *tracks, const LpTimeModel *time, const LpSession *session,
                       LpDiag *diag) {
    size_t before = tracks->cap;
    if (lp_grow((void **)&tracks->marks, &tracks->cap, (size_t)time->twigs + 1,
                sizeof *tracks->marks) != LP_OK)
        return lp_fail_memory(diag, "the tracks of the time line");
    memset(tracks->marks + before, 0, (tracks->cap - before) * sizeof *tracks->marks);
    tracks->end = longest(time);
    tracks->count = time->twigs;
    for (uint32_t i = 0; i < time->twigs; i++) /* a nice scale seldom changes */
        lp_marks_of_branch(&tracks->marks[i], session, time->twig[i].branch,
                           lp_show_nice(tracks->end));
    return LP_OK;
}

void lp_tracks_fini(LpTracks *tracks) {
    lp_free(tracks->marks);
    *tracks = (LpTracks){0};
}

double lp_tracks_at(const LpBranchesState *state, const LpTwig *twig, double now) {
    double at = state->marked ? state->at : now;
    return fmin(fmax(at, 0.0), twig->info.tip_time);
}
