/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Actions on the session and on the screen's own state, and playing. */
#include "app.h"

#include <stdio.h>

#include "view.h"

enum {
    STAGE_MS = 60,  /* one of five stages of a decision, at speed 1x */
    EVENT_MS = 60,  /* any other event */
    FRAME_MS = 33,  /* playing never asks for frames faster than this */
    BUDGET_MS = 20, /* of work between two frames */
    BATCH = 64,     /* events between two frames where there is no clock */
    LATE_MS = 500,  /* after a longer pause (a suspended terminal) nothing is caught up on */
    INTERRUPT_MS = 1000,
    SPEEDS = 4,
    PAGE = 10
};

/* --- commands to the session --- */

static void say(LpApp *app, bool bad, const char *text) {
    lp_str_copy(app->ui.message, sizeof app->ui.message, text);
    app->ui.message_bad = bad;
}

static bool check(LpApp *app, LpErr err, const LpDiag *diag) {
    char text[sizeof app->ui.message];
    if (err == LP_OK)
        return true;
    app->diag = *diag;
    app->failed = true;
    app->ui.playing = false;
    say(app, true, lp_diag_format(diag, text, sizeof text));
    return false;
}

/* Takes a changed policy file. A broken save stops playing and leaves the old policy in charge. */
static void poll_policy(LpApp *app) {
    char text[sizeof app->ui.message], said[sizeof app->ui.message + 40];
    uint32_t before = lp_session_reloads(app->session);
    if (lp_session_poll(app->session) != LP_OK) {
        app->ui.playing = false;
        snprintf(said, sizeof said, "not taken, the old policy decides on: %s",
                 lp_diag_format(lp_session_reload_error(app->session), text, sizeof text));
        say(app, true, said);
    } else if (lp_session_reloads(app->session) != before) {
        say(app, false, "the policy was saved and loaded again");
    }
}

/* A decision that the policy failed at is where to look: playing stops there. */
static void stop_at_failure(LpApp *app) {
    char text[sizeof app->ui.message];
    const LpDiag *error = lp_session_policy_error(app->session);
    if (error == NULL)
        return;
    app->ui.playing = false;
    say(app, true, lp_diag_format(error, text, sizeof text));
}

static bool is_due(const LpApp *app) {
    return lp_world_due(lp_session_world(app->session)) != LP_NO_INDEX;
}

static bool is_over(const LpApp *app) {
    return lp_world_over(lp_session_world(app->session));
}

static void arrive_at_decision(LpApp *app) {
    app->ui.stage = LP_STAGE_PARTITION;
    app->ui.row = -1;
}

/* One event; false when it failed or nothing is left. */
static bool step(LpApp *app, LpEvent *event) {
    LpDiag diag = {0};
    if (is_over(app)) {
        app->ui.playing = false;
        return false;
    }
    arrive_at_decision(app);
    poll_policy(app);
    if (!check(app, lp_session_step(app->session, event, &diag), &diag))
        return false;
    stop_at_failure(app);
    return true;
}

static void next_event(LpApp *app) {
    LpEvent event;
    app->ui.playing = false;
    if (is_over(app))
        say(app, false, "the run is over");
    else
        step(app, &event);
}

static void to_decision(LpApp *app) {
    LpDiag diag = {0};
    LpEvent event;
    if (!is_due(app) && !is_over(app))
        check(app, lp_session_to_decision(app->session, &event, &diag), &diag);
    arrive_at_decision(app);
}

static void next_decision(LpApp *app) {
    LpEvent event;
    app->ui.playing = false;
    if (is_over(app))
        say(app, false, "the run is over");
    else if (!is_due(app) || step(app, &event))
        to_decision(app);
}

