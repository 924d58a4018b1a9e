/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of slices: the ties by hand, and against a naive placer that lists every place and takes
 * the one whose key is least. LP_WORLDS=100000 makes so many pods; the seed is the number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/pod/place.h"

enum { ACCELERATORS = 4096, CUBES = 64, WORLDS = 400 };

/* ---- a pod with things on it ---- */

typedef struct Pod {
    LpPod pod;
    LpPodRules rules;
    bool taken[ACCELERATORS]; /* held or broken */
} Pod;

static uint32_t cube_size(const Pod *p) {
    return p->pod.cube * p->pod.cube * p->pod.cube;
}

static bool has(const void *context, uint32_t accelerator) {
    const Pod *p = context;
    return !p->taken[accelerator];
}

static uint32_t free_in(const void *context, uint32_t cube) {
    const Pod *p = context;
    uint32_t n = cube_size(p), free = 0;
    for (uint32_t a = cube * n; a < (cube + 1) * n; a++)
        free += !p->taken[a];
    return free;
}

static bool usable(const void *context, uint32_t cube) {
    return free_in(context, cube) == cube_size(context);
}

static void pod_of(Pod *p, uint32_t cube, uint32_t cubes, const uint32_t *grid) {
    memset(p, 0, sizeof *p);
    lp_pod_defaults(&p->pod, cubes);
    p->pod.cube = cube;
    p->pod.fixed = grid != NULL;
    if (grid != NULL)
        memcpy(p->pod.grid, grid, sizeof p->pod.grid);
    p->rules.cubes_per_domain = 1;
}

static void take_cubes(Pod *p, uint32_t first, uint32_t last) {
    for (uint32_t a = first * cube_size(p); a < (last + 1) * cube_size(p); a++)
        p->taken[a] = true;
}

