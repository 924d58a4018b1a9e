/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/profile_json: reading, every refusal at its place, and writing that loses nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "model/device/device.h"
#include "model/zoo/zoo.h"

static LpGraph *read(const char *id, const char *text) {
    LpGraph *graph = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    if (lp_profile_json(id, "p", text, strlen(text), &graph, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    return graph;
}

static void ops_and_edges_are_read(void **state) {
    (void)state;
    LpGraph *graph = read(
        NULL, "{\"lightpath_profile\":1,\"name\":\"net\",\"batch\":32,\"ops\":["
              "{\"id\":2,\"name\":\"b\",\"forward\":\"5 ms\",\"backward\":0.25,\"activation\":"
              "\"1 MB\",\"parameters\":7},"
              "{\"id\":1,\"forward_flops\":1e9,\"backward_flops\":2e9,\"forward_bytes\":\"1 KiB\","
              "\"backward_bytes\":3}],\"edges\":[[1,2]]}");
    assert_string_equal(graph->id, "net");
    assert_true(graph->batch == 32);
    assert_int_equal(graph->ops, 2);
    assert_string_equal(graph->op[0].name, "b");
    assert_true(graph->op[0].forward == 5e-3);
    assert_true(graph->op[0].backward == 0.25);
    assert_true(graph->op[0].activation == 1e6);
    assert_true(graph->op[0].parameters == 7);
    assert_false(graph->op[0].has_work);
    assert_string_equal(graph->op[1].name, "");
    assert_true(graph->op[1].has_work);
    assert_true(graph->op[1].work.forward_flops == 1e9);
    assert_true(graph->op[1].work.backward_flops == 2e9);
    assert_true(graph->op[1].work.forward_bytes == 1024);
    assert_true(graph->op[1].work.backward_bytes == 3);
    assert_int_equal(graph->edges, 1);
    assert_int_equal(graph->edge_src[0], 1);
    lp_graph_free(graph);
    graph = read("mine", "{\"lightpath_profile\":1,\"name\":\"net\",\"ops\":[{\"id\":1,\"forward\":"
                         "1,\"backward\":1}],\"edges\":[]}");
    assert_string_equal(graph->id, "mine");
    lp_graph_free(graph);
}

#define HEAD "{\"lightpath_profile\":1,\n"
#define OP "{\"id\":1,\"forward\":1,\"backward\":1}"

static void mistakes_have_a_place(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[]", "p:1:1: the value is a list, expected an object {...}"},
        {"{}", "p:1:1: the key \"lightpath_profile\" is missing here"},
        {"{\"lightpath_profile\":2,\"ops\":[],\"edges\":[]}",
         "p:1:22: \"lightpath_profile\" is 2, expected format 1"},
        {HEAD "\"ops\":[]}", "p:1:1: the key \"edges\" is missing here"},
        {HEAD "\"op\":[],\"edges\":[]}", "p:2:1: unknown key \"op\", expected \"ops\""},
        {HEAD "\"name\":5,\"ops\":[" OP "],\"edges\":[]}", "p:2:8: \"name\" is 5, expected a text"},
        {HEAD "\"batch\":-1,\"ops\":[" OP "],\"edges\":[]}",
         "p:2:9: \"batch\" is -1, expected a number >= 0"},
        {HEAD "\"ops\":{},\"edges\":[]}", "p:2:7: \"ops\" is an object, expected a list [...]"},
        {HEAD "\"ops\":[5],\"edges\":[]}", "p:2:8: the value is 5, expected an object {...}"},
        {HEAD "\"ops\":[{}],\"edges\":[]}", "p:2:8: the key \"id\" is missing here"},
        {HEAD "\"ops\":[{\"id\":0}],\"edges\":[]}",
         "p:2:14: \"id\" is 0, expected a whole number from 1 to 1048576"},
        {HEAD "\"ops\":[{\"id\":1}],\"edges\":[]}",
         "p:2:8: op 1 has neither times nor work, expected \"forward\" and \"backward\", or "
         "\"forward_flops\", \"backward_flops\", \"forward_bytes\", \"backward_bytes\""},
        {HEAD "\"ops\":[{\"id\":1,\"forward\":1,\"forward_flops\":1}],\"edges\":[]}",
         "p:2:8: op 1 has both times and work, expected \"forward\" and \"backward\", or "
         "\"forward_flops\", \"backward_flops\", \"forward_bytes\", \"backward_bytes\""},
        {HEAD "\"ops\":[{\"id\":1,\"forward\":1}],\"edges\":[]}",
         "p:2:8: the key \"backward\" is missing here"},
        {HEAD "\"ops\":[{\"id\":1,\"forward\":-1,\"backward\":1}],\"edges\":[]}",
         "p:2:26: \"forward\" is -1, expected a time >= 0 such as \"50 ns\" or 50e-9"},
        {HEAD "\"ops\":[" OP ",\n" OP "],\"edges\":[]}",
         "p:3:1: op number 1 is used twice, first at line 2"},
        {HEAD "\"ops\":[],\"edges\":[]}", "p:2:7: \"ops\" is empty, expected at least one op"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n[1]]}",
         "p:3:1: an edge has 1 ends, expected [from, to]"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n[1,2,3]]}",
         "p:3:1: an edge has 3 ends, expected [from, to]"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n7]}", "p:3:1: the value is 7, expected a list [...]"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n[1,0]]}",
         "p:3:4: the value is 0, expected a whole number from 1 to 1048576"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n[1,2]]}",
         "p:3:1: edge from op 1 to op 2: there is no op 2, expected 1 to 1"},
        {HEAD "\"ops\":[" OP "],\"edges\":[\n[1,1]]}",
         "p:3:1: op 1 depends on itself, expected two different ops"},
        {HEAD "\"ops\":[" OP
              ",\n{\"id\":2,\"forward\":1,\"backward\":1}],\"edges\":[[1,2],\n[2,1]]}",
         "p:4:1: op 2 depends on itself: the edge from op 2 to op 1 closes a cycle of 2 ops, "
         "expected a graph without cycles"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpGraph *graph = NULL;
        LpDiag diag;
        char shown[LP_DIAG_TEXT];
        assert_int_not_equal(
            lp_profile_json("g", "p", cases[i][0], strlen(cases[i][0]), &graph, &diag), LP_OK);
        assert_string_equal(lp_diag_format(&diag, shown, sizeof shown), cases[i][1]);
        assert_null(graph);
    }
}

