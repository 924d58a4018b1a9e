/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds of every training step that is split: the schedule of the stages against its closed
 * form, operators against published formulas, and how the step answers to faster and slower
 * machines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/device/device.h"
#include "model/parallel/memory.h"
#include "model/parallel/times.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/stages.h"

enum { CASES = 400, STAGES = 6, MICRO = 13, CHUNKS = 4 };

static void near(const char *what, double got, double expected, double tolerance) {
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("%s is %.17g, expected %.17g", what, got, expected);
}

/* ---- schedules ---- */

typedef struct Uniform {
    double forward[STAGES * CHUNKS], backward[STAGES * CHUNKS], wire[STAGES];
    LpPipeline pipeline;
} Uniform;

/* All schedules of so many stages, micro-batches and chunks that there are. */
static void each_schedule(void (*check)(Uniform *u)) {
    for (uint32_t p = 1; p <= STAGES; p++)
        for (uint32_t m = 1; m <= MICRO; m++)
            for (uint32_t v = 1; v <= CHUNKS; v++) {
                Uniform u = {.pipeline = {.stages = p, .chunks = v, .micro_batches = m}};
                if (v > 1 && (p == 1 || m % p != 0))
                    continue;
                u.pipeline.forward = u.forward;
                u.pipeline.backward = u.backward;
                u.pipeline.wire = u.wire;
                check(&u);
            }
}

/* Of equal stages whose messages take no time: (p - 1) / (m v) of the work is bubble. */
static void check_closed_form(Uniform *u) {
    const LpPipeline *p = &u->pipeline;
    double end, forward = 0.7, backward = 1.9, one[STAGES * CHUNKS];
    for (uint32_t i = 0; i < p->stages * p->chunks; i++) {
        u->forward[i] = forward / p->chunks;
        u->backward[i] = backward / p->chunks;
        one[i] = 1;
    }
    assert_int_equal(lp_pipeline_run(p, NULL, NULL, &end, NULL), LP_OK);
    near("the pipeline", end,
         (p->micro_batches + (p->stages - 1.0) / p->chunks) * (forward + backward), 1e-9);
    for (uint32_t i = 0; i < p->stages; i++) {
        uint32_t all = p->micro_batches * p->chunks, held = p->stages - i;
        if (p->chunks > 1)
            held = p->micro_batches == p->stages
                       ? all
                       : 2 * (p->stages - 1 - i) + (p->chunks - 1) * p->stages + 1;
        assert_true(lp_pipeline_held(p, i, one) == (held < all ? held : all));
    }
}

static void equal_stages_follow_the_formula(void **state) {
    (void)state;
    each_schedule(check_closed_form);
}

/* What a schedule did, entry by entry. */
typedef struct Record {
    const LpPipeline *pipeline;
    double start[2][STAGES * CHUNKS][MICRO], end[2][STAGES * CHUNKS][MICRO];
    int times[2][STAGES * CHUNKS][MICRO];
    double idle[STAGES];
} Record;

static void record(void *user, const LpPipelineEntry *e) {
    Record *r = user;
    int way = e->forward ? 0 : 1;
    assert_int_equal(e->chunk % r->pipeline->stages, e->stage);
    assert_true(e->start >= r->idle[e->stage]); /* no two at a time */
    r->idle[e->stage] = e->end;
    r->start[way][e->chunk][e->micro_batch] = e->start;
    r->end[way][e->chunk][e->micro_batch] = e->end;
    r->times[way][e->chunk][e->micro_batch]++;
}

static void check_inputs(const Record *r, uint32_t chunk, uint32_t micro) {
    const LpPipeline *p = r->pipeline;
    uint32_t chunks = p->stages * p->chunks;
    assert_int_equal(r->times[0][chunk][micro], 1);
    assert_int_equal(r->times[1][chunk][micro], 1);
    assert_true(r->start[1][chunk][micro] >= r->end[0][chunk][micro]);
    if (chunk > 0)
        assert_true(r->start[0][chunk][micro] >=
                    r->end[0][chunk - 1][micro] + p->wire[(chunk - 1) % p->stages]);
    if (chunk + 1 < chunks)
        assert_true(r->start[1][chunk][micro] >=
                    r->end[1][chunk + 1][micro] + p->wire[chunk % p->stages]);
}

