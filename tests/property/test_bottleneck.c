/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job's time went adds up to its JCT, and a knob turned says what a cluster built that way
 * would have done. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "run/inspect/bottleneck.h"
#include "run/inspect/story.h"

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
    uint32_t completed = 0;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    for (uint32_t i = 0; i < lp_world_jobs(w); i++) {
        const LpJob *job = lp_world_job(w, i);
        LpErr err = lp_bottleneck(s, i, &b, &diag);
        if (job->start >= 0)
            assert_int_equal(err, LP_OK);
        else
            assert_int_equal(err, LP_ESTATE);
        if (job->outcome != LP_JOB_COMPLETED || job->preemptions + job->moves > 0)
            continue;
        double sum = 0;
        for (int k = 0; k < LP_SPENT_COUNT; k++) {
            assert_true(b.spent[k] >= -1e-9);
            sum += b.spent[k];
        }
        double jct = job->end - job->arrival;
        assert_true(fabs(sum - jct) <= 1e-6 * jct);
        for (int k = 0; k < LP_KNOB_COUNT; k++)
            assert_true(b.knob[k] > 0);
        completed++;
    }
    assert_true(completed > 5);
    lp_session_close(s);
}

static void test_sums(void **state) {
    static const char *const set[] = {"generator.count=60", "queue_capacity=5"};
    (void)state;
    check_sums("scenarios/pac-ml-32.json", NULL, 1, set);
    check_sums("scenarios/pac-ml-32.json", "strict_fifo.lua", 2, set);
    check_sums("scenarios/pac-ml-32.json", "max_parallelism.lua", 1, set);
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
    double step = lp_world_job(lp_session_world(s), 0)->step_time;
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
        assert_true(b.help < 0 || b.knob[b.help] <= b.knob[k]);
    assert_true(b.help >= 0 && b.knob[b.help] < step);
}

static void expect_text(LpSession *s, uint32_t job, const char *words) {
    LpBuf out = {0};
    LpDiag diag;
    assert_int_equal(lp_story_text(s, job, &out, &diag), LP_OK);
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
    assert_int_equal(b.most, LP_SPENT_COMPUTE);
    assert_int_equal(b.help, -1);
    assert_int_equal(lp_story_json(s, 2, &out, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&out), "\"spent\":null"));
    assert_int_equal(lp_story_text(s, 99, &out, &diag), LP_ERANGE);
    assert_int_equal(lp_bottleneck(s, 99, &b, &diag), LP_ERANGE);
    lp_buf_fini(&out);
    lp_session_close(s);
}

TEST_GROUP(test_bottleneck) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_knobs),
        cmocka_unit_test(test_story),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
