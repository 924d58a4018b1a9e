/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs whose graph is a recorded step: as long as the step alone on an ideal network, hand-solved
 * steps on ports and on a link that two jobs share, and what a scenario may not say of them. */
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

#include "ask/inspect/inspect_step.h"
#include "group.h"
#include "scenario_text.h"
#include "session/session.h"
#include "sim/ranks/ranks_run.h"
#include "sim/store/store.h"
#include "sim/world.h"

static LpSession *open_text(const char *cluster, const char *graph, const char *jobs) {
    char file[] = "/tmp/lightpath-ranks-XXXXXX", text[8192];
    LpSession *s = NULL;
    LpDiag diag = {0};
    int f = mkstemp(file);
    int len = snprintf(text, sizeof text,
                       "{ \"lightpath\": 1, \"name\": \"ranks\", \"cluster\": { %s }, "
                       "\"graphs\": [ { \"id\": \"g\", %s } ], \"jobs\": [ %s ] }",
                       cluster, graph, jobs);
    assert_true(f >= 0 && len > 0 && len < (int)sizeof text);
    assert_int_equal(write(f, text, (size_t)len), len);
    close(f);
    LpSessionSpec spec = {.scenario = file, .keep_events = true};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        printf("# %s\n", diag.text);
    unlink(file);
    assert_non_null(s);
    return s;
}

static const LpJob *job(LpSession *s, uint32_t id) {
    return lp_world_job(lp_session_world(s), id);
}

static void start(LpSession *s, const uint32_t *server, uint32_t n) {
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = n, .servers = n, .server = server};
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
}

static void to_end(LpSession *s) {
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, NULL), LP_OK);
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

/* 1 GB/s and 100 ns. */
static const char ideal[] =
    "\"fabric\": \"ideal\", \"ideal\": { \"servers\": 6, \"node_bandwidth\": 1e9, "
    "\"latency\": 1e-7, \"io_latency\": 0 }";

/* One switch, 1 GB/s, no latency. */
static const char one_switch[] =
    "\"fabric\": \"packet\", \"packet\": { \"topology\": \"links\", \"servers\": 6, "
    "\"switches\": 1, \"io_latency\": 0, \"links\": [ "
    "{ \"from\": \"server 0..5\", \"to\": \"switch 0\", \"bandwidth\": 1e9 } ] }";

/* Two switches with servers 0 to 2 and 3 to 5 at 1 GB/s, and a link of 1 GB/s between. */
static const char two_switches[] =
    "\"fabric\": \"packet\", \"packet\": { \"topology\": \"links\", \"servers\": 6, "
    "\"switches\": 2, \"io_latency\": 0, \"links\": [ "
    "{ \"from\": \"server 0..2\", \"to\": \"switch 0\", \"bandwidth\": 1e9 }, "
    "{ \"from\": \"server 3..5\", \"to\": \"switch 1\", \"bandwidth\": 1e9 }, "
    "{ \"from\": \"switch 0\", \"to\": \"switch 1\", \"bandwidth\": 1e9 } ] }";

/* ---- alone ---- */

/* As the report on the trace says it. */
static double fluid(const LpGraph *graph) {
    const LpTraceRunSpec spec = {.rules = *graph->trace_rules, .bandwidth = 1e9, .latency_ns = 100};
    LpTraceRun run;
    assert_int_equal(lp_trace_run(graph->trace, &spec, &run, NULL), LP_OK);
    assert_string_equal(run.stuck, "");
    double step = run.step_ns;
    lp_trace_run_free(&run);
    return 1e-9 * step;
}

