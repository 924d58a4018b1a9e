/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions about circuits: the policy's hook configure, or the engine's own rule. */
#include "sim/light/circuits.h"
#include "session/session_impl.h"

#include "base/debug_log.h"
#include "sim/light/configure.h"

static LpErr set_now(LpSession *s, const LpSchedule *schedule, const char *why, LpCause *cause,
                     char reason[LP_DIAG_TEXT], LpDiag *diag) {
    LpEvent event;
    double now = lp_world_now(s->world);
    uint64_t at = lp_world_tally(s->world)->events;
    LP_TRY(lp_world_configure(s->world, s->context, schedule, &event, cause, reason, diag));
    if (*cause != LP_CAUSE_NONE || event.kind == LP_EVENT_NONE)
        return LP_OK;
    LP_TRY(lp_log_configure(s->log, now, at, schedule, why, diag));
    return lp_session_keep_event(s, &event, diag);
}

/* What a policy set that cannot be is a failure of its own. */
static LpErr set(LpSession *s, const LpSchedule *schedule, const char *why, bool own,
                 LpDiag *diag) {
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    LP_TRY(set_now(s, schedule, why, &cause, reason, diag));
    if (cause != LP_CAUSE_NONE && !own) {
        LpDiag error;
        lp_fail(&error, LP_EREFUSED, "configure: %s", reason);
        lp_policy_blame(s->loaded.policy, &error);
        lp_session_note_refusal(s, &error);
    }
    return LP_OK;
}

static LpErr ask(LpSession *s, LpDiag *diag) {
    LpRng rng = *lp_world_rng(s->world);
    LpSchedule schedule;
    LpDiag error = {0};
    bool failed = false;
    size_t len;
    LP_DEBUG(s->context->log, POLICY, 1, "ask configure");
    LP_TRY(lp_session_load_mem(s, diag));
    LpErr asked = lp_policy_configure(s->loaded.policy, s->context, s->world, &rng, &schedule,
                                      &failed, &error);
    LP_TRY(lp_session_called(s, asked, failed, &error, diag));
    LP_TRY(lp_session_store_rng(s, &rng, diag));
    const void *bytes = lp_policy_mem(s->loaded.policy, &len);
    LP_TRY(lp_session_store_mem(s, bytes, len, diag));
    LP_DEBUG(s->context->log, POLICY, 1, "configure answers %u matchings", schedule.entries);
    if (failed || schedule.entries == 0)
        return LP_OK;
    return set(s, &schedule, lp_policy_why(s->loaded.policy), false, diag);
}

/* The engine's own rule, between servers only: circuits for all that is asked for. */
static LpErr decide(LpSession *s, LpDiag *diag) {
    const LpOcsParams *ocs = &s->scenario->cluster.ocs;
    LpSchedule schedule;
    LpPortDemand *demand;
    uint32_t count;
    LP_TRY(lp_world_demand_pairs(s->world, s->context, &demand, &count, diag));
    LpErr err = lp_configure_default(ocs, demand, count, ocs->interval, &schedule, diag);
    lp_free(demand);
    if (err != LP_OK || schedule.entries == 0)
        return err;
    err = set(s, &schedule, "rounds of greedy matchings", true, diag);
    lp_configure_free(&schedule);
    return err;
}

/* What somebody chose beside an answer stands in place of what the policy would set then. */
static LpErr set_by_hand(LpSession *s, LpDiag *diag) {
    const LpSchedule *schedule = s->acting.circuits;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    s->acting.circuits = NULL;
    if (s->context->circuits == NULL || lp_world_over(s->world) ||
        lp_world_due(s->world) != LP_NO_INDEX)
        return LP_OK;
    LP_TRY(set_now(s, schedule, LP_BY_HAND, &cause, reason, diag));
    return cause == LP_CAUSE_NONE ? LP_OK : lp_fail(diag, LP_EREFUSED, "circuits: %s", reason);
}

LpErr lp_session_configure(LpSession *s, const LpEvent *event, LpDiag *diag) {
    bool asked = s->loaded.policy != NULL && lp_policy_has_hook(s->loaded.policy, "configure");
    bool interval = event->kind == LP_EVENT_INTERVAL;
    if (s->acting.circuits != NULL)
        return set_by_hand(s, diag);
    if (s->context->circuits == NULL || lp_world_over(s->world) ||
        lp_world_due(s->world) != LP_NO_INDEX ||
        !(interval || s->acting.moved || lp_event_is(event->kind, LP_EVENT_SHIFTS)))
        return LP_OK;
    if (asked)
        return ask(s, diag);
    const LpOcsParams *ocs = &s->scenario->cluster.ocs;
    return ocs->interval > 0 && ocs->aggregators == 0 ? decide(s, diag) : LP_OK;
}
