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
#include "group.h"
#include "moment/lesson_text.h"
#include "session/time.h"

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

static uint64_t hash_of(const Bench *b) {
    return lp_session_hash(b->app.session);
}

static void steps_stage_the_run(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    assert_true(shows(&b, "lesson 7, 1 of 3: one") && shows(&b, "first words"));
    assert_true(shows(&b, "▸SERVERS"));
    uint64_t first = hash_of(&b);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "second words") && shows(&b, "▸CIRCUITS"));
    assert_true(shows(&b, "ASK  how?") && shows(&b, "b  thus")); /* all of it has room */
    uint64_t second = hash_of(&b);
    assert_true(first != second);
    press(&b, 'b');
    assert_true(shows(&b, "b: thus (as you said)") && shows(&b, "indeed"));
    assert_true(hash_of(&b) == second);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "third words") && shows(&b, "narrow"));
    assert_int_equal(lp_session_branches(b.app.session), 2);
    uint64_t third = hash_of(&b);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "write\\x1b[2J") && shows(&b, "--check FILE.lua")); /* the exercise */
    press(&b, LP_KEY_ENTER);
    assert_true(shows(&b, "was the last lesson"));
    press(&b, LP_KEY_ESC);
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "second words") && shows(&b, "indeed")); /* it stays answered */
    assert_true(hash_of(&b) == second);
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "first words") && hash_of(&b) == first);
    command(&b, "lesson 3");
    assert_true(hash_of(&b) == third && b.app.ui.only == LP_PANE_EVENTS);
    assert_int_equal(lp_session_branches(b.app.session), 2); /* nothing is forked twice */
    close_bench(&b);
}

/* Paged through with its question open a lesson is not done, and says what is left. */
static void a_lesson_is_done_when_all_is_answered(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    for (int i = 0; i < 4; i++) /* the question takes two */
        press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "the lesson is not done") && shows(&b, "step 2 is not answered"));
    assert_false(b.app.progress.lesson[7]);
    press(&b, LP_KEY_ESC);
    press(&b, LP_KEY_PGUP);
    press(&b, 'a'); /* a wrong choice leaves the question open */
    assert_false(b.app.progress.lesson[7]);
    assert_int_equal(b.app.progress.asked[7], 0);
    press(&b, 'b');
    assert_true(b.app.progress.lesson[7]);
    assert_int_equal(b.app.progress.answered[7], 1);
    assert_int_equal(b.app.progress.asked[7], 1);
    command(&b, "lesson exercise");
    assert_true(shows(&b, "--check FILE.lua") && !shows(&b, "not done"));
    close_bench(&b);

    open_bench(&b, SCENARIO(STEPS), 30, 100);
    command(&b, "lesson 3"); /* the last step alone */
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "step 2 is not read"));
    assert_false(b.app.progress.lesson[7]);
    command(&b, "lesson 2");
    command(&b, "lesson answer");
    assert_true(b.app.progress.lesson[7]);
    close_bench(&b);
}

static void a_step_has_a_run_of_its_own(void **state) {
    (void)state;
    Bench b;
    open_bench(
        &b,
        SCENARIO("{\"title\":\"one\",\"text\":\"x\"},"
                 "{\"title\":\"two\",\"text\":\"y\",\"run\":{\"set\":[\"generator.count=7\"],"
                 "\"seed\":5,\"policy\":\"max_parallelism\"},\"do\":[\"seek d2\"]},"
                 "{\"title\":\"three\",\"text\":\"z\",\"run\":{\"scenario\":\"rigid\"}},"
                 "{\"title\":\"four\",\"text\":\"z\",\"run\":{\"set\":[\"generator.load=x\"]}},"
                 "{\"title\":\"five\",\"text\":\"z\",\"run\":{\"scenario\":\"nosuch\"}}"),
        30, 100);
    assert_true(shows(&b, "job 0 of 20"));
    uint64_t first = hash_of(&b);
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "job 2 of 7") && shows(&b, "max_parallelism"));
    assert_int_equal(lp_session_scenario(b.app.session)->seed, 5);
    press(&b, LP_KEY_PGDN);
    assert_string_equal(lp_session_scenario(b.app.session)->name, "rigid");
    assert_true(shows(&b, "three"));
    refuses(&b, "lesson 4", "generator.load");
    refuses(&b, "lesson 5", "there is no scenario \"nosuch\"");
    command(&b, "lesson 1"); /* and nothing of it is left */
    assert_true(shows(&b, "job 0 of 20") && hash_of(&b) == first);
    close_bench(&b);
}

