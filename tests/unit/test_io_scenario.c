/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/scenario: what a well-formed scenario file becomes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "model/device/device.h"
#include "scenario_text.h"

#define GRAPHS "\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"},{\"id\":\"v\",\"zoo\":\"vgg16\"}]"
#define JOBS "\"jobs\":[{\"graph\":\"v\"}]"

static void absent_keys_have_defaults(void **state) {
    (void)state;
    LpScenario *s = load_text("{\"lightpath\":1," GRAPHS "," JOBS "}", NULL, 0);
    assert_string_equal(s->name, "s");
    assert_string_equal(s->title, "");
    assert_string_equal(s->file, "s");
    assert_true(s->seed == 1);
    assert_false(s->semantics_published);
    assert_int_equal(s->cluster.fabric, LP_FABRIC_RAMP);
    assert_int_equal(s->cluster.servers, 32);
    assert_true(s->cluster.ramp.node_bandwidth == 1.6e12);
    assert_true(s->cluster.ramp.propagation_latency == 50e-9);
    assert_true(s->cluster.ramp.io_latency == 100e-9);
    assert_true(s->cluster.ramp.slot == 20e-9);
    assert_int_equal(s->cluster.ramp.channels, 1);
    assert_true(s->cluster.ramp.rack_isolated);
    assert_int_equal(s->cluster.types, 1);
    assert_string_equal(s->cluster.type[0].device->name, "A100");
    assert_true(s->cluster.type[0].memory == 80e9);
    assert_int_equal(s->cluster.type[0].count, 32);
    assert_int_equal(s->partition.max_degree, 16);
    assert_true(s->partition.min_op_time == 10e-6);
    assert_int_equal(s->partition.kind, LP_PARTITION_TENSOR);
    assert_true(s->partition.overlap);
    assert_true(s->partition.max_deps == 2000000);
    assert_true(s->state_factor == 4);
    assert_int_equal(s->queue_capacity, 10);
    assert_true(isinf(s->horizon));
    assert_false(s->has_measure);
    assert_null(s->policy.script);
    assert_null(s->policy.path);
    assert_int_equal(s->jobs, 1);
    assert_int_equal(s->job[0].graph, 1);
    assert_true(s->job[0].steps == 50);
    assert_true(s->job[0].arrival == 0);
    assert_true(s->job[0].max_jct_fraction == 0);
    assert_null(s->job[0].hint.json);
    assert_false(s->has_generator);
    lp_scenario_free(s);
}

