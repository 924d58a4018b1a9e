/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of collectives: the published formula to the last bit, the corrected one against figures
 * worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "model/fabric/fabric.h"

static const double PEAK = 130e12, MEMORY = 2e12, LATENCY = 250e-9;

typedef struct Fixture {
    LpCluster cluster;
    LpFabric fabric;
    uint32_t server[256];
    uint32_t n;
} Fixture;

static void ramp(Fixture *f, uint32_t groups, uint32_t racks, uint32_t per_rack, double bandwidth) {
    f->cluster =
        (LpCluster){.fabric = LP_FABRIC_RAMP,
                    .ramp = {groups, racks, per_rack, bandwidth, 50e-9, 100e-9, 1, true, 20e-9},
                    .servers = groups * racks * per_rack};
    lp_fabric_init(&f->fabric, &f->cluster);
    f->n = 0;
}

static void add(Fixture *f, uint32_t group, uint32_t rack, uint32_t index) {
    f->server[f->n++] = (group * f->fabric.racks + rack) * f->fabric.per_rack + index;
}

static void add_block(Fixture *f, uint32_t groups, uint32_t racks, uint32_t indices) {
    f->n = 0;
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t r = 0; r < racks; r++)
            for (uint32_t t = 0; t < indices; t++)
                add(f, g, r, t);
}

/* A set with that many groups, racks and indices that is no block. */
static void add_diagonal(Fixture *f, uint32_t groups, uint32_t racks, uint32_t indices) {
    f->n = 0;
    for (uint32_t i = 0; i < groups || i < racks || i < indices; i++)
        add(f, i % groups, i % racks, i % indices);
}

static double corrected(const Fixture *f, LpCollective op, double bytes) {
    return f->fabric.ops->collective_time(&f->fabric, op, f->server, f->n, bytes, PEAK, MEMORY);
}

static double published(const Fixture *f, LpCollective op, double bytes) {
    return f->fabric.ops->published_collective_time(&f->fabric, op, f->server, f->n, bytes);
}

