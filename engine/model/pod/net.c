/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of a slice, searches by breadth in them, and loads of rings. */
#include "model/pod/net.h"

#include <string.h>

#include "base/mem.h"
#include "model/pod/net_impl.h"

/* ---- links ---- */

void lp_pod_place_of(const LpSlice *s, uint32_t node, uint32_t at[3]) {
    at[0] = node / s->extent[2] / s->extent[1];
    at[1] = node / s->extent[2] % s->extent[1];
    at[2] = node % s->extent[2];
}

uint32_t lp_pod_number_of(const LpSlice *s, const uint32_t at[3]) {
    return (at[0] * s->extent[1] + at[1]) * s->extent[2] + at[2];
}

/* Through the end of dimension d, ahead or back: twists add cubes along others. */
static uint32_t pass_end(const LpPod *pod, const LpSlice *s, uint32_t at[3], int d, int side) {
    if (!s->closed[d])
        return LP_NO_INDEX;
    at[d] = side == 0 ? 0 : s->extent[d] - 1;
    for (int e = 0; e < 3; e++) {
        uint32_t shift = s->shift[d][e] * pod->cube;
        at[e] = (at[e] + (side == 0 ? shift : s->extent[e] - shift)) % s->extent[e];
    }
    return lp_pod_number_of(s, at);
}

uint32_t lp_pod_link(const LpPod *pod, const LpSlice *s, uint32_t node, int d, int side) {
    uint32_t at[3];
    lp_pod_place_of(s, node, at);
    uint32_t end = side == 0 ? s->extent[d] - 1 : 0;
    if (at[d] == end)
        return pass_end(pod, s, at, d, side);
    at[d] += side == 0 ? 1 : UINT32_MAX; /* one less */
    return lp_pod_number_of(s, at);
}

/* The switch d n^2 + q of an accelerator's link on a face; LP_NO_INDEX where it is copper. */
static uint32_t switch_of(const LpPod *pod, const LpSlice *s, uint32_t node, int d, int side) {
    uint32_t at[3], q = 0, n = pod->cube;
    lp_pod_place_of(s, node, at);
    if (s->cubes == 0 || at[d] % n != (side == 0 ? n - 1 : 0))
        return LP_NO_INDEX;
    for (int e = 0; e < 3; e++)
        if (e != d)
            q = q * n + at[e] % n;
    return (uint32_t)d * n * n + q;
}

/* ---- what is dead ---- */

static LpErr check_dead(const LpPod *pod, const LpPodDead *dead, LpDiag *diag) {
    uint32_t switches = lp_pod_switches(pod);
    bool cable = dead->kind == LP_POD_CABLE;
    uint32_t most = cable ? 2 * switches * pod->cubes : switches;
    if (pod->fixed)
        return lp_fail(diag, LP_EINVAL,
                       "static wiring has neither switches nor their cables, expected none dead");
    if (dead->index >= most)
        return lp_fail(diag, LP_EINVAL, "%s %u: the pod has %u, expected a number from 0 to %u",
                       cable ? "cable" : "switch", dead->index, most, most - 1);
    return LP_OK;
}

/* Does the circuit between the + face of ordinal `o` and the - face of `next` hang on it? */
static bool hits(const LpPod *pod, const LpPodDead *dead, uint32_t port, uint32_t o,
                 uint32_t next) {
    uint32_t n2 = pod->cube * pod->cube, d = port / n2, q = port % n2;
    if (dead->kind == LP_POD_SWITCH)
        return dead->index == port;
    return dead->index == o * 6 * n2 + d * 2 * n2 + q ||
           dead->index == next * 6 * n2 + d * 2 * n2 + n2 + q;
}

static uint32_t cube_of(const LpPod *pod, const LpSlice *s, uint32_t node) {
    uint32_t at[3], n = pod->cube;
    lp_pod_place_of(s, node, at);
    return (at[0] / n * s->size[1] + at[1] / n) * s->size[2] + at[2] / n;
}

/* The dead thing on which the link of an accelerator hangs; NULL: none. */
static const LpPodDead *dead_at(const LpPod *pod, const LpSlice *s, const LpPodDead *dead,
                                size_t deads, uint32_t node, int d) {
    uint32_t port = switch_of(pod, s, node, d, 0);
    uint32_t to = lp_pod_link(pod, s, node, d, 0);
    if (port == LP_NO_INDEX || to == LP_NO_INDEX)
        return NULL;
    for (size_t i = 0; i < deads; i++)
        if (hits(pod, &dead[i], port, cube_of(pod, s, node), cube_of(pod, s, to)))
            return &dead[i];
    return NULL;
}

