/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of "exercise" and "figure" in a lesson: what is read, and every mistake with its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/lesson/lesson.h"
#include "scenario_text.h"

#define FRONT                                                                                      \
    "{\"lightpath\":1,\"semantics\":\"corrected\",\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}]" \
    ",\"jobs\":[{\"graph\":\"a\"}],\"lesson\":{\"minutes\":5,\"goal\":\"g\",\"steps\":[{"          \
    "\"title\":\"t\",\"text\":\"x\""
#define EXERCISE(rest) FRONT "}],\"exercise\":{\"task\":\"t\",\"done\":\"d\",\n" rest "}}}"
#define FIGURE(rest) FRONT ",\"figure\":{\"title\":\"f\",\n" rest "}}]}}"
#define PLOT(rest) FIGURE("\"kind\":\"plot\"," rest)
#define CHECK "{\"lua\":\"x\",\"otherwise\":\"o\"}"

/* ---- exercises ---- */

static void an_exercise_is_read(void **state) {
    (void)state;
    LpScenario *scenario = load_text(
        EXERCISE("\"hints\":[\"one\",\"two\"],\"pass\":5,"
                 "\"runs\":[{\"name\":\"first\",\"set\":[\"seed=1\"],\"seed\":7},"
                 "{\"name\":\"more\",\"hidden\":true,\"seeds\":[2,3,18446744073709551615]}],"
                 "\"checks\":[{\"result\":\"summary.blocking_rate\",\"max\":0.2,\"points\":5,"
                 "\"name\":\"few are lost\",\"otherwise\":[{\"result\":\"summary.arrived\","
                 "\"max\":3,\"say\":\"too few\"},{\"source\":\"while\",\"absent\":true,"
                 "\"say\":\"no loop\"},\"too many\"]},"
                 "{\"run\":\"more\",\"lua\":\"true\",\"points\":3,\"else\":\"e\"},"
                 "{\"doc\":\"vgg|alex\",\"otherwise\":\"say so\"},"
                 "{\"source\":\"steps\",\"absent\":true,\"points\":2,\"otherwise\":\"n\"}],"
                 "\"passes\":[{\"file\":\"good.lua\",\"points\":8},"
                 "{\"policy\":\"meets_deadline.lua\",\"params\":[\"x=1\"]}],"
                 "\"fails\":[{\"file\":\"bad.lua\",\"points\":0,\"says\":\"too late\"}],"
                 "\"own\":{\"seeds\":[10,20],\"set\":[[\"a=1\",\"a=2\"],[\"b=1\"]]}"),
        NULL, 0);
    const LpLessonExercise *e = scenario->lesson->exercise;
    assert_int_equal(e->hints, 2);
    assert_string_equal(e->hint[1], "two");
    assert_int_equal(e->trials, 2);
    assert_true(e->trial[0].run.has_seed && e->trial[0].run.seed == 7 && !e->trial[0].hidden);
    assert_true(e->trial[1].hidden && e->trial[1].seeds == 3 && e->trial[1].seed[2] == UINT64_MAX);
    assert_int_equal(e->checks, 4);
    assert_int_equal(e->points, 11);
    assert_int_equal(e->pass, 5);
    assert_int_equal(e->check[0].reasons, 3);
    assert_false(e->check[0].reason[0].always);
    assert_true(e->check[0].reason[1].when.absent);
    assert_string_equal(e->check[0].reason[2].say, "too many");
    assert_true(e->check[0].reason[2].always);
    assert_int_equal(e->check[1].run, 1);
    assert_int_equal(e->check[2].must.source, LP_LESSON_DOC);
    assert_int_equal(e->check[3].must.source, LP_LESSON_WORDS);
    assert_true(e->passes == 2 && e->passing[0].points == 8 && !e->passing[1].has_points);
    assert_string_equal(e->passing[1].param[0], "x=1");
    assert_string_equal(e->failing[0].says, "too late");
    assert_true(e->failing[0].line == 2 && e->failing[0].has_points);
    assert_true(e->own->first == 10 && e->own->last == 20 && e->own->lists == 2);
    lp_scenario_free(scenario);
}

static void an_old_exercise_is_read(void **state) {
    (void)state;
    LpScenario *scenario =
        load_text(EXERCISE("\"hint\":[\"a\",\"b\"],\"set\":[\"seed=2\"],\"checks\":[" CHECK
                           ",{\"result\":\"summary.blocked\",\"min\":1,\"else\":\"x\"}]"),
                  NULL, 0);
    const LpLessonExercise *e = scenario->lesson->exercise;
    assert_true(e->hints == 1 && e->points == 2 && e->pass == 2 && e->trials == 1);
    assert_string_equal(e->hint[0], "a\nb");
    assert_string_equal(e->trial[0].run.set[0], "seed=2");
    assert_null(e->trial[0].name);
    lp_scenario_free(scenario);
}

