/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner of lessons: steps stage the run, going back finds it again, questions are answered
 * once, presenter keys, and a screen at every size that no text of the lesson can break. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "run/session/time.h"

#define STEPS                                                                                      \
    "{\"title\":\"one\",\"text\":\"first words\",\"highlight\":\"servers\"},"                      \
    "{\"title\":\"two\",\"text\":\"second words\",\"highlight\":\"circuits\",\"do\":[\"seek "      \
    "d3\"],"                                                                                       \
    "\"question\":{\"ask\":\"how?\",\"choices\":[\"so\",\"thus\"],\"answer\":\"b\",\"reveal\":"    \
    "\"indeed\"}},"                                                                                \
    "{\"title\":\"three\",\"text\":\"third words\",\"do\":[\"fork degree=2 "                       \
    "name=narrow\",\"next\","                                                                      \
    "\"view events\"]}"
#define SCENARIO(steps)                                                                            \
    "{\"lightpath\":1,\"semantics\":\"corrected\",\"graphs\":[{\"id\":\"a\",\"zoo\":\"alexnet\"}]" \
    ","                                                                                            \
    "\"generator\":{\"count\":20,\"load\":0.5},\"lesson\":{\"number\":7,\"minutes\":5,\"goal\":"   \
    "\"g\",\"steps\":[" steps "],\"exercise\":{\"task\":\"write\\u001b[2J\",\"done\":\"d\","       \
    "\"checks\":[{\"lua\":\"true\",\"else\":\"e\"}]}}}"

typedef struct Bench {
    char path[64];
    LpSession *session;
    LpApp app;
} Bench;

static void open_bench(Bench *b, const char *text, int rows, int cols) {
    LpUiOptions options = {.no_motion = true};
    LpDiag diag;
    strcpy(b->path, "/tmp/lesson-test.XXXXXX");
    int fd = mkstemp(b->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    LpSessionSpec spec = {.scenario = b->path, .keep_timeline = true};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
    unlink(b->path);
}

static bool shows(const Bench *b, const char *text) {
    LpBuf screen = {0};
    lp_canvas_print(&b->app.canvas, &screen);
    bool found = strstr(lp_buf_text(&screen), text) != NULL;
    lp_buf_fini(&screen);
    return found;
}

static void press(Bench *b, LpKey key) {
    LpDiag diag;
    lp_app_key(&b->app, key, 0);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void command(Bench *b, const char *text) {
    LpDiag diag;
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void refuses(Bench *b, const char *text, const char *why) {
    LpDiag diag;
    assert_int_not_equal(lp_app_command(&b->app, text, 0, &diag), LP_OK);
    if (strstr(diag.text, why) == NULL)
        fail_msg("%s: %s", text, diag.text);
}

static void steps_stage_the_run(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    assert_true(shows(&b, "lesson 7, 1 of 3: one") && shows(&b, "first words"));
    assert_true(shows(&b, "▸SERVERS"));
    uint64_t first = lp_session_hash(b.session);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "second words") && shows(&b, "▸CIRCUITS"));
    uint64_t second = lp_session_hash(b.session);
    assert_true(first != second);
    press(&b, LP_KEY_PGDN); /* the question */
    assert_true(shows(&b, "how?") && shows(&b, "b  thus"));
    press(&b, LP_KEY_PGDN); /* the answer */
    assert_true(shows(&b, "b: thus") && shows(&b, "indeed"));
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "third words") && shows(&b, "narrow"));
    assert_int_equal(lp_session_branches(b.session), 2);
    uint64_t third = lp_session_hash(b.session);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "the lesson is over"));
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "second words"));
    assert_true(lp_session_hash(b.session) == second);
    press(&b, LP_KEY_PGDN); /* was answered: no second chance */
    assert_true(shows(&b, "indeed"));
    press(&b, LP_KEY_PGUP);
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "first words") && lp_session_hash(b.session) == first);
    command(&b, "lesson 3");
    assert_true(lp_session_hash(b.session) == third && b.app.ui.only == LP_PANE_EVENTS);
    assert_int_equal(lp_session_branches(b.session), 2); /* nothing is forked twice */
    close_bench(&b);
}

