/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observer, rules of placement and the forward pass, joined. */
#include "session/player/player.h"

#include <string.h>

#include "learn/infer.h"
#include "session/player/player_impl.h"
#include "sim/forecast.h"

static LpErr fill(LpPlayer *p, const LpContext *context, LpDiag *diag) {
    const LpNetPlan *plan = &p->agent->plan;
    const char *rule[LP_PLACINGS_MAX];
    for (uint32_t i = 0; i < p->agent->placings; i++)
        rule[i] = p->agent->placing[i];
    LP_TRY(lp_place_choice_read(rule, p->agent->placings, &p->places, diag));
    if ((p->places.room = lp_place_room_new(context)) == NULL)
        return lp_fail_memory(diag, "a network's room");
    LpPlacer placer = lp_place_choice_placer(&p->places);
    for (uint32_t i = 0; i < placer.placings; i++)
        placer.kind[i] = (uint32_t)p->places.rule[i];
    LP_TRY(lp_observer_new(context, p->agent->encoding, p->agent->degrees, &placer, &p->observer,
                           diag));
    uint32_t graphs, nodes = 0, edges = 0;
    const LpNetGraph *graph = lp_observer_graphs(p->observer, &graphs);
    for (uint32_t g = 0; g < graphs; g++) {
        nodes = graph[g].nodes > nodes ? graph[g].nodes : nodes;
        edges = graph[g].edges > edges ? graph[g].edges : edges;
    }
    p->own = lp_arena_alloc(p->arena, (size_t)graphs * plan->shape.embedding, sizeof *p->own);
    p->room = lp_arena_alloc(p->arena, lp_infer_room(plan, nodes, edges), sizeof *p->room);
    p->head_room = lp_arena_alloc(p->arena, lp_infer_head_room(plan), sizeof *p->head_room);
    p->seen = lp_arena_alloc(p->arena, (size_t)plan->shape.features + plan->shape.actions,
                             sizeof *p->seen);
    p->server = lp_arena_alloc(p->arena, context->fabric.servers, sizeof *p->server);
    p->embedding = p->own;
    return p->server != NULL && p->seen != NULL && p->own != NULL && p->room != NULL &&
                   p->head_room != NULL
               ? LP_OK
               : lp_fail_memory(diag, "a network's room");
}

LpErr lp_player_new(const LpWeights *agent, const LpContext *context, LpPlayer **out,
                    LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpPlayer *p = arena != NULL ? lp_arena_alloc(arena, 1, sizeof *p) : NULL;
    if (p == NULL) {
        lp_arena_free(arena);
        return lp_fail_memory(diag, "a network's room");
    }
    p->arena = arena;
    p->agent = agent;
    LpErr err = fill(p, context, diag);
    if (err != LP_OK) {
        lp_player_free(p);
        return err;
    }
    *out = p;
    return LP_OK;
}

void lp_player_free(LpPlayer *player) {
    if (player == NULL)
        return;
    lp_observer_free(player->observer);
    lp_place_room_free(player->places.room);
    lp_arena_free(player->arena);
}

const LpWeights *lp_player_agent(const LpPlayer *player) {
    return player->agent;
}

const LpNetGraph *lp_player_graphs(const LpPlayer *player, uint32_t *count) {
    return lp_observer_graphs(player->observer, count);
}

const uint32_t *lp_player_ops(const LpPlayer *player, uint32_t graph) {
    return lp_observer_ops(player->observer, graph);
}

uint32_t lp_player_action(const LpPlayer *player, uint32_t action, bool plans, LpPlaceRule *rule) {
    const LpWeights *agent = player->agent;
    *rule = player->places.rule[lp_action_placing(action, agent->placings)];
    return lp_encoding_way(agent->encoding, action, agent->placings, plans);
}

/* Published rules overlook servers that have just been given back (Q21): a job that could take them
 * is offered again soon, after a thousandth of its unsplit time, or it would miss its turn. */
static LpAnswer wait(const LpContext *context, const LpWorld *world, uint32_t job) {
    LpAnswer answer = {.kind = LP_ANSWER_WAIT};
    const LpJob *j = lp_world_job(world, job);
    if (!lp_published(&context->scenario->options, LP_OPT_MASK) || j->graph < 0 ||
        lp_world_seen_busy(world) <= lp_world_tally(world)->busy_servers)
        return answer;
    answer.has_retry = true;
    answer.retry = context->facts[j->graph].sequential_time * j->asked.steps / 1000;
    return answer;
}

LpErr lp_player_answer(LpPlayer *p, const LpContext *context, const LpWorld *world, uint32_t job,
                       uint32_t action, LpAnswer *out, LpDiag *diag) {
    uint32_t placings = p->agent->placings, left;
    int32_t graph = lp_world_job(world, job)->graph;
    bool plans = lp_context_planned(context, graph), engine = true;
    uint32_t degree = lp_encoding_way(p->agent->encoding, action, placings, plans);
    LpAnswer answer;
    if (degree == LP_DEGREE_WAIT) {
        *out = wait(context, world, job);
        return LP_OK;
    }
    LP_TRY(lp_context_way(context, graph, degree, &answer, diag));
    answer.server = p->server;
    if (degree > 0)
        LP_TRY(lp_place_choice_choose(&p->places, world, context, job, degree,
                                      lp_action_placing(action, placings), p->server,
                                      &answer.servers, &left, &engine, diag));
    if (degree == 0 || (!engine && answer.servers == 0))
        answer = (LpAnswer){.kind = LP_ANSWER_DECLINE};
    *out = answer;
    return LP_OK;
}

void lp_player_embed(LpPlayer *p) {
    uint32_t graphs, width = p->agent->plan.shape.embedding;
    const LpNetGraph *graph = lp_observer_graphs(p->observer, &graphs);
    for (uint32_t g = 0; g < graphs && width > 0; g++)
        lp_infer_embed(&p->agent->plan, p->agent->params, &graph[g], p->room,
                       p->own + (size_t)g * width);
    p->embedding = p->own;
}

void lp_player_share(LpPlayer *player, const LpPlayer *other) {
    player->embedding = other->embedding;
}

LpErr lp_player_observe(LpPlayer *player, const LpContext *context, const LpWorld *world,
                        uint32_t job, double *features, uint32_t *graph, LpDiag *diag) {
    return lp_observe(player->observer, context, world, job, features, graph, diag);
}

void lp_player_head(LpPlayer *p, LpNetHead head, const double *features, uint32_t graph,
                    double *out) {
    const LpNetPlan *plan = &p->agent->plan;
    lp_infer_head(plan, p->agent->params, head,
                  p->embedding + (size_t)graph * plan->shape.embedding, features, p->head_room,
                  out);
}

const double *lp_player_mask(const LpPlayer *player, const double *features) {
    const LpNetShape *s = &player->agent->plan.shape;
    return features + s->features - s->actions;
}

uint32_t lp_player_best(const LpPlayer *player, const double *scores, const double *mask) {
    uint32_t actions = player->agent->plan.shape.actions, best = actions;
    for (uint32_t a = 0; a < actions; a++)
        if (mask[a] > 0 && (best == actions || scores[a] > scores[best]))
            best = a;
    return best == actions ? 0 : best;
}
