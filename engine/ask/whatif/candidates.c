/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of candidates for the decision at hand. */
#include "ask/whatif/candidates.h"

#include <math.h>

#include "model/split/split.h"
#include "session/session_impl.h"
#include "sim/world.h"

enum { MAX_ROWS = 32 }; /* of a job without plans */

static bool has(const uint32_t *list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool power_of_two(uint32_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/* Degrees worth a row: the powers of two, three times a power of two where allowed, and the
 * policy's own choice. */
static LpErr worth_showing(LpSession *s, uint32_t job, uint32_t chosen, uint32_t *valid,
                           uint32_t *valid_count, uint32_t rows[MAX_ROWS], uint32_t *shown,
                           LpDiag *diag) {
    uint32_t most = s->scenario->partition.max_degree, count = 0;
    LP_TRY(lp_world_degrees(s->world, s->context, job, 0, valid, most, valid_count, diag));
    if (most > s->context->fabric.servers)
        most = s->context->fabric.servers;
    for (uint32_t d = 1; d <= most && count < MAX_ROWS; d++) {
        bool third = d % 3 == 0 && power_of_two(d / 3) && has(valid, *valid_count, d);
        if (power_of_two(d) || third || d == chosen)
            rows[count++] = d;
    }
    *shown = count;
    return LP_OK;
}

static LpErr fill_row(LpSession *s, uint32_t job, uint32_t degree, LpCandidate *row, LpDiag *diag) {
    const LpJob *j = lp_world_job(s->world, job);
    const LpAnswer *choice = &s->pending.answer;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    *row = (LpCandidate){.degree = degree};
    row->chosen = choice->kind == LP_ANSWER_RUN && choice->ways == NULL && choice->degree == degree;
    if (row->chosen)
        answer = *choice; /* with its own placement and orders */
    LP_TRY(lp_world_predict(s->world, s->context, job, &answer, &row->forecast, diag));
    double waited = lp_world_now(s->world) - j->asked.arrival;
    row->of_limit =
        row->forecast.feasible ? lp_job_of_limit(j, waited + row->forecast.jct) : (double)NAN;
    uint32_t free_servers = lp_world_free_servers(s->world);
    row->free_after = row->forecast.feasible ? free_servers - row->forecast.servers : free_servers;
    row->needs = row->forecast.feasible ? row->forecast.servers : degree;
    if (!row->forecast.feasible && j->graph >= 0)
        LP_TRY(lp_world_cut_size(s->world, s->context, job, degree, &row->needs, diag));
    return LP_OK;
}

static LpErr fill_rigid(LpSession *s, uint32_t job, LpDiag *diag) {
    LP_TRY(
        fill_row(s, job, lp_world_job(s->world, job)->asked.rigid_servers, &s->candidate[0], diag));
    s->candidate[0].chosen = s->pending.answer.kind == LP_ANSWER_RUN;
    s->candidate[0].valid = s->candidate[0].forecast.feasible;
    s->candidates = 1;
    return LP_OK;
}

/* ---- plans ---- */

/* plan NULL: that of the answer, whatever it is. */
static LpErr fill_plan(LpSession *s, uint32_t job, const LpAnswer *answer, const LpParallel *plan,
                       LpCandidate *row, LpDiag *diag) {
    const LpJob *j = lp_world_job(s->world, job);
    uint32_t free_servers = lp_world_free_servers(s->world);
    LpForecast *f = &row->forecast;
    LP_TRY(lp_world_predict(s->world, s->context, job, answer, f, diag));
    LP_TRY(lp_plan_figures(s, job, plan, f, &row->plan, diag));
    double waited = lp_world_now(s->world) - j->asked.arrival;
    bool known = row->plan.plan.tensor > 0;
    row->degree = known ? lp_parallel_devices(&row->plan.plan) : answer->degree;
    row->valid = f->feasible;
    row->of_limit = f->feasible ? lp_job_of_limit(j, waited + f->jct) : (double)NAN;
    row->free_after = f->feasible ? free_servers - f->servers : free_servers;
    row->needs = known ? row->degree : 0;
    return LP_OK;
}

/* The row of a listed plan: where the policy answers it, with the policy's placement and orders. */
static LpErr fill_listed(LpSession *s, uint32_t job, const LpParallel *plan, LpCandidate *own,
                         LpCandidate *row, LpDiag *diag) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .has_plan = true, .parallel = *plan};
    if (own->chosen && lp_parallel_same(&own->plan.plan, plan)) {
        *row = *own;
        own->chosen = false;
        return LP_OK;
    }
    *row = (LpCandidate){0};
    return fill_plan(s, job, &answer, plan, row, diag);
}

