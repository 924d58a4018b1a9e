/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy's network is to the host: an agent, and the player that asks it. */
#include "session/player/services_network.h"

#include <string.h>

#include "base/mem.h"
#include "session/player/schedule.h"
#include "session/player/weights_file.h"
#include "sim/forecast.h"
#include "sim/world.h"

typedef struct Network {
    LpWeights *agent;
    LpPlayer *player;       /* NULL until it is first asked */
    LpGraph *const *graphs; /* of the scenario that the player is for */
    double *features, *scores;
} Network;

static void network_close(void *object) {
    Network *n = object;
    if (n == NULL)
        return;
    lp_player_free(n->player);
    lp_weights_free(n->agent);
    lp_free(n->features);
    lp_free(n->scores);
    lp_free(n);
}

static LpErr network_open(const char *path, const char *text, size_t len, void **out,
                          LpDiag *diag) {
    Network *n = lp_alloc(1, sizeof *n);
    if (n == NULL)
        return lp_fail_memory(diag, "a network");
    LpErr err = lp_weights_parse(path, text, len, &n->agent, NULL, diag);
    if (err == LP_OK) {
        n->features = lp_alloc(n->agent->plan.shape.features, sizeof *n->features);
        n->scores = lp_alloc(n->agent->plan.shape.actions, sizeof *n->scores);
        if (n->features == NULL || n->scores == NULL)
            err = lp_fail_memory(diag, "a network");
    }
    if (err == LP_OK)
        *out = n;
    else
        network_close(n);
    return err;
}

static LpScriptNetwork network_facts(const void *object) {
    const Network *n = object;
    return (LpScriptNetwork){lp_encoding_name(n->agent->encoding), (int)n->agent->encoding,
                             n->agent->plan.shape.actions};
}

static void network_action(const void *object, uint32_t action, bool plans, uint32_t *degree,
                           const char **rule) {
    const LpWeights *agent = ((const Network *)object)->agent;
    *degree = lp_encoding_way(agent->encoding, action, agent->placings, plans);
    *rule = agent->placing[lp_action_placing(action, agent->placings)];
}

/* All contexts of one scenario share its graphs. */
static LpErr prepare(Network *n, const LpContext *context, LpDiag *diag) {
    if (n->player != NULL && n->graphs == context->scenario->graph)
        return LP_OK;
    lp_player_free(n->player);
    n->player = NULL;
    LP_TRY(lp_player_new(n->agent, context, &n->player, diag));
    n->graphs = context->scenario->graph;
    lp_player_embed(n->player);
    return LP_OK;
}

const LpWeights *lp_network_agent(const void *network) {
    return ((const Network *)network)->agent;
}

LpErr lp_network_player(void *network, const LpContext *context, LpPlayer **out, LpDiag *diag) {
    Network *n = network;
    LP_TRY(prepare(n, context, diag));
    *out = n->player;
    return LP_OK;
}

static LpErr network_scores(void *object, const LpContext *context, const LpWorld *world,
                            uint32_t job, double *scores, double *mask, double *value,
                            LpDiag *diag) {
    Network *n = object;
    uint32_t graph;
    LP_TRY(prepare(n, context, diag));
    LP_TRY(lp_player_observe(n->player, context, world, job, n->features, &graph, diag));
    if (scores != NULL)
        lp_player_head(n->player, LP_HEAD_POLICY, n->features, graph, scores);
    if (mask != NULL)
        memcpy(mask, lp_player_mask(n->player, n->features),
               n->agent->plan.shape.actions * sizeof *mask);
    if (value != NULL)
        lp_player_head(n->player, LP_HEAD_VALUE, n->features, graph, value);
    return LP_OK;
}

static LpErr network_place(void *object, const LpContext *context, const LpWorld *world,
                           uint32_t job, uint32_t action, uint32_t *server, uint32_t *count,
                           LpDiag *diag) {
    Network *n = object;
    LpPlaceRule rule;
    *count = 0;
    LP_TRY(prepare(n, context, diag));
    bool plans = lp_context_planned(context, lp_world_job(world, job)->graph);
    uint32_t degree = lp_player_action(n->player, action, plans, &rule);
    if (degree == 0 || degree == LP_DEGREE_WAIT)
        return LP_OK;
    return lp_place_choose(world, context, job, degree, rule, server, count, NULL, diag);
}

static LpErr network_choose(void *object, const LpContext *context, const LpWorld *world,
                            uint32_t job, uint32_t *action, double *retry, LpDiag *diag) {
    Network *n = object;
    const LpNetShape *shape = &n->agent->plan.shape;
    uint32_t graph;
    LpAnswer answer;
    LP_TRY(prepare(n, context, diag));
    LP_TRY(lp_player_observe(n->player, context, world, job, n->features, &graph, diag));
    lp_player_head(n->player, LP_HEAD_POLICY, n->features, graph, n->scores);
    double *mask = n->features + shape->features - shape->actions;
    LP_TRY(
        lp_player_choose(n->player, context, world, job, n->scores, mask, action, &answer, diag));
    *retry = answer.has_retry ? answer.retry : 0;
    return LP_OK;
}

static LpErr network_priority(void *object, const LpContext *context, const LpWorld *world,
                              uint32_t job, double *priority, LpDiag *diag) {
    Network *n = object;
    LP_TRY(prepare(n, context, diag));
    return lp_player_priorities(n->player, context, world, &job, 1, priority, diag);
}

static LpErr network_give_way(void *object, const LpContext *context, const LpWorld *world,
                              uint32_t job, uint32_t *victim, uint32_t *count, LpDiag *diag) {
    Network *n = object;
    LP_TRY(prepare(n, context, diag));
    return lp_player_give_way(n->player, context, world, job, victim, count, diag);
}

void lp_services_network(LpScriptServices *services) {
    services->network_open = network_open;
    services->network_close = network_close;
    services->network_encoding = lp_encoding_find;
    services->network_facts = network_facts;
    services->network_action = network_action;
    services->network_scores = network_scores;
    services->network_place = network_place;
    services->network_choose = network_choose;
    services->network_priority = network_priority;
    services->network_give_way = network_give_way;
}
