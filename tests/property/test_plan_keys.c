/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds of plans whose replicas share out state, whose gradients travel beside passes, and
 * whose tokens or attention are split further: against plans without, against formulas, and against
 * clocks of their own. On rails what docs/turning-light.md, 9, says of every step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/device/device.h"
#include "model/parallel/shard.h"
#include "model/parallel/times.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/rails.h"
#include "sim/parallel/stages.h"

enum { CASES = 300, RAILS = 60 };

static const double ROUNDING = 1e-12;

typedef struct Config {
    LpDecoder model;
    LpParallel plan;
    LpMachine machine;
} Config;

static void near(const char *what, double got, double expected, double tolerance) {
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("%s is %.17g, expected %.17g", what, got, expected);
}

static uint32_t draw(LpRng *rng, uint32_t least, uint32_t most) {
    return least + (uint32_t)lp_rng_below(rng, most - least + 1);
}

static Config draw_config(uint64_t number) {
    LpRng rng = lp_rng_stream(16, "share", number);
    Config c;
    uint32_t t = 1u << draw(&rng, 0, 3), p = draw(&rng, 1, 5), context = draw(&rng, 1, 4);
    uint32_t v = p > 1 ? draw(&rng, 1, 3) : 1;
    uint32_t m = draw(&rng, 1, 6) * (v > 1 ? p : 1);
    c.plan = lp_parallel_default();
    c.plan.tensor = t;
    c.plan.pipeline = p;
    c.plan.data = draw(&rng, 1, 8);
    c.plan.chunks = v;
    c.plan.micro_batch = draw(&rng, 1, 2);
    c.plan.recompute = (LpRecompute)draw(&rng, 0, 2);
    c.plan.sequence = draw(&rng, 0, 1) == 1;
    c.plan.wait = draw(&rng, 0, 1) == 1;
    c.plan.overlap = draw(&rng, 0, 1) == 1;
    c.plan.zero = draw(&rng, 0, 3);
    c.plan.context = context;
    c.plan.attention = (LpAttention)draw(&rng, 0, 2);
    c.plan.batch = m * c.plan.data * c.plan.micro_batch;
    c.model = (LpDecoder){.heads = t * draw(&rng, 1, 4),
                          .layers = p * v + draw(&rng, 0, 7),
                          .sequence = 16 * context * draw(&rng, 1, 40),
                          .vocabulary = draw(&rng, 1, 60000),
                          .tied = draw(&rng, 0, 1) == 1,
                          .gated = draw(&rng, 0, 1) == 1,
                          .rotary = draw(&rng, 0, 1) == 1};
    c.model.hidden = c.model.heads * 8 * draw(&rng, 1, 16);
    c.model.ff = t * draw(&rng, 1, 900);
    if (draw(&rng, 0, 3) == 0) {
        c.model.experts = 8;
        c.model.active = draw(&rng, 1, 3);
        c.plan.expert = c.plan.data % 2 == 0 ? 2 : 1;
        c.model.dense = draw(&rng, 0, 1);
        c.model.dense_ff = c.model.dense * c.model.ff;
    }
    assert_int_equal(lp_machine_of(lp_device_default(), &c.machine, NULL), LP_OK);
    return c;
}

static LpParallelStep step_of(const Config *c) {
    LpParallelStep step;
    LpDiag diag = {0};
    if (lp_parallel_step(&c->model, &c->plan, &c->machine, &step, &diag) != LP_OK)
        fail_msg("refused: %s", diag.text);
    return step;
}

static void each_plan(void (*check)(const Config *c, const LpParallelStep *step)) {
    for (uint64_t i = 0; i < CASES; i++) {
        Config c = draw_config(i);
        LpParallelStep step = step_of(&c);
        check(&c, &step);
    }
}

/* ---- what is left out changes nothing ---- */

static void check_single(const Config *c, const LpParallelStep *step) {
    Config other = *c;
    (void)step;
    other.plan.context = 1;
    LpParallelStep one = step_of(&other);
    other.plan.context = 0;
    LpParallelStep none = step_of(&other);
    assert_memory_equal(&one, &none, sizeof one);
    assert_true(one.context_bytes == 0);
    /* alone nobody shares anything out */
    other.plan.batch /= other.plan.data;
    other.plan.data = other.plan.expert = 1;
    one = step_of(&other);
    other.plan.zero = 0;
    none = step_of(&other);
    near("alone", one.step_time, none.step_time, ROUNDING);
    near("memory alone", one.held_bytes, none.held_bytes, ROUNDING);
    assert_true(one.data_bytes == 0);
}

static void ways_of_one_change_nothing(void **state) {
    (void)state;
    each_plan(check_single);
}

