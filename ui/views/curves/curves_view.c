/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing among the curves, and reading them off. */
#include <math.h>
#include <stdio.h>

#include "ask/inspect/curves.h"
#include "ask/network/network.h"
#include "views/curves/curves_view.h"
#include "views/curves/curves_view_impl.h"

static void key_move(LpHost *host, int lines) {
    LpCurvesState *state = lp_curves_state(host->model);
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR) {
        state->cursor = lines < 0 ? 0.0 : 1.0;
        return;
    }
    do {
        int curve = (int)state->curve + (lines < 0 ? -1 : 1);
        state->curve = (LpCurve)((curve + LP_CURVE_COUNT) % LP_CURVE_COUNT);
    } while (!lp_view_curve_is_shown(host->model, state->curve));
}

static void key_along(LpHost *host, int columns) {
    LpCurvesState *state = lp_curves_state(host->model);
    LpRect rest = lp_model_rest(host->ui);
    int width = lp_view_curves_columns(rest.w, rest.h);
    double from = state->cursor < 0.0 ? 1.0 : state->cursor;
    double to = from + (double)columns / (width > 2 ? width - 1 : 1);
    state->cursor = fmin(fmax(to, 0.0), 1.0);
}

static void key_take(LpHost *host) {
    LpCurvesState *state = lp_curves_state(host->model);
    LpDiag diag = {0};
    char text[64];
    if (!lp_view_curve_is_time(state->curve) || state->cursor < 0.0) {
        lp_host_tell(host,
                     "{left} and {right} move the cursor in a curve over time, {take} goes there");
        return;
    }
    if (!lp_host_has_time(host)) {
        lp_host_say(host, false, "this session keeps no time line");
        return;
    }
    LpRect rest = lp_model_rest(host->ui);
    int width = lp_view_curves_columns(rest.w, rest.h);
    int column = lp_chart_cursor_column(state->cursor, width);
    snprintf(text, sizeof text, "%.17g s",
             lp_curves_facts(host->model)->curves.now * (column + 1) / width);
    if (host->app->seek(host, text, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
    else
        state->cursor = 1.0; /* what was read off is now the end */
}

void lp_curves_ink(LpHost *host, int ink) {
    lp_curves_state(host->model)->ink = (LpChartInk)ink;
}

void lp_curves_axis(LpHost *host, bool linear) {
    lp_curves_state(host->model)->linear = linear;
}

/* What the network expects is only asked for where it is seen, about AT_ONCE decisions at a time
 * unless what takes long is waited for. */
static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    enum { AT_ONCE = 100 };
    const LpCurvesState *state = lp_curves_state(model);
    LpCurvesFacts *facts = lp_curves_facts(model);
    const LpUiState *ui = model->ui;
    facts->values.more = false;
    LP_TRY(lp_curves_model_update(&facts->curves, session, diag));
    facts->values.networks = facts->curves.known ? lp_network_count(session) : 0;
    if (!lp_view_curves_all(ui->cols, ui->rows) && state->curve != LP_CURVE_VALUE)
        return LP_OK;
    return lp_values_model_update(&facts->values, session, &facts->curves,
                                  ui->at_once ? 0 : AT_ONCE, diag);
}

static void begin(void *state) {
    ((LpCurvesState *)state)->cursor = -1.0;
}

static void drop(void *facts) {
    LpCurvesFacts *f = facts;
    lp_values_model_fini(&f->values);
    lp_curves_model_fini(&f->curves);
}

static void draw_alone(const LpModel *model, const LpArea *area) {
    bool known = lp_curves_facts(model)->curves.branches > 0;
    (known && area->rect.h >= 3 ? lp_view_curves : lp_view_curve)(model, area);
}

/* While a part of them is still to be worked out: it is with the next pictures. */
static int64_t deadline(const LpHost *host, bool shown) {
    return shown && lp_curves_facts(host->model)->values.more ? 0 : -1;
}

static void tick(LpHost *host, bool shown, int64_t now LP_UNUSED) {
    if (deadline(host, shown) == 0)
        host->app->redraw(host);
}

static LpErr csv(const LpModel *model, LpBuf *out, LpDiag *diag) {
    return lp_curves_csv_all(model->session, false, out, diag);
}

static const LpViewKey keys[] = {
    {"Up Down", "the next curve: over time, by model, blocking, busy ..."},
    {"Left Right", "read off along the curve; {top}, {bottom}"},
    {"Enter", "go to the time that is read off"},
    {"v", "arrived or completed jobs only"},
    {NULL, NULL},
};

const LpView lp_curves_view = {
    .state = sizeof(LpCurvesState),
    .facts = sizeof(LpCurvesFacts),
    .begin = begin,
    .drop = drop,
    .update = update,
    .draw = lp_view_curve,
    .alone = draw_alone,
    .part = lp_view_jct_plot,
    .move = key_move,
    .along = key_along,
    .take = key_take,
    .takes = "go there",
    .deadline = deadline,
    .tick = tick,
    .csv = csv,
    .keys = keys,
};
