/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts as a cursor changes them: servers, aggregators, ops, plans, blocks, cubes, ports and bars.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ask/draft/choices.h"
#include "ask/draft/edit.h"
#include "base/mem.h"
#include "draft_bench.h"
#include "group.h"
#include "session/moment/moment.h"
#include "session/time.h"
#include "sim/light/configure.h"
#include "sim/world.h"

static void toggling_a_server_twice_changes_nothing(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d1");
    LpDraft draft = {0};
    LpDiag diag = {0};
    LpPrice p = price_of(s, "");
    uint32_t needs;
    assert_int_equal(lp_draft_needs(s, &draft, &needs, &diag), LP_OK);
    assert_int_equal(needs, 4);
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 2, &diag), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_PLACE], "servers=0-1,3");
    p = price_of(s, draft.word[LP_STAGE_PLACE]);
    assert_false(p.possible);
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 7, &diag), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_PLACE], "servers=0-1,3,7");
    assert_true(price_of(s, draft.word[LP_STAGE_PLACE]).possible);
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 7, &diag), LP_OK);
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 2, &diag), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_PLACE], "servers=0-3");
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 99, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "there is no s99: servers are 0 to 7");
    for (uint32_t server = 0; server < 4; server++)
        assert_int_equal(lp_draft_toggle_server(s, &draft, &p, server, &diag), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_PLACE], "servers="); /* none of them */
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 5, &diag), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_PLACE], "servers=5");
    lp_session_close(s);
}

static void a_server_goes_round_the_aggregators(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d3");
    LpDraft draft = {0};
    assert_int_equal(lp_draft_turn_server(s, &draft, 3, NULL), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_CIRCUITS], "circuits=3:0");
    assert_int_equal(lp_draft_turn_server(s, &draft, 1, NULL), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_CIRCUITS], "circuits=1:0,3:0");
    assert_int_equal(lp_draft_turn_server(s, &draft, 3, NULL), LP_OK);
    assert_int_equal(lp_draft_turn_server(s, &draft, 1, NULL), LP_OK);
    assert_string_equal(draft.word[LP_STAGE_CIRCUITS], "");
    lp_session_close(s);
    s = open_at("pac-ml-32", "d3");
    assert_int_equal(lp_draft_turn_server(s, &draft, 3, NULL), LP_EREFUSED);
    lp_session_close(s);
}

