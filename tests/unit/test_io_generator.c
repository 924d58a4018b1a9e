/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/scenario_jobs and io/scenario_dist: generators and the distributions they draw from.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "scenario_text.h"

#define FRONT                                                                                      \
    "{\"lightpath\":1,\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"},{\"id\":\"v\",\"zoo\":"       \
    "\"vgg16\"}],\n\"generator\":"
#define FIXED "\"interarrival\":{\"fixed\":10}"

static LpScenario *load(const char *generator) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s}", FRONT, generator);
    return load_text(text, NULL, 0);
}

static void expect_error(const char *generator, const char *message) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s}", FRONT, generator);
    expect_load_error(text, NULL, 0, message);
}

static void absent_keys_have_defaults(void **state) {
    (void)state;
    LpScenario *s = load("{\"count\":5," FIXED "}");
    const LpGenerator *g = &s->generator;
    assert_true(s->has_generator);
    assert_int_equal(s->jobs, 0);
    assert_true(g->count == 5);
    assert_int_equal(g->graphs, 2);
    assert_int_equal(g->graph[0], 0);
    assert_int_equal(g->graph[1], 1);
    assert_int_equal(g->sampling, LP_SAMPLE_REMOVE_AND_REPEAT);
    assert_true(g->replication == 3);
    assert_true(g->load == 0);
    assert_int_equal(g->interarrival.kind, LP_DIST_FIXED);
    assert_true(g->interarrival.value == 10);
    assert_int_equal(g->steps.kind, LP_DIST_FIXED);
    assert_true(g->steps.value == 50);
    assert_int_equal(g->max_jct_fraction.kind, LP_DIST_NONE);
    assert_int_equal(g->kind, LP_PARTITION_TENSOR);
    lp_scenario_free(s);
}

static void every_key_is_read(void **state) {
    (void)state;
    LpScenario *s =
        load("{\"count\":5,\"graphs\":[\"v\",\"v\",\"a\"],\"sampling\":\"replace\","
             "\"replication\":7,\"interarrival\":\"5 min\",\"steps\":{\"uniform\":{\"min\":1,"
             "\"max\":9}},\"max_jct_fraction\":0.5,\"kind\":\"data\"}");
    const LpGenerator *g = &s->generator;
    assert_int_equal(g->graphs, 3);
    assert_int_equal(g->graph[0], 1);
    assert_int_equal(g->graph[1], 1);
    assert_int_equal(g->graph[2], 0);
    assert_int_equal(g->sampling, LP_SAMPLE_REPLACE);
    assert_true(g->replication == 7);
    assert_true(g->interarrival.value == 300);
    assert_int_equal(g->steps.kind, LP_DIST_UNIFORM);
    assert_int_equal(g->steps.decimals, 0); /* steps are whole */
    assert_int_equal(g->max_jct_fraction.kind, LP_DIST_FIXED);
    assert_true(g->max_jct_fraction.value == 0.5);
    assert_int_equal(g->kind, LP_PARTITION_DATA);
    lp_scenario_free(s);
}

static void load_sets_the_mean(void **state) {
    (void)state;
    static const struct {
        const char *text;
        LpDistKind kind;
    } cases[] = {
        {"{\"count\":5,\"load\":0.9}", LP_DIST_EXPONENTIAL},
        {"{\"count\":5,\"load\":0.9,\"interarrival\":\"exponential\"}", LP_DIST_EXPONENTIAL},
        {"{\"interarrival\":\"fixed\",\"load\":0.9,\"count\":5}", LP_DIST_FIXED},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpScenario *s = load(cases[i].text);
        double mean = lp_scenario_mean_sequential_jct(s) / (0.9 * 32);
        assert_int_equal(s->generator.interarrival.kind, cases[i].kind);
        assert_true(fabs(s->generator.interarrival.value - mean) <= 1e-12 * mean);
        lp_scenario_free(s);
    }
}

static LpDist fraction_of(const char *dist, LpScenario **s) {
    char text[512];
    snprintf(text, sizeof text, "{\"count\":5," FIXED ",\"max_jct_fraction\":%s}", dist);
    *s = load(text);
    return (*s)->generator.max_jct_fraction;
}

