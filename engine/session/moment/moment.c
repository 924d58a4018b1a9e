/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads moments, and goes there. */
#include "session/moment/moment.h"

#include <ctype.h>

#include "base/num.h"
#include "base/str.h"
#include "session/session_impl.h"
#include "sim/world.h"

enum { SHOWN = 80 };

/* ---- moments ---- */

/* As times stand on the screen: "t 12 000 s" becomes "12000 s". */
static void as_typed(const char *text, char *out, size_t size) {
    size_t len = 0;
    if (text[0] == 't' && (text[1] == ' ' || text[1] == '='))
        text += 2;
    for (size_t i = 0; text[i] && len + 1 < size; i++) {
        bool inside = i > 0 && text[i] == ' ' && isdigit((unsigned char)text[i - 1]) &&
                      isdigit((unsigned char)text[i + 1]);
        if (!inside)
            out[len++] = text[i];
    }
    out[len] = '\0';
}

LpErr lp_at_parse(const char *text, LpAt *out, LpDiag *diag) {
    static const struct {
        char letter;
        LpSeekKind kind;
    } letters[] = {{'d', LP_SEEK_DECISION}, {'e', LP_SEEK_EVENT}, {'j', LP_SEEK_JOB_FIRST}};
    char shown[SHOWN], typed[SHOWN];
    uint64_t number;
    double time;
    LpDate date;
    for (size_t i = 0; i < LP_COUNTOF(letters); i++) {
        if (text[0] != letters[i].letter || lp_num_parse_u64(text + 1, &number, NULL) != LP_OK)
            continue;
        *out = (LpAt){.kind = letters[i].kind, .value = (double)number};
        return LP_OK;
    }
    if (lp_date_parse(text, &date) == LP_OK) {
        *out = (LpAt){.kind = LP_SEEK_TIME, .dated = true, .date = date};
        return LP_OK;
    }
    as_typed(text, typed, sizeof typed);
    if (lp_quantity_parse(typed, LP_DIM_TIME, &time, NULL) != LP_OK || !(time >= 0))
        return lp_fail(
            diag, LP_EINVAL,
            "\"%s\" is no moment: expected d57 (a decision), e120 (an event), j12 (a "
            "job's decision), a time such as \"4000 s\" or, where the scenario has an epoch, "
            "a date such as \"2026-03-02 14:05\"",
            lp_str_show(shown, sizeof shown, text));
    *out = (LpAt){.kind = LP_SEEK_TIME, .value = time};
    return LP_OK;
}

LpErr lp_at_resolve(const LpScenario *scenario, LpAt *at, LpDiag *diag) {
    char zero[LP_DATE_TEXT];
    if (at->kind != LP_SEEK_TIME)
        return LP_OK;
    if (!at->dated) {
        at->value = lp_scenario_moment(scenario, at->value);
        return LP_OK;
    }
    if (lp_scenario_moment_of(scenario, &at->date, &at->value) == LP_OK) {
        at->dated = false;
        return LP_OK;
    }
    lp_scenario_date(scenario, 0, LP_DATE_PLAIN, zero);
    return *zero ? lp_fail(diag, LP_ERANGE, "the run begins at %s: expected a later date", zero)
                 : lp_fail(diag, LP_ERANGE,
                           "the scenario says by no \"epoch\" when its times are: expected a time "
                           "such as \"4000 s\"");
}

/* Is the moment here (1), still to come (0), or past (-1)? */
static int place_of(const LpSession *s, const LpAt *at) {
    const LpWorld *w = s->world;
    const LpTally *tally = lp_world_tally(w);
    uint32_t due = lp_world_due(w);
    double have = 0;
    switch (at->kind) {
    case LP_SEEK_TIME:
        return lp_world_next_time(w, s->context) > at->value ? 1 : 0;
    case LP_SEEK_DECISION:
        have = (double)tally->decisions;
        return have > at->value ? -1 : have == at->value && due != LP_NO_INDEX;
    case LP_SEEK_EVENT:
        have = (double)tally->events - 1; /* number of the last one */
        return have > at->value ? -1 : have == at->value;
    default:
        if ((double)due == at->value)
            return 1;
        return (double)lp_world_jobs(w) > at->value ? -1 : 0;
    }
}

static LpErr fail_moment(const LpSession *s, const LpAt *at, bool past, LpDiag *diag) {
    static const char *const what[] = {[LP_SEEK_TIME] = "time",
                                       [LP_SEEK_DECISION] = "decision",
                                       [LP_SEEK_EVENT] = "event",
                                       [LP_SEEK_JOB_FIRST] = "decision about job",
                                       [LP_SEEK_JOB_LAST] = "decision about job"};
    const LpTally *tally = lp_world_tally(s->world);
    return lp_fail(diag, LP_ERANGE,
                   "there is no %s %.15g: the run %s at %.6g s after %llu decisions",
                   what[at->kind], at->value, past ? "is already past it," : "ended",
                   lp_world_now(s->world), (unsigned long long)tally->decisions);
}

LpErr lp_session_go_while(LpSession *s, const LpAt *at, LpProgress progress, void *user,
                          bool *stopped, LpDiag *diag) {
    LpEvent event;
    uint64_t step;
    int place;
    LpAt own = *at;
    LP_TRY(lp_at_resolve(s->scenario, &own, diag));
    at = &own;
    *stopped = false;
    if (s->timeline != NULL) {
        LP_TRY(lp_session_find(s, at->kind, at->value, &step, diag));
        return lp_session_seek(s, step, diag);
    }
    while ((place = place_of(s, at)) == 0) {
        if (lp_world_over(s->world))
            return at->kind == LP_SEEK_TIME ? LP_OK : fail_moment(s, at, false, diag);
        if (progress != NULL && !progress(user, s)) {
            *stopped = true;
            return LP_OK;
        }
        LP_TRY(lp_session_step(s, &event, diag));
    }
    return place > 0 ? LP_OK : fail_moment(s, at, true, diag);
}

LpErr lp_session_go(LpSession *s, const LpAt *at, LpDiag *diag) {
    bool stopped;
    return lp_session_go_while(s, at, NULL, NULL, &stopped, diag);
}