static void ops_are_cut_one_by_one(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d0");
    LpDraft draft = {.word = {"degree=4"}};
    LpDiag diag = {0};
    const char *words = draft.word[LP_STAGE_PARTITION];
    assert_int_equal(lp_draft_cut_op(s, &draft, 2, false, &diag), LP_OK);
    assert_string_equal(words, "degree=4 ways=2:2"); /* 3 would be rounded to it */
    assert_int_equal(lp_draft_cut_op(s, &draft, 3, true, &diag), LP_OK);
    assert_string_equal(words, "degree=4 ways=2:2/3:8");
    assert_true(price_of(s, words).possible);
    assert_int_equal(lp_draft_cut_op(s, &draft, 2, false, &diag), LP_OK);
    assert_int_equal(lp_draft_cut_op(s, &draft, 2, false, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "an op is in one part at least");
    assert_string_equal(words, "degree=4 ways=2:1/3:8");
    for (int i = 0; i < 2; i++)
        assert_int_equal(lp_draft_cut_op(s, &draft, 2, true, &diag), LP_OK);
    assert_int_equal(lp_draft_cut_op(s, &draft, 3, false, &diag), LP_OK);
    assert_string_equal(words, "degree=4"); /* as they were */
    assert_int_equal(lp_draft_cut_op(s, &draft, 99, true, &diag), LP_EREFUSED);
    lp_session_close(s);
    s = open_at("transformers", "d1");
    draft = (LpDraft){0};
    assert_int_equal(lp_draft_cut_op(s, &draft, 1, true, &diag), LP_EREFUSED);
    lp_session_close(s);
}

static void numbers_of_a_plan_change(void **state) {
    (void)state;
    LpSession *s = open_at("transformers", "d1");
    LpDraft draft = {0};
    LpDiag diag = {0};
    LpParallel plan;
    assert_int_equal(lp_draft_plan(s, &draft, &plan, &diag), LP_OK);
    assert_int_equal(lp_way_of(&plan, LP_WAY_TENSOR), 2);
    assert_int_equal(lp_draft_turn_plan(s, &draft, LP_WAY_DATA, true, &diag), LP_OK);
    assert_int_equal(lp_draft_plan(s, &draft, &plan, &diag), LP_OK);
    assert_int_equal(lp_way_of(&plan, LP_WAY_DATA), 2);
    assert_int_equal(lp_way_of(&plan, LP_WAY_PIPELINE), 2);
    assert_true(price_of(s, draft.word[LP_STAGE_PARTITION]).possible);
    assert_int_equal(lp_draft_turn_plan(s, &draft, LP_WAY_DATA, false, &diag), LP_OK);
    assert_int_equal(lp_draft_turn_plan(s, &draft, LP_WAY_DATA, false, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "there is one data way at least");
    lp_session_close(s);
    s = open_at("five-decisions", "d0");
    draft = (LpDraft){0};
    assert_int_equal(lp_draft_turn_plan(s, &draft, LP_WAY_DATA, true, &diag), LP_EREFUSED);
    lp_session_close(s);
}

/* A block keeps its shape, or its distances; where one server of it is held nothing moves. */
static void a_block_slides_as_a_whole(void **state) {
    (void)state;
    LpSession *s = open_at("leaf-spine", "d3");
    LpDraft draft = {0};
    LpDiag diag = {0};
    const char *words = draft.word[LP_STAGE_PLACE];
    LpPrice p = price_of(s, "");
    assert_int_equal(lp_draft_slide(s, &draft, &p, 24, &diag), LP_OK);
    assert_string_equal(words, "servers=24-29");
    p = price_of(s, words);
    assert_true(p.possible && p.jct < 61);
    assert_int_equal(lp_draft_slide(s, &draft, &p, 27, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "6 servers have no room from s27 on");
    assert_int_equal(lp_draft_slide(s, &draft, &p, 12, &diag), LP_EREFUSED);
    assert_non_null(strstr(diag.text, "s12: job 2 runs there until "));
    assert_string_equal(words, "servers=24-29");
    assert_int_equal(lp_draft_toggle_server(s, &draft, &p, 25, &diag), LP_OK);
    p = price_of(s, words);
    assert_int_equal(lp_draft_slide(s, &draft, &p, 20, &diag), LP_OK); /* with the gap */
    assert_string_equal(words, "servers=20,22-25");
    draft = (LpDraft){.word = {[LP_STAGE_PLACE] = "servers="}};
    p = price_of(s, "servers=");
    assert_int_equal(lp_draft_slide(s, &draft, &p, 20, &diag), LP_EREFUSED);
    lp_session_close(s);
    s = open_at("place-ramp", "d0");
    draft = (LpDraft){0};
    p = price_of(s, "");
    assert_int_equal(lp_draft_slide(s, &draft, &p, 3, &diag), LP_OK);
    assert_string_equal(words, "servers=3,11,19,27");
    draft = (LpDraft){.word = {[LP_STAGE_PLACE] = "servers=0,2,8,10"}};
    p = price_of(s, words);
    assert_int_equal(lp_draft_slide(s, &draft, &p, 20, &diag), LP_OK);
    assert_string_equal(words, "servers=20,22,28,30");
    assert_true(price_of(s, words).possible);
    p = price_of(s, words);
    assert_int_equal(lp_draft_slide(s, &draft, &p, 31, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "a block 2x2x1 has no room from s31 on");
    lp_session_close(s);
}

static void cubes_join_a_slice_one_by_one(void **state) {
    (void)state;
    LpSession *s = open_at("pod-64", "d3");
    LpDraft draft = {0};
    LpDiag diag = {0};
    const char *words = draft.word[LP_STAGE_PLACE];
    uint32_t *server, count;
    LpPrice p = price_of(s, "");
    assert_true(lp_draft_by_cubes(s));
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 21 * 64, &diag), LP_OK);
    assert_string_equal(words, "cubes=22-44");
    p = price_of(s, words);
    assert_false(p.possible);
    assert_int_equal(lp_draft_servers(s, &draft, &p, &server, &count, &diag), LP_OK);
    assert_int_equal(count, 23 * 64); /* those that are chosen so far */
    assert_int_equal(server[0], 22 * 64);
    lp_free(server);
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 47 * 64 + 5, &diag), LP_OK);
    assert_string_equal(words, "cubes=22-44,47");
    p = price_of(s, words);
    assert_true(p.possible);
    assert_int_equal(p.forecast.server[p.forecast.servers - 1] / 64, 47);
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 0, &diag), LP_EREFUSED);
    assert_non_null(strstr(diag.text, "cube 0: job 0 runs there until "));
    assert_string_equal(words, "cubes=22-44,47");
    for (uint32_t cube = 22; cube < 48; cube++)
        if (cube < 45 || cube == 47)
            assert_int_equal(lp_draft_take_cube(s, &draft, &p, cube * 64, &diag), LP_OK);
    assert_string_equal(words, "cubes="); /* none of them */
    lp_session_close(s);
    s = open_at("five-decisions", "d1");
    assert_false(lp_draft_by_cubes(s));
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 0, &diag), LP_EREFUSED);
    lp_session_close(s);
}