static void distributions_are_read(void **state) {
    (void)state;
    LpScenario *s;
    LpDist d = fraction_of("{\"uniform\":{\"min\":0.1,\"max\":1}}", &s);
    assert_int_equal(d.kind, LP_DIST_UNIFORM);
    assert_true(d.min == 0.1 && d.max == 1 && d.decimals == -1);
    lp_scenario_free(s);
    d = fraction_of("{\"uniform\":{\"min\":0.1,\"max\":1,\"decimals\":2}}", &s);
    assert_int_equal(d.decimals, 2);
    lp_scenario_free(s);
    d = fraction_of("{\"skew_normal\":{\"skewness\":-5,\"min\":0.1,\"max\":1,\"decimals\":3}}", &s);
    assert_int_equal(d.kind, LP_DIST_SKEW_NORMAL);
    assert_true(d.skewness == -5 && d.min == 0.1 && d.max == 1 && d.decimals == 3);
    lp_scenario_free(s);
    d = fraction_of("{\"choice\":[{\"fixed\":0.5},0.25,{\"pmf\":{\"1\":1}}]}", &s);
    assert_int_equal(d.kind, LP_DIST_CHOICE);
    assert_int_equal(d.count, 3);
    assert_true(d.choices[1].kind == LP_DIST_FIXED && d.choices[1].value == 0.25);
    assert_int_equal(d.choices[2].kind, LP_DIST_PMF);
    lp_scenario_free(s);
}

static void both_forms_of_a_pmf_are_read(void **state) {
    (void)state;
    static const char *const forms[] = {
        "{\"pmf\":{\"0.25\":0.3,\"1\":0.7}}",
        "{\"pmf\":{\"values\":[0.25,1],\"weights\":[0.3,0.7]}}",
    };
    for (size_t i = 0; i < LP_COUNTOF(forms); i++) {
        LpScenario *s;
        LpDist d = fraction_of(forms[i], &s);
        assert_int_equal(d.kind, LP_DIST_PMF);
        assert_int_equal(d.count, 2);
        assert_true(d.values[0] == 0.25 && d.values[1] == 1);
        assert_true(d.weights[0] == 0.3 && d.weights[1] == 0.7);
        lp_scenario_free(s);
    }
}

static void interarrivals_are_times(void **state) {
    (void)state;
    LpScenario *s = load("{\"count\":5,\"interarrival\":{\"exponential\":{\"mean\":\"2 min\"}}}");
    assert_int_equal(s->generator.interarrival.kind, LP_DIST_EXPONENTIAL);
    assert_true(s->generator.interarrival.value == 120);
    lp_scenario_free(s);
    s = load("{\"count\":5,\"interarrival\":{\"pmf\":{\"1 s\":0.5,\"1 min\":0.5}}}");
    assert_true(s->generator.interarrival.values[1] == 60);
    lp_scenario_free(s);
    s = load("{\"count\":5,\"interarrival\":{\"uniform\":{\"min\":\"1 s\",\"max\":\"1 h\"}}}");
    assert_true(s->generator.interarrival.max == 3600);
    lp_scenario_free(s);
}

