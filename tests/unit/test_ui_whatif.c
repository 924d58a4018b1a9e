/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What-if to the end in the explorer: rows fill in while keys are obeyed, Esc stops, and the rows
 * are those that running alone gives. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"
#include "views/whatif/whatif_view_impl.h"

static const char *const few[] = {"generator.count=60"};

static int64_t no_time(void) {
    return 0;
}

static void open_app(LpApp *app, LpSession **session) {
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .sets = 1,
                          .set = few,
                          .keep_events = true,
                          .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag;
    assert_int_equal(lp_session_open(&spec, session, &diag), LP_OK);
    assert_int_equal(lp_app_open(app, *session, &options, 30, 100, &diag), LP_OK);
    app->clock = no_time;
    assert_int_equal(lp_app_draw(app, &diag), LP_OK);
}

static void press(LpApp *app, const char *keys, int64_t now) {
    LpDiag diag;
    for (; *keys != '\0'; keys++) {
        lp_app_key(app, (LpKey)*keys, now);
        assert_int_equal(lp_app_draw(app, &diag), LP_OK);
    }
}

static int ended(const LpApp *app) {
    int count = 0;
    for (uint32_t i = 0; i < app->model.whatif.count; i++)
        count += app->model.whatif.row[i].ended;
    return count;
}

/* Until nothing works; `now` goes on as a clock would. */
static int64_t finish(LpApp *app, int64_t now) {
    LpDiag diag;
    for (int i = 0; i < 10000 && lp_whatif_state(&app->model)->work != NULL; i++) {
        assert_true(lp_app_deadline(app) >= 0);
        lp_whatif_wait(lp_whatif_state(&app->model)->work, 1000);
        lp_app_tick(app, now += 100);
        assert_int_equal(lp_app_draw(app, &diag), LP_OK);
    }
    assert_null(lp_whatif_state(&app->model)->work);
    return now;
}

static void test_rows_fill_in(void **state) {
    LpApp app;
    LpSession *session;
    LpWhatIfs alone;
    LpDiag diag;
    (void)state;
    open_app(&app, &session);
    press(&app, "nnnw", 0);
    assert_null(lp_whatif_state(&app.model)->work);
    press(&app, "w", 0);
    assert_non_null(lp_whatif_state(&app.model)->work);
    press(&app, "jjk", 0); /* keys are obeyed meanwhile */
    int pick = lp_model_picked(&app.model);
    assert_true(app.ui.only == LP_PANE_WHATIF && lp_whatif_state(&app.model)->work != NULL);
    finish(&app, 0);
    assert_int_equal(ended(&app), 4);
    assert_int_equal(lp_model_picked(&app.model), pick);
    assert_int_equal(lp_whatif_table(session, &alone, &diag), LP_OK);
    assert_int_equal(lp_whatif_to_end(session, &alone, 4, 1, NULL, NULL, &diag), LP_OK);
    for (uint32_t i = 0; i < alone.count; i++) {
        assert_int_equal(alone.row[i].ended, app.model.whatif.row[i].ended);
        assert_true(alone.row[i].hash == app.model.whatif.row[i].hash);
    }
    lp_whatif_fini(&alone);
    lp_app_fini(&app);
    lp_session_close(session);
}

static void test_stops(void **state) {
    LpApp app;
    LpSession *session;
    (void)state;
    open_app(&app, &session);
    press(&app, "ww", 0);
    assert_non_null(lp_whatif_state(&app.model)->work);
    lp_app_key(&app, LP_KEY_ESC, 0); /* stops, and stays */
    assert_null(lp_whatif_state(&app.model)->work);
    assert_true(app.ui.only == LP_PANE_WHATIF);
    press(&app, "w", 0); /* again, and another decision comes up */
    assert_non_null(lp_whatif_state(&app.model)->work);
    press(&app, "n", 0);
    lp_app_tick(&app, 100);
    assert_null(lp_whatif_state(&app.model)->work);
    assert_int_equal(ended(&app), 0);
    press(&app, "w", 200); /* closed while threads work */
    lp_app_fini(&app);
    lp_session_close(session);
}

TEST_GROUP(test_ui_whatif) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_fill_in),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
