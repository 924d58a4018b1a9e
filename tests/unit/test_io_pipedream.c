/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/profile_pipedream: the grammar, and every kind of malformed line at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "io/files/file.h"
#include "io/profile/profile.h"

#define VALUES(f, b, a, p)                                                                         \
    "forward_compute_time=" f ", backward_compute_time=" b ", activation_size=" a                  \
    ", parameter_size=" p
#define ONE " -- Op(1) -- " VALUES("1", "2", "3", "4")

static LpGraph *read_len(const char *text, size_t len) {
    LpGraph *graph = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    if (lp_profile_pipedream("g", "p", text, len, &graph, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    return graph;
}

static LpGraph *read(const char *text) {
    return read_len(text, strlen(text));
}

static void expect(const char *text, size_t len, LpErr code, const char *message) {
    LpGraph *graph = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    assert_int_equal(lp_profile_pipedream("g", "p", text, len, &graph, &diag), code);
    assert_string_equal(lp_diag_format(&diag, shown, sizeof shown), message);
    assert_null(graph);
}

/* ---- what is read ---- */

/* Random graphs under random ids, in random order and with blank lines, are those with the ids
 * 1 to n: ids are names, and what counts is their order. */
static void ids_are_names(void **state) {
    (void)state;
    enum { MOST = 12 };
    LpRng rng = lp_rng_stream(3, "ids", 0);
    for (int round = 0; round < 500; round++) {
        LpBuf text[2] = {{0}, {0}}; /* with gaps; without */
        uint32_t ops = 1 + (uint32_t)lp_rng_below(&rng, MOST), place[MOST];
        uint64_t id[MOST], next = lp_rng_below(&rng, 2) * lp_rng_below(&rng, 1000);
        for (uint32_t i = 0; i < ops; i++) {
            place[i] = i;
            id[i] = next;
            next += 1 + lp_rng_below(&rng, round % 2 ? 3 : 100000000000);
        }
        for (uint32_t i = ops; i-- > 1;) {
            uint32_t k = (uint32_t)lp_rng_below(&rng, i + 1), kept = place[i];
            place[i] = place[k];
            place[k] = kept;
        }
        for (uint32_t i = 0; i < ops; i++)
            for (int t = 0; t < 2; t++)
                lp_buf_addf(&text[t], "node%llu -- op%u -- " VALUES("%u", "2", "3", "4") "\n%s",
                            t ? place[i] + 1ull : (unsigned long long)id[place[i]], place[i],
                            place[i], t || lp_rng_below(&rng, 2) ? "" : "\n");
        for (uint32_t b = 1; b < ops; b++) {
            uint32_t a = (uint32_t)lp_rng_below(&rng, b);
            lp_buf_addf(&text[0], "\tnode%llu -- node%llu\n \t\r\n", (unsigned long long)id[a],
                        (unsigned long long)id[b]);
            lp_buf_addf(&text[1], "\tnode%u -- node%u\n", a + 1, b + 1);
        }
        lp_buf_add(&text[0], "\n\n");
        LpGraph *named = read(lp_buf_text(&text[0])), *numbered = read(lp_buf_text(&text[1]));
        assert_int_equal(named->ops, numbered->ops);
        assert_int_equal(named->edges, numbered->edges);
        for (uint32_t i = 0; i < ops; i++) {
            assert_int_equal(named->op[i].number, numbered->op[i].number);
            assert_string_equal(named->op[i].name, numbered->op[i].name);
            assert_true(named->op[i].forward == numbered->op[i].forward);
        }
        for (uint32_t e = 0; e < named->edges; e++) {
            assert_int_equal(named->edge_src[e], numbered->edge_src[e]);
            assert_int_equal(named->edge_dst[e], numbered->edge_dst[e]);
        }
        lp_graph_free(named);
        lp_graph_free(numbered);
        lp_buf_fini(&text[0]);
        lp_buf_fini(&text[1]);
    }
}

static void ops_and_edges_are_read(void **state) {
    (void)state;
    LpGraph *graph = read("node2 -- Conv2d(3, 64, kernel_size=(3, 3)) -- " VALUES(
        "0.5", "1.25", "[6291456.0; 131072.0; 131072.0]", "7e2") " -- stage_id=0\n"
                                                                 "node1" ONE "\n"
                                                                 "\tnode1 -- node2\n"
                                                                 "\tnode1 -- node2\n");
    assert_string_equal(graph->id, "g");
    assert_int_equal(graph->ops, 2);
    assert_int_equal(graph->edges, 1);
    const LpOp *first = &graph->op[0];
    assert_int_equal(first->number, 2);
    assert_string_equal(first->name, "Conv2d(3, 64, kernel_size=(3, 3))");
    assert_true(first->forward == 0.5);
    assert_true(first->backward == 1.25);
    assert_true(first->activation == 6553600);
    assert_true(first->parameters == 700);
    assert_false(first->has_work);
    assert_int_equal(graph->edge_src[0], 1);
    assert_int_equal(graph->edge_dst[0], 0);
    lp_graph_free(graph);
}

static void line_ends_are_tolerated(void **state) {
    (void)state;
    static const char *const texts[] = {
        "node1" ONE "\nnode2" ONE "\n\tnode1 -- node2\n",
        "node1" ONE "\nnode2" ONE "\n\tnode1 -- node2",
        "node1" ONE "\r\nnode2" ONE "\r\n\tnode1 -- node2\r\n",
        "node1" ONE "\r\nnode2" ONE "\r\n\tnode1 -- node2\r",
        "node1" ONE "\n\t\tnode1 -- \tnode2\nx\ty\tnode2" ONE "\n",
    };
    uint64_t hash = 0;
    for (size_t i = 0; i < LP_COUNTOF(texts); i++) {
        LpGraph *graph = read(texts[i]);
        assert_true(i == 0 || graph->hash == hash);
        hash = graph->hash;
        assert_string_equal(graph->op[1].name, "Op(1)");
        lp_graph_free(graph);
    }
}

static void lists_are_sums(void **state) {
    (void)state;
    LpGraph *graph = read("node1 -- a -- " VALUES("[0.1; 0.2; 0.3]", "[5]", "[]", "[ 1;2 ]"));
    assert_true(graph->op[0].forward == 0.1 + 0.2 + 0.3);
    assert_true(graph->op[0].backward == 5);
    assert_true(graph->op[0].activation == 0);
    assert_true(graph->op[0].parameters == 3);
    lp_graph_free(graph);
}

static void whole_profiles_are_read(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t ops, edges;
        double step;
    } known[] = {{"chain12", 12, 11, 163.486},
                 {"diamond9", 9, 10, 156.898},
                 {"skip16", 16, 19, 182.861},
                 {"twoinputs10", 10, 10, 118.909},
                 {"wide14", 14, 18, 161.687}};
    for (size_t i = 0; i < LP_COUNTOF(known); i++) {
        char path[128];
        char *text;
        size_t len;
        snprintf(path, sizeof path, "tests/golden/open/%s.txt", known[i].name);
        assert_int_equal(lp_file_read(path, 0, &text, &len, NULL), LP_OK);
        LpGraph *graph = read_len(text, len);
        assert_int_equal(graph->ops, known[i].ops);
        assert_int_equal(graph->edges, known[i].edges);
        assert_float_equal((float)lp_graph_sequential_time(graph), (float)known[i].step, 1e-3);
        lp_graph_free(graph);
        lp_free(text);
    }
}

/* ---- what is refused ---- */

#define AN_OP "expected the id of a line \"nodeID -- name -- values\""
#define LINES "\"nodeID -- name -- values\" or \"nodeID -- nodeID\""
#define ID "expected node and a number of up to 18 digits"

static void malformed_lines_have_a_place(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "p:1:1: the file is empty, expected lines of a PipeDream profile"},
        {"node1 Op", "p:1:1: found \"node1 Op\", expected " LINES},
        {"node1" ONE "\nhello", "p:2:1: found \"hello\", expected " LINES},
        {"node" ONE, "p:1:1: found \"node\", " ID},
        {"nod1" ONE, "p:1:1: found \"nod1\", " ID},
        {"nodeX" ONE, "p:1:1: bad id \"nodeX\", " ID},
        {"node-1" ONE, "p:1:1: bad id \"node-1\", " ID},
        {"node1" ONE "\nnode1" ONE, "p:2:1: node1 is used twice, first at line 1"},
        {"node7" ONE "\nnode3" ONE "\nnode07" ONE, "p:3:1: node07 is used twice, first at line 1"},
        {"\tnode1 -- node2\n\tnode2 -- node3\n", "p:1:2: there is no op \"node1\", " AN_OP},
        {"node1" ONE "\n\tnode1 -- node2", "p:2:11: there is no op \"node2\", " AN_OP},
        {"node5" ONE "\nnode9" ONE "\n\tnode5 -- node1",
         "p:3:11: there is no op \"node1\", " AN_OP},
        {"node99999999999999999999" ONE, "p:1:1: bad id \"node99999999999999999999\", " ID},
        {"node1 " ONE, "p:1:1: bad id \"node1 \", " ID},
        {"node1" ONE "\n\tnode1 -- nodeq", "p:2:11: bad id \"nodeq\", " ID},
        {"node1" ONE "\n\tnode1 -- ", "p:2:11: found \"\", " ID},
        {"node1 -- a -- x=1", "p:1:15: found \"x=1\", expected forward_compute_time=NUMBER"},
        {"node1 -- a -- ", "p:1:15: found \"\", expected forward_compute_time=NUMBER"},
        {"node1 -- a -- forward_compute_time",
         "p:1:15: found \"forward_compute_time\", expected forward_compute_time=NUMBER"},
        {"node1 -- a -- forward_compute_time=1, activation_size=3",
         "p:1:39: found \"activation_size=3\", expected backward_compute_time=NUMBER"},
        {"node1 -- a -- forward_compute_time=1",
         "p:1:15: the line ends at \"forward_compute_time=1\", expected "
         "backward_compute_time=NUMBER after it"},
        {"node1 -- a -- " VALUES("1", "2", "3", ""),
         "p:1:98: parameter_size has no value, expected a number"},
        {"node1 -- a -- " VALUES("1", "2", "3", "4, extra=1"),
         "p:1:101: found \"extra=1\", expected no more than four values"},
        {"node1 -- a -- " VALUES("-1", "2", "3", "4"),
         "p:1:36: bad value \"-1\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("nan", "2", "3", "4"),
         "p:1:36: bad value \"nan\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "inf", "3", "4"),
         "p:1:61: bad value \"inf\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "2", "1e999", "4"),
         "p:1:80: bad value \"1e999\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "2", "0x10", "4"),
         "p:1:80: bad value \"0x10\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "2", "[1; 2", "4"),
         "p:1:80: bad list \"[1; 2\", expected [a; b; ...] with its closing bracket"},
        {"node1 -- a -- " VALUES("1", "2", "[", "4"),
         "p:1:80: bad list \"[\", expected [a; b; ...] with its closing bracket"},
        {"node1 -- a -- " VALUES("1", "2", "[1; -2]", "4"),
         "p:1:84: bad value \"-2\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "2", "[1;]", "4"),
         "p:1:80: bad list \"[1;]\", expected a number after each ;"},
        {"node1 -- a -- " VALUES("1", "2", "[1;;2]", "4"),
         "p:1:83: bad value \"\", expected a finite number >= 0"},
        {"node1 -- a -- " VALUES("1", "2", "[1e308; 1e308]", "4"),
         "p:1:80: bad list \"[1e308; 1e308]\", expected a sum below 1.8e308"},
        {"node1 -- a -- " VALUES("1 2", "2", "3", "4"),
         "p:1:36: bad value \"1 2\", expected a finite number >= 0"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect(cases[i][0], strlen(cases[i][0]), LP_EPARSE, cases[i][1]);
}

static void broken_graphs_have_a_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        LpErr code;
        const char *message;
    } cases[] = {
        {"\n \n", LP_EINVAL, "p:2:1: graph 'g' has no ops, expected at least one"},
        {"node1" ONE "\n\tnode1 -- node1", LP_EINVAL,
         "p:2:2: op 1 depends on itself, expected two different ops"},
        {"node1" ONE "\nnode2" ONE "\n\tnode1 -- node2\n\tnode2 -- node1\n", LP_ECYCLE,
         "p:4:2: op 2 depends on itself: the edge from op 2 to op 1 closes a cycle of 2 ops, "
         "expected a graph without cycles"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect(cases[i].text, strlen(cases[i].text), cases[i].code, cases[i].message);
}

static void nul_bytes_are_refused(void **state) {
    (void)state;
    static const char text[] = "node1 -- a\0b -- " VALUES("1", "2", "3", "4");
    expect(text, sizeof text - 1, LP_EPARSE, "p:1:11: a NUL byte, expected text");
}

/* Ten megabytes without sense, on one line or many, end at the first mistake. */
static void garbage_is_refused(void **state) {
    (void)state;
    enum { SIZE = 10 << 20 };
    char *text = malloc(SIZE);
    LpGraph *graph = NULL;
    LpDiag diag;
    assert_non_null(text);
    uint32_t bits = 12345;
    for (size_t i = 0; i < SIZE; i++) {
        bits = bits * 1664525u + 1013904223u;
        text[i] = (char)(bits >> 24);
    }
    assert_int_equal(lp_profile_pipedream("g", "p", text, SIZE, &graph, &diag), LP_EPARSE);
    assert_int_equal(diag.line, 1);
    memset(text, 'n', SIZE);
    assert_int_equal(lp_profile_pipedream("g", "p", text, SIZE, &graph, &diag), LP_EPARSE);
    memset(text, ';', SIZE);
    static const char begin[] = "node1 -- a -- forward_compute_time=[1";
    memcpy(text, begin, sizeof begin - 1);
    assert_int_equal(lp_profile_pipedream("g", "p", text, SIZE, &graph, &diag), LP_EPARSE);
    text[SIZE - 1] = ']';
    assert_int_equal(lp_profile_pipedream("g", "p", text, SIZE, &graph, &diag), LP_EPARSE);
    assert_null(graph);
    free(text);
}

static void units_are_known(void **state) {
    (void)state;
    double seconds = 7;
    LpDiag diag;
    assert_int_equal(lp_profile_unit("ms", &seconds, &diag), LP_OK);
    assert_true(seconds == 1e-3);
    assert_int_equal(lp_profile_unit("s", &seconds, &diag), LP_OK);
    assert_true(seconds == 1);
    assert_int_equal(lp_profile_unit("us", &seconds, &diag), LP_OK);
    assert_true(seconds == 1e-6);
    assert_int_equal(lp_profile_unit("ns", &seconds, &diag), LP_OK);
    assert_true(seconds == 1e-9);
    assert_int_equal(lp_profile_unit("MS", &seconds, &diag), LP_EINVAL);
    assert_string_equal(diag.text, "\"MS\" is no unit of time, expected s, ms, us or ns");
    assert_true(seconds == 1e-9);
}

TEST_GROUP(test_io_pipedream) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_names),
        cmocka_unit_test(ops_and_edges_are_read),
        cmocka_unit_test(line_ends_are_tolerated),
        cmocka_unit_test(lists_are_sums),
        cmocka_unit_test(whole_profiles_are_read),
        cmocka_unit_test(malformed_lines_have_a_place),
        cmocka_unit_test(broken_graphs_have_a_place),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(units_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