static void wandering_off_does_not_matter(void **state) {
    (void)state;
    Bench a, b;
    open_bench(&a, SCENARIO(STEPS), 30, 100);
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    command(&a, "lesson 3");
    command(&b, "lesson 2");
    command(&b, "next 4");
    command(&b, "fork degree=1");
    command(&b, "next 2");
    command(&b, "lesson 3");
    assert_true(hash_of(&a) == hash_of(&b));
    close_bench(&a);
    close_bench(&b);
}

static void print_screen(const Bench *b, LpBuf *out) {
    lp_buf_clear(out);
    lp_canvas_print(&b->app.canvas, out);
    lp_canvas_print_roles(&b->app.canvas, out);
}

static void fail_at_line(int step, const char *first, const char *now) {
    while (*first && *now) {
        int a = (int)strcspn(first, "\n"), b = (int)strcspn(now, "\n");
        if (a != b || strncmp(first, now, (size_t)a) != 0)
            fail_msg("step %d: \"%.*s\", first \"%.*s\"", step, b, now, a, first);
        first += a + 1;
        now += b + 1;
    }
}

/* Whatever was done between, a step that is come to shows the same: what only depends on what was
 * answered and seen is in the lesson's own pane. */
static void any_order_shows_the_same(void **state) {
    (void)state;
    static const LpKey keys[] = {LP_KEY_PGDN, LP_KEY_PGUP, 'n', 'p', ']',         '1', '5',
                                 'q',         'w',         'f', 't', LP_KEY_DOWN, 'c', LP_KEY_ESC};
    enum { ORDERS = 40, KEYS = 12 };
    Bench b;
    LpBuf first[3] = {{0}}, now = {0};
    uint32_t random = 7;
    open_bench(&b, SCENARIO(STEPS), 24, 80);
    for (int i = 0; i < 3; i++) {
        char line[32];
        snprintf(line, sizeof line, "lesson %d", i + 1);
        command(&b, line);
        command(&b, "lesson 1"); /* every step is seen before */
    }
    for (int i = 0; i < 3 + ORDERS; i++) {
        int step = i < 3 ? i : (int)((random = random * 1103515245u + 12345u) >> 16) % 3;
        char line[32];
        for (int k = 0; i >= 3 && k < KEYS; k++) {
            random = random * 1103515245u + 12345u;
            LpKey key = keys[(random >> 16) % LP_COUNTOF(keys)];
            if (key == 'q' && b.app.ui.only == LP_PANE_COUNT)
                continue; /* would end it */
            press(&b, key);
        }
        snprintf(line, sizeof line, "lesson %d", step + 1);
        command(&b, line);
        print_screen(&b, i < 3 ? &first[step] : &now);
        if (i >= 3 && strcmp(lp_buf_text(&first[step]), lp_buf_text(&now)) != 0)
            fail_at_line(step + 1, lp_buf_text(&first[step]), lp_buf_text(&now));
    }
    for (int i = 0; i < 3; i++)
        lp_buf_fini(&first[i]);
    lp_buf_fini(&now);
    close_bench(&b);
}

#define ASKS                                                                                       \
    "{\"title\":\"one\",\"text\":\"words\",\"do\":[\"seek d3\"],\"question\":{\"ask\":\"how?\","   \
    "\"choices\":[{\"text\":\"so\",\"why\":\"too few\",\"look\":[\"view "                          \
    "jobs\"]},\"thus\",\"not\"],"                                                                  \
    "\"answer\":\"b\",\"reveal\":\"indeed\",\"show\":[\"view events\"],\"hide\":[\"pac\",\"pane "  \
    "jobs\",\"title\",\"3 of 20\"]}},{\"title\":\"two\",\"text\":\"more\"}"

