/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model zoo against published totals and, where they lie beside the repository, against real
 * profiles of the same models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/device/device.h"
#include "model/zoo/zoo.h"

/* ---- building ---- */

static LpGraph *build_spec(LpZooSpec spec) {
    LpGraph *graph = NULL;
    LpDiag diag = {.text = ""};
    if (lp_zoo_build("job", &spec, &graph, &diag) != LP_OK)
        fail_msg("%s: %s", spec.name, diag.text);
    return graph;
}

static LpGraph *build(const char *name, uint32_t batch) {
    return build_spec((LpZooSpec){.name = name, .batch = batch});
}

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_product(const char *name) {
    static const char *const kinds[] = {"Conv2d", "Linear", "Attention", "Head"};
    for (size_t i = 0; i < LP_COUNTOF(kinds); i++)
        if (starts_with(name, kinds[i]))
            return true;
    return false;
}

static double product_flops(const LpGraph *graph) {
    double flops = 0;
    for (uint32_t i = 0; i < graph->ops; i++)
        if (is_product(graph->op[i].name))
            flops += graph->op[i].work.forward_flops;
    return flops;
}

/* ---- totals ---- */

static void totals_are_the_published_ones(void **state) {
    (void)state;
    /* parameters as frameworks count them; multiply-adds per image of convolutions and linear
     * layers, each k * k * inputs * output values, added up outside this program */
    static const struct {
        const char *name;
        double parameters, multiply_adds;
    } known[] = {
        {"alexnet", 61100840, 714188480},
        {"vgg16", 138357544, 15470264320},
        {"resnet18", 11689512, 1814073344},
        {"squeezenet1_0", 1248424, 818924576},
    };
    for (size_t i = 0; i < LP_COUNTOF(known); i++) {
        LpGraph *graph = build(known[i].name, 3);
        assert_true(graph->batch == 3);
        assert_true(graph->parameter_sum == 4 * known[i].parameters);
        assert_true(product_flops(graph) == 3 * 2 * known[i].multiply_adds);
        lp_graph_free(graph);
    }
}

static double transformer_parameters(double layers, double h, double sequence, double vocabulary) {
    return 12 * layers * h * h + 13 * layers * h + (vocabulary + sequence) * h + 2 * h;
}

static void transformer_follows_its_formulas(void **state) {
    (void)state;
    static const LpZooSpec specs[] = {
        {.name = "transformer"}, /* GPT-2 small */
        {"transformer", 2, 3, 64, 4, 32, 1000, 2},
        {"transformer", 1, 128, 25600, 160, 2048, 51200, 2},
    };
    for (size_t i = 0; i < LP_COUNTOF(specs); i++) {
        LpZooSpec s = specs[i];
        LpGraph *graph = build_spec(s);
        if (i == 0)
            s = (LpZooSpec){s.name, 8, 12, 768, 12, 1024, 50257, 4};
        const double L = s.layers, h = s.hidden, n = s.sequence, V = s.vocabulary, B = s.batch;
        assert_int_equal(graph->ops, 12 * s.layers + 5);
        assert_true(graph->parameter_sum == s.bytes_per_value * transformer_parameters(L, h, n, V));
        double flops = L * (24 * B * n * h * h + 4 * B * n * n * h) + 2 * B * n * h * V;
        assert_true(fabs(product_flops(graph) - flops) <= 1e-12 * flops);
        lp_graph_free(graph);
    }
}

static void known_transformers_have_their_size(void **state) {
    (void)state;
    LpGraph *graph = build("transformer", 0);
    assert_true(graph->parameter_sum == 4 * 124439808.0); /* GPT-2 small */
    lp_graph_free(graph);
    /* the trillion-parameter model of arXiv 2104.04473, table 1: 1008.0 billion */
    graph = build_spec((LpZooSpec){"transformer", 1, 128, 25600, 160, 2048, 51200, 2});
    assert_true(fabs(graph->parameter_sum / 2 - 1008.0e9) < 0.05e9);
    lp_graph_cost(graph, &(LpRates){.device = lp_device_find("H100")});
    assert_true(lp_graph_sequential_time(graph) > 0);
    assert_true(isfinite(lp_graph_sequential_time(graph)));
    lp_graph_free(graph);
}

