/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel of knobs as a whole: turning, running both runs to their ends a little at a time, and
 * keeping what was turned. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "views/adjust/adjust_view.h"
#include "views/adjust/adjust_view_impl.h"

enum { PIECE = 16, BUDGET_MS = 20 };

/* ---- one run ---- */

static void drop_run(LpAdjustRun *run) {
    lp_turn_free(run->turn);
    lp_free(run->jct);
    *run = (LpAdjustRun){0};
}

static void fail(LpAdjustRun *run, const LpDiag *diag) {
    run->failed = true;
    lp_str_copy(run->why, sizeof run->why, diag->text);
}

static bool works(const LpAdjustRun *run) {
    return run->turn != NULL && !run->done && !run->failed;
}

/* The curve so far, and the figures once it has ended. */
static LpErr take_stock(LpAdjustRun *run, LpDiag *diag) {
    const LpWorld *world = lp_turn_world(run->turn);
    const LpTally *tally = lp_world_tally(world);
    if (lp_grow((void **)&run->jct, &run->jct_cap, (size_t)tally->completed + 1,
                sizeof *run->jct) != LP_OK)
        return lp_fail_memory(diag, "the curve of a turned run");
    run->jcts = lp_metrics_jcts(world, run->jct, (uint32_t)run->jct_cap);
    run->arrived = tally->arrived;
    return run->done ? lp_metrics_summary(world, lp_turn_context(run->turn), &run->sum, diag)
                     : LP_OK;
}

static void work(LpAdjustRun *run, uint32_t steps) {
    LpDiag diag = {0};
    LpErr err = lp_turn_work(run->turn, steps, &run->done, &diag);
    if (err != LP_OK)
        fail(run, &diag);
}

static void begin(LpAdjustRun *run, const LpSession *session, const LpKnobs *knobs, int64_t now) {
    LpDiag diag = {0};
    drop_run(run);
    run->began = now;
    if (lp_turn_new(session, knobs, &run->turn, &diag) != LP_OK)
        fail(run, &diag);
}

/* ---- both ---- */

static void close_panel(LpAdjustFacts *s) {
    drop_run(&s->as_is);
    drop_run(&s->turned);
    lp_knobs_fini(&s->knobs);
    s->open = false;
}

static bool is_current(const LpSession *session, const LpAdjustFacts *s) {
    LpMoment now = lp_session_moment(session);
    return s->open && s->of.branch == now.branch && s->of.step == now.step &&
           s->reloads == lp_session_reloads(session);
}

/* Until the time for this is up; without a clock to the end. */
static void advance(LpAdjustRun *run, int64_t (*clock)(void), int64_t start) {
    LpDiag diag = {0};
    if (!works(run))
        return;
    while (works(run) && !(clock && clock() - start >= BUDGET_MS))
        work(run, PIECE);
    if (take_stock(run, &diag) != LP_OK)
        fail(run, &diag);
    run->took = clock ? clock() - run->began : 0;
}

/* ---- what the bar says ---- */

/* What is wrong, without where: the knob stands there. */
static const char *bare(const char *why) {
    const char *colon = strstr(why, ": ");
    return strncmp(why, "--set ", 6) == 0 && colon != NULL ? colon + 2 : why;
}

static void say_turned(const LpAdjustFacts *s, const char *what, LpNow *now) {
    const LpAdjustRun *run = &s->turned;
    char took[LP_SHOW_TEXT], in[LP_SHOW_TEXT + 8] = "";
    if (!run->done || !s->as_is.done) {
        lp_said_add(&now->said, LP_FORM_LONG, "%s: running on, %u job%s done.", what,
                    (unsigned)run->jcts, run->jcts == 1 ? " is" : "s are");
        return;
    }
    unsigned long long done = run->sum.completed, before = s->as_is.sum.completed,
                       all = run->sum.arrived;
    if (run->took > 0)
        snprintf(in, sizeof in, " %s", lp_show_seconds((double)run->took / 1000, took));
    lp_said_add(&now->said, LP_FORM_LONG,
                "%s: %llu of %llu done instead of %llu. Nothing is kept yet.%s", what, done, all,
                before, in);
    lp_said_add(&now->said, LP_FORM_MIDDLE, "%s: %llu of %llu done instead of %llu.%s", what, done,
                all, before, in);
    lp_said_add(&now->said, LP_FORM_SHORT, "%llu of %llu done, not %llu.", done, all, before);
}

