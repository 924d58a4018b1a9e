/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts: their words, and their price. */
#include "ask/draft/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/moment/moment.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/light/circuits.h"
#include "sim/world.h"

enum { RELIT_STEPS = 64 }; /* events for which a price waits until circuits are lit */

bool lp_draft_any(const LpDraft *draft) {
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        if (draft->word[i][0] != '\0')
            return true;
    return false;
}

const char *lp_draft_text(const LpDraft *draft, char out[LP_STAGE_COUNT * LP_DRAFT_WORDS]) {
    out[0] = '\0';
    for (int i = 0; i < LP_STAGE_COUNT; i++) {
        if (draft->word[i][0] == '\0')
            continue;
        if (out[0] != '\0')
            strcat(out, " ");
        strcat(out, draft->word[i]);
    }
    return out;
}

void lp_draft_names(const LpDraft *draft, LpBuf *out) {
    bool some = false;
    for (int i = 0; i < LP_STAGE_COUNT; i++) {
        if (draft->word[i][0] == '\0')
            continue;
        lp_buf_addf(out, "%s%s", some ? ", " : "draft: ", lp_stage_name((LpStage)i));
        some = true;
    }
}

/* ---- price ---- */

static void judge(const LpSession *s, uint32_t id, LpPrice *out) {
    const LpJob *job = lp_world_job(s->world, id);
    double waited = lp_world_now(s->world) - job->asked.arrival;
    out->of_limit = out->possible ? lp_job_of_limit(job, waited + out->jct) : (double)NAN;
    out->late = out->possible && out->forecast.cause == LP_CAUSE_DEADLINE;
}

static LpErr predict(LpSession *s, uint32_t job, const LpAnswer *answer, LpPrice *out,
                     LpDiag *diag) {
    LpForecast *f = &out->forecast;
    LP_TRY(lp_world_predict(s->world, s->context, job, answer, f, diag));
    out->possible = f->feasible;
    out->step_time = f->step_time;
    out->jct = f->jct;
    lp_str_copy(out->why, sizeof out->why, f->why);
    judge(s, job, out);
    return LP_OK;
}

/* The circuits are set on a copy of the world in which the job has started: what they cost it and
 * give it is there once they are lit. */
static LpErr relight(LpSession *s, LpSession *probe, const LpForkText *fork, LpPrice *out,
                     LpDiag *diag) {
    uint32_t id = lp_world_due(probe->world);
    double from = lp_world_now(probe->world);
    LpAction action = {
        .kind = LP_ACTION_REGROUP, .links = fork->spec.links, .link = fork->spec.link};
    LpCause cause = LP_CAUSE_NONE;
    LpEvent event;
    LpErr err = lp_session_answer_lit(probe, &fork->answer, fork->spec.schedule, &event, diag);
    if (err == LP_EREFUSED) {
        out->possible = false;
        lp_str_copy(out->why, sizeof out->why, diag->text);
        return LP_OK;
    }
    if (err != LP_OK)
        return err;
    if (lp_world_job(probe->world, id)->outcome != LP_JOB_RUNNING)
        return LP_OK;
    if (fork->spec.links > 0)
        LP_TRY(lp_session_act(probe, &action, &event, &cause, out->why, diag));
    out->possible = cause == LP_CAUSE_NONE;
    if (!out->possible)
        return LP_OK;
    for (int i = 0;
         i < RELIT_STEPS && lp_world_lit_at(probe->world) > lp_world_now(probe->world) &&
         lp_world_next_time(probe->world, probe->context) <= lp_world_lit_at(probe->world);
         i++)
        LP_TRY(lp_session_step(probe, &event, diag));
    const LpJob *job = lp_world_job(probe->world, id);
    out->dark = fmax(0.0, lp_world_lit_at(probe->world) - from);
    out->step_time = job->forecast.step_time;
    out->jct = job->times.forecast_end - from;
    judge(s, id, out);
    return LP_OK;
}