static void expect_equal(const LpGraph *a, const LpGraph *b) {
    assert_string_equal(a->id, b->id);
    assert_true(a->batch == b->batch);
    assert_true(a->hash == b->hash);
    assert_int_equal(a->ops, b->ops);
    for (uint32_t i = 0; i < a->ops; i++) {
        const LpOp *x = &a->op[i], *y = &b->op[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->has_work, y->has_work);
        assert_true(x->work.forward_flops == y->work.forward_flops);
        assert_true(x->work.backward_flops == y->work.backward_flops);
        assert_true(x->work.forward_bytes == y->work.forward_bytes);
        assert_true(x->work.backward_bytes == y->work.backward_bytes);
    }
}

/* Writes, reads, writes again: equal graph, equal text. */
static void round_trip(const LpGraph *graph, const LpDevice *device) {
    LpBuf text = {0}, again = {0};
    LpDiag diag;
    assert_int_equal(lp_profile_write(graph, &text, &diag), LP_OK);
    LpGraph *copy = read(NULL, lp_buf_text(&text));
    if (device != NULL)
        lp_graph_cost(copy, &(LpRates){.device = device});
    expect_equal(graph, copy);
    assert_int_equal(lp_profile_write(copy, &again, &diag), LP_OK);
    assert_string_equal(lp_buf_text(&text), lp_buf_text(&again));
    lp_graph_free(copy);
    lp_buf_fini(&text);
    lp_buf_fini(&again);
}

