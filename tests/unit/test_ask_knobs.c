/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knobs: which there are, how far a turn goes, and that a turned run is the run that the same
 * numbers give elsewhere. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ask/whatif/turn.h"
#include "group.h"
#include "session/moment/moment.h"
#include "sim/world.h"

static LpSession *open_of(const char *scenario, uint32_t sets, const char *const *set,
                          const char *policy, const char *at) {
    LpSession *s = NULL;
    LpDiag diag = {0};
    LpAt moment;
    LpSessionSpec spec = {
        .scenario = scenario, .sets = sets, .set = set, .policy = policy, .keep_timeline = true};
    LpErr err = lp_session_open(&spec, &s, &diag);
    if (err == LP_OK && at != NULL)
        err = lp_at_parse(at, &moment, &diag);
    if (err == LP_OK && at != NULL)
        err = lp_session_go(s, &moment, &diag);
    if (err != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static LpSession *open_at(uint32_t sets, const char *const *set, const char *policy,
                          const char *at) {
    return open_of("scenarios/pac-ml-32.json", sets, set, policy, at);
}

static LpKnobs list(const LpSession *s) {
    LpKnobs knobs;
    assert_int_equal(lp_knobs_list(s, &knobs, NULL), LP_OK);
    return knobs;
}

static LpRunKnob *find(LpKnobs *knobs, LpKnobGroup group, const char *name) {
    for (uint32_t i = 0; i < knobs->count; i++)
        if (knobs->row[i].group == group && strcmp(knobs->row[i].name, name) == 0)
            return &knobs->row[i];
    fail_msg("there is no knob %s", name);
    return NULL;
}

static uint64_t end_of(LpSession *s) {
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, NULL), LP_OK);
    return lp_world_hash(lp_session_world(s));
}

static uint64_t turned_end(const LpSession *s, const LpKnobs *knobs) {
    LpKnobTurn *turn;
    LpDiag diag = {0};
    bool done = false;
    if (lp_turn_new(s, knobs, &turn, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    while (!done)
        assert_int_equal(lp_turn_work(turn, 7, &done, &diag), LP_OK);
    uint64_t hash = lp_world_hash(lp_turn_world(turn));
    lp_turn_free(turn);
    return hash;
}

/* ---- the list ---- */

static void knobs_have_the_scenarios_values(void **state) {
    (void)state;
    LpSession *s = open_at(0, NULL, NULL, "d11");
    LpKnobs knobs = list(s);
    assert_true(find(&knobs, LP_KNOB_JOBS, "load")->value == 0.9);
    assert_true(find(&knobs, LP_KNOB_JOBS, "jobs")->value == 300);
    assert_true(find(&knobs, LP_KNOB_JOBS, "tightest limit")->value == 0.1);
    assert_true(find(&knobs, LP_KNOB_JOBS, "seed")->value == 1);
    assert_true(find(&knobs, LP_KNOB_CLUSTER, "bandwidth")->value == 1.6e12);
    assert_true(find(&knobs, LP_KNOB_CLUSTER, "servers of a rack")->value == 2);
    assert_true(find(&knobs, LP_KNOB_CLUSTER, "memory")->value == 80e9);
    assert_true(find(&knobs, LP_KNOB_NOW, "bandwidth")->value == 1);
    assert_false(lp_knobs_turned(&knobs));
    lp_knobs_fini(&knobs);
    lp_session_close(s);
}

/* Published rules know no changing conditions, and a run that is over has no now. */
static void conditions_are_there_while_they_can_change(void **state) {
    (void)state;
    static const char *const published[] = {"semantics=published"};
    LpSession *s = open_at(1, published, NULL, NULL);
    LpKnobs knobs = list(s);
    for (uint32_t i = 0; i < knobs.count; i++)
        assert_int_not_equal(knobs.row[i].group, LP_KNOB_NOW);
    lp_knobs_fini(&knobs);
    lp_session_close(s);
    s = open_at(0, NULL, NULL, NULL);
    end_of(s);
    knobs = list(s);
    for (uint32_t i = 0; i < knobs.count; i++)
        assert_int_not_equal(knobs.row[i].group, LP_KNOB_NOW);
    lp_knobs_fini(&knobs);
    lp_session_close(s);
}

/* ---- turning ---- */

static void goes(LpRunKnob knob, int by, const double *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!lp_knob_turn(&knob, by))
            fail_msg("%s goes no further than %.17g", knob.name, knob.value);
        if (knob.value != expected[i])
            fail_msg("%s: turn %zu leads to %.17g, expected %.17g", knob.name, i + 1, knob.value,
                     expected[i]);
    }
}

