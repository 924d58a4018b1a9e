/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view that compares two branches as a whole. */
#include <stdio.h>

#include "views/compare/compare_view.h"
#include "views/compare/compare_view_impl.h"
#include "widgets/widgets_list.h"

static void next_board(LpHost *host) {
    LpCompareState *state = lp_compare_state(host->model);
    state->circuits = !state->circuits;
}

static void clean(LpHost *host) {
    *lp_compare_state(host->model) = (LpCompareState){0};
}

static void key_move(LpHost *host, int lines) {
    int marked = lp_compare_marked(host->model);
    lp_compare_state(host->model)->row =
        lp_list_moved(marked < 0 ? 0 : marked, lines, lp_compare_facts(host->model)->jobs);
}

/* The other cluster follows, since it is shown at the same decision. */
static void key_go(LpHost *host) {
    int marked = lp_compare_marked(host->model);
    char text[40];
    LpDiag diag = {0};
    if (marked < 0) {
        lp_host_tell(host, "no job has another fate so far; {next-decision} goes on");
        return;
    }
    uint32_t job = lp_compare_facts(host->model)->job[marked];
    snprintf(text, sizeof text, "j%u", (unsigned)job);
    host->ui->focus_job = job + 1;
    lp_compare_state(host->model)->row = 0;
    if (host->app->seek(host, text, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
    else
        lp_host_tell(
            host,
            "both stand where this job is decided; {next-decision} decides it, {undo} goes back");
}

static void key_seeds(LpHost *host, bool turn LP_UNUSED) {
    host->app->command(host, "seeds");
}

static void click_row(LpHost *host, uint32_t row, bool again) {
    lp_compare_state(host->model)->row = (int)row;
    if (again)
        key_go(host);
}

static LpErr update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    LP_TRY(lp_compare_update(model, diag));
    return lp_compare_say(model, diag);
}

static const LpViewKey keys[] = {
    {"d", "to the next decision that the two take otherwise"},
    {"v", "servers or circuits of both"},
    {"; ,", "another job in focus, in both"},
    {"Up Down", "mark a job whose fate differs"},
    {"Enter", "go to where it is decided, in both"},
    {"s", "both policies with five more seeds: one may be luck"},
    {"c", "another branch, or policy, beside this one"},
    {NULL, NULL},
};

static const LpViewFoot foot[] = {
    {LP_UI_ACTION_PLAY, "both play"},
    {LP_UI_ACTION_NEXT_DECISION, "next"},
    {LP_UI_ACTION_DIFFERENCE, "difference"},
    {LP_UI_ACTION_VARIANT, "board"},
    {LP_UI_ACTION_TAKE, "job"},
    {LP_UI_ACTION_COMPARE, "other"},
    {LP_UI_ACTION_OUT, "one cluster"},
    {LP_UI_ACTION_WORDS, "help"},
    {LP_UI_ACTION_COUNT, NULL},
};

const LpView lp_compare_view = {
    .wants = LP_WANTS_BESIDE,
    .still = true,
    .state = sizeof(LpCompareState),
    .facts = sizeof(LpCompareFacts),
    .update = update,
    .draw = lp_view_compare,
    .move = key_move,
    .variant = next_board,
    .sort = key_seeds,
    .take = key_go,
    .row = click_row,
    .clean = clean,
    .keys = keys,
    .foot = foot,
};
