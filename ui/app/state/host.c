/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program asks of its views. */
#include "moment/host.h"

#include "app/state/state.h"

LpHost lp_app_host(LpApp *app, int64_t now) {
    return (LpHost){.session = app->session,
                    .ui = &app->ui,
                    .model = &app->model,
                    .now = now,
                    .app = app->services,
                    .user = app,
                    .clock = app->clock,
                    .stopped = app->stopped};
}

static const LpView nothing = {.draw = NULL};

const LpView *lp_app_shown(const LpApp *app) {
    const LpView *view = lp_model_shown(&app->model);
    return view ? view : &nothing;
}

const LpView *lp_app_here(const LpApp *app) {
    return app->ui.page ? &nothing : lp_app_shown(app);
}

bool lp_app_stop(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    bool any = false;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->stop)
            any |= lp_app_view((LpPane)pane)->stop(&host);
    return any;
}

/* Is it before the reader: alone, or as one of the panes of a lesson's step? */
static bool is_seen(const LpApp *app, int pane) {
    LpPane wanted[LP_LESSON_PANES];
    int panes = lp_model_panes(&app->ui, wanted);
    bool seen = pane == (int)app->ui.only;
    for (int i = 0; i < panes; i++)
        seen |= pane == (int)wanted[i];
    return seen;
}

int64_t lp_app_views_deadline(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    int64_t soonest = -1;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpView *view = lp_app_view((LpPane)pane);
        int64_t at = view->deadline ? view->deadline(&host, is_seen(app, pane)) : -1;
        if (at >= 0 && (soonest < 0 || at < soonest))
            soonest = at;
    }
    return soonest;
}

void lp_app_views_tick(LpApp *app, int64_t now) {
    LpHost host = lp_app_host(app, now);
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->tick)
            lp_app_view((LpPane)pane)->tick(&host, is_seen(app, pane), now);
}
