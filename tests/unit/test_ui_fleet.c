/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of servers: how servers of each fabric lie together, and that its grid has every cell
 * once, inside its size where it says so, and within reach of the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "board/fleet_grid.h"
#include "group.h"
#include "session/session.h"
#include "sim/store/store.h"
#include "views/servers/servers_facts.h"

static const char *const scenarios[] = {
    "scenarios/pac-ml-32.json",          "scenarios/zones.json",
    "scenarios/leaf-spine.json",         "scenarios/ideal-loss.json",
    "scenarios/disaggregated-rack.json", "tests/tui/scenarios/big.json",
};

static LpSession *open_session(const char *path) {
    LpSession *session = NULL;
    LpSessionSpec spec = {.scenario = path, .keep_timeline = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        fail_msg("%s: %s", path, diag.text);
    return session;
}

static LpFleet fleet_of(const LpSession *session) {
    LpFleet fleet = {0};
    assert_int_equal(
        lp_fleet_update(&fleet, lp_session_context(session), lp_session_world(session), NULL),
        LP_OK);
    return fleet;
}

/* Places are a permutation, units partition them, and asking back gives the unit. */
static void check_fleet(const LpFleet *fleet) {
    for (uint32_t p = 0; p < fleet->servers; p++)
        assert_int_equal(fleet->place[fleet->server[p]], p);
    for (int l = 0; l < LP_FLEET_LEVELS; l++) {
        LpFleetLevel level = (LpFleetLevel)l;
        uint32_t units = lp_fleet_units(fleet, level);
        assert_int_equal(lp_fleet_begin(fleet, level, 0), 0);
        assert_int_equal(lp_fleet_begin(fleet, level, units), fleet->servers);
        for (uint32_t u = 0; u < units; u++)
            for (uint32_t p = lp_fleet_begin(fleet, level, u);
                 p < lp_fleet_begin(fleet, level, u + 1); p += 1 + p / 97)
                assert_int_equal(lp_fleet_unit(fleet, level, p), u);
    }
}

/* Every cell is found where its line says it is; what fits lies inside. */
static void check_grid(const LpFleetGrid *grid, int w, int h) {
    uint32_t seen = 0;
    for (int line = 0; line < grid->lines; line++)
        for (int t = 0; t < grid->side; t++) {
            uint32_t first = 0;
            int x;
            uint32_t count = lp_fleet_grid_line(grid, line, t, &first, &x);
            for (uint32_t k = 0; k < count; k++) {
                int on, at, right = x + grid->label + lp_fleet_grid_offset(grid, k);
                lp_fleet_grid_find(grid, first + k, &on, &at);
                assert_int_equal(on, line);
                assert_int_equal(at, right);
                if (grid->fits)
                    assert_true(line < h && right + grid->width <= w);
            }
            seen += count;
        }
    assert_int_equal(seen, grid->cells);
}

/* From anywhere the four keys lead to a cell, and down and right lead to the last one. */
static void check_moves(const LpFleetGrid *grid) {
    static const int steps[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0, 10}, {0, -10}};
    uint32_t cell = 0;
    for (size_t i = 0; i < 200; i++) {
        const int *step = steps[(i * 7 + i / 5) % LP_COUNTOF(steps)];
        cell = lp_fleet_grid_move(grid, cell, step[0], step[1]);
        assert_true(cell < grid->cells);
    }
    assert_int_equal(lp_fleet_grid_move(grid, grid->cells - 1, 1, 0), grid->cells - 1);
    assert_int_equal(lp_fleet_grid_move(grid, 0, -1, 0), 0);
    if (grid->cells > 1)
        assert_int_equal(lp_fleet_grid_move(grid, 0, 1, 0), 1);
}

static void test_every_fabric(void **state) {
    static const int sizes[][2] = {{16, 1}, {76, 8}, {76, 18}, {96, 24}, {150, 54}, {396, 114}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(scenarios); i++) {
        LpSession *session = open_session(scenarios[i]);
        LpFleet fleet = fleet_of(session);
        check_fleet(&fleet);
        for (size_t k = 0; k < LP_COUNTOF(sizes); k++)
            for (int l = 0; l < LP_FLEET_LEVELS; l++) {
                if (!lp_fleet_has(&fleet, (LpFleetLevel)l))
                    continue;
                LpFleetGrid grid = lp_fleet_grid(&fleet, (LpFleetLevel)l, sizes[k][0], sizes[k][1]);
                check_grid(&grid, sizes[k][0], sizes[k][1]);
                if (grid.cells < 3000)
                    check_moves(&grid);
            }
        lp_fleet_fini(&fleet);
        lp_session_close(session);
    }
}

