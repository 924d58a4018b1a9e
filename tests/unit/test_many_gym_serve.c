/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment's protocol under requests that were damaged at random, the same ones every time:
 * each is answered by one line, and what is refused has changed nothing. */
#include "../tiny.h"
#include "group.h"

#include <string.h>

#include "base/rng.h"
#include "many/train/gym_serve_impl.h"
#include "session/player/player.h"
#include "sim/forecast.h"
#include "sim/world.h"

enum { REQUESTS = 6000, LINE = 512 };

static const char *const requests[] = {
    "{\"cmd\":\"spec\"}",
    "{\"cmd\":\"reset\",\"seed\":7}",
    "{\"cmd\":\"reset\",\"observe\":false}",
    "{\"cmd\":\"step\",\"action\":4}",
    "{\"cmd\":\"step\",\"action\":8,\"place\":\"best_fit\"}",
    "{\"cmd\":\"step\",\"action\":2,\"place\":\"least_fragmenting\",\"observe\":true}",
    "{\"cmd\":\"step\",\"action\":2,\"servers\":[0,9]}",
    "{\"cmd\":\"predict\",\"action\":16}",
    "{\"cmd\":\"mask\"}",
    "{\"cmd\":\"observe\"}",
    "{\"cmd\":\"reward\",\"name\":\"multi_objective_jct_blocking\",\"log\":true,\"fail\":-1e3}",
    "{\"cmd\":\"seed\",\"seed\":18446744073709551615}",
    "{\"cmd\":\"summary\"}",
    "{\"cmd\":\"graphs\"}",
};

