/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods and their slices: checks, shapes, twists, circuits. */
#include "model/pod/slice.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/need.h"
#include "base/str.h"

enum { EXTENT_MAX = 1 << 20, SLICE_MAX = 1 << 30, SHOWN = 64 };

/* ---- the pod ---- */

void lp_pod_grid(uint32_t cubes, uint32_t grid[3]) {
    uint32_t best[3] = {1, 1, cubes};
    for (uint32_t a = 1; a * a <= cubes && a * a * a <= cubes; a++)
        for (uint32_t b = a; cubes % a == 0 && b * b <= cubes / a; b++)
            if (cubes / a % b == 0) {
                uint32_t c = cubes / a / b;
                if (c < best[2] || (c == best[2] && b < best[1]))
                    memcpy(best, (uint32_t[]){a, b, c}, sizeof best);
            }
    memcpy(grid, best, sizeof best);
}

void lp_pod_defaults(LpPod *pod, uint32_t cubes) {
    *pod = (LpPod){.cube = 4,
                   .cubes = cubes,
                   .ports = 2 * cubes + 8 > 136 ? 2 * cubes + 8 : 136,
                   .link_bandwidth = 50e9,
                   .link_delay = 1e-6,
                   .io_latency = 1e-6,
                   .efficiency = 1,
                   .twist_efficiency = 0.94};
    lp_pod_grid(cubes, pod->grid);
}

static LpErr check_share(const char *key, double value, LpDiag *diag) {
    LP_TRY(lp_need(key, value, LP_NEED_SHARE, diag));
    return value > 0 ? LP_OK : lp_need_fail(key, value, "a number above 0, at most 1", diag);
}

static LpErr check_sizes(const LpPod *pod, LpDiag *diag) {
    uint64_t n3 = (uint64_t)pod->cube * pod->cube * pod->cube;
    uint64_t grid = (uint64_t)pod->grid[0] * pod->grid[1] * pod->grid[2];
    if (pod->cube < 2 || pod->cube > LP_POD_CUBE_MAX)
        return lp_need_fail("cluster.pod.cube", pod->cube, "a whole number from 2 to 32", diag);
    if (pod->cubes < 1 || n3 * pod->cubes > LP_POD_ACCELERATORS_MAX)
        return lp_fail(diag, LP_EINVAL,
                       "pod: %u cubes of %ux%ux%u accelerators, expected 1 to %u of them (at most "
                       "%d accelerators)",
                       pod->cubes, pod->cube, pod->cube, pod->cube,
                       (unsigned)(LP_POD_ACCELERATORS_MAX / n3), LP_POD_ACCELERATORS_MAX);
    if (grid != pod->cubes)
        return lp_fail(
            diag, LP_EINVAL, "cluster.pod.grid is %ux%ux%u: that is %llu cubes, expected %u",
            pod->grid[0], pod->grid[1], pod->grid[2], (unsigned long long)grid, pod->cubes);
    if (!pod->fixed && 2 * (uint64_t)pod->cubes > pod->ports)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.pod.ports is %u: %u cubes plug two links each into a switch, "
                       "expected at least %u ports",
                       pod->ports, pod->cubes, 2 * pod->cubes);
    return LP_OK;
}

LpErr lp_pod_check(const LpPod *pod, LpDiag *diag) {
    const LpNumber number[] = {
        {"cluster.pod.link_bandwidth", pod->link_bandwidth, LP_NEED_POSITIVE},
        {"cluster.pod.link_delay", pod->link_delay, LP_NEED_NOT_NEGATIVE},
        {"cluster.pod.io_latency", pod->io_latency, LP_NEED_NOT_NEGATIVE},
    };
    LP_TRY(check_sizes(pod, diag));
    LP_TRY(lp_need_all(number, LP_COUNTOF(number), diag));
    LP_TRY(check_share("cluster.pod.efficiency", pod->efficiency, diag));
    return check_share("cluster.pod.twist_efficiency", pod->twist_efficiency, diag);
}

uint32_t lp_pod_switches(const LpPod *pod) {
    return 3 * pod->cube * pod->cube;
}

/* ---- reading a slice ---- */

