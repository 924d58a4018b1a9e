/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every step with turning circuits: the shape of T(D), bounds, who is never slower,
 * closed forms, and one factor on everything. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "sim/parallel/schedule.h"
#include "sim/turns/experts.h"
#include "sim/turns/region.h"
#include "sim/turns/turns.h"

enum { STAGES = 6, CASES = 1500, FORMS = 2000 };

/* A step with its times. */
typedef struct Case {
    uint64_t seed;
    double forward[STAGES], backward[STAGES], send[STAGES], bucket[STAGES], gather[STAGES];
    double optimiser;
    LpTurnStep step;
} Case;

static double draw(LpRng *rng, bool whole, double most) {
    return whole ? 1 + (double)lp_rng_below(rng, (uint64_t)most) : most * lp_rng_unit(rng) + 1e-3;
}

static LpTurnTimes times(double *item, uint32_t count) {
    return (LpTurnTimes){.count = count, .item = item};
}

/* Half of all cases have small whole times, so that much ends at once. */
static void make_case(Case *c, uint64_t seed) {
    LpRng rng = lp_rng_stream(seed, "turns", 0);
    bool whole = lp_rng_below(&rng, 2) == 0, zero = lp_rng_below(&rng, 4) == 0;
    double most = whole ? 5 : 100;
    c->seed = seed;
    for (int i = 0; i < STAGES; i++) {
        c->forward[i] = draw(&rng, whole, most);
        c->backward[i] = draw(&rng, whole, 2 * most);
        c->send[i] = zero ? 0 : draw(&rng, whole, most / 5);
        c->bucket[i] = zero ? 0 : draw(&rng, whole, most / 2);
        c->gather[i] = draw(&rng, whole, most / 2);
    }
    c->optimiser = lp_rng_below(&rng, 2) == 0 ? 0 : draw(&rng, whole, most);
    bool alike = lp_rng_below(&rng, 2) == 0;
    uint32_t p = 1 + (uint32_t)lp_rng_below(&rng, STAGES), each = alike ? 1 : p;
    c->step = (LpTurnStep){.stages = p,
                           .replicas = 1 + (uint32_t)lp_rng_below(&rng, 3),
                           .micro_batches = 1 + (uint32_t)lp_rng_below(&rng, 6),
                           .layers = 1 + (uint32_t)lp_rng_below(&rng, 4),
                           .ports = 1 + (uint32_t)lp_rng_below(&rng, 2),
                           .steps = 1 + (uint32_t)lp_rng_below(&rng, 3),
                           .serial = lp_rng_below(&rng, 2) == 0,
                           .overlap = lp_rng_below(&rng, 2) == 0,
                           .gpipe = lp_rng_below(&rng, 2) == 0,
                           .reduce = (LpTurnReduce)lp_rng_below(&rng, 4),
                           .forward = times(c->forward, each),
                           .backward = times(c->backward, each),
                           .send = times(c->send, alike || p == 1 ? 1 : p - 1),
                           .bucket = times(c->bucket, each),
                           .gather = times(c->gather, each),
                           .optimiser = times(&c->optimiser, 1)};
}

static LpTurnPlan *plan_of(const Case *c) {
    LpTurnPlan *plan = NULL;
    LpDiag diag = {0};
    if (lp_turn_plan_make(&c->step, &plan, &diag) != LP_OK)
        fail_msg("seed %llu: %s", (unsigned long long)c->seed, diag.text);
    return plan;
}

