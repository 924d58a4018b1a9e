/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson about the cluster's tree: nodes are seen beside it on a small screen, nothing tells why
 * a job waits while that is asked, and a step may change a parameter of the policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"

/* Three leaves of 2, 2 and 4. Where most room is, the first job takes half of the last leaf, and
 * the second waits for 4 in one; where least is enough, it lies in the first leaf, and nobody
 * waits. */
static const char scenario[] =
    "{\"lightpath\":1,\"semantics\":\"corrected\",\"cluster\":{\"fabric\":\"ideal\",\"ideal\":"
    "{\"servers\":8},\"levels\":[{\"name\":\"leaf\",\"nodes\":[{\"name\":\"one\",\"servers\":"
    "\"0..1\"},{\"name\":\"two\",\"servers\":\"2..3\"},{\"name\":\"big\",\"servers\":\"4..7\"}]}]},"
    "\"policy\":{\"script\":\"tree_fit.lua\",\"params\":{\"pick\":\"loose\"}},\"queue_capacity\":9,"
    "\"jobs\":[{\"servers\":2,\"duration\":100,\"required\":\"leaf\"},"
    "{\"servers\":4,\"duration\":10,\"arrival\":1,\"required\":\"leaf\"},"
    "{\"servers\":1,\"duration\":10,\"arrival\":2,\"required\":\"leaf\"}],"
    "\"lesson\":{\"minutes\":5,\"goal\":\"g\",\"steps\":["
    "{\"title\":\"why\",\"text\":\"t\",\"highlight\":\"tree\",\"panes\":[\"tree\"],"
    "\"do\":[\"seek d2\",\"view tree\"],\"question\":{\"ask\":\"why?\",\"choices\":[\"so\","
    "\"thus\"],\"answer\":\"b\",\"reveal\":\"indeed\"}},"
    "{\"title\":\"otherwise\",\"text\":\"t\",\"run\":{\"set\":[\"policy.params.pick="
    "\\\"tight\\\"\"]},"
    "\"do\":[\"seek d2\",\"view tree\"],\"panes\":[\"tree\"]}]}}";

typedef struct Bench {
    char path[64];
    LpSession *session;
    LpApp app;
} Bench;

static void open_bench(Bench *b, int rows, int cols) {
    LpUiOptions options = {.no_motion = true};
    LpDiag diag;
    strcpy(b->path, "/tmp/lesson-tree.XXXXXX");
    int fd = mkstemp(b->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, scenario, strlen(scenario)), (ssize_t)strlen(scenario));
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

static void all_nodes_are_seen_beside_a_lesson(void **state) {
    (void)state;
    Bench b = {0};
    open_bench(&b, 24, 80);
    assert_true(shows(&b, " one 2/2"));
    assert_true(shows(&b, " two 2/2"));
    assert_true(shows(&b, " big 2/4"));
    assert_true(shows(&b, "AA.."));
    close_bench(&b);
}

static void no_reason_is_told_while_it_is_asked(void **state) {
    (void)state;
    static const int sizes[][2] = {{24, 80}, {30, 100}, {60, 200}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        Bench b = {0};
        open_bench(&b, sizes[i][0], sizes[i][1]);
        assert_true(shows(&b, "?  shown when the question is answered"));
        assert_false(shows(&b, "leaves have"));
        assert_false(shows(&b, "then it fits"));
        assert_false(shows(&b, "shape"));
        press(&b, 'b');
        assert_false(shows(&b, "?  shown when the question is answered"));
        assert_true(shows(&b, "needs 4 in one leaf; leaves have 2, 2, 2 free"));
        close_bench(&b);
    }
}

static void a_step_may_change_a_parameter(void **state) {
    (void)state;
    Bench b = {0};
    open_bench(&b, 30, 100);
    assert_true(shows(&b, " one 2/2"));
    press(&b, 'b');
    press(&b, LP_KEY_PGDN);
    assert_true(shows(&b, "otherwise"));
    assert_true(shows(&b, " one 0/2"));
    assert_true(shows(&b, "BBBB"));
    press(&b, LP_KEY_PGUP);
    assert_true(shows(&b, " one 2/2"));
    close_bench(&b);
}

TEST_GROUP(test_ui_lesson_tree) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_nodes_are_seen_beside_a_lesson),
                                       cmocka_unit_test(no_reason_is_told_while_it_is_asked),
                                       cmocka_unit_test(a_step_may_change_a_parameter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
