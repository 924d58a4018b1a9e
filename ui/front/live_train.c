/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal beside a training: keys at once, pictures at most ten times a second. */
#include "front/live_train.h"

#include "front/live.h"
#include "term/term.h"

enum { FRAME_MS = 100, CLOCK_MS = 500 };

typedef struct Show {
    const LpLiveSpec *spec;
    LpLive live;
    LpTerm *term;
    LpCanvas canvas;
    LpTrainWork *work;
    int64_t drawn_at;
    bool dirty, redraw;
} Show;

static LpErr take_news(Show *s, LpDiag *diag) {
    LpTrainReport report;
    while (lp_train_work_take(s->work, &report)) {
        s->dirty = true;
        LpErr err = lp_live_report(&s->live, &report, lp_term_now(), diag);
        if (err != LP_OK && err != LP_ELIMIT) /* a full curve ends, training does not */
            return err;
    }
    if (!s->live.ended && lp_train_work_is_over(s->work, NULL, NULL))
        s->live.ended = s->dirty = true;
    return LP_OK;
}

static LpErr draw(Show *s, LpDiag *diag) {
    int rows, cols;
    lp_term_size(s->term, &rows, &cols);
    if (rows != s->canvas.rows || cols != s->canvas.cols)
        LP_TRY(lp_canvas_resize(&s->canvas, rows, cols, diag));
    lp_live_draw(&s->live, &s->canvas, lp_term_now());
    lp_term_show(s->term, &s->canvas, s->redraw);
    s->drawn_at = lp_term_now();
    s->dirty = s->redraw = false;
    return LP_OK;
}

/* Milliseconds until the next picture is due; -1: when a key is pressed. */
static int64_t patience(const Show *s) {
    int64_t due = s->drawn_at + (s->dirty ? FRAME_MS : CLOCK_MS), now = lp_term_now();
    if (s->live.ended && !s->dirty)
        return -1;
    return due > now ? due - now : 0;
}

/* Is there nothing left to wait for? A training that failed, or that somebody stopped, needs no
 * look at its last picture. */
static bool is_done(const Show *s) {
    LpErr err;
    if (!lp_train_work_is_over(s->work, &err, NULL))
        return false;
    return s->live.closed || err != LP_OK || s->live.wish != LP_TRAIN_GO_ON;
}

static LpErr loop(Show *s, LpDiag *diag) {
    LP_TRY(draw(s, diag));
    while (!is_done(s)) {
        LpKey key = lp_term_read(s->term, patience(s), lp_train_work_fd(s->work));
        if (key != LP_KEY_NONE) {
            s->redraw = key == LP_KEY_RESIZE || key == 'l' - 'a' + 1;
            if (key != LP_KEY_RESIZE)
                lp_live_key(&s->live, key);
            lp_train_work_wish(s->work, s->live.wish);
            s->dirty = true;
            s->drawn_at = lp_term_now() - FRAME_MS; /* an answer does not wait */
        } else if (lp_term_ending() != 0 || lp_term_is_gone(s->term)) {
            s->live.closed = true;
            lp_train_work_wish(s->work, s->live.wish = LP_TRAIN_STOP);
        }
        LP_TRY(take_news(s, diag));
        if (patience(s) == 0)
            LP_TRY(draw(s, diag));
    }
    return LP_OK;
}

static LpErr train(Show *s, LpDiag *diag) {
    LpErr ended = LP_OK;
    LpDiag why = {0};
    LP_TRY(lp_train_work_begin(s->spec->train, s->spec->each, s->spec->user, &s->work, diag));
    LpErr err = loop(s, diag);
    if (err != LP_OK)
        return err;
    lp_train_work_is_over(s->work, &ended, &why);
    if (ended != LP_OK && diag != NULL)
        *diag = why;
    return ended;
}

LpErr lp_live_train(const LpLiveSpec *spec, LpTrainReport *last, bool *began, bool *stopped,
                    LpDiag *diag) {
    Show s = {.spec = spec, .dirty = true, .redraw = true};
    *began = *stopped = false;
    LP_TRY(lp_term_open(spec->theme, spec->no_color, &s.term, diag));
    s.canvas.ascii = spec->ascii || !lp_term_is_utf8(s.term);
    s.live = (LpLive){.scenario = spec->scenario,
                      .out = spec->train->out,
                      .settings = spec->settings,
                      .keymap = spec->keymap,
                      .began = lp_term_now(),
                      .state = {.cursor = -1.0}};
    LpErr err = train(&s, diag);
    *began = s.live.last.update > 0 || (s.work != NULL && lp_train_work_began(s.work));
    lp_train_work_free(s.work);
    lp_term_close(s.term);
    *last = s.live.last;
    *stopped = s.live.wish != LP_TRAIN_GO_ON && last->steps < last->total;
    lp_live_fini(&s.live);
    lp_canvas_fini(&s.canvas);
    return err;
}
