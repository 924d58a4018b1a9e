/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every action does; keys stand for actions (term/keymap.h). */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"
#include "app/hand/hand.h"
#include "app/moments.h"
#include "ask/draft/as_policy.h"
#include "base/num.h"
#include "views/console/console_view.h"
#include "views/whatif/whatif_view.h"

enum { INTERRUPT_MS = 1000, PAGE = 10, PAGES = 20 };

enum { DO_MOST = 10000 }; /* times that ":do" does an action */

typedef void Act(LpApp *app, int argument, int64_t now);

static void act_play(LpApp *app, int argument LP_UNUSED, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (lp_hand_toggle(app))
        return;
    if (here->play)
        here->play(&host);
    else
        lp_app_play(app, !app->ui.playing, now);
}

static void act_next(LpApp *app, int decision, int64_t now LP_UNUSED) {
    if (decision && lp_app_searches(app)) {
        lp_app_next_match(app, 1);
        return;
    }
    lp_app_next(app, decision != 0, 1);
}

static void act_search(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_ask_search(app);
}

static void act_match_back(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    if (lp_app_searches(app))
        lp_app_next_match(app, -1);
    else
        lp_app_tell(app, "{search} searches; then {match-back} goes to the match before");
}

static void act_speed(LpApp *app, int by, int64_t now) {
    if (!lp_hand_matching(app, by))
        lp_app_pace(app, app->ui.speed + by, now);
}

static void act_stops(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    app->ui.stops = !app->ui.stops;
}

static void act_stage(LpApp *app, int by, int64_t now LP_UNUSED) {
    lp_hand_turn(app);
    lp_app_stage(app, by);
}

static void act_frame(LpApp *app, int by, int64_t now LP_UNUSED) {
    lp_app_frame(app, by);
}

static void act_take(LpApp *app, int argument LP_UNUSED, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (app->ui.page && app->blamed.shown)
        lp_app_take_blame(app);
    else if (app->ui.words.open)
        lp_app_tell_word(app);
    else if (lp_hand_take(app))
        return;
    else if (here->take)
        here->take(&host);
    else if (lp_app_shown(app)->fork)
        lp_app_shown(app)->fork(&host);
    else if (app->other.ghost && app->ui.row < 0)
        lp_app_take_ghost(app);
    else if (app->ui.row < 0 && app->model.decision.job != LP_NO_INDEX)
        lp_app_show(app, LP_PANE_DECISION); /* into it */
    else
        lp_app_take_row(app);
}

static void act_explain(LpApp *app, int argument LP_UNUSED, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (here->explain)
        here->explain(&host);
    else
        lp_app_explain(app);
}

static void act_sort(LpApp *app, int turn, int64_t now) {
    LpHost host = lp_app_host(app, now);
    if (lp_app_shown(app)->sort)
        lp_app_shown(app)->sort(&host, turn != 0);
    else
        lp_app_tell(app, "{jobs} shows the jobs, {sort} and {sort-turn} sort them there");
}

static void act_filter(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_prompt(app, "filter ");
}

static void act_whatif(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpHost host = lp_app_host(app, now);
    app->ui.playing = false;
    if (!lp_app_is_due(app))
        lp_app_tell(app, "no decision is due; {next-decision} goes to the next one");
    else if (app->ui.only != LP_PANE_WHATIF)
        lp_app_show(app, LP_PANE_WHATIF);
    else
        lp_whatif_run_best(&host);
}

static void act_move(LpApp *app, int lines, int64_t now LP_UNUSED) {
    if (!lp_hand_move(app, lines))
        lp_app_move(app, lines);
}

static bool needs_time(LpApp *app) {
    if (!lp_app_has_time(app))
        lp_app_say(app, false, "this session keeps no time line");
    return lp_app_has_time(app);
}

static void act_back(LpApp *app, int decision, int64_t now LP_UNUSED) {
    if (needs_time(app))
        lp_app_back(app, decision != 0);
}

/* By this share of the time line. */
static void along(LpApp *app, double share) {
    double now = lp_world_now(lp_session_world(app->session));
    LpMoment from = lp_session_moment(app->session);
    lp_app_seek_time(app, now + share * app->model.marks.scale);
    LpMoment to = lp_session_moment(app->session);
    if (from.branch != to.branch || from.step != to.step)
        return;
    if (share > 0.0) /* nothing happens for so long: to what comes next */
        lp_app_next(app, false, 1);
    else
        lp_app_back(app, false);
}

