/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Staging a step: it owns its whole screen. Its run is a session of its own, opened anew whenever
 * the step is come to, so that nothing of what was looked at before is left on it, and from its
 * first decision on its commands are done. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/keep/keep.h"
#include "app/play/play.h"
#include "app/show/show.h"
#include "app/teach/teach.h"
#include "host/paths.h"
#include "model/lesson/lesson.h"
#include "session/file.h"
#include "session/variant.h"

enum { PARAMS_MOST = 16 };

/* ---- another session on the screen ---- */

/* Takes ownership, unless it fails: then all is as it was. */
static LpErr show_session(LpApp *app, LpSession *session, LpDiag *diag) {
    LpModel fresh = {0};
    LpErr err = lp_model_open(&fresh, lp_app_views(), diag);
    if (err != LP_OK) {
        lp_model_fini(&fresh);
        return err;
    }
    lp_app_record_played(app);
    /* What was kept of the session that is left: nothing of it is true of the next one. */
    LpUiState *ui = &app->ui;
    lp_app_stop(app);
    lp_app_drop_ghost(app);
    lp_app_drop_breaks(app);
    lp_app_close_page(app);
    if (app->file.save && app->file.of == app->own && app->own) {
        lp_save_close(app->file.save, app->own);
        app->file.save = NULL;
    }
    app->undo.count = app->redo.count = 0;
    app->gone_to = (LpGoneTo){0};
    ui->bookmarks = ui->pointers = 0;
    ui->focus_job = 0;
    ui->network = 0;
    ui->ask[0] = '\0';
    ui->prompt.open = false;
    ui->by_hand = 0;
    lp_model_fini(&app->model);
    app->model = fresh;
    lp_session_close(app->own);
    app->session = app->own = session;
    lp_session_watch(session, app->watches);
    lp_model_attach(&app->model, session, &app->ui);
    lp_app_record_from_here(app);
    app->dirty = true;
    return LP_OK;
}

/* ---- the run of a step ---- */

/* A file beside the lesson, or among its solutions; else the name as it is. */
static const char *beside(const LpApp *app, const char *name, char *path, size_t size) {
    static const char *const folders[] = {"", "solutions/"};
    const char *file = lp_session_scenario(app->base)->file;
    const char *slash = file && name[0] != '/' ? strrchr(file, '/') : NULL;
    for (size_t i = 0; slash && i < LP_COUNTOF(folders); i++) {
        int len = snprintf(path, size, "%.*s/%s%s", (int)(slash - file), file, folders[i], name);
        if (len > 0 && (size_t)len < size && access(path, R_OK) == 0)
            return path;
    }
    return name;
}

static LpErr open_scenario(const LpApp *app, const char *name, LpSessionSpec *spec, LpSession **out,
                           LpDiag *diag) {
    char path[LP_PATH_TEXT], shown[160];
    bool is_file = strchr(name, '/') || strchr(name, '.');
    if (!is_file && !lp_paths_scenario(name, path, sizeof path))
        return lp_fail(diag, LP_EINVAL, "there is no scenario \"%s\"",
                       lp_str_show(shown, sizeof shown, name));
    spec->scenario = is_file ? beside(app, name, path, sizeof path) : path;
    return lp_session_open(spec, out, diag);
}

/* The policy of the run is that of the session on the screen, so that what the step says of its
 * parameters is told to that one: "x=1" of "policy.params.x=1". Returns how many. */
static uint32_t params_of(const LpLessonSetup *run, const char **param) {
    static const char path[] = "policy.params.";
    uint32_t params = 0;
    for (uint32_t i = 0; i < run->sets && params < PARAMS_MOST; i++)
        if (strncmp(run->set[i], path, sizeof path - 1) == 0)
            param[params++] = run->set[i] + sizeof path - 1;
    return params;
}

static LpErr open_run(const LpApp *app, const LpLessonSetup *run, LpSession **out, LpDiag *diag) {
    char policy[LP_PATH_TEXT];
    const char *param[PARAMS_MOST];
    LpSessionSpec spec = {
        .keep_explain = true, .keep_timeline = true, .log = lp_session_context(app->base)->log};
    if (!run)
        return lp_session_variant(app->base, &spec, out, diag);
    spec.sets = run->sets;
    spec.set = run->set;
    spec.policy = run->policy ? beside(app, run->policy, policy, sizeof policy) : NULL;
    spec.has_seed = run->has_seed;
    spec.seed = run->seed;
    if (!run->scenario) {
        spec.params = params_of(run, param);
        spec.param = param;
    }
    return run->scenario ? open_scenario(app, run->scenario, &spec, out, diag)
                         : lp_session_variant(app->base, &spec, out, diag);
}

