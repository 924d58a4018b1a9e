/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives by algorithm: their times, and who sends how much to whom. */
#include "model/fabric/collective.h"

#include <stdbool.h>

#include "model/fabric/fabric_impl.h"

static const LpHop *hop_at(const LpCollectiveTeam *t, uint32_t i) {
    return &t->hop[t->hops == 1 ? 0 : i];
}

static double hop_time(const LpHop *hop, double bytes) {
    return hop->latency + bytes / hop->rate;
}

static double adds(const LpCollectiveTeam *t, double bytes) {
    return lp_collective_adds(2, bytes, t->peak, t->memory_bandwidth);
}

/* Levels of a tree over n members. */
static uint32_t levels_of(uint32_t n) {
    uint32_t levels = 0;
    while ((UINT64_C(1) << levels) < n)
        levels++;
    return levels;
}

static uint32_t power_below(uint32_t n) {
    uint32_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

static bool reduces(LpCollective op) {
    return op != LP_ALL_GATHER;
}

static bool gathers(LpCollective op) {
    return op != LP_REDUCE_SCATTER;
}

/* ---- ring ---- */

/* One way round: n - 1 steps, each as long as the slowest hop. */
static double ring_pass(const LpCollectiveTeam *t, double bytes) {
    double slowest = 0;
    for (uint32_t i = 0; i < (t->hops == 1 ? 1 : t->n); i++) {
        double time = hop_time(hop_at(t, i), bytes / t->n);
        slowest = time > slowest ? time : slowest;
    }
    return (t->n - 1.0) * slowest;
}

static double ring_time(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    double pass = ring_pass(t, bytes), total = 0;
    if (reduces(op))
        total += pass + adds(t, bytes * (t->n - 1.0) / t->n);
    if (gathers(op))
        total += pass;
    return total;
}

/* ---- binomial tree ---- */

/* The whole of the bytes down or up every level. */
static double tree_whole(const LpCollectiveTeam *t, double bytes) {
    double total = 0;
    for (uint32_t i = 0; i < levels_of(t->n); i++)
        total += hop_time(hop_at(t, i), bytes);
    return total;
}

/* Members that the largest subtree below level i + 1 hands over at level i. */
static uint32_t subtree(uint32_t n, uint32_t i) {
    uint32_t whole = UINT32_C(1) << i;
    return n - whole < whole ? n - whole : whole;
}

/* Scatter and gather: at level i the half that the receiving subtree holds. */
static double tree_parts(const LpCollectiveTeam *t, double bytes) {
    double total = 0;
    for (uint32_t i = 0; i < levels_of(t->n); i++)
        total += hop_time(hop_at(t, i), bytes * subtree(t->n, i) / t->n);
    return total;
}

static double tree_time(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    double reduce = tree_whole(t, bytes) + levels_of(t->n) * adds(t, bytes);
    if (op == LP_REDUCE_SCATTER)
        return reduce + tree_parts(t, bytes);
    if (op == LP_ALL_GATHER)
        return tree_parts(t, bytes) + tree_whole(t, bytes);
    return reduce + tree_whole(t, bytes);
}

/* ---- recursive halving and doubling ---- */

static uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Bytes that the block of 2^i representatives from `first` on stands for, of a vector of `bytes`:
 * equal parts in an all-reduce, where everybody has the whole; else the members' own parts, of
 * which a representative of a folded pair has two. */
static double block_bytes(const LpCollectiveTeam *t, LpCollective op, uint32_t first, uint32_t size,
                          double bytes) {
    uint32_t power = power_below(t->n), folded = t->n - power;
    if (op == LP_ALL_REDUCE)
        return bytes * size / power;
    uint32_t twice = first < folded ? min_u32(size, folded - first) : 0;
    return bytes * (size + twice) / t->n;
}

/* One way: halves of halves, or the doubling back; the first block is the largest. */
static double halving_pass(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    double total = 0;
    uint32_t power = power_below(t->n);
    for (uint32_t i = 0; UINT32_C(1) << i < power; i++)
        total += hop_time(hop_at(t, i), block_bytes(t, op, 0, UINT32_C(1) << i, bytes));
    return total;
}

static double halving_adds(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    double sum = 0;
    for (uint32_t bit = 1; bit < power_below(t->n); bit *= 2)
        sum += block_bytes(t, op, 0, bit, bytes);
    return adds(t, sum);
}

static double halving_time(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    double total = 0, pass = halving_pass(t, op, bytes), share = bytes / t->n;
    if (reduces(op))
        total += pass + halving_adds(t, op, bytes);
    if (gathers(op))
        total += pass;
    if (power_below(t->n) == t->n)
        return total;
    total += reduces(op) ? hop_time(hop_at(t, 0), bytes) + adds(t, bytes)
                         : hop_time(hop_at(t, 0), share);
    return total + hop_time(hop_at(t, 0), gathers(op) ? bytes : share);
}

/* ---- hierarchical ---- */

static LpCollectiveTeam level(const LpCollectiveTeam *t, bool across) {
    LpCollectiveTeam ring = *t;
    ring.algorithm = LP_ALGORITHM_RING;
    ring.n = across ? t->n / t->group : t->group;
    ring.hops = 1;
    ring.hop = hop_at(t, across);
    return ring;
}

static double hierarchical_time(const LpCollectiveTeam *t, LpCollective op, double bytes) {
    LpCollectiveTeam inside = level(t, false), across = level(t, true);
    return lp_collective_time(&inside, op, bytes) +
           lp_collective_time(&across, op, bytes / t->group);
}

double lp_collective_time(const LpCollectiveTeam *team, LpCollective op, double bytes) {
    static double (*const times[LP_ALGORITHM_COUNT])(const LpCollectiveTeam *, LpCollective,
                                                     double) = {
        [LP_ALGORITHM_RING] = ring_time,
        [LP_ALGORITHM_TREE] = tree_time,
        [LP_ALGORITHM_HALVING] = halving_time,
        [LP_ALGORITHM_HIERARCHICAL] = hierarchical_time,
    };
    if (team->n < 2 || !(bytes > 0))
        return 0;
    return times[team->algorithm](team, op, bytes);
}

/* ---- who sends what ---- */

typedef struct Sends {
    LpSend *out;
    uint32_t count;
} Sends;

static void send(Sends *s, uint32_t from, uint32_t to, double bytes) {
    s->out[s->count++] = (LpSend){from, to, bytes};
}

static double passes(LpCollective op) {
    return (double)reduces(op) + (double)gathers(op);
}

/* A ring over `n` members from `first` on, `stride` apart. */
static void send_ring(Sends *s, uint32_t first, uint32_t stride, uint32_t n, double each) {
    for (uint32_t i = 0; n > 1 && i < n; i++)
        send(s, first + i * stride, first + (i + 1) % n * stride, each * (n - 1.0) / n);
}

/* Child c = parent + 2^i takes the members c .. c + 2^i - 1 below n. */
static void send_tree(Sends *s, const LpCollectiveTeam *t, LpCollective op, double bytes) {
    for (uint32_t i = 0; i < levels_of(t->n); i++)
        for (uint64_t c = UINT64_C(1) << i; c < t->n; c += UINT64_C(2) << i) {
            uint32_t child = (uint32_t)c, parent = child - (UINT32_C(1) << i);
            uint64_t below = t->n - c < UINT64_C(1) << i ? t->n - c : UINT64_C(1) << i;
            double parts = bytes * (double)below / t->n;
            send(s, child, parent, reduces(op) ? bytes : parts);
            send(s, parent, child, gathers(op) ? bytes : parts);
        }
}

/* Member i of the power of two: the first pairs are represented by their even members. */
static uint32_t representative(uint32_t i, uint32_t folded) {
    return i < folded ? 2 * i : i + folded;
}

/* Halving sends what the partner's block stands for, doubling what the own block does. */
static void send_halving(Sends *s, const LpCollectiveTeam *t, LpCollective op, double bytes) {
    uint32_t power = power_below(t->n), folded = t->n - power;
    double share = bytes / t->n;
    for (uint32_t i = 0; i < folded; i++) {
        send(s, 2 * i + 1, 2 * i, reduces(op) ? bytes : share);
        send(s, 2 * i, 2 * i + 1, gathers(op) ? bytes : share);
    }
    for (uint32_t bit = 1; bit < power; bit *= 2)
        for (uint32_t i = 0; i < power; i++) {
            uint32_t peer = i ^ bit;
            double sum = 0;
            if (reduces(op))
                sum += block_bytes(t, op, peer / bit * bit, bit, bytes);
            if (gathers(op))
                sum += block_bytes(t, op, i / bit * bit, bit, bytes);
            send(s, representative(i, folded), representative(peer, folded), sum);
        }
}

static void send_hierarchical(Sends *s, const LpCollectiveTeam *t, LpCollective op, double bytes) {
    uint32_t h = t->group, groups = t->n / h;
    for (uint32_t g = 0; g < groups; g++)
        send_ring(s, g * h, 1, h, passes(op) * bytes);
    for (uint32_t i = 0; i < h; i++)
        send_ring(s, i, h, groups, passes(op) * (bytes / h));
}

uint32_t lp_collective_sends_max(const LpCollectiveTeam *t) {
    switch (t->algorithm) {
    case LP_ALGORITHM_RING:
        return t->n;
    case LP_ALGORITHM_TREE:
    case LP_ALGORITHM_HIERARCHICAL:
        return 2 * t->n;
    case LP_ALGORITHM_HALVING:
    case LP_ALGORITHM_COUNT:
        break;
    }
    return t->n * (levels_of(t->n) + 2);
}

uint32_t lp_collective_sends(const LpCollectiveTeam *t, LpCollective op, double bytes,
                             LpSend *out) {
    Sends s = {out, 0};
    if (t->n < 2 || !(bytes > 0))
        return 0;
    if (t->algorithm == LP_ALGORITHM_RING)
        send_ring(&s, 0, 1, t->n, passes(op) * bytes);
    else if (t->algorithm == LP_ALGORITHM_TREE)
        send_tree(&s, t, op, bytes);
    else if (t->algorithm == LP_ALGORITHM_HALVING)
        send_halving(&s, t, op, bytes);
    else
        send_hierarchical(&s, t, op, bytes);
    return s.count;
}
