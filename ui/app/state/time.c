/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time machine's commands: going back, seeking, undoing that, forks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/state/state.h"
#include "ask/inspect/figures.h"
#include "moment/picture/words.h"
#include "session/moment/moment.h"

/* ---- undo of seeks ---- */

static void push(LpAppTrail *trail, LpMoment moment, const char *change) {
    enum { KEPT = LP_APP_UNDOS - 1 };
    if (trail->count == LP_APP_UNDOS) {
        memmove(trail->moment, trail->moment + 1, KEPT * sizeof *trail->moment);
        memmove(trail->change, trail->change + 1, KEPT * sizeof *trail->change);
        trail->count--;
    }
    lp_str_copy(trail->change[trail->count], sizeof *trail->change, change);
    trail->moment[trail->count++] = moment;
}

/* Call after a seek or a play, with the moment before it. Returns whether that moment was left;
 * undo can then return to it. */
static bool moved(LpApp *app, LpMoment from) {
    LpMoment to = lp_session_moment(app->session);
    app->ui.playing = false;
    lp_app_arrive(app);
    if (to.branch == from.branch && to.step == from.step)
        return false;
    if (app->ui.only == LP_PANE_SUMMARY) /* that summary describes the moment we are leaving */
        app->ui.only = app->ui.back = LP_PANE_COUNT;
    push(&app->undo, from, "");
    app->redo.count = 0;
    return true;
}

/* Messages of the session's refusals are shown as they are; they are no failure of the run. */
static bool refused(LpApp *app, LpErr err, const LpDiag *diag) {
    char text[sizeof app->ui.message];
    if (err == LP_OK)
        return false;
    lp_app_say(app, false, "%s", lp_diag_format(diag, text, sizeof text));
    return true;
}

static LpErr visit(LpApp *app, LpMoment moment, LpDiag *diag) {
    if (moment.branch != lp_session_moment(app->session).branch)
        LP_TRY(lp_session_switch(app->session, moment.branch, diag));
    return lp_session_seek(app->session, moment.step, diag);
}

LpErr lp_app_return(LpApp *app, LpMoment moment, LpDiag *diag) {
    LP_TRY(visit(app, moment, diag));
    app->ui.playing = false;
    lp_app_arrive(app);
    return LP_OK;
}

/* The moment before a change, on a branch on which it is not recorded; the one with it stays. */
static LpErr without(LpApp *app, LpMoment before, const char *change, LpDiag *diag) {
    char name[160], text[120];
    LpForkSpec spec = {.name = name};
    LpBranchInfo info;
    uint32_t branch;
    LP_TRY(lp_session_branch(app->session, before.branch, &info));
    snprintf(name, sizeof name, "%.*s without %s", (int)lp_str_prefix(info.name, 40), info.name,
             change);
    for (unsigned i = 2; lp_session_branch_find(app->session, name) >= 0; i++)
        snprintf(name, sizeof name, "%.*s without %s %u", (int)lp_str_prefix(info.name, 40),
                 info.name, change, i);
    LP_TRY(lp_session_fork(app->session, &spec, &branch, diag));
    app->ui.versus = (int)before.branch;
    lp_app_say(app, false, "undone: before %s, on a branch without it; %s", change,
               lp_keymap_text(&app->keymap, "{compare} compares, {redo} goes back to it", text,
                              sizeof text));
    return LP_OK;
}

/* The draft of this decision as it was left, at the first of its stages. */
static void reopen(LpApp *app) {
    app->ui.hand = app->kept;
    app->ui.hand.board = app->ui.hand.held = false;
    for (int i = LP_STAGE_COUNT - 1; i > 0; i--)
        if (app->kept.draft.word[i][0] != '\0')
            app->ui.stage = (LpStage)i;
}

void lp_app_undo(LpApp *app, bool redo) {
    LpAppTrail *from = redo ? &app->redo : &app->undo, *to = redo ? &app->undo : &app->redo;
    LpMoment now = lp_session_moment(app->session);
    LpDiag diag = {0};
    app->ui.playing = false;
    if (from->count == 0) {
        lp_app_say(app, false, redo ? "nothing was undone" : "there is no seek to undo");
        return;
    }
    LpMoment moment = from->moment[--from->count];
    const char *change = from->change[from->count];
    lp_app_arrive(app);
    LpErr err = visit(app, moment, &diag);
    LpMoment at = lp_session_moment(app->session);
    if (err == LP_OK && lp_draft_any(&app->kept.draft) && app->kept.at.branch == at.branch &&
        app->kept.at.step == at.step)
        reopen(app);
    if (err == LP_OK && *change)
        err = without(app, moment, change, &diag);
    if (!refused(app, err, &diag))
        push(to, now, "");
}

/* ---- going there ---- */

