/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads of the links of a slice one by one, and the shapes that a job could have asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "graph/loads.h"
#include "group.h"
#include "model/pod/pod_load.h"
#include "session/pod/loads.h"
#include "session/pod/shapes.h"
#include "session/session.h"

/* ---- loads ---- */

typedef struct Loads {
    LpPod pod;
    LpSlice slice;
    LpPodNet net;
    double *load;
    double sum, most;
} Loads;

static void open_loads(Loads *l, const char *slice, bool fixed) {
    LpDiag diag;
    *l = (Loads){0};
    lp_pod_defaults(&l->pod, 64);
    l->pod.fixed = fixed;
    assert_int_equal(lp_slice_read(slice, &l->pod, &l->slice, &diag), LP_OK);
    assert_int_equal(lp_pod_net(&l->pod, &l->slice, NULL, 0, &l->net, &diag), LP_OK);
    l->load = lp_alloc(6 * (size_t)l->net.nodes, sizeof *l->load);
    assert_non_null(l->load);
    assert_int_equal(lp_slice_loads(&l->pod, &l->slice, &l->net, l->load, &diag), LP_OK);
    for (uint32_t k = 0; k < 6 * l->net.nodes; k++) {
        l->sum += l->load[k];
        l->most = fmax(l->most, l->load[k]);
        assert_true((l->net.to[k] == LP_NO_INDEX) == (l->load[k] == 0));
    }
}

static void close_loads(Loads *l) {
    lp_free(l->load);
    lp_pod_net_fini(&l->net);
}

/* The sum of all loads is that of all distances, whatever the wiring, and the greatest one is what
 * the slice is predicted with. */
static void check_loads(const char *slice, bool fixed, double most) {
    Loads l;
    LpDiag diag;
    uint32_t diameter;
    double distances, greatest;
    open_loads(&l, slice, fixed);
    uint32_t *all = lp_alloc(l.net.nodes, sizeof *all);
    assert_non_null(all);
    for (uint32_t v = 0; v < l.net.nodes; v++)
        all[v] = v;
    assert_int_equal(lp_pod_distances(&l.net, all, l.net.nodes, &diameter, &distances, &diag),
                     LP_OK);
    lp_free(all);
    assert_true(fabs(l.sum - distances) < 1e-6 * distances);
    assert_int_equal(lp_slice_greatest_load(&l.pod, &l.slice, &l.net, &greatest, &diag), LP_OK);
    assert_true(fabs(l.most - greatest) < 1e-8);
    assert_true(fabs(l.most - most) < 1e-4);
    close_loads(&l);
}

static void test_loads(void **state) {
    (void)state;
    check_loads("4x4x4", false, 32);
    check_loads("4x4x8", false, 128);
    check_loads("4x4x8 twisted", false, 220.0 / 3);
    check_loads("4x8x8 twisted", false, 184);
    check_loads("4x4x8", true, 387.6595);
    check_loads("2x4x4", false, 39);
}

/* igraph's loads from all sources, link by link. */
static double *loads_by_graph(const LpPodNet *net) {
    uint32_t *src = lp_alloc(net->links, sizeof *src), *dst = lp_alloc(net->links, sizeof *dst);
    double *found = lp_alloc(net->links, sizeof *found);
    double *load = lp_alloc(net->nodes, 6 * sizeof *load);
    uint32_t count = 0;
    LpDiag diag;
    assert_true(src != NULL && dst != NULL && found != NULL && load != NULL);
    for (uint32_t k = 0; k < 6 * net->nodes; k++)
        if (net->to[k] != LP_NO_INDEX) {
            src[count] = k / 6;
            dst[count++] = net->to[k];
        }
    LpEdgeList list = {net->nodes, count, src, dst};
    assert_int_equal(lp_graph_loads(&list, net->nodes, found, &diag), LP_OK);
    for (uint32_t k = 0, e = 0; k < 6 * net->nodes; k++)
        load[k] = net->to[k] != LP_NO_INDEX ? found[e++] : 0;
    lp_free(src);
    lp_free(dst);
    lp_free(found);
    return load;
}

/* Loads from the accelerators that stand for all are those from all, link by link; whoever stands
 * for some does so for equally many. */
