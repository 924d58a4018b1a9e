/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of import/trace: recorded steps run alone on an ideal network, and the times of ASTRA-sim.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "import/steps/goal.h"
#include "import/steps/proto.h"

static char FILE_NAME[] = "/tmp/lightpath-import-runs-XXXXXX";
#define IMPORT_FILE FILE_NAME
#include "import_case.h"

/* ---- running ---- */

/* A schedule on links of 1 byte a ns and a latency of 100 ns. */
static void run_goal(const char *text, LpTraceRun *out, Case *c) {
    const LpTraceRunSpec spec = {
        .bandwidth = 1e9, .latency_ns = 100, .rules = {.ports = true, .eager = 65535}};
    read_bytes(c, "goal", text, strlen(text));
    fine(c);
    LpDiag diag;
    assert_int_equal(
        lp_trace_run(((const LpGoal *)c->import.reading.own)->trace, &spec, out, &diag), LP_OK);
}

/* Rank 1 answers: 1000 + 100 + 4096, then 250, then 100 + 8, then 500. */
static void test_a_run(void **state) {
    static const char text[] =
        "num_ranks 2\nrank 0 {\nl1: calc 1000\nl2: send 4096b to 1 tag 7\n"
        "l3: recv 8b from 1 tag 8\nl4: calc 500 cpu 1\nl2 requires l1\nl4 requires l3\n"
        "l3 irequires l1\n}\nrank 1 {\nl1: recv 4096b from 0 tag 7\nl2: calc 250\n"
        "l3: send 8b to 0 tag 8\nl2 requires l1\nl3 requires l2\n}\n";
    LpTraceRun run;
    Case c;
    (void)state;
    run_goal(text, &run, &c);
    assert_string_equal(run.stuck, "");
    assert_true(run.step_ns == 6054 && run.slowest == 0);
    assert_true(run.rank[0].computing_ns == 1500 && run.rank[0].exposed_ns == 4554);
    assert_true(run.rank[1].end_ns == 5446 && run.rank[1].computing_ns == 250);
    lp_trace_run_free(&run);
    lp_import_free(&c.import);
}

/* Ops of one stream run one after the other, by their numbers; a large send lasts until a receive
 * has its data, a small one no time. */
static void test_streams_and_sends(void **state) {
    static const struct {
        const char *text;
        double zero, one; /* ends of the two ranks */
    } rows[] = {
        {"num_ranks 2\nrank 0 {\ncalc 5\ncalc 7\ncalc 3 cpu 1\n}\nrank 1 {\n}\n", 12, 0},
        {"num_ranks 2\nrank 0 {\nsend 65535b to 1\n}\nrank 1 {\nrecv 65535b from 0\n}\n", 0, 65635},
        {"num_ranks 2\nrank 0 {\nsend 70000b to 1\n}\n"
         "rank 1 {\na: calc 80000\nb: recv 70000b from -1 tag -1\nb requires a\n}\n",
         80000, 80000},
        {"num_ranks 2\nrank 0 {\nsend 70000b to 1\nsend 70000b to 1\nsend 70000b to 1 nic 1\n}\n"
         "rank 1 {\nrecv 70000b from 0\nrecv 70000b from 0\nrecv 70000b from 0\n}\n",
         140200, 140200},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpTraceRun run;
        Case c;
        run_goal(rows[i].text, &run, &c);
        assert_string_equal(run.stuck, "");
        assert_true(run.rank[0].end_ns == rows[i].zero);
        assert_true(run.rank[1].end_ns == rows[i].one);
        lp_trace_run_free(&run);
        lp_import_free(&c.import);
    }
}

static void test_a_run_that_never_ends(void **state) {
    static const char text[] = "num_ranks 2\nrank 0 {\nrecv 1b from 1 tag 3\n}\n"
                               "rank 1 {\na: send 70000b to 0\nb: calc 1\nb requires a\n}\n";
    LpTraceRun run;
    Case c;
    (void)state;
    run_goal(text, &run, &c);
    assert_string_equal(run.stuck, "node 0 of rank 0 waits for data from rank 1 with tag 3; node 0 "
                                   "of rank 1 waits for rank 0 to receive with tag 0");
    lp_trace_run_free(&run);
    lp_import_free(&c.import);
}