static LpErr fail_form(const char *text, LpDiag *diag) {
    char shown[SHOWN];
    return lp_fail(diag, LP_EINVAL, "slice %s: expected AxBxC such as 4x4x8, or \"4x4x8 twisted\"",
                   lp_str_show(shown, sizeof shown, text));
}

static bool read_extent(const char **text, uint32_t *out) {
    uint32_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && value <= EXTENT_MAX; at++)
        value = 10 * value + (uint32_t)(*at - '0');
    bool good = at > *text && value >= 1 && value <= EXTENT_MAX;
    *text = at;
    *out = value;
    return good;
}

static LpErr read_words(const char *text, LpSlice *slice, LpDiag *diag) {
    const char *at = text + strspn(text, " ");
    for (int d = 0; d < 3; d++)
        if ((d > 0 && *at++ != 'x') || !read_extent(&at, &slice->extent[d]))
            return fail_form(text, diag);
    at += strspn(at, " ");
    slice->asked_twist = strncmp(at, "twisted", 7) == 0;
    at += slice->asked_twist ? 7 : 0;
    return at[strspn(at, " ")] == '\0' ? LP_OK : fail_form(text, diag);
}

static void order(uint32_t e[3]) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 2; i++)
            if (e[i] > e[i + 1]) {
                uint32_t swap = e[i];
                e[i] = e[i + 1];
                e[i + 1] = swap;
            }
}

/* ---- which slices there are ---- */

static bool all_of(const LpSlice *s, uint32_t n, bool multiples) {
    for (int d = 0; d < 3; d++)
        if (multiples ? s->extent[d] % n != 0 : n % s->extent[d] != 0)
            return false;
    return true;
}

/* `written`: the extents as they were written, for messages. */
static LpErr settle_whole(LpSlice *s, const LpPod *pod, const uint32_t written[3], LpDiag *diag) {
    uint64_t cubes = 1, accelerators = 1;
    for (int d = 0; d < 3; d++) {
        s->size[d] = s->extent[d] / pod->cube;
        cubes *= s->size[d];
        accelerators *= s->extent[d];
        if (accelerators > SLICE_MAX)
            return lp_fail(diag, LP_EINVAL,
                           "slice %ux%ux%u: expected at most %d accelerators in all", written[0],
                           written[1], written[2], SLICE_MAX);
    }
    s->misfit = cubes > pod->cubes ? LP_SLICE_TOO_LARGE : LP_SLICE_FITS;
    s->cubes = (uint32_t)cubes;
    s->accelerators = (uint32_t)accelerators;
    return LP_OK;
}

static LpErr settle_part(LpSlice *s, const LpPod *pod, const uint32_t written[3], LpDiag *diag) {
    if (!all_of(s, pod->cube, false))
        return lp_fail(diag, LP_EINVAL,
                       "slice %ux%ux%u: expected three multiples of %u (whole cubes), or three "
                       "divisors of %u (a part of one cube)",
                       written[0], written[1], written[2], pod->cube, pod->cube);
    s->accelerators = s->extent[0] * s->extent[1] * s->extent[2];
    s->size[0] = s->size[1] = s->size[2] = 1;
    return LP_OK;
}

/* (m, m, 2m): passing the end of x or y adds m along z. (m, 2m, 2m): that of x adds m along y and
 * z. */
static LpErr twist(LpSlice *s, const LpPod *pod, const uint32_t written[3], LpDiag *diag) {
    uint32_t m = s->size[0];
    bool one = s->size[1] == m && s->size[2] == 2 * m;
    bool two = s->size[1] == 2 * m && s->size[2] == 2 * m;
    if (s->cubes == 0 || (!one && !two))
        return lp_fail(diag, LP_EINVAL,
                       "slice %ux%ux%u twisted: expected AxAx2A or Ax2Ax2A of whole cubes, such as "
                       "%ux%ux%u",
                       written[0], written[1], written[2], pod->cube, pod->cube, 2 * pod->cube);
    s->twisted = !pod->fixed;
    if (!s->twisted)
        return LP_OK;
    s->shift[0][2] = m;
    if (one)
        s->shift[1][2] = m;
    else
        s->shift[0][1] = m;
    return LP_OK;
}

