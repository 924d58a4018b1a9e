/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a pod. */
#ifndef LP_UI_VIEWS_POD_IMPL_H
#define LP_UI_VIEWS_POD_IMPL_H

#include "model/pod/capacity.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "session/pod/shapes.h"
#include "sim/facts/slices.h"
#include "widgets/widgets_keys.h"

typedef enum LpPodLook {
    LP_POD_TORUS,
    LP_POD_PAIRS,
    LP_POD_SHAPES,
    LP_POD_SUPPLY,
    LP_POD_LOOKS
} LpPodLook;

enum { LP_POD_POINTS = 97, LP_POD_PARTS = 4 /* shares of the pod's cubes, in fourths */ };

typedef struct LpPodState {
    LpPodLook look;
    uint32_t job;   /* 1 + the job whose slice is shown, 0: the first that has one */
    uint32_t at;    /* the switch */
    int row;        /* of the shapes */
    uint32_t part;  /* of the pod: the slices that the curve is about */
    double cursor;  /* of the curve, 0..1; < 0: at its end */
    bool chosen;    /* the cursor was moved */
    bool by_cubes;  /* cells are cubes although accelerators have room */
    uint32_t layer; /* the first one that is shown */
} LpPodState;

/* What links of one slice carry under all-to-all traffic. */
typedef struct LpPodSlice {
    const LpSlice *slice; /* `lies`; NULL: none */
    LpSlice lies;         /* that of the scenario, with rings as they are where it lies */
    uint32_t job;         /* LP_NO_INDEX: nobody's */
    uint32_t *cubes;      /* cube of each ordinal; NULL: it lies nowhere yet, or is a part */
    uint32_t home;        /* cube of a part */
    double *load;         /* of its links, numbered as LpPodNet; NULL: not worked out */
    LpSlicePrediction is; /* known with the loads */
    LpSlice of;           /* the slice that loads are of */
    const LpContext *in;  /* context of `of`, NULL: not worked out */
} LpPodSlice;

typedef struct LpPodFacts {
    LpPodSlice shown;
    LpPodShape *shape; /* of the job that is decided */
    uint32_t shapes;
    uint32_t shapes_job; /* LP_NO_INDEX: none */
    LpMoment shapes_at;
    bool shapes_known;
    LpSliceSummary run; /* of the run so far */
    LpMoment run_at;
    bool run_known;
    const LpContext *supply_in; /* whose pod the curves are of */
    LpPodCapacity switched[LP_POD_PARTS][LP_POD_POINTS], fixed[LP_POD_PARTS][LP_POD_POINTS];
    uint32_t supplied; /* points that are worked out */
} LpPodFacts;

static inline LpPodState *lp_pod_state(const LpModel *model) {
    return model->state[LP_PANE_POD];
}

static inline LpPodFacts *lp_pod_facts(const LpModel *model) {
    return model->facts[LP_PANE_POD];
}

const LpPod *lp_pod_of(const LpModel *model);

/* Is the fabric a pod? Nothing else has slices. */
static inline bool lp_pod_is(const LpModel *model) {
    return model->board.joins == LP_BOARD_SLICES;
}

/* ---- what is worked out (facts.c) ---- */

LpErr lp_pod_update(LpModel *model, LpSession *session, LpDiag *diag);
void lp_pod_drop(void *facts);
/* The next (by > 0) or the previous job with a slice among those that run, as 1 + its number. */
uint32_t lp_pod_next_job(const LpModel *model, int by);
/* The slice of a job of the scenario; NULL: none. */
const LpSlice *lp_pod_slice_of(const LpModel *model, const LpJob *job);
/* Works out at most `points` more points of the curves. Errors: LP_ENOMEM. */
LpErr lp_pod_supply(const LpModel *model, uint32_t points, LpDiag *diag);
/* Share of the time that a host works, at a point of the curves; a host is down for the share x. */
double lp_pod_down(double share);
/* Cubes of a slice of part + 1 fourths of the pod, at least 1; `part` from 0. */
uint32_t lp_pod_part(const LpModel *model, uint32_t part);

/* ---- drawing ---- */

void lp_view_torus(const LpModel *model, const LpArea *area);
void lp_view_pairs(const LpModel *model, const LpArea *area);
void lp_view_shapes(const LpModel *model, const LpArea *area);
void lp_view_supply(const LpModel *model, const LpArea *area);
extern const LpTable lp_pod_shape_table;

#endif
