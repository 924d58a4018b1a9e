/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric zones: numbering, ways and TCP by hand, collectives over zones by hand, symmetry, and
 * measurement: deterministic, within its error, held for an interval. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/measure.h"

static const double PEAK = 130e12, MEMORY = 2e12;

/* Zones of 4, 4 and 2 servers: 10 GB/s and 20 us inside; 0-1 1 GB/s and 1 ms, 0-2 2 GB/s and 4 ms,
 * 1-2 as 0-1 with 1 % of loss. */
static const LpZone ZONE[] = {{"a", 4, {10e9, 20e-6, 0}, NULL, 0},
                              {"b", 4, {10e9, 20e-6, 0}, NULL, 0},
                              {"c", 2, {10e9, 40e-6, 2e-4}, NULL, 0}};
/* The same with cables of their own: server 1 slow, 2 far and lossy as 3; 5 and 6 three quarters
 * taken by others; of c both as in `inside`. */
static const LpOwnLinks OWN_A[] = {{1, 1, {2e9, 10e-6, 0}, 0}, {2, 2, {10e9, 500e-6, 1e-3}, 0}};
static const LpOwnLinks OWN_B[] = {{1, 2, {10e9, 10e-6, 0}, 0.75}};
static const LpOwnLinks OWN_C[] = {{1, 1, {10e9, 20e-6, 1e-4}, 0}};
static const LpZone DIFFER[] = {{"a", 4, {10e9, 20e-6, 0}, OWN_A, 2},
                                {"b", 4, {10e9, 20e-6, 0}, OWN_B, 1},
                                {"c", 2, {10e9, 40e-6, 2e-4}, OWN_C, 1}};
static const LpReach BETWEEN[] = {{1e9, 1e-3, 0}, {2e9, 4e-3, 0}, {1e9, 1e-3, 0.01}};

typedef struct Fixture {
    LpArena *arena;
    LpCluster cluster;
    LpFabric fabric;
} Fixture;

