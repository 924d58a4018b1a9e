/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ghost decides the past anew: with the same policy it differs nowhere, with another one it is
 * the run that this policy would have made; the run itself notices nothing. */
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

#include "ask/whatif/ghost.h"
#include "group.h"
#include "session/time.h"

static const char *const few[] = {"generator.count=120"};

static LpSession *open_run(const char *policy) {
    LpSessionSpec spec = {
        .scenario = "scenarios/pac-ml-32.json", .policy = policy, .sets = 1, .set = few};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void run_to(LpSession *s, uint64_t decisions) {
    LpEvent event;
    LpDiag diag;
    while (!lp_world_over(lp_session_world(s)) &&
           lp_world_tally(lp_session_world(s))->decisions < decisions)
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
}

static void work(LpGhost *g, uint32_t steps) {
    LpDiag diag;
    for (int i = 0; i < 100000 && !lp_ghost_report(g).done; i++)
        assert_int_equal(lp_ghost_work(g, steps, &diag), LP_OK);
    assert_true(lp_ghost_report(g).done);
}

static void check_same(const char *policy, uint64_t decisions) {
    LpSession *s = open_run(policy);
    LpWorld *start = lp_world_clone(lp_session_world(s), NULL);
    LpGhost *g;
    LpDiag diag;
    char text[120];
    run_to(s, decisions);
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(lp_ghost_new(s, start, &g, &diag), LP_OK);
    work(g, 7);
    LpGhostReport r = lp_ghost_report(g);
    assert_int_equal(r.differ, 0);
    assert_int_equal(r.first, LP_NO_INDEX);
    assert_true(r.jobs >= 100 || r.jobs + 1 >= decisions);
    assert_true(r.before == r.after);
    assert_non_null(strstr(lp_ghost_text(&r, text, sizeof text), "none of"));
    assert_true(lp_session_hash(s) == hash);
    lp_ghost_free(g);
    lp_world_free(start);
    lp_session_close(s);
}

static void test_same_policy(void **state) {
    (void)state;
    check_same(NULL, 50);
    check_same(NULL, 100000);
    check_same("random.lua", 60);
    check_same("las_preempt.lua", 60);
}

/* The conditions of the run change for the ghost, too, at the same moments. */
static void test_conditions(void **state) {
    static const LpCondition changes[] = {
        {.kind = LP_CONDITION_FAIL_SERVER, .value = 3},
        {.kind = LP_CONDITION_BANDWIDTH, .value = 0.25},
        {.kind = LP_CONDITION_FAIL_CIRCUIT, .value = 0, .other = 8},
        {.kind = LP_CONDITION_RATE, .value = 2},
        {.kind = LP_CONDITION_EXTRA_JOB, .value = 1, .steps = 20},
        {.kind = LP_CONDITION_REPAIR_SERVER, .value = 3},
    };
    (void)state;
    for (int due = 0; due < 2; due++) {
        LpSession *s = open_run(NULL);
        LpWorld *start = lp_world_clone(lp_session_world(s), NULL);
        LpGhost *g;
        LpDiag diag = {0};
        LpEvent event;
        for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            run_to(s, 10 * (i + 1));
            while (due && lp_world_due(lp_session_world(s)) == LP_NO_INDEX)
                assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
            assert_int_equal(lp_session_change(s, &changes[i], &event, &diag), LP_OK);
        }
        run_to(s, 100000);
        assert_int_equal(lp_ghost_new(s, start, &g, &diag), LP_OK);
        work(g, 7);
        assert_int_equal(lp_ghost_report(g).differ, 0);
        assert_true(lp_world_hash(lp_ghost_world(g)) == lp_session_hash(s));
        lp_ghost_free(g);
        lp_world_free(start);
        lp_session_close(s);
    }
}

static void write_policy(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Another policy is saved over the one that decided: the ghost is that policy's own run. */
static void test_other_policy(void **state) {
    static const char *const one =
        "return { name = 'one', api = 1, partition = function(s, job, c) "
        "return 1 end }\n";
    static const char *const two =
        "return { name = 'twotwo', api = 1, partition = function(s, job, "
        "c) return 2 end }\n";
    char path[] = "/tmp/lightpath-ghost-XXXXXX";
    char text[120];
    LpGhost *g, *later;
    LpDiag diag = {0};
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_policy(path, one);
    LpSession *s = open_run(path);
    lp_session_watch(s, true);
    LpWorld *start = lp_world_clone(lp_session_world(s), NULL);
    run_to(s, 100000);
    assert_int_equal(lp_ghost_new(s, start, &later, &diag), LP_OK);
    write_policy(path, two);
    assert_int_equal(lp_session_poll(s), LP_OK);
    assert_int_equal(lp_session_reloads(s), 1);
    assert_int_equal(lp_ghost_work(later, 10, &diag), LP_OK);
    assert_true(lp_ghost_report(later).done && lp_ghost_report(later).stale);
    assert_int_equal(lp_ghost_new(s, start, &g, &diag), LP_OK);
    work(g, 64);
    LpSession *other = open_run(path);
    run_to(other, 100000);
    LpGhostReport r = lp_ghost_report(g);
    assert_true(lp_world_hash(lp_ghost_world(g)) == lp_session_hash(other));
    assert_int_equal(r.first, 0);
    assert_true(r.differ > 10 && r.jobs >= 100);
    assert_true(r.before == (double)lp_world_tally(lp_session_world(s))->blocked / (double)r.jobs);
    assert_true(r.after ==
                (double)lp_world_tally(lp_session_world(other))->blocked / (double)r.jobs);
    assert_non_null(strstr(lp_ghost_text(&r, text, sizeof text), "first at job 0"));
    lp_ghost_free(g);
    lp_ghost_free(later);
    lp_session_close(other);
    lp_world_free(start);
    lp_session_close(s);
    unlink(path);
}

TEST_GROUP(test_ghost) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_policy),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_other_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
