/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happened when on each branch, for the view of the time line. */
#ifndef LP_UI_VIEWS_BRANCHES_TRACKS_H
#define LP_UI_VIEWS_BRANCHES_TRACKS_H

#include "moment/parts/marks.h"
#include "moment/parts/time.h"

/* The screen's own state of the view. */
typedef struct LpBranchesState {
    int row;     /* marked row of the tree, -1: the current branch's */
    bool marked; /* the cursor stands at `at`, else at the present time */
    double at;   /* s */
} LpBranchesState;

/* Zero-initialise. */
typedef struct LpTracks {
    double end;     /* s, where the longest branch ends: the right end of all tracks; > 0 */
    LpMarks *marks; /* per row of the tree, with a scale >= end */
    size_t cap;
    uint32_t count;
} LpTracks;

/* Reads the events that are new, of all branches in the tree. Errors: LP_ENOMEM. O(branches + new
 * events; all events where the scale changes). */
LpErr lp_tracks_update(LpTracks *tracks, const LpTimeModel *time, const LpSession *session,
                       LpDiag *diag) LP_MUST_USE;
void lp_tracks_fini(LpTracks *tracks);

/* The time under the cursor: of the marked branch at most its tip. */
double lp_tracks_at(const LpBranchesState *state, const LpTwig *twig, double now);

#endif
