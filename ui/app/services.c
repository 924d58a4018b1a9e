/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views may ask of the program. */
#include "app/app_impl.h"
#include "moment/host.h"

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

static LpErr fork_words(LpHost *host, const char *words, LpDiag *diag) {
    return lp_app_fork(app_of(host), words, diag);
}

static LpErr blame(LpHost *host, uint32_t job, LpDiag *diag) {
    return lp_app_blame(app_of(host), job, diag);
}

static bool adopt(LpHost *host, LpSession *session) {
    return lp_app_adopt(app_of(host), session);
}

static void redraw(LpHost *host) {
    app_of(host)->dirty = true;
}

const LpHostCalls lp_app_services = {show,   enter,      page,      prompt, command,
                                     check,  seek,       switch_to, left,   take_row,
                                     answer, fork_words, blame,     redraw, adopt};