#define GOES(knob, by, ...)                                                                        \
    goes(knob, by, (const double[]){__VA_ARGS__},                                                  \
         sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void a_turn_goes_to_round_numbers(void **state) {
    (void)state;
    LpRunKnob load = {.name = "load", .above = true, .base = 0.9, .value = 0.9};
    GOES(load, 1, 1, 1.1, 1.2);
    GOES(load, -1, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02);
    LpRunKnob rate = {.name = "rate", .dim = LP_DIM_BANDWIDTH, .base = 1.6e12, .value = 1.6e12};
    GOES(rate, 1, 2e12, 5e12, 1e13);
    GOES(rate, -1, 1e12, 5e11, 2e11);
    LpRunKnob time = {.name = "time", .dim = LP_DIM_TIME, .base = 2e-8, .value = 2e-8};
    GOES(time, 1, 5e-8, 1e-7);
    GOES(time, -1, 1e-8, 5e-9);
    LpRunKnob racks = {.name = "racks", .whole = true, .base = 14, .value = 14, .min = 1};
    GOES(racks, 1, 15, 16, 24, 32, 48, 64);
    LpRunKnob jobs = {.name = "jobs", .whole = true, .base = 300, .value = 300, .min = 1};
    GOES(jobs, -1, 256, 192, 128, 96, 64, 48, 32, 24, 16, 15, 14);
    LpRunKnob factor = {.name = "factor", .factor = true, .above = true, .base = 1, .value = 1};
    GOES(factor, 1, 2, 5, 10);
    GOES(factor, -1, 0.5, 0.2, 0.1);
    LpRunKnob none = {.name = "none", .dim = LP_DIM_TIME, .base = 0, .value = 0};
    GOES(none, 1, 1e-9, 2e-9);
    assert_false(lp_knob_turn(&none, -1));
    none.value = 2e-9;
    GOES(none, -1, 1e-9, 0);
    LpRunKnob param = {.name = "param", .base = 0.2, .value = 0.2, .min = -(double)INFINITY};
    GOES(param, -1, 0.1, 0.05, 0.02, 0.01, 0, -0.01, -0.02);
    param.value = -0.2;
    GOES(param, -1, -0.3, -0.4);
    GOES(param, 1, -0.1, -0.05, -0.02, -0.01, 0, 0.01);
}

/* It comes back to the number that it began with, whatever that is, and stops at its ends. */
static void a_turn_finds_its_beginning_again(void **state) {
    (void)state;
    LpRunKnob rate = {.name = "rate", .dim = LP_DIM_BANDWIDTH, .base = 1.6e12, .value = 2e12};
    GOES(rate, -1, 1.6e12, 1e12);
    rate.value = 1e12;
    GOES(rate, 1, 1.6e12, 2e12);
    LpRunKnob racks = {.name = "racks", .whole = true, .base = 2, .value = 1, .min = 1, .max = 3};
    assert_false(lp_knob_turn(&racks, -1));
    GOES(racks, 1, 2, 3);
    racks.value = 3;
    assert_false(lp_knob_turn(&racks, 1));
    assert_true(racks.value == 3);
}

/* ---- what comes of it ---- */

static void a_knob_of_the_scenario_is_the_scenario_with_that_number(void **state) {
    (void)state;
    static const char *const half[] = {"generator.load=0.5"};
    LpSession *s = open_at(0, NULL, NULL, "d11"), *other = open_at(1, half, NULL, NULL);
    uint64_t before = lp_world_hash(lp_session_world(s));
    LpKnobs knobs = list(s);
    find(&knobs, LP_KNOB_JOBS, "load")->value = 0.5;
    assert_true(lp_knobs_anew(&knobs));
    assert_true(turned_end(s, &knobs) == end_of(other));
    assert_true(lp_world_hash(lp_session_world(s)) == before);
    lp_knobs_fini(&knobs);
    lp_session_close(other);
    lp_session_close(s);
}

/* The probe of a turn ends as the branch does that it is kept as. */
static void a_knob_of_now_is_a_branch(void **state) {
    (void)state;
    LpSession *s = open_at(0, NULL, NULL, "d60");
    LpKnobs knobs = list(s);
    uint64_t unturned = turned_end(s, &knobs);
    find(&knobs, LP_KNOB_NOW, "bandwidth")->value = 0.2;
    find(&knobs, LP_KNOB_NOW, "broken servers")->value = 3;
    assert_false(lp_knobs_anew(&knobs));
    uint64_t turned = turned_end(s, &knobs);
    assert_true(turned != unturned);
    LpMoment from = lp_session_moment(s);
    LpBranchInfo info;
    uint32_t branch;
    assert_int_equal(lp_knobs_fork(s, &knobs, &branch, NULL), LP_OK);
    assert_int_equal(lp_session_branch(s, branch, &info), LP_OK);
    assert_string_equal(info.name, "bandwidth=x0.2, broken servers=3");
    assert_true(end_of(s) == turned);
    assert_int_equal(lp_session_switch(s, from.branch, NULL), LP_OK);
    assert_true(end_of(s) == unturned);
    lp_knobs_fini(&knobs);
    lp_session_close(s);
}

static void a_knob_of_the_policy_is_its_parameter(void **state) {
    (void)state;
    LpSession *s = open_at(0, NULL, "scripts/least_fragmenting.lua", "d60");
    LpKnobs knobs = list(s);
    LpRunKnob *prefer = find(&knobs, LP_KNOB_POLICY, "prefer");
    prefer->value = 8;
    uint64_t turned = turned_end(s, &knobs);
    uint32_t branch;
    assert_int_equal(lp_knobs_fork(s, &knobs, &branch, NULL), LP_OK);
    assert_true(end_of(s) == turned);
    lp_knobs_fini(&knobs);
    lp_session_close(s);
}

/* A turn of both kinds: the scenario from its start, with the policy that decides here; what was
 * turned from now on counts from now. */
static void a_turned_scenario_changes_at_the_same_time(void **state) {
    (void)state;
    static const char *const racks[] = {"cluster.ramp.servers_per_rack=3"};
    LpSession *s = open_at(0, NULL, "scripts/least_fragmenting.lua", "d60");
    LpSession *other = open_at(1, racks, "scripts/least_fragmenting.lua", NULL);
    LpKnobs knobs = list(s);
    LpBuf sets = {0};
    uint32_t branch = 77;
    LpEvent event;
    LpCondition limits = {.kind = LP_CONDITION_DEADLINE, .value = 2};
    find(&knobs, LP_KNOB_CLUSTER, "servers of a rack")->value = 3;
    find(&knobs, LP_KNOB_NOW, "limits")->value = 2;
    assert_int_equal(lp_session_to_time(other, lp_world_now(lp_session_world(s)), NULL), LP_OK);
    assert_int_equal(lp_session_change(other, &limits, &event, NULL), LP_OK);
    assert_true(turned_end(s, &knobs) == end_of(other));
    assert_int_equal(lp_knobs_fork(s, &knobs, &branch, NULL), LP_ESTATE);
    assert_int_equal(branch, 77);
    lp_knobs_sets(&knobs, &sets);
    assert_string_equal(lp_buf_text(&sets), " --set cluster.ramp.servers_per_rack=3");
    lp_buf_fini(&sets);
    lp_knobs_fini(&knobs);
    lp_session_close(other);
    lp_session_close(s);
}

/* What is kept of a turned scenario is a session of its own at the same time, with the policy that
 * decided here; what was turned from now on counts from there. */
static void a_kept_scenario_is_a_session(void **state) {
    (void)state;
    LpSession *s = open_at(0, NULL, "scripts/least_fragmenting.lua", "d60"), *made;
    LpKnobs knobs = list(s);
    find(&knobs, LP_KNOB_CLUSTER, "servers of a rack")->value = 3;
    find(&knobs, LP_KNOB_NOW, "limits")->value = 2;
    find(&knobs, LP_KNOB_POLICY, "prefer")->value = 4;
    uint64_t turned = turned_end(s, &knobs);
    uint32_t branch = 77;
    assert_int_equal(lp_knobs_fork(s, &knobs, &branch, NULL), LP_ESTATE);
    assert_int_equal(branch, 77);
    assert_int_equal(lp_knobs_open(s, &knobs, &made, NULL), LP_OK);
    assert_int_equal(lp_world_servers(lp_session_world(made)), 48);
    assert_true(lp_world_now(lp_session_world(made)) <= lp_world_now(lp_session_world(s)));
    assert_string_equal(lp_session_policy_name(made), lp_session_policy_name(s));
    assert_true(end_of(made) == turned);
    lp_knobs_fini(&knobs);
    lp_session_close(made);
    lp_session_close(s);
}

/* What was decided by hand on a branch is decided so in a turned scenario: a run of the turned
 * scenario with the same answers is the same, and a run without them is another one. */
static void a_turned_scenario_has_the_decisions_by_hand(void **state) {
    static const char *const racks[] = {"cluster.ramp.servers_per_rack=3"};
    static const struct { uint32_t job, degree; } hands[] = {{20, 4}, {25, 1}, {31, 0}, {40, 2}};
    (void)state;
    LpSession *s = open_at(0, NULL, "scripts/meets_deadline.lua", "d20"), *made;
    LpSession *other = open_at(1, racks, "scripts/meets_deadline.lua", NULL);
    LpSession *bare = open_at(1, racks, "scripts/meets_deadline.lua", NULL);
    LpEvent event;
    for (size_t i = 0; i < LP_COUNTOF(hands); i++) {
        LpAnswer answer = {.kind = hands[i].degree ? LP_ANSWER_RUN : LP_ANSWER_DECLINE,
                           .degree = hands[i].degree,
                           .cause = LP_CAUSE_DECLINED};
        LpForkSpec fork = {.answer = &answer};
        uint32_t branch;
        while (lp_world_due(lp_session_world(s)) != hands[i].job)
            assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
        assert_int_equal(lp_session_fork(s, &fork, &branch, NULL), LP_OK);
        while (lp_world_due(lp_session_world(other)) != hands[i].job)
            assert_int_equal(lp_session_step(other, &event, NULL), LP_OK);
        assert_int_equal(lp_session_answer(other, &answer, &event, NULL), LP_OK);
    }
    LpKnobs knobs = list(s);
    find(&knobs, LP_KNOB_CLUSTER, "servers of a rack")->value = 3;
    uint64_t turned = turned_end(s, &knobs);
    assert_true(turned == end_of(other));
    assert_true(turned != end_of(bare));
    assert_int_equal(lp_knobs_open(s, &knobs, &made, NULL), LP_OK);
    assert_true(end_of(made) == turned);
    lp_knobs_fini(&knobs);
    lp_session_close(made);
    lp_session_close(bare);
    lp_session_close(other);
    lp_session_close(s);
}

/* What was changed in the run by hand changes in a turned scenario at the same time. */
static void a_turned_scenario_has_the_changes_of_the_run(void **state) {
    (void)state;
    static const char *const racks[] = {"cluster.ramp.servers_per_rack=3"};
    LpSession *s = open_at(0, NULL, "scripts/meets_deadline.lua", "d20"), *made;
    LpSession *other = open_at(1, racks, "scripts/meets_deadline.lua", NULL);
    LpCondition slow = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.2},
                broken = {.kind = LP_CONDITION_FAIL_SERVER, .value = 3};
    LpEvent event;
    LpAt later;
    double at = lp_world_now(lp_session_world(s));
    assert_int_equal(lp_session_change(s, &slow, &event, NULL), LP_OK);
    assert_int_equal(lp_session_change(s, &broken, &event, NULL), LP_OK);
    assert_int_equal(lp_at_parse("d60", &later, NULL), LP_OK);
    assert_int_equal(lp_session_go(s, &later, NULL), LP_OK);
    LpKnobs knobs = list(s);
    assert_true(find(&knobs, LP_KNOB_NOW, "bandwidth")->base == 0.2);
    find(&knobs, LP_KNOB_CLUSTER, "servers of a rack")->value = 3;
    uint64_t turned = turned_end(s, &knobs);
    assert_int_equal(lp_knobs_open(s, &knobs, &made, NULL), LP_OK);
    assert_true(lp_world_conditions(lp_session_world(made)).bandwidth == 0.2);
    assert_int_equal(lp_world_tally(lp_session_world(made))->failed_servers, 1);
    assert_true(end_of(made) == turned);
    assert_int_equal(lp_session_to_time(other, at, NULL), LP_OK);
    assert_int_equal(lp_session_change(other, &slow, &event, NULL), LP_OK);
    assert_int_equal(lp_session_change(other, &broken, &event, NULL), LP_OK);
    assert_true(end_of(other) == turned);
    lp_knobs_fini(&knobs);
    lp_session_close(made);
    lp_session_close(other);
    lp_session_close(s);
}

