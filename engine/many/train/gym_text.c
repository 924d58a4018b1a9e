/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observations and descriptions of an environment as JSON. */
#include <math.h>
#include <stdio.h>

#include "learn/feature.h"
#include "many/train/gym_serve_impl.h"
#include "sim/forecast.h"
#include "sim/parallel/parallel_step.h"

enum { NAME = 80 };

static void add_doubles(LpJsonOut *out, const char *key, const double *item, size_t count) {
    lp_json_open(out, key, '[');
    for (size_t i = 0; i < count; i++)
        lp_json_put_number(out, NULL, item[i]);
    lp_json_close(out, ']');
}

/* ---- one observation ---- */

LpErr lp_gym_add_mask(LpGymServer *s, LpJsonOut *out, LpDiag *diag) {
    uint32_t actions = lp_gym_actions(s->gym);
    LP_TRY(lp_gym_mask(s->gym, s->mask, diag));
    lp_json_open(out, "mask", '[');
    for (uint32_t a = 0; a < actions; a++)
        lp_json_put_count(out, NULL, s->mask[a]);
    lp_json_close(out, ']');
    return LP_OK;
}

static void add_job(LpJsonOut *out, const LpScenario *scenario, const LpJob *job) {
    lp_json_put_number(out, "job", job->id);
    lp_json_put_number(out, "graph", job->graph >= 0 ? job->graph : (double)NAN);
    lp_json_put_text(out, "model", job->graph >= 0 ? scenario->graph[job->graph]->id : NULL);
    lp_json_put_number(out, "arrival", job->asked.arrival);
    lp_json_put_number(out, "steps", job->asked.steps);
    lp_json_put_number(out, "sequential_jct", job->asked.sequential_jct);
    lp_json_put_number(out, "max_jct",
                       isinf(job->asked.max_jct) ? (double)NAN : job->asked.max_jct);
    lp_json_put_number(out, "max_jct_fraction",
                       job->asked.fraction > 0 ? job->asked.fraction : (double)NAN);
    lp_json_put_number(out, "rigid_servers",
                       job->graph < 0 ? job->asked.rigid_servers : (double)NAN);
}

/* Where jobs may wait, what a decision about them depends on, in the order of QUEUE_NAMES. */
static void observe_queue(const LpContext *context, const LpWorld *world, const LpJob *job,
                          double *out) {
    double waited = lp_world_now(world) - job->asked.arrival, servers = lp_world_servers(world);
    double limit = isinf(job->asked.max_jct) ? 0 : job->asked.max_jct;
    double unsplit = context->facts[job->graph].sequential_time * job->asked.steps;
    out[0] = limit > 0 ? waited / limit : 0;
    out[1] = limit > 0 ? (limit - waited) / unsplit : 1;
    out[2] = (double)lp_world_tally(world)->waiting / servers;
    out[3] = lp_world_free_servers(world) / servers;
    for (int i = 0; i < LP_GYM_QUEUE_FEATURES; i++)
        out[i] = out[i] < 0 ? 0 : out[i] > 1 ? 1 : out[i];
}

static const char *const QUEUE_NAMES[LP_GYM_QUEUE_FEATURES] = {"waited", "time left",
                                                               "waiting jobs", "free servers"};

LpErr lp_gym_observe(LpGymServer *s, uint32_t *graph, LpDiag *diag) {
    const LpSession *session = lp_gym_session(s->gym);
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    uint32_t due = lp_world_due(world), own = lp_observer_features(s->observer);
    LP_TRY(lp_observe(s->observer, context, world, due, s->feature, graph, diag));
    if (s->features > own)
        observe_queue(context, world, lp_world_job(world, due), s->feature + own);
    return LP_OK;
}

