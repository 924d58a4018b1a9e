/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recorded step comes to, from its tasks and when they ran. */
#include <stdlib.h>
#include <string.h>

#include "sim/ranks/ranks_tasks.h"
#include "sim/step/step_impl.h"

static const double NS = 1e-9; /* s */

/* ---- circuits ---- */

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Ordered pairs of servers that send: of flows, then of collectives. */
typedef struct Pairs {
    uint64_t *pair;
    size_t count, cap;
    uint32_t *circuits; /* by task: that it lights */
} Pairs;

static LpErr add_pair(Pairs *p, uint32_t src, uint32_t dst) {
    LP_TRY(lp_grow((void **)&p->pair, &p->cap, p->count + 1, sizeof *p->pair));
    p->pair[p->count++] = (uint64_t)src << 32 | dst;
    return LP_OK;
}

static LpErr add_collective(Pairs *p, const LpFabric *f, LpStepGraph *g, uint32_t c,
                            uint32_t *members) {
    const LpCollectiveTask *task = &g->call[c];
    uint32_t n = g->member_begin[c + 1] - g->member_begin[c], sends;
    LpSend *send;
    if (!(task->bytes > 0))
        return LP_OK;
    for (uint32_t i = 0; i < n; i++)
        members[i] = g->server_id[g->member[g->member_begin[c] + i]];
    LP_TRY(lp_fabric_sends(f, task->kind, members, n, task->bytes, &send, &sends));
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < sends; i++) {
        g->flow_bytes += send[i].bytes;
        err = add_pair(p, send[i].from, send[i].to);
    }
    p->circuits[g->parts + g->transfers + c] = sends;
    lp_free(send);
    return err;
}

static uint32_t keep_each_once(Pairs *p) {
    size_t kept = 0;
    if (p->count > 1)
        qsort(p->pair, p->count, sizeof *p->pair, compare_u64);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || p->pair[i] != p->pair[i - 1])
            p->pair[kept++] = p->pair[i];
    p->count = kept;
    return (uint32_t)kept;
}

static void number_channels(const Pairs *p, LpStepGraph *g) {
    for (uint32_t t = 0; t < g->transfers; t++) {
        uint64_t pair = (uint64_t)g->src[t] << 32 | g->dst[t];
        const uint64_t *at =
            g->flow[t] ? bsearch(&pair, p->pair, p->count, sizeof pair, compare_u64) : NULL;
        g->channel[t] = at != NULL ? (uint32_t)(at - p->pair) : 0;
    }
}

static LpErr count_circuits(Pairs *p, const LpFabric *f, LpStepGraph *g) {
    uint32_t *members = lp_alloc(g->servers, sizeof *members);
    LpErr err = members != NULL ? LP_OK : LP_ENOMEM;
    for (uint32_t t = 0; err == LP_OK && t < g->transfers; t++) {
        p->circuits[g->parts + t] = g->flow[t];
        g->flow_bytes += g->flow[t] ? g->bytes[t] : 0;
        if (g->flow[t])
            err = add_pair(p, g->src[t], g->dst[t]);
    }
    for (uint32_t c = 0; err == LP_OK && c < g->collectives; c++)
        err = add_collective(p, f, g, c, members);
    lp_free(members);
    if (err == LP_OK) {
        g->channels = keep_each_once(p);
        number_channels(p, g);
    }
    return err;
}

/* ---- time ---- */

/* A start (+1) or an end (-1) of a task. */
typedef struct Point {
    double at;
    int ops, comm;
    int64_t circuits;
} Point;

static int compare_points(const void *a, const void *b) {
    double x = ((const Point *)a)->at, y = ((const Point *)b)->at;
    return (x > y) - (x < y);
}

/* Walks through the step; sums are of exact counts between two instants, so the order of points of
 * one instant does not matter. */
static void walk(const Point *point, size_t points, LpStepSummary *s) {
    int64_t ops = 0, comm = 0, circuits = 0;
    for (size_t i = 0; i < points;) {
        double at = point[i].at;
        bool ended = false;
        for (; i < points && point[i].at == at; i++) {
            ops += point[i].ops;
            comm += point[i].comm;
            circuits += point[i].circuits;
            ended |= point[i].ops + point[i].comm < 0;
        }
        s->ticks += ended;
        if (circuits > s->peak_circuits)
            s->peak_circuits = circuits < UINT32_MAX ? (uint32_t)circuits : UINT32_MAX;
        double span = i < points ? point[i].at - at : 0;
        s->computation += ops > 0 ? span : 0;
        s->communication += comm > 0 ? span : 0;
        s->exposed += comm > 0 && ops == 0 ? span : 0;
        s->light_area += span * (double)circuits;
    }
}

static double at_most(double value, double limit) {
    return value < limit ? value : limit;
}

LpErr lp_ranks_sums(LpStepScratch *scratch, const LpStepInput *input, const LpTraceRun *run,
                    LpStepGraph *g, const LpTrace *trace, LpStepSummary *out) {
    Pairs pairs = {0};
    LpStepSummary s = {.step_time = NS * run->step_ns, .servers = g->servers, .flows = g->flows};
    lp_arena_reset(scratch->run);
    Point *point = lp_arena_alloc(scratch->run, 2 * (size_t)g->tasks, sizeof *point);
    pairs.circuits = lp_arena_alloc(scratch->run, g->tasks, sizeof *pairs.circuits);
    LpErr err = point != NULL && pairs.circuits != NULL ? count_circuits(&pairs, input->fabric, g)
                                                        : LP_ENOMEM;
    lp_free(pairs.pair);
    LP_TRY(err);
    for (uint32_t t = 0; t < g->tasks; t++) {
        bool op = t < g->parts;
        point[2 * (size_t)t] = (Point){trace->start[t], op, !op, pairs.circuits[t]};
        point[2 * (size_t)t + 1] = (Point){trace->end[t], -op, -!op, -(int64_t)pairs.circuits[t]};
    }
    if (g->tasks > 0)
        qsort(point, 2 * (size_t)g->tasks, sizeof *point, compare_points);
    walk(point, 2 * (size_t)g->tasks, &s);
    for (uint32_t r = 0; r < run->ranks; r++)
        s.busy_area += NS * run->rank[r].computing_ns;
    double area = (double)s.servers * s.step_time;
    s.computation = at_most(s.computation, s.step_time);
    s.communication = at_most(s.communication, s.step_time);
    s.exposed = at_most(s.exposed, s.communication);
    s.busy_area = at_most(s.busy_area, area);
    s.worker_utilisation = area > 0 ? s.busy_area / area : 0;
    s.channels = g->channels;
    s.flow_bytes = g->flow_bytes;
    s.hash = lp_step_summary_hash(&s);
    *out = s;
    return LP_OK;
}
