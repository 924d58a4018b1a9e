/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios: defaults, what lp_scenario_finish works out, and what it refuses by key. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "model/device/device.h"
#include "model/scenario.h"

static const double INF = (double)INFINITY, NOT = (double)NAN;

/* One op that takes `time` s forward and twice that backward. */
static LpGraph *graph(const char *id, double time, double activation, double parameters) {
    LpGraph *out = NULL;
    LpGraphBuilder *builder = lp_graph_builder_new(id, NULL);
    const LpOp op = {.number = 1,
                     .forward = time,
                     .backward = 2.0 * time,
                     .activation = activation,
                     .parameters = parameters,
                     .name = "op"};
    assert_int_equal(lp_graph_builder_op(builder, &op, 0, 0, NULL), LP_OK);
    assert_int_equal(lp_graph_builder_finish(builder, &out, NULL), LP_OK);
    lp_graph_builder_free(builder);
    return out;
}

/* Two graphs of 3 s and 9 s a step, a generator of 101 jobs of 50 steps every 1000 s. */
static LpScenario *scenario_new(void) {
    LpScenario *s = lp_scenario_new();
    assert_non_null(s);
    s->graph = lp_arena_alloc(s->arena, 2, sizeof *s->graph);
    s->graph[0] = graph("small", 1.0, 1e9, 1e9);
    s->graph[1] = graph("large", 3.0, 1e9, 1e9);
    s->graphs = 2;
    uint32_t *index = lp_arena_alloc(s->arena, 2, sizeof *index);
    index[1] = 1;
    s->has_generator = true;
    s->generator = (LpGenerator){.count = 101,
                                 .communication_share = 1,
                                 .graphs = 2,
                                 .graph = index,
                                 .sampling = LP_SAMPLE_REMOVE_AND_REPEAT,
                                 .interarrival = {.kind = LP_DIST_FIXED, .value = 1000.0},
                                 .steps = {.kind = LP_DIST_FIXED, .value = 50.0}};
    return s;
}

/* The same with a list of three jobs instead. */
static LpJobSpec *list_jobs(LpScenario *s) {
    LpJobSpec *job = lp_arena_alloc(s->arena, 3, sizeof *job);
    for (int j = 0; j < 3; j++)
        job[j] = (LpJobSpec){.graph = j % 2, .arrival = 10.0 * j, .steps = 50.0};
    s->has_generator = false;
    s->job = job;
    s->jobs = 3;
    return job;
}

/* ---- what follows ---- */

static void defaults_are_a_cluster_without_work(void **state) {
    (void)state;
    LpScenario *s = lp_scenario_new();
    assert_non_null(s);
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_int_equal(s->cluster.servers, 32);
    assert_int_equal(s->cluster.type[0].count, 32);
    assert_true(s->cluster.type[0].speed == 1.0);
    assert_true(s->horizon == INF && s->measure_until == INF);
    assert_int_equal(s->seed, 1);
    assert_int_equal(s->partition.max_degree, 16);
    assert_false(lp_options_all_published(&s->options));
    s->cluster.fabric = LP_FABRIC_IDEAL;
    s->cluster.ideal.servers = 7;
    s->cluster.type[0].count = 0;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_int_equal(s->cluster.servers, 7);
    assert_int_equal(s->cluster.type[0].count, 7);
    lp_scenario_free(s);
    lp_scenario_free(NULL);
}

static void the_load_sets_the_mean_interarrival(void **state) {
    (void)state;
    LpScenario *s = scenario_new();
    assert_true(lp_scenario_mean_sequential_jct(s) == 300.0); /* (3 + 9) / 2 * 50 */
    s->generator.load = 0.9375;
    s->generator.interarrival = (LpDist){.kind = LP_DIST_NONE};
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_int_equal(s->generator.interarrival.kind, LP_DIST_EXPONENTIAL);
    assert_true(s->generator.interarrival.value == 10.0); /* 300 / (0.9375 * 32) */
    s->generator.interarrival = (LpDist){.kind = LP_DIST_FIXED};
    s->generator.steps =
        (LpDist){.kind = LP_DIST_UNIFORM, .min = 50.0, .max = 150.0, .decimals = 0};
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_int_equal(s->generator.interarrival.kind, LP_DIST_FIXED);
    assert_true(s->generator.interarrival.value == 20.0);
    lp_scenario_free(s);
}

