/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by table are those of the search; what is told of a way in short is what its forecast
 * says; degrees by table have a block each, and others none. */
#include "../tiny.h"
#include "group.h"

#include <math.h>

#include "base/mem.h"
#include "base/rng.h"
#include "many/train/gym.h"
#include "sim/forecast.h"
#include "sim/place/place.h"
#include "sim/world.h"

static LpFabric fabric_of(LpCluster *cluster, uint32_t groups, uint32_t racks, uint32_t servers,
                          bool every) {
    LpFabric fabric;
    cluster->fabric = LP_FABRIC_RAMP;
    lp_fabric_ops(LP_FABRIC_RAMP)->defaults(cluster);
    cluster->every_shape = every;
    cluster->ramp.communication_groups = groups;
    cluster->ramp.racks_per_group = racks;
    cluster->ramp.servers_per_rack = servers;
    lp_fabric_init(&fabric, cluster);
    return fabric;
}

/* Number of the first block in `room` among all blocks in their order, by the search alone. */
static uint32_t by_search(const LpFabric *fabric, uint32_t n, const LpRoom *room) {
    LpBlockSearch in, all;
    uint32_t found[64], block[64], number = 0;
    lp_block_search_in(&in, fabric, n, false, room, NULL, NULL);
    if (!lp_block_next(&in, found))
        return LP_NO_INDEX;
    lp_block_search(&all, fabric, n, false, NULL, NULL);
    for (; lp_block_next(&all, block); number++) {
        bool free = true;
        for (uint32_t i = 0; i < n; i++)
            free = free && lp_room_has(room, block[i]);
        if (free) {
            assert_memory_equal(block, found, n * sizeof *block);
            return number;
        }
    }
    fail_msg("the search found a block that is none");
    return LP_NO_INDEX;
}

static void test_first(void **state) {
    static const uint32_t SIZES[][3] = {{4, 4, 2}, {2, 2, 3}, {4, 4, 4}, {8, 2, 4}, {1, 1, 5}};
    (void)state;
    for (size_t s = 0; s < 2 * LP_COUNTOF(SIZES); s++) {
        const uint32_t *size = SIZES[s / 2];
        LpCluster cluster = {0};
        LpFabric fabric = fabric_of(&cluster, size[0], size[1], size[2], s % 2);
        LpBlocks *blocks = lp_blocks_new(&fabric);
        LpRoom *room = lp_alloc(1, lp_room_bytes(&fabric));
        LpRng rng = lp_rng_stream(s, "blocks", 0);
        assert_non_null(blocks);
        assert_non_null(room);
        lp_room_init(room, &fabric);
        for (int round = 0; round < 200; round++) {
            uint32_t server = (uint32_t)lp_rng_below(&rng, fabric.servers);
            lp_room_set(room, server, lp_rng_below(&rng, 3) > 0);
            for (uint32_t n = 1; n <= fabric.servers; n++) {
                assert_true(lp_blocks_has(blocks, n));
                uint32_t first = lp_blocks_first(blocks, n, room);
                assert_int_equal(first, by_search(&fabric, n, room));
                assert_int_equal(first, lp_blocks_first(blocks, n, room)); /* kept */
            }
        }
        assert_false(lp_blocks_has(blocks, 0));
        assert_false(lp_blocks_has(blocks, 65));
        lp_free(room);
        lp_blocks_free(blocks);
    }
}

/* A cluster of more than 64 servers has no table. */
static void test_large(void **state) {
    LpCluster cluster = {0};
    LpFabric fabric = fabric_of(&cluster, 5, 5, 3, true);
    LpBlocks *blocks = lp_blocks_new(&fabric);
    (void)state;
    assert_false(lp_blocks_has(blocks, 4));
    lp_blocks_free(blocks);
    lp_blocks_free(NULL);
}

/* One decision: each degree in turn. */
static uint32_t compare(const LpSession *s, uint32_t job) {
    const LpWorld *world = lp_session_world(s);
    const LpContext *context = lp_session_context(s);
    uint32_t way[64], count, at = 0;
    LpGlance glance[64];
    LpDiag diag;
    assert_int_equal(lp_world_ways(world, context, job, 0, way, 64, &count, &diag), LP_OK);
    assert_int_equal(lp_world_glances(world, context, job, way, count, glance, &diag), LP_OK);
    uint32_t most = context->scenario->partition.max_degree;
    for (uint32_t degree = 1; degree <= most; degree++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
        LpForecast f;
        assert_int_equal(lp_world_predict(world, context, job, &answer, &f, &diag), LP_OK);
        bool there = at < count && way[at] == degree;
        if (!lp_published(&context->scenario->options, LP_OPT_MASK))
            assert_int_equal(there, f.placement != LP_NO_INDEX);
        if (!there)
            continue;
        const LpGlance *g = &glance[at++];
        assert_int_equal(g->feasible, f.feasible);
        assert_int_equal(g->accepted, f.feasible && f.cause == LP_CAUSE_NONE);
        if (f.feasible) {
            assert_int_equal(g->servers, f.servers);
            assert_true(g->jct == f.jct);
        }
    }
    return count;
}

static void test_glances(void **state) {
    static const char *const scenarios[] = {
        "scenarios/pac-ml-32.json", "scenarios/published-32.json", "scenarios/leaf-spine.json"};
    static const char *const sets[] = {"generator.count=40"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(scenarios); i++) {
        LpGymSpec spec = {.session = {.scenario = scenarios[i], .sets = 1, .set = sets},
                          .reward = lp_reward_default(LP_REWARD_JOB_ACCEPTANCE)};
        LpRng rng = lp_rng_stream(i, "glances", 0);
        LpGym *gym;
        LpGymStep step;
        LpDiag diag = {0};
        uint8_t mask[128];
        if (lp_gym_open(&spec, &gym, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        for (uint64_t seed = 1; seed <= 3; seed++) {
            assert_int_equal(lp_gym_reset(gym, seed, &diag), LP_OK);
            while (lp_gym_due(gym)) {
                const LpSession *s = lp_gym_session(gym);
                (void)compare(s, lp_world_due(lp_session_world(s)));
                assert_int_equal(lp_gym_mask(gym, mask, &diag), LP_OK);
                LpGymAction action = {.degree = (uint32_t)lp_rng_below(&rng, lp_gym_actions(gym))};
                assert_int_equal(lp_gym_step(gym, &action, &step, &diag), LP_OK);
            }
        }
        lp_gym_close(gym);
    }
}

TEST_GROUP(test_sim_blocks) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_glances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
