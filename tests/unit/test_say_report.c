/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: what a job's columns hold for each outcome, and output in pieces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "say/report_impl.h"
#include "scenario_text.h"

/* One job on two servers, 50 steps of alexnet, its limit 1.5 times the unsplit time. */
static const char one_job[] =
    "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":2}},"
    "\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}],"
    "\"jobs\":[{\"graph\":\"a\",\"arrival\":1,\"steps\":50,\"max_jct_fraction\":1.5}]}";

static const char many_jobs[] =
    "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":4}},"
    "\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}],"
    "\"generator\":{\"count\":400,\"graphs\":[\"a\"],\"interarrival\":{\"fixed\":2},\"steps\":5}}";

static LpSession *open_session(const char *text, bool keep_events) {
    LpSession *session = NULL;
    LpDiag diag;
    LpScenario *scenario = load_text(text, NULL, 0);
    assert_int_equal(lp_session_open_with(scenario, &(LpSessionSpec){.keep_events = keep_events},
                                          &session, &diag),
                     LP_OK);
    return session;
}

static LpSession *finished(const char *text, bool keep_events) {
    LpSession *session = open_session(text, keep_events);
    bool stopped;
    assert_int_equal(lp_session_run(session, NULL, NULL, &stopped, NULL), LP_OK);
    return session;
}

static LpFactValue value(const LpSession *session, uint32_t job, const char *key) {
    LpReport report = lp_report_open(session, NULL, NULL);
    const LpFact *fact = lp_facts_find(&lp_job_facts, key);
    if (fact == NULL)
        fail_msg("no fact %s", key);
    return lp_fact_value(&lp_job_facts, fact, lp_world_job(report.world, job), &report.around);
}

static void expect_number(const LpSession *session, const char *key, double want) {
    LpFactValue v = value(session, 0, key);
    assert_int_equal(v.is, LP_FACT_REAL);
    if (fabs(v.real - want) > 1e-12 * fabs(want))
        fail_msg("%s is %.17g, expected %.17g", key, v.real, want);
}

static void expect_text(const LpSession *session, const char *key, const char *want) {
    LpFactValue v = value(session, 0, key);
    assert_int_equal(v.is, LP_FACT_TEXT);
    assert_string_equal(v.text, want);
}

static void expect_null(const LpSession *session, const char *const *keys) {
    for (; *keys != NULL; keys++)
        if (value(session, 0, *keys).is != LP_FACT_NULL)
            fail_msg("%s is not null", *keys);
}

static void answer(LpSession *session, LpAnswer a, LpEventKind want) {
    LpEvent event;
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(session, &a, &event, NULL), LP_OK);
    assert_int_equal(event.kind, want);
}

static LpAnswer wait_for(double seconds) {
    return (LpAnswer){
        .kind = LP_ANSWER_WAIT, .has_retry = true, .retry = seconds, .why = "not yet"};
}

static const LpAnswer run_unsplit = {.kind = LP_ANSWER_RUN, .degree = 1, .why = "now"};

static void run_out(LpSession *session) {
    bool stopped;
    assert_int_equal(lp_session_run(session, NULL, NULL, &stopped, NULL), LP_OK);
}

static double sequential(const LpSession *session) {
    return value(session, 0, "sequential_jct").real;
}

static double sequential_of(const char *text) {
    LpSession *session = finished(text, false);
    double seconds = sequential(session);
    lp_session_close(session);
    assert_true(seconds > 0);
    return seconds;
}

/* ---- columns ---- */

static const char *const forecast_keys[] = {
    "jct", "step_time", "communication_time", "computation_time",           "servers", "circuits",
    "ops", "deps",      "partition_degree",   "exposed_communication_time", NULL};

