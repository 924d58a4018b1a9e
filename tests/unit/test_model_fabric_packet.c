/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric packet: near blocks first, times by hand, ports, and placements that its symmetry
 * calls alike taking the same times. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/fabric/board.h"
#include "model/fabric/fabric.h"

static const double PEAK = 130e12, MEMORY = 2e12;

typedef struct Fixture {
    LpArena *arena;
    LpCluster cluster;
    LpFabric fabric;
} Fixture;

static void make(Fixture *f, LpNetworkSpec spec, LpAlgorithm collective, LpRingOrder ring) {
    LpDiag diag = {0};
    spec.server_bandwidth = 1e9;
    spec.uplink_bandwidth = 5e8;
    spec.server_delay = 1e-6;
    spec.uplink_delay = 2e-6;
    f->arena = lp_arena_new(0);
    f->cluster = (LpCluster){
        .fabric = LP_FABRIC_PACKET,
        .packet = {.spec = spec, .collective = collective, .ring = ring, .io_latency = 1e-7}};
    if (lp_network_build(&spec, f->arena, &f->cluster.packet.network, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    f->cluster.servers = f->cluster.packet.network->servers;
    lp_fabric_init(&f->fabric, &f->cluster);
}

static const LpNetworkSpec LEAF_SPINE = {
    .topology = LP_TOPOLOGY_LEAF_SPINE, .leaves = 4, .spines = 2, .servers_per_leaf = 4};
static const LpNetworkSpec FAT_TREE = {.topology = LP_TOPOLOGY_FAT_TREE, .k = 4};
static const LpNetworkSpec TORUS = {.topology = LP_TOPOLOGY_TORUS, .dimensions = 2, .size = {4, 4}};

/* ---- boards ---- */

static void expect_node(const Fixture *f, uint32_t node, const char *name) {
    LpBuf text = {0};
    lp_board_node_name(&f->fabric, node, &text);
    assert_string_equal(lp_buf_text(&text), name);
    lp_buf_fini(&text);
}

/* Who draws asks the plan: pictures that suit, the best one first, and what things are called. */
static void boards_say_how_networks_lie(void **state) {
    (void)state;
    Fixture f;
    uint32_t rack[16];
    make(&f, LEAF_SPINE, LP_ALGORITHM_RING, LP_RING_GIVEN);
    LpBoardPlan plan = lp_board_plan(&f.fabric);
    assert_int_equal(plan.joins, LP_BOARD_LINKS);
    assert_int_equal(plan.look[0], LP_BOARD_PICTURE);
    assert_int_equal(plan.look[1], LP_BOARD_MATRIX);
    assert_int_equal(plan.look[2], LP_BOARD_LIST);
    assert_int_equal(plan.count, 4);
    assert_int_equal(plan.spines, 2);
    assert_string_equal(plan.rack_many, "leaves");
    lp_board_racks(&f.fabric, NULL, rack);
    for (uint32_t s = 0; s < 16; s++)
        assert_int_equal(rack[s], s / 4);
    expect_node(&f, 3, "server 3");
    expect_node(&f, 16 + 3, "leaf 3");
    expect_node(&f, 16 + 4, "spine 0");
    lp_arena_free(f.arena);
    make(&f, FAT_TREE, LP_ALGORITHM_RING, LP_RING_GIVEN);
    plan = lp_board_plan(&f.fabric);
    assert_int_equal(plan.look[0], LP_BOARD_LIST);
    assert_string_equal(plan.group, "pod");
    assert_int_equal(plan.per_group, 2);
    expect_node(&f, 16 + 7, "edge 7");
    expect_node(&f, 16 + 8, "aggregation 0");
    expect_node(&f, 16 + 16 + 3, "core 3");
    lp_arena_free(f.arena);
    make(&f, TORUS, LP_ALGORITHM_RING, LP_RING_GIVEN);
    plan = lp_board_plan(&f.fabric);
    assert_string_equal(plan.rack, "row");
    assert_true(plan.group == NULL);
    lp_arena_free(f.arena);
}

/* ---- blocks ---- */

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    (void)position;
    return (*(const uint32_t *)context >> server & 1) != 0;
}

static void expect_block(const Fixture *f, uint32_t free, uint32_t n, uint32_t first,
                         uint32_t last) {
    LpBlockSearch search;
    uint32_t out[32];
    lp_block_search(&search, &f->fabric, n, false, is_free, &free);
    assert_true(lp_block_next(&search, out));
    assert_int_equal(out[0], first);
    assert_int_equal(out[n - 1], last);
}

static void near_blocks_first(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    uint32_t out[32], none = 0;
    make(&f, LEAF_SPINE, LP_ALGORITHM_RING, LP_RING_AWARE);
    expect_block(&f, 0xffff, 4, 0, 3);
    expect_block(&f, 0xfffe, 4, 4, 7); /* leaf 0 has three left */
    expect_block(&f, 0xfffe, 3, 1, 3);
    expect_block(&f, 0xfffe, 5, 1, 5); /* no leaf holds five */
    lp_block_search(&search, &f.fabric, 1, false, is_free, &none);
    assert_false(lp_block_next(&search, out));
    lp_arena_free(f.arena);
    make(&f, FAT_TREE, LP_ALGORITHM_RING, LP_RING_AWARE);
    expect_block(&f, 0xfffe, 2, 2, 3); /* an edge switch ... */
    expect_block(&f, 0xfffe, 3, 1, 3); /* ... a pod ... */
    expect_block(&f, 0xfffe, 4, 4, 7);
    expect_block(&f, 0xfffe, 5, 1, 5); /* ... anywhere */
    lp_arena_free(f.arena);
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

static double transfer(const Fixture *f, uint32_t src, uint32_t dst) {
    return f->fabric.ops->transfer_time(&f->fabric, src, dst, 1e6);
}

static void times_by_hand(void **state) {
    (void)state;
    Fixture f;
    const uint32_t members[] = {0, 4, 1, 5};
    make(&f, LEAF_SPINE, LP_ALGORITHM_RING, LP_RING_AWARE);
    near(transfer(&f, 0, 1), 2e-7 + 2e-6 + 1e-3);
    near(transfer(&f, 0, 4), 2e-7 + 6e-6 + 2e-3);
    assert_true(transfer(&f, 3, 3) == 0);
    /* every step of the ring waits for the hop across */
    near(f.fabric.ops->collective_time(&f.fabric, LP_ALL_GATHER, members, 4, 4e6, PEAK, MEMORY),
         3 * (2e-7 + 6e-6 + 2e-3));
    lp_arena_free(f.arena);
    make(&f, LEAF_SPINE, LP_ALGORITHM_HIERARCHICAL, LP_RING_AWARE);
    /* pairs under their leaves over 4 MB, then across over 2 MB */
    near(f.fabric.ops->collective_time(&f.fabric, LP_ALL_GATHER, members, 4, 4e6, PEAK, MEMORY),
         (2e-7 + 2e-6 + 2e-3) + (2e-7 + 6e-6 + 2e-3));
    lp_arena_free(f.arena);
}

static void sends_follow_the_order(void **state) {
    (void)state;
    const uint32_t members[] = {0, 4, 1, 5};
    for (int given = 0; given < 2; given++) {
        Fixture f;
        LpSend *sends;
        uint32_t count, crossings = 0;
        make(&f, LEAF_SPINE, LP_ALGORITHM_RING, given ? LP_RING_GIVEN : LP_RING_AWARE);
        assert_int_equal(lp_packet_sends(&f.fabric, LP_ALL_REDUCE, members, 4, 4e6, &sends, &count),
                         LP_OK);
        assert_int_equal(count, 4);
        for (uint32_t i = 0; i < count; i++) {
            near(sends[i].bytes, 6e6);
            crossings += sends[i].from / 4 != sends[i].to / 4;
        }
        assert_int_equal(crossings, given ? 4 : 2);
        lp_free(sends);
        lp_arena_free(f.arena);
    }
}

static void ports_belong_to_servers(void **state) {
    (void)state;
    static const LpNetworkSpec *const specs[] = {&LEAF_SPINE, &FAT_TREE, &TORUS};
    for (size_t i = 0; i < LP_COUNTOF(specs); i++) {
        Fixture f;
        make(&f, *specs[i], LP_ALGORITHM_RING, LP_RING_AWARE);
        uint32_t each = f.fabric.tx_ports / f.fabric.servers, tx, rx;
        assert_int_equal(each, specs[i] == &TORUS ? 4 : 1);
        for (uint32_t s = 0; s < f.fabric.servers; s++)
            for (uint32_t d = 0; d < f.fabric.servers; d++) {
                f.fabric.ops->ports(&f.fabric, s, d, &tx, &rx);
                assert_int_equal(tx / each, s);
                assert_int_equal(rx / each, d);
            }
        lp_arena_free(f.arena);
    }
}

/* Draws placements; of those with one canonical form all transfers and collectives must agree. */
static uint32_t compare_alike(const LpNetworkSpec *spec, LpAlgorithm algorithm, LpRingOrder ring) {
    enum { DRAWN = 300, MEMBERS = 4, MANY = 80 };
    Fixture f;
    uint32_t many[MANY], form_many[MANY];
    LpRng rng = lp_rng_stream(9, "placements", 0);
    uint32_t server[DRAWN][MEMBERS], form[DRAWN][MEMBERS], pairs = 0;
    make(&f, *spec, algorithm, ring);
    const LpFabricOps *ops = f.fabric.ops;
    for (int i = 0; i < DRAWN; i++) {
        for (int k = 0; k < MEMBERS; k++)
            server[i][k] = (uint32_t)lp_rng_below(&rng, f.fabric.servers);
        ops->canonical(&f.fabric, server[i], MEMBERS, form[i]);
        for (int k = 0; k < MANY; k++)
            many[k] = server[i][k % MEMBERS];
        ops->canonical(&f.fabric, many, MANY, form_many); /* many are numbered in another way */
        assert_memory_equal(form_many, form[i], sizeof form[i]);
        for (int j = 0; j < i; j++) {
            if (memcmp(form[i], form[j], sizeof form[i]) != 0)
                continue;
            pairs += memcmp(server[i], server[j], sizeof server[i]) != 0;
            for (int a = 0; a < MEMBERS; a++)
                for (int b = 0; b < MEMBERS; b++)
                    assert_true(transfer(&f, server[i][a], server[i][b]) ==
                                transfer(&f, server[j][a], server[j][b]));
            assert_true(ops->collective_time(&f.fabric, LP_ALL_REDUCE, server[i], MEMBERS, 1e6,
                                             PEAK, MEMORY) ==
                        ops->collective_time(&f.fabric, LP_ALL_REDUCE, server[j], MEMBERS, 1e6,
                                             PEAK, MEMORY));
        }
    }
    lp_arena_free(f.arena);
    return pairs;
}

static void alike_means_equal_times(void **state) {
    (void)state;
    static const LpNetworkSpec *const specs[] = {&LEAF_SPINE, &FAT_TREE, &TORUS};
    for (size_t i = 0; i < LP_COUNTOF(specs); i++)
        for (int a = 0; a < LP_ALGORITHM_COUNT; a++)
            for (int ring = 0; ring < 2; ring++) {
                uint32_t pairs = compare_alike(specs[i], (LpAlgorithm)a, (LpRingOrder)ring);
                if (specs[i] != &TORUS && a == LP_ALGORITHM_RING)
                    assert_true(pairs > 20); /* or the symmetry would save nothing */
            }
}

TEST_GROUP(test_model_fabric_packet) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_say_how_networks_lie),
        cmocka_unit_test(near_blocks_first),
        cmocka_unit_test(times_by_hand),
        cmocka_unit_test(sends_follow_the_order),
        cmocka_unit_test(ports_belong_to_servers),
        cmocka_unit_test(alike_means_equal_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