static void ideal_is_the_fluid(void **state) {
    static const struct {
        const char *graph;
        double ns;
    } rows[] = {
        /* 1000, 100 + 4096, 250, 100 + 8, 500: sends that wait for nobody */
        {"\"ports\": true, \"eager\": 65535, \"ranks\": [[{\"ns\": 1000}, {\"send\": 1, \"tag\": "
         "7, "
         "\"bytes\": 4096, \"after\": [0]}, {\"receive\": 1, \"tag\": \"any\"}, {\"ns\": 500, "
         "\"after\": [2]}], [{\"receive\": \"any\", \"tag\": 7}, {\"ns\": 250, \"after\": [0]}, "
         "{\"send\": 0, \"bytes\": 8, \"after\": [1]}]]",
         6054},
        /* a send that ends when its receive comes, and one that does not wait for it */
        {"\"ports\": true, \"ranks\": [[{\"send\": 1, \"bytes\": 5000}, {\"ns\": 10, "
         "\"after\": [0]}], [{\"ns\": 9000}, {\"receive\": 0, \"after\": [0]}]]",
         9010},
        {"\"ports\": true, \"eager\": 5000, \"ranks\": [[{\"send\": 1, \"bytes\": 5000}, "
         "{\"ns\": 10, \"after\": [0]}], [{\"ns\": 9000}, {\"receive\": 0, \"after\": "
         "[0]}]]",
         9000},
        /* one stream: the two ops one after the other; without streams at once */
        {"\"ranks\": [[{\"ns\": 700}, {\"ns\": 300}], [{\"ns\": 10}]]", 1000},
        {"\"streams\": false, \"ranks\": [[{\"ns\": 700}, {\"ns\": 300}], [{\"ns\": 10}]]", 700},
        /* an all-reduce of 3: four steps of 1000 bytes, once the last has called */
        {"\"ranks\": [[{\"call\": \"all_reduce\", \"bytes\": 3000}], [{\"ns\": 50}, {\"call\": "
         "\"all_reduce\", \"bytes\": 3000, \"after\": [0]}], [{\"call\": \"all_reduce\", "
         "\"bytes\": 3000}]]",
         50 + 4 * 1100},
        /* two steps of 3000; two of 1000; from one to two others; 1000 each; there and back */
        {"\"ranks\": [[{\"call\": \"all_gather\", \"bytes\": 3000}], [{\"call\": \"all_gather\", "
         "\"bytes\": 3000}], [{\"call\": \"all_gather\", \"bytes\": 3000}]]",
         2 * 3100},
        {"\"ranks\": [[{\"call\": \"all_to_all\", \"bytes\": 3000}], [{\"call\": \"all_to_all\", "
         "\"bytes\": 3000}], [{\"call\": \"all_to_all\", \"bytes\": 3000}]]",
         2 * 1100},
        {"\"ranks\": [[{\"call\": \"broadcast\", \"bytes\": 3000}], [{\"call\": \"broadcast\", "
         "\"bytes\": 3000}], [{\"call\": \"broadcast\", \"bytes\": 3000}]]",
         100 + 2 * 3000},
        {"\"ranks\": [[{\"call\": \"scatter\", \"bytes\": 3000}], [{\"call\": \"scatter\", "
         "\"bytes\": 3000}], [{\"call\": \"scatter\", \"bytes\": 3000}]]",
         100 + 2 * 1000},
        {"\"ranks\": [[{\"call\": \"barrier\"}], [{\"ns\": 30}, {\"call\": \"barrier\", \"after\": "
         "[0]}]]",
         30 + 200},
        /* only two of three are in the group, and a node that is only waited for */
        {"\"groups\": [{\"name\": \"dp\", \"ranks\": [0, 2]}], \"ranks\": [[{\"call\": "
         "\"reduce_scatter\", \"bytes\": 2000, \"group\": \"dp\"}], [{\"ns\": 1}], [{\"ns\": 20}, "
         "{\"after\": [0]}, {\"call\": \"reduce_scatter\", \"bytes\": 2000, \"group\": \"dp\", "
         "\"begun\": [1]}]]",
         20 + 1100},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpSession *s = open_text(ideal, rows[i].graph, "{ \"graph\": \"g\", \"steps\": 7 }");
        const LpGraph *graph = lp_session_context(s)->scenario->graph[0];
        to_end(s);
        near(1e9 * fluid(graph), rows[i].ns);
        near(job(s, 0)->forecast.step_time, fluid(graph));
        near(job(s, 0)->times.end, 7 * 1e-9 * rows[i].ns);
        assert_int_equal(job(s, 0)->placed.servers, graph->ops);
        assert_int_equal(job(s, 0)->placed.degree, graph->ops);
        lp_session_close(s);
    }
}

/* ---- ports ---- */

