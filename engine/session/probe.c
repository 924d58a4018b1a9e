/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes: sessions that borrow everything but the world. */
#include "session/probe.h"

#include "session/session_impl.h"

LpErr lp_probe_open_home(const LpSession *s, const LpProbeHome *home, const LpWorld *world,
                         LpSession **out, LpDiag *diag) {
    LpSession *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "a probe");
    p->scenario = s->scenario;
    p->context = home->context;
    p->loaded.policy = home->policy;
    p->acting.at = -1;
    p->world = lp_world_clone(world, NULL);
    p->log = lp_log_new();
    p->told.texts = lp_arena_new(0);
    p->degrees = lp_alloc(s->scenario->partition.max_degree, sizeof *p->degrees);
    if (p->world == NULL || p->log == NULL || p->told.texts == NULL || p->degrees == NULL) {
        lp_probe_close(p);
        return lp_fail_memory(diag, "a probe");
    }
    *out = p;
    return LP_OK;
}

LpErr lp_probe_open(const LpSession *s, const LpWorld *world, LpSession **out, LpDiag *diag) {
    const LpProbeHome own = {s->context, s->loaded.policy};
    LP_TRY(lp_probe_open_home(s, &own, world, out, diag));
    (*out)->loaded.path = s->loaded.path;
    (*out)->follow = s->world;
    return LP_OK;
}

LpErr lp_probe_home_new(const LpSession *s, LpProbeHome *out, LpDiag *diag) {
    LpProbeHome home = {0};
    LP_TRY(lp_context_twin(s->context, &home.context, diag));
    LpErr err = s->loaded.policy != NULL ? lp_session_copy_policy(s, &home.policy, diag) : LP_OK;
    if (err == LP_OK)
        *out = home;
    else
        lp_probe_home_free(&home);
    return err;
}

void lp_probe_home_free(LpProbeHome *home) {
    lp_policy_free(home->policy);
    lp_context_free(home->context);
    *home = (LpProbeHome){0};
}

/* The next change that the world to follow has seen and this one has not; NULL where there is none
 * or the two have seen different ones. */
static const LpChange *next_change(const LpSession *p) {
    uint32_t count, own;
    const LpChange *theirs = lp_world_changes(p->follow, &count);
    const LpChange *mine = lp_world_changes(p->world, &own);
    if (own >= count)
        return NULL;
    bool same = own == 0 || (mine[own - 1].time == theirs[own - 1].time &&
                             mine[own - 1].condition.kind == theirs[own - 1].condition.kind);
    return same ? &theirs[own] : NULL;
}

/* Its time has come: the decision that was due then is due here, or the clock can pass to it. */
static bool is_time(LpSession *p, const LpChange *change) {
    uint32_t due = lp_world_due(p->world);
    double now = lp_world_now(p->world);
    if (due != LP_NO_INDEX)
        return now > change->time || (now == change->time && due == change->due);
    return lp_world_pass(p->world, p->context, change->time);
}

LpErr lp_probe_follow(LpSession *p, bool *changed, LpEvent *event, LpDiag *diag) {
    const LpChange *change = p->follow != NULL ? next_change(p) : NULL;
    *changed = false;
    if (change == NULL || lp_world_over(p->world) || !is_time(p, change))
        return LP_OK;
    *changed = true;
    LpCondition condition = change->condition;
    return lp_session_apply(p, &condition, event, diag);
}

void lp_probe_close(LpSession *p) {
    if (p == NULL)
        return;
    p->scenario = NULL;
    p->context = NULL;
    p->loaded.policy = NULL;
    lp_session_close(p);
}
