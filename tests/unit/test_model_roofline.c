/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from work: precisions, products by tiles and waves, parts of them, and the scenario's keys
 * for all that. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "model/device/device.h"
#include "model/device/roofline.h"
#include "model/graph.h"
#include "model/parallel/machine.h"
#include "model/parallel/times.h"
#include "model/partition.h"
#include "model/zoo/zoo.h"
#include "scenario_text.h"

static void expect_close(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
        print_error("%.17g, expected %.17g\n", value, expected);
    assert_true(fabs(value - expected) <= 1e-9 * fabs(expected));
}

static const LpDevice *a100(void) {
    return lp_device_find("A100");
}

/* FLOP that the units of an A100 are busy for with `count` products. */
static double busy(double count, double rows, double columns, double depth) {
    const double flops = 2 * count * rows * columns * depth;
    const LpWork work = {.forward_flops = flops,
                         .product = {flops, 1, count, rows, columns, depth}};
    const LpRates rates = {a100(), LP_PRECISION_BF16, true};
    return (lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS) - 4e-6) * 312e12 * 0.8;
}

/* By hand, 108 units, tiles of 256 x 128. */
static void products_fill_waves_of_tiles(void **state) {
    (void)state;
    const double tile = 256.0 * 128;
    /* 16 x 32 tiles are 4.7 waves: 5 */
    expect_close(busy(1, 4096, 4096, 4096), 5 * 108 * tile * 2 * 4096);
    /* a row more is a row of tiles more: 17 x 32 (or 33 x 16) are still 5 waves */
    expect_close(busy(1, 4097, 4096, 4096), 5 * 108 * tile * 2 * 4096);
    /* 18 x 32 are 6 */
    expect_close(busy(1, 4353, 4096, 4096), 6 * 108 * tile * 2 * 4096);
    /* the longer side of the tile along the longer side: 108 tiles instead of 216 half empty ones
     */
    expect_close(busy(1, 128, 108 * 256, 128), 108 * tile * 2 * 128);
    /* 54 tiles leave half of the units idle, which take the other half of the depth */
    expect_close(busy(1, 54 * 256, 128, 1024), 108 * tile * 2 * 512);
    /* but nobody takes less than 128 of it */
    expect_close(busy(1, 54 * 256, 128, 128), 108 * tile * 2 * 128);
    /* heads of attention share waves */
    expect_close(busy(108, 256, 128, 64), 108 * tile * 2 * 64);
}

static void nothing_is_faster_than_all_units_busy(void **state) {
    (void)state;
    const double sides[] = {1, 3, 64, 127, 128, 129, 1000, 12288};
    const size_t n = LP_COUNTOF(sides);
    for (size_t i = 0; i < n * n * n; i++) {
        double rows = sides[i % n], columns = sides[i / n % n], depth = sides[i / n / n];
        double once = busy(3, rows, columns, depth);
        assert_true(once >= 2 * 3 * rows * columns * depth * (1 - 1e-9));
        assert_true(once == busy(3, columns, rows, depth));
    }
}

static LpWork product_work(double rows, double columns, double depth) {
    LpWork work = {.forward_flops = 2 * rows * columns * depth + 1e6,
                   .forward_bytes = 1e6,
                   .backward_bytes = 2e6,
                   .product = {2 * rows * columns * depth, 1, 1, rows, columns, depth}};
    work.backward_flops = 2 * work.forward_flops;
    return work;
}

/* Products at the rate of matrix units, the rest in fp32. */
static void a_precision_is_the_rate_of_products(void **state) {
    (void)state;
    const LpWork work = product_work(4096, 4096, 4096);
    const double product = work.product.flops;
    LpRates rates = {.device = a100()};
    expect_close(lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS),
                 work.forward_flops / (19.5e12 * 0.7));
    rates.precision = LP_PRECISION_BF16;
    expect_close(lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS),
                 1e6 / (19.5e12 * 0.7) + product / (312e12 * 0.8));
    expect_close(lp_work_time(&work, true, &rates, 1, LP_SIDE_COLUMNS),
                 2e6 / (19.5e12 * 0.7) + 2 * product / (312e12 * 0.8));
    expect_close(lp_work_time(&work, true, &rates, 0.25, LP_SIDE_COLUMNS),
                 lp_work_time(&work, true, &rates, 1, LP_SIDE_COLUMNS) / 4);
    rates.precision = LP_PRECISION_TF32;
    expect_close(lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS),
                 1e6 / (19.5e12 * 0.7) + product / (156e12 * 0.8));
}

