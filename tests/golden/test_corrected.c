/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step under the corrected rules, against times worked out by hand: every expected
 * number is a formula written out here, none comes from the engine. */
#include "group.h"
#include "tiny.h"

#include <math.h>

#include "model/fabric/fabric.h"
#include "sim/forecast.h"
#include "sim/world.h"

#define TOLERANCE 1e-12

/* Every light path below carries 1e9 bytes/s with 1 ms propagation and 0.5 ms I/O at each end. */
#define LATENCY (1e-3 + 2 * 5e-4)
#define RATE 1e9
#define SLOT 0.01
#define LINKS "\"propagation_latency\": 1e-3, \"io_latency\": 5e-4, \"slot\": 0.01"
#define SERVER "\"server\": { \"device\": \"A100\" }"
#define IDEAL                                                                                      \
    "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8, \"node_bandwidth\": 1e9, "              \
    "\"latency\": 1e-3, \"io_latency\": 5e-4 }, " SERVER " }"
/* x groups, J racks, L servers; W/x = 1e9 */
#define RAMP(x, j, l, w, isolated)                                                                 \
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": " #x                            \
    ", \"racks_per_group\": " #j ", \"servers_per_rack\": " #l ", \"node_bandwidth\": " #w         \
    ", \"rack_isolated\": " #isolated ", " LINKS " }, " SERVER " }"
#define RAMP222 RAMP(2, 2, 2, 2e9, true)
#define RAMP442 RAMP(4, 4, 2, 4e9, true)
#define UNIT_OPS "\"min_op_time\": 1, \"max_degree\": 32"

/* The A100's data sheet: FLOP/s and bytes/s. */
#define PEAK 19.5e12
#define MEMORY_BANDWIDTH 2039e9

/* ---- formulas of the text ---- */

/* Propagation + 2 I/O + size / rate. */
static double flow(double bytes) {
    return LATENCY + bytes / RATE;
}

/* Adds of `bytes` from d operands at once: L * bytes / 2 additions of two bytes at the rate that
 * memory (arithmetic intensity L / (2 (d + 1))) or the arithmetic allows. */
static double adds(double d, double levels, double bytes) {
    double rate = MEMORY_BANDWIDTH * (levels / ((d + 1) * 2));
    return levels * bytes / 2 / (rate < PEAK ? rate : PEAK);
}

typedef struct Cost {
    double comm, comp;
} Cost;

/* A ring over n servers, one direction: n - 1 hops of m / n bytes. */
static Cost ring(double n, double bytes) {
    return (Cost){(n - 1) * LATENCY + (n - 1) / n * bytes / RATE, adds(2, 1, (n - 1) / n * bytes)};
}

/* Over two servers of two groups of RAMP 2x2x2: one stage d = 2 with trx = min(2, 2 / 1) = 2
 * transceiver groups. m is even below, so ceil(m / 2) = m / 2. */
static Cost pair222(double bytes) {
    return (Cost){LATENCY + bytes / 2 / (2 * RATE), adds(2, 1, bytes / 2)};
}

static double scatter(Cost c) {
    return c.comm + c.comp;
}

static double gather(Cost c) {
    return c.comm;
}

static double reduce(Cost c) {
    return 2 * c.comm + c.comp;
}

/* ---- scenarios ---- */

/* Two ops in a row, both long enough for any degree. */
static const TinyOp LONG[2] = {{1, 2, 1e9, 5e8}, {3, 4, 2e9, 1e9}};
static const uint32_t CHAIN[1][2] = {{1, 2}};

typedef struct Want {
    double step, communication, computation, exposed;
    uint32_t ops, deps, circuits, servers;
} Want;

static void check(const LpForecast *f, double steps, const Want *want) {
    if (!f->feasible)
        fail_msg("%s", f->why);
    tiny_near("step time", f->step_time, want->step, TOLERANCE);
    tiny_near("jct", f->jct, want->step * steps, TOLERANCE);
    tiny_near("communication", f->communication, want->communication * steps, TOLERANCE);
    tiny_near("computation", f->computation, want->computation * steps, TOLERANCE);
    tiny_near("exposed", f->exposed, want->exposed * steps, TOLERANCE);
    assert_int_equal(f->ops, want->ops);
    assert_int_equal(f->deps, want->deps);
    assert_int_equal(f->circuits, want->circuits);
    assert_int_equal(f->servers, want->servers);
}

