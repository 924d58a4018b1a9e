/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies read back: crossings, sentences, and what is wrong in a file told with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "many/experiment/study.h"

#define HEAD "{\"lightpath\":1,\"study\":\"load\",\"profiles\":null,\"means\":["

static const char *mean(const char *agent, const char *beta, double time, double blocked,
                        double jct) {
    static char text[500];
    snprintf(text, sizeof text,
             "{\"agent\":\"%s\",\"beta\":%s,\"interarrival\":%.17g,\"fabric\":\"ramp\","
             "\"blocking_rate\":{\"n\":3,\"mean\":%.17g,\"half_width\":0.01},"
             "\"unserved_rate\":{\"n\":3,\"mean\":%.17g,\"half_width\":0.01},"
             "\"mean_jct\":{\"n\":3,\"mean\":%.17g,\"half_width\":null}}",
             agent, beta, time, blocked, blocked + 0.05, jct);
    return text;
}

/* Two agents at three loads, out of order; they cross between 100 and 1000. */
static void add_two(LpBuf *text, const char *study) {
    static const struct {
        const char *agent;
        double time, blocked, jct;
    } rows[] = {{"min", 1000, 0.2, 50}, {"max", 1000, 0.1, 10}, {"min", 10, 0.8, 60},
                {"max", 10, 0.9, 10},   {"min", 100, 0.4, 55},  {"max", 100, 0.6, 10}};
    lp_buf_addf(text, "{\"study\":\"%s\",\"means\":[", study);
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        lp_buf_addf(text, "%s%s", i > 0 ? "," : "",
                    mean(rows[i].agent, "\"A\"", rows[i].time, rows[i].blocked, rows[i].jct));
    lp_buf_add(text, "]}");
}

