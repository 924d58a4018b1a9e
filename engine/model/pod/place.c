/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/place.h"

#include "base/mem.h"

static uint32_t number_of(const LpPod *pod, uint32_t cube, const uint32_t at[3]) {
    uint32_t n = pod->cube;
    return cube * n * n * n + (at[0] * n + at[1]) * n + at[2];
}

/* ---- orientations: which dimension of the slice lies along each axis ---- */

typedef struct Oriented {
    uint32_t size[3]; /* along the axes */
    int dim[3];       /* of the slice, whose size that is */
} Oriented;

/* Distinct ones, descending. Sizes ascend, so does the dimension among equal ones. */
static int orientations(const uint32_t size[3], Oriented out[6]) {
    static const int way[6][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};
    int count = 0;
    for (int w = 5; w >= 0; w--) { /* of equal ones the way with the lower dimensions stays */
        Oriented o;
        bool again = false;
        for (int axis = 0; axis < 3; axis++) {
            o.dim[axis] = way[w][axis];
            o.size[axis] = size[way[w][axis]];
        }
        for (int i = 0; i < count; i++)
            again = again || (out[i].size[0] == o.size[0] && out[i].size[1] == o.size[1] &&
                              out[i].size[2] == o.size[2]);
        if (!again)
            out[count++] = o;
    }
    for (int i = 0; i < count / 2; i++) { /* found ascending */
        Oriented swap = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = swap;
    }
    return count;
}

/* ---- switched, whole cubes ---- */