LpErr lp_gym_add_observation(LpGymServer *s, LpJsonOut *out, LpDiag *diag) {
    const LpSession *session = lp_gym_session(s->gym);
    const LpContext *context = lp_session_context(session);
    const LpWorld *world = lp_session_world(session);
    uint32_t due = lp_gym_due(s->gym) ? lp_world_due(world) : LP_NO_INDEX, graph;
    if (due == LP_NO_INDEX) {
        lp_json_put_null(out, "observation");
        return LP_OK;
    }
    const LpJob *job = lp_world_job(world, due);
    lp_json_open(out, "observation", '{');
    const LpTally *t = lp_world_tally(world);
    lp_json_put_number(out, "time", lp_world_now(world));
    lp_json_put_number(out, "servers", lp_world_servers(world));
    lp_json_put_number(out, "free_servers", lp_world_free_servers(world));
    lp_json_put_number(out, "seen_busy", lp_world_seen_busy(world));
    lp_json_put_number(out, "running", (double)t->running);
    lp_json_put_number(out, "waiting", (double)t->waiting);
    add_job(out, context->scenario, job);
    if (s->observer != NULL && job->graph >= 0) {
        LP_TRY(lp_gym_observe(s, &graph, diag));
        add_doubles(out, "features", s->feature, s->features);
    } else {
        lp_json_put_null(out, "features");
    }
    lp_json_close(out, '}');
    return LP_OK;
}

/* ---- what does not change ---- */

static void add_names(LpJsonOut *out, const char *key, const char *(*name)(int), int count) {
    lp_json_open(out, key, '[');
    for (int i = 0; i < count; i++)
        lp_json_put_text(out, NULL, name(i));
    lp_json_close(out, ']');
}

static const char *node_name(int i) {
    return lp_feature_node((uint32_t)i).name;
}

static const char *edge_name(int i) {
    return lp_feature_edge((uint32_t)i).name;
}

/* "open[4]" of degree 4, "open[4 best_fit]" where there is more than one rule to place it. */
static void add_feature_name(const LpGymServer *s, const LpFeature *f, uint32_t actions,
                             LpJsonOut *out) {
    uint32_t placings = s->places.count, degree = lp_action_degree(f->action, placings);
    char name[NAME];
    if (f->action >= actions) {
        lp_json_put_text(out, NULL, f->name);
        return;
    }
    const char *rule = lp_place_rule_name(s->places.rule[lp_action_placing(f->action, placings)]);
    bool plain = placings == 1 || degree == 0;
    snprintf(name, sizeof name, plain ? "%s[%u]" : "%s[%u %s]", f->name, (unsigned)degree, rule);
    lp_json_put_text(out, NULL, name);
}

static void add_feature_names(const LpGymServer *s, LpJsonOut *out) {
    uint32_t actions = lp_observe_actions(lp_gym_degrees(s->gym), s->places.count);
    uint32_t features = s->observer != NULL ? lp_observer_features(s->observer) : 0;
    lp_json_open(out, "feature_names", '[');
    for (uint32_t i = 0; i < features; i++) {
        LpFeature f = lp_feature(s->encoding, actions, i);
        add_feature_name(s, &f, actions, out);
    }
    for (uint32_t i = features; i < s->features; i++)
        lp_json_put_text(out, NULL, QUEUE_NAMES[i - features]);
    lp_json_close(out, ']');
    add_names(out, "node_feature_names", node_name, LP_NET_NODE);
    add_names(out, "edge_feature_names", edge_name, LP_NET_EDGE);
}

static const char *reward_name(int i) {
    return lp_reward_name((LpRewardKind)i);
}

static const char *place_name(int i) {
    return lp_place_rule_name((LpPlaceRule)i);
}

static const char *encoding_name(int i) {
    return lp_encoding_name((LpEncoding)i);
}