static void the_pool_covers_the_count(void **state) {
    (void)state;
    const struct {
        uint64_t count, given, expected;
    } cases[] = {{101, 0, 51}, {100, 0, 50}, {1, 0, 1}, {101, 7, 7}, {0, 0, 1000}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpScenario *s = scenario_new();
        s->horizon = 1e5;
        s->generator.count = cases[i].count;
        s->generator.replication = cases[i].given;
        assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
        assert_int_equal(s->generator.replication, cases[i].expected);
        lp_scenario_free(s);
    }
}

static void jobs_are_sorted_by_arrival_and_stay_in_order(void **state) {
    (void)state;
    LpScenario *s = scenario_new();
    LpJobSpec *job = list_jobs(s);
    job[0].arrival = 5.0, job[1].arrival = 1.0, job[2].arrival = 5.0;
    job[0].steps = 10.0, job[1].steps = 11.0, job[2].steps = 12.0;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_true(s->job[0].arrival == 1.0 && s->job[0].steps == 11.0);
    assert_true(s->job[1].arrival == 5.0 && s->job[1].steps == 10.0);
    assert_true(s->job[2].arrival == 5.0 && s->job[2].steps == 12.0);
    lp_scenario_free(s);
}

static void server_types_share_the_fabric(void **state) {
    (void)state;
    LpScenario *s = scenario_new();
    const LpDevice *h100 = lp_device_find("H100");
    s->cluster.types = 2;
    s->cluster.type[0].count = 24;
    s->cluster.type[1] = (LpServerType){.device = h100, .memory = 80e9, .count = 8};
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_true(s->cluster.type[0].speed == 1.0);
    assert_true(s->cluster.type[1].speed > 1.0);
    s->cluster.type[1].speed = 2.5; /* as stated */
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    assert_true(s->cluster.type[1].speed == 2.5);
    lp_scenario_free(s);
}

/* 4 * 1 GB + 1 GB of state and activations on at most max_degree servers. */
static void a_graph_must_fit_somehow(void **state) {
    (void)state;
    LpDiag diag;
    LpScenario *s = scenario_new();
    s->partition.max_degree = 4;
    s->cluster.type[0].memory = 1.25e9;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    s->cluster.type[0].memory = 1.24e9;
    assert_int_equal(lp_scenario_finish(s, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "graph \"small\" needs 5 GB"));
    assert_non_null(strstr(diag.text, "4 servers"));
    assert_non_null(strstr(diag.text, "1.24 GB"));
    s->partition.max_degree = 5;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    s->partition.max_degree = 4;
    s->state_factor = 3.0;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    s->state_factor = 4.0;
    s->options = lp_options_published(); /* blocked job by job there */
    s->partition.kind = LP_PARTITION_MODEL;
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    lp_scenario_free(s);
}

static void a_job_may_be_rigid(void **state) {
    (void)state;
    LpScenario *s = scenario_new();
    LpJobSpec *job = list_jobs(s);
    job[1] = (LpJobSpec){.graph = -1, .arrival = 1.0, .rigid_servers = 32, .rigid_duration = 60.0};
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    lp_scenario_free(s);
}

