/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a training while it goes on. */
#include "front/live.h"

#include <math.h>
#include <stdio.h>

#include "widgets/show.h"
#include "widgets/widgets_keys.h"

enum { FAR = 1000, BAR = 20, SLOW = 2 };

/* ---- what comes in ---- */

static void note_time(LpLive *live, uint64_t steps, int64_t at) {
    for (int i = LP_LIVE_RECENT; i > 0; i--)
        live->recent[i] = live->recent[i - 1];
    live->recent[0].at = at;
    live->recent[0].steps = steps;
    if (live->recents <= LP_LIVE_RECENT)
        live->recents++;
}

LpErr lp_live_report(LpLive *live, const LpTrainReport *report, int64_t now, LpDiag *diag) {
    LpLearnPoint point = lp_learn_point(report);
    if (live->recents == 0)
        note_time(live, report->first, live->began);
    note_time(live, report->steps, now);
    live->last = *report;
    return lp_learn_add(&live->curve, &point, diag);
}

void lp_live_fini(LpLive *live) {
    lp_learn_fini(&live->curve);
}

/* Decisions a second of late, NAN before the first update. */
static double rate_of(const LpLive *live) {
    int last = live->recents - 1;
    if (last < 1 || live->recent[0].at <= live->recent[last].at)
        return (double)NAN;
    return 1000.0 * (double)(live->recent[0].steps - live->recent[last].steps) /
           (double)(live->recent[0].at - live->recent[last].at);
}

double lp_live_left(const LpLive *live) {
    double rate = rate_of(live);
    if (!(rate > 0.0) || live->last.steps > live->last.total)
        return (double)NAN;
    return (double)(live->last.total - live->last.steps) / rate;
}

/* ---- words ---- */

