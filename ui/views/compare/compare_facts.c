/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two clusters, what differs between them, and what became of each job. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/facts/metrics.h"
#include "sim/facts/standing.h"
#include "views/compare/compare_view_impl.h"

/* ---- the two ---- */

static double mean_of(const double *jct, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += jct[i];
    return count ? sum / count : (double)NAN;
}

static void add_policy(const LpModel *model, LpCompareSide *side) {
    LpBranchInfo info;
    bool known = lp_session_branch(model->session, side->at.branch, &info) == LP_OK;
    lp_str_copy(side->policy, sizeof side->policy, known ? info.policy : "");
    side->home = known ? info.home : 0;
}

bool lp_compare_sides(const LpModel *model, LpCompareSides *out) {
    const LpOther *other = &model->time.other;
    const LpPair *pair = &other->pair;
    if (!other->world || !model->beside)
        return false;
    int here = lp_compare_second(model);
    *out = (LpCompareSides){.both = pair->both};
    out->side[here] = (LpCompareSide){.model = model,
                                      .name = model->time.branch.name,
                                      .at = model->time.moment,
                                      .mean_jct = mean_of(model->jct, model->jct_count),
                                      .both_jct = pair->mean_jct[0],
                                      .only = pair->only[0]};
    out->side[!here] = (LpCompareSide){.model = model->beside,
                                       .name = other->name,
                                       .at = other->at,
                                       .mean_jct = mean_of(other->jct, other->jct_count),
                                       .both_jct = pair->mean_jct[1],
                                       .only = pair->only[1]};
    for (int i = 0; i < 2; i++)
        add_policy(model, &out->side[i]);
    out->sooner = out->side[0].both_jct / out->side[1].both_jct;
    return true;
}

/* ---- what differs ---- */

/* Of both runs to their end, where that is known. */
static void look_at_end(LpCompareFacts *facts, const LpModel *model) {
    const LpSession *s = model->session;
    uint32_t a = model->time.moment.branch, b = model->time.other.at.branch;
    uint32_t branch[2] = {a < b ? a : b, a < b ? b : a};
    uint64_t of[4] = {branch[0], lp_session_tip(s, branch[0]), branch[1],
                      lp_session_tip(s, branch[1])};
    LpBranchInfo info[2];
    facts->ended = lp_session_branch(s, branch[0], &info[0]) == LP_OK && info[0].over &&
                   lp_session_branch(s, branch[1], &info[1]) == LP_OK && info[1].over;
    if (!facts->ended || memcmp(of, facts->of, sizeof of) == 0)
        return;
    memcpy(facts->of, of, sizeof of);
    const LpWorld *world[2];
    for (int i = 0; i < 2; i++) {
        world[i] = lp_session_tip_world(s, branch[i]);
        const LpTally *tally = lp_world_tally(world[i]);
        facts->done[i] = tally->completed;
        facts->arrived[i] = tally->arrived;
        facts->blocked[i] = tally->blocked;
        double sum = 0.0;
        for (uint32_t j = 0; j < lp_world_jobs(world[i]); j++) {
            const LpJob *job = lp_world_job(world[i], j);
            sum += job->outcome == LP_JOB_COMPLETED ? job->times.end - job->asked.arrival : 0.0;
        }
        facts->mean_jct[i] = facts->done[i] ? sum / (double)facts->done[i] : (double)NAN;
    }
    facts->whole = lp_pair_of(world[0], world[1]);
}

static LpErr sum_waits(const LpWorld *world, const LpContext *context, LpCompareWaits *out,
                       LpDiag *diag) {
    LpStanding standing;
    LpSummary s;
    LP_TRY(lp_standing_new(world, context, true, &standing, diag));
    LpErr err = lp_metrics_of(world, context, &standing, &s, diag);
    lp_standing_fini(&standing);
    if (err == LP_OK)
        *out = (LpCompareWaits){s.p95_wait_all, s.max_wait_all, s.overtakings, s.mean_slowdown,
                                s.mean_rho};
    return err;
}

/* Where nobody has waited there is nothing to say. */
static LpErr look_at_waits(LpCompareFacts *facts, const LpModel *model, LpDiag *diag) {
    const LpWorld *there = model->time.other.world;
    int here = lp_compare_second(model);
    const LpWorld *world[2] = {here ? there : model->world, here ? model->world : there};
    facts->waited =
        lp_world_tally(world[0])->waiting_area > 0 || lp_world_tally(world[1])->waiting_area > 0;
    for (int i = 0; facts->waited && i < 2; i++) {
        LpStamp stamp = lp_world_stamp(world[i]);
        if (lp_stamp_same(stamp, facts->waits_of[i]))
            continue;
        LP_TRY(sum_waits(world[i], model->context, &facts->waits[i], diag));
        facts->waits_of[i] = stamp;
    }
    return LP_OK;
}