LpErr lp_pod_net(const LpPod *pod, const LpSlice *s, const LpPodDead *dead, size_t deads,
                 LpPodNet *out, LpDiag *diag) {
    LpPodNet net = {.nodes = s->accelerators};
    for (size_t i = 0; i < deads; i++)
        LP_TRY(check_dead(pod, &dead[i], diag));
    net.to = lp_alloc(net.nodes, LP_POD_SIDES * sizeof *net.to);
    if (net.to == NULL)
        return lp_fail_memory(diag, "the links of a slice");
    memset(net.to, 0xff, (size_t)net.nodes * LP_POD_SIDES * sizeof *net.to);
    for (uint32_t node = 0; node < net.nodes; node++)
        for (int d = 0; d < 3; d++) {
            uint32_t to = lp_pod_link(pod, s, node, d, 0);
            const LpPodDead *by = dead_at(pod, s, dead, deads, node, d);
            net.lost += by != NULL;
            net.odd = net.odd || (by != NULL && by->kind == LP_POD_CABLE);
            if (by == NULL && to != LP_NO_INDEX) {
                net.to[(size_t)LP_POD_SIDES * node + 2 * (size_t)d] = to;
                net.to[(size_t)LP_POD_SIDES * to + 2 * (size_t)d + 1] = node;
                net.links += 2;
            }
        }
    *out = net;
    return LP_OK;
}

void lp_pod_net_fini(LpPodNet *net) {
    lp_free(net->to);
    net->to = NULL;
}

/* ---- what looks alike ---- */

/* Along one dimension: the coordinate that stands for `at`. */
static uint32_t alike_along(const LpPod *pod, const LpSlice *s, const LpPodNet *net, int d,
                            uint32_t at, bool *flip) {
    uint32_t back = s->extent[d] - 1 - at;
    *flip = false;
    if (net->odd)
        return at;
    if (s->closed[d])
        return net->lost > 0 ? at % pod->cube : 0;
    *flip = s->extent[d] % 2 == 0 && back < at;
    return *flip ? back : at;
}

uint32_t lp_pod_alike(const LpPod *pod, const LpSlice *s, const LpPodNet *net, uint32_t node,
                      unsigned *flip) {
    uint32_t at[3];
    unsigned flips = 0;
    lp_pod_place_of(s, node, at);
    for (int d = 0; d < 3; d++) {
        bool turned;
        at[d] = alike_along(pod, s, net, d, at[d], &turned);
        flips |= turned ? 1u << d : 0;
    }
    if (flip != NULL)
        *flip = flips;
    return lp_pod_number_of(s, at);
}

uint32_t lp_pod_alike_link(const LpPod *pod, const LpSlice *s, const LpPodNet *net, uint32_t link) {
    unsigned flip;
    uint32_t node = lp_pod_alike(pod, s, net, link / LP_POD_SIDES, &flip),
             side = link % LP_POD_SIDES;
    return LP_POD_SIDES * node + (side ^ (flip >> side / 2 & 1));
}

uint32_t lp_pod_sources(const LpPod *pod, const LpSlice *slice, const LpPodNet *net,
                        uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < net->nodes; v++)
        if (lp_pod_alike(pod, slice, net, v, NULL) == v)
            out[count++] = v;
    return count;
}

/* ---- searches by breadth ---- */

void lp_pod_search_fini(LpPodSearch *s) {
    lp_free(s->hops);
    lp_free(s->queue);
    lp_free(s->ways);
    lp_free(s->share);
}

LpErr lp_pod_search_init(LpPodSearch *s, const LpPodNet *net, LpDiag *diag) {
    *s = (LpPodSearch){.net = net};
    s->hops = lp_alloc(net->nodes, sizeof *s->hops);
    s->queue = lp_alloc(net->nodes, sizeof *s->queue);
    s->ways = lp_alloc(net->nodes, sizeof *s->ways);
    s->share = lp_alloc(net->nodes, sizeof *s->share);
    if (!s->hops || !s->queue || !s->ways || !s->share) {
        lp_pod_search_fini(s);
        return lp_fail_memory(diag, "distances in a slice");
    }
    memset(s->hops, 0xff, net->nodes * sizeof *s->hops);
    return LP_OK;
}

void lp_pod_search(LpPodSearch *s, uint32_t source, uint32_t target) {
    for (uint32_t i = 0; i < s->found; i++)
        s->hops[s->queue[i]] = LP_NO_INDEX;
    s->found = 0;
    s->hops[source] = 0;
    s->ways[source] = 1;
    s->queue[s->found++] = source;
    for (uint32_t head = 0; head < s->found; head++) {
        uint32_t v = s->queue[head];
        if (target != LP_NO_INDEX && s->hops[v] >= s->hops[target])
            return;
        for (int k = 0; k < LP_POD_SIDES; k++) {
            uint32_t w = s->net->to[(size_t)LP_POD_SIDES * v + (size_t)k];
            if (w == LP_NO_INDEX)
                continue;
            if (s->hops[w] == LP_NO_INDEX) {
                s->hops[w] = s->hops[v] + 1;
                s->ways[w] = 0;
                s->queue[s->found++] = w;
            }
            if (s->hops[w] == s->hops[v] + 1)
                s->ways[w] += s->ways[v];
        }
    }
}