/* A collective begins when its last member calls it, and is a ring's: of 2 ranks two steps. */
static void test_a_run_of_a_collective(void **state) {
    char folder[] = "/tmp/lightpath-import-ring-XXXXXX";
    static const uint64_t nothing[1] = {0};
    const LpImportOptions options = {.server_bandwidth = 1e9, .latency = 1e-7};
    const char *path = folder;
    char name[2][64];
    Case c;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int r = 0; r < 2; r++) {
        LpBuf file = {0};
        snprintf(name[r], sizeof name[r], "%s/s.%d.et", folder, r);
        put_head(&file);
        put_comp(&file, 5, r == 0 ? 2 : 0, nothing, 0, true); /* of rank 1: unknown, so 1 ns */
        LpBuf node = {0};
        put_number(&node, 1, 6);
        put_number(&node, 3, LP_CHAKRA_COLL);
        put_number(&node, 5, 5);
        put_attr(&node, "comm_type", LP_ATTR_INT64, LP_TRACE_ALL_REDUCE);
        put_attr(&node, "comm_size", LP_ATTR_INT64, 1000);
        put_message(&file, &node);
        write_file(name[r], lp_buf_text(&file), file.len);
        lp_buf_fini(&file);
    }
    read_files(&c, "chakra", &path, 1, &options);
    fine(&c);
    const LpChakra *chakra = c.import.reading.own;
    assert_true(chakra->ran);
    assert_true(chakra->run.step_ns == 2000 + 2 * (100 + 500));
    assert_true(chakra->run.rank[1].computing_ns == 1);
    assert_true(chakra->run.rank[1].exposed_ns == 3199);
    lp_import_free(&c.import);
    unlink(name[0]);
    unlink(name[1]);
    rmdir(folder);
}

/* ---- ASTRA-sim ---- */

/* The two outputs that ASTRA-sim publishes, and that the parts make up the difference. */
static void test_astra(void **state) {
    static const struct {
        LpTraceCall call;
        uint32_t ranks;
        double memory, ns, fluid;
    } rows[] = {{LP_TRACE_ALL_GATHER, 16, 0, 323560, 300468.75},
                {LP_TRACE_ALL_REDUCE, 8, 50e9, 117780, 41179.6875}};
    LpAstraRing ring = {.bandwidth = 50 * 1073741824.0, .latency_ns = 500};
    LpAstraTime time;
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpAstraSystem system = {
            .chunks = 4, .active = 1, .endpoint_ns = 10, .memory = rows[i].memory};
        assert_true(lp_astra_time(rows[i].call, rows[i].ranks, 1 << 20, &system, &ring, &time));
        assert_true(time.astra_ns == rows[i].ns);
        assert_true(time.fluid_ns == rows[i].fluid);
        double parts = time.fluid_ns + time.latencies_ns + time.endpoints_ns + time.reductions_ns +
                       time.rounding_ns;
        assert_true(parts > time.astra_ns - 1e-6 && parts < time.astra_ns + 1e-6);
    }
    LpAstraSystem system = {.chunks = 4, .active = 1};
    assert_false(lp_astra_time(LP_TRACE_ALL_REDUCE, 8, 1 << 20, &system, &ring, &time));
    assert_false(lp_astra_time(LP_TRACE_BARRIER, 8, 1 << 20, &system, &ring, &time));
}

TEST_GROUP(test_import_runs) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run),
        cmocka_unit_test(test_streams_and_sends),
        cmocka_unit_test(test_a_run_that_never_ends),
        cmocka_unit_test(test_a_run_of_a_collective),
        cmocka_unit_test(test_astra),
    };
    /* a name of this process alone, so that two runs on one machine do not meet */
    int file = mkstemp(FILE_NAME);
    if (file < 0 || close(file) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(FILE_NAME);
    return failed;
}