/* ---- shapes and work of single ops ---- */

static const LpOp *find_op(const LpGraph *graph, const char *prefix, uint32_t nth) {
    for (uint32_t i = 0; i < graph->ops; i++)
        if (starts_with(graph->op[i].name, prefix) && nth-- == 0)
            return &graph->op[i];
    fail_msg("no op %s", prefix);
    return NULL;
}

static void convolutions_count_their_work(void **state) {
    (void)state;
    LpGraph *graph = build("vgg16", 2);
    const double image = 2.0 * 224 * 224, in = 3 * image, out = 64 * image, par = 64 * (27 + 1);
    const LpOp *first = find_op(graph, "Conv2d", 0);
    assert_true(first->has_work);
    assert_true(first->activation == 4 * out && first->parameters == 4 * par);
    assert_true(first->work.forward_flops == 2 * 27 * out);
    assert_true(first->work.forward_bytes == 4 * (in + out + par));
    /* data needs no gradient: one product, and nothing written for it */
    assert_true(first->work.backward_flops == 2 * 27 * out);
    assert_true(first->work.backward_bytes == 4 * (out + in + 2 * par));

    const LpOp *second = find_op(graph, "Conv2d", 1);
    const double par2 = 64 * (576 + 1);
    assert_true(second->work.forward_flops == 2 * 576 * out);
    assert_true(second->work.backward_flops == 4 * 576 * out);
    assert_true(second->work.backward_bytes == 4 * (out + 2 * out + 2 * par2));
    lp_graph_free(graph);
}

static void small_ops_count_theirs(void **state) {
    (void)state;
    LpGraph *graph = build("resnet18", 1);
    const LpOp *input = find_op(graph, "Input", 0), *relu = find_op(graph, "ReLU", 0);
    const LpOp *add = find_op(graph, "Add", 0), *view = find_op(graph, "View", 0);
    assert_true(input->work.forward_bytes == input->activation);
    assert_true(input->work.backward_bytes == 0 && input->work.backward_flops == 0);
    assert_true(relu->work.forward_bytes == 2 * relu->activation);
    assert_true(relu->work.backward_bytes == 3 * relu->activation);
    assert_true(add->work.forward_bytes == 3 * add->activation);
    assert_true(view->activation == 4 * 512);
    assert_true(view->work.forward_bytes == 0 && view->work.backward_bytes == 0);
    lp_graph_free(graph);
}

static void values_may_be_halves(void **state) {
    (void)state;
    size_t count = 0;
    const LpZooModel *model = lp_zoo_table(&count);
    for (size_t i = 0; i < count; i++) {
        LpGraph *full = build_spec((LpZooSpec){.name = model[i].name, .batch = 4});
        LpGraph *half =
            build_spec((LpZooSpec){.name = model[i].name, .batch = 4, .bytes_per_value = 2});
        assert_int_equal(full->ops, half->ops);
        assert_true(half->parameter_sum == full->parameter_sum / 2);
        for (uint32_t k = 0; k < full->ops; k++)
            if (full->pred_begin[k + 1] > full->pred_begin[k])
                assert_true(half->op[k].activation == full->op[k].activation / 2);
        lp_graph_free(half);
        lp_graph_free(full);
    }
}

/* Twice the batch doubles every activation and every FLOP and leaves the parameters. */
static void batches_scale(void **state) {
    (void)state;
    size_t count = 0;
    const LpZooModel *model = lp_zoo_table(&count);
    for (size_t i = 0; i < count; i++) {
        LpGraph *one = build(model[i].name, 4), *two = build(model[i].name, 8);
        assert_int_equal(one->ops, two->ops);
        assert_true(one->parameter_sum == two->parameter_sum);
        for (uint32_t k = 0; k < one->ops; k++) {
            assert_true(two->op[k].work.forward_flops == 2 * one->op[k].work.forward_flops);
            assert_true(two->op[k].work.backward_flops == 2 * one->op[k].work.backward_flops);
            if (!starts_with(one->op[k].name, "CrossEntropy"))
                assert_true(two->op[k].activation == 2 * one->op[k].activation);
        }
        lp_graph_free(two);
        lp_graph_free(one);
    }
}

