/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of branches: where each was forked, what it changed, how far it has got. */
#include "view.h"

#include <stdio.h>

typedef struct Columns {
    int name, from, to, arrived, blocked, policy, what; /* begin, or end for numbers; 0: none */
} Columns;

static Columns choose(int width) {
    if (width >= 110)
        return (Columns){2, 46, 60, 70, 80, 83, 106};
    if (width >= 90)
        return (Columns){2, 38, 50, 59, 68, 71, 0};
    if (width >= 60)
        return (Columns){2, 32, 43, 51, 60, 63, 0};
    return (Columns){2, 0, width - 9, 0, width, 0, 0};
}

static void draw_headings(const LpArea *area, const Columns *c) {
    static const LpStyle style = LP_ROLE_MUTED;
    lp_area_text(area, c->name, 0, style, "branch");
    if (c->from)
        lp_area_right(area, c->from, 0, style, "from t");
    lp_area_right(area, c->to, 0, style, "to t");
    if (c->arrived)
        lp_area_right(area, c->arrived, 0, style, "arrived");
    lp_area_right(area, c->blocked, 0, style, "blocked");
    if (c->policy)
        lp_area_text(area, c->policy, 0, style, "policy");
    if (c->what)
        lp_area_text(area, c->what, 0, style, "what it changed");
}

static void draw_counts(const LpModel *model, const LpTwig *twig, const LpArea *area, int y,
                        const Columns *c) {
    const LpWorld *world = lp_session_tip_world(model->session, twig->branch);
    char text[LP_SHOW_TEXT];
    if (!world)
        return;
    const LpTally *tally = lp_world_tally(world);
    if (c->arrived)
        lp_area_right(area, c->arrived, y, LP_ROLE_TEXT, lp_show_count(tally->arrived, text));
    lp_area_right(area, c->blocked, y, tally->blocked ? LP_ROLE_BAD : LP_ROLE_TEXT,
                  lp_show_count(tally->blocked, text));
}

static void draw_twig(const LpModel *model, const LpTwig *twig, const LpArea *area, int y,
                      const Columns *c) {
    const LpBranchInfo *info = &twig->info;
    double scale = model->marks.scale;
    char text[LP_SHOW_TEXT];
    bool current = twig->branch == model->time.moment.branch;
    int x = c->name + 2 * (twig->depth < 8 ? twig->depth : 8);
    int end = c->from ? c->from - 9 : c->to - 9;
    if (current)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    if (twig->depth > 0)
        lp_area_glyph(area, x - 2, y, LP_ROLE_BORDER, LP_GLYPH_BRANCH);
    lp_area_fit(area, x, y, end - x, current ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_TEXT, info->name);
    if (c->from)
        lp_area_right(area, c->from, y, LP_ROLE_TEXT, lp_show_clock(info->fork_time, scale, text));
    lp_area_right(area, c->to, y, LP_ROLE_TEXT, lp_show_clock(info->tip_time, scale, text));
    draw_counts(model, twig, area, y, c);
    if (c->policy)
        lp_area_fit(area, c->policy, y, (c->what ? c->what - 2 : area->rect.w) - c->policy,
                    LP_ROLE_TEXT, info->policy);
    if (c->what)
        lp_area_fit(area, c->what, y, area->rect.w - c->what, LP_ROLE_TEXT, info->what);
}

void lp_view_branches(const LpModel *model, const LpArea *area) {
    const LpTimeModel *time = &model->time;
    LpArea box = lp_area_box(area, "branches: futures that were begun");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int rows = inside.rect.h - 2, picked = lp_model_branch_row(model);
    if (!time->known) {
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "this session keeps no time line");
        return;
    }
    Columns c = choose(inside.rect.w);
    int first = picked - rows / 2, most = (int)time->twigs - rows;
    first = first > most ? most : first;
    first = first < 0 ? 0 : first;
    draw_headings(&inside, &c);
    for (int i = 0; i < rows && first + i < (int)time->twigs; i++) {
        draw_twig(model, &time->twig[first + i], &inside, 1 + i, &c);
        if (first + i == picked)
            lp_area_mark(&inside, 0, 1 + i, inside.rect.w, LP_REVERSE);
        lp_area_hit(&inside, (LpRect){0, 1 + i, inside.rect.w, 1}, LP_HIT_ROW,
                    (uint32_t)(first + i));
    }
    lp_area_keys(&inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                 time->twigs > 1 ? "{Enter} goes there  {c} compares  {r} renames  {D} deletes"
                                 : "{f} forks here; {Enter} on a row of the decision does, too");
}
