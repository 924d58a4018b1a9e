/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped policies follow their rules, decision by decision, over whole runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "degrees.h"
#include "group.h"
#include "lab.h"
#include "sim/forecast.h"

#define SCRIPTS LP_SOURCEDIR "/scripts/"

#define RUN(semantics)                                                                             \
    "{ \"lightpath\": 1, \"name\": \"run\", \"semantics\": \"" semantics "\", \"seed\": 5,"        \
    "  \"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 4,"              \
    "    \"racks_per_group\": 4, \"servers_per_rack\": 2 } },"                                     \
    "  \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\" },"                               \
    "    { \"id\": \"squeezenet\", \"zoo\": \"squeezenet1_0\" } ],"                                \
    "  \"generator\": { \"count\": 120, \"graphs\": [\"alexnet\", \"squeezenet\"],"                \
    "    \"sampling\": \"remove_and_repeat\", \"load\": 2, \"interarrival\": \"fixed\","           \
    "    \"steps\": 50, \"max_jct_fraction\": { \"uniform\": { \"min\": 0.1, \"max\": 1,"          \
    "    \"decimals\": 2 } } },"                                                                   \
    "  \"partition\": { \"max_degree\": 16 } }"

/* The degree that a rule asks for; 0 declines. valid ascends, without 0. */
typedef uint32_t Rule(const Lab *lab, const uint32_t *valid, uint32_t count);

static uint32_t none(const Lab *lab, const uint32_t *valid, uint32_t count) {
    (void)lab, (void)valid;
    return count > 0 ? 1 : 0;
}

static uint32_t least(const Lab *lab, const uint32_t *valid, uint32_t count) {
    (void)lab, (void)valid;
    return count > 2 ? 2 : count;
}

static uint32_t most(const Lab *lab, const uint32_t *valid, uint32_t count) {
    (void)lab;
    return count > 0 ? valid[count - 1] : 0;
}

static uint32_t most_up_to_4(const Lab *lab, const uint32_t *valid, uint32_t count) {
    (void)lab;
    while (count > 0 && valid[count - 1] > 4)
        count--;
    return count > 0 ? valid[count - 1] : 0;
}

static uint32_t sip_ml_10(const Lab *lab, const uint32_t *valid, uint32_t count) {
    (void)lab;
    return count == 0 ? 0 : valid[count - 1] < 10 ? valid[count - 1] : 10;
}

static uint32_t acceptable(const Lab *lab, const uint32_t *valid, uint32_t count) {
    const LpJob *job = lab_due(lab);
    double target = ceil(job->asked.sequential_jct / job->asked.max_jct);
    for (uint32_t i = 0; i < count; i++)
        if (valid[i] >= target)
            return valid[i];
    return most(lab, valid, count);
}

static uint32_t drawn(const Lab *lab, const uint32_t *valid, uint32_t count) {
    LpRng copy = *lp_world_policy_rng(lab->world); /* as the policy will find it */
    return count == 0 ? 0 : valid[lp_rng_below(&copy, count)];
}

static uint32_t meets(const Lab *lab, const uint32_t *valid, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = valid[i]};
        LpForecast forecast;
        assert_int_equal(lp_world_predict(lab->world, lab->context, lp_world_due(lab->world),
                                          &answer, &forecast, NULL),
                         LP_OK);
        if (forecast.feasible && forecast.finish <= lp_job_deadline(lab_due(lab)))
            return valid[i];
    }
    return 0;
}

static const struct Case {
    const char *file;
    LpPolicyParam param;
    Rule *rule;
} CASES[] = {
    {"no_parallelism.lua", {NULL, NULL, NULL}, none},
    {"min_parallelism.lua", {NULL, NULL, NULL}, least},
    {"max_parallelism.lua", {NULL, NULL, NULL}, most},
    {"max_parallelism.lua", {"max_degree", "4", NULL}, most_up_to_4},
    {"random.lua", {NULL, NULL, NULL}, drawn},
    {"sip_ml.lua", {"max_degree", "10", NULL}, sip_ml_10},
    {"sip_ml.lua", {NULL, NULL, NULL}, most},
    {"acceptable_jct.lua", {NULL, NULL, NULL}, acceptable},
    {"meets_deadline.lua", {NULL, NULL, NULL}, meets},
};

