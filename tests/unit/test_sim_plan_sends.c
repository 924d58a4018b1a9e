/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the groups of a plan send: cases by hand, and that the busiest card of a node sends for as
 * long as the step's time says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "model/parallel/shard.h"
#include "model/parallel/zoo.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/sends.h"

enum { TRIALS = 400, DEVICES = 2048 };

/* Links of a node take nothing, and cards carry a byte a second. */
static LpMachine machine_of(double node) {
    LpMachine m = {.peak = 1e15,
                   .vector_peak = 1e13,
                   .bandwidth = 1e12,
                   .memory = 1e15,
                   .matrix_efficiency = 1,
                   .memory_efficiency = 1,
                   .tile_long = 256,
                   .tile_short = 128,
                   .units = 100,
                   .link_rate = 1e30,
                   .network_rate = 1,
                   .gradient_bytes = 4,
                   .state_bytes = 18,
                   .optimiser_bytes = 58,
                   .node = node};
    return m;
}

static LpDecoder small_model(uint32_t experts) {
    return (LpDecoder){.hidden = 512,
                       .heads = 8,
                       .layers = 8,
                       .ff = 2048,
                       .sequence = 128,
                       .vocabulary = 1024,
                       .experts = experts,
                       .active = experts > 0 ? 2 : 0};
}

static LpPlanSends sends_of(const LpDecoder *model, const LpParallel *plan, double node,
                            LpArena *arena) {
    LpMachine machine = machine_of(node);
    LpPlanSends sends;
    LpDiag diag = {0};
    if (lp_parallel_check(model, plan, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_plan_sends(model, plan, &machine, true, arena, &sends), LP_OK);
    return sends;
}

static double between(const LpPlanSends *s, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->send[i].from == from && s->send[i].to == to)
            return s->send[i].bytes;
    return 0;
}

