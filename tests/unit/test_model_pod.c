/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods: wirings and circuits by hand, rings, and that igraph counts shortest paths as sequences of
 * links, so that two links between the same pair are two paths. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "graph/loads.h"
#include "group.h"
#include "model/pod/net.h"
#include "model/pod/rest.h"
#include "model/pod/slice.h"
#include "model/pod/times.h"
#include "model/pod/way.h"

static LpSlice slice_of(const char *text, const LpPod *pod) {
    LpSlice slice;
    LpDiag diag;
    if (lp_slice_read(text, pod, &slice, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    return slice;
}

/* Which cube follows each, as digits: cubes[o] -> cubes[next]. */
static void check_next(const char *text, const char *cubes, int d, const char *expected) {
    LpPod pod;
    lp_pod_defaults(&pod, 64);
    LpSlice slice = slice_of(text, &pod);
    for (uint32_t o = 0; o < slice.cubes; o++)
        assert_int_equal(cubes[lp_slice_next(&slice, d, o)], expected[o]);
}

static void wirings(void **state) {
    (void)state;
    for (int d = 0; d < 3; d++)
        check_next("4x4x8 twisted", "37", d, "73");
    check_next("4x8x8 twisted", "0125", 0, "5210");
    check_next("4x8x8 twisted", "0125", 1, "2501");
    check_next("4x8x8 twisted", "0125", 2, "1052");
    check_next("4x8x8 twisted", "2345", 0, "5432");
    check_next("4x8x8 twisted", "2345", 1, "4523");
    check_next("4x8x8 twisted", "2345", 2, "3254");
    check_next("4x4x12", "614", 0, "614");
    check_next("4x4x12", "614", 2, "146");
}

static void circuits(void **state) {
    (void)state;
    static const struct {
        const char *slice;
        uint32_t circuits, replaced;
    } row[] = {{"4x4x4", 48, 48},  {"4x4x8", 96, 64},          {"8x4x4 twisted", 96, 96},
               {"4x8x8", 192, 80}, {"4x8x8 twisted", 192, 96}, {"8x8x8", 384, 96},
               {"2x4x2", 0, 0}};
    LpPod pod;
    lp_pod_defaults(&pod, 64);
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        LpSlice slice = slice_of(row[i].slice, &pod);
        assert_int_equal(lp_slice_circuits(&pod, &slice), row[i].circuits);
        assert_int_equal(lp_slice_replaced(&pod, &slice), row[i].replaced);
    }
}

static void grids(void **state) {
    (void)state;
    static const uint32_t row[][4] = {{64, 4, 4, 4}, {144, 4, 6, 6}, {140, 4, 5, 7},
                                      {8, 2, 2, 2},  {7, 1, 1, 7},   {12, 2, 2, 3}};
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        uint32_t grid[3];
        lp_pod_grid(row[i][0], grid);
        assert_memory_equal(grid, &row[i][1], sizeof grid);
    }
}

/* A link's other end leads back, on every kind of slice and cube; next is one-to-one. */
static void links_lead_back(void **state) {
    (void)state;
    static const char *const slice[] = {"4x4x4",          "4x4x8 twisted", "4x8x8 twisted",
                                        "8x8x16 twisted", "4x8x12",        "12x8x4",
                                        "8x16x16 twisted"};
    LpPod pod;
    lp_pod_defaults(&pod, 256);
    for (uint32_t n = 2; n <= 4; n += 2)
        for (size_t i = 0; i < LP_COUNTOF(slice); i++) {
            pod.cube = n;
            LpSlice s = slice_of(slice[i], &pod);
            for (uint32_t v = 0; v < s.accelerators; v++)
                for (int d = 0; d < 3; d++)
                    for (int side = 0; side < 2; side++) {
                        uint32_t to = lp_pod_link(&pod, &s, v, d, side);
                        assert_int_equal(lp_pod_link(&pod, &s, to, d, 1 - side), v);
                    }
        }
}

/* One cube of 2 x 2 x 2: every pair of neighbours has two links, and plain tori give N n/8 = 2 on
 * each, as only counting links does; so does the sum of loads, the sum of distances 8 x 12. */
