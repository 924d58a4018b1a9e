/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharded state, gradients beside passes, context ways and attention in one kernel, each worked out
 * by hand or as it is published: docs/parallel.md, "Beyond the published model". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "group.h"
#include "model/device/device.h"
#include "model/parallel/shard.h"
#include "model/parallel/times.h"
#include "model/parallel/zoo.h"
#include "sim/parallel/parallel_step.h"

static LpMachine a100(void) {
    LpMachine machine;
    assert_int_equal(lp_machine_of(lp_device_find("a100-80g"), &machine, NULL), LP_OK);
    return machine;
}

static void near(const char *what, double got, double expected, double tolerance) {
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("%s is %.9g, expected %.9g", what, got, expected);
}

/* Rajbhandari et al., arXiv 1910.02054, figure 1: 7.5e9 parameters, 64 replicas, fp16 gradients. */
static void memory_of_the_paper(void **state) {
    (void)state;
    static const double published[] = {120, 31.4, 16.6, 1.9};
    LpMachine m = a100();
    LpParallel plan = lp_parallel_default();
    plan.data = 64;
    m.gradient_bytes = 2;
    m.state_bytes = 16;
    for (plan.zero = 0; plan.zero <= LP_ZERO_MOST; plan.zero++)
        assert_true(fabs(lp_shard_bytes(&plan, &m) * 7.5 - published[plan.zero]) < 0.05);
    /* Megatron Core's user guide: 6 + 12/d with fp32 gradients */
    m = a100();
    plan.zero = 1;
    plan.data = 5;
    near("megatron", lp_shard_bytes(&plan, &m), 6 + 12 / 5.0, 1e-15);
}

/* A layer has 4 h^2 + 2 h f + 3 h + f + 6 h = 872 parameters, the embedding 128 h + 16 h = 1152,
 * the head 16: 4656 in all. Four replicas, two micro-batches. */
static LpDecoder tiny(void) {
    return (LpDecoder){.hidden = 8,
                       .heads = 2,
                       .layers = 4,
                       .ff = 32,
                       .sequence = 16,
                       .vocabulary = 128,
                       .tied = true};
}

static LpParallel four(void) {
    LpParallel plan = lp_parallel_default();
    plan.data = 4;
    plan.batch = 8;
    return plan;
}

static void by_hand(void **state) {
    (void)state;
    /* whole 4656, a shard 1164; three quarters of the embedding, 864, are others' */
    static const LpShardState held[] = {{2 * 4656, 4 * 4656, 12 * 4656},
                                        {2 * 4656, 4 * 4656, 12 * 1164},
                                        {2 * 4656, 4 * 2028, 12 * 1164},
                                        {2 * 2028, 4 * 2028, 12 * 1164}};
    static const double sent[] = {8 * 4656, 6 * 4656, 10 * 4656, 16 * 4656};
    LpDecoder model = tiny();
    LpParallel plan = four();
    LpMachine m = a100();
    for (plan.zero = 0; plan.zero <= LP_ZERO_MOST; plan.zero++) {
        LpShardState s = lp_shard_state(&model, &plan, &m, 0);
        const LpShardState *h = &held[plan.zero];
        assert_true(s.parameters == h->parameters && s.gradients == h->gradients &&
                    s.optimiser == h->optimiser);
        assert_true(lp_shard_traffic(&model, &plan, &m, 0) == sent[plan.zero]);
        assert_true(lp_shard_updated(&model, &plan, 0) == (plan.zero == 0 ? 4656 : 1164));
    }
}

/* Where all that counts is bytes: a network of 1000 B/s, no latencies, one device a node. Three
 * quarters of a tensor pass each link of a ring of four. */