/* Keeps the rows by servers. */
static void insert_own(LpSession *s, const LpCandidate *own) {
    uint32_t at = s->candidates++;
    for (; at > 0 && s->candidate[at - 1].degree > own->degree; at--)
        s->candidate[at] = s->candidate[at - 1];
    s->candidate[at] = *own;
}

static LpErr fill_all_plans(LpSession *s, uint32_t job, LpPlanChoice *listed, LpDiag *diag) {
    const LpAnswer *choice = &s->pending.answer;
    LpCandidate own = {.chosen = choice->kind == LP_ANSWER_RUN &&
                                 (choice->has_plan || choice->degree > 0)};
    uint32_t count;
    LP_TRY(lp_world_plans(s->world, s->context, job, listed, LP_SPLIT_PLANS, &count, diag));
    if (lp_grow((void **)&s->candidate, &s->candidate_cap, count + 1, sizeof *s->candidate) !=
        LP_OK)
        return lp_fail_memory(diag, "the table of candidates");
    if (own.chosen)
        LP_TRY(fill_plan(s, job, choice, NULL, &own, diag));
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(fill_listed(s, job, listed[i].plan, &own, &s->candidate[i], diag));
    s->candidates = count;
    if (own.chosen)
        insert_own(s, &own);
    return LP_OK;
}

static LpErr fill_plans(LpSession *s, uint32_t job, LpDiag *diag) {
    LpPlanChoice *listed = lp_alloc(LP_SPLIT_PLANS, sizeof *listed);
    if (listed == NULL)
        return lp_fail_memory(diag, "the plans of a job");
    LpErr err = fill_all_plans(s, job, listed, diag);
    lp_free(listed);
    return err;
}

static LpErr fill_table(LpSession *s, uint32_t job, LpDiag *diag) {
    uint32_t rows[MAX_ROWS], valid_count;
    uint32_t *valid = s->degrees;
    uint32_t chosen = s->pending.answer.kind == LP_ANSWER_RUN ? s->pending.answer.degree : 0;
    if (lp_world_job(s->world, job)->graph < 0)
        return fill_rigid(s, job, diag);
    if (lp_job_has_plans(s, job))
        return fill_plans(s, job, diag);
    uint32_t count;
    LP_TRY(worth_showing(s, job, chosen, valid, &valid_count, rows, &count, diag));
    for (uint32_t i = 0; i < count; i++) {
        LP_TRY(fill_row(s, job, rows[i], &s->candidate[i], diag));
        s->candidate[i].valid = has(valid, valid_count, rows[i]);
    }
    s->candidates = count;
    return LP_OK;
}

LpErr lp_session_candidates(LpSession *s, const LpCandidate **out, uint32_t *count, LpDiag *diag) {
    uint32_t job = lp_world_due(s->world);
    uint64_t now = lp_world_tally(s->world)->decisions + 1;
    *count = 0;
    *out = NULL;
    if (job == LP_NO_INDEX)
        return LP_OK;
    if (lp_grow((void **)&s->candidate, &s->candidate_cap, MAX_ROWS, sizeof *s->candidate) != LP_OK)
        return lp_fail_memory(diag, "the table of candidates");
    if (s->candidates_at != now) {
        LP_TRY(lp_session_ask(s, diag));
        LP_TRY(fill_table(s, job, diag));
        s->candidates_at = now;
    }
    *out = s->candidate;
    *count = s->candidates;
    return LP_OK;
}
