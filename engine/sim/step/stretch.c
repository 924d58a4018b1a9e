/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step at the pace that others leave it: the same tasks in the same order, with the time that
 * sending takes longer put where nothing but sending goes on. */
#include <stdlib.h>

#include "base/num.h"
#include "sim/step/step_impl.h"

/* A start or an end. */
typedef struct Point {
    double at, to; /* s: alone, and stretched */
    int ops, comm; /* how many begin here, less those that end */
} Point;

typedef struct Stretch {
    const LpStepGraph *graph;
    LpTrace *trace;
    Point *point;
    size_t points;
} Stretch;

static int by_time(const void *a, const void *b) {
    double x = ((const Point *)a)->at, y = ((const Point *)b)->at;
    return (x > y) - (x < y);
}

/* All starts and ends in order, those at one time as one point. */
static void find_points(Stretch *s) {
    const LpStepGraph *g = s->graph;
    size_t count = 0, kept = 0;
    for (uint32_t t = 0; t < g->tasks; t++) {
        bool op = t < g->parts;
        s->point[count++] = (Point){s->trace->start[t], 0, op, !op};
        s->point[count++] = (Point){s->trace->end[t], 0, -op, -!op};
    }
    qsort(s->point, count, sizeof *s->point, by_time);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && s->point[kept - 1].at == s->point[i].at) {
            s->point[kept - 1].ops += s->point[i].ops;
            s->point[kept - 1].comm += s->point[i].comm;
        } else {
            s->point[kept++] = s->point[i];
        }
    }
    s->points = kept;
}

/* What may grow: times in which only data move, any in which they do, or all. */
typedef enum Where { EXPOSED, SENDING, ALL, WHERE_COUNT } Where;

/* The time that may grow; with a factor the points get their new times. */
static double walk(Stretch *s, Where where, double factor) {
    double sum = 0, to = 0;
    int ops = 0, comm = 0;
    for (size_t i = 0; i < s->points; i++) {
        Point *p = &s->point[i];
        double span = i > 0 ? p->at - s->point[i - 1].at : p->at;
        bool grows = where == ALL || (comm > 0 && (where == SENDING || ops == 0));
        sum += grows ? span : 0;
        to += grows ? span * factor : span;
        p->to = to;
        ops += p->ops;
        comm += p->comm;
    }
    return sum;
}

static double new_time(const Stretch *s, double at) {
    size_t low = 0, high = s->points;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (s->point[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return s->point[low].to;
}

static void stretch(Stretch *s, double step_time) {
    double more = step_time - s->point[s->points - 1].at, room = 0;
    for (int where = EXPOSED; where < WHERE_COUNT && !(room > 0 && room + more > 0); where++) {
        room = walk(s, (Where)where, 1);
        if (room > 0 && room + more > 0)
            walk(s, (Where)where, 1 + more / room);
    }
    s->point[s->points - 1].to = step_time; /* not off by rounding */
    for (uint32_t t = 0; t < s->graph->tasks; t++) {
        s->trace->start[t] = new_time(s, s->trace->start[t]);
        s->trace->end[t] = new_time(s, s->trace->end[t]);
    }
}

LpErr lp_trace_stretch(const LpStepGraph *graph, LpTrace *trace, double step_time, LpDiag *diag) {
    Stretch s = {.graph = graph, .trace = trace};
    double last = 0;
    for (uint32_t t = 0; t < graph->tasks; t++)
        last = trace->end[t] > last ? trace->end[t] : last;
    if (!(last > 0) || !(step_time > 0) || lp_num_tied(step_time, last))
        return LP_OK;
    s.point = lp_alloc(2 * (size_t)graph->tasks, sizeof *s.point);
    if (s.point == NULL)
        return lp_fail_memory(diag, "a step's trace");
    find_points(&s);
    stretch(&s, step_time);
    lp_free(s.point);
    return LP_OK;
}