static void hold(const Case *c, const char *what, bool holds) {
    if (!holds)
        fail_msg("seed %llu: %s", (unsigned long long)c->seed, what);
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static bool at_most(double a, double b) {
    return a <= b || near(a, b);
}

/* ---- the shape of the curve ---- */

static void look_at_curve(const Case *c, LpTurnPlan *plan, LpTurnOrders orders, LpRng *rng) {
    LpTurnPiece *piece;
    uint32_t count;
    double delay = 0, light = lp_turn_run(plan, LP_TURN_DEMAND, 0).time;
    LpTurnResult before = lp_turn_run(plan, orders, 0);
    hold(c, "at delay 0 both orders are alike", near(before.time, light));
    assert_int_equal(lp_turn_curve(plan, orders, 1000, &piece, &count, NULL), LP_OK);
    for (uint32_t i = 1; i < count; i++)
        hold(c, "slopes rise", piece[i].slope > piece[i - 1].slope);
    for (int i = 0; i < 8; i++) {
        double more = i % 2 == 0 ? (double)(1 + lp_rng_below(rng, 4)) : 60 * lp_rng_unit(rng);
        LpTurnResult now = lp_turn_run(plan, orders, delay + more);
        double rise = now.time - before.time, slack = 1e-11 * now.time;
        hold(c, "as many turns", now.turns == before.turns);
        hold(c, "no more wait than there are", now.waiting <= now.turns);
        hold(c, "the slope rises", now.exposed >= before.exposed && now.exposed <= now.turns);
        hold(c, "above the line of the left", rise >= before.exposed * more - slack);
        hold(c, "below the slope of the right", rise <= now.exposed * more + slack);
        hold(c, "between its bounds",
             at_most(light, now.time) && at_most(now.time, light + now.turns * (delay + more)));
        hold(c, "its pieces are the curve",
             fabs(lp_turn_curve_at(piece, count, delay + more) - now.time) <= slack);
        delay += more;
        before = now;
    }
    lp_free(piece);
}

/* What is known while the curve is computed is the beginning of what it comes to, and the single
 * points right of that lie on it. */
static void look_while_computed(const Case *c, LpTurnPlan *plan, LpTurnOrders orders) {
    LpTurnPiece *all;
    LpTurnCurve *curve;
    uint32_t count, pieces, points;
    bool done = false;
    assert_int_equal(lp_turn_curve(plan, orders, 1000, &all, &count, NULL), LP_OK);
    assert_int_equal(lp_turn_curve_new(plan, orders, 1000, &curve, NULL), LP_OK);
    while (!done) {
        assert_int_equal(lp_turn_curve_work(curve, &done, NULL), LP_OK);
        const LpTurnPiece *piece = lp_turn_curve_pieces(curve, &pieces);
        const LpTurnPiece *point = lp_turn_curve_points(curve, &points);
        hold(c, "a beginning of the curve", pieces <= count && (!done || pieces == count));
        for (uint32_t i = 0; i < pieces && pieces <= count; i++)
            hold(c, "the same pieces",
                 near(piece[i].delay, all[i].delay) && near(piece[i].time, all[i].time) &&
                     piece[i].slope == all[i].slope);
        for (uint32_t i = 0; i < points; i++)
            hold(c, "points of the curve",
                 near(point[i].time, lp_turn_curve_at(all, count, point[i].delay)));
    }
    lp_turn_curve_free(curve);
    lp_free(all);
}

static void curves_are_convex_with_whole_slopes(void **state) {
    LpRng rng = lp_rng_stream(1, "delays", 0);
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        Case c;
        make_case(&c, seed);
        LpTurnPlan *plan = plan_of(&c);
        look_while_computed(&c, plan, LP_TURN_DEMAND);
        look_while_computed(&c, plan, LP_TURN_PROVISIONED);
        look_at_curve(&c, plan, LP_TURN_DEMAND, &rng);
        look_at_curve(&c, plan, LP_TURN_PROVISIONED, &rng);
        lp_turn_plan_free(plan);
    }
}

/* ---- who is never slower ---- */

static double time_of(const Case *c, LpTurnOrders orders, double delay) {
    LpTurnPlan *plan = plan_of(c);
    double time = lp_turn_run(plan, orders, delay).time;
    lp_turn_plan_free(plan);
    return time;
}

static void some_are_never_slower(void **state) {
    LpRng rng = lp_rng_stream(2, "delays", 0);
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        Case c, other;
        double delay = 40 * lp_rng_unit(&rng);
        make_case(&c, seed);
        other = c;
        c.step.serial = false;
        double demand = time_of(&c, LP_TURN_DEMAND, delay);
        double ahead = time_of(&c, LP_TURN_PROVISIONED, delay);
        hold(&c, "provisioned is never slower", at_most(ahead, demand));
        other.step.serial = true;
        double serial = time_of(&other, LP_TURN_DEMAND, delay);
        hold(&c, "serial is never faster on demand", at_most(demand, serial));
        double late = time_of(&other, LP_TURN_PROVISIONED, delay);
        hold(&c, "serial is never faster provisioned", at_most(ahead, late));
        hold(&c, "provisioned is never slower, serial", at_most(late, serial));
        c.step.notice = 5 * lp_rng_unit(&rng);
        double noticed = time_of(&c, LP_TURN_DEMAND, delay);
        c.step.notice *= 2;
        hold(&c, "notice is never slower", at_most(noticed, demand));
        hold(&c, "more notice is never slower",
             at_most(time_of(&c, LP_TURN_DEMAND, delay), noticed));
    }
}

