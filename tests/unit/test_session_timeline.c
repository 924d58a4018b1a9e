/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time lines of sessions: forks, names, errors, conditions under which nothing may change. */
#include <unistd.h>

#include "../tiny.h"
#include "group.h"

#include "ask/whatif/candidates.h"
#include "session/replay.h"

static const char counting[] = "local policy = { name = 'counting', api = 1, params = { most = { "
                               "default = 4, doc = 'd' } } }\n"
                               "function policy:partition(job, cluster)\n"
                               "  self.mem.calls = (self.mem.calls or 0) + 1\n"
                               "  return self.p.most, 'call ' .. self.mem.calls\n"
                               "end\n"
                               "return policy\n";

static LpSession *open_run(bool timeline) {
    static const char *const sets[] = {"generator.count=40"};
    char path[] = "/tmp/lightpath-counting-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, counting, sizeof counting - 1), sizeof counting - 1);
    close(fd);
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .policy = path,
                          .sets = 1,
                          .set = sets,
                          .keep_timeline = timeline};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void close_run(LpSession *s) {
    LpDiag ignored;
    if (lp_session_branches(s) > 0)
        assert_int_equal(lp_session_switch(s, 0, &ignored), LP_OK);
    unlink(lp_session_policy_path(s));
    lp_session_close(s);
}

static void decide(LpSession *s, uint64_t decisions) {
    LpEvent event;
    LpDiag diag;
    while (lp_world_tally(lp_session_world(s))->decisions < decisions)
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
}

static const char *last_why(const LpSession *s) {
    return lp_session_why(s, lp_world_jobs(lp_session_world(s)) - 1).why;
}

/* The session counts the calls where no rewind reaches; the script counts in its data, which goes
 * back with the run. */
static void going_back_asks_nobody(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    const LpCandidate *table;
    uint32_t count;
    decide(s, 10);
    assert_string_equal(last_why(s), "call 10");
    uint64_t tip = lp_session_tip(s, 0), calls = lp_session_policy_record(s)->calls;
    assert_true(calls >= 10);
    for (uint64_t step = 0; step <= tip; step++) {
        assert_int_equal(lp_session_seek(s, (step * 7) % tip, &diag), LP_OK);
        assert_int_equal(lp_session_candidates(s, &table, &count, &diag), LP_OK);
    }
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 3, &tip, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, tip, &diag), LP_OK);
    const LpAnswer *pending = lp_session_pending(s, &diag);
    assert_non_null(pending);
    assert_string_equal(pending->why, "call 4");
    assert_int_equal(lp_session_policy_record(s)->calls, calls);
    decide(s, 11);
    assert_string_equal(last_why(s), "call 11");
    assert_int_equal(lp_session_policy_record(s)->calls, calls + 1);
    close_run(s);
}

static void the_past_is_not_changed(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    uint64_t step;
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
    LpAction action = {.kind = LP_ACTION_WAKE, .at = 1e9};
    LpCondition condition = {.kind = LP_CONDITION_DEADLINE, .value = 2};
    decide(s, 5);
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 2, &step, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, &diag), LP_ESTATE);
    assert_non_null(strstr(diag.text, "fork"));
    assert_int_equal(lp_session_act(s, &action, &event, &cause, reason, &diag), LP_ESTATE);
    assert_non_null(strstr(diag.text, "fork"));
    assert_int_equal(lp_session_change(s, &condition, &event, &diag), LP_ESTATE);
    assert_non_null(strstr(diag.text, "fork"));
    assert_int_equal(lp_session_seek(s, lp_session_tip(s, 0), &diag), LP_OK);
    assert_true(lp_session_hash(s) == hash);
    close_run(s);
}

