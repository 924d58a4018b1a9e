/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stopping, resuming, moving and resizing jobs: finished steps are kept, a checkpoint is paid for,
 * servers go where they should, and bad actions change nothing. */
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
#include "session/session.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

/* One op of 1 s forward and 1 s backward, 1 GB of parameters, nothing to send: a step takes 2 s on
 * one server, 1 s on two, and a checkpoint of 4 GB at 1 GB/s and no latency takes 4 s. */
static const char profile[] =
    "{ \"lightpath_profile\": 1, \"ops\": [ { \"id\": 1, \"forward\": 1, \"backward\": 1, "
    "\"activation\": 0, \"parameters\": 1e9 } ], \"edges\": [] }";

static LpSession *open_jobs(const char *jobs) {
    char graph[] = "/tmp/lightpath-actions-XXXXXX", file[] = "/tmp/lightpath-actions-XXXXXX";
    char text[2048];
    LpSession *s = NULL;
    LpDiag diag = {0};
    int g = mkstemp(graph), f = mkstemp(file);
    assert_true(g >= 0 && f >= 0);
    assert_int_equal(write(g, profile, sizeof profile - 1), sizeof profile - 1);
    int len = snprintf(text, sizeof text,
                       "{ \"lightpath\": 1, \"name\": \"actions\", \"cluster\": { \"fabric\": "
                       "\"ideal\", \"ideal\": { \"servers\": 4, \"node_bandwidth\": 1e9, "
                       "\"latency\": 0, \"io_latency\": 0 } }, \"graphs\": [ { \"id\": \"one\", "
                       "\"file\": \"%s\", \"format\": \"lightpath\" } ], \"jobs\": [ %s ], "
                       "\"partition\": { \"max_degree\": 4, \"min_op_time\": 0.1 } }",
                       graph, jobs);
    assert_int_equal(write(f, text, (size_t)len), len);
    close(g);
    close(f);
    LpSessionSpec spec = {.scenario = file, .keep_events = true};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        printf("# %s\n", diag.text);
    unlink(graph);
    unlink(file);
    assert_non_null(s);
    return s;
}

static void start(LpSession *s, uint32_t degree) {
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
}

static LpCause act(LpSession *s, const LpAction *action, LpEvent *event, const char *words) {
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    uint64_t before = lp_session_hash(s);
    assert_int_equal(lp_session_act(s, action, event, &cause, reason, NULL), LP_OK);
    if (cause != LP_CAUSE_NONE) {
        assert_true(lp_session_hash(s) == before);
        if (words == NULL || strstr(reason, words) == NULL)
            fail_msg("\"%s\"", reason);
    } else {
        assert_null(words);
    }
    return cause;
}

static const LpJob *job(LpSession *s, uint32_t id) {
    return lp_world_job(lp_session_world(s), id);
}

static void to_end(LpSession *s) {
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, NULL), LP_OK);
}

static const char two[] = "{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 10 }, "
                          "{ \"graph\": \"one\", \"arrival\": 5, \"steps\": 1 }";

/* At 5 s job 0 (2 s a step on one server) has finished two steps; the third one is lost. */
static void preempted_jobs_keep_whole_steps(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    start(s, 1);
    assert_true(job(s, 0)->times.forecast_end == 20);
    start(s, 1); /* job 1 at 5 s */
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_PREEMPT, .job = 0}, &event, NULL), 0);
    assert_int_equal(event.kind, LP_EVENT_PREEMPT);
    assert_int_equal(job(s, 0)->outcome, LP_JOB_WAITING);
    assert_true(job(s, 0)->work.steps_done == 2);
    assert_true(job(s, 0)->work.attained == 5);
    assert_int_equal(lp_world_free_servers(lp_session_world(s)), 3);
    /* job 1 ends at 7 s; held jobs are not offered by that */
    assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_COMPLETION);
    assert_int_equal(job(s, 0)->outcome, LP_JOB_WAITING);
    /* the default policy resumes it on four servers: 4 GB at 4 GB/s, then 8 steps of 0.5 s */
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_RESUME, .job = 0}, &event, NULL), 0);
    assert_int_equal(job(s, 0)->outcome, LP_JOB_RUNNING);
    assert_true(job(s, 0)->times.running_since == 8);
    assert_true(job(s, 0)->times.forecast_end == 12);
    assert_true(job(s, 0)->times.wait == 2);
    to_end(s);
    assert_true(job(s, 0)->times.end == 12);
    assert_int_equal(job(s, 0)->outcome, LP_JOB_COMPLETED);
    assert_true(job(s, 0)->work.past_busy == 20); /* ten steps of 2 server-seconds */
    lp_session_close(s);
}