/* Two sends of 1 MB to one server come one after the other, and a collective waits for them. */
static void one_at_a_time(void **state) {
    static const char two_to_one[] =
        "\"ranks\": [[{\"receive\": 1}, {\"receive\": 2}], [{\"send\": 0, \"bytes\": 1000000}], "
        "[{\"send\": 0, \"bytes\": 1000000}]]";
    static const char and_all[] =
        "\"streams\": false, \"ranks\": [[{\"receive\": 1}, {\"call\": \"all_reduce\", \"bytes\": "
        "2000000}], [{\"send\": 0, \"bytes\": 1000000}, {\"call\": \"all_reduce\", \"bytes\": "
        "2000000}]]";
    (void)state;
    LpSession *s = open_text(one_switch, two_to_one, "{ \"graph\": \"g\", \"steps\": 1 }");
    to_end(s);
    near(job(s, 0)->forecast.step_time, 2e-3);
    lp_session_close(s);
    s = open_text(one_switch, and_all, "{ \"graph\": \"g\", \"steps\": 1 }");
    to_end(s);
    near(job(s, 0)->forecast.step_time, 1e-3 + 2 * 1e-3);
    lp_session_close(s);
}

/* ---- together ---- */

/* 1 ms of computing, then 1 MB to the other rank: 2 ms alone. Both jobs send over the one link
 * between the switches, of which each has half, so that sending takes 2 ms. */
static void two_share_a_link(void **state) {
    static const char graph[] =
        "\"ranks\": [[{\"ns\": 1000000}, {\"send\": 1, \"bytes\": 1000000, \"after\": [0]}], "
        "[{\"receive\": 0}]]";
    static const uint32_t a[] = {0, 3}, b[] = {1, 4};
    (void)state;
    LpSession *s = open_text(two_switches, graph,
                             "{ \"graph\": \"g\", \"steps\": 10 }, "
                             "{ \"graph\": \"g\", \"steps\": 10, \"arrival\": 0.01 }");
    start(s, a, 2);
    near(job(s, 0)->forecast.step_time, 2e-3);
    start(s, b, 2);
    to_end(s);
    /* 5 steps alone, then at 3 ms a step; the second one has 5 steps of its own after that */
    near(job(s, 0)->times.end, 5 * 2e-3 + 5 * 3e-3);
    near(job(s, 1)->times.end, 10e-3 + 5 * 3e-3 + 5 * 2e-3);
    lp_session_close(s);
}

/* All-reduces of 2 ranks: 1 MB each way twice. The link is one each way, half for each job. */
static void two_collectives_share_a_link(void **state) {
    static const char graph[] =
        "\"ranks\": [[{\"ns\": 1000000}, {\"call\": \"all_reduce\", \"bytes\": 1000000, \"after\": "
        "[0]}], [{\"call\": \"all_reduce\", \"bytes\": 1000000}]]";
    static const uint32_t a[] = {0, 3}, b[] = {1, 4};
    (void)state;
    LpSession *s = open_text(two_switches, graph,
                             "{ \"graph\": \"g\", \"steps\": 10 }, "
                             "{ \"graph\": \"g\", \"steps\": 10 }");
    start(s, a, 2);
    near(job(s, 0)->forecast.step_time, 2e-3);
    start(s, b, 2);
    to_end(s);
    near(job(s, 0)->times.end, 10 * 3e-3);
    near(job(s, 1)->times.end, 10 * 3e-3);
    lp_session_close(s);
}

/* ---- laid out ---- */