/* Of any chunks and messages, waiting or not. */
static void check_schedule(Uniform *u) {
    LpPipeline *p = &u->pipeline;
    LpRng rng = lp_rng_stream(16, "schedule", p->stages * 1000 + p->micro_batches * 10 + p->chunks);
    double end[2];
    for (uint32_t i = 0; i < p->stages * p->chunks; i++) {
        u->forward[i] = lp_rng_unit(&rng);
        u->backward[i] = 2 * lp_rng_unit(&rng);
    }
    for (uint32_t i = 0; i < p->stages; i++)
        u->wire[i] = 0.2 * lp_rng_unit(&rng);
    for (int wait = 0; wait < 2; wait++) {
        Record *r = calloc(1, sizeof *r);
        assert_non_null(r);
        r->pipeline = p;
        p->wait = wait == 1;
        assert_int_equal(lp_pipeline_run(p, record, r, &end[wait], NULL), LP_OK);
        for (uint32_t c = 0; c < p->stages * p->chunks; c++)
            for (uint32_t m = 0; m < p->micro_batches; m++)
                check_inputs(r, c, m);
        free(r);
    }
    assert_true(end[0] <= end[1]);
}

static void schedules_are_real(void **state) {
    (void)state;
    each_schedule(check_schedule);
}

/* ---- plans ---- */

typedef struct Config {
    LpDecoder model;
    LpParallel plan;
    LpMachine machine;
} Config;

static uint32_t draw(LpRng *rng, uint32_t least, uint32_t most) {
    return least + (uint32_t)lp_rng_below(rng, most - least + 1);
}

