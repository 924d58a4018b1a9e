/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages, moving and opening, as several views do them. */
#include "moment/host.h"

#include <stdarg.h>
#include <stdio.h>

#include "ask/inspect/story.h"
#include "moment/view.h"
#include "sim/facts/identity.h"

void lp_host_say(LpHost *host, bool bad, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(host->ui->message, sizeof host->ui->message, fmt, args);
    va_end(args);
    host->ui->message_bad = bad;
}

void lp_host_tell(LpHost *host, const char *text) {
    char said[sizeof host->ui->message];
    lp_host_say(host, false, "%s", lp_keymap_text(host->ui->keymap, text, said, sizeof said));
}

bool lp_host_has_time(const LpHost *host) {
    return lp_session_branches(host->session) > 0;
}

bool lp_host_is_due(const LpHost *host) {
    return lp_world_due(lp_session_world(host->session)) != LP_NO_INDEX;
}

void lp_host_open(LpHost *host, LpPane pane, uint32_t job) {
    host->model->views[pane]->open(host, job);
}

LpErr lp_host_story(LpHost *host, uint32_t job, LpDiag *diag) {
    LpBuf text = {0};
    LpErr err = lp_story_text(host->session, job, NULL, NULL, &text, diag);
    if (err == LP_OK) {
        LpLabel title = lp_world_label(lp_session_world(host->session), host->model->scenario, job);
        host->app->page(host, title.text, &text);
    }
    lp_buf_fini(&text);
    return err;
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

void lp_host_move_decision(LpHost *host, int lines) {
    int count = (int)host->model->decision.count, marked = lp_model_marked(host->model);
    if (!host->model->decision.due || count == 0)
        return;
    host->ui->playing = false;
    host->ui->frame = -1;
    host->ui->row = marked < 0 ? (lines > 0 ? 0 : count - 1) : clamp(marked + lines, 0, count - 1);
}

void lp_host_move_whatif(LpHost *host, int lines) {
    int count = (int)host->model->whatif.count, picked = lp_model_picked(host->model);
    if (count > 0)
        host->ui->pick = clamp(picked + lines, 0, count - 1);
}

/* A row of a stage, as its words say. */
static void take_words(LpHost *host, const LpWhatIf *row) {
    LpDiag diag = {0};
    if (row->forecast.feasible && host->app->fork(host, row->words, &diag) == LP_OK)
        host->app->show(host, LP_PANE_COUNT);
    else
        lp_host_say(host, false, "not taken: %s",
                    row->forecast.feasible ? diag.text : row->forecast.why);
}

void lp_host_take_whatif(LpHost *host) {
    int pick = lp_model_picked(host->model);
    if (pick < 0 || !lp_host_is_due(host)) {
        lp_host_tell(host, "no decision is due; {next-decision} goes to the next one");
        return;
    }
    const LpWhatIf *row = &host->model->whatif.row[pick];
    if (row->words != NULL && !row->chosen) {
        take_words(host, row);
        return;
    }
    LpAnswer answer = lp_whatif_answer(row);
    answer.why = "by hand";
    if (row->kind == LP_ANSWER_RUN && !row->forecast.feasible) {
        lp_host_say(host, false, "this row cannot be placed");
    } else {
        host->app->answer(host, &answer, row->chosen);
        host->app->show(host, LP_PANE_COUNT);
    }
}
