/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mode for screen readers: no screen, no boxes, one event per line, stepped by commands. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "front/front.h"
#include "moment/picture/words.h"
#include "term/output.h"

/* Where lines go, and the line that is being made. */
typedef struct Voice {
    LpOutput output;
    LpBuf text;
} Voice;

/* Lines of it, with what a terminal must not see escaped: names and reasons are what others wrote.
 */
static void say(Voice *voice, const char *fmt, ...) LP_PRINTF(2, 3);
static void say(Voice *voice, const char *fmt, ...) {
    LpBuf text = {0};
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    lp_str_escape_lines(&voice->text, lp_buf_text(&text), text.len);
    voice->text.failed |= text.failed;
    lp_buf_fini(&text);
}

/* At once: a person waits for it. */
static LpErr speak(Voice *voice, LpDiag *diag) {
    LpErr err = lp_output_add(&voice->output, &voice->text, diag);
    lp_buf_clear(&voice->text);
    return err;
}

/* One line per way to decide. */
static void print_candidates(Voice *voice, const LpModel *model) {
    char jct[LP_SHOW_TEXT], percent[LP_SHOW_TEXT], why[400], split[LP_WORDS_CUT];
    for (uint32_t i = 0; i < model->decision.count; i++) {
        const LpCandidate *c = &model->decision.candidate[i];
        lp_words_split_of(c, split);
        if (!c->forecast.feasible)
            say(voice, "%s: %s\n", split,
                c->forecast.why[0] ? lp_str_show(why, sizeof why, c->forecast.why)
                                   : lp_cause_sentence(c->forecast.cause));
        else
            say(voice, "%s: JCT %s%s%s%s, %u server%s free%s\n", split,
                lp_show_seconds(c->forecast.jct, jct), isfinite(c->of_limit) ? ", " : "",
                isfinite(c->of_limit) ? lp_show_percent(c->of_limit, percent) : "",
                isfinite(c->of_limit) ? " of the limit" : "", (unsigned)c->free_after,
                c->free_after == 1 ? " stays" : "s stay", c->chosen ? ", the policy's choice" : "");
    }
    if (model->decision.count == 0)
        say(voice, "no decision is due\n");
}

static void print_ledger(Voice *voice, const LpModel *model) {
    const LpTally *tally = lp_world_tally(model->world);
    say(voice,
        "arrived %llu, done %llu, running %llu, waiting %llu, blocked %llu, aborted %llu, "
        "unfinished %llu, busy %u of %u servers\n",
        (unsigned long long)tally->arrived, (unsigned long long)tally->completed,
        (unsigned long long)tally->running, (unsigned long long)tally->waiting,
        (unsigned long long)tally->blocked, (unsigned long long)tally->aborted,
        (unsigned long long)tally->unfinished, (unsigned)tally->busy_servers,
        (unsigned)lp_world_servers(model->world));
}

/* Everything that has happened since event *from. */
static LpErr print_news(Voice *voice, LpModel *model, LpSession *session, const LpUiState *ui,
                        size_t *from, LpDiag *diag) {
    LP_TRY(lp_model_update(model, session, ui, diag));
    for (; *from < lp_session_events(session); (*from)++) {
        const LpEvent *event = lp_session_event(session, *from);
        char at[LP_WORDS_TIME];
        LpBuf text = {0}, safe = {0};
        lp_words_event(model, event, &text);
        lp_str_escape(&safe, lp_buf_text(&text), text.len); /* its newlines, too */
        say(voice, "%s: %s%s\n", lp_words_at(model, event->time, at),
            event->kind == LP_EVENT_START ? "start of " : "", lp_buf_text(&safe));
        lp_buf_fini(&text);
        lp_buf_fini(&safe);
    }
    return speak(voice, diag);
}

static LpErr run_line(Voice *voice, LpSession *session, const LpModel *model, char command,
                      LpDiag *diag) {
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
        print_candidates(voice, model);
        return LP_OK;
    case 'l':
        print_ledger(voice, model);
        return LP_OK;
    default:
        say(voice,
            "Enter or ]: next event, n: next decision, c: ways to decide, l: ledger, q: quit\n");
        return LP_OK;
    }
}

static LpErr converse(Voice *voice, LpSession *session, LpModel *model, LpDiag *diag) {
    LpUiState ui = {.only = LP_PANE_COUNT, .row = -1};
    size_t seen = 0;
    char line[256], name[200];
    LP_TRY(print_news(voice, model, session, &ui, &seen, diag));
    say(voice, "%s: Enter steps to the next event, ? lists the commands\n",
        lp_str_show(name, sizeof name, model->scenario->name));
    LP_TRY(speak(voice, diag));
    while (fgets(line, sizeof line, stdin) && line[0] != 'q') {
        if (lp_world_over(lp_session_world(session)) && strchr("\n]n", line[0]))
            say(voice, "the run is over\n");
        else
            LP_TRY(run_line(voice, session, model, line[0], diag));
        LP_TRY(print_news(voice, model, session, &ui, &seen, diag));
    }
    return LP_OK;
}

int lp_ui_run_plain(LpSession *session, LpDiag *diag) {
    LpModel model = {0};
    Voice voice = {.output = lp_output_standard()};
    LpErr err = converse(&voice, session, &model, diag);
    lp_buf_fini(&voice.text);
    lp_model_fini(&model);
    return err == LP_OK ? 0 : 1;
}