static void take_row(LpApp *app) {
    int row = app->ui.row;
    const LpDecision *decision = &app->model.decision;
    LpDiag diag = {0};
    LpEvent event;
    app->ui.playing = false;
    if (!is_due(app) || !decision->due || row < 0 || row >= (int)decision->count) {
        say(app, false, is_due(app) ? "mark a row with Up and Down first" : "no decision is due");
        return;
    }
    const LpCandidate *candidate = &decision->candidate[row];
    if (!candidate->forecast.feasible) {
        say(app, false, "this row cannot be placed");
    } else if (candidate->chosen) {
        step(app, &event);
    } else {
        LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = candidate->degree, .why = "by hand"};
        if (check(app, lp_session_answer(app->session, &answer, &event, &diag), &diag))
            app->ui.by_hand++;
        arrive_at_decision(app);
    }
}

/* --- playing--- */

static int64_t pace(const LpApp *app, int64_t ms) {
    static const int64_t faster[SPEEDS] = {1, 4, 16, 0};
    return app->ui.speed < SPEEDS - 1 ? ms / faster[app->ui.speed] : 0;
}

/* Are the stages of the decision that is due shown one by one? Where the policy does not let the
 * job run there is only the first. */
static bool shows_stages(const LpApp *app) {
    if (app->ui.speed > 0 || app->no_motion || !is_due(app))
        return false;
    const LpAnswer *answer = lp_session_pending(app->session, NULL);
    return answer && answer->kind == LP_ANSWER_RUN;
}

/* How long the state after a step is shown. */
static int64_t shown_for(const LpApp *app) {
    if (!is_due(app))
        return pace(app, EVENT_MS);
    return pace(app, shows_stages(app) ? STAGE_MS : STAGE_MS * LP_STAGE_COUNT);
}

/* The next thing to see: the next stage of the decision that is due, or the next event. */
static void beat(LpApp *app) {
    LpEvent event;
    if (shows_stages(app) && app->ui.stage + 1 < LP_STAGE_COUNT) {
        app->ui.stage = (LpStage)(app->ui.stage + 1);
        app->next_at += pace(app, STAGE_MS);
    } else if (step(app, &event)) {
        app->next_at += shown_for(app);
    }
    if (is_over(app))
        app->ui.playing = false;
}

/* Events until the state after one is to be shown for a while, or the time for this frame is up. */
void lp_app_tick(LpApp *app, int64_t now) {
    int64_t start = app->clock ? app->clock() : 0;
    if (!app->ui.playing || now < lp_app_deadline(app))
        return;
    if (now - app->next_at > LATE_MS)
        app->next_at = now;
    app->dirty = true;
    app->frame_at = now;
    for (int i = 1; app->ui.playing && app->next_at <= now; i++) {
        beat(app);
        if (app->clock ? app->clock() - start < BUDGET_MS : i < BATCH)
            continue;
        app->next_at = now; /* what could not be done in time is not owed */
        break;
    }
}

int64_t lp_app_deadline(const LpApp *app) {
    int64_t frame = app->frame_at + FRAME_MS;
    if (!app->ui.playing)
        return -1;
    return app->next_at > frame ? app->next_at : frame;
}

static void play(LpApp *app, int64_t now) {
    if (is_over(app)) {
        say(app, false, "the run is over");
        return;
    }
    app->ui.playing = !app->ui.playing;
    app->next_at = now + pace(app, STAGE_MS);
    app->frame_at = now;
}

/* --- the screen's own state--- */

/* The furthest that what is shown can be scrolled. */
static int scroll_limit(const LpApp *app) {
    int width, lines;
    if (app->ui.help) {
        lp_view_help_size(app->canvas.cols, &width, &lines);
        return lines > app->canvas.rows ? lines - app->canvas.rows : 0;
    }
    const LpTally *tally = lp_world_tally(lp_session_world(app->session));
    size_t events = lp_session_events(app->session);
    if (app->ui.only == LP_PANE_EVENTS)
        return events > 1 ? (int)(events - 1) : 0;
    return (int)(tally->running + tally->waiting);
}