/* A quarter of the columns is four waves of seven (4 x 32 tiles in 2 waves, not 1.25). */
static void parts_lose_by_their_size(void **state) {
    (void)state;
    const LpWork work = product_work(4096, 4096, 4096);
    const LpRates rates = {a100(), LP_PRECISION_BF16, true};
    const double wave = 108 * 256.0 * 128 * 2 * 4096 / (312e12 * 0.8);
    const double rest = 1e6 / (19.5e12 * 0.7);
    expect_close(lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS), 4e-6 + rest + 5 * wave);
    expect_close(lp_work_time(&work, false, &rates, 0.25, LP_SIDE_COLUMNS),
                 4e-6 + rest / 4 + 2 * wave);
    expect_close(lp_work_time(&work, false, &rates, 0.25, LP_SIDE_ROWS),
                 4e-6 + rest / 4 + 2 * wave);
    expect_close(lp_work_time(&work, false, &rates, 0.25, LP_SIDE_DEPTH),
                 4e-6 + rest / 4 + 5 * wave / 4);
    /* two gradients, of one size here */
    expect_close(lp_work_time(&work, true, &rates, 1, LP_SIDE_COLUMNS),
                 4e-6 + 2 * rest + 10 * wave);
}

static void views_take_nothing_and_memory_bounds(void **state) {
    (void)state;
    const LpWork none = {0}, copy = {.forward_bytes = 2039e9 * 0.8};
    LpRates rates = {a100(), LP_PRECISION_FP32, true};
    assert_true(lp_work_time(&none, false, &rates, 1, LP_SIDE_COLUMNS) == 0);
    expect_close(lp_work_time(&copy, false, &rates, 1, LP_SIDE_COLUMNS), 1 + 4e-6);
    expect_close(lp_work_time(&copy, false, &rates, 0.5, LP_SIDE_COLUMNS), 0.5 + 4e-6);
    rates.by_size = false;
    expect_close(lp_work_time(&copy, false, &rates, 0.5, LP_SIDE_COLUMNS), 0.5);
}

/* Steps of transformers are timed by other code (docs/parallel.md): the same tiles and waves. */
static void a_layer_of_products_agrees_with_the_model_of_steps(void **state) {
    (void)state;
    LpMachine machine;
    LpDiag diag;
    assert_int_equal(lp_machine_of(a100(), &machine, &diag), LP_OK);
    const double sides[][3] = {{2048, 12288, 4096}, {8192, 1536, 12288}, {4096, 50304, 1024}};
    for (size_t i = 0; i < LP_COUNTOF(sides); i++) {
        const double *s = sides[i];
        const LpWork work = {.forward_flops = 2 * s[0] * s[1] * s[2],
                             .product = {2 * s[0] * s[1] * s[2], 1, 1, s[0], s[1], s[2]}};
        const LpRates rates = {a100(), LP_PRECISION_BF16, true};
        const LpStepOp op = {
            .kind = LP_STEP_MAT, .n = 1, .m_rows = s[0], .n_columns = s[1], .k_inner = s[2]};
        expect_close(lp_work_time(&work, false, &rates, 1, LP_SIDE_COLUMNS),
                     lp_step_compute_time(&op, &machine));
    }
}

/* ---- graphs ---- */

static LpGraph *zoo(const char *name, const LpRates *rates) {
    LpGraph *graph = NULL;
    LpDiag diag;
    assert_int_equal(lp_zoo_build("g", &(LpZooSpec){.name = name}, &graph, &diag), LP_OK);
    lp_graph_cost(graph, rates);
    return graph;
}

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Every product of the zoo states a shape of as many FLOPs as it has, but for the projections in
 * GNMT's attention, which are two. */
static void shapes_of_the_zoo_are_its_flops(void **state) {
    (void)state;
    size_t count;
    const LpZooModel *models = lp_zoo_table(&count);
    for (size_t m = 0; m < count; m++) {
        LpGraph *g = zoo(models[m].name, &(LpRates){.device = a100()});
        uint32_t products = 0, unknown = 0;
        for (uint32_t i = 0; i < g->ops; i++) {
            const LpProduct *p = &g->op[i].work.product;
            double flops = 2 * p->serial * p->count * p->rows * p->columns * p->depth;
            products += p->flops > 0;
            unknown += p->flops > 0 && p->rows == 0;
            assert_true(p->flops == 0 || p->rows == 0 || close_to(flops, p->flops));
        }
        assert_true(products >= 4);
        assert_int_equal(unknown, strcmp(models[m].name, "gnmt") == 0);
        lp_graph_free(g);
    }
}