void lp_gym_add_spec(const LpGymServer *s, LpJsonOut *out) {
    const LpSession *session = lp_gym_session(s->gym);
    const LpScenario *scenario = lp_session_scenario(session);
    const LpFabric *f = &lp_session_context(session)->fabric;
    uint32_t graphs = 0;
    if (s->observer != NULL)
        lp_observer_graphs(s->observer, &graphs);
    lp_json_put_number(out, "protocol", 1);
    lp_json_put_text(out, "version", LP_VERSION);
    lp_json_put_text(out, "scenario", scenario->name);
    lp_json_put_text(out, "semantics", scenario->semantics_published ? "published" : "corrected");
    lp_json_put_text(out, "fabric", f->ops->name);
    lp_json_put_number(out, "servers", f->servers);
    lp_json_put_number(out, "actions", lp_gym_actions(s->gym));
    add_names(out, "placements", place_name, LP_PLACE_RULE_COUNT);
    lp_json_open(out, "placed", '[');
    for (uint32_t i = 0; i < s->places.count; i++)
        lp_json_put_text(out, NULL, lp_place_rule_name(s->places.rule[i]));
    lp_json_close(out, ']');
    add_names(out, "rewards", reward_name, LP_REWARD_COUNT);
    lp_json_put_text(out, "reward", lp_reward_name(lp_gym_reward(s->gym)->kind));
    add_names(out, "encodings", encoding_name, LP_ENCODING_COUNT);
    lp_json_put_text(out, "encoding", lp_encoding_name(s->encoding));
    if (lp_gym_wait(s->gym) != LP_NO_INDEX)
        lp_json_put_number(out, "wait", lp_gym_wait(s->gym));
    lp_json_put_number(out, "features", s->features);
    lp_json_put_number(out, "graphs", graphs);
    lp_json_put_number(out, "node_features", LP_NET_NODE);
    lp_json_put_number(out, "edge_features", LP_NET_EDGE);
    add_feature_names(s, out);
}

/* What the actions stand for, in their order from 1 on; nothing for a graph without plans. */
static LpErr add_plans(LpJsonOut *out, const LpContext *context, uint32_t graph, LpDiag *diag) {
    const LpParallel *plan = NULL;
    if (!lp_context_planned(context, (int32_t)graph))
        return LP_OK;
    lp_json_open(out, "plans", '[');
    for (uint32_t way = 1; way == 1 || plan != NULL; way++) {
        char text[LP_PARALLEL_TEXT];
        LpParallelStep alone;
        LP_TRY(lp_context_plan(context, (int32_t)graph, way, &plan, diag));
        if (plan == NULL)
            break;
        LP_TRY(lp_context_plan_alone(context, (int32_t)graph, plan, &alone, diag));
        lp_json_open(out, NULL, '{');
        lp_json_put_count(out, "action", way);
        lp_json_put_text(out, "plan", lp_parallel_brief(plan, text));
        lp_json_put_count(out, "servers", lp_parallel_devices(plan));
        lp_json_put_number(out, "step_time", alone.step_time);
        lp_json_put_number(out, "memory", alone.held_bytes);
        lp_json_put_number(out, "bubble", alone.bubble);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    return LP_OK;
}

LpErr lp_gym_add_graphs(const LpGymServer *s, LpJsonOut *out, LpDiag *diag) {
    const LpContext *context = lp_session_context(lp_gym_session(s->gym));
    uint32_t count = 0;
    const LpNetGraph *graph = s->observer != NULL ? lp_observer_graphs(s->observer, &count) : NULL;
    lp_json_open(out, "graphs", '[');
    for (uint32_t i = 0; i < count; i++) {
        const LpNetGraph *g = &graph[i];
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "model", context->scenario->graph[i]->id);
        LP_TRY(add_plans(out, context, i, diag));
        lp_json_put_number(out, "nodes", g->nodes);
        lp_json_put_number(out, "edges", g->edges);
        add_doubles(out, "node_features", g->node, (size_t)g->nodes * LP_NET_NODE);
        add_doubles(out, "edge_features", g->edge, (size_t)g->edges * LP_NET_EDGE);
        lp_json_put_counts(out, "edges_src", g->src, g->edges);
        lp_json_put_counts(out, "edges_dst", g->dst, g->edges);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    return LP_OK;
}

void lp_gym_features(LpBuf *out) {
    lp_feature_table(out);
}
