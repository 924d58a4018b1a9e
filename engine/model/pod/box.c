/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places that are boxes: of whole cubes in the grid of static wiring, and of a part in its cube. */
#include <string.h>

#include "base/mem.h"
#include "model/pod/place_impl.h"

/* ---- orientations: which dimension of the slice lies along each axis ---- */

typedef struct Oriented {
    uint32_t size[3]; /* along the axes */
    uint32_t dim[3];  /* of the slice, whose size that is */
} Oriented;

/* Distinct ones, descending. Sizes ascend, so does the dimension among equal ones. */
static uint32_t orientations(const uint32_t size[3], Oriented out[6]) {
    static const uint32_t way[6][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0},
                                       {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};
    uint32_t count = 0;
    for (int w = 5; w >= 0; w--) { /* of equal ones the way with the lower dimensions stays */
        Oriented o;
        bool again = false;
        for (int axis = 0; axis < 3; axis++) {
            o.dim[axis] = way[w][axis];
            o.size[axis] = size[way[w][axis]];
        }
        for (uint32_t i = 0; i < count; i++)
            again = again || memcmp(out[i].size, o.size, sizeof o.size) == 0;
        if (!again)
            out[count++] = o;
    }
    for (uint32_t i = 0; i < count / 2; i++) { /* found ascending */
        Oriented swap = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = swap;
    }
    return count;
}

static uint32_t orient(const LpSlice *s, Oriented out[6]) {
    return orientations(s->cubes > 0 ? s->size : s->extent, out);
}

/* ---- one box ---- */

static uint32_t cell(const LpPod *pod, const uint32_t origin[3], const uint32_t at[3]) {
    uint32_t number = 0;
    for (int axis = 0; axis < 3; axis++)
        number = number * pod->grid[axis] + (origin[axis] + at[axis]) % pod->grid[axis];
    return number;
}

/* How far origins are apart along an axis, and where they end. Along a dimension that a box of the
 * grid spans, only 0. */
static uint32_t stride(const LpSlice *s, const uint32_t size[3], int axis) {
    return s->cubes > 0 ? 1 : size[axis];
}

static uint32_t origins(const LpPod *pod, const LpSlice *s, const uint32_t size[3], int axis) {
    if (s->cubes == 0)
        return pod->cube;
    if (size[axis] > pod->grid[axis])
        return 0;
    return size[axis] == pod->grid[axis] ? 1 : pod->grid[axis];
}

bool lp_pod_box_at(const LpPod *pod, const LpSlice *s, uint32_t cube, const uint32_t origin[3],
                   const uint32_t size[3], LpPodBox *out) {
    Oriented o[6];
    uint32_t ways = orient(s, o);
    if (s->cubes == 0 ? cube >= pod->cubes : !pod->fixed)
        return false;
    for (uint32_t w = 0; w < ways; w++) {
        if (memcmp(o[w].size, size, sizeof o[w].size) != 0)
            continue;
        for (int axis = 0; axis < 3; axis++)
            if (origin[axis] >= origins(pod, s, size, axis) ||
                origin[axis] % stride(s, size, axis) != 0)
                return false;
        *out = (LpPodBox){.cube = s->cubes == 0 ? cube : LP_NO_INDEX};
        memcpy(out->origin, origin, sizeof out->origin);
        memcpy(out->size, o[w].size, sizeof out->size);
        memcpy(out->dim, o[w].dim, sizeof out->dim);
        return true;
    }
    return false;
}

/* The accelerator at slice coordinates, which turn with the box, inside of cubes, too. */
static uint32_t accelerator(const LpPod *pod, const LpSlice *s, const LpPodBox *box,
                            const uint32_t in[3]) {
    uint32_t n = pod->cube, cube[3], inner[3];
    for (int axis = 0; axis < 3; axis++) {
        uint32_t at = in[box->dim[axis]];
        cube[axis] = at / n;
        inner[axis] = s->cubes > 0 ? at % n : box->origin[axis] + at;
    }
    return lp_pod_number(pod, s->cubes > 0 ? cell(pod, box->origin, cube) : box->cube, inner);
}