static void every_key_is_read(void **state) {
    (void)state;
    LpScenario *s = load_text(
        "{\"lightpath\":1,\"name\":\"n\",\"title\":\"t\",\"notes\":\"o\",\"seed\":7,"
        "\"semantics\":\"published\",\"options\":{\"deadline\":\"corrected\"},"
        "\"cluster\":{\"fabric\":\"ramp\",\"ramp\":{\"communication_groups\":3,"
        "\"racks_per_group\":2,\"servers_per_rack\":4,\"node_bandwidth\":\"12.8 Tb/s\","
        "\"propagation_latency\":\"1 us\",\"io_latency\":2e-6,\"channels\":2,"
        "\"rack_isolated\":false,\"slot\":\"3 ns\"},\"server\":[{\"device\":\"h100\",\"count\":4},"
        "{\"device\":\"A100\",\"memory\":\"40 GB\",\"count\":20}]}," GRAPHS ","
        "\"jobs\":[{\"graph\":\"v\",\"arrival\":\"1 min\",\"steps\":3,\"max_jct_fraction\":1.5,"
        "\"kind\":\"model\",\"hint\":{\"degree\": 4, \"x\":[1.50]}},{\"graph\":\"a\"}],"
        "\"partition\":{\"max_degree\":8,\"min_op_time\":\"1 ms\",\"kind\":\"data\","
        "\"overlap\":false,\"max_deps\":5000},\"memory\":{\"state_factor\":2.5},"
        "\"queue_capacity\":3,\"horizon\":\"1e5 s\",\"measure\":{\"from\":\"10 s\",\"until\":20},"
        "\"policy\":{\"params\":{\"max_degree\":16,\"fast\":true,\"word\":\"x\\\"y\"}}}",
        NULL, 0);
    assert_string_equal(s->name, "n");
    assert_string_equal(s->title, "t");
    assert_string_equal(s->notes, "o");
    assert_true(s->seed == 7);
    assert_true(s->semantics_published);
    assert_false(lp_published(&s->options, LP_OPT_DEADLINE));
    assert_true(lp_published(&s->options, LP_OPT_MASK));
    assert_int_equal(s->cluster.servers, 24);
    assert_true(s->cluster.ramp.node_bandwidth == 1.6e12);
    assert_true(s->cluster.ramp.propagation_latency == 1e-6);
    assert_true(s->cluster.ramp.io_latency == 2e-6);
    assert_int_equal(s->cluster.ramp.channels, 2);
    assert_false(s->cluster.ramp.rack_isolated);
    assert_true(s->cluster.ramp.slot == 3e-9);
    assert_int_equal(s->cluster.types, 2);
    assert_string_equal(s->cluster.type[0].device->name, "H100");
    assert_true(s->cluster.type[0].memory == 80e9);
    assert_true(s->cluster.type[1].memory == 40e9);
    assert_int_equal(s->cluster.type[1].count, 20);
    assert_string_equal(s->graph[1]->device, "H100"); /* of the cluster's first servers */
    assert_int_equal(s->jobs, 2);
    assert_int_equal(s->job[0].graph, 0); /* in arrival order */
    assert_int_equal(s->job[0].kind, LP_PARTITION_DATA);
    assert_true(s->job[1].arrival == 60);
    assert_true(s->job[1].steps == 3);
    assert_true(s->job[1].max_jct_fraction == 1.5);
    assert_int_equal(s->job[1].kind, LP_PARTITION_MODEL);
    assert_string_equal(s->job[1].hint.json, "{\"degree\":4,\"x\":[1.50]}");
    assert_true(s->job[1].hint.has_degree);
    assert_true(s->job[1].hint.degree == 4);
    assert_int_equal(s->partition.max_degree, 8);
    assert_true(s->partition.min_op_time == 1e-3);
    assert_int_equal(s->partition.kind, LP_PARTITION_DATA);
    assert_false(s->partition.overlap);
    assert_true(s->partition.max_deps == 5000);
    assert_true(s->state_factor == 2.5);
    assert_int_equal(s->queue_capacity, 3);
    assert_true(s->horizon == 1e5);
    assert_true(s->has_measure);
    assert_true(s->measure_from == 10);
    assert_true(s->measure_until == 20);
    assert_int_equal(s->policy.params, 3);
    assert_string_equal(s->policy.param[0].name, "max_degree");
    assert_string_equal(s->policy.param[0].json, "16");
    assert_string_equal(s->policy.param[1].json, "true");
    assert_string_equal(s->policy.param[2].json, "\"x\\\"y\"");
    lp_scenario_free(s);
}

static void other_work_is_read(void **state) {
    (void)state;
    LpScenario *s =
        load_text("{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":5,"
                  "\"node_bandwidth\":\"1 GB/s\",\"latency\":\"1 ms\",\"io_latency\":0}},"
                  "\"jobs\":[{\"servers\":4,\"duration\":\"1 h\",\"arrival\":9,\"hint\":\"x\"}]}",
                  NULL, 0);
    assert_int_equal(s->cluster.fabric, LP_FABRIC_IDEAL);
    assert_int_equal(s->cluster.servers, 5);
    assert_true(s->cluster.ideal.node_bandwidth == 1e9);
    assert_true(s->cluster.ideal.latency == 1e-3);
    assert_true(s->cluster.ideal.io_latency == 0);
    assert_int_equal(s->job[0].graph, -1);
    assert_int_equal(s->job[0].rigid_servers, 4);
    assert_true(s->job[0].rigid_duration == 3600);
    assert_true(s->job[0].arrival == 9);
    assert_string_equal(s->job[0].hint.json, "\"x\"");
    assert_false(s->job[0].hint.has_degree);
    lp_scenario_free(s);
}