/* "8 s", "2 min 40 s", "3 h 05 min" */
static const char *show_span(double seconds, char text[LP_SHOW_TEXT]) {
    if (!(seconds >= 0.0 && seconds < 1e9)) {
        snprintf(text, LP_SHOW_TEXT, "-");
        return text;
    }
    long s = (long)(seconds + 0.5);
    if (s < 60)
        snprintf(text, LP_SHOW_TEXT, "%ld s", s);
    else if (s < 3600)
        snprintf(text, LP_SHOW_TEXT, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(text, LP_SHOW_TEXT, "%ld h %02ld min", s / 3600, s / 60 % 60);
    return text;
}

void lp_live_tell(const LpTrainReport *r, bool any, const char *out, LpBuf *text) {
    char kept[LP_SHOW_TEXT], lost[LP_SHOW_TEXT];
    if (!any) {
        lp_buf_add(text, "nothing was learnt yet");
        return;
    }
    lp_show_count(r->kept, kept);
    lp_show_count(r->steps - r->kept, lost);
    if (r->kept == 0)
        lp_buf_addf(text, "no checkpoint yet: all %s decisions are lost to --resume", lost);
    else if (r->kept == r->steps)
        lp_buf_addf(text, "%s.checkpoint keeps all %s decisions", out, kept);
    else
        lp_buf_addf(text, "%s.checkpoint keeps %s decisions, the %s after it are lost", out, kept,
                    lost);
    if (isnan(r->best_reward))
        lp_buf_addf(text, "; no network was judged yet, so %s was not written", out);
    else
        lp_buf_addf(text, "; %s keeps the best network, reward %.4f", out, r->best_reward);
}

/* ---- keys ---- */

static void say_stop(LpLive *live) {
    LpBuf text = {0};
    if (live->wish == LP_TRAIN_STOP)
        lp_buf_addf(&text, "stops after update %llu. Without it: ",
                    (unsigned long long)live->last.update + 1);
    else
        lp_buf_addf(&text, "stops after update %llu, with the next checkpoint. So far: ",
                    (unsigned long long)live->last.keeps);
    lp_live_tell(&live->last, live->last.update > 0, live->out, &text);
    lp_str_copy(live->message, sizeof live->message, lp_buf_text(&text));
    lp_buf_fini(&text);
}

static void stop(LpLive *live, int wish) {
    live->closed = live->ended;
    if (live->ended)
        return;
    if (wish == LP_TRAIN_AT_CHECKPOINT && live->last.keeps == 0)
        wish = LP_TRAIN_STOP;
    live->wish = (LpTrainWish)wish;
    say_stop(live);
}

static void go_on(LpLive *live, int unused LP_UNUSED) {
    if (live->wish != LP_TRAIN_GO_ON && !live->ended)
        snprintf(live->message, sizeof live->message, "training goes on");
    else
        live->state.alone = false;
    live->wish = live->ended ? live->wish : LP_TRAIN_GO_ON;
}

static void move(LpLive *live, int lines) {
    lp_learn_move(&live->state, lines);
}

static void along(LpLive *live, int columns) {
    if (columns <= -FAR || columns >= FAR)
        live->state.cursor = columns < 0 ? 0.0 : -1.0;
    else
        lp_learn_along(&live->state, columns);
}

static void alone(LpLive *live, int unused LP_UNUSED) {
    live->state.alone = !live->state.alone;
}

static void variant(LpLive *live, int unused LP_UNUSED) {
    live->state.evaluated = !live->state.evaluated;
}

static void help(LpLive *live, int unused LP_UNUSED) {
    char text[sizeof live->message];
    lp_str_copy(live->message, sizeof live->message,
                lp_keymap_text(
                    live->keymap,
                    "{up} {down} choose a chart, {take} shows it alone, {left} {right} "
                    "read off, {variant} evaluated or exploring, {quit} stops, {bookmark} at the "
                    "checkpoint, {out} goes on after all",
                    text, sizeof text));
}

static const struct {
    LpUiAction action;
    void (*act)(LpLive *live, int argument);
    int argument;
} acts[] = {
    {LP_UI_ACTION_QUIT, stop, LP_TRAIN_STOP},
    {LP_UI_ACTION_QUIT_NOW, stop, LP_TRAIN_STOP},
    {LP_UI_ACTION_INTERRUPT, stop, LP_TRAIN_STOP},
    {LP_UI_ACTION_BOOKMARK, stop, LP_TRAIN_AT_CHECKPOINT},
    {LP_UI_ACTION_OUT, go_on, 0},
    {LP_UI_ACTION_UP, move, -1},
    {LP_UI_ACTION_DOWN, move, 1},
    {LP_UI_ACTION_STAGE, move, 1},
    {LP_UI_ACTION_STAGE_BACK, move, -1},
    {LP_UI_ACTION_LEFT, along, -1},
    {LP_UI_ACTION_RIGHT, along, 1},
    {LP_UI_ACTION_TOP, along, -FAR},
    {LP_UI_ACTION_BOTTOM, along, FAR},
    {LP_UI_ACTION_TAKE, alone, 0},
    {LP_UI_ACTION_VARIANT, variant, 0},
    {LP_UI_ACTION_HELP, help, 0},
    {LP_UI_ACTION_WORDS, help, 0},
    {LP_UI_ACTION_REDRAW, NULL, 0},
};

void lp_live_key(LpLive *live, LpKey key) {
    LpUiAction action = lp_keymap_action(live->keymap, key);
    char name[16], rest[64];
    live->message[0] = '\0';
    for (size_t i = 0; i < LP_COUNTOF(acts); i++)
        if (acts[i].action == action) {
            if (acts[i].act != NULL)
                acts[i].act(live, acts[i].argument);
            return;
        }
    snprintf(live->message, sizeof live->message, "%s does nothing here; %s",
             lp_key_name(key, name),
             lp_keymap_text(live->keymap, "{words} tells the keys", rest, sizeof rest));
}

/* ---- the screen ---- */

/* "lightpath train pac-ml-32  update 12  98 304 of 2 000 000 decisions, 4.9 %" */
static void draw_title(const LpLive *live, const LpArea *area) {
    char steps[LP_SHOW_TEXT], total[LP_SHOW_TEXT], name[80];
    const LpTrainReport *r = &live->last;
    int x = lp_area_text(area, 1, 0, LP_ROLE_TITLE, "lightpath train");
    x = lp_area_fit(area, x + 1, 0, area->rect.w / 4, LP_ROLE_TEXT | LP_BOLD,
                    lp_str_show(name, sizeof name, live->scenario));
    if (r->update == 0) {
        lp_area_text(area, x + 2, 0, LP_ROLE_WAIT, "the first update is being played");
        return;
    }
    double share = r->total > 0 ? (double)r->steps / (double)r->total : 1.0;
    share = fmin(share, 1.0);
    x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "update %llu", (unsigned long long)r->update);
    x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "%s of %s decisions, %.1f %%",
                      lp_show_count(r->steps, steps), lp_show_count(r->total, total),
                      100.0 * share);
    if (area->rect.w < x + 2 + BAR)
        return;
    int full = (int)(share * BAR);
    lp_area_repeat(area, x + 2, 0, full, LP_ROLE_GOOD, LP_GLYPH_FULL);
    lp_area_repeat(area, x + 2 + full, 0, BAR - full, LP_ROLE_MUTED, LP_GLYPH_EMPTY);
}

