/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T(D) of a placed plan, a look at a time. */
#include "ask/inspect/delay.h"

#include <math.h>

#include "sim/parallel/rail_light.h"
#include "sim/store/store.h"

struct LpDelayCurve {
    LpRailLight light;
    double most;
    LpTurnCurve *line[LP_TURN_ORDERS_COUNT];
    bool done[LP_TURN_ORDERS_COUNT];
    uint32_t looks;
    /* The pieces and points as the lines have them, with what is no part of the plan. */
    LpTurnPiece *known[LP_TURN_ORDERS_COUNT];
    size_t cap[LP_TURN_ORDERS_COUNT];
    uint32_t pieces[LP_TURN_ORDERS_COUNT], points[LP_TURN_ORDERS_COUNT];
};

/* The longest forward and backward pass together. */
static double longest_passes(LpRailLight *light) {
    double longest[LP_TURN_OPTIMISER] = {0};
    lp_turn_run(light->plan, LP_TURN_DEMAND, 0);
    for (uint32_t id = 0; id < lp_turn_nodes(light->plan); id++) {
        LpTurnTransfer t = lp_turn_transfer(light->plan, id);
        if (t.kind == LP_TURN_TASK && t.pass < LP_TURN_OPTIMISER)
            longest[t.pass] = fmax(longest[t.pass], t.end - t.start);
    }
    return longest[LP_TURN_FORWARD] + longest[LP_TURN_BACKWARD];
}

/* Copies what a line has by now. */
static LpErr keep(LpDelayCurve *c, int orders, LpDiag *diag) {
    uint32_t pieces, points;
    const LpTurnPiece *piece = lp_turn_curve_pieces(c->line[orders], &pieces);
    const LpTurnPiece *point = lp_turn_curve_points(c->line[orders], &points);
    if (lp_grow((void **)&c->known[orders], &c->cap[orders], (size_t)pieces + points,
                sizeof **c->known) != LP_OK)
        return lp_fail_memory(diag, "the curve of a step's time");
    for (uint32_t i = 0; i < pieces + points; i++) {
        c->known[orders][i] = i < pieces ? piece[i] : point[i - pieces];
        c->known[orders][i].time += c->light.more;
    }
    c->pieces[orders] = pieces;
    c->points[orders] = points;
    return LP_OK;
}

static LpErr begin(LpDelayCurve *c, LpDiag *diag) {
    c->most = fmax(2 * c->light.delay, longest_passes(&c->light));
    for (int i = 0; i < LP_TURN_ORDERS_COUNT; i++) {
        LP_TRY(lp_turn_curve_new(c->light.plan, (LpTurnOrders)i, c->most, &c->line[i], diag));
        LP_TRY(keep(c, i, diag));
    }
    return LP_OK;
}

LpErr lp_delay_curve_new(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpDelayCurve **out, LpDiag *diag) {
    LpDelayCurve *c = lp_alloc(1, sizeof *c);
    if (c == NULL)
        return lp_fail_memory(diag, "the curve of a step's time");
    LpErr err = lp_store_plan_light(context, lp_store_partition(context->store, partition),
                                    lp_store_placement(context->store, placement), LP_RULES_SRPT,
                                    &c->light, diag);
    if (err == LP_OK)
        err = begin(c, diag);
    if (err != LP_OK)
        lp_delay_curve_free(c);
    else
        *out = c;
    return err;
}

void lp_delay_curve_free(LpDelayCurve *c) {
    if (c == NULL)
        return;
    for (int i = 0; i < LP_TURN_ORDERS_COUNT; i++) {
        lp_turn_curve_free(c->line[i]);
        lp_free(c->known[i]);
    }
    lp_light_fini(&c->light);
    lp_free(c);
}

LpErr lp_delay_curve_work(LpDelayCurve *c, bool *done, LpDiag *diag) {
    int orders = (int)(c->looks++ % LP_TURN_ORDERS_COUNT);
    if (c->done[orders])
        orders = !orders;
    if (!c->done[orders]) {
        LP_TRY(lp_turn_curve_work(c->line[orders], &c->done[orders], diag));
        LP_TRY(keep(c, orders, diag));
    }
    *done = c->done[LP_TURN_DEMAND] && c->done[LP_TURN_PROVISIONED];
    return LP_OK;
}

LpDelayLine lp_delay_curve_line(const LpDelayCurve *c, LpTurnOrders orders) {
    return (LpDelayLine){.piece = c->known[orders],
                         .pieces = c->pieces[orders],
                         .point = c->known[orders] + c->pieces[orders],
                         .points = c->points[orders],
                         .done = c->done[orders]};
}

double lp_delay_line_at(const LpDelayLine *line, double delay, uint32_t *slope) {
    *slope = 0;
    if (!line->done && delay > line->piece[line->pieces - 1].delay)
        return (double)NAN;
    for (uint32_t i = 0; i < line->pieces && line->piece[i].delay <= delay; i++)
        *slope = line->piece[i].slope;
    return lp_turn_curve_at(line->piece, line->pieces, delay);
}

double lp_delay_curve_most(const LpDelayCurve *c) {
    return c->most;
}

double lp_delay_curve_now(const LpDelayCurve *c) {
    return c->light.delay;
}

LpTurnOrders lp_delay_curve_orders(const LpDelayCurve *c) {
    return c->light.orders;
}