/* ---- memory ---- */

static void check_levels(const Config *c, const LpParallelStep *step) {
    double before = 0, n = lp_parallel_replicas(&c->plan);
    (void)step;
    for (uint32_t zero = 0; zero <= LP_ZERO_MOST; zero++) {
        Config other = *c;
        other.plan.zero = zero;
        double held = step_of(&other).held_bytes;
        if (zero > 0)
            assert_true(held <= before * (1 + ROUNDING));
        before = held;
        for (uint32_t i = 0; i < c->plan.pipeline; i++) {
            LpShardState s = lp_shard_state(&c->model, &other.plan, &c->machine, i);
            double all = lp_stage_parameters(&c->model, &other.plan, i);
            assert_true(s.optimiser >= 12 * all / n * (1 - ROUNDING) || zero == 0);
            assert_true(s.gradients <= 4 * all * (1 + ROUNDING));
            assert_true(s.parameters >= 2 * all / n * (1 - ROUNDING));
        }
    }
}

static void sharing_never_needs_more(void **state) {
    (void)state;
    each_plan(check_levels);
}

/* A device has its tokens' share of what is kept, and every key and value once more at a time. */
static void check_context(const Config *c, const LpParallelStep *step) {
    Config whole = *c;
    whole.plan.context = 1;
    LpStepShape x = lp_step_shape(&c->model, &c->plan), y = lp_step_shape(&c->model, &whole.plan);
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++)
        near("kept", x.c * lp_layer_activation(&x, (LpRecompute)i),
             lp_layer_activation(&y, (LpRecompute)i), ROUNDING);
    near("FLOP", step->flops, step_of(&whole).flops, ROUNDING);
    double heads = c->model.heads / (double)c->plan.tensor, k = x.k + x.kv_width;
    double sent = c->plan.context > 1 ? 3 * 2 * x.b * x.s * heads * k : 0;
    near("context", step->context_bytes,
         sent * step->micro_batches * c->model.layers / c->plan.pipeline, ROUNDING);
    assert_true(lp_context_activation(&y) == 0);
}

static void context_divides_tokens(void **state) {
    (void)state;
    each_plan(check_context);
}

/* ---- volumes ---- */

/* ZeRO, section 7: levels 1 and 2 send as much as an all-reduce, level 3 half as much again, where
 * gradients have two bytes and a step one micro-batch. */
static void check_traffic(const Config *c, const LpParallelStep *step) {
    static const double factor[] = {1, 1, 1, 1.5};
    Config plain = *c;
    (void)step;
    plain.machine.gradient_bytes = 2;
    plain.plan.batch = plain.plan.data * plain.plan.micro_batch;
    plain.plan.chunks = 1;
    plain.plan.zero = 0;
    double usual = step_of(&plain).data_bytes;
    for (uint32_t zero = 0; zero <= LP_ZERO_MOST; zero++) {
        plain.plan.zero = zero;
        near("traffic", step_of(&plain).data_bytes, factor[zero] * usual, ROUNDING);
    }
}

static void traffic_is_as_published(void **state) {
    (void)state;
    each_plan(check_traffic);
}

/* ---- time ---- */

static void check_overlap(const Config *c, const LpParallelStep *step) {
    Config other = *c;
    other.plan.overlap = false;
    LpParallelStep apart = step_of(&other);
    other.plan.overlap = true;
    LpParallelStep together = step_of(&other);
    assert_true(together.step_time <= apart.step_time * (1 + ROUNDING));
    assert_true(together.step_time >= together.pipeline_time);
    assert_true(together.hidden_time >= 0 && apart.hidden_time == 0);
    assert_true(together.held_bytes == apart.held_bytes);
    assert_true(together.data_bytes == apart.data_bytes);
    near("the sum", step->step_time, step->pipeline_time + step->tail_time, ROUNDING);
}

static void overlapping_is_never_slower(void **state) {
    (void)state;
    each_plan(check_overlap);
}

/* One stage, by a clock of its own: transfers queue on one ring, computing goes on. */
static double one_stage(const Config *c, const LpStages *s) {
    double m = s->pipeline.micro_batches, reduce = 0, ring = 0;
    double last = (m - 1) * (s->forward[0] + s->backward[0]) + s->forward[0];
    double layer = s->backward[0] / c->model.layers, bucket;
    if (c->plan.zero < 2)
        reduce = lp_gradient_time(&c->model, &c->plan, 0, 1, &c->machine);
    bucket = reduce / c->model.layers;
    for (uint32_t k = 1; k <= c->model.layers; k++)
        ring = fmax(ring, last + k * layer) + bucket;
    return fmax(ring, last + s->backward[0]);
}

