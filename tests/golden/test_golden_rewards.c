/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published episodes played through the environment: the mask before every decision, and rewards
 * after it: acceptance as listed, throughputs as those of the cluster step that followed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "group.h"
#include "io/scenario/scenario.h"
#include "many/train/gym.h"

enum { ACTIONS = 64 };

static LpGym *open_gym(const cJSON *episode, LpRewardKind kind) {
    LpGymSpec spec = {.reward = lp_reward_default(kind)};
    LpLoadOptions options = {0};
    LpScenario *scenario = NULL;
    LpGym *gym = NULL;
    LpDiag diag = {0};
    LpBuf text = {0};
    golden_add_episode(&text, episode);
    if (lp_scenario_parse(lp_buf_text(&text), text.len, "episode", &options, &scenario, &diag) !=
            LP_OK ||
        lp_gym_open_scenario(scenario, &spec, &gym, &diag) != LP_OK ||
        lp_gym_reset(gym, 1, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_buf_fini(&text);
    assert_true(lp_gym_actions(gym) <= ACTIONS);
    return gym;
}

static void check_mask(LpGym *gym, const cJSON *decision) {
    uint8_t mask[ACTIONS], expected[ACTIONS] = {0};
    const cJSON *valid;
    cJSON_ArrayForEach(valid, cJSON_GetObjectItemCaseSensitive(decision, "valid")) {
        expected[valid->valueint] = 1;
    }
    assert_int_equal(lp_gym_mask(gym, mask, NULL), LP_OK);
    assert_memory_equal(mask, expected, lp_gym_actions(gym));
}

/* Of the cluster step that began with the decision. */
static double step_value(const cJSON *episode, const char *key, double time) {
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(episode, "steps");
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(steps, "step_start_time"), *at;
    int index = 0;
    cJSON_ArrayForEach(at, start) {
        if (at->valuedouble >= time)
            break;
        index++;
    }
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(steps, key), index)->valuedouble;
}

/* Plays the listed degrees; key NULL: the listed rewards. */
static void play(const cJSON *episode, LpRewardKind kind, const char *key) {
    LpGym *gym = open_gym(episode, kind);
    const cJSON *decision;
    int decided = 0;
    cJSON_ArrayForEach(decision, cJSON_GetObjectItemCaseSensitive(episode, "decisions")) {
        double time = golden_number(decision, "t");
        LpGymAction action = {.degree = (uint32_t)golden_number(decision, "degree")};
        LpGymStep step;
        LpDiag diag;
        assert_true(lp_gym_due(gym));
        check_mask(gym, decision);
        assert_int_equal(lp_gym_step(gym, &action, &step, &diag), LP_OK);
        double expected =
            key != NULL ? step_value(episode, key, time) : golden_number(decision, "reward");
        char what[64];
        snprintf(what, sizeof what, "%s of job %d", lp_reward_name(kind), decided++);
        assert_true(golden_close(what, step.reward, expected));
    }
    assert_true(decided > 0);
    lp_gym_close(gym);
}

static void rewards_are_the_published_ones(void **state) {
    (void)state;
    static const char *const files[] = {
        "ep03-2x2x2-max8-pmf.json", "ep04-2x2x4-random-uniform.json",
        "ep05-4x4x2-acceptable-uniform.json", "ep07-4x4x2-max16-uniform.json",
        "ep08-4x4x4-random-uniform.json"};
    if (!golden_present())
        skip();
    for (size_t i = 0; i < LP_COUNTOF(files); i++) {
        cJSON *episode = golden_load(files[i]);
        assert_non_null(episode);
        play(episode, LP_REWARD_JOB_ACCEPTANCE, NULL);
        play(episode, LP_REWARD_COMPUTE_THROUGHPUT, "mean_compute_throughput");
        play(episode, LP_REWARD_CLUSTER_THROUGHPUT, "mean_cluster_throughput");
        play(episode, LP_REWARD_DEMAND_THROUGHPUT, "mean_demand_total_throughput");
        cJSON_Delete(episode);
    }
}

TEST_GROUP(test_golden_rewards) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rewards_are_the_published_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
