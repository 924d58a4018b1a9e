/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An uneven all-to-all in time: matchings one after the other, packets beside them, and the experts
 * that work off what has arrived. */
#include <math.h>

#include "base/mem.h"
#include "sim/uneven/uneven.h"
#include "sim/uneven/uneven_match.h"

enum { MOST = LP_UNEVEN_SERVERS_MAX, NONE = LP_UNEVEN_NONE };

typedef struct Batch {
    double at;
    int64_t bytes;
    double work, done; /* of all batches up to this one: the sum; when this one is done */
} Batch;

/* Ascending by time; packets, where there are some, come into it by their time. */
typedef struct Arrivals {
    Batch *batch;
    uint32_t count;
    Batch packets; /* none: 0 bytes */
} Arrivals;

typedef struct Clock {
    const LpUneven *all;
    Arrivals server[MOST];
    int64_t row[MOST], column[MOST]; /* sums of what no matching has carried yet */
    double now;
} Clock;

double lp_uneven_work(const LpUneven *all, int64_t bytes) {
    if (all->tile > 0)
        bytes = (bytes + all->tile - 1) / all->tile * all->tile;
    return all->launch + (double)bytes / all->compute;
}

int64_t lp_uneven_bytes(const LpUneven *all, int64_t *local) {
    int64_t sum = 0;
    *local = 0;
    for (uint32_t place = 0; place < all->servers * all->servers; place++) {
        sum += all->demand[place];
        *local += place % (all->servers + 1) == 0 ? all->demand[place] : 0;
    }
    return sum;
}

/* ---- the experts of a server ---- */

static void arrive(const LpUneven *all, Arrivals *a, double at, int64_t bytes) {
    Batch batch = {.at = at, .bytes = bytes, .work = lp_uneven_work(all, bytes)};
    const Batch *last = a->count > 0 ? &a->batch[a->count - 1] : NULL;
    double begins = last != NULL && last->done > at ? last->done : at;
    batch.done = begins + batch.work;
    batch.work += last != NULL ? last->work : 0;
    a->batch[a->count++] = batch;
}