static void make_of(Fixture *f, const LpZone *zone, LpAlgorithm collective) {
    LpDiag diag = {0};
    LpNetworkSpec spec = {.topology = LP_TOPOLOGY_ZONES,
                          .zones = 3,
                          .zone = zone,
                          .between = BETWEEN,
                          .tcp = {.segment = 1460, .timeout = 1, .acked = 1, .connections = 2}};
    f->arena = lp_arena_new(0);
    f->cluster = (LpCluster){
        .fabric = LP_FABRIC_ZONES,
        .zones = {.net = {.spec = spec, .collective = collective}, .measured = {.seed = 5}}};
    if (lp_network_build(&spec, f->arena, &f->cluster.zones.net.network, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    f->cluster.servers = f->cluster.zones.net.network->servers;
    lp_fabric_init(&f->fabric, &f->cluster);
}

static void make(Fixture *f, LpAlgorithm collective) {
    make_of(f, ZONE, collective);
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

static uint32_t zone_of(const LpFabric *fabric, uint32_t server) {
    for (uint32_t z = 0; z < lp_zone_count(fabric); z++) {
        LpZoneServers in = lp_zone_servers(fabric, z);
        for (uint32_t i = in.begin; i < in.end; i++)
            if ((in.list != NULL ? in.list[i - in.begin] : i) == server)
                return z;
    }
    return UINT32_MAX;
}

static void zones_are_numbered_in_order(void **state) {
    (void)state;
    static const uint32_t of[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
    char name[LP_ZONE_NAME];
    Fixture f;
    make(&f, LP_ALGORITHM_RING);
    assert_int_equal(f.fabric.servers, 10);
    assert_int_equal(lp_zone_count(&f.fabric), 3);
    for (uint32_t s = 0; s < 10; s++)
        assert_int_equal(zone_of(&f.fabric, s), of[s]);
    assert_string_equal(lp_zone_name(&f.fabric, 2, name), "c");
    lp_arena_free(f.arena);
}

static void ways_by_hand(void **state) {
    (void)state;
    Fixture f;
    make(&f, LP_ALGORITHM_RING);
    LpMeasuredPath way = lp_way_true(&f.fabric, 0, 3, 0);
    near(way.delay, 20e-6);
    near(way.throughput, 10e9);
    assert_true(way.loss == 0);
    way = lp_way_true(&f.fabric, 1, 6, 7); /* half of each zone's inside */
    near(way.delay, 1e-3 + 20e-6);
    near(way.throughput, 1e9);
    assert_true(way.measured_at == 7);
    way = lp_way_true(&f.fabric, 9, 4, 0);
    near(way.delay, 1e-3 + 30e-6);
    near(way.loss, 0.01 + 1e-4);
    /* Mathis, two connections */
    near(way.throughput, 2 * 1460 / (2 * 1.03e-3) * sqrt(1.5 / 0.0101));
    way = lp_way_true(&f.fabric, 5, 5, 0);
    assert_true(way.delay == 0 && way.throughput == (double)INFINITY);
    /* 2e-4 lost inside c, half of it on the way: Mathis again */
    double rate = 2 * 1460 / (2 * 4.03e-3) * sqrt(1.5 / 1e-4);
    near(f.fabric.ops->transfer_time(&f.fabric, 0, 9, 2e9), 4.03e-3 + 2e9 / rate);
    lp_arena_free(f.arena);
}

/* A way has the cables of both its ends: the narrower rate, delays and losses added. */
static void own_cables_by_hand(void **state) {
    (void)state;
    Fixture f;
    make_of(&f, DIFFER, LP_ALGORITHM_RING);
    LpMeasuredPath way = lp_way_true(&f.fabric, 0, 1, 0);
    near(way.delay, 20e-6);
    near(way.throughput, 2e9);
    way = lp_way_true(&f.fabric, 4, 6, 0); /* a quarter is left */
    near(way.throughput, 2.5e9);
    way = lp_way_true(&f.fabric, 7, 4, 0);
    near(way.throughput, 10e9);
    way = lp_way_true(&f.fabric, 2, 3, 0);
    near(way.delay, 1e-3);
    near(way.loss, 2e-3);
    near(way.throughput, 2 * 1460 / 2e-3 * sqrt(1.5 / 2e-3));
    way = lp_way_true(&f.fabric, 5, 3, 0); /* 10 us + 1 ms + 500 us */
    near(way.delay, 1.51e-3);
    near(way.loss, 1e-3);
    lp_arena_free(f.arena);
}

static void own_cables_are_counted(void **state) {
    (void)state;
    static const uint32_t alike[] = {0, 1, 2, 2, 4, 5, 5, 7, 8, 8};
    Fixture f;
    make_of(&f, DIFFER, LP_ALGORITHM_RING);
    const LpNetwork *n = f.fabric.network;
    for (uint32_t s = 0; s < 10; s++)
        assert_int_equal(n->alike[s], alike[s]);
    assert_int_equal(n->usual[0], 0);
    assert_int_equal(n->usual[1], 4);
    assert_int_equal(n->others[0], 3);
    assert_int_equal(n->others[1], 2);
    assert_int_equal(n->others[2], 0); /* it says what is so anyway */
    lp_arena_free(f.arena);
}

static double gather(const Fixture *f, const uint32_t *members, uint32_t n) {
    return f->fabric.ops->collective_time(&f->fabric, LP_ALL_GATHER, members, n, 4e9, PEAK, MEMORY);
}

/* Four members, two in each of two zones, 4 GB. */
static void collectives_by_hand(void **state) {
    (void)state;
    static const uint32_t two_zones[] = {0, 4, 1, 5}, one_zone[] = {0, 1, 2, 3};
    Fixture f;
    make(&f, LP_ALGORITHM_RING); /* every step waits for the way across */
    near(gather(&f, two_zones, 4), 3 * (1.02e-3 + 1e9 / 1e9));
    near(gather(&f, one_zone, 4), 3 * (20e-6 + 1e9 / 10e9));
    lp_arena_free(f.arena);
    make(&f, LP_ALGORITHM_HIERARCHICAL); /* pairs inside over 4 GB, then across over 2 GB */
    near(gather(&f, two_zones, 4), (20e-6 + 2e9 / 10e9) + (1.02e-3 + 1e9 / 1e9));
    near(gather(&f, one_zone, 4), 3 * (20e-6 + 1e9 / 10e9));
    lp_arena_free(f.arena);
    make(&f, LP_ALGORITHM_HALVING); /* 1 apart: inside, 2 apart: across; halves and quarters */
    near(gather(&f, two_zones, 4), (20e-6 + 1e9 / 10e9) + (1.02e-3 + 2e9 / 1e9));
    lp_arena_free(f.arena);
    make(&f, LP_ALGORITHM_TREE); /* gather: likewise; broadcast: everything at each level */
    near(gather(&f, two_zones, 4), (20e-6 + 1e9 / 10e9) + (1.02e-3 + 2e9 / 1e9) +
                                       (20e-6 + 4e9 / 10e9) + (1.02e-3 + 4e9 / 1e9));
    lp_arena_free(f.arena);
}

static void draw_servers(LpRng *rng, uint32_t n, uint32_t *out) {
    uint32_t all[10];
    for (uint32_t i = 0; i < 10; i++)
        all[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i + (uint32_t)lp_rng_below(rng, 10 - i), held = all[k];
        all[k] = all[i];
        out[i] = all[i] = held;
    }
}

static void alike_means_equal_times(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "test", 0);
    for (int i = 0; i < 2000; i++) {
        enum { MANY = 80 };
        uint32_t servers[10], label[10], again[10], n = 2 + (uint32_t)lp_rng_below(&rng, 9);
        uint32_t many[MANY], label_many[MANY];
        Fixture f;
        make_of(&f, lp_rng_below(&rng, 2) ? DIFFER : ZONE,
                (LpAlgorithm)lp_rng_below(&rng, LP_ALGORITHM_COUNT));
        f.cluster.zones.net.ring = lp_rng_below(&rng, 2) ? LP_RING_GIVEN : LP_RING_AWARE;
        draw_servers(&rng, n, servers);
        f.fabric.ops->canonical(&f.fabric, servers, n, label);
        for (uint32_t k = 0; k < MANY; k++)
            many[k] = servers[k % n];
        f.fabric.ops->canonical(&f.fabric, many, MANY, label_many); /* by another way */
        assert_memory_equal(label_many, label, n * sizeof *label);
        f.fabric.ops->canonical(&f.fabric, label, n, again);
        assert_memory_equal(label, again, n * sizeof *label);
        assert_true(gather(&f, servers, n) == gather(&f, label, n));
        for (uint32_t k = 1; k < n; k++) {
            assert_int_equal(zone_of(&f.fabric, servers[k]), zone_of(&f.fabric, label[k]));
            assert_true(f.fabric.ops->transfer_time(&f.fabric, servers[0], servers[k], 1e6) ==
                        f.fabric.ops->transfer_time(&f.fabric, label[0], label[k], 1e6));
        }
        lp_arena_free(f.arena);
    }
}

static bool same(LpMeasuredPath a, LpMeasuredPath b) {
    return a.delay == b.delay && a.loss == b.loss && a.throughput == b.throughput &&
           a.measured_at == b.measured_at;
}

static void measured_is_true_by_default(void **state) {
    (void)state;
    Fixture f;
    make(&f, LP_ALGORITHM_RING);
    for (uint32_t a = 0; a < 10; a++)
        for (uint32_t b = 0; b < 10; b++)
            assert_true(same(lp_way_true(&f.fabric, a, b, 3), lp_way_measured(&f.fabric, a, b, 3)));
    lp_arena_free(f.arena);
}

static void expect_within(double seen, double truth, double error) {
    assert_true(seen >= truth * (1 - error) * (1 - 1e-12));
    assert_true(seen <= truth * (1 + error) * (1 + 1e-12));
}

static void measured_within_its_error(void **state) {
    (void)state;
    Fixture f;
    make(&f, LP_ALGORITHM_RING);
    f.cluster.zones.measured = (LpMeasureParams){
        .interval = 10, .delay_error = 0.1, .loss_error = 1, .throughput_error = 1, .seed = 3};
    uint32_t high = 0, changed = 0;
    for (int k = 0; k < 200; k++) {
        LpMeasuredPath truth = lp_way_true(&f.fabric, 8, 4, 10.0 * k);
        LpMeasuredPath seen = lp_way_measured(&f.fabric, 8, 4, 10.0 * k);
        assert_true(same(seen, lp_way_measured(&f.fabric, 8, 4, 10.0 * k + 9.5)));
        assert_true(seen.measured_at == 10.0 * k);
        expect_within(seen.delay, truth.delay, 0.1);
        expect_within(seen.loss, truth.loss, 1);
        expect_within(seen.throughput, truth.throughput, 1);
        assert_true(seen.throughput > 0);
        high += seen.delay > truth.delay;
        changed += !same(seen, lp_way_measured(&f.fabric, 8, 4, 10.0 * k + 10));
    }
    assert_int_equal(changed, 200);
    assert_true(high >= 60 && high <= 140); /* errs both ways */
    lp_arena_free(f.arena);
}

static void refuse(LpNetworkSpec spec, const char *text) {
    LpDiag diag = {0};
    LpArena *arena = lp_arena_new(0);
    const LpNetwork *network = NULL;
    assert_int_equal(lp_network_build(&spec, arena, &network, &diag), LP_EINVAL);
    if (strstr(diag.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.text, text);
    assert_null(network);
    lp_arena_free(arena);
}

static void refusals(void **state) {
    (void)state;
    LpZone zone[3];
    LpReach between[3];
    memcpy(zone, ZONE, sizeof zone);
    memcpy(between, BETWEEN, sizeof between);
    LpNetworkSpec spec = {.topology = LP_TOPOLOGY_ZONES,
                          .zones = 3,
                          .zone = zone,
                          .between = between,
                          .tcp = {.segment = 1460, .timeout = 1, .acked = 1, .connections = 1}};
    LpNetworkSpec none = spec, slow = spec;
    none.zones = 0;
    refuse(none, "zones has 0 entries: expected 1 to 256");
    slow.tcp.connections = 0.5;
    refuse(slow, "tcp.connections is 0.5: expected 1 or more");
    between[2].loss = 1;
    refuse(spec, "links from b to c: loss is 1: expected 0 or more and less than 1");
    between[2].loss = (double)NAN;
    refuse(spec, "loss is not finite");
    zone[1].servers = 0;
    refuse(spec, "zones[1].servers is 0");
    zone[1].servers = 4;
    LpOwnLinks own[2] = {OWN_A[0], OWN_A[1]};
    zone[0].own = own;
    zone[0].owns = 2;
    own[1].count = 3;
    refuse(spec, "zones[0].own_links[1].first is 2 and count 3: expected servers from 2 to 3");
    own[1] = (LpOwnLinks){1, 1, OWN_A[1].cable, 0};
    refuse(spec, "zones[0].own_links[1].first is 1 and count 1: expected servers from 2 to 3");
    own[1] = OWN_A[1];
    own[1].taken = 1;
    refuse(spec, "zones[0].own_links[1].taken is 1: expected 0 or more and less than 1");
    own[0].cable.bandwidth = 0;
    refuse(spec, "zones[0].own_links[0].bandwidth is 0: expected more than 0 bytes/s");
    zone[0].inside.bandwidth = 0;
    refuse(spec, "zones[0].inside.bandwidth is 0: expected more than 0 bytes/s");
}

TEST_GROUP(test_model_zones) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_are_numbered_in_order),
        cmocka_unit_test(ways_by_hand),
        cmocka_unit_test(own_cables_by_hand),
        cmocka_unit_test(own_cables_are_counted),
        cmocka_unit_test(collectives_by_hand),
        cmocka_unit_test(alike_means_equal_times),
        cmocka_unit_test(measured_is_true_by_default),
        cmocka_unit_test(measured_within_its_error),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
