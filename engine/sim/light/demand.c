/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running jobs would send from port to port of circuit switches, and the engine's own schedule
 * for it. */
#include <stdlib.h>
#include <string.h>

#include "sim/light/circuits_impl.h"
#include "sim/light/configure.h"
#include "sim/store/store_impl.h"

/* The lowest port of each server that works, LP_DARK where it has none. */
static void find_ports(const LpWorld *world, const LpOcsParams *o, uint32_t *port) {
    for (uint32_t s = 0; s < lp_world_servers(world); s++)
        port[s] = LP_DARK;
    for (uint32_t p = o->ports; p-- > 0;)
        if (o->plug[p].node < lp_world_servers(world) && !lp_port_broken(world->image, p))
            port[o->plug[p].node] = p;
}

static LpErr add_job(const LpContext *context, const LpJob *job, const uint32_t *port, double *out,
                     LpDiag *diag) {
    const LpOcsParams *o = &context->scenario->cluster.ocs;
    const LpPairs *pairs;
    uint32_t step;
    LP_TRY(lp_store_add_step(context, job->placed.partition, job->placed.placement,
                             job->placed.orders, &step, diag));
    LP_TRY(lp_store_add_pairs(context, job->placed.partition, job->placed.placement,
                              job->placed.orders, &pairs, diag));
    double time = lp_store_step(context->store, step)->step_time;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const LpPairBytes *pair = &pairs->pair[i];
        uint32_t from = port[pair->src], to = port[pair->dst];
        if (from != LP_DARK && to != LP_DARK && time > 0)
            out[(size_t)from * o->ports + to] += pair->bytes / time;
    }
    return LP_OK;
}

LpErr lp_world_demand(const LpWorld *world, const LpContext *base, double *out, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    size_t ports = lp_world_ports(world);
    LpErr err = LP_OK;
    memset(out, 0, ports * ports * sizeof *out);
    if (ports == 0)
        return LP_OK;
    const LpContext *ideal = lp_circuits_reference(context);
    uint32_t *port = lp_alloc(lp_world_servers(world), sizeof *port);
    if (port == NULL)
        return lp_fail_memory(diag, "the demand of jobs");
    find_ports(world, &ideal->scenario->cluster.ocs, port);
    for (uint32_t id = lp_world_first_running(world); err == LP_OK && id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        if (job->graph >= 0 && job->light.dark != LP_JOB_HELD)
            err = add_job(ideal, job, port, out, diag);
    }
    lp_free(port);
    return err;
}

/* ---- the engine's own schedule ---- */

typedef struct Entry {
    double bytes;
    uint32_t in, out;
    bool served; /* by an earlier matching */
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->in != y->in)
        return x->in < y->in ? -1 : 1;
    return x->out < y->out ? -1 : x->out > y->out;
}

static uint32_t list_entries(uint32_t ports, const double *demand, Entry *entry) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ports; i++)
        for (uint32_t j = 0; j < ports; j++)
            if (i != j && demand[(size_t)i * ports + j] > 0)
                entry[count++] = (Entry){demand[(size_t)i * ports + j], i, j, false};
    qsort(entry, count, sizeof *entry, compare_entries);
    return count;
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

LpErr lp_configure_default(const LpOcsParams *o, const double *demand, double period,
                           LpSchedule *out, LpDiag *diag) {
    size_t cells = (size_t)o->ports * o->ports;
    Own own = {.entry = lp_alloc(cells + 1, sizeof *own.entry), .used = lp_alloc(o->ports + 1U, 1)};
    LpErr err = own.entry != NULL && own.used != NULL ? LP_OK : LP_ENOMEM;
    *out = (LpSchedule){0};
    if (err == LP_OK)
        err = take_all(o, &own, list_entries(o->ports, demand, own.entry), out);
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