static LpGymServer *open_server(LpGym **gym) {
    static const char *const sets[] = {"generator.count=12"};
    LpGymSpec spec = {
        .session = {.scenario = "scenarios/published-32.json", .sets = 1, .set = sets},
        .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGymServer *server = NULL;
    LpDiag diag = {0};
    if (lp_gym_open(&spec, gym, &diag) != LP_OK ||
        lp_gym_server_new(*gym, NULL, &server, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return server;
}

/* Bytes changed, left out, doubled, or taken from another request. */
static size_t damage(LpRng *rng, char line[LINE]) {
    const char *from = requests[lp_rng_below(rng, LP_COUNTOF(requests))];
    size_t len = strlen(from);
    memcpy(line, from, len);
    for (uint64_t hits = lp_rng_below(rng, 4); hits > 0 && len > 1 && len < LINE - 64; hits--) {
        size_t at = lp_rng_below(rng, len);
        const char *other = requests[lp_rng_below(rng, LP_COUNTOF(requests))];
        switch (lp_rng_below(rng, 4)) {
        case 0:
            line[at] = (char)lp_rng_below(rng, 256);
            break;
        case 1:
            memmove(line + at, line + at + 1, len - at - 1);
            len--;
            break;
        case 2:
            memmove(line + at + 1, line + at, len - at);
            len++;
            break;
        default:
            len = at + strlen(other + strlen(other) / 2);
            strcpy(line + at, other + strlen(other) / 2);
        }
    }
    line[len] = '\0';
    return len;
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void damaged_requests_change_nothing(void **state) {
    (void)state;
    LpGym *gym = NULL;
    LpGymServer *server = open_server(&gym);
    LpRng rng = lp_rng_stream(1, "damage", 0);
    LpBuf out = {0};
    uint32_t good = 0, bad = 0;
    for (int i = 0; i < REQUESTS; i++) {
        char line[LINE];
        bool go_on;
        LpDiag diag;
        size_t len = damage(&rng, line);
        uint64_t before = lp_session_hash(lp_gym_session(gym));
        double sum = lp_gym_return(gym);
        lp_buf_clear(&out);
        assert_int_equal(lp_gym_server_answer(server, line, len, &out, &go_on, &diag), LP_OK);
        const char *text = lp_buf_text(&out);
        assert_true(go_on && out.len > 2);
        assert_ptr_equal(strchr(text, '\n'), text + out.len - 1);
        if (starts(text, "{\"ok\":true,")) {
            good++;
            continue;
        }
        bad++;
        assert_true(starts(text, "{\"ok\":false,\"code\":"));
        assert_true(lp_session_hash(lp_gym_session(gym)) == before && lp_gym_return(gym) == sum);
    }
    assert_true(good > REQUESTS / 5 && bad > REQUESTS / 5);
    lp_buf_fini(&out);
    lp_gym_server_free(server);
}

/* What is told of an action is told as it would be placed: the observation is that of a player with
 * the same rules, and a step that names no rule takes the first. */
static void actions_are_observed_as_they_are_placed(void **state) {
    (void)state;
    static const char *const sets[] = {"generator.count=60", "semantics=corrected"};
    static const char *const rules[] = {"least_fragmenting", "engine"};
    LpGymSpec spec = {
        .session = {.scenario = "scenarios/published-32.json", .sets = 2, .set = sets},
        .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
    LpGymServerSpec placed = {.places = 2, .place = rules}, wrong = {.places = 1};
    static const char *const nowhere[] = {"anywhere"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent = NULL;
    LpPlayer *player = NULL;
    LpGymServer *server = NULL;
    LpGym *gym = NULL, *other = NULL;
    LpDiag diag = {0};
    uint32_t differ = 0, graph;
    wrong.place = nowhere;
    assert_int_equal(lp_gym_open(&spec, &other, &diag), LP_OK);
    assert_int_equal(lp_gym_server_new(other, &wrong, &server, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "no rule of placement \"anywhere\""));
    assert_int_equal(lp_gym_open(&spec, &gym, &diag), LP_OK);
    assert_int_equal(lp_gym_server_new(gym, &placed, &server, &diag), LP_OK);
    const LpSession *session = lp_gym_session(gym);
    const LpContext *context = lp_session_context(session);
    assert_int_equal(
        lp_weights_new(LP_ENCODING_CORRECTED, lp_gym_degrees(gym), rules, 2, &shape, &agent, NULL),
        LP_OK);
    assert_int_equal(lp_player_new(agent, context, &player, &diag), LP_OK);
    uint32_t features = agent->plan.shape.features;
    assert_int_equal(server->features, features);
    double *seen = test_calloc(features, sizeof *seen);
    assert_int_equal(lp_gym_reset(gym, 3, &diag), LP_OK);
    while (lp_gym_due(gym)) {
        const LpWorld *world = lp_session_world(session);
        LpGymStep step;
        LpBuf out = {0};
        bool go_on;
        assert_int_equal(lp_gym_observe(server, &graph, &diag), LP_OK);
        assert_int_equal(
            lp_player_observe(player, context, world, lp_world_due(world), seen, &graph, &diag),
            LP_OK);
        assert_memory_equal(server->feature, seen, features * sizeof *seen);
        uint32_t actions = agent->plan.shape.actions;
        for (uint32_t a = 1; a < actions; a += 2) /* blocks left: by the one rule, and unknown */
            differ += seen[features - 3 * actions + a] != seen[features - 3 * actions + a + 1];
        LpGymAction action = {.degree = 4, .place = LP_PLACE_LEAST_FRAGMENTING};
        LpForecast by_rule = {0};
        assert_int_equal(lp_gym_predict(gym, &action, &by_rule, &diag), LP_OK);
        if (by_rule.feasible) {
            static const char *const ask = "{\"cmd\":\"predict\",\"action\":4}";
            char first[64];
            snprintf(first, sizeof first, "\"servers\":[%u,", (unsigned)by_rule.server[0]);
            assert_int_equal(lp_gym_server_answer(server, ask, strlen(ask), &out, &go_on, &diag),
                             LP_OK);
            assert_non_null(strstr(lp_buf_text(&out), first));
        }
        lp_buf_fini(&out);
        assert_int_equal(lp_gym_step(gym, &action, &step, &diag), LP_OK);
    }
    assert_true(differ > 60);
    test_free(seen);
    lp_player_free(player);
    lp_weights_free(agent);
    lp_gym_server_free(server);
}

/* A store that has grown too large is begun anew between episodes; results do not depend on it. */
static void known_steps_may_be_forgotten(void **state) {
    (void)state;
    static const char *const sets[] = {"generator.count=40"};
    uint64_t hash[2] = {0};
    bool renewed = false;
    for (int small = 0; small < 2; small++) {
        LpGymSpec spec = {.session = {.scenario = "scenarios/ideal-loss.json",
                                      .sets = 1,
                                      .set = sets,
                                      .max_memory = small ? 320000 : 0},
                          .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
        LpGym *gym = NULL;
        LpDiag diag = {0};
        if (lp_gym_open(&spec, &gym, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            const LpContext *before = lp_session_context(lp_gym_session(gym));
            assert_int_equal(lp_gym_reset(gym, seed, &diag), LP_OK);
            renewed = renewed || (small && lp_session_context(lp_gym_session(gym)) != before);
            for (uint32_t i = 0; lp_gym_due(gym); i++) {
                LpGymAction action = {.degree = 2 + 2 * (uint32_t)((i * seed) % 8)};
                LpGymStep step;
                assert_int_equal(lp_gym_step(gym, &action, &step, &diag), LP_OK);
            }
        }
        hash[small] = lp_session_hash(lp_gym_session(gym));
        lp_gym_close(gym);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(renewed);
}

TEST_GROUP(test_many_gym_serve) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_requests_change_nothing),
        cmocka_unit_test(actions_are_observed_as_they_are_placed),
        cmocka_unit_test(known_steps_may_be_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