static void moments_out_of_range(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    uint64_t step = 77;
    LpWorld *world;
    assert_int_equal(lp_session_back(s, &diag), LP_ERANGE);
    assert_int_equal(lp_session_back_decision(s, &diag), LP_ERANGE);
    assert_int_equal(lp_session_seek(s, 1, &diag), LP_ERANGE);
    assert_int_equal(lp_session_world_at(s, (LpMoment){0, 1}, &world, &diag), LP_ERANGE);
    assert_int_equal(lp_session_world_at(s, (LpMoment){1, 0}, &world, &diag), LP_ERANGE);
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, -1, &step, &diag), LP_ERANGE);
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 1e6, &step, &diag), LP_ERANGE);
    assert_int_equal(lp_session_find(s, LP_SEEK_JOB_FIRST, 4000, &step, &diag), LP_ERANGE);
    assert_int_equal(step, 77);
    assert_int_equal(lp_session_moment(s).step, 0); /* it was played, and came back */
    assert_true(lp_session_tip(s, 0) > 80);
    assert_int_equal(lp_session_find(s, LP_SEEK_JOB_LAST, 5, &step, &diag), LP_OK);
    LpMomentFacts facts;
    assert_int_equal(lp_session_moment_facts(s, (LpMoment){0, step}, &facts), LP_OK);
    assert_int_equal(facts.due, 5);
    assert_int_equal(lp_session_find(s, LP_SEEK_EVENT, 20, &step, &diag), LP_OK);
    assert_int_equal(lp_session_moment_facts(s, (LpMoment){0, step}, &facts), LP_OK);
    assert_int_equal(facts.events, 21);
    assert_int_equal(lp_session_find(s, LP_SEEK_TIME, facts.time, &step, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_true(lp_world_now(lp_session_world(s)) == facts.time);
    close_run(s);
}

static void forks_that_fail_change_nothing(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    uint32_t branch = 9;
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
    static const char *const wrong[] = {"moost=3"};
    decide(s, 5);
    uint64_t hash = lp_session_hash(s);
    LpForkSpec specs[] = {{.answer = &answer},
                          {.policy = "no_such_policy.lua"},
                          {.params = 1, .param = wrong},
                          {.name = "main"}};
    for (size_t i = 0; i < LP_COUNTOF(specs); i++) {
        assert_int_not_equal(lp_session_fork(s, &specs[i], &branch, &diag), LP_OK);
        assert_int_equal(branch, 9);
        assert_int_equal(lp_session_branches(s), 1);
        assert_true(lp_session_at_tip(s));
        assert_true(lp_session_hash(s) == hash);
    }
    decide(s, 6);
    /* from a moment of the past: the branch takes its world, and has to give it back */
    uint64_t tip = lp_session_tip(s, 0), step, there;
    uint64_t tip_hash = lp_session_hash(s);
    LpCondition nowhere = {.kind = LP_CONDITION_FAIL_SERVER, .value = 1e6};
    LpForkSpec past[] = {{.answer = &answer, .condition = &nowhere}, {.condition = &nowhere}};
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 3, &step, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    there = lp_session_hash(s);
    for (size_t i = 0; i < LP_COUNTOF(past); i++) {
        assert_int_not_equal(lp_session_fork(s, &past[i], &branch, &diag), LP_OK);
        assert_int_equal(lp_session_branches(s), 1);
        assert_int_equal(lp_session_moment(s).step, step);
        assert_true(lp_session_hash(s) == there);
    }
    assert_int_equal(lp_session_seek(s, tip, &diag), LP_OK);
    assert_true(lp_session_hash(s) == tip_hash);
    decide(s, 7);
    close_run(s);
}

static void branches_have_names(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    LpEvent event;
    uint32_t first, second;
    uint64_t step;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 8};
    LpBranchInfo info;
    decide(s, 6);
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 4, &step, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    LpForkSpec fork = {.answer = &answer};
    assert_int_equal(lp_session_fork(s, &fork, &first, &diag), LP_OK);
    assert_int_equal(lp_session_branch(s, first, &info), LP_OK);
    assert_string_equal(info.name, "d4 degree=8");
    assert_string_equal(info.what, "degree=8");
    assert_int_equal(info.forked_at, step);
    assert_int_equal(info.tip, step + 1);
    assert_int_equal(info.records, 1);
    assert_int_equal(lp_session_fork(s, &(LpForkSpec){0}, &second, &diag), LP_OK);
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_int_equal(lp_session_rename(s, second, "d4 degree=8", &diag), LP_EINVAL);
    assert_int_equal(lp_session_rename(s, second, "", &diag), LP_EINVAL);
    assert_int_equal(lp_session_rename(s, second, "mine", &diag), LP_OK);
    assert_int_equal(lp_session_branch_find(s, "mine"), (int)second);
    assert_int_equal(lp_session_delete(s, 0, &diag), LP_ESTATE);
    assert_int_equal(lp_session_delete(s, second, &diag), LP_ESTATE); /* the current one */
    assert_int_equal(lp_session_delete(s, first, &diag), LP_ESTATE);  /* has a child */
    assert_int_equal(lp_session_switch(s, 0, &diag), LP_OK);
    assert_int_equal(lp_session_delete(s, second, &diag), LP_OK);
    assert_int_equal(lp_session_delete(s, first, &diag), LP_OK);
    assert_int_equal(lp_session_switch(s, first, &diag), LP_ERANGE);
    assert_int_equal(lp_session_delete(s, first, &diag), LP_ERANGE);
    assert_int_equal(lp_session_branch_find(s, "mine"), -1);
    assert_int_equal(lp_session_branch(s, 7, &info), LP_ERANGE);
    close_run(s);
}

