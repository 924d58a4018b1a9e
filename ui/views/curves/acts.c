/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing among the curves, and reading them off. */
#include <math.h>
#include <stdio.h>

#include "app/impl.h"
#include "app/view.h"

void lp_app_curves_move(LpApp *app, int lines) {
    LpCurvesState *state = &app->ui.curves;
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR) {
        state->cursor = lines < 0 ? 0.0 : 1.0;
        return;
    }
    do {
        int curve = (int)state->curve + (lines < 0 ? -1 : 1);
        state->curve = (LpCurve)((curve + LP_CURVE_COUNT) % LP_CURVE_COUNT);
    } while (!lp_view_curve_is_shown(&app->model, state->curve));
}

void lp_app_curves_along(LpApp *app, int columns) {
    LpCurvesState *state = &app->ui.curves;
    LpRect rest = lp_model_rest(&app->ui);
    int width = lp_view_curves_columns(rest.w, rest.h);
    double from = state->cursor < 0.0 ? 1.0 : state->cursor;
    double to = from + (double)columns / (width > 2 ? width - 1 : 1);
    state->cursor = fmin(fmax(to, 0.0), 1.0);
}

bool lp_app_curves_work(const LpApp *app) {
    return app->ui.only == LP_PANE_CURVE && app->model.values.more;
}

void lp_app_curves_take(LpApp *app) {
    LpCurvesState *state = &app->ui.curves;
    LpDiag diag = {0};
    char text[64];
    if (!lp_view_curve_is_time(state->curve) || state->cursor < 0.0) {
        lp_app_say(app, false,
                   "Left and Right move the cursor in a curve over time, Enter goes there");
        return;
    }
    if (!lp_app_has_time(app)) {
        lp_app_say(app, false, "this session keeps no time line");
        return;
    }
    LpRect rest = lp_model_rest(&app->ui);
    int width = lp_view_curves_columns(rest.w, rest.h);
    int column = lp_chart_cursor_column(state->cursor, width);
    snprintf(text, sizeof text, "%.17g s", app->model.curves.now * (column + 1) / width);
    if (lp_app_seek(app, text, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
    else
        state->cursor = 1.0; /* what was read off is now the end */
}
