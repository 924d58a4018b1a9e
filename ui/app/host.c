/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views may ask of the program, and what the program asks of the view that is shown. */
#include "moment/host.h"

#include "app/impl.h"

static LpApp *app_of(LpHost *host) {
    return host->user;
}

static void show(LpHost *host, LpPane pane) {
    lp_app_show(app_of(host), pane);
}

static void enter(LpHost *host, LpPane pane) {
    lp_app_enter(app_of(host), pane);
}

static void page(LpHost *host, const char *title, const LpBuf *text) {
    lp_app_page(app_of(host), title, text);
}

static void prompt(LpHost *host, char mark, const char *text) {
    lp_app_prompt_for(app_of(host), mark, text);
}

static void command(LpHost *host, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(app_of(host), text, host->now, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
}

static bool check(LpHost *host, LpErr err, const LpDiag *diag) {
    return lp_app_check(app_of(host), err, diag);
}

static LpErr seek(LpHost *host, const char *text, LpDiag *diag) {
    return lp_app_seek(app_of(host), text, diag);
}

static LpErr switch_to(LpHost *host, uint32_t branch, LpDiag *diag) {
    return lp_app_switch_to(app_of(host), branch, diag);
}

static void left(LpHost *host, LpMoment from) {
    lp_app_left(app_of(host), from);
}

static void take_row(LpHost *host) {
    lp_app_take_row(app_of(host));
}

static void answer(LpHost *host, const LpAnswer *answer, bool policys) {
    lp_app_answer(app_of(host), answer, policys);
}

static LpErr blame(LpHost *host, uint32_t job, LpDiag *diag) {
    return lp_app_blame(app_of(host), job, diag);
}

static void redraw(LpHost *host) {
    app_of(host)->dirty = true;
}

LpHost lp_app_host(LpApp *app, int64_t now) {
    static const LpHostCalls calls = {show,      enter, page,     prompt, command, check, seek,
                                      switch_to, left,  take_row, answer, blame,   redraw};
    return (LpHost){.session = app->session,
                    .ui = &app->ui,
                    .model = &app->model,
                    .now = now,
                    .app = &calls,
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
    return app->ui.page || app->ui.help ? &nothing : lp_app_shown(app);
}

bool lp_app_stop(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    bool any = false;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->stop)
            any |= lp_app_view((LpPane)pane)->stop(&host);
    return any;
}

int64_t lp_app_views_deadline(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    int64_t soonest = -1;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpView *view = lp_app_view((LpPane)pane);
        int64_t at = view->deadline ? view->deadline(&host, pane == (int)app->ui.only) : -1;
        if (at >= 0 && (soonest < 0 || at < soonest))
            soonest = at;
    }
    return soonest;
}

void lp_app_views_tick(LpApp *app, int64_t now) {
    LpHost host = lp_app_host(app, now);
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->tick)
            lp_app_view((LpPane)pane)->tick(&host, pane == (int)app->ui.only, now);
}