static void every_model_is_costed_on_every_device(void **state) {
    (void)state;
    size_t models = 0, devices = 0;
    const LpZooModel *model = lp_zoo_table(&models);
    const LpDevice *device = lp_device_table(&devices);
    assert_int_equal(models, 6);
    for (size_t m = 0; m < models; m++) {
        LpGraph *graph = build(model[m].name, 0);
        assert_string_equal(graph->id, "job");
        assert_true(graph->batch == model[m].default_batch);
        assert_true(lp_graph_sequential_time(graph) == 0);
        for (size_t d = 0; d < devices; d++) {
            lp_graph_cost(graph, &(LpRates){.device = &device[d]});
            assert_ptr_equal(graph->device, device[d].name);
            assert_true(graph->forward_sum > 0);
            /* backward is about twice forward */
            assert_true(graph->backward_sum > 1.2 * graph->forward_sum);
            assert_true(graph->backward_sum < 2.5 * graph->forward_sum);
        }
        lp_graph_free(graph);
    }
}

/* ---- refusals ---- */

static void bad_specs_are_refused(void **state) {
    (void)state;
    static const struct {
        LpZooSpec spec;
        const char *text;
    } bad[] = {
        {{.name = NULL}, "unknown zoo model ''"},
        {{.name = "vgg"}, "alexnet, vgg16, resnet18, squeezenet1_0, gnmt, transformer"},
        {{.name = "vgg61"}, "did you mean 'vgg16'?"},
        {{.name = "x\x1b[2J"}, "'x\\x1b[2J'"},
        {{.name = "vgg16", .layers = 3}, "'vgg16' has no 'layers'"},
        {{.name = "gnmt", .hidden = 8}, "'gnmt' has no 'hidden'"},
        {{.name = "gnmt", .sequence = 1}, "'sequence' of zoo model 'gnmt' is 1, expected 2 to"},
        {{.name = "vgg16", .batch = 2000000}, "'batch' of zoo model 'vgg16' is 2000000"},
        {{.name = "transformer", .layers = 16385}, "expected 1 to 16384"},
        {{.name = "transformer", .hidden = 100, .heads = 3}, "expected a multiple of 'heads', 3"},
        {{.name = "alexnet", .bytes_per_value = 3}, "is 3, expected 4 or 2 (arithmetic"},
    };
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpGraph *graph = NULL;
        LpDiag diag = {.text = ""};
        assert_int_equal(lp_zoo_build("job", &bad[i].spec, &graph, &diag), LP_EINVAL);
        assert_null(graph);
        if (strstr(diag.text, bad[i].text) == NULL)
            fail_msg("'%s' does not contain '%s'", diag.text, bad[i].text);
    }
}

/* ---- real profiles ---- */

enum { PROFILE_OPS = 80, PROFILE_EDGES = 100 };

typedef struct Profile {
    uint32_t ops, edges;
    double activation[PROFILE_OPS + 1], parameters[PROFILE_OPS + 1]; /* by number; 0 unused */
    double forward[PROFILE_OPS + 1], backward[PROFILE_OPS + 1];      /* ms */
    char name[PROFILE_OPS + 1][512];
    uint32_t src[PROFILE_EDGES], dst[PROFILE_EDGES];
} Profile;

/* A number, or the sum of "[a; b; c]". */
static double sum_of(const char *text) {
    double sum = 0;
    for (const char *p = text; p != NULL; p = *p == ';' ? p : NULL) {
        char *end = NULL;
        p += strspn(p, "[; ");
        sum += strtod(p, &end);
        p = end;
    }
    return sum;
}

static double field_of(const char *line, const char *key) {
    const char *at = strstr(line, key);
    assert_non_null(at);
    return sum_of(at + strlen(key));
}

static void read_line(Profile *profile, const char *line) {
    unsigned a = 0, b = 0;
    if (sscanf(line, "\tnode%u -- node%u", &a, &b) == 2) {
        assert_true(profile->edges < PROFILE_EDGES);
        profile->src[profile->edges] = a;
        profile->dst[profile->edges++] = b;
        return;
    }
    assert_int_equal(sscanf(line, "node%u -- ", &a), 1);
    assert_true(a >= 1 && a <= PROFILE_OPS);
    const char *name = strstr(line, " -- ") + 4, *end = strstr(name, " -- ");
    snprintf(profile->name[a], sizeof profile->name[a], "%.*s", (int)(end - name), name);
    profile->forward[a] = field_of(line, "forward_compute_time=");
    profile->backward[a] = field_of(line, "backward_compute_time=");
    profile->activation[a] = field_of(line, "activation_size=");
    profile->parameters[a] = field_of(line, "parameter_size=");
    profile->ops++;
}