/* Ten steps of a graph on a cluster. */
static LpSession *open_graph(const char *cluster, const char *partition, const TinyOp *op,
                             uint32_t ops, const uint32_t (*edge)[2], uint32_t edges) {
    char *graph = tiny_profile(op, ops, edge, edges);
    const Tiny t = {.cluster = cluster,
                    .partition = partition,
                    .graph = {graph},
                    .jobs = "[ { \"graph\": \"g\", \"arrival\": 0, \"steps\": 10 } ]"};
    LpSession *s = tiny_open(&t);
    free(graph);
    return s;
}

static void expect(const char *cluster, const char *partition, const TinyOp *op, uint32_t ops,
                   const uint32_t (*edge)[2], uint32_t edges, uint32_t degree, const Want *want) {
    LpSession *s = open_graph(cluster, partition, op, ops, edge, edges);
    LpForecast f = tiny_predict_degree(s, degree);
    check(&f, 10, want);
    lp_session_close(s);
}

static void expect_long(const char *cluster, const char *partition, uint32_t degree,
                        const Want *want) {
    expect(cluster, partition, LONG, 2, CHAIN, 1, degree, want);
}

/* ---- two ops on two servers ---- */

static void one_server_adds_up(void **state) {
    (void)state;
    /* 1 + 3 + 4 + 2 s; nothing crosses the network. Two edges, one join. */
    const Want want = {10, 0, 10, 0, 4, 3, 0, 1};
    expect_long(IDEAL, UNIT_OPS, 1, &want);
    expect_long(RAMP222, UNIT_OPS, 1, &want);
    expect_long(IDEAL, UNIT_OPS ", \"kind\": \"data\"", 1, &want);
    expect_long(RAMP222, UNIT_OPS ", \"kind\": \"data\", \"overlap\": false", 1, &want);
}

/* Forward halves, sum of the partial outputs, ..., gather of the gradient, backward halves: all in
 * a row. Parts exchange with their own numbers only, so there are no flows. */
static Want model_in_a_row(Cost first, Cost second) {
    double comm = scatter(first) + scatter(second) + gather(second) + gather(first);
    double comp = 0.5 + 1.5 + 2 + 1;
    return (Want){comp + comm, comm, comp, comm, 8, 6, 2, 2};
}

static void model_kind_on_two_servers(void **state) {
    (void)state;
    Want ideal = model_in_a_row(ring(2, 1e9), ring(2, 2e9));
    Want ramp = model_in_a_row(pair222(1e9), pair222(2e9));
    expect_long(IDEAL, "\"min_op_time\": 0.01", 2, &ideal);
    expect_long(RAMP222, "\"min_op_time\": 0.01", 2, &ramp);
    expect_long(RAMP222, "\"min_op_time\": 0.01, \"overlap\": false", 2, &ramp);
}

/* Op 2 synchronises 1e9 bytes while op 1's backward parts run from 4 to 5 s; then op 1 its 5e8. */
static void data_kind_on_two_servers(void **state) {
    (void)state;
    double second = reduce(ring(2, 1e9)), first = reduce(ring(2, 5e8));
    assert_true(second > 1 && first < second - 1 + 5); /* as used below */
    /* ideal shares nothing: op 1's all-reduce starts at 5 s whatever op 2's does */
    double end = 5 + first > 4 + second ? 5 + first : 4 + second;
    Want ideal = {end, end - 4, 5, end - 5, 8, 6, 2, 2};
    expect_long(IDEAL, "\"kind\": \"data\"", 2, &ideal);
    /* on RAMP a collective takes every transceiver of its servers: they follow each other */
    second = reduce(pair222(1e9));
    first = reduce(pair222(5e8));
    double free = second > 1 ? 4 + second : 5;
    double comm = second + first;
    Want ramp = {free + first, comm, 5, free + first - 5, 8, 6, 2, 2};
    expect_long(RAMP222, "\"kind\": \"data\"", 2, &ramp);
}

/* Both start after the last backward op, at 5 s. */
static void data_kind_without_overlap(void **state) {
    (void)state;
    double second = reduce(ring(2, 1e9)), first = reduce(ring(2, 5e8));
    Want ideal = {5 + second, second, 5, second, 8, 6, 2, 2};
    assert_true(second > first);
    expect_long(IDEAL, "\"kind\": \"data\", \"overlap\": false", 2, &ideal);
    double both = reduce(pair222(1e9)) + reduce(pair222(5e8));
    Want ramp = {5 + both, both, 5, both, 8, 6, 2, 2};
    expect_long(RAMP222, "\"kind\": \"data\", \"overlap\": false", 2, &ramp);
}

