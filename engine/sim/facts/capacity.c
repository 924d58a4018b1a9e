/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a pod could be rented out while its accelerators broke and were mended: the list of
 * failures so far, gone over again. */
#include <string.h>

#include "base/mem.h"
#include "sim/cube.h"
#include "sim/facts/slices_impl.h"
#include "sim/outages.h"

typedef struct Over {
    const LpContext *context;
    uint32_t cubes;
    uint32_t *down;   /* by cube: broken components that cover some of its accelerators */
    double *switched; /* by number of cubes that are asked for, then by slices: s */
    double *fixed;
    LpSliceSummary *s;
} Over;

static void change(Over *o, const LpOutageEvent *e) {
    uint32_t first, last;
    lp_outage_cubes(o->context, e, &first, &last);
    for (uint32_t c = first; c < last; c++)
        o->down[c] += e->fails ? 1 : UINT32_MAX;
}

static void pass(Over *o, double dt) {
    uint32_t up = 0;
    for (uint32_t c = 0; c < o->cubes; c++)
        up += o->down[c] == 0;
    for (uint32_t i = 0; i < o->s->capacities; i++) {
        uint32_t k = o->s->capacity[i].cubes, places = 0;
        for (uint32_t b = 0; b < o->cubes / k; b++) {
            bool all = true;
            for (uint32_t c = b * k; all && c < (b + 1) * k; c++)
                all = o->down[c] == 0;
            places += all;
        }
        o->switched[(size_t)i * (o->cubes + 1) + up / k] += dt;
        o->fixed[(size_t)i * (o->cubes + 1) + places] += dt;
    }
}

/* Mean slices, and the most that were there for the share. */
static void conclude(const double *time, uint32_t most, double all, double *mean,
                     uint32_t *promised) {
    static const double SHARE = 0.97;
    double with = 0;
    *mean = 0;
    *promised = 0;
    for (uint32_t j = most; j > 0; j--) {
        *mean += time[j] / all * j;
        with += time[j];
        if (*promised == 0 && with >= SHARE * all * (1 - 1e-12))
            *promised = j;
    }
}

static LpErr go_over(Over *o, LpImage *m) {
    double last = 0;
    for (uint32_t e = 0; e < m->fault; e++) {
        const LpOutageEvent *event;
        LP_TRY(lp_outages_at(o->context, m->seed, e, &event));
        if (lp_outages_averted(m, event))
            continue;
        if (event->time > last)
            pass(o, event->time - last);
        last = event->time;
        change(o, event);
    }
    if (m->now > last)
        pass(o, m->now - last);
    return LP_OK;
}

/* Numbers of cubes that are asked for and fit, each once, ascending. */
static void list_sizes(LpSliceSummary *s, uint32_t cubes) {
    for (uint32_t k = 1; k <= cubes; k++) {
        bool any = false;
        for (uint32_t i = 0; i < s->classes; i++)
            any = any || s->item[i].slice->cubes == k;
        if (any)
            s->capacity[s->capacities++] = (LpSliceCapacity){.cubes = k};
    }
}

LpErr lp_slices_capacity(const LpWorld *world, const LpContext *context, LpSliceSummary *s) {
    LpImage *m = world->image;
    uint32_t cubes = context->fabric.cluster->pod.net.cubes;
    s->capacity = lp_alloc(s->classes + 1, sizeof *s->capacity);
    if (s->capacity == NULL)
        return LP_ENOMEM;
    list_sizes(s, cubes);
    size_t cells = (size_t)(s->capacities + 1) * (cubes + 1);
    Over o = {.context = context,
              .cubes = cubes,
              .down = lp_alloc(cubes, sizeof *o.down),
              .switched = lp_alloc(cells, sizeof *o.switched),
              .fixed = lp_alloc(cells, sizeof *o.fixed),
              .s = s};
    LpErr err =
        o.down != NULL && o.switched != NULL && o.fixed != NULL ? go_over(&o, m) : LP_ENOMEM;
    if (err == LP_OK && m->now > 0) {
        double all = m->now;
        for (uint32_t i = 0; i < o.s->capacities; i++) {
            LpSliceCapacity *c = &o.s->capacity[i];
            uint32_t promised, most = o.cubes / c->cubes;
            double mean, share = (double)c->cubes / o.cubes;
            size_t at = (size_t)i * (o.cubes + 1);
            conclude(o.switched + at, most, all, &mean, &promised);
            c->switched = mean * share;
            c->promised = promised * share;
            conclude(o.fixed + at, most, all, &mean, &promised);
            c->fixed = mean * share;
            c->promised_fixed = promised * share;
        }
    }
    lp_free(o.down);
    lp_free(o.switched);
    lp_free(o.fixed);
    return err;
}