void lp_pod_box_lay(const LpPod *pod, const LpSlice *s, const LpPodBox *box, uint32_t *out) {
    uint32_t in[3];
    for (in[0] = 0; in[0] < s->extent[0]; in[0]++)
        for (in[1] = 0; in[1] < s->extent[1]; in[1]++)
            for (in[2] = 0; in[2] < s->extent[2]; in[2]++)
                *out++ = accelerator(pod, s, box, in);
}

static bool is_laid(const LpPod *pod, const LpSlice *s, const LpPodBox *box,
                    const uint32_t *accelerators) {
    uint32_t in[3];
    for (in[0] = 0; in[0] < s->extent[0]; in[0]++)
        for (in[1] = 0; in[1] < s->extent[1]; in[1]++)
            for (in[2] = 0; in[2] < s->extent[2]; in[2]++)
                if (*accelerators++ != accelerator(pod, s, box, in))
                    return false;
    return true;
}

/* The first accelerator of a slice lies at the origin of its box. */
static void origin_of(const LpPod *pod, const LpSlice *s, uint32_t first, uint32_t origin[3]) {
    uint32_t n = pod->cube, number = s->cubes > 0 ? first / (n * n * n) : first % (n * n * n);
    const uint32_t inside[3] = {n, n, n};
    const uint32_t *extent = s->cubes > 0 ? pod->grid : inside;
    origin[0] = number / extent[2] / extent[1];
    origin[1] = number / extent[2] % extent[1];
    origin[2] = number % extent[2];
}

bool lp_pod_box_find(const LpPod *pod, const LpSlice *s, const uint32_t *accelerators,
                     LpPodBox *out) {
    Oriented o[6];
    LpPodBox box;
    uint32_t n = pod->cube, origin[3], ways = orient(s, o);
    if (accelerators[0] >= n * n * n * pod->cubes)
        return false;
    origin_of(pod, s, accelerators[0], origin);
    for (uint32_t w = 0; w < ways; w++)
        if (lp_pod_box_at(pod, s, accelerators[0] / (n * n * n), origin, o[w].size, &box) &&
            is_laid(pod, s, &box, accelerators)) {
            *out = box;
            return true;
        }
    return false;
}

LpSlice lp_pod_box_slice(const LpPod *pod, const LpSlice *s, const LpPodBox *box) {
    LpSlice out = *s;
    for (int axis = 0; axis < 3 && pod->fixed && s->cubes > 0; axis++)
        out.closed[box->dim[axis]] = box->size[axis] == pod->grid[axis];
    return out;
}

LpSlice lp_pod_slice_on(const LpPod *pod, const LpSlice *s, const uint32_t *accelerators) {
    const uint32_t *grid = pod->grid;
    LpPodBox box;
    bool alike = grid[0] == grid[1] && grid[1] == grid[2];
    if (!pod->fixed || s->cubes == 0 || alike || !lp_pod_box_find(pod, s, accelerators, &box))
        return *s;
    return lp_pod_box_slice(pod, s, &box);
}

static bool open_at(const LpPodSite *site, const LpSlice *s, const LpPodBox *box,
                    const uint32_t at[3]) {
    uint32_t inner[3];
    if (s->cubes > 0)
        return site->usable(site->context, cell(site->pod, box->origin, at));
    for (int axis = 0; axis < 3; axis++)
        inner[axis] = box->origin[axis] + at[axis];
    return site->has(site->context, lp_pod_number(site->pod, box->cube, inner));
}

static bool is_open(const LpPodSite *site, const LpSlice *s, const LpPodBox *box,
                    uint64_t *looked) {
    uint32_t at[3];
    for (at[0] = 0; at[0] < box->size[0]; at[0]++)
        for (at[1] = 0; at[1] < box->size[1]; at[1]++)
            for (at[2] = 0; at[2] < box->size[2]; at[2]++) {
                ++*looked;
                if (!open_at(site, s, box, at))
                    return false;
            }
    return true;
}

bool lp_pod_box_open(const LpPodSite *site, const LpSlice *slice, const LpPodBox *box) {
    uint64_t looked = 0;
    return is_open(site, slice, box, &looked);
}

/* ---- one after the other ---- */

/* The next origin of an orientation; false: that was the last one. */
static bool move(const LpPod *pod, const LpSlice *s, LpPodBox *box) {
    for (int axis = 2; axis >= 0; axis--) {
        box->origin[axis] += stride(s, box->size, axis);
        if (box->origin[axis] < origins(pod, s, box->size, axis))
            return true;
        box->origin[axis] = 0;
    }
    return false;
}

