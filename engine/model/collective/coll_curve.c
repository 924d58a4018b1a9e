/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least time by delay, exactly. Between two gaps of the steps a choice takes a time that grows
 * by the delay once for each exposed turn, so the least time is the lower edge of straight lines:
 * a corner is found where the line on its left meets a line on its right that nothing lies below.
 */
#include <math.h>
#include <string.h>

#include "model/collective/coll_plan_impl.h"

/* All that is known of a choice: time + slope x delay. */
typedef struct Line {
    double time;
    uint32_t slope;
} Line;

typedef struct Curve {
    const LpCollPlan *plan;
    LpCollOrders orders;
    double from, to; /* the stretch between two gaps that is looked at; `to` may be INFINITY */
    char *letters;   /* room for a choice */
    Line *right;     /* lines known right of what is found */
    size_t rights, right_room;
    LpCollPiece *piece; /* found so far */
    size_t room;
    uint32_t pieces;
    LpDiag *diag;
} Curve;

static double height(Line line, double delay) {
    return line.time + line.slope * delay;
}

/* The line of the best choice at a delay of the stretch; `flat`: of the one that grows least. */
static Line best_line(const Curve *c, double delay, bool flat) {
    const LpCollPlan *plan = c->plan;
    bool ahead = c->orders == LP_COLL_PROVISIONED;
    for (uint32_t j = 0; j < plan->steps; j++) {
        double gap = ahead ? plan->gap[j] : 0;
        plan->exposed[j] = gap <= c->from;
        plan->extra[j] = plan->exposed[j] && delay > gap ? delay - gap : 0;
    }
    Line line = {.slope = lp_coll_solve(plan, flat).exposed};
    line.time = lp_coll_trace(plan, flat, c->letters, NULL);
    for (uint32_t j = 0; ahead && j < plan->steps; j++)
        line.time -= c->letters[j] != 's' && plan->exposed[j] ? plan->gap[j] : 0;
    return line;
}

static LpErr add_piece(Curve *c, double delay, Line line) {
    if (c->pieces == UINT32_MAX ||
        lp_grow((void **)&c->piece, &c->room, (size_t)c->pieces + 1, sizeof *c->piece) != LP_OK)
        return lp_fail_memory(c->diag, "the corners of a curve");
    c->piece[c->pieces++] =
        (LpCollPiece){.delay = delay, .time = height(line, delay), .slope = line.slope};
    return LP_OK;
}

static LpErr push(Curve *c, Line line) {
    if (lp_grow((void **)&c->right, &c->right_room, c->rights + 1, sizeof *c->right) != LP_OK)
        return lp_fail_memory(c->diag, "the corners of a curve");
    c->right[c->rights++] = line;
    return LP_OK;
}

/* Goes to the next corner right of `at`, if there is one; *found says so. Lines of which each is
 * best somewhere wait on the right, the nearest last: one that lies below where two meet comes
 * between them. */
static LpErr next_corner(Curve *c, double *at, Line *line, bool *found) {
    *found = false;
    while (c->rights > 0 && !*found) {
        Line right = c->right[c->rights - 1];
        double meet = *at;
        if (right.slope < line->slope)
            meet = (right.time - line->time) / (line->slope - right.slope);
        meet = meet > *at ? meet : *at;
        if (right.slope >= line->slope || meet >= c->to * (1 - LP_COLL_TIE)) {
            c->rights--;
            continue;
        }
        Line below = best_line(c, meet, false);
        bool lower = height(below, meet) < height(right, meet) * (1 - LP_COLL_TIE);
        if (lower && below.slope > right.slope && below.slope < line->slope) {
            LP_TRY(push(c, below));
            continue;
        }
        *line = lower || below.slope < right.slope ? below : right;
        *at = meet;
        *found = true;
    }
    return LP_OK;
}

static LpErr add_stretch(Curve *c) {
    double at = c->from;
    bool endless = !(c->to < (double)INFINITY), found = true;
    Line line = best_line(c, at, false);
    c->rights = 0;
    LP_TRY(push(c, best_line(c, endless ? at : c->to, endless)));
    while (found) {
        LP_TRY(add_piece(c, at, line));
        LP_TRY(next_corner(c, &at, &line, &found));
    }
    return LP_OK;
}

/* Corners nearer to each other than rounding are one, and equal slopes are none. */
static void merge_pieces(Curve *c) {
    double scale = c->piece[0].time > LP_COLL_TIE ? c->piece[0].time : LP_COLL_TIE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->pieces; i++) {
        LpCollPiece piece = c->piece[i];
        if (kept > 0 && piece.delay - c->piece[kept - 1].delay <= LP_COLL_TIE * scale)
            c->piece[kept - 1].slope = piece.slope;
        else
            c->piece[kept++] = piece;
    }
    c->pieces = kept;
    kept = 0;
    for (uint32_t i = 0; i < c->pieces; i++)
        if (kept == 0 || c->piece[kept - 1].slope != c->piece[i].slope)
            c->piece[kept++] = c->piece[i];
    c->pieces = kept;
}

/* The least gap above a delay; INFINITY: none, and without orders ahead. */
static double next_gap(const Curve *c, double above) {
    double next = (double)INFINITY;
    for (uint32_t j = 0; c->orders == LP_COLL_PROVISIONED && j < c->plan->steps; j++)
        if (c->plan->gap[j] > above && c->plan->gap[j] < next)
            next = c->plan->gap[j];
    return next;
}

LpErr lp_coll_curve(const LpCollPlan *plan, LpCollOrders orders, LpCollPiece **out, uint32_t *count,
                    LpDiag *diag) {
    Curve c = {.plan = plan, .orders = orders, .diag = diag};
    c.letters = lp_alloc((size_t)plan->steps + 1, 1);
    LpErr err = c.letters != NULL ? LP_OK : lp_fail_memory(diag, "a choice of turns");
    for (c.from = 0; err == LP_OK && c.from < (double)INFINITY; c.from = c.to) {
        c.to = next_gap(&c, c.from);
        err = add_stretch(&c);
    }
    lp_free(c.letters);
    lp_free(c.right);
    if (err != LP_OK) {
        lp_free(c.piece);
        return err;
    }
    merge_pieces(&c);
    *out = c.piece;
    *count = c.pieces;
    return LP_OK;
}

double lp_coll_curve_at(const LpCollPiece *piece, uint32_t count, double delay) {
    uint32_t i = count - 1;
    while (i > 0 && piece[i].delay > delay)
        i--;
    return piece[i].time + piece[i].slope * (delay - piece[i].delay);
}

double lp_coll_curve_below(const LpCollPiece *piece, uint32_t count, double time) {
    if (piece[0].time >= time * (1 - LP_COLL_TIE))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        double end = i + 1 < count ? piece[i + 1].time : (double)INFINITY;
        if (piece[i].slope > 0 && end >= time)
            return piece[i].delay + (time - piece[i].time) / piece[i].slope;
    }
    return (double)INFINITY;
}
