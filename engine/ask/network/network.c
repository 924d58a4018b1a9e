/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a policy's networks what they think, beside the policy. */
#include "ask/network/network.h"

#include <math.h>
#include <stdio.h>

#include "session/player/schedule.h"
#include "session/player/services_network.h"
#include "session/player/setting.h"
#include "session/session_impl.h"
#include "sim/forecast.h"

/* One question. */
typedef struct Ask {
    LpSession *s;
    void *network;
    const LpWorld *world;
    LpArena *arena;
    LpPlayer *player;
} Ask;

uint32_t lp_network_count(const LpSession *s) {
    return s->loaded.policy != NULL ? lp_policy_networks(s->loaded.policy) : 0;
}

const char *lp_network_action_text(const LpNetworkInspection *seen, uint32_t action,
                                   char text[LP_NETWORK_TEXT]) {
    const LpNetworkAction *a = &seen->action[action];
    char plan[LP_PARALLEL_TEXT];
    if (a->degree == 0)
        lp_str_copy(text, LP_NETWORK_TEXT, "decline");
    else if (a->degree == LP_DEGREE_WAIT)
        lp_str_copy(text, LP_NETWORK_TEXT, "wait");
    else if (a->plan.tensor > 0)
        snprintf(text, LP_NETWORK_TEXT, "plan %.50s%s%s", lp_parallel_brief(&a->plan, plan),
                 seen->placings > 1 ? " " : "", seen->placings > 1 ? a->rule : "");
    else
        snprintf(text, LP_NETWORK_TEXT, "%u way%s%s%s", (unsigned)a->degree,
                 a->degree == 1 ? "" : "s", seen->placings > 1 ? " " : "",
                 seen->placings > 1 ? a->rule : "");
    return text;
}

bool lp_network_outside(LpSession *s, LpBuf *out) {
    return s->loaded.policy != NULL && lp_policy_outside(s->loaded.policy, s->context, out);
}

/* ---- softmax ---- */

/* exp(x) of x <= 0: x = k ln 2 + r with |r| <= ln 2 / 2, 13 terms of the series for r. Off by a few
 * units in the last place, and by the same ones everywhere. */
static double exp_below(double x) {
    static const double LN2 = 0.693147180559945309417;
    double power = 1, sum = 1, half = 1;
    if (!(x > -700))
        return 0;
    double k = floor(x / LN2 + 0.5), r = x - k * LN2;
    for (int i = 1; i <= 13; i++) {
        power *= r / i;
        sum += power;
    }
    for (double i = 0; i < -k; i++)
        half *= 0.5;
    return sum * half;
}

static void rank(LpNetworkInspection *seen) {
    seen->best = seen->next = seen->actions;
    for (uint32_t a = 0; a < seen->actions; a++) {
        const LpNetworkAction *all = seen->action;
        if (!all[a].open)
            continue;
        if (seen->best == seen->actions || all[a].logit > all[seen->best].logit) {
            seen->next = seen->best;
            seen->best = a;
        } else if (seen->next == seen->actions || all[a].logit > all[seen->next].logit) {
            seen->next = a;
        }
    }
}

static void share(LpNetworkInspection *seen) {
    double sum = 0;
    for (uint32_t a = 0; a < seen->actions; a++) {
        LpNetworkAction *action = &seen->action[a];
        if (action->open)
            action->probability = exp_below(action->logit - seen->action[seen->best].logit);
        sum += action->probability;
    }
    for (uint32_t a = 0; sum > 0 && a < seen->actions; a++)
        seen->action[a].probability /= sum;
}

/* ---- asking ---- */

static LpErr no_table(LpArena *arena, LpNetworkInspection *out, const LpDiag *why, LpDiag *diag) {
    out->problem = lp_arena_strdup(arena, why->text);
    return out->problem != NULL && why->code != LP_ENOMEM
               ? LP_OK
               : lp_fail_memory(diag, "what a network says");
}