/* A random plan that fits, with ff = 4 hidden. */
static Config draw_config(uint64_t number) {
    LpRng rng = lp_rng_stream(16, "plan", number);
    Config c;
    uint32_t t = 1u << draw(&rng, 0, 4), p = draw(&rng, 1, 6);
    uint32_t v = p > 1 ? draw(&rng, 1, 3) : 1;
    uint32_t m = draw(&rng, 1, 9) * (v > 1 ? p : 1);
    c.plan = (LpParallel){.tensor = t,
                          .pipeline = p,
                          .data = draw(&rng, 1, 9),
                          .chunks = v,
                          .micro_batch = draw(&rng, 1, 3),
                          .recompute = (LpRecompute)draw(&rng, 0, 2),
                          .sequence = draw(&rng, 0, 1) == 1,
                          .wait = draw(&rng, 0, 1) == 1};
    c.plan.batch = m * c.plan.data * c.plan.micro_batch;
    c.model = (LpDecoder){.heads = t * draw(&rng, 1, 4),
                          .layers = p * v + draw(&rng, 0, 9),
                          .sequence = 16 * draw(&rng, 1, 64),
                          .vocabulary = draw(&rng, 1, 60000),
                          .tied = draw(&rng, 0, 1) == 1};
    c.model.hidden = c.model.heads * 8 * draw(&rng, 1, 16);
    c.model.ff = 4 * c.model.hidden;
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

/* Narayanan et al. and Korthikanti et al.: FLOP of a step; Korthikanti et al., table 2:
 * activations. */
static void check_formulas(const Config *c, const LpParallelStep *step) {
    LpStepShape x = lp_step_shape(&c->model, &c->plan);
    double h = x.h, s = x.s, L = c->model.layers, B = c->plan.batch;
    double head = 6 * s * x.vocabulary * h, square = s * L * h * h;
    const double flops[] = {72 * square * (1 + s / (6 * h)), 72 * square * (1 + 2 * s / (9 * h)),
                            96 * square * (1 + s / (6 * h))};
    near("FLOP", step->flops, B * (flops[c->plan.recompute] + head), 1e-12);
    double sbh = s * x.b * h, t = x.t, core = 5 * x.a * s / (h * t);
    double kept = x.q > 1 || t == 1 ? 34 / t : 10 + 24 / t;
    near("none", lp_layer_activation(&x, LP_RECOMPUTE_NONE), sbh * (kept + core), 1e-14);
    near("selective", lp_layer_activation(&x, LP_RECOMPUTE_SELECTIVE), sbh * kept, 1e-14);
    near("full", lp_layer_activation(&x, LP_RECOMPUTE_FULL), 2 * sbh / x.q, 1e-14);
}

static void published_formulas_hold(void **state) {
    (void)state;
    each_plan(check_formulas);
}

/* Bytes of a part's collectives, an all-reduce twice. */
static double sent(const LpStepShape *shape, LpStepPart part) {
    LpStepOps ops;
    double sum = 0;
    lp_step_ops(shape, part, &ops);
    for (uint32_t i = 0; i < ops.count; i++)
        if (ops.op[i].kind > LP_STEP_VEC)
            sum += (ops.op[i].kind == LP_STEP_ALL_REDUCE ? 2 : 1) * ops.op[i].bytes;
    return sum;
}

static void check_collectives(const Config *c, const LpParallelStep *step) {
    (void)step;
    LpStepShape x = lp_step_shape(&c->model, &c->plan);
    double A = x.t > 1 ? x.hidden_values : 0;
    assert_true(sent(&x, LP_PART_FORWARD) == 8 * A);
    assert_true(sent(&x, LP_PART_BACKWARD) == (x.sequence ? 12 : 8) * A);
    assert_true(sent(&x, LP_PART_RECOMPUTE) ==
                (c->plan.recompute == LP_RECOMPUTE_FULL ? 8 * A : 0));
}

static void a_layer_sends_as_published(void **state) {
    (void)state;
    each_plan(check_collectives);
}

/* Whatever gets faster, no step gets slower: exactly, as orders do not change. */
static void check_machine(const Config *c, const LpParallelStep *step) {
    static const struct {
        size_t offset;
        double factor;
    } better[] = {
        {offsetof(LpMachine, peak), 1.3},
        {offsetof(LpMachine, vector_peak), 2},
        {offsetof(LpMachine, bandwidth), 1.1},
        {offsetof(LpMachine, matrix_efficiency), 1.2},
        {offsetof(LpMachine, link_rate), 1.7},
        {offsetof(LpMachine, network_rate), 1.9},
        {offsetof(LpMachine, base_latency), 0.5},
        {offsetof(LpMachine, link_latency), 0.1},
        {offsetof(LpMachine, network_latency), 0},
        {offsetof(LpMachine, op_time), 0.7},
        {offsetof(LpMachine, memory_efficiency), 1.05},
    };
    for (size_t i = 0; i < LP_COUNTOF(better); i++) {
        Config other = *c;
        *(double *)(void *)((char *)&other.machine + better[i].offset) *= better[i].factor;
        assert_true(step_of(&other).step_time <= step->step_time);
    }
}

static void better_machines_are_never_slower(void **state) {
    (void)state;
    each_plan(check_machine);
}

static void check_bounds(const Config *c, const LpParallelStep *step) {
    LpStages s = {0};
    double through = 0;
    Config other = *c;
    assert_int_equal(lp_stages_init(&s, &c->model, &c->plan, &c->machine, NULL), LP_OK);
    uint32_t p = s.pipeline.stages, chunks = p * s.pipeline.chunks;
    for (uint32_t i = 0; i < p; i++) {
        double work = 0;
        for (uint32_t k = i; k < chunks; k += p)
            work += s.pipeline.micro_batches * (s.forward[k] + s.backward[k]);
        assert_true(step->pipeline_time >= work * (1 - 1e-12));
    }
    for (uint32_t k = 0; k < chunks; k++)
        through += s.forward[k] + s.backward[k] + (k + 1 < chunks ? 2 * s.wire[k % p] : 0);
    assert_true(step->pipeline_time >= through * (1 - 1e-12));
    assert_true(step->bubble >= 0 && step->bubble < 1);
    lp_stages_fini(&s);
    other.plan.wait = false;
    double eager = step_of(&other).step_time;
    other.plan.wait = true;
    assert_true(eager <= step_of(&other).step_time);
}

static void steps_are_never_too_short(void **state) {
    (void)state;
    each_plan(check_bounds);
}

/* One stage: micro-batches one after another. With as many of them, data ways change what follows
 * the pipeline, and nothing in it but where nodes end: here all stages are in one, or none shares
 * one. */
static void check_batches(const Config *c, const LpParallelStep *step) {
    Config more = *c;
    LpParallelStep other;
    if (c->plan.pipeline == 1) {
        more.plan.batch *= 2;
        other = step_of(&more);
        near("twice the batch", other.pipeline_time, 2 * step->pipeline_time, 1e-12);
        assert_true(other.data_time == step->data_time);
        more = *c;
    }
    more.machine.node = 1;
    LpParallelStep apart = step_of(&more);
    more.plan.data *= 2;
    more.plan.batch *= 2;
    other = step_of(&more);
    assert_true(other.pipeline_time == apart.pipeline_time);
    assert_true(other.optimiser_time == apart.optimiser_time);
    assert_true(other.data_time > apart.data_time);
    assert_true(other.activation_peak == apart.activation_peak);
}

static void batches_and_replicas(void **state) {
    (void)state;
    each_plan(check_batches);
}

static void check_recompute(const Config *c, const LpParallelStep *step) {
    LpParallelStep way[3];
    (void)step;
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++) {
        Config other = *c;
        other.plan.recompute = (LpRecompute)i;
        way[i] = step_of(&other);
    }
    assert_true(way[0].step_time <= way[1].step_time && way[1].step_time <= way[2].step_time);
    assert_true(way[0].activation_bytes >= way[1].activation_bytes &&
                way[1].activation_bytes >= way[2].activation_bytes);
    if (c->plan.pipeline == 1)
        near("selective", way[1].pipeline_time,
             way[0].pipeline_time +
                 way[1].micro_batches * c->model.layers * way[1].part[LP_PART_RECOMPUTE],
             1e-12);
}

