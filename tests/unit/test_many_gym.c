/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment: episodes depend on the seed only, bad actions change nothing, rewards by their
 * formulas, placement rules as the policies of the same names. */
#include "../tiny.h"
#include "group.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "many/train/gym.h"

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
            step(gym, decided->cause == LP_CAUSE_DECLINED ? 0 : decided->placed.degree,
                 rows[i].rule);
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
    LpJob job = {.outcome = LP_JOB_RUNNING,
                 .forecast.jct = 60,
                 .asked.sequential_jct = 200,
                 .forecast.part_sequential = 240};
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

/* ---- episodes that are set aside ---- */

static void save(const LpGym *gym, LpGymState **out) {
    LpDiag diag = {0};
    if (lp_gym_save(gym, out, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static uint64_t hash_of(const LpGym *gym) {
    return lp_session_hash(lp_gym_session(gym));
}

/* Some steps of one degree, or as many as there are. */
static void go_on(LpGym *gym, uint32_t degree, uint32_t steps) {
    for (uint32_t i = 0; i < steps && lp_gym_due(gym); i++)
        step(gym, degree, LP_PLACE_ENGINE);
}

static void states_are_gone_back_to(void **state) {
    (void)state;
    LpGym *gym =
        open_gym("scenarios/published-32.json", "generator.count=60", LP_REWARD_JOB_ACCEPTANCE);
    LpGymState *early = NULL, *late = NULL;
    reset(gym, 5);
    go_on(gym, 4, 7);
    save(gym, &early);
    uint64_t then = hash_of(gym), end, other;
    double sum = lp_gym_return(gym);
    go_on(gym, 8, 60);
    save(gym, &late);
    end = hash_of(gym);
    reset(gym, 6); /* a state outlives its episode */
    assert_int_equal(lp_gym_restore(gym, early, NULL), LP_OK);
    assert_true(hash_of(gym) == then && lp_gym_return(gym) == sum && lp_gym_steps(gym) == 7);
    go_on(gym, 8, 60);
    assert_true(hash_of(gym) == end);
    assert_int_equal(lp_gym_restore(gym, early, NULL), LP_OK);
    lp_gym_reseed(gym, 99);
    go_on(gym, 8, 60);
    other = hash_of(gym);
    assert_true(other != end);
    assert_int_equal(lp_gym_restore(gym, early, NULL), LP_OK);
    lp_gym_reseed(gym, 99);
    go_on(gym, 8, 60);
    assert_true(hash_of(gym) == other);
    assert_int_equal(lp_gym_restore(gym, late, NULL), LP_OK);
    assert_true(hash_of(gym) == end && !lp_gym_due(gym));
    lp_gym_state_free(early);
    lp_gym_state_free(late);
    lp_gym_close(gym);
}

/* Two episodes in turns, in one that runs over its memory between them: as each by itself. */
static void episodes_take_turns(void **state) {
    (void)state;
    const char *set = "generator.count=40";
    for (size_t memory = 0; memory <= 4 << 20; memory += 4 << 20) {
        LpGymSpec spec = {.session = {.scenario = "scenarios/pac-ml-32.json",
                                      .sets = 1,
                                      .set = &set,
                                      .max_memory = memory},
                          .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
        LpGym *gym = NULL;
        LpGymState *other = NULL;
        uint64_t alone[2], hash;
        assert_int_equal(lp_gym_open(&spec, &gym, NULL), LP_OK);
        for (uint32_t i = 0; i < 2; i++) {
            reset(gym, 3 + i);
            go_on(gym, 8 * (i + 1), 100);
            alone[i] = hash_of(gym);
        }
        for (int round = 0; round < 4; round++) {
            reset(gym, 3);
            if (other == NULL)
                save(gym, &other);
            lp_gym_exchange(gym, other);
            assert_int_equal(lp_gym_reset_beside(gym, other, 4, NULL), LP_OK);
            for (int i = 0; i < 80; i++) {
                go_on(gym, i % 2 == 0 ? 16 : 8, 1);
                lp_gym_exchange(gym, other);
            }
            hash = hash_of(gym);
            assert_true(hash == alone[1]);
            lp_gym_exchange(gym, other);
            hash = hash_of(gym);
            assert_true(hash == alone[0]);
        }
        lp_gym_state_free(other);
        lp_gym_close(gym);
    }
}

/* ---- jobs that wait ---- */

static LpGym *open_waiting(const char *deadline, const char *queue, bool earliest_first) {
    const char *const sets[] = {"generator.count=250", deadline, queue,
                                "generator.max_jct_fraction={\"uniform\":{\"min\":0.2,\"max\":1}}"};
    LpGymSpec spec = {.session = {.scenario = "scenarios/pac-ml-32.json", .sets = 4, .set = sets},
                      .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE),
                      .waits = true,
                      .earliest_first = earliest_first};
    LpGym *gym = NULL;
    LpDiag diag = {0};
    if (lp_gym_open(&spec, &gym, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return gym;
}

/* 16 ways, else the job waits where it may. How many waited, and offers out of the order. */
static void wait_for_room(LpGym *gym, uint32_t *waits, uint32_t *unordered) {
    double before = -1, at = -1;
    uint8_t mask[64];
    *waits = *unordered = 0;
    reset(gym, 2);
    while (lp_gym_due(gym)) {
        const LpWorld *world = lp_session_world(lp_gym_session(gym));
        const LpJob *job = lp_world_job(world, lp_world_due(world));
        double until = job->asked.arrival + job->asked.max_jct;
        bool again = job->offers > 0;
        *unordered += again && at == lp_world_now(world) && until < before ? 1 : 0;
        before = again ? until : -1;
        at = lp_world_now(world);
        assert_int_equal(lp_gym_mask(gym, mask, NULL), LP_OK);
        uint32_t wait = lp_gym_wait(gym), degree = mask[16] ? 16 : mask[wait] ? wait : 0;
        LpGymStep out = step(gym, degree, LP_PLACE_ENGINE);
        assert_true(degree != wait || (out.outcome != LP_JOB_RUNNING && !out.refused));
        *waits += degree == wait ? 1 : 0;
    }
}

/* Every job counts once: +1 if it was in time by its true deadline, else -1. */
static void waiting_adds_up(void **state) {
    (void)state;
    const char *const deadlines[] = {"options.deadline=corrected", "options.deadline=published"};
    uint64_t late = 0;
    for (int i = 0; i < 4; i++) {
        LpGym *gym = open_waiting(deadlines[i / 2], "queue_capacity=20", i % 2 == 1);
        LpSummary s;
        uint32_t waits, unordered;
        wait_for_room(gym, &waits, &unordered);
        assert_true(waits > 20 && (unordered == 0 || i % 2 == 0));
        const LpSession *session = lp_gym_session(gym);
        assert_int_equal(
            lp_metrics_summary(lp_session_world(session), lp_session_context(session), &s, NULL),
            LP_OK);
        const LpTally *t = lp_world_tally(lp_session_world(session));
        assert_true(t->completed + t->blocked + t->unfinished == 250);
        assert_true(lp_gym_return(gym) ==
                    250 - 2.0 * (double)(t->blocked + t->unfinished + s.late));
        assert_true(s.late == 0 || i / 2 == 1);
        late += s.late;
        lp_gym_close(gym);
    }
    assert_true(late > 0);
}

static void queues_have_an_end(void **state) {
    (void)state;
    LpGym *gym = open_waiting("options.deadline=corrected", "queue_capacity=1", false);
    uint8_t mask[64];
    uint32_t wait = lp_gym_wait(gym), closed = 0;
    assert_true(wait == lp_gym_degrees(gym) + 1 && lp_gym_actions(gym) == wait + 1);
    reset(gym, 2);
    while (lp_gym_due(gym) && closed < 5) {
        const LpWorld *world = lp_session_world(lp_gym_session(gym));
        bool full = lp_world_tally(world)->waiting > 0 &&
                    lp_world_job(world, lp_world_due(world))->offers == 0;
        assert_int_equal(lp_gym_mask(gym, mask, NULL), LP_OK);
        assert_int_equal(mask[wait], full ? 0 : 1);
        LpGymStep out = step(gym, wait, LP_PLACE_ENGINE);
        assert_true(out.refused == full);
        assert_true(!full || (out.outcome == LP_JOB_BLOCKED && out.reward <= -1));
        closed += full ? 1 : 0;
    }
    assert_int_equal(closed, 5);
    lp_gym_close(gym);
}

TEST_GROUP(test_many_gym) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_adds_up),
        cmocka_unit_test(queues_have_an_end),
        cmocka_unit_test(states_are_gone_back_to),
        cmocka_unit_test(episodes_take_turns),
        cmocka_unit_test(episodes_depend_on_the_seed_only),
        cmocka_unit_test(acceptance_adds_up),
        cmocka_unit_test(rules_are_those_of_the_scripts),
        cmocka_unit_test(bad_actions_change_nothing),
        cmocka_unit_test(rewards_follow_their_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
