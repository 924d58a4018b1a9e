/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one blocking rate that can be solved on paper: jobs 16 ways on 32 ideal servers. */
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

#include "golden.h"
#include "group.h"

/* Two slots of 16 servers; a job arrives every 200 s. Four of five graphs are big: they hold a slot
 * for more than 400 and less than 600 s, so the next two arrivals find it held; the fifth, of the
 * zoo, is gone before the next one. So an arrival is lost iff the two before it were both admitted
 * and big. Let (a, b) say that of the last arrival and of the one before it. With p = 4/5:
 *   (1, 1) = p (1, 0)   (0, 1) = (1 - p) (1, 0) + (1, 1)   (1, 0) = p ((0, 0) + (0, 1))
 * hence (0, 1) = (1, 0), (0, 0) = (1 / p - 1) (1, 0), and (1, 1) = p^2 / (1 + p + p^2). */
static const double BLOCKED = 0.64 / 2.44;
static const double TOLERANCE = 0.002; /* of all runs; of a share of them it grows with the root */
enum { RUNS = 8, ARRIVALS = 130000, SMALL = 0 /* of the graphs */ };

static void add_graphs(LpBuf *text) {
    static const char *const big[] = {"chain12", "diamond9", "skip16", "wide14"};
    char cwd[1024];
    assert_non_null(getcwd(cwd, sizeof cwd));
    lp_buf_add(text, "\"graphs\": [ { \"id\": \"small\", \"zoo\": \"alexnet\" }");
    for (size_t g = 0; g < LP_COUNTOF(big); g++)
        lp_buf_addf(text,
                    ", { \"id\": \"%s\", \"file\": \"%s/%s/%s.txt\", \"format\": \"pipedream\", "
                    "\"time_unit\": \"s\" }",
                    big[g], cwd, OPEN, big[g]);
    lp_buf_add(text, " ],\n");
}

static LpSession *open_run(int seed) {
    LpBuf text = {0};
    lp_buf_addf(&text,
                "{ \"lightpath\": 1, \"seed\": %d, \"semantics\": \"published\", \"cluster\": { "
                "\"fabric\": \"ideal\", \"ideal\": { \"servers\": 32, \"node_bandwidth\": 1.6e12, "
                "\"latency\": 50e-9, \"io_latency\": 100e-9 }, \"server\": { \"device\": \"A100\" "
                "} },\n",
                seed);
    add_graphs(&text);
    lp_buf_addf(&text,
                "\"generator\": { \"count\": %d, \"graphs\": [\"small\", \"chain12\", "
                "\"diamond9\", \"skip16\", \"wide14\"], \"sampling\": \"replace\", "
                "\"interarrival\": { \"fixed\": 200 }, \"steps\": 50 },\n"
                "\"partition\": { \"max_degree\": 16, \"min_op_time\": 1e-9 } }\n",
                ARRIVALS);
    LpSession *session = golden_open_text(lp_buf_text(&text), NULL, NULL);
    lp_buf_fini(&text);
    assert_non_null(session);
    return session;
}

/* Every job is asked for 16 ways. */
static void run(LpSession *session) {
    const LpAnswer sixteen = {.kind = LP_ANSWER_RUN, .degree = 16};
    LpEvent event;
    for (;;) {
        assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
        if (lp_world_due(lp_session_world(session)) == LP_NO_INDEX)
            return;
        assert_int_equal(lp_session_answer(session, &sixteen, &event, NULL), LP_OK);
    }
}

/* The premises: 16 servers each, and how long a slot is held. */
static void check_jobs(const LpSession *session) {
    const LpWorld *world = lp_session_world(session);
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->outcome == LP_JOB_COMPLETED) {
            assert_int_equal(job->placed.servers, 16);
            assert_true(job->graph == SMALL ? job->forecast.jct < 200
                                            : job->forecast.jct > 400 && job->forecast.jct < 600);
        } else {
            assert_true(job->cause == LP_CAUSE_REFUSED || job->cause == LP_CAUSE_HORIZON);
        }
    }
}

static void blocking_is_what_the_chain_says(void **state) {
    (void)state;
    double arrived = 0, blocked = 0;
    const int runs = (int)test_share(RUNS);
    const double tolerance = TOLERANCE * sqrt((double)RUNS / runs);
    for (int seed = 1; seed <= runs; seed++) {
        LpSession *session = open_run(seed);
        run(session);
        check_jobs(session);
        const LpTally *tally = lp_world_tally(lp_session_world(session));
        arrived += (double)tally->arrived;
        blocked += (double)tally->blocked;
        lp_session_close(session);
    }
    printf("# %.5f of %.0f arrivals blocked, expected %.5f\n", blocked / arrived, arrived, BLOCKED);
    assert_true(arrived >= 1e6 * runs / RUNS);
    assert_true(blocked / arrived > BLOCKED - tolerance && blocked / arrived < BLOCKED + tolerance);
}

TEST_GROUP(test_ideal) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocking_is_what_the_chain_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