/* What is wrong stands behind its place in the lesson's file. */
static LpErr fail_at(const LpApp *app, int line, int col, const char *what, const LpDiag *cause,
                     LpDiag *diag) {
    const char *file = lp_session_scenario(app->base)->file;
    char text[LP_DIAG_FILE + LP_DIAG_TEXT];
    return lp_fail_at(diag, cause->code, file ? file : "lesson", line, col, "%s%s", what,
                      lp_diag_format(cause, text, sizeof text));
}

static LpErr show_run(LpApp *app, const LpLessonStep *step, LpDiag *diag) {
    LpSession *session = NULL;
    LpDiag cause = {0};
    LpErr err = open_run(app, step->run, &session, &cause);
    if (err != LP_OK && step->run)
        return fail_at(app, step->run->line, step->run->col, "", &cause, diag);
    if (err == LP_OK && (err = show_session(app, session, &cause)) != LP_OK)
        lp_session_close(session);
    if (err != LP_OK) {
        *diag = cause;
        return err;
    }
    lp_app_to_decision(app);
    return lp_app_draw(app, diag); /* commands look at what is shown */
}

/* ---- its commands ---- */

static LpErr run_command(LpApp *app, const LpLessonCommand *command, const char *verb, int64_t now,
                         LpDiag *diag) {
    LpUiLine line;
    LpDiag cause = {0};
    char text[LP_POINTER_TEXT + 16], what[160];
    bool whole = !verb[0];
    if (!whole)
        snprintf(text, sizeof text, "%s %s", verb, command->text);
    LpErr err = lp_ui_command_read(whole ? command->text : text, &line, &cause);
    if (err == LP_OK && (line.command == LP_UI_COMMAND_LESSON ||
                         line.command == LP_UI_COMMAND_QUIT || line.command == LP_UI_COMMAND_OPEN))
        err = lp_fail(&cause, LP_EINVAL, "a step cannot do that");
    if (err == LP_OK)
        err = app->run(app, &line, now, &cause);
    app->dirty = true;
    if (err == LP_OK)
        err = lp_app_draw(app, &cause);
    if (err == LP_OK)
        return LP_OK;
    snprintf(what, sizeof what, "\"%.120s\": ", command->text);
    return fail_at(app, command->line, command->col, what, &cause, diag);
}

static LpErr run_commands(LpApp *app, const LpLessonCommand *command, uint32_t count,
                          const char *verb, int64_t now, LpDiag *diag) {
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(run_command(app, &command[i], verb, now, diag));
    return LP_OK;
}

/* What has been answered changes what is shown: the truth, or something to look at. */
static LpErr run_answer(LpApp *app, uint32_t index, int64_t now, LpDiag *diag) {
    const LpLessonState *l = &app->ui.lesson;
    const LpLessonQuestion *q = l->lesson->step[index].question;
    int last = l->last[index];
    if (!q)
        return LP_OK;
    if (l->told[index])
        return run_commands(app, q->show, q->shows, "", now, diag);
    if (last < 0)
        return LP_OK;
    return run_commands(app, q->choice[last].look, q->choice[last].looks, "", now, diag);
}

LpErr lp_app_stage_step(LpApp *app, int64_t now, LpDiag *diag) {
    LpLessonState *l = &app->ui.lesson;
    const LpLessonStep *step = &l->lesson->step[l->step];
    l->exercise = false;
    if (!l->tour) /* that is about the run that one is in */
        LP_TRY(show_run(app, step, diag));
    /* The screen as it is at first: a step says all that it wants otherwise. */
    LpHost host = lp_app_host(app, 0);
    LpUiState *ui = &app->ui;
    lp_app_show(app, LP_PANE_COUNT);
    ui->playing = ui->explain = ui->completed_only = ui->focus = false;
    ui->versus = -1;
    ui->pointers = 0;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (lp_app_view((LpPane)pane)->clean)
            lp_app_view((LpPane)pane)->clean(&host);
    lp_app_arrive(app);
    LP_TRY(run_commands(app, step->command, step->commands, "", now, diag));
    l->points = app->dirty = true;
    LP_TRY(lp_app_draw(app, diag)); /* its panes are where they will be marked */
    LP_TRY(run_commands(app, step->mark, step->marks, "mark", now, diag));
    LP_TRY(run_answer(app, l->step, now, diag));
    l->passing = l->moved = false;
    l->only = ui->only;
    l->points = app->dirty = true;
    app->ui.message[0] = '\0'; /* what the commands said is not what the reader did */
    app->ui.message_bad = false;
    return LP_OK;
}