/* A rigid job has no steps to lose a part of: after 4 of 10 s six are left, wherever it goes on. */
static void rigid_jobs_keep_their_progress(void **state) {
    (void)state;
    LpSession *s = open_jobs("{ \"servers\": 2, \"duration\": 10, \"arrival\": 0 }, "
                             "{ \"servers\": 1, \"duration\": 1, \"arrival\": 4 }");
    LpEvent event;
    static const uint32_t other[] = {2, 3};
    start(s, 0);
    start(s, 0); /* job 1 at 4 s, on server 2 */
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_PREEMPT, .job = 0}, &event, NULL), 0);
    assert_true(fabs(job(s, 0)->work.steps_done - 0.4) < 1e-12);
    assert_true(job(s, 0)->work.held_area == 8);
    assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_COMPLETION); /* of job 1, at 5 s */
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_RESUME, .job = 0}, &event, NULL), 0);
    assert_true(job(s, 0)->times.running_since == 5);
    assert_true(fabs(job(s, 0)->times.forecast_end - 11) < 1e-9);
    LpAction move = {.kind = LP_ACTION_MIGRATE, .job = 0, .servers = 2, .server = other};
    assert_int_equal(act(s, &move, &event, NULL), 0);
    assert_true(fabs(job(s, 0)->times.forecast_end - 11) < 1e-9);
    to_end(s);
    assert_true(fabs(job(s, 0)->times.end - 11) < 1e-9);
    lp_session_close(s);
}

static void resized_jobs_pay_their_checkpoint(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    start(s, 1);
    start(s, 1);
    /* at 5 s: 4 GB over the fewer of 1 and 2 servers, 4 s; 8 steps of 1 s from 9 s */
    assert_int_equal(
        act(s, &(LpAction){.kind = LP_ACTION_RESIZE, .job = 0, .degree = 2}, &event, NULL), 0);
    assert_int_equal(event.kind, LP_EVENT_MOVE);
    assert_int_equal(job(s, 0)->placed.servers, 2);
    assert_true(job(s, 0)->work.held_area == 5); /* on the one server it had */
    assert_true(job(s, 0)->times.running_since == 9);
    to_end(s);
    assert_true(job(s, 0)->times.end == 17);
    assert_int_equal(lp_world_free_servers(lp_session_world(s)), 4);
    lp_session_close(s);
}

static void migrated_jobs_change_servers(void **state) {
    (void)state;
    const uint32_t to[] = {3}, taken[] = {1};
    LpSession *s = open_jobs(two);
    LpEvent event;
    start(s, 1);
    start(s, 1);
    assert_int_equal(
        act(s, &(LpAction){.kind = LP_ACTION_MIGRATE, .job = 0, .servers = 1, .server = taken},
            &event, "server 1 already runs job 1"),
        LP_CAUSE_REFUSED);
    assert_int_equal(job(s, 0)->placed.first_server, 0);
    assert_int_equal(
        act(s, &(LpAction){.kind = LP_ACTION_MIGRATE, .job = 0, .servers = 1, .server = to}, &event,
            NULL),
        0);
    assert_int_equal(job(s, 0)->placed.first_server, 3);
    assert_int_equal(lp_world_server(lp_session_world(s), 0)->job, LP_NO_INDEX);
    assert_int_equal(lp_world_server(lp_session_world(s), 0)->last_job, 0);
    to_end(s);
    assert_true(job(s, 0)->times.end == 5 + 4 + 16);
    assert_int_equal(job(s, 0)->stops.moves, 1);
    lp_session_close(s);
}

static void bad_actions_change_nothing(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    start(s, 1);
    start(s, 1);
    const struct {
        LpAction action;
        const char *words;
    } bad[] = {
        {{.kind = LP_ACTION_PREEMPT, .job = 9}, "there is no job 9"},
        {{.kind = LP_ACTION_RESUME, .job = 0}, "job 0 is running, not waiting"},
        {{.kind = LP_ACTION_MIGRATE, .job = 0}, "no servers named"},
        {{.kind = LP_ACTION_RESIZE, .job = 0, .degree = 9}, "degree 9 is above"},
        {{.kind = LP_ACTION_RESIZE, .job = 0, .degree = 4}, "4 servers needed, 3 free"},
        {{.kind = LP_ACTION_REGROUP}, "has no links to regroup"},
        {{.kind = LP_ACTION_WAKE, .at = 5}, "a time after now"},
        {{.kind = LP_ACTION_WAKE, .at = (double)NAN}, "a time after now"},
    };
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        assert_true(act(s, &bad[i].action, &event, bad[i].words) != LP_CAUSE_NONE);
    to_end(s);
    assert_true(job(s, 0)->times.end == 20);
    lp_session_close(s);
}

/* Servers that come free in the middle of an instant are offered at once. */
static void preempting_lets_waiting_jobs_in(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    start(s, 4);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_true(lp_world_now(lp_session_world(s)) == 5);
    /* job 0 has ended its ten steps of 0.5 s: nothing to preempt, job 1 may run */
    assert_int_equal(job(s, 0)->outcome, LP_JOB_COMPLETED);
    assert_int_equal(lp_session_answer(s, &wait, &event, NULL), LP_OK);
    lp_session_close(s);

    s = open_jobs("{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 100 }, "
                  "{ \"graph\": \"one\", \"arrival\": 5, \"steps\": 1 }");
    start(s, 4);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &wait, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_WAIT);
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_PREEMPT, .job = 0}, &event, NULL), 0);
    assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_OFFER);
    assert_int_equal(event.job, 1);
    assert_true(event.time == 5);
    lp_session_close(s);
}

