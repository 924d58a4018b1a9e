/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All jobs that have arrived as a table, shown where the jobs have the screen for themselves. */
#include "views/jobs/jobs_view_impl.h"
#include "widgets/widgets_list.h"

#include <stdio.h>

static void draw_rows(const LpModel *model, const LpArea *area, const int *form) {
    const LpJobTable *table = lp_jobs_facts(model);
    int marked = lp_job_table_row(table, lp_jobs_state(model)), rows = area->rect.h - 2;
    int count = (int)table->count, first = lp_list_around(marked, count, rows);
    for (int i = 0; i < rows && first + i < count; i++) {
        uint32_t job = table->job[first + i];
        LpTableRow row = {.list = model, .item = lp_world_job(model->world, job)};
        if (first + i == marked)
            lp_area_glyph(area, 0, 1 + i, LP_ROLE_PENDING, LP_GLYPH_POINTER);
        lp_table_draw(&lp_jobs_table, area, 1 + i, form, &row);
        lp_area_hit(area, (LpRect){0, 1 + i, area->rect.w, 1}, LP_HIT_JOB, job);
    }
}

void lp_view_jobtable(const LpModel *model, const LpArea *area) {
    char title[160];
    if (area->rect.h < 3) {
        lp_view_jobs(model, area);
        return;
    }
    size_t size = sizeof title;
    const LpJobTable *table = lp_jobs_facts(model);
    const LpJobTableState *state = lp_jobs_state(model);
    char shown[LP_JOB_FILTER];
    int len =
        snprintf(title, size, "JOBS %u of %u by %s%s", (unsigned)table->count, (unsigned)table->all,
                 lp_jobs_table.column[state->sort].name, state->descending ? ", last first" : "");
    if (state->filter[0] && len > 0 && (size_t)len < size)
        snprintf(title + len, size - (size_t)len, ", with \"%s\"",
                 lp_str_show(shown, sizeof shown, state->filter));
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int form[LP_TABLE_COLUMNS];
    lp_jobs_form(inside.rect.w, lp_words_has_plans(model), form);
    if (inside.rect.h < 2)
        return;
    lp_table_titles(&lp_jobs_table, &inside, form, lp_jobs_state(model)->sort);
    if (lp_jobs_facts(model)->count == 0)
        lp_area_fit(&inside, 1, 1, inside.rect.w - 1, LP_ROLE_MUTED,
                    lp_jobs_facts(model)->all
                        ? "no job has that in its graph, state, cause or number"
                        : "no job has arrived yet");
    else
        draw_rows(model, &inside, form);
    lp_area_keys(&inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                 "{sort} {sort-turn} sort  {filter} filter  {search} search  {take} its step  "
                 "{explain} its story  {blame} who is "
                 "to blame");
}
