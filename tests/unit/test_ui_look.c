/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking for the worst moment in a terminal: a little at a time, it says how far it is, any key
 * stops it where it has got to, and it leads to where going there at once does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/play/play.h"
#include "group.h"
#include "session/time.h"

enum { JOBS = 400 };

typedef struct Bench {
    char path[64];
    LpSession *session;
    LpApp app;
} Bench;

/* Every look at it takes 30 ms. */
static int64_t wall;
static int64_t slow_clock(void) {
    return wall += 30;
}

/* Four servers; a job of two each second, for `duration` s. */
static void write_scenario(char *path, double duration) {
    LpBuf text = {0};
    lp_buf_add(&text,
               "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":4}},"
               "\"policy\":{\"script\":\"strict_fifo.lua\"},\"queue_capacity\":1000,"
               "\"jobs\":[");
    for (int i = 0; i < JOBS; i++)
        lp_buf_addf(&text, "%s{\"servers\":2,\"duration\":%g,\"arrival\":%d}", i > 0 ? "," : "",
                    duration, i);
    lp_buf_add(&text, "]}");
    strcpy(path, "/tmp/look-test.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, lp_buf_text(&text), text.len), (ssize_t)text.len);
    close(fd);
    lp_buf_fini(&text);
}

static void open_bench(Bench *b, double duration) {
    LpUiOptions options = {.no_motion = true, .stay = true};
    LpDiag diag;
    write_scenario(b->path, duration);
    LpSessionSpec spec = {.scenario = b->path, .keep_timeline = true};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, 24, 80, &diag), LP_OK);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
    unlink(b->path);
}

static bool shows(Bench *b, const char *text) {
    LpBuf screen = {0};
    LpDiag diag;
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
    lp_canvas_print(&b->app.canvas, &screen);
    bool found = strstr(lp_buf_text(&screen), text) != NULL;
    lp_buf_fini(&screen);
    return found;
}

static void command(Bench *b, const char *text) {
    LpDiag diag;
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
}

static uint64_t at_once(const char *text, double duration) {
    Bench b = {0};
    open_bench(&b, duration);
    command(&b, text);
    uint64_t step = lp_session_moment(b.app.session).step;
    close_bench(&b);
    return step;
}

static void it_is_told_how_far_and_goes_there(void **state) {
    (void)state;
    static const char *const words[] = {"worst", "worst queue", "seek worst longest"};
    for (size_t i = 0; i < LP_COUNTOF(words); i++) {
        Bench b = {0};
        uint64_t goal = at_once(words[i], 3);
        int ticks = 0;
        open_bench(&b, 3);
        b.app.clock = slow_clock;
        command(&b, words[i]);
        assert_true(lp_app_looks(&b.app));
        assert_int_equal(lp_app_deadline(&b.app), 0);
        assert_true(shows(&b, "looking for the worst moment: "));
        assert_true(shows(&b, " %; any key stops"));
        for (; lp_app_looks(&b.app) && ticks < 1000; ticks++)
            lp_app_tick(&b.app, wall);
        assert_true(ticks > 2 && ticks < 1000);
        assert_int_equal(lp_session_moment(b.app.session).step, goal);
        assert_false(shows(&b, "looking"));
        lp_app_undo(&b.app, false); /* as after going there at once */
        assert_int_equal(lp_session_moment(b.app.session).step, 0);
        close_bench(&b);
    }
}

static void any_key_stops_it(void **state) {
    (void)state;
    Bench b = {0};
    open_bench(&b, 3);
    b.app.clock = slow_clock;
    command(&b, "worst");
    lp_app_tick(&b.app, wall);
    uint64_t step = lp_session_moment(b.app.session).step;
    assert_true(step >= 64);
    lp_app_key(&b.app, LP_KEY_ESC, wall);
    assert_false(lp_app_looks(&b.app));
    assert_true(shows(&b, "stopped on the way"));
    lp_app_tick(&b.app, wall);
    assert_int_equal(lp_session_moment(b.app.session).step, step);
    command(&b, "worst");
    assert_true(lp_app_looks(&b.app));
    lp_app_key(&b.app, 'q', wall); /* it stops that, and nothing else */
    assert_false(lp_app_looks(&b.app));
    assert_false(b.app.quit);
    close_bench(&b);
}

/* A run in which nobody waits. */
static void opening_there_stays_at_the_start(void **state) {
    (void)state;
    Bench b = {0};
    LpDiag diag;
    open_bench(&b, 1);
    b.app.clock = slow_clock;
    assert_int_equal(lp_app_look(&b.app, "worst", true, &diag), LP_OK);
    for (int i = 0; lp_app_looks(&b.app) && i < 1000; i++)
        lp_app_tick(&b.app, wall);
    assert_int_equal(lp_world_now(lp_session_world(b.app.session)), 0);
    assert_false(shows(&b, "there is no worst moment"));
    command(&b, "seek 100 s");
    uint64_t step = lp_session_moment(b.app.session).step;
    assert_int_equal(lp_app_command(&b.app, "worst", 0, &diag), LP_ERANGE); /* that is told */
    assert_int_equal(lp_session_moment(b.app.session).step, step);
    close_bench(&b);
}

TEST_GROUP(test_ui_look) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_told_how_far_and_goes_there),
                                       cmocka_unit_test(any_key_stops_it),
                                       cmocka_unit_test(opening_there_stays_at_the_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
