/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks of a policy as front ends see them: what is shown is what the network says, now and
 * back in time, and looking changes nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../tiny.h"
#include "ask/network/network_text.h"
#include "group.h"
#include "io/json/json.h"
#include "session/player/player.h"
#include "session/player/weights_file.h"

static const char SCENARIO[] =
    "{\"lightpath\": 1, \"name\": \"small\", \"semantics\": \"published\",\n"
    " \"cluster\": {\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2,\n"
    "   \"racks_per_group\": 2, \"servers_per_rack\": 2}},\n"
    " \"graphs\": [{\"id\": \"a\", \"zoo\": \"alexnet\"}, {\"id\": \"v\", \"zoo\": \"vgg16\"}],\n"
    " \"generator\": {\"count\": 40, \"replication\": 20, \"sampling\": \"remove_and_repeat\",\n"
    "   \"load\": 0.8, \"interarrival\": \"fixed\", \"steps\": 50,\n"
    "   \"max_jct_fraction\": {\"uniform\": {\"min\": 0.5, \"max\": 1, \"decimals\": 2}}},\n"
    " \"partition\": {\"max_degree\": 8, \"min_op_time\": \"10 us\"}}\n";

static const char RIGID[] =
    "{\"lightpath\": 1, \"name\": \"rigid\",\n"
    " \"cluster\": {\"fabric\": \"ramp\", \"ramp\": {\"communication_groups\": 2,\n"
    "   \"racks_per_group\": 2, \"servers_per_rack\": 2}},\n"
    " \"graphs\": [],\n"
    " \"jobs\": [{\"arrival\": 0, \"servers\": 2, \"duration\": 10}]}\n";

/* Two networks of which the second by name decides. */
static const char POLICY[] =
    "local policy = { name = 'p', api = 1, params = {\n"
    "  zeta = { default = 'z.json', type = 'network', doc = 'file' },\n"
    "  least = { default = 1, doc = 'number' },\n"
    "  alpha = { default = 'a.json', type = 'network', doc = 'file' } } }\n"
    "function policy:partition(job, cluster)\n"
    "  if job.rigid then return job.rigid end\n"
    "  local net, best = self.p.zeta, 1\n"
    "  local scores = net:scores(job:observe(net.encoding))\n"
    "  for i = 2, #scores do if scores[i] > scores[best] then best = i end end\n"
    "  local degree = net:action(best)\n"
    "  if degree == 0 then return nil, 'no' end\n"
    "  return degree, ('%.17g'):format(scores[best])\n"
    "end\n"
    "return policy\n";

typedef struct Lab {
    char path[64];
    LpWeights *alpha, *zeta;
    LpSession *session;
    LpArena *arena;
} Lab;

static LpWeights *make_agent(LpEncoding encoding, uint64_t seed) {
    static const char *const PLACINGS[] = {"engine", "first_fit"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent;
    shape.hidden = 16;
    assert_int_equal(lp_weights_new(encoding, 8, PLACINGS, 2, &shape, &agent, NULL), LP_OK);
    lp_net_init(&agent->plan, seed, agent->params);
    for (size_t i = 0; i < agent->plan.params; i++)
        agent->params[i] *= 2; /* heads begin nearly equal */
    lp_weights_round(agent);
    return agent;
}

static void save(const Lab *lab, const char *name, const LpWeights *agent) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", lab->path, name);
    assert_int_equal(lp_weights_save(path, agent, NULL, NULL), LP_OK);
}