static void fractions_above_one_need_the_corrected_deadline(void **state) {
    (void)state;
    LpDiag diag;
    LpScenario *s = scenario_new();
    s->generator.max_jct_fraction = (LpDist){.kind = LP_DIST_FIXED, .value = 1.5};
    assert_int_equal(lp_scenario_finish(s, NULL), LP_OK);
    s->options = lp_options_published();
    s->partition.kind = s->generator.kind = LP_PARTITION_MODEL;
    assert_int_equal(lp_scenario_finish(s, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "generator.max_jct_fraction is 1.5: expected at most 1"));
    list_jobs(s)[2].max_jct_fraction = 1.5;
    assert_int_equal(lp_scenario_finish(s, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "jobs[2].max_jct_fraction is 1.5"));
    lp_scenario_free(s);
}

/* ---- what is refused ---- */

#define BREAK(name, statement)                                                                     \
    static void name(LpScenario *s) {                                                              \
        statement;                                                                                 \
    }
#define BREAK_JOB(name, statement)                                                                 \
    static void name(LpScenario *s) {                                                              \
        LpJobSpec *job = list_jobs(s);                                                             \
        statement;                                                                                 \
    }

BREAK(more_racks, s->cluster.ramp.racks_per_group = 5)
BREAK(no_racks, s->cluster.ramp.racks_per_group = 0)
BREAK(no_groups, s->cluster.ramp.communication_groups = 0)
BREAK(no_per_rack, s->cluster.ramp.servers_per_rack = 0)
BREAK(no_channels, s->cluster.ramp.channels = 0)
BREAK(no_bandwidth, s->cluster.ramp.node_bandwidth = 0.0)
BREAK(endless_bandwidth, s->cluster.ramp.node_bandwidth = INF)
BREAK(early_light, s->cluster.ramp.propagation_latency = -1e-9)
BREAK(early_io, s->cluster.ramp.io_latency = NOT)
BREAK(early_slot, s->cluster.ramp.slot = -1.0)
BREAK(ideal_none, s->cluster.fabric = LP_FABRIC_IDEAL; s->cluster.ideal.servers = 0)
BREAK(ideal_slow, s->cluster.fabric = LP_FABRIC_IDEAL; s->cluster.ideal.node_bandwidth = 0.0)
BREAK(too_many, s->cluster.ramp.servers_per_rack = UINT32_MAX)
BREAK(far_too_many,
      s->cluster.ramp.communication_groups = s->cluster.ramp.racks_per_group = UINT32_MAX)
BREAK(too_many_ports, s->cluster.ramp = ((LpRampParams){1 << 19, 1, 1, 1.0, 0, 0, 1, true, 0}))
BREAK(no_types, s->cluster.types = 0)
BREAK(wrong_counts, s->cluster.type[0].count = 31)
BREAK(no_device, s->cluster.type[0].device = NULL)
BREAK(no_memory, s->cluster.type[0].memory = 0.0)
BREAK(backwards, s->cluster.type[0].speed = -1.0)
BREAK(empty_type, s->cluster.types = 2; s->cluster.type[1] = s->cluster.type[0])
BREAK(no_degree, s->partition.max_degree = 0)
BREAK(no_quantum, s->partition.min_op_time = 0.0)
BREAK(no_deps, s->partition.max_deps = 0)
BREAK(no_state, s->state_factor = -1.0)
BREAK(no_horizon, s->horizon = 0.0)
BREAK(empty_window, s->measure_from = s->measure_until = 5.0)
BREAK(early_window, s->measure_from = -1.0)
BREAK(clash, s->options.published[LP_OPT_STEP_CLOCK] = true)
BREAK(both, list_jobs(s); s->has_generator = true)
BREAK(no_graphs, s->generator.graphs = 0)
BREAK(wrong_graph, s->graphs = 1; lp_graph_free(s->graph[1]))
BREAK(endless, s->generator.count = 0)
BREAK(endless_pool, s->generator.count = 0; s->generator.sampling = LP_SAMPLE_REMOVE)
BREAK(too_many_jobs, s->generator.count = UINT32_MAX)
BREAK(bad_load, s->generator.load = -0.5)
BREAK(shaped_load, s->generator.load = 0.5; s->generator.interarrival.kind = LP_DIST_UNIFORM)
BREAK(no_time, s->generator.load = 0.5; lp_graph_scale_time(s->graph[0], 0.0);
      lp_graph_scale_time(s->graph[1], 0.0))