/* Decides every job of the run; returns how many different degrees were answered. */
static int follow(const char *scenario, const struct Case *c) {
    bool seen[64] = {false};
    int different = 0, decisions = 0;
    Lab lab;
    lab_open(&lab, scenario);
    if (lab_load_file(&lab, c->file, c->param.name ? &c->param : NULL, c->param.name != NULL) !=
        LP_OK)
        fail_msg("%s: %s", c->file, lab.diag.text);
    while (lab_advance(&lab)) {
        uint32_t valid[64], job = lp_world_due(lab.world);
        uint32_t count = allowed_degrees(lab.world, lab.context, job, 0, valid, 64);
        uint32_t expected = c->rule(&lab, valid, count);
        LpEvent event;
        assert_int_equal(lab_ask(&lab), LP_OK);
        if (lab.failed)
            fail_msg("%s: %s", c->file, lab.diag.text);
        uint32_t degree = lab.answer.kind == LP_ANSWER_RUN ? lab.answer.degree : 0;
        if (degree != expected)
            fail_msg("%s: job %u: expected degree %u, got %u (%s)", c->file, (unsigned)job,
                     (unsigned)expected, (unsigned)degree, lab.answer.why);
        assert_non_null(lab.answer.why);
        assert_non_null(lab.answer.where);
        different += !seen[degree];
        seen[degree] = true;
        decisions++;
        lab_apply(&lab, &event);
    }
    assert_int_equal(decisions, 120);
    lab_close(&lab);
    return different;
}

static void rules_are_followed(void **state) {
    const char *scenario = *state;
    int different = 0;
    for (size_t i = 0; i < LP_COUNTOF(CASES); i++) {
        struct Case c = CASES[i];
        char path[500];
        snprintf(path, sizeof path, SCRIPTS "%s", CASES[i].file);
        c.file = path;
        different += follow(scenario, &c);
    }
    if (different < 20) /* the run must bring the rules into different situations */
        fail_msg("only %d different answers", different);
}

static void hints_are_replayed(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load_file(&lab, SCRIPTS "hinted.lua", NULL, 0), LP_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(lab_advance(&lab));
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_false(lab.failed);
        if (i == 0)
            assert_int_equal(lab.answer.degree, 4);
        if (i == 1)
            assert_string_equal(lab.answer.why, "the scenario gives no hint for this job");
        if (i == 1 || i == 3)
            assert_int_equal(lab.answer.kind, LP_ANSWER_DECLINE);
        lab_apply(&lab, &event);
    }
    lab_close(&lab);
}

/* Two policies in one process, or one after the other, never meet. */
static void runs_repeat(void **state) {
    (void)state;
    uint64_t hash[2];
    Lab lab[2];
    for (int i = 0; i < 2; i++) {
        lab_open(&lab[i], RUN("corrected"));
        assert_int_equal(lab_load_file(&lab[i], SCRIPTS "random.lua", NULL, 0), LP_OK);
    }
    while (lab_advance(&lab[0]) && lab_advance(&lab[1])) {
        for (int i = 0; i < 2; i++) {
            LpEvent event;
            assert_int_equal(lab_ask(&lab[i]), LP_OK);
            lab_apply(&lab[i], &event);
        }
    }
    assert_false(lab_advance(&lab[1]));
    for (int i = 0; i < 2; i++) {
        hash[i] = lp_world_hash(lab[i].world);
        lab_close(&lab[i]);
    }
    assert_true(hash[0] == hash[1]);
}

TEST_GROUP(test_policies) {
    static char corrected[] = RUN("corrected"), published[] = RUN("published");
    const struct CMUnitTest tests[] = {
        {"rules_are_followed (corrected)", rules_are_followed, NULL, NULL, corrected},
        {"rules_are_followed (published)", rules_are_followed, NULL, NULL, published},
        cmocka_unit_test(hints_are_replayed),
        cmocka_unit_test(runs_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