static bool scrolls(const LpApp *app) {
    return app->ui.help || app->ui.only == LP_PANE_EVENTS || app->ui.only == LP_PANE_JOBS;
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* Moves the cursor, or what is shown, by so many lines. */
static void move(LpApp *app, int lines) {
    if (scrolls(app)) {
        app->ui.scroll = clamp(app->ui.scroll + lines, 0, scroll_limit(app));
        return;
    }
    int count = (int)app->model.decision.count, marked = lp_model_marked(&app->model);
    if (!app->model.decision.due || count == 0)
        return;
    app->ui.playing = false;
    app->ui.row = marked < 0 ? (lines > 0 ? 0 : count - 1) : clamp(marked + lines, 0, count - 1);
}

static void show_only(LpApp *app, LpPane pane) {
    app->ui.only = app->ui.only == pane ? LP_PANE_COUNT : pane;
    app->ui.help = false;
    app->ui.scroll = 0;
}

/* Leaves the innermost of help, marked row, and pane; false when there is none. */
static bool leave(LpApp *app) {
    LpUiState *ui = &app->ui;
    if (ui->help)
        ui->help = false;
    else if (ui->only != LP_PANE_COUNT)
        ui->only = LP_PANE_COUNT;
    else
        return false;
    ui->scroll = 0;
    return true;
}

static void out(LpApp *app) {
    if (leave(app))
        return;
    if (app->ui.row >= 0)
        app->ui.row = -1;
    else
        app->ui.playing = false;
}

static void interrupt(LpApp *app, int64_t now) {
    if (app->interrupted_at >= 0 && now - app->interrupted_at <= INTERRUPT_MS)
        app->quit = true;
    app->interrupted_at = now;
    app->ui.playing = false;
    say(app, false, "stopped; Ctrl-C again within a second quits");
}

static void next_stage(LpApp *app, int by) {
    app->ui.playing = false;
    if (is_due(app))
        app->ui.stage = (LpStage)(((int)app->ui.stage + by + LP_STAGE_COUNT) % LP_STAGE_COUNT);
    else
        say(app, false, "no decision is due; n goes to the next one");
}

typedef void Act(LpApp *app, int argument, int64_t now);

static void act_play(LpApp *app, int argument, int64_t now) {
    (void)argument;
    play(app, now);
}

static void act_next(LpApp *app, int decision, int64_t now) {
    (void)now;
    if (decision)
        next_decision(app);
    else
        next_event(app);
}

static void act_speed(LpApp *app, int by, int64_t now) {
    (void)now;
    app->ui.speed = clamp(app->ui.speed + by, 0, SPEEDS - 1);
}

static void act_stage(LpApp *app, int by, int64_t now) {
    (void)now;
    next_stage(app, by);
}

static void act_take(LpApp *app, int argument, int64_t now) {
    (void)argument;
    (void)now;
    take_row(app);
}

static void act_move(LpApp *app, int lines, int64_t now) {
    (void)now;
    move(app, lines);
}

static void act_pane(LpApp *app, int pane, int64_t now) {
    (void)now;
    show_only(app, (LpPane)pane);
}

static void act_variant(LpApp *app, int argument, int64_t now) {
    (void)argument;
    (void)now;
    app->ui.completed_only = !app->ui.completed_only;
}

static void act_redraw(LpApp *app, int argument, int64_t now) {
    (void)argument;
    (void)now;
    app->redraw = true;
}

static void act_help(LpApp *app, int argument, int64_t now) {
    (void)argument;
    (void)now;
    app->ui.help = !app->ui.help;
    app->ui.scroll = 0;
}

static void act_out(LpApp *app, int argument, int64_t now) {
    (void)argument;
    (void)now;
    out(app);
}

static void act_interrupt(LpApp *app, int argument, int64_t now) {
    (void)argument;
    interrupt(app, now);
}

static void act_quit(LpApp *app, int at_once, int64_t now) {
    (void)now;
    app->quit = at_once || !leave(app);
}

enum { FAR = 1 << 20 };

static const struct {
    Act *act;
    int argument;
} acts[LP_UI_ACTION_COUNT] = {
    [LP_UI_ACTION_PLAY] = {act_play, 0},
    [LP_UI_ACTION_NEXT_DECISION] = {act_next, 1},
    [LP_UI_ACTION_NEXT_EVENT] = {act_next, 0},
    [LP_UI_ACTION_FASTER] = {act_speed, 1},
    [LP_UI_ACTION_SLOWER] = {act_speed, -1},
    [LP_UI_ACTION_STAGE] = {act_stage, 1},
    [LP_UI_ACTION_STAGE_BACK] = {act_stage, -1},
    [LP_UI_ACTION_TAKE] = {act_take, 0},
    [LP_UI_ACTION_UP] = {act_move, -1},
    [LP_UI_ACTION_DOWN] = {act_move, 1},
    [LP_UI_ACTION_PAGE_UP] = {act_move, -PAGE},
    [LP_UI_ACTION_PAGE_DOWN] = {act_move, PAGE},
    [LP_UI_ACTION_TOP] = {act_move, -FAR},
    [LP_UI_ACTION_BOTTOM] = {act_move, FAR},
    [LP_UI_ACTION_MAIN] = {act_pane, LP_PANE_COUNT},
    [LP_UI_ACTION_SERVERS] = {act_pane, LP_PANE_SERVERS},
    [LP_UI_ACTION_CIRCUITS] = {act_pane, LP_PANE_CIRCUITS},
    [LP_UI_ACTION_JOBS] = {act_pane, LP_PANE_JOBS},
    [LP_UI_ACTION_DECISION] = {act_pane, LP_PANE_DECISION},
    [LP_UI_ACTION_CURVE] = {act_pane, LP_PANE_CURVE},
    [LP_UI_ACTION_EVENTS] = {act_pane, LP_PANE_EVENTS},
    [LP_UI_ACTION_VARIANT] = {act_variant, 0},
    [LP_UI_ACTION_REDRAW] = {act_redraw, 0},
    [LP_UI_ACTION_HELP] = {act_help, 0},
    [LP_UI_ACTION_OUT] = {act_out, 0},
    [LP_UI_ACTION_INTERRUPT] = {act_interrupt, 0},
    [LP_UI_ACTION_QUIT] = {act_quit, 0},
    [LP_UI_ACTION_QUIT_NOW] = {act_quit, 1},
};

void lp_app_key(LpApp *app, LpKey key, int64_t now) {
    char name[16], text[80];
    LpUiAction action = lp_ui_action_of_key(key);
    app->ui.message[0] = '\0';
    app->ui.message_bad = false;
    app->dirty = true;
    poll_policy(app);
    if (action != LP_UI_ACTION_NONE) {
        acts[action].act(app, acts[action].argument, now);
        return;
    }
    snprintf(text, sizeof text, "%s does nothing here; ? shows the keys", lp_key_name(key, name));
    say(app, false, text);
}

/* --- life--- */

LpErr lp_app_open(LpApp *app, LpSession *session, const LpUiOptions *options, int rows, int cols,
                  LpDiag *diag) {
    *app = (LpApp){.session = session,
                   .ui = {.only = LP_PANE_COUNT, .row = -1},
                   .no_motion = options->no_motion,
                   .dirty = true,
                   .interrupted_at = -1};
    app->canvas.ascii = options->ascii;
    LP_TRY(lp_canvas_resize(&app->canvas, rows, cols, diag));
    to_decision(app);
    return LP_OK;
}

void lp_app_fini(LpApp *app) {
    lp_model_fini(&app->model);
    lp_canvas_fini(&app->canvas);
}

LpErr lp_app_resize(LpApp *app, int rows, int cols, LpDiag *diag) {
    app->dirty = app->redraw = true;
    if (rows == app->canvas.rows && cols == app->canvas.cols)
        return LP_OK;
    return lp_canvas_resize(&app->canvas, rows, cols, diag);
}

LpErr lp_app_draw(LpApp *app, LpDiag *diag) {
    if (!app->dirty)
        return LP_OK;
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    lp_view_screen(&app->model, &app->canvas);
    app->dirty = false;
    return LP_OK;
}