static void times_by_hand(void **state) {
    (void)state;
    LpDecoder model = tiny();
    LpParallel plan = four();
    LpMachine m = a100();
    LpParallelStep s[LP_ZERO_MOST + 1];
    m.node = 1;
    m.network_rate = 1000;
    m.base_latency = m.link_latency = m.network_latency = 0;
    for (plan.zero = 0; plan.zero <= LP_ZERO_MOST; plan.zero++)
        assert_int_equal(lp_parallel_step(&model, &plan, &m, &s[plan.zero], NULL), LP_OK);
    near("zero 0", s[0].data_time, 8 * 4656 * 0.75 / 1000, 1e-12);
    near("zero 1", s[1].data_time, 6 * 4656 * 0.75 / 1000, 1e-12);
    near("zero 2", s[2].data_time, 2 * 4656 * 0.75 / 1000, 1e-12);
    assert_true(s[3].data_time == 0);
    near("its passes", s[2].pipeline_time - s[0].pipeline_time, 2 * 4 * 4656 * 0.75 / 1000, 1e-9);
    near("zero 3", s[3].pipeline_time - s[0].pipeline_time, 2 * 8 * 4656 * 0.75 / 1000, 1e-9);
    near("update", s[1].optimiser_time * 4, s[0].optimiser_time, 1e-12);
}

/* The last backward pass of four layers takes far less than a bucket: all but its first layer of
 * the buckets lie behind one another, and one layer of computing is all that is hidden before. */
static void buckets_by_hand(void **state) {
    (void)state;
    LpDecoder model = tiny();
    LpParallel plan = four();
    LpMachine m = a100();
    LpParallelStep apart, together;
    m.node = 1;
    m.network_rate = 1000;
    assert_int_equal(lp_parallel_step(&model, &plan, &m, &apart, NULL), LP_OK);
    plan.overlap = true;
    assert_int_equal(lp_parallel_step(&model, &plan, &m, &together, NULL), LP_OK);
    double back = 4 * apart.part[LP_PART_BACKWARD] + apart.part[LP_PART_HEAD_BACKWARD] +
                  apart.part[LP_PART_EMBEDDING_BACKWARD];
    near("hidden", apart.step_time - together.step_time, back * 3 / 4, 1e-6);
    near("said", together.hidden_time, back * 3 / 4, 1e-6);
    m.network_rate = 1e15; /* rings then go at the rate of links: a fourth of one remains */
    assert_int_equal(lp_parallel_step(&model, &plan, &m, &together, NULL), LP_OK);
    double ring = m.base_latency + 6 * m.network_latency + 8 * 4656 * 0.75 / m.link_rate;
    near("exposed", together.tail_time - together.optimiser_time, ring / 4, 1e-6);
}

/* Llama 3 405B, tensor 8, context 16, 131 072 tokens: 8 heads of keys and values on 8 devices, 128
 * wide each. */
static void context_of_llama(void **state) {
    (void)state;
    LpDecoder model = lp_transformer_find("llama-3-405b")->model;
    LpParallel plan = lp_parallel_default();
    LpStepOps ops;
    LpMachine m = a100();
    double gathered = 0, scattered = 0;
    model.sequence = 131072;
    plan.tensor = 8;
    plan.context = 16;
    plan.batch = 1;
    LpStepShape x = lp_step_shape(&model, &plan);
    assert_true(x.tokens == 8192 && x.score_values == 16.0 * 8192 * 131072);
    for (int part = LP_PART_FORWARD; part <= LP_PART_BACKWARD; part++) {
        lp_step_ops(&x, (LpStepPart)part, &ops);
        for (uint32_t i = 0; i < ops.count; i++) {
            gathered += ops.op[i].kind == LP_STEP_CONTEXT_GATHER ? ops.op[i].bytes : 0;
            scattered += ops.op[i].kind == LP_STEP_CONTEXT_SCATTER ? ops.op[i].bytes : 0;
        }
    }
    assert_true(gathered == 2 * 67108864.0 && scattered == 67108864.0);
    assert_true(lp_context_activation(&x) == 67108864.0 * (2 - 1.0 / 16));
    LpParallelStep step;
    assert_int_equal(lp_parallel_step(&model, &plan, &m, &step, NULL), LP_OK);
    assert_true(step.context_bytes == 126 * 3 * 67108864.0);
}