static LpStudyData read_two(const char *study) {
    LpBuf text = {0};
    LpStudyData data;
    LpDiag diag = {0};
    add_two(&text, study);
    if (lp_study_parse("f", text.text, text.len, &data, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lp_buf_fini(&text);
    return data;
}

static void points_are_in_order(void **state) {
    (void)state;
    LpStudyData d = read_two("load");
    assert_true(d.points == 3 && d.agents == 2 && d.seeds == 3);
    assert_string_equal(d.point[0].label, "10 s");
    assert_string_equal(d.point[2].label, "1000 s");
    assert_string_equal(d.agent[0], "min");
    assert_true(lp_study_at(&d, LP_STUDY_METRIC_BLOCKING, 1, 1)->mean == 0.6);
    assert_true(lp_study_at(&d, LP_STUDY_METRIC_UNSERVED, 1, 1)->mean == 0.65);
    assert_true(isnan(lp_study_at(&d, LP_STUDY_METRIC_LOST, 1, 1)->mean));
    assert_true(isnan(lp_study_at(&d, LP_STUDY_METRIC_JCT, 1, 1)->half));
    assert_true(isnan(lp_study_at(&d, LP_STUDY_METRIC_OFFERED, 0, 0)->mean));
    lp_study_fini(&d);
}

static void between_points_the_logarithm_counts(void **state) {
    (void)state;
    LpStudyData d = read_two("load");
    double middle = lp_study_between(&d, LP_STUDY_METRIC_BLOCKING, 1, sqrt(10.0 * 100.0));
    assert_true(fabs(middle - 0.75) < 1e-12);
    assert_true(lp_study_between(&d, LP_STUDY_METRIC_BLOCKING, 1, 10.0) == 0.9);
    assert_true(isnan(lp_study_between(&d, LP_STUDY_METRIC_BLOCKING, 1, 9.0)));
    assert_true(isnan(lp_study_between(&d, LP_STUDY_METRIC_BLOCKING, 1, 1001.0)));
    lp_study_fini(&d);
}

static void the_crossing_is_where_both_are_equal(void **state) {
    (void)state;
    LpStudyData d = read_two("load");
    LpStudyLead lead[LP_STUDY_LEADS];
    LpBuf said = {0};
    assert_int_equal(lp_study_leads(&d, LP_STUDY_METRIC_BLOCKING, lead), 2);
    assert_true(lead[0].agent == 0 && lead[0].time == 10.0);
    /* differences 0.2 and -0.1: two thirds of the way in logarithms */
    assert_true(fabs(lead[1].time - pow(10.0, 2.0 + 2.0 / 3.0)) < 1e-6);
    assert_true(lead[1].agent == 1 && fabs(lead[1].value - 0.8 / 3.0) < 1e-9);
    double other = lp_study_between(&d, LP_STUDY_METRIC_BLOCKING, 0, lead[1].time);
    assert_true(fabs(other - lead[1].value) < 1e-9);
    assert_int_equal(lp_study_leads(&d, LP_STUDY_METRIC_JCT, lead), 1);
    assert_int_equal(lp_study_leads(&d, LP_STUDY_METRIC_OFFERED, lead), 0);
    lp_study_tell(&d, &said);
    assert_non_null(strstr(lp_buf_text(&said), "Blocks least: min up to 464 s, then max"));
    lp_buf_fini(&said);
    lp_study_fini(&d);
}

static void the_bound_is_the_least_of_the_agents(void **state) {
    (void)state;
    static const char text[] =
        HEAD "{\"agent\":\"a\",\"interarrival\":10,\"bound\":0.4,\"gap\":0.1},"
             "{\"agent\":\"b\",\"interarrival\":10,\"bound\":0.2,\"gap\":0.3},"
             "{\"agent\":\"a\",\"interarrival\":1000,\"bound\":0.1,\"gap\":0.05},"
             "{\"agent\":\"b\",\"interarrival\":1000,\"bound\":null}]}";
    LpStudyData d;
    assert_int_equal(lp_study_parse("f", text, strlen(text), &d, NULL), LP_OK);
    assert_true(d.bounded && lp_study_metrics(&d) == LP_STUDY_SHOWN);
    assert_true(d.bound[0] == 0.2 && d.bound[1] == 0.1);
    assert_true(fabs(lp_study_bound_between(&d, 100) - 0.15) < 1e-12);
    assert_true(isnan(lp_study_bound_between(&d, 9)));
    assert_true(lp_study_at(&d, LP_STUDY_GAP, 0, 1)->mean == 0.3);
    assert_true(isnan(lp_study_at(&d, LP_STUDY_GAP, 1, 1)->mean));
    assert_string_equal(lp_study_metric_heading(LP_STUDY_GAP), "gap to bound");
    lp_study_fini(&d);
    d = read_two("load");
    assert_true(!d.bounded && isnan(d.bound[0]));
    assert_int_equal(lp_study_metrics(&d), LP_STUDY_METRIC_COUNT);
    lp_study_fini(&d);
}

static void the_metric_that_misleads_is_told(void **state) {
    (void)state;
    LpStudyData d = read_two("metric");
    LpBuf said = {0};
    lp_study_tell(&d, &said);
    assert_string_equal(lp_buf_text(&said),
                        "The agent with the best mean JCT blocks most: at 100 s max has 10 s and "
                        "blocks 60 %, min has 55 s and blocks 40 %.");
    lp_buf_fini(&said);
    lp_study_fini(&d);
}

static void several_distributions_are_agents_of_their_own(void **state) {
    (void)state;
    LpBuf text = {0};
    LpStudyData d;
    lp_buf_addf(&text, HEAD "%s,", mean("max", "\"A\"", 10, 0.5, 1));
    lp_buf_addf(&text, "%s]}", mean("max", "\"D\"", 10, 0.4, 1));
    assert_int_equal(lp_study_parse("f", text.text, text.len, &d, NULL), LP_OK);
    assert_true(d.points == 1 && d.agents == 2 && !lp_study_has_axis(&d));
    assert_string_equal(d.agent[1], "max, beta D");
    lp_buf_fini(&text);
    lp_study_fini(&d);
}

static void wrong_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "f:1:1"},
        {"[]", "expected an object"},
        {"{}", "no study"},
        {"{\"study\":\"none\"}", "there is no study"},
        {"{\"study\":\"load\"}", "\"means\" is missing"},
        {"{\"study\":\"load\",\"means\":[]}", "expected 1 to"},
        {"{\"study\":\"load\",\"means\":[3]}", "f:1:"},
        {HEAD "{\"interarrival\":1}]}", "\"agent\" is missing"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":0}]}", "above 0"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":-1e9}]}", "above 0"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":1,\"blocking_rate\":3}]}", "expected an object"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":1,\"mean_jct\":{\"n\":1,\"mean\":\"x\"}}]}",
         "expected a number"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":1,\"mean_jct\":{\"n\":-1}}]}", "f:1:"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":1,\"blocking_rate\":{\"n\":1,\"mean\":0.5}}]}",
         "counted unfinished jobs as blocked"},
        {HEAD "{\"agent\":\"a\",\"interarrival\":1},{\"agent\":\"a\",\"interarrival\":1}]}",
         "a second mean of a at 1 s"},
    };
    for (size_t i = 0; i < LP_COUNTOF(wrong); i++) {
        LpStudyData d = {.points = 77};
        LpDiag diag = {0};
        char said[LP_DIAG_FILE + LP_DIAG_TEXT];
        assert_int_not_equal(lp_study_parse("f", wrong[i].text, strlen(wrong[i].text), &d, &diag),
                             LP_OK);
        lp_diag_format(&diag, said, sizeof said);
        if (strstr(said, wrong[i].says) == NULL || d.points != 77)
            fail_msg("%s: %s", wrong[i].text, said);
    }
    LpStudyData d;
    assert_int_equal(lp_study_load("/nonexistent", &d, NULL), LP_EIO);
}

static void too_much_is_refused(void **state) {
    (void)state;
    LpBuf text = {0};
    LpDiag diag = {0};
    LpStudyData d;
    lp_buf_add(&text, HEAD);
    for (int i = 0; i <= LP_STUDY_POINTS; i++)
        lp_buf_addf(&text, "%s{\"agent\":\"a\",\"interarrival\":%d}", i > 0 ? "," : "", i + 1);
    lp_buf_add(&text, "]}");
    assert_int_equal(lp_study_parse("f", text.text, text.len, &d, &diag), LP_ELIMIT);
    lp_buf_clear(&text);
    lp_buf_add(&text, HEAD);
    for (int i = 0; i <= LP_STUDY_AGENTS; i++)
        lp_buf_addf(&text, "%s{\"agent\":\"a%d\",\"interarrival\":1}", i > 0 ? "," : "", i);
    lp_buf_add(&text, "]}");
    assert_int_equal(lp_study_parse("f", text.text, text.len, &d, &diag), LP_ELIMIT);
    lp_buf_fini(&text);
}

TEST_GROUP(test_many_study) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_in_order),
        cmocka_unit_test(between_points_the_logarithm_counts),
        cmocka_unit_test(the_crossing_is_where_both_are_equal),
        cmocka_unit_test(the_bound_is_the_least_of_the_agents),
        cmocka_unit_test(the_metric_that_misleads_is_told),
        cmocka_unit_test(several_distributions_are_agents_of_their_own),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
