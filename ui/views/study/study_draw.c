/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study of the experiment where it has the screen for itself. */
#include <stdio.h>
#include <string.h>

#include "views/study/study_view_impl.h"

enum { KEYS_ROWS = 14 };

void lp_view_study(const LpModel *model, const LpArea *area) {
    const LpStudyPane *pane = lp_study_state(model);
    char title[240];
    /* "STUDY load, load.json,, 5 seeds, profiles of DIR" */
    size_t size = sizeof title;
    const char *slash = strrchr(pane->path, '/');
    char shown[80], folder[80];
    const LpStudyData *d = &pane->data;
    lp_str_show(shown, sizeof shown, slash ? slash + 1 : pane->path);
    lp_str_show(folder, sizeof folder, d->profiles);
    if (!pane->open)
        lp_str_copy(title, size, "STUDY");
    else
        snprintf(title, size, "STUDY %s, %s, %u seed%s, %s%s", lp_study_name(d->study), shown,
                 (unsigned)d->seeds, d->seeds == 1 ? "" : "s",
                 d->profiles ? "profiles of " : "models of the zoo", folder);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int keys = inside.rect.h >= KEYS_ROWS;
    if (inside.rect.w <= 0 || inside.rect.h <= 0)
        return;
    if (!pane->open) {
        lp_area_fit(&inside, 0, 1, inside.rect.w, LP_ROLE_MUTED,
                    "no study is open: :study FILE shows what lightpath experiment pac-ml --json "
                    "printed");
        return;
    }
    LpArea most = inside;
    most.rect.h -= keys;
    lp_study_draw(&pane->data, &pane->state, &most);
    if (keys)
        lp_area_keys(
            &inside, 0, inside.rect.h - 1, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
            "{left} {right} read off  {up} {down} metric  {take} alone  {variant} curves or "
            "numbers");
}