static void open_lab(Lab *lab, const char *scenario, const char *policy, bool timeline) {
    char scenario_path[96], policy_path[96];
    LpDiag diag = {0};
    strcpy(lab->path, "/tmp/lightpath-look-XXXXXX");
    assert_non_null(mkdtemp(lab->path));
    snprintf(scenario_path, sizeof scenario_path, "%s/s.json", lab->path);
    snprintf(policy_path, sizeof policy_path, "%s/p.lua", lab->path);
    tiny_write(lab->path, "s.json", scenario);
    lab->alpha = make_agent(LP_ENCODING_PUBLISHED, 3);
    lab->zeta = make_agent(LP_ENCODING_CORRECTED, 7);
    save(lab, "a.json", lab->alpha);
    save(lab, "z.json", lab->zeta);
    if (policy != NULL)
        tiny_write(lab->path, "p.lua", policy);
    LpSessionSpec spec = {.scenario = scenario_path,
                          .policy = policy != NULL ? policy_path : NULL,
                          .keep_events = true,
                          .keep_timeline = timeline};
    if (lp_session_open(&spec, &lab->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    lab->arena = lp_arena_new(0);
    assert_non_null(lab->arena);
}

static void close_lab(Lab *lab) {
    static const char *const FILES[] = {"s.json", "p.lua", "a.json", "z.json"};
    char path[96];
    lp_session_close(lab->session);
    lp_weights_free(lab->alpha);
    lp_weights_free(lab->zeta);
    lp_arena_free(lab->arena);
    for (size_t i = 0; i < LP_COUNTOF(FILES); i++) {
        snprintf(path, sizeof path, "%s/%s", lab->path, FILES[i]);
        unlink(path);
    }
    rmdir(lab->path);
}

static void to_decision(Lab *lab) {
    LpEvent event;
    assert_int_equal(lp_session_to_decision(lab->session, &event, NULL), LP_OK);
    assert_int_not_equal(lp_world_due(lp_session_world(lab->session)), LP_NO_INDEX);
}

static LpNetworkInspection seen(Lab *lab, uint32_t index) {
    LpNetworkInspection out;
    LpDiag diag = {0};
    if (lp_network_inspect_world(lab->session, index, lp_session_world(lab->session), lab->arena,
                                 &out, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return out;
}

/* The same numbers by the player, the library's exp and a search of one's own. */
static void check_inspection(Lab *lab, const LpNetworkInspection *l, const LpWeights *agent) {
    const LpContext *context = lp_session_context(lab->session);
    const LpWorld *world = lp_session_world(lab->session);
    LpPlayer *player;
    double features[128], logits[17], q[17], value, sum = 0, all = 0;
    uint32_t graph;
    assert_int_equal(lp_player_new(agent, context, &player, NULL), LP_OK);
    lp_player_embed(player);
    assert_true(agent->plan.shape.features <= LP_COUNTOF(features));
    assert_int_equal(
        lp_player_observe(player, context, world, lp_world_due(world), features, &graph, NULL),
        LP_OK);
    lp_player_head(player, LP_HEAD_POLICY, features, graph, logits);
    lp_player_head(player, LP_HEAD_Q, features, graph, q);
    lp_player_head(player, LP_HEAD_VALUE, features, graph, &value);
    const double *mask = lp_player_mask(player, features);
    assert_int_equal(l->actions, 17);
    assert_int_equal(l->best, lp_player_best(player, logits, mask));
    assert_memory_equal(l->feature, features, l->features * sizeof *features);
    assert_true(l->value == value);
    for (uint32_t i = 0; i < 17; i++)
        sum += mask[i] > 0 ? exp(logits[i] - logits[l->best]) : 0;
    for (uint32_t i = 0; i < 17; i++) {
        const LpNetworkAction *a = &l->action[i];
        double want = mask[i] > 0 ? exp(logits[i] - logits[l->best]) / sum : 0;
        assert_true(a->logit == logits[i] && a->q == q[i]);
        assert_int_equal(a->open, mask[i] > 0);
        assert_int_equal(a->degree, i == 0 ? 0 : 1 + (i - 1) / 2);
        assert_string_equal(a->rule, i == 0 ? "" : i % 2 == 1 ? "engine" : "first_fit");
        assert_true(fabs(a->probability - want) < 1e-14);
        assert_true(a->open || a->probability == 0);
        all += a->probability;
        if (i != l->best && a->open && l->next < l->actions)
            assert_true(a->logit <= l->action[l->next].logit);
    }
    assert_true(fabs(all - 1) < 1e-14);
    lp_player_free(player);
}

static void a_look_is_what_the_network_says(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    LpDiag diag;
    open_lab(&lab, SCENARIO, POLICY, false);
    assert_int_equal(lp_network_count(lab.session), 2);
    for (int i = 0; i < 12; i++) {
        char scored[32];
        to_decision(&lab);
        LpNetworkInspection alpha = seen(&lab, 0), zeta = seen(&lab, 1);
        assert_int_equal(alpha.networks, 2);
        assert_string_equal(alpha.param, "alpha");
        assert_string_equal(alpha.encoding, "pac-ml");
        assert_string_equal(zeta.param, "zeta");
        assert_string_equal(zeta.encoding, "corrected");
        assert_string_equal(zeta.problem, "");
        assert_int_equal(zeta.decision, i);
        assert_true(zeta.graph[0] == 'a' || zeta.graph[0] == 'v');
        check_inspection(&lab, &alpha, lab.alpha);
        check_inspection(&lab, &zeta, lab.zeta);
        const LpAnswer *answer = lp_session_pending(lab.session, &diag);
        const LpNetworkAction *best = &zeta.action[zeta.best];
        assert_non_null(answer);
        assert_int_equal(answer->kind == LP_ANSWER_RUN ? answer->degree : 0, best->degree);
        snprintf(scored, sizeof scored, "%.17g", best->logit);
        assert_string_equal(answer->why, best->degree > 0 ? scored : "no");
        assert_int_equal(lp_session_step(lab.session, &event, NULL), LP_OK);
    }
    close_lab(&lab);
}

static uint64_t run_to_end(Lab *lab) {
    bool stopped;
    assert_int_equal(lp_session_run(lab->session, NULL, NULL, &stopped, NULL), LP_OK);
    return lp_session_hash(lab->session);
}

static void looking_changes_nothing(void **state) {
    (void)state;
    Lab plain, looked;
    LpEvent event;
    open_lab(&plain, SCENARIO, POLICY, true);
    open_lab(&looked, SCENARIO, POLICY, true);
    for (int i = 0; i < 10; i++) {
        to_decision(&looked);
        uint64_t hash = lp_session_hash(looked.session);
        (void)seen(&looked, (uint32_t)i % 2);
        assert_true(lp_session_hash(looked.session) == hash);
        assert_int_equal(lp_session_step(looked.session, &event, NULL), LP_OK);
    }
    assert_true(run_to_end(&looked) == run_to_end(&plain));
    close_lab(&plain);
    close_lab(&looked);
}

static void expect_same(const LpNetworkInspection *then, const LpNetworkInspection *now) {
    assert_int_equal(then->job, now->job);
    assert_int_equal(then->decision, now->decision);
    assert_int_equal(then->best, now->best);
    assert_true(then->time == now->time && then->value == now->value);
    assert_memory_equal(then->feature, now->feature, then->features * sizeof *then->feature);
    for (uint32_t i = 0; i < then->actions; i++)
        assert_true(then->action[i].probability == now->action[i].probability);
}

static void the_past_is_as_it_was(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    LpNetworkInspection then[12], now;
    open_lab(&lab, SCENARIO, POLICY, true);
    for (uint32_t i = 0; i < LP_COUNTOF(then); i++) {
        to_decision(&lab);
        then[i] = seen(&lab, 1);
        assert_int_equal(lp_session_step(lab.session, &event, NULL), LP_OK);
    }
    uint64_t hash = lp_session_hash(lab.session);
    for (uint32_t i = 0; i < LP_COUNTOF(then); i++) {
        LpWorld *world;
        assert_int_equal(lp_network_inspect(lab.session, 1, then[i].job, lab.arena, &now, NULL),
                         LP_OK);
        expect_same(&then[i], &now);
        uint64_t step;
        assert_int_equal(lp_session_find(lab.session, LP_SEEK_DECISION, i, &step, NULL), LP_OK);
        assert_int_equal(lp_session_world_at(lab.session, (LpMoment){0, step}, &world, NULL),
                         LP_OK);
        assert_int_equal(lp_network_inspect_world(lab.session, 1, world, lab.arena, &now, NULL),
                         LP_OK);
        assert_true(now.value == then[i].value);
        lp_world_free(world);
    }
    assert_true(lp_session_hash(lab.session) == hash);
    /* back there, and about what is still to come */
    assert_int_equal(lp_session_back_decision(lab.session, NULL), LP_OK);
    assert_int_equal(lp_network_inspect(lab.session, 1, then[11].job, lab.arena, &now, NULL),
                     LP_OK);
    expect_same(&then[11], &now);
    assert_int_equal(lp_network_inspect(lab.session, 1, 39, lab.arena, &now, NULL), LP_OK);
    assert_int_equal(now.actions, 0);
    assert_string_equal(now.problem, "no decision is due");
    close_lab(&lab);
}

static void nothing_to_tell_is_said(void **state) {
    (void)state;
    Lab lab;
    open_lab(&lab, SCENARIO, NULL, false);
    to_decision(&lab);
    LpNetworkInspection none = seen(&lab, 0);
    assert_int_equal(none.networks, 0);
    assert_int_equal(none.actions, 0);
    assert_int_equal(none.job, LP_NO_INDEX);
    assert_string_equal(none.problem, "");
    close_lab(&lab);

    open_lab(&lab, SCENARIO, POLICY, false);
    LpNetworkInspection early = seen(&lab, 0);
    assert_int_equal(early.networks, 2);
    assert_string_equal(early.problem, "no decision is due");
    to_decision(&lab);
    assert_int_equal(seen(&lab, 2).networks, 0); /* there is no third */
    close_lab(&lab);

    open_lab(&lab, RIGID, POLICY, false);
    to_decision(&lab);
    LpNetworkInspection rigid = seen(&lab, 1);
    assert_int_equal(rigid.networks, 2);
    assert_int_equal(rigid.actions, 0);
    assert_non_null(strstr(rigid.problem, "graphs")); /* the scenario has none at all */
    close_lab(&lab);
}

/* Limits that no degree meets: only declining is open, and there is nothing to compare it with. */
static void nothing_may_be_open(void **state) {
    (void)state;
    Lab lab;
    LpNetworkWhy why;
    char scenario[1024];
    const char *at = strstr(SCENARIO, "\"max_jct_fraction\"");
    assert_non_null(at);
    snprintf(scenario, sizeof scenario, "%.*s\"max_jct_fraction\": 0.01}, %s", (int)(at - SCENARIO),
             SCENARIO, strstr(SCENARIO, "\"partition\""));
    open_lab(&lab, scenario, POLICY, false);
    to_decision(&lab);
    LpNetworkInspection l = seen(&lab, 1);
    assert_int_equal(l.best, 0);
    assert_int_equal(l.next, l.actions);
    assert_true(l.action[0].probability == 1);
    check_inspection(&lab, &l, lab.zeta);
    LpNetworkQuestion q = lp_network_question(&l, 0);
    assert_int_equal(q.against, l.actions);
    assert_int_equal(lp_network_why(lab.session, 1, &l, q, lab.arena, &why, NULL), LP_OK);
    assert_true(fabs(why.output - l.action[0].logit) < 1e-12);
    close_lab(&lab);
}

/* Answer a less answer b, or the value, with feature i a little larger. */
static double asked(LpPlayer *player, const LpNetworkInspection *l, LpNetworkQuestion q,
                    double *features, uint32_t i, double more) {
    double out[17];
    memcpy(features, l->feature, l->features * sizeof *features);
    features[i] += more;
    lp_player_head(player, q.value ? LP_HEAD_VALUE : LP_HEAD_POLICY, features, l->graph_index, out);
    return q.value ? out[0] : out[q.action] - (q.against < l->actions ? out[q.against] : 0);
}

static double moved_by(const LpNetworkWhy *why, LpFeature f) {
    for (uint32_t i = 0; i < why->moves; i++)
        if (why->move[i].feature.name == f.name && why->move[i].feature.kind == f.kind &&
            why->move[i].feature.action == f.action)
            return why->move[i].moved;
    return 0;
}

static void check_why(Lab *lab, LpPlayer *player, const LpNetworkInspection *l,
                      LpNetworkQuestion q) {
    LpNetworkWhy why;
    double features[128], all = 0, brief = 0;
    assert_int_equal(lp_network_why(lab->session, 1, l, q, lab->arena, &why, NULL), LP_OK);
    assert_true(fabs(why.output - asked(player, l, q, features, 0, 0)) < 1e-12);
    for (uint32_t i = 0; i < l->features; i++) {
        double slope =
            (asked(player, l, q, features, i, 1e-6) - asked(player, l, q, features, i, -1e-6)) /
            2e-6;
        double moved = moved_by(&why, lp_feature(LP_ENCODING_CORRECTED, l->actions, i));
        if (!(fabs(moved - l->feature[i] * slope) < 1e-6))
            fail_msg("feature %u: %.9g, by differences %.9g", i, moved, l->feature[i] * slope);
    }
    for (uint32_t i = 1; i < why.moves; i++)
        assert_true(fabs(why.move[i].moved) <= fabs(why.move[i - 1].moved));
    for (uint32_t i = 0; i < why.moves; i++)
        all += why.move[i].moved;
    for (uint32_t i = 0; i < why.briefs; i++) {
        brief += why.brief[i].moved;
        assert_true(i == 0 || fabs(why.brief[i].moved) <= fabs(why.brief[i - 1].moved));
    }
    for (uint32_t i = 0; i < why.graphs; i++)
        brief += why.graph[i].moved;
    assert_true(why.briefs < why.moves && why.briefs <= 17 + 6 + 3 * 5 && why.graphs <= 7);
    assert_true(fabs(all - brief) < 1e-9);
    assert_true(why.ops > 10);
    for (uint32_t i = 1; i < why.ops; i++)
        assert_true(fabs(why.op[i].moved) <= fabs(why.op[i - 1].moved));
}

static void what_moved_it_is_what_moves_it(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    LpPlayer *player;
    char text[LP_NETWORK_TEXT];
    open_lab(&lab, SCENARIO, POLICY, false);
    to_decision(&lab);
    assert_int_equal(lp_player_new(lab.zeta, lp_session_context(lab.session), &player, NULL),
                     LP_OK);
    lp_player_embed(player);
    for (int i = 0; i < 3; i++) {
        LpNetworkInspection l = seen(&lab, 1);
        LpNetworkQuestion best = lp_network_question(&l, l.best);
        LpNetworkQuestion other = lp_network_question(&l, 0);
        assert_int_equal(best.against, l.next);
        assert_int_equal(other.against, l.best == 0 ? l.next : l.best);
        check_why(&lab, player, &l, best);
        check_why(&lab, player, &l, other);
        check_why(&lab, player, &l, (LpNetworkQuestion){false, 3, l.actions});
        check_why(&lab, player, &l, (LpNetworkQuestion){.value = true});
        assert_string_equal(lp_network_action_text(&l, 0, text), "decline");
        assert_string_equal(lp_network_action_text(&l, 2, text), "1 way first_fit");
        assert_string_equal(lp_network_action_text(&l, 3, text), "2 ways engine");
        LpNetworkMove move = {lp_feature(LP_ENCODING_CORRECTED, 17, 17 + 6 + 16), false, 0, 0};
        assert_string_equal(lp_network_move_text(&l, &move, text), "accepted, 8 ways first_fit");
        move.others = true;
        assert_string_equal(lp_network_move_text(&l, &move, text), "accepted, other answers");
        move.others = false;
        move.feature = lp_feature_edge(0);
        assert_string_equal(lp_network_move_text(&l, &move, text), "bytes of the deps");
        assert_int_equal(lp_session_step(lab.session, &event, NULL), LP_OK);
        to_decision(&lab);
    }
    lp_player_free(player);
    close_lab(&lab);
}

static void it_is_written_down(void **state) {
    (void)state;
    Lab lab;
    LpBuf out = {0};
    LpJson *doc;
    open_lab(&lab, SCENARIO, POLICY, true);
    to_decision(&lab);
    uint32_t job = lp_world_due(lp_session_world(lab.session));
    LpNetworkInspection zeta = seen(&lab, 1);
    assert_int_equal(lp_network_json(lab.session, job, NULL, &(LpJsonOut){.out = &out}, NULL),
                     LP_OK);
    assert_int_equal(lp_json_parse("out", lp_buf_text(&out), out.len, &doc, NULL), LP_OK);
    assert_int_equal(lp_json_count(lp_json_root(doc)), 2);
    LpJsonValue second = lp_json_next(lp_json_first(lp_json_root(doc)));
    assert_string_equal(lp_json_text(lp_json_member(second, "param")), "zeta");
    assert_int_equal(lp_json_kind(lp_json_member(second, "problem")), LP_JSON_NULL);
    assert_true(lp_json_number(lp_json_member(second, "value")) == zeta.value);
    assert_true(lp_json_number(lp_json_member(second, "best")) == zeta.best);
    assert_int_equal(lp_json_count(lp_json_member(second, "actions")), 17);
    assert_int_equal(
        lp_json_kind(lp_json_member(lp_json_first(lp_json_member(second, "actions")), "rule")),
        LP_JSON_NULL);
    LpJsonValue why = lp_json_member(second, "why");
    assert_true(lp_json_count(lp_json_member(why, "ops")) == LP_NETWORK_OPS);
    assert_true(lp_json_count(lp_json_member(why, "moved")) > 10);
    assert_int_equal(lp_json_kind(lp_json_member(lp_json_member(second, "why_value"), "action")),
                     LP_JSON_NULL);
    lp_json_free(doc);
    lp_buf_clear(&out);
    assert_int_equal(lp_network_text(lab.session, job, &out, NULL), LP_OK);
    assert_non_null(strstr(lp_buf_text(&out), "network alpha (pac-ml): it expects"));
    assert_non_null(strstr(lp_buf_text(&out), "\n> "));
    assert_non_null(strstr(lp_buf_text(&out), "what moved its score of"));
    lp_buf_clear(&out);
    assert_int_equal(lp_network_text(lab.session, 39, &out, NULL), LP_OK);
    assert_string_equal(lp_buf_text(&out),
                        "network alpha: no decision is due\nnetwork zeta: no decision is due\n");
    close_lab(&lab);

    open_lab(&lab, SCENARIO, NULL, false);
    to_decision(&lab);
    lp_buf_clear(&out);
    assert_int_equal(lp_network_json(lab.session, 0, NULL, &(LpJsonOut){.out = &out}, NULL), LP_OK);
    assert_int_equal(lp_network_text(lab.session, 0, &out, NULL), LP_OK);
    assert_string_equal(lp_buf_text(&out), "[]");
    lp_buf_fini(&out);
    close_lab(&lab);
}

static void a_time_line_begins_at_the_start(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    LpDiag diag;
    open_lab(&lab, SCENARIO, POLICY, false);
    assert_int_equal(lp_session_keep_timeline(lab.session, &diag), LP_OK);
    assert_int_equal(lp_session_keep_timeline(lab.session, &diag), LP_OK); /* it is there */
    to_decision(&lab);
    assert_int_equal(lp_session_step(lab.session, &event, NULL), LP_OK);
    assert_int_equal(lp_session_back(lab.session, &diag), LP_OK);
    close_lab(&lab);
    open_lab(&lab, SCENARIO, POLICY, false);
    to_decision(&lab);
    assert_int_equal(lp_session_keep_timeline(lab.session, &diag), LP_ESTATE);
    close_lab(&lab);
}

TEST_GROUP(test_ask_inspect_network) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_look_is_what_the_network_says),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(the_past_is_as_it_was),
        cmocka_unit_test(nothing_to_tell_is_said),
        cmocka_unit_test(nothing_may_be_open),
        cmocka_unit_test(what_moved_it_is_what_moves_it),
        cmocka_unit_test(it_is_written_down),
        cmocka_unit_test(a_time_line_begins_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
