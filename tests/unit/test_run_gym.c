/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment: episodes depend on the seed only, bad actions change nothing, rewards by their
 * formulas, placement rules as the policies of the same names. */
#include "../tiny.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "run/train/gym.h"

static LpGym *open_gym(const char *scenario, const char *set, LpRewardKind kind) {
    LpGymSpec spec = {.session = {.scenario = scenario, .sets = 1, .set = &set},
                      .reward = lp_reward_default(kind)};
    LpGym *gym = NULL;
    LpDiag diag = {0};
    if (lp_gym_open(&spec, &gym, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return gym;
}

static void reset(LpGym *gym, uint64_t seed) {
    LpDiag diag = {0};
    if (lp_gym_reset(gym, seed, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static LpGymStep step(LpGym *gym, uint32_t degree, LpPlaceRule place) {
    LpGymAction action = {.degree = degree, .place = place};
    LpGymStep out;
    LpDiag diag = {0};
    if (lp_gym_step(gym, &action, &out, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return out;
}

/* A masked-in action chosen by a stream of its own; returns the sum of rewards. */
static double play(LpGym *gym, uint64_t seed, uint64_t *hash) {
    LpRng rng = lp_rng_stream(seed, "actions", 0);
    reset(gym, seed);
    while (lp_gym_due(gym)) {
        uint8_t mask[256];
        assert_true(lp_gym_actions(gym) <= sizeof mask);
        assert_int_equal(lp_gym_mask(gym, mask, NULL), LP_OK);
        uint32_t degree;
        do
            degree = (uint32_t)lp_rng_below(&rng, lp_gym_actions(gym));
        while (!mask[degree]);
        step(gym, degree, (LpPlaceRule)lp_rng_below(&rng, LP_PLACE_RULE_COUNT));
    }
    *hash = lp_session_hash(lp_gym_session(gym));
    return lp_gym_return(gym);
}

static void episodes_depend_on_the_seed_only(void **state) {
    (void)state;
    const char *const scenarios[] = {"scenarios/published-32.json", "scenarios/pac-ml-32.json"};
    for (size_t i = 0; i < LP_COUNTOF(scenarios); i++) {
        uint64_t first, again, fresh, other;
        LpGym *gym = open_gym(scenarios[i], "generator.count=60", LP_REWARD_JOB_ACCEPTANCE);
        double sum = play(gym, 3, &first);
        play(gym, 4, &other);
        assert_true(other != first);
        assert_true(play(gym, 3, &again) == sum);
        lp_gym_close(gym);
        gym = open_gym(scenarios[i], "generator.count=60", LP_REWARD_JOB_ACCEPTANCE);
        assert_true(play(gym, 3, &fresh) == sum);
        assert_true(first == again && first == fresh);
        lp_gym_close(gym);
    }
}

/* The reward of acceptance is +1 and -1, so its sum follows from the counts of the world. */
static void acceptance_adds_up(void **state) {
    (void)state;
    uint64_t hash;
    LpGym *gym =
        open_gym("scenarios/published-32.json", "horizon=100500", LP_REWARD_JOB_ACCEPTANCE);
    double sum = play(gym, 1, &hash);
    const LpTally *t = lp_world_tally(lp_session_world(lp_gym_session(gym)));
    uint64_t ran = t->blocked_by[LP_CAUSE_HORIZON] + t->completed + t->unfinished;
    assert_true(lp_gym_steps(gym) > 20);
    /* who is stopped by the horizon in the step of its decision is not accepted */
    assert_true(sum <= (double)ran - (double)(t->arrived - ran) + 0.5);
    assert_true(sum >= (double)ran - (double)(t->arrived - ran) - 2.5);
    lp_gym_close(gym);
}

/* The same decisions by a policy script and by the rule in C. */
static void rules_are_those_of_the_scripts(void **state) {
    (void)state;
    const struct {
        const char *policy, *set;
        LpPlaceRule rule;
    } rows[] = {{"best_fit.lua", "semantics=corrected", LP_PLACE_BEST_FIT},
                {"least_fragmenting.lua", "semantics=corrected", LP_PLACE_LEAST_FRAGMENTING},
                {"least_fragmenting.lua", "semantics=published", LP_PLACE_LEAST_FRAGMENTING}};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        const char *const sets[] = {"generator.count=300", rows[i].set};
        LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                              .sets = 2,
                              .set = sets,
                              .policy = rows[i].policy,
                              .has_seed = true,
                              .seed = 5};
        LpGymSpec gym_spec = {.session = spec,
                              .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
        LpSession *s = NULL;
        LpGym *gym = NULL;
        LpDiag diag = {0};
        LpEvent event;
        bool stopped;
        assert_int_equal(lp_session_open(&spec, &s, &diag), LP_OK);
        assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
        assert_int_equal(lp_gym_open(&gym_spec, &gym, &diag), LP_OK);
        reset(gym, 5);
        for (; lp_gym_due(gym);) {
            uint32_t job = lp_world_due(lp_session_world(lp_gym_session(gym)));
            const LpJob *decided = lp_world_job(lp_session_world(s), job);
            step(gym, decided->cause == LP_CAUSE_DECLINED ? 0 : decided->degree, rows[i].rule);
        }
        (void)event;
        const LpTally *a = lp_world_tally(lp_session_world(s));
        const LpTally *b = lp_world_tally(lp_session_world(lp_gym_session(gym)));
        assert_true(a->completed == b->completed && a->blocked == b->blocked);
        assert_true(lp_session_hash(s) == lp_session_hash(lp_gym_session(gym)));
        lp_gym_close(gym);
        lp_session_close(s);
    }
}

static void bad_actions_change_nothing(void **state) {
    (void)state;
    LpGym *gym =
        open_gym("scenarios/published-32.json", "generator.count=5", LP_REWARD_JOB_ACCEPTANCE);
    const uint32_t there[] = {0, 2}, far[] = {0, 32};
    const struct {
        LpGymAction action;
        LpErr err;
        const char *text;
    } rows[] = {
        {{.degree = 17}, LP_ERANGE, "action 17 does not exist: expected 0..16"},
        {{.degree = 2, .servers = 2, .server = far},
         LP_EINVAL,
         "server 32 does not exist: expected 0..31"},
        {{.degree = 2, .servers = 33, .server = there},
         LP_EINVAL,
         "33 servers are named, the cluster has 32"},
    };
    LpGymStep out;
    LpDiag diag;
    assert_int_equal(lp_gym_step(gym, &rows[0].action, &out, &diag), LP_ESTATE);
    assert_string_equal(diag.text, "there is no episode yet: expected a reset first");
    reset(gym, 1);
    uint64_t before = lp_session_hash(lp_gym_session(gym));
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        assert_int_equal(lp_gym_step(gym, &rows[i].action, &out, &diag), rows[i].err);
        assert_string_equal(diag.text, rows[i].text);
        assert_true(lp_session_hash(lp_gym_session(gym)) == before);
    }
    out = step(gym, 3, LP_PLACE_ENGINE); /* masked: an odd degree */
    assert_true(out.refused && out.cause == LP_CAUSE_REFUSED && out.reward == -1);
    const LpGymAction block = {.degree = 2, .servers = 2, .server = there};
    assert_int_equal(lp_gym_step(gym, &block, &out, &diag), LP_OK);
    const LpServer *server = lp_world_server(lp_session_world(lp_gym_session(gym)), 2);
    assert_true(out.cause == LP_CAUSE_DEADLINE || server->job == out.job);
    while (lp_gym_due(gym))
        out = step(gym, 0, LP_PLACE_ENGINE);
    assert_true(out.done);
    assert_int_equal(lp_gym_step(gym, &rows[0].action, &out, &diag), LP_ESTATE);
    assert_string_equal(diag.text, "the episode is over: expected a reset");
    lp_gym_close(gym);
}

static void rewards_follow_their_formulas(void **state) {
    (void)state;
    LpReward r = lp_reward_default(LP_REWARD_LOOKAHEAD_JCT);
    const LpRewardScale scale = {
        .least_sequential = 100, .most_sequential = 300, .most_compute = 10, .most_dep = 30};
    const LpRewardStep s = {.seconds = 4, .compute = 8, .cluster = 40, .demand = 20};
    LpJob job = {
        .outcome = LP_JOB_RUNNING, .jct = 60, .sequential_jct = 200, .part_sequential = 240};
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -60);
    r.normalise = true;
    r.normaliser_factor = 0.5;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -0.5);
    r.inverse = true;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -2);
    job.outcome = LP_JOB_BLOCKED;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -0.5);
    r = lp_reward_default(LP_REWARD_MULTI_OBJECTIVE);
    r.blocking_weight = 3;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -4.5);
    job.outcome = LP_JOB_COMPLETED;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == -0.25);
    r = lp_reward_default(LP_REWARD_COMPUTE_THROUGHPUT);
    assert_true(lp_reward_value(&r, &scale, &s, &job) == 2);
    r.normalise = true;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == 0.2);
    r = lp_reward_default(LP_REWARD_CLUSTER_THROUGHPUT);
    r.normalise = true;
    assert_true(lp_reward_value(&r, &scale, &s, &job) == 0.25);
    r = lp_reward_default(LP_REWARD_DEMAND_THROUGHPUT);
    assert_true(lp_reward_value(&r, &scale, &s, &job) == 5);
    r.log = true;
    assert_true(fabs(lp_reward_value(&r, &scale, &s, &job) - log10(6)) < 1e-12);
    r.sign = -1;
    assert_true(fabs(lp_reward_value(&r, &scale, &s, &job) + log10(6)) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(episodes_depend_on_the_seed_only),
        cmocka_unit_test(acceptance_adds_up),
        cmocka_unit_test(rules_are_those_of_the_scripts),
        cmocka_unit_test(bad_actions_change_nothing),
        cmocka_unit_test(rewards_follow_their_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