BREAK(no_interarrival, s->generator.interarrival.kind = LP_DIST_NONE)
BREAK(backward_time, s->generator.interarrival.value = -1.0)
BREAK(standstill, s->generator.interarrival.value = 0.0; s->generator.count = 0; s->horizon = 1.0)
BREAK(no_steps, s->generator.steps.kind = LP_DIST_NONE)
BREAK(half_steps, s->generator.steps.value = 1.5)
BREAK(zero_steps, s->generator.steps.value = 0.0)
BREAK(random_steps, s->generator.steps = ((LpDist){.kind = LP_DIST_UNIFORM, .max = 3.0}))
BREAK(zero_fraction, s->generator.max_jct_fraction.kind = LP_DIST_FIXED)
BREAK(grid_of_zero, s->generator.max_jct_fraction = ((LpDist){
                        .kind = LP_DIST_UNIFORM, .min = 0.004, .max = 1.0, .decimals = 2}))
BREAK_JOB(job_early, job[1].arrival = -1.0)
BREAK_JOB(job_never, job[1].arrival = INF)
BREAK_JOB(job_graph, job[1].graph = 2)
BREAK_JOB(job_graph_minus, job[1].graph = -2)
BREAK_JOB(job_steps, job[2].steps = 0.5)
BREAK_JOB(job_fraction, job[0].max_jct_fraction = -0.5)
BREAK_JOB(job_servers, job[0].graph = -1; job[0].rigid_servers = 33)
BREAK_JOB(job_no_servers, job[0].graph = -1; job[0].rigid_servers = 0)
BREAK_JOB(job_duration, job[0].graph = -1; job[0].rigid_servers = 1)