/* ---- ops that are split differently ---- */

/* Op 1 needs 1 part, op 2 needs 2. Op 1 runs on the first server and sends half of its output to
 * the second, which sends half of the gradient back. */
static const TinyOp SHORT_LONG[2] = {{1, 2, 4e8, 1e8}, {2, 3, 6e8, 2e8}};

static Want short_long_model(double f, Cost c) {
    double between = scatter(c) + gather(c);
    /* 1 s; f hidden behind the first server's part (1 s); the second's part; the collectives; both
     * backward parts; f again, bare; 2 s */
    assert_true(f < 1);
    double comp = 1 + f + 1 + 1.5 + 2, comm = 2 * f + between;
    return (Want){comp + between + f, comm, comp, between + f, 6, 6, 2, 2};
}

static void unsplit_beside_split(void **state) {
    (void)state;
    Want ideal = short_long_model(flow(2e8), ring(2, 6e8));
    expect(IDEAL, UNIT_OPS, SHORT_LONG, 2, CHAIN, 1, 2, &ideal);
    /* each flow is the first on its transceiver group: one slot each */
    Want ramp = short_long_model(SLOT + flow(2e8), pair222(6e8));
    expect(RAMP222, UNIT_OPS, SHORT_LONG, 2, CHAIN, 1, 2, &ramp);
    /* op 1 still needs only 1 part, op 2 only 2: a degree of 7 splits no further */
    expect(RAMP222, UNIT_OPS, SHORT_LONG, 2, CHAIN, 1, 7, &ramp);
}

/* The same, cut by batch, on the ideal fabric: op 2's all-reduce starts when its second backward
 * part has ended, together with the flow of the gradient. */
static void unsplit_beside_split_by_batch(void **state) {
    (void)state;
    double f = flow(2e8), sync = reduce(ring(2, 2e8)), t = 1 + f + 1 + 1.5;
    assert_true(f < sync && sync < f + 2); /* it ends under op 1's backward op */
    Want want = {t + f + 2, f + sync, t + 2, f, 6, 6, 2, 2};
    expect(IDEAL, UNIT_OPS ", \"kind\": \"data\"", SHORT_LONG, 2, CHAIN, 1, 2, &want);
}

/* D = 6, op 1 needs 4 parts and gets 3, the largest divisor of 6 not above 4. RAMP 4x4x2 offers
 * the block 3x1x2: servers 0 1 8 9 16 17, of which op 1 uses the first three. Part a of op 1
 * overlaps parts 2a and 2a + 1 of op 2 by a sixth each:
 *   0 -> 0 (same), 0 -> 1,   1 -> 8, 1 -> 9,   8 -> 16, 8 -> 17
 * 1 -> 8 and 1 -> 9 leave through one transceiver group (1's, facing group 1), as do 8 -> 16 and
 * 8 -> 17: the one to the lower part first, and the group pays its slot twice. */
static const TinyOp FOUR_SIX[2] = {{4, 6, 6e8, 3e8}, {6, 12, 9e8, 6e8}};

/* Op 2's weights over the whole block: g = 3, rho = 1, nu = 2, so a = 2 and d = [3, 2, 1, 1];
 * trx(3) = min(4, 4 / 2) = 2, trx(2) = min(4, 4 / 1) = 4; m = 6e8, 2e8, 1e8. */
static Cost six_servers(void) {
    return (Cost){LATENCY + 2e8 / (2 * RATE) + LATENCY + 1e8 / (4 * RATE),
                  adds(3, 2, 2e8) + adds(2, 1, 1e8)};
}

