/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One half of the ports turns while the other sends. Steps go on the base with all ports up to some
 * step; from there on each goes on one half or on both. What can come of it is kept as points of
 * time of which none is worse than another one in everything. */
#include <math.h>
#include <stdlib.h>

#include "model/collective/coll_plan_impl.h"

enum { POINTS_MAX = 200000 };

/* Where a choice stands after a step. */
typedef struct Point {
    double end;      /* of the last transfer */
    double free[2];  /* when each half was last over */
    uint32_t lit[2]; /* what it carries; LP_NO_INDEX: nothing that a later step wants */
} Point;

typedef struct Halves {
    const LpCollPlan *plan;
    double delay;
    const uint32_t *last; /* of each network the last step whose own it is */
    double *floor;        /* steps + 1: from a step on, both halves lit for each */
    double least;         /* known so far */
    Point *point, *next;
    size_t point_room, next_room;
    uint32_t points, nexts;
    LpDiag *diag;
} Halves;

static LpErr add_next(Halves *h, Point point, uint32_t step) {
    if (point.end + h->floor[step + 1] > h->least * (1 + LP_COLL_TIE))
        return LP_OK;
    double gap = step + 1 < h->plan->steps ? h->plan->gap[step + 1] : 0;
    for (int i = 0; i < 2; i++) {
        double soon = point.end + gap - h->delay; /* earlier than this is of no use */
        point.free[i] = point.free[i] > soon ? point.free[i] : soon;
        if (point.lit[i] != LP_NO_INDEX && h->last[point.lit[i]] <= step)
            point.lit[i] = LP_NO_INDEX;
    }
    bool turned =
        point.lit[0] != point.lit[1] ? point.lit[0] > point.lit[1] : point.free[0] > point.free[1];
    if (turned) /* the halves are alike */
        point = (Point){.end = point.end,
                        .free = {point.free[1], point.free[0]},
                        .lit = {point.lit[1], point.lit[0]}};
    if (h->nexts == POINTS_MAX)
        return lp_fail(h->diag, LP_ELIMIT, "more than %d ways to turn one half of the ports",
                       (int)POINTS_MAX);
    if (lp_grow((void **)&h->next, &h->next_room, (size_t)h->nexts + 1, sizeof *h->next) != LP_OK)
        return lp_fail_memory(h->diag, "halves of ports");
    h->next[h->nexts++] = point;
    return LP_OK;
}

/* How long a step takes on one half. */
static double alone_time(const LpCollPlan *plan, uint32_t step) {
    const LpCollClass *class = &plan->class[plan->step[step]];
    return class->sent * class->parts / (plan->spec.ports / 2.0 * plan->spec.rate);
}

/* A step from a point on, with the halves whose bits are set. */
static LpErr go_on(Halves *h, const Point *from, uint32_t step, unsigned halves) {
    const LpCollPlan *plan = h->plan;
    const LpCollClass *class = &plan->class[plan->step[step]];
    double alone = alone_time(plan, step);
    double begin = from->end + plan->gap[step], at[2], lit[2];
    for (unsigned i = 0; i < 2; i++) {
        bool used = halves >> i & 1;
        lit[i] = from->lit[i] == class->own ? from->free[i] : from->free[i] + h->delay;
        at[i] = lit[i] > begin ? lit[i] : begin;
        at[i] = used ? at[i] : (double)INFINITY;
    }
    double early = at[0] < at[1] ? at[0] : at[1], late = at[0] < at[1] ? at[1] : at[0];
    double end = early + alone > late ? (early + late + alone) / 2 : early + alone;
    Point to = *from;
    to.end = end + plan->spec.hop;
    for (unsigned i = 0; i < 2; i++)
        if (halves >> i & 1) {
            to.free[i] = at[i] < end ? to.end : lit[i];
            to.lit[i] = class->own;
        }
    return add_next(h, to, step);
}

/* Networks first, then times. */
static int compare(const void *left, const void *right) {
    const Point *a = left, *b = right;
    const double time[][2] = {{a->end, b->end}, {a->free[0], b->free[0]}, {a->free[1], b->free[1]}};
    for (int i = 0; i < 2; i++)
        if (a->lit[i] != b->lit[i])
            return a->lit[i] < b->lit[i] ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (time[i][0] < time[i][1] || time[i][0] > time[i][1])
            return time[i][0] < time[i][1] ? -1 : 1;
    return 0;
}