static void test_levels(void **state) {
    (void)state;
    LpSession *session = open_session("tests/tui/scenarios/big.json");
    LpFleet fleet = fleet_of(session);
    assert_int_equal(fleet.servers, 65536);
    assert_int_equal(lp_fleet_grid_level(&fleet, 76, 10), LP_FLEET_GROUPS);
    assert_true(lp_fleet_grid(&fleet, LP_FLEET_GROUPS, 76, 10).fits);
    assert_false(lp_fleet_grid(&fleet, LP_FLEET_SERVERS, 76, 10).fits);
    lp_fleet_fini(&fleet);
    lp_session_close(session);
    session = open_session("scenarios/pac-ml-32.json");
    fleet = fleet_of(session);
    assert_int_equal(lp_fleet_grid_level(&fleet, 76, 10), LP_FLEET_SERVERS);
    lp_fleet_fini(&fleet);
    lp_session_close(session);
}

static void test_names(void **state) {
    static const struct {
        size_t scenario;
        LpFleetLevel level;
        uint32_t unit;
        const char *name;
    } cases[] = {
        {0, LP_FLEET_SERVERS, 17, "server 17"}, {0, LP_FLEET_RACKS, 9, "g2r1"},
        {0, LP_FLEET_GROUPS, 3, "group 3"},     {1, LP_FLEET_RACKS, 1, "centre"},
        {2, LP_FLEET_RACKS, 5, "leaf 5"},       {4, LP_FLEET_RACKS, 1, "aggregator 1"},
        {4, LP_FLEET_RACKS, 2, "not joined"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *session = open_session(scenarios[cases[i].scenario]);
        LpFleet fleet = fleet_of(session);
        LpBuf name = {0};
        lp_fleet_name(&fleet, lp_session_context(session), cases[i].level, cases[i].unit, &name);
        assert_string_equal(lp_buf_text(&name), cases[i].name);
        lp_buf_fini(&name);
        lp_fleet_fini(&fleet);
        lp_session_close(session);
    }
}

/* What servers have to do adds up to what the job's step says. */
static void test_loads(void **state) {
    (void)state;
    LpSession *session = open_session("scenarios/pac-ml-32.json");
    LpServersModel model = {0};
    LpEvent event;
    for (int i = 0; i < 40; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    assert_int_equal(lp_servers_model_update(&model, session, NULL), LP_OK);
    const LpWorld *world = lp_session_world(session);
    uint32_t jobs = 0;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id), jobs++) {
        const LpJob *job = lp_world_job(world, id);
        double busy = 0, memory = 0;
        for (uint32_t s = 0; s < lp_world_servers(world); s++) {
            if (lp_world_server(world, s)->job != id)
                continue;
            LpServersSum sum =
                lp_servers_sum(&model, session, model.fleet.place[s], model.fleet.place[s] + 1);
            assert_int_equal(sum.busy, 1);
            assert_int_equal(sum.job, id);
            assert_true(lp_servers_share(&sum, LP_FLEET_FILL_COMPUTES) <= 1.0);
            busy += model.load[s].busy;
            memory += model.load[s].memory;
        }
        assert_true(busy > 0.999999 * job->forecast.busy_area &&
                    busy < 1.000001 * job->forecast.busy_area);
        assert_true(memory > 0);
    }
    assert_true(jobs > 2);
    LpServersSum all = lp_servers_sum(&model, session, 0, lp_world_servers(world));
    assert_int_equal(all.busy, lp_world_tally(world)->busy_servers);
    assert_int_equal(all.busy + all.free, 32);
    lp_servers_model_fini(&model);
    lp_session_close(session);
}

static void test_parts(void **state) {
    (void)state;
    LpSession *session = open_session("scenarios/pac-ml-32.json");
    LpEvent event;
    for (int i = 0; i < 20; i++)
        assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    const LpWorld *world = lp_session_world(session);
    const LpJob *job = lp_world_job(world, lp_world_first_running(world));
    const LpContext *context = lp_session_context(session);
    LpServerPart part[512];
    LpServerLoad *load = lp_alloc(lp_world_servers(world), sizeof *load);
    uint32_t s = job->placed.first_server;
    uint32_t count =
        lp_server_parts(context, job->placed.partition, job->placed.placement, s, part, 512);
    double sum = 0;
    lp_server_loads(context, job->placed.partition, job->placed.placement, load);
    assert_true(count > 0 && count <= 512);
    assert_int_equal(load[s].parts, 2 * count);
    lp_server_parts_sort(part, count);
    for (uint32_t i = 0; i < count; i++) {
        sum += part[i].forward + part[i].backward;
        assert_true(part[i].part < part[i].ways);
        if (i > 0)
            assert_true(part[i].forward + part[i].backward <=
                        part[i - 1].forward + part[i - 1].backward);
    }
    assert_true(sum > 0.999999 * load[s].busy && sum < 1.000001 * load[s].busy);
    assert_int_equal(
        lp_server_parts(context, job->placed.partition, job->placed.placement, s, NULL, 0), count);
    lp_free(load);
    lp_session_close(session);
}

TEST_GROUP(test_ui_fleet) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_fabric), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