/* Rank 0 computes, sends; rank 1 computes when it has the data. */
static void rows_are_ranks(void **state) {
    static const char graph[] =
        "\"ranks\": [[{\"ns\": 1000000}, {\"send\": 1, \"bytes\": 1000000, \"after\": [0]}], "
        "[{\"receive\": 0}, {\"ns\": 500000, \"after\": [0]}]]";
    static const uint32_t server[] = {4, 1};
    LpStepInspection seen;
    (void)state;
    LpSession *s = open_text(one_switch, graph, "{ \"graph\": \"g\", \"steps\": 1 }");
    start(s, server, 2);
    const LpJob *j = job(s, 0);
    assert_int_equal(lp_step_inspect(lp_session_context(s), j->placed.partition,
                                     j->placed.placement, j->placed.orders, (double)NAN, &seen,
                                     NULL),
                     LP_OK);
    assert_int_equal(seen.servers, 2);
    assert_int_equal(seen.pairs, 1);
    assert_int_equal(seen.row[0].server, 1); /* rank 1 */
    assert_int_equal(seen.bar[seen.row[0].first].op, 2);
    assert_int_equal(seen.bar[seen.row[0].first].part, 1);
    near(seen.bar[seen.row[0].first].start, 2e-3);
    assert_int_equal(seen.row[1].server, 4); /* rank 0 */
    near(seen.bar[seen.row[1].first].end, 1e-3);
    assert_true(seen.row[2].kind == LP_STEP_PAIR && seen.row[2].server == 4 && seen.row[2].to == 1);
    assert_int_equal(seen.critical, 3);
    near(seen.step_time, 2.5e-3);
    lp_step_inspection_fini(&seen);
    lp_session_close(s);
}

/* ---- errors ---- */

#define GRAPH(text) "{\"lightpath\": 1, \"jobs\": [],\n\"graphs\": [{\"id\": \"g\",\n" text "}]}"

static void errors(void **state) {
    (void)state;
    expect_load_error(GRAPH("\"ranks\": [[{\"send\": 1, \"bytes\": 5}]]"), NULL, 0,
                      "s:3:21: there is no rank 1, expected 0 to 0");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1, \"after\": [0]}]]"), NULL, 0,
                      "s:3:11: node 0 of rank 0 waits for itself");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1, \"send\": 0}]]"), NULL, 0,
                      "s:3:12: a node has both \"ns\" and \"send\", expected one of \"ns\", "
                      "\"send\", \"receive\" and \"call\"");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1, \"tag\": 0}]]"), NULL, 0,
                      "s:3:29: \"tag\" is of a node with \"send\" or \"receive\"");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1}, {\"receive\": 0}]]"), NULL, 0,
                      "s:3:10: the step never ends: node 1 of rank 0 waits for data from rank 0 "
                      "with tag 0");
    expect_load_error(GRAPH("\"ranks\": [[{\"call\": \"barrier\", \"group\": \"x\"}]]"), NULL, 0,
                      "s:3:41: rank 0 is in no group \"x\"");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 0}]]"), NULL, 0,
                      "s:3:10: the step takes no time: nobody computes or sends");
    expect_load_error(GRAPH("\"eager\": 5, \"ranks\": [[{\"ns\": 1}]]"), NULL, 0,
                      "s:3:10: \"eager\" is of sends that end when a receive has their data: those "
                      "of goal, or with \"ports\": true");
    expect_load_error(GRAPH("\"trace\": \"goal\", \"files\": \"x\""), NULL, 0,
                      "s:2:12: files of other programs are not read here: expected \"ranks\"");
}

static void fabrics(void **state) {
    static const char *const ramp[] = {"cluster.fabric=ramp"};
    static const char *const few[] = {"cluster.fabric=ideal", "cluster.ideal.servers=1"};
    static const char *const published[] = {"cluster.fabric=ideal", "semantics=published"};
    (void)state;
    expect_load_error(
        GRAPH("\"ranks\": [[{\"ns\": 1}], [{\"ns\": 1}]]"), ramp, 1,
        "s:2:12: graph \"g\" is a recorded step, whose ranks send to any other at any "
        "time: on fabric ramp they cannot, expected ideal, packet, zones or ocs");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1}], [{\"ns\": 1}]]"), few, 2,
                      "s:2:12: graph \"g\" has 2 ranks, the cluster 1 servers: expected a server "
                      "for each rank");
    expect_load_error(GRAPH("\"ranks\": [[{\"ns\": 1}], [{\"ns\": 1}]]"), published, 2,
                      "s:2:12: graph \"g\" is a recorded step, which the published option memory "
                      "does not know: expected corrected semantics");
}

TEST_GROUP(test_sim_ranks) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideal_is_the_fluid),
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(two_share_a_link),
        cmocka_unit_test(two_collectives_share_a_link),
        cmocka_unit_test(rows_are_ranks),
        cmocka_unit_test(errors),
        cmocka_unit_test(fabrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