static void needs_are_lowered_to_divisors(void **state) {
    (void)state;
    double f = SLOT + flow(6e8 / 6), a = 4.0 / 3;
    /* parts 3 and 5 of op 2 start at a + 2 f and end their backward passes (1 + 2 s) at t; the
     * others are one f earlier, and their gradients have arrived by t */
    double t = a + 2 * f + 3;
    /* now op 2's all-reduce is ready and bars the last two gradients from its servers */
    double last = t + reduce(six_servers()) + f;
    /* then op 1's backward parts 1 and 2 (part 0 ran from t), and its weights: servers 0, 1 and 8
     * are no full block (2 groups x 1 rack x 2 indices would be 4), hence a ring */
    double sync = reduce(ring(3, 3e8));
    Want want = {.step = last + 2 + sync,
                 .computation = last + 2,
                 .communication = 4 * f + reduce(six_servers()) + sync,
                 .exposed = sync,
                 .ops = 18,
                 .deps = 2 * 6 + 6, /* 3 + 6 - 3 pairs of parts that overlap, both ways; joins */
                 /* 12 between groups, 6 between indices; 1 -> 8 of the ring and of the flows, 8 ->
                  * 1, 8 -> 17 and 17 -> 8 */
                 .circuits = 22,
                 .servers = 6};
    assert_true(reduce(six_servers()) + f < 2);
    expect(RAMP442, UNIT_OPS ", \"kind\": \"data\"", FOUR_SIX, 2, CHAIN, 1, 6, &want);
    expect(RAMP442, UNIT_OPS ", \"kind\": \"data\"", FOUR_SIX, 2, CHAIN, 1, 8, &want);
}

static void blocks_are_in_block_order(void **state) {
    (void)state;
    static const uint32_t block[] = {0, 1, 8, 9, 16, 17};
    LpSession *s = open_graph(RAMP442, UNIT_OPS, FOUR_SIX, 2, CHAIN, 1);
    LpForecast f = tiny_predict_degree(s, 6);
    assert_true(f.feasible);
    assert_memory_equal(f.server, block, sizeof block);
    assert_int_equal(f.partition_degree, 6);
    f = tiny_predict_degree(s, 5); /* 5 parts, and the 4 of op 1 go down to 1 */
    assert_int_equal(f.partition_degree, 5);
    assert_false(f.feasible); /* 5 = 5 x 1: no shape of 4x4x2 */
    lp_session_close(s);
    s = open_graph(IDEAL, UNIT_OPS, FOUR_SIX, 2, CHAIN, 1);
    f = tiny_predict_degree(s, 5);
    assert_true(f.feasible);
    assert_int_equal(f.ops, 2 * (1 + 5));
    lp_session_close(s);
}

/* ---- two sinks, one light path ---- */

/* Op 1 (1 part) feeds ops 2 and 3 (2 parts each), which are both sinks. Nothing has parameters and
 * the cut is by batch, so there are no collectives. */
static const TinyOp FORK[3] = {{1, 1, 4e8, 0}, {2, 2, 0, 0}, {4, 2, 0, 0}};
static const uint32_t FORK_EDGES[2][2] = {{1, 2}, {1, 3}};

static void two_sinks_on_one_path(void **state) {
    (void)state;
    double f = flow(2e8);
    /* server 0: op 1 (0..1), 2.0 (1 s), then, shorter first, its own twin B2.0 (1 s) before 3.0
     *   (2 s), B3.0 (1 s): busy until 6
     * the path to the second server: 2.1's input, with the first slot; 3.1's after it, without
     * second server: 2.1 from `first`, B2.1, 3.1, B3.1 */
    double first = 1 + SLOT + f, end = first + 1 + 1 + 2 + 1;
    /* back: B2.1's gradient at first + 2, with a slot; B3.1's at the end, without */
    Want want = {.step = end + f + 1,
                 .computation = end + 1,
                 .communication = (SLOT + f + f) + (SLOT + f) + f,
                 .exposed = f,
                 .ops = 10,
                 .deps = 12,
                 .circuits = 2,
                 .servers = 2};
    expect(RAMP222, UNIT_OPS ", \"kind\": \"data\"", FORK, 3, FORK_EDGES, 2, 2, &want);
    /* ideal: both inputs at once, no slot */
    end = 1 + f + 5;
    Want ideal = {.step = end + f + 1,
                  .computation = end + 1,
                  .communication = 3 * f,
                  .exposed = f,
                  .ops = 10,
                  .deps = 12,
                  .circuits = 2,
                  .servers = 2};
    expect(IDEAL, UNIT_OPS ", \"kind\": \"data\"", FORK, 3, FORK_EDGES, 2, 2, &ideal);
}

/* ---- collectives over racks ---- */

/* One op of two passes over the block 2x2x1: g = 2, rho = 2, nu = 1, so a = 1 and d = [2, 1, 2, 1].
 * Isolated racks leave trx(2) = 2 transceiver groups; else K = 2 of the servers differ in nothing
 * but the rack and floor(2 / 2) = 1 is left. */
