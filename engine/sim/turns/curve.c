/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T(D) as straight pieces. The curve is convex, so it lies above the line through each of its
 * points with that point's slope; two such lines meet at a corner, or below one still to be found.
 */
#include "base/num.h"
#include "sim/turns/plan_impl.h"

struct LpTurnCurve {
    LpTurnPlan *plan;
    LpTurnOrders orders;
    LpTurnPiece *piece; /* found, ascending */
    uint32_t pieces;
    size_t piece_cap;
    LpTurnPiece *right; /* points to the right whose lines are known, descending */
    uint32_t points;
    size_t right_cap;
};

static LpTurnPiece point_at(LpTurnCurve *c, double delay) {
    LpTurnResult result = lp_turn_run(c->plan, c->orders, delay);
    return (LpTurnPiece){.delay = delay, .time = result.time, .slope = result.exposed};
}

static LpErr add(LpTurnPiece **list, uint32_t *count, size_t *cap, LpTurnPiece item) {
    void *items = *list;
    LP_TRY(lp_grow(&items, cap, (size_t)*count + 1, sizeof item));
    *list = items;
    (*list)[(*count)++] = item;
    return LP_OK;
}

static double height(const LpTurnPiece *line, double delay) {
    return line->time + line->slope * (delay - line->delay);
}

/* Where the line of a steeper point further right meets this one, within both delays. */
static double crossing(const LpTurnPiece *left, const LpTurnPiece *right) {
    double rise = height(left, right->delay) - right->time;
    double back = -rise / ((double)right->slope - left->slope);
    double delay = right->delay - back, whole = lp_num_round(delay, 12);
    if (lp_turn_tied(delay, whole)) /* whole picoseconds, but for rounding */
        delay = whole;
    return delay < left->delay ? left->delay : delay > right->delay ? right->delay : delay;
}

/* One look between the last piece and the nearest known point right of it. */
static LpErr look(LpTurnCurve *c) {
    LpTurnPiece left = c->piece[c->pieces - 1], right = c->right[c->points - 1];
    if (right.slope <= left.slope) {
        c->points--;
        return LP_OK;
    }
    LpTurnPiece middle = point_at(c, crossing(&left, &right));
    bool corner = middle.time <= height(&left, middle.delay) * (1 + 10 * LP_TURN_TIE);
    if (!corner && middle.slope > left.slope && middle.slope < right.slope)
        return add(&c->right, &c->points, &c->right_cap, middle);
    middle.slope = right.slope;
    c->points--;
    return add(&c->piece, &c->pieces, &c->piece_cap, middle);
}

static LpErr fail(LpDiag *diag) {
    return lp_fail_memory(diag, "the curve of a step's time");
}

LpErr lp_turn_curve_new(LpTurnPlan *plan, LpTurnOrders orders, double most, LpTurnCurve **out,
                        LpDiag *diag) {
    LpTurnCurve *c = lp_alloc(1, sizeof *c);
    if (c == NULL)
        return fail(diag);
    *c = (LpTurnCurve){.plan = plan, .orders = orders};
    LpErr err = add(&c->piece, &c->pieces, &c->piece_cap, point_at(c, 0));
    if (err == LP_OK)
        err = add(&c->right, &c->points, &c->right_cap, point_at(c, most));
    if (err != LP_OK) {
        lp_turn_curve_free(c);
        return fail(diag);
    }
    *out = c;
    return LP_OK;
}

void lp_turn_curve_free(LpTurnCurve *c) {
    if (c == NULL)
        return;
    lp_free(c->piece);
    lp_free(c->right);
    lp_free(c);
}

LpErr lp_turn_curve_work(LpTurnCurve *c, bool *done, LpDiag *diag) {
    if (c->points > 0 && look(c) != LP_OK)
        return fail(diag);
    *done = c->points == 0;
    return LP_OK;
}

const LpTurnPiece *lp_turn_curve_pieces(const LpTurnCurve *c, uint32_t *count) {
    *count = c->pieces;
    return c->piece;
}

const LpTurnPiece *lp_turn_curve_points(const LpTurnCurve *c, uint32_t *count) {
    *count = c->points;
    return c->right;
}

LpErr lp_turn_curve(LpTurnPlan *plan, LpTurnOrders orders, double most, LpTurnPiece **out,
                    uint32_t *count, LpDiag *diag) {
    LpTurnCurve *c;
    bool done = false;
    LP_TRY(lp_turn_curve_new(plan, orders, most, &c, diag));
    LpErr err = LP_OK;
    while (err == LP_OK && !done)
        err = lp_turn_curve_work(c, &done, diag);
    if (err == LP_OK) {
        *out = c->piece;
        *count = c->pieces;
        c->piece = NULL;
    }
    lp_turn_curve_free(c);
    return err;
}

double lp_turn_curve_at(const LpTurnPiece *piece, uint32_t count, double delay) {
    uint32_t i = 0;
    while (i + 1 < count && piece[i + 1].delay <= delay)
        i++;
    return height(&piece[i], delay);
}
