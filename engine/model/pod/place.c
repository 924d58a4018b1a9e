/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/mem.h"
#include "model/pod/place_impl.h"

/* ---- switched, whole cubes ---- */

void lp_pod_lay(const LpPod *pod, const LpSlice *s, const uint32_t *cubes, uint32_t *out) {
    uint32_t n = pod->cube, at[3];
    for (uint32_t x = 0; x < s->extent[0]; x++)
        for (uint32_t y = 0; y < s->extent[1]; y++)
            for (uint32_t z = 0; z < s->extent[2]; z++) {
                uint32_t o = (x / n * s->size[1] + y / n) * s->size[2] + z / n;
                at[0] = x % n, at[1] = y % n, at[2] = z % n;
                *out++ = lp_pod_number(pod, cubes[o], at);
            }
}

void lp_pod_cubes_of(const LpPod *pod, const LpSlice *s, const uint32_t *accelerators,
                     uint32_t *out) {
    uint32_t n = pod->cube;
    for (uint32_t o = 0; o < s->cubes; o++) {
        uint32_t i = o / s->size[2] / s->size[1], j = o / s->size[2] % s->size[1];
        uint32_t first = (i * n * s->extent[1] + j * n) * s->extent[2] + o % s->size[2] * n;
        out[o] = accelerators[first] / (n * n * n);
    }
}

/* Chosen cubes are kept in the tail of `out`, which has more room than cubes: n >= 2. */
static uint32_t *tail(const LpSlice *s, uint32_t *out) {
    return out + s->accelerators - s->cubes;
}

static bool enough(const LpPodSite *site, uint32_t cubes) {
    uint32_t usable = 0, wanted = cubes + site->rules.spares;
    for (uint32_t c = 0; c < site->pod->cubes && usable < wanted; c++)
        usable += site->usable(site->context, c);
    return usable >= wanted;
}

static void choose_lowest(const LpPodSite *site, const LpSlice *s, uint32_t *chosen) {
    uint32_t found = 0;
    for (uint32_t c = 0; found < s->cubes; c++)
        if (site->usable(site->context, c))
            chosen[found++] = c;
}

static bool among(const uint32_t *cubes, uint32_t count, uint32_t cube) {
    for (uint32_t i = 0; i < count; i++)
        if (cubes[i] == cube)
            return true;
    return false;
}

/* Cubes of a domain that are chosen, those that are left, and the lowest of these. */
typedef struct Domain {
    uint32_t taken, left, lowest;
} Domain;

static Domain look_at(const LpPodSite *site, uint32_t domain, const uint32_t *chosen,
                      uint32_t count) {
    uint32_t per = site->rules.cubes_per_domain, begin = domain * per;
    Domain d = {.lowest = LP_NO_INDEX};
    for (uint32_t c = begin; c < begin + per && c < site->pod->cubes; c++) {
        if (among(chosen, count, c)) {
            d.taken++;
        } else if (site->usable(site->context, c)) {
            d.lowest = d.left++ == 0 ? c : d.lowest;
        }
    }
    return d;
}

static void choose_spread(const LpPodSite *site, const LpSlice *s, uint32_t *chosen) {
    uint32_t per = site->rules.cubes_per_domain, domains = (site->pod->cubes + per - 1) / per;
    for (uint32_t k = 0; k < s->cubes; k++) {
        Domain best = {.lowest = LP_NO_INDEX};
        for (uint32_t d = 0; d < domains; d++) {
            Domain it = look_at(site, d, chosen, k);
            bool first = best.lowest == LP_NO_INDEX, fewer = it.taken < best.taken;
            bool better = first || fewer || (it.taken == best.taken && it.left > best.left);
            if (it.left > 0 && better)
                best = it;
        }
        chosen[k] = best.lowest;
    }
    for (uint32_t i = 1; i < s->cubes; i++) /* ascending in the ordinal */
        for (uint32_t k = i; k > 0 && chosen[k - 1] > chosen[k]; k--) {
            uint32_t swap = chosen[k];
            chosen[k] = chosen[k - 1];
            chosen[k - 1] = swap;
        }
}

static void choose(const LpPodSite *site, const LpSlice *s, bool spread, uint32_t *chosen) {
    if (spread)
        choose_spread(site, s, chosen);
    else
        choose_lowest(site, s, chosen);
}

/* Where one domain is all of the pod there is nothing to spread over. */
static bool spreads(const LpPodSite *site) {
    return site->rules.spread && site->rules.cubes_per_domain < site->pod->cubes;
}

/* Do both rules choose the same cubes? The tail of `out` has those of the rule that holds. */
static bool rules_agree(const LpPodSite *site, const LpSlice *s, uint32_t *out) {
    uint32_t first[LP_POD_ACCELERATORS_MAX / 8];
    memcpy(first, tail(s, out), s->cubes * sizeof *first);
    choose(site, s, !spreads(site), tail(s, out));
    return memcmp(first, tail(s, out), s->cubes * sizeof *first) == 0;
}

static bool next_switched(LpPodPlaces *p, const LpPodSite *site, const LpSlice *s, uint32_t *out) {
    bool again = p->begun, two = site->rules.cubes_per_domain < site->pod->cubes;
    p->looked += site->pod->cubes;
    if ((again && (p->spread != spreads(site) || !two)) || !enough(site, s->cubes))
        return false;
    p->begun = true;
    p->spread = again ? !spreads(site) : spreads(site);
    choose(site, s, spreads(site), tail(s, out));
    if (again && rules_agree(site, s, out))
        return false;
    const LpPod *pod = site->pod;
    uint32_t cubes[LP_POD_ACCELERATORS_MAX / 8];
    for (uint32_t o = 0; o < s->cubes; o++)
        cubes[o] = tail(s, out)[o];
    lp_pod_lay(pod, s, cubes, out);
    return true;
}

bool lp_pod_places_next(LpPodPlaces *places, const LpPodSite *site, const LpSlice *slice,
                        uint32_t *out) {
    if (slice->misfit != LP_SLICE_FITS)
        return false;
    if (slice->cubes > 0 && !site->pod->fixed)
        return next_switched(places, site, slice, out);
    if (!lp_pod_box_next(places, site, slice))
        return false;
    lp_pod_box_lay(site->pod, slice, &places->box, out);
    return true;
}

bool lp_pod_place(const LpPodSite *site, const LpSlice *slice, uint32_t *out) {
    LpPodPlaces places = {0};
    return lp_pod_places_next(&places, site, slice, out);
}

/* ---- the largest slice that is left ---- */

uint32_t lp_pod_largest(const LpPodSite *site, const uint32_t *taken, uint32_t count) {
    uint32_t usable = 0;
    if (site->pod->fixed)
        return lp_pod_largest_box(site, taken, count);
    for (uint32_t c = 0; c < site->pod->cubes; c++)
        usable += site->usable(site->context, c) && !among(taken, count, c);
    return usable > site->rules.spares ? usable - site->rules.spares : 0;
}