static void racks_share_what_is_not_isolated(void **state) {
    (void)state;
    static const TinyOp one[1] = {{4, 4, 1e9, 0}};
    for (int isolated = 0; isolated < 2; isolated++) {
        double rate = isolated ? 2 * RATE : RATE;
        Cost c = {LATENCY + 5e8 / rate + LATENCY + 2.5e8 / rate,
                  adds(2, 1, 5e8) + adds(2, 1, 2.5e8)};
        double comm = scatter(c) + gather(c);
        Want want = {2 + comm, comm, 2, comm, 8, 4, 8, 4};
        expect(isolated ? RAMP(2, 2, 2, 2e9, true) : RAMP(2, 2, 2, 2e9, false), UNIT_OPS, one, 1,
               NULL, 0, 4, &want);
    }
}

/* One rack: g = 1, rho = 1, nu = 2, so d = [1, 1, 1, 2], and with a = 1 the last stage has one
 * transceiver group. The shapes of two servers start with 2x1x1, so `place` chooses the rack. */
static void inside_a_rack_there_is_one_transceiver(void **state) {
    (void)state;
    static const TinyOp one[1] = {{2, 2, 1e9, 0}};
    static const uint32_t rack[] = {4, 5};
    LpSession *s = open_graph(RAMP222, UNIT_OPS, one, 1, NULL, 0);
    LpAnswer answer = {.degree = 2, .servers = 2, .server = rack};
    LpForecast f = tiny_predict(s, &answer);
    Cost c = {LATENCY + 5e8 / RATE, adds(2, 1, 5e8)};
    double comm = scatter(c) + gather(c);
    const Want want = {2 + comm, comm, 2, comm, 4, 2, 2, 2};
    check(&f, 10, &want);
    assert_memory_equal(f.server, rack, sizeof rack);
    lp_session_close(s);
}

/* Two A100 and two M40 (7 TFLOP/s, 288 GB/s): adds go at the pace of the slowest device of the set,
 * wherever it is; ops at 7 / 19.5 of the first one's. */
static void the_slowest_device_sets_the_pace(void **state) {
    (void)state;
    static const TinyOp one[1] = {{2, 2, 1e9, 0}};
    static const uint32_t fast[] = {0, 1}, slow[] = {2, 3}, mixed[] = {1, 2};
    static const uint32_t *const blocks[] = {fast, mixed, slow};
    LpSession *s = open_graph("{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 4, "
                              "\"node_bandwidth\": 1e9, \"latency\": 1e-3, \"io_latency\": 5e-4 "
                              "}, \"server\": [ { \"device\": \"A100\", \"count\": 2 }, { "
                              "\"device\": \"M40\", \"count\": 2 } ] }",
                              UNIT_OPS, one, 1, NULL, 0);
    for (int i = 0; i < 3; i++) {
        LpAnswer answer = {.degree = 2, .servers = 2, .server = blocks[i]};
        LpForecast f = tiny_predict(s, &answer);
        double memory = i == 0 ? MEMORY_BANDWIDTH : 288e9, ops = i == 0 ? 1 : 19.5 / 7;
        Cost c = ring(2, 1e9);
        c.comp = 1 * 5e8 / 2 / (memory / 6);
        double comm = scatter(c) + gather(c);
        const Want want = {2 * ops + comm, comm, 2 * ops, comm, 4, 2, 2, 2};
        check(&f, 10, &want);
    }
    lp_session_close(s);
}

/* ---- who goes first ---- */

typedef struct Trace {
    LpStepGraph graph;
    LpTrace trace;
} Trace;

static void trace_of(LpSession *s, const LpForecast *f, Trace *out) {
    if (!f->feasible)
        fail_msg("%s", f->why);
    assert_int_equal(lp_store_trace(lp_session_context(s), f->partition, f->placement,
                                    LP_RULES_SRPT, &out->graph, &out->trace, NULL),
                     LP_OK);
}

/* Three ops of equal times that know nothing of each other, on one server. Ids: forward 1 2 3,
 * backward B1 = 6, B2 = 5, B3 = 4. */