/* On static wiring a box of cubes moves as a whole. */
static void a_box_of_cubes_moves(void **state) {
    static const char *const fixed[] = {"cluster.pod.wiring=static"};
    (void)state;
    LpSession *s = open_with("pod-64", "d1", fixed, 1);
    LpDraft draft = {0};
    LpDiag diag = {0};
    const char *words = draft.word[LP_STAGE_PLACE];
    LpPrice p = price_of(s, "");
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 9 * 64, &diag), LP_OK);
    assert_string_equal(words, "origin=0,2,1");
    p = price_of(s, words);
    assert_true(p.possible);
    assert_int_equal(p.forecast.server[0], 9 * 64);
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 0, &diag), LP_EREFUSED); /* it is held */
    assert_string_equal(words, "origin=0,2,1");
    lp_session_close(s);
    s = open_with("pod-64", "d3", fixed, 1);
    draft = (LpDraft){0};
    p = price_of(s, "");
    assert_int_equal(lp_draft_take_cube(s, &draft, &p, 63 * 64, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "no box of slice 8x12x16 is free from cube 3,3,3 on");
    assert_non_null(strstr(price_of(s, "cubes=1").why, "on static wiring a slice is a box"));
    lp_session_close(s);
}

/* One circuit in each row and column; matchings take turns; the words are what the price reads. */
static void ports_are_joined_one_by_one(void **state) {
    (void)state;
    LpSession *s = open_at("circuits-ocs", "d0");
    LpDraft draft = {0};
    LpDiag diag = {0};
    const char *words = draft.word[LP_STAGE_CIRCUITS];
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 0, 1, &diag), LP_OK);
    assert_string_equal(words, "circuits=0-1");
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 2, 1, &diag), LP_OK); /* of column 1 */
    assert_string_equal(words, "circuits=2-1");
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 2, 3, &diag), LP_OK); /* of row 2 */
    assert_string_equal(words, "circuits=2-3");
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 2, 3, &diag), LP_OK);
    assert_string_equal(words, "circuits=");
    assert_non_null(strstr(price_of(s, words).why, "no circuit is set"));
    for (uint32_t p = 0; p < 4; p++)
        assert_int_equal(lp_draft_join_ports(s, &draft, 0, p, (p + 1) % 4, &diag), LP_OK);
    assert_string_equal(words, "circuits=0-1,1-2,2-3,3-0");
    assert_true(near(price_of(s, words).jct, price_of(s, "circuits=0-1,1-2,2-3,3-0").jct));
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 1, 1, &diag), LP_EREFUSED);
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 1, 4, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "there is no port 4: ports are 0 to 3");
    assert_string_equal(words, "circuits=0-1,1-2,2-3,3-0");
    lp_session_close(s);
    s = open_at("five-decisions", "d3");
    draft = (LpDraft){0};
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 0, 1, &diag), LP_EREFUSED);
    lp_session_close(s);
}

