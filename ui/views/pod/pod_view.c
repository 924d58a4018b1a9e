/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a pod as a whole: four looks, and what keys do in each. */
#include <math.h>

#include "views/pod/pod_view.h"
#include "views/pod/pod_view_impl.h"
#include "widgets/widgets_list.h"

enum { AT_ONCE = 4 /* points of the curves for each frame */ };

static void draw(const LpModel *model, const LpArea *area) {
    static void (*const looks[LP_POD_LOOKS])(const LpModel *, const LpArea *) = {
        [LP_POD_TORUS] = lp_view_torus,
        [LP_POD_PAIRS] = lp_view_pairs,
        [LP_POD_SHAPES] = lp_view_shapes,
        [LP_POD_SUPPLY] = lp_view_supply,
    };
    if (lp_pod_is(model)) {
        looks[lp_pod_state(model)->look](model, area);
        return;
    }
    LpArea box = lp_area_heading(area, "POD");
    lp_area_fit(&box, 1, 0, box.rect.w - 2, LP_ROLE_MUTED,
                "this network has no cubes: try lightpath pod-64");
}

/* ---- keys ---- */

static uint32_t around(uint32_t at, int by, uint32_t count) {
    int64_t to = ((int64_t)at + by) % (int64_t)count;
    return (uint32_t)(to < 0 ? to + count : to);
}

static void move(LpHost *host, int lines) {
    LpPodState *state = lp_pod_state(host->model);
    int by = lines < 0 ? -1 : 1;
    if (!lp_pod_is(host->model))
        return;
    uint32_t face = lp_pod_of(host->model)->cube * lp_pod_of(host->model)->cube;
    if (state->look == LP_POD_TORUS) {
        state->job = lp_pod_next_job(host->model, by);
        state->layer = 0;
    } else if (state->look == LP_POD_PAIRS) {
        state->at = around(state->at, by * (int)face, 3 * face);
    } else if (state->look == LP_POD_SHAPES) {
        state->row = lp_list_moved(state->row, lines, (int)lp_pod_facts(host->model)->shapes);
    } else {
        state->part = around(state->part, by, LP_POD_PARTS);
    }
}

static void along(LpHost *host, int columns) {
    LpPodState *state = lp_pod_state(host->model);
    const LpPodSlice *shown = &lp_pod_facts(host->model)->shown;
    int by = columns < 0 ? -1 : 1;
    if (!lp_pod_is(host->model))
        return;
    uint32_t face = lp_pod_of(host->model)->cube * lp_pod_of(host->model)->cube;
    if (state->look == LP_POD_TORUS && shown->slice != NULL) {
        state->layer = around(state->layer, by, shown->slice->extent[0]);
    } else if (state->look == LP_POD_PAIRS) {
        state->at = state->at / face * face + around(state->at % face, by, face);
    } else if (state->look == LP_POD_SUPPLY) {
        double step = 1.0 / (LP_POD_POINTS - 1);
        state->cursor = fmin(fmax((state->chosen ? state->cursor : 0) + by * step, 0), 1);
        state->chosen = true;
    }
}

static void variant(LpHost *host) {
    LpPodState *state = lp_pod_state(host->model);
    state->look = (LpPodLook)((state->look + 1) % LP_POD_LOOKS);
}

static void zoom(LpHost *host, bool in) {
    lp_pod_state(host->model)->by_cubes = !in;
}

static void open(LpHost *host, uint32_t job) {
    LpPodState *state = lp_pod_state(host->model);
    state->job = job == LP_NO_INDEX ? 0 : job + 1;
    state->look = LP_POD_TORUS;
    state->layer = 0;
}

static uint32_t marked_job(const LpModel *model) {
    const LpPodFacts *f = lp_pod_facts(model);
    return lp_pod_state(model)->look == LP_POD_TORUS && f->shown.slice != NULL ? f->shown.job
                                                                               : LP_NO_INDEX;
}

static void clean(LpHost *host) {
    *lp_pod_state(host->model) = (LpPodState){0};
}

/* ---- the curves come point by point ---- */

static int64_t deadline(const LpHost *host, bool shown) {
    const LpPodFacts *f = lp_pod_facts(host->model);
    bool works = shown && lp_pod_is(host->model) && f->supply_in == host->model->context &&
                 lp_pod_state(host->model)->look == LP_POD_SUPPLY && f->supplied < LP_POD_POINTS;
    return works ? 0 : -1;
}

static void tick(LpHost *host, bool shown, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    if (deadline(host, shown) < 0)
        return;
    (void)host->app->check(host, lp_pod_supply(host->model, AT_ONCE, &diag), &diag);
    host->app->redraw(host);
}

static const LpViewKey keys[] = {
    {"v", "a slice as a torus, the pairs of a switch, other shapes of the job, what can be rented"},
    {"Up Down", "the next slice; the next dimension; a shape; slices of another size"},
    {"Left Right", "layers of the slice; the next switch of the dimension; along the curve"},
    {"z Z", "accelerators as cells, cubes as cells"},
    {NULL, NULL},
};

const LpView lp_pod_view = {
    .state = sizeof(LpPodState),
    .facts = sizeof(LpPodFacts),
    .drop = lp_pod_drop,
    .update = lp_pod_update,
    .draw = draw,
    .keys = keys,
    .move = move,
    .along = along,
    .zoom = zoom,
    .variant = variant,
    .open = open,
    .job = marked_job,
    .clean = clean,
    .deadline = deadline,
    .tick = tick,
    .table = &lp_pod_shape_table,
};