void lp_app_back(LpApp *app, bool decision) {
    LpMoment from = lp_session_moment(app->session);
    LpDiag diag = {0};
    LpErr err = decision ? lp_session_back_decision(app->session, &diag)
                         : lp_session_back(app->session, &diag);
    app->ui.playing = false;
    if (err == LP_ERANGE)
        lp_app_say(app, false, "this is the start");
    else if (!refused(app, err, &diag))
        moved(app, from);
}

/* At the end of the run: what it came to, unless something else is looked at. */
static void show_end(LpApp *app) {
    LpUiState *ui = &app->ui;
    if (!lp_app_is_over(app) || ui->only != LP_PANE_COUNT || ui->lesson.on)
        return;
    ui->only = LP_PANE_SUMMARY;
    ui->scroll = 0;
    ui->pick = -1;
}

/* Plays what is beyond the tip. */
static LpErr go(LpApp *app, const LpAt *at, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    uint64_t step = 0;
    LpErr err = lp_session_find(app->session, at->kind, at->value, &step, diag);
    if (err == LP_OK)
        err = lp_session_seek(app->session, step, diag);
    if (moved(app, from) && err == LP_OK)
        show_end(app);
    if (err == LP_OK) {
        /* A time at which nothing happens is shown as it is then, between two events. */
        const LpWorld *world = lp_session_world(app->session);
        bool between = at->kind == LP_SEEK_TIME && at->value > lp_world_now(world);
        bool still = !lp_world_over(world) && lp_world_due(world) == LP_NO_INDEX;
        app->ui.look = between && still ? at->value : 0.0;
        app->ui.look_at = lp_session_moment(app->session);
    }
    return err;
}

LpErr lp_app_seek(LpApp *app, const char *text, LpDiag *diag) {
    LpAt at;
    LP_TRY(lp_at_parse(text, &at, diag));
    LP_TRY(lp_at_resolve(lp_session_scenario(app->session), &at, diag));
    return go(app, &at, diag);
}

void lp_app_seek_time(LpApp *app, double time) {
    LpAt at = {.kind = LP_SEEK_TIME, .value = time > 0.0 ? time : 0.0};
    LpDiag diag = {0};
    refused(app, go(app, &at, &diag), &diag);
}

void lp_app_visit(LpApp *app, uint64_t step) {
    LpMoment from = lp_session_moment(app->session);
    LpDiag diag = {0};
    if (!refused(app, lp_session_seek(app->session, step, &diag), &diag))
        moved(app, from);
}

void lp_app_left(LpApp *app, LpMoment from) {
    moved(app, from);
}

void lp_app_to_end(LpApp *app, bool tip) {
    uint32_t branch = lp_session_moment(app->session).branch;
    lp_app_visit(app, tip ? lp_session_tip(app->session, branch) : 0);
    show_end(app);
}

/* ---- forks ---- */

/* "8 ways", "plan t8 p2 d4" */
static const char *print_way(const LpAnswer *answer, char out[LP_WORDS_CUT]) {
    char ways[LP_PLAN_WAYS_TEXT];
    if (answer->has_plan)
        snprintf(out, LP_WORDS_CUT, "plan %.50s", lp_plan_ways(&answer->parallel, ways));
    else
        lp_str_copy(out, LP_WORDS_CUT, lp_str_many(ways, answer->degree, "way"));
    return out;
}

static bool is_alike(const LpAnswer *a, const LpAnswer *b) {
    if (a->kind != b->kind || a->has_plan != b->has_plan)
        return false;
    return a->has_plan ? lp_parallel_same(&a->parallel, &b->parallel) : a->degree == b->degree;
}

/* What the policy would have done with the job that is due. */
static void add_instead(const LpAnswer *was, LpBuf *out) {
    char ways[LP_WORDS_CUT];
    if (was && was->kind == LP_ANSWER_RUN && was->degree > 0)
        lp_buf_addf(out, " instead of %s", print_way(was, ways));
    else if (was && was->kind != LP_ANSWER_RUN)
        lp_buf_add(out, was->kind == LP_ANSWER_WAIT ? " instead of waiting"
                                                    : " instead of being declined");
}

/* "job 5 takes 8 ways instead of 3": what became of the job, which may be another thing than what
 * was answered. */
static void add_answer(const LpApp *app, const LpAnswer *answer, const LpAnswer *was, uint32_t job,
                       LpBuf *out) {
    char ways[LP_WORDS_CUT];
    const LpJob *after = lp_world_job(lp_session_world(app->session), job);
    int outcome = after->outcome;
    lp_buf_addf(out, "%s ", lp_app_label(app, job).text);
    if (answer->kind == LP_ANSWER_RUN && outcome != LP_JOB_RUNNING && outcome != LP_JOB_COMPLETED) {
        lp_buf_add(out, outcome == LP_JOB_BLOCKED ? "is turned away" : "waits");
        if (answer->degree > 0)
            lp_buf_addf(out, " in %s", print_way(answer, ways));
        const char *why = lp_session_why(app->session, job).reason;
        if (outcome == LP_JOB_BLOCKED)
            lp_buf_addf(out, ": %s", *why ? why : lp_cause_sentence((LpCause)after->cause));
        return;
    }
    if (answer->kind == LP_ANSWER_RUN && answer->degree > 0)
        lp_buf_addf(out, "takes %s", print_way(answer, ways));
    else if (answer->kind == LP_ANSWER_RUN)
        lp_buf_add(out, "takes other servers");
    else
        lp_buf_add(out, answer->kind == LP_ANSWER_WAIT ? "waits" : "is turned away");
    bool alike = was && is_alike(was, answer);
    if (alike && answer->servers > 0)
        lp_buf_add(out, " on other servers");
    else if (!alike)
        add_instead(was, out);
}