static void say_still(const LpAdjustFacts *s, const LpKeymap *map, LpNow *now) {
    char left[16], right[16];
    lp_keymap_key(map, LP_UI_ACTION_LEFT, left);
    lp_keymap_key(map, LP_UI_ACTION_RIGHT, right);
    lp_said_add(&now->said, LP_FORM_LONG, "%s is as it is. %s and %s turn it.",
                s->row < s->knobs.count ? s->knobs.row[s->row].name : "All", left, right);
    lp_said_add(&now->said, LP_FORM_SHORT, "%s and %s turn the marked knob.", left, right);
}

static LpErr say(const LpAdjustFacts *s, const LpSession *session, const LpKeymap *map, LpNow *now,
                 LpDiag *diag) {
    LpBuf what = {0};
    char next[100];
    bool turned = lp_knobs_turned(&s->knobs);
    lp_knobs_words(&s->knobs, &what);
    if (s->turned.turn && lp_turn_other_policy(s->turned.turn)) /* a second cause is said */
        lp_buf_addf(&what, " and %s from the start", lp_session_policy_name(session));
    lp_said_clear(&now->said);
    lp_said_clear(&now->next);
    now->verb = "ADJUST";
    now->steps = 0;
    if (!turned)
        say_still(s, map, now);
    else if (s->turned.failed)
        lp_said_add(&now->said, LP_FORM_LONG, "%s", bare(s->turned.why));
    else
        say_turned(s, lp_buf_text(&what), now);
    const char *keys = !turned ? "{up} and {down} mark another knob, {out} leaves."
                       : lp_knobs_anew(&s->knobs)
                           ? "{take} goes over to a run with this, at the same time."
                           : "{take} keeps this as a branch from here on.";
    lp_said_add(&now->next, LP_FORM_LONG, "%s", lp_keymap_text(map, keys, next, sizeof next));
    LpErr err = lp_buf_ok(&what, diag);
    lp_buf_fini(&what);
    return err;
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpAdjustFacts *s = lp_adjust_facts(model);
    if (!is_current(session, s)) {
        /* The knobs of this moment; what was turned in another one is no more. */
        close_panel(s);
        LP_TRY(lp_knobs_list(session, &s->knobs, diag));
        s->open = true;
        s->of = lp_session_moment(session);
        s->reloads = lp_session_reloads(session);
        s->row = s->row < s->knobs.count ? s->row : 0;
        begin(&s->as_is, session, &s->knobs, 0);
    }
    if (model->ui->at_once) {
        advance(&s->turned, NULL, 0);
        advance(&s->as_is, NULL, 0);
    }
    return say(s, session, model->ui->keymap, &model->now, diag);
}

static void tick(LpHost *host, bool shown, int64_t now LP_UNUSED) {
    LpAdjustFacts *s = lp_adjust_facts(host->model);
    int64_t start = host->clock ? host->clock() : 0;
    if (!shown && s->open)
        close_panel(s);
    if (!shown || !is_current(host->session, s) || !(works(&s->turned) || works(&s->as_is)))
        return;
    advance(&s->turned, host->clock, start);
    advance(&s->as_is, host->clock, start);
    host->app->redraw(host);
}

static int64_t deadline(const LpHost *host, bool shown) {
    const LpAdjustFacts *s = lp_adjust_facts(host->model);
    if (!shown)
        return s->open ? 0 : -1;
    return works(&s->as_is) || works(&s->turned) ? 0 : -1;
}

/* ---- keys ---- */

static void turn_again(LpHost *host, LpAdjustFacts *s) {
    drop_run(&s->turned);
    if (lp_knobs_turned(&s->knobs))
        begin(&s->turned, host->session, &s->knobs, host->clock ? host->clock() : host->now);
    host->app->redraw(host);
}

static LpRunKnob *marked(const LpHost *host) {
    LpAdjustFacts *s = lp_adjust_facts(host->model);
    return is_current(host->session, s) && s->row < s->knobs.count ? &s->knobs.row[s->row] : NULL;
}

static void turn_by(LpHost *host, int by) {
    LpRunKnob *knob = marked(host);
    bool turned = knob != NULL;
    for (int i = 0; turned && i < (by < 0 ? -by : by) && i < 100; i++)
        turned = lp_knob_turn(knob, by);
    if (knob == NULL)
        return;
    if (!turned)
        lp_host_say(host, false, "%s goes no further", knob->name);
    turn_again(host, lp_adjust_facts(host->model));
}