static void matchings_take_turns(void **state) {
    (void)state;
    LpSession *s = open_at("circuits-ocs", "d0");
    LpDraft draft = {0};
    LpDiag diag = {0};
    LpSchedule set;
    const char *words = draft.word[LP_STAGE_CIRCUITS];
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 0, 1, &diag), LP_OK);
    assert_int_equal(lp_draft_hold(s, &draft, 0, false, &diag), LP_EREFUSED);
    assert_string_equal(diag.text, "one matching stays for good: only several take turns");
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 2, 3, &diag), LP_OK);
    assert_int_equal(lp_draft_join_ports(s, &draft, 1, 1, 2, &diag), LP_OK);
    assert_int_equal(lp_draft_join_ports(s, &draft, 1, 3, 0, &diag), LP_OK);
    assert_string_equal(words, "circuits=0-1,2-3@1s/1-2,3-0@1s");
    double at_1s = price_of(s, words).jct;
    for (uint32_t e = 0; e < 2; e++)
        for (int i = 0; i < 3; i++)
            assert_int_equal(lp_draft_hold(s, &draft, e, false, &diag), LP_OK);
    assert_string_equal(words, "circuits=0-1,2-3@100ms/1-2,3-0@100ms");
    assert_true(price_of(s, words).jct > at_1s);
    assert_true(
        near(price_of(s, words).jct, price_of(s, "circuits=0-1,2-3@0.1s/1-2,3-0@0.1s").jct));
    assert_int_equal(lp_draft_matchings(s, &draft, &set, &diag), LP_OK);
    assert_int_equal(set.entries, 2);
    assert_true(set.to[1] == LP_DARK && set.to[4 + 1] == 2 && set.hold[1] == 0.1);
    lp_configure_free(&set);
    for (int i = 0; i < 6; i++)
        assert_int_equal(lp_draft_hold(s, &draft, 1, false, &diag), LP_OK);
    assert_string_equal(words, "circuits=0-1,2-3@100ms/1-2,3-0@1ms");
    assert_int_equal(lp_draft_hold(s, &draft, 1, false, &diag), LP_EREFUSED);
    assert_int_equal(lp_draft_hold(s, &draft, 2, true, &diag), LP_EREFUSED);
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 0, 1, &diag), LP_OK);
    assert_int_equal(lp_draft_join_ports(s, &draft, 0, 2, 3, &diag), LP_OK);
    assert_string_equal(words, "circuits=1-2,3-0"); /* one without circuits goes */
    lp_session_close(s);
}

/* The step of a draft, laid out; the caller's. */
static LpStepInspection step_of(LpSession *s, const LpPrice *p) {
    LpStepInspection seen;
    const LpContext *context = lp_world_context(lp_session_world(s), lp_session_context(s));
    assert_int_equal(lp_step_inspect(context, p->forecast.partition, p->forecast.placement,
                                     p->forecast.orders, p->step_time, &seen, NULL),
                     LP_OK);
    return seen;
}

static uint32_t bar_of(const LpStepInspection *seen, LpStepRowKind kind, uint32_t op, bool back) {
    for (uint32_t r = 0; r < seen->rows; r++)
        for (uint32_t i = seen->row[r].first; seen->row[r].kind == kind && i < seen->row[r].end;
             i++)
            if (seen->bar[i].op == op && seen->bar[i].backward == back)
                return i;
    fail_msg("there is no bar of op %u", op);
    return 0;
}

/* Any bar either way: the neighbours change places and the words say no more than is needed, or the
 * reason is told and the draft is as before. */