static void act_page(LpApp *app, int by, int64_t now LP_UNUSED) {
    if (needs_time(app))
        along(app, (double)by / PAGES);
}

static void act_undo(LpApp *app, int redo, int64_t now LP_UNUSED) {
    if (needs_time(app))
        lp_app_undo(app, redo != 0);
}

static void act_focus(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    app->ui.focus = needs_time(app) && !app->ui.focus;
}

static void act_zoom(LpApp *app, int in, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (in && lp_hand_slide(app))
        return;
    if (here->zoom)
        here->zoom(&host, in != 0);
    else
        lp_app_tell(app, "{servers} shows the servers, {step} one training step: {zoom-in} and "
                         "{zoom-out} zoom there");
}

static void act_clear(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_hand_clear(app);
}

/* A draft that is open is taken first. */
static void act_as_policy(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    if (app->model.drafted.drafted && !lp_hand_fork(app))
        return;
    lp_app_attempt(app, lp_app_as_policy(app, LP_WIDTH_JOB, NULL, &diag), &diag);
}

/* Are the instants of one training step the frames that are shown now? */
static bool shows_instants(const LpApp *app) {
    LpScene scene = app->model.motion.scene;
    return app->ui.only == LP_PANE_COUNT &&
           (scene == LP_SCENE_ORDER_OPS || scene == LP_SCENE_ORDER_FLOWS);
}

static void act_along(LpApp *app, int by, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (lp_hand_along(app, by))
        return;
    if (here->along && !app->ui.focus) {
        here->along(&host, by);
        return;
    }
    if (!app->ui.focus && shows_instants(app)) {
        lp_app_frame(app, by < 0 ? -1 : 1);
        return;
    }
    int columns = app->canvas.cols > 24 ? app->canvas.cols - 14 : 10;
    if (!app->ui.focus)
        lp_app_tell(app, "{focus} lets {left} and {right} move along the time line");
    else
        along(app, (double)by / columns);
}

static void act_fork(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpHost host = lp_app_host(app, now);
    if (!needs_time(app))
        return;
    if (lp_app_shown(app)->fork)
        lp_app_shown(app)->fork(&host);
    else if (app->ui.row >= 0 && lp_app_is_due(app))
        lp_app_take_row(app);
    else
        lp_app_prompt(app, "fork ");
}

static void act_blame(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpDiag diag = {0};
    LpHost host = lp_app_host(app, now);
    if (!needs_time(app))
        return;
    const LpAnswer *due = lp_app_is_due(app) ? lp_session_pending(app->session, &diag) : NULL;
    if (due && due->kind == LP_ANSWER_DECLINE && app->ui.only == LP_PANE_COUNT && !app->ui.page)
        lp_app_next(app, true, 1); /* the job that is about to be turned away is asked about */
    if (lp_app_shown(app)->blame && !app->ui.page)
        lp_app_shown(app)->blame(&host);
    else
        lp_app_attempt(app, lp_app_blame(app, LP_NO_INDEX, &diag), &diag);
}

static void act_yank(LpApp *app, int pane, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    if (pane)
        lp_app_ask_yank(app);
    else if (needs_time(app))
        lp_app_attempt(app, lp_app_yank(app, NULL, &diag), &diag);
}

static void act_difference(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    if (!needs_time(app))
        return;
    if (!app->other.ghost && app->ui.versus >= 0)
        lp_app_next_parted(app);
    else
        lp_app_next_difference(app);
}

static void act_worst(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    if (needs_time(app))
        lp_app_attempt(app, lp_app_next_moment(app, &diag), &diag);
}

static void act_bookmark(LpApp *app, int back, int64_t now LP_UNUSED) {
    if (!needs_time(app))
        return;
    if (back)
        lp_app_to_bookmark(app);
    else
        lp_app_bookmark(app);
}

static const LpTwig *marked_twig(const LpApp *app) {
    const LpView *view = lp_app_shown(app);
    return view->branch ? view->branch(&app->model) : NULL;
}

static void act_compare(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    const LpTwig *twig = marked_twig(app);
    if (!needs_time(app))
        return;
    if (twig && twig->branch != app->model.time.moment.branch)
        lp_app_attempt(app, lp_app_compare(app, twig->info.name, &diag), &diag);
    else
        lp_app_choose_beside(app);
}

/* The name of the branch that the cursor marks, or of the current one. */
static const char *marked_branch(const LpApp *app) {
    const LpTwig *twig = marked_twig(app);
    return twig ? twig->info.name : app->model.time.branch.name;
}