static void mistakes_have_a_place(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[]", "s:2:13: \"generator\" is a list, expected an object {...}"},
        {"{\"count\":5}",
         "s:2:13: generator.interarrival is missing: expected a distribution, or generator.load"},
        {"{\"count\":5,\"interarival\":3}",
         "s:2:24: unknown key \"interarival\", expected \"interarrival\""},
        {"{\"count\":-1," FIXED "}",
         "s:2:22: \"count\" is -1, expected a whole number from 0 to 4294967294"},
        {"{" FIXED "}",
         "s:2:13: generator.count is 0: expected a number of arrivals, a horizon, or "
         "\"sampling\": \"remove\""},
        {"{\"count\":5,\"graphs\":[]," FIXED "}",
         "s:2:33: generator.graphs is empty: expected at least one graph"},
        {"{\"count\":5,\"graphs\":[\"vv\"]," FIXED "}",
         "s:2:34: there is no graph \"vv\", expected the id of an entry of \"graphs\""},
        {"{\"count\":5,\"sampling\":\"removed\"," FIXED "}",
         "s:2:35: \"sampling\" is the text \"removed\", expected \"remove\""},
        {"{\"count\":5,\"replication\":0," FIXED "}",
         "s:2:38: \"replication\" is 0, expected a whole number from 1 to 4294967295"},
        {"{\"count\":5,\"load\":0}", "s:2:31: \"load\" is 0, expected a number > 0"},
        {"{\"count\":5,\"interarrival\":\"fixed\"}",
         "s:2:39: \"interarrival\" is the text \"fixed\", which needs \"load\" to set its mean: "
         "expected a distribution such as {\"fixed\": \"1000 s\"}"},
        {"{\"count\":5,\"interarrival\":\"poisson\",\"load\":1}",
         "s:2:39: \"interarrival\" is the text \"poisson\", expected one of \"exponential\", "
         "\"fixed\""},
        {"{\"count\":5,\"interarrival\":{\"fixed\":3},\"load\":1}",
         "s:2:39: \"interarrival\" is an object beside \"load\", which sets its mean: expected "
         "\"exponential\" or \"fixed\""},
        {"{\"count\":5,\"interarrival\":7,\"load\":1}",
         "s:2:39: \"interarrival\" is 7 beside \"load\", which sets its mean: expected "
         "\"exponential\" or \"fixed\""},
        {"{\"count\":5,\"interarrival\":{}}",
         "s:2:39: a distribution has 0 keys, expected one, such as {\"fixed\": 50}"},
        {"{\"count\":5,\"interarrival\":{\"fixed\":1,\"pmf\":{}}}",
         "s:2:39: a distribution has 2 keys, expected one, such as {\"fixed\": 50}"},
        {"{\"count\":5,\"interarrival\":{\"fix\":1}}",
         "s:2:40: unknown key \"fix\", expected one of \"fixed\", \"uniform\", \"pmf\", "
         "\"skew_normal\", \"exponential\", \"choice\""},
        {"{\"count\":5,\"interarrival\":{\"fixed\":-1}}",
         "s:2:39: generator.interarrival is -1: expected times of 0 s or more"},
        {"{\"count\":5,\"interarrival\":{\"exponential\":{\"mean\":0}}}",
         "s:2:62: generator.interarrival.exponential.mean is 0: expected more than 0"},
        {"{\"count\":5,\"interarrival\":{\"exponential\":{}}}",
         "s:2:54: the key \"mean\" is missing here"},
        {"{\"count\":5,\"interarrival\":{\"uniform\":{\"min\":2,\"max\":1}}}",
         "s:2:65: generator.interarrival.max is 1: expected a number not below min"},
        {"{\"count\":5,\"interarrival\":{\"uniform\":{\"min\":0,\"max\":1,\"decimals\":-1}}}",
         "s:2:78: \"decimals\" is -1, expected a whole number from 0 to 15"},
        {"{\"count\":5," FIXED ",\"steps\":0}",
         "s:2:60: generator.steps is 0: expected a whole number from 1"},
        {"{\"count\":5," FIXED ",\"steps\":{\"fixed\":1.5}}",
         "s:2:60: generator.steps holds a fraction: expected whole numbers"},
        {"{\"count\":5," FIXED ",\"steps\":\"many\"}",
         "s:2:60: \"steps\": \"many\" is not a number: expected a plain number without a unit"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"pmf\":{\"0.5\":0.5,\"1\":0.4}}}",
         "s:2:78: generator.max_jct_fraction.pmf sum of probabilities is 0.9: expected 1"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"pmf\":{\"half\":1}}}",
         "s:2:79: a value of \"pmf\": \"half\" is not a number: expected a plain number without a "
         "unit"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"pmf\":{\"values\":[1],\"weights\":[]}}}",
         "s:2:102: \"weights\" has 0 entries, expected 1 as in \"values\""},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"pmf\":{\"values\":[1]}}}",
         "s:2:78: the key \"weights\" is missing here"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"pmf\":{}}}",
         "s:2:78: generator.max_jct_fraction.pmf is empty: expected values with probabilities"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"choice\":[{\"choice\":[]}]}}",
         "s:2:92: a choice inside a choice, expected none"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":{\"choice\":[]}}",
         "s:2:81: generator.max_jct_fraction.choice is empty: expected distributions"},
        {"{\"count\":5," FIXED ",\"max_jct_fraction\":0}",
         "s:2:71: generator.max_jct_fraction is 0: expected fractions above 0"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_error(cases[i][0], cases[i][1]);
}

TEST_GROUP(test_io_generator) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_keys_have_defaults),    cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(load_sets_the_mean),           cmocka_unit_test(distributions_are_read),
        cmocka_unit_test(both_forms_of_a_pmf_are_read), cmocka_unit_test(interarrivals_are_times),
        cmocka_unit_test(mistakes_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
