/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs whose fate differs, newest first; and both runs to their end. */
#include <math.h>
#include <stdio.h>

#include "views/compare/compare_view_impl.h"
#include "widgets/widgets_list.h"

/* "I 60 gnmt", then what becomes of it in each. */
static void draw_job(const LpModel *model, const LpCompareSides *s, const LpArea *area, int y,
                     uint32_t id) {
    const LpJob *job = lp_world_job(model->world, id);
    int letter = lp_letters_ever(&model->letters, id), w = area->rect.w;
    int name = w >= 76 ? 22 : 12, half = (w - name) / 2;
    lp_letter_put(area, 1, y, lp_letter_hue(id) | LP_BOLD, id, letter);
    int x = lp_area_textf(area, 3, y, LP_ROLE_TEXT, "%3u", (unsigned)id);
    if (w >= 76)
        lp_area_fit(area, x + 1, y, name - x - 1, LP_ROLE_TEXT, lp_words_graph(model, job));
    for (int i = 0; i < 2; i++) {
        LpBuf text = {0};
        lp_buf_addf(&text, "%d: ", i + 1);
        lp_compare_fate(&s->side[i], model, id, LP_FATE_WHOLE, &text);
        lp_area_fit(area, name + i * half, y, half - 1, LP_ROLE_TEXT, lp_buf_text(&text));
        lp_area_done(area, &text);
    }
}

void lp_compare_list(const LpModel *model, const LpCompareSides *s, const LpArea *area) {
    const LpCompareFacts *facts = lp_compare_facts(model);
    char title[120], more[40] = "";
    int rows = area->rect.h - 1, marked = lp_compare_marked(model);
    int first = lp_list_around(marked < 0 ? 0 : marked, facts->jobs, rows);
    if (area->rect.h < 3)
        return;
    if (rows < facts->jobs)
        snprintf(more, sizeof more, ", %d-%d of %d", first + 1, first + rows, facts->jobs);
    snprintf(title, sizeof title, "WHERE THEY DIFFER newest first%s", more);
    LpArea inside = lp_area_heading(area, title);
    if (facts->jobs == 0)
        lp_area_text(&inside, 1, 0, LP_ROLE_MUTED, "no job has another fate so far");
    for (int i = 0; i < rows && first + i < facts->jobs; i++) {
        draw_job(model, s, &inside, i, facts->job[first + i]);
        if (first + i == marked)
            lp_area_mark(&inside, 0, i, inside.rect.w - 1, LP_REVERSE);
        lp_area_hit(&inside, (LpRect){0, i, inside.rect.w, 1}, LP_HIT_ROW, (uint32_t)(first + i));
    }
}

void lp_compare_whole(const LpModel *model, const LpArea *area) {
    const LpCompareFacts *f = lp_compare_facts(model);
    LpArea inside = lp_area_heading(area, "WHOLE RUN");
    char a[LP_WORDS_TIME], b[LP_SHOW_TEXT], points[LP_PAIR_TEXT];
    int step = (inside.rect.w - 2) / 3, x = 1;
    if (!f->ended) {
        const LpOther *other = &model->time.other;
        bool short_of = other->short_of;
        lp_area_textf(&inside, 1, 0, short_of ? LP_ROLE_WAIT : LP_ROLE_MUTED,
                      short_of ? "%.*s is known up to %s only"
                               : "not played to the end yet; :seek 1e9 s plays both",
                      (int)lp_str_prefix(other->name, 60), other->name,
                      lp_words_time(model, other->time, a));
        return;
    }
    for (int i = 0; i < 2; i++, x += step) {
        char text[120];
        snprintf(text, sizeof text, "%d  %llu of %llu done, mean JCT %s", i + 1,
                 (unsigned long long)f->done[i], (unsigned long long)f->arrived[i],
                 lp_show_seconds(f->mean_jct[i], a));
        lp_area_fit(&inside, x, 0, step - 1, LP_ROLE_TEXT, text);
    }
    char text[160];
    snprintf(text, sizeof text, "in both: %llu, %s and %s; lost %s",
             (unsigned long long)f->whole.both, lp_show_seconds(f->whole.mean_jct[0], a),
             lp_show_seconds(f->whole.mean_jct[1], b),
             lp_pair_points(f->arrived[0] ? (double)f->blocked[0] / (double)f->arrived[0] : 0.0,
                            f->arrived[1] ? (double)f->blocked[1] / (double)f->arrived[1] : 0.0,
                            points));
    lp_area_fit(&inside, x, 0, inside.rect.w - x - 1, LP_ROLE_TEXT, text);
}
