/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions by hand with the mouse: what keys do, a click and a drag do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"

typedef struct Bench {
    LpSession *session;
    LpApp app;
} Bench;

static void draw(Bench *b) {
    LpDiag diag = {0};
    b->app.dirty = true;
    if (lp_app_draw(&b->app, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    draw(b);
}

static void open_bench(Bench *b, const char *scenario) {
    char path[256];
    snprintf(path, sizeof path, "%s/scenarios/%s.json", LP_SOURCEDIR, scenario);
    LpSessionSpec spec = {.scenario = path, .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, 40, 110, &diag), LP_OK);
    b->app.ui.mouse = LP_MOUSE_ON;
    draw(b);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

/* The mouse does this on the first cell of the thing. */
static void mouse(Bench *b, LpMouseKind kind, LpHit hit, uint32_t what) {
    const LpCanvas *canvas = &b->app.canvas;
    for (int i = 0; i < canvas->rows * canvas->cols; i++) {
        LpMouse at = {.kind = kind, .x = i % canvas->cols, .y = i / canvas->cols};
        if (canvas->cell[i].hit != hit || canvas->cell[i].what != what)
            continue;
        lp_app_mouse(&b->app, &at, 0);
        draw(b);
        return;
    }
    fail_msg("%d of %d is not on the screen", (int)what, (int)hit);
}

static const char *words(const Bench *b) {
    return b->app.ui.hand.draft.word[b->app.ui.stage];
}

static void things_are_clicked(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "five-decisions");
    command(&b, "seek d1");
    command(&b, "do stage");
    command(&b, "do right");
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_SERVER, 2);
    assert_string_equal(words(&b), "servers=0-1,3");
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_SERVER, 5);
    assert_string_equal(words(&b), "servers=0-1,3,5");
    close_bench(&b);
    open_bench(&b, "circuits-ocs");
    command(&b, "seek d0");
    command(&b, "do stage 3");
    command(&b, "do right");
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_CROSS, 2 * LP_HIT_PATHS + 3);
    assert_string_equal(words(&b), "circuits=2-3");
    close_bench(&b);
    open_bench(&b, "five-decisions");
    command(&b, "seek d0");
    command(&b, "do right");
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_OP, 2);
    assert_int_equal(b.app.ui.hand.cursor, 2);
    close_bench(&b);
}

/* Op 4 is the third bar of its server: to the first place it goes past two, as by keys. */
static void an_op_is_dragged(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, "five-decisions");
    command(&b, "seek d2");
    command(&b, "do stage 2");
    command(&b, "do right");
    uint32_t first = b.app.ui.hand.cursor;
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_BAR, first + 3);
    assert_true(b.app.ui.hand.held);
    for (int i = 0; i < 2; i++)
        mouse(&b, LP_MOUSE_DRAG, LP_HIT_BAR, first + 1);
    assert_string_equal(words(&b), "order_ops=srpt:4");
    assert_true(b.app.ui.hand.held);
    mouse(&b, LP_MOUSE_DRAG, LP_HIT_BAR, first + 1); /* it is there */
    mouse(&b, LP_MOUSE_RELEASE, LP_HIT_BAR, first + 1);
    assert_false(b.app.ui.hand.held);
    assert_string_equal(words(&b), "order_ops=srpt:4");
    mouse(&b, LP_MOUSE_PRESS, LP_HIT_BAR, first + 1); /* a mere click picks up */
    mouse(&b, LP_MOUSE_RELEASE, LP_HIT_BAR, first + 1);
    assert_true(b.app.ui.hand.held);
    close_bench(&b);
}

TEST_GROUP(test_ui_hand) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_are_clicked),
        cmocka_unit_test(an_op_is_dragged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
