/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engine makes of answers: placements it finds, and every answer that it refuses, with its
 * cause and a sentence that names the things involved. */
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
#include "sim/world.h"

/* Two jobs of a two-op graph (1 s + 2 s forward) on a 2x2x2 RAMP. extra: more keys of the scenario.
 */
static LpSession *open_two(const char *semantics, const char *extra) {
    char graph[] = "/tmp/lightpath-place-XXXXXX", file[] = "/tmp/lightpath-place-XXXXXX";
    static const char profile[] =
        "{ \"lightpath_profile\": 1, \"ops\": [ { \"id\": 1, \"forward\": 1, \"backward\": 2, "
        "\"activation\": 1e9, \"parameters\": 2e9 }, { \"id\": 2, \"forward\": 2, \"backward\": 4, "
        "\"activation\": 1e9, \"parameters\": 2e9 } ], \"edges\": [ [1, 2] ] }";
    char text[2048];
    LpSession *s = NULL;
    LpDiag diag = {0};
    int g = mkstemp(graph), f = mkstemp(file);
    assert_true(g >= 0 && f >= 0);
    assert_int_equal(write(g, profile, sizeof profile - 1), sizeof profile - 1);
    int len = snprintf(text, sizeof text,
                       "{ \"lightpath\": 1, \"name\": \"place\", \"semantics\": \"%s\", "
                       "\"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": "
                       "2, \"racks_per_group\": 2, \"servers_per_rack\": 2 } %s }, "
                       "\"graphs\": [ { \"id\": \"two\", \"file\": \"%s\", \"format\": "
                       "\"lightpath\" } ], \"jobs\": [ { \"graph\": \"two\", \"arrival\": 0, "
                       "\"steps\": 10 }, { \"graph\": \"two\", \"arrival\": 1, \"steps\": 10 } ], "
                       "\"partition\": { \"max_degree\": 8, \"min_op_time\": 0.01 } }",
                       semantics, extra, graph);
    assert_int_equal(write(f, text, (size_t)len), len);
    close(g);
    close(f);
    LpSessionSpec spec = {.scenario = file};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        printf("# %s\n", diag.text);
    unlink(graph);
    unlink(file);
    assert_non_null(s);
    return s;
}

static void to_decision(LpSession *s, uint32_t job) {
    LpEvent event;
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_world_due(lp_session_world(s)), job);
}

/* Answers for the due job; the cause, and words that its sentence must have. */
static void expect(LpSession *s, const LpAnswer *answer, LpCause cause, const char *words) {
    uint32_t job = lp_world_due(lp_session_world(s));
    LpEvent event;
    assert_int_equal(lp_session_answer(s, answer, &event, NULL), LP_OK);
    const LpJob *j = lp_world_job(lp_session_world(s), job);
    assert_int_equal(j->cause, cause);
    assert_int_equal(event.kind, cause == LP_CAUSE_NONE ? LP_EVENT_START : LP_EVENT_BLOCK);
    if (words != NULL && strstr(lp_session_why(s, job).reason, words) == NULL) {
        printf("# \"%s\" lacks \"%s\"\n", lp_session_why(s, job).reason, words);
        fail();
    }
}

static void a_chosen_block_is_used_in_its_order(void **state) {
    (void)state;
    const uint32_t block[] = {5, 2, 7, 0};
    LpSession *s = open_two("corrected", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 4, .servers = 4, .server = block}, LP_CAUSE_NONE, NULL);
    const LpWorld *w = lp_session_world(s);
    uint32_t at = lp_world_job(w, 0)->placed.first_server;
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(at, block[k]);
        assert_int_equal(lp_world_server(w, at)->job, 0);
        at = lp_world_server(w, at)->next;
    }
    assert_int_equal(at, LP_NO_INDEX);
    assert_int_equal(lp_world_free_servers(w), 4);
    lp_session_close(s);
}

static void bad_blocks_are_refused(void **state) {
    (void)state;
    const uint32_t far[] = {0, 8}, twice[] = {3, 3}, few[] = {1};
    const struct {
        LpAnswer answer;
        const char *words;
    } bad[] = {
        {{.degree = 2, .servers = 2, .server = far}, "server 8 does not exist"},
        {{.degree = 2, .servers = 2, .server = twice}, "server 3 is named twice"},
        {{.degree = 2, .servers = 1, .server = few}, "1 server answered, the job needs 2"},
        {{.degree = 9}, "degree 9 is above"},
    };
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpSession *s = open_two("corrected", "");
        to_decision(s, 0);
        expect(s, &bad[i].answer, LP_CAUSE_REFUSED, bad[i].words);
        assert_int_equal(lp_world_free_servers(lp_session_world(s)), 8);
        lp_session_close(s);
    }
}

static void a_busy_server_names_its_job(void **state) {
    (void)state;
    const uint32_t block[] = {0, 1};
    LpSession *s = open_two("corrected", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 1}, LP_CAUSE_NONE, NULL);
    to_decision(s, 1);
    expect(s, &(LpAnswer){.degree = 2, .servers = 2, .server = block}, LP_CAUSE_REFUSED,
           "server 0 already runs job 0 (rule one_job_per_server)");
    lp_session_close(s);
}

