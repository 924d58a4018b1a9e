/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if view as a whole: running its rows to the end. */
#include "views/whatif/whatif_view.h"
#include "views/whatif/whatif_view_impl.h"
#include <math.h>
#include <string.h>

enum { BEST = 4, LOOK_MS = 25 };

#define RUNNING "running the best rows to the end; {out} stops"

static bool goes_on(void *user, const LpSession *session LP_UNUSED) {
    const LpHost *host = user;
    return !(host->stopped && host->stopped());
}

/* Stops the work; it is waited for only when the next one begins. */
static bool stop(LpHost *host) {
    LpWhatIfState *s = lp_whatif_state(host->model);
    if (!s->work)
        return false;
    lp_whatif_free(s->spent);
    lp_whatif_stop(s->work);
    s->spent = s->work;
    s->work = NULL;
    host->model->whatif_runs = 0;
    host->app->redraw(host);
    return true;
}

LpErr lp_whatif_run(LpHost *host, uint32_t best, LpDiag *diag) {
    LpModel *model = host->model;
    LpWhatIfState *s = lp_whatif_state(model);
    LP_TRY(lp_model_update(model, host->session, host->ui, diag));
    if (model->whatif.count == 0)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    stop(host);
    if (!host->clock) /* nobody waits for a key meanwhile */
        return lp_whatif_to_end(host->session, &model->whatif, best, 0, goes_on, host, diag);
    LP_TRY(lp_whatif_start(host->session, &model->whatif, best, 0, &s->work, diag));
    s->of = model->whatif_of;
    s->until = host->clock() + LOOK_MS;
    model->whatif_runs = s->of;
    lp_host_tell(host, RUNNING);
    return LP_OK;
}

/* What was said when the work began is no news any more. */
static void unsay(LpHost *host) {
    char said[sizeof host->ui->message];
    lp_keymap_text(host->ui->keymap, RUNNING, said, sizeof said);
    if (strcmp(host->ui->message, said) == 0)
        host->ui->message[0] = '\0';
}

static void collect(LpHost *host) {
    LpWhatIfState *s = lp_whatif_state(host->model);
    bool more = lp_whatif_works(s->work), news;
    LpDiag diag = {0};
    LpErr err = lp_whatif_collect(s->work, &host->model->whatif, &news, &diag);
    if (news || !more)
        host->app->redraw(host);
    if (err != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
    if (more && err == LP_OK)
        return;
    unsay(host);
    lp_whatif_free(s->work); /* nothing works any more: no waiting */
    s->work = NULL;
    host->model->whatif_runs = 0;
}

static bool works(const LpHost *host) {
    const LpWhatIfState *s = lp_whatif_state(host->model);
    return s->work != NULL || s->spent != NULL;
}

static int64_t deadline(const LpHost *host, bool shown LP_UNUSED) {
    return works(host) ? lp_whatif_state(host->model)->until : -1;
}

static void tick(LpHost *host, bool shown LP_UNUSED, int64_t now) {
    LpWhatIfState *s = lp_whatif_state(host->model);
    if (!works(host) || now < s->until)
        return;
    s->until = now + LOOK_MS;
    if (s->spent && !lp_whatif_works(s->spent)) {
        lp_whatif_free(s->spent);
        s->spent = NULL;
    }
    if (s->work && host->model->whatif_of != s->of)
        stop(host); /* another decision is looked at */
    else if (s->work)
        collect(host);
}

static void end(void *state) {
    LpWhatIfState *s = state;
    if (s->work)
        lp_whatif_stop(s->work);
    lp_whatif_free(s->work);
    lp_whatif_free(s->spent);
}

void lp_whatif_run_best(LpHost *host) {
    LpDiag diag = {0};
    bool stage = host->model->whatif.stage > LP_STAGE_PARTITION; /* a few rows: all */
    host->app->check(host, lp_whatif_run(host, stage ? 0 : BEST, &diag), &diag);
}

static void click_row(LpHost *host, uint32_t row, bool again LP_UNUSED) {
    if (row < host->model->whatif.count)
        host->ui->pick = (int)row;
}

static const LpViewKey keys[] = {
    {"Up Down", "mark a row"},
    {"Enter f", "decide so: forks"},
    {"w", "run the best rows to the end; {out} stops"},
    {NULL, NULL},
};

const LpView lp_whatif_view = {
    .wants = LP_WANTS_NETWORK | LP_WANTS_WHATIF,
    .state = sizeof(LpWhatIfState),
    .end = end,
    .draw = lp_view_whatif,
    .part = lp_view_whatif_rows,
    .move = lp_host_move_whatif,
    .fork = lp_host_take_whatif,
    .stop = stop,
    .row = click_row,
    .deadline = deadline,
    .tick = tick,
    .table = &lp_whatif_columns,
    .keys = keys,
};