static void test_completed_after_waiting(void **state) {
    (void)state;
    double t = sequential_of(one_job);
    LpSession *s = open_session(one_job, false);
    answer(s, wait_for(0.25 * t), LP_EVENT_WAIT);
    answer(s, run_unsplit, LP_EVENT_START);
    run_out(s);
    expect_text(s, "outcome", "completed");
    expect_number(s, "arrival", 1);
    expect_number(s, "start", 1 + 0.25 * t);
    expect_number(s, "end", 1 + 1.25 * t);
    expect_number(s, "jct", 1.25 * t);
    expect_number(s, "wait", 0.25 * t);
    expect_number(s, "step_time", t / 50);
    expect_number(s, "computation_time", t);
    expect_number(s, "communication_time", 0);
    expect_number(s, "max_jct", 1.5 * t);
    expect_number(s, "degree", 1);
    expect_text(s, "why", "now");
    expect_text(s, "graph", "a");
    assert_int_equal(value(s, 0, "servers").items, 1);
    assert_int_equal(value(s, 0, "valid_degrees").items, 2);
    expect_null(s, (const char *const[]){"cause", NULL});
    lp_session_close(s);
}

static void test_deadline_holds_the_forecast(void **state) {
    (void)state;
    double t = sequential_of(one_job);
    LpSession *s = open_session(one_job, false);
    answer(s, wait_for(0.75 * t), LP_EVENT_WAIT);
    answer(s, run_unsplit, LP_EVENT_BLOCK);
    run_out(s);
    expect_text(s, "outcome", "blocked");
    expect_text(s, "cause", "deadline");
    expect_number(s, "jct", 1.75 * t); /* waiting counts */
    expect_number(s, "computation_time", t);
    assert_int_equal(value(s, 0, "servers").items, 1);
    expect_null(s, (const char *const[]){"start", "end", NULL});
    lp_session_close(s);
}

static void test_expired_has_no_forecast(void **state) {
    (void)state;
    LpSession *s = open_session(one_job, false);
    answer(s, (LpAnswer){.kind = LP_ANSWER_WAIT}, LP_EVENT_WAIT);
    run_out(s);
    expect_text(s, "cause", "deadline");
    expect_null(s, forecast_keys);
    expect_null(s, (const char *const[]){"start", "end", "degree", NULL});
    expect_number(s, "wait", 1.5 * sequential(s));
    lp_session_close(s);
}

static void test_declined_has_no_forecast(void **state) {
    (void)state;
    LpSession *s = open_session(one_job, false);
    answer(s, (LpAnswer){.kind = LP_ANSWER_DECLINE}, LP_EVENT_BLOCK);
    run_out(s);
    expect_text(s, "cause", "declined");
    expect_text(s, "why", "the policy declined the job"); /* the engine's sentence */
    expect_null(s, forecast_keys);
    lp_session_close(s);
}

static void test_running_at_the_horizon(void **state) {
    (void)state;
    static const char *const until[] = {"horizon=2", "options.horizon=published"};
    for (uint32_t published = 0; published < 2; published++) {
        LpSession *s = NULL;
        LpScenario *scenario = load_text(one_job, until, 1 + published);
        assert_int_equal(lp_session_open_with(scenario, &(LpSessionSpec){0}, &s, NULL), LP_OK);
        answer(s, run_unsplit, LP_EVENT_START);
        run_out(s);
        expect_number(s, "start", 1);
        expect_null(s, (const char *const[]){"end", NULL});
        expect_text(s, "outcome", published ? "blocked" : "unfinished");
        if (published)
            expect_number(s, "jct", sequential(s));
        else
            expect_null(s, forecast_keys);
        lp_session_close(s);
    }
}

/* ---- output in pieces ---- */

typedef struct Pieces {
    LpBuf all;
    int count, most; /* fails at the piece after `most` */
    size_t longest;
} Pieces;

static LpErr take_piece(void *user, const char *bytes, size_t len, LpDiag *diag) {
    Pieces *p = user;
    if (p->count == p->most)
        return lp_fail(diag, LP_EIO, "enough");
    p->count++;
    p->longest = len > p->longest ? len : p->longest;
    lp_buf_add_bytes(&p->all, bytes, len);
    return LP_OK;
}

