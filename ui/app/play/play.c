/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's commands to the session that go on in time: steps, decisions, playing. */
#include <stdio.h>

#include "app/keep/keep.h"
#include "app/play/play.h"
#include "app/show/show.h"

enum {
    FRAME_MS = 33,  /* playing never asks for frames faster than this */
    BUDGET_MS = 20, /* of work between two frames */
    BATCH = 64,     /* events between two frames where there is no clock */
    LATE_MS = 500   /* after a longer pause (a suspended terminal) nothing is caught up on */
};

void lp_app_poll(LpApp *app) {
    char text[sizeof app->ui.message];
    uint32_t before = lp_session_reloads(app->session);
    if (lp_session_poll(app->session) != LP_OK) {
        app->dirty = true;
        app->ui.playing = false;
        lp_app_say(app, true, "not taken, the old policy decides on: %s",
                   lp_diag_format(lp_session_reload_error(app->session), text, sizeof text));
    } else if (lp_session_reloads(app->session) != before) {
        app->dirty = true;
        app->ui.message[0] = '\0'; /* what was wrong with the policy before this save */
        app->ui.message_bad = false;
        app->stuck.branch = LP_NO_INDEX; /* it may get further now */
        /* What would the saved policy have decided so far? */
        LpDiag diag = {0};
        lp_app_drop_ghost(app); /* the policy it asked is no more */
        if (lp_app_has_time(app) && lp_app_ghost(app, &diag) != LP_OK)
            lp_app_say(app, true, "%s", diag.text);
        if (!app->other.ghost && !app->ui.message_bad)
            lp_app_say(app, false, "the policy was saved and loaded again");
    }
}

void lp_app_wake(LpApp *app) {
    lp_app_poll(app);
}

/* A decision that the policy failed at is where to look: playing stops there. */
static void stop_at_failure(LpApp *app) {
    char text[sizeof app->ui.message];
    const LpDiag *error = lp_session_policy_error(app->session);
    if (error == NULL)
        return;
    app->ui.playing = false;
    lp_app_say(app, true, "%s", lp_diag_format(error, text, sizeof text));
}

/* The run ended just now: what it came to is shown, unless something else is looked at. */
static void show_end(LpApp *app) {
    if (lp_app_is_over(app) && app->ui.only == LP_PANE_COUNT && !app->ui.lesson.on)
        lp_app_show(app, LP_PANE_SUMMARY);
}

/* One event; false when it failed or nothing is left. */
static bool step(LpApp *app, LpEvent *event) {
    LpDiag diag = {0};
    if (lp_app_is_over(app)) {
        app->ui.playing = false;
        return false;
    }
    lp_app_arrive(app);
    lp_app_poll(app);
    if (!lp_app_check(app, lp_session_step(app->session, event, &diag), &diag))
        return false;
    stop_at_failure(app);
    lp_app_meet_breaks(app, event);
    return true;
}

void lp_app_to_decision(LpApp *app) {
    LpDiag diag = {0};
    LpEvent event;
    if (!lp_app_is_due(app) && !lp_app_is_over(app))
        lp_app_check(app, lp_session_to_decision(app->session, &event, &diag), &diag);
    lp_app_arrive(app);
}

static bool next_decision(LpApp *app) {
    LpEvent event;
    if (lp_app_is_due(app) && !step(app, &event))
        return false;
    lp_app_to_decision(app);
    return !app->failed;
}

void lp_app_next(LpApp *app, bool decision, long count) {
    LpEvent event;
    app->ui.playing = false;
    if (lp_app_is_over(app)) {
        lp_app_say(app, false, "the run is over");
        return;
    }
    for (long i = 0; i < count && !lp_app_is_over(app); i++) {
        if (app->stopped && app->stopped()) {
            lp_app_say(app, false, "stopped after %ld", i);
            return;
        }
        if (decision ? !next_decision(app) : !step(app, &event))
            return;
    }
    show_end(app);
}