void lp_pod_search_send(LpPodSearch *s, double *load) {
    for (uint32_t i = 0; i < s->found; i++)
        s->share[s->queue[i]] = 0;
    for (uint32_t i = s->found; i-- > 0;) {
        uint32_t v = s->queue[i];
        for (uint32_t link = LP_POD_SIDES * v; link < LP_POD_SIDES * (v + 1); link++) {
            uint32_t w = s->net->to[link];
            if (w == LP_NO_INDEX || s->hops[w] != s->hops[v] + 1)
                continue;
            double part = s->ways[v] / s->ways[w] * (1 + s->share[w]);
            s->share[v] += part;
            load[link] += part;
        }
    }
}

LpErr lp_pod_fail_apart(const LpPodNet *net, uint32_t from, uint32_t reached, LpDiag *diag) {
    return lp_fail(diag, LP_EREFUSED,
                   "what is left of the slice falls apart: accelerator %u reaches %u of the %u, "
                   "expected all",
                   from, reached, net->nodes);
}

LpErr lp_pod_distances(const LpPodNet *net, const uint32_t *from, uint32_t sources,
                       uint32_t *diameter, double *sum, LpDiag *diag) {
    LpPodSearch s;
    uint32_t longest = 0;
    double total = 0;
    LpErr err = LP_OK;
    LP_TRY(lp_pod_search_init(&s, net, diag));
    for (uint32_t i = 0; i < sources && err == LP_OK; i++) {
        lp_pod_search(&s, from[i], LP_NO_INDEX);
        if (s.found < net->nodes)
            err = lp_pod_fail_apart(net, from[i], s.found, diag);
        for (uint32_t k = 0; k < s.found; k++) {
            uint32_t hops = s.hops[s.queue[k]];
            longest = hops > longest ? hops : longest;
            total += hops;
        }
    }
    lp_pod_search_fini(&s);
    if (err == LP_OK) {
        *diameter = longest;
        *sum = total;
    }
    return err;
}

/* ---- rings ---- */

/* Adds a unit from the searched source to the target, split over all shortest ways, back from it.
 */
static void spread(LpPodSearch *s, uint32_t target, double *load) {
    for (uint32_t i = 0; i < s->found; i++)
        s->share[s->queue[i]] = 0;
    s->share[target] = 1;
    for (uint32_t i = s->found; i-- > 0;) {
        uint32_t v = s->queue[i];
        if (s->hops[v] >= s->hops[target])
            continue;
        for (size_t k = 0; k < LP_POD_SIDES; k++) {
            uint32_t w = s->net->to[LP_POD_SIDES * (size_t)v + k];
            if (w == LP_NO_INDEX || s->hops[w] != s->hops[v] + 1 || !(s->share[w] > 0))
                continue;
            double part = s->share[w] * s->ways[v] / s->ways[w];
            s->share[v] += part;
            load[LP_POD_SIDES * (size_t)v + k] += part;
        }
    }
}

static bool lies_in(const LpSlice *slice, const uint32_t extent[3], uint32_t node) {
    uint32_t at[3];
    lp_pod_place_of(slice, node, at);
    return at[0] < extent[0] && at[1] < extent[1] && at[2] < extent[2];
}

LpErr lp_pod_ring_load(const LpPod *pod, const LpSlice *slice, const uint32_t extent[3],
                       LpPodSearch *s, int d, double *load, LpPodRing *out, LpDiag *diag) {
    LpPodRing ring = {0, 1};
    memset(load, 0, LP_POD_SIDES * (size_t)s->net->nodes * sizeof *load);
    for (uint32_t v = 0; v < s->net->nodes; v++)
        for (int side = 0; side < 2 && lies_in(slice, extent, v); side++) {
            uint32_t to = lp_pod_link(pod, slice, v, d, side);
            if (to == LP_NO_INDEX || to == v || !lies_in(slice, extent, to))
                continue;
            lp_pod_search(s, v, to);
            if (s->hops[to] == LP_NO_INDEX)
                return lp_pod_fail_apart(s->net, v, s->found, diag);
            ring.hops = s->hops[to] > ring.hops ? s->hops[to] : ring.hops;
            spread(s, to, load);
        }
    for (size_t k = 0; k < LP_POD_SIDES * (size_t)s->net->nodes; k++)
        ring.load = load[k] > ring.load ? load[k] : ring.load;
    *out = ring;
    return LP_OK;
}

LpErr lp_pod_ring(const LpPod *pod, const LpSlice *slice, const LpPodNet *net, int d,
                  LpPodRing *out, LpDiag *diag) {
    LpPodSearch s;
    if (net->lost == 0) {
        *out = (LpPodRing){1, 1};
        return LP_OK;
    }
    LP_TRY(lp_pod_search_init(&s, net, diag));
    double *load = lp_alloc(net->nodes, LP_POD_SIDES * sizeof *load);
    LpErr err = load == NULL ? lp_fail_memory(diag, "the load of rings")
                             : lp_pod_ring_load(pod, slice, slice->extent, &s, d, load, out, diag);
    lp_free(load);
    lp_pod_search_fini(&s);
    return err;
}