/* Is this one the first orientation, descending, and of equal dimensions the lower one first along
 * the axes? `best` NULL: there is none yet. */
static bool comes_before(const LpSlice *s, const int *way, const int *best) {
    for (int axis = 0; axis < 3 && best != NULL; axis++) {
        if (s->size[way[axis]] != s->size[best[axis]])
            return s->size[way[axis]] > s->size[best[axis]];
        if (way[axis] != best[axis])
            return way[axis] < best[axis];
    }
    return true;
}

/* Static wiring: the first orientation that is no longer than the grid, as in an empty pod; a
 * dimension closes where it spans it. */
static void close_fixed(LpSlice *s, const LpPod *pod) {
    static const int way[6][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};
    const int *best = NULL;
    for (int w = 0; w < 6; w++) {
        bool fits = true;
        for (int axis = 0; axis < 3; axis++)
            fits = fits && s->size[way[w][axis]] <= pod->grid[axis];
        if (fits && comes_before(s, way[w], best))
            best = way[w];
    }
    for (int axis = 0; axis < 3 && best != NULL; axis++)
        s->closed[best[axis]] = s->size[best[axis]] == pod->grid[axis];
    if (best == NULL && s->misfit == LP_SLICE_FITS)
        s->misfit = LP_SLICE_NO_BOX;
}

/* Extents in order, and whether a twist is asked for, are there. */
static LpErr settle(LpSlice *s, const LpPod *pod, const uint32_t written[3], LpDiag *diag) {
    bool whole = all_of(s, pod->cube, true);
    LP_TRY(whole ? settle_whole(s, pod, written, diag) : settle_part(s, pod, written, diag));
    if (s->asked_twist)
        LP_TRY(twist(s, pod, written, diag));
    if (whole && pod->fixed)
        close_fixed(s, pod);
    else
        s->closed[0] = s->closed[1] = s->closed[2] = whole;
    return LP_OK;
}

LpErr lp_slice_ask(const char *text, const LpPod *pod, LpSlice *out, LpDiag *diag) {
    LpSlice s = {0};
    LP_TRY(lp_pod_check(pod, diag));
    LP_TRY(read_words(text, &s, diag));
    const uint32_t written[3] = {s.extent[0], s.extent[1], s.extent[2]};
    order(s.extent);
    LP_TRY(settle(&s, pod, written, diag));
    *out = s;
    return LP_OK;
}

static LpErr fail_misfit(const LpSlice *s, const LpPod *pod, const uint32_t written[3],
                         LpDiag *diag) {
    if (s->misfit == LP_SLICE_TOO_LARGE)
        return lp_fail(diag, LP_EINVAL,
                       "slice %ux%ux%u needs %u cubes, expected at most the pod's %u", written[0],
                       written[1], written[2], s->cubes, pod->cubes);
    return lp_fail(diag, LP_EINVAL,
                   "slice %ux%ux%u: %ux%ux%u cubes, expected a box that fits the grid of %ux%ux%u",
                   written[0], written[1], written[2], s->size[0], s->size[1], s->size[2],
                   pod->grid[0], pod->grid[1], pod->grid[2]);
}

LpErr lp_slice_read(const char *text, const LpPod *pod, LpSlice *out, LpDiag *diag) {
    LpSlice s, written = {0};
    LP_TRY(lp_slice_ask(text, pod, &s, diag));
    LP_TRY(read_words(text, &written, diag));
    if (s.misfit != LP_SLICE_FITS)
        return fail_misfit(&s, pod, written.extent, diag);
    *out = s;
    return LP_OK;
}

/* ---- slices by their number of accelerators ---- */

static bool is_slice(const LpPod *pod, uint32_t x, uint32_t y, uint32_t z) {
    LpSlice s = {.extent = {x, y, z}};
    return all_of(&s, pod->cube, true) || all_of(&s, pod->cube, false);
}

/* Can it be twisted? */
static bool may_twist(const LpPod *pod, const uint32_t e[3]) {
    LpSlice s = {.extent = {e[0], e[1], e[2]}};
    return all_of(&s, pod->cube, true) && e[2] == 2 * e[0] && (e[1] == e[0] || e[1] == e[2]);
}