/* The same policy goes on in the branch as in its parent; another parameter decides otherwise. */
static void branches_decide_by_their_policy(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    uint32_t same, other, fewer;
    static const char *const param[] = {"most=2"};
    LpForkSpec fork = {.policy = "scripts/no_parallelism.lua"};
    LpForkSpec params = {.params = 1, .param = param};
    decide(s, 8);
    uint64_t hash = lp_session_hash(s), step;
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, 3, &step, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_session_fork(s, &(LpForkSpec){0}, &same, &diag), LP_OK);
    decide(s, 8);
    assert_true(lp_session_hash(s) == hash); /* common random numbers */
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_session_fork(s, &fork, &other, &diag), LP_OK);
    decide(s, 8);
    assert_true(lp_session_hash(s) != hash);
    assert_int_equal(lp_world_job(lp_session_world(s), 5)->placed.degree, 1);
    assert_true(lp_world_job(lp_session_world(s), 5)->asked.arrival ==
                lp_world_job(lp_session_tip_world(s, 0), 5)->asked.arrival);
    assert_int_equal(lp_session_switch(s, same, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_session_fork(s, &params, &fewer, &diag), LP_OK);
    decide(s, 8);
    assert_int_equal(lp_world_job(lp_session_world(s), 5)->placed.degree, 2);
    close_run(s);
}

static void without_a_time_line(void **state) {
    (void)state;
    LpSession *s = open_run(false), *twin;
    LpDiag diag = {0};
    uint32_t branch;
    uint64_t step;
    LpWorld *world;
    LpMoment start = {0, 0};
    decide(s, 2);
    assert_true(lp_session_at_tip(s));
    assert_int_equal(lp_session_branches(s), 0);
    assert_int_equal(lp_session_back(s, &diag), LP_ESTATE);
    assert_int_equal(lp_session_back_decision(s, &diag), LP_ESTATE);
    assert_int_equal(lp_session_seek(s, 0, &diag), LP_ESTATE);
    assert_int_equal(lp_session_find(s, LP_SEEK_TIME, 0, &step, &diag), LP_ESTATE);
    assert_int_equal(lp_session_fork(s, &(LpForkSpec){0}, &branch, &diag), LP_ESTATE);
    assert_int_equal(lp_session_switch(s, 0, &diag), LP_ESTATE);
    assert_int_equal(lp_session_rename(s, 0, "x", &diag), LP_ESTATE);
    assert_int_equal(lp_session_delete(s, 0, &diag), LP_ESTATE);
    assert_int_equal(lp_session_world_at(s, start, &world, &diag), LP_ESTATE);
    assert_int_equal(lp_session_twin(s, start, NULL, 0, NULL, false, &twin, &diag), LP_ESTATE);
    close_run(s);
}

