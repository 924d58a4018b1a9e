/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running jobs would send from port to port of circuit switches, and the engine's own schedule
 * for it. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "sim/light/configure.h"
#include "sim/light/networks.h"
#include "sim/store/store_impl.h"

/* The lowest port of each server that works, LP_DARK where it has none. */
static void find_ports(const LpWorld *world, const LpOcsParams *o, uint32_t *port) {
    for (uint32_t s = 0; s < lp_world_servers(world); s++)
        port[s] = LP_DARK;
    for (uint32_t p = o->ports; p-- > 0;)
        if (o->plug[p].node < lp_world_servers(world) && !lp_port_broken(world->image, p))
            port[o->plug[p].node] = p;
}

/* The demand of running jobs, one entry for each pair of a job. */
typedef struct Demand {
    const LpOcsParams *ocs;
    const uint32_t *port; /* per server */
    LpPortDemand *item;
    size_t count, cap;
} Demand;

/* What the job asks for, looked up. */
static LpErr find_asked(const LpContext *context, const LpJob *job, LpAsked *out, LpDiag *diag) {
    const LpPairs *pairs;
    uint32_t step;
    LP_TRY(lp_store_add_step(context, job->placed.partition, job->placed.placement,
                             job->placed.orders, &step, diag));
    LP_TRY(lp_store_add_pairs(context, job->placed.partition, job->placed.placement,
                              job->placed.orders, &pairs, diag));
    *out = (LpAsked){.partition = job->placed.partition,
                     .placement = job->placed.placement,
                     .orders = job->placed.orders,
                     .network = context->network,
                     .known = true,
                     .step = step,
                     .pairs = (uint32_t)(pairs - context->store->pairs)};
    return LP_OK;
}

static bool is_asked(const LpAsked *a, const LpContext *context, const LpJob *job) {
    return a->known && a->network == context->network && a->partition == job->placed.partition &&
           a->placement == job->placed.placement && a->orders.ops == job->placed.orders.ops &&
           a->orders.flows == job->placed.orders.flows;
}

/* Room for what running jobs ask for; what was known is forgotten where there is more of it. */
static LpErr make_room(LpCircuits *c, uint64_t running) {
    size_t cap = c->asked_cap > 0 ? c->asked_cap : 64;
    while (cap < 2 * running)
        cap *= 2;
    if (cap == c->asked_cap)
        return LP_OK;
    LpAsked *fresh = lp_alloc(cap, sizeof *fresh);
    if (fresh == NULL)
        return LP_ENOMEM;
    lp_free(c->asked);
    c->asked = fresh;
    c->asked_cap = cap;
    return LP_OK;
}

static LpErr add_job(Demand *d, const LpContext *context, const LpJob *job, LpDiag *diag) {
    LpCircuits *c = context->circuits;
    LpAsked *asked = &c->asked[job->id & (c->asked_cap - 1)];
    if (!is_asked(asked, context, job) || lp_debug_on(context->log, LP_DEBUG_STORE, 2))
        LP_TRY(find_asked(context, job, asked, diag));
    else
        context->store->step_hits++;
#if defined(LP_CHECKED)
    LpAsked anew;
    if (find_asked(context, job, &anew, NULL) == LP_OK)
        LP_ASSERT(anew.step == asked->step && anew.pairs == asked->pairs);
#endif
    const LpPairs *pairs = &context->store->pairs[asked->pairs];
    double time = lp_store_step(context->store, asked->step)->step_time;
    void *items = d->item;
    if (lp_grow(&items, &d->cap, d->count + pairs->count + 1, sizeof *d->item) != LP_OK)
        return lp_fail_memory(diag, "the demand of jobs");
    d->item = items;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const LpPairBytes *pair = &pairs->pair[i];
        uint32_t from = d->port[pair->src], to = d->port[pair->dst];
        if (from != LP_DARK && to != LP_DARK && time > 0)
            d->item[d->count++] = (LpPortDemand){from, to, pair->bytes / time};
    }
    return LP_OK;
}

/* What jobs ask for in the order of the jobs; d->item is the caller's, also after an error. */
static LpErr list_demand(const LpWorld *world, const LpContext *base, Demand *d, LpDiag *diag) {
    const LpContext *ideal = lp_circuits_reference(lp_world_context(world, base));
    uint32_t *port = lp_alloc(lp_world_servers(world), sizeof *port);
    LpErr err = LP_OK;
    if (port == NULL || make_room(ideal->circuits, lp_world_tally(world)->running) != LP_OK) {
        lp_free(port);
        return lp_fail_memory(diag, "the demand of jobs");
    }
    find_ports(world, d->ocs, port);
    d->port = port;
    for (uint32_t id = lp_world_first_running(world); err == LP_OK && id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->graph >= 0 && job->light.dark != LP_JOB_HELD)
            err = add_job(d, ideal, job, diag);
    }
    lp_free(port);
    return err;
}

LpErr lp_world_demand(const LpWorld *world, const LpContext *base, double *out, LpDiag *diag) {
    size_t ports = lp_world_ports(world);
    Demand d = {.ocs = &base->scenario->cluster.ocs};
    memset(out, 0, ports * ports * sizeof *out);
    if (ports == 0)
        return LP_OK;
    LpErr err = list_demand(world, base, &d, diag);
    for (size_t i = 0; err == LP_OK && i < d.count; i++)
        out[(size_t)d.item[i].in * ports + d.item[i].out] += d.item[i].rate;
    lp_free(d.item);
    return err;
}