/* Nothing is left of a turn that the scenario refuses. */
static void a_refused_value_is_named(void **state) {
    (void)state;
    LpSession *s = open_at(0, NULL, NULL, "d11");
    LpKnobs knobs = list(s);
    LpKnobTurn *turn = NULL;
    LpDiag diag = {0};
    find(&knobs, LP_KNOB_CLUSTER, "racks of a group")->value = 5; /* more than groups */
    assert_int_equal(lp_turn_new(s, &knobs, &turn, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "racks_per_group"));
    assert_null(turn);
    lp_knobs_fini(&knobs);
    lp_session_close(s);
}

/* Degrees of a plan double and halve; a run with them is the run of that scenario, and what the
 * model does not allow is refused with the numbers. */
static void the_degrees_of_a_plan_are_knobs(void **state) {
    (void)state;
    static const char file[] = "scenarios/transformers.json";
    static const char *const data[] = {"graphs[0].parallel[2].data=2"};
    LpSession *s = open_of(file, 0, NULL, NULL, "d3"), *other = open_of(file, 1, data, NULL, NULL);
    LpKnobs knobs = list(s);
    LpKnobTurn *turn = NULL;
    LpDiag diag = {0};
    LpRunKnob *replicas = find(&knobs, LP_KNOB_PLANS, "3 replicas");
    assert_string_equal(replicas->heading, "plans of gpt-2.7b");
    assert_true(replicas->value == 4);
    assert_true(lp_knob_turn(replicas, 1) && replicas->value == 8);
    assert_true(lp_knob_turn(replicas, -1) && replicas->value == 4);
    assert_true(lp_knob_turn(replicas, -1) && replicas->value == 2);
    assert_true(turned_end(s, &knobs) == end_of(other));
    LpRunKnob *tensor = find(&knobs, LP_KNOB_PLANS, "1 tensor");
    tensor->value = 64;
    assert_int_equal(lp_turn_new(s, &knobs, &turn, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "heads is 32: expected a multiple of tensor, 64"));
    tensor->value = 1;
    assert_false(lp_knob_turn(tensor, -1));
    lp_knobs_fini(&knobs);
    lp_session_close(other);
    lp_session_close(s);
}