/* Tests run in the root of the repository; skips the test where there are no profiles. */
static Profile *read_profile(const char *name) {
    char path[256], line[2048];
    snprintf(path, sizeof path, "../shared/graphs/%s.txt", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    Profile *profile = calloc(1, sizeof *profile);
    assert_non_null(profile);
    while (fgets(line, sizeof line, file) != NULL)
        read_line(profile, line);
    fclose(file);
    return profile;
}

/* Tracing wrote down the call x.size(0) as an op; it carries no tensor and the zoo leaves it out.
 */
static bool is_trace_of_size(const Profile *profile, uint32_t number) {
    return starts_with(profile->name[number], "Size");
}

static void expect_equal(const char *what, const LpOp *op, double value, double expected) {
    if (value != expected)
        fail_msg("%s of op %u %s is %.0f, profile %.0f", what, (unsigned)op->number, op->name,
                 value, expected);
}

static void expect_edge(const LpGraph *graph, uint32_t src, uint32_t dst) {
    for (uint32_t e = 0; e < graph->edges; e++)
        if (graph->op[graph->edge_src[e]].number == src &&
            graph->op[graph->edge_dst[e]].number == dst)
            return;
    fail_msg("no edge from op %u to op %u", (unsigned)src, (unsigned)dst);
}

static void report_ratio(const char *name, LpGraph *graph, const Profile *profile) {
    double measured = 0;
    for (uint32_t i = 1; i <= profile->ops; i++)
        if (!starts_with(profile->name[i], "Input")) /* the time to load data */
            measured += profile->forward[i] + profile->backward[i];
    lp_graph_cost(graph, &(LpRates){.device = lp_device_find("V100")});
    const double ratio = lp_graph_sequential_time(graph) * 1e3 / measured;
    print_message("%s: roofline on V100 / measured time = %.2f\n", name, ratio);
    assert_true(ratio > 0.4 && ratio < 2.5);
}

/* An image model is the profile op by op and edge by edge. */
static void compare_image_model(const char *name) {
    Profile *profile = read_profile(name);
    const double batch = profile->activation[1] / (4.0 * 3 * 224 * 224);
    LpGraph *graph = build(name, (uint32_t)batch);
    uint32_t number_of[PROFILE_OPS + 1] = {0}, number = 0, layers = 0;
    for (uint32_t i = 1; i <= profile->ops; i++) {
        if (is_trace_of_size(profile, i))
            continue;
        assert_true(number < graph->ops);
        const LpOp *op = &graph->op[number];
        number_of[i] = ++number;
        expect_equal("activation", op, op->activation, profile->activation[i]);
        expect_equal("parameters", op, op->parameters, profile->parameters[i]);
        if (is_product(profile->name[i])) {
            assert_true(is_product(op->name));
            layers++;
        }
    }
    assert_int_equal(number, graph->ops);
    assert_true(layers >= 8);
    uint32_t edges = 0;
    for (uint32_t e = 0; e < profile->edges; e++) {
        uint32_t src = number_of[profile->src[e]], dst = number_of[profile->dst[e]];
        if (src == 0 || dst == 0)
            continue; /* to or from a trace of size(0) */
        expect_edge(graph, src, dst);
        edges++;
    }
    assert_int_equal(edges, graph->edges);
    report_ratio(name, graph, profile);
    lp_graph_free(graph);
    free(profile);
}

static void image_models_match_their_profiles(void **state) {
    compare_image_model(*state);
}

/* GNMT: what of the profile each op of the zoo must equal. Of the rest, __getitem__ and hidden are
 * traces of tuple accesses, and Concat is written down with the size of one of its two inputs. */
static void gnmt_matches_its_profile(void **state) {
    (void)state;
    static const struct {
        const char *prefix;
        uint32_t nth, number;
    } same[] = {
        {"Embedding", 0, 4}, {"LSTM", 0, 5},  {"Dropout", 0, 6},  {"LSTM", 1, 7},
        {"Dropout", 1, 10},  {"LSTM", 2, 11}, {"Add", 0, 14},     {"Dropout", 2, 15},
        {"LSTM", 3, 16},     {"Add", 1, 19},  {"Dropout", 3, 28}, {"LSTM", 5, 31},
        {"Dropout", 4, 34},  {"LSTM", 6, 37}, {"Add", 2, 40},     {"Dropout", 5, 41},
        {"LSTM", 7, 44},     {"Add", 3, 47},  {"Linear", 0, 48},
    };
    enum { ENCODER_EMBEDDING = 4, ENCODER_STATE = 9, DECODER_EMBEDDING = 21, ATTENTION = 23 };
    Profile *profile = read_profile("gnmt");
    const double batch = profile->activation[ENCODER_STATE] / (4 * 1024);
    const double sequence = profile->activation[ENCODER_EMBEDDING] / (4 * 1024 * batch);
    LpGraph *graph = build_spec(
        (LpZooSpec){.name = "gnmt", .batch = (uint32_t)batch, .sequence = (uint32_t)sequence});
    for (size_t i = 0; i < LP_COUNTOF(same); i++) {
        const LpOp *op = find_op(graph, same[i].prefix, same[i].nth);
        expect_equal("activation", op, op->activation, profile->activation[same[i].number]);
        expect_equal("parameters", op, op->parameters, profile->parameters[same[i].number]);
    }
    /* the profile's decoder looks up a word that it then leaves out: 48 words, 47 steps */
    const LpOp *embedding = find_op(graph, "Embedding", 1);
    expect_equal("parameters", embedding, embedding->parameters,
                 profile->parameters[DECODER_EMBEDDING]);
    expect_equal("activation", embedding, embedding->activation * sequence / (sequence - 1),
                 profile->activation[DECODER_EMBEDDING]);
    /* one op of the profile is the decoder's first LSTM and its attention */
    const LpOp *lstm = find_op(graph, "LSTM", 4), *attention = find_op(graph, "Attention", 0);
    expect_equal("activation", attention, lstm->activation + attention->activation,
                 profile->activation[ATTENTION]);
    expect_equal("parameters", attention, lstm->parameters + attention->parameters,
                 profile->parameters[ATTENTION]);

    double parameters = 0;
    for (uint32_t i = 1; i <= profile->ops; i++)
        parameters += profile->parameters[i];
    assert_true(graph->parameter_sum == parameters);
    report_ratio("gnmt", graph, profile);
    lp_graph_free(graph);
    free(profile);
}

static void default_batches_are_the_profiles(void **state) {
    (void)state;
    static const char *const name[] = {"alexnet", "vgg16", "resnet18", "squeezenet1_0"};
    for (size_t i = 0; i < LP_COUNTOF(name); i++) {
        Profile *profile = read_profile(name[i]);
        LpGraph *graph = build(name[i], 0);
        assert_true(graph->op[0].activation == profile->activation[1]);
        lp_graph_free(graph);
        free(profile);
    }
}

#define PROFILE_TEST(model)                                                                        \
    {                                                                                              \
        "image_model_matches_profile " model, image_models_match_their_profiles, NULL, NULL,       \
            (void *)(uintptr_t)(model)                                                             \
    }

TEST_GROUP(test_model_zoo) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_the_published_ones),
        cmocka_unit_test(transformer_follows_its_formulas),
        cmocka_unit_test(known_transformers_have_their_size),
        cmocka_unit_test(convolutions_count_their_work),
        cmocka_unit_test(small_ops_count_theirs),
        cmocka_unit_test(values_may_be_halves),
        cmocka_unit_test(batches_scale),
        cmocka_unit_test(every_model_is_costed_on_every_device),
        cmocka_unit_test(bad_specs_are_refused),
        PROFILE_TEST("alexnet"),
        PROFILE_TEST("vgg16"),
        PROFILE_TEST("resnet18"),
        PROFILE_TEST("squeezenet1_0"),
        cmocka_unit_test(gnmt_matches_its_profile),
        cmocka_unit_test(default_batches_are_the_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
