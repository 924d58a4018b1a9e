/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives in steps as JSON and as tables for people. */
#include "ask/collective/collective_kinds.h"
#include "ask/collective/steps_words.h"

typedef struct Steps {
    LpCollSpec spec;
} Steps;

static LpErr make(const LpCollAsk *ask, void **out, LpDiag *diag) {
    LpCollSpec spec;
    LP_TRY(lp_coll_steps_read(ask->words, &spec, diag));
    Steps *steps = lp_alloc(1, sizeof *steps);
    if (steps == NULL)
        return lp_fail_memory(diag, "a collective");
    steps->spec = spec;
    *out = steps;
    return LP_OK;
}

static void put_json(const void *it, LP_UNUSED bool each, LpJsonOut *out) {
    const Steps *steps = it;
    lp_json_open(out, "beside", '{');
    lp_json_put_number(out, "bound", lp_coll_bound(&steps->spec));
    lp_json_close(out, '}');
}

static void add_text(const void *it, LP_UNUSED bool each, LP_UNUSED bool ascii, LpBuf *out) {
    const Steps *steps = it;
    char time[LP_NUM_TEXT];
    lp_quantity_print(lp_coll_bound(&steps->spec), LP_DIM_TIME, time, sizeof time);
    lp_buf_addf(out, "no circuits do better than %s\n", time);
}

const LpCollKind lp_coll_steps = {
    .make = make, .free = lp_free, .json = put_json, .text = add_text};
