/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the view of one training step: the scrubber, zoom, rows, and playing it. */
#include <math.h>

#include "views/step/step_view.h"
#include "views/step/step_view_impl.h"
#include "widgets/chart.h"

enum {
    PLAY_FRAMES = 120,
    FRAME_MS = 33,
    WORK_MS = 8, /* on a curve, between two looks at the keys */
    ZOOM_MOST = 4096
}; /* frames of a whole step at speed 1x */

static double zoom_of(const LpHost *host) {
    return lp_step_state(host->model)->zoom >= 1.0 ? lp_step_state(host->model)->zoom : 1.0;
}

/* Keeps the scrubber in sight. */
static void follow(LpHost *host) {
    LpStepState *s = lp_step_state(host->model);
    double width = 1.0 / zoom_of(host);
    if (s->at < s->from)
        s->from = s->at;
    if (s->at > s->from + width)
        s->from = s->at - width;
    s->from = fmin(fmax(s->from, 0.0), 1.0 - width);
}

/* The cursor of the time by the delay of a turn. */
static void along_delay(LpHost *host, int columns) {
    LpStepState *s = lp_step_state(host->model);
    int width = lp_chart_columns(lp_model_rest(host->ui).w - 2);
    double at = lp_view_delay_cursor(host->model) + columns / (width > 2 ? width - 1.0 : 1.0);
    s->delay_at = fmin(fmax(at, 0.0), 1.0);
    s->delay_moved = true;
}

static void zoom_delay(LpHost *host, bool in) {
    LpStepState *s = lp_step_state(host->model);
    double zoom = s->delay_zoom > 0.0 ? s->delay_zoom : 1.0;
    s->delay_zoom = fmin(fmax(in ? zoom * 2.0 : zoom / 2.0, 1.0), ZOOM_MOST);
    s->delay_moved = false;
}

static bool shows_curve(const LpHost *host) {
    return lp_step_shows_delay(host->model) && lp_step_delay(host->model)->curve;
}

static void key_along(LpHost *host, int columns) {
    LpStepState *s = lp_step_state(host->model);
    if (shows_curve(host)) {
        along_delay(host, columns);
        return;
    }
    int width = lp_view_step_columns(lp_model_rest(host->ui).w);
    double by = columns / (zoom_of(host) * (width > 1 ? width : 1));
    s->playing = false;
    s->at = fmin(fmax(s->at + by, 0.0), 1.0);
    follow(host);
}

static void key_zoom(LpHost *host, bool in) {
    LpStepState *s = lp_step_state(host->model);
    if (shows_curve(host)) {
        zoom_delay(host, in);
        return;
    }
    double before = zoom_of(host), zoom = in ? before * 2.0 : before / 2.0;
    s->zoom = fmin(fmax(zoom, 1.0), ZOOM_MOST);
    /* the scrubber stays where it is on the screen */
    s->from = s->at - (s->at - s->from) * before / s->zoom;
    follow(host);
}

static void key_row(LpHost *host, int by) {
    LpStepState *s = lp_step_state(host->model);
    int last = lp_view_step_rows(host->model) - 1;
    int row = s->row + by;
    s->row = row > last ? last : row;
    s->row = s->row < 0 ? 0 : s->row;
}

/* What a plan's step waited for is not listed; only where circuits turn is there a time by their
 * delay. */
static bool has_look(const LpModel *model, LpStepRows rows) {
    const LpStepModel *step = lp_step_facts(model);
    bool planned = step->known && step->seen.planned, turning = step->known && step->seen.turning;
    if (rows == LP_STEP_ROWS_CRITICAL)
        return !planned;
    if (rows == LP_STEP_ROWS_PAIRS || rows == LP_STEP_ROWS_SERVERS)
        return !planned || turning;
    return rows != LP_STEP_ROWS_DELAY || turning;
}

static void key_rows(LpHost *host) {
    LpStepState *s = lp_step_state(host->model);
    do
        s->rows = (LpStepRows)((s->rows + 1) % LP_STEP_ROWS_COUNT);
    while (!has_look(host->model, s->rows));
    s->row = 0;
}

static void key_play(LpHost *host) {
    LpStepState *s = lp_step_state(host->model);
    s->playing = !s->playing;
    if (s->playing && s->at >= 1.0)
        s->at = 0.0;
    s->frame_at = host->now;
}

static void next_frame(LpHost *host) {
    static const double faster[LP_UI_SPEEDS] = {0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0, 64.0};
    LpStepState *s = lp_step_state(host->model);
    s->at += faster[host->ui->speed] / (PLAY_FRAMES * zoom_of(host));
    if (s->at >= 1.0) {
        s->at = 1.0;
        s->playing = false;
    }
    follow(host);
}

static void open_for(LpHost *host, uint32_t job) {
    *lp_step_state(host->model) = (LpStepState){.chosen = job != LP_NO_INDEX, .job = job};
    host->app->enter(host, LP_PANE_STEP);
}

/* A step that cannot be laid out, such as one whose circuits are dark, is no error: nothing shows.
 */
static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpStepState *state = lp_step_state(model);
    LpStepSubject subject;
    bool any = lp_model_step_subject(model, state->chosen ? state->job : LP_NO_INDEX, &subject);
    LpErr err = lp_step_model_update(lp_step_facts(model), session, any ? &subject : NULL,
                                     state->rows, diag);
    if (err == LP_OK)
        err = lp_step_delay_update(lp_step_delay(model), session,
                                   lp_step_shows_delay(model) ? &subject : NULL, model->ui->at_once,
                                   diag);
    return err == LP_ENOMEM ? err : LP_OK;
}

static void drop(void *facts) {
    LpStepAll *all = facts;
    lp_step_delay_drop(&all->delay);
    lp_step_model_fini(&all->step);
}

static uint32_t chosen_job(const LpModel *model) {
    const LpStepState *state = lp_step_state(model);
    return state->chosen ? state->job : LP_NO_INDEX;
}

static void turn(LpHost *host) {
    lp_step_state(host->model)->playing = false;
}

static bool works(const LpHost *host, bool shown) {
    return shown && shows_curve(host) && !lp_step_delay(host->model)->done;
}

static int64_t deadline(const LpHost *host, bool shown) {
    const LpStepState *state = lp_step_state(host->model);
    if (works(host, shown))
        return 0;
    return state->playing ? state->frame_at + FRAME_MS : -1;
}

static void tick(LpHost *host, bool shown, int64_t now) {
    int64_t due = deadline(host, shown);
    LpDiag diag = {0};
    if (due < 0 || now < due)
        return;
    if (works(host, shown)) {
        (void)host->app->check(
            host, lp_step_delay_work(lp_step_delay(host->model), host->clock, now + WORK_MS, &diag),
            &diag);
        host->app->redraw(host);
        return;
    }
    lp_step_state(host->model)->frame_at = now;
    next_frame(host);
    host->app->redraw(host);
}

static const LpViewKey keys[] = {
    {"Left Right", "move the scrubber"},
    {"z Z", "look closer, see more"},
    {"space", "play the step"},
    {"v", "servers, pairs, what the step waited for; where circuits turn, its time by their delay"},
    {NULL, NULL},
};

const LpView lp_step_view = {
    .state = sizeof(LpStepState),
    .facts = sizeof(LpStepAll),
    .drop = drop,
    .update = update,
    .draw = lp_view_step,
    .move = key_row,
    .along = key_along,
    .zoom = key_zoom,
    .variant = key_rows,
    .play = key_play,
    .open = open_for,
    .job = chosen_job,
    .turn = turn,
    .deadline = deadline,
    .tick = tick,
    .keys = keys,
};
