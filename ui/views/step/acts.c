/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the view of one training step: the scrubber, zoom, rows, and playing it. */
#include <math.h>

#include "app/impl.h"
#include "app/view.h"

enum { PLAY_FRAMES = 120, ZOOM_MOST = 4096 }; /* frames of a whole step at speed 1x */

static double zoom_of(const LpApp *app) {
    return app->ui.step.zoom >= 1.0 ? app->ui.step.zoom : 1.0;
}

/* Keeps the scrubber in sight. */
static void follow(LpApp *app) {
    LpStepState *s = &app->ui.step;
    double width = 1.0 / zoom_of(app);
    if (s->at < s->from)
        s->from = s->at;
    if (s->at > s->from + width)
        s->from = s->at - width;
    s->from = fmin(fmax(s->from, 0.0), 1.0 - width);
}

void lp_app_step_along(LpApp *app, int columns) {
    LpStepState *s = &app->ui.step;
    int width = lp_view_step_columns(lp_model_rest(&app->ui).w);
    double by = columns / (zoom_of(app) * (width > 1 ? width : 1));
    s->playing = false;
    s->at = fmin(fmax(s->at + by, 0.0), 1.0);
    follow(app);
}

void lp_app_step_zoom(LpApp *app, bool in) {
    LpStepState *s = &app->ui.step;
    double before = zoom_of(app), zoom = in ? before * 2.0 : before / 2.0;
    s->zoom = fmin(fmax(zoom, 1.0), ZOOM_MOST);
    /* the scrubber stays where it is on the screen */
    s->from = s->at - (s->at - s->from) * before / s->zoom;
    follow(app);
}

void lp_app_step_row(LpApp *app, int by) {
    LpStepState *s = &app->ui.step;
    int last = lp_view_step_rows(&app->model) - 1;
    int row = s->row + by;
    s->row = row > last ? last : row;
    s->row = s->row < 0 ? 0 : s->row;
}

void lp_app_step_rows(LpApp *app) {
    app->ui.step.rows = (LpStepRows)((app->ui.step.rows + 1) % LP_STEP_ROWS_COUNT);
    app->ui.step.row = 0;
}

void lp_app_step_play(LpApp *app, int64_t now) {
    LpStepState *s = &app->ui.step;
    s->playing = !s->playing;
    if (s->playing && s->at >= 1.0)
        s->at = 0.0;
    app->frame_at = now;
}

void lp_app_step_frame(LpApp *app) {
    static const double faster[LP_UI_SPEEDS] = {1.0, 4.0, 16.0, 64.0};
    LpStepState *s = &app->ui.step;
    s->at += faster[app->ui.speed] / (PLAY_FRAMES * zoom_of(app));
    if (s->at >= 1.0) {
        s->at = 1.0;
        s->playing = false;
    }
    follow(app);
    app->dirty = true;
}

void lp_app_step_of(LpApp *app, uint32_t job) {
    app->ui.step = (LpStepState){.chosen = job != LP_NO_INDEX, .job = job};
    lp_app_enter(app, LP_PANE_STEP);
}