static void published_defaults_differ(void **state) {
    (void)state;
    static const char *const sets[] = {"options.time_unit=corrected"};
    static const char text[] = "{\"lightpath\":1,\"semantics\":\"published\"," GRAPHS "," JOBS "}";
    LpScenario *s = load_text(text, NULL, 0);
    assert_true(lp_options_all_published(&s->options));
    assert_true(s->partition.min_op_time == 0.01);
    lp_scenario_free(s);
    s = load_text(text, sets, 1);
    assert_false(lp_published(&s->options, LP_OPT_TIME_UNIT));
    assert_true(s->partition.min_op_time == 10e-6);
    lp_scenario_free(s);
}

/* ---- graphs ---- */

static const char profile[] =
    "node1 -- a -- forward_compute_time=4, backward_compute_time=6, activation_size=1, "
    "parameter_size=1\n";

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static double step_of(const char *path, const char *const *set, uint32_t sets) {
    static const char *const dirs[] = {NULL};
    const LpLoadOptions options = {.sets = sets, .set = set, .data_dirs = dirs};
    LpScenario *s = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    if (lp_scenario_load(path, &options, &s, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    double time = lp_graph_sequential_time(s->graph[0]);
    assert_string_equal(s->file, path);
    assert_string_equal(s->policy.script, "p.lua");
    assert_string_equal(strrchr(s->policy.path, '/'), "/p.lua");
    lp_scenario_free(s);
    return time;
}

static void files_lie_beside_the_scenario(void **state) {
    (void)state;
    char folder[] = "/tmp/lightpath-scenario-XXXXXX";
    char scenario[64], graph[64], script[64];
    assert_non_null(mkdtemp(folder));
    snprintf(scenario, sizeof scenario, "%s/s.json", folder);
    snprintf(graph, sizeof graph, "%s/g.txt", folder);
    snprintf(script, sizeof script, "%s/p.lua", folder);
    write_file(graph, profile);
    write_file(script, "");
    write_file(scenario, "{\"lightpath\":1,\"graphs\":[{\"id\":\"g\",\"file\":\"g.txt\",\"format\":"
                         "\"pipedream\",\"time_unit\":\"ms\"}],\"jobs\":[{\"graph\":\"g\"}],"
                         "\"policy\":{\"script\":\"p.lua\"}}");
    static const char *const seconds[] = {"graphs[0].time_unit=s"};
    static const char *const published[] = {"options.time_unit=published"};
    assert_true(step_of(scenario, NULL, 0) == 4 * 1e-3 + 6 * 1e-3);
    assert_true(step_of(scenario, seconds, 1) == 10);
    assert_true(step_of(scenario, published, 1) == 10);
    assert_int_equal(unlink(scenario) | unlink(graph) | unlink(script) | rmdir(folder), 0);
}

static void models_are_costed_on_devices(void **state) {
    (void)state;
    static const char *const sets[] = {"graphs[0].device=M40", "graphs[1].batch=64"};
    LpScenario *a100 = load_text("{\"lightpath\":1," GRAPHS "," JOBS "}", NULL, 0);
    LpScenario *m40 = load_text("{\"lightpath\":1," GRAPHS "," JOBS "}", sets, 2);
    assert_string_equal(a100->graph[0]->device, "A100");
    assert_string_equal(m40->graph[0]->device, "M40");
    assert_true(lp_graph_sequential_time(m40->graph[0]) >
                2 * lp_graph_sequential_time(a100->graph[0]));
    assert_true(m40->graph[1]->batch == 64);
    lp_scenario_free(a100);
    lp_scenario_free(m40);
}

static void transformers_have_knobs(void **state) {
    (void)state;
    LpScenario *s = load_text(
        "{\"lightpath\":1,\"graphs\":[{\"id\":\"t\",\"zoo\":\"transformer\",\"batch\":2,\"layers\":"
        "3,"
        "\"hidden\":128,\"heads\":4,\"sequence\":64,\"vocabulary\":1000,\"bytes_per_value\":2}],"
        "\"jobs\":[{\"graph\":\"t\"}]}",
        NULL, 0);
    assert_true(s->graph[0]->batch == 2);
    assert_true(s->graph[0]->parameter_sum > 0);
    lp_scenario_free(s);
}

/* ---- overrides ---- */

static void overrides_are_applied_in_turn(void **state) {
    (void)state;
    static const char *const sets[] = {
        "cluster.fabric=ramp",        "cluster.ramp.node_bandwidth=3.125e9",
        "policy.params.max_degree=8", "jobs[0].steps=3",
        "jobs[0].hint.degree=2",      "cluster.ramp.node_bandwidth=1 GB/s",
        "seed=18446744073709551615",  "title=two words",
    };
    LpScenario *s = load_text("{\"lightpath\":1," GRAPHS "," JOBS "}", sets, LP_COUNTOF(sets));
    assert_true(s->cluster.ramp.node_bandwidth == 1e9);
    assert_string_equal(s->policy.param[0].json, "8");
    assert_true(s->job[0].steps == 3);
    assert_string_equal(s->job[0].hint.json, "{\"degree\":2}");
    assert_true(s->job[0].hint.degree == 2);
    assert_true(s->seed == UINT64_MAX);
    assert_string_equal(s->title, "two words");
    lp_scenario_free(s);
}

static void the_shipped_scenarios_load(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t servers, graphs, jobs;
    } known[] = {
        {"scenarios/pac-ml-32.json", 32, 5, 0},      {"scenarios/published-32.json", 32, 5, 0},
        {"scenarios/ideal-loss.json", 32, 2, 0},     {"scenarios/two-servers.json", 2, 1, 3},
        {"scenarios/rigid.json", 8, 0, 6},           {"scenarios/pod-64.json", 4096, 0, 0},
        {"scenarios/pod-failures.json", 4096, 0, 0}, {"scenarios/five-decisions.json", 8, 3, 5},
        {"scenarios/orders-ramp.json", 2, 2, 2},     {"scenarios/place-ramp.json", 32, 1, 4},
        {"scenarios/circuits-ocs.json", 4, 1, 1},
    };
    static const char *const dirs[] = {".", NULL};
    for (size_t i = 0; i < LP_COUNTOF(known); i++) {
        const LpLoadOptions options = {.data_dirs = dirs};
        LpScenario *s = NULL;
        LpDiag diag;
        char shown[LP_DIAG_TEXT + LP_DIAG_FILE];
        if (access(known[i].path, R_OK) != 0)
            skip(); /* not run from the root of the tree */
        if (lp_scenario_load(known[i].path, &options, &s, &diag) != LP_OK)
            fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
        assert_int_equal(s->cluster.servers, known[i].servers);
        assert_int_equal(s->graphs, known[i].graphs);
        assert_int_equal(s->jobs, known[i].jobs);
        assert_true(s->notes[0] != '\0');
        lp_scenario_free(s);
    }
}

TEST_GROUP(test_io_scenario) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_keys_have_defaults),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(other_work_is_read),
        cmocka_unit_test(published_defaults_differ),
        cmocka_unit_test(files_lie_beside_the_scenario),
        cmocka_unit_test(models_are_costed_on_devices),
        cmocka_unit_test(transformers_have_knobs),
        cmocka_unit_test(overrides_are_applied_in_turn),
        cmocka_unit_test(the_shipped_scenarios_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