static LpErr price_fork(LpSession *s, uint32_t job, LpForkText *fork, LpPrice *out, LpDiag *diag) {
    LpSession *probe;
    const LpAnswer *answer = fork->spec.answer;
    if (answer == NULL) {
        LP_TRY(lp_session_ask(s, diag));
        answer = &s->pending.answer;
    }
    if (answer->kind != LP_ANSWER_RUN) {
        snprintf(out->why, sizeof out->why, "the policy %s",
                 answer->kind == LP_ANSWER_WAIT ? "lets the job wait" : "turns the job away");
        return LP_OK;
    }
    LP_TRY(predict(s, job, answer, out, diag));
    if (!out->possible || (fork->spec.links == 0 && fork->spec.schedule == NULL))
        return LP_OK;
    LP_TRY(lp_probe_open(s, s->world, &probe, diag));
    LpErr err = relight(s, probe, fork, out, diag);
    lp_probe_close(probe);
    return err;
}

LpErr lp_draft_price(LpSession *s, const char *words, LpPrice *out, LpDiag *diag) {
    uint32_t job = lp_world_due(s->world);
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpDiag inner = {0};
    *out = (LpPrice){.step_time = (double)NAN, .jct = (double)NAN, .of_limit = (double)NAN};
    out->forecast.partition = out->forecast.placement = out->forecast.step = LP_NO_INDEX;
    if (arena == NULL)
        return lp_fail_memory(diag, "a draft");
    LpErr err = job == LP_NO_INDEX ? lp_fail(&inner, LP_ESTATE, "no decision is due")
                                   : lp_fork_parse(words, arena, &fork, &inner);
    if (err == LP_OK)
        err = lp_fork_complete(s, &fork, &inner);
    bool refused = err == LP_EINVAL || err == LP_EREFUSED;
    if (refused)
        lp_str_copy(out->why, sizeof out->why,
                    strncmp(inner.text, "fork: ", 6) == 0 ? inner.text + 6 : inner.text);
    if (err == LP_OK)
        err = price_fork(s, job, &fork, out, &inner);
    lp_arena_free(arena);
    if (err != LP_OK && !refused && diag != NULL)
        *diag = inner;
    return refused ? LP_OK : err;
}

LpErr lp_draft_start(LpSession *s, const char *words, LpSession **out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpEvent event;
    LpSession *probe = NULL;
    if (arena == NULL)
        return lp_fail_memory(diag, "a draft");
    LpErr err = lp_fork_parse(words, arena, &fork, diag);
    if (err == LP_OK)
        err = lp_fork_complete(s, &fork, diag);
    if (err == LP_OK && fork.spec.answer == NULL)
        err = lp_session_ask(s, diag);
    if (err == LP_OK)
        err = lp_probe_open(s, s->world, &probe, diag);
    if (err == LP_OK)
        err = lp_session_answer(
            probe, fork.spec.answer != NULL ? fork.spec.answer : &s->pending.answer, &event, diag);
    lp_arena_free(arena);
    if (err == LP_OK)
        *out = probe;
    else
        lp_probe_close(probe);
    return err;
}

LpErr lp_draft_settle(LpSession *s, LpDraft *draft, LpStage changed, LpBuf *said, LpDiag *diag) {
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LpDraft upto = *draft;
    for (int i = (int)changed + 1; i < LP_STAGE_COUNT; i++)
        upto.word[i][0] = '\0';
    for (int i = (int)changed + 1; i < LP_STAGE_COUNT; i++) {
        LpPrice price;
        if (draft->word[i][0] == '\0')
            continue;
        memcpy(upto.word[i], draft->word[i], sizeof upto.word[i]);
        LP_TRY(lp_draft_price(s, lp_draft_text(&upto, text), &price, diag));
        if (price.possible)
            continue;
        upto.word[i][0] = '\0';
        lp_buf_addf(said, "%s%s dropped: %s", said->len > 0 ? "; " : "", lp_stage_name((LpStage)i),
                    price.why);
    }
    *draft = upto;
    return LP_OK;
}