static void check_alike(const char *slice, bool fixed, const LpPodDead *dead, size_t deads,
                        uint32_t expected) {
    LpPod pod;
    LpSlice s;
    LpPodNet net;
    LpDiag diag;
    lp_pod_defaults(&pod, 64);
    pod.fixed = fixed;
    assert_int_equal(lp_slice_read(slice, &pod, &s, &diag), LP_OK);
    assert_int_equal(lp_pod_net(&pod, &s, dead, deads, &net, &diag), LP_OK);
    size_t links = 6 * (size_t)net.nodes;
    double *few = lp_alloc(links, sizeof *few), *all;
    uint32_t *source = lp_alloc(net.nodes, sizeof *source), d[2];
    double sum[2];
    assert_true(few != NULL && source != NULL);
    uint32_t sources = lp_pod_sources(&pod, &s, &net, source);
    assert_int_equal(sources, expected);
    assert_int_equal(net.nodes % sources, 0);
    assert_int_equal(lp_slice_loads(&pod, &s, &net, few, &diag), LP_OK);
    double most = 0, own;
    for (size_t k = 0; k < links; k++)
        most = few[k] > most ? few[k] : most;
    assert_int_equal(lp_pod_greatest_load(&pod, &s, &net, &own, &diag), LP_OK);
    assert_true(fabs(own - most) < 2e-9); /* igraph's and what worlds go by */
    assert_int_equal(lp_pod_distances(&net, source, sources, &d[0], &sum[0], &diag), LP_OK);
    net.odd = true; /* nobody stands for others */
    assert_int_equal(lp_pod_sources(&pod, &s, &net, source), net.nodes);
    all = loads_by_graph(&net);
    assert_int_equal(lp_pod_distances(&net, source, net.nodes, &d[1], &sum[1], &diag), LP_OK);
    for (size_t k = 0; k < links; k++)
        assert_true(fabs(few[k] - all[k]) < 2e-9);
    assert_true(d[0] == d[1] && sum[0] * (net.nodes / sources) == sum[1]);
    lp_free(few);
    lp_free(all);
    lp_free(source);
    lp_pod_net_fini(&net);
}

static void test_alike(void **state) {
    static const LpPodDead dead[] = {{LP_POD_SWITCH, 32}, {LP_POD_SWITCH, 33}, {LP_POD_CABLE, 7}};
    (void)state;
    check_alike("4x4x8", false, NULL, 0, 1);
    check_alike("4x4x8", false, dead, 1, 64);
    check_alike("4x4x8 twisted", false, dead, 2, 64);
    check_alike("4x8x8 twisted", false, dead, 1, 64);
    check_alike("4x4x8", false, dead, 3, 128);
    check_alike("4x4x8", true, NULL, 0, 16);
    check_alike("4x4x16", true, NULL, 0, 4);
    check_alike("2x4x4", false, NULL, 0, 4);
    check_alike("1x1x2", false, NULL, 0, 1);
}

/* ---- dead cables: every accelerator is a source ---- */

static void check_each(uint32_t cube, const char *slice, const LpPodDead *dead, size_t deads) {
    LpPod pod;
    LpSlice s;
    LpPodNet net;
    LpDiag diag;
    LpPodLoads own;
    uint32_t diameter;
    double distances;
    lp_pod_defaults(&pod, 64);
    pod.cube = cube;
    assert_int_equal(lp_slice_read(slice, &pod, &s, &diag), LP_OK);
    assert_int_equal(lp_pod_net(&pod, &s, dead, deads, &net, &diag), LP_OK);
    assert_true(net.odd);
    uint32_t *all = lp_alloc(net.nodes, sizeof *all);
    assert_non_null(all);
    for (uint32_t v = 0; v < net.nodes; v++)
        all[v] = v;
    assert_int_equal(lp_pod_distances(&net, all, net.nodes, &diameter, &distances, &diag), LP_OK);
    assert_int_equal(lp_pod_loads(&pod, &s, &net, &own, &diag), LP_OK);
    double *load = loads_by_graph(&net);
    for (uint32_t k = 0; k < 6 * net.nodes; k++)
        assert_true(fabs(load[k] - own.load[k]) < 2e-9);
    assert_true(own.diameter == diameter && own.distances == distances);
    lp_free(all);
    lp_free(load);
    lp_free(own.load);
    lp_pod_net_fini(&net);
}

static void test_dead_cables(void **state) {
    static const LpPodDead dead[] = {{LP_POD_CABLE, 7},   {LP_POD_CABLE, 96 + 40},
                                     {LP_POD_CABLE, 65},  {LP_POD_CABLE, 66},
                                     {LP_POD_SWITCH, 32}, {LP_POD_SWITCH, 3}};
    static const LpPodDead small[] = {{LP_POD_CABLE, 0}, {LP_POD_CABLE, 3}, {LP_POD_CABLE, 17}};
    (void)state;
    for (size_t deads = 1; deads <= 6; deads++) {
        check_each(4, "4x4x8", dead, deads);
        check_each(4, "4x4x8 twisted", dead, deads);
        check_each(4, "4x8x8 twisted", dead, deads);
    }
    for (size_t deads = 1; deads <= 3; deads++) {
        check_each(2, "2x2x4", small, deads); /* two links join the same pair */
        check_each(3, "3x6x6 twisted", small, deads);
        check_each(3, "3x3x9", small, deads);
    }
}

