/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the table of jobs, and looking into one of them. */
#include <stdio.h>

#include "app/impl.h"
#include "run/inspect/story.h"

uint32_t lp_app_jobs_marked(const LpApp *app) {
    int row = lp_job_table_row(&app->model.jobs, &app->ui.jobs);
    return row >= 0 ? app->model.jobs.job[row] : LP_NO_INDEX;
}

void lp_app_jobs_move(LpApp *app, int by) {
    const LpJobTable *table = &app->model.jobs;
    int row = lp_job_table_row(table, &app->ui.jobs), last = (int)table->count - 1;
    if (last < 0)
        return;
    row = by > last - row ? last : by < -row ? 0 : row + by;
    app->ui.jobs.job = table->job[row];
}

void lp_app_jobs_sort(LpApp *app, bool turn) {
    LpJobTableState *s = &app->ui.jobs;
    if (turn)
        s->descending = !s->descending;
    else
        s->sort = (LpJobColumn)((s->sort + 1) % LP_JOB_COLUMN_COUNT);
}

void lp_app_jobs_step(LpApp *app) {
    uint32_t job = lp_app_jobs_marked(app);
    if (job == LP_NO_INDEX)
        lp_app_say(app, false, "no job is marked");
    else if (lp_world_job(lp_session_world(app->session), job)->placement == LP_NO_INDEX)
        lp_app_say(app, false, "job %u never had servers: x tells its story", (unsigned)job);
    else
        lp_app_step_of(app, job);
}

LpErr lp_app_story(LpApp *app, uint32_t job, LpDiag *diag) {
    LpBuf text = {0};
    char title[32];
    LpErr err = lp_story_text(app->session, job, &text, diag);
    if (err == LP_OK) {
        snprintf(title, sizeof title, "job %u", (unsigned)job);
        lp_app_page(app, title, &text);
    }
    lp_buf_fini(&text);
    return err;
}

void lp_app_jobs_story(LpApp *app) {
    LpDiag diag = {0};
    uint32_t job = lp_app_jobs_marked(app);
    if (job == LP_NO_INDEX || lp_app_story(app, job, &diag) != LP_OK)
        lp_app_say(app, job != LP_NO_INDEX, "%s",
                   job == LP_NO_INDEX ? "no job is marked" : diag.text);
}

void lp_app_jobs_blame(LpApp *app) {
    LpDiag diag = {0};
    uint32_t job = lp_app_jobs_marked(app);
    if (job == LP_NO_INDEX || lp_app_blame(app, job, &diag) != LP_OK)
        lp_app_say(app, false, "%s", job == LP_NO_INDEX ? "no job is marked" : diag.text);
}

void lp_app_jobs_filter(LpApp *app, const char *text) {
    lp_str_copy(app->ui.jobs.filter, sizeof app->ui.jobs.filter, text);
    if (app->ui.only != LP_PANE_JOBS)
        lp_app_show(app, LP_PANE_JOBS);
}