static LpErr observe(Ask *a, double *features, LpNetworkInspection *out, LpDiag *diag) {
    const LpContext *context = a->s->context;
    if (out->job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    LP_TRY(lp_network_player(a->network, context, &a->player, diag));
    return lp_player_observe(a->player, context, a->world, out->job, features, &out->graph_index,
                             diag);
}

/* ---- who goes next ---- */

static uint32_t list_queue(const LpWorld *world, uint32_t due, uint32_t *jobs) {
    uint32_t count = 0;
    bool waits = false;
    for (uint32_t id = lp_world_first_waiting(world); id != LP_NO_INDEX;
         id = lp_world_next_waiting(world, id)) {
        waits = waits || id == due; /* offered again, it is still in the queue */
        jobs[count++] = id;
    }
    if (!waits)
        jobs[count++] = due;
    return count;
}

static LpErr ask_queue(Ask *a, LpNetworkInspection *out, LpDiag *diag) {
    size_t most = lp_world_tally(a->world)->waiting + 2;
    uint32_t *jobs = lp_arena_alloc(a->arena, most, sizeof *jobs);
    double *priority = lp_arena_alloc(a->arena, most, sizeof *priority), sum = 0;
    LpNetworkQueued *queue = lp_arena_alloc(a->arena, most, sizeof *queue);
    if (jobs == NULL || priority == NULL || queue == NULL)
        return lp_fail_memory(diag, "what a network says");
    uint32_t count = list_queue(a->world, out->job, jobs);
    LP_TRY(lp_player_order(a->player, a->s->context, a->world, jobs, count, diag));
    LP_TRY(lp_player_priorities(a->player, a->s->context, a->world, jobs, count, priority, diag));
    for (uint32_t i = 0; i < count; i++) {
        queue[i] = (LpNetworkQueued){jobs[i], priority[i], exp_below(priority[i] - priority[0])};
        sum += queue[i].probability;
    }
    for (uint32_t i = 0; i < count; i++)
        queue[i].probability /= sum;
    out->queued = count;
    out->queue = queue;
    return LP_OK;
}

static LpErr ask(Ask *a, LpNetworkInspection *out, LpDiag *diag) {
    const LpNetShape *shape = &lp_network_agent(a->network)->plan.shape;
    uint32_t actions = shape->actions;
    LpPlaceRule rule;
    LpDiag why = {0};
    double *features = lp_arena_alloc(a->arena, shape->features, sizeof *features);
    double *head = lp_arena_alloc(a->arena, 2 * (size_t)actions, sizeof *head);
    LpNetworkAction *action = lp_arena_alloc(a->arena, actions, sizeof *action);
    if (features == NULL || head == NULL || action == NULL)
        return lp_fail_memory(diag, "what a network says");
    if (observe(a, features, out, &why) != LP_OK)
        return no_table(a->arena, out, &why, diag);
    lp_player_head(a->player, LP_HEAD_POLICY, features, out->graph_index, head);
    lp_player_head(a->player, LP_HEAD_Q, features, out->graph_index, head + actions);
    lp_player_head(a->player, LP_HEAD_VALUE, features, out->graph_index, &out->value);
    const double *mask = lp_player_mask(a->player, features);
    int32_t graph = (int32_t)out->graph_index;
    bool plans = lp_context_planned(a->s->context, graph);
    for (uint32_t i = 0; i < actions; i++) {
        uint32_t degree = lp_player_action(a->player, i, plans, &rule);
        bool placed = degree > 0 && degree != LP_DEGREE_WAIT;
        const LpParallel *plan = NULL;
        if (placed && plans)
            LP_TRY(lp_context_plan(a->s->context, graph, degree, &plan, diag));
        action[i] = (LpNetworkAction){.degree = degree,
                                      .plan = plan != NULL ? *plan : (LpParallel){0},
                                      .rule = placed ? lp_place_rule_name(rule) : "",
                                      .open = mask[i] > 0,
                                      .logit = head[i],
                                      .q = shape->own > 0 ? (double)NAN : head[actions + i]};
    }
    LpBuf outside = {0};
    if (lp_player_outside(a->player, &outside) && !outside.failed)
        out->outside = lp_arena_strdup(a->arena, lp_buf_text(&outside));
    lp_buf_fini(&outside);
    if (out->outside == NULL)
        return lp_fail_memory(diag, "what a network says");
    out->actions = actions;
    out->placings = lp_network_agent(a->network)->placings;
    out->action = action;
    out->features = shape->features;
    out->feature = features;
    rank(out);
    share(out);
    return shape->own > 0 ? ask_queue(a, out, diag) : LP_OK;
}

/* world NULL: there is no decision to look at. */
static LpErr look_at(LpSession *s, uint32_t index, const LpWorld *world, LpArena *arena,
                     LpNetworkInspection *out, LpDiag *diag) {
    LpNetworkInspection seen = {
        .param = "", .encoding = "", .problem = "", .graph = "", .outside = "", .job = LP_NO_INDEX};
    uint32_t networks = lp_network_count(s), param;
    if (index < networks) {
        Ask a = {.s = s, .world = world, .arena = arena};
        seen.networks = networks;
        a.network = lp_policy_network(s->loaded.policy, index, &param);
        /* What is known before the network is asked. */
        seen.encoding = lp_encoding_name(lp_network_agent(a.network)->encoding);
        if (a.world != NULL) {
            seen.job = lp_world_due(a.world);
            seen.decision = lp_world_tally(a.world)->decisions;
            seen.time = lp_world_now(a.world);
        }
        seen.param = lp_arena_strdup(a.arena, lp_policy_param(a.s->loaded.policy, param).name);
        if (seen.job != LP_NO_INDEX && lp_world_job(a.world, seen.job)->graph >= 0)
            seen.graph = a.s->scenario->graph[lp_world_job(a.world, seen.job)->graph]->id;
        LP_TRY(seen.param != NULL ? LP_OK : lp_fail_memory(diag, "what a network says"));
        LP_TRY(ask(&a, &seen, diag));
    }
    *out = seen;
    return LP_OK;
}

LpErr lp_network_inspect_world(LpSession *s, uint32_t index, const LpWorld *world, LpArena *arena,
                               LpNetworkInspection *out, LpDiag *diag) {
    return look_at(s, index, world, arena, out, diag);
}

LpErr lp_network_inspect(LpSession *s, uint32_t index, uint32_t job, LpArena *arena,
                         LpNetworkInspection *out, LpDiag *diag) {
    LpMoment now = lp_session_moment(s);
    LpWorld *world;
    if (lp_world_due(s->world) == job)
        return look_at(s, index, s->world, arena, out, diag);
    const LpStoryEntry *told =
        s->timeline != NULL ? lp_timeline_told(s->timeline, now.branch, now.step, job) : NULL;
    if (told == NULL || told->step == 0 || index >= lp_network_count(s))
        return look_at(s, index, NULL, arena, out, diag);
    LP_TRY(lp_session_world_at(s, (LpMoment){now.branch, told->step - 1}, &world, diag));
    LpErr err = look_at(s, index, world, arena, out, diag);
    lp_world_free(world);
    return err;
}
