/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The boards can be counted: letters on the servers are busy servers, letters on the circuits are
 * lit transmitters, and a job in focus is bright while the others recede. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"
#include "screen/screen.h"
#include "sim/world.h"

#define SCENARIO LP_SOURCEDIR "/scenarios/pac-ml-32.json"

typedef struct Bench {
    LpSession *session;
    LpApp app;
} Bench;

/* The numbers below were counted under these rules. */
static const char *const COUNTED[] = {"partition.kind=model", "options.shapes=published"};

static void open_bench(Bench *b, int cols, int rows) {
    LpSessionSpec spec = {.scenario = SCENARIO,
                          .sets = 2,
                          .set = COUNTED,
                          .keep_events = true,
                          .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

/* Filled cells with a letter in a pane, of a server the first one, since large cells have words,
 * too; `bits`: only those with these bits. */
static uint32_t letters(Bench *b, LpPane pane, unsigned bits) {
    LpScreenLayout layout = lp_screen_layout(&b->app.model, &b->app.canvas);
    LpRect r = layout.pane[pane];
    uint32_t count = 0;
    bool seen[64] = {false};
    for (int y = r.y + 1; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            const LpCell *cell = lp_canvas_at(&b->app.canvas, x, y);
            bool letter =
                (cell->cp >= 'A' && cell->cp <= 'Z') || (cell->cp >= 'a' && cell->cp <= 'z');
            bool accent = (cell->style & 0xFF) == LP_ROLE_STAGE; /* only planned */
            if (!letter || accent || !(cell->style & LP_FILL) || (cell->style & bits) != bits)
                continue;
            bool *server = cell->hit == LP_HIT_SERVER ? &seen[cell->what % 64] : NULL;
            count += server == NULL || !*server;
            if (server != NULL)
                *server = true;
        }
    return count;
}

static void test_what_is_written_can_be_counted(void **state) {
    (void)state;
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        Bench b;
        open_bench(&b, sizes[i][0], sizes[i][1]);
        for (int n = 0; n < 12; n++) {
            command(&b, "next 7");
            uint32_t lit = 0;
            for (uint32_t k = 0; k < b.app.model.running_count; k++)
                lit += lp_session_light(b.session, b.app.model.running[k].job->id).txs;
            assert_int_equal(lp_model_lit(&b.app.model), lit);
            assert_int_equal(letters(&b, LP_PANE_CIRCUITS, 0), lit);
            assert_int_equal(letters(&b, LP_PANE_SERVERS, 0),
                             lp_world_tally(b.app.model.world)->busy_servers);
        }
        close_bench(&b);
    }
}

/* Nine jobs share the light from group 0 to group 1 at decision 11: all are there. */
static void test_no_job_is_dropped(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 80, 24);
    command(&b, "seek d11");
    assert_int_equal(lp_model_lit(&b.app.model), 38);
    assert_int_equal(letters(&b, LP_PANE_CIRCUITS, 0), 38);
    close_bench(&b);
}

/* Cells of a pane that show a sign. */
static uint32_t signs(Bench *b, LpPane pane, LpGlyph glyph) {
    LpScreenLayout layout = lp_screen_layout(&b->app.model, &b->app.canvas);
    LpRect r = layout.pane[pane];
    uint32_t count = 0;
    for (int y = r.y + 1; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            count += lp_canvas_at(&b->app.canvas, x, y)->cp == lp_glyph(glyph, false);
    return count;
}

/* One transmitter a frame, which the crosshair shows and the sentence names; those before it stay,
 * and the counter goes with the letters. */
static void test_light_goes_path_by_path(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "seek d11");
    b.app.ui.stage = LP_STAGE_CIRCUITS;
    command(&b, "frame off");
    LpModel *model = &b.app.model;
    assert_int_equal(model->motion.scene, LP_SCENE_CIRCUITS);
    assert_int_equal(model->motion.frames, 8);
    assert_int_equal(signs(&b, LP_PANE_CIRCUITS, LP_GLYPH_DOWN), 0); /* the still has no marks */
    for (int frame = 1; frame < 8; frame++) {
        char text[40], said[40];
        snprintf(text, sizeof text, "frame %d", frame);
        snprintf(said, sizeof said, "%d of 8 lit.", frame);
        command(&b, text);
        assert_int_equal(lp_model_lit(model), 38 + frame);
        assert_int_equal(letters(&b, LP_PANE_CIRCUITS, 0), 38);
        assert_int_equal(signs(&b, LP_PANE_CIRCUITS, LP_GLYPH_POINTER), 1);
        assert_int_equal(signs(&b, LP_PANE_CIRCUITS, LP_GLYPH_DOWN), 1);
        assert_int_equal(signs(&b, LP_PANE_CIRCUITS, LP_GLYPH_AT), 1);
        assert_non_null(strstr(lp_buf_text(&model->now.said.form[LP_FORM_LONG]), said));
        assert_non_null(strstr(lp_buf_text(&model->now.said.form[LP_FORM_LONG]), "wavelength 1"));
    }
    command(&b, "frame 8"); /* the still */
    assert_int_equal(lp_model_lit(model), 38 + 8);
    assert_int_equal(signs(&b, LP_PANE_CIRCUITS, LP_GLYPH_AT), 0);
    close_bench(&b);
}

static void test_focus(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "seek d11");
    assert_int_equal(b.app.model.focus, 11); /* that of the decision: all others recede */
    assert_int_equal(letters(&b, LP_PANE_SERVERS, LP_DIM), letters(&b, LP_PANE_SERVERS, 0));
    LpModel *model = &b.app.model;
    uint32_t first = lp_model_next_focus(model, 1), job = first;
    for (uint32_t i = 0; i < model->running_count; i++) {
        uint32_t was = model->focus;
        b.app.ui.focus_job = job + 1;
        command(&b, "seek d11");
        assert_int_equal(model->focus, job);
        assert_int_equal(lp_model_next_focus(model, -1), was);
        assert_true(letters(&b, LP_PANE_SERVERS, LP_DIM) < letters(&b, LP_PANE_SERVERS, 0));
        job = lp_model_next_focus(model, 1);
    }
    assert_int_equal(job, 11); /* once round */
    b.app.ui.playing = true;
    assert_int_equal(lp_model_find_focus(model, true), LP_NO_INDEX);
    close_bench(&b);
}

TEST_GROUP(test_ui_board) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_can_be_counted),
        cmocka_unit_test(test_no_job_is_dropped),
        cmocka_unit_test(test_light_goes_path_by_path),
        cmocka_unit_test(test_focus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
