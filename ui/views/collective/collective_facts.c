/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a collective on circuits at a delay, and other ways to do the same. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/collective/collective_view_impl.h"

double lp_collective_delay(int stop) {
    double delay = 1e-9;
    for (int decade = 0; decade < stop / 10; decade++)
        delay *= 10;
    return delay * pow(10, stop % 10 / 10.0);
}

static void forget(LpCollectiveFacts *f) {
    for (uint32_t i = 0; i < f->rivals; i++)
        lp_coll_plan_free(f->rival[i].plan);
    lp_coll_plan_free(f->plan);
    lp_free(f->piece);
    lp_free(f->choice);
    lp_free(f->lit);
    *f = (LpCollectiveFacts){0};
}

void lp_collective_facts_fini(LpCollectiveFacts *facts) {
    forget(facts);
}

/* ---- other ways ---- */

static LpErr add_rival(LpCollectiveFacts *f, const LpCollSpec *spec, LpDiag *diag) {
    LpDiag ignored;
    if (f->rivals == LP_COLLECTIVE_RIVALS || spec->algorithm == LP_COLL_RING ||
        lp_coll_check(spec, &ignored) != LP_OK)
        return LP_OK;
    LpCollectiveRival *rival = &f->rival[f->rivals];
    const char *order = lp_coll_order_words()[spec->order];
    snprintf(rival->name, sizeof rival->name, "%s", lp_coll_algorithm_words()[spec->algorithm]);
    size_t len = strlen(rival->name);
    if (spec->fan > 1)
        snprintf(rival->name + len, sizeof rival->name - len, ", %u at a time",
                 (unsigned)spec->fan);
    else if (spec->order != LP_COLL_NEAR)
        snprintf(rival->name + len, sizeof rival->name - len, ", %s", order);
    LP_TRY(lp_coll_plan_make(spec, &rival->plan, diag));
    f->rivals++;
    return LP_OK;
}

/* All algorithms for the same op, in all orders; rotations also two at a time. The ring algorithm
 * stands beside them on a ring. */
static LpErr add_rivals(LpCollectiveFacts *f, const LpCollSpec *asked, LpDiag *diag) {
    for (int algorithm = 0; algorithm < LP_COLL_ALGORITHMS; algorithm++)
        for (int order = 0; order < LP_COLL_ORDERS; order++)
            for (uint32_t fan = 1; fan <= 2; fan++) {
                LpCollSpec spec = *asked;
                spec.algorithm = (LpCollAlgorithm)algorithm;
                spec.order = (LpCollOrder)order;
                spec.fan = fan;
                if (algorithm != (int)asked->algorithm || order != (int)asked->order ||
                    fan != asked->fan)
                    LP_TRY(add_rival(f, &spec, diag));
            }
    return LP_OK;
}

/* ---- at a delay ---- */

static LpErr look(LpCollectiveFacts *f, const LpCollectiveState *state, LpDiag *diag) {
    f->delay = lp_collective_delay(state->stop);
    f->stay = lp_coll_stay(f->plan);
    f->every_turn = lp_coll_every_turn(f->plan, state->orders, f->delay);
    f->best = lp_coll_best(f->plan, state->orders, f->delay, f->choice, f->lit);
    for (uint32_t i = 0; i < f->rivals; i++)
        f->rival[i].time = lp_coll_best(f->rival[i].plan, state->orders, f->delay, NULL, NULL).time;
    return lp_coll_overlap(f->plan, f->delay, &f->overlap, diag);
}

static LpErr make(LpCollectiveFacts *f, const LpCollectiveState *state, LpDiag *diag) {
    LP_TRY(lp_coll_plan_make(&state->spec, &f->plan, diag));
    uint32_t steps = lp_coll_steps_count(f->plan);
    f->choice = lp_alloc((size_t)steps + 1, sizeof *f->choice);
    f->lit = lp_alloc(steps, sizeof *f->lit);
    if (f->choice == NULL || f->lit == NULL)
        return lp_fail_memory(diag, "a choice of turns");
    LP_TRY(lp_coll_curve(f->plan, state->orders, &f->piece, &f->pieces, diag));
    LP_TRY(lp_coll_beside(&state->spec, &f->ring, &f->direct, diag));
    f->bound = lp_coll_bound(&state->spec);
    LP_TRY(add_rivals(f, &state->spec, diag));
    return look(f, state, diag);
}

LpErr lp_collective_update(LpCollectiveFacts *facts, const LpCollectiveState *state, LpDiag *diag) {
    if (!state->opened || facts->turn == state->turn)
        return LP_OK;
    forget(facts);
    LpErr err = make(facts, state, diag);
    if (err != LP_OK) {
        forget(facts);
        return err;
    }
    facts->turn = state->turn;
    return LP_OK;
}
