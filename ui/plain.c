/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mode for screen readers: no screen, no boxes, one event per line, stepped by commands. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "view.h"

/* Lines of it, with what a terminal must not see escaped: names and reasons are what others wrote.
 */
static void say(const char *fmt, ...) LP_PRINTF(1, 2);
static void say(const char *fmt, ...) {
    LpBuf text = {0}, safe = {0};
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    lp_str_escape_lines(&safe, lp_buf_text(&text), text.len);
    fputs(lp_buf_text(&safe), stdout);
    lp_buf_fini(&text);
    lp_buf_fini(&safe);
}

static void print_event(const LpModel *model, const LpEvent *event) {
    char at[LP_SHOW_TEXT];
    LpBuf text = {0}, safe = {0};
    lp_view_event_text(model, event, &text);
    lp_str_escape(&safe, lp_buf_text(&text), text.len); /* its newlines, too */
    say("%s s: %s%s\n", lp_show_clock(event->time, model->marks.scale, at),
        event->kind == LP_EVENT_START ? "start of " : "", lp_buf_text(&safe));
    lp_buf_fini(&text);
    lp_buf_fini(&safe);
}

/* One line per way to decide. */
static void print_candidates(const LpModel *model) {
    char jct[LP_SHOW_TEXT], percent[LP_SHOW_TEXT], why[400];
    for (uint32_t i = 0; i < model->decision.count; i++) {
        const LpCandidate *c = &model->decision.candidate[i];
        if (!c->forecast.feasible)
            say("%u ways: %s\n", (unsigned)c->degree,
                c->forecast.why[0] ? lp_str_show(why, sizeof why, c->forecast.why)
                                   : lp_cause_sentence(c->forecast.cause));
        else
            say("%u ways: JCT %s, %s of the limit, %u servers stay free%s\n", (unsigned)c->degree,
                lp_show_seconds(c->forecast.jct, jct), lp_show_percent(c->of_limit, percent),
                (unsigned)c->free_after, c->chosen ? ", the policy's choice" : "");
    }
    if (model->decision.count == 0)
        say("no decision is due\n");
}

static void print_ledger(const LpModel *model) {
    const LpTally *tally = lp_world_tally(model->world);
    say("arrived %llu, done %llu, running %llu, waiting %llu, blocked %llu, unfinished %llu, "
        "busy %u of %u servers\n",
        (unsigned long long)tally->arrived, (unsigned long long)tally->completed,
        (unsigned long long)tally->running, (unsigned long long)tally->waiting,
        (unsigned long long)tally->blocked, (unsigned long long)tally->unfinished,
        (unsigned)tally->busy_servers, (unsigned)lp_world_servers(model->world));
}

/* Everything that has happened since event *from. */
static LpErr print_news(LpModel *model, LpSession *session, const LpUiState *ui, size_t *from,
                        LpDiag *diag) {
    LP_TRY(lp_model_update(model, session, ui, diag));
    for (; *from < lp_session_events(session); (*from)++)
        print_event(model, lp_session_event(session, *from));
    fflush(stdout);
    return LP_OK;
}

static LpErr run_line(LpSession *session, const LpModel *model, char command, LpDiag *diag) {
    LpEvent event;
    bool due = lp_world_due(model->world) != LP_NO_INDEX;
    switch (command) {
    case '\n':
    case ']':
        return lp_session_step(session, &event, diag);
    case 'n':
        if (due)
            LP_TRY(lp_session_step(session, &event, diag));
        if (lp_world_due(lp_session_world(session)) != LP_NO_INDEX)
            return LP_OK;
        return lp_session_to_decision(session, &event, diag);
    case 'c':
        print_candidates(model);
        return LP_OK;
    case 'l':
        print_ledger(model);
        return LP_OK;
    default:
        say("Enter or ]: next event, n: next decision, c: ways to decide, l: ledger, q: quit\n");
        return LP_OK;
    }
}

int lp_ui_run_plain(LpSession *session, LpDiag *diag) {
    LpUiState ui = {.only = LP_PANE_COUNT, .row = -1};
    LpModel model = {0};
    size_t seen = 0;
    char line[256], name[200];
    LpErr err = print_news(&model, session, &ui, &seen, diag);
    if (err == LP_OK)
        say("%s: Enter steps to the next event, ? lists the commands\n",
            lp_str_show(name, sizeof name, model.scenario->name));
    fflush(stdout);
    while (err == LP_OK && fgets(line, sizeof line, stdin) && line[0] != 'q') {
        if (lp_world_over(lp_session_world(session)) && strchr("\n]n", line[0])) {
            say("the run is over\n");
            continue;
        }
        err = run_line(session, &model, line[0], diag);
        if (err == LP_OK)
            err = print_news(&model, session, &ui, &seen, diag);
    }
    lp_model_fini(&model);
    return err == LP_OK ? 0 : 1;
}
