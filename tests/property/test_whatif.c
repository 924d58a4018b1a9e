/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What-if tables: a row's forecast is what then happens, its end is the end of a run of its own
 * that answers so, and looking changes nothing. */
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

#include "ask/whatif/whatif.h"
#include "group.h"
#include "session/moment/moment.h"
#include "session/probe.h"
#include "sim/forecast.h"
#include "sim/world.h"

static const char *const few[] = {"generator.count=60", "queue_capacity=3"};

static LpSession *open_at(const char *scenario, const char *policy, const char *moment) {
    bool jobs = strstr(scenario, "rack") != NULL || strstr(scenario, "rigid") != NULL;
    LpSessionSpec spec = {.scenario = scenario, .policy = policy, .sets = jobs ? 0 : 2, .set = few};
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpAt at;
    if (lp_session_open(&spec, &s, &diag) != LP_OK || lp_at_parse(moment, &at, &diag) != LP_OK ||
        lp_session_go(s, &at, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void check_row(const char *scenario, const char *policy, const char *moment,
                      const LpWhatIf *row) {
    LpSession *s = open_at(scenario, policy, moment);
    uint32_t job = lp_world_due(lp_session_world(s));
    LpAnswer answer = lp_whatif_answer(row);
    LpEvent event;
    LpDiag diag;
    bool stopped;
    assert_int_equal(row->chosen ? lp_session_step(s, &event, &diag)
                                 : lp_session_answer(s, &answer, &event, &diag),
                     LP_OK);
    const LpJob *j = lp_world_job(lp_session_world(s), job);
    if (row->kind == LP_ANSWER_RUN && row->accepted) {
        assert_int_equal(j->outcome, LP_JOB_RUNNING);
        assert_true(j->forecast.step_time == row->forecast.step_time);
        assert_true(j->forecast.jct == row->forecast.jct);
        assert_int_equal(j->placed.servers, row->servers);
    } else if (row->kind == LP_ANSWER_RUN) {
        assert_int_not_equal(j->outcome, LP_JOB_RUNNING);
    }
    if (row->ended) {
        assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
        assert_true(lp_session_hash(s) == row->hash);
    }
    lp_session_close(s);
}

static void check(const char *scenario, const char *policy, const char *moment, unsigned threads) {
    LpSession *s = open_at(scenario, policy, moment);
    uint64_t hash = lp_session_hash(s);
    LpWhatIfs table;
    LpDiag diag = {0};
    uint32_t chosen = 0, ended = 0;
    assert_int_equal(lp_whatif_table(s, &table, &diag), LP_OK);
    assert_int_equal(lp_whatif_to_end(s, &table, 0, threads, NULL, NULL, &diag), LP_OK);
    assert_true(lp_session_hash(s) == hash);
    for (uint32_t i = 0; i < table.count; i++) {
        chosen += table.row[i].chosen;
        ended += table.row[i].ended;
        check_row(scenario, policy, moment, &table.row[i]);
    }
    assert_int_equal(chosen, 1);
    assert_true(ended >= 1);
    assert_true(lp_session_hash(s) == hash);
    lp_whatif_fini(&table);
    lp_session_close(s);
}

static void test_tables(void **state) {
    (void)state;
    check("scenarios/pac-ml-32.json", NULL, "d0", 1);
    check("scenarios/pac-ml-32.json", NULL, "d17", 2);
    check("scenarios/pac-ml-32.json", "random.lua", "j33", 3);
    check("scenarios/pac-ml-32.json", "las_preempt.lua", "d20", 1);
    check("scenarios/pac-ml-32.json", "least_fragmenting.lua", "d25", 2);
    check("scenarios/published-32.json", "max_parallelism.lua", "d5", 3);
    check("scenarios/published-32.json", "pac_ml.lua", "d30", 2);
}

/* Where jobs share links, and where circuits are state; after a change of the network. */
static void test_fabrics(void **state) {
    (void)state;
    check("scenarios/leaf-spine.json", NULL, "d4", 2);
    check("scenarios/leaf-spine.json", NULL, "d19", 3);
    check("scenarios/disaggregated-rack.json", NULL, "d1", 2);
    check("scenarios/disaggregated-rack-3-3.json", NULL, "d1", 3);
    check("scenarios/rigid.json", NULL, "d3", 2);
}

/* The world after a change of conditions, in contexts that are twins of one that knows it. */
static void test_conditions(void **state) {
    static const char *const scenario[] = {"scenarios/pac-ml-32.json", "scenarios/leaf-spine.json",
                                           "scenarios/disaggregated-rack.json"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        LpSession *s = open_at(scenario[i], NULL, i < 2 ? "d5" : "d1");
        LpWhatIfs one, many;
        LpDiag diag = {0};
        LpEvent event;
        const LpCondition slow = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5};
        if (lp_session_change(s, &slow, &event, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        LpSession *probe;
        assert_int_equal(lp_whatif_table(s, &one, &diag), LP_OK);
        assert_int_equal(lp_whatif_table(s, &many, &diag), LP_OK);
        assert_int_equal(lp_whatif_to_end(s, &one, 0, 1, NULL, NULL, &diag), LP_OK);
        assert_int_equal(lp_whatif_to_end(s, &many, 0, 3, NULL, NULL, &diag), LP_OK);
        for (uint32_t r = 0; r < one.count; r++) {
            bool stopped;
            LpAnswer answer = lp_whatif_answer(&one.row[r]);
            assert_int_equal(one.row[r].ended, many.row[r].ended);
            assert_true(one.row[r].hash == many.row[r].hash);
            if (!one.row[r].ended || one.row[r].chosen)
                continue;
            /* and in the session's own context */
            assert_int_equal(lp_probe_open(s, lp_session_world(s), &probe, &diag), LP_OK);
            assert_int_equal(lp_session_answer(probe, &answer, &event, &diag), LP_OK);
            assert_int_equal(lp_session_run(probe, NULL, NULL, &stopped, &diag), LP_OK);
            assert_true(lp_session_hash(probe) == one.row[r].hash);
            lp_probe_close(probe);
        }
        lp_whatif_fini(&one);
        lp_whatif_fini(&many);
        lp_session_close(s);
    }
}

static void write_policy(const char *path, const char *answer) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "local policy = { name = \"p\", api = 1 }\n"
            "function policy:partition() return %s end\nreturn policy\n",
            answer);
    assert_int_equal(fclose(f), 0);
}

/* The policy that decides is the one that was loaded, whatever is saved meanwhile. */
static void test_saved_meanwhile(void **state) {
    char folder[] = "/tmp/lightpath-whatif-XXXXXX", path[64];
    uint64_t hash[2];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.lua", folder);
    for (int i = 0; i < 2; i++) {
        LpWhatIfs table;
        LpDiag diag;
        write_policy(path, "2");
        LpSession *s = open_at("scenarios/pac-ml-32.json", path, "d3");
        assert_int_equal(lp_whatif_table(s, &table, &diag), LP_OK);
        if (i == 1)
            write_policy(path, "8 +"); /* half of a save */
        assert_int_equal(lp_whatif_to_end(s, &table, 1, 2, NULL, NULL, &diag), LP_OK);
        for (uint32_t r = 0; r < table.count; r++)
            if (table.row[r].chosen)
                hash[i] = table.row[r].hash;
        lp_whatif_fini(&table);
        lp_session_close(s);
    }
    assert_true(hash[0] == hash[1]);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* At a decision that was taken by hand the row of that answer leads to what it led to. */
static void test_by_hand(void **state) {
    static const char *const set[] = {"generator.count=60"};
    LpSessionSpec spec = {
        .scenario = "scenarios/pac-ml-32.json", .sets = 1, .set = set, .keep_timeline = true};
    const LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 1, .why = "by hand"};
    LpSession *s;
    LpEvent event;
    LpWhatIfs table;
    LpDiag diag = {0};
    LpAt at;
    bool stopped, found = false;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &s, &diag), LP_OK);
    assert_int_equal(lp_at_parse("d0", &at, &diag), LP_OK);
    assert_int_equal(lp_session_go(s, &at, &diag), LP_OK);
    uint64_t step = lp_session_moment(s).step;
    assert_int_equal(lp_session_answer(s, &answer, &event, &diag), LP_OK);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    uint64_t end = lp_session_hash(s);
    assert_int_equal(lp_session_seek(s, step, &diag), LP_OK);
    assert_int_equal(lp_whatif_table(s, &table, &diag), LP_OK);
    assert_int_equal(lp_whatif_to_end(s, &table, 0, 2, NULL, NULL, &diag), LP_OK);
    for (uint32_t r = 0; r < table.count; r++) {
        const LpWhatIf *row = &table.row[r];
        assert_true(!row->chosen || (row->degree == 1 && row->ended && row->hash == end));
        found |= row->chosen;
    }
    assert_true(found);
    lp_whatif_fini(&table);
    lp_session_close(s);
}

