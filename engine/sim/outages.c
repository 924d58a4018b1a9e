/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/outages.h"

#include <math.h>

#include "base/assert.h"
#include "sim/breaking.h"
#include "sim/place/slice.h"
#include "sim/store/store.h"

enum { LOOKED = 1 << 20 }; /* events looked at for a failure to come */

struct LpOutageBook {
    LpOutageList **list;
    size_t cap;
    uint32_t lists, last;
};

/* ---- lists ---- */

LpErr lp_outages_new(LpContext *context) {
    if (!context->scenario->outages.any)
        return LP_OK;
    context->outages = lp_alloc(1, sizeof *context->outages);
    return context->outages != NULL ? LP_OK : LP_ENOMEM;
}

void lp_outages_free(LpOutageBook *book) {
    if (book == NULL)
        return;
    for (uint32_t i = 0; i < book->lists; i++)
        lp_outage_list_free(book->list[i]);
    lp_free(book->list);
    lp_free(book);
}

static LpErr list_of(const LpContext *context, uint64_t seed, LpOutageList **out) {
    LpOutageBook *b = context->outages;
    uint32_t counts[LP_OUTAGE_COUNT];
    for (uint32_t i = 0; i < b->lists; i++) {
        uint32_t at = (b->last + i) % b->lists;
        if (lp_outage_list_seed(b->list[at]) != seed)
            continue;
        b->last = at;
        *out = b->list[at];
        return LP_OK;
    }
    void *items = b->list;
    LP_TRY(lp_grow(&items, &b->cap, (size_t)b->lists + 1, sizeof(LpOutageList *)));
    b->list = items;
    lp_cluster_components(context->fabric.cluster, counts);
    LP_TRY(lp_outage_list_new(&context->scenario->outages, counts, seed, out));
    b->list[b->lists++] = *out;
    return LP_OK;
}

LpErr lp_outages_at(const LpContext *context, uint64_t seed, uint32_t at,
                    const LpOutageEvent **out) {
    LpOutageList *list;
    *out = NULL;
    if (context->outages == NULL)
        return LP_OK;
    LP_TRY(list_of(context, seed, &list));
    return lp_outage_list_at(list, at, out);
}

/* Would anybody notice what breaks or is mended? Who waits does where something is broken now. */
static bool matters(LpImage *m) {
    if (m->first_running != LP_NO_INDEX || !isinf(m->next_arrival) || m->timers > 0)
        return true;
    bool broken = m->tally.failed_servers > 0 || m->failed > 0;
    for (uint32_t c = m->servers; c < m->covers; c++)
        broken = broken || lp_image_cover(m)[c] > 0;
    return m->first_waiting != LP_NO_INDEX && broken;
}

bool lp_outages_averted(LpImage *m, const LpOutageEvent *event) {
    for (uint32_t i = 0; i < m->changes; i++) {
        const LpCondition *c = &lp_image_change(m)[i].condition;
        if (c->kind == LP_CONDITION_WITHOUT_FAILURE && c->steps == event->kind &&
            c->value == event->index && c->other == event->number)
            return true;
    }
    return false;
}

/* The next one that happens, from number *at on; NULL: there are no more. */
static LpErr next_event(LpImage *m, const LpContext *context, uint32_t *at,
                        const LpOutageEvent **out) {
    for (;; ++*at) {
        LP_TRY(lp_outages_at(context, m->seed, *at, out));
        if (*out == NULL || !lp_outages_averted(m, *out))
            return LP_OK;
    }
}

double lp_outages_next(LpImage *m, const LpContext *context) {
    const LpOutageEvent *event;
    uint32_t at = m->fault;
    if (context->outages == NULL || !matters(m) || next_event(m, context, &at, &event) != LP_OK ||
        event == NULL)
        return (double)INFINITY;
    return event->time;
}

LpErr lp_outages_failure(const LpWorld *world, const LpContext *context, uint32_t kind,
                         uint32_t index, double number, const LpOutageEvent **out) {
    for (uint32_t at = world->image->fault;; at++) {
        LP_TRY(lp_outages_at(context, world->image->seed, at, out));
        const LpOutageEvent *e = *out;
        if (e == NULL || (e->fails && e->kind == kind && e->index == index &&
                          (number < 0 || number == e->number)))
            return LP_OK;
        if (at - world->image->fault > LOOKED) {
            *out = NULL;
            return LP_OK;
        }
    }
}

const LpOutageEvent *lp_outages_of(const LpContext *context, uint64_t seed, uint32_t fault) {
    const LpOutageEvent *event;
    return fault > 0 && lp_outages_at(context, seed, fault - 1, &event) == LP_OK ? event : NULL;
}

const char *lp_outages_text(const LpContext *context, const LpOutageEvent *event,
                            char buf[LP_COMPONENT_TEXT]) {
    return lp_cluster_component(context->fabric.cluster, event->kind, event->index, buf);
}

LpErr lp_outages_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) {
    LpImage *m = world->image;
    const LpOutageEvent *event;
    uint32_t at = m->fault;
    *done = false;
    if (context->outages == NULL)
        return LP_OK;
    if (next_event(m, context, &at, &event) != LP_OK || lp_image_reserve_change(world, 0) != LP_OK)
        return lp_fail_memory(diag, "a failure");
    m = world->image;
    if (event == NULL || event->time > m->now)
        return LP_OK;
    LpStoppedJobs stops = {.by = at + 1, .first = LP_NO_INDEX, .asks = true};
    LP_TRY(lp_break(world, context, event, &stops, diag));
    m = world->image;
    m->fault = at + 1;
    m->completed_now++; /* who waits is offered again, or waits for something else */
    lp_image_event(m, out, event->fails ? LP_EVENT_FAILURE : LP_EVENT_REPAIR, stops.first);
    out->fault = m->fault;
    *done = true;
    return LP_OK;
}

/* ---- without end ---- */

bool lp_outages_endless(const LpImage *m, const LpContext *context) {
    if (m->vain < LP_VAIN_MAX || !isinf(m->next_arrival) || !isinf(m->horizon))
        return false;
    uint32_t counts[LP_OUTAGE_COUNT];
    uint64_t most = LP_VAIN_MAX;
    lp_cluster_components(context->fabric.cluster, counts);
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        if (context->scenario->outages.process[k].fails.law != LP_OUTAGE_NEVER)
            most += (uint64_t)LP_VAIN_EACH * counts[k];
    return m->vain >= most;
}