static bool beats(const Point *a, const Point *b) {
    return a->lit[0] == b->lit[0] && a->lit[1] == b->lit[1] && a->end <= b->end &&
           a->free[0] <= b->free[0] && a->free[1] <= b->free[1];
}

/* The next points become the points, without those that another one beats. */
static void keep_best(Halves *h) {
    Point *swap = h->point;
    size_t room = h->point_room;
    uint32_t kept = 0;
    if (h->nexts > 1)
        qsort(h->next, h->nexts, sizeof *h->next, compare);
    for (uint32_t i = 0; i < h->nexts; i++) {
        bool beaten = false;
        for (uint32_t j = kept; !beaten && j-- > 0 && h->next[j].lit[0] == h->next[i].lit[0];)
            beaten = beats(&h->next[j], &h->next[i]);
        if (!beaten)
            h->next[kept++] = h->next[i];
    }
    h->point = h->next;
    h->point_room = h->next_room;
    h->points = kept;
    h->next = swap;
    h->next_room = room;
    h->nexts = 0;
}

static LpErr run(Halves *h) {
    const LpCollPlan *plan = h->plan;
    double stay = 0; /* end of the step before this one, all on the base */
    uint32_t base = plan->base;
    for (uint32_t j = 0; j < plan->steps; j++) {
        bool begins = stay < (double)INFINITY && (base != LP_NO_INDEX || j == 0);
        uint32_t lit = base != LP_NO_INDEX && h->last[base] >= j ? base : LP_NO_INDEX;
        Point start = {.end = stay, .free = {stay, stay}, .lit = {lit, lit}};
        for (uint32_t i = 0; i < h->points + begins; i++) {
            const Point *from = i < h->points ? &h->point[i] : &start;
            bool alike = from->lit[0] == from->lit[1] && !(from->free[0] < from->free[1]);
            LP_TRY(go_on(h, from, j, 3));
            LP_TRY(go_on(h, from, j, 1));
            if (!alike)
                LP_TRY(go_on(h, from, j, 2));
        }
        keep_best(h);
        stay += base != LP_NO_INDEX ? plan->gap[j] + lp_coll_cost(plan, j, base)->time
                                    : (double)INFINITY;
    }
    h->least = stay + plan->last < h->least ? stay + plan->last : h->least;
    for (uint32_t i = 0; i < h->points; i++)
        if (h->point[i].end + plan->last < h->least)
            h->least = h->point[i].end + plan->last;
    return LP_OK;
}

/* Can every step go on one half of the ports? */
static bool has_halves(const LpCollPlan *plan) {
    uint32_t ports = plan->spec.ports;
    for (uint32_t j = 0; j < plan->steps; j++)
        if (lp_coll_own(plan, j) == LP_NO_INDEX ||
            ports / 2 % plan->class[plan->step[j]].parts != 0)
            return false;
    return ports % 2 == 0;
}

LpErr lp_coll_overlap(const LpCollPlan *plan, double delay, double *out, LpDiag *diag) {
    Halves h = {.plan = plan, .delay = delay, .diag = diag};
    if (!has_halves(plan)) {
        *out = (double)NAN;
        return LP_OK;
    }
    uint32_t *last = lp_alloc(plan->nets, sizeof *last);
    h.floor = lp_alloc((size_t)plan->steps + 1, sizeof *h.floor);
    LpErr err = LP_OK;
    if (last == NULL || h.floor == NULL) {
        err = lp_fail_memory(diag, "halves of ports");
    } else {
        for (uint32_t j = 0; j < plan->steps; j++)
            last[lp_coll_own(plan, j)] = j;
        h.last = last;
        h.floor[plan->steps] = plan->last;
        for (uint32_t j = plan->steps; j-- > 0;)
            h.floor[j] = h.floor[j + 1] + plan->gap[j] + alone_time(plan, j) / 2 + plan->spec.hop;
        h.least = lp_coll_best(plan, LP_COLL_PROVISIONED, delay, NULL, NULL).time;
        err = run(&h);
    }
    lp_free(h.point);
    lp_free(h.next);
    lp_free(h.floor);
    lp_free(last);
    if (err == LP_OK)
        *out = h.least;
    return err;
}