/* Whoever gives an answer, the same follows: the policy's review, circuits that are set. */
static void test_whoever_answers(void **state) {
    static const struct {
        const char *scenario, *policy;
    } runs[] = {{"scenarios/optics-vs-packets.json", "max_parallelism.lua"},
                {"scenarios/optics-vs-packets.json", NULL},
                {"scenarios/disaggregated-rack.json", "regroup.lua"},
                {"scenarios/pac-ml-32.json", "las_preempt.lua"}};
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof runs / sizeof runs[0]); i++) {
        LpSessionSpec spec = {.scenario = runs[i / 2].scenario,
                              .policy = runs[i / 2].policy,
                              .keep_timeline = i % 2 == 1};
        LpSession *own, *by_hand;
        LpEvent event;
        LpDiag diag = {0};
        bool stopped;
        assert_int_equal(lp_session_open(&spec, &own, &diag), LP_OK);
        assert_int_equal(lp_session_open(&spec, &by_hand, &diag), LP_OK);
        assert_int_equal(lp_session_run(own, NULL, NULL, &stopped, &diag), LP_OK);
        while (!lp_world_over(lp_session_world(by_hand))) {
            const LpAnswer *answer = lp_session_pending(by_hand, &diag);
            assert_int_equal(answer != NULL ? lp_session_answer(by_hand, answer, &event, &diag)
                                            : lp_session_step(by_hand, &event, &diag),
                             LP_OK);
        }
        assert_true(lp_session_hash(own) == lp_session_hash(by_hand));
        lp_session_close(own);
        lp_session_close(by_hand);
    }
}

