/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All jobs that have arrived as a table, shown where the jobs have the screen for themselves. */
#include "views/jobs/impl.h"
#include "widgets/list.h"

#include <stdio.h>

/* Where each column stands: numbers end there, words begin there; 0: left out. */
typedef struct Form {
    int at[LP_JOB_COLUMN_COUNT];
    int why; /* the policy's words, behind all */
} Form;

static Form form_of(int width) {
    if (width >= 130)
        return (Form){{7, 9, 26, 41, 54, 66, 79, 89, 98, 101}, 114};
    if (width >= 96)
        return (Form){{6, 8, 23, 37, 50, 61, 73, 82, 0, 84}, 0};
    if (width >= 70)
        return (Form){{6, 8, 23, 37, 0, 0, 49, 58, 0, 60}, 0};
    return (Form){{4, 6, 0, 0, 0, 0, 0, 0, 0, 0}, 21};
}

static void put(const LpArea *area, const Form *form, LpJobColumn column, int y, LpStyle style,
                const char *text) {
    int at = form->at[column], width = lp_job_column(column)->width;
    if (at == 0)
        return;
    if (width == 0)
        lp_area_right(area, at, y, style, text);
    else
        lp_area_fit(area, at, y, width, style, text);
}

/* The column that sorts is underlined, and says which way. */
static void draw_headings(const LpModel *model, const LpArea *area, const Form *form) {
    const LpJobTableState *state = lp_jobs_state(model);
    for (int c = 0; c < LP_JOB_COLUMN_COUNT; c++) {
        bool sorts = state->sort == (LpJobColumn)c;
        LpStyle style = sorts ? LP_ROLE_LABEL | LP_UNDERLINE : LP_ROLE_MUTED;
        put(area, form, (LpJobColumn)c, 0, style, lp_job_column((LpJobColumn)c)->name);
    }
    if (form->why)
        lp_area_fit(area, form->why, 0, area->rect.w - form->why, LP_ROLE_MUTED,
                    form->at[LP_JOB_COLUMN_STATE] ? "the policy's reason" : "state");
}

static LpStyle style_of_state(const LpJob *job) {
    switch ((LpOutcome)job->outcome) {
    case LP_JOB_COMPLETED:
        return LP_ROLE_GOOD;
    case LP_JOB_BLOCKED:
        return LP_ROLE_BAD;
    case LP_JOB_WAITING:
        return LP_ROLE_WAIT;
    case LP_JOB_DECIDING:
        return LP_ROLE_PENDING;
    default:
        return LP_ROLE_TEXT;
    }
}

/* Forecasts are muted, what is late is not. */
static LpStyle style_of(const LpModel *model, const LpJob *job, LpJobColumn column) {
    LpStyle muted = job->outcome == LP_JOB_RUNNING ? LP_ROLE_MUTED : LP_ROLE_TEXT;
    if (column == LP_JOB_COLUMN_STATE)
        return style_of_state(job);
    if (column == LP_JOB_COLUMN_CAUSE)
        return LP_ROLE_BAD;
    if (column != LP_JOB_COLUMN_JCT && column != LP_JOB_COLUMN_LIMIT)
        return LP_ROLE_TEXT;
    double jct = lp_job_value(model->scenario, job, LP_JOB_COLUMN_JCT).number;
    bool late = column == LP_JOB_COLUMN_LIMIT && jct > job->max_jct * (1 + 1e-9);
    return late ? LP_ROLE_BAD : muted;
}

static void draw_job(const LpModel *model, const LpArea *area, const Form *form, int y,
                     const LpJob *job) {
    for (int c = 0; c < LP_JOB_COLUMN_COUNT; c++) {
        char text[LP_SHOW_TEXT];
        put(area, form, (LpJobColumn)c, y, style_of(model, job, (LpJobColumn)c),
            lp_job_print(model, job, (LpJobColumn)c, text));
    }
    if (form->why == 0)
        return;
    bool reason = form->at[LP_JOB_COLUMN_STATE] != 0;
    const char *why = reason ? lp_session_why(model->session, job->id).why : lp_job_state(job);
    char shown[160];
    lp_area_fit(area, form->why, y, area->rect.w - form->why,
                reason ? LP_ROLE_MUTED : style_of_state(job),
                lp_str_show(shown, sizeof shown, why ? why : ""));
}

static void print_title(const LpModel *model, char *title, size_t size) {
    const LpJobTable *table = lp_jobs_facts(model);
    const LpJobTableState *state = lp_jobs_state(model);
    char shown[LP_JOB_FILTER];
    int len = snprintf(title, size, "jobs: %u of %u by %s%s", (unsigned)table->count,
                       (unsigned)table->all, lp_job_column(state->sort)->name,
                       state->descending ? ", last first" : "");
    if (state->filter[0] && len > 0 && (size_t)len < size)
        snprintf(title + len, size - (size_t)len, ", with \"%s\"",
                 lp_str_show(shown, sizeof shown, state->filter));
}

static void draw_rows(const LpModel *model, const LpArea *area, const Form *form) {
    const LpJobTable *table = lp_jobs_facts(model);
    int marked = lp_job_table_row(table, lp_jobs_state(model)), rows = area->rect.h - 2;
    int count = (int)table->count, first = lp_list_around(marked, count, rows);
    for (int i = 0; i < rows && first + i < count; i++) {
        if (first + i == marked)
            lp_area_glyph(area, 0, 1 + i, LP_ROLE_PENDING, LP_GLYPH_POINTER);
        draw_job(model, area, form, 1 + i, lp_world_job(model->world, table->job[first + i]));
        lp_area_hit(area, (LpRect){0, 1 + i, area->rect.w, 1}, LP_HIT_JOB, table->job[first + i]);
    }
}

void lp_view_jobtable(const LpModel *model, const LpArea *area) {
    char title[160];
    if (area->rect.h < 3) {
        lp_view_jobs(model, area);
        return;
    }
    print_title(model, title, sizeof title);
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    Form form = form_of(inside.rect.w);
    if (inside.rect.h < 2)
        return;
    draw_headings(model, &inside, &form);
    if (lp_jobs_facts(model)->count == 0)
        lp_area_fit(&inside, 1, 1, inside.rect.w - 1, LP_ROLE_MUTED,
                    lp_jobs_facts(model)->all
                        ? "no job has that in its graph, state, cause or number"
                        : "no job has arrived yet");
    else
        draw_rows(model, &inside, &form);
    lp_area_keys(
        &inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
        "{s} {S} sort  {F} filter  {/} search  {Enter} its step  {x} its story  {b} who is "
        "to blame");
}