static void expect_close(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void published_times_are_the_reference_bits(void **state) {
    (void)state;
    const struct {
        double bytes;
        uint32_t groups, racks, indices, x;
        double time;
    } cases[] = {
        {198339584.0, 2, 1, 1, 4, 0.000645103648},
        {198339584.0, 2, 2, 1, 4, 0.000967905472},
        {198339584.0, 4, 4, 1, 4, 0.0013955751999999999},
        {198339584.0, 2, 2, 2, 4, 0.001129556384},
        {99169792.0, 1, 2, 1, 4, 0.000322801824},
        {99169792.0, 1, 1, 2, 4, 0.0},
        {99169792.0, 2, 1, 2, 4, 0.000484452736},
        {12345678.9, 3, 3, 1, 4, 6.684364e-05},
        {1e9, 1, 1, 5, 4, 0.0032505},
        {1.0, 2, 2, 1, 2, 1.000008e-06},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        Fixture f;
        ramp(&f, cases[i].x, cases[i].x, 8, 1.6e12);
        add_block(&f, cases[i].groups, cases[i].racks, cases[i].indices);
        assert_true(published(&f, LP_ALL_REDUCE, cases[i].bytes) == cases[i].time);
        add_diagonal(&f, cases[i].groups, cases[i].racks, cases[i].indices);
        assert_true(published(&f, LP_ALL_REDUCE, cases[i].bytes) == cases[i].time);
    }
}

static void one_server_or_no_bytes_take_no_time(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_block(&f, 1, 1, 1);
    assert_true(corrected(&f, LP_ALL_REDUCE, 1e9) == 0.0);
    assert_true(published(&f, LP_ALL_REDUCE, 1e9) == 0.0);
    add(&f, 0, 0, 0); /* twice the same */
    assert_true(corrected(&f, LP_ALL_REDUCE, 1e9) == 0.0);
    assert_true(published(&f, LP_ALL_REDUCE, 1e9) == 0.0);
    add_block(&f, 2, 2, 1);
    assert_true(corrected(&f, LP_ALL_REDUCE, 0.0) == 0.0);
}

static void the_paper_figures_come_out(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_block(&f, 4, 4, 2);
    /* d = 4, 2, 4; m = 2.5e8, 1.25e8, 31.25e6; one, four, one transceiver groups of 4e11 B/s */
    double comm = 3.0 * LATENCY + 2.5e8 / 4e11 + 1.25e8 / 16e11 + 31.25e6 / 4e11;
    double comp = 2.5e8 / 4e11 + 1.25e8 / 2.0 / (2e12 / 6.0) + 31.25e6 / 4e11;
    expect_close(corrected(&f, LP_ALL_REDUCE, 1e9), 2.0 * comm + comp);
    assert_true(fabs(corrected(&f, LP_ALL_REDUCE, 1e9) - 2.455e-3) < 0.5e-6);
    ramp(&f, 8, 8, 8, 1.6e12);
    uint32_t *all = malloc(65536 * sizeof *all);
    assert_non_null(all);
    for (uint32_t s = 0; s < 65536; s++)
        all[s] = s;
    assert_true(
        fabs(f.fabric.ops->collective_time(&f.fabric, LP_ALL_REDUCE, all, 512, 1e9, PEAK, MEMORY) -
             2.069e-3) < 0.5e-6);
    const struct {
        double bytes, time, tolerance;
    } largest[] = {{1e6, 13.42e-6, 0.005e-6},
                   {1e8, 193.9e-6, 0.05e-6},
                   {1e9, 1.834e-3, 0.0005e-3},
                   {1e11, 182.3e-3, 0.05e-3}};
    ramp(&f, 32, 32, 64, 1.6e12);
    f.cluster.ramp.propagation_latency = 1.25e-6;
    lp_fabric_init(&f.fabric, &f.cluster);
    for (size_t i = 0; i < LP_COUNTOF(largest); i++) {
        double time = f.fabric.ops->collective_time(&f.fabric, LP_ALL_REDUCE, all, 65536,
                                                    largest[i].bytes, PEAK, MEMORY);
        assert_true(fabs(time - largest[i].time) < largest[i].tolerance);
    }
    free(all);
}

static void an_all_reduce_is_its_two_halves(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2, 1.6e12);
    for (int set = 0; set < 2; set++) {
        if (set == 0)
            add_block(&f, 2, 2, 2);
        else
            add_diagonal(&f, 3, 2, 1);
        double reduce = corrected(&f, LP_REDUCE_SCATTER, 1e8);
        double gather = corrected(&f, LP_ALL_GATHER, 1e8);
        expect_close(corrected(&f, LP_ALL_REDUCE, 1e8), reduce + gather);
        assert_true(gather > 0.0 && reduce > gather);
        reduce = published(&f, LP_REDUCE_SCATTER, 1e8);
        gather = published(&f, LP_ALL_GATHER, 1e8);
        expect_close(published(&f, LP_ALL_REDUCE, 1e8), reduce + gather);
        assert_true(gather > 0.0 && reduce > gather);
    }
}

/* One group: all index pairs go through the same transceiver group. */
static void the_last_stage_within_a_group_has_one_transceiver(void **state) {
    (void)state;
    Fixture f;
    const double m = 4e8;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_block(&f, 1, 2, 2);
    double comm = 2.0 * LATENCY + m / 2.0 / 16e11 + m / 4.0 / 4e11;
    double comp = (m / 2.0 / 2.0 + m / 4.0 / 2.0) / (2e12 / 6.0);
    expect_close(corrected(&f, LP_ALL_GATHER, m), comm);
    expect_close(corrected(&f, LP_REDUCE_SCATTER, m), comm + comp);
    add_block(&f, 1, 1, 2);
    expect_close(corrected(&f, LP_ALL_GATHER, m), LATENCY + m / 2.0 / 4e11);
    assert_true(published(&f, LP_ALL_GATHER, m) == 0.0); /* quirk Q6: free */
}

