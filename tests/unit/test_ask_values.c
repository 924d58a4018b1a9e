/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value estimates along the time line are what the network said when each decision was due, on
 * every branch, however they are gathered; and gathering them moves nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/values.h"
#include "ask/network/network.h"
#include "group.h"

enum { DECISIONS = 40, FORK = 3 };

/* What was said when it was due. */
typedef struct Said {
    double time, value, q;
    uint32_t job;
} Said;

static LpSession *opened(const char *policy, bool timeline) {
    LpSessionSpec spec = {
        .scenario = "scenarios/pac-ml-32.json", .policy = policy, .keep_timeline = timeline};
    LpSession *s;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

/* Goes on by so many decisions and notes what the network says at each; the last stays due. */
static uint32_t play(LpSession *s, uint32_t count, Said *said) {
    LpArena *arena = lp_arena_new(0);
    LpEvent event;
    for (uint32_t i = 0; i < count; i++) {
        LpNetworkInspection seen;
        if (lp_world_due(lp_session_world(s)) == LP_NO_INDEX)
            assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
        assert_int_equal(lp_network_inspect_world(s, 0, lp_session_world(s), arena, &seen, NULL),
                         LP_OK);
        said[i] = (Said){seen.time, seen.value, seen.action[seen.best].q, seen.job};
        if (i + 1 < count)
            assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
    }
    lp_arena_free(arena);
    return count;
}

typedef struct Check {
    const Said *said;
    uint32_t count;
    bool best; /* the policy takes the best answer */
} Check;

static void check_one(void *user, const LpValue *v) {
    Check *c = user;
    const Said *said = &c->said[c->count++];
    assert_true(v->time == said->time && v->job == said->job);
    assert_true(v->value == said->value);
    if (v->taken && c->best)
        assert_true(v->q == said->q);
    if (!v->taken)
        assert_true(isnan(v->q));
}

static uint32_t check(const LpValues *v, const LpSession *s, const Said *said, bool best) {
    Check c = {said, 0, best};
    lp_values_each(v, s, lp_session_moment(s), check_one, &c);
    return c.count;
}

static void all_at_once_or_bit_by_bit(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    LpValues *whole, *bits;
    Said said[DECISIONS];
    bool more = true;
    uint32_t rounds = 0;
    play(s, DECISIONS, said);
    LpMoment now = lp_session_moment(s);
    uint64_t hash = lp_session_hash(s), calls = lp_session_policy_record(s)->calls;
    assert_int_equal(lp_values_new(&whole, NULL), LP_OK);
    assert_int_equal(lp_values_new(&bits, NULL), LP_OK);
    assert_int_equal(lp_values_update(whole, s, 0, now, 0, &more, NULL), LP_OK);
    assert_false(more);
    assert_int_equal(check(whole, s, said, true), DECISIONS);
    for (more = true; more; rounds++)
        assert_int_equal(lp_values_update(bits, s, 0, now, 7, &more, NULL), LP_OK);
    assert_true(rounds >= DECISIONS / 7);
    assert_int_equal(check(bits, s, said, true), DECISIONS);
    assert_true(lp_session_hash(s) == hash && lp_session_policy_record(s)->calls == calls);
    assert_true(lp_session_moment(s).step == now.step);
    lp_values_free(whole);
    lp_values_free(bits);
    lp_session_close(s);
}

static void what_is_due_is_asked_again_once_it_was_taken(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    LpValues *v;
    Said said[DECISIONS];
    assert_int_equal(lp_values_new(&v, NULL), LP_OK);
    for (uint32_t i = 0; i < 10; i++) {
        LpEvent event;
        play(s, 1, &said[i]);
        assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
        assert_int_equal(check(v, s, said, true), i + 1);
        const LpValue *last = lp_values_at(v, s, 0, said[i].time);
        assert_true(last != NULL && !last->taken && last->decision == i);
        assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
        assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
        last = lp_values_at(v, s, 0, said[i].time);
        assert_true(last != NULL && last->taken && last->q == said[i].q);
    }
    assert_null(lp_values_at(v, s, 0, said[0].time - 1));
    lp_values_free(v);
    lp_session_close(s);
}

static void branches_have_their_own_from_the_fork_on(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    LpValues *v;
    Said trunk[DECISIONS], branch[DECISIONS];
    uint64_t step;
    uint32_t fork;
    play(s, DECISIONS, trunk);
    double end = trunk[DECISIONS - 1].time;
    assert_int_equal(lp_session_find(s, LP_SEEK_DECISION, FORK, &step, NULL), LP_OK);
    assert_int_equal(lp_session_seek(s, step, NULL), LP_OK);
    LpAnswer decline = {.kind = LP_ANSWER_DECLINE};
    LpForkSpec spec = {.answer = &decline};
    assert_int_equal(lp_session_fork(s, &spec, &fork, NULL), LP_OK);
    memcpy(branch, trunk, (FORK + 1) * sizeof *branch);
    play(s, DECISIONS - FORK - 1, branch + FORK + 1);
    assert_int_equal(lp_values_new(&v, NULL), LP_OK);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    Check c = {branch, 0, false};
    lp_values_each(v, s, lp_session_moment(s), check_one, &c);
    assert_int_equal(c.count, DECISIONS);
    const LpValue *forked = lp_values_at(v, s, fork, trunk[FORK].time);
    assert_true(forked != NULL && forked->taken && forked->degree == 0);
    assert_true(isnan(forked->q) || forked->q != trunk[FORK].q);
    /* the trunk, beyond the fork as well */
    assert_int_equal(lp_values_update(v, s, 0, (LpMoment){0, lp_session_tip(s, 0)}, 0, NULL, NULL),
                     LP_OK);
    const LpValue *old = lp_values_at(v, s, 0, end);
    assert_true(old != NULL && old->value == trunk[DECISIONS - 1].value);
    old = lp_values_at(v, s, 0, trunk[FORK].time);
    assert_true(old != NULL && old->degree > 0 && old->q == trunk[FORK].q);
    double low, high;
    assert_true(lp_values_range(v, s, fork, end * 2, &low, &high) && low < high);
    lp_values_free(v);
    lp_session_close(s);
}

static void going_back_needs_nothing_new(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    LpValues *v;
    Said said[DECISIONS];
    play(s, DECISIONS, said);
    assert_int_equal(lp_values_new(&v, NULL), LP_OK);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    assert_int_equal(lp_session_seek(s, 5, NULL), LP_OK);
    bool more;
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 1, &more, NULL), LP_OK);
    assert_false(more);
    uint32_t shown = check(v, s, said, true);
    assert_true(shown > 0 && shown < DECISIONS);
    lp_values_free(v);
    lp_session_close(s);
}