static void test_pieces_are_the_whole(void **state) {
    (void)state;
    LpSession *s = finished(many_jobs, true);
    for (int kind = LP_REPORT_JSON; kind <= LP_REPORT_TRACE; kind++) {
        Pieces pieces = {.most = 100000};
        LpBuf whole = {0};
        assert_int_equal(lp_report_whole(s, (LpReportKind)kind, &whole, NULL), LP_OK);
        assert_int_equal(lp_report_write(s, (LpReportKind)kind, take_piece, &pieces, NULL), LP_OK);
        assert_string_equal(lp_buf_text(&whole), lp_buf_text(&pieces.all));
        assert_true(whole.len > 100);
        assert_true(pieces.longest < (1 << 16) + 4096);
        if (kind == LP_REPORT_JSON || kind == LP_REPORT_TRACE)
            assert_true(pieces.count > 1);
        lp_buf_fini(&whole);
        lp_buf_fini(&pieces.all);
    }
    lp_session_close(s);
}

static void test_a_failing_sink_ends_it(void **state) {
    (void)state;
    LpSession *s = finished(many_jobs, true);
    for (int kind = LP_REPORT_JSON; kind <= LP_REPORT_TRACE; kind++)
        for (int most = 0; most < 2; most++) {
            Pieces pieces = {.most = most};
            LpDiag diag = {0};
            LpErr err = lp_report_write(s, (LpReportKind)kind, take_piece, &pieces, &diag);
            if (most == 0 || kind == LP_REPORT_JSON || kind == LP_REPORT_TRACE) {
                assert_int_equal(err, LP_EIO);
                assert_string_equal(diag.text, "enough");
            }
            assert_int_equal(pieces.count, most);
            lp_buf_fini(&pieces.all);
        }
    lp_session_close(s);
}

/* It is of the run again: what the session kept makes no difference. */
static void test_trace_needs_no_events(void **state) {
    (void)state;
    LpSession *s = finished(one_job, false), *kept = finished(one_job, true);
    LpBuf out = {0}, same = {0};
    LpDiag diag;
    assert_int_equal(lp_report_whole(s, LP_REPORT_TRACE, &out, &diag), LP_OK);
    assert_int_equal(lp_report_whole(kept, LP_REPORT_TRACE, &same, &diag), LP_OK);
    assert_true(lp_buf_text(&out)[0] == '{');
    assert_string_equal(lp_buf_text(&out), lp_buf_text(&same));
    lp_buf_fini(&out);
    lp_buf_fini(&same);
    lp_session_close(s);
    lp_session_close(kept);
}

static void test_trace_of_one_unsplit_job(void **state) {
    (void)state;
    LpSession *s = open_session(one_job, true);
    LpBuf out = {0};
    answer(s, run_unsplit, LP_EVENT_START);
    run_out(s);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    assert_int_equal(lp_report_whole(s, LP_REPORT_TRACE, &out, NULL), LP_OK);
    uint32_t lines = 0, ops = 0;
    for (const char *at = lp_buf_text(&out); *at != '\0'; at = strchr(at, '\n') + 1) {
        lines++;
        ops += strstr(at, "\"kind\":\"op\"") != NULL &&
               strstr(at, "\"kind\":\"op\"") < strchr(at, '\n');
    }
    assert_int_equal(ops, job->placed.ops);
    assert_int_equal(lines, job->placed.ops + 3); /* arrival, start, completion */
    lp_buf_fini(&out);
    lp_session_close(s);
}

TEST_GROUP(test_say_report) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_completed_after_waiting),
        cmocka_unit_test(test_deadline_holds_the_forecast),
        cmocka_unit_test(test_expired_has_no_forecast),
        cmocka_unit_test(test_declined_has_no_forecast),
        cmocka_unit_test(test_running_at_the_horizon),
        cmocka_unit_test(test_pieces_are_the_whole),
        cmocka_unit_test(test_a_failing_sink_ends_it),
        cmocka_unit_test(test_trace_needs_no_events),
        cmocka_unit_test(test_trace_of_one_unsplit_job),
    };
    return cmocka_run_group_tests_name("run_report", tests, NULL, NULL);
}
