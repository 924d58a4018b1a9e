/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/times.h"

static double rate(const LpPod *pod) {
    return pod->link_bandwidth * pod->efficiency;
}

static double alpha(const LpPod *pod, uint32_t hops) {
    return hops * pod->link_delay + 2 * pod->io_latency;
}

double lp_pod_all_to_all(const LpPod *pod, const LpSlice *slice, double load, uint32_t diameter,
                         double bytes) {
    if (slice->accelerators == 1)
        return 0;
    double efficiency = slice->twisted ? pod->twist_efficiency : 1;
    return alpha(pod, diameter) + load * bytes / (rate(pod) * efficiency);
}

/* One phase: the members of dimension d hold `bytes` each. A line of more than two is walked by a
 * ring folded onto it, in one direction. */
static double phase(const LpPod *pod, const LpSlice *slice, const LpPodRing *ring, int d,
                    double bytes) {
    uint32_t v = slice->extent[d];
    double steps = (double)v - 1, b = rate(pod);
    if (v == 1)
        return 0;
    if (slice->closed[d])
        return steps * (alpha(pod, ring->hops) + bytes * ring->load / (2 * v * b));
    if (v == 2)
        return alpha(pod, ring->hops) + bytes * ring->load / (2 * b);
    return steps * (alpha(pod, 2 * ring->hops) + bytes * ring->load / (v * b));
}

/* Reduce-scatter: `parts` parts, of which part p goes over dimension (p + i) mod 3 in phase i; a
 * phase lasts as long as its slowest part. */
static double scatter(const LpPod *pod, const LpSlice *slice, const LpPodRing ring[3], int parts,
                      double bytes) {
    double held[3], total = 0;
    for (int p = 0; p < parts; p++)
        held[p] = bytes / parts;
    for (int i = 0; i < 3; i++) {
        double slowest = 0;
        for (int p = 0; p < parts; p++) {
            int d = (p + i) % 3;
            double time = phase(pod, slice, &ring[d], d, held[p]);
            slowest = time > slowest ? time : slowest;
            held[p] /= slice->extent[d];
        }
        total += slowest;
    }
    return total;
}

double lp_pod_all_reduce(const LpPod *pod, const LpSlice *slice, const LpPodRing ring[3],
                         double bytes) {
    return 2 * scatter(pod, slice, ring, pod->sequential ? 1 : 3, bytes);
}

double lp_pod_scatter(const LpPod *pod, const LpSlice *slice, const LpPodRing ring[3],
                      double bytes) {
    static const LpPodRing intact[3] = {{1, 1}, {1, 1}, {1, 1}};
    return scatter(pod, slice, ring != NULL ? ring : intact, pod->sequential ? 1 : 3, bytes);
}

double lp_pod_send(const LpPod *pod, uint32_t hops, double bytes) {
    return alpha(pod, hops) + bytes / rate(pod);
}
