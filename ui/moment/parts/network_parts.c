/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what the network said for as long as the same decision is looked at. */
#include "moment/parts/network_parts.h"

#include <math.h>

double lp_network_share(const LpNetworkInspection *seen, uint32_t degree) {
    double sum = 0;
    for (uint32_t a = 0; a < seen->actions; a++)
        if (seen->action[a].degree == degree)
            sum += seen->action[a].probability;
    return seen->actions > 0 && degree != LP_NO_INDEX ? sum : (double)NAN;
}

uint32_t lp_network_action_of(const LpNetworkInspection *seen, uint32_t degree) {
    uint32_t best = LP_NO_INDEX;
    for (uint32_t a = 0; a < seen->actions; a++) {
        const LpNetworkAction *all = seen->action;
        if (all[a].degree != degree)
            continue;
        if (best == LP_NO_INDEX || (all[a].open && !all[best].open) ||
            (all[a].open == all[best].open && all[a].logit > all[best].logit))
            best = a;
    }
    return best;
}

bool lp_network_open(const LpNetworkInspection *seen, uint32_t degree) {
    uint32_t action = lp_network_action_of(seen, degree);
    return action != LP_NO_INDEX && seen->action[action].open;
}

void lp_network_model_forget(LpNetworkModel *m) {
    m->known = m->explained = false;
}

void lp_network_model_fini(LpNetworkModel *m) {
    lp_arena_free(m->room);
    lp_arena_free(m->why_room);
    *m = (LpNetworkModel){0};
}

static LpErr empty(LpArena **room, LpDiag *diag) {
    if (*room == NULL && (*room = lp_arena_new(0)) == NULL)
        return lp_fail_memory(diag, "what a network says");
    lp_arena_reset(*room);
    return LP_OK;
}

/* Is the look about the decision that is wished for? One that was looked at while it was due holds
 * until the next is due. */
static bool holds(const LpNetworkModel *m, const LpNetworkWish *w, uint32_t index, LpMoment moment,
                  uint64_t decisions) {
    if (!m->known || m->index != index || m->job != w->job || m->loads != w->loads)
        return false;
    if (m->seen.actions > 0 && m->seen.decision + (w->due ? 0 : 1) == decisions)
        return true;
    return m->moment.branch == moment.branch && m->moment.step == moment.step;
}

static LpErr seen(LpNetworkModel *m, LpSession *s, const LpNetworkWish *w, LpDiag *diag) {
    LpMoment moment = lp_session_moment(s);
    uint32_t index = w->index % m->networks;
    if (holds(m, w, index, moment, lp_world_tally(lp_session_world(s))->decisions))
        return LP_OK;
    lp_network_model_forget(m);
    if (w->job == LP_NO_INDEX || (!w->due && !w->back))
        return LP_OK;
    LP_TRY(empty(&m->room, diag));
    LP_TRY(lp_network_inspect(s, index, w->job, m->room, &m->seen, diag));
    m->known = true;
    m->index = index;
    m->job = w->job;
    m->loads = w->loads;
    m->moment = moment;
    return LP_OK;
}

static LpErr explain(LpNetworkModel *m, LpSession *s, const LpNetworkWish *w, LpDiag *diag) {
    const LpNetworkInspection *l = &m->seen;
    uint32_t action = w->degree == LP_NO_INDEX ? l->best : lp_network_action_of(l, w->degree);
    if (action == LP_NO_INDEX)
        action = l->best;
    if (m->explained && m->why.question.action == action)
        return LP_OK;
    m->explained = false;
    LP_TRY(empty(&m->why_room, diag));
    LP_TRY(
        lp_network_why(s, m->index, l, lp_network_question(l, action), m->why_room, &m->why, diag));
    LP_TRY(lp_network_why(s, m->index, l, (LpNetworkQuestion){.value = true}, m->why_room,
                          &m->value, diag));
    m->explained = true;
    return LP_OK;
}

LpErr lp_network_model_update(LpNetworkModel *m, LpSession *s, const LpNetworkWish *w,
                              LpDiag *diag) {
    m->networks = lp_network_count(s);
    if (m->networks == 0) {
        lp_network_model_forget(m);
        return LP_OK;
    }
    LP_TRY(seen(m, s, w, diag));
    if (!m->known || m->seen.actions == 0 || !w->why)
        return LP_OK;
    return explain(m, s, w, diag);
}