static void act_rename(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    char text[200];
    if (!needs_time(app))
        return;
    snprintf(text, sizeof text, "rename \"%.90s\" ", marked_branch(app));
    lp_app_prompt(app, text);
}

static void act_delete(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    char shown[64];
    if (!needs_time(app))
        return;
    if (!lp_app_shown(app)->branch) {
        lp_app_tell(app,
                    "{branches} shows the branches, {delete} deletes the one that is marked there");
        return;
    }
    snprintf(app->ui.ask, sizeof app->ui.ask, "delete branch %s? y deletes, any other key does not",
             lp_str_show(shown, sizeof shown, marked_branch(app)));
    lp_str_copy(app->typed.keys, sizeof app->typed.keys, "y");
    snprintf(app->typed.answer[0], sizeof app->typed.answer[0], "delete %.200s",
             marked_branch(app));
}

static void act_pane(LpApp *app, int pane, int64_t now LP_UNUSED) {
    bool covered = app->ui.page || app->ui.words.open;
    if (app->ui.only != (LpPane)pane || covered)
        lp_app_show(app, (LpPane)pane);
}

/* Looked at already: at the end of the run, which is played where it is not. */
static void act_summary(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    bool here = app->ui.only == LP_PANE_SUMMARY && !app->ui.page && !app->ui.words.open;
    lp_app_show(app, LP_PANE_SUMMARY);
    if (here && !lp_app_is_over(app) && needs_time(app))
        lp_app_seek_time(app, DBL_MAX);
}

static void act_regroup(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    LpDiag diag = {0};
    lp_app_attempt(app, lp_app_regroup(app, NULL, &diag), &diag);
}

static void act_variant(LpApp *app, int argument LP_UNUSED, int64_t now) {
    const LpView *here = lp_app_here(app);
    LpHost host = lp_app_host(app, now);
    if (here->variant)
        here->variant(&host);
    else
        app->ui.completed_only = !app->ui.completed_only;
}

static void act_graph(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpHost host = lp_app_host(app, now);
    const LpView *view = lp_app_shown(app);
    const LpWorld *world = lp_session_world(app->session);
    uint32_t job = view->job ? view->job(&app->model) : LP_NO_INDEX;
    if (app->ui.only == LP_PANE_GRAPH)
        lp_app_show(app, LP_PANE_COUNT);
    else if (job != LP_NO_INDEX && lp_world_job(world, job)->graph < 0)
        lp_app_say(app, false, "%s has no graph", lp_app_label(app, job).text);
    else
        lp_host_open(&host, LP_PANE_GRAPH, job);
}

static void act_mouse(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_take_mouse(app, app->ui.mouse != LP_MOUSE_ON);
}

static void act_redraw(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    app->ui.lesson.blank = false;
    app->redraw = true;
}

static void act_console(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpHost host = lp_app_host(app, now);
    lp_console_open(&host);
}

static void act_command(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_prompt(app, "");
}

static void act_help(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    bool open = app->ui.help;
    lp_app_close_words(app);
    lp_app_close_page(app);
    app->ui.scroll = 0;
    if (!open)
        lp_app_help_keys(app);
}

/* The words of the screen, then the keys, then the screen again. */
static void act_words(LpApp *app, int argument, int64_t now) {
    if (app->ui.help || app->ui.words.open)
        act_help(app, argument, now);
    else
        lp_app_open_words(app);
}

static void act_blank(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_say(app, false, "an empty screen is for presenting: :present");
}

/* In a lesson these keys are its own (present.c). */
static void act_lesson(LpApp *app, int argument LP_UNUSED, int64_t now LP_UNUSED) {
    lp_app_say(app, false, "only a lesson has answers and hints; lightpath lesson lists them");
}

static void act_out(LpApp *app, int argument LP_UNUSED, int64_t now) {
    LpHost host = lp_app_host(app, now);
    const LpView *here = lp_app_here(app);
    if (lp_app_searches(app))
        lp_app_end_search(app);
    else if (lp_hand_leave(app))
        return;
    else if (here->stop && here->stop(&host))
        lp_app_say(app, false, "stopped; the rows that ended stay");
    else
        lp_app_out(app);
}

