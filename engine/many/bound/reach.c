/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rollout of a session, and how it is told. */
#include "many/bound/reach.h"

#include <math.h>

#include "session/player/services_network.h"
#include "session/session_impl.h"

static LpErr find_player(const LpSession *s, LpPlayer **out, LpDiag *diag) {
    uint32_t param, networks = s->loaded.policy != NULL ? lp_policy_networks(s->loaded.policy) : 0;
    for (uint32_t i = 0; i < networks; i++) {
        void *network = lp_policy_network(s->loaded.policy, i, &param);
        if (lp_network_agent(network)->encoding == LP_ENCODING_QUEUE)
            return lp_network_player(network, s->context, out, diag);
    }
    return lp_fail(diag, LP_EINVAL,
                   "a rollout needs a network that lets jobs wait: expected --policy pac_ml_queue "
                   "or another one with such a network");
}

LpErr lp_reach_session(const LpSession *session, uint32_t horizon, bool (*go_on)(void *user),
                       void *user, LpClairvoyant *out, bool *stopped, LpDiag *diag) {
    LpPlayer *player;
    LP_TRY(find_player(session, &player, diag));
    return lp_player_clairvoyant(player, session->context, lp_world_seed(session->world), horizon,
                                 go_on, user, out, stopped, diag);
}

/* The bound that holds for what the rollout did: were jobs stopped? */
static LpBoundKind kind_of(const LpClairvoyant *reach) {
    return reach->run.preemptions > 0 ? LP_BOUND_PREEMPTING : LP_BOUND_WAITING;
}

static double rate(const LpScheduled *run) {
    return run->arrived > 0 ? (double)run->lost / (double)run->arrived : (double)NAN;
}

void lp_reach_text(const LpClairvoyant *r, const LpBound *b, LpBuf *out) {
    LpBoundKind kind = kind_of(r);
    lp_buf_addf(out,
                "A real run that knows the arrivals loses\n"
                "  rollout     %8.4f   each answer tried in these very arrivals, the network plays "
                "on; the network alone loses %.4f\n"
                "so the least possible lies between %.4f (%s) and %.4f.\n",
                rate(&r->run), rate(&r->network), b->rate[kind], lp_bound_key(kind), rate(&r->run));
}

void lp_reach_json(const LpClairvoyant *r, LpJsonOut *out) {
    lp_json_open(out, "rollout", '{');
    lp_json_put_number(out, "lost", rate(&r->run));
    lp_json_put_number(out, "network_lost", rate(&r->network));
    lp_json_put_text(out, "bound_of", lp_bound_key(kind_of(r)));
    lp_json_put_count(out, "preemptions", r->run.preemptions);
    lp_json_put_count(out, "decisions", r->run.decisions);
    lp_json_put_count(out, "changed", r->changed);
    lp_json_put_count(out, "simulated", r->simulated);
    lp_json_close(out, '}');
}
