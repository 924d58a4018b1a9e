/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What blame says is true: the change that it names is made in a run of its own, and the blocked
 * job gets in at the cost that was told. And blaming changes nothing in the run itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ask/blame/blame.h"
#include "group.h"
#include "session/moment/moment.h"
#include "session/probe.h"
#include "session/time.h"

static LpSession *open_run(const char *scenario, const char *policy, uint32_t sets,
                           const char *const *set) {
    LpSessionSpec spec = {.scenario = scenario, .policy = policy, .sets = sets, .set = set};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

/* A fresh run up to the blamed decision, the change, and on until the blocked job is decided. */
static void check_found(const char *scenario, const char *policy, uint32_t sets,
                        const char *const *set, const LpBlame *b) {
    LpSession *s = open_run(scenario, policy, sets, set);
    LpEvent event;
    LpDiag diag;
    while (lp_world_tally(lp_session_world(s))->decisions < b->decision ||
           lp_world_due(lp_session_world(s)) == LP_NO_INDEX)
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_int_equal(lp_world_due(lp_session_world(s)), b->by);
    assert_true(lp_world_now(lp_session_world(s)) == b->decided);
    LpAnswer answer = {.kind = b->kind == LP_BLAME_WAIT ? LP_ANSWER_WAIT : LP_ANSWER_RUN,
                       .degree = b->would,
                       .servers = b->servers,
                       .server = b->server};
    if (b->words != NULL) {
        LpArena *arena = lp_arena_new(0);
        LpForkText fork;
        assert_int_equal(lp_fork_parse(b->words, arena, &fork, &diag), LP_OK);
        assert_int_equal(lp_fork_complete(s, &fork, &diag), LP_OK);
        assert_int_equal(lp_session_take(s, &fork.spec, &diag), LP_OK);
        lp_arena_free(arena);
    } else {
        assert_int_equal(lp_session_answer(s, &answer, &event, &diag), LP_OK);
    }
    uint8_t outcome = LP_JOB_DECIDING;
    while (outcome == LP_JOB_DECIDING || outcome == LP_JOB_WAITING) {
        const LpWorld *w = lp_session_world(s);
        assert_false(lp_world_over(w));
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
        if (b->job < lp_world_jobs(w))
            outcome = lp_world_job(w, b->job)->outcome;
    }
    assert_true(outcome == LP_JOB_RUNNING || outcome == LP_JOB_COMPLETED);
    lp_session_close(s);
}

/* At no other job's cost: until then nobody else was blocked who really got in. */
static size_t check_all(const char *scenario, const char *policy, uint32_t sets,
                        const char *const *set) {
    LpSession *plain = open_run(scenario, policy, sets, set);
    LpSession *s = open_run(scenario, policy, sets, set);
    LpDiag diag = {0};
    bool stopped;
    size_t count, found = 0;
    assert_int_equal(lp_session_run(plain, NULL, NULL, &stopped, &diag), LP_OK);
    assert_int_equal(lp_blame_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    assert_true(lp_session_hash(s) == lp_session_hash(plain));
    const LpBlame *blame = lp_session_blames(s, &count);
    assert_int_equal(count, lp_world_tally(lp_session_world(s))->blocked);
    for (size_t i = 0; i < count; i++) {
        const LpBlame *b = &blame[i];
        assert_true(b->replays <= LP_BLAME_REPLAYS);
        uint32_t tried = 0;
        for (int k = 0; k < LP_BLAME_KINDS; k++)
            tried += b->tried[k];
        assert_int_equal(tried, b->replays);
        assert_int_equal(lp_world_job(lp_session_world(s), b->job)->outcome, LP_JOB_BLOCKED);
        assert_int_equal(lp_world_job(lp_session_world(s), b->job)->cause, b->cause);
        assert_non_null(strstr(b->text, b->kind == LP_BLAME_NOTHING ? "no " : "in"));
        if (b->kind == LP_BLAME_NOTHING)
            continue;
        check_found(scenario, policy, sets, set, b);
        found++;
    }
    lp_session_close(plain);
    lp_session_close(s);
    return found;
}

static void test_pac_ml(void **state) {
    static const char *const set[] = {"generator.count=80"};
    (void)state;
    assert_true(check_all("scenarios/pac-ml-32.json", NULL, 1, set) > 3);
}

static void test_max_parallelism(void **state) {
    static const char *const set[] = {"generator.count=60"};
    (void)state;
    check_all("scenarios/pac-ml-32.json", "max_parallelism.lua", 1, set);
    check_all("scenarios/published-32.json", "max_parallelism.lua", 1, set);
}

/* A policy with data, a stream and a queue of its own is not disturbed by the replays. */
static void test_waiting_and_memory(void **state) {
    static const char *const set[] = {"generator.count=60", "queue_capacity=4"};
    (void)state;
    check_all("scenarios/pac-ml-32.json", "random.lua", 2, set);
    check_all("scenarios/pac-ml-32.json", "las_preempt.lua", 2, set);
    check_all("scenarios/pac-ml-32.json", "easy_backfill.lua", 2, set);
}

/* Rigid, 8 servers. 0 takes 4 for an hour, 1 takes 2, then 2 asks for 4 and finds 2; 3 takes 1; 4
 * asks for all 8, which no single change frees; 5 asks for 2 and finds 1. */
static void test_rigid(void **state) {
    size_t count;
    bool stopped;
    LpDiag diag;
    (void)state;
    LpSession *s = open_run("scenarios/rigid.json", NULL, 0, NULL);
    assert_int_equal(lp_blame_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    const LpBlame *blame = lp_session_blames(s, &count);
    assert_int_equal(count, 3);
    assert_int_equal(blame[0].job, 2);
    assert_int_equal(blame[0].kind, LP_BLAME_WAIT);
    assert_int_equal(blame[0].by, 1);
    assert_int_equal(blame[0].worse, 0);
    assert_true(blame[0].time - blame[0].decided == 300);
    assert_string_equal(blame[0].text,
                        "job 2 was blocked because job 1 started 300 s earlier; had it waited, "
                        "this one would have got in, at no other job's cost (job 1 itself would "
                        "still wait)");
    assert_int_equal(blame[1].job, 4);
    assert_int_equal(blame[1].kind, LP_BLAME_NOTHING);
    assert_int_equal(blame[1].by, LP_NO_INDEX);
    assert_int_equal(blame[1].in_the_way, 3);
    assert_int_equal(blame[2].job, 5);
    assert_int_equal(blame[2].by, 3);
    lp_session_close(s);
}

/* ---- one job of a time line ---- */

static LpSession *open_line(const char *scenario, const char *policy, uint32_t sets,
                            const char *const *set) {
    LpSessionSpec spec = {
        .scenario = scenario, .policy = policy, .sets = sets, .set = set, .keep_timeline = true};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

/* What is told of one job afterwards is what blaming the whole run told of it. */
static void check_same(const char *scenario, const char *policy, uint32_t sets,
                       const char *const *set) {
    LpSession *run = open_run(scenario, policy, sets, set);
    LpSession *line = open_line(scenario, policy, sets, set);
    LpDiag diag = {0};
    bool stopped;
    size_t count;
    assert_int_equal(lp_blame_run(run, NULL, NULL, &stopped, &diag), LP_OK);
    assert_int_equal(lp_session_run(line, NULL, NULL, &stopped, &diag), LP_OK);
    uint64_t hash = lp_session_hash(line);
    const LpBlame *blame = lp_session_blames(run, &count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        LpBlame one;
        assert_int_equal(lp_blame_job(line, blame[i].job, &one, &diag), LP_OK);
        assert_string_equal(one.text, blame[i].text);
        assert_int_equal(one.decision, blame[i].decision);
        assert_int_equal(one.trouble, LP_TROUBLE_BLOCKED);
    }
    assert_true(lp_session_hash(line) == hash);
    lp_session_close(run);
    lp_session_close(line);
}

static void test_one_of_many(void **state) {
    static const char *const set[] = {"generator.count=60", "queue_capacity=4"};
    (void)state;
    check_same("scenarios/pac-ml-32.json", NULL, 1, set);
    check_same("scenarios/pac-ml-32.json", "random.lua", 1, set);
    check_same("scenarios/pac-ml-32.json", "fit_first.lua", 2, set);
    check_same("scenarios/rigid.json", NULL, 0, NULL);
}

static const LpBlame *blame_of(LpSession *s, uint32_t job) {
    size_t count;
    const LpBlame *blame = lp_session_blames(s, &count);
    for (size_t i = 0; i < count; i++)
        if (blame[i].job == job)
            return &blame[i];
    fail_msg("job %u is not blamed on anybody", (unsigned)job);
    return NULL;
}

/* Orders and circuits that were to blame: the job behind is let in by another order of the ops, of
 * the flows, by other circuits, and by nothing that is tried before. */
static void test_stages(void **state) {
    static const struct {
        const char *set;
        uint32_t job, by;
        LpBlameKind kind;
        const char *words, *text;
    } cases[] = {
        {"partition.max_degree=1", 1, 0, LP_BLAME_ORDER_OPS, "order_ops=critical_path",
         "ordered its ops by srpt 5 s earlier; ops by critical_path would have let it in"},
        {"partition.max_degree=1", 5, 4, LP_BLAME_ORDER_FLOWS, "order_flows=critical_path",
         "ordered its flows by srpt 6.5 s earlier; flows by critical_path would have let it in"},
        {"partition.max_degree=4", 3, 2, LP_BLAME_CIRCUITS, "circuits=1:0,3:0",
         "started with circuits \"as they are\" 3.2 s earlier; circuits \"each job together\" "
         "would"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        const char *const set[] = {cases[i].set};
        LpDiag diag = {0};
        bool stopped;
        assert_true(check_all("tests/property/scenarios/blame-stages.json", NULL, 1, set) > 1);
        LpSession *s = open_run("tests/property/scenarios/blame-stages.json", NULL, 1, set);
        assert_int_equal(lp_blame_run(s, NULL, NULL, &stopped, &diag), LP_OK);
        const LpBlame *b = blame_of(s, cases[i].job);
        assert_int_equal(b->kind, cases[i].kind);
        assert_int_equal(b->by, cases[i].by);
        assert_string_equal(b->words, cases[i].words);
        assert_non_null(strstr(b->text, cases[i].text));
        assert_true(!b->by_hand);
        lp_session_close(s);
    }
}

/* On a branch a decision by hand is named so, and the policy's is not. */
static void test_by_hand(void **state) {
    static const char *const set[] = {"partition.max_degree=1"};
    LpSession *s = open_line("tests/property/scenarios/blame-stages.json", NULL, 1, set);
    LpBlame blame;
    LpDiag diag = {0};
    LpEvent event;
    uint32_t branch;
    bool stopped;
    (void)state;
    assert_int_equal(lp_session_to_decision(s, &event, &diag), LP_OK);
    assert_int_equal(lp_session_fork_text(s, "order_ops=fifo", &branch, &diag), LP_OK);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    assert_int_equal(lp_blame_job(s, 1, &blame, &diag), LP_OK);
    assert_true(blame.by == 0 && blame.by_hand);
    assert_non_null(strstr(blame.text, "because job 0, by hand,"));
    assert_int_equal(lp_blame_job(s, 5, &blame, &diag), LP_OK);
    assert_true(blame.by == 4 && !blame.by_hand);
    lp_session_close(s);
}

/* In the rigid scenario with a queue job 2 waits instead: had job 1 waited, it would have started.
 */
static void test_waiting(void **state) {
    static const char *const set[] = {"queue_capacity=4"};
    LpSession *s = open_line("scenarios/rigid.json", "fit_first.lua", 1, set);
    LpEvent event;
    LpBlame blame;
    LpDiag diag = {0};
    const LpWorld *w;
    (void)state;
    do {
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
        w = lp_session_world(s);
    } while (event.kind != LP_EVENT_WAIT);
    assert_int_equal(event.job, 2);
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(lp_blame_job(s, 2, &blame, &diag), LP_OK);
    assert_int_equal(blame.trouble, LP_TROUBLE_WAITING);
    assert_int_equal(blame.kind, LP_BLAME_WAIT);
    assert_int_equal(blame.by, 1);
    assert_non_null(strstr(blame.text, "job 2 waits because job 1 started"));
    assert_non_null(strstr(blame.text, "would have started by now"));
    assert_true(lp_session_hash(s) == hash);
    /* it is true: the other answer there starts job 2 before this moment */
    double now = lp_world_now(lp_session_world(s));
    uint64_t step;
    uint32_t branch;
    LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    LpForkSpec fork = {.answer = &wait};
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, (double)blame.decision, &step, &diag),
                     LP_OK);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_session_fork(s, &fork, &branch, &diag), LP_OK);
    w = lp_session_world(s);
    while (lp_world_jobs(w) < 3 || lp_world_job(w, 2)->outcome != LP_JOB_RUNNING) {
        assert_true(lp_world_now(w) <= now);
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
        w = lp_session_world(s);
    }
    assert_true(lp_world_job(w, 2)->times.start <= now);
    lp_session_close(s);
}

static void test_refusals(void **state) {
    LpSession *s = open_line("scenarios/rigid.json", NULL, 0, NULL);
    LpSession *plain = open_run("scenarios/rigid.json", NULL, 0, NULL);
    LpEvent event;
    LpBlame blame = {.job = 77};
    LpDiag diag = {0};
    (void)state;
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_int_equal(lp_blame_job(s, 0, &blame, &diag), LP_ESTATE);
    assert_string_equal(diag.text, "job 0 is neither blocked nor waiting nor late");
    assert_int_equal(lp_blame_job(s, 5, &blame, &diag), LP_ERANGE);
    assert_int_equal(lp_blame_job(plain, 0, &blame, &diag), LP_ESTATE);
    assert_int_equal(blame.job, 77);
    lp_session_close(s);
    lp_session_close(plain);
}

TEST_GROUP(test_blame) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pac_ml),
        cmocka_unit_test(test_max_parallelism),
        cmocka_unit_test(test_waiting_and_memory),
        cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_one_of_many),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
