/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the decision to blame for a job's trouble, and forks there. */
#include <stdio.h>

#include "app/fork/fork.h"
#include "app/show/show.h"
#include "base/num.h"

/* Is the job blocked, waiting, or later than its deadline? */
static bool in_trouble(const LpJob *job) {
    bool done = job->outcome == LP_JOB_COMPLETED;
    if (job->outcome == LP_JOB_BLOCKED || job->outcome == LP_JOB_WAITING)
        return true;
    double end = done                             ? job->times.end
                 : job->outcome == LP_JOB_RUNNING ? job->times.forecast_end
                                                  : 0.0;
    return end > lp_job_deadline(job);
}

/* The job of the last event about one in trouble, LP_NO_INDEX without one. */
static uint32_t last_in_trouble(const LpSession *session) {
    const LpWorld *world = lp_session_world(session);
    for (size_t i = lp_session_events(session); i-- > 0;) {
        uint32_t job = lp_session_event(session, i)->job;
        if (job < lp_world_jobs(world) && in_trouble(lp_world_job(world, job)))
            return job;
    }
    return LP_NO_INDEX;
}

/* ": 12 degrees, 4 blocks, 2 orders of ops" */
static void add_kinds(const LpBlame *b, LpBuf *out) {
    static const struct {
        LpBlameKind kind;
        const char *one, *many;
    } names[] = {
        {LP_BLAME_DEGREE, "degree", "degrees"},
        {LP_BLAME_BLOCK, "place", "places"},
        {LP_BLAME_ORDER_OPS, "order of ops", "orders of ops"},
        {LP_BLAME_CIRCUITS, "way to set circuits", "ways to set circuits"},
        {LP_BLAME_ORDER_FLOWS, "order of flows", "orders of flows"},
        {LP_BLAME_WAIT, "wait", "waits"},
    };
    bool some = false;
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        uint32_t tried = b->tried[names[i].kind];
        if (tried > 0)
            lp_buf_addf(out, "%s %u %s", some ? "," : ":", (unsigned)tried,
                        tried == 1 ? names[i].one : names[i].many);
        some = some || tried > 0;
    }
}

static void show(LpApp *app) {
    const LpBlame *b = &app->blamed.blame;
    LpBuf text = {0};
    char title[32 + LP_LABEL_TEXT], time[64];
    lp_buf_addf(&text, "%s\n", b->text);
    lp_buf_addf(&text,
                "# How this was found\ntried\t%u single change%s to decisions, the latest first",
                (unsigned)b->replays, b->replays == 1 ? "" : "s");
    add_kinds(b, &text);
    lp_buf_addf(&text, "\nin the way\t%u job%s\n", (unsigned)b->in_the_way,
                b->in_the_way == 1 ? "" : "s");
    if (b->kind != LP_BLAME_NOTHING) {
        lp_buf_addf(&text, "decision\td%llu about %s, t %s\n", (unsigned long long)b->decision,
                    lp_app_label(app, b->by).text,
                    lp_quantity_print(b->decided, LP_DIM_TIME, time, sizeof time));
        lp_buf_add(&text, "# Keys\nEnter\ta branch with that change\nEsc\tclose\n");
    }
    snprintf(title, sizeof title, "blame: %s", lp_app_label(app, b->job).text);
    lp_app_page(app, title, &text);
    app->blamed.shown = b->kind != LP_BLAME_NOTHING;
    lp_buf_fini(&text);
}

LpErr lp_app_blame(LpApp *app, uint32_t job, LpDiag *diag) {
    app->ui.playing = false;
    if (job == LP_NO_INDEX)
        job = last_in_trouble(app->session);
    if (job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no job was blocked, late or left waiting up to here");
    LP_TRY(lp_blame_job(app->session, job, &app->blamed.blame, diag));
    show(app);
    return LP_OK;
}

static LpErr fork_there(LpApp *app, LpDiag *diag) {
    const LpBlame *b = &app->blamed.blame;
    bool waits = b->kind == LP_BLAME_WAIT;
    LpAnswer answer = {.kind = waits ? LP_ANSWER_WAIT : LP_ANSWER_RUN,
                       .degree = waits ? 0 : b->would,
                       .servers = b->kind == LP_BLAME_BLOCK ? b->servers : 0,
                       .server = b->kind == LP_BLAME_BLOCK ? b->server : NULL,
                       .why = "to let another job in"};
    char text[40];
    snprintf(text, sizeof text, "d%llu", (unsigned long long)b->decision);
    LP_TRY(lp_app_seek(app, text, diag));
    return b->words ? lp_app_fork(app, b->words, diag) : lp_app_fork_answer(app, &answer, diag);
}

/* Both clusters at the decision about the job in trouble, the one with the change in front. */
static LpErr compare_there(LpApp *app, LpDiag *diag) {
    char text[40];
    snprintf(text, sizeof text, "j%u", (unsigned)app->blamed.blame.job);
    if (app->blamed.blame.job != app->blamed.blame.by)
        LP_TRY(lp_app_seek(app, text, diag));
    app->ui.focus_job = app->blamed.blame.job + 1;
    return lp_app_compare(app, NULL, diag);
}

static void tell(LpApp *app) {
    const LpBlame *b = &app->blamed.blame;
    char ways[LP_MANY_TEXT], rest[60];
    LpBuf text = {0};
    lp_buf_addf(&text, "%s ", lp_app_label(app, b->by).text);
    if (b->kind == LP_BLAME_WAIT)
        lp_buf_add(&text, "waits");
    else if (b->kind == LP_BLAME_BLOCK)
        lp_buf_add(&text, "takes other servers");
    else if (b->words)
        lp_buf_addf(&text, "has %s, not %s", b->would_so, b->was_so);
    else
        lp_buf_addf(&text, "takes %s, not %u", lp_str_many(ways, b->would, "way"),
                    (unsigned)b->was);
    lp_app_say(app, false, "%s: so %s %s; %s", lp_buf_text(&text), lp_app_label(app, b->job).text,
               b->trouble == LP_TROUBLE_LATE ? "is in time" : "gets in",
               lp_keymap_text(&app->keymap, "{next-decision} shows it, {undo} goes back", rest,
                              sizeof rest));
    lp_buf_fini(&text);
}

void lp_app_take_blame(LpApp *app) {
    LpDiag diag = {0};
    app->ui.page = NULL;
    app->blamed.shown = false;
    if (fork_there(app, &diag) != LP_OK || compare_there(app, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
    else
        tell(app);
}