static void recomputing_trades_time_for_memory(void **state) {
    (void)state;
    each_plan(check_recompute);
}

static void check_shares(const Config *c, const LpParallelStep *step) {
    Config other = *c;
    LpParallel one = c->plan, cut = c->plan;
    LpStepShape whole, part;
    other.plan.pipeline = 1;
    other.plan.chunks = 1;
    near("state", step_of(&other).state_bytes, step->state_bytes * c->plan.pipeline, 1e-12);
    other.plan.tensor = 1;
    near("state", step_of(&other).state_bytes,
         step->state_bytes * c->plan.pipeline * c->plan.tensor, 1e-12);
    one.tensor = 1;
    cut.sequence = true;
    whole = lp_step_shape(&c->model, &one);
    part = lp_step_shape(&c->model, &cut);
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++)
        near("activations", part.t * lp_layer_activation(&part, (LpRecompute)i),
             lp_layer_activation(&whole, (LpRecompute)i), 1e-12);
}

static void memory_is_shared_out(void **state) {
    (void)state;
    each_plan(check_shares);
}

TEST_GROUP(test_parallel) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_stages_follow_the_formula),
        cmocka_unit_test(schedules_are_real),
        cmocka_unit_test(published_formulas_hold),
        cmocka_unit_test(a_layer_sends_as_published),
        cmocka_unit_test(better_machines_are_never_slower),
        cmocka_unit_test(steps_are_never_too_short),
        cmocka_unit_test(batches_and_replicas),
        cmocka_unit_test(recomputing_trades_time_for_memory),
        cmocka_unit_test(memory_is_shared_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
