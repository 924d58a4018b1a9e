/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/scenario: every mistake gives one sentence with its place, and nothing half-loaded.
 */
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
#include "scenario_text.h"

typedef struct Case {
    const char *text, *message;
} Case;

#define GRAPH "\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}]"
#define JOBS "\"jobs\":[{\"graph\":\"a\"}]"
/* line 1 makes a whole scenario of what a case has on line 2 */
#define FRONT "{\"lightpath\":1," GRAPH "," JOBS ",\n"

static void expect_all(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

static void the_top_level_is_checked(void **state) {
    (void)state;
    static const Case cases[] = {
        {"", "s:1:1: the text ends here, expected a number, a text in double quotes, true, false, "
             "null, [ or {"},
        {"[]", "s:1:1: the value is a list, expected an object {...}"},
        {"{}", "s:1:1: the key \"lightpath\" is missing here"},
        {"{\"lightpath\":2," JOBS "}", "s:1:14: \"lightpath\" is 2, expected format 1"},
        {"{\"lightpath\":\"1\"," JOBS "}",
         "s:1:14: \"lightpath\" is the text \"1\", expected format 1"},
        {"{\"lightpath\":1}",
         "s:1:1: there is no work, expected the key \"jobs\" or \"generator\""},
        {FRONT "\"generator\":{}}",
         "s:2:1: \"jobs\" and \"generator\" exclude each other, expected one"},
        {FRONT "\"sed\":1}", "s:2:1: unknown key \"sed\", expected \"seed\""},
        {FRONT "\"Seed\":1}", "s:2:1: unknown key \"Seed\", expected \"seed\""},
        {FRONT "\"jobs\":[]}", "s:2:1: the key \"jobs\" stands twice in one object, expected once"},
        {FRONT "\"name\":1}", "s:2:8: \"name\" is 1, expected a text"},
        {FRONT "\"seed\":1.5}",
         "s:2:8: \"seed\" is 1.5, expected a whole number from 0 to 18446744073709551615"},
        {FRONT "\"semantics\":\"publishd\"}",
         "s:2:13: \"semantics\" is the text \"publishd\", expected \"published\""},
        {FRONT "\"options\":{\"cirquits\":\"published\"}}",
         "s:2:12: unknown option \"cirquits\", expected \"circuits\""},
        {FRONT "\"options\":{\"circuits\":true}}", "s:2:23: \"circuits\" is true, expected a text"},
        {FRONT "\"queue_capacity\":0}",
         "s:2:18: \"queue_capacity\" is 0, expected a whole number from 1 to 4294967295"},
        {FRONT "\"horizon\":-5}",
         "s:2:11: \"horizon\" is -5, expected a time > 0 such as \"50 ns\" or 50e-9"},
        {FRONT "\"measure\":{\"from\":5,\"until\":4}}",
         "s:2:29: measure.until is 4: expected a time after measure.from"},
        {FRONT "\"memory\":{\"factor\":5}}",
         "s:2:11: unknown key \"factor\", expected \"state_factor\""},
        {FRONT "\"memory\":{\"state_factor\":-1}}",
         "s:2:26: \"state_factor\" is -1, expected a number >= 0"},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

static void options_must_go_together(void **state) {
    (void)state;
    static const char text[] = FRONT "\"options\":{\"step_clock\":\"published\"}}";
    LpScenario *scenario = NULL;
    LpDiag diag;
    assert_int_equal(lp_scenario_parse(text, strlen(text), "s", NULL, &scenario, &diag), LP_EINVAL);
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.col, 11);
    assert_non_null(
        strstr(diag.text, "option circuits \"corrected\" has no meaning with step_clock"));
}

static void the_cluster_is_checked(void **state) {
    (void)state;
#define CLUSTER FRONT "\"cluster\":{\"fabric\":\"ramp\",\n"
    static const Case cases[] = {
        {FRONT "\"cluster\":5}", "s:2:11: \"cluster\" is 5, expected an object {...}"},
        {FRONT "\"cluster\":{}}", "s:2:11: the key \"fabric\" is missing here"},
        {FRONT "\"cluster\":{\"fabric\":\"mesh\"}}",
         "s:2:21: \"fabric\" is the text \"mesh\", expected one of \"ramp\", \"ideal\", "
         "\"packet\", \"ocs\", \"zones\", \"pod\""},
        {CLUSTER "\"rampe\":{}}}", "s:3:1: unknown key \"rampe\", expected \"ramp\""},
        {CLUSTER "\"ramp\":{\"racks_per_group\":5}}}",
         "s:3:27: cluster.ramp.racks_per_group is 5: expected at most communication_groups, 4"},
        {CLUSTER "\"ramp\":{\"communication_groups\":1048577}}}",
         "s:3:32: \"communication_groups\" is 1048577, expected a whole number from 1 to 1048576"},
        {CLUSTER "\"ramp\":{\"communication_groups\":1048576}}}",
         "s:2:11: cluster: too many servers: expected at most 1048576"},
        {CLUSTER "\"ramp\":{\"node_bandwidth\":0}}}",
         "s:3:26: \"node_bandwidth\" is 0, expected a bandwidth > 0 such as \"1.6 TB/s\" or "
         "1.6e12"},
        {CLUSTER "\"ramp\":{\"io_latency\":null}}}",
         "s:3:22: \"io_latency\" is null, expected a time >= 0 such as \"50 ns\" or 50e-9"},
        {CLUSTER "\"ramp\":{\"rack_isolated\":0}}}",
         "s:3:25: \"rack_isolated\" is 0, expected true or false"},
        {CLUSTER "\"server\":{\"device\":\"A10\"}}}",
         "s:3:20: \"device\" is the text \"A10\", expected \"A100\""},
        {CLUSTER "\"server\":{\"device\":\"abacus\"}}}",
         "s:3:20: \"device\" is the text \"abacus\", expected one of \"A100\", \"V100\", \"Titan "
         "V\", "
         "\"M40\", \"H100\", \"A100 40G\", \"H200\", \"B200\", \"TPU v4\", \"TPU v5p\""},
        {CLUSTER "\"server\":{\"memory\":\"0 GB\"}}}",
         "s:3:20: \"memory\" is the text \"0 GB\", expected a size > 0 such as \"80 GB\" or 80e9"},
        {CLUSTER "\"server\":{\"count\":3}}}",
         "s:3:10: cluster.server: the counts add up to 3: expected 32, the servers of the fabric"},
        {CLUSTER "\"server\":[]}}", "s:3:10: \"server\" has 0 kinds of server, expected 1 to 16"},
        {CLUSTER "\"server\":[{\"count\":3},{}]}}",
         "s:3:23: the key \"count\" is missing here, expected how many servers are of this kind"},
        {CLUSTER "\"server\":[{\"count\":3},{\"count\":4}]}}",
         "s:3:10: cluster.server: the counts add up to 7: expected 32, the servers of the fabric"},
        {CLUSTER "\"server\":{\"memory\":\"1 kB\"}}}",
         "s:1:26: graph \"a\" needs 2.26 GB for state and activations: expected to fit into 16 "
         "servers (partition.max_degree) of at most 1 kB"},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

static void graphs_are_checked(void **state) {
    (void)state;
#define G(inside) "{\"lightpath\":1,\"jobs\":[],\n\"graphs\":[" inside "]}"
    static const Case cases[] = {
        {"{\"lightpath\":1,\"jobs\":[],\"graphs\":{}}",
         "s:1:35: \"graphs\" is an object, expected a list [...]"},
        {G("5"), "s:2:11: the value is 5, expected an object {...}"},
        {G("{}"), "s:2:11: a graph has neither \"file\" nor \"zoo\", expected one of them"},
        {G("{\"file\":\"x\",\"zoo\":\"y\"}"),
         "s:2:11: a graph has both \"file\" and \"zoo\", expected one of them"},
        {G("{\"zoo\":\"vgg16\"}"), "s:2:11: the key \"id\" is missing here"},
        {G("{\"id\":\"\",\"zoo\":\"vgg16\"}"), "s:2:17: the id of a graph is empty"},
        {G("{\"id\":\"a\",\"zoo\":\"vgg16\"},\n{\"id\":\"a\",\"zoo\":\"vgg16\"}"),
         "s:3:7: two graphs have the id \"a\", expected different ids"},
        {G("{\"id\":\"a\",\"zoo\":\"vgg16\",\"bach\":3}"),
         "s:2:35: unknown key \"bach\", expected \"batch\""},
        {G("{\"id\":\"a\",\"zoo\":\"vgg16\",\"batch\":0}"),
         "s:2:43: \"batch\" is 0, expected a whole number from 1 to 4294967295"},
        {G("{\"id\":\"a\",\"zoo\":\"vgg16\",\"time_unit\":\"ms\"}"),
         "s:2:35: unknown key \"time_unit\", expected one of \"id\", \"zoo\", \"batch\", "
         "\"layers\", \"hidden\", \"heads\", \"sequence\", \"vocabulary\", \"bytes_per_value\", "
         "\"device\", \"precision\", \"efficiency\""},
        {G("{\"id\":\"a\",\"file\":\"g.txt\"}"), "s:2:11: the key \"format\" is missing here"},
        {G("{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"onnx\"}"),
         "s:2:45: \"format\" is the text \"onnx\", expected one of \"pipedream\", \"lightpath\""},
        {G("{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"pipedream\"}"),
         "s:2:11: the key \"time_unit\" is missing here, expected the unit of the profile's times: "
         "\"ms\" (as PipeDream writes them), \"s\", \"us\" or \"ns\""},
        {G("{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"pipedream\",\"time_unit\":\"m\"}"),
         "s:2:69: \"time_unit\": \"m\" is no unit of time, expected s, ms, us or ns"},
        {G("{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"pipedream\",\"time_unit\":\"ms\","
           "\"device\":\"A100\"}"),
         "s:2:83: \"device\" has no effect on format \"pipedream\", whose times were measured: "
         "expected none"},
        {G("{\"id\":\"a\",\"file\":\"g.txt\",\"format\":\"lightpath\",\"time_unit\":\"ms\"}"),
         "s:2:69: \"time_unit\" has no effect on format \"lightpath\", whose times are seconds: "
         "expected none"},
        {G("{\"id\":\"a\",\"file\":\"no/g.txt\",\"format\":\"lightpath\"}"),
         "s:2:28: there is no file \"no/g.txt\" (tried no/g.txt)"},
        {G("{\"id\":\"a\",\"file\":\"/dev/null\",\"format\":\"lightpath\"}"),
         "s:2:28: /dev/null: is a device, expected a regular file"},
        {G("{\"id\":\"a\",\"file\":\"\",\"format\":\"lightpath\"}"),
         "s:2:28: the name of a file is empty, expected a path"},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

static void the_zoo_points_at_its_knob(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int col;
        const char *part;
    } cases[] = {
        {G("{\"id\":\"a\",\"zoo\":\"vgg61\"}"), 27, "vgg16"},
        {G("{\"id\":\"a\",\"zoo\":\"vgg16\",\"layers\":3}"), 44, "'layers'"},
        {G("{\"id\":\"a\",\"zoo\":\"transformer\",\"bytes_per_value\":3}"), 59, "expected 4 or 2"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpScenario *scenario = NULL;
        LpDiag diag;
        assert_int_equal(
            lp_scenario_parse(cases[i].text, strlen(cases[i].text), "s", NULL, &scenario, &diag),
            LP_EINVAL);
        assert_int_equal(diag.line, 2);
        assert_int_equal(diag.col, cases[i].col);
        assert_non_null(strstr(diag.text, cases[i].part));
        assert_null(scenario);
    }
}

static void jobs_are_checked(void **state) {
    (void)state;
#define J(inside) "{\"lightpath\":1," GRAPH ",\n\"jobs\":[" inside "]}"
    static const Case cases[] = {
        {"{\"lightpath\":1,\"jobs\":{}}",
         "s:1:23: \"jobs\" is an object without the key \"import\", expected a list [...], or "
         "{\"import\": FORMAT, \"file\": FILE}"},
        {"{\"lightpath\":1,\"jobs\":{\"import\":\"swf\",\"file\":\"x\"}}",
         "s:1:23: files of other programs are not read here: expected a list of jobs"},
        {J("3"), "s:2:9: the value is 3, expected an object {...}"},
        {J("{}"), "s:2:9: the key \"graph\" is missing here"},
        {J("{\"graph\":\"b\"}"),
         "s:2:18: there is no graph \"b\", expected the id of an entry of \"graphs\""},
        {J("{\"graph\":0}"), "s:2:18: \"graph\" is 0, expected a text"},
        {J("{\"graph\":\"a\",\"arrival\":-1}"),
         "s:2:32: \"arrival\" is -1, expected a time >= 0 such as \"50 ns\" or 50e-9"},
        {J("{\"graph\":\"a\",\"steps\":0}"),
         "s:2:30: \"steps\" is 0, expected a whole number >= 1 and <= 9007199254740992"},
        {J("{\"graph\":\"a\",\"steps\":1.5}"),
         "s:2:30: \"steps\" is 1.5, expected a whole number >= 1 and <= 9007199254740992"},
        {J("{\"graph\":\"a\",\"max_jct_fraction\":0}"),
         "s:2:41: \"max_jct_fraction\" is 0, expected a number > 0"},
        {J("{\"graph\":\"a\",\"kind\":\"both\"}"),
         "s:2:29: \"kind\" is the text \"both\", expected one of \"model\", \"data\", \"tensor\""},
        {J("{\"graph\":\"a\",\"servers\":4}"),
         "s:2:10: a job has both \"graph\" and \"servers\", expected a graph, or servers and a "
         "duration (a rigid job)"},
        {J("{\"servers\":4}"), "s:2:9: the key \"duration\" is missing here"},
        {J("{\"duration\":4}"), "s:2:9: the key \"servers\" is missing here"},
        {J("{\"servers\":0,\"duration\":4}"),
         "s:2:20: \"servers\" is 0, expected a whole number from 1 to 1048576"},
        {J("{\"servers\":4,\"duration\":0}"),
         "s:2:33: \"duration\" is 0, expected a time > 0 such as \"50 ns\" or 50e-9"},
        {J("{\"servers\":1,\"duration\":1},{\"servers\":33,\"duration\":1}"),
         "s:2:47: jobs[1].servers is 33: expected 1 to 32"},
        {J("{\"servers\":4,\"duration\":1,\"steps\":3}"),
         "s:2:35: unknown key \"steps\", expected one of \"servers\", \"duration\", "
         "\"checkpoint\", \"required\", \"preferred\", \"segment\", \"arrival\", "
         "\"max_jct_fraction\", \"hint\", \"id\", \"name\", \"user\", \"group\""},
        {J("{\"servers\":4,\"duration\":1,\"id\":7},{\"servers\":4,\"duration\":1,\"id\":\"7\"}"),
         "s:2:74: \"id\" is the text \"7\", which another job has, expected one of its own"},
        {J("{\"servers\":4,\"duration\":1,\"id\":\"\"}"),
         "s:2:40: \"id\" is the text \"\", expected a text or a whole number"},
        {J("{\"servers\":4,\"duration\":1,\"id\":1.5}"),
         "s:2:40: \"id\" is 1.5, expected a whole number from 0 to 9007199254740992"},
        {J("{\"graph\":\"a\",\"user\":7}"), "s:2:29: \"user\" is 7, expected a text"},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

static void policies_and_partitions_are_checked(void **state) {
    (void)state;
    static const Case cases[] = {
        {FRONT "\"policy\":\"x.lua\"}",
         "s:2:10: \"policy\" is the text \"x.lua\", expected an object {...}"},
        {FRONT "\"policy\":{\"script\":\"no-such.lua\"}}",
         "s:2:20: there is no file \"no-such.lua\" (tried no-such.lua)"},
        {FRONT "\"policy\":{\"params\":[]}}",
         "s:2:20: \"params\" is a list, expected an object {...}"},
        {FRONT "\"policy\":{\"params\":{\"a\":[1]}}}",
         "s:2:25: the parameter \"a\" is a list, expected a number, a text, true or false"},
        {FRONT "\"partition\":{\"max_degree\":0}}",
         "s:2:27: \"max_degree\" is 0, expected a whole number from 1 to 4294967295"},
        {FRONT "\"partition\":{\"min_op_time\":0}}",
         "s:2:28: \"min_op_time\" is 0, expected a time > 0 such as \"50 ns\" or 50e-9"},
        {FRONT "\"partition\":{\"max_deps\":0}}",
         "s:2:25: \"max_deps\" is 0, expected a whole number from 1 to 1000000000000"},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

static void overrides_are_named(void **state) {
    (void)state;
    static const struct {
        const char *set, *message;
    } cases[] = {
        {"cluster.ramp.node_bandwidht=1",
         "--set cluster.ramp.node_bandwidht=1: unknown key \"node_bandwidht\", expected "
         "\"node_bandwidth\""},
        {"clutser.fabric=ramp",
         "--set clutser.fabric=ramp: unknown key \"clutser\", expected \"cluster\""},
        {"jobs[0].steps=x", "--set jobs[0].steps=x: \"steps\": \"x\" is not a number: expected a "
                            "plain number without a unit"},
        {"jobs[0].steps=-1",
         "--set jobs[0].steps=-1: \"steps\" is -1, expected a whole number >= 1 "
         "and <= 9007199254740992"},
        {"cluster.fabric=ideal\x1b[31m",
         "--set cluster.fabric=ideal\\x1b[31m: \"fabric\" is the text \"ideal\\x1b[31m\", expected "
         "one of \"ramp\", \"ideal\", \"packet\", \"ocs\", \"zones\", \"pod\""},
        {"generator={\"count\":1}", "--set generator={\"count\":1}: \"jobs\" and \"generator\" "
                                    "exclude each other, expected one"},
        {"cluster.ramp={\"racks_per_group\":9}", "--set cluster.ramp={\"racks_per_group\":9}: "
                                                 "cluster.ramp.racks_per_group is 9: expected at "
                                                 "most communication_groups, 4"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error("{\"lightpath\":1,\"cluster\":{\"fabric\":\"ramp\"}," GRAPH "," JOBS "}",
                          &cases[i].set, 1, cases[i].message);
}

/* Servers of a zone with links of their own. */
static void own_links(void **state) {
    (void)state;
#define ZONES(own)                                                                                 \
    FRONT "\"cluster\":{\"fabric\":\"zones\",\"zones\":{\"zones\":[\n"                             \
          "{\"name\":\"a\",\"servers\":4,\n\"own_links\":" own "}]}}}"
    static const Case cases[] = {
        {ZONES("{}"), "s:4:13: \"own_links\" is an object, expected a list [...]"},
        {ZONES("[{}]"), "s:4:14: the key \"first\" is missing here"},
        {ZONES("[{\"first\":4}]"),
         "s:4:23: \"first\" is 4, expected a server of zone \"a\" that no "
         "entry before it has: 0 to 3"},
        {ZONES("[{\"first\":1,\"count\":2},\n{\"first\":2}]"),
         "s:5:10: \"first\" is 2, expected a server of zone \"a\" that no entry before it has: 3 "
         "to "
         "3"},
        {ZONES("[{\"first\":0,\"count\":4},\n{\"first\":2}]"),
         "s:5:10: \"first\" is 2, but the entries before it already reach the last of the 4 "
         "servers "
         "of zone \"a\""},
        {ZONES("[{\"first\":1,\"count\":4}]"), "s:4:33: \"count\" is 4, expected at most 3: zone "
                                               "\"a\" has 4 servers and this begins with "
                                               "1"},
        {ZONES("[{\"first\":1,\"taken\":1}]"),
         "s:4:33: \"taken\" is 1, expected a number >= 0 and <= 0.9999999999999999"},
        {ZONES("[{\"first\":1,\"band\":1}]"),
         "s:4:25: unknown key \"band\", expected one of \"first\", \"count\", \"delay\", \"loss\", "
         "\"bandwidth\", \"taken\""},
    };
    expect_all(cases, LP_COUNTOF(cases));
}

/* Errors inside a graph file name that file; its folder is the scenario's. */
static void graph_files_are_named(void **state) {
    (void)state;
    char folder[] = "/tmp/lightpath-errors-XXXXXX", graph[64], scenario[64], message[200];
    static const char text[] =
        "{\"lightpath\":1,\"graphs\":[{\"id\":\"g\",\"file\":\"g.txt\",\"format\":\"pipedream\","
        "\"time_unit\":\"ms\"}],\"jobs\":[]}";
    LpScenario *s = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    assert_non_null(mkdtemp(folder));
    snprintf(graph, sizeof graph, "%s/g.txt", folder);
    snprintf(scenario, sizeof scenario, "%s/s.json", folder);
    FILE *file = fopen(graph, "wb");
    assert_non_null(file);
    assert_true(fputs("node1 -- a\n\tnode1 -- b\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(lp_scenario_parse(text, strlen(text), scenario, NULL, &s, &diag), LP_EPARSE);
    snprintf(message, sizeof message,
             "%s:1:1: there is no op \"node1\", expected the id of a line \"nodeID -- name -- "
             "values\"",
             graph);
    assert_string_equal(lp_diag_format(&diag, shown, sizeof shown), message);
    const LpLoadOptions small = {.max_input = 10};
    assert_int_equal(lp_scenario_parse(text, strlen(text), scenario, &small, &s, &diag), LP_ELIMIT);
    snprintf(message, sizeof message, "%s:1:43: %s: the file has 23 B, limit 10 B (--max-input)",
             scenario, graph);
    assert_string_equal(lp_diag_format(&diag, shown, sizeof shown), message);
    assert_null(s);
    assert_int_equal(unlink(graph) | rmdir(folder), 0);
}

static void unreadable_files_are_named(void **state) {
    (void)state;
    LpScenario *s = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT];
    assert_int_equal(lp_scenario_load("/no/such.json", NULL, &s, &diag), LP_EIO);
    assert_string_equal(lp_diag_format(&diag, shown, sizeof shown),
                        "/no/such.json: No such file or directory");
    assert_int_equal(lp_scenario_load("/dev/null", NULL, &s, &diag), LP_EIO);
    assert_int_equal(lp_scenario_load("/tmp", NULL, &s, &diag), LP_EIO);
    assert_int_equal(lp_scenario_load("/no/such.json", NULL, &s, NULL), LP_EIO);
    assert_null(s);
}

TEST_GROUP(test_io_scenario_errors) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top_level_is_checked),
        cmocka_unit_test(options_must_go_together),
        cmocka_unit_test(the_cluster_is_checked),
        cmocka_unit_test(graphs_are_checked),
        cmocka_unit_test(the_zoo_points_at_its_knob),
        cmocka_unit_test(jobs_are_checked),
        cmocka_unit_test(policies_and_partitions_are_checked),
        cmocka_unit_test(overrides_are_named),
        cmocka_unit_test(own_links),
        cmocka_unit_test(graph_files_are_named),
        cmocka_unit_test(unreadable_files_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