/* x / (d - 1) = 4 / 7 is no transceiver group at all: one is used. */
static void a_long_stage_has_one_transceiver_group(void **state) {
    (void)state;
    Fixture f;
    const double m = 32e8;
    ramp(&f, 4, 4, 16, 1.6e12);
    add_block(&f, 2, 1, 16); /* d = 2, 2, 1, 8 */
    expect_close(corrected(&f, LP_ALL_GATHER, m),
                 3.0 * LATENCY + m / 2.0 / 16e11 + m / 4.0 / 16e11 + m / 32.0 / 4e11);
}

static void racks_contend_when_they_are_not_isolated(void **state) {
    (void)state;
    Fixture f;
    const double m = 4e8;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_block(&f, 2, 2, 1); /* d = 2, 1, 2, 1 */
    expect_close(corrected(&f, LP_ALL_GATHER, m),
                 2.0 * LATENCY + m / 2.0 / 16e11 + m / 4.0 / 16e11);
    f.cluster.ramp.rack_isolated = false; /* K = 2: two of the four groups */
    expect_close(corrected(&f, LP_ALL_GATHER, m), 2.0 * LATENCY + m / 2.0 / 8e11 + m / 4.0 / 8e11);
    add_block(&f, 2, 1, 1);
    expect_close(corrected(&f, LP_ALL_GATHER, m), LATENCY + m / 2.0 / 16e11);
}

/* Option collective_light: in another group one transceiver group a peer, in the own one for all.
 */
static void one_transceiver_group_leads_to_a_group(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2, 1.6e12);
    f.cluster.single_light = true;
    add_block(&f, 2, 1, 1);
    double wide = corrected(&f, LP_ALL_GATHER, 1e9) - LATENCY;
    expect_close(wide, 5e8 / 4e11);
    f.cluster.single_light = false; /* x times the light path that a flow has */
    expect_close(corrected(&f, LP_ALL_GATHER, 1e9) - LATENCY, wide / 4);
    f.cluster.single_light = true;
    add_block(&f, 4, 4, 2);
    /* d = 4, 2, 4; m = 2.5e8, 1.25e8, 31.25e6; one peer, then three after another */
    expect_close(corrected(&f, LP_ALL_GATHER, 1e9),
                 3.0 * LATENCY + 2.5e8 / 4e11 + 1.25e8 / 4e11 + 3 * 31.25e6 / 4e11);
    ramp(&f, 4, 4, 8, 1.6e12);
    f.cluster.single_light = true;
    add_block(&f, 2, 1, 8);
    /* d = 2, 2, 1, 4; m = 5e8, 2.5e8, 62.5e6 */
    expect_close(corrected(&f, LP_ALL_GATHER, 1e9),
                 3.0 * LATENCY + 5e8 / 4e11 + 2.5e8 / 4e11 + 3 * 62.5e6 / 4e11);
}

/* No server sends more through a transceiver group than its rate allows: each stage takes the bytes
 * that its sends lay on the busiest one. */
static void stages_take_what_their_sends_need(void **state) {
    (void)state;
    const uint32_t blocks[][3] = {{1, 1, 2}, {1, 4, 1}, {3, 1, 1}, {2, 2, 2}, {4, 3, 5}, {3, 2, 7}};
    for (size_t i = 0; i < LP_COUNTOF(blocks); i++) {
        Fixture f;
        LpSend *send;
        uint32_t sends;
        double most = 0, path[64 * 4] = {0};
        ramp(&f, 4, 4, 8, 1.6e12);
        f.cluster.single_light = true;
        add_block(&f, blocks[i][0], blocks[i][1], blocks[i][2]);
        assert_int_equal(
            lp_fabric_sends(&f.fabric, LP_ALL_GATHER, f.server, f.n, 3e9, &send, &sends), LP_OK);
        for (uint32_t s = 0; s < sends; s++)
            if (send[s].from == f.server[0])
                path[lp_fabric_group(&f.fabric, send[s].to)] += send[s].bytes;
        for (uint32_t g = 0; g < 4; g++)
            most = path[g] > most ? path[g] : most;
        lp_free(send);
        double time = corrected(&f, LP_ALL_GATHER, 3e9);
        assert_true(time >= most / f.fabric.port_rate);
    }
}