static void a_question_is_tried_until_it_is_right(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(ASKS), 30, 100);
    assert_false(shows(&b, "job 3 of 20"));
    assert_true(shows(&b, "job ? of ??"));
    assert_true(shows(&b, "?  ")); /* in place of the jobs */
    refuses(&b, "lesson d", "expected one of the choices, a to c");
    press(&b, 'a');
    assert_true(shows(&b, "✗ a") && shows(&b, "not a") && shows(&b, "too few"));
    assert_int_equal(b.app.ui.only, LP_PANE_JOBS); /* what speaks against it */
    assert_false(shows(&b, "indeed"));
    press(&b, 'c');
    assert_true(shows(&b, "✗ c") && shows(&b, "✗ a"));
    assert_int_equal(b.app.ui.only, LP_PANE_COUNT);
    press(&b, 'b');
    assert_true(shows(&b, "b: thus (you said a: so)") && shows(&b, "indeed"));
    assert_int_equal(b.app.ui.only, LP_PANE_EVENTS);
    assert_true(shows(&b, "job 3 of 20"));
    assert_false(b.app.ui.lesson.shown[0]);
    refuses(&b, "lesson a", "the answer is known: b");
    press(&b, LP_KEY_PGDN);
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, "you said a") && b.app.ui.only == LP_PANE_EVENTS);
    close_bench(&b);
}

static void an_answer_can_be_shown(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(ASKS), 30, 100);
    press(&b, LP_KEY_PGDN);
    press(&b, LP_KEY_PGDN); /* it may stay open */
    assert_true(shows(&b, "two") && shows(&b, "–▸"));
    refuses(&b, "lesson answer", "nothing is asked here");
    press(&b, LP_KEY_PGUP);
    press(&b, 'A');
    assert_true(shows(&b, "b: thus") && b.app.ui.lesson.shown[0]);
    assert_false(shows(&b, "you said"));
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "✓▸"));
    close_bench(&b);
}

static void questions_are_answered_in_words(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    refuses(&b, "lesson a", "nothing is asked here");
    refuses(&b, "lesson 4", "expected next, back, a step from 1 to 3");
    refuses(&b, "lesson nextt", "expected next");
    refuses(&b, "lesson hint", "there is no hint here");
    command(&b, "lesson exercise");
    assert_true(shows(&b, "write\\x1b[2J") && shows(&b, "--check FILE.lua"));
    command(&b, "lesson off");
    press(&b, LP_KEY_ESC);
    assert_false(shows(&b, "lesson 7"));
    close_bench(&b);
}

static void what_is_marked(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, SCENARIO("{\"title\":\"one\",\"text\":\"x\",\"do\":[\"seek d3\"]}"), 30, 100);
    static const char *const good[] = {"mark server 0", "mark letter B", "mark row 1",
                                       "mark row ways", "mark text blocked"};
    for (size_t i = 0; i < LP_COUNTOF(good); i++)
        command(&b, good[i]);
    assert_int_equal(b.app.ui.pointers, 5);
    refuses(&b, "mark server 99", "servers are 0 to");
    refuses(&b, "mark letter Z", "the letters here are B");
    refuses(&b, "mark op 2", "is not on the screen: view graph");
    refuses(&b, "mark text nowhere to be seen", "is not on the screen");
    refuses(&b, "mark job 3", "is nothing to mark: expected op, row");
    assert_int_equal(b.app.ui.pointers, 5);
    command(&b, "mark off");
    assert_int_equal(b.app.ui.pointers, 0);
    command(&b, "view graph");
    command(&b, "mark op 2");
    assert_int_equal(b.app.ui.pointers, 1);
    command(&b, "lesson 1"); /* a step begins without */
    assert_int_equal(b.app.ui.pointers, 0);
    close_bench(&b);
}