static void close_to(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

/* ---- by hand ---- */

/* Four replicas in nodes of their own: gradients of 4 bytes twice round, 3/4 of them on each hop.
 */
static void replicas_send_round_their_ring(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    LpDecoder model = small_model(0);
    LpParallel plan = lp_parallel_default();
    plan.data = plan.batch = 4;
    LpPlanSends s = sends_of(&model, &plan, 1, arena);
    double bytes = 2 * 4 * lp_stage_parameters(&model, &plan, 0) * 3 / 4;
    assert_int_equal(s.count, 4);
    for (uint32_t k = 0; k < 4; k++)
        close_to(between(&s, k, (k + 1) % 4), bytes);
    close_to(s.bytes, 4 * bytes);
    s = sends_of(&model, &plan, 4, arena);
    assert_int_equal(s.count, 0);
    close_to(s.bytes, 4 * bytes);
    lp_arena_free(arena);
}

/* Tensor groups of 2 fill nodes of 2; with nodes of 4 two replicas share one, and the ring of four
 * goes between nodes over both of its cards. */
static void a_ring_uses_all_cards_of_a_node(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    LpDecoder model = small_model(0);
    LpParallel plan = lp_parallel_default();
    plan.tensor = 2;
    plan.data = plan.batch = 4;
    double bytes = 2 * 4 * lp_stage_parameters(&model, &plan, 0) * 3 / 4;
    LpPlanSends s = sends_of(&model, &plan, 2, arena);
    assert_int_equal(s.count, 8);
    close_to(between(&s, 1, 3), bytes);
    close_to(between(&s, 6, 0), bytes);
    s = sends_of(&model, &plan, 4, arena);
    assert_int_equal(s.count, 8);
    for (uint32_t k = 0; k < 8; k++)
        close_to(between(&s, k, (k + 4) % 8), bytes / 2);
    lp_arena_free(arena);
}

/* Two stages with one table of words: only both ends send, to each other. */
static void ends_add_up_their_table(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    LpDecoder model = small_model(0);
    LpParallel plan = lp_parallel_default();
    model.tied = true;
    plan.pipeline = plan.batch = 4;
    LpPlanSends s = sends_of(&model, &plan, 1, arena);
    assert_int_equal(s.count, 2);
    close_to(between(&s, 0, 3), 4.0 * 1024 * 512);
    close_to(between(&s, 3, 0), 4.0 * 1024 * 512);
    lp_arena_free(arena);
}

/* Four ways of experts: each sends a quarter of what it has to each other one. */
static void experts_send_to_all(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    LpDecoder model = small_model(4);
    LpParallel plan = lp_parallel_default();
    plan.data = plan.expert = plan.batch = 4;
    LpPlanSends s = sends_of(&model, &plan, 1, arena);
    /* dispatch and combine, there and back: 2 bytes of 2 experts' worth of 128 tokens x 512 */
    double held = 8 * 4.0 * 2 * 2 * 128 * 512;
    assert_int_equal(s.count, 12);
    close_to(between(&s, 0, 2), held / 4);
    close_to(between(&s, 3, 1), held / 4);
    /* what is no expert goes round the ring of all four besides */
    LpUnit round = lp_shard_rounds(&model, &plan, &(LpMachine){.gradient_bytes = 4}, 0);
    assert_true(round.experts == 0 && round.parameters > 0);
    close_to(between(&s, 1, 2), held / 4 + round.parameters * 3 / 4);
    lp_arena_free(arena);
}

/* ---- against the time of the step ---- */

static uint32_t power(LpRng *rng, uint32_t most) {
    return 1U << lp_rng_below(rng, most + 1);
}

static LpParallel random_plan(LpRng *rng, bool experts) {
    LpParallel plan = lp_parallel_default();
    plan.tensor = power(rng, 3);
    plan.data = power(rng, 3);
    plan.context = power(rng, 2);
    plan.expert = experts ? power(rng, 3) : 1;
    if (plan.expert > plan.data)
        plan.expert = plan.data;
    plan.batch = plan.data * power(rng, 2);
    plan.sequence = lp_rng_below(rng, 2) == 0;
    plan.recompute = (LpRecompute)lp_rng_below(rng, 3);
    plan.zero = (uint32_t)lp_rng_below(rng, LP_ZERO_MOST + 1);
    return plan;
}

/* Without latencies and with endless links a step communicates for as long as the card that has
 * most to send. All sizes are powers of two, so that no ring is uneven. */
static void the_busiest_card_sends_as_long_as_the_step_says(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(7, "plan sends", 0);
    uint32_t crossing = 0;
    for (uint32_t i = 0; i < TRIALS; i++) {
        LpArena *arena = lp_arena_new(0);
        bool experts = lp_rng_below(&rng, 2) == 0;
        LpDecoder model = small_model(experts ? 8 : 0);
        LpParallel plan = random_plan(&rng, experts);
        double node = power(&rng, 4), most = 0;
        LpMachine machine = machine_of(node);
        LpParallelStep step;
        LpDiag diag;
        double sent[DEVICES] = {0};
        LpPlanSends s = sends_of(&model, &plan, node, arena);
        for (uint32_t k = 0; k < s.count; k++) {
            assert_true(s.send[k].from != s.send[k].to && s.send[k].bytes > 0);
            sent[s.send[k].from] += s.send[k].bytes;
            most = fmax(most, sent[s.send[k].from]);
        }
        assert_int_equal(lp_parallel_step(&model, &plan, &machine, &step, &diag), LP_OK);
        if (fabs(step.communication_time - most) > 1e-9 * most + 1e-9)
            fail_msg("trial %u: t%u c%u d%u e%u zero %u node %g: %.17g, expected %.17g", i,
                     plan.tensor, plan.context, plan.data, plan.expert, plan.zero, node, most,
                     step.communication_time);
        crossing += most > 0;
        lp_arena_free(arena);
    }
    assert_true(crossing > TRIALS / 4);
}

TEST_GROUP(test_sim_plan_sends) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_send_round_their_ring),
        cmocka_unit_test(a_ring_uses_all_cards_of_a_node),
        cmocka_unit_test(ends_add_up_their_table),
        cmocka_unit_test(experts_send_to_all),
        cmocka_unit_test(the_busiest_card_sends_as_long_as_the_step_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