static void what_is_no_block_goes_round_a_ring(void **state) {
    (void)state;
    Fixture f;
    const double m = 3e8, moved = m * 2.0 / 3.0;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_diagonal(&f, 3, 3, 1);
    double comm = 2.0 * LATENCY + moved / 4e11, comp = moved / 2.0 / (2e12 / 6.0);
    expect_close(corrected(&f, LP_ALL_GATHER, m), comm);
    expect_close(corrected(&f, LP_REDUCE_SCATTER, m), comm + comp);
    expect_close(corrected(&f, LP_ALL_REDUCE, m), 2.0 * comm + comp);
    f.cluster =
        (LpCluster){.fabric = LP_FABRIC_IDEAL, .ideal = {8, 1.6e12, 50e-9, 100e-9}, .servers = 8};
    lp_fabric_init(&f.fabric, &f.cluster);
    f.n = 4;
    for (uint32_t i = 0; i < 4; i++)
        f.server[i] = i % 3; /* a repeated server counts once */
    comm = 2.0 * LATENCY + moved / 16e11;
    expect_close(corrected(&f, LP_ALL_REDUCE, m), 2.0 * comm + comp);
    expect_close(published(&f, LP_ALL_REDUCE, m), 2.0 * comm + comp);
}

static void a_fast_memory_leaves_the_peak_as_the_limit(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2, 1.6e12);
    add_block(&f, 2, 1, 1);
    const LpFabricOps *ops = f.fabric.ops;
    double gather = ops->collective_time(&f.fabric, LP_ALL_GATHER, f.server, 2, 4e9, 1e9, 1e15);
    double reduce = ops->collective_time(&f.fabric, LP_REDUCE_SCATTER, f.server, 2, 4e9, 1e9, 1e15);
    expect_close(reduce - gather, 1.0); /* 2e9 bytes are 1e9 adds */
}

static void the_order_of_servers_does_not_matter(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 4, 1.6e12);
    add_block(&f, 3, 2, 4);
    double time = corrected(&f, LP_ALL_REDUCE, 1e8), old = published(&f, LP_ALL_REDUCE, 1e8);
    for (uint32_t i = 0; i < f.n / 2; i++) {
        uint32_t server = f.server[i];
        f.server[i] = f.server[f.n - 1 - i];
        f.server[f.n - 1 - i] = server;
    }
    assert_true(corrected(&f, LP_ALL_REDUCE, 1e8) == time);
    assert_true(published(&f, LP_ALL_REDUCE, 1e8) == old);
}

TEST_GROUP(test_model_collective) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_times_are_the_reference_bits),
        cmocka_unit_test(one_server_or_no_bytes_take_no_time),
        cmocka_unit_test(the_paper_figures_come_out),
        cmocka_unit_test(an_all_reduce_is_its_two_halves),
        cmocka_unit_test(the_last_stage_within_a_group_has_one_transceiver),
        cmocka_unit_test(a_long_stage_has_one_transceiver_group),
        cmocka_unit_test(racks_contend_when_they_are_not_isolated),
        cmocka_unit_test(one_transceiver_group_leads_to_a_group),
        cmocka_unit_test(stages_take_what_their_sends_need),
        cmocka_unit_test(what_is_no_block_goes_round_a_ring),
        cmocka_unit_test(a_fast_memory_leaves_the_peak_as_the_limit),
        cmocka_unit_test(the_order_of_servers_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