LpErr lp_world_demand_pairs(const LpWorld *world, const LpContext *base, LpPortDemand **out,
                            uint32_t *count, LpDiag *diag) {
    Demand d = {.ocs = &base->scenario->cluster.ocs};
    LpErr err = lp_world_ports(world) > 0 ? list_demand(world, base, &d, diag) : LP_OK;
    if (err != LP_OK) {
        lp_free(d.item);
        return err;
    }
    *out = d.item;
    *count = (uint32_t)d.count;
    return LP_OK;
}

/* ---- the engine's own schedule ---- */

typedef struct Entry {
    double bytes;
    uint32_t in, out;
    uint32_t order; /* in which it was asked for */
    bool served;    /* by an earlier matching */
} Entry;

static int compare_ports(const Entry *x, const Entry *y) {
    if (x->in != y->in)
        return x->in < y->in ? -1 : 1;
    return x->out < y->out ? -1 : x->out > y->out;
}

static int compare_asked(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int ports = compare_ports(x, y);
    return ports != 0 ? ports : x->order < y->order ? -1 : x->order > y->order;
}

static int compare_entries(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return compare_ports(x, y);
}

/* One entry for each pair of ports that asks for something, most first. Who asks for the same pair
 * is summed in the order of the demand, as in a table of all pairs. */
static uint32_t list_entries(const LpPortDemand *demand, uint32_t count, Entry *entry) {
    uint32_t kept = 0, asked = 0;
    for (uint32_t i = 0; i < count; i++)
        entry[i] = (Entry){demand[i].rate, demand[i].in, demand[i].out, i, false};
    if (count > 0)
        qsort(entry, count, sizeof *entry, compare_asked);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && compare_ports(&entry[kept - 1], &entry[i]) == 0)
            entry[kept - 1].bytes += entry[i].bytes;
        else
            entry[kept++] = entry[i];
    }
    for (uint32_t i = 0; i < kept; i++)
        if (entry[i].in != entry[i].out && entry[i].bytes > 0)
            entry[asked++] = entry[i];
    if (asked > 0)
        qsort(entry, asked, sizeof *entry, compare_entries);
    return asked;
}

/* Joins the largest first, of those that were served before or not. Returns the largest. */
static double join_largest(const LpOcsParams *o, Entry *entry, uint32_t count, bool served,
                           uint32_t *to, uint8_t *used) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        Entry *e = &entry[i];
        if (e->served != served || to[e->in] != LP_DARK || used[e->out] ||
            o->plug[e->in].device != o->plug[e->out].device)
            continue;
        to[e->in] = e->out;
        used[e->out] = 1;
        most = e->bytes > most ? e->bytes : most;
        e->served = true;
    }
    return most;
}

/* One matching: the largest that were not served yet, then on ports that are still dark those that
 * were. Returns the largest of the new ones; 0: all were served. */
static double take_matching(const LpOcsParams *o, Entry *entry, uint32_t count, uint32_t *to,
                            uint8_t *used) {
    memset(used, 0, o->ports);
    for (uint32_t p = 0; p < o->ports; p++)
        to[p] = LP_DARK;
    double most = join_largest(o, entry, count, false, to, used);
    if (most > 0)
        join_largest(o, entry, count, true, to, used);
    return most;
}

typedef struct Own {
    Entry *entry;
    uint8_t *used;
    uint32_t *to;
    double *hold;
    size_t to_cap, hold_cap;
} Own;

static LpErr take_all(const LpOcsParams *o, Own *own, uint32_t count, LpSchedule *out) {
    uint32_t entries = 0;
    while (entries < LP_SCHEDULE_ENTRIES_MAX) {
        void *to = own->to, *hold = own->hold;
        LP_TRY(lp_grow(&to, &own->to_cap, (size_t)(entries + 1) * o->ports, sizeof *own->to));
        own->to = to;
        LP_TRY(lp_grow(&hold, &own->hold_cap, (size_t)entries + 1, sizeof *own->hold));
        own->hold = hold;
        double most =
            take_matching(o, own->entry, count, own->to + (size_t)entries * o->ports, own->used);
        if (!(most > 0))
            break;
        own->hold[entries++] = most;
    }
    *out = (LpSchedule){o->ports, entries, own->to, own->hold};
    return LP_OK;
}

LpErr lp_configure_default(const LpOcsParams *o, const LpPortDemand *demand, uint32_t count,
                           double period, LpSchedule *out, LpDiag *diag) {
    Own own = {.entry = lp_alloc(count + 1U, sizeof *own.entry),
               .used = lp_alloc(o->ports + 1U, 1)};
    LpErr err = own.entry != NULL && own.used != NULL ? LP_OK : LP_ENOMEM;
    *out = (LpSchedule){0};
    if (err == LP_OK)
        err = take_all(o, &own, list_entries(demand, count, own.entry), out);
    lp_free(own.entry);
    lp_free(own.used);
    double sum = 0;
    for (uint32_t e = 0; err == LP_OK && e < out->entries; e++)
        sum += own.hold[e];
    for (uint32_t e = 0; err == LP_OK && e < out->entries; e++)
        own.hold[e] *= period / sum;
    if (err == LP_OK && out->entries > 0)
        return LP_OK;
    lp_free(own.to);
    lp_free(own.hold);
    *out = (LpSchedule){0};
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "a schedule of circuits");
}

void lp_configure_free(LpSchedule *schedule) {
    uint32_t *to;
    double *hold;
    memcpy(&to, &schedule->to, sizeof to);
    memcpy(&hold, &schedule->hold, sizeof hold);
    lp_free(to);
    lp_free(hold);
    *schedule = (LpSchedule){0};
}