static bool fits(const LpPod *pod, const LpSlice *s, const uint32_t size[3]) {
    return origins(pod, s, size, 0) > 0 && origins(pod, s, size, 1) > 0 &&
           origins(pod, s, size, 2) > 0;
}

/* Turns to the next orientation from `way` on that fits anywhere, at its first origin. */
static bool turn(LpPodPlaces *p, const LpPod *pod, const LpSlice *s, uint32_t way) {
    Oriented o[6];
    uint32_t ways = orient(s, o);
    while (way < ways && !fits(pod, s, o[way].size))
        way++;
    if (way == ways)
        return false;
    p->way = way;
    memset(p->box.origin, 0, sizeof p->box.origin);
    memcpy(p->box.size, o[way].size, sizeof p->box.size);
    memcpy(p->box.dim, o[way].dim, sizeof p->box.dim);
    return true;
}

/* The cube that is tried next for a part, in the order of the rule: from `cube` on those that have
 * just `free`, then the first one of those with the fewest that are more. */
static bool next_cube(LpPodPlaces *p, const LpPodSite *site, const LpSlice *s, uint32_t cube) {
    uint32_t n = site->pod->cube, none = n * n * n + 1;
    for (;;) {
        uint32_t more = none;
        for (uint32_t c = 0; c < site->pod->cubes; c++) {
            uint32_t has = site->free(site->context, c);
            bool is = site->rules.sub_lowest ? has >= s->accelerators : has == p->free;
            if (is && c >= cube) {
                p->box.cube = c;
                return true;
            }
            more = has > p->free && has < more ? has : more;
        }
        p->looked += site->pod->cubes;
        if (site->rules.sub_lowest || more == none)
            return false;
        p->free = more;
        cube = 0;
    }
}

static bool begin(LpPodPlaces *p, const LpPodSite *site, const LpSlice *s) {
    p->begun = true;
    p->box.cube = LP_NO_INDEX;
    p->free = s->accelerators;
    return turn(p, site->pod, s, 0) && (s->cubes > 0 || next_cube(p, site, s, 0));
}

static bool advance(LpPodPlaces *p, const LpPodSite *site, const LpSlice *s) {
    if (!p->begun)
        return begin(p, site, s);
    if (move(site->pod, s, &p->box) || turn(p, site->pod, s, p->way + 1))
        return true;
    return s->cubes == 0 && next_cube(p, site, s, p->box.cube + 1) && turn(p, site->pod, s, 0);
}

bool lp_pod_box_next(LpPodPlaces *places, const LpPodSite *site, const LpSlice *slice) {
    while (advance(places, site, slice))
        if (is_open(site, slice, &places->box, &places->looked))
            return true;
    return false;
}

/* ---- the largest box ---- */

typedef struct Less {
    const LpPodSite *site;
    const uint32_t *taken;
    uint32_t count;
} Less;

static bool usable_less(const void *context, uint32_t cube) {
    const Less *l = context;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->taken[i] == cube)
            return false;
    return l->site->usable(l->site->context, cube);
}

static bool any_box(const LpPodSite *site, const uint32_t size[3]) {
    LpSlice box = {.cubes = size[0] * size[1] * size[2]};
    LpPodPlaces places = {.begun = true, .box = {.cube = LP_NO_INDEX}};
    memcpy(places.box.size, size, sizeof places.box.size);
    do {
        if (is_open(site, &box, &places.box, &places.looked))
            return true;
    } while (move(site->pod, &box, &places.box));
    return false;
}

uint32_t lp_pod_largest_box(const LpPodSite *site, const uint32_t *taken, uint32_t count) {
    Less less = {site, taken, count};
    LpPodSite left = {.pod = site->pod, .context = &less, .usable = usable_less};
    const uint32_t *grid = site->pod->grid;
    uint32_t best = 0, size[3];
    for (size[0] = 1; size[0] <= grid[0]; size[0]++)
        for (size[1] = 1; size[1] <= grid[1]; size[1]++)
            for (size[2] = 1; size[2] <= grid[2]; size[2]++)
                if (size[0] * size[1] * size[2] > best && any_box(&left, size))
                    best = size[0] * size[1] * size[2];
    return best;
}
