/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary as a view: its moments can be gone to. */
#include <stdio.h>

#include "views/summary/summary_view.h"
#include "views/summary/summary_view_impl.h"
#include "widgets/widgets_list.h"

static int marked(const LpModel *model, int count) {
    return lp_list_moved(lp_summary_state(model)->row, 0, count);
}

static void key_move(LpHost *host, int by) {
    LpSummaryMoment moment[LP_SUMMARY_MOMENTS];
    int count = lp_summary_moments(host->model, moment);
    lp_summary_state(host->model)->row = lp_list_moved(marked(host->model, count), by, count);
}

static void key_go(LpHost *host) {
    LpSummaryMoment moment[LP_SUMMARY_MOMENTS];
    int count = lp_summary_moments(host->model, moment);
    char place[64];
    LpDiag diag = {0};
    if (count == 0) {
        lp_host_say(host, false, "nothing has happened yet that could be gone to");
        return;
    }
    if (!lp_host_has_time(host)) {
        lp_host_say(host, false, "this session keeps no time line");
        return;
    }
    lp_summary_place(host->model, moment[marked(host->model, count)], place, sizeof place);
    host->app->show(host, LP_PANE_COUNT);
    if (host->app->seek(host, place, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
    else
        lp_host_tell(host,
                     "this is that moment; {undo} goes back to the end, :summary shows it again");
}

static void key_blame(LpHost *host) {
    LpDiag diag = {0};
    const LpSummaryFacts *f = lp_summary_facts(host->model);
    if (f->first_lost == LP_NO_INDEX)
        lp_host_say(host, false, "no job was turned away");
    else if (host->app->blame(host, f->first_lost, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
}

static void click_row(LpHost *host, uint32_t row, bool again) {
    lp_summary_state(host->model)->row = (int)row;
    if (again)
        key_go(host);
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    return lp_summary_update(lp_summary_facts(model), session, diag);
}

static void drop(void *facts) {
    lp_summary_fini(facts);
}

static const LpViewKey keys[] = {
    {"Up Down", "mark a moment"},
    {"Enter", "go there"},
    {"b", "why the first job that was turned away was"},
    {NULL, NULL},
};

const LpView lp_summary_view = {
    .state = sizeof(LpSummaryState),
    .facts = sizeof(LpSummaryFacts),
    .drop = drop,
    .update = update,
    .draw = lp_view_summary,
    .move = key_move,
    .take = key_go,
    .takes = "go there",
    .blame = key_blame,
    .row = click_row,
    .keys = keys,
};