static void another_policy_begins_anew(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    LpValues *v;
    Said said[DECISIONS];
    uint32_t fork;
    play(s, 10, said);
    assert_int_equal(lp_values_new(&v, NULL), LP_OK);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    LpForkSpec spec = {.policy = "scripts/max_parallelism.lua"};
    LpDiag diag = {0};
    if (lp_session_fork(s, &spec, &fork, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_network_count(s), 0);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    assert_int_equal(check(v, s, said, true), 0);
    assert_int_equal(lp_session_switch(s, 0, NULL), LP_OK);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    assert_int_equal(check(v, s, said, true), 10);
    lp_values_free(v);
    lp_session_close(s);
}

static void without_network_or_time_line_nothing_is_known(void **state) {
    (void)state;
    LpSession *s = opened(NULL, true);
    LpValues *v;
    LpBuf out = {0};
    LpDiag diag = {0};
    assert_int_equal(lp_values_new(&v, NULL), LP_OK);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, NULL), LP_OK);
    assert_null(lp_values_at(v, s, 0, 1e9));
    assert_int_equal(lp_values_csv(s, 0, false, &out, &diag), LP_EINVAL);
    lp_session_close(s);
    s = opened("scripts/pac_ml.lua", false);
    assert_int_equal(lp_values_update(v, s, 0, lp_session_moment(s), 0, NULL, &diag), LP_ESTATE);
    lp_values_free(v);
    lp_buf_fini(&out);
    lp_session_close(s);
}

static void the_table_has_a_line_per_decision(void **state) {
    (void)state;
    LpSession *s = opened("scripts/pac_ml.lua", true);
    Said said[DECISIONS];
    LpBuf out = {0};
    uint32_t lines = 0;
    play(s, DECISIONS, said);
    assert_int_equal(lp_values_csv(s, 0, false, &out, NULL), LP_OK);
    assert_int_equal(strncmp(lp_buf_text(&out), "decision,time,job,graph,degree,value,q\n0,", 41),
                     0);
    for (const char *c = lp_buf_text(&out); *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, DECISIONS + 1);
    lp_buf_fini(&out);
    lp_session_close(s);
}

TEST_GROUP(test_ask_values) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_at_once_or_bit_by_bit),
        cmocka_unit_test(what_is_due_is_asked_again_once_it_was_taken),
        cmocka_unit_test(branches_have_their_own_from_the_fork_on),
        cmocka_unit_test(going_back_needs_nothing_new),
        cmocka_unit_test(another_policy_begins_anew),
        cmocka_unit_test(without_network_or_time_line_nothing_is_known),
        cmocka_unit_test(the_table_has_a_line_per_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
