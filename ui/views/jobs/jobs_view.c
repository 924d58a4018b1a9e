/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of jobs as a whole: moving in the table, and looking into one of them. */
#include <stdio.h>

#include "say/report.h"
#include "views/jobs/jobs_view.h"
#include "views/jobs/jobs_view_impl.h"
#include "widgets/widgets_list.h"

static uint32_t marked_job(const LpModel *model) {
    int row = lp_job_table_row(lp_jobs_facts(model), lp_jobs_state(model));
    return row >= 0 ? lp_jobs_facts(model)->job[row] : LP_NO_INDEX;
}

static void key_move(LpHost *host, int by) {
    const LpJobTable *table = lp_jobs_facts(host->model);
    int row = lp_job_table_row(table, lp_jobs_state(host->model));
    if (row < 0)
        return;
    row = lp_list_moved(row, by, (int)table->count);
    lp_jobs_state(host->model)->job = table->job[row];
}

static void key_sort(LpHost *host, bool turn) {
    LpJobTableState *s = lp_jobs_state(host->model);
    if (turn)
        s->descending = !s->descending;
    else
        do
            s->sort = (s->sort + 1) % lp_jobs_table.columns;
        while (!lp_job_sorts(s->sort));
}

static LpLabel label_of(const LpHost *host, uint32_t job) {
    return lp_world_label(lp_session_world(host->session), host->model->scenario, job);
}

static void key_step(LpHost *host) {
    uint32_t job = marked_job(host->model);
    char key[16];
    if (job == LP_NO_INDEX)
        lp_host_say(host, false, "no job is marked");
    else if (lp_world_job(lp_session_world(host->session), job)->placed.placement == LP_NO_INDEX)
        lp_host_say(host, false, "%s never had servers: %s tells its story",
                    label_of(host, job).text,
                    lp_keymap_key(host->ui->keymap, LP_UI_ACTION_EXPLAIN, key));
    else
        lp_host_open(host, LP_PANE_STEP, job);
}

static void key_story(LpHost *host) {
    LpDiag diag = {0};
    uint32_t job = marked_job(host->model);
    if (job == LP_NO_INDEX || lp_host_story(host, job, &diag) != LP_OK)
        lp_host_say(host, job != LP_NO_INDEX, "%s",
                    job == LP_NO_INDEX ? "no job is marked" : diag.text);
}

static void key_blame(LpHost *host) {
    LpDiag diag = {0};
    uint32_t job = marked_job(host->model);
    if (job == LP_NO_INDEX || host->app->blame(host, job, &diag) != LP_OK)
        lp_host_say(host, false, "%s", job == LP_NO_INDEX ? "no job is marked" : diag.text);
}

static void key_filter(LpHost *host, const char *text) {
    lp_str_copy(lp_jobs_state(host->model)->filter, sizeof lp_jobs_state(host->model)->filter,
                text);
}

static LpErr update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    return lp_job_table_update(lp_jobs_facts(model), model, lp_jobs_state(model), diag);
}

static void begin(void *state) {
    ((LpJobTableState *)state)->job = LP_NO_INDEX;
}

static void drop(void *facts) {
    lp_job_table_fini(facts);
}

static void click(LpHost *host, uint32_t job, bool shown, bool again) {
    char text[32];
    lp_jobs_state(host->model)->job = job;
    snprintf(text, sizeof text, "story %u", (unsigned)job);
    if (again && shown)
        key_step(host);
    else if (again)
        host->app->command(host, text);
    else if (!shown)
        lp_host_say(host, false, "%s: a second click tells its story", label_of(host, job).text);
}

/* ---- as lines and as a table ---- */

static int count_lines(const LpModel *model) {
    return (int)lp_jobs_facts(model)->count;
}

static int line_at(const LpModel *model) {
    return lp_job_table_row(lp_jobs_facts(model), lp_jobs_state(model));
}

/* Its number, and the columns that are words. */
static void print_line(const LpModel *model, int line, LpBuf *out) {
    LpTableRow row = {.list = model,
                      .item = lp_world_job(model->world, lp_jobs_facts(model)->job[line])};
    lp_buf_addf(out, "%u", (unsigned)lp_jobs_facts(model)->job[line]);
    for (int c = 0; c < lp_jobs_table.columns; c++) {
        const char *words = lp_table_value(&lp_jobs_table, &row, c).text;
        if (words)
            lp_buf_addf(out, " %s", words);
    }
}

static void mark(LpHost *host, int line) {
    lp_jobs_state(host->model)->job = lp_jobs_facts(host->model)->job[line];
}

static const LpViewLines lines = {count_lines, line_at, print_line, mark};

static LpErr sink(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

static LpErr write_csv(const LpModel *model, LpBuf *out, LpDiag *diag) {
    return lp_report_write(model->session, LP_REPORT_CSV, sink, out, diag);
}

static const LpViewKey keys[] = {
    {"Up Down", "mark a job"},
    {"Enter", "one training step of the job"},
    {"x", "its story: why, where its time went"},
    {"b", "who is to blame for it"},
    {"s S", "sort by the next column, the other way round"},
    {"F", "only jobs that have a text in graph, state or cause"},
    {"/", "search; then {next-decision} {match-back} next and previous match, {out} ends"},
    {NULL, NULL},
};

const LpView lp_jobs_view = {
    .state = sizeof(LpJobTableState),
    .facts = sizeof(LpJobTable),
    .begin = begin,
    .drop = drop,
    .update = update,
    .draw = lp_view_jobs,
    .alone = lp_view_jobtable,
    .part = lp_view_jobs,
    .move = key_move,
    .take = key_step,
    .takes = "training step",
    .explain = key_story,
    .blame = key_blame,
    .sort = key_sort,
    .filter = key_filter,
    .job = marked_job,
    .click = click,
    .lines = &lines,
    .table = &lp_jobs_table,
    .csv = write_csv,
    .keys = keys,
};
