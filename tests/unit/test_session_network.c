/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks in policies: what a script gets is what the host's network says, at no cost to the
 * script's budgets; files that are missing or broken are named. */
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
#include "group.h"
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

/* Says all scores and the value in its reason; the work of a thousand calls is nobody's. */
static const char POLICY[] =
    "local policy = { name = 'p', api = 1,\n"
    "  params = { weights = { default = 'w.json', type = 'network', doc = 'file' } } }\n"
    "function policy:partition(job, cluster)\n"
    "  local net, mask = self.p.weights, {}\n"
    "  local seen = job:observe(net.encoding)\n"
    "  local scores = net:scores(seen)\n"
    "  for i = 1, net.actions do mask[i] = i == 3 end\n"
    "  local only = net:scores(seen, mask)\n"
    "  for i = 1, net.actions do\n"
    "    if (only[i] > -math.huge) ~= (i == 3 and scores[3] > -math.huge) then error('mask') end\n"
    "  end\n"
    "  for i = 1, 300 do net:value(seen) end\n"
    "  local degree, rule = net:action(5)\n"
    "  local at = net:servers(seen, 5)\n"
    "  if degree ~= 2 or rule ~= 'first_fit' or (at and #at ~= 2) then error('action') end\n"
    "  return 2, ('%.17g %.17g %.17g'):format(scores[1], scores[3], net:value(seen))\n"
    "end\n"
    "function policy:place() return true end\n"
    "return policy\n";

typedef struct Folder {
    char path[64], scenario[96], policy[96], weights[96];
} Folder;

static LpWeights *make_agent(LpEncoding encoding) {
    static const char *const PLACINGS[] = {"engine", "first_fit"};
    LpNetShape shape = lp_net_shape(0, 0);
    LpWeights *agent;
    shape.hidden = 16;
    assert_int_equal(lp_weights_new(encoding, 8, PLACINGS, 2, &shape, &agent, NULL), LP_OK);
    lp_net_init(&agent->plan, 11, agent->params);
    lp_weights_round(agent);
    return agent;
}