static int draw_state(const LpLive *live, const LpArea *area, int64_t now) {
    static const struct {
        LpRole role;
        const char *text;
    } states[] = {[LP_TRAIN_GO_ON] = {LP_ROLE_GOOD, "training"},
                  [LP_TRAIN_STOP] = {LP_ROLE_WAIT, "stopping"},
                  [LP_TRAIN_AT_CHECKPOINT] = {LP_ROLE_WAIT, "until the checkpoint"}};
    if (live->ended)
        return lp_area_text(area, 1, 0, LP_ROLE_GOOD | LP_BOLD, "done");
    int x = lp_area_text(area, 1, 0, (LpStyle)(states[live->wish].role | LP_BOLD),
                         states[live->wish].text);
    int64_t since = (now - (live->recents > 0 ? live->recent[0].at : live->began)) / 1000;
    if (since < SLOW)
        return x;
    return lp_area_textf(area, x + 1, 0, LP_ROLE_MUTED, "update %llu for %lld s",
                         (unsigned long long)live->last.update + 1, (long long)since);
}

static int draw_best(const LpLearnCurve *c, const LpArea *area, int x) {
    if (c->best == 0)
        return x;
    const LpLearnPoint *best = &c->point[c->best - 1];
    lp_area_glyph(area, x + 2, 0, LP_ROLE_GOOD | LP_BOLD, LP_GLYPH_BOOKMARK);
    x = lp_area_textf(area, x + 4, 0, LP_ROLE_TEXT, "best %.3g at update %llu",
                      best->value[LP_LEARN_EVAL_REWARD], (unsigned long long)best->update);
    return lp_area_textf(area, x, 0, LP_ROLE_MUTED, ", blocked %.3g %%",
                         100.0 * best->value[LP_LEARN_EVAL_BLOCKED]);
}

/* "training  12 345 decisions/s  ETA 2 min 40 s  best 0.331 at update 9, blocked 33 %  spent 8 s"
 */
static void draw_times(const LpLive *live, const LpArea *area, int64_t now) {
    char text[LP_SHOW_TEXT];
    double rate = rate_of(live);
    int64_t until = live->ended && live->recents > 0 ? live->recent[0].at : now;
    int x = draw_state(live, area, now);
    lp_str_copy(text, sizeof text, "-");
    if (!isnan(rate))
        lp_show_count((uint64_t)rate, text);
    x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "%s decisions/s", text);
    if (!live->ended)
        x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "ETA %s",
                          show_span(lp_live_left(live), text));
    x = draw_best(&live->curve, area, x);
    lp_area_textf(area, x + 2, 0, LP_ROLE_MUTED, "spent %s",
                  show_span((double)(until - live->began) / 1000.0, text));
}

/* The keys, and beside the one that stops what would be lost. */
static void draw_keys(const LpLive *live, const LpArea *area) {
    char text[240], lost[LP_SHOW_TEXT];
    const LpTrainReport *r = &live->last;
    int w = area->rect.w - 1;
    if (live->message[0]) {
        lp_area_fit(area, 1, 0, w, LP_ROLE_WAIT, live->message);
        return;
    }
    lp_show_count(r->steps - r->kept, lost);
    if (live->ended)
        snprintf(text, sizeof text,
                 "training is done; {quit} closes  {up} {down} chart  {take} alone"
                 "  {variant} evaluated  {words} help");
    else if (r->update == 0 || r->kept == r->steps)
        snprintf(text, sizeof text,
                 "{quit} stop  {up} {down} chart  {take} alone  {variant} evaluated  {words} help");
    else
        snprintf(text, sizeof text,
                 "{quit} stop, loses %s decisions  {bookmark} at update %llu, loses none  {words} "
                 "help  {take} "
                 "alone  {variant} evaluated",
                 lost, (unsigned long long)r->keeps);
    lp_area_keys(area, 1, 0, w, LP_ROLE_MUTED, live->keymap, text);
}

void lp_live_draw(const LpLive *live, LpCanvas *canvas, int64_t now) {
    LpLearnSeries series = {live->scenario, &live->curve};
    LpLearnCharts charts = {1, &series, &live->state};
    int w = canvas->cols, h = canvas->rows, top = h >= 6 ? 2 : 1, below = h >= 12 ? 2 : h >= 2;
    lp_canvas_clear(canvas);
    LpArea title = lp_canvas_area(canvas, (LpRect){0, 0, w, 1});
    draw_title(live, &title);
    if (top > 1) {
        LpArea times = lp_canvas_area(canvas, (LpRect){0, 1, w, 1});
        draw_times(live, &times, now);
    }
    LpArea middle = lp_canvas_area(canvas, (LpRect){0, top, w, h - top - below});
    lp_learn_draw(&charts, &middle);
    if (below > 1) {
        LpArea settings = lp_canvas_area(canvas, (LpRect){0, h - 2, w, 1});
        lp_area_fit(&settings, 1, 0, w - 1, LP_ROLE_MUTED, live->settings);
    }
    if (below > 0) {
        LpArea keys = lp_canvas_area(canvas, (LpRect){0, h - 1, w, 1});
        draw_keys(live, &keys);
    }
}