static void sizes_matter_to_the_hash(void **state) {
    (void)state;
    const LpRates flat = {.device = a100()}, sized = {a100(), LP_PRECISION_FP32, true};
    LpGraph *a = zoo("alexnet", &flat), *b = zoo("alexnet", &sized);
    LpGraph *c = zoo("alexnet", &sized);
    assert_true(a->hash != b->hash);
    assert_true(b->hash == c->hash);
    /* bound by memory, the op takes as long whatever its product is; its parts may not */
    b->op[1].work.forward_bytes = b->op[1].work.backward_bytes = 1e15;
    c->op[1].work.forward_bytes = c->op[1].work.backward_bytes = 1e15;
    assert_true(c->op[1].work.product.columns > 0);
    c->op[1].work.product.columns *= 2;
    lp_graph_cost(b, &sized);
    lp_graph_cost(c, &sized);
    assert_true(b->op[1].forward == c->op[1].forward);
    assert_true(b->hash != c->hash);
    lp_graph_free(a);
    lp_graph_free(b);
    lp_graph_free(c);
}

static LpPartition *cut(const LpGraph *graph, LpPartitionKind kind, uint32_t degree) {
    static LpOptions options;
    options = lp_options_corrected();
    const LpCut by = {.graph = graph,
                      .kind = kind,
                      .options = &options,
                      .min_op_time = 1e-9,
                      .max_deps = 1 << 24};
    uint32_t ways[1024];
    LpPartition *p = NULL;
    LpDiag diag;
    assert_true(graph->ops <= LP_COUNTOF(ways));
    assert_int_equal(lp_cut_ways(&by, degree, ways), degree);
    if (lp_partition_build(&by, ways, &p, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return p;
}

/* Parts take at least their share; flat ones just that. */
static void parts_of_partitions_take_longer(void **state) {
    (void)state;
    const LpPartitionKind kinds[] = {LP_PARTITION_MODEL, LP_PARTITION_DATA, LP_PARTITION_TENSOR};
    const LpRates rates[] = {{a100(), LP_PRECISION_BF16, false}, {a100(), LP_PRECISION_BF16, true}};
    for (size_t k = 0; k < LP_COUNTOF(kinds); k++) {
        double sum[2];
        for (int r = 0; r < 2; r++) {
            LpGraph *g = zoo("transformer", &rates[r]);
            LpPartition *p = cut(g, kinds[k], 8), *whole = cut(g, kinds[k], 1);
            sum[r] = p->sequential_time / whole->sequential_time;
            lp_partition_free(p);
            lp_partition_free(whole);
            lp_graph_free(g);
        }
        assert_true(sum[0] >= 1 - 1e-12);
        assert_true(sum[1] > sum[0] * 1.01);
    }
}

/* ---- scenarios ---- */

#define HEAD "{\"lightpath\":1,\"jobs\":[],\n"
#define GRAPH(keys) HEAD "\"graphs\":[{\"id\":\"a\",\"zoo\":\"vgg16\"," keys "}]}"
#define DEVICES(list) HEAD "\"devices\":[" list "]}"

static void scenarios_state_rates(void **state) {
    (void)state;
    LpScenario *s = load_text(GRAPH("\"precision\":\"bf16\",\"efficiency\":\"size\""), NULL, 0);
    assert_int_equal(s->graph[0]->rates.precision, LP_PRECISION_BF16);
    assert_true(s->graph[0]->rates.by_size);
    assert_int_equal(s->graph[0]->value_bytes, 2);
    lp_scenario_free(s);
    s = load_text(GRAPH("\"precision\":\"bf16\",\"bytes_per_value\":4"), NULL, 0);
    assert_int_equal(s->graph[0]->value_bytes, 4);
    lp_scenario_free(s);
    s = load_text(GRAPH("\"precision\":\"tf32\""), NULL, 0);
    assert_int_equal(s->graph[0]->value_bytes, 4);
    lp_scenario_free(s);
}

static void scenarios_bring_devices(void **state) {
    (void)state;
    LpScenario *s = load_text(
        HEAD "\"devices\":[{\"name\":\"half\",\"like\":\"A100\",\"fp32\":\"9.75 TFLOP/s\","
             "\"units\":54},{\"name\":\"less\",\"like\":\"half\",\"memory\":\"10 GB\"}],"
             "\"cluster\":{\"fabric\":\"ramp\",\"server\":{\"device\":\"Half\"}},"
             "\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\",\"device\":\"less\"},"
             "{\"id\":\"b\",\"zoo\":\"alexnet\"}]}",
        NULL, 0);
    const LpDevice *half = &s->device[0], *less = &s->device[1];
    assert_int_equal(s->devices, 2);
    assert_ptr_equal(s->cluster.type[0].device, half);
    assert_ptr_equal(s->graph[1]->rates.device, half);
    assert_ptr_equal(s->graph[0]->rates.device, less);
    assert_true(half->peak_flops == 9.75e12 && half->bf16 == 312e12 && half->units == 54);
    assert_true(less->peak_flops == 9.75e12 && less->memory == 10e9);
    assert_string_equal(less->like, "A100");
    assert_string_equal(less->source, "the scenario");
    lp_scenario_free(s);
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {GRAPH("\"precision\":\"int8\""), "s:2:47: \"precision\" is the text \"int8\", expected "
                                          "one of \"fp32\", \"tf32\", \"fp16\", "
                                          "\"bf16\", \"fp8\""},
        {GRAPH("\"precision\":\"fp8\""),
         "s:2:47: device A100 has no rate in fp8, expected one of fp32, tf32, fp16, bf16"},
        {GRAPH("\"device\":\"TPU v4\",\"efficiency\":\"size\""),
         "s:2:66: device TPU v4: its units and tiles are not known, without which products cannot "
         "lose by their size, expected one of A100, V100, Titan V, M40, H100, A100 40G, H200, "
         "B200"},
        {HEAD "\"graphs\":[{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"pipedream\","
              "\"time_unit\":\"ms\",\"precision\":\"fp32\"}]}",
         "s:2:86: \"precision\" has no effect on format \"pipedream\", whose times were measured: "
         "expected none"},
        {DEVICES("{\"like\":\"A100\"}"), "s:2:12: the key \"name\" is missing here"},
        {DEVICES("{\"name\":\"A100\",\"like\":\"A100\"}"),
         "s:2:20: \"A100\" is a device that lightpath knows, expected another name"},
        {DEVICES("{\"name\":\"\",\"like\":\"A100\"}"), "s:2:20: the name of a device is empty"},
        {DEVICES("{\"name\":\"x\",\"like\":\"A100\"},\n{\"name\":\"X\",\"like\":\"A100\"}"),
         "s:3:9: two devices have the name \"X\", expected different names"},
        {DEVICES("{\"name\":\"x\",\"like\":\"A1000\"}"),
         "s:2:31: \"like\" is the text \"A1000\", expected \"A100\""},
        {DEVICES("{\"name\":\"x\",\"fp32\":1e12}"),
         "s:2:12: device \"x\" has no \"bandwidth\", expected a number, or the name of a device "
         "that "
         "it is \"like\""},
        {DEVICES("{\"name\":\"x\",\"like\":\"A100\",\"matrix_efficiency\":1.5}"),
         "s:2:58: \"matrix_efficiency\" is 1.5, expected a number > 0 and <= 1"},
        {DEVICES("{\"name\":\"x\",\"like\":\"A100\",\"units\":2.5}"),
         "s:2:46: \"units\" is 2.5, expected a whole number >= 1"},
        {HEAD "\"devices\":{}}", "s:2:11: \"devices\" is an object, expected a list [...]"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

TEST_GROUP(test_model_roofline) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_fill_waves_of_tiles),
        cmocka_unit_test(nothing_is_faster_than_all_units_busy),
        cmocka_unit_test(a_precision_is_the_rate_of_products),
        cmocka_unit_test(parts_lose_by_their_size),
        cmocka_unit_test(views_take_nothing_and_memory_bounds),
        cmocka_unit_test(a_layer_of_products_agrees_with_the_model_of_steps),
        cmocka_unit_test(shapes_of_the_zoo_are_its_flops),
        cmocka_unit_test(sizes_matter_to_the_hash),
        cmocka_unit_test(parts_of_partitions_take_longer),
        cmocka_unit_test(scenarios_state_rates),
        cmocka_unit_test(scenarios_bring_devices),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