static void check_one_stage(const Config *c, const LpParallelStep *step) {
    LpStages s = {0};
    (void)step;
    if (c->plan.pipeline > 1)
        return;
    Config other = *c;
    other.plan.overlap = true;
    LpUnit all = {lp_stage_parameters(&c->model, &c->plan, 0),
                  lp_stage_expert_parameters(&c->model, &c->plan, 0)};
    assert_int_equal(lp_stages_init(&s, &c->model, &other.plan, &c->machine, NULL), LP_OK);
    double update = c->machine.optimiser_bytes * lp_shard_updated(&c->model, &c->plan, 0) /
                    (c->machine.bandwidth * c->machine.memory_efficiency);
    double gather = c->plan.zero == 1 || c->plan.zero == 2
                        ? lp_replica_time(LP_STEP_ALL_GATHER, &c->plan, all, 2, &c->machine)
                        : 0;
    gather = fmax(gather / c->model.layers, gather - s.forward[0]);
    near("one stage", step_of(&other).step_time, one_stage(&other, &s) + update + gather, 1e-9);
    lp_stages_fini(&s);
}

static void buckets_follow_their_clock(void **state) {
    (void)state;
    each_plan(check_one_stage);
}

/* Sharded passes without overlap are the passes and what travels, layer by layer. */
static void check_passes(const Config *c, const LpParallelStep *step) {
    Config plain = *c, cut = *c;
    (void)step;
    if (c->plan.pipeline > 1 || c->model.experts > 0)
        return;
    plain.plan.zero = 0;
    cut.plan.zero = 3;
    plain.plan.overlap = cut.plan.overlap = false;
    LpStepShape x = lp_step_shape(&c->model, &c->plan);
    const LpUnit unit[] = {lp_embedding_unit(&c->model, &x), lp_layer_unit(&c->model, &x, false),
                           lp_head_unit(&c->model, &c->plan, &x)};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (i == 1 ? c->model.layers : 1) *
               (2 * lp_replica_time(LP_STEP_ALL_GATHER, &c->plan, unit[i], 2, &c->machine) +
                lp_replica_time(LP_STEP_REDUCE_SCATTER, &c->plan, unit[i], 4, &c->machine));
    LpParallelStep before = step_of(&plain), after = step_of(&cut);
    near("sharded passes", after.pipeline_time, before.pipeline_time + after.micro_batches * sum,
         1e-9);
    assert_true(after.data_time == 0);
}

static void weights_are_gathered_layer_by_layer(void **state) {
    (void)state;
    each_plan(check_passes);
}

/* ---- attention in one kernel ---- */

/* It computes the scores a second time on the way back: 10 k for 8 k, forward the same. */
static void check_attention(const Config *c, const LpParallelStep *step) {
    double flops[3], held[3];
    (void)step;
    for (int i = LP_ATTENTION_UNFUSED; i <= LP_ATTENTION_CAUSAL; i++) {
        Config other = *c;
        other.plan.attention = (LpAttention)i;
        other.plan.recompute = LP_RECOMPUTE_NONE;
        LpParallelStep s = step_of(&other);
        flops[i] = s.flops;
        held[i] = s.held_bytes;
    }
    double s = c->model.sequence, a = c->model.heads;
    double k = c->model.hidden / a;
    double one = 2.0 * c->plan.batch * a * s * s * k * c->model.layers; /* a product */
    double share = s > 128 ? (1 + 128 / s) / 2 : 1;
    near("fused", flops[1] - flops[0], one, 1e-6);
    near("causal", flops[2], flops[1] - 7 * one * (1 - share), 1e-9);
    assert_true(held[1] <= held[0] && held[2] == held[1]);
}

static void fused_attention_keeps_no_scores(void **state) {
    (void)state;
    each_plan(check_attention);
}

/* ---- section 10 of the step ---- */

static void check_machine(const Config *c, const LpParallelStep *step) {
    static const struct {
        size_t offset;
        double factor;
    } better[] = {
        {offsetof(LpMachine, peak), 1.3},         {offsetof(LpMachine, vector_peak), 2},
        {offsetof(LpMachine, bandwidth), 1.1},    {offsetof(LpMachine, link_rate), 1.7},
        {offsetof(LpMachine, network_rate), 1.9}, {offsetof(LpMachine, base_latency), 0.5},
        {offsetof(LpMachine, link_latency), 0.1}, {offsetof(LpMachine, network_latency), 0},
        {offsetof(LpMachine, op_time), 0.7},
    };
    for (size_t i = 0; i < LP_COUNTOF(better); i++) {
        Config other = *c;
        *(double *)(void *)((char *)&other.machine + better[i].offset) *= better[i].factor;
        assert_true(step_of(&other).step_time <= step->step_time * (1 + ROUNDING));
    }
}