static void writing_loses_no_digit_or_letter(void **state) {
    (void)state;
    static const char profile[] =
        "node1 -- \"quoted\\\" \x01 \xC3\xA9 -- forward_compute_time=0.1, "
        "backward_compute_time=0.30000000000000004, activation_size=9007199254740993.0, "
        "parameter_size=1e-300\n"
        "node2 -- x -- forward_compute_time=1.7976931348623157e308, backward_compute_time=5e-324, "
        "activation_size=0, parameter_size=123456789.125\n"
        "\tnode2 -- node1\n";
    LpGraph *graph = NULL;
    LpDiag diag;
    assert_int_equal(
        lp_profile_pipedream("g \"1\"", "p", profile, sizeof profile - 1, &graph, &diag), LP_OK);
    round_trip(graph, NULL);
    lp_graph_free(graph);
}

static void zoo_models_survive(void **state) {
    (void)state;
    size_t count;
    const LpZooModel *models = lp_zoo_table(&count);
    const LpDevice *device = lp_device_default();
    for (size_t i = 0; i < count; i++) {
        LpGraph *graph = NULL;
        LpDiag diag;
        assert_int_equal(lp_zoo_build("z", &(LpZooSpec){.name = models[i].name}, &graph, &diag),
                         LP_OK);
        lp_graph_cost(graph, &(LpRates){.device = device});
        round_trip(graph, device);
        lp_graph_free(graph);
    }
}

/* Whole profiles: times and sizes with many digits. */
static void profiles_survive(void **state) {
    (void)state;
    static const char *const names[] = {"chain12", "diamond9", "skip16", "twoinputs10", "wide14"};
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        char path[128];
        char *text;
        size_t len;
        LpGraph *graph = NULL;
        LpDiag diag;
        snprintf(path, sizeof path, "tests/golden/open/%s.txt", names[i]);
        assert_int_equal(lp_file_read(path, 0, &text, &len, NULL), LP_OK);
        assert_int_equal(lp_profile_pipedream(names[i], path, text, len, &graph, &diag), LP_OK);
        lp_free(text);
        round_trip(graph, NULL);
        lp_graph_scale_time(graph, 1e-3);
        round_trip(graph, NULL);
        lp_graph_free(graph);
    }
}

static void the_text_is_for_people(void **state) {
    (void)state;
    LpBuf text = {0};
    LpDiag diag;
    LpGraph *graph = read("g", HEAD "\"ops\":[" OP ",{\"id\":2,\"forward\":0.5,\"backward\":1}],"
                                    "\"edges\":[[1,2]]}");
    assert_int_equal(lp_profile_write(graph, &text, &diag), LP_OK);
    assert_string_equal(lp_buf_text(&text),
                        "{\n"
                        "  \"lightpath_profile\": 1,\n"
                        "  \"name\": \"g\",\n"
                        "  \"ops\": [\n"
                        "    {\"id\": 1, \"name\": \"\", \"forward\": 1, \"backward\": 1, "
                        "\"activation\": 0, \"parameters\": 0},\n"
                        "    {\"id\": 2, \"name\": \"\", \"forward\": 0.5, \"backward\": 1, "
                        "\"activation\": 0, \"parameters\": 0}\n"
                        "  ],\n"
                        "  \"edges\": [\n"
                        "    [1, 2]\n"
                        "  ]\n"
                        "}\n");
    lp_graph_free(graph);
    lp_buf_fini(&text);
}

TEST_GROUP(test_io_profile) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_and_edges_are_read),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(writing_loses_no_digit_or_letter),
        cmocka_unit_test(zoo_models_survive),
        cmocka_unit_test(profiles_survive),
        cmocka_unit_test(the_text_is_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
