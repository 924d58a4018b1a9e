/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the scenario key "lesson": what is read, and every mistake with its place. */
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
    ","                                                                                            \
    "\"jobs\":[{\"graph\":\"a\"}],\n"
#define LESSON(rest) FRONT "\"lesson\":{\"minutes\":5,\"goal\":\"g\"," rest "}}"
#define STEP(rest) LESSON("\"steps\":[{\"title\":\"t\",\"text\":\"x\"," rest "}]")
#define EXERCISE(rest)                                                                             \
    LESSON("\"steps\":[{\"title\":\"t\",\"text\":\"x\"}],\"exercise\":{\"task\":\"t\",\"done\":"   \
           "\"d\"," rest "}")

static void a_lesson_is_read(void **state) {
    (void)state;
    static const char text[] = FRONT
        "\"lesson\": "
        "{\"number\":3,\"minutes\":12,\"goal\":\"why\",\"steps\":[\n{\"title\":\"one\",\"text\":["
        "\"a\",\"b\"],\"highlight\":\"what-if\",\n \"do\":[\"seek d3\",\"view circuits\"],\n "
        "\"question\":{\"ask\":\"q\",\"choices\":[\"x\",\"y\"],\"answer\":\"b\",\"reveal\":\"r\"},"
        "\n \"facts\":[{\"shows\":\"7 ms\",\"lua\":\"1+1\"},\n  "
        "{\"shows\":\"1\",\"result\":\"summary.blocked\",\"set\":[\"seed=2\"]},\n  "
        "{\"shows\":\"56.2 %\",\"cited\":\"a "
        "paper\"}]}],\n\"exercise\":{\"task\":\"do\",\"hint\":\"h\",\"set\":[\"seed=1\"],\"done\":"
        "\"yes\",\"checks\":[\n  "
        "{\"result\":\"summary.blocked\",\"max\":3,\"else\":\"no\"},{\"lua\":\"true\",\"else\":"
        "\"n\"}]}}}";
    LpScenario *scenario = load_text(text, NULL, 0);
    const LpLesson *l = scenario->lesson;
    assert_non_null(l);
    assert_int_equal(l->number, 3);
    assert_int_equal(l->minutes, 12);
    assert_string_equal(l->goal, "why");
    assert_int_equal(l->steps, 1);
    assert_string_equal(l->step[0].text, "a\nb");
    assert_string_equal(l->step[0].highlight, "what-if");
    assert_int_equal(l->step[0].commands, 2);
    assert_string_equal(l->step[0].command[1].text, "view circuits");
    assert_int_equal(l->step[0].command[1].line, 4);
    assert_int_equal(l->step[0].command[1].col, 18);
    assert_int_equal(l->step[0].question->answer, 1);
    assert_string_equal(l->step[0].question->choice[1].text, "y");
    assert_int_equal(l->step[0].facts, 3);
    assert_int_equal(l->step[0].fact[1].source, LP_LESSON_RESULT);
    assert_string_equal(l->step[0].fact[1].set[0], "seed=2");
    assert_int_equal(l->step[0].fact[2].source, LP_LESSON_CITED);
    assert_int_equal(l->exercise->checks, 2);
    assert_true(l->exercise->check[0].must.max == 3 && isinf(l->exercise->check[0].must.min));
    assert_string_equal(l->exercise->done, "yes");
    lp_scenario_free(scenario);
    scenario = load_text(FRONT "\"seed\":1}", NULL, 0);
    assert_null(scenario->lesson);
    lp_scenario_free(scenario);
}

static void a_step_owns_its_screen(void **state) {
    (void)state;
    LpScenario *scenario = load_text(
        FRONT
        "\"lesson\":{\"number\":9,\"order\":7,\"needs\":[6,2],\"minutes\":5,\"goal\":\"g\","
        "\"steps\":[{\"title\":\"t\",\"text\":\"x\",\"run\":{\"set\":[\"seed=2\"],"
        "\"policy\":\"p.lua\",\"seed\":3,\"scenario\":\"s\"},\"panes\":[\"servers\",\"step\"],"
        "\"mark\":[\"op 2\",\"text 24.7 %\"],\"question\":{\"ask\":\"q\",\"choices\":[\"a\","
        "{\"text\":\"b\",\"why\":[\"no\",\"no\"],\"look\":[\"view step\"]}],\"answer\":\"a\","
        "\"reveal\":\"r\",\"show\":[\"mark op 3\"],\"hide\":[\"36 ms\",\"pane events\","
        "\"title\"]}},{\"title\":\"t\",\"text\":\"x\"}]}}",
        NULL, 0);
    const LpLesson *l = scenario->lesson;
    assert_true(l->order == 7 && l->needs == 2 && l->need[0] == 6 && l->need[1] == 2);
    const LpLessonStep *s = &l->step[0];
    assert_true(s->run->sets == 1 && s->run->has_seed && s->run->seed == 3 && s->run->line == 2);
    assert_string_equal(s->run->policy, "p.lua");
    assert_string_equal(s->run->scenario, "s");
    assert_true(s->panes == 2 && s->marks == 2);
    assert_string_equal(s->pane[1], "step");
    assert_string_equal(s->mark[1].text, "text 24.7 %");
    const LpLessonQuestion *q = s->question;
    assert_string_equal(q->choice[0].text, "a");
    assert_null(q->choice[0].why);
    assert_string_equal(q->choice[1].why, "no\nno");
    assert_true(q->choice[1].looks == 1 && q->shows == 1 && q->hides == 3);
    assert_string_equal(q->hide[0].text, "36 ms");
    assert_null(q->hide[0].pane);
    assert_string_equal(q->hide[1].pane, "events");
    assert_true(q->hide[2].headings && q->hide[2].pane == NULL);
    assert_null(l->step[1].run);
    lp_scenario_free(scenario);
}