static void better_machines_are_never_slower(void **state) {
    (void)state;
    each_plan(check_machine);
}

static void check_recompute(const Config *c, const LpParallelStep *step) {
    LpParallelStep way[3];
    (void)step;
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++) {
        Config other = *c;
        other.plan.recompute = (LpRecompute)i;
        way[i] = step_of(&other);
    }
    assert_true(way[0].step_time <= way[1].step_time * (1 + ROUNDING) &&
                way[1].step_time <= way[2].step_time * (1 + ROUNDING));
    assert_true(way[0].activation_bytes >= way[1].activation_bytes &&
                way[1].activation_bytes >= way[2].activation_bytes);
    if (c->plan.attention != LP_ATTENTION_UNFUSED) /* nothing of the core is left to leave out */
        assert_memory_equal(&way[0], &way[1], sizeof way[0]);
}

static void recomputing_trades_time_for_memory(void **state) {
    (void)state;
    each_plan(check_recompute);
}

/* ---- on rails ---- */

static LpRailsStep on_rails(const Config *c, const LpRails *rails) {
    LpRailsStep step;
    LpDiag diag = {0};
    if (lp_rails_step(&c->model, &c->plan, &c->machine, rails, &step, &diag) != LP_OK)
        fail_msg("refused: %s", diag.text);
    return step;
}

/* Longer delays never make a step shorter, each second of them costs a whole number of seconds, and
 * ordering early never costs more. */
static void rails_keep_their_rules(void **state) {
    (void)state;
    for (uint64_t i = 0; i < RAILS; i++) {
        Config c = draw_config(1000 + i);
        LpRng rng = lp_rng_stream(16, "rails", i);
        c.plan.context = 1;
        c.plan.zero = (uint32_t[]){0, 1, 3}[draw(&rng, 0, 2)];
        LpRails rails = {.ports = draw(&rng, 1, 2),
                         .serial = draw(&rng, 0, 1) == 1,
                         .reduce = LP_TURN_REDUCE_BUCKET};
        LpRailsStep none = on_rails(&c, &rails);
        double before[2] = {none.without.time, none.without.time};
        uint32_t turns = none.without.turns, slope[2] = {0, 0};
        for (double delay = 0; delay < 0.2; delay = 2 * delay + 0.001) {
            rails.delay = delay;
            LpRailsStep step = on_rails(&c, &rails);
            for (int o = 0; o < LP_TURN_ORDERS_COUNT; o++) {
                assert_int_equal(step.with[o].turns, turns);
                assert_true(step.with[o].time >= before[o] * (1 - ROUNDING));
                assert_true(step.with[o].exposed >= slope[o] || delay == 0);
                assert_true(step.with[o].time <= step.without.time + turns * delay + 1e-9);
                before[o] = step.with[o].time;
                slope[o] = delay > 0 ? step.with[o].exposed : 0;
            }
            assert_true(step.with[LP_TURN_PROVISIONED].time <=
                        step.with[LP_TURN_DEMAND].time * (1 + ROUNDING));
        }
    }
}

/* Buckets that nothing waits for: at no delay never slower. */
static void overlap_on_rails(void **state) {
    (void)state;
    for (uint64_t i = 0; i < RAILS; i++) {
        Config c = draw_config(2000 + i);
        c.plan.context = 1;
        c.plan.zero = i % 2 == 0 ? 0 : 1;
        LpRails rails = {.ports = 2, .reduce = LP_TURN_REDUCE_BUCKET};
        c.plan.overlap = false;
        double apart = on_rails(&c, &rails).without.time;
        c.plan.overlap = true;
        assert_true(on_rails(&c, &rails).without.time <= apart * (1 + ROUNDING));
    }
}

TEST_GROUP(test_plan_keys) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_of_one_change_nothing),
        cmocka_unit_test(sharing_never_needs_more),
        cmocka_unit_test(context_divides_tokens),
        cmocka_unit_test(traffic_is_as_published),
        cmocka_unit_test(overlapping_is_never_slower),
        cmocka_unit_test(buckets_follow_their_clock),
        cmocka_unit_test(weights_are_gathered_layer_by_layer),
        cmocka_unit_test(fused_attention_keeps_no_scores),
        cmocka_unit_test(better_machines_are_never_slower),
        cmocka_unit_test(recomputing_trades_time_for_memory),
        cmocka_unit_test(rails_keep_their_rules),
        cmocka_unit_test(overlap_on_rails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