static bool place(const Pod *p, const char *text, LpSlice *slice, uint32_t *out) {
    LpPodSite site = {.pod = &p->pod,
                      .rules = p->rules,
                      .context = p,
                      .usable = usable,
                      .free = free_in,
                      .has = has};
    LpDiag diag;
    if (lp_slice_ask(text, &p->pod, slice, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    return lp_pod_place(&site, slice, out);
}

/* Its cubes, by ordinal, as "1 5". */
static void check(const Pod *p, const char *text, const char *expected) {
    static uint32_t out[ACCELERATORS];
    uint32_t cubes[CUBES];
    char got[512] = "";
    LpSlice slice;
    if (place(p, text, &slice, out)) {
        lp_pod_cubes_of(&p->pod, &slice, out, cubes);
        for (uint32_t o = 0; o < slice.cubes; o++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", o > 0 ? " " : "",
                     cubes[o]);
    }
    assert_string_equal(got, expected);
}

/* ---- by hand ---- */

static void static_boxes(void **state) {
    static const uint32_t two[] = {2, 2, 2}, four[] = {4, 4, 4};
    Pod p;
    (void)state;
    pod_of(&p, 4, 8, two);
    take_cubes(&p, 0, 0);
    check(&p, "4x4x8", "1 5");
    pod_of(&p, 2, 64, four);
    take_cubes(&p, 0, 3);
    take_cubes(&p, 16, 16);
    check(&p, "2x4x4", "4 8 20 24");
    pod_of(&p, 2, 64, four);
    for (uint32_t c = 0; c < 64; c += 4)
        take_cubes(&p, c, c);
    check(&p, "4x4x6", "1 17 33 2 18 34 5 21 37 6 22 38"); /* (3,2,2) at (0,0,1): z lies along x */
    check(&p, "2x2x16", "");
    pod_of(&p, 2, 64, four);
    take_cubes(&p, 16, 47);
    check(&p, "4x8x8",
          "48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
}

static void write_rings(const LpSlice *slice, char out[4]) {
    for (int d = 0; d < 3; d++)
        if (slice->closed[d])
            *out++ = "xyz"[d];
    *out = '\0';
}

/* "xz": the dimensions that are rings in an empty pod, and where the slice lies. */
static void check_rings(const Pod *p, const char *text, const char *empty, const char *lies) {
    static uint32_t out[ACCELERATORS];
    char got[4];
    LpSlice slice;
    assert_true(place(p, text, &slice, out));
    write_rings(&slice, got);
    assert_string_equal(got, empty);
    LpSlice there = lp_pod_slice_on(&p->pod, &slice, out);
    write_rings(&there, got);
    assert_string_equal(got, lies);
}

/* A dimension is a ring where it spans the grid, which differs along its axes. */
static void turned_boxes(void **state) {
    static const uint32_t flat[] = {1, 2, 3}, odd[] = {2, 3, 5};
    Pod p;
    (void)state;
    pod_of(&p, 2, 6, flat);
    check_rings(&p, "2x2x4", "xz", "xz"); /* (1,2,1) */
    take_cubes(&p, 3, 5);
    check_rings(&p, "2x2x4", "xz", "x"); /* (1,1,2) */
    take_cubes(&p, 0, 0);
    check_rings(&p, "2x2x2", "x", "x");
    pod_of(&p, 2, 30, odd);
    check_rings(&p, "4x4x6", "xz", "xz"); /* (2,3,2): of equal ones x lies along the first axis */
    check_rings(&p, "2x4x4", "y", "y");
    take_cubes(&p, 0, 14);
    check_rings(&p, "2x4x4", "y", "");
}

static void switched_cubes(void **state) {
    Pod p;
    (void)state;
    pod_of(&p, 4, 8, NULL);
    take_cubes(&p, 1, 1);
    take_cubes(&p, 4, 4);
    check(&p, "4x4x12", "0 2 3");
    p.rules.spares = 3;
    check(&p, "4x4x12", "0 2 3");
    p.rules.spares = 4;
    check(&p, "4x4x12", ""); /* six are usable */
    p.rules = (LpPodRules){.spread = true, .cubes_per_domain = 2};
    check(&p, "4x4x8", "2 6"); /* domains 0 to 3 have 1, 2, 1, 2 usable */
    check(&p, "4x4x16", "0 2 5 6");
    check(&p, "4x4x20", "0 2 3 5 6");
}

/* Into the cube with fewest free, at multiples of its extents, longest along x. */
static void parts(void **state) {
    Pod p;
    LpSlice slice;
    uint32_t out[64];
    (void)state;
    pod_of(&p, 4, 8, NULL);
    p.taken[2 * 64] = true;
    assert_true(place(&p, "1x1x2", &slice, out));
    assert_int_equal(out[0], 2 * 64 + 1); /* (2,1,1) at (0,0,0) is held, at (0,0,1) it is not */
    assert_int_equal(out[1], 2 * 64 + 16 + 1);
    assert_true(place(&p, "2x4x4", &slice, out));
    assert_int_equal(out[0], 2 * 64 + 2); /* (4,4,2) at (0,0,2) */
    p.rules.sub_lowest = true;
    assert_true(place(&p, "2x4x4", &slice, out));
    assert_int_equal(out[0], 0);
    take_cubes(&p, 0, 7);
    assert_false(place(&p, "1x1x1", &slice, out));
}

static void by_size(void **state) {
    static const struct {
        uint32_t count;
        const char *name;
    } rows[] = {{1, "1x1x1"},           {2, "1x1x2"},           {8, "2x2x2"},
                {64, "4x4x4"},          {32, "2x4x4"},          {192, "4x4x12"},
                {128, "4x4x8 twisted"}, {256, "4x8x8 twisted"}, {512, "8x8x8"}};
    LpPod pod;
    LpSlice slice;
    LpDiag diag;
    char name[LP_SLICE_TEXT];
    (void)state;
    lp_pod_defaults(&pod, 64);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(lp_slice_of_size(rows[i].count, &pod, true, &slice, &diag), LP_OK);
        assert_string_equal(lp_slice_name(&slice, name), rows[i].name);
    }
    assert_int_equal(lp_slice_of_size(128, &pod, false, &slice, &diag), LP_OK);
    assert_string_equal(lp_slice_name(&slice, name), "4x4x8");
    assert_int_equal(lp_slice_of_size(3, &pod, true, &slice, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "3 accelerators: no slice has so many"));
}

/* ---- against a naive placer ---- */

/* A place as the rules rank it: smaller keys first. */
typedef struct Place {
    int64_t key[8];
    uint64_t set; /* hash of its accelerators, any order */
    bool any;
} Place;

static void offer(Place *best, const int64_t key[8], uint64_t set) {
    for (int i = 0; best->any && i < 8; i++) {
        if (key[i] > best->key[i])
            return;
        if (key[i] < best->key[i])
            break;
    }
    memcpy(best->key, key, sizeof best->key);
    best->set = set;
    best->any = true;
}

static uint64_t mark(uint32_t accelerator) {
    LpRng rng = lp_rng_stream(accelerator, "mark", 0);
    return lp_rng_u64(&rng);
}

/* A box of cells of `n` or of the grid; what one cell is, `each` says. */
static void naive_box(const Pod *p, const uint32_t size[3], const int dims[3], uint32_t cube,
                      bool in_cube, Place *best) {
    uint32_t edge[3], u[3], o[3], at[3], n = p->pod.cube;
    for (int a = 0; a < 3; a++) {
        u[a] = size[dims[a]];
        edge[a] = in_cube ? n : p->pod.grid[a];
        if (u[a] > edge[a])
            return;
    }
    for (uint32_t k = 0; k < edge[0] * edge[1] * edge[2]; k++) {
        uint64_t set = 0;
        bool good = true;
        o[0] = k / edge[1] / edge[2], o[1] = k / edge[2] % edge[1], o[2] = k % edge[2];
        for (int a = 0; a < 3; a++)
            good = good && (in_cube ? o[a] % u[a] == 0 : u[a] < edge[a] || o[a] == 0);
        for (at[0] = 0; good && at[0] < u[0]; at[0]++)
            for (at[1] = 0; at[1] < u[1]; at[1]++)
                for (at[2] = 0; at[2] < u[2]; at[2]++) {
                    uint32_t c[3];
                    for (int a = 0; a < 3; a++)
                        c[a] = (o[a] + at[a]) % edge[a];
                    uint32_t cell = (c[0] * edge[1] + c[1]) * edge[2] + c[2];
                    uint32_t first = in_cube ? cube * n * n * n + cell : cell * n * n * n;
                    for (uint32_t i = 0; i < (in_cube ? 1 : n * n * n); i++) {
                        good = good && !p->taken[first + i];
                        set += mark(first + i);
                    }
                }
        int64_t fewest = in_cube ? p->rules.sub_lowest ? 0 : free_in(p, cube) : 0;
        int64_t key[8] = {fewest,         cube, -(int64_t)u[0], -(int64_t)u[1],
                          -(int64_t)u[2], o[0], o[1],           o[2]};
        if (good)
            offer(best, key, set);
    }
}

static void naive(const Pod *p, const LpSlice *s, Place *best) {
    static const int way[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    memset(best, 0, sizeof *best);
    for (int w = 0; w < 6 && s->cubes == 0; w++)
        for (uint32_t c = 0; c < p->pod.cubes; c++)
            naive_box(p, s->extent, way[w], c, true, best);
    for (int w = 0; w < 6 && s->cubes > 0 && p->pod.fixed; w++)
        naive_box(p, s->size, way[w], 0, false, best);
    if (s->cubes == 0 || p->pod.fixed)
        return;
    uint32_t open = 0, found = 0;
    for (uint32_t c = 0; c < p->pod.cubes; c++)
        open += usable(p, c);
    best->any = open >= s->cubes + p->rules.spares;
    for (uint32_t c = 0; best->any && c < p->pod.cubes && found < s->cubes; c++)
        if (usable(p, c)) {
            found++;
            for (uint32_t i = 0; i < cube_size(p); i++)
                best->set += mark(c * cube_size(p) + i);
        }
}

static void random_pod(Pod *p, LpRng *rng) {
    static const uint32_t GRID[][3] = {{2, 2, 2}, {1, 3, 4}, {2, 3, 2}, {1, 1, 5}, {4, 4, 2}};
    const uint32_t *grid = GRID[lp_rng_below(rng, 5)];
    bool fixed = lp_rng_below(rng, 2) == 0;
    uint32_t cube = lp_rng_below(rng, 2) == 0 ? 2 : 4;
    pod_of(p, cube, grid[0] * grid[1] * grid[2], fixed ? grid : NULL);
    p->rules.sub_lowest = lp_rng_below(rng, 2) == 0;
    p->rules.spares = fixed ? 0 : (uint32_t)lp_rng_below(rng, 3);
    for (uint32_t c = 0; c < p->pod.cubes; c++) {
        uint64_t kind = lp_rng_below(rng, 4), holes = lp_rng_below(rng, 2 * cube_size(p));
        if (kind == 0)
            take_cubes(p, c, c);
        for (uint64_t i = 0; kind == 1 && i < holes; i++)
            p->taken[c * cube_size(p) + lp_rng_below(rng, cube_size(p))] = true;
    }
}

static void as_a_naive_placer(void **state) {
    static uint32_t out[ACCELERATORS];
    const char *asked = getenv("LP_WORLDS");
    uint32_t worlds = asked != NULL ? (uint32_t)strtoul(asked, NULL, 10) : WORLDS, placed = 0;
    (void)state;
    for (uint32_t w = 0; w < worlds; w++) {
        LpRng rng = lp_rng_stream(w, "pods", 0);
        Pod p;
        random_pod(&p, &rng);
        for (int k = 0; k < 8; k++) {
            char text[48];
            uint32_t e[3], n = p.pod.cube;
            bool part = lp_rng_below(&rng, 2) == 0;
            for (int d = 0; d < 3; d++)
                e[d] = part ? 1u << lp_rng_below(&rng, n == 4 ? 3 : 2)
                            : n * (1 + (uint32_t)lp_rng_below(&rng, 3));
            snprintf(text, sizeof text, "%ux%ux%u", e[0], e[1], e[2]);
            LpSlice slice;
            Place best;
            uint64_t set = 0;
            bool found = place(&p, text, &slice, out);
            naive(&p, &slice, &best);
            for (uint32_t i = 0; found && i < slice.accelerators; i++)
                set += mark(out[i]);
            if (found != best.any || (found && set != best.set))
                fail_msg("pod %u, slice %s: another place than the naive one", w, text);
            placed += found;
        }
    }
    assert_true(placed > worlds); /* else nothing was compared */
}

TEST_GROUP(test_model_pod_place) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_boxes),   cmocka_unit_test(turned_boxes),
        cmocka_unit_test(switched_cubes), cmocka_unit_test(parts),
        cmocka_unit_test(by_size),        cmocka_unit_test(as_a_naive_placer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
