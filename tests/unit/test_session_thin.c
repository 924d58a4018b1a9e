/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of long time lines: dense where one was last, thin before that, and every moment is
 * what it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "session/session_impl.h"
#include "session/time.h"

enum { STEPS = 9000, APART = 997, RECENT = 4096, OLD = 2048, DENSE = 64 };

static LpSession *open_run(const char *scenario) {
    static const char *const sets[] = {"generator.count=20000"};
    LpSessionSpec spec = {.scenario = scenario, .sets = 1, .set = sets, .keep_timeline = true};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

/* Goes on to a step of the branch that it is on, and notes the state now and then. */
static void go(LpSession *s, uint64_t to, uint64_t *hash) {
    LpEvent event;
    while (s->timeline->step < to) {
        assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
        if (s->timeline->step % APART == 0)
            hash[s->timeline->step / APART] = lp_world_hash(lp_session_world(s));
    }
}

static void check_moments(LpSession *s, uint64_t from, uint64_t to, const uint64_t *hash) {
    for (uint64_t k = to / APART; k * APART > from; k--) {
        assert_int_equal(lp_session_seek(s, k * APART, NULL), LP_OK);
        assert_true(lp_world_hash(lp_session_world(s)) == hash[k]);
    }
}

static void old_ones_are_thinned(void **state) {
    (void)state;
    uint64_t hash[2 * STEPS / APART + 1] = {0};
    LpSession *s = open_run("scenarios/pac-ml-32.json");
    go(s, STEPS, hash);
    const LpBranch *b = s->timeline->branch[0];
    size_t old = 0;
    for (size_t i = 1; i < b->checks; i++) {
        uint64_t gap = b->check[i].step - b->check[i - 1].step;
        bool recent = b->check[i - 1].step + RECENT > STEPS;
        assert_in_range(gap, 1, recent ? DENSE : OLD);
        old += b->check[i].step + RECENT <= STEPS;
    }
    assert_in_range(old, 1, 2 * (STEPS - RECENT) / OLD);
    assert_int_equal(b->check[0].step, 0);
    check_moments(s, 0, STEPS, hash);
    /* a branch from long ago, which thins its own and leaves its parent's */
    size_t before = b->checks;
    uint32_t branch;
    uint64_t fork = 3 * APART;
    assert_int_equal(lp_session_seek(s, fork, NULL), LP_OK);
    assert_int_equal(lp_session_fork(s, &(LpForkSpec){0}, &branch, NULL), LP_OK);
    go(s, STEPS + fork, hash);
    assert_int_equal(s->timeline->branch[0]->checks, before);
    assert_in_range(s->timeline->branch[1]->checks, RECENT / DENSE - 1, RECENT / DENSE + 8);
    check_moments(s, 0, STEPS + fork, hash);
    lp_session_close(s);
}

/* A step takes longer there: an old moment would be too many of them away. */
static void shared_links_keep_more(void **state) {
    (void)state;
    uint64_t hash[STEPS / APART + 1] = {0};
    LpSession *s = open_run("scenarios/leaf-spine.json");
    go(s, STEPS, hash);
    const LpBranch *b = s->timeline->branch[0];
    assert_true(lp_world_tally(lp_session_world(s))->running > 1);
    for (size_t i = 1; i < b->checks; i++)
        assert_in_range(b->check[i].step - b->check[i - 1].step, 1, OLD / 2);
    check_moments(s, 0, STEPS, hash);
    lp_session_close(s);
}

TEST_GROUP(test_session_thin) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_ones_are_thinned),
        cmocka_unit_test(shared_links_keep_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