static void mistakes_in_exercises_have_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {EXERCISE("\"checks\":[" CHECK "],\"prize\":1"),
         "s:2:40: unknown key \"prize\", expected one of \"task\", \"hint\", \"hints\", \"runs\", "
         "\"set\", \"checks\", \"pass\", \"done\", \"passes\", \"fails\", \"own\""},
        {EXERCISE("\"checks\":[" CHECK "],\"pass\":2"),
         "s:2:47: \"pass\" is 2, but there are only 1 points"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\"}]"), "s:2:11: the key \"otherwise\" is missing here"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"else\":\"a\",\"otherwise\":\"b\"}]"),
         "s:2:33: \"else\" and \"otherwise\" say the same: expected one of them"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"otherwise\":[{\"lua\":\"y\",\"say\":\"b\"}]}]"),
         "s:2:34: the last reason has a condition, expected a text that always applies"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"run\":\"a\",\"otherwise\":\"o\"}]"),
         "s:2:28: there is no run \"a\": expected a name of \"runs\""},
        {EXERCISE("\"checks\":[{\"doc\":\"x\",\"max\":1,\"otherwise\":\"o\"}]"),
         "s:2:11: a text has no bounds: expected no \"min\" and no \"max\""},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"absent\":true,\"otherwise\":\"o\"}]"),
         "s:2:22: \"absent\" is about words: expected it beside \"doc\" or \"source\""},
        {EXERCISE("\"checks\":[{\"result\":\"x\",\"min\":2,\"max\":1,\"otherwise\":\"o\"}]"),
         "s:2:11: \"min\" is above \"max\", expected the other way round"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"points\":0,\"otherwise\":\"o\"}]"),
         "s:2:31: \"points\" is 0, expected a whole number from 1 to 1000"},
        {EXERCISE("\"set\":[],\"runs\":[{\"name\":\"a\"}],\"checks\":[" CHECK "]"),
         "s:2:1: the exercise has \"runs\": expected \"set\" in each of them"},
        {EXERCISE("\"runs\":[{\"name\":\"a\"},{\"name\":\"a\"}],\"checks\":[" CHECK "]"),
         "s:2:8: two runs are called \"a\", expected different names"},
        {EXERCISE("\"runs\":[{\"name\":\"a\",\"seed\":1,\"seeds\":[2]}],\"checks\":[" CHECK "]"),
         "s:2:30: \"seed\" and \"seeds\" say the same: expected one of them"},
        {EXERCISE("\"runs\":[{\"name\":\"a\",\"seeds\":[1.5]}],\"checks\":[" CHECK "]"),
         "s:2:30: the value is 1.5, expected a whole number from 0 to 18446744073709551615"},
        {EXERCISE("\"hint\":\"a\",\"hints\":[\"b\"],\"checks\":[" CHECK "]"),
         "s:2:12: \"hint\" and \"hints\" say the same: expected one of them"},
        {EXERCISE("\"checks\":[" CHECK "],\"passes\":[{\"points\":1}]"),
         "s:2:50: expected \"file\", a policy beside the lesson, or \"policy\", one that comes "
         "with "
         "the program"},
        {EXERCISE("\"checks\":[" CHECK "],\"own\":{\"seeds\":[3,1]}"),
         "s:2:55: the first seed is above the last, expected the other way round"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

/* ---- figures ---- */

static void a_plot_is_read(void **state) {
    (void)state;
    LpScenario *scenario = load_text(
        PLOT("\"x\":{\"label\":\"ways\",\"log\":true,\"min\":1,\"max\":16},"
             "\"y\":{\"label\":\"JCT\",\"unit\":\"s\"},\"fill\":\"question\","
             "\"guess\":{\"x\":16,\"y\":[0.25,null,1]},"
             "\"series\":[{\"name\":\"RAMP\",\"result\":\"jobs[0].jct\",\"set\":[\"a=1\"],"
             "\"seed\":3,\"points\":[{\"x\":1},{\"x\":2,\"set\":[\"b=2\"],\"seed\":4},"
             "{\"x\":4,\"lua\":\"1\",\"at\":\"d0\",\"runs\":5}]},"
             "{\"name\":\"4 s / ways\",\"line\":true,\"formula\":\"4 / x\"}]"),
        NULL, 0);
    const LpLessonFigure *f = scenario->lesson->step[0].figure;
    assert_true(f->kind == LP_LESSON_PLOT && f->x.log && f->x.max == 16 && isnan(f->y.min));
    assert_true(f->guess->x == 16 && f->guess->choices == 3 && isnan(f->guess->y[1]));
    assert_int_equal(f->series, 2);
    assert_string_equal(f->one[1].formula, "4 / x");
    assert_int_equal(lp_lesson_figure_values(f), 3);
    const LpLessonValue *second = lp_lesson_figure_value(f, 1);
    assert_true(second->run.sets == 2 && second->run.seed == 4 && second->runs == 1);
    assert_string_equal(second->run.set[0], "a=1");
    assert_string_equal(second->run.set[1], "b=2");
    assert_true(second->hidden);
    const LpLessonValue *third = lp_lesson_figure_value(f, 2);
    assert_true(third->source == LP_LESSON_LUA && third->runs == 5 && third->run.seed == 3);
    assert_null(lp_lesson_figure_value(f, 3));
    lp_scenario_free(scenario);
}

static void a_table_is_read(void **state) {
    (void)state;
    LpScenario *scenario =
        load_text(FIGURE("\"kind\":\"table\",\"columns\":[\"\",\"1\"],\"fill\":\"question\","
                         "\"rows\":[[\"job\",{\"result\":\"jobs[0].jct\",\"shows\":\"4.00 s\"}],"
                         "[\"\",{\"value\":\"?\",\"hidden\":true}]]"),
                  NULL, 0);
    const LpLessonFigure *f = scenario->lesson->step[0].figure;
    assert_true(f->kind == LP_LESSON_TABLE && f->columns == 2 && f->rows == 2);
    assert_string_equal(f->row[0].cell[1].shows, "4.00 s");
    assert_false(f->row[0].cell[1].hidden); /* something else says that it waits */
    assert_true(f->row[1].cell[1].hidden);
    assert_int_equal(f->row[1].cell[0].source, LP_LESSON_GIVEN);
    lp_scenario_free(scenario);
}

static void mistakes_in_figures_have_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {FIGURE("\"kind\":\"pie\""),
         "s:2:8: \"kind\" is the text \"pie\", expected one of \"plot\", \"table\""},
        {PLOT("\"series\":[]"), "s:2:24: \"series\" has 0 entries, expected 1 to 6"},
        {PLOT("\"y\":{}"), "s:1:176: the key \"series\" is missing here"},
        {PLOT("\"series\":[{\"name\":\"a\"}]"),
         "s:2:25: expected \"points\", or a \"formula\" such as \"4 / x\""},
        {PLOT("\"series\":[{\"name\":\"a\",\"points\":[]}]"),
         "s:2:46: \"points\" has 0 entries, expected 1 to 64"},
        {PLOT("\"series\":[{\"name\":\"a\",\"points\":[{\"x\":1}]}]"),
         "s:2:47: it does not say where the value is from, expected one of \"lua\", \"result\" or "
         "\"value\""},
        {PLOT(
             "\"series\":[{\"name\":\"a\",\"points\":[{\"x\":1,\"lua\":\"1\",\"result\":\"b\"}]}]"),
         "s:2:47: it says more than once where the value is from, expected one of \"lua\", "
         "\"result\" or \"value\""},
        {PLOT("\"x\":{\"log\":true},\"series\":[{\"name\":\"a\",\"points\":[{\"x\":0,\"lua\":"
              "\"1\"}]}]"),
         "s:2:41: a logarithmic axis has no 0: expected \"x\" above it"},
        {PLOT("\"x\":{\"min\":2,\"max\":2},\"series\":[{\"name\":\"a\",\"formula\":\"x\"}]"),
         "s:2:19: \"min\" is not below \"max\", expected an axis with some length"},
        {PLOT("\"rows\":[[\"a\"]],\"series\":[{\"name\":\"a\",\"formula\":\"x\"}]"),
         "s:2:15: a plot has no \"rows\""},
        {PLOT(
             "\"series\":[{\"name\":\"a\",\"points\":[{\"x\":1,\"result\":\"b\",\"at\":\"d1\"}]}]"),
         "s:2:67: \"at\" is the moment of a Lua expression: expected it beside \"lua\""},
        {PLOT("\"series\":[{\"name\":\"a\",\"points\":[{\"x\":1,\"lua\":\"b\",\"runs\":65}]}]"),
         "s:2:71: \"runs\" is 65, expected a whole number from 1 to 64"},
        {FIGURE("\"kind\":\"table\",\"columns\":[\"a\"],\"rows\":[[\"a\",\"b\"]]"),
         "s:2:39: row 1 has 2 cells, but there are 1 columns"},
        {FIGURE("\"kind\":\"table\",\"rows\":[[{\"hidden\":true}]]"),
         "s:2:25: it does not say where the value is from, expected one of \"lua\", \"result\" or "
         "\"value\""},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

TEST_GROUP(test_io_exercise) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exercise_is_read),
        cmocka_unit_test(an_old_exercise_is_read),
        cmocka_unit_test(mistakes_in_exercises_have_their_place),
        cmocka_unit_test(a_plot_is_read),
        cmocka_unit_test(a_table_is_read),
        cmocka_unit_test(mistakes_in_figures_have_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
