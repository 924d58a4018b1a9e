/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of model/lesson: which numbers agree, which are unknown, and what goes on paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "model/lesson/lesson.h"

static void numbers_agree_as_far_as_they_are_shown(void **state) {
    (void)state;
    static const struct {
        const char *shows, *value;
        bool agrees;
    } cases[] = {
        {"0.2623", "0.26229508", true},
        {"0.2623", "0.26235001", false},
        {"0.26", "0.26229508", true},
        {"18 ms", "0.018", true},
        {"18.0 ms", "0.01796", true},
        {"18.0 ms", "0.01789", false},
        {"26.2 %", "0.2623", true},
        {"26%", "0.2623", true},
        {"x4", "4", false},
        {"4 ways", "4", true},
        {"-3", "-3.2", true},
        {"-3", "3", false},
        {"3", "-3", false},
        {"2x2x1", "2x2x1", true},
        {"deadline", "deadline", true},
        {"deadline", "memory", false},
        {"12.5 GB", "12500000000", true},
        {"5 h", "18000", true},
        {"20 ns", "2e-08", true},
        {"4", "null", false},
        {"4", "", false},
        {"100 servers", "100", true},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        if (lp_lesson_agrees(cases[i].shows, cases[i].value) != cases[i].agrees)
            fail_msg("%s, %s", cases[i].shows, cases[i].value);
}

static void no_number_is_invented(void **state) {
    (void)state;
    static const LpLessonFact fact[] = {{.shows = "vgg16 takes 4.5 s"}, {.shows = "12 of 30"}};
    static const LpLessonChoice choice[] = {{.text = "99"}, {.text = "12"}};
    LpLessonQuestion question = {
        .ask = "?", .choices = 2, .choice = choice, .answer = 1, .reveal = "30"};
    LpLessonStep step = {.title = "x4 on A100",
                         .text = "It takes 4.5 s.",
                         .facts = 2,
                         .fact = fact,
                         .question = &question};
    LpLesson lesson = {.goal = "none", .steps = 1, .step = &step};
    uint32_t at;
    char number[16];
    assert_true(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    step.text = "It takes 4.51 s.";
    assert_false(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    assert_int_equal(at, 1);
    assert_string_equal(number, "4.51");
    step.text = "12.";
    assert_true(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    question.answer = 0; /* the right answer must be computed */
    assert_false(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    question.answer = 1;
    lesson.goal = "in 5 steps";
    assert_false(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    assert_int_equal(at, 0);
    lesson.goal = "none";
    LpLessonExercise exercise = {.task = "at most 7", .done = "d"};
    lesson.exercise = &exercise;
    assert_false(lp_lesson_numbers_known(&lesson, &at, number, sizeof number));
    assert_int_equal(at, 2);
}

static void the_handout_is_plain_markdown(void **state) {
    (void)state;
    static const LpLessonChoice choice[] = {{.text = "*bold*"}, {.text = "b", .why = "no _b_"}};
    static const LpLessonQuestion question = {
        .ask = "ask\x1b[2J?", .choices = 2, .choice = choice, .answer = 0, .reveal = "because"};
    static const LpLessonCommand command = {.text = "seek d3"};
    static const LpLessonStep step = {.title = "first",
                                      .text = "one\n# two <b>\n- three",
                                      .commands = 1,
                                      .command = &command,
                                      .question = &question};
    static const char *const hint[] = {"so"};
    static const LpLessonExercise exercise = {
        .task = "do it", .hints = 1, .hint = hint, .done = "d"};
    LpLesson lesson = {
        .number = 2, .minutes = 9, .goal = "g", .steps = 1, .step = &step, .exercise = &exercise};
    LpBuf out = {0};
    LpLessonPaper paper = {.title = "T"};
    lp_lesson_handout(&lesson, &paper, &out);
    assert_string_equal(lp_buf_text(&out),
                        "# Lesson 2: T\n\n9 minutes. Goal: g\n\n## 1. first\n\none\n\n"
                        "\\# two \\<b\\>\n\n\\- three\n\nOn the screen: ``:seek d3``\n\n"
                        "**Question.** ask\\\\x1b\\[2J?\n\n- [ ] a) \\*bold\\*\n- [ ] b) b\n\n"
                        "## Exercise\n\ndo it\n\nHint: so\n\n## Answers\n\n1. a) because\n\n"
                        "- not b) b: no \\_b\\_\n\n");
    lp_buf_clear(&out);
    paper.student = true;
    paper.own = "seed 7";
    lp_lesson_handout(&lesson, &paper, &out);
    assert_null(strstr(lp_buf_text(&out), "because"));
    assert_null(strstr(lp_buf_text(&out), "not b)"));
    assert_null(strstr(lp_buf_text(&out), "Hint"));
    assert_non_null(strstr(lp_buf_text(&out), "do it\n\nYour own numbers: seed 7\n\n"));
    lp_buf_fini(&out);
}

TEST_GROUP(test_model_lesson) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_agree_as_far_as_they_are_shown),
                                       cmocka_unit_test(no_number_is_invented),
                                       cmocka_unit_test(the_handout_is_plain_markdown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