static void parts_go_where_they_are_sent(void **state) {
    (void)state;
    const uint32_t begin[] = {0, 2, 4}, good[] = {0, 1, 6, 7}, short_begin[] = {0, 1, 3};
    LpSession *s = open_two("corrected", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 2, .part_begin = begin, .part_server = good}, LP_CAUSE_NONE,
           NULL);
    assert_int_equal(lp_world_job(lp_session_world(s), 0)->placed.servers, 4);
    to_decision(s, 1);
    expect(s, &(LpAnswer){.degree = 2, .part_begin = short_begin, .part_server = good},
           LP_CAUSE_REFUSED, "op 1 has 2 parts, 1 server answered");
    lp_session_close(s);
}

/* state_factor 4: parts of both ops on one server need 4 * 4e9 + 2e9 = 18 GB at degree 1. */
static void memory_is_a_cause_of_its_own(void **state) {
    (void)state;
    const uint32_t block[] = {4};
    const char *small = ", \"server\": { \"device\": \"A100\", \"memory\": \"10 GB\" }";
    LpSession *s = open_two("corrected", small);
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 1}, LP_CAUSE_MEMORY, "18 GB");
    to_decision(s, 1);
    expect(s, &(LpAnswer){.degree = 1, .servers = 1, .server = block}, LP_CAUSE_MEMORY,
           "server 4 would hold 18 GB and has 10 GB");
    lp_session_close(s);
    s = open_two("corrected", small);
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 2}, LP_CAUSE_NONE, NULL);
    uint32_t count;
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    const uint32_t *valid =
        lp_store_list(lp_session_context(s)->store, job->placed.valid_degrees, &count);
    assert_true(count > 0 && valid[0] == 2); /* 1 does not fit and is not listed */
    lp_session_close(s);
}

/* Published (Q13): forward parts fit, both passes do not; the reference crashes. */
static void mounting_both_passes_is_unsupported(void **state) {
    (void)state;
    LpSession *s = open_two("published", ", \"server\": { \"memory\": \"11 GB\" }");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 1}, LP_CAUSE_UNSUPPORTED, "Q13");
    to_decision(s, 1);
    expect(s, &(LpAnswer){.degree = 2}, LP_CAUSE_NONE, NULL);
    lp_session_close(s);
}

static void published_mask_refuses(void **state) {
    (void)state;
    LpSession *s = open_two("published", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.degree = 6}, LP_CAUSE_REFUSED, "degree 6 is masked out");
    to_decision(s, 1);
    expect(s, &(LpAnswer){.degree = 0}, LP_CAUSE_DECLINED, NULL);
    lp_session_close(s);
}

static void ways_of_a_policy(void **state) {
    (void)state;
    const uint32_t uneven[] = {4, 3}, odd[] = {3, 1};
    LpSession *s = open_two("corrected", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.ways = uneven}, LP_CAUSE_NONE, NULL); /* 3 is lowered to 2 */
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    assert_int_equal(job->placed.partition_degree, 4);
    assert_int_equal(job->placed.ops, 2 * (4 + 2));
    lp_session_close(s);
    s = open_two("published", "");
    to_decision(s, 0);
    expect(s, &(LpAnswer){.ways = odd}, LP_CAUSE_REFUSED, "op 1 of graph two is split 3 ways");
    lp_session_close(s);
}

static void decisions_out_of_turn(void **state) {
    (void)state;
    LpSession *s = open_two("corrected", "");
    LpEvent event = {.serial = 99};
    LpAnswer answer = {.degree = 1};
    LpDiag diag;
    assert_int_equal(lp_session_answer(s, &answer, &event, &diag), LP_ESTATE);
    assert_int_equal(event.serial, 99);
    to_decision(s, 0);
    uint64_t before = lp_session_hash(s);
    LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
    assert_int_equal(lp_world_decide(world, lp_session_context(s), 1, &answer, &event, NULL, &diag),
                     LP_ESTATE);
    assert_int_equal(lp_world_advance(world, lp_session_context(s), &event, &diag), LP_ESTATE);
    assert_true(lp_world_hash(world) == before);
    lp_world_free(world);
    lp_session_close(s);
}

TEST_GROUP(test_sim_place) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_chosen_block_is_used_in_its_order),
                                       cmocka_unit_test(bad_blocks_are_refused),
                                       cmocka_unit_test(a_busy_server_names_its_job),
                                       cmocka_unit_test(parts_go_where_they_are_sent),
                                       cmocka_unit_test(memory_is_a_cause_of_its_own),
                                       cmocka_unit_test(mounting_both_passes_is_unsupported),
                                       cmocka_unit_test(published_mask_refuses),
                                       cmocka_unit_test(ways_of_a_policy),
                                       cmocka_unit_test(decisions_out_of_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