void lp_app_answer(LpApp *app, const LpAnswer *answer, bool policys) {
    LpDiag diag = {0};
    LpEvent event;
    app->ui.playing = false;
    if (policys) {
        step(app, &event);
        return;
    }
    if (lp_app_has_time(app)) {
        if (lp_app_fork_answer(app, answer, &diag) != LP_OK)
            lp_app_say(app, true, "%s", diag.text);
        return;
    }
    if (lp_app_check(app, lp_session_answer(app->session, answer, &event, &diag), &diag))
        app->ui.by_hand++;
    lp_app_arrive(app);
}

void lp_app_take_row(LpApp *app) {
    int row = app->ui.row;
    bool due = lp_app_is_due(app);
    const LpDecision *decision = &app->model.decision;
    app->ui.playing = false;
    if (!due || !decision->due || row < 0 || row >= (int)decision->count) {
        lp_app_tell(app, due ? "mark a row with {up} and {down} first" : "no decision is due");
        return;
    }
    const LpCandidate *candidate = &decision->candidate[row];
    LpAnswer answer = {.kind = LP_ANSWER_RUN,
                       .degree = candidate->degree,
                       .has_plan = candidate->plan.plan.tensor > 0,
                       .parallel = candidate->plan.plan,
                       .why = "by hand"};
    if (!candidate->forecast.feasible)
        lp_app_say(app, false, "this row cannot be placed");
    else
        lp_app_answer(app, &answer, candidate->chosen);
}

/* ---- playing ---- */

static int64_t next_frame(const LpApp *app) {
    int64_t frame = app->due.frame + FRAME_MS;
    return app->due.next > frame ? app->due.next : frame;
}

/* Events until the state after one is to be shown for a while, or the time for this frame is up. */
void lp_app_tick(LpApp *app, int64_t now) {
    int64_t start = app->clock ? app->clock() : 0;
    lp_app_look_tick(app);
    if (lp_app_looks(app))
        return;
    lp_app_ghost_tick(app);
    lp_app_views_tick(app, now);
    if (!app->ui.playing && lp_app_sync_deadline(app) >= 0)
        lp_app_saved(app, now);
    if (!app->ui.playing || now < next_frame(app))
        return;
    if (now - app->due.next > LATE_MS)
        app->due.next = now;
    app->dirty = true;
    app->due.frame = now;
    for (int i = 1; app->ui.playing && app->due.next <= now; i++) {
        /* The next thing to see: the next frame of this moment, or the next event. */
        LpEvent event;
        bool over = lp_app_is_over(app);
        if (lp_app_next_shown_frame(app)) {
            app->due.next += lp_app_shown_ms(app);
        } else if (step(app, &event)) {
            lp_app_first_frame(app);
            app->due.next += lp_app_shown_ms(app);
            if (app->ui.stops && lp_app_is_due(app))
                lp_app_stop_here(app);
        }
        if (lp_app_is_over(app))
            app->ui.playing = false;
        if (!over)
            show_end(app);
        if (app->clock ? app->clock() - start < BUDGET_MS : i < BATCH)
            continue;
        app->due.next = now; /* what could not be done in time is not owed */
        break;
    }
    lp_app_pass(app, now);
    lp_app_saved(app, now);
}

/* The earlier of two moments, -1 being never. */
static int64_t sooner(int64_t a, int64_t b) {
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

int64_t lp_app_deadline(LpApp *app) {
    int64_t at = sooner(lp_app_views_deadline(app), lp_app_demo_deadline(app));
    if (lp_app_looks(app) || lp_app_ghost_works(app))
        return 0;
    if (app->ui.playing)
        return sooner(at, next_frame(app));
    return sooner(at, lp_app_sync_deadline(app));
}

void lp_app_play(LpApp *app, bool on, int64_t now) {
    if (on && lp_app_is_over(app)) {
        lp_app_say(app, false, "the run is over");
        return;
    }
    app->ui.playing = on;
    app->passing.on = false;
    app->ui.passed[0] = '\0';
    if (on)
        lp_app_pass(app, now);
    if (on && app->ui.frame < 0)
        lp_app_first_frame(app);
    app->due.next = now + lp_app_shown_ms(app);
    app->due.frame = now;
}
