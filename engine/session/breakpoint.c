/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and questions. */
#include "session/breakpoint.h"

#include <string.h>

#include "base/num.h"
#include "script/query.h"
#include "session/player/services.h"
#include "session/session_impl.h"

enum { SHOWN = 60 };

typedef enum BreakKind { BREAK_EVENT, BREAK_CAUSE, BREAK_JOB, BREAK_LUA } BreakKind;

struct LpBreak {
    char *text;
    BreakKind kind;
    uint32_t number; /* LpEventKind, LpCause, or job */
    LpQuery *query;
    bool held; /* the Lua condition, when it was looked at last */
};

/* ---- reading ---- */

static LpErr fail_name(const char *what, const char *name, const char *const *names, size_t count,
                       LpDiag *diag) {
    char shown[SHOWN];
    int near = lp_str_nearest(name, names, count);
    return lp_fail(diag, LP_EINVAL, "unknown %s \"%s\"%s%s%s", what,
                   lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean \"" : "",
                   near >= 0 ? names[near] : "", near >= 0 ? "\"" : "");
}

static LpErr read_event(LpBreak *b, const char *name, LpDiag *diag) {
    const char *names[LP_EVENT_COUNT];
    size_t count = 0;
    b->kind = BREAK_EVENT;
    for (int k = LP_EVENT_NONE + 1; k < LP_EVENT_COUNT; k++) {
        names[count++] = lp_event_name((LpEventKind)k);
        b->number = (uint32_t)k;
        if (strcmp(name, names[count - 1]) == 0)
            return LP_OK;
    }
    return fail_name("event", name, names, count, diag);
}

static LpErr read_cause(LpBreak *b, const char *name, LpDiag *diag) {
    const char *names[LP_CAUSE_COUNT];
    size_t count = 0;
    b->kind = BREAK_CAUSE;
    for (int c = LP_CAUSE_NONE + 1; c < LP_CAUSE_COUNT; c++) {
        names[count++] = lp_cause_code((LpCause)c);
        b->number = (uint32_t)c;
        if (strcmp(name, names[count - 1]) == 0)
            return LP_OK;
    }
    return fail_name("cause", name, names, count, diag);
}

static LpErr read_job(LpBreak *b, const char *text, LpDiag *diag) {
    uint64_t job;
    char shown[SHOWN];
    if (lp_num_parse_u64(text, &job, NULL) != LP_OK || job >= UINT32_MAX)
        return lp_fail(diag, LP_EINVAL, "job \"%s\": expected a job's number",
                       lp_str_show(shown, sizeof shown, text));
    b->kind = BREAK_JOB;
    b->number = (uint32_t)job;
    return LP_OK;
}

/* The rest of the text after a word and blanks, if it is a single word; NULL otherwise. */
static const char *after(const char *text, const char *word) {
    size_t len = strlen(word);
    if (strncmp(text, word, len) != 0 || text[len] != ' ')
        return NULL;
    const char *rest = text + len + strspn(text + len, " ");
    return rest[0] != '\0' && rest[strspn(rest, "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0'
               ? rest
               : NULL;
}

static LpErr read_break(LpBreak *b, const LpSession *s, LpDiag *diag) {
    const char *rest;
    if ((rest = after(b->text, "event")) != NULL)
        return read_event(b, rest, diag);
    if ((rest = after(b->text, "cause")) != NULL)
        return read_cause(b, rest, diag);
    if ((rest = after(b->text, "job")) != NULL)
        return read_job(b, rest, diag);
    LpScriptServices services = lp_services(NULL);
    b->kind = BREAK_LUA;
    return lp_query_new(b->text, s->scenario, &services, &b->query, diag);
}

LpErr lp_break_new(const LpSession *s, const char *text, LpBreak **out, LpDiag *diag) {
    LpBreak *b = lp_alloc(1, sizeof *b);
    size_t len = strlen(text);
    if (b != NULL)
        b->text = lp_alloc(len + 1, 1);
    if (b == NULL || b->text == NULL) {
        lp_break_free(b);
        return lp_fail_memory(diag, "a breakpoint");
    }
    memcpy(b->text, text, len);
    LpErr err = read_break(b, s, diag);
    if (err != LP_OK)
        lp_break_free(b);
    else
        *out = b;
    return err;
}

void lp_break_free(LpBreak *b) {
    if (b == NULL)
        return;
    lp_query_free(b->query);
    lp_free(b->text);
    lp_free(b);
}

const char *lp_break_text(const LpBreak *b) {
    return b->text;
}

/* ---- looking ---- */

static bool has_cause(const LpBreak *b, const LpSession *s, const LpEvent *event) {
    return lp_event_is(event->kind, LP_EVENT_LOSES) && event->job != LP_NO_INDEX &&
           lp_world_job(s->world, event->job)->cause == b->number;
}

LpErr lp_break_hit(LpBreak *b, const LpSession *s, const LpEvent *event, bool *hit, LpDiag *diag) {
    bool holds = false;
    switch (b->kind) {
    case BREAK_EVENT:
        *hit = (uint32_t)event->kind == b->number;
        return LP_OK;
    case BREAK_CAUSE:
        *hit = has_cause(b, s, event);
        return LP_OK;
    case BREAK_JOB:
        *hit = event->job == b->number;
        return LP_OK;
    case BREAK_LUA:
        break;
    }
    LpErr err = lp_query_ask(b->query, s->context, s->world, &holds, NULL, diag);
    if (err != LP_OK && err != LP_ERANGE) /* a job that has not arrived: not yet */
        return err;
    *hit = holds && !b->held;
    b->held = holds;
    return LP_OK;
}

LpErr lp_session_run_until(LpSession *s, LpBreak *b, LpProgress progress, void *user, bool *hit,
                           LpDiag *diag) {
    LpEvent event;
    *hit = false;
    while (!*hit && !lp_world_over(s->world) && (progress == NULL || progress(user, s))) {
        LP_TRY(lp_session_step(s, &event, diag));
        LP_TRY(lp_break_hit(b, s, &event, hit, diag));
    }
    return LP_OK;
}

/* ---- questions ---- */

LpErr lp_session_query(const LpSession *s, const char *text, LpBuf *out, LpDiag *diag) {
    LpScriptServices services = lp_services(NULL);
    LpQuery *query;
    LP_TRY(lp_query_new(text, s->scenario, &services, &query, diag));
    LpErr err = lp_query_ask(query, s->context, s->world, NULL, out, diag);
    lp_query_free(query);
    return err;
}