/* All 24 cables of a cube: it is cut off from the other one. */
static void test_cut_off(void **state) {
    LpPodDead dead[24];
    LpPod pod;
    LpSlice s;
    LpPodNet net;
    LpDiag diag;
    LpPodLoads out = {0};
    double most = -1;
    (void)state;
    lp_pod_defaults(&pod, 8);
    pod.cube = 2;
    for (uint32_t k = 0; k < 24; k++)
        dead[k] = (LpPodDead){LP_POD_CABLE, k};
    assert_int_equal(lp_slice_read("2x2x4", &pod, &s, &diag), LP_OK);
    assert_int_equal(lp_pod_net(&pod, &s, dead, 24, &net, &diag), LP_OK);
    assert_int_equal(lp_pod_loads(&pod, &s, &net, &out, &diag), LP_EREFUSED);
    assert_non_null(strstr(diag.text, "falls apart"));
    assert_null(out.load);
    assert_int_equal(lp_pod_greatest_load(&pod, &s, &net, &most, &diag), LP_EREFUSED);
    assert_true(most == -1);
    lp_pod_net_fini(&net);
}

/* A twist makes all directions carry the same; without it the long one carries most. */
static void test_directions(void **state) {
    Loads plain, twisted;
    (void)state;
    open_loads(&plain, "4x4x8", false);
    open_loads(&twisted, "4x4x8 twisted", false);
    assert_true(fabs(plain.load[0] - 64) < 1e-6 && fabs(plain.load[4] - 128) < 1e-6);
    for (uint32_t k = 0; k < 6 * twisted.net.nodes; k++)
        assert_true(fabs(twisted.load[k] - 220.0 / 3) < 1e-6);
    close_loads(&plain);
    close_loads(&twisted);
}

/* ---- shapes ---- */

static LpSession *open_pod(const char *const *set, uint32_t sets) {
    LpSession *session = NULL;
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = "scenarios/pod-64.json", .set = set, .sets = sets};
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return session;
}

/* Shapes of 512 accelerators: three boxes of eight cubes, of which 1x2x4 and 2x2x2 have no twist.
 */
static LpPodShape *shapes_of(const LpSession *session, const char *text, uint32_t *count) {
    const LpContext *context = lp_session_context(session);
    LpSlice asked;
    LpPodShape *shape = NULL;
    LpDiag diag = {0};
    assert_int_equal(lp_slice_ask(text, &context->fabric.cluster->pod.net, &asked, &diag), LP_OK);
    assert_int_equal(
        lp_pod_shapes(lp_session_world(session), context, &asked, 1e9, &shape, count, &diag),
        LP_OK);
    return shape;
}

static void test_shapes(void **state) {
    static const struct {
        const char *name;
        double load;
    } expected[] = {{"8x8x8", 512}, {"4x8x16", 1024}, {"4x4x32", 2048}};
    uint32_t count;
    (void)state;
    LpSession *session = open_pod(NULL, 0);
    LpPodShape *shape = shapes_of(session, "4x8x16", &count);
    assert_int_equal(count, LP_COUNTOF(expected));
    for (uint32_t i = 0; i < count; i++) {
        char name[LP_SLICE_TEXT];
        assert_string_equal(lp_slice_name(&shape[i].is.slice, name), expected[i].name);
        assert_true(fabs(shape[i].is.load - expected[i].load) < 1e-6);
        assert_int_equal(shape[i].is.cross_connects, 8 * 48);
        assert_int_equal(shape[i].cause, LP_CAUSE_NONE);
        assert_int_equal(shape[i].asked, i == 1);
    }
    lp_free(shape);
    lp_session_close(session);
}

/* The grid of 4 x 4 x 4 cubes has no box of eight in a row; and what is too large for a look at its
 * ends has no loads. */
static void test_static_shapes(void **state) {
    const char *const set[] = {"cluster.pod.wiring=static"};
    uint32_t count;
    (void)state;
    LpSession *session = open_pod(set, 1);
    LpPodShape *shape = shapes_of(session, "8x8x8", &count);
    assert_int_equal(count, 3);
    assert_int_equal(shape[2].cause, LP_CAUSE_SHAPE);
    assert_non_null(strstr(shape[2].why, "no box of the grid"));
    assert_true(fabs(shape[0].is.load - 1854.1579) < 1e-3 && shape[0].is.gain < 0.3);
    lp_free(shape);
    shape = shapes_of(session, "8x16x16", &count);
    for (uint32_t i = 0; i < count; i++)
        assert_true(isnan(shape[i].is.load));
    lp_free(shape);
    lp_session_close(session);
}

TEST_GROUP(test_ask_pod) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),         cmocka_unit_test(test_alike),
        cmocka_unit_test(test_dead_cables),   cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_directions),    cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_static_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