/* The first path that the list of transmitters shows, by its servers. */
static bool first_path(const Bench *b, uint32_t *src, uint32_t *dst) {
    const LpCanvas *canvas = &b->app.canvas;
    for (int i = 0; i < canvas->rows * canvas->cols; i++) {
        if (canvas->cell[i].hit != LP_HIT_PATH)
            continue;
        *src = canvas->cell[i].what / LP_HIT_PATHS;
        *dst = canvas->cell[i].what % LP_HIT_PATHS;
        return true;
    }
    return false;
}

/* A light path is marked where it is listed, and on the board at the transmitter that lights it. */
static void light_paths_are_marked(void **state) {
    (void)state;
    Bench b;
    char text[64];
    uint32_t src = 0, dst = 0;
    open_bench(&b,
               SCENARIO("{\"title\":\"one\",\"text\":\"x\",\"do\":[\"seek d9\",\"view "
                        "circuits\"]}"),
               30, 100);
    assert_true(first_path(&b, &src, &dst));
    refuses(&b, "mark path 0-99", "is not on the screen");
    refuses(&b, "mark path 0-1", "is not on the screen"); /* nobody sends there */
    snprintf(text, sizeof text, "mark path %u-%u", (unsigned)src, (unsigned)dst);
    command(&b, text);
    uint32_t group = lp_fabric_group(&lp_session_context(b.session)->fabric, dst);
    int paths = 0, lights = 0;
    for (int i = 0; i < b.app.canvas.rows * b.app.canvas.cols; i++) {
        const LpCell *cell = &b.app.canvas.cell[i];
        bool marked = cell->style == (LP_ROLE_CURSOR | LP_BOLD | LP_FILL);
        paths += marked && cell->hit == LP_HIT_PATH && cell->what == LP_HIT_PATHS * src + dst;
        lights += marked && cell->hit == LP_HIT_LIGHT && cell->what == LP_HIT_PATHS * src + group;
    }
    assert_true(paths > 0);
    assert_int_equal(lights, 1);
    close_bench(&b);
}

/* Below the boards the box has the rows of its text and no more, and no answer moves them. */
static void the_box_fits_its_text(void **state) {
    (void)state;
    Bench b;
    open_bench(&b,
               SCENARIO("{\"title\":\"one\",\"text\":\"x\"},"
                        "{\"title\":\"two\",\"text\":[\"first\",\"second\"],\"question\":{\"ask\":"
                        "\"how?\",\"choices\":[{\"text\":\"so\",\"why\":\"not so, since it is "
                        "otherwise\"},\"thus\"],\"answer\":\"b\",\"reveal\":\"indeed\"}}"),
               24, 80);
    assert_int_equal(lp_lesson_rows(&b.app.ui), 1 + 2);
    assert_true(shows(&b, "CIRCUITS") && shows(&b, "DECISION"));
    command(&b, "lesson 2");
    int rows = lp_lesson_rows(&b.app.ui);
    press(&b, 'a');
    assert_true(shows(&b, "not so, since"));
    assert_int_equal(lp_lesson_rows(&b.app.ui), rows);
    assert_int_equal(lp_lesson_below(&b.app.ui), 0);
    assert_int_equal(lp_model_rest(&b.app.ui).h, 24 - rows);
    command(&b, "lesson off");
    assert_int_equal(lp_lesson_rows(&b.app.ui), 0);
    close_bench(&b);
}

static void a_step_chooses_its_panes(void **state) {
    (void)state;
    Bench b;
    open_bench(&b,
               SCENARIO("{\"title\":\"one\",\"text\":\"x\",\"do\":[\"seek d3\"],"
                        "\"panes\":[\"what-if\",\"events\"],\"mark\":[\"row 1\"]}"),
               24, 80);
    assert_true(shows(&b, "WHAT-IF") || shows(&b, "WHAT IF"));
    assert_true(shows(&b, "EVENTS") && !shows(&b, "SERVERS"));
    press(&b, '1'); /* something else is looked at */
    assert_true(shows(&b, "SERVERS") && !shows(&b, "EVENTS"));
    command(&b, "lesson 1");
    assert_true(shows(&b, "EVENTS") && !shows(&b, "SERVERS"));
    close_bench(&b);
}

