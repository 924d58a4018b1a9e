/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of learning curves as a whole: opening files, following them, and what keys do there. */
#include "views/learning/learning_view.h"
#include "base/csv_out.h"
#include "views/learning/learning_view_impl.h"

enum { PIECE = 1 << 20, FOLLOW_MS = 500 }; /* bytes read at a time, so that keys are answered */

static void close_files(LpLearnPane *pane) {
    for (int i = 0; i < pane->files; i++)
        lp_learn_close(pane->file[i]);
    pane->files = 0;
}

/* All of them, or none. */
static LpErr open_files(const char *const *file, int files, LpLearnPane *out, LpDiag *diag) {
    for (int i = 0; i < files; i++) {
        LpErr err = lp_learn_open(file[i], 0, &out->file[i], diag);
        if (err != LP_OK) {
            while (i-- > 0)
                lp_learn_close(out->file[i]);
            return err;
        }
    }
    out->files = files;
    return LP_OK;
}

/* Is one of the files evaluated? */
static bool any_evaluated(const LpLearnPane *pane) {
    for (int i = 0; i < pane->files; i++)
        if (lp_learn_status(pane->file[i]).curve->evaluated > 0)
            return true;
    return false;
}

LpErr lp_learning_open(LpHost *host, const char *const *file, int files, LpDiag *diag) {
    LpLearnPane pane = {.state = {.cursor = -1.0}}, *shown = lp_learning_state(host->model);
    if (files > 0) {
        LP_TRY(open_files(file, files, &pane, diag));
        close_files(shown);
        *shown = pane;
        for (int i = 0; i < pane.files; i++)
            lp_learn_poll(pane.file[i], PIECE);
        /* noise of exploring hides what tells several apart */
        shown->state.evaluated = pane.files > 1 && any_evaluated(&pane);
    } else if (shown->files == 0) {
        return lp_fail(diag, LP_EINVAL,
                       "no learning curve is open: expected FILE..., lines that lightpath train "
                       "printed");
    }
    host->app->enter(host, LP_PANE_LEARNING);
    shown->until = host->now + FOLLOW_MS;
    return LP_OK;
}

static bool has_more(const LpLearnPane *pane) {
    for (int i = 0; i < pane->files; i++)
        if (lp_learn_status(pane->file[i]).more)
            return true;
    return false;
}

/* Only what is seen is followed. */
static int64_t deadline(const LpHost *host, bool shown) {
    const LpLearnPane *pane = lp_learning_state(host->model);
    if (!shown || pane->files == 0)
        return -1;
    return has_more(pane) ? 0 : pane->until;
}

static void tick(LpHost *host, bool shown, int64_t now) {
    LpLearnPane *pane = lp_learning_state(host->model);
    int64_t due = deadline(host, shown);
    if (due < 0 || now < due)
        return;
    for (int i = 0; i < pane->files; i++)
        if (lp_learn_poll(pane->file[i], PIECE))
            host->app->redraw(host);
    pane->until = now + FOLLOW_MS;
}

static void end(void *state) {
    close_files(state);
}

/* ---- keys ---- */

static void move(LpHost *host, int lines) {
    LpLearnState *state = &lp_learning_state(host->model)->state;
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)
        state->cursor = lines < 0 ? 0.0 : -1.0;
    else
        lp_learn_move(state, lines);
}

static void along(LpHost *host, int columns) {
    lp_learn_along(&lp_learning_state(host->model)->state, columns);
}

static void take(LpHost *host) {
    lp_learning_state(host->model)->state.alone = !lp_learning_state(host->model)->state.alone;
}

static void variant(LpHost *host) {
    lp_learning_state(host->model)->state.evaluated =
        !lp_learning_state(host->model)->state.evaluated;
}

/* ---- as a table ---- */

static void add_updates(const LpLearnCurve *curve, int file, LpCsvOut *csv) {
    for (uint32_t k = 0; k < curve->count; k++) {
        const LpLearnPoint *p = &curve->point[k];
        lp_csv_put_count(csv, (uint64_t)file);
        lp_csv_put_count(csv, p->update);
        lp_csv_put_count(csv, p->steps);
        lp_csv_put_count(csv, p->episodes);
        for (int m = 0; m < LP_LEARN_COUNT; m++)
            lp_csv_put_number(csv, p->value[m]);
        lp_csv_put_words(csv, p->saved ? "true" : "false");
        lp_csv_end(csv);
    }
}

static LpErr write_csv(const LpModel *model, LpBuf *out, LpDiag *diag) {
    const LpLearnPane *pane = lp_learning_state(model);
    LpCsvOut csv = {.out = out};
    lp_csv_put_words(&csv, "file,update,steps,episodes");
    for (int m = 0; m < LP_LEARN_COUNT; m++)
        lp_csv_put_words(&csv, lp_learn_key((LpLearnMetric)m));
    lp_csv_put_words(&csv, "saved");
    lp_csv_end(&csv);
    for (int i = 0; i < pane->files; i++)
        add_updates(lp_learn_status(pane->file[i]).curve, i + 1, &csv);
    return lp_buf_ok(out, diag);
}

static const LpViewKey keys[] = {
    {"Up Down", "the next chart: reward, blocked, entropy, kl, losses ..."},
    {"Enter", "the chart alone, or all again"},
    {"Left Right", "read off along the curves; {top}, {bottom}"},
    {"v", "reward and blocked as evaluated, or while exploring"},
    {NULL, NULL},
};

const LpView lp_learning_view = {
    .state = sizeof(LpLearnPane),
    .end = end,
    .draw = lp_view_learning,
    .move = move,
    .along = along,
    .take = take,
    .takes = "one chart",
    .variant = variant,
    .deadline = deadline,
    .tick = tick,
    .csv = write_csv,
    .keys = keys,
};