LpErr lp_slice_of_size(uint32_t count, const LpPod *pod, bool twist_it, LpSlice *out,
                       LpDiag *diag) {
    LpSlice s = {0};
    for (uint32_t x = 1; count > 0 && (uint64_t)x * x * x <= count; x++)
        for (uint32_t y = x; count % x == 0 && (uint64_t)y * y <= count / x; y++) {
            uint32_t z = count / x / y;
            bool less =
                s.extent[0] == 0 || z < s.extent[2] || (z == s.extent[2] && y < s.extent[1]);
            if (count / x % y == 0 && less && is_slice(pod, x, y, z))
                s.extent[0] = x, s.extent[1] = y, s.extent[2] = z;
        }
    if (s.extent[0] == 0)
        return lp_fail(diag, LP_EINVAL,
                       "%u accelerators: no slice has so many, expected three multiples of %u or "
                       "three divisors of it, multiplied",
                       count, pod->cube);
    s.asked_twist = twist_it && may_twist(pod, s.extent);
    LP_TRY(settle(&s, pod, s.extent, diag));
    *out = s;
    return LP_OK;
}

/* ---- circuits ---- */

uint32_t lp_slice_next(const LpSlice *s, int d, uint32_t o) {
    uint32_t at[3] = {o / s->size[2] / s->size[1], o / s->size[2] % s->size[1], o % s->size[2]};
    if (at[d] + 1 < s->size[d]) {
        at[d]++;
    } else if (!s->closed[d]) {
        return LP_NO_INDEX;
    } else {
        at[d] = 0;
        for (int e = 0; e < 3; e++)
            at[e] = (at[e] + s->shift[d][e]) % s->size[e];
    }
    return (at[0] * s->size[1] + at[1]) * s->size[2] + at[2];
}

uint32_t lp_slice_circuits(const LpPod *pod, const LpSlice *s) {
    return pod->fixed ? 0 : lp_pod_switches(pod) * s->cubes;
}

uint32_t lp_slice_replaced(const LpPod *pod, const LpSlice *s) {
    uint32_t pairs = 0;
    if (pod->fixed || s->cubes == 0)
        return 0;
    for (int d = 0; d < 3; d++)
        pairs += lp_slice_next(s, d, 0) == 0 ? 1 : 2;
    return pod->cube * pod->cube * pairs;
}

const char *lp_slice_name(const LpSlice *s, char text[LP_SLICE_TEXT]) {
    snprintf(text, LP_SLICE_TEXT, "%ux%ux%u%s", s->extent[0], s->extent[1], s->extent[2],
             s->asked_twist ? " twisted" : "");
    return text;
}

/* ---- all of one size ---- */

bool lp_slice_same(const LpSlice *a, const LpSlice *b) {
    return memcmp(a->extent, b->extent, sizeof a->extent) == 0 && a->asked_twist == b->asked_twist;
}

/* A text that is no slice of this pod is left out. */
static uint32_t add_shape(const char *text, const LpPod *pod, LpSlice *out, uint32_t at,
                          uint32_t room) {
    LpSlice slice;
    LpDiag none;
    if (lp_slice_ask(text, pod, &slice, &none) != LP_OK)
        return at;
    if (at < room)
        out[at] = slice;
    return at + 1;
}

uint32_t lp_slice_shapes(uint32_t accelerators, const LpPod *pod, LpSlice *out, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t z = 1; z <= accelerators; z++)
        for (uint32_t y = 1; accelerators % z == 0 && y <= z; y++) {
            uint32_t x = accelerators / z / y;
            char text[LP_SLICE_TEXT];
            if (accelerators / z % y != 0 || x > y)
                continue;
            snprintf(text, sizeof text, "%ux%ux%u", (unsigned)x, (unsigned)y, (unsigned)z);
            count = add_shape(text, pod, out, count, room);
            snprintf(text, sizeof text, "%ux%ux%u twisted", (unsigned)x, (unsigned)y, (unsigned)z);
            count = add_shape(text, pod, out, count, room);
        }
    return count;
}