static void equal_ops_run_by_id(void **state) {
    (void)state;
    static const TinyOp three[3] = {{1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}};
    static const double starts[] = {0, 1, 2, 5, 4, 3};
    LpSession *s = open_graph(IDEAL, UNIT_OPS, three, 3, NULL, 0);
    LpForecast f = tiny_predict_degree(s, 1);
    const LpPartition *p = lp_store_partition(lp_session_context(s)->store, f.partition);
    Trace t;
    trace_of(s, &f, &t);
    for (uint32_t o = 0; o < 6; o++)
        assert_true(t.trace.start[p->part_begin[o]] == starts[o]);
    lp_trace_fini(&t.trace);
    lp_session_close(s);
}

/* Ops 1, 2 and 3 (1 part each, 1 s apart) send 4, 1 and 0.5 GB to op 4 (2 parts) over one path.
 * When the first flow ends both others wait: the shorter one goes first. */
static void shorter_flows_go_first(void **state) {
    (void)state;
    static const TinyOp ops[4] = {{1, 1, 8e9, 0}, {1, 1, 2e9, 0}, {1, 1, 1e9, 0}, {2, 2, 0, 0}};
    static const uint32_t edges[3][2] = {{1, 4}, {2, 4}, {3, 4}};
    LpSession *s = open_graph(RAMP222, UNIT_OPS ", \"kind\": \"data\"", ops, 4, edges, 3);
    LpForecast f = tiny_predict_degree(s, 2);
    double first = 1 + SLOT + flow(4e9);
    const double starts[] = {1, first + flow(5e8), first};
    const LpPartition *p = lp_store_partition(lp_session_context(s)->store, f.partition);
    Trace t;
    trace_of(s, &f, &t);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < t.graph.transfers; i++) {
        const LpLink *link = &p->link[t.graph.link[i]];
        if (link->dst != 3)
            continue;
        tiny_near("start of a flow", t.trace.start[t.graph.parts + i], starts[link->src], 1e-12);
        seen++;
    }
    assert_int_equal(seen, 3);
    lp_trace_fini(&t.trace);
    lp_session_close(s);
}

/* ---- one circuit per wavelength ---- */

/* Block order 1 0 2 4 of RAMP 2x2x2 (server = group 4, rack 2, index): op 1 has 2 parts, op 2 has
 * 4, so after op 1 flow 1 -> 0, 0 -> 2 and 0 -> 4. The first two go from group 0 to index 0 of
 * group 0, in different racks. Isolated racks carry both at once; one subnet has one circuit per
 * wavelength, so there the second waits. */
static double second_start(bool isolated) {
    static const TinyOp ops[2] = {{2, 2, 4e8, 0}, {4, 4, 0, 0}};
    static const uint32_t block[] = {1, 0, 2, 4};
    LpSession *s = open_graph(isolated ? RAMP(2, 2, 2, 2e9, true) : RAMP(2, 2, 2, 2e9, false),
                              UNIT_OPS ", \"kind\": \"data\"", ops, 2, CHAIN, 1);
    LpAnswer answer = {.degree = 4, .servers = 4, .server = block};
    LpForecast f = tiny_predict(s, &answer);
    Trace t;
    trace_of(s, &f, &t);
    double start = -1;
    for (uint32_t i = 0; i < t.graph.transfers; i++)
        if (t.graph.src[i] == 0 && t.graph.dst[i] == 2)
            start = t.trace.start[t.graph.parts + i];
    lp_trace_fini(&t.trace);
    lp_session_close(s);
    return start;
}

static void one_circuit_per_wavelength(void **state) {
    (void)state;
    tiny_near("isolated", second_start(true), 1, TOLERANCE);
    tiny_near("shared", second_start(false), 1 + SLOT + flow(1e8), TOLERANCE);
}

TEST_GROUP(test_corrected) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_adds_up),
        cmocka_unit_test(model_kind_on_two_servers),
        cmocka_unit_test(data_kind_on_two_servers),
        cmocka_unit_test(data_kind_without_overlap),
        cmocka_unit_test(unsplit_beside_split),
        cmocka_unit_test(unsplit_beside_split_by_batch),
        cmocka_unit_test(needs_are_lowered_to_divisors),
        cmocka_unit_test(blocks_are_in_block_order),
        cmocka_unit_test(two_sinks_on_one_path),
        cmocka_unit_test(racks_share_what_is_not_isolated),
        cmocka_unit_test(inside_a_rack_there_is_one_transceiver),
        cmocka_unit_test(the_slowest_device_sets_the_pace),
        cmocka_unit_test(equal_ops_run_by_id),
        cmocka_unit_test(shorter_flows_go_first),
        cmocka_unit_test(one_circuit_per_wavelength),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
