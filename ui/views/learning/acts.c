/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves in files: opening them, following them, and what keys do there. */
#include <math.h>

#include "app/impl.h"
#include "base/num.h"

enum { PIECE = 1 << 20, FOLLOW_MS = 500 }; /* bytes read at a time, so that keys are answered */

void lp_app_drop_learning(LpApp *app) {
    LpLearnPane *pane = &app->ui.learn;
    for (int i = 0; i < pane->files; i++)
        lp_learn_close(pane->file[i]);
    pane->files = 0;
}

/* All of them, or none. */
static LpErr open_files(const LpUiLine *line, LpLearnPane *out, LpDiag *diag) {
    for (int i = 0; i < line->words; i++) {
        LpErr err = lp_learn_open(line->word[i], 0, &out->file[i], diag);
        if (err != LP_OK) {
            while (i-- > 0)
                lp_learn_close(out->file[i]);
            return err;
        }
    }
    out->files = line->words;
    return LP_OK;
}

/* Is one of the files evaluated? */
static bool any_evaluated(const LpLearnPane *pane) {
    for (int i = 0; i < pane->files; i++)
        if (lp_learn_look(pane->file[i]).curve->evaluated > 0)
            return true;
    return false;
}

LpErr lp_app_learning(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpLearnPane pane = {.state = {.cursor = -1.0}};
    if (line->words > 0) {
        LP_TRY(open_files(line, &pane, diag));
        lp_app_drop_learning(app);
        app->ui.learn = pane;
        for (int i = 0; i < pane.files; i++)
            lp_learn_poll(pane.file[i], PIECE);
        /* noise of exploring hides what tells several apart */
        app->ui.learn.state.evaluated = pane.files > 1 && any_evaluated(&pane);
    } else if (app->ui.learn.files == 0) {
        return lp_fail(diag, LP_EINVAL,
                       "no learning curve is open: expected FILE..., lines that lightpath train "
                       "printed");
    }
    lp_app_enter(app, LP_PANE_LEARNING);
    app->learn_at = now + FOLLOW_MS;
    return LP_OK;
}

/* Only what is seen is followed. */
static bool is_followed(const LpApp *app) {
    return app->ui.only == LP_PANE_LEARNING && app->ui.learn.files > 0;
}

static bool has_more(const LpLearnPane *pane) {
    for (int i = 0; i < pane->files; i++)
        if (lp_learn_look(pane->file[i]).more)
            return true;
    return false;
}

int64_t lp_app_learning_deadline(const LpApp *app) {
    if (!is_followed(app))
        return -1;
    return has_more(&app->ui.learn) ? 0 : app->learn_at;
}

void lp_app_learning_tick(LpApp *app, int64_t now) {
    LpLearnPane *pane = &app->ui.learn;
    if (!is_followed(app) || now < lp_app_learning_deadline(app))
        return;
    for (int i = 0; i < pane->files; i++)
        app->dirty |= lp_learn_poll(pane->file[i], PIECE);
    app->learn_at = now + FOLLOW_MS;
}

/* ---- keys ---- */

void lp_app_learning_move(LpApp *app, int lines) {
    LpLearnState *state = &app->ui.learn.state;
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)
        state->cursor = lines < 0 ? 0.0 : -1.0;
    else
        lp_learn_move(state, lines);
}

void lp_app_learning_along(LpApp *app, int columns) {
    lp_learn_along(&app->ui.learn.state, columns);
}

void lp_app_learning_take(LpApp *app) {
    app->ui.learn.state.alone = !app->ui.learn.state.alone;
}

void lp_app_learning_variant(LpApp *app) {
    app->ui.learn.state.evaluated = !app->ui.learn.state.evaluated;
}

/* ---- as a table ---- */

static void add_updates(const LpLearnCurve *curve, int file, LpBuf *out) {
    char number[LP_NUM_TEXT];
    for (uint32_t k = 0; k < curve->count; k++) {
        const LpLearnPoint *p = &curve->point[k];
        lp_buf_addf(out, "%d,%llu,%llu,%llu", file, (unsigned long long)p->update,
                    (unsigned long long)p->steps, (unsigned long long)p->episodes);
        for (int m = 0; m < LP_LEARN_COUNT; m++)
            lp_buf_addf(out, ",%s", isnan(p->value[m]) ? "" : lp_num_print(p->value[m], number));
        lp_buf_addf(out, ",%s\n", p->saved ? "true" : "false");
    }
}

LpErr lp_app_learning_table(LpApp *app, LpBuf *out, LpDiag *diag) {
    const LpLearnPane *pane = &app->ui.learn;
    lp_buf_add(out, "file,update,steps,episodes");
    for (int m = 0; m < LP_LEARN_COUNT; m++)
        lp_buf_addf(out, ",%s", lp_learn_key((LpLearnMetric)m));
    lp_buf_add(out, ",saved\n");
    for (int i = 0; i < pane->files; i++)
        add_updates(lp_learn_look(pane->file[i]).curve, i + 1, out);
    return lp_buf_ok(out, diag);
}
