/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view that compares two branches as a whole. */
#include "views/compare/compare.h"
#include "views/compare/impl.h"

static void next_variant(LpHost *host) {
    LpCompareState *state = lp_compare_state(host->model);
    state->variant = (state->variant + 1) % LP_COMPARE_VARIANTS;
    host->ui->scroll = 0;
}

static void clean(LpHost *host) {
    lp_compare_state(host->model)->variant = 0;
}

static int last(const LpModel *model) {
    int jobs = lp_view_compare_jobs(model);
    return jobs > 1 ? jobs - 1 : 0;
}

static const LpViewKey keys[] = {
    {"d", "to the next decision that the two take otherwise"},
    {"v", "jobs that differ, or one of the curves"},
    {"Up Down", "scroll the jobs"},
    {NULL, NULL},
};

const LpView lp_compare_view = {
    .state = sizeof(LpCompareState),
    .draw = lp_view_compare,
    .variant = next_variant,
    .clean = clean,
    .last = last,
    .keys = keys,
};