static void test_best_only(void **state) {
    LpSession *s = open_at("scenarios/pac-ml-32.json", NULL, "d0");
    LpWhatIfs table;
    LpDiag diag;
    uint32_t ended = 0;
    (void)state;
    assert_int_equal(lp_whatif_table(s, &table, &diag), LP_OK);
    assert_int_equal(lp_whatif_to_end(s, &table, 2, 0, NULL, NULL, &diag), LP_OK);
    for (uint32_t i = 0; i < table.count; i++) {
        ended += table.row[i].ended;
        assert_true(!table.row[i].chosen || table.row[i].ended);
    }
    assert_int_equal(ended, 2);
    lp_whatif_fini(&table);
    lp_session_close(s);
}

static void expect_bad(const char *text) {
    LpAt at = {.value = 7};
    LpDiag diag = {0};
    assert_int_equal(lp_at_parse(text, &at, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "is no moment"));
    assert_true(at.value == 7);
}

static void test_moments(void **state) {
    static const char *const bad[] = {"", "d", "dx", "d-1", "e1.5", "-4 s", "4 GB", "x", "nan"};
    LpAt at;
    LpDiag diag = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_bad(bad[i]);
    LpSession *s = open_at("scenarios/pac-ml-32.json", NULL, "d9");
    assert_int_equal(lp_world_tally(lp_session_world(s))->decisions, 9);
    assert_int_equal(lp_at_parse("d3", &at, &diag), LP_OK);
    assert_int_equal(lp_session_go(s, &at, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "already past"));
    assert_int_equal(lp_at_parse("d100000", &at, &diag), LP_OK);
    assert_int_equal(lp_session_go(s, &at, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "the run ended"));
    lp_session_close(s);
    s = open_at("scenarios/pac-ml-32.json", NULL, "9 s");
    assert_true(lp_world_now(lp_session_world(s)) <= 9);
    assert_true(lp_world_next_time(lp_session_world(s), lp_session_context(s)) > 9);
    lp_session_close(s);
    s = open_at("scenarios/pac-ml-32.json", NULL, "e12");
    assert_int_equal(lp_world_tally(lp_session_world(s))->events, 13);
    lp_session_close(s);
}

TEST_GROUP(test_whatif) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),     cmocka_unit_test(test_fabrics),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_saved_meanwhile),
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_whoever_answers),
        cmocka_unit_test(test_best_only),  cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