static void wandering_off_does_not_matter(void **state) {
    (void)state;
    Bench a, b;
    open_bench(&a, SCENARIO(STEPS), 30, 100);
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    command(&a, "lesson 3"); /* the ones between are staged, too */
    command(&b, "lesson 2");
    command(&b, "next 4");
    command(&b, "fork degree=1");
    command(&b, "next 2");
    command(&b, "lesson 3");
    assert_true(lp_session_hash(a.session) == lp_session_hash(b.session));
    close_bench(&a);
    close_bench(&b);
}

static void questions_are_answered_once(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    refuses(&b, "lesson a", "nothing is asked here");
    command(&b, "lesson 2");
    press(&b, 'b'); /* no question yet: the key is what it always is */
    assert_int_equal(b.app.ui.lesson.choice[1], -1);
    command(&b, "lesson 2");
    press(&b, LP_KEY_PGDN);
    refuses(&b, "lesson c", "expected one of the choices, a to b");
    press(&b, 'a');
    assert_true(shows(&b, "you said a"));
    command(&b, "lesson b");
    assert_true(shows(&b, "you said a"));
    refuses(&b, "lesson 4", "expected next, back, a step from 1 to 3");
    refuses(&b, "lesson nextt", "expected next");
    command(&b, "lesson exercise");
    assert_true(shows(&b, "write\\x1b[2J") && shows(&b, "--check FILE.lua"));
    command(&b, "lesson off");
    press(&b, LP_KEY_ESC);
    assert_false(shows(&b, "lesson 7"));
    close_bench(&b);
}

static void presenter_keys(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    press(&b, '.');
    assert_false(shows(&b, "servers"));
    press(&b, 'n'); /* only brings the screen back */
    assert_true(shows(&b, "first words") && shows(&b, "job 0 of 20"));
    command(&b, "lesson off");
    press(&b, '.');
    assert_true(shows(&b, ":present"));
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "job 0 of 20"));
    command(&b, "present");
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "job 1 of 20"));
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "job 0 of 20"));
    command(&b, "present off");
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "job 0 of 20"));
    close_bench(&b);
}

static void a_command_that_fails_is_told(void **state) {
    (void)state;
    Bench b;
    LpDiag diag;
    open_bench(&b,
               SCENARIO("{\"title\":\"one\",\"text\":\"x\"},"
                        "{\"title\":\"two\",\"text\":\"y\",\"do\":[\"viev circuits\"]}"),
               30, 100);
    assert_int_not_equal(lp_app_command(&b.app, "lesson next", 0, &diag), LP_OK);
    assert_true(diag.line == 1 && diag.col > 100);
    assert_string_equal(diag.text, "\"viev circuits\": there is no command \"viev\", did you mean "
                                   "view; help lists them");
    close_bench(&b);
}

/* The pane that is spoken of is never covered: at every size it has its cells. */
static void every_size_and_any_text(void **state) {
    (void)state;
    Bench b;
    LpDiag diag;
    open_bench(&b,
               SCENARIO("{\"title\":\"\\u001b]52;c;x\\u0007\",\"text\":[\"\\u009b31m \\u202e "
                        "\\u0301\",\"# long long long long long long long long long long long\"],"
                        "\"highlight\":\"curves\",\"question\":{\"ask\":\"\\u001b[2J\",\"choices\":"
                        "[\"\\t\",\"x\"],\"answer\":\"a\",\"reveal\":\"\\u001b\"}}"),
               30, 100);
    for (int rows = 1; rows < 70; rows += 3)
        for (int cols = 1; cols < 200; cols += 7)
            for (int turn = 0; turn < 4; turn++) {
                assert_int_equal(lp_app_resize(&b.app, rows, cols, &diag), LP_OK);
                press(&b, turn == 3 ? LP_KEY_PGUP : LP_KEY_PGDN);
                for (int i = 0; i < rows * cols; i++)
                    assert_true(lp_utf8_is_narrow(b.app.canvas.cell[i].cp));
                if (rows >= 12 && cols >= 30)
                    assert_true(shows(&b, "JCT"));
            }
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_stage_the_run),
                                       cmocka_unit_test(wandering_off_does_not_matter),
                                       cmocka_unit_test(questions_are_answered_once),
                                       cmocka_unit_test(presenter_keys),
                                       cmocka_unit_test(a_command_that_fails_is_told),
                                       cmocka_unit_test(every_size_and_any_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