/* One that waits without having been stopped is decided anew, too, and may wait on. */
static void waiting_jobs_can_be_offered(void **state) {
    (void)state;
    LpSession *s = open_jobs("{ \"graph\": \"one\", \"arrival\": 0, \"steps\": 100 }, "
                             "{ \"graph\": \"one\", \"arrival\": 5, \"steps\": 1 }");
    LpEvent event;
    LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    start(s, 1);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &wait, &event, NULL), LP_OK);
    uint64_t offers = lp_world_tally(lp_session_world(s))->offers;
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_RESUME, .job = 1}, &event, NULL), 0);
    assert_int_equal(lp_world_tally(lp_session_world(s))->offers, offers + 1);
    assert_int_equal(job(s, 1)->outcome, LP_JOB_RUNNING); /* the default policy takes the room */
    lp_session_close(s);
}

static void wake_comes_at_its_time(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    start(s, 1);
    assert_int_equal(act(s, &(LpAction){.kind = LP_ACTION_WAKE, .at = 3.5}, &event, NULL), 0);
    assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_WAKE);
    assert_true(event.time == 3.5);
    lp_session_close(s);
}

/* Orders of offers are checked, and the policy's data survive growth, clones and the hash. */
/* A policy that asks again a nanosecond later would keep the run going for ever; the clock moves
 * each time, so that only their number gives it away. */
static void retries_do_not_go_on_for_ever(void **state) {
    (void)state;
    LpSession *s = open_jobs(two);
    LpEvent event;
    LpAnswer later = {.kind = LP_ANSWER_WAIT, .has_retry = true, .retry = 1e-12};
    uint32_t asked = 0;
    start(s, 1);
    do {
        assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
        assert_int_equal(lp_session_answer(s, &later, &event, NULL), LP_OK);
        asked++;
    } while (event.kind == LP_EVENT_WAIT && asked < 2 * LP_QUIET_MAX);
    assert_int_equal(asked, LP_QUIET_MAX + 1);
    assert_int_equal(event.kind, LP_EVENT_BLOCK);
    assert_int_equal(job(s, 1)->cause, LP_CAUSE_REFUSED);
    assert_non_null(strstr(lp_session_why(s, 1).reason, "retries and wakes"));
    to_end(s);
    assert_true(job(s, 0)->times.end == 20);
    lp_session_close(s);
}

static void the_image_carries_a_policy_s_data(void **state) {
    (void)state;
    char bytes[LP_POLICY_MEM + 1];
    LpSession *s = open_jobs(two);
    LpWorld *w = lp_world_clone(lp_session_world(s), NULL);
    size_t len;
    uint64_t empty = lp_world_hash(w);
    memset(bytes, 'x', sizeof bytes);
    assert_int_equal(lp_world_set_mem(w, bytes, sizeof bytes, NULL), LP_ELIMIT);
    assert_true(lp_world_hash(w) == empty);
    assert_int_equal(lp_world_set_mem(w, bytes, LP_POLICY_MEM, NULL), LP_OK);
    assert_true(lp_world_hash(w) != empty);
    LpWorld *copy = lp_world_clone(w, NULL);
    assert_memory_equal(lp_world_mem(copy, &len), bytes, LP_POLICY_MEM);
    assert_int_equal(len, LP_POLICY_MEM);
    assert_int_equal(lp_world_set_mem(w, NULL, 0, NULL), LP_OK);
    assert_true(lp_world_hash(w) == empty);
    const uint32_t jobs[] = {0};
    assert_int_equal(lp_world_order_queue(w, jobs, 1, NULL), LP_ESTATE);
    lp_world_free(copy);
    lp_world_free(w);
    lp_session_close(s);
}

/* Traces, policies, breakpoints and messages know a kind of event by its name. */
static void every_kind_of_event_has_a_name(void **state) {
    (void)state;
    for (int kind = 0; kind < LP_EVENT_COUNT; kind++) {
        const char *name = lp_event_name((LpEventKind)kind);
        assert_true(name != NULL && name[0] != '\0');
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(name, lp_event_name((LpEventKind)other));
    }
}

TEST_GROUP(test_sim_actions) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_of_event_has_a_name),
                                       cmocka_unit_test(preempted_jobs_keep_whole_steps),
                                       cmocka_unit_test(rigid_jobs_keep_their_progress),
                                       cmocka_unit_test(resized_jobs_pay_their_checkpoint),
                                       cmocka_unit_test(migrated_jobs_change_servers),
                                       cmocka_unit_test(bad_actions_change_nothing),
                                       cmocka_unit_test(preempting_lets_waiting_jobs_in),
                                       cmocka_unit_test(waiting_jobs_can_be_offered),
                                       cmocka_unit_test(wake_comes_at_its_time),
                                       cmocka_unit_test(retries_do_not_go_on_for_ever),
                                       cmocka_unit_test(the_image_carries_a_policy_s_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