/* How many batches came no later than the packets. */
static uint32_t before_packets(const Arrivals *a) {
    uint32_t low = 0, high = a->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->batch[middle].at <= a->packets.at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One batch after the other: whoever comes behind the packets waits for them, or did so without
 * them. */
static double one_by_one(const LpUneven *all, const Arrivals *a) {
    double done = a->count > 0 ? a->batch[a->count - 1].done : 0;
    if (a->packets.bytes == 0)
        return done;
    uint32_t before = before_packets(a);
    const Batch *last = before > 0 ? &a->batch[before - 1] : NULL;
    double free = last != NULL ? last->done : 0;
    double behind = a->count > 0 ? a->batch[a->count - 1].work : 0;
    behind -= last != NULL ? last->work : 0;
    double with = (free > a->packets.at ? free : a->packets.at) +
                  lp_uneven_work(all, a->packets.bytes) + behind;
    return with > done ? with : done;
}

/* The i-th batch, with the packets behind those that came no later. */
static Batch batch_at(const Arrivals *a, uint32_t i, uint32_t packets_at) {
    return i == packets_at ? a->packets : a->batch[i - (i > packets_at)];
}

/* All that has come as one batch. */
static double merged(const LpUneven *all, const Arrivals *a, uint32_t *batches) {
    uint32_t count = a->count + (a->packets.bytes > 0);
    uint32_t packets_at = a->packets.bytes > 0 ? before_packets(a) : UINT32_MAX;
    double now = 0;
    *batches = 0;
    for (uint32_t i = 0; i < count;) {
        Batch next = batch_at(a, i++, packets_at);
        now = next.at > now ? next.at : now;
        while (i < count && batch_at(a, i, packets_at).at <= now * (1 + LP_UNEVEN_TIE))
            next.bytes += batch_at(a, i++, packets_at).bytes;
        now += lp_uneven_work(all, next.bytes);
        (*batches)++;
    }
    return now;
}

/* Works a server's batches off in order; returns when the last one is done. */
static double work_off(const LpUneven *all, const Arrivals *a, uint32_t *batches) {
    if (all->merge)
        return merged(all, a, batches);
    *batches = a->count + (a->packets.bytes > 0);
    return one_by_one(all, a);
}

/* All servers, beside communication that ends then. */
static void work_all(const Clock *c, double communication, LpUnevenRun *out) {
    out->communication = communication;
    out->time = communication;
    out->batches = 0;
    for (uint32_t j = 0; j < c->all->servers; j++) {
        uint32_t batches;
        double end = work_off(c->all, &c->server[j], &batches);
        out->time = end > out->time ? end : out->time;
        out->batches = batches > out->batches ? batches : out->batches;
    }
}

/* ---- what is sent ---- */

/* Rows and columns of what is sent; what stays is there from the start. `batch` has room for
 * `room` batches of each server. */
static void begin(Clock *c, const LpUneven *all, Batch *batch, size_t room) {
    uint32_t n = all->servers;
    *c = (Clock){.all = all};
    for (uint32_t i = 0; i < n; i++) {
        c->server[i].batch = batch + i * room;
        if (all->demand[i * n + i] > 0)
            arrive(all, &c->server[i], 0, all->demand[i * n + i]);
        for (uint32_t j = 0; j < n; j++)
            if (i != j) {
                c->row[i] += all->demand[i * n + j];
                c->column[j] += all->demand[i * n + j];
            }
    }
}

static int64_t greatest_sum(const Clock *c) {
    int64_t most = 0;
    for (uint32_t i = 0; i < c->all->servers; i++) {
        most = c->row[i] > most ? c->row[i] : most;
        most = c->column[i] > most ? c->column[i] : most;
    }
    return most;
}

/* One matching: its bytes arrive pair by pair, and it ends with the longest pair. */
static LpUnevenSlot send_slot(Clock *c, const uint8_t *to, const int64_t *bytes, bool turn,
                              double delay) {
    const LpUneven *all = c->all;
    double rate = all->ports * all->rate;
    LpUnevenSlot slot = {.turned = turn};
    c->now += turn ? delay : 0;
    c->now += all->start + all->hop;
    slot.from = slot.to = c->now;
    for (uint32_t i = 0; i < all->servers; i++) {
        if (to[i] == NONE)
            continue;
        double at = c->now + (double)bytes[i] / rate;
        arrive(all, &c->server[to[i]], at, bytes[i]);
        c->row[i] -= bytes[i];
        c->column[to[i]] -= bytes[i];
        slot.to = at > slot.to ? at : slot.to;
        slot.bytes += bytes[i];
        slot.pairs++;
    }
    c->now = slot.to;
    return slot;
}

static bool same_pairs(const LpUnevenSlots *slots, uint32_t k) {
    for (uint32_t i = 0; i < slots->servers; i++)
        if (slots->to[(size_t)k * slots->servers + i] !=
            slots->to[(size_t)(k - 1) * slots->servers + i])
            return false;
    return true;
}

/* What is left goes over packets from the start on. */
static void end_with(Clock *c, LpUnevenRun *out) {
    const LpUneven *all = c->all;
    int64_t most = greatest_sum(c);
    double communication = c->now, at = 0;
    *out = (LpUnevenRun){.never = most > 0 && all->packet_ports == 0};
    if (out->never)
        return;
    if (most > 0) {
        at = all->start + all->hop + (double)most / (all->packet_ports * all->rate);
        communication = at > communication ? at : communication;
    }
    for (uint32_t j = 0; j < all->servers; j++)
        c->server[j].packets = (Batch){.at = at, .bytes = c->column[j]};
    work_all(c, communication, out);
}

LpErr lp_uneven_run(const LpUneven *all, const LpUnevenSlots *slots, double delay, uint32_t least,
                    uint32_t most, LpUnevenRun *out, LpUnevenSlot *slot, LpDiag *diag) {
    Clock c;
    size_t room = (size_t)most + 1;
    uint32_t turns = 0;
    Batch *batch = lp_alloc(room * all->servers, sizeof *batch);
    if (batch == NULL)
        return lp_fail_memory(diag, "what arrives of an all-to-all");
    begin(&c, all, batch, room);
    for (uint32_t k = 0; k <= most; k++) {
        if (k > 0) {
            size_t at = (size_t)(k - 1) * slots->servers;
            bool turn = k == 1 || !same_pairs(slots, k - 1);
            LpUnevenSlot one = send_slot(&c, slots->to + at, slots->bytes + at, turn, delay);
            turns += turn;
            if (slot != NULL)
                slot[k - 1] = one;
        }
        if (k < least)
            continue;
        end_with(&c, &out[k - least]);
        out[k - least].turns = turns;
    }
    lp_free(batch);
    return LP_OK;
}

/* ---- beside it ---- */

double lp_uneven_ideal(const LpUneven *all) {
    Clock c;
    Batch stays[MOST];
    LpUnevenRun run = {0};
    begin(&c, all, stays, 1);
    int64_t most = greatest_sum(&c);
    double at = most == 0 ? 0 : all->start + all->hop + (double)most / (all->ports * all->rate);
    for (uint32_t j = 0; j < all->servers; j++)
        c.server[j].packets = (Batch){.at = at, .bytes = c.column[j]};
    work_all(&c, at, &run);
    return run.time;
}

/* The most partners that one server has to send to or to hear from. */
static uint32_t most_partners(const LpUneven *all) {
    uint32_t n = all->servers, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sends = 0, hears = 0;
        for (uint32_t j = 0; j < n; j++) {
            sends += i != j && all->demand[i * n + j] > 0;
            hears += i != j && all->demand[j * n + i] > 0;
        }
        most = sends > most ? sends : most;
        most = hears > most ? hears : most;
    }
    return most;
}

double lp_uneven_bound(const LpUneven *all, double delay) {
    Clock c;
    Batch stays[MOST];
    begin(&c, all, stays, 1);
    double begun = all->start + all->hop, most = (double)greatest_sum(&c), bound = 0, first = 0;
    if (most > 0 && all->packet_ports > 0) {
        bound = begun + most / ((all->ports + all->packet_ports) * all->rate);
        first = begun;
    } else if (most > 0) {
        bound = most_partners(all) * (delay + begun) + most / (all->ports * all->rate);
        first = delay + begun;
    }
    for (uint32_t j = 0; j < all->servers; j++) {
        int64_t local = all->demand[(size_t)j * (all->servers + 1)], bytes = c.column[j] + local;
        if (bytes == 0)
            continue;
        double end = (local > 0 ? 0 : first) + all->launch + (double)bytes / all->compute;
        bound = end > bound ? end : bound;
    }
    return bound;
}