/* ---- all that ships ---- */

static const char *const shipped[] = {
    "scenarios/disaggregated-rack-3-3.json",
    "scenarios/disaggregated-rack.json",
    "scenarios/ideal-loss.json",
    "scenarios/leaf-spine.json",
    "scenarios/optics-vs-packets.json",
    "scenarios/pac-ml-32.json",
    "scenarios/published-32.json",
    "scenarios/rigid.json",
    "scenarios/two-servers.json",
    "scenarios/zones-servers.json",
    "scenarios/zones.json",
};

/* A run with it, or a sentence that says why not. */
static void try_turned(const LpSession *s, const LpKnobs *knobs) {
    LpKnobTurn *turn = NULL;
    LpDiag diag = {0};
    bool done = false;
    if (lp_turn_new(s, knobs, &turn, &diag) != LP_OK) {
        assert_true(diag.text[0] != '\0');
        return;
    }
    if (lp_turn_work(turn, 30, &done, &diag) != LP_OK)
        assert_true(diag.text[0] != '\0');
    lp_turn_free(turn);
}

static void turn_far(const LpSession *s, LpKnobs *knobs, LpRunKnob *knob, int by) {
    for (int i = 0; i < 12 && lp_knob_turn(knob, by); i++)
        assert_true(isfinite(knob->value));
    try_turned(s, knobs);
    knob->value = knob->base;
}

