/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name: a room that remembers answers as a fresh one does, and least_fragmenting's
 * block leaves what a search of everything finds. */
#include "../tiny.h"
#include "group.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "many/train/gym.h"

enum { SERVERS = 32, DEGREES = 16, DECISIONS = 150 };

static LpGym *open_gym(const char *scenario) {
    LpGymSpec spec = {.session = {.scenario = scenario},
                      .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGym *gym = NULL;
    LpDiag diag = {0};
    if (lp_gym_open(&spec, &gym, &diag) != LP_OK || lp_gym_reset(gym, 1, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return gym;
}

typedef struct Free {
    bool is[SERVERS];
} Free;

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    (void)position;
    return ((const Free *)context)->is[server];
}

static Free free_now(const LpWorld *world) {
    Free f;
    for (uint32_t s = 0; s < SERVERS; s++)
        f.is[s] = lp_world_server_free(world, s);
    return f;
}

/* The largest block that is free, by trying every size. */
static uint32_t largest(const LpContext *context, const Free *f) {
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    uint32_t block[SERVERS], size = SERVERS;
    for (; size > 0; size--) {
        LpBlockSearch search;
        lp_block_search(&search, &context->fabric, size, fallbacks, is_free, f);
        if (lp_block_next(&search, block))
            break;
    }
    return size;
}

/* What the best of all blocks leaves free; counts the blocks. */
static uint32_t best_left(const LpContext *context, const Free *f, uint32_t n, int *blocks) {
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    uint32_t block[SERVERS], best = 0;
    LpBlockSearch search;
    lp_block_search(&search, &context->fabric, n, fallbacks, is_free, f);
    for (*blocks = 0; lp_block_next(&search, block); ++*blocks) {
        Free after = *f;
        for (uint32_t i = 0; i < n; i++)
            after.is[block[i]] = false;
        uint32_t left = largest(context, &after);
        best = left > best ? left : best;
    }
    return best;
}

static void compare(const LpGym *gym, LpPlaceRoom *room, uint32_t degree, LpPlaceRule rule,
                    int *checked) {
    const LpWorld *world = lp_session_world(lp_gym_session(gym));
    const LpContext *context = lp_session_context(lp_gym_session(gym));
    uint32_t job = lp_world_due(world), a[SERVERS], b[SERVERS], in_a, in_b, left_a = 0, left_b = 0;
    int blocks;
    assert_int_equal(lp_place_choose(world, context, job, degree, rule, a, &in_a, &left_a, NULL),
                     LP_OK);
    assert_int_equal(
        lp_place_choose_in(room, world, context, job, degree, rule, b, &in_b, &left_b, NULL),
        LP_OK);
    assert_int_equal(in_a, in_b);
    assert_int_equal(left_a, left_b);
    assert_memory_equal(a, b, in_a * sizeof *a);
    if (rule != LP_PLACE_LEAST_FRAGMENTING || in_a == 0)
        return;
    Free f = free_now(world);
    uint32_t best = best_left(context, &f, in_a, &blocks);
    for (uint32_t i = 0; i < in_a; i++) {
        assert_true(f.is[a[i]]);
        f.is[a[i]] = false;
    }
    assert_int_equal(left_a, largest(context, &f));
    if (blocks <= LP_PLACE_LEAST_LIMIT) {
        assert_int_equal(left_a, best);
        ++*checked;
    }
}

static void a_room_remembers_only_what_holds(void **state) {
    (void)state;
    const char *const scenarios[] = {"scenarios/published-32.json", "scenarios/pac-ml-32.json"};
    for (size_t i = 0; i < LP_COUNTOF(scenarios); i++) {
        LpGym *gym = open_gym(scenarios[i]);
        LpRng rng = lp_rng_stream(i, "test", 0);
        LpPlaceRoom *room = lp_place_room_new(lp_session_context(lp_gym_session(gym)));
        int checked = 0;
        assert_non_null(room);
        for (int k = 0; k < DECISIONS && lp_gym_due(gym); k++) {
            LpGymAction action = {.degree = (uint32_t)lp_rng_below(&rng, 9),
                                  .place = (LpPlaceRule)lp_rng_below(&rng, LP_PLACE_RULE_COUNT)};
            LpGymStep step;
            for (uint32_t degree = 1; degree <= DEGREES; degree++)
                for (int rule = 0; rule < LP_PLACE_RULE_COUNT; rule++)
                    compare(gym, room, degree, (LpPlaceRule)rule, &checked);
            assert_int_equal(lp_gym_step(gym, &action, &step, NULL), LP_OK);
        }
        assert_true(checked > 50);
        lp_place_room_free(room);
        lp_gym_close(gym);
    }
}

TEST_GROUP(test_session_place_rule) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_room_remembers_only_what_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