/* "job 2 takes 48.5 ms a step, done in 4.85 s": of what words chose about it. */
static void add_price(const LpApp *app, uint32_t job, LpBuf *out) {
    const LpJob *after = lp_world_job(lp_session_world(app->session), job);
    char step[LP_SHOW_TEXT], end[LP_SHOW_TEXT];
    double left = after->times.forecast_end - lp_world_now(lp_session_world(app->session));
    if (after->outcome != LP_JOB_RUNNING || !isfinite(left)) {
        lp_buf_addf(out, "%s %s", lp_app_label(app, job).text,
                    after->outcome == LP_JOB_BLOCKED   ? "is turned away"
                    : after->outcome == LP_JOB_RUNNING ? "stands still until its circuits are lit"
                                                       : "waits");
        return;
    }
    lp_buf_addf(out, "%s takes %s a step, done in %s", lp_app_label(app, job).text,
                lp_show_seconds(after->forecast.step_time, step), lp_show_seconds(left, end));
}

/* On success the new branch is the current one. */
static LpErr fork_now(LpApp *app, const LpForkSpec *spec, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LpBranchInfo info;
    uint32_t branch;
    char shown[80], rest[100];
    LpBuf what = {0};
    LpDiag ignored;
    uint32_t due = lp_world_due(lp_session_world(app->session));
    app->ui.playing = false;
    const LpAnswer *own =
        spec->answer && due != LP_NO_INDEX ? lp_session_pending(app->session, &ignored) : NULL;
    LpAnswer was = own ? *own : (LpAnswer){0};
    LpErr err = lp_session_fork(app->session, spec, &branch, diag);
    if (err == LP_OK && lp_session_branch(app->session, branch, &info) == LP_OK) {
        moved(app, from);
        app->ui.versus = (int)from.branch;
        if (spec->words && due != LP_NO_INDEX)
            add_price(app, due, &what);
        else if (spec->answer && due != LP_NO_INDEX)
            add_answer(app, spec->answer, own ? &was : NULL, due, &what);
        else
            lp_buf_addf(&what, "%s", info.what[0] ? info.what : "nothing differs yet");
        lp_app_say(app, false, "branch %s: %s; %s", lp_str_show(shown, sizeof shown, info.name),
                   lp_buf_text(&what),
                   lp_keymap_text(&app->keymap, "{compare} compares, {undo} goes back", rest,
                                  sizeof rest));
    }
    lp_buf_fini(&what);
    return err;
}

LpErr lp_app_fork(LpApp *app, const char *text, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpErr err = arena ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a fork");
    if (err == LP_OK)
        err = lp_fork_complete(app->session, &fork, diag);
    if (err == LP_OK)
        err = fork_now(app, &fork.spec, diag);
    lp_arena_free(arena);
    return err;
}

LpErr lp_app_fork_answer(LpApp *app, const LpAnswer *answer, LpDiag *diag) {
    LpForkSpec spec = {.answer = answer};
    return fork_now(app, &spec, diag);
}

LpErr lp_app_change(LpApp *app, const char *text, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpEvent event;
    LpErr err =
        arena ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a condition");
    if (err == LP_OK && !fork.spec.condition)
        err = lp_fail(diag, LP_EINVAL, "expected one condition, such as bandwidth=0.5");
    if (err == LP_OK)
        err = lp_fork_complete(app->session, &fork, diag);
    if (err == LP_OK)
        err = lp_session_change(app->session, fork.spec.condition, &event, diag);
    lp_arena_free(arena);
    app->ui.playing = false;
    lp_app_arrive(app);
    if (err == LP_OK) {
        /* What holds from here on, and how to be rid of it. */
        char shown[60], key[40], at[LP_WORDS_TIME];
        double now = lp_world_now(lp_session_world(app->session));
        push(&app->undo, from, lp_str_show(shown, sizeof shown, text));
        app->redo.count = 0;
        lp_app_say(app, false, "from %s on: %s; %s", lp_words_time(&app->model, now, at), shown,
                   lp_keymap_text(&app->keymap, "{undo} undoes it", key, sizeof key));
    }
    return err;
}

LpErr lp_app_switch_to(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LP_TRY(lp_session_switch(app->session, branch, diag));
    if (moved(app, from))
        app->ui.versus = (int)from.branch;
    return LP_OK;
}