/* Powers of two change no digit; 7/3 changes some. */
static void one_factor_scales(void **state) {
    static const double factor[] = {0.25, 8, 7.0 / 3};
    (void)state;
    for (uint64_t seed = 0; seed < CASES / 3; seed++) {
        Case c, scaled;
        make_case(&c, seed);
        double k = factor[seed % 3], delay = (double)(seed % 17);
        scaled = c;
        for (int i = 0; i < STAGES; i++) {
            scaled.forward[i] *= k;
            scaled.backward[i] *= k;
            scaled.send[i] *= k;
            scaled.bucket[i] *= k;
            scaled.gather[i] *= k;
        }
        scaled.optimiser *= k;
        scaled.step.forward.item = scaled.forward;
        scaled.step.backward.item = scaled.backward;
        scaled.step.send.item = scaled.send;
        scaled.step.bucket.item = scaled.bucket;
        scaled.step.gather.item = scaled.gather;
        scaled.step.optimiser.item = &scaled.optimiser;
        c.step.optimiser.item = &c.optimiser;
        LpTurnPlan *small = plan_of(&c), *large = plan_of(&scaled);
        LpTurnResult a = lp_turn_run(small, LP_TURN_PROVISIONED, delay);
        LpTurnResult b = lp_turn_run(large, LP_TURN_PROVISIONED, k * delay);
        hold(&c, "times scale", near(a.time * k, b.time));
        hold(&c, "counts stay",
             a.exposed == b.exposed && a.turns == b.turns && a.waiting == b.waiting);
        lp_turn_plan_free(small);
        lp_turn_plan_free(large);
    }
}

/* ---- closed forms ---- */

static double over(double x) {
    return x > 0 ? x : 0;
}

/* Equal stages, gradients in buckets behind each part. */
static Case alike(LpRng *rng, uint64_t seed) {
    Case c = {.seed = seed};
    c.forward[0] = draw(rng, false, 100);
    c.backward[0] = draw(rng, false, 200);
    c.send[0] = 10 * lp_rng_unit(rng);
    c.bucket[0] = 20 * lp_rng_unit(rng);
    c.step = (LpTurnStep){.stages = 1 + (uint32_t)lp_rng_below(rng, 8),
                          .replicas = 2,
                          .micro_batches = 1,
                          .layers = 1 + (uint32_t)lp_rng_below(rng, 6),
                          .ports = 1,
                          .steps = 1,
                          .reduce = LP_TURN_REDUCE_BUCKET};
    return c;
}

static void point_at_times(Case *c) {
    c->step.forward = times(c->forward, 1);
    c->step.backward = times(c->backward, 1);
    c->step.send = times(c->send, 1);
    c->step.bucket = times(c->bucket, 1);
}

static void one_micro_batch_has_closed_forms(void **state) {
    LpRng rng = lp_rng_stream(3, "forms", 0);
    (void)state;
    for (uint64_t seed = 0; seed < FORMS; seed++) {
        Case c = alike(&rng, seed);
        point_at_times(&c);
        double p = c.step.stages, L = c.step.layers, f = c.forward[0], b = c.backward[0];
        double layer = b / L, d = 300 * lp_rng_unit(&rng), h = layer * lp_rng_unit(&rng);
        double light = p * (f + b + L * c.bucket[0]) + 2 * (p - 1) * c.send[0];
        double ahead = light + (p - 1) * d + (p - 1) * over(d - layer) + (p - 1) * over(d - f) +
                       over(d - f - layer);
        hold(&c, "T(0)", near(time_of(&c, LP_TURN_DEMAND, 0), light));
        hold(&c, "on demand", near(time_of(&c, LP_TURN_DEMAND, d), light + (3 * p - 2) * d));
        hold(&c, "provisioned", near(time_of(&c, LP_TURN_PROVISIONED, d), ahead));
        c.step.notice = h;
        hold(&c, "with notice",
             near(time_of(&c, LP_TURN_DEMAND, d), light + 2 * (p - 1) * d + p * over(d - h)));
    }
}