static void mistakes_have_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {FRONT "\"lesson\":[]}", "s:2:10: \"lesson\" is a list, expected an object {...}"},
        {FRONT "\"lesson\":{}}", "s:2:10: the key \"minutes\" is missing here"},
        {LESSON("\"steps\":[]"), "s:2:42: \"steps\" has 0 entries, expected 1 to 64"},
        {LESSON("\"stepz\":[]"), "s:2:34: unknown key \"stepz\", expected \"steps\""},
        {LESSON("\"steps\":[{\"title\":\"t\"}]"), "s:2:43: the key \"text\" is missing here"},
        {LESSON("\"steps\":[{\"title\":\"t\",\"text\":[]}]"),
         "s:2:63: the list is empty, expected paragraphs"},
        {LESSON("\"steps\":[{\"title\":\"t\",\"text\":\"\"}]"),
         "s:2:63: the text is empty, expected some words"},
        {STEP("\"highlight\":\"circuit\""),
         "s:2:79: \"highlight\" is the text \"circuit\", expected \"circuits\""},
        {STEP("\"do\":\"seek d1\""),
         "s:2:72: \"do\" is the text \"seek d1\", expected a list [...]"},
        {STEP("\"do\":[1]"), "s:2:73: the value is 1, expected a text"},
        {STEP("\"question\":{\"ask\":\"q\",\"choices\":[\"x\"],\"answer\":\"a\",\"reveal\":\"r\"}"),
         "s:2:99: \"choices\" has 1 entries, expected 2 to 6"},
        {STEP("\"question\":{\"ask\":\"q\",\"choices\":[\"x\",\"y\"],\"answer\":\"c\",\"reveal\":"
              "\"r\"}"),
         "s:2:118: \"answer\" is \"c\", expected one of the 2 choices, a to b"},
        {STEP("\"run\":{}"),
         "s:2:73: \"run\" is empty, expected set, policy, seed or scenario; without \"run\" the "
         "step shows the lesson's own"},
        {STEP("\"run\":{\"seeds\":1}"), "s:2:74: unknown key \"seeds\", expected \"seed\""},
        {STEP("\"panes\":[\"steps\"]"),
         "s:2:76: the value is the text \"steps\", expected \"step\""},
        {STEP("\"mark\":[\"op two\"]"),
         "s:2:75: \"op two\": expected the number of an op, such as op 2"},
        {STEP("\"mark\":[\"job 2\"]"),
         "s:2:75: \"job 2\" is nothing to mark: expected op, row, server, letter, curve, path or "
         "text and which one"},
        {STEP("\"question\":{\"ask\":\"q\",\"choices\":[\"x\",{\"text\":\"y\",\"look\":[]}],"
              "\"answer\":\"c\",\"reveal\":\"r\"}"),
         "s:2:137: \"answer\" is \"c\", expected one of the 2 choices, a to b"},
        {STEP(
             "\"question\":{\"ask\":\"q\",\"choices\":[\"x\",{\"text\":\"y\",\"look\":[\"play\"]}],"
             "\"answer\":\"a\",\"reveal\":\"r\"}"),
         "s:2:116: \"look\" stands beside what is said of the choice: expected \"why\", too"},
        {STEP("\"question\":{\"ask\":\"q\",\"choices\":[\"x\",\"y\"],\"answer\":\"a\",\"reveal\":"
              "\"r\",\"hide\":[\"pane events2\"]}"),
         "s:2:143: \"events2\" is no pane: expected \"pane\" and a name such as events, or a text "
         "to hide"},
        {STEP("\"facts\":[{\"shows\":\"1\"}]"), "s:2:76: it does not say where the value is from, "
                                                "expected one of \"lua\", \"result\" or \"cited\""},
        {STEP("\"facts\":[{\"shows\":\"1\",\"lua\":\"1\",\"cited\":\"p\"}]"),
         "s:2:76: it says more than once where the value is from, expected one of \"lua\", "
         "\"result\" or \"cited\""},
        {STEP("\"facts\":[{\"shows\":\"1\",\"result\":\"x\",\"at\":\"d1\"}]"),
         "s:2:102: \"at\" is the moment of a Lua expression: expected it beside \"lua\""},
        {EXERCISE("\"checks\":[]"), "s:2:112: \"checks\" has 0 entries, expected 1 to 256"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\"}]"),
         "s:2:113: the key \"otherwise\" is missing here"},
        {EXERCISE("\"checks\":[{\"result\":\"x\",\"else\":\"e\"}]"),
         "s:2:113: a result is compared: expected \"min\", \"max\" or both"},
        {EXERCISE("\"checks\":[{\"lua\":\"x\",\"max\":1,\"else\":\"e\"}]"),
         "s:2:113: a Lua expression is true or not: expected no \"min\" and no \"max\""},
        {"{\"lightpath\":1,\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}],\"jobs\":[{\"graph\":"
         "\"a\"}],\n\"lesson\":{}}",
         "s:2:1: a lesson says by which rules it computes: expected the key \"semantics\" in the "
         "scenario"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

TEST_GROUP(test_io_lesson) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lesson_is_read),
                                       cmocka_unit_test(a_step_owns_its_screen),
                                       cmocka_unit_test(mistakes_have_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