static bool stop_now(void *user, const LpSession *s) {
    (void)user, (void)s;
    return false;
}

/* A run that was stopped is over at its tip, and only there. */
static void stopped_runs_are_remembered(void **state) {
    (void)state;
    LpSession *s = open_run(true), *twin;
    LpDiag diag = {0};
    bool stopped;
    assert_int_equal(lp_session_run(s, stop_now, NULL, &stopped, &diag), LP_OK);
    assert_true(stopped);
    uint64_t hash = lp_session_hash(s), tip = lp_session_tip(s, 0);
    assert_int_equal(lp_session_back(s, &diag), LP_OK);
    assert_false(lp_world_over(lp_session_world(s)));
    assert_int_equal(lp_session_seek(s, tip, &diag), LP_OK);
    assert_true(lp_world_over(lp_session_world(s)));
    assert_int_equal(lp_session_twin(s, (LpMoment){0, tip}, NULL, 0, NULL, false, &twin, &diag),
                     LP_OK);
    assert_true(lp_session_hash(twin) == hash);
    lp_session_close(twin);
    close_run(s);
}

/* A save takes effect where something is still to be decided, not in what was. */
static void a_save_counts_from_the_tip(void **state) {
    (void)state;
    static const char other[] = "return { name = 'other', api = 1, partition = function(self, job) "
                                "return 1, 'one' end }\n";
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    uint32_t branch;
    decide(s, 4);
    assert_int_equal(lp_session_fork(s, &(LpForkSpec){0}, &branch, &diag), LP_OK);
    uint64_t hash = lp_session_hash(s), tip = lp_session_tip(s, branch);
    assert_int_equal(lp_session_seek(s, tip / 2, &diag), LP_OK);
    lp_session_watch(s, true);
    FILE *file = fopen(lp_session_policy_path(s), "w");
    assert_non_null(file);
    fputs(other, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(lp_session_poll(s), LP_OK);
    assert_int_equal(lp_session_reloads(s), 1);
    assert_string_equal(lp_session_policy_name(s), "other");
    assert_int_equal(lp_session_seek(s, tip, &diag), LP_OK);
    assert_true(lp_session_hash(s) == hash);
    decide(s, 5);
    assert_string_equal(last_why(s), "one");
    assert_int_equal(lp_session_switch(s, 0, &diag), LP_OK);
    assert_string_equal(lp_session_policy_name(s), "other");
    close_run(s);
}

/* Playing on from the past goes over what is recorded, and stopping there loses none of it. */
static void stopping_in_the_past_loses_nothing(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag = {0};
    bool stopped;
    decide(s, 20);
    uint64_t hash = lp_session_hash(s), tip = lp_session_tip(s, 0);
    assert_int_equal(lp_session_seek(s, 0, &diag), LP_OK);
    assert_int_equal(lp_session_run(s, stop_now, NULL, &stopped, &diag), LP_OK);
    assert_true(stopped);
    assert_false(lp_session_at_tip(s));
    assert_int_equal(lp_session_to_time(s, lp_world_now(lp_session_tip_world(s, 0)), &diag), LP_OK);
    assert_true(lp_session_tip(s, 0) >= tip);
    assert_int_equal(lp_session_seek(s, tip, &diag), LP_OK);
    assert_true(lp_session_hash(s) == hash);
    close_run(s);
}

TEST_GROUP(test_session_timeline) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_back_asks_nobody),
        cmocka_unit_test(the_past_is_not_changed),
        cmocka_unit_test(moments_out_of_range),
        cmocka_unit_test(forks_that_fail_change_nothing),
        cmocka_unit_test(branches_have_names),
        cmocka_unit_test(branches_decide_by_their_policy),
        cmocka_unit_test(without_a_time_line),
        cmocka_unit_test(stopped_runs_are_remembered),
        cmocka_unit_test(a_save_counts_from_the_tip),
        cmocka_unit_test(stopping_in_the_past_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