static void turns_are_counted(void **state) {
    LpRng rng = lp_rng_stream(4, "counts", 0);
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Case c = alike(&rng, seed);
        point_at_times(&c);
        uint32_t p = c.step.stages;
        c.step.ports = 2;
        c.step.micro_batches = 1 + (uint32_t)lp_rng_below(&rng, 7);
        c.step.serial = seed % 2 == 0;
        LpTurnPlan *plan = plan_of(&c);
        LpTurnResult got = lp_turn_run(plan, LP_TURN_DEMAND, 100 * lp_rng_unit(&rng) + 0.1);
        hold(&c, "3p-2 turns, all exposed", got.turns == 3 * p - 2 && got.exposed == 3 * p - 2);
        lp_turn_plan_free(plan);
        c.step.replicas = 1;
        plan = plan_of(&c);
        hold(&c, "p-1 turns without rings", lp_turn_run(plan, LP_TURN_DEMAND, 1).turns == p - 1);
        lp_turn_plan_free(plan);
    }
}

static void one_stage_turns_at_most_once(void **state) {
    LpRng rng = lp_rng_stream(5, "stage", 0);
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Case c = alike(&rng, seed);
        point_at_times(&c);
        c.step.stages = 1;
        c.step.micro_batches = 1 + (uint32_t)lp_rng_below(&rng, 5);
        double m = c.step.micro_batches, f = c.forward[0], b = c.backward[0];
        double hidden = (m - 1) * (f + b) + f + b / c.step.layers;
        LpTurnPlan *plan = plan_of(&c);
        hold(&c, "one turn", lp_turn_run(plan, LP_TURN_PROVISIONED, 1).turns == 1);
        hold(&c, "hidden", lp_turn_run(plan, LP_TURN_PROVISIONED, 0.999 * hidden).exposed == 0);
        hold(&c, "exposed", lp_turn_run(plan, LP_TURN_PROVISIONED, 1.001 * hidden).exposed == 1);
        lp_turn_plan_free(plan);
        c.step.replicas = 1;
        plan = plan_of(&c);
        hold(&c, "no turn", lp_turn_run(plan, LP_TURN_DEMAND, 1).turns == 0);
        lp_turn_plan_free(plan);
    }
}

static void pipelines_without_sends_have_the_bubble_formula(void **state) {
    LpRng rng = lp_rng_stream(6, "bubble", 0);
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Case c = alike(&rng, seed);
        point_at_times(&c);
        c.send[0] = 0;
        c.step.send.item = c.send;
        c.step.reduce = LP_TURN_REDUCE_NONE;
        c.step.micro_batches = 1 + (uint32_t)lp_rng_below(&rng, 12);
        c.step.gpipe = seed % 2 == 0;
        double want = (c.step.micro_batches + c.step.stages - 1.0) * (c.forward[0] + c.backward[0]);
        hold(&c, "(m+p-1)(f+b)", near(time_of(&c, LP_TURN_DEMAND, 0), want));
    }
}

/* Chunks of a stage, whose orders another implementation has: sim/parallel/schedule.c. */
static void chunks_are_interleaved_alike(void **state) {
    enum { CHUNKS = 4 };
    LpRng rng = lp_rng_stream(7, "chunks", 0);
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        Case c = {.seed = seed};
        double forward[STAGES * CHUNKS], backward[STAGES * CHUNKS], wire[STAGES] = {0}, want = 0;
        uint32_t p = 2 + (uint32_t)lp_rng_below(&rng, STAGES - 1);
        uint32_t v = 1 + (uint32_t)lp_rng_below(&rng, CHUNKS);
        uint32_t m = p * (1 + (uint32_t)lp_rng_below(&rng, 4));
        for (uint32_t i = 0; i < p * v; i++) {
            forward[i] = draw(&rng, seed % 2 == 0, 10);
            backward[i] = draw(&rng, seed % 2 == 0, 20);
        }
        c.step = (LpTurnStep){.stages = p,
                              .replicas = 1,
                              .chunks = v,
                              .micro_batches = m,
                              .layers = 1,
                              .ports = 1 + (uint32_t)lp_rng_below(&rng, 2),
                              .steps = 1,
                              .forward = times(forward, p * v),
                              .backward = times(backward, p * v)};
        LpPipeline pipeline = {.stages = p,
                               .chunks = v,
                               .micro_batches = m,
                               .forward = forward,
                               .backward = backward,
                               .wire = wire};
        assert_int_equal(lp_pipeline_run(&pipeline, NULL, NULL, &want, NULL), LP_OK);
        hold(&c, "as the schedule says", near(time_of(&c, LP_TURN_DEMAND, 0), want));
        if (c.step.ports == 2) {
            LpTurnPlan *plan = plan_of(&c);
            uint32_t links = v > 1 ? p : p - 1; /* each lit once, for good */
            hold(&c, "a turn for each link", lp_turn_run(plan, LP_TURN_DEMAND, 1).turns == links);
            lp_turn_plan_free(plan);
        }
    }
}