void lp_pod_lay(const LpPod *pod, const LpSlice *s, const uint32_t *cubes, uint32_t *out) {
    uint32_t n = pod->cube, at[3];
    for (uint32_t x = 0; x < s->extent[0]; x++)
        for (uint32_t y = 0; y < s->extent[1]; y++)
            for (uint32_t z = 0; z < s->extent[2]; z++) {
                uint32_t o = (x / n * s->size[1] + y / n) * s->size[2] + z / n;
                at[0] = x % n, at[1] = y % n, at[2] = z % n;
                *out++ = number_of(pod, cubes[o], at);
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

static bool lay_chosen(const LpPod *pod, const LpSlice *s, uint32_t *out) {
    uint32_t cubes[LP_POD_ACCELERATORS_MAX / 8];
    for (uint32_t o = 0; o < s->cubes; o++)
        cubes[o] = tail(s, out)[o];
    lp_pod_lay(pod, s, cubes, out);
    return true;
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

static bool place_switched(const LpPodSite *site, const LpSlice *s, uint32_t *out) {
    if (!enough(site, s->cubes))
        return false;
    if (site->rules.spread && site->rules.cubes_per_domain < site->pod->cubes)
        choose_spread(site, s, tail(s, out));
    else
        choose_lowest(site, s, tail(s, out));
    return lay_chosen(site->pod, s, out);
}

/* ---- a part of one cube ---- */

static bool take_box(const LpPodSite *site, const LpSlice *s, const Oriented *o, uint32_t cube,
                     const uint32_t origin[3], uint32_t *out) {
    uint32_t at[3];
    for (at[0] = origin[0]; at[0] < origin[0] + o->size[0]; at[0]++)
        for (at[1] = origin[1]; at[1] < origin[1] + o->size[1]; at[1]++)
            for (at[2] = origin[2]; at[2] < origin[2] + o->size[2]; at[2]++) {
                uint32_t in[3], accelerator = number_of(site->pod, cube, at);
                for (int axis = 0; axis < 3; axis++)
                    in[o->dim[axis]] = at[axis] - origin[axis];
                if (!site->has(site->context, accelerator))
                    return false;
                out[(in[0] * s->extent[1] + in[1]) * s->extent[2] + in[2]] = accelerator;
            }
    return true;
}

static bool place_in_cube(const LpPodSite *site, const LpSlice *s, uint32_t cube, uint32_t *out) {
    Oriented o[6];
    uint32_t n = site->pod->cube, at[3];
    int ways = orientations(s->extent, o);
    for (int w = 0; w < ways; w++)
        for (at[0] = 0; at[0] < n; at[0] += o[w].size[0])
            for (at[1] = 0; at[1] < n; at[1] += o[w].size[1])
                for (at[2] = 0; at[2] < n; at[2] += o[w].size[2])
                    if (take_box(site, s, &o[w], cube, at, out))
                        return true;
    return false;
}

/* Cubes by how many are free in them, from as many as the part needs; or all in order. */
static bool place_part(const LpPodSite *site, const LpSlice *s, uint32_t *out) {
    uint32_t n = site->pod->cube, full = n * n * n;
    uint32_t free = s->accelerators, next = full;
    for (; free <= full; free = next) { /* next: the fewest that are more than `free` */
        next = full + 1;
        for (uint32_t c = 0; c < site->pod->cubes; c++) {
            uint32_t has = site->free(site->context, c);
            bool turn = site->rules.sub_lowest ? has >= free : has == free;
            if (turn && place_in_cube(site, s, c, out))
                return true;
            if (has > free && has < next)
                next = has;
        }
        if (site->rules.sub_lowest)
            return false;
    }
    return false;
}

/* ---- static wiring: a box of the grid ---- */

static uint32_t cell(const LpPod *pod, const uint32_t origin[3], const uint32_t at[3]) {
    uint32_t number = 0;
    for (int axis = 0; axis < 3; axis++)
        number = number * pod->grid[axis] + (origin[axis] + at[axis]) % pod->grid[axis];
    return number;
}

static bool box_usable(const LpPodSite *site, const Oriented *o, const uint32_t origin[3]) {
    uint32_t at[3];
    for (at[0] = 0; at[0] < o->size[0]; at[0]++)
        for (at[1] = 0; at[1] < o->size[1]; at[1]++)
            for (at[2] = 0; at[2] < o->size[2]; at[2]++)
                if (!site->usable(site->context, cell(site->pod, origin, at)))
                    return false;
    return true;
}

/* Slice coordinates turn with the box, inside of cubes, too. */
static void lay_box(const LpPod *pod, const LpSlice *s, const Oriented *o, const uint32_t origin[3],
                    uint32_t *out) {
    uint32_t n = pod->cube, in[3];
    for (in[0] = 0; in[0] < s->extent[0]; in[0]++)
        for (in[1] = 0; in[1] < s->extent[1]; in[1]++)
            for (in[2] = 0; in[2] < s->extent[2]; in[2]++) {
                uint32_t cube[3], inner[3];
                for (int axis = 0; axis < 3; axis++) {
                    cube[axis] = in[o->dim[axis]] / n;
                    inner[axis] = in[o->dim[axis]] % n;
                }
                *out++ = number_of(pod, cell(pod, origin, cube), inner);
            }
}

/* Along a dimension that the box spans, only 0. */
static uint32_t origins(const LpPod *pod, const Oriented *o, int axis) {
    return o->size[axis] == pod->grid[axis] ? 1 : pod->grid[axis];
}

static bool fits_grid(const LpPod *pod, const Oriented *o) {
    return o->size[0] <= pod->grid[0] && o->size[1] <= pod->grid[1] && o->size[2] <= pod->grid[2];
}

static bool place_fixed(const LpPodSite *site, const LpSlice *s, uint32_t *out) {
    const LpPod *pod = site->pod;
    Oriented o[6];
    uint32_t at[3];
    int ways = orientations(s->size, o);
    for (int w = 0; w < ways; w++)
        for (at[0] = 0; fits_grid(pod, &o[w]) && at[0] < origins(pod, &o[w], 0); at[0]++)
            for (at[1] = 0; at[1] < origins(pod, &o[w], 1); at[1]++)
                for (at[2] = 0; at[2] < origins(pod, &o[w], 2); at[2]++)
                    if (box_usable(site, &o[w], at)) {
                        lay_box(pod, s, &o[w], at, out);
                        return true;
                    }
    return false;
}

bool lp_pod_place(const LpPodSite *site, const LpSlice *slice, uint32_t *out) {
    if (slice->misfit != LP_SLICE_FITS)
        return false;
    if (slice->cubes == 0)
        return place_part(site, slice, out);
    return site->pod->fixed ? place_fixed(site, slice, out) : place_switched(site, slice, out);
}
