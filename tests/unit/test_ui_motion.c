/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two frames of a scene differ only where something happens: in the bar that says what, on one
 * board, and in the decision; and the same frame is always the same picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "base/mem.h"
#include "group.h"
#include "screen/screen.h"

enum { COLS = 100, ROWS = 30 };

typedef struct Bench {
    LpSession *session;
    LpApp app;
    LpCell before[ROWS * COLS];
} Bench;

static void command(Bench *b, const char *text) {
    LpDiag diag;
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

static void open_bench(Bench *b) {
    LpUiOptions options = {0};
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .keep_timeline = true};
    LpDiag diag;
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, ROWS, COLS, &diag), LP_OK);
    command(b, "seek d11");
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static bool within(LpRect r, int x, int y) {
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static bool has_letter(const Bench *b, int from, int to, int y) {
    for (int x = from; x < to; x++)
        if (lp_canvas_at(&b->app.canvas, x, y)->cp == 'L' || b->before[y * COLS + x].cp == 'L')
            return true;
    return false;
}

/* What is of the job that is decided, L: its row in the table of jobs, where its ways may change,
 * and the row of letters below the curve, where the others make room for it. */
static bool is_its_own(const Bench *b, const LpScreenLayout *layout, int x, int y) {
    const LpRect *jobs = &layout->pane[LP_PANE_JOBS], *curve = &layout->pane[LP_PANE_CURVE];
    return (within(*jobs, x, y) && has_letter(b, jobs->x, jobs->x + 4, y)) ||
           (within(*curve, x, y) && has_letter(b, curve->x, curve->x + curve->w, y));
}

/* Panes that have another cell than before, a bit each. */
static unsigned changed(const Bench *b) {
    LpScreenLayout layout = lp_screen_layout(&b->app.model, &b->app.canvas);
    unsigned panes = 0;
    for (int i = 0; i < ROWS * COLS; i++) {
        const LpCell *a = &b->before[i], *c = &b->app.canvas.cell[i];
        for (int pane = 0; pane < LP_PANE_COUNT && (a->cp != c->cp || a->style != c->style); pane++)
            if (within(layout.pane[pane], i % COLS, i / COLS) &&
                !is_its_own(b, &layout, i % COLS, i / COLS))
                panes |= 1u << pane;
    }
    return panes;
}

static void test_what_moves(void **state) {
    (void)state;
    static Bench b;
    const unsigned boards = 1u << LP_PANE_SERVERS | 1u << LP_PANE_CIRCUITS;
    const unsigned may = boards | 1u << LP_PANE_NOW | 1u << LP_PANE_LEDGER | 1u << LP_PANE_DECISION;
    open_bench(&b);
    command(&b, "frame 1");
    LpStage stage = b.app.ui.stage;
    int frames = 0;
    for (;; frames++) {
        memcpy(b.before, b.app.canvas.cell, sizeof b.before);
        command(&b, "frame next");
        if (b.app.ui.message[0])
            break;
        unsigned panes = changed(&b);
        assert_true(panes & 1u << LP_PANE_NOW);
        if (b.app.ui.stage != stage) { /* between two scenes more may change */
            stage = b.app.ui.stage;
            continue;
        }
        for (int pane = 0; pane < LP_PANE_COUNT; pane++)
            if ((panes & ~may) >> pane & 1)
                fail_msg("%s changes in frame %d of stage %d", lp_pane_name((LpPane)pane),
                         b.app.ui.frame + 1, (int)stage + 1);
        if ((panes & boards) == boards)
            fail_msg("both boards change in frame %d of stage %d", b.app.ui.frame + 1,
                     (int)stage + 1);
    }
    assert_int_equal(stage, LP_STAGE_ORDER_FLOWS);
    assert_true(frames > 15);
    close_bench(&b);
}

/* Wherever one came from. */
static void test_same_picture(void **state) {
    (void)state;
    static Bench b;
    open_bench(&b);
    command(&b, "frame 3");
    memcpy(b.before, b.app.canvas.cell, sizeof b.before);
    for (int i = 0; i < 12; i++)
        command(&b, "frame next");
    for (int i = 0; i < 12; i++)
        command(&b, "frame back");
    assert_int_equal(changed(&b), 0);
    close_bench(&b);
}

TEST_GROUP(test_ui_motion) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_moves),
        cmocka_unit_test(test_same_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