/* ---- layers with experts ---- */

static double above(double a, double b) {
    return a > b ? a - b : 0;
}

/* What one step of layers with experts takes, by hand: docs/turning-light.md, 8. */
static double experts_time(const LpTurnExperts *s, LpTurnOrders orders, double delay) {
    double layers = s->layers, D = delay;
    double turns = s->each ? 4 * layers : 2 * layers - 1;
    double light = layers * (s->attention + s->experts + s->attention_backward +
                             s->experts_backward + 4 * s->all_to_all);
    if (orders == LP_TURN_DEMAND)
        return light + turns * D;
    light += layers * (s->last ? above(D, s->attention) : D);
    light += (layers - 1) * above(D, s->attention_backward);
    if (s->each)
        light += layers * (above(D, s->experts) + above(D, s->experts_backward)) + D;
    return light;
}

static void experts_hide_turns(void **state) {
    LpRng rng = lp_rng_stream(8, "experts", 0);
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        bool whole = seed % 2 == 0;
        LpTurnExperts s = {.layers = 1 + (uint32_t)lp_rng_below(&rng, 8),
                           .steps = 1,
                           .last = lp_rng_below(&rng, 2) == 0,
                           .each = lp_rng_below(&rng, 2) == 0,
                           .attention = draw(&rng, whole, 20),
                           .experts = draw(&rng, whole, 40),
                           .attention_backward = draw(&rng, whole, 20),
                           .experts_backward = draw(&rng, whole, 40),
                           .all_to_all = draw(&rng, whole, 10)};
        LpTurnPlan *plan = NULL;
        assert_int_equal(lp_turn_experts_make(&s, &plan, NULL), LP_OK);
        for (int i = 0; i < 6; i++) {
            double delay = draw(&rng, whole, 60);
            for (int o = 0; o < LP_TURN_ORDERS_COUNT; o++) {
                LpTurnResult got = lp_turn_run(plan, (LpTurnOrders)o, delay);
                double want = experts_time(&s, (LpTurnOrders)o, delay);
                if (!near(got.time, want))
                    fail_msg("seed %llu at %g: got %.17g, expected %.17g", (unsigned long long)seed,
                             delay, got.time, want);
                assert_int_equal(got.turns, s.each ? 4 * s.layers : 2 * s.layers - 1);
                assert_true(got.exposed <= got.turns && got.waiting <= got.turns);
            }
        }
        lp_turn_plan_free(plan);
    }
}

/* ---- regions ---- */

enum { SERVERS = 9 };