static void move_by(LpHost *host, int lines) {
    LpAdjustFacts *s = lp_adjust_facts(host->model);
    int64_t row = (int64_t)s->row + lines, last = (int64_t)s->knobs.count - 1;
    s->row = (uint32_t)(row < 0 ? 0 : row > last ? (last > 0 ? last : 0) : row);
}

/* As it was: the marked knob. */
static void reset(LpHost *host) {
    LpRunKnob *knob = marked(host);
    if (knob == NULL || !lp_knob_is_turned(knob))
        return;
    knob->value = knob->base;
    turn_again(host, lp_adjust_facts(host->model));
}

/* Esc first sets all knobs back. */
static bool leave(LpHost *host) {
    LpAdjustFacts *s = lp_adjust_facts(host->model);
    if (!is_current(host->session, s) || !lp_knobs_turned(&s->knobs))
        return false;
    for (uint32_t i = 0; i < s->knobs.count; i++)
        s->knobs.row[i].value = s->knobs.row[i].base;
    turn_again(host, s);
    lp_host_say(host, false, "all knobs are as they were");
    return true;
}

static void keep_branch(LpHost *host, LpAdjustFacts *s) {
    LpMoment from = lp_session_moment(host->session);
    LpBuf words = {0};
    LpDiag diag = {0};
    char back[40];
    uint32_t branch;
    lp_knobs_words(&s->knobs, &words);
    if (host->app->check(host, lp_knobs_fork(host->session, &s->knobs, &branch, &diag), &diag)) {
        close_panel(s);
        host->ui->versus = (int)from.branch;
        host->app->left(host, from);
        host->app->show(host, LP_PANE_COUNT);
        lp_host_say(host, false, "branch %s from here on; %s", lp_buf_text(&words),
                    lp_keymap_text(host->ui->keymap, "{undo} goes back", back, sizeof back));
    }
    lp_buf_fini(&words);
}

/* ---- keeping ---- */

static void keep_run(LpHost *host, LpAdjustFacts *s) {
    LpSession *made;
    LpDiag diag = {0};
    LpErr err = lp_knobs_open(host->session, &s->knobs, &made, &diag);
    if (!host->app->check(host, err, &diag) || host->app->adopt(host, made))
        return;
    lp_session_close(made);
    /* A run from its own start is no branch of this one. */
    LpBuf sets = {0};
    lp_knobs_sets(&s->knobs, &sets);
    bool hand = s->turned.turn && lp_turn_by_hand(s->turned.turn);
    lp_host_say(host, false, "no branch of this run, a run of its own: lightpath SCENARIO%s%s",
                lp_buf_text(&sets), hand ? ", and what was decided by hand" : "");
    lp_buf_fini(&sets);
}

static void take(LpHost *host) {
    LpAdjustFacts *s = lp_adjust_facts(host->model);
    if (!is_current(host->session, s) || !lp_knobs_turned(&s->knobs))
        lp_host_tell(host, "{left} and {right} turn the marked knob first");
    else if (s->turned.failed)
        lp_host_say(host, true, "%s", s->turned.why);
    else if (lp_knobs_anew(&s->knobs))
        keep_run(host, s);
    else
        keep_branch(host, s);
}

static void click_row(LpHost *host, uint32_t row, bool again LP_UNUSED) {
    if (row < lp_adjust_facts(host->model)->knobs.count)
        lp_adjust_facts(host->model)->row = row;
}

static void drop(void *facts) {
    close_panel(facts);
}

static const LpViewKey keys[] = {
    {"Up Down", "mark a knob"},
    {"Left Right", "turn it: the curve and the figures follow at once"},
    {"Enter", "keep what is turned: a branch, or a run from its start"},
    {"v", "the marked knob as it was"},
    {"Esc", "all knobs as they were; again: leave"},
    {NULL, NULL},
};

const LpView lp_adjust_view = {
    .facts = sizeof(LpAdjustFacts),
    .drop = drop,
    .draw = lp_view_adjust,
    .move = move_by,
    .along = turn_by,
    .take = take,
    .takes = "keep it",
    .looks = "as it was",
    .variant = reset,
    .leave = leave,
    .row = click_row,
    .deadline = deadline,
    .update = update,
    .tick = tick,
    .keys = keys,
};