LpErr lp_compare_update(const LpModel *model, LpDiag *diag) {
    LpCompareFacts *facts = lp_compare_facts(model);
    facts->jobs = 0;
    facts->ended = facts->waited = false;
    if (!model->time.other.world)
        return LP_OK;
    const LpWorld *there = model->time.other.world;
    uint32_t job = LP_NO_INDEX;
    facts->jobs = 0;
    while (facts->jobs < LP_COMPARE_LISTED &&
           (job = lp_pair_before(model->world, there, job)) != LP_NO_INDEX)
        facts->job[facts->jobs++] = job;
    look_at_end(facts, model);
    return look_at_waits(facts, model, diag);
}

int lp_compare_marked(const LpModel *model) {
    int count = lp_compare_facts(model)->jobs, row = lp_compare_state(model)->row;
    return count == 0 ? -1 : row < 0 ? 0 : row < count ? row : count - 1;
}

/* ---- what becomes of a job ---- */

static bool by_hand(const LpCompareSide *side, uint64_t steps, uint32_t job) {
    LpMoment at = {side->at.branch, side->at.step + steps};
    return strcmp(lp_session_why_at(side->model->session, at, job).why, "by hand") == 0;
}

/* The decision that is due, as it will be taken. */
static void add_taken(const char *ways, double jct, LpFateForm form, LpBuf *out) {
    char text[LP_SHOW_TEXT];
    lp_buf_addf(out, "takes %s", ways);
    if (form != LP_FATE_BRIEF)
        lp_buf_addf(out, ", %s", lp_show_seconds(jct, text));
}

static void add_due(const LpCompareSide *side, const LpModel *present, uint32_t id, LpFateForm form,
                    LpBuf *out) {
    const LpModel *model = side->model;
    const LpWorld *after = model == present ? NULL : present->time.other.after;
    if (after && id >= lp_world_jobs(after))
        after = NULL;
    const LpDecision *d = &present->decision;
    int row = model == present ? lp_model_marked(present) : -1;
    char cut[LP_WORDS_CUT];
    bool runs = after && lp_world_job(after, id)->outcome == LP_JOB_RUNNING;
    if (row >= 0 && d->candidate[row].forecast.feasible &&
        (present->ui->row >= 0 || !d->answer || d->answer->kind == LP_ANSWER_RUN))
        add_taken(lp_words_split_of(&d->candidate[row], cut), d->candidate[row].forecast.jct, form,
                  out);
    else if (runs)
        add_taken(lp_words_split(model, lp_world_job(after, id), cut),
                  lp_world_job(after, id)->forecast.jct, form, out);
    else if (model == present ? d->answer && d->answer->kind == LP_ANSWER_WAIT
                              : after && lp_world_job(after, id)->outcome == LP_JOB_WAITING)
        lp_buf_add(out, "waits");
    else if (model == present ? d->answer != NULL : after != NULL)
        lp_buf_add(out, "is turned away");
    else
        lp_buf_add(out, "is decided");
    if (after && by_hand(side, 1, id))
        lp_buf_add(out, " by hand");
}

void lp_compare_fate(const LpCompareSide *side, const LpModel *present, uint32_t id,
                     LpFateForm form, LpBuf *out) {
    const LpModel *model = side->model;
    if (id >= lp_world_jobs(model->world)) { /* the other branch stands before its arrival */
        lp_buf_add(out, "is not here yet");
        return;
    }
    const LpJob *job = lp_world_job(model->world, id);
    char jct[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    const char *ways = lp_words_split(model, job, cut);
    switch ((LpOutcome)job->outcome) {
    case LP_JOB_DECIDING:
        add_due(side, present, id, form, out);
        return;
    case LP_JOB_WAITING:
        lp_buf_add(out, "waits");
        return;
    case LP_JOB_RUNNING:
        lp_buf_addf(out, form == LP_FATE_WHOLE ? "running, %s" : "has %s", ways);
        if (form == LP_FATE_WHOLE)
            lp_buf_addf(out, ", %.0f %% done", floor(100.0 * lp_world_progress(model->world, id)));
        break;
    case LP_JOB_COMPLETED:
        lp_buf_add(out, "done");
        if (form != LP_FATE_BRIEF)
            lp_buf_addf(out, ", %s, JCT %s", ways,
                        lp_show_seconds(job->times.end - job->asked.arrival, jct));
        break;
    case LP_JOB_BLOCKED:
        lp_buf_add(out, "turned away");
        break;
    case LP_JOB_UNFINISHED:
    case LP_JOB_ABORTED:
    case LP_JOB_KILLED:
    case LP_JOB_OUTCOMES:
        lp_buf_add(out, lp_outcome_name((LpOutcome)job->outcome));
        break;
    }
    if (by_hand(side, 0, id))
        lp_buf_add(out, " by hand");
}
