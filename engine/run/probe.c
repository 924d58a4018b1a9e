/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes: sessions that borrow everything but the world. */
#include "run/probe.h"

#include "run/session_impl.h"

LpErr lp_probe_open_home(const LpSession *s, const LpProbeHome *home, const LpWorld *world,
                         LpSession **out, LpDiag *diag) {
    LpSession *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "a probe");
    p->scenario = s->scenario;
    p->context = home->context;
    p->policy = home->policy;
    p->acted_at = -1;
    p->world = lp_world_clone(world, NULL);
    p->log = lp_log_new();
    p->texts = lp_arena_new(0);
    p->degrees = lp_alloc(s->scenario->partition.max_degree, sizeof *p->degrees);
    if (p->world == NULL || p->log == NULL || p->texts == NULL || p->degrees == NULL) {
        lp_probe_close(p);
        return lp_fail_memory(diag, "a probe");
    }
    *out = p;
    return LP_OK;
}

LpErr lp_probe_open(const LpSession *s, const LpWorld *world, LpSession **out, LpDiag *diag) {
    const LpProbeHome own = {s->context, s->policy};
    LP_TRY(lp_probe_open_home(s, &own, world, out, diag));
    (*out)->policy_path = s->policy_path;
    return LP_OK;
}

LpErr lp_probe_home_new(const LpSession *s, LpProbeHome *out, LpDiag *diag) {
    LpProbeHome home = {0};
    LP_TRY(lp_context_twin(s->context, &home.context, diag));
    LpErr err = s->policy != NULL ? lp_session_copy_policy(s, &home.policy, diag) : LP_OK;
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

LpErr lp_probe_answer(LpSession *p, const LpAnswer *answer, LpEvent *event, LpDiag *diag) {
    LP_TRY(lp_session_answer(p, answer, event, diag));
    return lp_session_review(p, event, diag);
}

void lp_probe_close(LpSession *p) {
    if (p == NULL)
        return;
    p->scenario = NULL;
    p->context = NULL;
    p->policy = NULL;
    lp_session_close(p);
}