static void two_links_are_two_paths(void **state) {
    (void)state;
    LpPod pod;
    LpPodNet net;
    LpDiag diag;
    uint32_t src[48], dst[48], count = 0, diameter;
    double load[48], sum = 0, distances;
    lp_pod_defaults(&pod, 1);
    pod.cube = 2;
    LpSlice slice = slice_of("2x2x2", &pod);
    assert_int_equal(lp_pod_net(&pod, &slice, NULL, 0, &net, &diag), LP_OK);
    assert_int_equal(net.links, 48);
    for (uint32_t k = 0; k < 48; k++) {
        src[count] = k / 6;
        dst[count++] = net.to[k];
    }
    static const uint32_t every[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    LpEdgeList list = {8, 48, src, dst};
    assert_int_equal(lp_graph_loads(&list, 8, load, &diag), LP_OK);
    for (uint32_t k = 0; k < 48; k++) {
        assert_true(fabs(load[k] - 2) < 1e-12);
        sum += load[k];
    }
    assert_int_equal(lp_pod_distances(&net, every, 8, &diameter, &distances, &diag), LP_OK);
    assert_true(fabs(sum - distances) < 1e-9 && diameter == 3);
    assert_int_equal(lp_graph_loads(&list, 9, load, &diag), LP_ERANGE);
    assert_int_equal(lp_graph_loads(&list, 0, load, &diag), LP_ERANGE);
    lp_pod_net_fini(&net);
}

/* The switch of every position of a dimension costs its rings the same. */
static void dead_switches(void **state) {
    (void)state;
    LpPod pod;
    LpDiag diag;
    lp_pod_defaults(&pod, 64);
    LpSlice slice = slice_of("4x4x8", &pod);
    for (uint32_t s = 0; s < lp_pod_switches(&pod); s++) {
        LpPodDead dead = {LP_POD_SWITCH, s};
        LpPodNet net;
        assert_int_equal(lp_pod_net(&pod, &slice, &dead, 1, &net, &diag), LP_OK);
        assert_int_equal(net.lost, 2);
        for (int d = 0; d < 3; d++) {
            LpPodRing ring;
            bool hit = (uint32_t)d == s / 16;
            assert_int_equal(lp_pod_ring(&pod, &slice, &net, d, &ring, &diag), LP_OK);
            assert_int_equal(ring.hops, hit ? 3 : 1);
            assert_true(fabs(ring.load - (!hit ? 1 : d == 2 ? 1.25 : 1.2)) < 1e-12);
        }
        lp_pod_net_fini(&net);
    }
    LpPodDead cable = {LP_POD_CABLE, 96 + 64 + 16 + 5}; /* cube 1, z, side -, position 5 */
    LpPodNet net;
    assert_int_equal(lp_pod_net(&pod, &slice, &cable, 1, &net, &diag), LP_OK);
    assert_int_equal(net.lost, 1); /* from cube 0, and nothing else */
    assert_int_equal(net.to[6 * ((1 * 4 + 1) * 8 + 3) + 4], LP_NO_INDEX);
    lp_pod_net_fini(&net);
}

/* Distances by formula are those of a search by breadth, and the way that is taken has links of the
 * two accelerators. */
static void ways(void **state) {
    (void)state;
    static const char *const names[] = {"4x4x8", "4x4x8 twisted", "4x8x8 twisted",
                                        "4x4x4", "2x2x4",         "4x8x12"};
    for (size_t i = 0; i < 2 * LP_COUNTOF(names); i++) {
        LpPod pod;
        LpDiag diag;
        LpPodNet net;
        uint32_t diameter, sum = 0, most = 0, first, last;
        double expected;
        lp_pod_defaults(&pod, 64);
        pod.fixed = i >= LP_COUNTOF(names);
        LpSlice s = slice_of(names[i % LP_COUNTOF(names)], &pod);
        assert_int_equal(lp_pod_net(&pod, &s, NULL, 0, &net, &diag), LP_OK);
        assert_int_equal(lp_pod_distances(&net, &(uint32_t){0}, 1, &diameter, &expected, &diag),
                         LP_OK);
        for (uint32_t to = 1; to < s.accelerators; to++) {
            uint32_t hops = lp_pod_hops(&pod, &s, 0, to);
            sum += hops;
            most = hops > most ? hops : most;
            assert_int_equal(hops, lp_pod_hops(&pod, &s, to, 0));
            lp_pod_way(&pod, &s, 0, to, &first, &last);
            assert_int_equal(lp_pod_hops(&pod, &s, net.to[first], to), hops - 1);
            assert_int_equal(lp_pod_hops(&pod, &s, 0, net.to[6 * to + last]), hops - 1);
        }
        assert_true(sum == expected);
        assert_int_equal(most, diameter);
        lp_pod_net_fini(&net);
    }
}

/* A box at the origin has a ring only along a dimension that it spans; other sets are no box. */
static void boxes(void **state) {
    (void)state;
    LpPod pod;
    LpSlice box;
    lp_pod_defaults(&pod, 64);
    LpSlice s = slice_of("4x4x8", &pod);
    uint32_t all[128];
    for (uint32_t i = 0; i < 128; i++)
        all[i] = i;
    assert_true(lp_pod_box(&s, all, 128, &box));
    pod.io_latency = 0;
    assert_true(fabs(2 * lp_pod_scatter(&pod, &box, NULL, 1e9) - 7.698250e-3) < 1e-12);
    assert_true(lp_pod_box(&s, all, 16, &box)); /* (0, 0..1, z) */
    assert_int_equal(box.extent[0], 1);
    assert_int_equal(box.extent[1], 2);
    assert_int_equal(box.extent[2], 8);
    assert_true(box.closed[2] && !box.closed[1]);
    assert_false(lp_pod_box(&s, all, 12, &box));
    assert_false(lp_pod_box(&s, all + 8, 8, &box)); /* not at the origin */
}

/* ---- what is left ---- */

/* Goes the way that is taken link by link, as far as it leads. */
static void check_way(const LpPodRest *rest, uint32_t from, uint32_t to) {
    uint32_t first, last, hops = lp_pod_rest_hops(rest, from, to);
    lp_pod_rest_way(rest, from, to, &first, &last);
    uint32_t next = rest->net.to[6 * from + first], before = rest->net.to[6 * to + last];
    assert_int_equal(lp_pod_rest_hops(rest, next, to) + 1, hops);
    assert_true(before != LP_NO_INDEX);
    assert_int_equal(lp_pod_rest_hops(rest, before, to), 1 - (before == to));
    for (uint32_t k = 0; k < first; k++)
        assert_true(rest->net.to[6 * from + k] == LP_NO_INDEX ||
                    lp_pod_rest_hops(rest, rest->net.to[6 * from + k], to) >= hops);
}

/* With nothing dead ways are those of the intact slice; with a switch of z dead the rings of all
 * are those of lp_pod_ring, that of the first eight alone is longer but loads nothing twice. */
static void rests(void **state) {
    static const LpPodDead dead[] = {{LP_POD_SWITCH, 32}};
    static const char *const slices[] = {"4x4x8", "4x4x8 twisted"};
    (void)state;
    LpPod pod;
    LpDiag diag;
    LpPodRest *rest = NULL;
    LpPodRing ring[3], all;
    uint32_t member[128];
    lp_pod_defaults(&pod, 64);
    for (uint32_t i = 0; i < 128; i++)
        member[i] = i;
    for (size_t i = 0; i < LP_COUNTOF(slices); i++) {
        LpSlice s = slice_of(slices[i], &pod), box;
        assert_int_equal(lp_pod_rest(&pod, &s, NULL, 0, member, 128, &rest, &diag), LP_OK);
        for (uint32_t a = 0; a < 128; a += 3)
            for (uint32_t b = 0; b < 128; b += 5) {
                uint32_t way[2], left[2];
                assert_int_equal(lp_pod_rest_hops(rest, a, b), lp_pod_hops(&pod, &s, a, b));
                if (a == b)
                    continue;
                lp_pod_way(&pod, &s, a, b, &way[0], &way[1]);
                lp_pod_rest_way(rest, a, b, &left[0], &left[1]);
                assert_true(way[0] == left[0] && way[1] == left[1]);
            }
        lp_pod_rest_fini(rest);
        assert_int_equal(lp_pod_rest(&pod, &s, dead, 1, member, 128, &rest, &diag), LP_OK);
        assert_int_equal(lp_pod_rest_hops(rest, 3, 4), 3);
        for (uint32_t a = 0; a < 128; a++)
            check_way(rest, a, (a + 37) % 128);
        assert_true(lp_pod_box(&s, member, 128, &box));
        lp_pod_rest_rings(&pod, rest, &box, ring);
        for (int d = 0; d < 3; d++) {
            assert_int_equal(lp_pod_ring(&pod, &s, &rest->net, d, &all, &diag), LP_OK);
            assert_true(all.load == ring[d].load && all.hops == ring[d].hops);
        }
        assert_true(lp_pod_box(&s, member, 8, &box));
        lp_pod_rest_rings(&pod, rest, &box, ring);
        assert_true(ring[2].load == 1 && ring[2].hops == 3 && ring[0].hops == 1);
        lp_pod_rest_fini(rest);
    }
}

TEST_GROUP(test_model_pod) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wirings),
        cmocka_unit_test(circuits),
        cmocka_unit_test(grids),
        cmocka_unit_test(links_lead_back),
        cmocka_unit_test(two_links_are_two_paths),
        cmocka_unit_test(dead_switches),
        cmocka_unit_test(ways),
        cmocka_unit_test(boxes),
        cmocka_unit_test(rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