/* One head of 64, 256 tokens, batch 1: a product of scores is 2 x 256 x 256 x 64 FLOP. */
static void attention_by_hand(void **state) {
    (void)state;
    LpDecoder model = {.hidden = 64,
                       .heads = 1,
                       .layers = 1,
                       .ff = 256,
                       .sequence = 256,
                       .vocabulary = 128,
                       .tied = true};
    LpParallel plan = lp_parallel_default();
    LpStepOps ops;
    const double product = 2.0 * 256 * 256 * 64, bytes = 2.0 * 256 * 64 * 4 + 4 * 256;
    plan.attention = LP_ATTENTION_FUSED;
    LpStepShape x = lp_step_shape(&model, &plan);
    lp_step_ops(&x, LP_PART_FORWARD, &ops);
    assert_string_equal(ops.op[2].name, "attention");
    assert_true(ops.op[2].flops == 2 * product && ops.op[2].bytes == bytes);
    assert_true(lp_layer_activation(&x, LP_RECOMPUTE_NONE) == 34 * 256.0 * 64 + 4 * 256);
    lp_step_ops(&x, LP_PART_BACKWARD, &ops);
    double back = 0;
    for (uint32_t i = 0; i < ops.count; i++)
        back += strcmp(ops.op[i].name, "b_attention") == 0 ? ops.op[i].flops : 0;
    assert_true(back == 5 * product);
    plan.attention = LP_ATTENTION_CAUSAL; /* of four blocks one is hidden: three quarters */
    x = lp_step_shape(&model, &plan);
    lp_step_ops(&x, LP_PART_FORWARD, &ops);
    assert_true(ops.op[2].flops == 0.75 * 2 * product && ops.op[2].bytes == bytes);
}

/* ---- a plan as numbers ---- */

static void numbers_of_a_plan(void **state) {
    (void)state;
    LpParallel plan = lp_parallel_default(), back;
    uint32_t number[LP_PARALLEL_NUMBERS];
    double value[LP_PARALLEL_NUMBERS + 1];
    char text[LP_PARALLEL_TEXT];
    plan.batch = 12;
    /* old files and hashes have ten numbers, and still do where nothing else is stated */
    assert_int_equal(lp_parallel_numbers(&plan, number), 10);
    uint64_t old = LP_HASH_INIT;
    for (int i = 0; i < 10; i++)
        old = lp_hash_u64(old, number[i]);
    assert_true(lp_parallel_hash(LP_HASH_INIT, &plan) == old);
    plan.tensor = 2;
    plan.context = 4;
    plan.zero = 3;
    plan.overlap = true;
    plan.wait = false;
    plan.recompute = LP_RECOMPUTE_FULL;
    assert_int_equal(lp_parallel_numbers(&plan, number), 13);
    assert_true(lp_parallel_hash(LP_HASH_INIT, &plan) != old);
    assert_string_equal(lp_parallel_brief(&plan, text), "t2 p1 d1 c4 full nowait z3 overlap");
    assert_string_equal(lp_parallel_print(&plan, text),
                        "tensor 2 x pipeline 1 x data 1, context 4, recompute full, sends not "
                        "waited for, ZeRO 3, gradients overlapped");
    for (int i = 0; i < LP_PARALLEL_NUMBERS; i++)
        value[i] = number[i];
    assert_true(lp_parallel_of_numbers(value, 13, &back));
    uint32_t again[LP_PARALLEL_NUMBERS];
    assert_int_equal(lp_parallel_numbers(&back, again), 13);
    assert_memory_equal(again, number, sizeof number);
    assert_true(lp_parallel_of_numbers(value, 10, &back));
    assert_true(back.zero == 0 && back.context == 1 && !back.overlap);
    value[LP_PARALLEL_NUMBERS] = 1;
    assert_false(lp_parallel_of_numbers(value, LP_PARALLEL_NUMBERS + 1, &back));
    value[LP_PARALLEL_AT_attention] = 3;
    assert_false(lp_parallel_of_numbers(value, LP_PARALLEL_NUMBERS, &back));
    value[0] = -1;
    assert_false(lp_parallel_of_numbers(value, 10, &back));
    value[0] = (double)NAN;
    assert_false(lp_parallel_of_numbers(value, 10, &back));
}

TEST_GROUP(test_plan_keys) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_paper), cmocka_unit_test(by_hand),
        cmocka_unit_test(times_by_hand),       cmocka_unit_test(buckets_by_hand),
        cmocka_unit_test(context_of_llama),    cmocka_unit_test(attention_by_hand),
        cmocka_unit_test(numbers_of_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