static void carrying_changes_neighbours(void **state) {
    static const struct {
        const char *at;
        LpStage stage;
        LpStepRowKind kind;
    } cases[] = {{"d2", LP_STAGE_ORDER_OPS, LP_STEP_SERVER},
                 {"d4", LP_STAGE_ORDER_FLOWS, LP_STEP_PAIR},
                 {"d4", LP_STAGE_ORDER_OPS, LP_STEP_SERVER}};
    (void)state;
    uint32_t moved = 0, refused = 0;
    for (size_t c = 0; c < LP_COUNTOF(cases); c++) {
        LpSession *s = open_at("five-decisions", cases[c].at);
        LpPrice p = price_of(s, "");
        LpStepInspection seen = step_of(s, &p);
        for (uint32_t bar = 0; bar < seen.bars; bar++)
            for (int later = 0; later < 2; later++) {
                LpDraft draft = {0};
                LpDiag diag = {0};
                uint32_t at = LP_NO_INDEX, row = 0;
                while (bar >= seen.row[row].end)
                    row++;
                if (seen.row[row].kind != cases[c].kind)
                    continue;
                LpErr err = lp_draft_carry(s, &draft, &p, &seen, bar, later, &at, &diag);
                if (err != LP_OK) {
                    assert_int_equal(err, LP_EREFUSED);
                    assert_false(lp_draft_any(&draft));
                    assert_true(diag.text[0] != '\0');
                    refused++;
                    continue;
                }
                moved++;
                LpPrice after = price_of(s, draft.word[cases[c].stage]);
                assert_true(after.possible);
                LpStepInspection then = step_of(s, &after);
                assert_true(at < then.bars && then.bar[at].op == seen.bar[bar].op);
                lp_step_inspection_fini(&then);
            }
        lp_step_inspection_fini(&seen);
        lp_session_close(s);
    }
    assert_true(moved > 5 && refused > 5);
}

/* Carries an op behind the next one. */
static void carry_op(LpSession *s, LpDraft *draft, uint32_t op, bool backward) {
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LpPrice p = price_of(s, lp_draft_text(draft, text));
    LpStepInspection seen = step_of(s, &p);
    uint32_t bar = bar_of(&seen, LP_STEP_SERVER, op, backward), at;
    assert_int_equal(lp_draft_carry(s, draft, &p, &seen, bar, true, &at, NULL), LP_OK);
    lp_step_inspection_fini(&seen);
}

/* What is said for the ops of one server stays when an op of another server is carried. */
static void carrying_keeps_what_was_carried_elsewhere(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d4");
    LpDraft draft = {0};
    carry_op(s, &draft, 3, false);
    assert_string_equal(draft.word[LP_STAGE_ORDER_OPS], "order_ops=srpt:2,4");
    carry_op(s, &draft, 8, true);
    assert_string_equal(draft.word[LP_STAGE_ORDER_OPS], "order_ops=srpt:7b,2,4");
    lp_session_close(s);
}

static void an_op_waits_for_what_it_needs(void **state) {
    (void)state;
    LpSession *s = open_at("five-decisions", "d2");
    LpDraft draft = {0};
    LpDiag diag = {0};
    LpPrice p = price_of(s, "");
    LpStepInspection seen = step_of(s, &p);
    uint32_t at;
    assert_int_equal(lp_draft_carry(s, &draft, &p, &seen, bar_of(&seen, LP_STEP_SERVER, 2, false),
                                    false, &at, &diag),
                     LP_EREFUSED);
    assert_string_equal(diag.text, "2 cannot go before 1: it needs its result");
    assert_int_equal(lp_draft_carry(s, &draft, &p, &seen, bar_of(&seen, LP_STEP_SERVER, 1, false),
                                    false, &at, &diag),
                     LP_EREFUSED);
    assert_string_equal(diag.text, "1 is the first there");
    lp_step_inspection_fini(&seen);
    lp_session_close(s);
}

TEST_GROUP(test_ask_cursor) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toggling_a_server_twice_changes_nothing),
        cmocka_unit_test(a_server_goes_round_the_aggregators),
        cmocka_unit_test(ops_are_cut_one_by_one),
        cmocka_unit_test(numbers_of_a_plan_change),
        cmocka_unit_test(a_block_slides_as_a_whole),
        cmocka_unit_test(cubes_join_a_slice_one_by_one),
        cmocka_unit_test(a_box_of_cubes_moves),
        cmocka_unit_test(ports_are_joined_one_by_one),
        cmocka_unit_test(matchings_take_turns),
        cmocka_unit_test(carrying_changes_neighbours),
        cmocka_unit_test(carrying_keeps_what_was_carried_elsewhere),
        cmocka_unit_test(an_op_waits_for_what_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