static void act_interrupt(LpApp *app, int argument LP_UNUSED, int64_t now) {
    if (app->due.interrupted >= 0 && now - app->due.interrupted <= INTERRUPT_MS)
        app->quit = true;
    app->due.interrupted = now;
    app->ui.playing = false;
    app->ui.prompt.open = false;
    lp_app_stop(app);
    lp_app_say(app, false, "stopped; Ctrl-C again within a second quits");
}

static void act_job(LpApp *app, int by, int64_t now LP_UNUSED) {
    uint32_t job = lp_model_next_focus(&app->model, by);
    app->ui.focus_job = job == LP_NO_INDEX ? 0 : job + 1;
    if (job == LP_NO_INDEX)
        lp_app_say(app, false, "no job is running");
}

static void act_quit(LpApp *app, int at_once, int64_t now LP_UNUSED) {
    app->quit = at_once || !lp_app_leave(app);
    if (app->next)
        app->next->list = app->quit && !at_once;
}

static const struct {
    Act *act;
    int argument;
} acts[LP_UI_ACTION_COUNT] = {
    [LP_UI_ACTION_PLAY] = {act_play, 0},
    [LP_UI_ACTION_NEXT_DECISION] = {act_next, 1},
    [LP_UI_ACTION_NEXT_EVENT] = {act_next, 0},
    [LP_UI_ACTION_FASTER] = {act_speed, 1},
    [LP_UI_ACTION_SLOWER] = {act_speed, -1},
    [LP_UI_ACTION_STOPS] = {act_stops, 0},
    [LP_UI_ACTION_REGROUP] = {act_regroup, 0},
    [LP_UI_ACTION_STAGE] = {act_stage, 1},
    [LP_UI_ACTION_STAGE_BACK] = {act_stage, -1},
    [LP_UI_ACTION_AS_POLICY] = {act_as_policy, 0},
    [LP_UI_ACTION_UNCHOOSE] = {act_clear, 0},
    [LP_UI_ACTION_FRAME_ON] = {act_frame, 1},
    [LP_UI_ACTION_FRAME_BACK] = {act_frame, -1},
    [LP_UI_ACTION_TAKE] = {act_take, 0},
    [LP_UI_ACTION_EXPLAIN] = {act_explain, 0},
    [LP_UI_ACTION_WHATIF] = {act_whatif, 0},
    [LP_UI_ACTION_NETWORK] = {act_pane, LP_PANE_NETWORK},
    [LP_UI_ACTION_POLICY] = {act_pane, LP_PANE_POLICY},
    [LP_UI_ACTION_BACK_DECISION] = {act_back, 1},
    [LP_UI_ACTION_BACK_EVENT] = {act_back, 0},
    [LP_UI_ACTION_PAGE_BACK] = {act_page, -1},
    [LP_UI_ACTION_PAGE_ON] = {act_page, 1},
    [LP_UI_ACTION_FOCUS] = {act_focus, 0},
    [LP_UI_ACTION_LEFT] = {act_along, -1},
    [LP_UI_ACTION_RIGHT] = {act_along, 1},
    [LP_UI_ACTION_UNDO] = {act_undo, 0},
    [LP_UI_ACTION_REDO] = {act_undo, 1},
    [LP_UI_ACTION_FORK] = {act_fork, 0},
    [LP_UI_ACTION_BLAME] = {act_blame, 0},
    [LP_UI_ACTION_YANK] = {act_yank, 0},
    [LP_UI_ACTION_YANK_PANE] = {act_yank, 1},
    [LP_UI_ACTION_DIFFERENCE] = {act_difference, 0},
    [LP_UI_ACTION_WORST] = {act_worst, 0},
    [LP_UI_ACTION_SUMMARY] = {act_summary, 0},
    [LP_UI_ACTION_BOOKMARK] = {act_bookmark, 0},
    [LP_UI_ACTION_TO_BOOKMARK] = {act_bookmark, 1},
    [LP_UI_ACTION_COMPARE] = {act_compare, 0},
    [LP_UI_ACTION_ADJUST] = {act_pane, LP_PANE_ADJUST},
    [LP_UI_ACTION_RENAME] = {act_rename, 0},
    [LP_UI_ACTION_DELETE] = {act_delete, 0},
    [LP_UI_ACTION_BRANCHES] = {act_pane, LP_PANE_BRANCHES},
    [LP_UI_ACTION_UP] = {act_move, -1},
    [LP_UI_ACTION_DOWN] = {act_move, 1},
    [LP_UI_ACTION_PAGE_UP] = {act_move, -PAGE},
    [LP_UI_ACTION_PAGE_DOWN] = {act_move, PAGE},
    [LP_UI_ACTION_TOP] = {act_move, -LP_UI_FAR},
    [LP_UI_ACTION_BOTTOM] = {act_move, LP_UI_FAR},
    [LP_UI_ACTION_JOB_ON] = {act_job, 1},
    [LP_UI_ACTION_JOB_BACK] = {act_job, -1},
    [LP_UI_ACTION_MAIN] = {act_pane, LP_PANE_COUNT},
    [LP_UI_ACTION_SERVERS] = {act_pane, LP_PANE_SERVERS},
    [LP_UI_ACTION_CIRCUITS] = {act_pane, LP_PANE_CIRCUITS},
    [LP_UI_ACTION_JOBS] = {act_pane, LP_PANE_JOBS},
    [LP_UI_ACTION_DECISION] = {act_pane, LP_PANE_DECISION},
    [LP_UI_ACTION_CURVE] = {act_pane, LP_PANE_CURVE},
    [LP_UI_ACTION_EVENTS] = {act_pane, LP_PANE_EVENTS},
    [LP_UI_ACTION_SORT] = {act_sort, 0},
    [LP_UI_ACTION_SORT_TURN] = {act_sort, 1},
    [LP_UI_ACTION_FILTER] = {act_filter, 0},
    [LP_UI_ACTION_SEARCH] = {act_search, 0},
    [LP_UI_ACTION_MATCH_BACK] = {act_match_back, 0},
    [LP_UI_ACTION_STEP] = {act_pane, LP_PANE_STEP},
    [LP_UI_ACTION_GRAPH] = {act_graph, 0},
    [LP_UI_ACTION_TRAFFIC] = {act_pane, LP_PANE_TRAFFIC},
    [LP_UI_ACTION_TREE] = {act_pane, LP_PANE_TREE},
    [LP_UI_ACTION_ZOOM_IN] = {act_zoom, 1},
    [LP_UI_ACTION_ZOOM_OUT] = {act_zoom, 0},
    [LP_UI_ACTION_VARIANT] = {act_variant, 0},
    [LP_UI_ACTION_MOUSE] = {act_mouse, 0},
    [LP_UI_ACTION_REDRAW] = {act_redraw, 0},
    [LP_UI_ACTION_CONSOLE] = {act_console, 0},
    [LP_UI_ACTION_COMMAND] = {act_command, 0},
    [LP_UI_ACTION_WORDS] = {act_words, 0},
    [LP_UI_ACTION_HELP] = {act_help, 0},
    [LP_UI_ACTION_BLANK] = {act_blank, 0},
    [LP_UI_ACTION_ANSWER] = {act_lesson, 0},
    [LP_UI_ACTION_HINT] = {act_lesson, 0},
    [LP_UI_ACTION_OUT] = {act_out, 0},
    [LP_UI_ACTION_INTERRUPT] = {act_interrupt, 0},
    [LP_UI_ACTION_QUIT] = {act_quit, 0},
    [LP_UI_ACTION_QUIT_NOW] = {act_quit, 1},
};