/* Enter, space and PgDn go on; an open question is passed by PgDn alone, when it is pressed twice
 * in a row, and then it is not done. */
static void one_way_to_go_on(void **state) {
    (void)state;
    static const LpKey keys[] = {LP_KEY_ENTER, ' ', LP_KEY_PGDN};
    Bench b;
    for (size_t i = 0; i < LP_COUNTOF(keys); i++) {
        open_bench(&b, SCENARIO(STEPS), 30, 100);
        press(&b, keys[i]);
        assert_true(shows(&b, "second words"));
        for (int again = 0; again < 5 && keys[i] != LP_KEY_PGDN; again++) {
            press(&b, keys[i]);
            assert_true(shows(&b, "a to b answer it") && shows(&b, "second words"));
        }
        press(&b, LP_KEY_PGDN);
        assert_true(shows(&b, "PgDn once more passes it"));
        press(&b, 'x'); /* no choice */
        press(&b, LP_KEY_PGDN);
        assert_true(shows(&b, "second words"));
        press(&b, LP_KEY_PGDN);
        assert_true(shows(&b, "third words") && b.app.ui.lesson.skipped[1]);
        press(&b, keys[i]);
        assert_true(shows(&b, "step 2 is not answered"));
        assert_false(b.app.progress.lesson[7]);
        press(&b, LP_KEY_ESC);
        press(&b, LP_KEY_PGUP);
        press(&b, 'b');
        assert_true(b.app.progress.lesson[7]);
        press(&b, keys[i]);
        assert_true(shows(&b, "third words"));
        close_bench(&b);
    }
    /* Who looks at a row, or at another view, has the keys as they are there. */
    open_bench(&b, SCENARIO(STEPS), 30, 100);
    press(&b, LP_KEY_DOWN);
    press(&b, LP_KEY_ENTER);
    assert_true(shows(&b, "first words"));
    command(&b, "lesson 1");
    press(&b, '3');
    press(&b, LP_KEY_ENTER);
    assert_true(shows(&b, "first words"));
    press(&b, 'q');
    press(&b, 'q');
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
            for (int turn = 0; turn < 4 && test_taken((unsigned)(rows / 3 + cols / 7)); turn++) {
                assert_int_equal(lp_app_resize(&b.app, rows, cols, &diag), LP_OK);
                press(&b, turn == 3 ? LP_KEY_PGUP : LP_KEY_PGDN);
                for (int i = 0; i < rows * cols; i++)
                    assert_int_equal(lp_utf8_columns(b.app.canvas.cell[i].cp), 1);
                if (b.app.ui.page) /* the exercise lies over it */
                    press(&b, LP_KEY_ESC);
                if (rows >= 12 && cols >= 30 && !shows(&b, "JCT"))
                    fail_msg("%dx%d, turn %d", cols, rows, turn);
            }
    close_bench(&b);
}

TEST_GROUP(test_ui_lesson) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_stage_the_run),
                                       cmocka_unit_test(a_lesson_is_done_when_all_is_answered),
                                       cmocka_unit_test(a_step_has_a_run_of_its_own),
                                       cmocka_unit_test(wandering_off_does_not_matter),
                                       cmocka_unit_test(any_order_shows_the_same),
                                       cmocka_unit_test(a_question_is_tried_until_it_is_right),
                                       cmocka_unit_test(an_answer_can_be_shown),
                                       cmocka_unit_test(questions_are_answered_in_words),
                                       cmocka_unit_test(what_is_marked),
                                       cmocka_unit_test(light_paths_are_marked),
                                       cmocka_unit_test(the_box_fits_its_text),
                                       cmocka_unit_test(a_step_chooses_its_panes),
                                       cmocka_unit_test(one_way_to_go_on),
                                       cmocka_unit_test(presenter_keys),
                                       cmocka_unit_test(a_command_that_fails_is_told),
                                       cmocka_unit_test(every_size_and_any_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
