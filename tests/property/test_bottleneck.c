/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job's time went adds up to its JCT, and a knob turned says what a cluster built that way
 * would have done. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/bottleneck.h"
#include "ask/inspect/story.h"
#include "group.h"

static LpSession *open_run(const char *scenario, const char *policy, uint32_t sets,
                           const char *const *set) {
    LpSessionSpec spec = {.scenario = scenario,
                          .policy = policy,
                          .sets = sets,
                          .set = set,
                          .keep_events = true,
                          .keep_explain = true};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void check_sums(const char *scenario, const char *policy, uint32_t sets,
                       const char *const *set) {
    LpSession *s = open_run(scenario, policy, sets, set);
    const LpWorld *w = lp_session_world(s);
    LpBottleneck b;
    LpDiag diag = {0};
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    for (uint32_t i = 0; i < lp_world_jobs(w); i++) {
        const LpJob *job = lp_world_job(w, i);
        double sum = 0, most = 0;
        if (lp_bottleneck(s, i, &b, &diag) != LP_OK)
            fail_msg("%s, job %u: %s", scenario, (unsigned)i, diag.text);
        for (int k = 0; k < LP_TIME_COUNT; k++) {
            assert_true(b.time.part[k] >= -1e-9 * fmax(1, b.time.length));
            most = fmax(most, b.time.part[k]);
            sum += b.time.part[k];
        }
        if (fabs(sum - b.time.length) > 1e-9 * fmax(1, b.time.length))
            fail_msg("%s, job %u: its parts are %.17g s of %.17g s", scenario, (unsigned)i, sum,
                     b.time.length);
        assert_true(b.time.part[b.most] == most);
        if (job->outcome == LP_JOB_COMPLETED)
            assert_true(b.time.length == job->times.end - job->asked.arrival);
        /* in the dark it has no step; what is faster may still come in a worse order */
        for (int k = 0; !isnan(b.alone) && k <= LP_KNOB_LATENCY; k++)
            assert_true(b.knob[k] > b.alone / 2.001 && b.knob[k] < b.alone * 1.5);
    }
    assert_true(lp_world_jobs(w) > 0);
    lp_session_close(s);
}

static void test_sums(void **state) {
    static const char *const set[] = {"generator.count=60", "queue_capacity=5"};
    (void)state;
    check_sums("scenarios/pac-ml-32.json", NULL, 1, set);
    check_sums("scenarios/pac-ml-32.json", "strict_fifo.lua", 2, set);
    check_sums("scenarios/pac-ml-32.json", "max_parallelism.lua", 1, set);
    check_sums("scenarios/pac-ml-32.json", "las_preempt.lua", 2, set);
    check_sums("scenarios/pac-ml-32.json", "defragment.lua", 1, set);
}

/* On every fabric: jobs on shared links, circuits that come and go, sites, slices, failures with
 * checkpoints, jobs that still run or wait. */
static void test_fabrics(void **state) {
    static const char *const set[] = {"horizon=\"900 s\""};
    static const char *const all[] = {"leaf-spine",   "zones",        "zones-servers",
                                      "ocs-failures", "pod-failures", "optics-vs-packets",
                                      "pac-ml-32",    "rigid",        "transformers"};
    char path[64];
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(all); i++) {
        snprintf(path, sizeof path, "scenarios/%s.json", all[i]);
        check_sums(path, NULL, 0, NULL);
        check_sums(path, NULL, 1, set);
        check_sums(path, i < 4 ? "las_preempt.lua" : "strict_fifo.lua", 0, NULL);
    }
}

/* The first job, 8 ways. */
static double first_step(const char *set, LpBottleneck *b) {
    const char *const sets[] = {set};
    LpSession *s = open_run("scenarios/pac-ml-32.json", NULL, set != NULL, sets);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 8};
    LpEvent event;
    LpDiag diag;
    assert_int_equal(lp_session_to_decision(s, &event, &diag), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, &diag), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
    assert_int_equal(lp_bottleneck(s, 0, b, &diag), LP_OK);
    double step = lp_world_job(lp_session_world(s), 0)->forecast.step_time;
    assert_true(b->step_time == step);
    lp_session_close(s);
    return step;
}

static void test_knobs(void **state) {
    LpBottleneck b, other;
    (void)state;
    double step = first_step(NULL, &b);
    assert_true(first_step("cluster.ramp.node_bandwidth=\"3.2 TB/s\"", &other) ==
                b.knob[LP_KNOB_BANDWIDTH]);
    assert_true(first_step("cluster.ramp.slot=\"10 ns\"", &other) == b.knob[LP_KNOB_SLOT]);
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        assert_false(b.knob[b.help] > b.knob[k]);
    assert_true(b.help >= 0 && b.knob[b.help] < step);
}

static void expect_text(LpSession *s, uint32_t job, const char *words) {
    LpBuf out = {0};
    LpDiag diag;
    assert_int_equal(lp_story_text(s, job, NULL, NULL, &out, &diag), LP_OK);
    if (strstr(lp_buf_text(&out), words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", lp_buf_text(&out), words);
    lp_buf_fini(&out);
}

static void test_story(void **state) {
    LpSession *s = open_run("scenarios/rigid.json", NULL, 0, NULL);
    LpBuf out = {0};
    LpBottleneck b;
    LpDiag diag = {0};
    bool stopped;
    (void)state;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    expect_text(s, 0, "completed, JCT 3600 s");
    expect_text(s, 0, "never used before");
    expect_text(s, 2, "blocked, no_placement");
    assert_int_equal(lp_bottleneck(s, 0, &b, &diag), LP_OK);
    assert_int_equal(b.most, LP_TIME_COMPUTING);
    assert_int_equal(b.help, -1);
    assert_int_equal(lp_story_json(s, 2, NULL, NULL, &out, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&out), "\"knobs\":null"));
    assert_int_equal(lp_story_text(s, 99, NULL, NULL, &out, &diag), LP_ERANGE);
    assert_int_equal(lp_bottleneck(s, 99, &b, &diag), LP_ERANGE);
    lp_buf_fini(&out);
    lp_session_close(s);
}

TEST_GROUP(test_bottleneck) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_fabrics),
        cmocka_unit_test(test_knobs),
        cmocka_unit_test(test_story),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