static void what_cannot_be_is_refused_by_its_key(void **state) {
    (void)state;
    const struct {
        void (*spoil)(LpScenario *s);
        LpErr code;
        const char *part;
    } cases[] = {
        {more_racks, LP_EINVAL, "racks_per_group is 5: expected at most communication_groups, 4"},
        {no_racks, LP_EINVAL, "cluster.ramp.racks_per_group is 0: expected a whole number from 1"},
        {no_groups, LP_EINVAL, "cluster.ramp.communication_groups is 0"},
        {no_per_rack, LP_EINVAL, "cluster.ramp.servers_per_rack is 0"},
        {no_channels, LP_EINVAL, "cluster.ramp.channels is 0"},
        {no_bandwidth, LP_EINVAL, "cluster.ramp.node_bandwidth is 0: expected a number above 0"},
        {endless_bandwidth, LP_EINVAL, "cluster.ramp.node_bandwidth is infinite"},
        {early_light, LP_EINVAL, "cluster.ramp.propagation_latency is -1e-09"},
        {early_io, LP_EINVAL, "cluster.ramp.io_latency is not a number"},
        {early_slot, LP_EINVAL, "cluster.ramp.slot is -1"},
        {ideal_none, LP_EINVAL, "cluster.ideal.servers is 0"},
        {ideal_slow, LP_EINVAL, "cluster.ideal.node_bandwidth is 0"},
        {too_many, LP_ELIMIT, "expected at most 1048576"},
        {far_too_many, LP_ELIMIT, "expected at most 1048576"},
        {too_many_ports, LP_ELIMIT, "cluster.ramp.communication_groups is 524288"},
        {no_types, LP_ELIMIT, "cluster.server"},
        {wrong_counts, LP_EINVAL, "the counts add up to 31: expected 32"},
        {no_device, LP_EINVAL, "cluster.server.device is missing"},
        {no_memory, LP_EINVAL, "cluster.server.memory is 0"},
        {backwards, LP_EINVAL, "cluster.server.speed is -1"},
        {empty_type, LP_EINVAL, "cluster.server.count is 0"},
        {no_degree, LP_EINVAL, "partition.max_degree is 0"},
        {no_quantum, LP_EINVAL, "partition.min_op_time is 0"},
        {no_deps, LP_EINVAL, "partition.max_deps is 0"},
        {no_state, LP_EINVAL, "memory.state_factor is -1"},
        {no_horizon, LP_EINVAL, "horizon is 0"},
        {empty_window, LP_EINVAL, "measure.until is 5"},
        {early_window, LP_EINVAL, "measure.from is -1"},
        {clash, LP_EINVAL, "step_clock"},
        {both, LP_EINVAL, "jobs and generator"},
        {no_graphs, LP_EINVAL, "generator.graphs is empty"},
        {wrong_graph, LP_EINVAL, "generator.graphs[1] is number 1: expected one of the 1 graphs"},
        {endless, LP_EINVAL, "generator.count is 0: expected a number of arrivals, a horizon"},
        {endless_pool, LP_EINVAL, "generator.replication is missing"},
        {too_many_jobs, LP_ELIMIT, "generator.count is 4294967295"},
        {bad_load, LP_EINVAL, "generator.load is -0.5"},
        {shaped_load, LP_EINVAL, "generator.interarrival is a distribution"},
        {no_time, LP_EINVAL, "generator.load"},
        {no_interarrival, LP_EINVAL, "generator.interarrival is missing"},
        {backward_time, LP_EINVAL, "generator.interarrival is -1"},
        {standstill, LP_EINVAL, "generator.interarrival is 0"},
        {no_steps, LP_EINVAL, "generator.steps is missing"},
        {half_steps, LP_EINVAL, "generator.steps holds a fraction"},
        {zero_steps, LP_EINVAL, "generator.steps is 0"},
        {random_steps, LP_EINVAL, "generator.steps may draw 0 training steps"},
        {zero_fraction, LP_EINVAL, "generator.max_jct_fraction is 0: expected fractions above 0"},
        {grid_of_zero, LP_EINVAL, "generator.max_jct_fraction is 0"},
        {job_early, LP_EINVAL, "jobs[1].arrival is -1"},
        {job_never, LP_EINVAL, "jobs[1].arrival is infinite"},
        {job_graph, LP_EINVAL, "jobs[1].graph is number 2: expected one of the 2 graphs"},
        {job_graph_minus, LP_EINVAL, "jobs[1].graph is number -2"},
        {job_steps, LP_EINVAL, "jobs[2].steps is 0.5: expected a whole number from 1"},
        {job_fraction, LP_EINVAL, "jobs[0].max_jct_fraction is -0.5"},
        {job_servers, LP_EINVAL, "jobs[0].servers is 33: expected 1 to 32"},
        {job_no_servers, LP_EINVAL, "jobs[0].servers is 0"},
        {job_duration, LP_EINVAL, "jobs[0].duration is 0"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpDiag diag = {.code = LP_OK};
        LpScenario *s = scenario_new();
        cases[i].spoil(s);
        LpErr code = lp_scenario_finish(s, &diag);
        lp_scenario_free(s);
        if (code != cases[i].code || !strstr(diag.text, cases[i].part))
            fail_msg("%d \"%s\" lacks \"%s\"", code, diag.text, cases[i].part);
    }
}

TEST_GROUP(test_model_scenario) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_a_cluster_without_work),
        cmocka_unit_test(the_load_sets_the_mean_interarrival),
        cmocka_unit_test(the_pool_covers_the_count),
        cmocka_unit_test(jobs_are_sorted_by_arrival_and_stay_in_order),
        cmocka_unit_test(server_types_share_the_fabric),
        cmocka_unit_test(a_graph_must_fit_somehow),
        cmocka_unit_test(a_job_may_be_rigid),
        cmocka_unit_test(fractions_above_one_need_the_corrected_deadline),
        cmocka_unit_test(what_cannot_be_is_refused_by_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
