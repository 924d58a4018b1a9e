/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published experiment, agent by agent, against the published blocking rates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "group.h"
#include "many/experiment/experiment.h"

enum { SEEDS = 12 };
static const double TOLERANCE = 0.015;

static double rate(const LpExperiment *e, uint32_t p, uint32_t a, uint32_t seed) {
    return lp_experiment_at(e, p, a, seed)->summary.blocking_rate;
}

/* The mean must be near the number. One seed of a skewed distribution is another distribution each
 * time (semantics 2.1: it is scaled by its own extremes): there it must be among ours. */
static bool agrees(const LpExperiment *e, uint32_t p, uint32_t a, const LpReference *r) {
    double sum = 0, least = 1, most = 0, value = r->value[e->point[p].beta];
    for (uint32_t s = 0; s < e->batch.seeds; s++) {
        double ours = rate(e, p, a, s);
        sum += ours;
        least = ours < least ? ours : least;
        most = ours > most ? ours : most;
    }
    double mean = sum / e->batch.seeds;
    bool drawn = r->one_seed && e->point[p].beta > 0;
    if (value != value)
        return true;
    bool near = drawn ? value >= least - TOLERANCE && value <= most + TOLERANCE
                      : mean >= value - TOLERANCE && mean <= value + TOLERANCE;
    if (!near)
        printf("# %s on %s: %.4f (%.4f to %.4f), %s has %.4f\n", e->agent[a].label,
               e->point[p].label, mean, least, most, r->source, value);
    return near;
}

/* Compares a study with every number that there is about it; returns how many those were. Of few
 * cases (LP_CASES=few, under sanitizers) one seed runs, of which no number is expected. */
static unsigned compare(LpStudy study, const char *agents, uint32_t seeds) {
    uint64_t seed[32];
    seeds = test_few() ? 1 : seeds;
    for (uint32_t s = 0; s < seeds; s++)
        seed[s] = s + 1;
    LpExperimentSpec spec = {.study = study,
                             .profiles = GRAPHS,
                             .agents = 1,
                             .agent = &agents,
                             .seeds = seeds,
                             .seed = seed};
    LpExperiment e;
    LpDiag diag = {0};
    bool began, all = true;
    unsigned compared = 0;
    size_t references;
    const LpReference *r = lp_references(&references);
    if (lp_experiment_run(&spec, &e, &began, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    for (size_t i = 0; i < references; i++)
        for (uint32_t a = 0; a < e.agents; a++)
            for (uint32_t p = 0; p < e.points; p++) {
                if (r[i].study != study || strcmp(r[i].agent, e.agent[a].label) != 0)
                    continue;
                all = agrees(&e, p, a, &r[i]) && all;
                compared += r[i].value[p] == r[i].value[p];
            }
    lp_experiment_fini(&e);
    assert_true(all || test_few());
    return compared;
}

static void the_published_table(void **state) {
    (void)state;
    if (!golden_present())
        skip();
    assert_true(compare(LP_STUDY_TABLE, "max min random k2 k4 k8", SEEDS) >= 24);
}

static void the_loss_model(void **state) {
    (void)state;
    if (!golden_present())
        skip();
    assert_true(compare(LP_STUDY_IDEAL, "max min k8 meets-deadline", 20) >= 15);
}

/* Without profiles the zoo takes their place; threads do not change the bytes. */
static void threads_and_the_zoo(void **state) {
    (void)state;
    const uint64_t seed[] = {1, 2};
    const char *agents = "max,k4";
    LpExperimentSpec spec = {.study = LP_STUDY_TABLE,
                             .agents = 1,
                             .agent = &agents,
                             .betas = "BD",
                             .seeds = 2,
                             .seed = seed,
                             .until = 1e5,
                             .threads = 1};
    LpBuf text[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        LpExperiment e;
        LpDiag diag = {0};
        bool began;
        spec.threads = i == 0 ? 1 : 2;
        if (lp_experiment_run(&spec, &e, &began, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        assert_true(e.points == 2 && e.agents == 2 && e.profiles == NULL);
        assert_int_equal(lp_experiment_at(&e, 0, 0, 0)->summary.arrived, 101);
        assert_int_equal(lp_experiment_json(&e, &text[i], &diag), LP_OK);
        lp_experiment_fini(&e);
    }
    assert_string_equal(lp_buf_text(&text[0]), lp_buf_text(&text[1]));
    lp_buf_fini(&text[0]);
    lp_buf_fini(&text[1]);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    const uint64_t seed = 1;
    const char *agents[] = {"max,max", "gold", "k4"};
    const struct {
        const char *agent, *betas, *profiles, *text;
    } rows[] = {
        {agents[0], NULL, NULL, "the agent max is there twice"},
        {agents[1], NULL, NULL, "there is no agent \"gold\""},
        {agents[2], "AX", NULL, "the distributions are \"AX\""},
        {agents[2], "AA", NULL, "the distributions are \"AA\""},
        {agents[2], NULL, "/nowhere", "cannot read the profiles' folder /nowhere"},
        {agents[2], NULL, "scenarios", "expected the five PipeDream profiles"},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        LpExperimentSpec spec = {.profiles = rows[i].profiles,
                                 .agents = 1,
                                 .agent = &rows[i].agent,
                                 .betas = rows[i].betas,
                                 .seeds = 1,
                                 .seed = &seed};
        LpExperiment e;
        LpDiag diag = {0};
        bool began;
        assert_int_not_equal(lp_experiment_run(&spec, &e, &began, &diag), LP_OK);
        if (strstr(diag.text, rows[i].text) == NULL)
            fail_msg("%s", diag.text);
        assert_false(began);
    }
}

TEST_GROUP(test_experiment) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_table),
        cmocka_unit_test(the_loss_model),
        cmocka_unit_test(threads_and_the_zoo),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
