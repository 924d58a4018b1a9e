/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the panel of knobs. */
#ifndef LP_UI_VIEWS_ADJUST_IMPL_H
#define LP_UI_VIEWS_ADJUST_IMPL_H

#include "ask/whatif/turn.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/view.h"

/* One run to its end: as it is, or as it was turned. */
typedef struct LpAdjustRun {
    LpKnobTurn *turn;  /* NULL: not begun, or refused */
    bool done, failed; /* failed: `why` says it */
    char why[LP_DIAG_TEXT];
    int64_t began, took; /* ms */
    LpSummary sum;       /* once it is done */
    double *jct;         /* ascending; of the jobs done so far */
    size_t jct_cap;
    uint32_t jcts;
    uint64_t arrived;
} LpAdjustRun;

typedef struct LpAdjustFacts {
    bool open;        /* there is a list of knobs */
    LpMoment of;      /* moment of the list */
    uint32_t reloads; /* version of the policy that the list is under */
    LpKnobs knobs;
    uint32_t row;              /* marked */
    LpAdjustRun as_is, turned; /* turned: while a knob is turned */
} LpAdjustFacts;

static inline LpAdjustFacts *lp_adjust_facts(const LpModel *model) {
    return model->facts[LP_PANE_ADJUST];
}

void lp_view_adjust(const LpModel *model, const LpArea *area);

#endif
