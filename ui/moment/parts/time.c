/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the time line for the views. */
#include "moment/parts/time.h"

#include "base/mem.h"
#include "base/str.h"
#include "sim/world.h"

enum { DEPTH_MOST = 200 };

static void drop_other(LpOther *other) {
    lp_world_free(other->world);
    lp_world_free(other->after);
    other->world = other->after = NULL;
    other->branch = -1;
}

void lp_time_model_fini(LpTimeModel *model) {
    drop_other(&model->other);
    lp_free(model->other.jct);
    lp_free(model->twig);
    *model = (LpTimeModel){0};
}

/* ---- the tree ---- */

/* The branch, then what was forked from it. */
static LpErr add_twig(LpTimeModel *model, const LpSession *session, uint32_t branch, int depth,
                      LpDiag *diag) {
    LpBranchInfo info;
    LP_TRY(lp_session_branch(session, branch, &info));
    if (info.deleted || depth > DEPTH_MOST)
        return LP_OK;
    if (lp_grow((void **)&model->twig, &model->twig_cap, model->twigs + 1, sizeof *model->twig) !=
        LP_OK)
        return lp_fail_memory(diag, "the tree of branches");
    model->twig[model->twigs++] = (LpTwig){branch, depth, info};
    for (uint32_t i = branch + 1; i < lp_session_branches(session); i++) {
        LP_TRY(lp_session_branch(session, i, &info));
        if (info.parent == branch)
            LP_TRY(add_twig(model, session, i, depth + 1, diag));
    }
    return LP_OK;
}

/* ---- the other branch ---- */

/* Climbs to the parent; false at the trunk. */
static bool climb(const LpSession *session, LpMoment *moment) {
    LpBranchInfo info;
    if (lp_session_branch(session, moment->branch, &info) != LP_OK || info.parent == LP_NO_INDEX)
        return false;
    *moment = (LpMoment){info.parent, info.forked_at};
    return true;
}

/* The moment at which two branches part: where the later one was forked, or an ancestor of it.
 * A branch always has a greater number than its parent. */
static LpMoment parting(const LpSession *session, uint32_t a, uint32_t b) {
    LpMoment left = {a, UINT64_MAX}, right = {b, UINT64_MAX};
    while (left.branch != right.branch)
        if (!climb(session, left.branch > right.branch ? &left : &right))
            break;
    return left.step < right.step ? left : right;
}

/* The last step up to now; where both branches are about to decide the same job, the one before
 * that. */
static uint64_t step_beside(LpSession *session, uint32_t branch, double now, uint32_t due) {
    uint64_t last = lp_session_step_at(session, branch, now);
    LpMomentFacts facts;
    for (uint64_t step = last; due != LP_NO_INDEX; step--) {
        if (lp_session_moment_facts(session, (LpMoment){branch, step}, &facts) != LP_OK ||
            facts.time < now)
            break;
        if (facts.due == due)
            return step;
        if (step == 0)
            break;
    }
    return last;
}

/* The world once the decision is taken that is due in both. */
static LpErr look_ahead(LpOther *other, LpSession *session, uint32_t due, LpDiag *diag) {
    LpMoment after = {other->at.branch, other->at.step + 1};
    if (due == LP_NO_INDEX || lp_world_due(other->world) != due ||
        after.step > lp_session_tip(session, after.branch))
        return LP_OK;
    return lp_session_world_at(session, after, &other->after, diag);
}

static LpErr follow(LpOther *other, LpSession *session, uint32_t branch, double now, LpDiag *diag) {
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    uint32_t due = lp_world_due(world);
    LpMomentFacts facts;
    LpBranchInfo info;
    LP_TRY(lp_session_branch(session, branch, &info));
    other->at = (LpMoment){branch, step_beside(session, branch, now, due)};
    LP_TRY(lp_session_moment_facts(session, other->at, &facts));
    other->events = facts.shown;
    LP_TRY(lp_session_world_at(session, other->at, &other->world, diag));
    LP_TRY(look_ahead(other, session, due, diag));
    other->branch = (int)branch;
    lp_str_copy(other->name, sizeof other->name, info.name);
    const LpWorld *tip = lp_session_tip_world(session, branch);
    other->short_of = !info.over && info.tip_time < now && lp_world_next_time(tip, context) <= now;
    other->time = other->short_of ? info.tip_time : now;
    LP_TRY(lp_metrics_summary(world, context, &other->here, diag));
    LP_TRY(lp_metrics_summary(other->world, context, &other->there, diag));
    other->pair = lp_pair_of(world, other->world);
    uint64_t completed = lp_world_tally(other->world)->completed;
    if (lp_grow((void **)&other->jct, &other->jct_cap, (size_t)completed + 1, sizeof *other->jct) !=
        LP_OK)
        return lp_fail_memory(diag, "the other curve");
    other->jct_count = lp_metrics_jcts(other->world, other->jct, (uint32_t)completed);
    return LP_OK;
}

static LpErr update_other(LpTimeModel *model, LpSession *session, int versus, LpDiag *diag) {
    LpOther *other = &model->other;
    LpBranchInfo info;
    bool same = other->world && other->branch == versus &&
                other->of.branch == model->moment.branch && other->of.step == model->moment.step &&
                other->of_tip == lp_session_tip(session, (uint32_t)versus);
    if (same)
        return LP_OK;
    drop_other(other);
    if (versus < 0 || (uint32_t)versus >= lp_session_branches(session) ||
        (uint32_t)versus == model->moment.branch)
        return LP_OK;
    LP_TRY(lp_session_branch(session, (uint32_t)versus, &info));
    if (info.deleted)
        return LP_OK;
    other->of = model->moment;
    other->of_tip = info.tip;
    LpMoment split = parting(session, model->moment.branch, (uint32_t)versus);
    LP_TRY(lp_session_moment_facts(session, split, &other->split));
    return follow(other, session, (uint32_t)versus, lp_world_now(lp_session_world(session)), diag);
}

LpErr lp_time_model_update(LpTimeModel *model, LpSession *session, int versus, LpDiag *diag) {
    model->known = lp_session_branches(session) > 0;
    model->twigs = 0;
    if (!model->known) {
        drop_other(&model->other);
        return LP_OK;
    }
    model->moment = lp_session_moment(session);
    model->tip = lp_session_tip(session, model->moment.branch);
    LP_TRY(lp_session_branch(session, model->moment.branch, &model->branch));
    LP_TRY(add_twig(model, session, 0, 0, diag));
    return update_other(model, session, versus, diag);
}