void lp_app_act(LpApp *app, LpUiAction action, int64_t now) {
    acts[action].act(app, acts[action].argument, now);
}

/* ---- actions by name ---- */

LpErr lp_app_run_do(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    LpUiAction action = lp_ui_action_find(line->word[0]);
    uint64_t count = 1;
    char shown[64];
    if (action == LP_UI_ACTION_NONE)
        return lp_fail(diag, LP_EINVAL, "there is no action \"%s\"; lightpath keys lists them",
                       lp_str_show(shown, sizeof shown, line->word[0]));
    if (line->words > 1 &&
        (lp_num_parse_u64(line->word[1], &count, NULL) != LP_OK || count < 1 || count > DO_MOST))
        return lp_fail(diag, LP_EINVAL, "\"%s\" is no count: expected 1 to %d",
                       lp_str_show(shown, sizeof shown, line->word[1]), DO_MOST);
    for (uint64_t i = 0; i < count && !app->quit; i++) {
        lp_app_act(app, action, now);
        app->dirty = true;
        LP_TRY(lp_app_draw(app, diag)); /* the next one looks at what is shown */
    }
    app->dirty = true;
    return LP_OK;
}

void lp_app_words_action(LpBuf *out) {
    char name[LP_UI_ACTION_NAME];
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        lp_buf_addf(out, "%s\n", lp_ui_action_name((LpUiAction)i, name));
}
