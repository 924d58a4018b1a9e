/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view that compares two branches. */
#ifndef LP_UI_VIEWS_COMPARE_IMPL_H
#define LP_UI_VIEWS_COMPARE_IMPL_H

#include "ask/whatif/pair.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"

enum { LP_COMPARE_LISTED = 500 }; /* jobs whose fate differs that are listed, the newest */

typedef struct LpCompareState {
    bool circuits; /* in place of the servers, where there is not room for both */
    int row;       /* marked, from the newest on */
} LpCompareState;

/* Waiting and fairness of one of the two so far, of all that waited or started; NAN: not known. */
typedef struct LpCompareWaits {
    double p95, longest; /* s */
    uint64_t overtakings;
    double slowdown, rho; /* means */
} LpCompareWaits;

/* Zero-initialise. */
typedef struct LpCompareFacts {
    uint32_t job[LP_COMPARE_LISTED]; /* whose fate differs, newest first */
    int jobs;
    bool ended;     /* both runs are known to their end */
    uint64_t of[4]; /* branches and tips that `whole` is of */
    LpPair whole;   /* both runs, here and below: the older branch first */
    uint64_t done[2], arrived[2], blocked[2];
    double mean_jct[2];  /* s, of all that each has done; NAN: none */
    LpStamp waits_of[2]; /* moments that `waits` are of */
    bool waited;         /* somebody has, in one of the two */
    LpCompareWaits waits[2];
} LpCompareFacts;

/* One of the two clusters: 0 is that of the branch that was made first. */
typedef struct LpCompareSide {
    const LpModel *model; /* its picture */
    const char *name;
    char policy[64];
    uint32_t home; /* which policy decides, with its parameters (LpBranchInfo) */
    LpMoment at;
    double mean_jct; /* s, of all that are done; NAN: none */
    double both_jct; /* s, of those that both have done */
    uint32_t only;   /* jobs that only this one turned away */
} LpCompareSide;

typedef struct LpCompareSides {
    LpCompareSide side[2];
    uint64_t both; /* jobs that both have done */
    double sooner; /* how many times sooner 2 ends these; NAN: none */
} LpCompareSides;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpCompareState *lp_compare_state(const LpModel *model) {
    return model->state[LP_PANE_COMPARE];
}

static inline LpCompareFacts *lp_compare_facts(const LpModel *model) {
    return model->facts[LP_PANE_COMPARE];
}

/* Is the present branch the second of the two? */
static inline bool lp_compare_second(const LpModel *model) {
    return model->time.other.at.branch < model->time.moment.branch;
}

/* False where there is nothing to compare with. */
bool lp_compare_sides(const LpModel *model, LpCompareSides *out);
/* Errors: LP_ENOMEM, those of forecasts. */
LpErr lp_compare_update(const LpModel *model, LpDiag *diag) LP_MUST_USE;
/* The marked row of the list, -1: it is empty. */
int lp_compare_marked(const LpModel *model);
/* How much is said of a job: "takes 2 ways"; "takes 2 ways, 2.17 s"; "running, 2 ways, 40 % done".
 */
typedef enum LpFateForm { LP_FATE_BRIEF, LP_FATE_SAID, LP_FATE_WHOLE } LpFateForm;
/* What is or becomes of a job in one of the clusters. */
void lp_compare_fate(const LpCompareSide *side, const LpModel *present, uint32_t job,
                     LpFateForm form, LpBuf *out);

/* The sentence, to the now bar. */
LpErr lp_compare_say(LpModel *model, LpDiag *diag) LP_MUST_USE;
/* SO FAR in numbers. */
void lp_compare_table(const LpModel *model, const LpCompareSides *sides, const LpArea *area);
/* Jobs whose fate differs; the whole run. */
void lp_compare_list(const LpModel *model, const LpCompareSides *sides, const LpArea *area);
void lp_compare_whole(const LpModel *model, const LpArea *area);
void lp_view_compare(const LpModel *model, const LpArea *area);

#endif