static LpRegionResult region_of(LpArena *arena, const LpRegion *region) {
    LpRegionResult result = {0};
    LpDiag diag = {0};
    if (lp_region_make(region, arena, &result, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return result;
}

static void shuffle(LpRng *rng, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)lp_rng_below(rng, i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static void regions_keep_their_ports(void **state) {
    LpRng rng = lp_rng_stream(7, "regions", 0);
    (void)state;
    for (int round = 0; round < 400; round++) {
        double bytes[SERVERS * SERVERS] = {0}, moved[SERVERS * SERVERS] = {0};
        uint32_t ports[SERVERS], to_ports[SERVERS], to[SERVERS];
        uint32_t n = 2 + (uint32_t)lp_rng_below(&rng, SERVERS - 1);
        LpArena *arena = lp_arena_new(0);
        assert_non_null(arena);
        shuffle(&rng, to, n);
        for (uint32_t i = 0; i < n; i++) {
            to_ports[to[i]] = ports[i] = (uint32_t)lp_rng_below(&rng, 7);
            for (uint32_t j = 0; j < n; j++)
                moved[to[i] * n + to[j]] = bytes[i * n + j] = lp_rng_unit(&rng);
        }
        LpRegion region = {.servers = n,
                           .ports = ports,
                           .bytes = bytes,
                           .rate = 2,
                           .packet_ports = 1 + (uint32_t)lp_rng_below(&rng, 3),
                           .skip = lp_rng_below(&rng, 2) == 0};
        LpRegionResult a = region_of(arena, &region);
        region.ports = to_ports;
        region.bytes = moved;
        LpRegionResult b = region_of(arena, &region);
        assert_true(at_most(a.split, a.direct) && near(a.direct, b.direct) &&
                    near(a.split, b.split));
        for (uint32_t i = 0; i < n; i++) {
            uint32_t used = 0;
            for (uint32_t j = 0; j < n; j++) {
                used += a.circuits[i * n + j];
                assert_int_equal(a.circuits[i * n + j], b.circuits[to[i] * n + to[j]]);
            }
            assert_true(used <= ports[i]);
        }
        lp_arena_free(arena);
    }
}

/* Everybody sends everybody the same: 8/7 of a fat tree of as many ports. */
static void uniform_demand_leaves_nobody_dark(void **state) {
    double bytes[64];
    uint32_t ports[8], none[8] = {0};
    LpArena *arena = lp_arena_new(0);
    (void)state;
    assert_non_null(arena);
    for (uint32_t i = 0; i < 64; i++)
        bytes[i] = i % 9 != 0 ? 1 : 0;
    for (uint32_t i = 0; i < 8; i++)
        ports[i] = 6;
    LpRegion region = {.servers = 8, .ports = ports, .bytes = bytes, .rate = 1, .packet_ports = 2};
    LpRegion packets = {.servers = 8, .ports = none, .bytes = bytes, .rate = 1, .packet_ports = 8};
    double direct = region_of(arena, &region).direct, tree = region_of(arena, &packets).direct;
    assert_true(near(direct, tree * 8 / 7));
    lp_arena_free(arena);
}

/* ---- which turns are exposed, and orders of single turns ---- */

static uint32_t marked(const LpTurnPlan *plan) {
    uint32_t count = 0;
    for (uint32_t id = 0; id < lp_turn_nodes(plan); id++)
        count += lp_turn_transfer(plan, id).exposed;
    return count;
}

static void exposed_turns_are_found(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        Case c;
        make_case(&c, seed);
        LpTurnPlan *plan = plan_of(&c);
        for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++)
            for (int k = 1; k < 4; k++) {
                LpTurnResult result = lp_turn_run(plan, (LpTurnOrders)orders, 3.0 * k * k);
                lp_turn_longest(plan, (LpTurnOrders)orders, 3.0 * k * k);
                hold(&c, "as many turns are on the longest path as the slope says",
                     marked(plan) == result.exposed);
            }
        lp_turn_plan_free(plan);
    }
}

/* Some turns ordered early: between all on demand and all provisioned. */
static void single_turns_are_ordered(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        Case c;
        make_case(&c, seed);
        LpTurnPlan *plan = plan_of(&c);
        LpRng rng = lp_rng_stream(seed, "choice", 0);
        double late = lp_turn_run(plan, LP_TURN_DEMAND, 7).time;
        double early = lp_turn_run(plan, LP_TURN_PROVISIONED, 7).time;
        for (uint32_t id = 0; id < lp_turn_nodes(plan); id++)
            if (lp_rng_below(&rng, 2) == 0)
                lp_turn_choose(plan, id, LP_TURN_PROVISIONED);
        double some = lp_turn_run(plan, LP_TURN_DEMAND, 7).time;
        hold(&c, "some are between", some <= late * (1 + 1e-12) && some >= early * (1 - 1e-12));
        for (uint32_t id = 0; id < lp_turn_nodes(plan); id++)
            lp_turn_choose(plan, id, LP_TURN_PROVISIONED);
        hold(&c, "all chosen is all", lp_turn_run(plan, LP_TURN_DEMAND, 7).time == early);
        lp_turn_plan_free(plan);
    }
}

TEST_GROUP(test_turns) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exposed_turns_are_found),
        cmocka_unit_test(single_turns_are_ordered),
        cmocka_unit_test(curves_are_convex_with_whole_slopes),
        cmocka_unit_test(some_are_never_slower),
        cmocka_unit_test(one_factor_scales),
        cmocka_unit_test(one_micro_batch_has_closed_forms),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(one_stage_turns_at_most_once),
        cmocka_unit_test(pipelines_without_sends_have_the_bubble_formula),
        cmocka_unit_test(chunks_are_interleaved_alike),
        cmocka_unit_test(experts_hide_turns),
        cmocka_unit_test(regions_keep_their_ports),
        cmocka_unit_test(uniform_demand_leaves_nobody_dark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