static void every_knob_of_every_scenario_can_be_turned_far(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        LpSession *s = NULL;
        LpEvent event;
        LpSessionSpec spec = {.scenario = shipped[i], .keep_timeline = true};
        assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
        for (int step = 0; step < 20; step++)
            assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
        LpKnobs knobs = list(s);
        assert_true(knobs.count > 0);
        for (uint32_t k = 0; k < knobs.count; k++) {
            turn_far(s, &knobs, &knobs.row[k], 1);
            turn_far(s, &knobs, &knobs.row[k], -1);
        }
        lp_knobs_fini(&knobs);
        lp_session_close(s);
    }
}

TEST_GROUP(test_ask_knobs) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_have_the_scenarios_values),
        cmocka_unit_test(conditions_are_there_while_they_can_change),
        cmocka_unit_test(a_turn_goes_to_round_numbers),
        cmocka_unit_test(a_turn_finds_its_beginning_again),
        cmocka_unit_test(a_knob_of_the_scenario_is_the_scenario_with_that_number),
        cmocka_unit_test(a_knob_of_now_is_a_branch),
        cmocka_unit_test(a_knob_of_the_policy_is_its_parameter),
        cmocka_unit_test(a_kept_scenario_is_a_session),
        cmocka_unit_test(a_turned_scenario_changes_at_the_same_time),
        cmocka_unit_test(a_turned_scenario_has_the_changes_of_the_run),
        cmocka_unit_test(a_turned_scenario_has_the_decisions_by_hand),
        cmocka_unit_test(a_refused_value_is_named),
        cmocka_unit_test(the_degrees_of_a_plan_are_knobs),
        cmocka_unit_test(every_knob_of_every_scenario_can_be_turned_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