static LpWeights *make_folder(Folder *f, const char *policy) {
    strcpy(f->path, "/tmp/lightpath-network-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->scenario, sizeof f->scenario, "%s/s.json", f->path);
    snprintf(f->policy, sizeof f->policy, "%s/p.lua", f->path);
    snprintf(f->weights, sizeof f->weights, "%s/w.json", f->path);
    tiny_write(f->path, "s.json", SCENARIO);
    tiny_write(f->path, "p.lua", policy);
    LpWeights *agent = make_agent(LP_ENCODING_CORRECTED);
    assert_int_equal(lp_weights_save(f->weights, agent, NULL, NULL), LP_OK);
    return agent;
}

static void drop_folder(const Folder *f) {
    unlink(f->scenario);
    unlink(f->policy);
    unlink(f->weights);
    rmdir(f->path);
}

static LpErr open_session(const Folder *f, const char *param, LpSession **out, LpDiag *diag) {
    LpSessionSpec spec = {.scenario = f->scenario,
                          .policy = f->policy,
                          .params = param != NULL ? 1 : 0,
                          .param = &param};
    return lp_session_open(&spec, out, diag);
}

static void scores_are_those_of_the_network(void **state) {
    (void)state;
    Folder f;
    LpSession *session;
    LpDiag diag = {0};
    LpPlayer *player;
    LpEvent event;
    LpWeights *agent = make_folder(&f, POLICY);
    if (open_session(&f, NULL, &session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    const LpContext *context = lp_session_context(session);
    assert_int_equal(lp_player_new(agent, context, &player, NULL), LP_OK);
    lp_player_embed(player);
    double features[128], scores[17], value;
    uint32_t graph, asked = 0;
    assert_true(agent->plan.shape.features <= LP_COUNTOF(features));
    for (; asked < 12; asked++) {
        char expected[128];
        assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
        const LpWorld *world = lp_session_world(session);
        uint32_t job = lp_world_due(world);
        assert_int_not_equal(job, LP_NO_INDEX);
        assert_int_equal(lp_player_observe(player, context, world, job, features, &graph, NULL),
                         LP_OK);
        lp_player_head(player, LP_HEAD_POLICY, features, graph, scores);
        lp_player_head(player, LP_HEAD_VALUE, features, graph, &value);
        if (lp_player_mask(player, features)[2] > 0) {
            snprintf(expected, sizeof expected, "%.17g %.17g %.17g", scores[0], scores[2], value);
        } else { /* closed */
            snprintf(expected, sizeof expected, "%.17g -inf %.17g", scores[0], value);
        }
        const LpAnswer *answer = lp_session_pending(session, &diag);
        assert_non_null(answer);
        if (lp_session_policy_error(session) != NULL)
            fail_msg("%s", lp_session_policy_error(session)->text);
        assert_string_equal(answer->why, expected);
    }
    /* 300 times asking what the network thinks is a few calls, not a network's work */
    assert_true(lp_session_policy_record(session)->most_instructions < 50000);
    lp_player_free(player);
    lp_session_close(session);
    lp_weights_free(agent);
    drop_folder(&f);
}

static void expect_refusal(const Folder *f, const char *param, const char *word,
                           const char *other) {
    LpSession *session = NULL;
    LpDiag diag = {0};
    char said[LP_DIAG_TEXT + LP_DIAG_FILE];
    assert_int_not_equal(open_session(f, param, &session, &diag), LP_OK);
    lp_diag_format(&diag, said, sizeof said);
    if (strstr(said, word) == NULL || strstr(said, other) == NULL)
        fail_msg("%s", said);
}

static void a_missing_or_broken_file_is_named(void **state) {
    (void)state;
    Folder f;
    LpWeights *agent = make_folder(&f, POLICY);
    expect_refusal(&f, "weights=nothing.json", "there is no file nothing.json", "p.lua");
    expect_refusal(&f, "weights=3", "there is no file 3", "'weights'");
    tiny_write(f.path, "w.json", "{\"lightpath_network\": 7}");
    expect_refusal(&f, "weights=w.json", "w.json:1:23", "format 7");
    expect_refusal(&f, NULL, "w.json:1:23", "format 7");
    lp_weights_free(agent);
    drop_folder(&f);
}

/* Runs a policy to its first failure. */
static void expect_failure(const char *policy, const char *word) {
    Folder f;
    LpSession *session;
    LpDiag diag = {0};
    LpEvent event;
    LpWeights *agent = make_folder(&f, policy);
    if (open_session(&f, NULL, &session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_session_to_decision(session, &event, NULL), LP_OK);
    assert_int_equal(lp_session_step(session, &event, NULL), LP_OK);
    const LpDiag *error = lp_session_policy_error(session);
    assert_non_null(error);
    if (strstr(error->text, word) == NULL)
        fail_msg("%s", error->text);
    lp_session_close(session);
    lp_weights_free(agent);
    drop_folder(&f);
}

#define HEAD                                                                                       \
    "local p = { name = 'p', api = 1, params = { w = { default = 'w.json', type = 'network' } } }" \
    "\nfunction p:partition(job, cluster)\n  local net = self.p.w\n"
#define TAIL "\n  return 1\nend\nreturn p\n"

static void wrong_uses_are_told(void **state) {
    (void)state;
    expect_failure(HEAD "net:scores(job:observe('pac-ml'))" TAIL, "job:observe(\"corrected\")");
    expect_failure(HEAD "net:scores(job)" TAIL, "expected an observation, got job 0");
    expect_failure(HEAD "job:observe('nothing')" TAIL, "there is no encoding");
    expect_failure(HEAD "net:action(99)" TAIL, "action");
    expect_failure(HEAD "net.weights = 1" TAIL, "read-only");
    expect_failure(HEAD "local x = net.params" TAIL, "has no field 'params'");
    expect_failure(HEAD "self.mem.net = net" TAIL, "mem");
    expect_failure(HEAD "net:scores(job:observe('corrected'), 5)" TAIL, "a list of booleans");
}

TEST_GROUP(test_session_network) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_network),
        cmocka_unit_test(a_missing_or_broken_file_is_named),
        cmocka_unit_test(wrong_uses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
